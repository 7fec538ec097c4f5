"""Where columns come from: memory, CSV files, Arrow streams, datasets, Dask partitions.

Main definitions: ``source_of``, ``labelled``.
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from splitcrit.data.arrow_files import Piece, dataset_of, format_of, listed, pieces
from splitcrit.data.columns import pyarrow, read_column, read_columns
from splitcrit.data.csv_files import Watch, csv_columns, csv_formats, csv_pieces, layout_of
from splitcrit.data.formats import AS_WRITTEN, FileOptions
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.row_parts import BATCH, ColumnSource, from_dask, in_memory, typed
from splitcrit.data.training_inputs import one_for_each
from splitcrit.frozen import complaint

HELD = 2**28  # bytes of CSV files whose columns are held in memory


def source_of(
    data: Any, watch: Watch | None = None, kept: ResumeFolder | None = None, options: FileOptions = AS_WRITTEN
) -> ColumnSource:
    """Return the source that data is: paths, a Dask, pandas or polars frame, a mapping, a dataset, an Arrow stream.

    Raises
    ------
    TypeError
        If data is none of these.
    """
    if paths := paths_of(data):
        return _of_files(paths, watch, kept, options)
    if kept is not None:
        rule = "resume= works on files"
        raise TypeError(complaint(rule, type(data).__name__, "pass paths, or leave out resume="))
    if hasattr(data, "to_delayed") and hasattr(data, "dtypes"):
        return from_dask(data)
    if isinstance(data, Mapping) or _is_frame(data):
        return in_memory(read_columns(data))
    if hasattr(data, "get_fragments") and hasattr(data, "scanner"):
        size = {"batch_size": BATCH, "batch_readahead": 1, "fragment_readahead": 1}
        every = Piece(lambda names: iter(data.scanner(names, **size).to_batches()))
        return typed(data.schema, [every], data.count_rows())
    if hasattr(data, "__arrow_c_stream__"):
        return _stream(data)
    rule = "columns come from files, a folder of files, an Arrow stream or a data frame"
    raise TypeError(complaint(rule, type(data).__name__, "pass a path or a frame, or an array and a label vector"))


def paths_of(data: Any) -> list[Path]:
    """Return the paths that data is, none if it is something else."""
    each = list(data) if isinstance(data, list | tuple) else [data]
    return [Path(path) for path in each] if all(isinstance(path, str | os.PathLike) for path in each) else []


def _of_files(
    paths: Sequence[Path], watch: Watch | None, kept: ResumeFolder | None, options: FileOptions
) -> ColumnSource:
    """Return the source that files are; CSV files are held in memory unless they are large, or counting is resumed."""
    found = listed(paths)
    if kept is not None:
        kept.check(found)
    if format_of(found[0]) != "csv":
        dataset, schema = dataset_of(found, paths[0] if len(paths) == 1 and paths[0].is_dir() else None)
        return typed(schema, pieces(dataset, schema, BATCH), dataset.count_rows())
    remarks = tuple(note for path in found for note in layout_of(path, options).notes)
    if kept is None and sum(path.stat().st_size for path in found) <= HELD:
        return in_memory(csv_columns(found, watch, options), remarks)
    rows, formats = (csv_formats if kept is None else kept.formats)(found, watch, options)
    kinds = {name: chosen.kind for name, chosen in formats.items()}
    notes = {name: (tuple(chosen.marks), chosen.note) for name, chosen in formats.items()}
    return ColumnSource(kinds, csv_pieces(found, formats, options), rows, notes=notes, remarks=remarks)


def labelled(data: Any, label: Any) -> tuple[ColumnSource, Any]:
    """Return the source that data and a vector of labels are, and the name that the label has there."""
    if hasattr(data, "to_delayed"):
        name = _free(data.columns)
        return source_of(data.assign(**{name: label})), name
    if hasattr(data, "__arrow_c_stream__") and not _is_frame(data):
        data = _of_stream(pyarrow().table, data)
    columns = read_columns(data)
    name = _free(columns)
    held = read_column(label, name)
    one_for_each(held.values, len(next(iter(columns.values()), ())))
    return in_memory(ChainMap({name: held}, columns)), name  # type: ignore[arg-type]


def _is_frame(data: Any) -> bool:
    """Tell whether data is a frame of pandas or polars, whose columns are vectors."""
    return hasattr(data, "columns") and hasattr(data, "dtypes") and hasattr(data, "__getitem__")


def _free(names: Any) -> str:
    """Return a name that no column has."""
    return next(name for i in count() if (name := "label" + i * "_") not in list(names))


def _of_stream(read: Callable[[Any], Any], data: Any) -> Any:
    try:
        return read(data)
    except pyarrow().ArrowInvalid as error:
        rule = "a stream of columns has a column of each name"
        raise TypeError(complaint(rule, error, "pass a table or a data frame, not one column")) from None


def _stream(data: Any) -> ColumnSource:
    """Return a stream that is opened once for each pass."""
    pa = pyarrow()
    once = isinstance(data, pa.RecordBatchReader)
    opened = [data if once else _of_stream(pa.RecordBatchReader.from_stream, data)]

    def read(columns: list[str]) -> Iterator[Any]:
        reader = opened.pop() if opened else pa.RecordBatchReader.from_stream(data)
        return (batch.select(columns) for batch in reader)

    return typed(opened[0].schema, [Piece(read)], getattr(data, "num_rows", None), again=not once)
