"""What the Python objects of a column are: numbers, dates, durations, texts or other names; one rule for every vector.

Truth values and numbers together are numbers; a date is the instant at which it begins, in UTC if it has a time zone; a
time of the day is the duration since midnight; among texts, other values are written as text. Texts stay texts, so that
"007" and "7" are two values; where all are ISO dates, they are these dates. None, nan, NaT, NA
and what is masked are missing.

Main definitions: ``in_order_of`` (the numbers or dates among them), ``is_missing``.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from splitcrit.arguments import Array, is_number
from splitcrit.data.integers import as_numbers
from splitcrit.frozen import complaint

Kind = Literal["number", "date", "ordered", "category", "flag"]
IN_ORDER: tuple[Kind, ...] = ("number", "date")
TRUTHS = (bool, np.bool_)
MICROSECONDS, NANOSECONDS = "us", "ns"


def in_order_of(there: list[Any]) -> Array | None:
    """Return objects, none of them missing, as numbers, dates or durations; None if they are others.

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
        zones = {getattr(x, "tzinfo", None) is not None: x for x in there}
        if len(zones) > 1:
            rule, got = "all dates of a column must have a time zone, or none", f"{zones[True]} and {zones[False]}"
            raise ValueError(complaint(rule, got, "write them alike"))
        return _to_the_instant([_instant(x) for x in there], "datetime64")
    if all(isinstance(x, timedelta | np.timedelta64) or _is_time(x) for x in there):
        midnight = datetime.min  # of the day on which times of the day are placed
        each = [datetime.combine(midnight, x) - midnight if _is_time(x) else x for x in there]
        return _to_the_instant(each, "timedelta64")
    return None


def _to_the_instant(there: list[Any], kind: str) -> Array:
    """Return dates or durations in microseconds, in nanoseconds where these differ and all fit."""
    each = [np.array(x.to_numpy() if hasattr(x, "to_numpy") else x) for x in there]
    found = np.array([x.astype(f"{kind}[{MICROSECONDS}]") for x in each])
    if any(x.dtype.str.endswith(f"[{NANOSECONDS}]") for x in each):
        finer = np.array([x.astype(f"{kind}[{NANOSECONDS}]") for x in each])
        if (finer.astype(found.dtype) == found).all() and (finer != found).any():
            return finer
    return found


def _instant(x: Any) -> Any:
    """Return a date, or an instant in UTC without a zone."""
    if getattr(x, "tzinfo", None) is None:
        return x
    return x.tz_convert(None) if hasattr(x, "tz_convert") else x.astimezone(UTC).replace(tzinfo=None)


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
