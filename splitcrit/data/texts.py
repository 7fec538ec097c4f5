"""What texts are: numbers, dates or words; one rule for files, frames and arrays. And which columns may be labels.

A column of texts is one of numbers (or of ISO 8601 dates) if every text in it is one, but for those that are empty or
stand for a missing value. The common marks of a missing value, such as ``NA`` and ``?``, stand for one in a column that
otherwise holds numbers or dates; among words they are words, unless they are named.

Main definitions: ``numbers``, ``read_numbers``, ``distinct`` (of a block of a file), ``dates``, ``ordered``, ``Texts``;
``check_target``, ``MeasuredTarget``, ``are_numbers``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from splitcrit.arguments import Array, as_float
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.data.integers import as_numbers
from splitcrit.frozen import complaint

MARKS = frozenset({"na", "n/a", "nan", "null", "none", "?"})  # in lower case
NEARLY = 0.9  # of the texts present are numbers in a column that is nearly one of numbers
DATE = "0000-00-00"
WHOLE = re.compile(r"\s*[+-]?\d+(\.0*)?\s*")  # an integer, also one written as a fraction
Kind = Literal["number", "date", "word", "decimal comma", "thousands", "thousands?", "other date"]
Read = tuple[Array, Array]  # values, and which entries have one
ORDERED: tuple[Kind, ...] = ("number", "date")
DAY = r"(\d{1,2}([/.-])\d{1,2}\2\d{2,4}|\d{4}([/.])\d{1,2}\3\d{1,2})"
WRITTEN: dict[Kind, re.Pattern[str]] = {  # words that are no words, but numbers and dates that are written differently
    "thousands": re.compile(r"[+-]?\d{1,3}(([.' ’\u00a0\u202f])\d{3}(\2\d{3})*(,\d+)?|(,\d{3})+(,\d{3}|\.\d+))"),
    "thousands?": re.compile(r"[+-]?[1-9]\d{0,2},\d{3}"),  # 1,250 beside 1,5 has a decimal comma
    "decimal comma": re.compile(r"[+-]?\d*,\d+"),
    "other date": re.compile(DAY + r"([ T]\d{1,2}:\d{2}(:\d{2})?)?"),
}
LIKE: dict[Kind, tuple[Kind, ...]] = {  # what stands beside them in a column, the surest first
    "thousands": ("number", "thousands?", "decimal comma"), "decimal comma": ("number", "thousands?"),
    "thousands?": ("number",), "other date": ("date",),
}  # fmt: skip
LONGEST = 10_000  # characters of a class
MANY, FEW = 100, 10  # more numbers than that, with fewer rows each on average, are no classes
REMEDY = "cut it into classes, say at its quantiles, or fit a TreeRegressor"


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

    None if one is no number. Arrow casts only where its rule gives what Python's gives.

    Examples
    --------
    >>> read_numbers(["1", " ", "3"])
    (array([1, 0, 3]), array([ True, False,  True]))
    """
    if not isinstance(cells, list | tuple):
        found = _cast_where_it_can(cells)
        return read_numbers(cells.to_pylist()) if found is None else found
    with suppress(ValueError):
        return numbers(cells), np.ones(len(cells), dtype=bool)
    texts = stripped(cells)
    present = np.array([text is not None for text in texts], dtype=bool)
    try:
        return _spread(numbers(text for text in texts if text is not None), present)
    except ValueError:
        return None


def _spread(found: Array, present: Array) -> Read:
    """Return the values that are present among gaps."""
    values = np.zeros(len(present), dtype=found.dtype)
    values[present] = found
    return values, present


def _cast_where_it_can(cells: Any) -> Read | None:
    """Return an Arrow array of texts as numbers, and which of them are not empty; None if Python has to tell."""
    from pyarrow import ArrowInvalid
    from pyarrow.compute import not_equal

    with suppress(ArrowInvalid):
        found = _cast(cells)
        return None if found is None else (found.copy(), np.ones(len(cells), dtype=bool))  # Arrow's memory goes
    there = not_equal(cells, "")
    with suppress(ArrowInvalid):
        found = _cast(cells.filter(there))
        return None if found is None else _spread(found, there.to_numpy(zero_copy_only=False))
    return None


