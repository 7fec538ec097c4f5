"""Rational numbers: ``EXACT``."""

from __future__ import annotations

import builtins
import math
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.arith.base import Irrational


def _root(n: int, degree: int) -> int | None:
    """Return the integer ``degree``-th root of ``n >= 0``, or None if there is none."""
    if n < 2 or degree == 1:
        return n
    if degree > n.bit_length():
        return None
    x = 1 << -(-n.bit_length() // degree)
    while (y := ((degree - 1) * x + n // x ** (degree - 1)) // degree) < x:
        x = y
    return x if x**degree == n else None


class _Exact:
    """Rational numbers; what is not rational raises ``Irrational``."""

    name = "EXACT"

    def _refuse(self, operation: str, x: Any) -> Any:
        raise Irrational(f"EXACT stays in the rationals; got {operation} of {x}; use FLOAT, or BALL for an enclosure")

    def number(self, x: Any) -> Fraction:
        """Return the rational number that ``x`` is; a binary float is taken at its exact value."""
        if isinstance(x, float | np.floating) and not math.isfinite(x):
            raise Irrational(f"EXACT stays in the rationals; got {x}; pass a finite number")
        return Fraction(int(x)) if isinstance(x, int | np.integer) else Fraction(x)

    def log(self, x: Any) -> Any:
        return Fraction(0) if x == 1 else self._refuse("log", x)

    def xlogx(self, x: Any) -> Any:
        return Fraction(0) if x in (0, 1) else self._refuse("xlogx", x)

    def exp(self, x: Any) -> Any:
        return Fraction(1) if x == 0 else self._refuse("exp", x)

    def sqrt(self, x: Any) -> Any:
        return self.power(x, Fraction(1, 2))

    def power(self, x: Any, a: Any) -> Any:
        x, a = Fraction(x), Fraction(a)
        if x in (0, 1) and a > 0:
            return x
        if x >= 0 and a.denominator < 64:
            top, bottom = _root(x.numerator, a.denominator), _root(x.denominator, a.denominator)
            if top is not None and bottom is not None:
                return Fraction(top, bottom) ** a.numerator
        return self._refuse(f"power {a}", x)

    def max(self, items: Any) -> Any:
        return builtins.max(items)

    def min(self, items: Any) -> Any:
        return builtins.min(items)

    def abs(self, x: Any) -> Any:
        return builtins.abs(x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b


EXACT = _Exact()
