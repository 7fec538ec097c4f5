"""Numbers of mpmath: what a formula says of them, at the working precision of their context.

A formula runs with twice the digits, so that a difference of two impurities keeps those that were asked for, and is
rounded once. mpmath is imported by whoever made the numbers.

Main definitions: ``MPMATH`` (the arithmetic of a context), ``is_mpf``.
"""

from __future__ import annotations

import builtins
import operator
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from splitcrit.arith.other_numbers import Formula, PerLog, Value, as_rational
from splitcrit.frozen import complaint, shown

GUARD = 20  # bits more than twice those of the working precision
RELATIONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
             ">=": operator.ge}  # fmt: skip


def is_mpf(x: Any) -> bool:
    """Tell whether a value is a real number of mpmath, of any context."""
    mpmath = sys.modules.get("mpmath")
    return mpmath is not None and isinstance(x, mpmath.ctx_mp_python._mpf)


def exact_value(x: Any) -> Fraction:
    """Return a finite number of mpmath, which is an integer times a power of two, as a Fraction."""
    sign, mantissa, exponent, _ = x._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)


@dataclass(frozen=True, eq=False)
class MPMATH:
    """The arithmetic of a context of mpmath: ``mpmath.mp``, or one of its own precision."""

    context: Any
    name: ClassVar[str] = "MPMATH"

    def read(self, x: Any) -> Any:
        """Return a number as one of the context: a float at its exact value, a Fraction at the working precision."""
        if isinstance(x, Value):
            return x.inner
        if isinstance(x, PerLog):
            return 1 / self.context.log(self.read(x.base))
        if is_mpf(x):
            return self.context.convert(x)
        if isinstance(x, float):
            return self.context.mpf(float(x))
        if (found := as_rational(x)) is None:
            rule = "numbers beside those of mpmath are real numbers of Python"
            raise TypeError(complaint(rule, shown(x), "pass integers, floats or Fractions"))
        return self.context.mpf(found.numerator) / found.denominator

    def run(self, entries: list[Any], noun: str, formula: Formula, positive: bool = True) -> Any:
        with self.context.workprec(2 * self.context.prec + GUARD):
            found = formula([Value(self._checked(x, noun, positive), self) for x in entries], self)
            several = isinstance(found, tuple)
            answers = [self.read(x) for x in (found if several else (found,))]
        if any(self.context.isnan(x) for x in answers):
            raise ValueError(complaint(f"a formula of {noun} gives a number", "nan", "pass entries that are not 0"))
        return tuple(+x for x in answers) if several else +answers[0]

    def _checked(self, x: Any, noun: str, positive: bool) -> Any:
        """Return an entry as a number of the context, or say in one sentence that it is no non-negative number."""
        found = None if isinstance(x, bool) else self.read(x)
        if found is None:
            raise TypeError(complaint(f"{noun} must be real numbers", shown(x), "pass numbers"))
        if self.context.isnan(found) or (positive and not 0 <= found < self.context.inf):
            raise ValueError(complaint(f"{noun} must be non-negative and finite", shown(x), "pass counts or weights"))
        return found

    def short(self, x: Any) -> Value:
        return self.number(x)

    def is_zero(self, x: Any) -> bool:
        return bool(self.read(x) == 0)

    def compared(self, relation: str, left: Value, right: Any) -> bool:
        return bool(RELATIONS[relation](left.inner, self.read(right)))

    def number(self, x: Any) -> Value:
        return Value(self.read(x), self)

    def log(self, x: Any) -> Value:
        found = self.read(x)
        return self.number(self.context.log(found) if found else -self.context.inf)

    def xlogx(self, x: Any) -> Value:
        found = self.read(x)
        return self.number(found * self.context.log(found) if found else 0)

    def sqrt(self, x: Any) -> Value:
        return self.number(self.context.sqrt(max(self.read(x), self.context.zero)))

    def power(self, x: Any, a: Any) -> Value:
        return self.number(self.read(x) ** self.read(a))

    def exp(self, x: Any) -> Value:
        return self.number(self.context.exp(self.read(x)))

    def max(self, items: Any) -> Value:
        return self.number(builtins.max(map(self.read, items)))

    def min(self, items: Any) -> Value:
        return self.number(builtins.min(map(self.read, items)))

    def abs(self, x: Any) -> Value:
        return self.number(builtins.abs(self.read(x)))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b
