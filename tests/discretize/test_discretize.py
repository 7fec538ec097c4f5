"""Discretisation: hierarchies against scipy's linkage, scores of every number of clusters against the exact score of
each table, ChiMerge against the naive procedure in rationals; and the contract of scikit-learn.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import chi2, chi2_contingency
from sklearn.datasets import load_iris
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from splitcrit import agini, decrease, entropy, gini, gini_gain, normalised, sgini, twoing
from splitcrit.criteria import Criterion
from splitcrit.discretize import ChiMerge, GapClustering, clusterings, equal_frequency, equal_width
from splitcrit.discretize.hierarchy_scores import cut_scores
from splitcrit.discretize.linkage_tree import LINKAGES, Hierarchy
from splitcrit.nulls.standardisation import exact_score
from splitcrit.search.linkage_compiled import chi_merge
from splitcrit.search.twofold import Double, running, two_product

RNG = np.random.default_rng(7)
START = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def _reseeded() -> None:
    """Every test draws the same numbers, whichever tests run before it."""
    RNG.bit_generator.state = START


def rows(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Every observation's value, given class counts of different values."""
    return np.repeat(values, counts.sum(axis=1))


def entries(size: int, classes: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Different rising values, with gaps that tie or not, and class counts, in which a value may be pure or single."""
    steps = RNG.integers(1, 5, size) if kind == "tied" else RNG.random(size) + 0.01
    counts = RNG.integers(0, 4, (size, classes))
    if kind == "single":
        counts = np.eye(classes, dtype=int)[RNG.integers(0, classes, size)]
    counts[counts.sum(axis=1) == 0, 0] = 1
    return np.cumsum(steps).astype(float), counts


def several(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some segments behind one another."""
    sizes, classes = RNG.integers(1, 14, RNG.integers(1, 5)), int(RNG.integers(2, 5))
    parts = [entries(int(size), classes, kind) for size in sizes]
    values, counts = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    return values, counts, np.append(0, np.cumsum(sizes))


# Hierarchies.


@pytest.mark.parametrize("method", LINKAGES)
def test_cuts_undo_the_merges_of_scipy(method: str) -> None:
    """For every number of clusters; scipy sees every observation, so that averages weigh values by their counts."""
    for trial in range(25):
        values, counts = entries(int(RNG.integers(2, 12)), 2, "tied" if method == "single" and trial % 2 else "plain")
        found = Hierarchy.of(values, counts, np.array([0, len(values)]), method)
        observed = rows(values, counts)
        merges = linkage(observed[:, None], method)
        clusters = {i: [i] for i in range(len(observed))}
        for i, (a, b, *_) in enumerate(merges):
            clusters[len(observed) + i] = clusters.pop(int(a)) + clusters.pop(int(b))
            if len(clusters) < len(values):
                first = [values.searchsorted(observed[min(members)]) for members in clusters.values()]
                assert_array_equal(np.sort(first), found.clustered(np.array([len(clusters)])))


def test_single_linkage_is_fcluster_for_every_number() -> None:
    for _ in range(20):
        values, counts = entries(int(RNG.integers(2, 40)), 3, "plain")
        found = Hierarchy.of(values, counts, np.array([0, len(values)]))
        merges = linkage(values[:, None], "single")
        for k in range(1, len(values) + 1):
            labels = fcluster(merges, k, "maxclust")
            assert_array_equal(np.flatnonzero(np.diff(labels, prepend=-1)), found.clustered(np.array([k])))


@pytest.mark.parametrize("kind", ["plain", "tied", "single"])
@pytest.mark.parametrize("method", LINKAGES)
def test_segments_do_not_see_each_other(kind: str, method: str) -> None:
    for _ in range(10):
        values, counts, starts = several(kind)
        whole = Hierarchy.of(values, counts, starts, method)
        scores = cut_scores(sgini, whole)
        for i, (a, b) in enumerate(pairwise(starts)):
            alone = Hierarchy.of(values[a:b], counts[a:b], np.array([0, b - a]), method)
            here = slice(whole.cut_starts[i], whole.cut_starts[i + 1])
            assert_array_equal(whole.cuts[here] - a, alone.cuts)
            assert_array_equal(whole.clusters[here], np.arange(2, b - a + 1))
            assert_allclose(scores[here], cut_scores(sgini, alone), rtol=1e-13, atol=1e-15)


# Scores.


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["plain", "tied", "single"])
@pytest.mark.parametrize("method", [*LINKAGES, "apart"])
def test_sgini_of_every_number_is_that_of_its_table(kind: str, method: str) -> None:
    for _ in range(12):
        values, counts, starts = several(kind)
        apart = method == "apart"
        found = Hierarchy.apart(values, counts, starts) if apart else Hierarchy.of(values, counts, starts, method)
        scores = cut_scores(sgini, found)
        seen = 0
        for places, tables in found.tables(np.ones(len(scores), dtype=bool)):
            exact = [exact_score(table) for table in tables]
            assert_allclose(scores[places], exact, rtol=1e-12, atol=1e-25)
            seen += len(places)
        assert seen == len(scores)


