"""Validation of counts: which are allowed, and as which of three kinds of number.

Main definitions: ``count_array`` (anything array-like to non-negative finite int64, float64 or exact Python
numbers, or one sentence why not), ``widened`` (counts whose sums cannot wrap around).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import numpy as np

from splitcrit.arguments import Array, as_float, is_number
from splitcrit.frozen import DIGITS, complaint, printable

EXACT_FLOAT = 2.0**53  # below it a float64 that is integral stands for one integer only
EXACT_INT = 2.0**62  # a sum whose float64 estimate is below it fits an int64
Place = Callable[[tuple[int, ...]], str]


def cell(index: tuple[int, ...]) -> str:
    """Say where an entry of a ``(..., r, k)`` array stands."""
    *batch, row, column = index
    where = f"row {row}, column {column}"
    return f"{where} of table {batch[0] if len(batch) == 1 else tuple(batch)}" if batch else where


def position(index: tuple[int, ...]) -> str:
    """Say where an entry of a vector stands."""
    return f"position {index[0]}"


def rows_and_columns(shape: tuple[int, ...]) -> None:
    """Raise ValueError unless an array of this shape holds tables that have rows and columns."""
    if len(shape) < 2:
        rule, remedy = "a table needs rows and columns", "pass [[...], [...]], or two arguments: feature, label"
        raise ValueError(complaint(rule, f"{len(shape)} dimension{'s' * (len(shape) != 1)}", remedy))
    if 0 in shape[-2:]:
        rule = "a table needs at least one row and one column"
        raise ValueError(complaint(rule, f"shape {shape}", "pass counts that are not empty"))


def count_array(counts: Any) -> Array:
    """A fresh ``(..., r, k)`` array of ``counts``: int64, float64 or exact Python numbers (dtype object).

    Integers that fit are int64, and so are integral floats below 2**53; Fractions and larger integers stay exact.

    Raises
    ------
    ValueError
        If an entry is negative, infinite, nan or masked, or if the counts do not form non-empty tables.
    TypeError
        If an entry is not a real number.
    """
    rows_and_columns(as_array(counts, "class counts").shape)
    checked = real_array(counts, "class counts", cell)
    with np.errstate(over="ignore"):
        if checked.dtype == np.float64 and not np.isfinite(checked.sum(axis=(-2, -1))).all():
            raise ValueError(complaint("the total of a table must be finite", "an overflow", "scale the weights down"))
    return checked


def real_array(values: Any, noun: str, place: Place) -> Array:
    """Return a fresh array of non-negative finite real numbers, or raise one sentence about the first that is not."""
    if np.ma.isMaskedArray(values):
        gaps = np.ma.getmaskarray(values)
        demand(~gaps, np.full(gaps.shape, "a masked entry"), ValueError, f"{noun} must be present", place, "fill it")
    array = as_array(values, noun)
    floats = array.dtype.kind == "f" and not hasattr(values, "dtype")
    rounded = floats and bool((array.astype(float) >= EXACT_FLOAT).any())
    if rounded or array.dtype.kind not in "iuf":  # numpy reads [2**63 + 1, 0] as floats
        array = _from_objects(array if array.dtype == object else as_array(values, noun, object), noun, place)
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
        demand(np.isfinite(array), array, ValueError, f"{noun} must be finite", place, "drop or fill what is missing")
    if array.min(initial=0) < 0:
        rule, remedy = f"{noun} must be non-negative", "pass counts, not differences"
        demand(np.asarray(array >= 0, dtype=bool), array, ValueError, rule, place, remedy)
    return narrowed(array)


def narrowed(counts: Array) -> Array:
    """A copy, as int64 where that loses nothing."""
    if counts.dtype.kind == "i":
        return counts.astype(np.int64)
    if counts.dtype.kind == "f":
        integral = bool((counts < EXACT_FLOAT).all() and (counts == np.floor(counts)).all())
        return counts.astype(np.int64 if integral else np.float64)
    if counts.dtype.kind == "u":
        return counts.astype(np.int64 if counts.max(initial=0) < 2**63 else object)
    entries = [_exact(x) for x in counts.ravel().tolist()]
    fits = all(isinstance(x, int) and x < 2**63 for x in entries)
    return np.fromiter(entries, dtype=np.int64 if fits else object, count=len(entries)).reshape(counts.shape)


def widened(counts: Array) -> Array:
    """Int64 counts as Python integers where their sum might overflow, and any others as they are."""
    risky = counts.dtype == np.int64 and counts.sum(dtype=np.float64) >= EXACT_INT
    return counts.astype(object) if risky else counts


def as_array(values: Any, noun: str, dtype: Any = None) -> Array:
    """``numpy.asarray(values)``, where rows of unequal length get a sentence of their own.

    Texts stay objects if one ends in NUL, which numpy's own texts forget.
    """
    try:
        array = np.asarray(values, dtype=dtype)
        if array.dtype.kind in "US" and not hasattr(values, "dtype"):
            texts = np.asarray(values, dtype=object)
            each = (x[-1:] for x in texts.ravel().tolist() if isinstance(x, str | bytes))
            return texts if any(last in ("\0", b"\0") for last in each) else array
        return array
    except ValueError:
        raise ValueError(_ragged(noun)) from None


def _ragged(noun: str) -> str:
    return complaint(f"{noun} must form a rectangle", "rows of unequal length", "write absent counts as 0")


def demand(good: Array, entries: Array, kind: type[Exception], rule: str, place: Place, remedy: str) -> None:
    """Raise ``kind`` about the first entry that is not good."""
    if not good.all():
        index = tuple(int(i) for i in np.argwhere(~good)[0])
        entry = entries[index]
        shown = repr(entry) if isinstance(entry, str) and not isinstance(entry, np.str_) else entry
        raise kind(complaint(rule, f"{shown} at {place(index)}", remedy))


def _from_objects(values: Array, noun: str, place: Place) -> Array:
    """Floats if any entry is one, exact Python numbers otherwise; refuse what is not a real number."""
    entries = values.ravel().tolist()
    if any(isinstance(x, list | tuple | np.ndarray) for x in entries):
        raise ValueError(_ragged(noun))
    good = np.array([is_number(x) for x in entries], dtype=bool).reshape(values.shape)
    demand(good, values, TypeError, f"{noun} must be real numbers", place, "pass integers, weights or Fractions")
    short = np.array([not isinstance(x, Rational) or printable(x) for x in entries], dtype=bool).reshape(values.shape)
    more = np.full(values.shape, "one of more")
    demand(short, more, ValueError, f"{noun} have at most {DIGITS} digits", place, "divide them by a common factor")
    if all(isinstance(x, Rational) for x in entries):
        return values
    return np.array([as_float(x) for x in entries], dtype=np.float64).reshape(values.shape)


def _exact(x: Any) -> int | Fraction:
    """The Python number that equals a rational one: an int where it is integral."""
    if isinstance(x, Integral):
        return int(x)
    value = Fraction(int(x.numerator), int(x.denominator))
    return value.numerator if value.denominator == 1 else value
