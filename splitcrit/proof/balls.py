"""Rigorous enclosures in 300-bit interval arithmetic: a formula on balls gives a ball that surely contains its value.

Main definitions: ``Ball``, ``BALL`` (the arithmetic), ``ratio`` (numbers as FLINT has them); ``RATIONALS``, an
arithmetic of such numbers, and ``fraction`` (out of it).
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import flint

from splitcrit.arguments import whole
from splitcrit.arith import EXACT, rational
from splitcrit.arith.exact_numbers import as_fraction
from splitcrit.proof.undecided import Undecided, exact

T = TypeVar("T")
PRECISION = 300  # bits of an enclosure
_signs = [0]  # how many signs were taken so far; evidence says how many a claim took


def compared() -> int:
    """The number of signs of enclosures taken in this process."""
    return _signs[0]


def remembered(function: Callable[..., T]) -> Callable[..., T]:
    """The function with a memory; a value that is met again counts the signs it rests on again."""
    known: dict[tuple[Any, ...], tuple[T, int]] = {}

    @functools.wraps(function)
    def once(*arguments: Any) -> T:
        if arguments not in known:
            before = _signs[0]
            known[arguments] = function(*arguments), _signs[0] - before
        else:
            _signs[0] += known[arguments][1]
        return known[arguments][0]

    return once


def ratio(x: Any) -> Any:
    """An integer or a Fraction as a rational number of FLINT."""
    if type(x) is flint.fmpq:
        return x
    if type(x) is int:
        return flint.fmpq(x)
    exact = rational(x)
    return flint.fmpq(exact.numerator, exact.denominator)


class Ball:
    """A ball that surely contains one real number; a comparison that the ball leaves open is refused."""

    __slots__ = ("arb",)

    def __init__(self, x: Any) -> None:
        self.arb: Any = _read(x)

    def __add__(self, other: Any) -> Ball:
        return _ball(self.arb + _read(other))

    def __mul__(self, other: Any) -> Ball:
        return _ball(self.arb * _read(other))

    def __neg__(self) -> Ball:
        return _ball(-self.arb)

    def __sub__(self, other: Any) -> Ball:
        return _ball(self.arb - _read(other))

    def __rsub__(self, other: Any) -> Ball:
        return _ball(_read(other) - self.arb)

    def __truediv__(self, other: Any) -> Ball:
        below = _read(other)
        if below.contains(0):
            raise ZeroDivisionError("an enclosure that contains 0 is a divisor")
        return _ball(self.arb / below)

    def __rtruediv__(self, other: Any) -> Ball:
        return Ball(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: int) -> Ball:
        return _ball(self.arb ** whole(exponent, "an exponent of an enclosure"))

    def sign(self, tied: Any = None) -> int:
        """Return -1, 0 or 1, the sign of the number, and 0 if it surely lies within ``tied`` of 0; else refuse."""
        _signs[0] += 1
        if self.arb > 0:
            return 1
        if self.arb < 0:
            return -1
        if self.arb.is_zero():
            return 0
        if tied is not None and abs(self.arb) < _read(tied):
            return 0
        raise Undecided("the sign of an enclosure that contains 0 is unknown; choose another point")

    def surely_positive(self) -> bool:
        """Whether the ball shows that the number is positive."""
        _signs[0] += 1
        return bool(self.arb > 0)

    def _compared(self, other: Any) -> int:
        return _ball(self.arb - _read(other)).sign()

    def __lt__(self, other: Any) -> bool:
        return self._compared(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._compared(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._compared(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._compared(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self._compared(other) == 0

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return str(self.arb.str(15, radius=False))


def _ball(arb: Any) -> Ball:
    """A ball of flint as one of ours."""
    ball = Ball.__new__(Ball)
    ball.arb = arb
    return ball


def _read(x: Any) -> Any:
    """A number as a ball of flint."""
    kind = type(x)
    if kind is Ball:
        return x.arb
    if kind is flint.arb:
        return x
    flint.ctx.prec = PRECISION
    return flint.arb(x if kind is int or kind is flint.fmpq else ratio(as_fraction(exact(x))))


class _BallArithmetic:
    """The operations on balls."""

    name = "BALL"

    def number(self, x: Any) -> Ball:
        """The enclosure of a rational number; a binary float is taken at its exact value."""
        return Ball(x if isinstance(x, Ball) else as_fraction(x))

    def log(self, x: Any) -> Ball:
        if Ball(x).sign() <= 0:
            raise Undecided(f"the argument of a logarithm must be positive; got {x}; choose another point")
        return Ball(Ball(x).arb.log())

    def xlogx(self, x: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else x * self.log(x)

    def sqrt(self, x: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else Ball(Ball(x).arb.sqrt())

    def power(self, x: Any, a: Any) -> Ball:
        # Of 0 only a surely positive power is 0; for others the logarithm refuses.
        a = self.number(a)
        return Ball(0) if Ball(x).sign() == 0 and a.arb > 0 else self.exp(a * self.log(x))

    def exp(self, x: Any) -> Ball:
        return Ball(Ball(x).arb.exp())

    def gamma(self, x: Any) -> Ball:
        """The gamma function."""
        return Ball(Ball(x).arb.gamma())

    def gamma_tail(self, shape: Any, x: Any) -> Ball:
        """``Q(shape, x)``, the regularised upper incomplete gamma function."""
        return Ball(Ball(x).arb.gamma_upper(Ball(shape).arb, 1))

    def interval(self, low: Any, high: Any) -> Ball:
        """A ball that contains an interval."""
        middle, radius = Ball((low + high) / 2), Ball((high - low) / 2)
        return Ball(flint.arb(middle.arb, radius.arb.upper()))

    def least(self, f: Callable[[Ball], Ball], low: Any, high: Any, depth: int) -> Ball:
        """An enclosure below ``f`` on an interval: the least of those on halves of halves that exclude 0."""
        try:
            whole = f(self.interval(low, high))
            if whole.sign() or depth == 0:
                return whole
        except (Undecided, ZeroDivisionError):
            if depth == 0:
                raise
        middle = (low + high) / 2
        return self.min((self.least(f, low, middle, depth - 1), self.least(f, middle, high, depth - 1)))

    def max(self, items: Any) -> Ball:
        return Ball(functools.reduce(lambda a, b: a.max(b), [Ball(x).arb for x in items]))

    def min(self, items: Any) -> Ball:
        return Ball(functools.reduce(lambda a, b: a.min(b), [Ball(x).arb for x in items]))

    def abs(self, x: Any) -> Ball:
        return Ball(builtins.abs(Ball(x).arb))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        chosen = a if condition else b
        return Ball(chosen) if type(chosen) is int else chosen


BALL = _BallArithmetic()


# Rational numbers of FLINT, in which long enumerations are counted out: the same numbers as EXACT, sooner. What takes
# more than the four operations and comparisons is left to EXACT, what is not rational refused as there.


def fraction(x: Any) -> Fraction:
    """A rational number of FLINT as a Fraction.

    Examples
    --------
    >>> fraction(ratio(Fraction(2, 3)) / 4)
    Fraction(1, 6)
    """
    return Fraction(int(x.p), int(x.q)) if type(x) is flint.fmpq else rational(x)


def _of_exact(name: str) -> Callable[..., Any]:
    """The operation of ``EXACT`` on rational numbers of FLINT."""
    return lambda self, x: ratio(getattr(EXACT, name)(fraction(x)))


class _Rationals:
    """The operations on rational numbers of FLINT."""

    name = "RATIONALS"

    def number(self, x: Any) -> Any:
        return ratio(EXACT.number(fraction(x) if type(x) is flint.fmpq else x))

    log, xlogx, exp, sqrt = map(_of_exact, ("log", "xlogx", "exp", "sqrt"))

    def power(self, x: Any, a: Any) -> Any:
        return ratio(EXACT.power(fraction(x), fraction(a) if type(a) is flint.fmpq else a))

    def max(self, items: Any) -> Any:
        return builtins.max(map(ratio, items))

    def min(self, items: Any) -> Any:
        return builtins.min(map(ratio, items))

    def abs(self, x: Any) -> Any:
        return builtins.abs(ratio(x))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        chosen = a if condition else b
        return flint.fmpq(chosen) if type(chosen) is int else chosen


RATIONALS = _Rationals()
