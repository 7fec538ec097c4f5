"""Measures of importance against enumeration, scikit-learn and scipy; rankings through one function."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import log, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_mutual_info_score, mutual_info_score
from sklearn.preprocessing import KBinsDiscretizer

import oracles
import splitcrit as sc
from nulls.test_pvalue import hypergeometric_tail, listed_tail
from nulls.test_score_moments import enumerated
from oracles import partitions
from refusals import refused
from reproductions.bias import CHOOSERS, chosen_shares, found_shares
from splitcrit import impurities
from splitcrit.arith import EXACT, Irrational
from splitcrit.columns import MEASURES, adjusted, corrected_gains, rank_features, standardised
from splitcrit.columns.column_tests import ColumnTest, LabelledRows, column_test
from splitcrit.columns.corrected_gains import moments_by_chance
from splitcrit.columns.features import CATEGORIES, NUMERIC, ORDERED, Feature, read_features
from splitcrit.criteria import chi_square, g_statistic
from splitcrit.nulls import calibrated, significance
from splitcrit.nulls.evidence import SHARE, log_of_cuts
from splitcrit.nulls.margin_totals import constant
from splitcrit.nulls.table_pvalues import enough
from splitcrit.table import Table

TABLE = [[7, 1, 2], [0, 6, 1], [2, 2, 5], [1, 0, 0]]


def variance(counts: Any) -> Fraction:
    """The variance of the responses 0, 1 and 5 of classes with these counts, in Fractions."""
    n, values = sum(counts), np.repeat([0, 1, 5], counts).tolist()
    return Fraction(sum(x * x for x in values), n) - Fraction(sum(values), n) ** 2


DEFINED = {sc.gini: oracles.gini, sc.entropy: oracles.entropy, sc.misclassification: oracles.errors,
           impurities.variance((0, 1, 5)): variance}  # fmt: skip
MAKERS = pytest.mark.parametrize("maker", [standardised, adjusted])
GAINS = pytest.mark.parametrize("impurity", [sc.gini, sc.entropy, sc.misclassification], ids=repr)


@pytest.mark.parametrize("impurity", DEFINED, ids=repr)
def test_gains_and_their_moments_are_corrected_by_all_tables(impurity: sc.Impurity) -> None:
    """Class totals in another order, or an empty class, are not the same table to the variance of responses."""
    definition, seen = DEFINED[impurity], set()
    for n in range(1, 6):
        totals = oracles.compositions(n, (n,) * 3) if definition is variance else partitions(n)
        for a, b in product(partitions(n), totals):
            mean, spread = enumerated(gain := partial(oracles.gain, impurity=definition), a, b)
            found = moments_by_chance(sc.decrease(impurity), a, b)
            assert found == (pytest.approx(mean, abs=1e-13), pytest.approx(spread, rel=1e-9, abs=1e-14))
            assert definition is variance or not constant(np.array(a), np.array(b)) or found[1] == 0
            still, table = bool(spread < 1e-14), next(oracles.tables(a, b))[0]
            scores = [float(maker(impurity)(table)) for maker in (standardised, adjusted)]
            apart, top = float(gain(table)) - mean, float(definition(b)) - mean
            assert scores == pytest.approx([0.0, 0.0] if still else [apart / spread**0.5, apart / top], rel=1e-9)
            seen.add(still)
    assert seen == {True, False}


def test_adjusted_information_is_scikit_learns_with_its_bound() -> None:
    rng, seen = np.random.default_rng(6), set()
    for rows in (2, 3, 5, 12, 40) * 4:
        x = rng.integers(0, rows, 600)
        y = np.where(rng.random(600) < 0.1, x % 6, rng.integers(0, int(rng.integers(2, 7)), 600))
        hx, hy = (mutual_info_score(z, z) for z in (x, y))
        seen.add(method := "min" if hy <= hx else "max")
        theirs = adjusted_mutual_info_score(x, y, average_method=method)
        assert float(adjusted(sc.entropy)(Table.of(x, y))) == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    assert seen == {"min", "max"}


@MAKERS
@GAINS
def test_tables_of_a_batch_share_a_law_only_if_both_margins_agree(maker: Any, impurity: Any) -> None:
    """Equal row totals are not enough, nor are equal class totals; empty rows, classes and tables change nothing."""
    criterion, one = maker(impurity), [[[3, 0], [1, 6]], [[2, 1], [3, 4]]]  # equal row totals, other class totals
    turned = [[[6, 1], [0, 3]], one[0]]  # the same margins in another order
    for batch in (one, one[::-1], [np.transpose(t) for t in one], turned, np.zeros((2, 2, 2), dtype=int)):
        assert criterion(np.array(batch)).tolist() == pytest.approx([float(criterion(t)) for t in batch], rel=1e-12)
    wider = [[3, 0, 0, 1], [0, 0, 0, 0], [0, 0, 2, 2]]
    assert float(criterion(wider)) == pytest.approx(float(criterion([[3, 0, 1], [0, 2, 2]])), rel=1e-12)
    assert float(criterion(np.zeros((2, 2), dtype=int))) == 0.0
    assert criterion(np.zeros((0, 2, 2), dtype=int)).shape == (0,)


LARGE = [[30, 10, 5], [2, 20, 8], [3, 10, 7]]


def of_margins(table: Any, impurity: sc.Impurity, **how: Any) -> tuple[float, float]:
    """Mean and variance of a gain over all orders of the labels of a table."""
    return moments_by_chance(sc.decrease(impurity), *(tuple(np.sum(table, axis=i).tolist()) for i in (1, 0)), **how)


@pytest.mark.filterwarnings("error")
def test_few_tables_are_listed_and_of_more_random_ones_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both agree within the error of drawing; what is a sum over cells is neither listed nor drawn."""
    exact, of_entropy = (of_margins(LARGE, impurity) for impurity in (sc.misclassification, sc.entropy))
    assert of_margins([[9_999, 10_001], [20_001, 19_998]], sc.misclassification)[1] > 0
    monkeypatch.setattr(corrected_gains, "LISTED", 1)
    moments_by_chance.cache_clear()
    drawn = partial(of_margins, impurity=sc.misclassification, samples=4000)
    mean, variance = drawn(LARGE)
    assert mean != exact[0] and abs(mean - exact[0]) < 4 * sqrt(exact[1] / 4000)
    assert abs(variance / exact[1] - 1) < 4 * sqrt(2 / 4000)  # of a gain whose law has no heavy tail
    assert drawn(LARGE[::-1]) == drawn([*LARGE, [0, 0, 0]]) == (mean, variance) != drawn(LARGE, seed=1)
    assert of_margins(LARGE, sc.entropy) == of_entropy
    monkeypatch.setattr(corrected_gains, "STEPS", 10)  # what takes too long has an exact mean and random tables
    moments_by_chance.cache_clear()
    mean, variance = of_margins(LARGE, sc.entropy, samples=500)
    assert mean == of_entropy[0] and variance != of_entropy[1] == pytest.approx(variance, rel=0.4)


