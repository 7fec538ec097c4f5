"""Rigorous enclosures in 300-bit interval arithmetic: a formula on balls gives a ball that surely contains its value.

Main definitions: ``Ball``, ``BALL`` (the arithmetic).
"""

from __future__ import annotations

import builtins
import functools
from fractions import Fraction
from typing import Any

import flint

from splitcrit.arith import EXACT
from splitcrit.proof.undecided import Undecided, exact

PRECISION = 300  # bits of an enclosure
_signs = [0]  # how many signs were taken so far; evidence says how many a claim took


def compared() -> int:
    """Return how many signs of enclosures have been taken in this process."""
    return _signs[0]


class Ball:
    """A ball that surely contains one real number; a comparison that the ball leaves open is refused."""

    __slots__ = ("arb",)

    def __init__(self, x: Any) -> None:
        flint.ctx.prec = PRECISION
        self.arb: Any
        if isinstance(x, Ball | flint.arb):
            self.arb = x.arb if isinstance(x, Ball) else x
        else:
            ratio = Fraction(exact(x))
            self.arb = flint.arb(flint.fmpq(ratio.numerator, ratio.denominator))

    def __add__(self, other: Any) -> Ball:
        return Ball(self.arb + Ball(other).arb)

    def __mul__(self, other: Any) -> Ball:
        return Ball(self.arb * Ball(other).arb)

    def __neg__(self) -> Ball:
        return Ball(-self.arb)

    def __sub__(self, other: Any) -> Ball:
        return self + -Ball(other)

    def __rsub__(self, other: Any) -> Ball:
        return Ball(other) + -self

    def __truediv__(self, other: Any) -> Ball:
        below = Ball(other)
        if below.arb.contains(0):
            raise ZeroDivisionError("an enclosure that contains 0 divides")
        return Ball(self.arb / below.arb)

    def __rtruediv__(self, other: Any) -> Ball:
        return Ball(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: int) -> Ball:
        return Ball(self.arb**exponent)

    def sign(self) -> int:
        """Return -1, 0 or 1, the sign of the number; refuse if the ball does not tell."""
        _signs[0] += 1
        if self.arb > 0 or self.arb < 0:
            return 1 if self.arb > 0 else -1
        if self.arb.is_zero():
            return 0
        raise Undecided("an enclosure contains 0 where a sign is needed; choose another point")

    def __lt__(self, other: Any) -> bool:
        return Ball(self - other).sign() < 0

    def __le__(self, other: Any) -> bool:
        return Ball(self - other).sign() <= 0

    def __gt__(self, other: Any) -> bool:
        return Ball(self - other).sign() > 0

    def __ge__(self, other: Any) -> bool:
        return Ball(self - other).sign() >= 0

    def __eq__(self, other: object) -> bool:
        return Ball(self - other).sign() == 0

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return str(self.arb.str(15, radius=False))


class _BallArithmetic:
    """The eight operations on balls."""

    name = "BALL"

    def number(self, x: Any) -> Ball:
        """Return the enclosure of a rational number; a binary float is taken at its exact value."""
        return Ball(x if isinstance(x, Ball) else Fraction(x))

    def log(self, x: Any) -> Ball:
        if Ball(x).sign() <= 0:
            raise Undecided(f"a logarithm needs a positive number; got {x}; choose another point")
        return Ball(Ball(x).arb.log())

    def xlogx(self, x: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else x * self.log(x)

    def sqrt(self, x: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else Ball(Ball(x).arb.sqrt())

    def power(self, x: Any, a: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else self.exp(self.number(a) * self.log(x))

    def exp(self, x: Any) -> Ball:
        return Ball(Ball(x).arb.exp())

    def max(self, items: Any) -> Ball:
        return Ball(functools.reduce(lambda a, b: a.max(b), [Ball(x).arb for x in items]))

    def min(self, items: Any) -> Ball:
        return Ball(functools.reduce(lambda a, b: a.min(b), [Ball(x).arb for x in items]))

    def abs(self, x: Any) -> Ball:
        return Ball(builtins.abs(Ball(x).arb))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return EXACT.where(condition, a, b)


BALL = _BallArithmetic()
