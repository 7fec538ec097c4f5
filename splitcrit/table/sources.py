"""Where columns come from: memory, CSV files, Arrow streams, datasets, Dask partitions.

Main definitions: ``Source`` (what every one of them can do), ``Memory``, ``Batches``, ``Partitions``, ``source_of``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from splitcrit.table.arrow import countable, is_text, ordered, pyarrow
from splitcrit.table.delimited import read_csv
from splitcrit.table.files import FORMATS, read_files, schema_of_files
from splitcrit.table.held import Held, Order, held_column, held_columns, held_texts
from splitcrit.table.partial import Partial, Plan
from splitcrit.values import complaint

BATCH = 2**17  # rows at a time
WINDOW = 32  # partitions of a Dask collection at a time


class Source(Protocol):
    """Columns with a schema, from which partial counts come part by part."""

    @property
    def names(self) -> list[Any]:
        """The names of the columns."""

    @property
    def rows(self) -> int | None:
        """The number of rows, where it is known before they are read."""

    @property
    def again(self) -> bool:
        """Whether the columns can be read a second time."""

    def kind(self, name: Any) -> Order:
        """Return whether the values of a column have an order, are texts, or are other names."""

    def declared(self, name: Any) -> bool:
        """Return whether the categories of a column stand in a declared order."""

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        """Add the counts of all rows to a partial, and pause after every part."""


class Part(NamedTuple):
    """Some rows of columns in memory, which answer like a record batch."""

    columns: dict[Any, Held]
    num_rows: int

    def column(self, name: Any) -> Held:
        """Return one of the columns."""
        return self.columns[name]


@dataclass(frozen=True)
class Memory:
    """Columns in memory."""

    columns: dict[Any, Held]
    again: bool = True

    @property
    def names(self) -> list[Any]:
        return list(self.columns)

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def kind(self, name: Any) -> Order:
        return self.columns[name].kind

    def declared(self, name: Any) -> bool:
        return self.columns[name].declared

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        rng = np.random.default_rng(seed)
        for start in range(0, self.rows, BATCH):
            part = {name: self.columns[name].take(slice(start, start + BATCH)) for name in total.plan.columns}
            total.add(Part(part, min(BATCH, self.rows - start)), rng)
            yield


@dataclass(frozen=True)
class _Typed:
    """Columns whose names and Arrow types are known."""

    schema: Any

    @property
    def names(self) -> list[Any]:
        return list(self.schema.names)

    def kind(self, name: Any) -> Order:
        kind = self.schema.field(name).type
        countable(name, kind)
        return "ordered" if ordered(kind) else "text" if is_text(kind) else "named"


@dataclass(frozen=True)
class Batches(_Typed):
    """Record batches, which ``read`` yields for the columns wanted."""

    read: Callable[[list[str]], Iterator[Any]]
    rows: int | None = None
    again: bool = True

    def declared(self, name: Any) -> bool:
        kind = self.schema.field(name).type
        return bool(pyarrow().types.is_dictionary(kind)) and bool(kind.ordered)

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        rng = np.random.default_rng(seed)
        for batch in self.read(total.plan.columns):
            for start in range(0, batch.num_rows, BATCH):
                total.add(batch.slice(start, BATCH), rng)
                yield


@dataclass(frozen=True)
class Partitions(_Typed):
    """A Dask data frame: every partition is counted where it lies, and the counts are added up in a tree.

    Dask is not imported: partitions are delayed values, whose methods are delayed in turn.
    """

    frame: Any
    rows: int | None = None
    again: bool = True

    def declared(self, name: Any) -> bool:
        return bool(pyarrow().types.is_dictionary(self.schema.field(name).type)) and bool(self.frame[name].cat.known)

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        delayed = self.frame[total.plan.columns].to_delayed()
        for start in range(0, len(delayed), WINDOW):
            window = enumerate(delayed[start : start + WINDOW], start)
            parts = [part.pipe(counted_frame, total.plan, (seed, i)) for i, part in window]
            while len(parts) > 1:
                pairs = zip(parts[::2], parts[1::2], strict=False)
                parts = [a.merged(b) for a, b in pairs] + ([parts[-1]] if len(parts) % 2 else [])
            total.absorb(parts[0].compute())
            yield


def counted_frame(frame: Any, plan: Plan, seed: tuple[int, int]) -> Partial:
    """Return the counts of one partition, a pandas data frame."""
    found = Partial(plan)
    rng = np.random.default_rng(seed)
    for batch in _from_pandas(frame[plan.columns]).to_batches():
        found.add(batch, rng)
    return found


def _from_pandas(frame: Any) -> Any:
    pa = pyarrow()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        rule = "a column of a data frame has one kind of value"
        raise TypeError(complaint(rule, "; ".join(map(str, error.args)), "convert the column first")) from None


def source_of(data: Any) -> Source:
    """Return the source that data is: a path, a Dask, pandas or polars frame, a mapping, a dataset, an Arrow stream.

    Raises
    ------
    TypeError
        If data is none of these.
    """
    if isinstance(data, str | os.PathLike):
        return _of_path(Path(data))
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


def _of_path(path: Path) -> Source:
    """Return the source that a file or a folder of files is; what is neither parquet nor Arrow is CSV."""
    if not path.exists():
        raise FileNotFoundError(complaint("the data must exist", path, "check the path"))
    if path.is_file() and path.suffix.lower() not in FORMATS:
        return Memory({name: held_texts(cells) for name, cells in read_csv(path).items()})
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
