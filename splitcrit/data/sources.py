"""Where columns come from: memory, CSV, parquet and Arrow files, streams, datasets, Dask partitions.

Main definitions: ``source_of``, ``labelled``; ``listed`` (the files of paths), ``format_of``; ``from_pandas`` (a
partition of Dask in Arrow).
"""

from __future__ import annotations

import os
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

from splitcrit.data import row_parts
from splitcrit.data.columns import InMemoryColumn, LazyColumns, pyarrow, read_column, read_columns
from splitcrit.data.csv_files import Watch, csv_columns, csv_formats, csv_pieces, layout_of
from splitcrit.data.formats import AS_WRITTEN, FileOptions
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.row_parts import ColumnSource, Piece, in_memory
from splitcrit.data.training_inputs import one_for_each
from splitcrit.frozen import complaint

HELD = 2**28  # bytes of CSV files, or eight a value of others, that are held in memory
FORMATS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "ipc", ".ipc": "ipc"}


def source_of(
    data: Any, watch: Watch | None = None, folder: ResumeFolder | None = None, options: FileOptions = AS_WRITTEN
) -> ColumnSource:
    """The source that data is: paths, a Dask, pandas or polars frame, a mapping, a dataset, an Arrow stream.

    Raises
    ------
    TypeError
        If data is none of these.
    """
    if paths := paths_of(data):
        return _of_files(paths, watch, folder, options)
    if folder is not None:
        rule = "resume= works on files"
        raise TypeError(complaint(rule, type(data).__name__, "pass paths, or leave out resume="))
    if hasattr(data, "to_delayed") and hasattr(data, "dtypes"):
        return _from_dask(data)
    if isinstance(data, Mapping) or _is_frame(data):
        return _held(data)
    if hasattr(data, "get_fragments") and hasattr(data, "scanner"):
        return _typed(data.schema, [Piece(partial(_read, data))], data.count_rows())
    if hasattr(data, "__arrow_c_stream__"):
        return _stream(data)
    rule = "columns come from files, a folder of files, an Arrow stream or a data frame"
    raise TypeError(complaint(rule, type(data).__name__, "pass a path or a frame, or an array and a label vector"))


def labelled(data: Any, label: Any) -> tuple[ColumnSource, Any]:
    """The source that data and a vector of labels are, and the name that the label has there."""
    if hasattr(data, "to_delayed"):
        name = _free(data.columns)
        return source_of(data.assign(**{name: label})), name
    if hasattr(data, "__arrow_c_stream__") and not _is_frame(data):
        data = _of_stream(pyarrow().table, data)
    columns = read_columns(data)
    name = _free(columns)
    target = read_column(label, name)
    one_for_each(target.values, columns.rows)
    both, headers = (ChainMap[Any, InMemoryColumn]({name: target}, each) for each in (columns, columns.headers))  # type: ignore
    return in_memory(both, headers, columns.rows), name


def paths_of(data: Any) -> list[Path]:
    """The paths that data is, none if it is something else."""
    each = list(data) if isinstance(data, list | tuple) else [data]
    return [Path(path) for path in each] if all(isinstance(path, str | os.PathLike) for path in each) else []


def _held(table: Any) -> ColumnSource:
    """Vectors of a mapping, a frame or a table of Arrow as a source."""
    columns = read_columns(table)
    return in_memory(columns, columns.headers, columns.rows)


def _is_frame(data: Any) -> bool:
    """Whether data is a frame of pandas or polars, whose columns are vectors."""
    return hasattr(data, "columns") and hasattr(data, "dtypes") and hasattr(data, "__getitem__")


def _free(names: Any) -> str:
    """A name that no column has."""
    return next(name for i in count() if (name := "label" + i * "_") not in list(names))


# Files.


