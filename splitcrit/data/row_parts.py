"""Columns from memory, from Arrow batches, from files and from Dask partitions, counted part by part.

Main definitions: ``ColumnSource`` (columns wherever they are), and its makers ``in_memory``, ``typed`` (whose Arrow
types are known), ``from_dask``; ``RowPart``; ``counted_batches``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

from splitcrit.data.arrow_files import Piece
from splitcrit.data.columns import InMemoryColumn, Kind, kind_of, pyarrow
from splitcrit.data.partial_counts import CountingPlan, Partial
from splitcrit.frozen import complaint

BATCH = 2**17  # rows at a time
WINDOW = 32  # partitions of a Dask collection at a time


class RowPart(NamedTuple):
    """Some rows of columns, in memory or in Arrow, like a record batch; each is looked at when it is asked for."""

    columns: Mapping[Any, Any]
    num_rows: int
    start: int = 0

    def column(self, name: Any) -> Any:
        """Return these rows of one of the columns."""
        return self.columns[name].slice(self.start, self.num_rows)

    def slice(self, start: int, length: int) -> RowPart:
        """Return some of the rows."""
        return self._replace(start=self.start + start, num_rows=min(length, self.num_rows - start))


@dataclass(frozen=True)
class ColumnSource:
    """Columns wherever they are, whose rows are counted part by part.

    Parameters
    ----------
    kinds
        What each column is; of texts that are read in parts, ``undecided`` ones may be dates.
    pieces
        Their rows, which are read one after the other.
    rows
        The number of rows; None if it is not known before they are read.
    declared
        Columns whose categories, seen or not, stand in a declared order.
    undecided
        Columns of typed texts that are read in parts.
    again
        Whether they can be read a second time.
    columns
        All columns, if they are in memory.
    frame
        A Dask data frame, whose partitions are counted where they lie.
    notes
        The marks of missing values in columns of files, and what was guessed about them.
    remarks
        What was guessed about files, and what was left out.
    """

    kinds: Mapping[Any, Kind]
    pieces: Sequence[Piece]
    rows: int | None = None
    declared: frozenset[Any] = frozenset()
    undecided: frozenset[Any] = frozenset()
    again: bool = True
    columns: Mapping[Any, InMemoryColumn] = field(default_factory=dict)
    frame: Any = None
    notes: Mapping[Any, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def read(self, columns: list[Any]) -> Iterator[Any]:
        """Yield the rows of some columns in batches."""
        return (batch for piece in self.pieces for batch in piece.read(columns))


def in_memory(columns: Mapping[Any, InMemoryColumn], remarks: tuple[str, ...] = ()) -> ColumnSource:
    """Return columns in memory as a source."""
    each = [(name, column.kind, column.declared, column.marks, column.note) for name, column in columns.items()]
    rows = len(next(iter(columns.values()), ()))
    return ColumnSource(
        {name: kind for name, kind, *_ in each},
        [Piece(lambda _: iter([RowPart(columns, rows)]))],
        rows,
        frozenset(name for name, _, declared, *_ in each if declared),
        columns=columns,
        notes={name: (marks, note) for name, _, _, marks, note in each},
        remarks=remarks,
    )


def typed(schema: Any, pieces: Sequence[Piece], rows: int | None, **more: Any) -> ColumnSource:
    """Return columns whose Arrow types are known as a source."""
    types = pyarrow().types
    kinds = {each.name: kind_of(each.name, each.type) for each in schema}
    if twice := next((name for name in kinds if schema.names.count(name) > 1), None):
        raise ValueError(complaint("column names must differ", f"{twice!r} twice", "rename one column"))
    declared = frozenset(name for name, kind in kinds.items() if kind == "ordered")
    named = {each.name for each in schema if types.is_dictionary(each.type)}
    undecided = frozenset(name for name, kind in kinds.items() if kind == "category" and name not in named)
    return ColumnSource(kinds, pieces, rows, **{"declared": declared, "undecided": undecided, **more})


def from_dask(frame: Any) -> ColumnSource:
    """Return a Dask data frame as a source: its partitions are counted, and the counts added up, where they lie.

    Dask is not imported: partitions are delayed values, whose methods are delayed in turn.
    """
    schema = pyarrow().Schema.from_pandas(frame._meta, preserve_index=False)
    declared = frozenset(
        each.name for each in schema if pyarrow().types.is_dictionary(each.type) and frame[each.name].cat.known
    )

    def read(columns: list[Any]) -> Iterator[Any]:
        for part in frame[columns].to_delayed():
            yield from _from_pandas(part.compute()).to_batches()

    return typed(schema, [Piece(read)], None, declared=declared, frame=frame)


def counted_batches(batches: Iterable[Any], total: Partial) -> Iterator[None]:
    """Add the counts of batches to those of the rows before them, and pause after every part."""
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH):
            total.add(batch.slice(start, BATCH))
            yield


def counted_partitions(frame: Any, total: Partial) -> Iterator[None]:
    delayed = frame[total.plan.columns].to_delayed()
    for start in range(0, len(delayed), WINDOW):
        parts = [part.pipe(counted_frame, total.plan) for part in delayed[start : start + WINDOW]]
        total.absorb(reduce(lambda before, part: before.merged(part), parts).compute())
        yield


def counted_frame(frame: Any, plan: CountingPlan) -> Partial:
    """Return the counts of one partition, a pandas data frame."""
    found = Partial(plan)
    for _ in counted_batches(_from_pandas(frame[plan.columns]).to_batches(), found):
        pass
    return found


def _from_pandas(frame: Any) -> Any:
    pa = pyarrow()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        rule = "a column of a data frame has one kind of value"
        raise TypeError(complaint(rule, "; ".join(map(str, error.args)), "convert the column first")) from None
