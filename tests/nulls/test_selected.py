"""The law of the best threshold against every arrangement of the labels, and against scipy's Smirnov test."""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from nulls.best_cut_lists import Feature, features, orders
from nulls.test_scan import exact_score
from refusals import refused
from splitcrit import gini, gini_gain, sgini
from splitcrit.nulls import calibrated, selected_pvalue, selected_tail

STATISTICS = ("sgini", "gini", "pairwise_gain")


def agrees(statistic: str, feature: Feature) -> int:
    """Hold the p-values of every attainable largest score against the list of all orders, and return their number."""
    every, ways, average = orders(feature, statistic), math.comb(feature.n, feature.ones), Fraction(0)
    chosen: dict[str, Any] = {"statistic": statistic, "min_leaf": feature.min_leaf, "missing": "side"}
    if not every:
        assert selected_pvalue(feature.counts(tuple(range(feature.ones))), **chosen).value == 1
    for best, examples in every.items():
        counts = feature.counts(examples[0])
        tail = Fraction(sum(len(found) for score, found in every.items() if score >= best), ways)
        more = tail - Fraction(len(examples), ways)
        exact, mid = (selected_pvalue(counts, method="exact", mid=m, **chosen) for m in (False, True))
        assert exact.value == tail and mid.value == (tail + more) / 2
        fast = selected_pvalue(counts, **chosen)
        assert fast.value == pytest.approx(float(tail), rel=1e-12)
        assert fast.surprise == pytest.approx(-math.log(tail), rel=1e-12, abs=1e-12)
        assert float(selected_pvalue(counts, mid=True, **chosen)) == pytest.approx(float(mid.value), rel=1e-12)
        shown = exact.score if statistic != "sgini" else exact.score * abs(exact.score)
        assert shown == pytest.approx(float(best), rel=1e-12)
        if not feature.gaps:
            labels = np.isin(np.arange(feature.n), examples[0]).astype(int)
            assert selected_pvalue(feature.values, labels, method="exact", **chosen) == exact
            least, before = feature.min_leaf, labels.cumsum()
            cuts = (m for m in range(least, feature.n - least + 1) if feature.values[m - 1] != feature.values[m])
            scores = ((m, exact_score(statistic, feature.n, feature.ones, m, int(before[m - 1]))) for m in cuts)
            assert exact.cut == next(m for m, score in scores if score == best), "the first of the cuts that tie"
        average += mid.value * Fraction(len(examples), ways)
    assert average == Fraction(1, 2) or not every
    return len(every)


@pytest.mark.each_value
@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("n", range(2, 13))
def test_every_arrangement_of_up_to_twelve_labels(statistic: str, n: int) -> None:
    attained = [agrees(statistic, Feature(tuple(range(n)), 0, b, 1)) for b in range(1, n)]
    assert n < 5 or max(attained) > 1


@pytest.mark.parametrize("statistic", STATISTICS)
def test_ties_gaps_and_leaf_sizes(statistic: str) -> None:
    some = features(1, 60)
    assert sum(agrees(statistic, feature) for feature in some if feature.gaps) > 50
    assert sum(agrees(statistic, feature) for feature in some if not feature.gaps) > 10


@pytest.mark.parametrize(("n", "ones"), [(30, 9), (200, 60), (500, 250)])
def test_the_largest_distance_is_smirnovs(n: int, ones: int) -> None:
    rng = np.random.default_rng(n)
    y = np.zeros(n, int)
    y[:ones] = 1
    for shift in (0.0, 0.4, 1.5):
        x = rng.normal(size=n) + shift * y
        smirnov = stats.ks_2samp(x[y == 1], x[y == 0], method="exact")
        found = selected_pvalue(x, y, statistic="pairwise_gain")
        assert found.score * 2 / (ones * (n - ones)) == pytest.approx(smirnov.statistic)
        assert found.value == pytest.approx(smirnov.pvalue, rel=1e-9)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_twelve_digits_of_likely_and_unlikely_cuts(statistic: str) -> None:
    """``1 / C(200, 80)`` is above 1e-58: 1e-100 is for more observations."""
    found = []
    for n, ones, shifts in ((50, 20, (0.0, 1.0)), (200, 80, (0.0, 0.9, 9.0)), (600, 240, (9.0,))):
        y = np.repeat([0, 1], [n - ones, ones])
        x = np.random.default_rng(n).normal(size=n)
        for shift in shifts:
            tests = (selected_pvalue(x + shift * y, y, statistic=statistic, method=m) for m in ("lattice", "exact"))
            fast, exact = tests
            assert abs(Fraction(fast.value) / exact.value - 1) < Fraction(1, 10**12)
            found.append(exact.value)
    assert any(0.1 < p < 0.9 for p in found) and any(1e-8 < p < 1e-4 for p in found) and min(found) < 1e-100