@MAKERS
@GAINS
@pytest.mark.parametrize("factor", [1000, 1e-6])
def test_a_unit_changes_no_corrected_gain(maker: Any, impurity: Any, factor: float) -> None:
    for table in ([[1, 1, 0], [0, 1, 2], [1, 0, 1]], [[1, 0], [1, 1], [0, 1], [2, 1]], [[4, 0], [0, 3]], LARGE):
        scaled = maker(impurities.scaled(impurity, factor))
        assert float(scaled(table)) == pytest.approx(float(maker(impurity)(table)), rel=1e-9, abs=1e-12)


@MAKERS
def test_a_table_has_one_score_for_a_seed_and_another_for_another(maker: Any) -> None:
    table = np.random.default_rng(0).integers(20, 30, (4, 5)) + 3 * np.eye(4, 5, dtype=int)
    one, other = (maker(sc.misclassification, seed=s, samples=50) for s in (0, 1))
    scores = one(np.array([table, table[::-1], table]))
    assert scores.tolist() == pytest.approx([float(one(table))] * 3, rel=1e-12)
    assert float(one(table)) == scores[0] != float(other(table)) == pytest.approx(scores[0], rel=0.6)
    assert pickle.loads(pickle.dumps(one)) == one != other
    assert repr(other) == f"{maker.__name__}(misclassification, samples=50, seed=1)"
    assert repr(maker(chi_square)) == f"{maker.__name__}(chi_square)"
    for wrong in (3, None, "entropy"):
        refused("a criterion or an impurity is expected", maker, wrong, error=TypeError)


