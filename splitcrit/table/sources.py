"""Where columns come from when they are read in parts: Arrow streams, datasets, data frames, Dask partitions.

Main definitions: ``Source`` (what every one of them can do), ``Batches``, ``Partitions``, ``source_of``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from splitcrit.table.arrow import pyarrow
from splitcrit.table.files import read_files, schema_of_files
from splitcrit.table.partial import Partial, Plan
from splitcrit.values import complaint

BATCH = 2**17  # rows at a time
WINDOW = 32  # partitions of a Dask collection at a time


class Source(Protocol):
    """Columns with a schema, from which partial counts come part by part."""

    @property
    def schema(self) -> Any:
        """The names and Arrow types of the columns."""

    @property
    def rows(self) -> int | None:
        """The number of rows, where it is known before they are read."""

    @property
    def again(self) -> bool:
        """Whether the columns can be read a second time."""

    def declared(self, name: str) -> bool:
        """Return whether the categories of a column stand in a declared order."""

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        """Add the counts of all rows to a partial, and pause after every part."""


@dataclass(frozen=True)
class Batches:
    """Record batches, which ``read`` yields for the columns wanted."""

    schema: Any
    read: Callable[[list[str]], Iterator[Any]]
    rows: int | None = None
    again: bool = True
    framed: bool = False

    def declared(self, name: str) -> bool:
        kind = self.schema.field(name).type
        return bool(pyarrow().types.is_dictionary(kind)) and (self.framed or kind.ordered)

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        rng = np.random.default_rng(seed)
        for batch in self.read(total.plan.columns):
            for start in range(0, batch.num_rows, BATCH):
                total.add(batch.slice(start, BATCH), rng)
                yield


@dataclass(frozen=True)
class Partitions:
    """A Dask data frame: every partition is counted where it lies, and the counts are added up in a tree.

    Dask is not imported: partitions are delayed values, whose methods are delayed in turn.
    """

    schema: Any
    frame: Any
    rows: int | None = None
    again: bool = True

    def declared(self, name: str) -> bool:
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
    """Return the source that data is: a path, a pyarrow dataset, a Dask or pandas frame, or an Arrow stream.

    Raises
    ------
    TypeError
        If data is none of these.
    """
    if isinstance(data, str | os.PathLike):
        files = schema_of_files(data)
        return Batches(files.schema, lambda columns: read_files(files, columns, BATCH), files.rows)
    if hasattr(data, "to_delayed") and hasattr(data, "dtypes"):
        return Partitions(pyarrow().Schema.from_pandas(data._meta, preserve_index=False), data)
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        held = _from_pandas(data)
        return replace(_stream(held), framed=True)
    if hasattr(data, "get_fragments") and hasattr(data, "scanner"):
        return Batches(data.schema, lambda columns: _scanned(data, columns), data.count_rows())
    if hasattr(data, "__arrow_c_stream__"):
        return _stream(data)
    rule = "columns come from a parquet folder, an Arrow stream or a data frame"
    raise TypeError(complaint(rule, type(data).__name__, "pass a path, or data with __arrow_c_stream__"))


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
