"""What a formula may ask of numbers besides ``+ - * /``: one interface, several arithmetics.

A formula is written once, as ``of(p, m)``, with ``p`` indexed by class first; ``m`` is the arithmetic.
``max`` and ``min`` reduce over the first axis of an array, or over a tuple of items.

Main definitions: ``Arithmetic`` (the eight operations), ``FLOAT`` (numpy arrays of any shape behind the
class axis), ``EXACT`` (``fractions.Fraction``; a formula that leaves the rationals raises ``Irrational``).
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

__all__ = ["EXACT", "FLOAT", "Arithmetic", "Irrational", "shares", "total"]


class Arithmetic(Protocol):
    """The operations a formula may use; ``xlogx`` is ``log`` with the convention ``0 log 0 = 0``.

    ``number`` reads a parameter of a formula, which may be a float or a Fraction, into the arithmetic.
    """

    name: str

    def number(self, x: Any) -> Any: ...
    def log(self, x: Any) -> Any: ...
    def xlogx(self, x: Any) -> Any: ...
    def sqrt(self, x: Any) -> Any: ...
    def power(self, x: Any, a: Any) -> Any: ...
    def exp(self, x: Any) -> Any: ...
    def max(self, items: Any) -> Any: ...
    def min(self, items: Any) -> Any: ...
    def abs(self, x: Any) -> Any: ...
    def where(self, condition: Any, a: Any, b: Any) -> Any: ...


class Irrational(ArithmeticError):
    """A formula left the rational numbers under the EXACT arithmetic."""


class _Float:
    """float64 by numpy; infinities are values, never warnings."""

    name = "FLOAT"

    def number(self, x: Any) -> Any:
        return float(x)

    def log(self, x: Any) -> Any:
        with np.errstate(divide="ignore"):
            return np.log(np.asarray(x, dtype=float))[()]

    def xlogx(self, x: Any) -> Any:
        x = np.asarray(x, dtype=float)
        return (x * np.log(np.where(x > 0, x, 1.0)))[()]

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(np.maximum(x, 0.0))

    def power(self, x: Any, a: Any) -> Any:
        return np.power(np.asarray(x, dtype=float), float(a))[()]

    def exp(self, x: Any) -> Any:
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(x, dtype=float))[()]

    def max(self, items: Any) -> Any:
        return items.max(axis=0) if isinstance(items, np.ndarray) else functools.reduce(np.maximum, items)

    def min(self, items: Any) -> Any:
        return items.min(axis=0) if isinstance(items, np.ndarray) else functools.reduce(np.minimum, items)

    def abs(self, x: Any) -> Any:
        return np.abs(x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(b, np.ndarray) and np.shape(condition) == b.shape and not condition.any():
            return b  # the rare case that a formula guards against does not occur in this batch
        return np.where(condition, a, b)[()]


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


FLOAT = _Float()
EXACT = _Exact()


def total(items: Any) -> Any:
    """Return the sum over the first axis, term by term in order.

    The order of additions is fixed, so that a candidate's value does not depend on the batch around it.
    """
    first, *rest = items
    for item in rest:
        first = first + item
    return first


def shares(counts: Sequence[Any] | Any, n: Any, m: Arithmetic) -> Any:
    """Return class proportions ``counts[k] / n``; an empty row (``n == 0``) counts as uniform, with weight 0."""
    empty = n == 0
    size = m.where(empty, len(counts), n)
    return [m.where(empty, 1, x) / size for x in counts]
