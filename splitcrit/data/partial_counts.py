"""Counts of a part of the rows, which add up: the sufficient statistic, and all of the data that travels.

Main definitions: ``CountingPlan`` (what one pass counts), ``Partial`` (the counts of some rows): ``ValueCounts`` and a
``ColumnSample`` of each column; ``quantile_cuts``, ``counts_between``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import NONE, InMemoryColumn, NaValues, as_column, as_dates, encoded, magnitudes
from splitcrit.data.integers import joined
from splitcrit.data.targets import CLASSES, too_many_classes
from splitcrit.data.texts import iso_dates
from splitcrit.data.value_codes import in_order, union

SAMPLE = 65536  # values in a sample


class ValueCounts:
    """The counts of one column by class; it forgets them when there are more values than its limit."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.over = False
        self.places: dict[Any, int] = {}
        self.declared: tuple[Any, ...] | None = None
        self.counts: Array = np.zeros((0, 0), dtype=np.int64)

    def put(self, names: list[Any], block: Array) -> None:
        """Add counts whose rows are the given names; a name may stand twice, None is missing."""
        seen = np.flatnonzero(block.any(axis=1))
        if len(seen) > self.limit + 1:  # whatever their names
            self.forget()
        if self.over or not len(seen):
            return
        at = np.array([self.places.setdefault(names[i], len(self.places)) for i in seen])
        if self.values > self.limit:
            self.forget()
            return
        rows, classes = self.counts.shape
        self.counts = np.pad(self.counts, ((0, max(0, len(self.places) - rows)), (0, max(0, block.shape[1] - classes))))
        np.add.at(self.counts[:, : block.shape[1]], at, block[seen])

    def forget(self) -> None:
        """Give the column up: it has too many values."""
        self.over, self.places, self.counts = True, {}, self.counts[:0]

    def declare(self, names: tuple[Any, ...]) -> None:
        """Take note of the names of a dictionary, in its order."""
        self.declared = names if self.declared in (None, names) else union(self.declared or (), names)

    @property
    def values(self) -> int:
        """The number of values that some entry has."""
        return len(self.places) - (None in self.places)

    @property
    def missing(self) -> int:
        """How many rows have no value."""
        return int(self.counts[self.places[None]].sum()) if None in self.places else 0

    def names(self) -> tuple[Any, ...]:
        """Return the names in order, None last if entries are missing."""
        present = [name for name in self.places if name is not None]
        names = in_order(present) if self.declared is None else self.declared
        return (*names, None) if None in self.places else names

    def as_dates(self) -> ValueCounts | None:
        """Return the counts of texts by date if all are ISO dates; None if they are not."""
        names = [name for name in self.places if name is not None]
        dated = None if self.over else iso_dates(names)
        if dated is None:
            return None
        found = ValueCounts(self.limit)
        found.put(
            [*dated, None],
            self.counts[self.at((*names, None))] * np.append(np.ones(len(names), int), None in self.places)[:, None],
        )
        return found

    def cuts(self, bins: int) -> Array:
        """Return the cuts between dates that are counted, at quantiles of the rows."""
        names = tuple(name for name in self.places if name is not None)
        return quantile_cuts(np.repeat(np.array(names), self.counts[self.at(names)].sum(axis=1)), bins)

    def at(self, names: tuple[Any, ...]) -> list[int]:
        """Return the rows of names in the counts, -1 for a declared name that no entry has."""
        return [self.places.get(name, -1) for name in names]


class ColumnSample:
    """At most `SAMPLE` of the values present in a column, each as likely as any other: those with the smallest keys."""

    def __init__(self) -> None:
        self.bound = 1.0
        self.keys: Array = np.empty(0)
        self.values: Array = np.empty(0)  # there are up to twice as many until `shrink`

    @property
    def whole(self) -> bool:
        """Whether all values present are in the sample."""
        return self.bound == 1 and len(self.keys) <= SAMPLE

    def draw(self, column: InMemoryColumn, keys: Array, na_values: NaValues = NONE) -> None:
        """Offer the values of a column with random keys between 0 and 1."""
        near = np.flatnonzero(keys < self.bound)
        values, present = magnitudes(column.take(near), na_values)
        self.keep(keys[near][present], values)

    def keep(self, keys: Array, values: Array, bound: float = 1.0) -> None:
        """Take values with their keys, of which those above a bound may be lacking."""
        if len(keys):
            self.values = joined([self.values, values]) if len(self.keys) else values
            self.keys = np.append(self.keys, keys)
        self.bound = min(self.bound, bound)
        if len(self.keys) > 2 * SAMPLE:
            self.shrink()

    def shrink(self) -> ColumnSample:
        """Return the sample, in which none but the smallest keys are left."""
        if len(self.keys) > SAMPLE:
            smallest = np.argpartition(self.keys, SAMPLE)[:SAMPLE]
            self.keys, self.values = self.keys[smallest], self.values[smallest]
            self.bound = min(self.bound, float(self.keys.max()))
        return self