def test_sgini_of_many_clusters_loses_no_digits() -> None:
    """Near one cluster a value the mean is a thousand standard deviations."""
    values, counts = entries(1500, 3, "single")
    found = clusterings(rows(values, counts), np.repeat(np.tile(np.arange(3), 1500), counts.ravel()))
    scores = cut_scores(sgini, found.hierarchy)
    for k in (2, 3, 30, 700, 1400, 1490, 1498, 1499, 1500):
        assert_allclose(scores[k - 2], sgini(found.table(k)), rtol=1e-12, atol=0)


def test_sgini_of_large_counts_loses_no_digits() -> None:
    """Beyond 3.3e5 rows the products of three sizes are no longer exact in float64."""
    counts = RNG.integers(1, 400_000, (9, 3))
    found = Hierarchy.of(np.arange(9.0) ** 2, counts, np.array([0, 9]))
    scores = cut_scores(sgini, found)
    for places, tables in found.tables(np.ones(8, dtype=bool)):
        assert_allclose(scores[places], [exact_score(table) for table in tables], rtol=1e-12, atol=0)


@pytest.mark.parametrize("criterion", [decrease(gini), decrease(entropy), normalised(entropy), agini])
def test_scores_of_other_criteria_are_those_of_the_tables(criterion: Criterion) -> None:
    for _ in range(10):
        values, counts, starts = several("plain")
        found = Hierarchy.of(values, counts, starts)
        scores = cut_scores(criterion, found)
        for places, tables in found.tables(np.ones(len(scores), dtype=bool)):
            assert_allclose(scores[places], criterion(tables), rtol=1e-9, atol=1e-12)


def test_only_wanted_tables_are_made() -> None:
    values, counts, starts = several("plain")
    found = Hierarchy.of(values, counts, starts)
    wanted = found.clusters == 2
    assert sum(len(places) for places, _ in found.tables(wanted)) == wanted.sum()
    scores = cut_scores(agini, found, wanted)
    assert_array_equal(np.isfinite(scores), wanted)


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100).filter(lambda x: abs(x) > 1e-100))
def test_pairs_are_exact(a: float, b: float) -> None:
    if abs(a) > 1e-100:
        high, low = two_product(a, b)
        assert Fraction(high) + Fraction(low) == Fraction(a) * Fraction(b)
        q = Double(a) / b
        assert abs((Fraction(q.high) + Fraction(q.low)) * Fraction(b) / Fraction(a) - 1) < Fraction(1, 2**100)


def test_running_sums_keep_what_cancels() -> None:
    high = np.array([1e15, 1.0, -1e15, 1e-9, 5.0, -5.0, 2.0**-40])
    starts = np.array([0, 4])
    sums = running(Double(high, np.zeros(7)), starts).value()
    assert_allclose(sums, [1e15, 1e15 + 1, 1.0, 1.0 + 1e-9, 5.0, 0.0, 2.0**-40], rtol=1e-15, atol=1e-18)


# One feature.