def _cast(cells: Any) -> Array | None:
    """Return texts as int64 where all are integers that fit, else as float64; None where Python's rule may differ, as
    it does among numbers that float64 does not keep apart.

    What is no number to Arrow may be one to Python, which knows ``1_0``, spaces and other digits; ``nan`` is a number
    to Arrow alone, and so is the integer ``0x1``, and ``+1`` is an integer to Python alone.
    """
    from pyarrow import ArrowInvalid
    from pyarrow.compute import any as some
    from pyarrow.compute import match_substring

    found = cells.cast("float64").to_numpy()
    low, high = float(found.min(initial=0.0)), float(found.max(initial=0.0))  # nan where a number is nan
    if low != low:
        return None
    large = max(-low, high) >= EXACT_FLOAT
    if not (large or (found == np.floor(found)).all()):
        return np.asarray(found)
    try:
        return np.asarray(cells.cast("int64").to_numpy())
    except ArrowInvalid:
        return None if large or some(match_substring(cells, "+")).as_py() else np.asarray(found)


def distinct(cells: Any) -> tuple[list[str], Array]:
    """Return the distinct texts among cells, the first one first, and for every cell the place of its text.

    Examples
    --------
    >>> distinct(["b", "a", "b"])
    (['b', 'a'], array([0, 1, 0]))
    """
    if not isinstance(cells, list | tuple):
        found = cells.dictionary_encode()
        return found.dictionary.to_pylist(), found.indices.to_numpy()
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


READERS = {"number": numbers, "date": dates}


def _is(kind: Kind, texts: list[str]) -> bool:
    """Tell whether all texts are of a kind."""
    try:
        READERS[kind](texts)
    except ValueError:
        return False
    return True


def _kind(text: str) -> Kind:
    """Return the kind of one text; a text that is certainly no number costs no array."""
    try:
        float(text)
    except ValueError:
        written: list[Kind] = [kind for kind, pattern in WRITTEN.items() if pattern.fullmatch(text)]
        return "date" if _is("date", [text]) else written[0] if written else "word"
    return "number" if _is("number", [text]) else "word"


def _first_places(codes: Array, size: int) -> Array:
    """Return the first place of each code."""
    places = np.zeros(size, dtype=np.intp)
    places[codes[::-1]] = np.arange(len(codes))[::-1]
    return places


def ordered(names: list[str | None], kind: str) -> Read:
    """Return texts of a kind as numbers or dates, and which of them are some: not missing and no mark of it."""
    present = np.array([not (name is None or _is_mark(name)) for name in names], dtype=bool)
    read = READERS[kind](str(name) for name, held in zip(names, present, strict=True) if held)
    return _spread(read, present)


