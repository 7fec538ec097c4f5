"""Where columns come from: memory, CSV files, Arrow streams, datasets, Dask partitions.

Main definitions: ``source_of``, ``labelled``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from splitcrit.table.arrow import pyarrow
from splitcrit.table.csv_columns import Watch, csv_columns
from splitcrit.table.files import FORMATS, read_files, schema_of_files
from splitcrit.table.held import held_column, held_columns
from splitcrit.table.readers import BATCH, Batches, Memory, Partitions, Source
from splitcrit.values import complaint


def source_of(data: Any, watch: Watch | None = None) -> Source:
    """Return the source that data is: a path, a Dask, pandas or polars frame, a mapping, a dataset, an Arrow stream.

    Raises
    ------
    TypeError
        If data is none of these.
    """
    if isinstance(data, str | os.PathLike):
        return _of_path(Path(data), watch)
    if hasattr(data, "to_delayed") and hasattr(data, "dtypes"):
        return Partitions(pyarrow().Schema.from_pandas(data._meta, preserve_index=False), data)
    if isinstance(data, Mapping) or _is_frame(data):
        return Memory(held_columns(data))
    if hasattr(data, "get_fragments") and hasattr(data, "scanner"):
        return Batches(data.schema, lambda columns: _scanned(data, columns), data.count_rows())
    if hasattr(data, "__arrow_c_stream__"):
        return _stream(data)
    rule = "columns come from a file, a folder of parquet files, an Arrow stream or a data frame"
    raise TypeError(complaint(rule, type(data).__name__, "pass a path or a frame, or an array and a label vector"))


def _of_path(path: Path, watch: Watch | None) -> Source:
    """Return the source that a file or a folder of files is; what is neither parquet nor Arrow is CSV."""
    if not path.exists():
        raise FileNotFoundError(complaint("the data must exist", path, "check the path"))
    if path.is_file() and path.suffix.lower() not in FORMATS:
        return Memory(csv_columns(path, watch))
    files = schema_of_files(path)
    return Batches(files.schema, lambda columns: read_files(files, columns, BATCH), files.rows)


def labelled(data: Any, label: Any) -> tuple[Source, Any]:
    """Return the source that data and a vector of labels are, and the name that the label has there."""
    if hasattr(data, "to_delayed"):
        name = _free(data.columns)
        return source_of(data.assign(**{name: label})), name
    if hasattr(data, "__arrow_c_stream__") and not _is_frame(data):
        table = pyarrow().table(data)
        data = {name: table[name] for name in table.column_names}
    columns, name = held_columns(data), "label"
    name = _free(columns)
    held = held_column(label, name)
    rows = len(next(iter(columns.values()), ()))
    if len(held) != rows:
        got = f"{rows} rows and {len(held)} labels"
        raise ValueError(complaint("features and label must have one length", got, "pass one label for each row"))
    return Memory({**columns, name: held}), name


def _is_frame(data: Any) -> bool:
    """Return whether data is a frame of pandas or polars, whose columns are vectors."""
    return hasattr(data, "columns") and hasattr(data, "dtypes") and hasattr(data, "__getitem__")


def _free(names: Any) -> str:
    """Return a name that no column has."""
    name = "label"
    while name in list(names):
        name += "_"
    return name


def _scanned(dataset: Any, columns: list[str]) -> Iterator[Any]:
    options = {"batch_size": BATCH, "batch_readahead": 1, "fragment_readahead": 1}
    return iter(dataset.scanner(columns=columns, **options).to_batches())


def _stream(data: Any) -> Batches:
    """Return a stream that is opened once for each pass."""
    pa = pyarrow()
    once = isinstance(data, pa.RecordBatchReader)
    try:
        opened = [data if once else pa.RecordBatchReader.from_stream(data)]
    except pa.ArrowInvalid as error:
        rule = "a stream of columns has a column of each name"
        raise TypeError(complaint(rule, error, "pass a table or a data frame, not one column")) from None

    def read(columns: list[str]) -> Iterator[Any]:
        reader = opened.pop() if opened else pa.RecordBatchReader.from_stream(data)
        return (batch.select(columns) for batch in reader)

    return Batches(opened[0].schema, read, getattr(data, "num_rows", None), again=not once)
