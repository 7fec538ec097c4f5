"""Rational numbers: ``EXACT``, and ratios that are reduced once.

Integers among the numbers of a formula are read as Fractions, so that the quotient of two constants is no float; a
float that a formula computes is refused. Parameters, which may be floats, enter by ``number``.

Main definitions: ``EXACT``, ``rational``, ``as_fraction``; ``Ratio``, many times as fast in a long formula.
"""

from __future__ import annotations

import builtins
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from splitcrit.arith.base import Irrational
from splitcrit.frozen import complaint, printable, shown

LARGEST_POWER = 2**26  # bits of an exact power


def _root(n: int, degree: int) -> int | None:
    """The integer ``degree``-th root of ``n >= 0``, else None."""
    if n < 2 or degree == 1:
        return n
    if degree > n.bit_length():
        return None
    x = 1 << -(-n.bit_length() // degree)
    while (y := ((degree - 1) * x + n // x ** (degree - 1)) // degree) < x:
        x = y
    return x if x**degree == n else None


def rational(x: Any) -> Fraction:
    """An exact number as a Fraction; raise ``Irrational`` about anything else.

    Examples
    --------
    >>> rational(2)
    Fraction(2, 1)
    """
    if type(x) is Fraction:
        return x
    number: Any = isinstance(x, Rational)
    if number and type(x) not in (bool, np.timedelta64):
        return Fraction(int(x.numerator), int(x.denominator))
    rule, remedy = "EXACT stays in the rationals", "write constants as integers or Fractions, parameters as m.number(x)"
    raise Irrational(complaint(rule, f"the {type(x).__name__} {x if printable(x) else shown(x)}", remedy))


def as_fraction(x: Any) -> Fraction:
    """A number as a Fraction, a binary float at its exact value; raise ``Irrational`` about the rest.

    Examples
    --------
    >>> as_fraction(0.5), as_fraction("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    if type(x) is Fraction:
        return x
    try:
        plain = float(x) if isinstance(x, np.floating) else x.item() if isinstance(x, np.generic) else x
        return Fraction(plain if type(x) is not np.timedelta64 else shown(x))
    except (TypeError, ValueError, OverflowError, ArithmeticError):
        raise Irrational(complaint("EXACT stays in the rationals", shown(x), "pass a finite number")) from None


class _Exact:
    """Rational numbers; what is not rational raises ``Irrational``."""

    name = "EXACT"

    def _refuse(self, operation: str, x: Any) -> Any:
        got = f"{operation} of {x if printable(x) else shown(x)}"
        raise Irrational(complaint("EXACT stays in the rationals", got, "use FLOAT, or BALL for an enclosure"))

    def number(self, x: Any) -> Fraction:
        """The rational number that ``x`` is; a binary float is taken at its exact value."""
        return as_fraction(x)

    def log(self, x: Any) -> Any:
        return Fraction(0) if rational(x) == 1 else self._refuse("log", x)

    def xlogx(self, x: Any) -> Any:
        return Fraction(0) if rational(x) in (0, 1) else self._refuse("xlogx", x)

    def exp(self, x: Any) -> Any:
        return Fraction(1) if rational(x) == 0 else self._refuse("exp", x)

    def sqrt(self, x: Any) -> Any:
        return self.power(x, Fraction(1, 2))

    def power(self, x: Any, a: Any) -> Any:
        x = rational(x)
        a = self.number(a)
        if x in (0, 1) and a > 0:
            return x
        if a.denominator == 1 or (x >= 0 and a.denominator < 64):
            top, bottom = _root(x.numerator, a.denominator), _root(x.denominator, a.denominator)
            size = abs(a.numerator) * max(abs(x.numerator), x.denominator).bit_length()
            if top is not None and bottom is not None and size < LARGEST_POWER:
                return Fraction(top, bottom) ** a.numerator
        return self._refuse(f"power {a if printable(a) else shown(a)}", x)

    def max(self, items: Any) -> Any:
        return builtins.max(map(rational, items))

    def min(self, items: Any) -> Any:
        return builtins.min(map(rational, items))

    def abs(self, x: Any) -> Any:
        return builtins.abs(rational(x))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        chosen = a if condition else b
        return Fraction(chosen) if type(chosen) is int else chosen


EXACT = _Exact()


class Ratio:
    """An integer over an integer, not reduced; with integers and its like it adds, subtracts, multiplies and divides.

    Examples
    --------
    >>> half = Ratio(1) / 2
    >>> (half + half**2 - 1).fraction()
    Fraction(-1, 4)
    """

    __slots__ = ("bottom", "top")

    def __init__(self, top: int, bottom: int = 1) -> None:
        self.top, self.bottom = top, bottom

    def fraction(self) -> Fraction:
        """The ratio in lowest terms."""
        return Fraction(self.top, self.bottom)

    def __float__(self) -> float:
        return self.top / self.bottom

    def __add__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.top + other * self.bottom, self.bottom)
        if self.bottom == other.bottom:
            return Ratio(self.top + other.top, self.bottom)
        return Ratio(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __neg__(self) -> Ratio:
        return Ratio(-self.top, self.bottom)

    def __sub__(self, other: Ratio | int) -> Ratio:
        return self + -other

    def __rsub__(self, other: int) -> Ratio:
        return -self + other

    def __mul__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.top * other, self.bottom)
        return Ratio(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.top, self.bottom * other)
        return Ratio(self.top * other.bottom, self.bottom * other.top)

    def __rtruediv__(self, other: int) -> Ratio:
        return Ratio(other * self.bottom, self.top)

    def __pow__(self, power: int) -> Ratio:
        return Ratio(self.top**power, self.bottom**power)

    __radd__, __rmul__ = __add__, __mul__
