"""Columns from memory, from Arrow batches, from files and from Dask partitions, counted part by part.

Main definitions: ``Memory``, ``Batches``, ``TypedReader`` and ``CsvReader`` (files whose types are declared, or are found
in their texts), ``PartitionReader``; ``Source``, any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from splitcrit.files.arrow_columns import countable, has_order, is_text, pyarrow
from splitcrit.files.arrow_files import Piece
from splitcrit.files.in_memory import InMemoryColumn, Order
from splitcrit.files.partial_counts import CountingPlan, Partial
from splitcrit.frozen import complaint

BATCH = 2**17  # rows at a time
WINDOW = 32  # partitions of a Dask collection at a time


class RowPart(NamedTuple):
    """Some rows of columns in memory, which answer like a record batch."""

    columns: dict[Any, InMemoryColumn]
    num_rows: int

    def column(self, name: Any) -> InMemoryColumn:
        """Return one of the columns."""
        return self.columns[name]

    def slice(self, start: int, length: int | None = None) -> RowPart:
        """Return some of the rows, up to the last if it is not said how many."""
        rows = range(self.num_rows)[start:][:length]
        return RowPart(
            {name: held.take(slice(rows.start, rows.stop)) for name, held in self.columns.items()}, len(rows)
        )


@dataclass(frozen=True)
class Memory:
    """Columns in memory; ``again`` tells of any source whether it can be read a second time."""

    columns: dict[Any, InMemoryColumn]
    again: bool = True

    @property
    def names(self) -> list[Any]:
        """The names of the columns."""
        return list(self.columns)

    @property
    def rows(self) -> int:
        """The number of rows; None of other sources where it is not known before they are read."""
        return len(next(iter(self.columns.values()), ()))

    def kind(self, name: Any) -> Order:
        """Return whether the values of a column have an order, are texts, or are other names."""
        return self.columns[name].kind

    def declared(self, name: Any) -> bool:
        """Return whether the categories of a column stand in a declared order."""
        return self.columns[name].declared

    def read(self, columns: list[Any]) -> Iterator[Any]:
        """Yield the rows of some columns, in batches or all at once."""
        yield RowPart({name: self.columns[name] for name in columns}, self.rows)

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        """Add the counts of all rows to a partial, and pause after every part."""
        yield from counted_batches(self.read(total.plan.columns), total, seed)


@dataclass(frozen=True)
class _Schema:
    """Columns whose names and Arrow types are known."""

    schema: Any

    @property
    def names(self) -> list[Any]:
        return list(self.schema.names)

    def kind(self, name: Any) -> Order:
        kind = self.schema.field(name).type
        countable(name, kind)
        return "ordered" if has_order(kind) else "text" if is_text(kind) else "named"

    def declared(self, name: Any) -> bool:
        kind = self.schema.field(name).type
        return bool(pyarrow().types.is_dictionary(kind)) and bool(kind.ordered)


@dataclass(frozen=True)
class Batches(_Schema):
    """Record batches, which ``read`` yields for the columns wanted."""

    read: Callable[[list[str]], Iterator[Any]]
    rows: int | None = None
    again: bool = True

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        yield from counted_batches(self.read(total.plan.columns), total, seed)


class _Pieces:
    """Rows of files, in pieces that are read on their own, one after the other."""

    pieces: Sequence[Piece]

    def read(self, columns: list[Any]) -> Iterator[Any]:
        return (batch for piece in self.pieces for batch in piece.read(columns))

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        yield from counted_batches(self.read(total.plan.columns), total, seed)


@dataclass(frozen=True)
class TypedReader(_Pieces, _Schema):
    """Parquet or Arrow files of one schema."""

    pieces: Sequence[Piece]
    rows: int | None = None
    again: bool = True


@dataclass(frozen=True)
class CsvReader(_Pieces):
    """CSV files whose columns are of known kinds."""

    kinds: Mapping[str, Order]
    pieces: Sequence[Piece]
    rows: int | None = None
    again: bool = True

    @property
    def names(self) -> list[Any]:
        return list(self.kinds)

    def kind(self, name: Any) -> Order:
        return self.kinds[name]

    def declared(self, name: Any) -> bool:
        return False


def counted_batches(batches: Iterable[Any], total: Partial, seed: int) -> Iterator[None]:
    """Add the counts of batches to those of the rows before them, and pause after every part.

    The key of a row in the sample depends on the seed and on its place among all rows alone.
    """
    rng: Any = np.random.default_rng(seed)
    if total.rows:
        rng.bit_generator.advance(total.rows)
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH):
            total.add(batch.slice(start, BATCH), rng)
            yield


@dataclass(frozen=True)
class PartitionReader(_Schema):
    """A Dask data frame: every partition is counted where it lies, and the counts are added up in a tree.

    Dask is not imported: partitions are delayed values, whose methods are delayed in turn.
    """

    frame: Any
    rows: int | None = None
    again: bool = True

    def declared(self, name: Any) -> bool:
        return bool(pyarrow().types.is_dictionary(self.schema.field(name).type)) and bool(self.frame[name].cat.known)

    def read(self, columns: list[Any]) -> Iterator[Any]:
        for part in self.frame[columns].to_delayed():
            yield from _from_pandas(part.compute()).to_batches()

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


Source = Memory | Batches | TypedReader | CsvReader | PartitionReader


def counted_frame(frame: Any, plan: CountingPlan, seed: tuple[int, int]) -> Partial:
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