def _of_files(
    paths: Sequence[Path], watch: Watch | None, folder: ResumeFolder | None, options: FileOptions
) -> ColumnSource:
    """The source that files are; CSV files are held in memory unless they are large, or counting is resumed."""
    files = listed(paths)
    if folder is not None:
        folder.check(files)
    if format_of(files[0]) != "csv":
        base = str(paths[0]) if len(paths) == 1 and paths[0].is_dir() else None
        return _of_dataset(files, folder is None, base)
    remarks = tuple(note for path in files for note in layout_of(path, options).notes)
    if folder is None and sum(path.stat().st_size for path in files) <= HELD:
        columns = csv_columns(files, watch, options)
        return in_memory(columns, columns, len(next(iter(columns.values()))), remarks)
    rows, formats = (csv_formats if folder is None else folder.formats)(files, watch, options)
    headers = {name: chosen.column([], [], options.missing) for name, chosen in formats.items()}
    return ColumnSource(headers, csv_pieces(files, formats, options), rows, remarks=remarks)


def listed(roots: Sequence[Path]) -> list[Path]:
    """The files that paths are or hold; names that begin with a dot or an underscore are passed over.

    Raises
    ------
    FileNotFoundError
        If a path does not exist, or a folder holds no file to count.
    ValueError
        If a file stands twice, or files are of different formats.
    """
    files = [file for root in roots for file in _inside(root)]
    if twice := next((file for file, times in Counter(files).items() if times > 1), None):
        raise ValueError(complaint("a file is counted once", f"{twice} twice", "name it once"))
    if len({format_of(file) for file in files}) > 1:
        rule = "files to count are all parquet or all Arrow, or all CSV"
        raise ValueError(complaint(rule, f"both in {', '.join(map(str, roots[:3]))}", "keep one of the formats"))
    return files


def format_of(file: Path) -> str:
    """The format of a file; what is neither parquet nor Arrow is CSV."""
    return FORMATS.get(file.suffix.lower(), "csv")


def _inside(root: Path) -> list[Path]:
    if not root.exists():
        raise FileNotFoundError(complaint("the data must exist", root, "check the path"))
    if root.is_file():
        return [root]
    if not root.is_dir():
        rule, got = "data are files, which are read more than once", f"{root}, which is none"
        raise ValueError(complaint(rule, got, "write them to a file first"))
    ends = (*FORMATS, ".csv", ".csv.gz")
    inside = (file for file in sorted(root.rglob("*")) if file.name.lower().endswith(ends) and file.is_file())
    files = [file for file in inside if not any(part[0] in "._" for part in file.relative_to(root).parts)]
    if not files:
        rule = "a folder to count holds parquet files, or Arrow or CSV files"
        raise FileNotFoundError(complaint(rule, f"none in {root}", "check the path"))
    return files


def _of_dataset(files: Sequence[Path], whole: bool, base: str | None) -> ColumnSource:
    """Parquet or Arrow files as a source, in memory if they are small and ``whole``, else a piece for each group of
    rows of parquet; folders below ``base`` may be columns.

    Raises
    ------
    ValueError
        If a file cannot be read, or their schemas differ.
    """
    pa = pyarrow()
    paths, kind = list(map(str, files)), format_of(files[0])
    try:
        dataset = pa.dataset.dataset(paths, format=kind, partitioning="hive", partition_base_dir=base)
        schema = _agreed(dataset)
    except pa.ArrowInvalid as error:
        message = " ".join(str(error).split())
        raise ValueError(complaint("a parquet or Arrow file must be complete", message, "write it again")) from None
    pieces = [
        Piece(partial(_read, part, schema=schema), Path(fragment.path))
        for fragment in dataset.get_fragments()
        for part in (fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment])
    ]
    return _typed(schema, pieces, dataset.count_rows(), whole)


def _read(rows: Any, columns: list[str], **types: Any) -> Iterator[Any]:
    """Yield the record batches of a dataset, or of a piece in the types of all files."""
    size = {"batch_size": row_parts.BATCH, "batch_readahead": 1, "fragment_readahead": 1}
    yield from rows.to_batches(columns=columns, **types, **size)