def test_clusterings_of_one_feature() -> None:
    x, y = np.array([3.0, 1.0, 2.0, 10.0, 11.0, 10.0]), np.array(["a", "b", "a", "b", "b", "a"])
    found = clusterings(x, y, gini)
    assert found.classes == ("a", "b")
    assert found.table(1).integers().tolist() == [[3, 3]]
    assert found.thresholds(2).tolist() == [6.5]
    assert found.table(2).integers().tolist() == [[2, 1], [1, 2]]
    for k in range(2, 6):
        assert_allclose(found.scores[k - 2], gini_gain(found.table(k)))
        inside = np.searchsorted(found.thresholds(k), x)
        assert found.table(k).counts.tolist() == [
            [int(((inside == i) & (y == c)).sum()) for c in "ab"] for i in range(k)
        ]
    assert clusterings([1.0, 1.0], ["a", "b"]).best == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: clusterings([1.0, np.nan], [0, 1]), "the values of a feature are finite"),
        (lambda: clusterings([[1.0], [2.0]], [0, 1]), "a feature are a vector; got shape"),
        (lambda: clusterings([1.0, 2.0], [0, 1], twoing), "a split into many rows needs a criterion for any number"),
        (lambda: clusterings([1.0, 2.0], [0, 1], "ginny"), "a criterion has a known name; got 'ginny'"),
        (lambda: clusterings([1.0, 2.0], [0, 1], "gce(.7)"), "pass criterion=gce"),
        (lambda: clusterings([1.0, 2.0], [0, 1], linkage="ward"), "a linkage has a known name; got 'ward'"),
        (lambda: clusterings([1.0, 2.0], [0, 1]).thresholds(3), "of clusters is an integer from 1 to 2; got 3"),
        (lambda: GapClustering(0).fit([[1.0], [2.0]]), "n_clusters is an integer from 1; got 0"),
        (lambda: GapClustering(2.5).fit([[1.0], [2.0]]), "n_clusters is an integer from 1; got 2.5"),
        (lambda: GapClustering(max_clusters=1).fit([[1.0], [2.0]], [0, 1]), "max_clusters is an integer from 2; got 1"),
        (lambda: ChiMerge(2.0).fit([[1.0], [2.0]], [0, 1]), "significance lies strictly between 0 and 1; got 2.0"),
        (lambda: ChiMerge(threshold=-1).fit([[1.0], [2.0]], [0, 1]), "a threshold is a number in .0, inf.; got -1"),
        (lambda: ChiMerge(None).fit([[1.0], [2.0]], [0, 1]), "merging needs a rule to stop"),
        (lambda: ChiMerge(max_intervals=[2, 3]).fit([[1.0], [2.0]], [0, 1]), "max_intervals is one integer, or"),
        (lambda: ChiMerge(max_intervals=2, min_intervals=3).fit([[1.0], [2.0]], [0, 1]), "integer from 3; got 2"),
    ],
)  # fmt: skip
def test_refusals(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        call()


# ChiMerge.


def naive(values: list[float], counts: list[list[int]], threshold: float, fewest: int, most: int) -> list[float]:
    """Kerber's procedure as it is told: recompute every chi-square, in rationals, after every merge."""

    def chi_square(x: list[int], y: list[int]) -> Fraction:
        a, b = sum(x), sum(y)
        apart = ((b * p - a * q, p + q) for p, q in zip(x, y, strict=True) if p + q)
        return sum((Fraction(d * d, a * b * n) for d, n in apart), Fraction(0))

    intervals = [([v], c) for v, c in zip(values, counts, strict=True)]
    while len(intervals) > fewest:
        squares = [chi_square(x[1], y[1]) for x, y in pairwise(intervals)]
        least = min(squares)
        if len(intervals) <= most and least >= threshold:
            break
        i = squares.index(least)
        (v, x), (w, y) = intervals[i : i + 2]
        intervals[i : i + 2] = [(v + w, [p + q for p, q in zip(x, y, strict=True)])]
    pairs = pairwise(intervals)
    return [(one[-1] + other[0]) / 2 for (one, _), (other, _) in pairs]


def test_chimerge_is_the_naive_procedure() -> None:
    for trial in range(150):
        size, classes = int(RNG.integers(1, 40)), int(RNG.integers(2, 4))
        values, counts = entries(size, classes, "single" if trial % 2 else "tied")
        threshold = float(RNG.choice([0.0, 1.0, 2.71, np.inf]))
        fewest, most = int(RNG.integers(1, 5)), int(RNG.integers(5, 20))
        kept = np.ones(size - 1, dtype=bool)
        before = np.concatenate([np.zeros((1, classes), int), np.cumsum(counts, axis=0)])
        chi_merge(before, threshold, fewest, most, kept)
        expected = naive(values.tolist(), counts.tolist(), threshold, fewest, most)
        assert ((values[:-1][kept] + values[1:][kept]) / 2).tolist() == expected


def test_chimerge_stops_where_neighbours_differ_significantly() -> None:
    x, y = load_iris(return_X_y=True)
    found = ChiMerge(significance=0.1).fit(x, y)
    codes = found.transform(x)
    for column in codes.T:
        table = np.array([np.bincount(y[column == i], minlength=3) for i in range(column.max() + 1)])
        for pair in pairwise(table):
            both = np.array(pair)[:, np.sum(pair, axis=0) > 0]
            assert chi2_contingency(both, correction=False).statistic >= chi2.isf(0.1, 2)


def test_chimerge_keeps_to_its_numbers() -> None:
    x, y = load_iris(return_X_y=True)
    wanted = [4, 7, 2, 11]
    exactly = ChiMerge(None, max_intervals=wanted).fit(x, y)
    assert exactly.n_intervals_.tolist() == wanted
    assert (ChiMerge(max_intervals=3).fit(x, y).n_intervals_ <= 3).all()
    assert (ChiMerge(1e-9, min_intervals=5).fit(x, y).n_intervals_ >= 5).all()
    assert ChiMerge(threshold=0.0).fit(x, y).n_intervals_.tolist() == [len(np.unique(c)) for c in x.T]
    assert_array_equal(exactly.get_feature_names_out(list("abcd")), list("abcd"))


def test_test_rows_change_nothing() -> None:
    """What lies beyond or between the training values falls into the interval of the nearest of them."""
    found = ChiMerge().fit([[1.0], [2.0], [3.0], [10.0], [11.0], [12.0]], [0, 0, 0, 1, 1, 1])
    assert found.transform([[-9.0], [6.4], [6.5], [6.6], [99.0]]).ravel().tolist() == [0, 0, 0, 1, 1]


# The contract.


@pytest.mark.each_value
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([ChiMerge(), ChiMerge(None, max_intervals=4), GapClustering(), GapClustering(3)])
def test_contract_of_scikit_learn(estimator, check) -> None:  # type: ignore[no-untyped-def]
    check(estimator)


def test_equal_width_and_frequency_are_scikit_learns() -> None:
    x = RNG.normal(size=(50, 2))
    for maker, strategy in ((equal_width, "uniform"), (equal_frequency, "quantile")):
        theirs = KBinsDiscretizer(4, encode="ordinal", strategy=strategy, subsample=None)
        assert_array_equal(maker(4).fit_transform(x), theirs.fit_transform(x))
    assert np.bincount(equal_frequency(5).fit_transform(x)[:, 0].astype(int)).tolist() == [10] * 5


@pytest.mark.parametrize("method", LINKAGES)
def test_a_hierarchy_of_more_values_than_a_narrow_integer_counts(method: str) -> None:
    """Each cut divides a cluster that an earlier one left, or all."""
    m = 40_000
    values = np.cumsum(np.random.default_rng(0).random(m))
    found = Hierarchy.of(values, np.ones((m, 1), dtype=np.int64), np.array([0, m]), method)
    left = {(0, m - 1)}
    for cut, low, high in zip(found.cuts.tolist(), found.low.tolist(), found.high.tolist(), strict=True):
        left.remove((low, high))
        left |= {(low, cut), (cut + 1, high)}
    assert left == {(i, i) for i in range(m)}
