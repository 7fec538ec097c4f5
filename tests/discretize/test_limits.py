"""Numbers of clusters and of intervals that stop a discretisation: both sides of each limit, by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import orders
from oracles import merged_law, moments
from splitcrit.criteria import dkm, hellinger
from splitcrit.discretize import ChiMerge, GapClustering, clusterings
from splitcrit.trees import split_scores

VALUES = [0.0, 1.0, 10.0, 12.0, 30.0, 33.0, 60.0, 64.0]
LABELS = [0, 0, 1, 1, 0, 0, 1, 1]


def tables(values: list[float], labels: list[int]) -> dict[int, tuple[list[float], list[list[int]]]]:
    """Return the thresholds and the table of every number of clusters, by cutting the largest gaps."""
    distinct, classes, found = sorted(set(values)), sorted(set(labels)), {}
    gaps = sorted(pairwise(distinct), key=lambda pair: pair[0] - pair[1])
    for k in range(1, len(distinct) + 1):
        cuts = sorted((a + b) / 2 for a, b in gaps[: k - 1])
        cluster = [sum(v > cut for cut in cuts) for v in values]
        pairs = list(zip(cluster, labels, strict=True))
        found[k] = cuts, [[pairs.count((i, c)) for c in classes] for i in range(k)]
    return found


def standardised(table: list[list[int]]) -> float:
    """Return the Gini gain in standard deviations above its mean, over all orders of the labels."""
    mean, variance, _ = moments(merged_law(tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))))
    return float(orders.gain(table, orders.gini) - mean) / float(variance) ** 0.5 if variance else 0.0


def best(scores: dict[int, Any], most: int) -> int:
    """Return the first number of clusters with the largest score, up to a number."""
    return max((k for k in scores if 2 <= k <= most), key=lambda k: (round(float(scores[k]), 12), -k))


@pytest.mark.parametrize("most", [2, 3, 4, 5, 8, 100])
def test_no_more_clusters_are_chosen_than_allowed(most: int) -> None:
    """Gini gains grow with every cluster, standardised ones are largest at four clusters here."""
    every = tables(VALUES, LABELS)
    for criterion, score in (("gini", lambda t: orders.gain(t, orders.gini)), ("sgini", standardised)):
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


@pytest.mark.parametrize("wanted", [1, 2, 5, 8, 9, 50])
def test_a_number_of_clusters_is_kept_up_to_the_number_of_values(wanted: int) -> None:
    found = GapClustering(wanted).fit(np.array(VALUES)[:, None])
    assert found.n_intervals_.tolist() == [min(wanted, 8)]
    assert found.edges_[0].tolist() == tables(VALUES, LABELS)[min(wanted, 8)][0]


def test_one_value_is_one_cluster() -> None:
    for model in (GapClustering(), GapClustering(max_clusters=3), GapClustering(4), ChiMerge()):
        assert model.fit([[2.0], [2.0], [2.0]], [0, 1, 0]).n_intervals_.tolist() == [1]


# ChiMerge.


def chi_square(x: list[int], y: list[int]) -> Fraction:
    a, b = sum(x), sum(y)
    parts = [Fraction((b * p - a * q) ** 2, a * b * (p + q)) for p, q in zip(x, y, strict=True) if p + q]
    return sum(parts, Fraction(0))


def merged(values: list[float], labels: list[int], threshold: float, least: int = 1, most: float = np.inf) -> Any:
    """Return the thresholds that are left when the least chi-square is merged again and again."""
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


@pytest.mark.parametrize("significance", [0.5, 0.2, 0.1, 0.05, 0.01])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_significance_is_of_one_degree_of_freedom_less_than_classes(classes: int, significance: float) -> None:
    rng = np.random.default_rng(classes)
    for _ in range(12):
        values = rng.integers(0, 12, 60).astype(float).tolist()
        labels = ((np.array(values) // 4 + rng.integers(0, 2, 60) * rng.integers(0, classes, 60)) % classes).tolist()
        labels[:classes] = range(classes)
        found = ChiMerge(significance).fit(np.array(values)[:, None], labels)
        assert found.edges_[0].tolist() == merged(values, labels, chi2.isf(significance, classes - 1))


def test_another_degree_of_freedom_would_be_seen() -> None:
    """A chi-square of about 5 is significant at 0.1 with two degrees of freedom, not with three."""
    values, labels = [0.0] * 10 + [1.0] * 10, [0] * 7 + [1] * 2 + [2] + [0] * 2 + [1] * 5 + [2] * 3
    square = float(chi_square([7, 2, 1], [2, 5, 3]))
    assert chi2.isf(0.1, 2) < square < chi2.isf(0.1, 3)
    x = np.array(values)[:, None]
    assert ChiMerge(0.1).fit(x, labels).edges_[0].tolist() == [0.5]
    assert ChiMerge(float(chi2.sf(square * 1.001, 2))).fit(x, labels).edges_[0].tolist() == []


@pytest.mark.parametrize("threshold", [0.0, 0.5, 2.0, 4.0, 1e9])
@pytest.mark.parametrize(("least", "most"), [(None, None), (3, None), (None, 5), (2, 4), (1, 1)])
def test_merging_stops_at_the_numbers_of_intervals(threshold: float, least: Any, most: Any) -> None:
    rng = np.random.default_rng(9)
    for _ in range(8):
        values, labels = rng.integers(0, 10, 40).astype(float).tolist(), rng.integers(0, 3, 40).tolist()
        model = ChiMerge(threshold=threshold, min_intervals=least, max_intervals=most)
        found = model.fit(np.array(values)[:, None], labels).edges_[0].tolist()
        assert found == merged(values, labels, threshold, least or 1, most or np.inf)


def test_a_chi_square_at_the_threshold_is_not_merged() -> None:
    """Two pure values of two samples each have a chi-square of 4."""
    x, y = [[0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 1]
    assert chi_square([2, 0], [0, 2]) == 4
    assert [ChiMerge(threshold=t).fit(x, y).n_intervals_[0] for t in (3.999, 4.0, 4.001)] == [2, 2, 1]


@pytest.mark.parametrize("wrong", [0, 0.0, 1, 1.0, 1.5, float("nan"), True, "0.1"])
def test_a_significance_lies_strictly_between_0_and_1(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"significance lies strictly between 0 and 1|a threshold is a number in"):
        ChiMerge(wrong).fit([[0.0], [1.0]], [0, 1])


def test_without_a_threshold_merging_goes_down_to_the_number() -> None:
    rng = np.random.default_rng(4)
    values, labels = rng.integers(0, 10, 50).astype(float).tolist(), rng.integers(0, 2, 50).tolist()
    x = np.array(values)[:, None]
    for options, least in (({"max_intervals": 4}, 4), ({"min_intervals": 2}, 2)):
        found = ChiMerge(None, **options).fit(x, labels).edges_[0].tolist()
        assert found == merged(values, labels, np.inf, least) and len(found) == least - 1


def test_a_value_at_a_threshold_belongs_to_the_left() -> None:
    found = GapClustering(2).fit([[0.0], [1.0], [5.0]])
    assert found.edges_[0].tolist() == [3.0]
    assert found.transform([[-7.0], [3.0], [np.nextafter(3.0, 9)], [99.0]]).ravel().tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("criterion", [hellinger, dkm], ids=repr)
def test_a_criterion_of_two_classes_scores_no_clusters_of_three(criterion: Any) -> None:
    assert len(clusterings(VALUES, LABELS, criterion).scores) == 7
    for asked in (lambda y: clusterings(VALUES, y, criterion), lambda y: split_scores(VALUES, y, criterion)):
        with pytest.raises(ValueError, match=f"{criterion} is defined for tables of 2 classes; got 3; choose"):
            asked([0, 0, 1, 1, 2, 2, 0, 1])
