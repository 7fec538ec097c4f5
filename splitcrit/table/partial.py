"""Counts of a part of the rows, which add up: the sufficient statistic, and all of the data that travels.

Main definitions: ``Plan`` (what to count), ``Partial`` (the counts of some rows, with a sample of them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from splitcrit.table.arrow import countable, declared, encoded, magnitudes
from splitcrit.table.counting import Array
from splitcrit.table.sample import Sample
from splitcrit.table.tallies import Tally
from splitcrit.values import complaint

CLASSES = 1000  # a column with more values is no class


@dataclass(frozen=True)
class Plan:
    """What one pass counts: columns by value, up to a limit of values, or by the bins between cuts."""

    label: str
    limits: Mapping[str, int] = field(default_factory=dict)
    cuts: Mapping[str, Array] = field(default_factory=dict)
    sampled: tuple[str, ...] = ()
    declared: frozenset[str] = frozenset()

    @property
    def columns(self) -> list[str]:
        """The columns to read."""
        return [self.label, *self.limits, *self.cuts]


class Partial:
    """The counts of some of the rows; those of all rows are the sum."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rows = 0
        self.samples = {name: Sample() for name in plan.sampled}
        self.classes = Tally(CLASSES)
        self.tallies = {name: Tally(plan.limits.get(name, np.inf)) for name in (*plan.limits, *plan.cuts)}

    def add(self, batch: Any, rng: np.random.Generator) -> None:
        """Count the rows of a record batch."""
        if not batch.num_rows:
            return
        label = self._labels(batch.column(self.plan.label))
        k = len(self.classes.places)
        for name in self.plan.limits:
            column, tally = batch.column(name), self.tallies[name]
            countable(name, column.type)
            if name in self.plan.declared:
                tally.declare(declared(column))
            if not tally.over:
                names, codes = encoded(column)
                tally.put(names, _crossed(codes, label, len(names), k))
        for name, cuts in self.plan.cuts.items():
            values, present = magnitudes(batch.column(name))
            codes = np.full(batch.num_rows, len(cuts) + 1)
            codes[present] = np.searchsorted(cuts, values, side="left")
            self.tallies[name].put([*range(len(cuts) + 1), None], _crossed(codes, label, len(cuts) + 2, k))
        keys = rng.random(batch.num_rows)
        for name, sample in self.samples.items():
            sample.draw(batch.column(name), keys)
        self.rows += batch.num_rows

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
            sample.absorb(other.samples[name])
        self.rows += other.rows

    def _labels(self, column: Any) -> Array:
        """Return the places of a batch's classes."""
        name = self.plan.label
        countable(name, column.type)
        names, codes = encoded(column)
        totals = np.bincount(codes, minlength=len(names))[:, None]
        if any(names[i] is None for i in np.flatnonzero(totals)):
            got = f"a missing value in {name!r}"
            raise ValueError(complaint("label values must be present", got, "drop the unlabelled observations"))
        return self._classified(names, totals, declared(column) if name in self.plan.declared else None)[codes]

    def _classified(self, names: list[Any], totals: Array, listed: tuple[Any, ...] | None) -> Array:
        """Note classes and how many rows have each; return their places, 0 for those no row has."""
        if listed is not None:
            self.classes.declare(listed)
        self.classes.put(names, totals)
        if self.classes.over:
            rule, got = f"a label has at most {CLASSES} values", f"more in {self.plan.label!r}"
            raise ValueError(complaint(rule, got, "choose a column of classes, or cut this one"))
        return np.array([self.classes.places.get(name, 0) for name in names], dtype=np.int64)


def _crossed(codes: Array, label: Array, r: int, k: int) -> Array:
    """Return the counts of codes by label."""
    return np.bincount(codes * k + label, minlength=r * k).reshape(r, k)
