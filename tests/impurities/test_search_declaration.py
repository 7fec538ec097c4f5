"""What the forms of the library's impurities say of class counts is what the impurities say of class shares."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit import Impurity, entropy, gce, gini, losses, misclassification, ne, scaled, shannon_entropy
from splitcrit.arith import FLOAT
from splitcrit.impurities import sqrt_gini
from splitcrit.impurities.search_declaration import (
    AGINI,
    DIFFERENCE,
    POWER,
    RATIO,
    ROOT,
    ChanceCorrected,
    Form,
    Powers,
    by_sums,
    squares,
    twoing_form,
)
from splitcrit.losses import Loss

SCALED = [
    scaled(gini, 3), scaled(scaled(gini, 3), 2), scaled(scaled(sqrt_gini, Fraction(1, 2)), 5), scaled(gce(0.5), 4),
    scaled(shannon_entropy(2), 3), scaled(misclassification, 3), scaled(scaled(ne(0.3), 2), 2), gce(3),
]  # fmt: skip
IMPURITIES = [gini, entropy, shannon_entropy(2), sqrt_gini, misclassification, ne(0.3), gce(0.5), *SCALED]
OF_SUMS = [impurity for impurity in IMPURITIES if impurity.search.form]
COUNTS = [c for K in (2, 3) for c in itertools.product(range(4), repeat=K) if sum(c)]


def of_counts(form: Form, counts: tuple[int, ...]) -> float:
    """``n`` times the impurity of a node, from the tables of its form."""
    n, S = sum(counts), sum(form.phi[c] for c in counts)
    if form.kind == RATIO:
        return form.unit * (n - form.table[n] * S)
    if form.kind == DIFFERENCE:
        return form.unit * (form.table[n] - S)
    if form.kind == ROOT:
        return form.unit * math.sqrt(form.table[n] - S)
    assert form.kind == POWER
    return form.unit * (n - S**form.power)


@pytest.mark.each_value
@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("impurity", OF_SUMS, ids=lambda impurity: impurity.name)
def test_the_form_of_an_impurity_is_its_formula(impurity: Impurity, counts: tuple[int, ...]) -> None:
    assert impurity.search.form
    form = impurity.search.form(sum(counts), len(counts))
    assert form is not None
    assert len(form.phi) == sum(counts) + 2  # one more than the largest node has
    assert of_counts(form, counts) == pytest.approx(sum(counts) * float(impurity(counts)), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("weights", [(1, 3), (2, 1, 5), (0, 4, 1, 1)])
@pytest.mark.parametrize("impurity", IMPURITIES, ids=lambda impurity: impurity.name)
def test_a_multiple_is_the_risk_of_the_multiple_of_the_loss(impurity: Impurity, weights: tuple[int, ...]) -> None:
    assert impurity.loss is not None and impurity.loss.act is not None
    p = [x / sum(weights) for x in weights]
    with np.errstate(all="ignore"):  # of a class that is absent
        risk = losses.risk(impurity.loss, impurity.loss.act(p, FLOAT), p, FLOAT)
    assert float(risk) == pytest.approx(float(impurity(weights)), rel=1e-12)


def test_a_multiple_of_a_multiple_is_one_of_the_first() -> None:
    twice = scaled(scaled(gini, 3), 2)
    assert twice.search.multiple_of is gini and scaled(twice, 5).search.multiple_of is gini
    assert twice([Fraction(1, 4), Fraction(3, 4)]) == 6 * Fraction(3, 8)
    for q in (1, 2, Fraction(5, 2)):
        assert gce(q)([Fraction(1, 4), Fraction(3, 4)]) == Fraction(1, 4) / q


def test_twoing_of_two_classes_is_half_of_ginis_gain_with_ginis_ties() -> None:
    form, of_gini = twoing_form(5, 2), squares(5, 2)
    assert of_counts(form, (2, 3)) == of_counts(of_gini, (2, 3)) / 2
    assert form.tie * form.unit == of_gini.tie * of_gini.unit


def test_a_variance_is_multiplied_by_the_odds_against_alpha() -> None:
    form = ChanceCorrected(AGINI, Fraction(1, 10))(5, 2)
    assert (form.kind, form.power) == (AGINI, 9.0)
    assert form.phi.tolist() == squares(5, 2).phi.tolist()


def test_the_power_of_gce_has_a_table_of_reciprocals() -> None:
    form = Powers(0.5)(3, 2)
    assert form is not None and form.table.tolist() == [1, 1, 1 / 2, 1 / 3, 1 / 4]
    assert Powers(0.999)(3, 2) is None  # 4^1000 is not finite


def test_a_sum_over_classes_has_times_or_less() -> None:
    form = by_sums(lambda n: n**2, times=lambda n: 1 / n, unit=2.0)
    assert form.form and (found := form.form(3, 2)) is not None
    assert of_counts(found, (1, 2)) == pytest.approx(2 * 3 * float(gini([1, 2])), rel=1e-12)
    for both in ({}, {"times": np.sqrt, "less": np.sqrt}):
        with pytest.raises(TypeError, match="times or less"):
            by_sums(lambda n: n, **both)


def test_the_base_of_a_logarithm_is_above_one() -> None:
    assert float(shannon_entropy(1.5)([1, 1])) == pytest.approx(math.log(2, 1.5), rel=1e-12)
    with pytest.raises(ValueError, match="above 1"):
        shannon_entropy(1)


def right(w: Any, k: int, m: Any) -> Any:
    """A reward for the right class, which is twice as large for the second one: the risk is ``-max(1 - p, 2 p)``."""
    return -(1 + k) * m.where(w[k] > w[1 - k], 1.0, 0.0)


def test_a_kink_is_found_wherever_it_lies_and_a_cost_below_zero_counts_as_it_is() -> None:
    p = np.linspace(0.32, 0.35, 1001)
    found = Impurity.from_loss(Loss("right", right))(np.stack([1 - p, p], axis=1))
    np.testing.assert_allclose(found, -np.maximum(1 - p, 2 * p), atol=2e-6)


@pytest.mark.parametrize(
    "cost", [0.151, 0.28, *(pytest.param(c, marks=pytest.mark.slow) for c in (0.2, 0.2203, 0.2517, 0.3011))]
)
def test_kinks_between_three_actions_are_found(cost: float) -> None:
    """Either class may be named, or neither at a cost: the risk is ``min(p, cost, 1 - p)``."""

    def refusing(w: Any, k: int, m: Any) -> Any:
        return m.where(abs(w) < 1, cost, m.where((w if k else -w) > 0, 0.0, 1.0))

    p = 1 - cost + np.linspace(-2e-3, 2e-3, 801)
    impurity = Impurity.from_loss(Loss("refusing", refusing, None, "line"))
    found = impurity(np.stack([1 - p, p], axis=1))
    np.testing.assert_allclose(found, np.minimum(cost, 1 - p), atol=2e-6)
    assert np.abs(found - np.minimum(cost, 1 - p)).max() <= impurity.search.error * cost  # as bounds allow for


def test_what_a_search_knows_of_a_loss() -> None:
    """Gains by a conservative loss are 0 where those of misclassification are; a formula has no error of its own."""
    known = {loss: Impurity.from_loss(loss).search for loss in (losses.zero_one, losses.mae, losses.square)}
    assert [search.zone for search in known.values()] == [1, 1, None]
    assert [search.error for search in known.values()] == [0, 0, 0]


def test_forms_of_users_are_tried_and_those_of_the_library_are_not() -> None:
    mine = Impurity("mine", gini.of, search=by_sums(lambda n: n * n, times=lambda n: 1 / n))
    for impurity in (mine, scaled(mine, 2), scaled(scaled(mine, 2), 3)):
        assert impurity.search.tried
    assert not any(impurity.search.tried for impurity in OF_SUMS)
