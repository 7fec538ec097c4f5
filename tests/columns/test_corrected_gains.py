"""Corrected gains and their laws against literally all orders of the labels; batches whose tables share margins."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest

import cell_sums
import orders
from splitcrit import (
    Criterion,
    Impurity,
    decrease,
    entropy,
    gini,
    imprecise_information_gain,
    impurities,
    misclassification,
    normalised,
    one_vs_rest_pairwise_gain,
    sgini,
    sum_minority,
)
from splitcrit.columns import adjusted, corrected_gains, standardised
from splitcrit.columns.corrected_gains import moments_by_chance
from splitcrit.criteria import chi_square, g_statistic

NAMED = {"gini": gini, "misclassification": misclassification, "entropy": entropy}
TABLES = [
    [[3, 0], [1, 3]],
    [[2, 1], [1, 3]],
    [[1, 1, 0], [0, 1, 2], [1, 0, 1]],
    [[4, 0], [0, 3]],
    [[2, 0, 1], [0, 3, 1]],
    [[1, 0], [1, 1], [0, 1], [2, 1]],
]
BATCH = [[[3, 0], [1, 6]], [[2, 1], [3, 4]]]  # equal row totals, other class totals


def of_margins(table: Any, impurity: Impurity, **how: Any) -> tuple[float, float]:
    """Mean and variance of a gain over all orders of the labels of a table."""
    rows, columns = (tuple(np.sum(table, axis=axis).tolist()) for axis in (1, 0))
    return moments_by_chance(decrease(impurity), rows, columns, **how)


@pytest.fixture(scope="module", params=NAMED)
def named(request: pytest.FixtureRequest) -> tuple[Any, list[list[Any]]]:
    """An impurity, and the gains of every order of the labels of each table."""
    return NAMED[request.param], [orders.gains_of_all_orders(t, orders.IMPURITIES[request.param]) for t in TABLES]


def test_moments_are_those_of_all_orders(named: tuple[Any, list[list[Any]]]) -> None:
    impurity, gains = named
    for table, every in zip(TABLES, gains, strict=True):
        mean, variance = map(float, orders.mean_and_variance(every))
        assert of_margins(table, impurity) == pytest.approx((mean, variance), rel=1e-10, abs=1e-15)


def test_scores_are_the_formulas_over_all_orders(named: tuple[Any, list[list[Any]]]) -> None:
    impurity, gains = named
    for table, every in zip(TABLES, gains, strict=True):
        definition = orders.IMPURITIES[impurity.name]
        gain, node = orders.gain(table, definition), definition([sum(c) for c in zip(*table, strict=True)])
        mean, variance = orders.mean_and_variance(every)
        assert float(standardised(impurity)(table)) == pytest.approx(float(gain - mean) / sqrt(variance), rel=1e-9)
        assert float(adjusted(impurity)(table)) == pytest.approx(float((gain - mean) / (node - mean)), rel=1e-9)


@pytest.mark.parametrize("maker", [standardised, adjusted])
@pytest.mark.parametrize("impurity", [gini, entropy, misclassification], ids=repr)
def test_tables_of_a_batch_share_a_law_only_if_both_margins_agree(maker: Any, impurity: Any) -> None:
    """Equal row totals are not enough, nor are equal class totals."""
    criterion = maker(impurity)
    for batch in (BATCH, BATCH[::-1], [np.transpose(t) for t in BATCH]):
        alone = [float(criterion(np.array(table))) for table in batch]
        assert criterion(np.array(batch)).tolist() == pytest.approx(alone, rel=1e-12)
    turned = [[[6, 1], [0, 3]], BATCH[0]]  # the same margins in another order
    assert criterion(turned).tolist() == pytest.approx([float(criterion(table)) for table in turned], rel=1e-12)


def test_empty_tables_rows_and_columns_change_nothing() -> None:
    table = [[3, 0, 1], [0, 2, 2]]
    wider = [[3, 0, 0, 1], [0, 0, 0, 0], [0, 0, 2, 2]]
    for criterion in (standardised(entropy), adjusted(entropy), standardised(misclassification), adjusted(gini)):
        assert float(criterion(wider)) == pytest.approx(float(criterion(table)), rel=1e-12)
        assert float(criterion(np.zeros((2, 2), dtype=int))) == 0.0
        assert criterion(np.zeros((0, 2, 2), dtype=int)).shape == (0,)


def test_what_no_order_changes_scores_0() -> None:
    for table in ([[5, 0], [4, 0]], [[2, 3]], [[1, 0], [0, 1]]):
        assert [float(maker(entropy)(table)) for maker in (standardised, adjusted)] == [0.0, 0.0]


def test_margins_of_many_labels_that_leave_nothing_to_chance_have_no_variance() -> None:
    """Nor does a large table warn of what it leaves out."""
    still = ((1, 1999), (1000, 1000)), ((1,) * 300, (100, 200)), ((1, 299), (100,) * 3), ((500,) * 9, (1, 4499))
    for a, b in still:
        for impurity in (entropy, misclassification, impurities.gce(0.5)):
            assert moments_by_chance(decrease(impurity), a, b)[1] == 0
    assert moments_by_chance(decrease(misclassification), (20_000, 39_999), (30_000, 29_999))[1] > 0


def test_few_tables_are_listed_and_of_more_random_ones_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both agree within the error of drawing; what is a sum over cells is neither listed nor drawn."""
    table = [[30, 10, 5], [2, 20, 8], [3, 10, 7]]
    exact = of_margins(table, misclassification)
    sums = [of_margins(table, impurity) for impurity in (gini, entropy)]
    monkeypatch.setattr(corrected_gains, "LISTED", 1)
    moments_by_chance.cache_clear()
    mean, variance = of_margins(table, misclassification, samples=4000)
    assert mean != exact[0] and abs(mean - exact[0]) < 4 * sqrt(exact[1] / 4000)
    assert abs(variance / exact[1] - 1) < 4 * sqrt(2 / 4000)  # of a gain whose law has no heavy tail
    assert of_margins(table[::-1], misclassification, samples=4000) == (mean, variance)
    assert of_margins([*table, [0, 0, 0]], misclassification, samples=4000) == (mean, variance)
    assert of_margins(table, misclassification, samples=4000, seed=1) != (mean, variance)
    assert [of_margins(table, impurity) for impurity in (gini, entropy)] == sums


