"""Counts of a part of the rows, which add up: the sufficient statistic, and all of the data that travels.

Main definitions: ``CountingPlan`` (what one pass counts), ``Partial`` (the counts of some rows): ``ValueCounts`` and a
``ColumnSample`` of each column; ``quantile_cuts``, ``counts_between``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.arrow_columns import NONE, NaValues, as_column, encoded, magnitudes, of_texts
from splitcrit.data.integers import joined
from splitcrit.data.texts import ORDERED, REMEDY, MeasuredTarget, Texts, are_numbers, stripped
from splitcrit.data.value_codes import in_order, union
from splitcrit.frozen import complaint

SAMPLE = 65536  # values in a sample
CLASSES = 1000  # a column with more values is no class
FEW = 2048  # rows: more than the values that a column to be cut may have


class ValueCounts:
    """The counts of one column by class; it forgets them when there are more values than its limit."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.over = False
        self.places: dict[Any, int] = {}
        self.declared: tuple[Any, ...] | None = None
        self.counts: Array = np.zeros((0, 0), dtype=np.int64)
        self.last: tuple[list[Any], Array] = [], np.zeros(0, dtype=np.intp)  # names, and their places, -1 of new ones

    def put(self, names: list[Any], block: Array) -> None:
        """Add counts whose rows are the given names; a name may stand twice, None is missing."""
        seen = np.flatnonzero(block.any(axis=1))
        if self.over or not len(seen):
            return
        if names is not self.last[0]:  # the bins of a column that is cut come with every part
            self.last = names, np.full(len(names), -1)
        at = self.last[1][seen]
        if at.min() < 0:
            at = np.array([self.places.setdefault(names[i], len(self.places)) for i in seen])
            self.last[1][seen] = at
            if self.values > self.limit:
                self.forget()
                return
        self._reserve(len(self.places), block.shape[1])
        np.add.at(self.counts[:, : block.shape[1]], at, block[seen])

    def forget(self) -> None:
        """Give the column up: it has too many values."""
        self.over, self.places, self.counts, self.last = True, {}, self.counts[:0], ([], self.last[1][:0])

    def declare(self, names: tuple[Any, ...]) -> None:
        """Take note of the names of a dictionary, in its order."""
        self.declared = names if self.declared in (None, names) else union(self.declared or (), names)

    def _reserve(self, r: int, k: int) -> None:
        rows, classes = self.counts.shape
        if r > rows or k > classes:
            grown = np.zeros((max(rows, 2 * r if r > rows else r), max(k, classes)), dtype=np.int64)
            grown[:rows, :classes] = self.counts
            self.counts = grown

    @property
    def values(self) -> int:
        """The number of values that some entry has."""
        return len(self.places) - (None in self.places)

    def names(self) -> tuple[Any, ...]:
        """Return the names in order, None last if entries are missing."""
        present = [name for name in self.places if name is not None]
        names = in_order(present) if self.declared is None else self.declared
        return (*names, None) if None in self.places else names

    def at(self, names: tuple[Any, ...]) -> list[int]:
        """Return the rows of names in the counts, -1 for a declared name that no entry has."""
        return [self.places.get(name, -1) for name in names]


class ColumnSample:
    """At most `SAMPLE` of the values present in a column, each as likely as any other: those with the smallest keys."""

    def __init__(self) -> None:
        self.bound = 1.0
        self.size = 0
        self.parts: list[tuple[Array, Array]] = []  # keys and values, in which there are up to twice as many

    @property
    def whole(self) -> bool:
        """Whether all values present are in the sample."""
        return self.bound == 1 and self.size <= SAMPLE

    @property
    def values(self) -> Array:
        """The values in the sample."""
        return self.kept()[1]

    def draw(self, column: Any, keys: Array, na_values: NaValues = NONE) -> None:
        """Offer the values of a column with random keys between 0 and 1."""
        near = np.flatnonzero(keys < self.bound)
        values, present = magnitudes(column.take(near), na_values)
        self.keep(keys[near][present], values)

    def absorb(self, other: ColumnSample) -> None:
        """Keep the smallest keys of both samples."""
        self.keep(*other.kept())
        self.bound = min(self.bound, other.bound)

    def keep(self, keys: Array, values: Array) -> None:
        """Take values with their keys."""
        if len(keys):
            self.parts.append((keys, values))
            self.size += len(keys)
        if self.size > 2 * SAMPLE:
            self.kept()

    def kept(self) -> tuple[Array, Array]:
        """Return the smallest keys and their values, and forget the others."""
        if not self.parts:
            return np.empty(0), np.empty(0)
        keys, values = (joined(part) for part in zip(*self.parts, strict=True))
        if len(keys) > SAMPLE:
            smallest = np.argpartition(keys, SAMPLE)[:SAMPLE]
            keys, values = keys[smallest], values[smallest]
            self.bound = float(keys.max())
        self.parts, self.size = [(keys, values)], len(keys)
        return keys, values


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


def too_many_classes(label: Any, names: Iterable[Any]) -> ValueError:
    """Return the error about a label with so many values that they are no classes."""
    rule, got = f"a label has at most {CLASSES} values", f"more in {label!r}"
    kind = MeasuredTarget if are_numbers(names) else ValueError
    return kind(complaint(rule, got, f"choose a column of classes; of this one, {REMEDY}"))


