"""What the forms of the library's impurities say of class counts is what the impurities say of class shares."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from refusals import refused
from splitcrit import Criterion, Impurity, entropy, gce, gini, losses, misclassification, ne, scaled, shannon_entropy
from splitcrit.arith import FLOAT
from splitcrit.impurities import absolute_deviation, poisson, search_declaration, sqrt_gini, variance
from splitcrit.losses import Loss

SCALED = [
    scaled(gini, 3), scaled(scaled(gini, 3), 2), scaled(scaled(sqrt_gini, Fraction(1, 2)), 5), scaled(gce(0.5), 4),
    scaled(shannon_entropy(2), 3), scaled(misclassification, 3), scaled(scaled(ne(0.3), 2), 2), gce(3),
]  # fmt: skip
IMPURITIES = [gini, entropy, shannon_entropy(2), sqrt_gini, misclassification, ne(0.3), gce(0.5), *SCALED]
OF_SUMS = [impurity for impurity in IMPURITIES if impurity.search.form]
COUNTS = [c for K in (2, 3) for c in itertools.product(range(4), repeat=K) if sum(c)]


def of_counts(form: search_declaration.Form, counts: tuple[int, ...]) -> float:
    """``n`` times the impurity of a node, from the tables of its form."""
    n, S = sum(counts), sum(form.phi[c] for c in counts)
    if form.kind == search_declaration.RATIO:
        return form.unit * (n - form.table[n] * S)
    if form.kind == search_declaration.DIFFERENCE:
        return form.unit * (form.table[n] - S)
    if form.kind == search_declaration.ROOT:
        return form.unit * math.sqrt(form.table[n] - S)
    assert form.kind == search_declaration.POWER
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


def test_the_power_of_gce_has_a_table_of_reciprocals() -> None:
    form = search_declaration.Powers(0.5)(3, 2)
    assert form is not None and form.table.tolist() == [1, 1, 1 / 2, 1 / 3, 1 / 4]
    assert search_declaration.Powers(0.999)(3, 2) is None  # 4^1000 is not finite


def test_a_sum_over_classes_has_times_or_less() -> None:
    form = search_declaration.by_sums(lambda n: n**2, times=lambda n: 1 / n, unit=2.0)
    assert form.form and (found := form.form(3, 2)) is not None
    assert of_counts(found, (1, 2)) == pytest.approx(2 * 3 * float(gini([1, 2])), rel=1e-12)
    for both in ({}, {"times": np.sqrt, "less": np.sqrt}):
        refused("times or less", search_declaration.by_sums, lambda n: n, error=TypeError, **both)


def test_the_base_of_a_logarithm_is_above_one() -> None:
    assert float(shannon_entropy(1.5)([1, 1])) == pytest.approx(math.log(2, 1.5), rel=1e-12)
    refused("above 1", shannon_entropy, 1)


def right(w: Any, k: int, m: Any) -> Any:
    """A reward for the right class, which is twice as large for the second one: the risk is ``-max(1 - p, 2 p)``."""
    return -(1 + k) * m.where(w[k] > w[1 - k], 1.0, 0.0)


def test_a_kink_is_found_wherever_it_lies_and_a_cost_below_zero_counts_as_it_is() -> None:
    p = np.linspace(0.32, 0.35, 1001)
    found = Impurity.from_loss(Loss("right", right))(np.stack([1 - p, p], axis=1))
    np.testing.assert_allclose(found, -np.maximum(1 - p, 2 * p), atol=2e-6)


@pytest.mark.parametrize(
    "cost", [0.151, *(pytest.param(c, marks=pytest.mark.slow) for c in (0.2, 0.2203, 0.2517, 0.28, 0.3011))]
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
    mine = Impurity("mine", gini.of, search=search_declaration.by_sums(lambda n: n * n, times=lambda n: 1 / n))
    for impurity in (mine, scaled(mine, 2), scaled(scaled(mine, 2), 3)):
        assert impurity.search.tried
    assert not any(impurity.search.tried for impurity in OF_SUMS)


# The least risk of a loss that costs something, and not the same, where one class is alone.

BASE = (1.0, 3.0)


def uneven(w: Any, k: int, m: Any) -> Any:
    """A cost that is least, and still 1 or 3, for a sure and right action."""
    return BASE[k] + (1 - w[k]) ** 2


UNEVEN = Impurity.from_loss(Loss("uneven", uneven))


def least_risk(p: float) -> float:
    """``(1-p)(1 + u^2) + p (3 + (1-u)^2)`` at its minimum ``u = p``: ``1 + 2 p + p (1-p)``."""
    return (1 - p) * (BASE[0] + p * p) + p * (BASE[1] + (1 - p) ** 2)


def test_pure_nodes_keep_the_cost_of_their_class() -> None:
    assert [float(UNEVEN(p)) for p in ([1, 0], [0, 1])] == pytest.approx(list(BASE), rel=1e-12)
    assert [float(UNEVEN(p)) for p in ([7, 0], [0, 1e-9])] == pytest.approx(list(BASE), rel=1e-12)


@pytest.mark.parametrize("p", [1e-12, 1e-3, 0.1, 0.25, 0.5, 0.7, 0.999, 1 - 1e-12])
def test_mixed_nodes_have_the_least_risk(p: float) -> None:
    assert float(UNEVEN([1 - p, p])) == pytest.approx(least_risk(p), rel=1e-9)


def test_a_batch_with_pure_nodes_is_scored_one_by_one() -> None:
    p = np.array([0.0, 1e-300, 1e-17, 0.3, 1 - 1e-16, 1.0])
    found = UNEVEN(np.stack([1 - p, p], axis=-1))
    assert found.tolist() == pytest.approx([least_risk(x) for x in p], rel=1e-9)
    assert (np.diff(found[:4]) >= 0).all()


def test_a_split_into_pure_rows_gains_what_is_mixed() -> None:
    """The costs of the classes stay: of ``1 + 2 p + p (1 - p)`` only ``p (1 - p)`` is gained."""
    gain = Criterion.from_loss(Loss("uneven", uneven))
    for a, b in ((3, 1), (1, 3), (2, 2)):
        p = b / (a + b)
        assert float(gain([[a, 0], [0, b]])) == pytest.approx(p * (1 - p), rel=1e-8)
        assert float(gain([[a, 0], [b, 0]])) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("weights", [(5, 3, 2), (1, 1, 6), (1, 2, 3, 4)])
def test_a_best_action_at_a_vertex_alone_is_found(weights: tuple[int, ...]) -> None:
    found = Impurity.from_loss(Loss("certain", lambda w, k, m: m.where(w[k] >= 1, 0.0, 1.0)))(weights)
    assert float(found) == pytest.approx(1 - max(weights) / sum(weights), rel=1e-12)


# Impurities of responses by their definitions, and the name of a loss at every parameter.

VALUES = (0, 7, 2.5, 1)
WEIGHTS = [w for w in np.ndindex(3, 3, 3, 3) if sum(w)]


def mean(terms: list[float], weights: tuple[int, ...]) -> float:
    return sum(w * x for w, x in zip(weights, terms, strict=True)) / sum(weights)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_impurities_of_responses_by_their_definitions(weights: tuple[int, ...]) -> None:
    centre = mean(list(VALUES), weights)
    held = sorted(v for v, w in zip(VALUES, weights, strict=True) for _ in range(w))
    median = held[len(held) // 2]
    logs = [v * math.log(v / centre) if v else 0.0 for v in VALUES] if centre else [0.0] * 4
    for impurity, terms in (
        (variance(VALUES), [(v - centre) ** 2 for v in VALUES]),
        (absolute_deviation(VALUES), [abs(v - median) for v in VALUES]),
        (poisson(VALUES), logs),
    ):
        assert float(impurity(weights)) == pytest.approx(mean(terms, weights), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("lam", [0, 0.3, 1])
def test_ne_names_its_loss_at_every_parameter(lam: float) -> None:
    assert ne(lam).loss == losses.ne(lam)
    assert ne(lam).name == losses.ne(lam).name
    assert losses.negative_exponential(0.3).name == "negative_exponential(lam=0.3)"
