"""Exact logarithms of rational numbers, so that equalities between entropies can be decided.

A number here is a rational combination of 1 and logarithms of primes; by unique factorisation the logarithms of primes
are linearly independent over the rationals, so two such combinations of logarithms alone are equal exactly if their
coefficients are.

Main definitions: ``Logs``, the arithmetic ``LOGS``; ``signed`` (a combination in another arithmetic).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from sympy import factorint

from splitcrit.arith import Arithmetic

factors = cache(factorint)


class Logs:
    """A rational combination of logarithms of primes (prime 1 stands for the rational part)."""

    __slots__ = ("of",)

    def __init__(self, of: Mapping[int, Fraction]) -> None:
        self.of = {prime: x for prime, x in of.items() if x}

    def __add__(self, other: Any) -> Logs:
        mine, yours = self.of, plain(other).of
        return Logs({prime: mine.get(prime, Fraction(0)) + yours.get(prime, Fraction(0)) for prime in mine | yours})

    def __mul__(self, other: Any) -> Logs:
        factor = rational(other)
        return Logs({prime: x * factor for prime, x in self.of.items()})

    def __truediv__(self, other: Any) -> Logs:
        return self * (1 / rational(other))

    def __neg__(self) -> Logs:
        return self * -1

    def __sub__(self, other: Any) -> Logs:
        return self + -plain(other)

    def __rsub__(self, other: Any) -> Logs:
        return plain(other) + -self

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return self.of == plain(other).of

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.of.items())))

    def __repr__(self) -> str:
        return " + ".join(f"{x} log {prime}" if prime > 1 else str(x) for prime, x in sorted(self.of.items())) or "0"


def plain(x: Any) -> Logs:
    return x if isinstance(x, Logs) else Logs({1: Fraction(x)})


def rational(x: Any) -> Fraction:
    """Return the rational number that ``x`` is, or raise: a product of two logarithms leaves these numbers."""
    if isinstance(x, Logs):
        if set(x.of) - {1}:
            raise ArithmeticError(f"the factor of a logarithm must be rational; got {x}; multiply by rationals only")
        return x.of.get(1, Fraction(0))
    return Fraction(x)


class _Logs:
    """What entropies need of numbers."""

    name = "LOGS"

    def number(self, x: Any) -> Fraction:
        return Fraction(x)

    def log(self, x: Any) -> Logs:
        x = rational(x)
        above, below = factors(x.numerator), factors(x.denominator)
        return Logs({p: Fraction(above.get(p, 0) - below.get(p, 0)) for p in above | below})

    def xlogx(self, x: Any) -> Any:
        return Fraction(0) if rational(x) == 0 else rational(x) * self.log(x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b


LOGS: Any = _Logs()


def signed(values: Logs, m: Arithmetic) -> Any:
    """The value of a combination of logarithms in an arithmetic that knows logarithms."""
    rest = {prime: m.number(x) * m.log(m.number(prime)) for prime, x in values.of.items() if prime > 1}
    return sum(rest.values(), m.number(values.of.get(1, 0)))