def test_what_takes_too_long_has_an_exact_mean_and_random_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    table = [[30, 10, 5], [2, 20, 8], [3, 10, 7]]
    exact = of_margins(table, entropy)
    monkeypatch.setattr(corrected_gains, "STEPS", 10)
    monkeypatch.setattr(corrected_gains, "LISTED", 1)
    moments_by_chance.cache_clear()
    mean, variance = of_margins(table, entropy, samples=500)
    assert mean == exact[0] and variance != exact[1] and variance == pytest.approx(exact[1], rel=0.4)


@pytest.mark.parametrize("factor", [1000, 1e-6])
def test_a_unit_changes_no_corrected_gain(factor: float) -> None:
    for table in [*TABLES, [[30, 2, 8], [3, 40, 1], [9, 9, 9]]]:
        for impurity in (gini, entropy, misclassification):
            scaled = impurities.scaled(impurity, factor)
            for maker in (standardised, adjusted):
                assert float(maker(scaled)(table)) == pytest.approx(float(maker(impurity)(table)), rel=1e-9, abs=1e-12)
    assert float(standardised(impurities.scaled(gini, factor))(TABLES[0])) == pytest.approx(sgini(TABLES[0]), rel=1e-9)


def test_large_tables_have_one_score_for_a_seed_and_another_for_another() -> None:
    table = np.random.default_rng(0).integers(20, 30, (4, 5)) + 3 * np.eye(4, 5, dtype=int)
    for maker in (standardised, adjusted):
        one, again, other = (float(maker(misclassification, seed=s, samples=50)(table)) for s in (0, 0, 1))
        assert one == again != other
        assert one == pytest.approx(other, rel=0.6)
        assert float(maker(misclassification, samples=50)(table[::-1])) == pytest.approx(one, rel=1e-12)


def test_criteria_print_what_makes_them() -> None:
    assert repr(standardised(entropy)) == "standardised(entropy)"
    assert repr(adjusted(entropy, samples=5, seed=2)) == "adjusted(entropy, samples=5, seed=2)"


# Impurities that tell the classes apart.


