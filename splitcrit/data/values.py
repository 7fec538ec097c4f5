"""Values of a column: numbers that stay apart, dates, texts and other names, and what is missing; one rule for all.

Numbers are int64 where all are integers that fit, float64 where no integer lies beyond 2**53 either way, and Python's
numbers otherwise, which compare exactly: a float would round them. Truth values and numbers together are numbers; a
date is the instant at which it begins, in UTC if it has a time zone; a time of the day is the duration since midnight;
among texts, other values are written as text. None, nan, NaT, NA and what is masked are missing.

Main definitions: ``in_order_of`` (the numbers or dates among objects), ``instants``, ``is_missing``; ``numbers`` and
``dates`` (that texts are), ``iso_date`` (of one text), ``spread``; ``as_numbers``,
``as_objects``, ``joined`` (parts of one column), ``values_of`` (a vector whose gaps make no floats of it),
``is_beyond``, ``middle`` (of two numbers); ``Levels`` (names, and the place of each row's value among them),
``in_order`` (names sorted), ``union`` (the names of two tables), ``with_missing_row``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple

import numpy as np

from splitcrit.arguments import Array, as_float, is_number
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import DIGITS, LARGEST, complaint

Kind = Literal["number", "date", "ordered", "category", "flag"]
IN_ORDER: tuple[Kind, ...] = ("number", "date")
TRUTHS = (bool, np.bool_)
MISSING = "(missing)"
WHOLE = re.compile(r"\s*[+-]?\d+(\.0*)?\s*")  # an integer, also one written as a fraction


# Objects.


def in_order_of(there: list[Any]) -> Array | None:
    """Objects, none of them missing, as numbers, dates or durations; None if they are others.

    Raises
    ------
    ValueError
        If time zones are mixed.

    Examples
    --------
    >>> in_order_of([2, True, 2.0]), in_order_of([True, False]) is None
    (array([2., 1., 2.]), True)
    """
    if not there or all(isinstance(x, TRUTHS) for x in there):
        return None
    if all(is_number(x) or isinstance(x, Decimal | bool | np.bool_) for x in there):
        return as_numbers([bool(x) if isinstance(x, TRUTHS) else x for x in there])
    if all(isinstance(x, date | np.datetime64) for x in there):
        return instants(there)
    if all(isinstance(x, timedelta | np.timedelta64) or _is_time(x) for x in there):
        midnight = datetime.min  # of the day on which times of the day are placed
        each = [datetime.combine(midnight, x) - midnight if _is_time(x) else x for x in there]
        return _to_the_instant(each, "timedelta64")
    return None


def instants(there: Sequence[Any]) -> Array:
    """Dates as the instants at which they begin, in UTC without a zone.

    Raises
    ------
    ValueError
        If some have a time zone and some none.
    """
    zones = {getattr(x, "tzinfo", None) is not None: x for x in there}
    if len(zones) > 1:
        rule, got = "all dates of a column must have a time zone, or none", f"{zones[True]} and {zones[False]}"
        raise ValueError(complaint(rule, got, "write them alike"))
    return _to_the_instant([x.astimezone(UTC).replace(tzinfo=None) for x in there] if True in zones else there)


def _to_the_instant(there: Sequence[Any], kind: str = "datetime64") -> Array:
    """Dates or durations in microseconds, in nanoseconds where these differ and all fit."""
    plain = all(type(x) in (date, datetime, timedelta) for x in there)  # as most often, and quickly
    each = [] if plain else [np.array(x.to_numpy() if hasattr(x, "to_numpy") else x) for x in there]
    coarse = np.array(there if plain else [x.astype(f"{kind}[us]") for x in each], dtype=f"{kind}[us]")
    if any(x.dtype.str.endswith("[ns]") for x in each):
        finer = np.array([x.astype(f"{kind}[ns]") for x in each])
        if (finer.astype(coarse.dtype) == coarse).all() and (finer != coarse).any():
            return finer
    return coarse


def _is_time(x: Any) -> bool:
    return isinstance(x, time) and x.tzinfo is None


def is_missing(value: Any) -> bool:
    """A value is missing if it is None, differs from itself (nan, NaT), or cannot say whether it does (NA)."""
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except (TypeError, ArithmeticError):  # a signalling nan of decimal
        return True
    except ValueError:  # an array
        return False


# Texts.


def numbers(texts: Iterable[str]) -> Array:
    """Texts as int64 where all are integers that fit, as Python's numbers where one is larger than floats keep
    apart, else as float64.

    Raises
    ------
    ValueError
        If a text is no number; ``nan`` is none.

    Examples
    --------
    >>> numbers(["1", " -2"]).tolist(), numbers(["1", "2.5e3", "inf"]).tolist()
    ([1, -2], [1.0, 2500.0, inf])
    >>> numbers(["9007199254740993.0", "0.5"]).tolist()
    [9007199254740993, 0.5]
    """
    listed = list(texts)
    cells = np.array(listed, dtype=object)
    try:
        values = cells.astype(np.int64)
    except (ValueError, OverflowError):
        values = cells.astype(np.float64)
    if np.isnan(values).any() or "_" in "".join(listed):
        raise ValueError("nan and digits joined by _ are no numbers")
    if values.dtype.kind == "f" and (np.abs(values) >= EXACT_FLOAT).any():
        return as_numbers([int(text.partition(".")[0]) if WHOLE.fullmatch(text) else float(text) for text in listed])
    return values


def dates(texts: Iterable[Any]) -> Array | None:
    """Texts as dates, with or without a time of the day, to the microsecond; None unless all are ISO dates.

    Raises
    ------
    ValueError
        If some have a time zone and some none.

    Examples
    --------
    >>> dates(["2024-02-29", "2024-02-29T12:30"]).astype(str).tolist()
    ['2024-02-29T00:00:00.000000', '2024-02-29T12:30:00.000000']
    >>> dates(["2024-02-29", "later"]) is None
    True
    """
    days = [iso_date(text) if isinstance(text, str) else None for text in texts]
    return None if None in days else instants(days)


def iso_date(text: str) -> datetime | None:
    """A text that is an ISO date as one, None if it is none, or begins in no year from 1 to 9999 in UTC."""
    text = text.strip()
    with suppress(ValueError, OverflowError):  # as of the first hour of the year 1 east of Greenwich
        if (text[4:5], text[7:8], text[9:10] > "") == ("-", "-", True):
            day = datetime.fromisoformat(text)
            return day if day.tzinfo is None or day.astimezone(UTC) else None
    return None


def spread(some: Array, present: Array) -> tuple[Array, Array]:
    """The values that are present among gaps."""
    if len(some) == len(present):
        return some, present
    values = np.zeros(len(present), dtype=some.dtype)
    values[present] = some
    return values, present


# Numbers.


def is_beyond(values: Array) -> bool:
    """Whether some of the values may be integers that float64 does not keep apart."""
    if values.dtype.kind == "O" or not values.size:
        return values.dtype.kind == "O"
    return values.dtype.kind in "iu" and (values.max() >= EXACT_FLOAT or values.min() <= -EXACT_FLOAT)


def as_numbers(entries: Sequence[Any]) -> Array:
    """Real numbers, Decimals too, in one array that keeps all integers apart.

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
    plain = [_plain(x) for x in entries]
    integers = [x for x in plain if isinstance(x, int)]
    if len(integers) == len(plain) and all(-(2**63) <= x < 2**63 for x in integers):
        return np.array(plain, dtype=np.int64)
    if all(abs(x) < EXACT_FLOAT for x in integers):
        return np.array(plain, dtype=np.float64)
    return as_objects(plain)


