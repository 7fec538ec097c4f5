"""Columns from memory, from Arrow batches, from files and from Dask partitions, counted part by part.

Main definitions: ``ColumnSource`` (columns wherever they are), and its makers ``in_memory``, ``typed`` (whose Arrow
types are known), ``from_csv``, ``from_dask``; ``RowPart``; ``counted_batches``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from splitcrit.data.arrow_files import Piece
from splitcrit.data.columns import InMemoryColumn, Kind, kind_of, pyarrow
from splitcrit.data.formats import ChosenFormat
from splitcrit.data.partial_counts import CountingPlan, Partial
from splitcrit.frozen import complaint

BATCH = 2**17  # rows at a time
WINDOW = 32  # partitions of a Dask collection at a time


class RowPart(NamedTuple):
    """Some rows of columns, in memory or in Arrow, which answer like a record batch."""

    columns: Mapping[Any, Any]
    num_rows: int

    def column(self, name: Any) -> Any:
        """Return one of the columns."""
        return self.columns[name]

    def slice(self, start: int, length: int | None = None) -> RowPart:
        """Return some of the rows, up to the last if it is not said how many."""
        rows = len(range(self.num_rows)[start:][:length])
        return RowPart({name: column.slice(start, rows) for name, column in self.columns.items()}, rows)


@dataclass(frozen=True)
class ColumnSource:
    """Columns wherever they are, whose rows are counted part by part.

    Parameters
    ----------
    names
        The columns.
    kind
        What a column is.
    declared
        Whether the categories of a column stand in a declared order.
    read
        Yields the rows of the columns wanted, in batches or all at once.
    rows
        The number of rows; None if it is not known before they are read.
    again
        Whether they can be read a second time.
    columns
        All columns, if they are in memory.
    pieces
        The parts of files, which are read on their own, one after the other.
    frame
        A Dask data frame, whose partitions are counted where they lie.
    undecided
        Whether a column is one of typed texts, of which not all have been seen.
    notes
        The marks of missing values in columns of files, and what was guessed about them.
    remarks
        What was guessed about files.
    """

    names: Sequence[Any]
    kind: Callable[[Any], Kind]
    declared: Callable[[Any], bool]
    read: Callable[[list[Any]], Iterator[Any]]
    rows: int | None = None
    again: bool = True
    columns: Mapping[Any, InMemoryColumn] = field(default_factory=dict)
    pieces: Sequence[Piece] = ()
    frame: Any = None
    undecided: Callable[[Any], bool] = lambda name: False
    notes: Mapping[Any, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        """Add the counts of all rows to a partial, and pause after every part."""
        if self.frame is not None:
            return _counted_partitions(self.frame, total, seed)
        return counted_batches(self.read(total.plan.columns), total, seed)


def in_memory(columns: Mapping[Any, InMemoryColumn]) -> ColumnSource:
    """Return columns in memory as a source."""
    rows = len(next(iter(columns.values()), ()))
    return ColumnSource(
        list(columns),
        lambda name: columns[name].kind,
        lambda name: columns[name].declared,
        lambda names: iter([RowPart({name: columns[name] for name in names}, rows)]),
        rows,
        columns=columns,
        notes={name: (column.marks, column.note) for name, column in columns.items()},
    )


def typed(schema: Any, read: Callable[[list[Any]], Iterator[Any]], rows: int | None, **more: Any) -> ColumnSource:
    """Return columns whose Arrow types are known as a source."""

    def declared(name: Any) -> bool:
        type_ = schema.field(name).type
        return bool(pyarrow().types.is_dictionary(type_)) and bool(type_.ordered)

    def undecided(name: Any) -> bool:
        types, type_ = pyarrow().types, schema.field(name).type
        return any(test(type_) for test in (types.is_string, types.is_large_string, types.is_string_view))

    given = {"declared": declared, "undecided": undecided, **more}
    return ColumnSource(
        list(schema.names), lambda name: kind_of(name, schema.field(name).type), read=read, rows=rows, **given
    )


def piecewise(pieces: Sequence[Piece], columns: list[Any]) -> Iterator[Any]:
    """Yield the rows of some columns of files."""
    return (batch for piece in pieces for batch in piece.read(columns))


def from_csv(
    formats: Mapping[str, ChosenFormat], pieces: Sequence[Piece], rows: int, remarks: tuple[str, ...]
) -> ColumnSource:
    """Return CSV files whose formats are known as a source."""
    notes = {name: (chosen.marks, chosen.note) for name, chosen in formats.items()}
    return ColumnSource(
        list(formats), lambda name: formats[name].kind, lambda name: False, partial(piecewise, pieces), rows,
        pieces=pieces, notes=notes, remarks=remarks,
    )  # fmt: skip


def from_dask(frame: Any) -> ColumnSource:
    """Return a Dask data frame as a source: its partitions are counted where they lie, the counts added up in a tree.

    Dask is not imported: partitions are delayed values, whose methods are delayed in turn.
    """
    schema = pyarrow().Schema.from_pandas(frame._meta, preserve_index=False)

    def declared(name: Any) -> bool:
        return bool(pyarrow().types.is_dictionary(schema.field(name).type)) and bool(frame[name].cat.known)

    def read(columns: list[Any]) -> Iterator[Any]:
        for part in frame[columns].to_delayed():
            yield from _from_pandas(part.compute()).to_batches()

    return typed(schema, read, None, declared=declared, frame=frame)


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


def _counted_partitions(frame: Any, total: Partial, seed: int) -> Iterator[None]:
    delayed = frame[total.plan.columns].to_delayed()
    for start in range(0, len(delayed), WINDOW):
        window = enumerate(delayed[start : start + WINDOW], start)
        parts = [part.pipe(counted_frame, total.plan, (seed, i)) for i, part in window]
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=False)
            parts = [a.merged(b) for a, b in pairs] + ([parts[-1]] if len(parts) % 2 else [])
        total.absorb(parts[0].compute())
        yield


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