def test_values_below_the_smallest_float_keep_their_logarithm() -> None:
    n = 4000
    found = selected_pvalue(np.arange(n), np.arange(n) >= n // 2)
    ways = math.lgamma(n + 1) - 2 * math.lgamma(n // 2 + 1) - math.log(2)  # two arrangements are as good
    assert (found.value, found.cut) == (0.0, n // 2)
    assert found.surprise == pytest.approx(ways, rel=1e-12)


def test_monte_carlo_agrees_within_its_error() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 8, 60), rng.integers(0, 2, 60)
    for statistic in STATISTICS:
        exact = selected_pvalue(x, y, statistic=statistic)
        drawn = selected_pvalue(x, y, statistic=statistic, method="monte_carlo", samples=4000, rng=7)
        assert drawn.score == pytest.approx(exact.score, rel=1e-9) and drawn.cut == exact.cut
        assert abs(drawn.value - exact.value) < 4 * drawn.standard_error


def test_nothing_to_cut() -> None:
    for x, y in (([1, 1, 1], [0, 1, 0]), ([1, 2, 3], [0, 0, 0]), ([1], [0]), ([1, 2], [0, 1])):
        for method in ("lattice", "exact", "monte_carlo"):
            assert float(selected_pvalue(x, y, method=method, samples=9, rng=0)) == 1
    assert selected_pvalue([1, 2, 3, 4], [0, 0, 1, 1], min_leaf=3).cut == 0


def test_three_classes_have_no_lattice() -> None:
    for arguments in ({"method": "lattice"}, {"method": "exact"}, {"statistic": "pairwise_gain"}):
        refused(r"are for two classes; got .*with 3 classes", selected_pvalue, [1, 2, 3], [0, 1, 2], **arguments)
    refused("ones and cuts must lie between 1 and n - 1; got n=4, ones=4", selected_tail, 1.0, 4, 4)
    refused("one feature is tested at a time", selected_pvalue, [[[1, 2], [2, 1]]])
    refused("random tables have no mid p-value", selected_pvalue, [1, 2, 3], [0, 1, 1], mid=True, method="monte_carlo")


@pytest.mark.parametrize("table", [[[2**62, 2**62], [2**62, 1]], [[2**62] * 4, [1, 2, 3, 4]]])
def test_totals_beyond_int64_are_refused_and_not_taken_for_none(table: list[list[int]]) -> None:
    for asked in (selected_pvalue, calibrated(gini).search.tested.tested):
        refused(r"at most limit=5 seconds; got about|drawn for totals below 2.*31; got", asked, table)
    refused(r"drawn for totals below 2.*31; got", selected_pvalue, [[1e75, 2e75, 3e75], [2e75, 1e75, 1e75]])


@pytest.mark.parametrize("missing", ["row", "side"])
@pytest.mark.parametrize("mid", [False, True])
def test_relative_errors_are_below_the_bound_that_a_result_carries(missing: Any, mid: bool) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        table = rng.integers(0, 4, (int(rng.integers(2, 8)), 2)) + np.eye(2, dtype=int)[rng.integers(0, 2)]
        table[-1] += rng.integers(0, 6, 2)
        statistic = ("sgini", "gini", "pairwise_gain")[int(rng.integers(3))]
        found, exact = (
            selected_pvalue(table, statistic=statistic, mid=mid, missing=missing, method=method)  # type: ignore[arg-type]
            for method in ("lattice", "exact")
        )
        assert exact.relative_error == 0 and found.relative_error is not None and found.relative_error < 1e-11
        assert abs(Fraction(found.value) / exact.value - 1) <= found.relative_error


def test_no_bound_of_relative_errors_where_none_is_proved() -> None:
    assert selected_pvalue([[3, 0, 1], [0, 3, 2], [1, 1, 1]], rng=0, samples=99).relative_error is None
    assert selected_pvalue([[3000, 2000], [2900, 2100]]).relative_error is None  # one cut, many observations
    assert selected_pvalue([[700, 0], [300, 300], [0, 700]]).relative_error is None  # a surprise above 600


def test_integers_of_one_cut_are_refused_before_they_take_minutes() -> None:
    refused("at most limit=5 seconds; got about", selected_pvalue, [[60_000, 40_000], [50_000, 50_000]], method="exact")
    assert selected_pvalue([[60, 40], [50, 50]], method="exact").method == "exact"


# Selected p-values where values are missing, of many features, and both ends: against every order of the labels.


def test_missing_values_of_a_feature_and_a_label() -> None:
    x, y = [1.0, None, 2.0, 3.0, None, 4.0], [0, 1, 0, 1, 1, 1]
    table = [[1, 0], [1, 0], [0, 1], [0, 1], [0, 2]]
    for statistic in STATISTICS:
        vectors = selected_pvalue(x, y, statistic=statistic, missing="side")
        assert vectors == selected_pvalue(table, statistic=statistic, missing="side")
        assert (vectors.cut, vectors.missing_left) == (2, False)
    mirrored = selected_pvalue([None if v is None else -v for v in x], y, missing="side")
    assert (mirrored.cut, mirrored.missing_left) == (2, True)
    assert mirrored.value == pytest.approx(selected_pvalue(x, y, missing="side").value, rel=1e-12)


def test_without_missing_values_sides_change_nothing() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=80), rng.integers(0, 2, 80)
    assert selected_pvalue(x, y, missing="side") == selected_pvalue(x, y)
    table = rng.integers(0, 5, (6, 2))
    assert selected_pvalue([*table.tolist(), [0, 0]], missing="side") == selected_pvalue(table)


def test_gaps_alone_are_one_cut() -> None:
    assert selected_pvalue([[3, 0], [0, 3]], missing="side", method="exact").value == Fraction(1, 10)
    assert selected_pvalue([[0, 0], [0, 3]], missing="side").value == 1
    assert selected_pvalue([[2, 1], [1, 3]], missing="side", min_leaf=4).cut == 0


@pytest.mark.parametrize(
    ("counts", "labels", "sides"),
    [
        ([[2, 0, 0], [0, 1, 1], [1, 1, 1]], (0, 0, 1, 2, 0, 1, 2), [(0, 1), (0, 1, 2, 3), (0, 1, 4, 5, 6)]),
        ([[2, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]], (0, 0, 0, 1, 1, 2, 2),
         [range(2), range(3), range(4), range(6)]),
    ],
    ids=["with gaps", "without"],
)  # fmt: skip
@pytest.mark.parametrize(("statistic", "score"), [("sgini", sgini), ("gini", gini_gain)])
def test_three_classes_against_every_order(counts: Any, labels: Any, sides: Any, statistic: str, score: Any) -> None:
    def best(y: tuple[int, ...]) -> float:
        parts = [[[y[i] for i in range(7) if (i in side) is inside] for inside in (True, False)] for side in sides]
        return max(score([[part.count(k) for k in range(3)] for part in both]) for both in parts)

    every = Counter(round(best(y), 9) for y in set(permutations(labels)))
    seen = round(best(labels), 9)
    tail = sum(c for s, c in every.items() if s >= seen) / every.total()
    chosen = {"statistic": statistic, "samples": 3000, "rng": 1, "missing": "side"}
    found = selected_pvalue(counts, **chosen)
    assert found.method == "monte_carlo" and found.score == pytest.approx(seen, abs=1e-8)
    assert found == selected_pvalue(counts, **chosen)
    assert abs(found.value - tail) < 4 * found.standard_error + 1 / 3000
