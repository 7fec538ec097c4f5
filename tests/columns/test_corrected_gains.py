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
    bayes_sum,
    entropy,
    gini,
    imprecise_information_gain,
    impurities,
    matushita,
    misclassification,
    normalised,
    one_vs_rest_pairwise_gain,
    sgini,
    sqrt_gini,
    sum_minority,
)
from splitcrit.columns import adjusted, gain_moments, standardised
from splitcrit.columns.chance_moments import drawn_gains, seeded_moments
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


@pytest.fixture(scope="module", params=NAMED)
def named(request: pytest.FixtureRequest) -> tuple[Any, list[list[Any]]]:
    """An impurity, and the gains of every order of the labels of each table."""
    return NAMED[request.param], [orders.gains_of_all_orders(t, orders.IMPURITIES[request.param]) for t in TABLES]


def test_moments_are_those_of_all_orders(named: tuple[Any, list[list[Any]]]) -> None:
    impurity, gains = named
    for table, every in zip(TABLES, gains, strict=True):
        mean, variance = map(float, orders.mean_and_variance(every))
        margins = np.sum(table, axis=1), np.sum(table, axis=0)
        for found in (gain_moments(*margins, impurity), seeded_moments(*margins, impurity)):
            assert (found.mean, found.variance) == pytest.approx((mean, variance), rel=1e-10, abs=1e-15)


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
            assert gain_moments(a, b, impurity).variance == 0
    assert gain_moments((20_000, 39_999), (30_000, 29_999), misclassification).variance > 0


def test_a_drawn_variance_is_that_of_the_sample() -> None:
    """Without bias, by the number of draws less one; the error is that of the fourth moment."""
    a, b = (4, 5, 6), (3, 5, 7)
    found = gain_moments(a, b, misclassification, samples=5, largest=1, rng=np.random.default_rng(11))
    gains = drawn_gains(a, b, misclassification, 5, np.random.default_rng(11))
    assert found.method == "monte_carlo" and found.mean == pytest.approx(gains.mean(), rel=1e-14)
    assert found.variance == pytest.approx(gains.var(ddof=1), rel=1e-12)
    fourth = ((gains - gains.mean()) ** 4).mean()
    assert found.standard_error == pytest.approx(sqrt(max(fourth - gains.var(ddof=1) ** 2, 0) / 5), rel=1e-9)


def test_drawn_tables_have_the_margins_and_only_gains_that_can_be() -> None:
    table = [[2, 1], [1, 3]]
    for name, definition in orders.IMPURITIES.items():
        possible = np.unique([float(g) for g in orders.gains_of_all_orders(table, definition)])
        drawn = drawn_gains((3, 4), (3, 4), NAMED[name], 400, np.random.default_rng(0))
        assert np.abs(drawn[:, None] - possible).min(axis=1).max() < 1e-15
        assert (np.abs(np.unique(drawn.round(12))[:, None] - possible).min(axis=1) < 1e-12).all()
        assert len(np.unique(drawn.round(12))) == len(np.unique(possible.round(12)))


def test_equal_margins_are_convolved_up_to_the_limit_and_drawn_beyond() -> None:
    a, b = (5, 6), (4, 7)
    margins = (*a, 3), (*b, 3)
    methods = [gain_moments(*margins, misclassification, largest=n, rng=0).method for n in (20, 19)]
    assert methods == ["convolution", "monte_carlo"]
    assert gain_moments(a, b, gini, largest=1).method == "formula"
    for impurity in (entropy, matushita, bayes_sum):
        assert gain_moments(*margins, impurity, largest=1).method == "corners"
    for impurity in (misclassification, sqrt_gini, impurities.gce(0.5), impurities.variance((0, 3))):
        assert gain_moments(a, b, impurity, largest=1).method == "corners"


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
    found = gain_moments(np.sum(table, axis=1), np.sum(table, axis=0), impurity)
    assert (found.mean, found.variance) == pytest.approx((float(mean), float(spread)), rel=1e-10)
    assert float(standardised(impurity)(table)) == pytest.approx(float(gain - mean) / sqrt(spread), rel=1e-9)
    assert float(adjusted(impurity)(table)) == pytest.approx(float((gain - mean) / (node - mean)), rel=1e-9)
    both = [table, [row[::-1] for row in table]]
    for maker in (standardised, adjusted):
        assert maker(impurity)(both).tolist() == pytest.approx([float(maker(impurity)(t)) for t in both], rel=1e-12)
    drawn = gain_moments(np.sum(table, axis=1), np.sum(table, axis=0), impurity, largest=0, samples=4000, rng=1)
    assert abs(drawn.mean - float(mean)) < 4 * sqrt(spread / 4000)


def test_the_impurity_of_the_node_is_that_of_its_classes() -> None:
    lopsided = Impurity("lopsided", lambda p, m: p[0] * p[1] * (1 + 3 * p[0]))
    table = [[4, 1], [1, 1]]
    mean = gain_moments([5, 2], [5, 2], lopsided).mean
    node = 5 / 7 * 2 / 7 * (1 + 15 / 7)
    gain = node - (5 / 7 * 4 / 25 * (1 + 12 / 5) + 2 / 7 * 1 / 4 * (1 + 3 / 2))
    assert float(adjusted(lopsided)(table)) == pytest.approx((gain - mean) / (node - mean), rel=1e-12)


# Criteria that are no decrease of an impurity.


@pytest.mark.parametrize(
    "criterion", [chi_square, g_statistic, normalised(entropy), one_vs_rest_pairwise_gain], ids=repr
)
def test_sums_over_cells_are_corrected_by_all_tables_of_their_margins(criterion: Criterion) -> None:
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


def test_a_score_that_mixes_cells_is_refused_in_a_sentence() -> None:
    sentence = "adds up functions of one cell each; got imprecise_information_gain.* of a table of 2 rows and 3 classes"
    with pytest.raises(ValueError, match=sentence):
        standardised(imprecise_information_gain(1))([[3, 0, 1], [0, 2, 2]])
    with pytest.raises(ValueError, match="no decrease of an impurity is corrected if it"):
        adjusted(sum_minority)([[3, 0, 1], [0, 2, 2]])
    assert repr(standardised(chi_square, seed=3)) == "standardised(chi_square, seed=3)"
    for wrong in (3, None, "entropy"):
        with pytest.raises(TypeError, match="a criterion or an impurity is expected"):
            standardised(wrong)  # type: ignore[arg-type]
