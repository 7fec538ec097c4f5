"""Counts of a part of the rows, which add up: the sufficient statistic, and all of the data that travels.

Main definitions: ``Plan`` (what to count), ``Partial`` (the counts of some rows, with a sample of them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from splitcrit.files.cells import NONE, NaValues, check, declared, encoded, magnitudes
from splitcrit.files.held import Held
from splitcrit.files.sample import Sample, below
from splitcrit.files.tallies import Tally
from splitcrit.files.target import REMEDY, MeasuredTarget, are_numbers
from splitcrit.files.texts import ORDERED, Texts, ordered, stripped
from splitcrit.frozen import complaint
from splitcrit.table.counting import Array

CLASSES = 1000  # a column with more values is no class
FEW = 1024  # rows


@dataclass(frozen=True)
class Plan:
    """What one pass counts: columns by value, up to a limit of values, or by the bins between cuts.

    ``texts`` are columns of texts that may turn out to be numbers or dates, with what they are once that is known.
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

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rows = 0
        self.samples = {name: Sample() for name in plan.sampled}
        self.texts = {name: Texts() for name in plan.texts if name in plan.limits}
        self.classes = Tally(CLASSES)
        self.tallies = {name: Tally(plan.limits.get(name, np.inf)) for name in (*plan.limits, *plan.cuts)}
        self.bins: dict[str, list[Any]] = {name: [*range(len(cuts) + 1), None] for name, cuts in plan.cuts.items()}

    def add(self, batch: Any, rng: np.random.Generator) -> None:
        """Count the rows of a record batch; the first few rows alone, which give up most columns of too many values."""
        if not self.rows and batch.num_rows > FEW:
            self.add(batch.slice(0, FEW), rng)
            batch = batch.slice(FEW)
        if not batch.num_rows:
            return
        label = self._labels(batch.column(self.plan.label))
        keys = rng.random(batch.num_rows)
        for name in self.plan.limits:
            self._count(name, batch.column(name), label, keys)
        for name, cuts in self.plan.cuts.items():
            values, present = self._magnitudes(name, batch.column(name))
            codes = np.full(batch.num_rows, len(cuts) + 1)
            codes[present] = below(cuts, values)
            self._put(name, self.bins[name], codes, label)
        self.rows += batch.num_rows

    def _count(self, name: str, column: Any, label: Array, keys: Array) -> None:
        """Count a column by value, and draw a sample of it if it may have to be cut."""
        check(name, column)
        tally, texts = self.tallies[name], self.texts.get(name)
        if name in self.plan.declared:
            tally.declare(declared(column))
        if texts is not None:
            names, codes = encoded(column, self.plan.na_values)
            names = texts.read(names, codes, self.rows)
            self._put(name, names, codes, label)
            column = _ordered(names, codes, texts.kind) if texts.kind in ORDERED else None
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
            column = _ordered(stripped(names), codes, self.plan.texts[name])
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

    def _labels(self, column: Any) -> Array:
        """Return the places of a batch's classes."""
        name = self.plan.label
        check(name, column)
        names, codes = encoded(column, self.plan.na_values)
        names = stripped(names) if name in self.plan.texts else names
        totals = np.bincount(codes, minlength=len(names))[:, None]
        gaps = [i for i in np.flatnonzero(totals).tolist() if names[i] is None]
        if gaps:
            got = f"a missing value in {name!r}, row {self.rows + 1 + int(np.isin(codes, gaps).argmax())}"
            raise ValueError(complaint("label values must be present", got, "drop the unlabelled observations"))
        return self._classified(names, totals, declared(column) if name in self.plan.declared else None)[codes]

    def _classified(self, names: list[Any], totals: Array, listed: tuple[Any, ...] | None) -> Array:
        """Note classes and how many rows have each; return their places, 0 for those no row has."""
        if listed is not None:
            self.classes.declare(listed)
        self.classes.put(names, totals)
        if self.classes.over:
            rule, got = f"a label has at most {CLASSES} values", f"more in {self.plan.label!r}"
            kind = MeasuredTarget if are_numbers(names) else ValueError
            raise kind(complaint(rule, got, f"choose a column of classes; of this one, {REMEDY}"))
        return np.array([self.classes.places.get(name, 0) for name in names], dtype=np.int64)


def _ordered(names: list[str | None], codes: Array, kind: str) -> Held:
    """Return texts of a kind as a column of numbers or dates."""
    values, present = ordered(names, kind)
    return Held("ordered", values[codes], present[codes])