def as_objects(values: Any) -> Array:
    """Numbers as Python's in an array of objects, those without a fraction below 2**53 as integers.

    Examples
    --------
    >>> as_objects(np.array([1.0, 0.5])).tolist()
    [1, 0.5]
    """
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    plain = [int(x) if abs(x) < EXACT_FLOAT and x == int(x) else x for x in listed]
    return np.fromiter(plain, dtype=object, count=len(plain))


def _plain(x: Any) -> int | float:
    """An integer as int, a large one also if it is a Decimal or a Fraction; any other number as a float."""
    if (isinstance(x, Decimal) and not x.is_finite()) or (isinstance(x, np.longdouble) and not np.isfinite(x)):
        return as_float(x)
    size: Any = Fraction(*abs(x).as_integer_ratio()) if isinstance(x, np.longdouble) else abs(x)
    if isinstance(x, int | Decimal) and size >= LARGEST:
        rule, got = f"an integer in a column has at most {DIGITS} digits", "one with more"
        raise ValueError(complaint(rule, got, "pass logarithms or ranks"))
    large = isinstance(x, Decimal | Fraction | np.longdouble) and EXACT_FLOAT <= size < LARGEST
    return int(x) if isinstance(x, Integral) or (large and x == int(x)) else as_float(x) + 0.0


