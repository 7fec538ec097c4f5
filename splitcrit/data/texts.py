"""Texts as numbers and as dates: Python's numbers, and dates of ISO 8601; a text that is neither is refused.

Main definitions: ``numbers``, ``read_numbers`` (of a block of a file), ``distinct``, ``stripped``, ``spread``;
``dates``, ``iso_dates`` (of a typed column), ``iso_date`` (of one text).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.data.integers import as_numbers
from splitcrit.frozen import complaint

DATE = "0000-00-00"
WHOLE = re.compile(r"\s*[+-]?\d+(\.0*)?\s*")  # an integer, also one written as a fraction
CAST = {  # what Arrow and Python read alike, and its type
    r"^-?[0-9]{1,18}$": "int64",
    r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$": "float64",
}
Read = tuple[Array, Array]  # values, and which entries have one


def numbers(texts: Iterable[str]) -> Array:
    """Return texts as int64 where all are integers that fit, as Python's numbers where one is larger than floats keep
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
        found = cells.astype(np.int64)
    except (ValueError, OverflowError):
        found = cells.astype(np.float64)
    if np.isnan(found).any() or "_" in "".join(listed):
        raise ValueError("nan and digits joined by _ are no numbers")
    if found.dtype.kind == "f" and (np.abs(found) >= EXACT_FLOAT).any():
        return as_numbers([int(text.partition(".")[0]) if WHOLE.fullmatch(text) else float(text) for text in listed])
    return found


def read_numbers(cells: Any) -> Read | None:
    """Return cells, texts or an Arrow array of texts, as numbers, and which of them are some, not empty.

    None if one is no number. Arrow casts what is a number to Arrow and to Python, and is kept apart by its type.

    Examples
    --------
    >>> read_numbers(["1", " ", "3"])
    (array([1, 0, 3]), array([ True, False,  True]))
    """
    if not isinstance(cells, list | tuple):
        import pyarrow.compute

        there = pyarrow.compute.not_equal(cells, "")
        found = _cast(cells.filter(there))
        return read_numbers(cells.to_pylist()) if found is None else spread(found, there.to_numpy(False))
    texts = stripped(cells)
    present = np.array([text is not None for text in texts], dtype=bool)
    with suppress(ValueError):
        return spread(numbers(text for text in texts if text is not None), present)
    return None


def spread(found: Array, present: Array) -> Read:
    """Return the values that are present among gaps."""
    if len(found) == len(present):
        return found, present
    values = np.zeros(len(present), dtype=found.dtype)
    values[present] = found
    return values, present


def _cast(cells: Any) -> Array | None:
    """Return an Arrow array of texts as int64 where all are integers, else as float64; None if Python has to."""
    for pattern, dtype in CAST.items():
        some = cells[:100]  # most often tell that not all are integers
        if len(match_in_arrow(some, pattern)) == len(some) and len(match_in_arrow(cells, pattern)) == len(cells):
            found: Array = cells.cast(dtype).to_numpy()
            return found.copy() if dtype == "int64" or (np.abs(found) < EXACT_FLOAT).all() else None  # Arrow's memory
    return None


def match_in_arrow(cells: Any, pattern: str) -> Any:
    """Return the texts of an Arrow array that match a pattern."""
    from pyarrow.compute import match_substring_regex

    return cells.filter(match_substring_regex(cells, pattern))


def distinct(cells: Any) -> tuple[Any, Array]:
    """Return the distinct texts among cells, the first one first, and for every cell the place of its text.

    Examples
    --------
    >>> distinct(["b", "a", "b"])
    (['b', 'a'], array([0, 1, 0]))
    """
    if not isinstance(cells, list | tuple):
        found = cells.dictionary_encode()
        return found.dictionary, found.indices.to_numpy()
    places = {text: place for place, text in enumerate(dict.fromkeys(cells))}
    return list(places), np.fromiter(map(places.__getitem__, cells), dtype=np.int64, count=len(cells))


def dates(texts: Iterable[str]) -> Array:
    """Return texts as dates, with or without a time of the day, to the microsecond; a time zone is turned into UTC.

    Raises
    ------
    ValueError
        If a text is no date of the form ``2024-02-29`` or ``2024-02-29 12:30``, or if some have a zone and some none.

    Examples
    --------
    >>> dates(["2024-02-29", "2024-02-29T12:30"]).astype(str).tolist()
    ['2024-02-29T00:00:00.000000', '2024-02-29T12:30:00.000000']
    """
    listed = list(texts)
    found = [_instant(text) for text in listed]
    either = {instant.tzinfo is None: text for instant, text in zip(found, listed, strict=True)}
    if len(either) > 1:
        rule, got = "all dates of a column must have a time zone, or none", f"{either[False]!r} and {either[True]!r}"
        raise ValueError(complaint(rule, got, "write them alike"))
    plain = [x.astimezone(UTC).replace(tzinfo=None) if x.tzinfo else x for x in found]
    return np.array(plain, dtype="datetime64[us]")


def _instant(text: str) -> datetime:
    text = text.strip()
    if len(text) < len(DATE) or (text[4], text[7]) != ("-", "-"):
        raise ValueError("a date has the form 2024-02-29")
    return datetime.fromisoformat(text)


def iso_dates(texts: Iterable[Any]) -> Array | None:
    """Return typed texts as dates; None unless all are ISO dates.

    Raises
    ------
    ValueError
        If some have a time zone and some none.

    Examples
    --------
    >>> iso_dates(["2024-02-29", "2024-03-01"]).astype("datetime64[D]").tolist()
    [datetime.date(2024, 2, 29), datetime.date(2024, 3, 1)]
    >>> iso_dates(["2024-02-29", "later"]) is None
    True
    """
    found = list(texts)
    return dates(found) if found and all(isinstance(text, str) and iso_date(text) for text in found) else None


def iso_date(text: str) -> str | None:
    """Return a text that is an ISO date, None if it is none."""
    with suppress(ValueError):
        return text if _instant(text) else None
    return None


def stripped(
    names: Iterable[Any], missing: frozenset[str] = frozenset(), marks: frozenset[str] = frozenset()
) -> list[str | None]:
    """Return texts without spaces around them, None where nothing is left, or one stands for a missing value.

    Examples
    --------
    >>> stripped([" a", " ", "NA", "-9"], frozenset({"-9"}), frozenset({"na"}))
    ['a', None, None, None]
    """
    found = [None if name is None else str(name).strip() or None for name in names]
    return [None if name is None or name in missing or name.lower() in marks else name for name in found]


def listed(texts: Any) -> list[Any]:
    """Return texts as a list, those of an Arrow array too."""
    return texts if isinstance(texts, list) else list(texts.to_pylist())
