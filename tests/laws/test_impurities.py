"""Laws of impurities: each is the minimised risk of its loss, in every arithmetic, and concave."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libraries import Library
from objects import CLASS_IMPURITIES, MARGIN_LOSSES, responses
from refusals import refused
from splitcrit import losses
from splitcrit.arith import EXACT, Irrational, arithmetic_of
from splitcrit.impurities import (
    Impurity,
    NumericRisk,
    absolute_deviation,
    entropy,
    gce,
    gini,
    misclassification,
    poisson,
    variance,
)
from splitcrit.losses import Loss

RNG = np.random.default_rng(1)


def distributions(classes: int, size: int = 200) -> np.ndarray:
    """Random distributions, sparse ones and all vertices among them."""
    p = RNG.dirichlet(np.ones(classes), size)
    p[: size // 4] = RNG.multinomial(6, np.ones(classes) / classes, size // 4) / 6
    return np.concatenate([p, np.eye(classes), np.full((1, classes), 1 / classes)])


def all_impurities(classes: int) -> list[Impurity]:
    return CLASS_IMPURITIES + responses(classes)


@pytest.mark.each_value
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_impurity_is_the_risk_of_its_loss_at_its_best_action(classes: int, library: Library) -> None:
    p = distributions(classes)
    for impurity in all_impurities(classes):
        assert impurity.loss is not None and impurity.loss.act is not None
        risk, value = library.run(Impurity.from_loss(impurity.loss), p), library.run(impurity, p)
        np.testing.assert_allclose(risk, value, rtol=1e-9, atol=1e-12, err_msg=repr(impurity))
        np.testing.assert_allclose(value, impurity(p), rtol=1e-12, atol=1e-15, err_msg=repr(impurity))


@pytest.mark.each_value
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_no_action_costs_less(classes: int, library: Library) -> None:
    p, w = distributions(classes, 60), distributions(classes, 60)
    for impurity in all_impurities(classes):
        loss = impurity.loss
        assert loss is not None
        actions = {
            "simplex": w.T,
            "line": RNG.normal(2, 5, len(w)),
            "reals": RNG.normal(0, 2, (classes, len(w))),
            "bits": RNG.integers(0, 2, (classes, len(w))),
        }[loss.space]
        m = arithmetic_of(library.array(np.ones(1)))
        given = library.array(actions.astype(float))
        entries = given if loss.space == "line" else [given[k, ...] for k in range(classes)]
        with np.errstate(all="ignore"):
            costs = np.stack([library.host(m.where(True, loss.at(entries, k, m), 0)) for k in range(classes)])
        for row, value in zip(p, library.run(impurity, p), strict=True):
            used = row > 0
            risks = (row[used, None] * costs[used]).sum(axis=0)
            assert (risks >= value - 1e-9 * (1 + value)).all(), (impurity, row)


@pytest.mark.parametrize(("loss", "impurity"), MARGIN_LOSSES.items(), ids=map(repr, MARGIN_LOSSES))
def test_margin_losses_have_the_impurity_the_papers_say(loss: Loss, impurity: Impurity, library: Library) -> None:
    p = distributions(2)
    risk = library.run(Impurity.from_loss(loss), p)
    np.testing.assert_allclose(risk, library.run(impurity, p), rtol=1e-9, atol=1e-12)


SEARCHED = [i.loss for i in CLASS_IMPURITIES[:3]] + list(MARGIN_LOSSES)[:7:2]


@pytest.mark.parametrize(
    "loss",
    [SEARCHED[0], SEARCHED[-1], *(pytest.param(each, marks=pytest.mark.slow) for each in SEARCHED[1:-1])],
    ids=repr,
)
def test_numerical_minimum_risk_at_two_classes(loss: Loss) -> None:
    p = np.concatenate([distributions(2, 60), [[1e-9, 1 - 1e-9], [1 - 3e-5, 3e-5]]])
    known = Impurity.from_loss(loss)(p)
    found = Impurity.from_loss(Loss(loss.name, loss.at, None, loss.space))(p)
    near_kinks = ~np.isclose(found, known, rtol=2e-8, atol=1e-15)  # one share in 800 is in a cell that holds one
    assert near_kinks.sum() <= 2
    np.testing.assert_allclose(found, known, rtol=1e-5, atol=1e-15)
    assert (found[(p == 0).any(axis=1)] < 1e-15).all()


@pytest.mark.parametrize(
    "loss",
    [
        losses.square,
        losses.zero_one,
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in (losses.cross_entropy, losses.mae, losses.gce(0.5), losses.ne(0.5))
        ),
    ],
    ids=repr,
)
def test_numerical_minimum_risk_at_three_classes(loss: Loss) -> None:
    p = distributions(3, 8)
    found = Impurity.from_loss(Loss(loss.name, loss.at, None))(p)
    np.testing.assert_allclose(found, Impurity.from_loss(loss)(p), rtol=1e-6, atol=1e-6)


def test_numerical_minimum_risk_on_the_line_for_many_classes() -> None:
    p, values = distributions(4, 20), (0, 1, 1, 10)
    for loss, impurity in zip((losses.squared_error(values), losses.absolute_error(values)), responses(4), strict=True):
        found = Impurity.from_loss(Loss(loss.name, loss.at, None, "line"))(p)
        np.testing.assert_allclose(found, impurity(p), rtol=1e-7, atol=1e-7)


def test_numerical_minimum_risk_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ValueError, match="simplex or the line only; got matushita on 'reals'; give the loss its act"):
        Impurity.from_loss(Loss("matushita", losses.matushita.at, None, "reals"))
    with pytest.raises(Irrational, match="FLOAT only; got EXACT"):
        NumericRisk(losses.square)([Fraction(1, 2), Fraction(1, 2)], EXACT)


@pytest.mark.each_value
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_every_impurity_is_concave_and_zero_at_vertices(classes: int, library: Library) -> None:
    p, q, t = distributions(classes), distributions(classes), RNG.random(len(distributions(classes)))[:, None]
    for impurity in all_impurities(classes):
        chord = t[:, 0] * library.run(impurity, p) + (1 - t[:, 0]) * library.run(impurity, q)
        assert (library.run(impurity, t * p + (1 - t) * q) >= chord - 1e-12).all(), impurity
        np.testing.assert_allclose(library.run(impurity, np.eye(classes)), 0, atol=1e-15)


def test_float_equals_exact(library: Library) -> None:
    @library.examples
    @given(st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(any))
    def law(counts: list[int]) -> None:
        p = [Fraction(n, sum(counts)) for n in counts]
        for impurity in CLASS_IMPURITIES:
            try:
                exact = impurity.of(p, EXACT)
            except Irrational:
                continue
            assert isinstance(exact, Fraction | int | float), impurity
            found = library.run(impurity, [float(x) for x in p])
            assert math.isclose(float(exact), found, rel_tol=1e-12, abs_tol=1e-15), impurity

    law()


def test_gce_runs_from_entropy_to_misclassification_without_underflow(library: Library) -> None:
    p = distributions(4, 40)
    np.testing.assert_allclose(library.run(gce(1e-6), p), entropy(p), atol=1e-4)
    for q in (0.999, 0.9999, 1 - 1e-9):
        np.testing.assert_allclose(library.run(gce(q), p), misclassification(p) / q, atol=3 * (1 - q) + 1e-12)
    assert math.isclose(gce(0.999)([3, 1]), (1 - 0.75 * (1 + (1 / 3) ** 1000) ** 0.001) / 0.999)


def test_batches_and_single_distributions_agree_bit_for_bit() -> None:
    p = distributions(4)
    for impurity in all_impurities(4):
        batch = impurity(p)
        assert all(impurity(row) == value for row, value in zip(p, batch, strict=True)), impurity
        np.testing.assert_array_equal(impurity(p.reshape(5, -1, 4)), batch.reshape(5, -1))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1], "must be non-negative; got -1 at class 1"),
        ([1, math.nan], "must be finite; got nan at class 1"),
        ([math.inf, 1], "must be finite; got inf at class 0"),
        ([0, 0], "positive weight; got only zeros"),
        ([], "at least one class"),
    ],
)
def test_bad_weights_are_refused(weights: list[float], message: str, library: Library) -> None:
    refused(message, gini, weights)
    refused("class", library.run, gini, weights)


@pytest.mark.parametrize("impurity", [variance((0, 1, 2)), absolute_deviation((0, 1, 2)), poisson((0, 1, 2))], ids=str)
def test_every_class_has_one_response(impurity: Impurity) -> None:
    refused("every class has one response; got 3 responses for 2 classes", impurity, [1, 1])
