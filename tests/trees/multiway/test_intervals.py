"""One feature in clusters, and the transformers: both sides of each limit by enumeration, ChiMerge against the naive
procedure in rationals, the contract of scikit-learn, and what changes nothing.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

import oracles
from oracles import merged_law, moments
from refusals import refused
from splitcrit import twoing
from splitcrit.criteria import dkm, hellinger
from splitcrit.trees import ChiMerge, GapClustering, clusterings, split_scores
from splitcrit.trees.multiway.hierarchy import Linkage

VALUES = [0.0, 1.0, 10.0, 12.0, 30.0, 33.0, 60.0, 64.0]
LABELS = [0, 0, 1, 1, 0, 0, 1, 1]


def tables(values: list[float], labels: list[int]) -> dict[int, tuple[list[float], list[list[int]]]]:
    """The thresholds and the table of every number of clusters, by cutting the largest gaps."""
    distinct, classes, found = sorted(set(values)), sorted(set(labels)), {}
    gaps = sorted(pairwise(distinct), key=lambda pair: pair[0] - pair[1])
    for k in range(1, len(distinct) + 1):
        cuts = sorted((a + b) / 2 for a, b in gaps[: k - 1])
        pairs = list(zip([sum(v > cut for cut in cuts) for v in values], labels, strict=True))
        found[k] = cuts, [[pairs.count((i, c)) for c in classes] for i in range(k)]
    return found


def standardised(table: list[list[int]]) -> float:
    """The Gini gain in standard deviations above its mean, over all orders of the labels."""
    mean, variance, _ = moments(merged_law(tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))))
    return float(oracles.gain(table, oracles.gini) - mean) / float(variance) ** 0.5 if variance else 0.0


def best(scores: dict[int, Any], most: int) -> int:
    """The first number of clusters with the largest score, up to a number."""
    return max((k for k in scores if 2 <= k <= most), key=lambda k: (round(float(scores[k]), 12), -k))


@pytest.mark.parametrize("most", [2, 3, 4, 5, 8, 100])
def test_no_more_clusters_are_chosen_than_allowed(most: int) -> None:
    """Gini gains grow with every cluster, standardised ones are largest at four clusters here."""
    every = tables(VALUES, LABELS)
    for criterion, score in (("gini", lambda t: oracles.gain(t, oracles.gini)), ("sgini", standardised)):
        scores = {k: score(table) for k, (_, table) in every.items()}
        found = GapClustering(criterion=criterion, max_clusters=most).fit(np.array(VALUES)[:, None], LABELS)
        expected = best(scores, most)
        assert found.n_intervals_.tolist() == [expected]
        assert found.edges_[0].tolist() == every[expected][0]
    assert best({k: standardised(t) for k, (_, t) in every.items()}, 8) == 4


def test_scores_are_those_of_the_tables_by_hand() -> None:
    found = clusterings(VALUES, LABELS)
    every = tables(VALUES, LABELS)
    assert found.scores.tolist() == pytest.approx([standardised(every[k][1]) for k in range(2, 9)], abs=1e-12)
    for k, (cuts, table) in every.items():
        assert found.thresholds(k).tolist() == cuts and found.table(k).integers().tolist() == table
    assert found.best == 4


def test_a_number_of_clusters_is_kept_up_to_the_number_of_values() -> None:
    for wanted in (1, 2, 5, 8, 9, 50):
        found = GapClustering(wanted).fit(np.array(VALUES)[:, None])
        assert found.n_intervals_.tolist() == [min(wanted, 8)]
        assert found.edges_[0].tolist() == tables(VALUES, LABELS)[min(wanted, 8)][0]


def test_one_value_is_one_cluster() -> None:
    for model in (GapClustering(), GapClustering(max_clusters=3), GapClustering(4), ChiMerge()):
        assert model.fit([[2.0], [2.0], [2.0]], [0, 1, 0]).n_intervals_.tolist() == [1]
    assert clusterings([1.0, 1.0], ["a", "b"]).best == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: clusterings([[1.0], [2.0]], [0, 1]), "a feature are a vector; got shape"),
        (lambda: clusterings([1.0, 2.0], [0, 1], twoing), "a split into many rows needs a criterion for any number"),
        (lambda: clusterings([1.0, 2.0], [0, 1], "gce(.7)"), "pass criterion=gce"),
        (lambda: clusterings([1.0, 2.0], [0, 1], linkage="ward"), "linkage is one of 'single', 'complete', 'average'"),
        (lambda: clusterings([1.0, 2.0], [0, 1]).thresholds(3), "of clusters is an integer from 1 to 2; got 3"),
        (lambda: GapClustering(0).fit([[1.0], [2.0]]), "n_clusters is an integer from 1; got 0"),
        (lambda: GapClustering(max_clusters=1).fit([[1.0], [2.0]], [0, 1]), "max_clusters is an integer from 2; got 1"),
        (lambda: ChiMerge(threshold=-1).fit([[1.0], [2.0]], [0, 1]), "a threshold is a number in .0, inf.; got -1"),
        (lambda: ChiMerge(None).fit([[1.0], [2.0]], [0, 1]), "merging needs a rule to stop"),
        (lambda: ChiMerge(max_intervals=[2, 3]).fit([[1.0], [2.0]], [0, 1]), "max_intervals is one integer, or"),
        (lambda: ChiMerge(max_intervals=2, min_intervals=3).fit([[1.0], [2.0]], [0, 1]), "integer from 3; got 2"),
    ],
)  # fmt: skip
def test_refusals(call: Any, said: str) -> None:
    refused(said.replace("(", r"\("), call)


# ChiMerge.


def chi_square(x: list[int], y: list[int]) -> Fraction:
    a, b = sum(x), sum(y)
    parts = [Fraction((b * p - a * q) ** 2, a * b * (p + q)) for p, q in zip(x, y, strict=True) if p + q]
    return sum(parts, Fraction(0))


def merged(values: list[float], labels: list[int], threshold: float, least: int = 1, most: float = np.inf) -> Any:
    """The thresholds that are left when the least chi-square is merged again and again."""
    classes = sorted(set(labels))
    pairs = list(zip(values, labels, strict=True))
    intervals = [([v], [pairs.count((v, c)) for c in classes]) for v in sorted(set(values))]
    while len(intervals) > least:
        squares = [chi_square(x, y) for (_, x), (_, y) in pairwise(intervals)]
        at = squares.index(min(squares))
        if squares[at] >= threshold and len(intervals) <= most:
            break
        (v, x), (w, y) = intervals[at : at + 2]
        intervals[at : at + 2] = [(v + w, [p + q for p, q in zip(x, y, strict=True)])]
    return [(one[-1] + other[0]) / 2 for (one, _), (other, _) in pairwise(intervals)]


RULES: list[dict[str, Any]] = [
    *({"significance": p} for p in (0.5, 0.1, 0.01)),
    *({"threshold": t, "min_intervals": a, "max_intervals": b} for t in (0.0, 2.0, 1e9)
      for a, b in ((None, None), (3, None), (None, 5), (2, 4), (1, 1))),
    {"significance": None, "max_intervals": 4}, {"significance": None, "min_intervals": 2},
]  # fmt: skip


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_chimerge_is_the_naive_procedure(rules: dict[str, Any]) -> None:
    """A significance is of one degree of freedom less than there are classes."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        classes = 2 + seed % 4
        values = rng.integers(0, 12, int(rng.integers(classes, 60))).astype(float)
        labels = (values.astype(int) // 4 + rng.integers(0, 2, len(values)) * rng.integers(0, classes)) % classes
        labels[:classes] = range(classes)
        threshold = rules.get("threshold", chi2.isf(rules.get("significance") or 0, classes - 1))
        least, most = rules.get("min_intervals"), rules.get("max_intervals")
        least = most if threshold == np.inf and least is None else least
        found = ChiMerge(**rules).fit(values[:, None], labels).edges_[0].tolist()
        assert found == merged(values.tolist(), labels.tolist(), threshold, least or 1, most or np.inf)


@pytest.mark.parametrize("wrong", [0, 0.0, 1, 1.0, 1.5, float("nan"), True, "0.1"])
def test_a_significance_lies_strictly_between_0_and_1(wrong: Any) -> None:
    refused(
        "significance lies strictly between 0 and 1|a threshold is a number in",
        ChiMerge(wrong).fit,
        [[0.0], [1.0]],
        [0, 1],
    )


@pytest.mark.parametrize("criterion", [hellinger, dkm], ids=repr)
def test_a_criterion_of_two_classes_scores_no_clusters_of_three(criterion: Any) -> None:
    assert len(clusterings(VALUES, LABELS, criterion).scores) == 7
    for asked in (lambda y: clusterings(VALUES, y, criterion), lambda y: split_scores(VALUES, y, criterion)):
        refused(f"{criterion} is defined for tables of 2 classes; got 3; choose", asked, [0, 0, 1, 1, 2, 2, 0, 1])


def test_chimerge_keeps_to_the_numbers_of_each_feature() -> None:
    x, y = load_iris(return_X_y=True)
    exactly = ChiMerge(None, max_intervals=[4, 7, 2, 11]).fit(x, y)
    assert exactly.n_intervals_.tolist() == [4, 7, 2, 11]
    assert_array_equal(exactly.get_feature_names_out(list("abcd")), list("abcd"))


def test_test_rows_change_nothing_and_before_a_fit_there_is_nothing() -> None:
    """What lies beyond or between the training values falls into the interval of the nearest of them."""
    found = ChiMerge().fit([[1.0], [2.0], [3.0], [10.0], [11.0], [12.0]], [0, 0, 0, 1, 1, 1])
    assert found.transform([[-9.0], [6.4], [6.5], [np.nextafter(6.5, 9)], [99.0]]).ravel().tolist() == [0, 0, 0, 1, 1]
    for binning in (ChiMerge(), GapClustering()):
        refused("is not fitted yet", binning.transform, [[0.0], [1.0]], error=NotFittedError)


# What changes nothing.


@given(
    st.lists(st.tuples(st.integers(-30, 30), st.integers(0, 2)), min_size=2, max_size=30),
    st.sampled_from(get_args(Linkage)), st.sampled_from([-1, 0.1, -0.25, 1024]), st.randoms(use_true_random=False),
)  # fmt: skip
def test_sign_unit_and_order_change_no_clusters(pairs, linkage, unit, random):
    """Of integers with many equal gaps; 0.1 makes gaps that are equal but for rounding."""
    plain = clusterings([x for x, _ in pairs], [y for _, y in pairs], linkage=linkage)
    random.shuffle(pairs)
    other = clusterings([unit * x for x, _ in pairs], [y for _, y in pairs], linkage=linkage)
    assert other.scores.tolist() == plain.scores.tolist()
    assert other.numbers.tolist() == plain.numbers.tolist()
    for k in plain.numbers.tolist():
        there, here = other.thresholds(k) / unit, plain.thresholds(k)
        assert_allclose(np.sort(there), here, rtol=1e-12, atol=1e-12)


def test_a_number_of_clusters_that_equal_gaps_leap_over_is_named() -> None:
    evenly = clusterings(range(6), [0, 1] * 3)
    assert evenly.numbers.tolist() == [6]
    refused(r"^a number of clusters is one that occurs: .*; got 4; pass 6 for instance$", evenly.table, 4)
    assert GapClustering(5).fit(np.arange(6.0)[:, None]).n_intervals_.tolist() == [1]
    assert GapClustering(max_clusters=5).fit(np.arange(6.0)[:, None], [0, 1] * 3).n_intervals_.tolist() == [1]


def test_of_equal_gaps_those_between_many_observations_are_cut_first() -> None:
    found = clusterings([0, 1, 1, 1, 2, 2, 3], [0, 1, 0, 1, 0, 1, 0])
    assert [found.thresholds(k).tolist() for k in found.numbers.tolist()] == [[1.5], [0.5, 1.5], [0.5, 1.5, 2.5]]


def test_truth_values_are_divided_as_zeros_and_ones() -> None:
    feature, label = np.array([True, False, True, True, False]), [1, 0, 1, 0, 0]
    found, numbers = clusterings(feature, label), clusterings(feature.astype(int), label)
    assert found.scores.tolist() == numbers.scores.tolist() and len(found.scores) == 1
    assert found.hierarchy.values.tolist() == [0, 1]
    refused("the values of a feature are real numbers", clusterings, ["a", "b", "a", "a", "b"], label, error=TypeError)
