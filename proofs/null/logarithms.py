"""Rational combinations of logarithms of primes, which are linearly independent: entropies compare exactly.

Main definitions: ``Logs``, ``LOGS`` (the arithmetic), ``signed`` (a combination in another arithmetic).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from splitcrit.arith import Arithmetic


class Logs:
    """A rational combination of logarithms of primes; two are equal only if all their coefficients are."""

    def __init__(self, parts: dict[int, Fraction]) -> None:
        self.parts = {p: c for p, c in parts.items() if c}

    def __add__(self, other: Any) -> Logs:
        others = other.parts if isinstance(other, Logs) else Logs.zero(other).parts
        return Logs({p: self.parts.get(p, Fraction(0)) + others.get(p, 0) for p in {*self.parts, *others}})

    def __mul__(self, factor: Any) -> Logs:
        return Logs({p: c * Fraction(factor) for p, c in self.parts.items()})

    def __neg__(self) -> Logs:
        return self * -1

    def __sub__(self, other: Any) -> Logs:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Logs:
        return (-self).__add__(other)

    def __truediv__(self, other: Any) -> Logs:
        return self * (1 / Fraction(other))

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Logs) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __repr__(self) -> str:
        return " + ".join(f"{c} log {p}" for p, c in sorted(self.parts.items())) or "0"

    @staticmethod
    def zero(x: Any) -> Logs:
        """Return 0, the only rational number among the combinations."""
        if x != 0:
            raise ArithmeticError(f"a combination of logarithms is no rational number; got {x}; add logarithms only")
        return Logs({})


class _LogArithmetic:
    """Rational numbers, and logarithms of them as combinations of logarithms of primes."""

    name = "LOGS"

    def number(self, x: Any) -> Fraction:
        return Fraction(x)

    def log(self, x: Any) -> Logs:
        x = Fraction(x)
        return _factored(x.numerator) - _factored(x.denominator)

    def xlogx(self, x: Any) -> Logs:
        return Logs({}) if x == 0 else self.log(x) * x

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b


@cache
def _factored(n: int) -> Logs:
    parts, p = {}, 2
    while n > 1:
        times = 0
        while n % p == 0:
            n, times = n // p, times + 1
        parts[p], p = Fraction(times), p + 1
    return Logs(parts)


LOGS: Any = _LogArithmetic()


def signed(values: Any, m: Arithmetic) -> Any:
    """Return the value of a combination of logarithms in an arithmetic that knows logarithms."""
    return sum((m.number(c) * m.log(m.number(p)) for p, c in values.parts.items()), m.number(0))