@pytest.mark.parametrize(
    "criterion", [chi_square, g_statistic, sc.normalised(sc.entropy), sc.one_vs_rest_pairwise_gain, sc.sum_minority,
                  sc.imprecise_information_gain(1)], ids=repr
)  # fmt: skip
def test_any_criterion_is_corrected_by_all_tables_of_its_margins(criterion: sc.Criterion) -> None:
    for table in ([[3, 0, 1], [0, 2, 2]], [[1, 2, 0], [0, 1, 4]], [[2, 3], [4, 1]]):
        rows, columns = (tuple(np.sum(table, axis=axis).tolist()) for axis in (1, 0))
        (mean, variance), score = enumerated(criterion, rows, columns), float(criterion(table))
        assert float(standardised(criterion)(table)) == pytest.approx((score - mean) / sqrt(variance), rel=1e-9)
        if criterion.rows is None:
            top = float(criterion(np.diag(columns)))
            assert float(adjusted(criterion)(table)) == pytest.approx((score - mean) / (top - mean), rel=1e-9)
    assert float(standardised(criterion)(np.zeros((2, 3), dtype=int))) == 0


def test_the_pvalue_of_dobra_and_gehrke_falls_with_the_gain() -> None:
    """The printed density of eq. (28) rises; the tail is near the exact p-value."""
    gained = [[[11, 9], [8, 7], [6, 9]], [[13, 7], [7, 8], [5, 10]], [[16, 4], [6, 9], [3, 12]]]
    scores, tails = [float(significance(t)) for t in gained], [float(sc.gini_pvalue(t)) for t in gained]
    assert scores == sorted(scores) and tails == sorted(tails, reverse=True)
    for score, tail in zip(scores, tails, strict=True):
        assert np.exp(-score) == pytest.approx(tail, rel=0.5)
    assert scores == pytest.approx([-log(float(sc.gini_pvalue(t, method="gamma"))) for t in gained])


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_puts_a_telling_feature_first(name: str) -> None:
    rng = np.random.default_rng(3)
    y = rng.permutation(np.repeat([0, 1, 1], 30))
    columns = [rng.integers(0, 3, 90), np.where(rng.random(90) < 0.8, y, 1 - y), rng.integers(0, 8, 90)]
    found, again = (rank_features(np.stack(columns, axis=1), y, measure=MEASURES[name]) for _ in range(2))
    assert found.order[0] == 1 and np.isfinite(found.scores).all()
    assert found.scores.tolist() == again.scores.tolist()


def test_pvalues_too_small_for_a_float_still_rank() -> None:
    large = [[[k, 0], [0, k]] for k in (1500, 3000, 6000)]
    for name in ("pvalue", "significance"):
        scores = [float(MEASURES[name](table)) for table in large]
        assert np.isfinite(scores).all() and (np.diff(scores) > 0).all()


def test_features_come_as_arrays_frames_tables_and_cut() -> None:
    rng = np.random.default_rng(7)
    y = np.repeat(["no", "yes"], 40)
    frame = pd.DataFrame({"noise": rng.normal(size=80), "signal": rng.normal(size=80) + 2 * (y == "yes")})
    cut = rank_features(frame > [0.0, 1.0], y, measure=sc.sgini)
    cutter = KBinsDiscretizer(4, encode="ordinal", quantile_method="linear")
    binned = rank_features(dict(zip(frame, cutter.fit_transform(frame).T, strict=True)), y, measure="sgini")
    raw = rank_features(frame, y, measure=calibrated(), bins=None)
    for found in (cut, binned, raw):
        assert found.names == ("noise", "signal") and found.ranked[0][0] == "signal"
    assert raw.scores[1] == calibrated().search.tested.tested(pd.crosstab(frame["signal"], y)).surprise
    crossed = [pd.crosstab(frame[c] > t, y).to_numpy() for c, t in (("noise", 0), ("signal", 1))]
    assert cut.scores.tolist() == list(map(sc.sgini, crossed))
    listed = rank_features([Table.of(column, y) for column in (frame.to_numpy() > [0.0, 1.0]).T], measure=sc.sgini)
    assert listed.names == (0, 1) and listed.scores.tolist() == cut.scores.tolist()


def test_what_no_measure_takes_is_refused() -> None:
    refused("score it in FLOAT", adjusted(sc.entropy).score, [[1, 2], [3, 4]], EXACT, error=Irrational)
    refused("must be integers|counts", adjusted(sc.gini), [[0.5, 1], [1, 1]])
    refused("adjusted.twoing. is defined for tables of 2 classes; got 3", adjusted(sc.twoing), [[3, 0, 1], [1, 1, 1]])


