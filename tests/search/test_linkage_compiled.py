"""Hierarchies of sorted values and the merging of ChiMerge, against merging done step by step."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit import sgini
from splitcrit.discretize.hierarchy_scores import standardised_scores
from splitcrit.discretize.linkage_tree import Hierarchy
from splitcrit.search.linkage_compiled import chi_merge, cutting_order, gap_spans, merge_spans


def chi_square(one: list[int], other: list[int]) -> Fraction:
    """Pearson's statistic of two intervals, over the classes that they have."""
    a, b, found = sum(one), sum(other), Fraction(0)
    for x, y in zip(one, other, strict=True):
        if x + y:
            found += Fraction((b * x - a * y) ** 2, a * b * (x + y))
    return found


def merged(counts: list[list[int]], threshold: float, fewest: int, most: int) -> list[int]:
    """The entries that begin an interval once neighbours have been merged, the first excepted."""
    parts, begins = [list(row) for row in counts], list(range(len(counts)))
    while len(parts) > fewest:
        chis = [chi_square(a, b) for a, b in itertools.pairwise(parts)]
        at = chis.index(min(chis))
        if len(parts) <= most and chis[at] >= threshold:
            break
        parts[at : at + 2] = [[x + y for x, y in zip(parts[at], parts[at + 1], strict=True)]]
        del begins[at + 1]
    return begins[1:]


@pytest.mark.parametrize(
    ("threshold", "fewest", "most"), [(2.7, 1, 99), (1e9, 1, 99), (0.5, 4, 5), (0.0, 2, 3), (2.7, 2, 4)]
)
def test_chi_merge_merges_the_least_first(threshold: float, fewest: int, most: int) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        counts = rng.integers(0, 4, (2 + seed, 3))
        counts[:, 0] += counts.sum(axis=1) == 0
        running = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(counts, axis=0)])
        kept = np.ones(len(counts) - 1, bool)
        chi_merge(running, threshold, fewest, most, kept)
        assert (np.flatnonzero(kept) + 1).tolist() == merged(counts.tolist(), threshold, fewest, most)


def hierarchy(values: list[float], sizes: list[int], distance: Any) -> list[tuple[int, int, int]]:
    """The cut, the first and the last entry of every cluster, in the order of cutting: the last merged first."""
    clusters, found = [[i] for i in range(len(values))], []
    while len(clusters) > 1:
        apart = [distance([values[i] for i in a], [sizes[i] for i in a], [values[i] for i in b], [sizes[i] for i in b])
                 for a, b in itertools.pairwise(clusters)]  # fmt: skip
        at = apart.index(min(apart))
        found.append((clusters[at][-1], clusters[at][0], clusters[at + 1][-1]))
        clusters[at : at + 2] = [clusters[at] + clusters[at + 1]]
    return found[::-1]


def means(a: list[float], m: list[int], b: list[float], n: list[int]) -> float:
    """How far the means of two clusters are apart."""
    return float(np.average(b, weights=n) - np.average(a, weights=m))


DISTANCES = {
    "complete": lambda a, m, b, n: b[-1] - a[0],
    "average": means,
    "single": lambda a, m, b, n: b[0] - a[-1],
}


@pytest.mark.parametrize("linkage", DISTANCES)
def test_hierarchies_are_those_of_merging_step_by_step(linkage: str) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        parts = [np.sort(rng.choice(200, size, replace=False)).astype(float) for size in (6, 1, 9)]
        values, sizes = np.concatenate(parts), rng.integers(1, 5, 16)
        starts = np.array([0, 6, 7, 16])
        low, high, order = np.zeros(15, np.int64), np.zeros(15, np.int64), np.zeros(13, np.int64)
        if linkage == "single":
            gaps = np.diff(values)
            gaps[[5, 6]] = np.inf
            gap_spans(gaps, low, high)
            cutting_order(gaps, starts, order)
        else:
            merge_spans(values, sizes, starts, linkage == "complete", low, high, order)
        at = 0
        for start, stop in itertools.pairwise(starts.tolist()):
            truth = hierarchy(values[start:stop].tolist(), sizes[start:stop].tolist(), DISTANCES[linkage])
            found = [(p, int(low[p]), int(high[p])) for p in order[at : at + stop - start - 1].tolist()]
            if linkage == "single":  # equal gaps are cut the last first
                assert {(p + start, a + start, b + start) for p, a, b in truth} == set(found)
            else:
                assert [(p + start, a + start, b + start) for p, a, b in truth] == found
            at += stop - start - 1


def test_the_score_of_a_cut_is_sgini_of_the_table_after_it() -> None:
    for seed, classes in itertools.product(range(10), (2, 3)):
        counts = np.random.default_rng(seed).integers(0, (2, 5)[seed % 2], (8, classes))
        counts[:, 0] += counts.sum(axis=1) == 0
        starts = np.array([0, 5, 8])
        found = Hierarchy.of(np.arange(8.0) ** 2, counts, starts)
        scores = standardised_scores(found)
        for places, tables in found.tables(np.ones(len(scores), bool)):
            truth = [float(sgini(table)) for table in tables]
            np.testing.assert_allclose(scores[places], truth, rtol=1e-9, atol=1e-9)