class Texts:
    """What the texts of a column turned out to be, so far.

    It keeps the number of rows of each kind and of each mark, and where the first of each kind stands. Texts that are
    ``words`` are nothing else, whatever they spell.
    """

    def __init__(self, words: bool = False) -> None:
        self.words = words
        self.rows: Counter[str] = Counter()  # rows of each kind
        self.marks: Counter[str] = Counter()  # rows of each text that may stand for a missing value
        self.first: dict[str, tuple[int, str]] = {}  # row and text of the first of each kind

    @property
    def kind(self) -> Kind:
        """What all texts are that stand for no missing value; words if they are of several kinds."""
        return next((kind for kind in ORDERED if set(self.rows) == {kind} and not self.words), "word")

    @property
    def spoiler(self) -> tuple[str, int, str] | None:
        """The kind of nearly all texts, with the row and the text of the first that is of another; None if none is.

        Where nearly all are numbers or dates, some of them in another spelling, the kind is this, with its first text.
        """
        if self.words:
            return None
        present = sum(self.rows.values())
        for kind, like in LIKE.items():
            if self.rows[kind] and NEARLY * present <= sum(self.rows[each] for each in (kind, *like)):
                return kind.removesuffix("?"), *self.first[kind]
        for kind in ORDERED:
            if NEARLY * present <= self.rows[kind] < present:
                return kind, *min(at for other, at in self.first.items() if other != kind)
        return None

    def read(self, names: list[Any], codes: Array, start: int) -> list[str | None]:
        """Take note of the texts of some rows, the first of which is row ``start``; return the names they count under.

        Those are the texts without spaces around them, None where nothing is left.
        """
        found = stripped(names)
        totals, places = np.bincount(codes, minlength=len(names)), _first_places(codes, len(names)) + start
        seen = [i for i in np.flatnonzero(totals).tolist() if found[i] is not None]
        self.marks.update({str(found[i]): int(totals[i]) for i in seen if _is_mark(found[i])})
        seen = [i for i in seen if not _is_mark(found[i])]
        for kind in ORDERED:
            if seen and _is(kind, [found[i] for i in seen]):  # type: ignore[misc]
                at = min(seen, key=places.__getitem__)
                self._note(kind, int(totals[seen].sum()), (int(places[at]), str(found[at])))
                return found
        for i in seen:
            self._note(_kind(str(found[i])), int(totals[i]), (int(places[i]), str(found[i])))
        return found

    def absorb(self, other: Texts, rows: int) -> None:
        """Take note of what stands ``rows`` rows further down."""
        self.marks.update(other.marks)
        for kind, (row, text) in other.first.items():
            self._note(kind, other.rows[kind], (row + rows, text))

    def _note(self, kind: str, rows: int, first: tuple[int, str]) -> None:
        self.rows[kind] += rows
        self.first[kind] = min(first, self.first.get(kind, first))


def stripped(names: Iterable[Any]) -> list[str | None]:
    """Return texts without spaces around them, None where nothing is left."""
    return [None if name is None else str(name).strip() or None for name in names]


def _is_mark(text: str | None) -> bool:
    return text is not None and text.lower() in MARKS


class MeasuredTarget(ValueError):
    """A label holds measured numbers, and no classes."""


def check_target(label: Any, names: tuple[Any, ...], rows: int) -> None:
    """Raise a ValueError if nearly all values of a label are measured numbers: fractions, or many that are rare.

    Examples
    --------
    >>> check_target("price", (0.5, 1.25), 10)
    Traceback (most recent call last):
    splitcrit.data.texts.MeasuredTarget: a label is a class; got numbers such as 0.5 in 'price'; cut it into ...
    """
    longest = max((len(name) for name in names if isinstance(name, str)), default=0)
    if longest > LONGEST:
        rule, got = f"a class has a name of at most {LONGEST} characters", f"{longest} in column {label!r}"
        raise ValueError(complaint(rule, got, "look for a lost quote, or choose another target"))
    found = np.array([number for name in names for number in _number(name)])
    if not len(found) or len(found) < NEARLY * len(names):
        return
    fraction = next((x for x in found.tolist() if x != np.floor(x)), None)
    if fraction is not None:
        raise MeasuredTarget(complaint("a label is a class", f"numbers such as {fraction} in {label!r}", REMEDY))
    if len(found) > MANY and rows < FEW * len(found):
        got = f"{len(found)} numbers in {label!r}, {rows / len(found):.1f} rows each on average"
        raise MeasuredTarget(complaint("a label is a class", got, REMEDY))


def are_numbers(names: Iterable[Any]) -> bool:
    """Tell whether nearly all names of a label are numbers."""
    listed = [name for name in names if name is not None]
    return sum(len(_number(name)) for name in listed) >= NEARLY * len(listed) > 0


def _number(name: Any) -> list[float]:
    """Return a name as a number, nothing if it is none."""
    if isinstance(name, bool | np.bool_ | np.timedelta64):
        return []
    if isinstance(name, int | float | np.number | Fraction | Decimal):
        return [as_float(name)]
    try:
        return [as_float(number) for number in numbers([name])] if isinstance(name, str) else []
    except ValueError:
        return []
