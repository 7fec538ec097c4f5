"""Counts of a part of the rows, which add up: the sufficient statistic, and all of the data that travels.

Numbers and dates stand in order, in arrays; where more than ``CELLS`` of them differ, neighbours are counted as one, by
a rule in which only the set of the values has a part: no label, no order of rows, and no division into parts.

Main definitions: ``CountingPlan`` (what is counted), ``Partial`` (the counts of some rows), ``ValueCounts`` (of one
column); ``cells_of``, ``most_cells``, ``quantiles``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from splitcrit.arguments import Array, as_float
from splitcrit.data.columns import NONE, NaValues, as_column, listed
from splitcrit.data.targets import CLASSES, too_many_classes
from splitcrit.data.values import dates, in_order, joined, union

CELLS = 65536  # of one column at most
ENTRIES = 2**22  # counts of one column at most: fewer cells of more than 64 classes
APART = -1  # the level at which all values are kept apart


def most_cells(classes: int) -> int:
    """How many cells a column has at most, by the number of classes."""
    return min(CELLS, ENTRIES // max(classes, 1))


def cells_of(values: Array, most: float, level: int = APART) -> tuple[Array, int]:
    """The place of the last value in each cell, and the level of the cells.

    The float64 nearest to a value is one of the integers that are in the same order as the floats; those which agree in
    all but their ``level`` lowest bits are a cell. The level is the least, from the given one on, with at most ``most``
    cells that have a value. Cells of a level are unions of those of the level below, so that cells of parts of the
    values, brought to the coarser level, are those of the whole.

    Parameters
    ----------
    values
        Numbers or dates in ascending order.
    most
        At least two.

    Examples
    --------
    >>> cells_of(np.array([1.0, 1.5, 2.0, 2.0]), 3)
    (array([0, 1, 3]), -1)
    >>> cells_of(np.array([1.0, 1.5, 2.0, 2.0]), 2)
    (array([1, 3]), 52)
    """
    differ: Array = values[1:] != values[:-1]
    if level > APART or np.count_nonzero(differ) >= most:
        keys = _ordered_bits(values)
        bits = (keys[1:] ^ keys[:-1]).view(np.uint64)  # below 2^level where neighbours are in one cell
        fits = (bool(np.count_nonzero(bits >> np.uint64(at)) < most) for at in range(max(level, 0), 64))
        level = max(level, 0) + next(at for at, few in enumerate(fits) if few)
        differ = bits >> np.uint64(level) > 0
    return np.flatnonzero(np.append(differ, True)[: len(values)]), level


def _ordered_bits(values: Array) -> Array:
    """The float64 nearest to each value, of dates in microseconds, as an integer, in the order of the floats."""
    if values.dtype.kind in "Mm":
        whole = values.astype(f"{values.dtype.kind}8[us]")
        values = whole.astype(np.int64) + (values - whole) / np.timedelta64(1, "us")
    elif values.dtype.kind == "O":
        values = np.array([as_float(x) for x in values.tolist()])
    bits = (values.astype(np.float64) + 0.0).view(np.int64)  # -0 is 0
    return bits ^ ((bits >> 63) & np.int64(2**63 - 1))


def quantiles(sizes: Array, bins: int) -> Array:
    """The places of the ``ceil(n i/bins)``-th smallest of ``n`` rows for ``i = 1, .., bins - 1``, each once,
    among values in ascending order that have so many rows.

    Examples
    --------
    >>> quantiles(np.array([1, 1, 3, 1]), 3).tolist()
    [1, 2]
    """
    ends = np.cumsum(sizes)
    return np.unique(np.searchsorted(ends, [-(-int(ends[-1]) * i // bins) for i in range(1, bins)]))


class ValueCounts:
    """The counts of one column by value and class.

    ``values (r,)`` are distinct: in ascending order if they are ``in_order``, each then the largest of a cell of a
    ``level``, else as they came. ``counts (r, K)`` are the rows with each, ``gaps (K,)`` those without a value; all
    classes that have come have a column. Beyond the limit a column is counted ``in_cells``, or is forgotten.
    """

    def __init__(self, limit: float, in_order: bool = False, in_cells: bool = False) -> None:
        self.limit, self.in_order, self.in_cells = limit, in_order, in_cells
        self.over, self.level = False, APART
        self.values: Array = np.empty(0, dtype=object)
        self.counts: Array = np.zeros((0, 0), dtype=np.int64)
        self.gaps: Array = np.zeros(0, dtype=np.int64)
        self.declared: tuple[Any, ...] | None = None

    def add(self, values: Array, codes: Array, classes: Array, number: int) -> None:
        """Add rows: distinct values, the place of each row's value, -1 of none, and its class of a number of them."""
        if len(values) > self.limit and not self.in_cells:  # before they are counted
            self.forget()
        if self.over:
            return
        ends, level = self._cells(values, self.level, number) if self.in_order else (np.arange(len(values)), APART)
        cells = np.append(np.repeat(np.arange(len(ends)), np.diff(ends, prepend=-1)), len(ends))[codes]
        block = np.bincount(cells * number + classes, minlength=(len(ends) + 1) * number).reshape(-1, number)
        self.put(values[ends], block[:-1], block[-1], level)

    def put(self, values: Array, block: Array, gaps: Array, level: int = APART) -> None:
        """Add counts whose rows are values, or the largest of cells of a level."""
        number = max(len(gaps), len(self.gaps))
        self.counts, self.gaps = wide(self.counts, number), wide(self.gaps, number) + wide(gaps, number)
        if self.over or not len(values):
            return
        counts = wide(block, number)
        if len(self.values):
            counts, values = np.vstack([self.counts, counts]), joined([self.values, values])
        places: dict[Any, int] = {}
        keys = values if self.in_order else np.array([places.setdefault(x, len(places)) for x in values.tolist()])
        order = np.argsort(keys, kind="stable")
        ends, self.level = self._cells(keys[order], max(level, self.level), number)
        self.values, self.counts = values[order[ends]], np.add.reduceat(counts[order], np.append(0, ends[:-1] + 1))
        if len(ends) > self.limit and not self.in_cells:
            self.forget()

    def _cells(self, values: Array, level: int, classes: int) -> tuple[Array, int]:
        return cells_of(values, most_cells(classes) if self.in_cells else math.inf, level)

    def forget(self) -> None:
        """Give the column up: it has too many values."""
        self.over, self.values, self.counts = True, self.values[:0], self.counts[:0]

    def declare(self, names: tuple[Any, ...]) -> None:
        """Take note of the names of a dictionary, in its order."""
        self.declared = names if self.declared in (None, names) else union(self.declared or (), names)

    @property
    def missing(self) -> int:
        """How many rows have no value."""
        return int(self.gaps.sum())

    def named(self) -> tuple[tuple[Any, ...], list[int]]:
        """Names in order, declared ones too, and the row of each, -1 of a declared name that no row has."""
        places = {name: place for place, name in enumerate(self.values.tolist())}
        names = in_order(places) if self.declared is None else self.declared
        return names, [places.get(name, -1) for name in names]

    def as_dates(self) -> ValueCounts | None:
        """The counts of texts by date if all are ISO dates; None if they are not."""
        dated = None if self.over or not len(self.values) else dates(self.values.tolist())
        if dated is None:
            return None
        counts = ValueCounts(np.inf, in_order=True)
        counts.put(dated, self.counts, self.gaps)
        return counts

    def cut(self, bins: int) -> tuple[Array, Array]:
        """The cuts at quantiles of the rows, and the counts between them."""
        places = quantiles(self.counts.sum(axis=1), bins)
        starts = np.append(0, places + 1)
        return self.values[places], np.add.reduceat(self.counts, starts[starts < len(self.values)])


