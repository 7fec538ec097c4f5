"""Merging neighbours of a row, against merging done step by step in rationals."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit.trees.multiway.merging import AVERAGE, CHI, COMPLETE, SINGLE, merge

Interval = tuple[int, int]  # the first entry, and the one behind the last


def chi_square(one: list[int], other: list[int]) -> Fraction:
    """Pearson's statistic of two intervals, over the classes that they have."""
    a, b, total = sum(one), sum(other), Fraction(0)
    for x, y in zip(one, other, strict=True):
        if x + y:
            total += Fraction((b * x - a * y) ** 2, a * b * (x + y))
    return total


class Row:
    """Values with class counts, and how far two intervals of them are apart."""

    def __init__(self, values: list[int], counts: list[list[int]]) -> None:
        self.values, self.counts = values, counts

    def size(self, a: Interval) -> int:
        return sum(map(sum, self.counts[slice(*a)]))

    def table(self, a: Interval) -> list[int]:
        return [sum(column) for column in zip(*self.counts[slice(*a)], strict=True)]

    def mean(self, a: Interval) -> Fraction:
        rows = zip(self.values[slice(*a)], self.counts[slice(*a)], strict=True)
        return Fraction(sum(v * sum(row) for v, row in rows), self.size(a))

    def key(self, kind: int, a: Interval, b: Interval) -> tuple[Any, int]:
        """What is least where two intervals are merged first; equal ones are merged at once but for chi-square."""
        if kind == CHI:
            return chi_square(self.table(a), self.table(b)), a[0]
        distances: dict[int, Callable[[], Any]] = {
            SINGLE: lambda: self.values[b[0]] - self.values[a[1] - 1],
            COMPLETE: lambda: self.values[b[1] - 1] - self.values[a[0]],
            AVERAGE: lambda: self.mean(b) - self.mean(a),
        }
        return distances[kind](), self.size(a) + self.size(b)

    def merges(self, kind: int) -> list[tuple[Any, set[int], set[Interval]]]:
        """The distance of each merge, the boundaries that vanish and the intervals that arise."""
        intervals, steps = [(i, i + 1) for i in range(len(self.values))], []
        while len(intervals) > 1:
            keys = [self.key(kind, a, b) for a, b in itertools.pairwise(intervals)]
            gone = {b[0] for (_, b), key in zip(itertools.pairwise(intervals), keys, strict=True) if key == min(keys)}
            bounds = [*sorted({a for a, _ in intervals} - gone), len(self.values)]
            left = list(itertools.pairwise(bounds))
            steps.append((min(keys)[0], gone, set(left) - set(intervals)))
            intervals = left
        return steps


def merged(row: Row, kind: int, scale: float = 1.0) -> list[tuple[float, set[int], set[Interval]]]:
    """What `merge` says, in the same words."""
    size = len(row.values)
    running = np.concatenate([np.zeros((1, len(row.counts[0])), np.int64), np.cumsum(row.counts, axis=0)])
    number, least, clusters = np.zeros(size + 1, np.int64), np.zeros(size), np.zeros((size, 3), np.int64)
    steps, grown = merge(np.array(row.values) * scale, running, kind, number, least, clusters)
    assert number[0] == number[-1] == 0
    arose: dict[int, set[Interval]] = {step: set() for step in range(1, steps + 1)}
    for a, b, step in clusters[:grown].tolist():
        arose[step].add((a, b))
    return [(least[i - 1], set(np.flatnonzero(number == i).tolist()), arose[i]) for i in range(1, steps + 1)]


@pytest.mark.parametrize("kind", [SINGLE, COMPLETE, AVERAGE, CHI])
@pytest.mark.parametrize("spread", [12, 1000])
def test_neighbours_are_merged_as_step_by_step(kind: int, spread: int) -> None:
    """Among a few values many distances and sizes are equal."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 13))
        counts = rng.integers(0, 3, (size, 3))
        counts[counts.sum(axis=1) == 0, 0] = 1
        row = Row(sorted(rng.choice(spread, size, replace=False).tolist()), counts.tolist())
        truth, found = row.merges(kind), merged(row, kind)
        assert [step[1:] for step in found] == [step[1:] for step in truth]
        assert [step[0] for step in found] == pytest.approx([float(step[0]) for step in truth], rel=1e-8)


@pytest.mark.parametrize("kind", [SINGLE, COMPLETE, AVERAGE])
def test_decimals_are_merged_as_integers(kind: int) -> None:
    """In binary 0.3 - 0.2 is less than 0.2 - 0.1."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        row = Row(sorted(rng.choice(60, 14, replace=False).tolist()), rng.integers(1, 3, (14, 2)).tolist())
        assert [step[1:] for step in merged(row, kind, 0.1)] == [step[1:] for step in merged(row, kind)]


def test_the_merging_runs_without_numba_too() -> None:
    from splitcrit.compiling import plain

    row = Row([0, 1, 3, 4], [[1, 0], [1, 1], [0, 2], [1, 0]])
    number = np.zeros(5, np.int64)
    running = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(row.counts, axis=0)])
    plain(merge)(np.array(row.values, float), running, SINGLE, number, np.zeros(4), np.zeros((4, 3), np.int64))
    assert number.tolist() == [0, 1, 2, 1, 0]
