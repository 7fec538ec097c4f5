"""float64 by numpy: ``FLOAT``; and ``levelled``, which brings numbers of any size to where nothing overflows."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import complaint, shown


class _Float:
    """float64 by numpy; infinities are values, never warnings."""

    name = "FLOAT"

    def number(self, x: Any) -> Any:
        try:
            return float(x)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(complaint("a parameter of a formula is a number", shown(x), "pass a real one")) from None

    def log(self, x: Any) -> Any:
        with np.errstate(divide="ignore"):
            return np.log(np.asarray(x, dtype=float))[()]

    def xlogx(self, x: Any) -> Any:
        x = np.asarray(x, dtype=float)
        return (x * np.log(np.where(x > 0, x, 1.0)))[()]

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(np.maximum(x, 0.0))

    def power(self, x: Any, a: Any) -> Any:
        with np.errstate(divide="ignore", over="ignore"):
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
        if isinstance(b, np.ndarray) and np.shape(condition) == b.shape and not np.count_nonzero(condition):
            return b  # the rare case that a formula guards against does not occur in this batch
        return np.where(condition, a, b)[()]


FLOAT = _Float()


def levelled(cells: Any, axes: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Non-negative numbers as float64, divided by powers of two, and the exponents of these.

    The largest over the last ``axes`` axes comes to lie from 1/2 to 2, which is exact for all that are not smaller by
    1e300. Integers and Fractions of any size are divided before they are rounded.

    Examples
    --------
    >>> cells, exponents = levelled(np.array([[3, 1], [3 * 2**1000, 2**1000]], dtype=object), 1)
    >>> cells.tolist(), exponents.tolist()
    ([[1.5, 0.5], [1.5, 0.5]], [1, 1001])
    """
    top = cells.max(axis=tuple(range(-axes, 0)), keepdims=True)
    if cells.dtype == object:
        exponents = np.asarray(np.frompyfunc(_exponent, 1, 1)(top), dtype=np.int64)
        parts = np.asarray(np.frompyfunc(_divided, 2, 1)(cells, exponents), dtype=float)
    else:
        exponents = np.frexp(top.astype(float))[1].astype(np.int64)
        parts = np.ldexp(cells.astype(float), -exponents)
    return parts, exponents.reshape(exponents.shape[:-axes])


def _exponent(x: Any) -> int:
    """An integer ``e`` with ``2 ** (e - 2) < x < 2 ** (e + 1)`` for a positive rational number."""
    return int(x.numerator).bit_length() - int(x.denominator).bit_length()


def _divided(x: Any, exponent: int) -> float:
    return float(Fraction(x) / Fraction(2) ** int(exponent))
