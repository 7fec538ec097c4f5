"""Actual impurity reduction and PIMP: their limits against all orders of the labels, their fits against scipy."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

import orders
from splitcrit import Impurity, entropy, gini, impurities, misclassification
from splitcrit.arith import FLOAT
from splitcrit.importance import adjusted, air, measure_of, pimp, standardised
from splitcrit.importance.permutation_scores import fitted_surprise, gamma_fit, normal_surprise, permuted_gains
from splitcrit.table import Table

NAMED = {"gini": gini, "misclassification": misclassification, "entropy": entropy}
TABLES = [[[3, 0], [1, 3]], [[2, 1], [1, 3]], [[1, 1, 0], [0, 1, 2], [1, 0, 1]]]
GAINS = {
    name: [orders.gains_of_all_orders(table, definition) for table in TABLES]
    for name, definition in orders.IMPURITIES.items()
}


def moments(name: str) -> list[tuple[float, float, float]]:
    """Gain, mean and standard deviation over all orders, for each table."""
    found = []
    for table, every in zip(TABLES, GAINS[name], strict=True):
        mean, variance = orders.mean_and_variance(every)
        found.append((float(orders.gain(table, orders.IMPURITIES[name])), float(mean), sqrt(variance)))
    return found


# In the limit of many permutations.


@pytest.mark.parametrize("name", NAMED)
def test_air_of_all_permutations_is_the_gain_less_the_mean_of_all_orders(name: str) -> None:
    criterion = air(NAMED[name], permutations=None)
    for table, (gain, mean, _) in zip(TABLES, moments(name), strict=True):
        assert float(criterion(table)) == pytest.approx(gain - mean, rel=1e-10)


@pytest.mark.parametrize("name", NAMED)
def test_pimp_of_all_permutations_is_a_normal_tail_with_the_moments_of_all_orders(name: str) -> None:
    criterion = pimp(NAMED[name], permutations=None)
    for table, (gain, mean, spread) in zip(TABLES, moments(name), strict=True):
        assert float(criterion(table)) == pytest.approx(-stats.norm.logsf(gain, mean, spread), rel=1e-9)


@pytest.mark.parametrize("name", NAMED)
def test_a_measure_of_pimp_takes_the_mean_spread_of_its_own_impurity(name: str) -> None:
    measured = measure_of(pimp(NAMED[name], permutations=None))(TABLES)
    each = moments(name)
    least = np.mean([spread for *_, spread in each])
    expected = [-stats.norm.logsf(gain, mean, max(spread, least)) for gain, mean, spread in each]
    assert measured.tolist() == pytest.approx(expected, rel=1e-9)
    assert len({round(spread, 9) for *_, spread in each}) > 1  # so that the mean spread matters


@pytest.mark.parametrize("factor", [1000, 1e-3])
@pytest.mark.parametrize("impurity", [gini, entropy, misclassification], ids=repr)
def test_the_unit_of_an_impurity_changes_no_pimp(impurity: Impurity, factor: float) -> None:
    scaled, tables = impurities.scaled(impurity, factor), [[[3, 0], [1, 6]], [[2, 1], [3, 4]], [[4, 1], [0, 3], [3, 3]]]
    for permutations in (None, 30):
        one, other = (measure_of(pimp(x, permutations=permutations))(tables) for x in (impurity, scaled))
        assert one.tolist() == pytest.approx(other.tolist(), rel=1e-9)


@pytest.mark.parametrize("impurity", [gini, entropy, impurities.scaled(gini, 1000)], ids=repr)
def test_drawn_permutations_tend_to_all_of_them(impurity: Impurity) -> None:
    tables = [[[6, 4], [3, 8], [5, 5]], [[9, 2], [4, 7]], [[2, 2], [3, 1], [1, 4], [6, 6]]]
    drawn, limit = (measure_of(pimp(impurity, permutations=n))(tables) for n in (20_000, None))
    assert drawn.tolist() == pytest.approx(limit.tolist(), rel=0.05)


@pytest.mark.parametrize("criterion", [air(misclassification, permutations=None), pimp(entropy, permutations=None)])
def test_large_tables_of_many_classes_have_one_score(criterion: Any) -> None:
    """Where no convolution is possible random tables stand in, the same each time."""
    table = np.random.default_rng(0).integers(20, 30, (4, 5)) + 3 * np.eye(4, 5, dtype=int)
    assert float(criterion(table)) == float(criterion(table)) != 0
    assert float(criterion(table[::-1])) == pytest.approx(float(criterion(table)), rel=1e-12)


# With a number of permutations.


@pytest.mark.parametrize("name", NAMED)
def test_permuted_gains_have_the_law_of_all_orders(name: str) -> None:
    """Each gain within five standard deviations of its share of all orders."""
    for table, every in zip(TABLES, GAINS[name], strict=True):
        n, true = 4000, Counter(round(float(g), 12) for g in every)
        drawn = Counter(permuted_gains(np.array(table), NAMED[name], n, 0).round(12).tolist())
        assert {g + 0.0 for g in drawn} <= {g + 0.0 for g in true}
        for value, ways in true.items():
            p = ways / len(every)
            assert abs(drawn[value] - n * p) < 5 * sqrt(n * p * (1 - p)) + 1


@pytest.mark.parametrize("permutations", [1, 7])
def test_air_takes_the_mean_of_its_permuted_gains(permutations: int) -> None:
    table = np.array(TABLES[2])
    gain = float(orders.gain(TABLES[2], orders.gini))
    drawn = permuted_gains(table, gini, permutations, 5)
    assert len(drawn) == permutations
    assert float(air(permutations=permutations, seed=5)(table)) == pytest.approx(gain - drawn.mean(), rel=1e-12)


def test_pimp_fits_a_normal_law_by_maximum_likelihood() -> None:
    table = np.array(TABLES[2])
    drawn, gain = permuted_gains(table, gini, 25, 3), float(orders.gain(TABLES[2], orders.gini))
    expected = -stats.norm.logsf(gain, *stats.norm.fit(drawn))
    assert float(pimp(permutations=25, seed=3)(table)) == pytest.approx(expected, rel=1e-10)


def test_a_shared_spread_of_drawn_gains_is_the_mean_of_all_features() -> None:
    drawn = [permuted_gains(np.array(table), gini, 25, 3) for table in TABLES]
    gains = [float(orders.gain(table, orders.gini)) for table in TABLES]
    least = np.mean([d.std() for d in drawn])
    expected = [-stats.norm.logsf(g, d.mean(), max(d.std(), least)) for g, d in zip(gains, drawn, strict=True)]
    found = measure_of(pimp(permutations=25, seed=3))(TABLES)
    assert found.tolist() == pytest.approx(expected, rel=1e-10)


def test_other_counts_are_permuted_by_other_draws() -> None:
    """Tables of equal margins have draws of their own, and the same table the same ones."""
    one, other = np.array([[4, 3], [3, 4]]), np.array([[5, 2], [2, 5]])
    first, second, again = (permuted_gains(table, gini, 20, 0).tolist() for table in (one, other, one))
    assert first == again != second


@pytest.mark.parametrize("law", ["lognormal", "gamma", "ks"])
def test_only_a_normal_law_shares_its_spread(law: Any) -> None:
    criterion = pimp(permutations=12, law=law)
    tables = [*TABLES, [[5, 5], [6, 4]], np.random.default_rng(2).integers(0, 4, (12, 2))]
    assert measure_of(criterion)(tables).tolist() == [float(criterion(table)) for table in tables]


@pytest.mark.parametrize("law", ["lognormal", "gamma", "ks"])
def test_the_limit_of_many_permutations_is_normal(law: Any) -> None:
    with pytest.raises(ValueError, match=f"is known for a normal law; got law='{law}'; pass a number of permutations"):
        pimp(permutations=None, law=law)


def test_empty_rows_and_columns_and_tables_change_nothing() -> None:
    wider = [[3, 0, 0], [0, 0, 0], [1, 0, 3]]
    for criterion in (air(), air(permutations=None), pimp(permutations=9), pimp(entropy, permutations=None)):
        assert float(criterion(wider)) == pytest.approx(float(criterion(TABLES[0])), rel=1e-12)
        assert float(criterion(np.zeros((2, 2), dtype=int))) == 0
        assert criterion(np.zeros((0, 2, 2), dtype=int)).shape == (0,)
    measure = measure_of(pimp(permutations=None))
    assert measure([np.zeros((2, 2), dtype=int)]).tolist() == [0.0] and measure([]).tolist() == []


def test_what_scores_cost() -> None:
    for maker in (air, pimp):
        made = [maker(permutations=n) for n in (None, 5)]
        assert [criterion.evaluations for criterion in made] == [1, 6]
        assert [measure_of(criterion).deterministic for criterion in made] == [True, False]
        assert [measure_of(criterion).evaluations(Table.of(TABLES[0])) for criterion in made] == [1, 6]


@pytest.mark.parametrize("maker", [air, pimp])
@pytest.mark.parametrize("wrong", [0, -1, 2.0, "3", True, float("nan")])
def test_numbers_of_permutations_are_checked(maker: Any, wrong: Any) -> None:
    with pytest.raises(ValueError, match="a number of permutations that is not None is an integer from"):
        maker(permutations=wrong)


@pytest.mark.parametrize("criterion", [air(), pimp()], ids=["air", "pimp"])
def test_only_counts_are_permuted(criterion: Any) -> None:
    for bad, said in (([[1.5, 1.0], [1.0, 1.0]], "1.5"), ([[-1.0, 1.0], [1.0, 1.0]], "-1")):
        with pytest.raises(ValueError, match=f"permutes labels, which are counted; got {said}; pass integer counts"):
            criterion.score(np.array(bad).T[:, :, None].transpose(1, 0, 2), FLOAT)


# Fitted laws.


@pytest.mark.parametrize("law", ["lognormal", "gamma"])
def test_a_gain_of_0_counts_as_half_the_least_positive_one(law: Any) -> None:
    drawn = np.array([0.0, 0.02, 0.05, 0.04, 0.0, 0.11])
    raised = np.array([0.01, 0.02, 0.05, 0.04, 0.01, 0.11])
    if law == "gamma":
        shape, _, scale = stats.gamma.fit(raised, floc=0)
        expected = -stats.gamma.logsf(0.08, shape, scale=scale)
    else:
        expected = -stats.norm.logsf(np.log(0.08), *stats.norm.fit(np.log(raised)))
    assert fitted_surprise(0.08, drawn, law) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("law", ["normal", "lognormal", "gamma", "ks"])
def test_a_gain_of_0_or_less_is_no_surprise_and_larger_ones_are_more(law: Any) -> None:
    drawn = np.random.default_rng(0).gamma(2.0, 1.0, 60)
    scores = [fitted_surprise(gain, drawn, law) for gain in (-0.1, 0.0, 0.5, 1.0, 3.0, 9.0, 40.0)]
    assert np.isfinite(scores).all() and (np.diff(scores) >= 0).all() and scores[-1] > scores[-2]
    assert 0 <= scores[0] < 0.1


def test_the_law_with_the_least_distance_is_that_of_scipys_test() -> None:
    rng = np.random.default_rng(1)
    for drawn in (rng.normal(9, 1, 80), rng.lognormal(0, 1.2, 80), rng.gamma(0.7, 1, 80)):
        shape, _, scale = stats.gamma.fit(drawn, floc=0)
        frozen = {
            "normal": stats.norm(*stats.norm.fit(drawn)),
            "lognormal": stats.lognorm(np.log(drawn).std(), scale=np.exp(np.log(drawn).mean())),
            "gamma": stats.gamma(shape, scale=scale),
        }
        best = min(frozen, key=lambda name: stats.kstest(drawn, frozen[name].cdf).statistic)
        gain = float(drawn.max())
        assert fitted_surprise(gain, drawn, "ks") == pytest.approx(-frozen[best].logsf(gain), rel=1e-3)


def test_a_normal_law_is_compared_with_the_gains_as_drawn() -> None:
    """Gains of 0 are raised for the laws without zeros only."""
    rng, some = np.random.default_rng(6), ([0, 2, 4, 7], [0, 0, 0, 1, 3, 4, 6], [0, 0, 2, 3, 3, 6, 7, 7])
    for drawn in [*np.array_split(np.maximum(rng.normal(1, 1, 500), 0.0), 20), *(np.array(x, float) for x in some)]:
        raised = np.where(drawn > 0, drawn, drawn[drawn > 0].min() / 2)
        shape, _, scale = stats.gamma.fit(raised, floc=0)
        logs = np.log(raised)
        laws = (
            (stats.norm(*stats.norm.fit(drawn)), drawn),
            (stats.lognorm(logs.std(), scale=np.exp(logs.mean())), raised),
            (stats.gamma(shape, scale=scale), raised),
        )
        best = min(laws, key=lambda pair: stats.kstest(pair[1], pair[0].cdf).statistic)[0]
        assert fitted_surprise(2.5, drawn, "ks") == pytest.approx(-best.logsf(2.5), rel=1e-3)


def test_the_shape_of_a_gamma_law_solves_its_equation() -> None:
    from scipy.special import digamma

    rng = np.random.default_rng(2)
    for true in (0.05, 1.0, 30.0, 4000.0):
        values = rng.gamma(true, 2.0, 50) + 1e-300
        shape, scale = gamma_fit(values)
        gap = log(values.mean()) - np.log(values).mean()
        assert log(shape) - digamma(shape) == pytest.approx(gap, rel=1e-7)
        assert shape * scale == pytest.approx(values.mean(), rel=1e-12)


def test_draws_that_are_all_equal_say_as_much_as_their_number() -> None:
    same = np.full(9, 0.25)
    assert [fitted_surprise(g, same) for g in (0.2, 0.25, 0.3)] == pytest.approx([0, 0, log(10)])
    assert fitted_surprise(0.3, same, least_spread=0.1) == pytest.approx(-stats.norm.logsf(0.5))
    assert normal_surprise(1.0, 0.5, 0.0, 4) == pytest.approx(log(5)) and normal_surprise(0.5, 0.5, 0.0, 4) == 0
    assert normal_surprise(3.0, 1.0, 4.0, 9) == pytest.approx(-stats.norm.logsf(0.5))


@pytest.mark.parametrize("table", [[[3, 0, 1], [0, 2, 1]], [[2, 0, 1], [1, 0, 2], [1, 0, 0]], [[2, 2, 1], [0, 0, 1]]])
def test_classes_keep_their_places_where_the_impurity_tells_them_apart(table: list[list[int]]) -> None:
    """The variance of the responses 0, 1 and 5 of three classes, one of which may be empty.

    To an impurity to which all classes are alike the last table has the gain of every order of its labels.
    """
    impurity = impurities.variance((0, 1, 5))

    def spread(counts: Any) -> float:
        return float(np.average((np.repeat([0, 1, 5], counts) - np.average([0, 1, 5], weights=counts)) ** 2))

    every = np.array(orders.gains_of_all_orders(table, spread), dtype=float)
    gain, law = float(orders.gain(table, spread)), (every.mean(), every.std())
    assert float(air(impurity, permutations=None)(table)) == pytest.approx(gain - law[0], rel=1e-9)
    assert float(pimp(impurity, permutations=None)(table)) == pytest.approx(-stats.norm.logsf(gain, *law), rel=1e-9)
    n = 3000
    assert abs(float(air(impurity, permutations=n)(table)) - (gain - law[0])) < 5 * law[1] / sqrt(n)
    drawn = permuted_gains(np.array(table), impurity, 300, 0)
    assert np.abs(drawn[:, None] - every).min(axis=1).max() < 1e-12


@pytest.mark.parametrize("large", [[[2**62] * 4, [1, 2, 3, 4]], [[2**62, 2**62], [2**62, 1]], [[2**52, 1], [2, 2**52]]])
@pytest.mark.parametrize(
    "criterion",
    [
        air(),
        air(permutations=None),
        pimp(),
        pimp(permutations=None),
        adjusted(entropy),
        adjusted(gini),
        standardised(entropy),
    ],
    ids=repr,
)
def test_totals_that_are_no_counts_in_floats_are_refused_for_that_reason(
    criterion: Any, large: list[list[int]]
) -> None:
    for asked in (criterion, lambda table: measure_of(criterion)([[[3, 1], [1, 2]], table])):
        with pytest.raises(ValueError, match=r"scores fewer than 2\*\*53 observations; got .*; take sgini"):
            asked(large)
    assert float(adjusted(gini)([[2**51, 1], [2, 2**51]])) == pytest.approx(1)
