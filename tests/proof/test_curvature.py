"""Second derivatives along a line, against second differences in floats of the standard library."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from splitcrit.arith import EXACT
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.curvature import bend
from splitcrit.proof.undecided import Undecided

P, D = (Fraction(1, 5), Fraction(4, 5)), (Fraction(1), Fraction(-1, 2))
FORMULAS: dict[str, tuple[Callable[..., Any], Callable[..., float]]] = {
    "a product": (lambda p, m: p[0] * p[1] * 3, lambda a, b: a * b * 3),
    "a quotient": (lambda p, m: (1 - p[0]) / (p[1] + 2), lambda a, b: (1 - a) / (b + 2)),
    "a quotient of a number": (lambda p, m: 2 / p[0] - 5, lambda a, b: 2 / a),
    "powers": (lambda p, m: p[0] ** 3 + p[1] ** -2, lambda a, b: a**3 + b**-2),
    "roots": (lambda p, m: m.sqrt(p[0] * p[1]), lambda a, b: math.sqrt(a * b)),
    "logarithms": (lambda p, m: m.log(p[0] + p[1] ** 2), lambda a, b: math.log(a + b**2)),
    "x log x": (lambda p, m: -m.xlogx(p[0]) - m.xlogx(p[1]), lambda a, b: -a * math.log(a) - b * math.log(b)),
    "exponentials": (lambda p, m: m.exp(p[0] * p[1]), lambda a, b: math.exp(a * b)),
    "broken powers": (lambda p, m: m.power(p[0], Fraction(5, 3)) + m.power(p[1], 2), lambda a, b: a ** (5 / 3) + b**2),
    "a broken power of a product": (
        lambda p, m: m.power(p[0] * p[1], Fraction(5, 3)), lambda a, b: (a * b) ** (5 / 3),
    ),
    "a case of a share": (lambda p, m: m.where(p[0] == 0, p[0] ** 9, p[0] ** 2), lambda a, b: a**2),
    "a case that holds": (lambda p, m: m.where(2 > 1, p[0] ** 2, p[0] ** 9), lambda a, b: a**2),
    "a case that does not": (lambda p, m: m.where(2 < 1, p[0] ** 9, p[0] ** 2), lambda a, b: a**2),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_bends_are_second_differences(name: str) -> None:
    formula, floats = FORMULAS[name]
    a, b, h = *map(float, P), 1e-4
    at = [floats(a + t * float(D[0]), b + t * float(D[1])) for t in (-h, 0, h)]
    found = Ball(bend(formula, [BALL.number(x) for x in P], D, BALL))
    assert float(found.arb.mid()) == pytest.approx((at[0] - 2 * at[1] + at[2]) / h**2, rel=1e-4)


def test_rational_bends_are_exact() -> None:
    assert bend(lambda p, m: p[0] * p[1], P, D, EXACT) == -1
    assert bend(lambda p, m: p[0] + p[1], P, D, EXACT) == 0


def test_what_may_have_corners_is_refused() -> None:
    for formula in (
        lambda p, m: m.where(p[0] < p[1], 0, p[0]), lambda p, m: m.where(2 * p[0] == 0, 0, p[0]),
        lambda p, m: m.max(p), lambda p, m: abs(p[0]), lambda p, m: m.where("yes", 0, p[0]),
    ):  # fmt: skip
        with pytest.raises(Undecided, match="corners"):
            bend(formula, P, D, EXACT)
