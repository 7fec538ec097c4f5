"""Columns from memory, from Arrow batches and from Dask partitions, counted part by part.

Main definitions: ``Memory``, ``Batches``, ``Partitions``; ``Source``, any of the three.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from splitcrit.table.arrow import countable, is_text, ordered, pyarrow
from splitcrit.table.held import Held, Order
from splitcrit.table.partial import Partial, Plan
from splitcrit.values import complaint

BATCH = 2**17  # rows at a time
WINDOW = 32  # partitions of a Dask collection at a time


class Part(NamedTuple):
    """Some rows of columns in memory, which answer like a record batch."""

    columns: dict[Any, Held]
    num_rows: int

    def column(self, name: Any) -> Held:
        """Return one of the columns."""
        return self.columns[name]

    def slice(self, start: int, length: int | None = None) -> Part:
        """Return some of the rows, up to the last if it is not said how many."""
        rows = range(self.num_rows)[start:][:length]
        return Part({name: held.take(slice(rows.start, rows.stop)) for name, held in self.columns.items()}, len(rows))


@dataclass(frozen=True)
class Memory:
    """Columns in memory; ``again`` tells of any source whether it can be read a second time."""

    columns: dict[Any, Held]
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

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        """Add the counts of all rows to a partial, and pause after every part."""
        rng = np.random.default_rng(seed)
        whole = Part({name: self.columns[name] for name in total.plan.columns}, self.rows)
        for start in range(0, self.rows, BATCH):
            total.add(whole.slice(start, BATCH), rng)
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


Source = Memory | Batches | Partitions


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