def test_the_best_threshold_favours_many_values_and_its_selected_pvalue_does_not() -> None:
    """Features without information: 300 draws of one with two values and one with a hundred, from a fixed seed."""
    found = {(x.chooser, x.condition): x for x in chosen_shares((2, 100), repetitions=300, rng=1)}
    for chooser in ("gini", "sgini"):
        assert found[chooser, 100].share > 0.8, "the largest of 99 scores beats one score"
    assert 0.42 < found["selected mid p-value", 100].share < 0.58
    assert abs(found["selected p-value", 100].share - 0.5) < 0.5 * (found["sgini", 100].share - 0.5)
    assert sum(x.share for x in found.values()) == pytest.approx(len(CHOOSERS))


def test_a_telling_feature_of_two_values_is_found_more_often_by_its_selected_pvalue() -> None:
    found = {x.chooser: x.share for x in found_shares((0.62,), repetitions=60, rng=1)}
    assert found["selected mid p-value"] > found["sgini"] + 0.15


# Features as values in order or categories: what is missing, what lies between two values, and odd data.

GRADES = pd.Categorical(["low", "high", None, "low"], ["low", "middle", "high"], ordered=True)
X = pd.DataFrame({"size": [2.5, np.nan, 1.0, 2.5], "grade": GRADES, "kind": ["b", None, "a", "b"]})


def test_kinds_levels_and_codes() -> None:
    size, grade, kind = read_features(X, None, "side")
    assert (size.name, size.kind) == ("size", NUMERIC)
    assert (size.levels.tolist(), size.codes.tolist()) == ([1, 2.5], [1, -1, 0, 1])
    assert (grade.kind, grade.levels.tolist(), grade.codes.tolist()) == (ORDERED, ["low", "high"], [0, 1, -1, 0])
    assert (kind.kind, kind.levels.tolist(), kind.codes.tolist()) == (CATEGORIES, ["a", "b", "(missing)"], [1, 2, 0, 1])


def test_missing_values_as_a_last_value() -> None:
    size, grade, _ = read_features(X, None, "row")
    assert (size.codes.tolist(), size.threshold(1), size.threshold(2)) == ([1, 2, 0, 1], 1.75, 2.5)
    assert (grade.codes.tolist(), grade.levels[-1]) == ([0, 1, 2, 0], "(missing)")


def test_a_threshold_parts_two_values_however_close() -> None:
    for low, high in ((1.0, 2.0), (1.0, np.nextafter(1.0, 2)), (-1e308, 1.7e308), (0.0, 5e-324), (-5e-324, 0.0)):
        feature = Feature("x", NUMERIC, np.array([low, high]), np.array([0, 1]))
        assert low <= feature.threshold(1) < high
        assert feature.threshold(2) == np.inf


def test_rows_by_value_and_their_numbers() -> None:
    size = read_features(X, None, "side")[0]
    assert size.places.tolist() == [1, 2, 0, 1]
    doubled = size.take(np.repeat(np.arange(4), [2, 1, 0, 3]))
    assert (doubled.levels.tolist(), doubled.codes.tolist()) == ([2.5], [0, 0, -1, 0, 0, 0])


def test_columns_of_an_array_are_named_by_their_place() -> None:
    assert [f.name for f in read_features(np.zeros((2, 3)), None, "side")] == ["x0", "x1", "x2"]
    assert read_features([["a", 1], ["b", 2]], [0], "side")[0].kind == CATEGORIES


@pytest.mark.parametrize("x", [[[{}]], [1, 2], np.zeros((0, 2)), [[1, 2], [3]]])
def test_what_is_no_table_of_numbers_is_refused(x: object) -> None:
    refused(";", read_features, x, None, "side", error=(ValueError, TypeError))


# The p-values of fixed splits are shares of all orders of the labels or responses, listed here one by one.


def of_rows(groups: np.ndarray, labels: np.ndarray, draws: int, seed: int = 0) -> ColumnTest:
    """The test of groups that were fixed beforehand, by classes or by responses as they are."""
    rows = LabelledRows(labels, plain=False)
    return column_test(rows.column(groups), rows.target, question="table", draws=draws, seed=seed)


def of_table(table: np.ndarray, draws: int, seed: int = 0) -> ColumnTest:
    groups, codes = np.indices(table.shape).reshape(2, -1)
    return of_rows(np.repeat(groups, table.ravel()), np.repeat(codes, table.ravel()), draws, seed)