def variance(responses: tuple[int, ...]) -> Any:
    """Return the variance of the responses of classes with these counts, in Fractions."""

    def of(counts: Any) -> Fraction:
        n = sum(counts)
        mean = sum((Fraction(c * x, n) for c, x in zip(counts, responses, strict=True)), Fraction(0))
        return sum((Fraction(c, n) * (x - mean) ** 2 for c, x in zip(counts, responses, strict=True)), Fraction(0))

    return of


@pytest.mark.parametrize(
    "table",
    [
        [[3, 0, 1], [0, 2, 1]],
        [[0, 3, 1], [2, 0, 1]],
        [[2, 0, 1], [1, 0, 2], [1, 0, 0]],
        [[2, 2, 1], [0, 0, 1]],  # every order has the same gain by an impurity to which all classes are alike
    ],
)
def test_classes_keep_their_places_where_the_impurity_tells_them_apart(table: list[list[int]]) -> None:
    """Class totals in another order, or an empty class, are not the same table to the variance of responses."""
    responses = (0, 1, 5)
    impurity, definition = impurities.variance(responses), variance(responses)
    every, node = orders.gains_of_all_orders(table, definition), definition([sum(c) for c in zip(*table, strict=True)])
    gain, (mean, spread) = orders.gain(table, definition), orders.mean_and_variance(every)
    assert of_margins(table, impurity) == pytest.approx((float(mean), float(spread)), rel=1e-10)
    assert float(standardised(impurity)(table)) == pytest.approx(float(gain - mean) / sqrt(spread), rel=1e-9)
    assert float(adjusted(impurity)(table)) == pytest.approx(float((gain - mean) / (node - mean)), rel=1e-9)
    both = [table, [row[::-1] for row in table]]
    for maker in (standardised, adjusted):
        assert maker(impurity)(both).tolist() == pytest.approx([float(maker(impurity)(t)) for t in both], rel=1e-12)


def test_the_impurity_of_the_node_is_that_of_its_classes() -> None:
    lopsided = Impurity("lopsided", lambda p, m: p[0] * p[1] * (1 + 3 * p[0]))
    table = [[4, 1], [1, 1]]
    mean, _ = moments_by_chance(decrease(lopsided), (5, 2), (5, 2))
    node = 5 / 7 * 2 / 7 * (1 + 15 / 7)
    gain = node - (5 / 7 * 4 / 25 * (1 + 12 / 5) + 2 / 7 * 1 / 4 * (1 + 3 / 2))
    assert float(adjusted(lopsided)(table)) == pytest.approx((gain - mean) / (node - mean), rel=1e-12)


# Criteria that are no decrease of an impurity.


@pytest.mark.parametrize(
    "criterion", [chi_square, g_statistic, normalised(entropy), one_vs_rest_pairwise_gain, sum_minority,
                  imprecise_information_gain(1)], ids=repr
)  # fmt: skip
def test_any_criterion_is_corrected_by_all_tables_of_its_margins(criterion: Criterion) -> None:
    for table in ([[3, 0, 1], [0, 2, 2]], [[1, 2, 0], [0, 1, 4]], [[2, 3], [4, 1]]):
        rows, columns = (tuple(np.sum(table, axis=axis).tolist()) for axis in (1, 0))
        every = [(float(criterion(np.array(t))), float(p)) for t, p in cell_sums.tables(rows, columns)]
        mean = sum(p * s for s, p in every)
        spread = sum(p * (s - mean) ** 2 for s, p in every) ** 0.5
        score = float(criterion(table))
        assert float(standardised(criterion)(table)) == pytest.approx((score - mean) / spread, rel=1e-9)
        if criterion.rows is None:
            top = float(criterion(np.diag(columns)))
            assert float(adjusted(criterion)(table)) == pytest.approx((score - mean) / (top - mean), rel=1e-9)
    assert float(standardised(criterion)(np.zeros((2, 3), dtype=int))) == 0


def test_what_is_no_criterion_is_refused_in_a_sentence() -> None:
    assert repr(standardised(chi_square, seed=3)) == "standardised(chi_square, seed=3)"
    for wrong in (3, None, "entropy"):
        with pytest.raises(TypeError, match="a criterion or an impurity is expected"):
            standardised(wrong)  # type: ignore[arg-type]
