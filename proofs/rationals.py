"""Rational numbers of FLINT, in which long enumerations are counted out: the same numbers as ``EXACT``, sooner.

What takes more than the four operations and comparisons is left to ``EXACT``, what is not rational refused as there.

Main definitions: ``RATIONALS`` (the arithmetic), ``fraction`` (out of it); ``ratio`` (into it) is that of enclosures.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint

from splitcrit.arith import EXACT, rational
from splitcrit.proof.balls import ratio


def fraction(x: Any) -> Fraction:
    """Return a rational number of FLINT as a Fraction.

    Examples
    --------
    >>> fraction(ratio(Fraction(2, 3)) / 4)
    Fraction(1, 6)
    """
    return Fraction(int(x.p), int(x.q)) if type(x) is flint.fmpq else rational(x)


def _of_exact(name: str) -> Callable[..., Any]:
    """Return the operation of ``EXACT`` on rational numbers of FLINT."""
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