def quantile_cuts(values: Array, bins: int) -> Array:
    """Return the ``ceil(n i/bins)``-th smallest of ``n`` values for ``i = 1, .., bins - 1``, each once.

    Examples
    --------
    >>> quantile_cuts(np.array([5, 1, 4, 2, 3, 6]), 3).tolist()
    [2, 4]
    """
    found, bins = np.sort(values), int(bins)
    return np.unique(found[[-(-len(found) * i // bins) - 1 for i in range(1, bins)]])


def counts_between(cuts: Array, values: Array) -> Array:
    """Count the values up to the first cut, between the cuts, which are sorted, and above the last.

    Sorting the values and searching the cuts among them takes a tenth of a search of every value among many cuts.

    Examples
    --------
    >>> counts_between(np.array([2, 4]), np.array([5, 1, 2, 3])).tolist()
    [2, 1, 1]
    """
    return np.diff(np.searchsorted(np.sort(values), cuts, side="right"), prepend=0, append=len(values))


@dataclass(frozen=True)
class CountingPlan:
    """What one pass counts: columns by value, up to a limit of values, or by the bins between cuts.

    ``texts`` are columns of texts that may turn out to be dates; those that are cut are.
    """

    label: str
    limits: Mapping[str, int] = field(default_factory=dict)
    cuts: Mapping[str, Array] = field(default_factory=dict)
    sampled: tuple[str, ...] = ()
    declared: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    na_values: NaValues = NONE

    @property
    def columns(self) -> list[str]:
        """The columns to read."""
        return [self.label, *self.limits, *self.cuts]


class Partial:
    """The counts of some of the rows; those of all rows are the sum."""

    def __init__(self, plan: CountingPlan) -> None:
        self.plan = plan
        self.rows = self.unlabelled = 0  # rows that are counted, and those that have no label
        self.samples = {name: ColumnSample() for name in plan.sampled}
        self.classes = ValueCounts(CLASSES)
        self.tallies = {name: ValueCounts(plan.limits.get(name, np.inf)) for name in (*plan.limits, *plan.cuts)}

    def add(self, batch: Any, rng: np.random.Generator) -> None:
        """Count the rows of a record batch."""
        if not batch.num_rows:
            return
        label = self._labels(as_column(batch.column(self.plan.label), self.plan.label))
        there = label >= 0
        label = label[there]
        self.unlabelled += len(there) - len(label)
        if not len(label):
            return
        columns = {name: as_column(batch.column(name), name) for name in (*self.plan.limits, *self.plan.cuts)}
        if len(label) < len(there):
            columns = {name: column.take(there) for name, column in columns.items()}
        keys = rng.random(len(label))
        for name in self.plan.limits:
            self._count(name, columns[name], label, keys)
        totals = np.bincount(label, minlength=len(self.classes.places))
        by_class = np.argsort(label.astype(np.uint16), kind="stable") if self.plan.cuts else label
        for name, cuts in self.plan.cuts.items():
            column = as_dates(columns[name]) if name in self.plan.texts else columns[name]
            values, present = magnitudes(column, self.plan.na_values)
            rows, sizes = by_class, totals
            if len(values) < len(label):
                rows = (np.cumsum(present) - 1)[by_class[present[by_class]]]
                sizes = np.bincount(label[present], minlength=len(totals))
            each = [counts_between(cuts, part) for part in np.split(values.take(rows), np.cumsum(sizes)[:-1])]
            self.tallies[name].put([*range(len(cuts) + 1), None], np.vstack([np.transpose(each), totals - sizes]))
        self.rows += len(label)

    def _count(self, name: str, column: InMemoryColumn, label: Array, keys: Array) -> None:
        """Count a column by value, and draw a sample of it if it may have to be cut."""
        tally, k = self.tallies[name], len(self.classes.places)
        if name in self.plan.declared:
            tally.declare(column.names)
        if not tally.over:
            names, codes = encoded(column, self.plan.na_values)
            tally.put(names, np.bincount(codes * k + label, minlength=len(names) * k).reshape(len(names), k))
        if name in self.samples:
            self.samples[name].draw(column, keys, self.plan.na_values)

    def merged(self, other: Partial) -> Partial:
        """Return the counts of the rows of both."""
        total = Partial(self.plan)
        for part in (self, other):
            total.absorb(part)
        return total

    def absorb(self, other: Partial) -> None:
        """Add the counts of other rows."""
        names = list(other.classes.places)
        at = self._classified(names, other.classes.counts[: len(names)], other.classes.declared)
        for name, theirs in other.tallies.items():
            mine = self.tallies[name]
            if theirs.declared is not None:
                mine.declare(theirs.declared)
            held = theirs.counts[: len(theirs.places)]
            block = np.zeros((len(held), len(self.classes.places)), dtype=np.int64)
            block[:, at[: held.shape[1]]] = held
            mine.put(list(theirs.places), block)
            if theirs.over:
                mine.forget()
        for name, sample in self.samples.items():
            sample.keep(other.samples[name].keys, other.samples[name].values, other.samples[name].bound)
        self.rows += other.rows
        self.unlabelled += other.unlabelled

    def _labels(self, column: InMemoryColumn) -> Array:
        """Return the places of a batch's classes, -1 of rows without one."""
        names, codes = encoded(column, self.plan.na_values)
        there = np.array([name is not None for name in names])
        totals = np.bincount(codes, minlength=len(names))[:, None] * there[:, None]
        declared = column.names if self.plan.label in self.plan.declared else None
        return np.where(there, self._classified(names, totals, declared), -1)[codes]

    def _classified(self, names: list[Any], totals: Array, listed: tuple[Any, ...] | None) -> Array:
        """Note classes and how many rows have each; return their places, 0 for those no row has."""
        if listed is not None:
            self.classes.declare(listed)
        self.classes.put(names, totals)
        if self.classes.over:
            raise too_many_classes(self.plan.label, names)
        return np.array([self.classes.places.get(name, 0) for name in names], dtype=np.int64)
