"""The validating door for counts: what is let in, and as which of three kinds of number.

Main definitions: ``count_array`` (anything array-like to non-negative finite int64, float64 or exact Python
numbers, or one sentence why not), ``summed`` (sums that never wrap around).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.values import complaint

EXACT_FLOAT = 2.0**53  # below it a float64 that is integral is one integer only
EXACT_INT = 2.0**62  # a sum estimated below it fits an int64
Array = NDArray[Any]
Place = Callable[[tuple[int, ...]], str]


def cell(index: tuple[int, ...]) -> str:
    """Say where an entry of a ``(..., r, k)`` array stands."""
    *batch, row, column = (0, 0, *index) if len(index) < 2 else index
    where = f"row {row}, column {column}"
    return where if len(index) <= 2 else f"{where} of table {batch[0] if len(batch) == 1 else tuple(batch)}"


def position(index: tuple[int, ...]) -> str:
    """Say where an entry of a vector stands."""
    return f"position {index[0]}"


def count_array(counts: Any, noun: str = "class counts", place: Place = cell) -> Array:
    """Return a fresh array of ``counts`` in int64, float64 or exact Python numbers (dtype object).

    Integers that fit are int64, integral floats below 2**53 too; Fractions and larger integers stay exact.
    """
    masked = np.ma.getmaskarray(counts) if np.ma.isMaskedArray(counts) else np.zeros(1, dtype=bool)
    _demand(~masked, lambda at: "a masked entry", ValueError, f"{noun} must all be present", place, "fill the gaps")
    found = _as_array(counts, noun)
    if found.dtype.kind not in "iuf":
        found = _from_objects(found if found.dtype == object else _as_array(counts, noun, object), noun, place)
    if found.dtype.kind == "f":
        found = found.astype(np.float64)
        _demand(np.isfinite(found), found.__getitem__, ValueError, f"{noun} must be finite", place, "drop or fill it")
    rule, remedy = f"{noun} must be non-negative", "pass counts, not differences"
    _demand(np.asarray(found >= 0, dtype=bool), found.__getitem__, ValueError, rule, place, remedy)
    return _narrowed(found)


def summed(counts: Array, axis: int | tuple[int, ...]) -> Array:
    """Sum counts over ``axis``, in Python integers where an int64 might overflow."""
    if counts.dtype == np.int64 and counts.sum(dtype=np.float64) >= EXACT_INT:
        counts = counts.astype(object)
    return np.asarray(counts.sum(axis=axis))


def _as_array(counts: Any, noun: str, dtype: Any = None) -> Array:
    try:
        return np.asarray(counts, dtype=dtype)
    except ValueError:
        raise ValueError(
            complaint(f"{noun} must form a rectangle", "rows of unequal length", "write absent counts as 0")
        ) from None


def _demand(
    good: Array, entry: Callable[[Any], Any], kind: type[Exception], rule: str, place: Place, remedy: str
) -> None:
    """Raise ``kind`` about the first entry that is not good."""
    if not good.all():
        index = tuple(int(i) for i in np.argwhere(~good)[0])
        raise kind(complaint(rule, f"{entry(index)} at {place(index)}", remedy))


def _from_objects(found: Array, noun: str, place: Place) -> Array:
    """Check that every object is a real number, and return floats if any is one, exact numbers otherwise."""
    entries = found.ravel().tolist()
    sequences = any(isinstance(x, (list, tuple, np.ndarray)) for x in entries)
    if sequences:
        raise ValueError(complaint(f"{noun} must form a rectangle", "rows of unequal length", "write absent counts as 0"))
    good = np.array([_is_real(x) for x in entries], dtype=bool).reshape(found.shape)
    rule, remedy = f"{noun} must be real numbers", "pass integers, weights or Fractions"
    _demand(good, lambda at: repr(found[at]), TypeError, rule, place, remedy)
    exact = all(isinstance(x, Rational) for x in entries)
    return _filled([_exact(x) if exact else float(x) for x in entries], found.shape, object if exact else np.float64)


def _is_real(x: Any) -> bool:
    return isinstance(x, Real) and not isinstance(x, (bool, np.bool_))


def _exact(x: Any) -> int | Fraction:
    """Return the Python number that equals a rational one: an int where it is integral."""
    if isinstance(x, Integral):
        return int(x)
    value = Fraction(int(x.numerator), int(x.denominator))
    return value.numerator if value.denominator == 1 else value


def _filled(entries: Iterable[Any], shape: tuple[int, ...], dtype: Any) -> Array:
    return np.fromiter(entries, dtype=dtype).reshape(shape)


def _narrowed(found: Array) -> Array:
    """Return a copy as int64 where that loses nothing."""
    if found.dtype.kind == "i":
        return found.astype(np.int64)
    if found.dtype.kind == "f":
        integral = bool((found < EXACT_FLOAT).all() and (found == np.floor(found)).all())
        return found.astype(np.int64 if integral else np.float64)
    fits = all(isinstance(x, int) and x < 2**63 for x in found.ravel().tolist())
    return found.astype(np.int64 if fits else object)