def wide(counts: Array, number: int) -> Array:
    """Counts with columns of zeros for classes that have come since."""
    absent = np.zeros((*counts.shape[:-1], number - counts.shape[-1]), dtype=np.int64)
    return np.concatenate([counts, absent], axis=-1) if absent.shape[-1] else counts


@dataclass(frozen=True)
class CountingPlan:
    """What is counted: columns by value, up to a limit of values.

    Those of numbers or dates are ``in_order``, of which some are counted ``in_cells`` beyond the limit; ``declared``
    are categories in a declared order.
    """

    label: str
    limits: Mapping[str, int] = field(default_factory=dict)
    in_order: frozenset[str] = frozenset()
    in_cells: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    na_values: NaValues = NONE

    @property
    def columns(self) -> list[str]:
        """The columns to read."""
        return [self.label, *self.limits]


class Partial:
    """The counts of some of the rows; those of all rows are the sum."""

    def __init__(self, plan: CountingPlan) -> None:
        self.plan = plan
        self.rows = self.unlabelled = 0  # rows that are counted, and those that have no label
        self.classes = ValueCounts(CLASSES)
        self.tallies = {
            name: ValueCounts(limit, name in plan.in_order, name in plan.in_cells)
            for name, limit in plan.limits.items()
        }

    def add(self, batch: Any) -> None:
        """Count the rows of a record batch."""
        if not batch.num_rows:
            return
        label = as_column(batch.column(self.plan.label), self.plan.label)
        names, codes = label.coded(self.plan.na_values)
        there = codes >= 0
        self.unlabelled += int((~there).sum())
        if not there.any():
            return
        totals = np.bincount(codes[there], minlength=len(names))
        declared = label.names if self.plan.label in self.plan.declared else None
        classes = self._classified(listed(names), totals, declared)[codes[there]]
        for name, tally in self.tallies.items():
            column = as_column(batch.column(name), name)
            if name in self.plan.declared:
                tally.declare(column.names)
            if not tally.over:
                values, codes = (column if there.all() else column.take(there)).coded(self.plan.na_values)
                keys = values if tally.in_order else as_names(values)
                tally.add(keys, codes, classes, len(self.classes.values))
        self.rows += len(classes)

    def merged(self, other: Partial) -> Partial:
        """The counts of the rows of both."""
        total = Partial(self.plan)
        for part in (self, other):
            total.absorb(part)
        return total

    def absorb(self, other: Partial) -> None:
        """Add the counts of other rows."""
        self.rows += other.rows
        self.unlabelled += other.unlabelled
        if not other.rows:
            return
        at = self._classified(other.classes.values.tolist(), other.classes.counts[:, 0], other.classes.declared)
        theirs_of = np.full(len(self.classes.values), -1)  # their place of each class of ours; the last is one of zeros
        theirs_of[at] = np.arange(len(at))
        for name, theirs in other.tallies.items():
            if theirs.declared is not None:
                self.tallies[name].declare(theirs.declared)
            block, gaps = (wide(counts, len(at) + 1)[..., theirs_of] for counts in (theirs.counts, theirs.gaps))
            self.tallies[name].put(theirs.values, block, gaps, theirs.level)
            if theirs.over:
                self.tallies[name].forget()

    def _classified(self, names: Sequence[Any], totals: Array, declared: tuple[Any, ...] | None) -> Array:
        """Note classes and how many rows have each; return their places."""
        if declared is not None:
            self.classes.declare(declared)
        self.classes.put(as_names(names), totals[:, None], np.zeros(1, dtype=np.int64))
        if self.classes.over:
            raise too_many_classes(self.plan.label, names)
        places = {name: place for place, name in enumerate(self.classes.values.tolist())}
        return np.array([places[name] for name in names], dtype=np.intp)


def as_names(values: Iterable[Any]) -> Array:
    """Values as objects: Python's numbers and texts, numpy's dates."""
    names = listed(values) if isinstance(values, np.ndarray) else tuple(values)
    return np.fromiter(names, dtype=object, count=len(names))