def joined(parts: Sequence[Array]) -> Array:
    """The parts of one column behind one another; integers beyond 2**53 do not become floats.

    Examples
    --------
    >>> joined([np.array([2**53 + 1]), np.array([0.5])])
    array([9007199254740993, 0.5], dtype=object)
    """
    if len({part.dtype.kind for part in parts}) > 1 and any(is_beyond(part) for part in parts):
        parts = [as_objects(part) for part in parts]
    return np.concatenate(parts)


def values_of(vector: Any) -> Array:
    """A vector as an array; the entries of a list are its objects, and so are integers among gaps.

    Long doubles are objects as well, which are read as floats or integers.
    """
    if isinstance(vector, list | tuple):
        return np.fromiter(vector, dtype=object, count=len(vector))
    if getattr(vector, "dtype", None) == np.longdouble and np.longdouble != np.float64:
        return np.asarray(vector).astype(object)
    listed = getattr(vector, "to_list", None) or getattr(vector, "to_pylist", None)
    kind = "" if listed is None else str(getattr(vector, "dtype", getattr(vector, "type", ""))).lower()
    array = None if kind.endswith("int128") else np.asarray(vector)
    gappy = array is None or (kind.startswith(("int", "uint")) and array.dtype.kind not in "iu")  # numpy makes floats
    return values_of(listed()) if gappy and listed is not None else np.asarray(vector)


def middle(low: Any, high: Any) -> Any:
    """The number halfway between two in float64, or the lower one where that lies not between them.

    Examples
    --------
    >>> middle(1, 2), middle(2**53 + 1, 2**53 + 2)
    (1.5, 9007199254740993)
    """
    try:
        half = float(0.5 * low + 0.5 * high)
    except OverflowError:
        return low
    return half if low <= half < high else low


# Names.


class Levels(NamedTuple):
    """The distinct values in order, and for every entry the place of its value, -1 where it is missing."""

    names: tuple[Any, ...]
    codes: Array


def with_missing_row(levels: Levels) -> Levels:
    """The levels of a feature with the missing values as a last level of their own."""
    if not (levels.codes < 0).any():
        return levels
    names = named_missing((*levels.names, None), "feature")
    return Levels(names, np.where(levels.codes < 0, len(levels.names), levels.codes))


def named_missing(names: tuple[Any, ...], noun: str) -> tuple[Any, ...]:
    """Names, the last of which is None for missing values, with a name for these."""
    if MISSING in names:
        rule = f"{noun} values must not share the name of the missing row"
        raise ValueError(complaint(rule, repr(MISSING), "rename that value"))
    return (*names[:-1], MISSING)


def in_order(names: Iterable[Any]) -> tuple[Any, ...]:
    """Names sorted: numbers by size, strings as Python sorts them, mixtures by type, missing last."""
    listed = list(names)
    last = [name for name in listed if isinstance(name, str) and name == MISSING]
    others = [name for name in listed if not (isinstance(name, str) and name == MISSING)]
    try:
        return (*sorted(others), *last)
    except TypeError:
        return (*sorted(others, key=_mixed), *last)


def union(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    """All names: in the longer list's order if it holds the other, sorted if neither does."""
    if set(theirs) <= set(ours):
        return ours
    return theirs if set(ours) <= set(theirs) else in_order({**dict.fromkeys(ours), **dict.fromkeys(theirs)})


def _mixed(name: Any) -> tuple[Any, ...]:
    return (0, "", name) if isinstance(name, Real) else (1, type(name).__name__, str(name))
