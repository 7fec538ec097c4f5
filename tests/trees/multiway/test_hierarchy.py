"""Hierarchies against scipy's linkage, and the scores of all states against the score of each table."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import linkage

from splitcrit import agini, decrease, entropy, gini, normalised, sgini
from splitcrit.criteria import Criterion
from splitcrit.nulls.standardisation import exact_score
from splitcrit.trees.multiway.hierarchy import Hierarchy, Linkage, entries, state_scores

CRITERIA = [decrease(gini), decrease(entropy), normalised(entropy), agini]


def of_one(rng: np.random.Generator, size: int, classes: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Different rising values, with gaps that tie or not, and class counts, in which a value may be pure or single."""
    steps = rng.integers(1, 5, size) if kind == "tied" else rng.random(size) + 0.01
    counts = rng.integers(0, 4, (size, classes))
    if kind == "single":
        counts = np.eye(classes, dtype=int)[rng.integers(0, classes, size)]
    counts[counts.sum(axis=1) == 0, 0] = 1
    return np.cumsum(steps).astype(float), counts


def several(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some segments behind one another."""
    sizes, classes = rng.integers(1, 14, rng.integers(1, 5)), int(rng.integers(2, 5))
    parts = [of_one(rng, int(size), classes, kind) for size in sizes]
    values, counts = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    return values, counts, np.append(0, np.cumsum(sizes))


def alone(values: np.ndarray, counts: np.ndarray, method: str) -> Hierarchy:
    """The hierarchy of one segment."""
    return Hierarchy.of(values, counts, np.array([0, len(values)]), method)


def tables(hierarchy: Hierarchy) -> list[np.ndarray]:
    """The table of each state, counted from where its clusters begin."""
    counts = np.diff(hierarchy.running, axis=0)
    return [
        np.array([counts[a:b].sum(axis=0) for a, b in pairwise(hierarchy.first(state))])
        for state in range(len(hierarchy.segment))
    ]


@pytest.mark.parametrize("method", get_args(Linkage))
def test_states_undo_the_merges_of_scipy(method: str) -> None:
    """For every number of clusters; scipy sees every observation, so that averages weigh values by their counts."""
    rng = np.random.default_rng(7)
    for _ in range(25):
        values, counts = of_one(rng, int(rng.integers(2, 12)), 2, "plain")
        hierarchy, observed = alone(values, counts, method), np.repeat(values, counts.sum(axis=1))
        assert hierarchy.clusters.tolist() == list(range(1, len(values) + 1))
        clusters = {i: [i] for i in range(len(observed))}
        for i, (a, b, *_) in enumerate(linkage(observed[:, None], method)):
            clusters[len(observed) + i] = clusters.pop(int(a)) + clusters.pop(int(b))
            if len(clusters) < len(values):
                first = [values.searchsorted(observed[min(members)]) for members in clusters.values()]
                assert_array_equal(np.sort(first), hierarchy.first(len(clusters) - 1)[:-1])


@pytest.mark.parametrize("kind", ["plain", "tied", "single"])
@pytest.mark.parametrize("method", get_args(Linkage))
def test_segments_do_not_see_each_other(kind: str, method: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        values, counts, starts = several(rng, kind)
        whole = Hierarchy.of(values, counts, starts, method)
        scores = state_scores(sgini, whole)
        for i, (a, b) in enumerate(pairwise(starts)):
            one = alone(values[a:b], counts[a:b], method)
            states = whole.segment == i
            assert_array_equal(whole.clusters[states], one.clusters)
            assert_array_equal(whole.step[a:b], one.step[:-1])
            assert_allclose(scores[states], state_scores(sgini, one), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("kind", ["plain", "tied", "single"])
@pytest.mark.parametrize("method", [*get_args(Linkage), "apart"])
def test_the_mirrored_row_has_the_mirrored_clusters_and_the_same_scores(kind: str, method: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        values, counts, starts = several(rng, kind)
        apart = np.full(len(starts) - 1, method == "apart")
        linkage_ = "single" if method == "apart" else method
        there = Hierarchy.of(values, counts, starts, linkage_, apart)
        back = Hierarchy.of(-values[::-1], counts[::-1], starts[-1] - starts[::-1], linkage_, apart)
        assert_array_equal(back.step[1:-1], there.step[1:-1][::-1])
        for criterion in (sgini, *CRITERIA[:3]):
            mirrored = np.split(state_scores(criterion, back), back.state_starts[1:-1])[::-1]
            assert_array_equal(np.concatenate(mirrored), state_scores(criterion, there))


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["plain", "tied", "single"])
@pytest.mark.parametrize("method", [*get_args(Linkage), "apart"])
def test_sgini_of_every_state_is_that_of_its_table(kind: str, method: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(12):
        values, counts, starts = several(rng, kind)
        apart = np.full(len(starts) - 1, method == "apart")
        hierarchy = Hierarchy.of(values, counts, starts, "single" if method == "apart" else method, apart)
        exact = [exact_score(table) if len(table) > 1 else -np.inf for table in tables(hierarchy)]
        assert_allclose(state_scores(sgini, hierarchy), exact, rtol=1e-11, atol=1e-12)
        assert [len(table) for table in tables(hierarchy)] == hierarchy.clusters.tolist()


def test_sgini_of_many_clusters_loses_few_digits() -> None:
    """Near one cluster a value the mean is a thousand standard deviations."""
    values, counts = of_one(np.random.default_rng(5), 1500, 3, "single")
    hierarchy = alone(values, counts, "single")
    scores = state_scores(sgini, hierarchy)
    for k in (2, 3, 30, 700, 1400, 1490, 1498, 1499, 1500):
        assert_allclose(scores[k - 1], sgini(hierarchy.table(k - 1)), rtol=1e-11, atol=1e-12)


def test_sgini_of_large_counts_loses_few_digits() -> None:
    """Beyond 3.3e5 rows the products of three sizes are no longer exact in float64."""
    counts = np.random.default_rng(6).integers(1, 400_000, (9, 3))
    hierarchy = alone(np.arange(9.0) ** 2, counts, "single")
    exact = [exact_score(table) for table in tables(hierarchy)[1:]]
    assert_allclose(state_scores(sgini, hierarchy)[1:], exact, rtol=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_scores_of_other_criteria_are_those_of_the_tables(criterion: Criterion) -> None:
    rng = np.random.default_rng(8)
    for _ in range(10):
        hierarchy = Hierarchy.of(*several(rng, "plain"))
        exact = [float(criterion(table)) if len(table) > 1 else -np.inf for table in tables(hierarchy)]
        assert_allclose(state_scores(criterion, hierarchy), exact, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("criterion", [sgini, decrease(gini), agini], ids=repr)
def test_states_that_are_not_wanted_have_no_score(criterion: Criterion) -> None:
    hierarchy = Hierarchy.of(*several(np.random.default_rng(9), "plain"))
    wanted = hierarchy.clusters == 2
    assert wanted.any()
    assert_array_equal(np.isfinite(state_scores(criterion, hierarchy, wanted)), wanted)


@pytest.mark.parametrize("method", get_args(Linkage))
def test_a_hierarchy_of_more_values_than_a_narrow_integer_counts(method: str) -> None:
    """Each cut divides a cluster that an earlier one left, or all."""
    m = 40_000
    hierarchy = alone(np.cumsum(np.random.default_rng(0).random(m)), np.ones((m, 1), dtype=np.int64), method)
    assert hierarchy.clusters.tolist()[-1] == m and len(hierarchy.begin) == m + hierarchy.divided.astype(bool).sum()
    inside = [(a, b, d) for a, b, d in zip(hierarchy.begin, hierarchy.end, hierarchy.divided, strict=True) if d][:500]
    assert all(hierarchy.step[a + 1 : b].min() == d for a, b, d in inside)
    assert all(max(hierarchy.step[a], hierarchy.step[b]) < d for a, b, d in inside)


def test_entries_are_the_different_values_of_each_column_with_their_classes() -> None:
    rng = np.random.default_rng(10)
    x, y = rng.integers(0, 5, (3, 40)), rng.integers(0, 3, 40)
    values, counts, starts = entries(x, y, 3)
    for column, a, b in zip(x, starts, starts[1:], strict=False):
        assert_array_equal(values[a:b], np.unique(column))
        truth = [[int(((column == v) & (y == c)).sum()) for c in range(3)] for v in values[a:b]]
        assert counts[a:b].tolist() == truth