@dataclass(frozen=True)
class CountingPlan:
    """What one pass counts: columns by value, up to a limit of values, or by the bins between cuts.

    ``texts`` are columns of texts that may turn out to be numbers or dates, with what they are if that is known.
    """

    label: str
    limits: Mapping[str, int] = field(default_factory=dict)
    cuts: Mapping[str, Array] = field(default_factory=dict)
    sampled: tuple[str, ...] = ()
    declared: frozenset[str] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict)
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
        self.texts = {name: Texts(kind == "word") for name, kind in plan.texts.items() if name in plan.limits}
        self.classes = ValueCounts(CLASSES)
        self.tallies = {name: ValueCounts(plan.limits.get(name, np.inf)) for name in (*plan.limits, *plan.cuts)}
        self.bins: dict[str, list[Any]] = {name: [*range(len(cuts) + 1), None] for name, cuts in plan.cuts.items()}

    def add(self, batch: Any, rng: np.random.Generator) -> None:
        """Count the rows of a record batch; the first few rows alone, which give up most columns of too many values."""
        if not self.rows and batch.num_rows > FEW:
            self.add(batch.slice(0, FEW), rng)
            batch = batch.slice(FEW)
        if not batch.num_rows:
            return
        label, there = self._labels(batch.column(self.plan.label))
        self.unlabelled += len(there) - len(label)
        if not len(label):
            return
        whole, keys = len(label) == len(there), rng.random(len(label))
        columns = {name: as_column(batch.column(name), name) for name in (*self.plan.limits, *self.plan.cuts)}
        columns = columns if whole else {name: column.take(there) for name, column in columns.items()}
        for name in self.plan.limits:
            self._count(name, columns[name], label, keys)
        totals = np.bincount(label, minlength=len(self.classes.places))
        by_class = np.argsort(label.astype(np.uint16), kind="stable") if self.plan.cuts else label
        for name, cuts in self.plan.cuts.items():
            values, present = self._magnitudes(name, columns[name])
            rows, sizes = by_class, totals
            if len(values) < len(label):
                rows = (np.cumsum(present) - 1)[by_class[present[by_class]]]
                sizes = np.bincount(label[present], minlength=len(totals))
            each = [counts_between(cuts, part) for part in np.split(values.take(rows), np.cumsum(sizes)[:-1])]
            self.tallies[name].put(self.bins[name], np.vstack([np.transpose(each), totals - sizes]))
        self.rows += len(label)

    def _count(self, name: str, column: Any, label: Array, keys: Array) -> None:
        """Count a column by value, and draw a sample of it if it may have to be cut."""
        tally, texts = self.tallies[name], self.texts.get(name)
        if name in self.plan.declared:
            tally.declare(column.declared_names)
        if texts is not None:
            names, codes = encoded(column, self.plan.na_values)
            names = texts.read(names, codes, self.rows)
            self._put(name, names, codes, label)
            column = of_texts(names, codes, texts.kind) if texts.kind in ORDERED else None
        elif not tally.over:
            self._put(name, *encoded(column, self.plan.na_values), label)
        if name in self.samples and column is not None:
            self.samples[name].draw(column, keys, self.plan.na_values)

    def _put(self, name: str, names: list[Any], codes: Array, label: Array) -> None:
        k = len(self.classes.places)
        if not self.tallies[name].over:
            block = np.bincount(codes * k + label, minlength=len(names) * k).reshape(len(names), k)
            self.tallies[name].put(names, block)

    def _magnitudes(self, name: str, column: Any) -> tuple[Array, Array]:
        """Return the values of a column that is cut, and which entries have one."""
        if name in self.plan.texts:
            names, codes = encoded(column, self.plan.na_values)
            column = of_texts(stripped(names), codes, self.plan.texts[name])
        return magnitudes(column, self.plan.na_values)

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
        for name, texts in self.texts.items():
            texts.absorb(other.texts[name], self.rows)
        for name, sample in self.samples.items():
            if name not in self.texts or self.texts[name].kind in ORDERED:  # no numbers of one part beside dates
                sample.absorb(other.samples[name])
        self.rows += other.rows
        self.unlabelled += other.unlabelled

    def _labels(self, column: Any) -> tuple[Array, Array]:
        """Return the places of the classes of rows that have one, and which rows of a batch these are."""
        name = self.plan.label
        column = as_column(column, name)
        names, codes = encoded(column, self.plan.na_values)
        names = stripped(names) if name in self.plan.texts else names
        there = np.array([name is not None for name in names], dtype=bool)
        totals = np.bincount(codes, minlength=len(names))[:, None] * there[:, None]
        places = self._classified(names, totals, column.declared_names if name in self.plan.declared else None)
        return places[codes][there[codes]], there[codes]

    def _classified(self, names: list[Any], totals: Array, listed: tuple[Any, ...] | None) -> Array:
        """Note classes and how many rows have each; return their places, 0 for those no row has."""
        if listed is not None:
            self.classes.declare(listed)
        self.classes.put(names, totals)
        if self.classes.over:
            raise too_many_classes(self.plan.label, names)
        return np.array([self.classes.places.get(name, 0) for name in names], dtype=np.int64)
