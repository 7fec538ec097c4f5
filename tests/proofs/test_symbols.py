"""The SYMBOL arithmetic says of symbols what the others say of numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy

from objects import CLASS_IMPURITIES, responses
from splitcrit import Impurity, decrease, gini, losses, pairwise_gain, sum_minority, twoing
from splitcrit.arith import FLOAT
from splitcrit.criteria import one_vs_rest_pairwise_gain
from splitcrit.proofs.symbols import SYMBOL, classes, counts, latex, symbol

POINT = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
TABLE = ((3, 1), (2, 5))


@pytest.mark.parametrize("impurity", [*CLASS_IMPURITIES, *responses(3)], ids=str)
def test_an_impurity_of_symbols_has_the_value_of_the_formula(impurity: Impurity) -> None:
    p = classes(3)
    values = dict(zip(map(SYMBOL.read, p), map(SYMBOL.read, POINT), strict=True))
    found = float(SYMBOL.read(impurity.of(p, SYMBOL)).subs(values))
    assert found == pytest.approx(float(impurity([float(x) for x in POINT])), rel=1e-12)


@pytest.mark.parametrize(
    "criterion", [decrease(gini), twoing, pairwise_gain, one_vs_rest_pairwise_gain, sum_minority], ids=str
)
def test_a_criterion_of_symbols_has_the_exact_value_of_the_formula(criterion) -> None:  # type: ignore[no-untyped-def]
    t = counts()
    values = dict(zip((SYMBOL.read(x) for row in t for x in row), np.ravel(TABLE).tolist(), strict=True))
    exact = criterion.exact(TABLE)
    assert SYMBOL.read(criterion.score(t, SYMBOL)).subs(values) == sympy.Rational(exact.numerator, exact.denominator)


@pytest.mark.parametrize("loss", [losses.exponential, losses.hinge, losses.ramp, losses.sigmoid, losses.logistic])
def test_a_loss_of_symbols_has_the_value_of_the_formula(loss: losses.Loss) -> None:
    w = symbol("w", real=True)
    for k in (0, 1):
        shown = SYMBOL.read(loss.at(w, k, SYMBOL))
        found = [float(shown.subs(SYMBOL.read(w), x)) for x in (-2, Fraction(1, 3), 3)]
        assert found == pytest.approx([float(loss.at(x, k, FLOAT)) for x in np.array([-2, 1 / 3, 3])])


def test_two_classes_are_written_in_one_letter() -> None:
    assert (sum(classes(2)) == 1) is True
    assert latex(pairwise_gain.score(counts(), SYMBOL)) == r"\frac{\left|{a d - b c}\right|}{2}"
    assert latex(SYMBOL.number(0.3)) == r"\frac{3}{10}"


def test_a_formula_is_shown_without_the_cases_of_empty_classes() -> None:
    loss = losses.Loss(
        "twice",
        lambda w, k, m: (2 - k) * sum((w[j] - int(j == k)) ** 2 for j in range(2)),
        lambda p, m: [2 * p[0] / (2 * p[0] + p[1]), p[1] / (2 * p[0] + p[1])],
    )
    shown = SYMBOL.read(Impurity.from_loss(loss).of(classes(2), SYMBOL))
    assert not shown.has(sympy.Piecewise)
    assert latex(sympy.factor(shown)) == r"\frac{4 p \left(-1 + p\right)}{-2 + p}"
