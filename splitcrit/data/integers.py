"""Numbers of a column that stay apart: integers of any size, which a float would round.

A column is int64 where all its numbers are integers that fit, float64 where no integer lies beyond 2**53 either way,
and an array of Python's numbers otherwise, which compare exactly.

Main definitions: ``as_numbers``, ``as_objects``, ``joined`` (parts of one column), ``values_of`` (a vector whose gaps
make no floats of it), ``is_beyond``, ``middle`` (of two numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from splitcrit.arguments import Array, as_float
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import DIGITS, LARGEST, complaint


def is_beyond(values: Array) -> bool:
    """Tell whether some of the values may be integers that float64 does not keep apart."""
    if values.dtype.kind == "O" or not values.size:
        return values.dtype.kind == "O"
    return values.dtype.kind in "iu" and (values.max() >= EXACT_FLOAT or values.min() <= -EXACT_FLOAT)


def as_numbers(entries: Sequence[Any]) -> Array:
    """Return real numbers, Decimals too, in one array that keeps all integers apart.

    Raises
    ------
    ValueError
        If an integer has more than 4300 digits.

    Examples
    --------
    >>> as_numbers([1, 2]), as_numbers([1, 0.5])
    (array([1, 2]), array([1. , 0.5]))
    >>> as_numbers([2**63, 0.5])
    array([9223372036854775808, 0.5], dtype=object)
    """
    found = [_plain(x) for x in entries]
    integers = [x for x in found if isinstance(x, int)]
    if len(integers) == len(found) and all(-(2**63) <= x < 2**63 for x in integers):
        return np.array(found, dtype=np.int64)
    if all(abs(x) < EXACT_FLOAT for x in integers):
        return np.array(found, dtype=np.float64)
    return as_objects(found)


def as_objects(values: Any) -> Array:
    """Return numbers as Python's in an array of objects, those without a fraction below 2**53 as integers.

    Examples
    --------
    >>> as_objects(np.array([1.0, 0.5])).tolist()
    [1, 0.5]
    """
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    found = [int(x) if abs(x) < EXACT_FLOAT and x == int(x) else x for x in listed]
    return np.fromiter(found, dtype=object, count=len(found))


def _plain(x: Any) -> int | float:
    """Return an integer as int, a large one also if it is a Decimal or a Fraction; any other number as a float."""
    if isinstance(x, Decimal) and not x.is_finite():
        return as_float(x)
    size: Any = abs(x)
    if isinstance(x, int | Decimal) and size >= LARGEST:
        rule, got = f"an integer in a column has at most {DIGITS} digits", "one with more"
        raise ValueError(complaint(rule, got, "pass logarithms or ranks"))
    if isinstance(x, Integral):
        return int(x)
    large = isinstance(x, Decimal | Fraction | np.longdouble) and EXACT_FLOAT <= size < LARGEST
    return int(x) if large and x == int(x) else as_float(x) + 0.0


def joined(parts: Sequence[Array]) -> Array:
    """Return the parts of one column behind one another; integers beyond 2**53 do not become floats.

    Examples
    --------
    >>> joined([np.array([2**53 + 1]), np.array([0.5])])
    array([9007199254740993, 0.5], dtype=object)
    """
    if len({part.dtype.kind for part in parts}) > 1 and any(is_beyond(part) for part in parts):
        parts = [as_objects(part) for part in parts]
    return np.concatenate(parts)


def values_of(vector: Any) -> Array:
    """Return a vector as an array; the entries of a list are its objects, and so are integers among gaps.

    Long doubles are objects as well, which are read as floats or integers.
    """
    if isinstance(vector, list | tuple):
        return np.fromiter(vector, dtype=object, count=len(vector))
    if getattr(vector, "dtype", None) == np.longdouble and np.longdouble != np.float64:
        return np.asarray(vector).astype(object)
    listed = getattr(vector, "to_list", None) or getattr(vector, "to_pylist", None)
    kind = "" if listed is None else str(getattr(vector, "dtype", getattr(vector, "type", ""))).lower()
    if listed is None or not kind.startswith(("int", "uint")):
        return np.asarray(vector)
    if kind.endswith("int128") or np.asarray(vector).dtype.kind not in "iu":  # numpy makes floats of what has gaps
        return values_of(listed())
    return np.asarray(vector)


def middle(low: Any, high: Any) -> Any:
    """Return the number halfway between two in float64, or the lower one where that lies not between them.

    Examples
    --------
    >>> middle(1, 2), middle(2**53 + 1, 2**53 + 2)
    (1.5, 9007199254740993)
    """
    try:
        found = float(0.5 * low + 0.5 * high)
    except OverflowError:
        return low
    return found if low <= found < high else low