def _agreed(dataset: Any) -> Any:
    """Return the schema of all files, or say which column of one has no like in another; nulls are like any."""
    each = [(Path(part.path).name, part.physical_schema) for part in dataset.get_fragments()]
    fields = dataset.schema
    for name in dict.fromkeys(name for _, schema in each for name in schema.names):
        if absent := next((file for file, schema in each if name not in schema.names), None):
            got = f"no column {name!r} in {absent}"
            raise ValueError(complaint("files to count have the same columns", got, "write them with one schema"))
        kinds = {_plain(schema.field(name).type): file for file, schema in reversed(each)}
        kinds.pop(pyarrow().null(), None)
        if len(kinds) > 1:
            several = sorted((file, f"as {kind} in {file}") for kind, file in kinds.items())
            got = f"{name!r} {several[0][1]} and {several[1][1]}"
            raise ValueError(complaint("a column has one type in all files", got, "write them with one schema"))
        at = fields.get_field_index(name)
        if kinds and pyarrow().types.is_null(fields.field(at).type):
            fields = fields.set(at, fields.field(at).with_type(*kinds))
    return fields


def _plain(kind: Any) -> Any:
    """The type of a column's values, however they are encoded."""
    types = pyarrow().types
    kind = kind.value_type if types.is_dictionary(kind) else kind
    text = types.is_large_string(kind) or types.is_string_view(kind)
    return pyarrow().string() if text else kind


# Other columns of Arrow.


def _typed(schema: Any, pieces: Sequence[Piece], rows: int | None, whole: bool = True, **more: Any) -> ColumnSource:
    """Columns whose Arrow types are known as a source; few values are held in memory, if ``whole``."""
    pa = pyarrow()
    if twice := [name for name in schema.names if schema.names.count(name) > 1]:
        raise ValueError(complaint("column names must differ", f"{twice[0]!r} twice", "rename one column"))
    if whole and rows is not None and 8 * rows * len(schema) <= HELD:
        batches = (batch for piece in pieces for batch in piece.read(schema.names))
        return _held(pa.Table.from_batches(batches, schema))
    none = {each.name: pa.array([], each.type) for each in schema}
    headers = LazyColumns(none, cache(lambda name: read_column(none[name], name)), 0)
    coded = frozenset(each.name for each in schema if pa.types.is_dictionary(each.type))
    return ColumnSource(headers, pieces, rows, frozenset(headers) - coded, **more)


def _stream(data: Any) -> ColumnSource:
    """A stream that is opened once for each pass."""
    pa = pyarrow()
    once = isinstance(data, pa.RecordBatchReader)
    opened = [data if once else _of_stream(pa.RecordBatchReader.from_stream, data)]

    def read(columns: list[str]) -> Iterator[Any]:
        for batch in opened.pop() if opened else pa.RecordBatchReader.from_stream(data):
            for start in range(0, batch.num_rows, row_parts.BATCH):
                yield batch.select(columns).slice(start, row_parts.BATCH)

    return _typed(opened[0].schema, [Piece(read)], getattr(data, "num_rows", None), again=not once)


def _of_stream(read: Callable[[Any], Any], data: Any) -> Any:
    try:
        return read(data)
    except pyarrow().ArrowInvalid as error:
        rule = "a stream of columns has a column of each name"
        raise TypeError(complaint(rule, error, "pass a table or a data frame, not one column")) from None


def _from_dask(frame: Any) -> ColumnSource:
    """A Dask data frame as a source: its partitions are counted, and the counts added up, where they lie.

    Dask is not imported: partitions are delayed values, whose methods are delayed in turn.
    """

    def read(columns: list[Any]) -> Iterator[Any]:
        for part in frame[columns].to_delayed():
            yield from from_pandas(part.compute()).to_batches()

    source = _typed(pyarrow().Schema.from_pandas(frame._meta, preserve_index=False), [Piece(read)], None, frame=frame)
    known = {name: frame[name].cat.known for name in source.headers if hasattr(frame[name], "cat")}
    declared: Any = {name: replace(source.headers[name], declared=each) for name, each in known.items()}
    return replace(source, headers=ChainMap(declared, source.headers))  # type: ignore[arg-type]


def from_pandas(frame: Any) -> Any:
    """Return a data frame of pandas in Arrow, or say which column it cannot hold."""
    pa = pyarrow()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        rule = "a column of a data frame has one kind of value"
        raise TypeError(complaint(rule, "; ".join(map(str, error.args)), "convert the column first")) from None