@pytest.mark.parametrize("case", range(24))
def test_a_table_has_the_p_value_of_all_orders(case: int) -> None:
    rng = np.random.default_rng(case)
    shape = 2 + case % 3, 2 + case % 2
    table = rng.integers(0, 4 if case % 2 else 3, shape) + np.eye(*shape, dtype=int)
    if case % 4 == 0:
        table[:, 1] = table[:, 0] + (np.arange(len(table)) == 0)  # many ties
    table = table[table.any(axis=1)]
    found = of_table(table, 19)
    assert (found.method, found.standard_error) == ("exact", None)
    assert found.p == pytest.approx(float(listed_tail(table.tolist())), rel=1e-12)


def test_large_tables_of_two_classes_are_hypergeometric() -> None:
    for a, b, n, x in [(150, 90, 400, 50), (3000, 4000, 9000, 1400)]:
        found = of_table(np.array([[x, a - x], [b - x, n - a - b + x]]), 19)
        assert (found.method, found.standard_error) == ("exact", None)
        assert found.p == pytest.approx(hypergeometric_tail(n, a, b, x), rel=1e-8)  # scipy's own mass is good to 1e-10


def test_large_tables_of_many_classes_are_drawn_and_never_approximated() -> None:
    found = of_table(np.random.default_rng(4).integers(20, 60, (2, 12)), 399, 2)
    assert found.method == "permutations" and found.standard_error is not None
    drawn = found.p * (1 - SHARE)
    assert 1 / 400 < drawn < 1
    assert 20 / drawn == pytest.approx(round(20 / drawn)) or drawn * 400 == pytest.approx(round(drawn * 400))


def test_what_no_order_reaches_has_no_floor() -> None:
    """A table of 12 classes of which one is on one side only; sixty responses whose larger half is on the right."""
    table = np.array([[50, 0], *[[20, 30]] * 11]).T
    found = of_table(table, 19)
    assert found.log_p == pytest.approx(-np.log(SHARE) - log_of_cuts(table), rel=1e-12)
    assert found.p < 1e-7 and (found.method, found.standard_error) == ("evidence", None)
    found = of_rows(np.repeat([0, 1], 30), np.arange(60.0)[:, None], 19)
    assert found.p < 1e-8 and (found.method, found.standard_error) == ("evidence", None)


def between(groups: np.ndarray, order: tuple[float, ...]) -> Fraction:
    """The decrease in variance by two groups, but for constants, in Fractions."""
    values = [Fraction(x) for x in order]
    sums = [sum(v for v, g in zip(values, groups, strict=True) if g == side) for side in (0, 1)]
    return sum((s * s / int((groups == side).sum()) for side, s in enumerate(sums)), Fraction(0))


@pytest.mark.parametrize(
    "responses",
    [
        (1.0, 2.0, 4.0, 8.0, 16.0, 3.5),
        (0.0, 0.0, 1.0, 1.0, 1.0, 2.0),
        (0.1, 0.2, 0.3, 0.3, 0.2, 0.1),
        (1e9, 1e9 + 1, 0, 1, 2, 3),
    ],
)
def test_responses_are_permuted(responses: tuple[float, ...]) -> None:
    groups = np.array([1, 0, 0, 1, 0, 1])
    seen = between(groups, responses)
    ways = [between(groups, order) for order in permutations(responses)]
    exact = sum(way >= seen - abs(seen) / 10**12 for way in ways) / len(ways)
    each = [1 / of_rows(groups, np.array(responses)[:, None], 999, seed).p for seed in range(200)]
    # The number of orders until the 20th that scores as high has mean 20/p: 5 standard errors of their mean.
    expected = max(1.0, (1 - SHARE) / exact)
    assert np.mean(each) == pytest.approx(expected, abs=5 * np.std(each) / len(each) ** 0.5 + 1e-9)


def test_ties_count_as_reached() -> None:
    groups = np.repeat([0, 1], 10)
    same = np.tile([0.1, 0.7], 10)
    assert of_rows(groups, same[:, None], 99).p == 1.0


@pytest.mark.parametrize("permutations", [1, 19, 48, 49, 999])
def test_permutations_are_enough_if_their_least_p_value_is_the_level(permutations: int) -> None:
    enough(permutations, 1 / (1 + permutations))
    refused(f"pass permutations={permutations} or more", enough, permutations - 1, 1 / (1 + permutations))
