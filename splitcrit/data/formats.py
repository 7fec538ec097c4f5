"""How the texts of a file are written: plain numbers, decimal commas, units, dates of any order, or words.

A column has a *format* if every text in it can be read so, but for those that are empty or stand for a missing value;
a column without one holds words. ``FormatCounts`` counts the rows by what can read them, block by block, and
``formats_of`` chooses: plain numbers and ISO dates first, then the one format that is left. Where two are (``1,250``,
``03/04/2024``), the other columns of the file decide, then the separator of its cells; where nothing does, the column
is one of words, and its note asks. Leading zeros make a code, which is a word.

The common marks of a missing value, such as ``NA`` and ``?``, stand for one in a column that otherwise holds numbers or
dates; among words they are words, unless they are named.

Main definitions: ``FileOptions``, ``FormatCounts``, ``formats_of`` (a ``ChosenFormat`` for each column).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array, one_of, truth, whole
from splitcrit.arguments import listed as names_in
from splitcrit.data.columns import InMemoryColumn, of_names, ordered
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.data.values import Kind, dates, iso_date, numbers, spread
from splitcrit.frozen import shown

MARKS = frozenset({"na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "?", "-", "--", "."})  # in lower case
NEARLY = 0.9  # of the texts present have a format in a column that nearly has it
CODE = r"^\s*[+-]?0\d"  # a leading zero
TYPOGRAPHIC = str.maketrans("\u00a0\u202f\u2009\u2019\u2212\u2013", "   '--")  # blanks, apostrophe, minus and dash
MONEY = r"[€$£¥₹]|EUR|USD|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|AUD|CAD"
NUMBER = re.compile(
    rf"(?P<loss>\()?(?P<sign>[+-]?) ?(?P<money>{MONEY})? ?(?P<inner>[+-]?)(?P<digits>\d[\d.,' ]*(?<! )|[.,]\d+)"
    rf" ?(?P<unit>{MONEY}|[%‰]|°?[^\W\d_]{{1,12}}[²³]?(?:/[^\W\d_]{{1,12}}[²³]?)?)?(?P<minus>-)?(?(loss)\))"
)
GROUPS = r"\d*{0}\d+|\d+{0}?|[1-9]\d{{0,2}}(?P<mark>[{1}' ])\d{{3}}(?:(?P=mark)\d{{3}})*(?:{0}\d*)?"
DIGITS = {"point": re.compile(GROUPS.format(r"\.", ",")), "comma": re.compile(GROUPS.format(",", "."))}
DAY = re.compile(r"(\d{1,4})([/.-])(\d{1,2})\2(\d{4}|\d{1,2})(?:[ T,]+(\d{1,2}:\d{2}(?::\d{2})?))?")
ORDERS = {"year-first": (0, 1, 2), "day-first": (2, 1, 0), "month-first": (2, 0, 1)}  # where year, month and day stand
THOUSANDS = re.compile(r"\s*([+-]?(\d+|[1-9]\d{0,2}(\.\d{3})+))?\s*")  # or fractions of three digits
UNITS = 4  # of a column at most that are told
CENTURY = 70  # two digits from it are a year of the twentieth century
SERIAL = 18264, 73050  # the days from 1950 to 2099 as Excel counts them
CONVENTIONS = {",": "point", ";": "comma"}  # what stands before the fraction, by the separator of cells
DECIMALS = {".": "point", ",": "comma"}
DecimalMark = Literal[".", ","]
DateOrder = Literal["iso", "excel", "day-first", "month-first"]
NUMERIC = ("number", "point", "comma")
Read = tuple[Array, Array]  # values, and which entries have one
Form = tuple[str, str]  # a format, and the unit of a number
FRACTION: frozenset[Form] = frozenset({("number", ""), ("point", "")})
WHOLE = FRACTION | {("whole", ""), ("comma", "")}


@final
@dataclass(frozen=True)
class FileOptions:
    """How files are written, where the texts do not tell, or are to be read otherwise.

    Parameters
    ----------
    as_text
        Columns whose texts are words, whatever they spell.
    decimal
        ``"."`` or ``","`` before the fraction of a number; found out by default.
    dates
        ``"day-first"``, ``"month-first"`` or ``"excel"``, whose days are numbers; with ``"iso"`` no others are read.
    header
        Whether the first row names the columns; found out by default.
    skip_footer
        Rows at the end that are none, such as totals.
    missing
        Texts that stand for a missing value in every column.
    """

    as_text: frozenset[str] = frozenset()
    decimal: str | None = None
    dates: str | None = None
    header: bool | None = None
    skip_footer: int = 0
    missing: frozenset[str] = frozenset()

    @staticmethod
    def of(
        as_text: Any = (), decimal: Any = None, dates: Any = None, header: Any = None, skip_footer: Any = 0
    ) -> FileOptions:
        """Return options as they were given, or raise a ValueError or TypeError about the first that is none."""
        return FileOptions(
            frozenset(names_in(as_text, "as_text")),
            None if decimal is None else one_of(decimal, DecimalMark, "decimal"),
            None if dates is None else one_of(dates, DateOrder, "dates"),
            None if header is None else truth(header, "header"),
            whole(skip_footer, "skip_footer", 0),
        )


AS_WRITTEN = FileOptions()


def forms_of(text: str) -> dict[Form, str]:
    """What a text is in each format that can read it: a plain number or an ISO date.

    Examples
    --------
    >>> forms_of("1.804,33 €")
    {('comma', '€'): '1804.33'}
    >>> forms_of("13.09.2022"), forms_of("(1,250)")
    ({('day-first', ''): '2022-09-13'}, {('point', ''): '-1250', ('comma', ''): '-1.250'})
    """
    forms: dict[Form, str] = {}
    with suppress(ValueError):
        if "_" not in text and (number := float(text)) == number:
            forms["number", ""] = text
            if SERIAL[0] <= number <= SERIAL[1]:
                forms["excel", ""] = (datetime(1899, 12, 30) + timedelta(number)).isoformat()
    if iso_date(text):
        forms["date", ""] = text
    text = text.translate(TYPOGRAPHIC)
    if parts := NUMBER.fullmatch(text):
        sign = "".join([parts["sign"], parts["inner"], parts["minus"] or "", "-" if parts["loss"] else ""])
        unit = f"{parts['money'] or ''}{parts['unit'] or ''}"
        for name, pattern in DIGITS.items():
            if len(sign) < 2 and (digits := pattern.fullmatch(parts["digits"])):
                forms[name, unit] = sign + parts["digits"].replace(digits["mark"] or "_", "").replace(",", ".")
        if forms.get(("point", unit), "") == forms.get(("comma", unit)):
            forms["whole", unit] = forms["point", unit]
    if day := DAY.fullmatch(text):
        hour, colon, rest = (day[5] or "").partition(":")
        for name, places in ORDERS.items():
            year, month, date = ((day[1], day[3], day[4])[place] for place in places)
            century = "" if len(year) > 2 else "19" if int(year) >= CENTURY else "20"
            read = f"{century}{year}-{month:0>2}-{date:0>2}" + f" {hour:0>2}:{rest}" * bool(colon)
            if iso_date(read) and (len(year) == 4 or name != "year-first"):
                forms[name, ""] = read
    return forms


class FormatCounts:
    """The rows of a column by what can read their texts, so far.

    ``groups`` are the rows with texts that the same formats can read: how many, and row and text of the first.
    """

    def __init__(self, missing: frozenset[str] = frozenset()) -> None:
        self.missing = missing
        self.groups: dict[frozenset[Form], tuple[int, int, str]] = {}
        self.marks: set[str] = set()
        self.code = ""  # a text with a leading zero
        self.alike: tuple[str, ...] = ()  # two texts that are one number
        self.low, self.high = np.inf, -np.inf
        self.rows = 0
        self.numbers: Read | None = None  # those of the last rows

    def add(self, texts: Any, codes: Array) -> FormatCounts:
        """Take note of some rows: distinct texts, a list or an Arrow array, and the place of the text of each row."""
        self.numbers = read = read_numbers(texts)
        if read is None or self.missing:
            names = stripped(listed(texts), self.missing)
            texts = [name or "" for name in stripped(names, marks=MARKS)]
            self.marks.update(name for name, text in zip(names, texts, strict=True) if name and not text)
            read = read_numbers(texts)
        places, totals = np.zeros(len(texts), dtype=np.intp), np.bincount(codes, minlength=len(texts))
        places[codes[::-1]] = np.arange(len(codes))[::-1] + self.rows
        plain = self._plain(texts, *read) if read is not None and read[1].any() else frozenset[Form]()
        if not plain:
            for text, count, place in zip(stripped(listed(texts)), totals.tolist(), places.tolist(), strict=True):
                if text:
                    self._note(frozenset(forms_of(text)), count, place, text)
                    self.code = self.code or (text if re.match(CODE, text) else "")
        elif read is not None:
            first = int(read[1].argmax())
            self._note(plain, int(totals[read[1]].sum()), int(places[first]), str(texts[first]))
        self.rows += len(codes)
        return self

    def _plain(self, texts: Any, values: Array, present: Array) -> frozenset[Form]:
        """The formats that can read plain numbers; take note of what is odd among them.

        There are none where each text has to be looked at: points before three digits may divide thousands.
        """
        values = values[present]
        self.low, self.high = min(self.low, values.min()), max(self.high, values.max())
        coded = texts if isinstance(texts, list | tuple) else match_in_arrow(texts, CODE)
        self.code = self.code or next((text for text in listed(coded) if re.match(CODE, text)), "")
        if values.dtype.kind == "i":
            return WHOLE
        if not self.alike and len(np.unique(values)) < len(values):
            first_text: dict[Any, str] = {}
            there = (text for text in stripped(listed(texts)) if text)
            pairs = ((first_text.setdefault(x, text), text) for x, text in zip(values.tolist(), there, strict=True))
            self.alike = next((pair for pair in pairs if pair[0].lstrip("-") != pair[1].lstrip("-")), ())  # not -0
        if all(map(THOUSANDS.fullmatch, listed(texts[:100]))) and all(map(THOUSANDS.fullmatch, names := listed(texts))):
            return WHOLE - {("whole", "")} if all("." in name for name in names if name) else frozenset()
        return FRACTION

    def _note(self, forms: frozenset[Form], rows: int, place: int, text: str) -> None:
        before, first, example = self.groups.get(forms, (0, place, text))
        self.groups[forms] = before + rows, first, example

    @property
    def example(self) -> str:
        """A text that is no plain number, or at least no whole one, if there is one."""
        plain = ("number", ""), ("whole", "")
        each = (([form in forms for form in plain], *group[1:]) for forms, group in self.groups.items())
        return min(each, default=("",))[-1]

    def whole(self) -> dict[str, Form]:
        """The formats that can read all texts."""
        return dict(sorted((form[0], form) for form in frozenset.intersection(*self.groups or [frozenset()])))

    def spoiler(self) -> str:
        """A remark on the text that is no number or date where nearly all are, "" where there is none."""
        units = [{unit for name, unit in forms if name in NUMERIC} for forms in self.groups]
        if all(units) and 1 < len(several := sorted(set[str]().union(*units))) <= UNITS:
            units_of = ", ".join(unit or "none" for unit in several)
            return f"numbers in several units ({units_of}) are words; write them in one, or say so (--as-text)"
        rows: Counter[Form] = Counter()
        for forms, (count, _, _) in self.groups.items():
            rows.update(dict.fromkeys(forms, count))
        form, most = max(rows.items(), key=lambda pair: pair[::-1], default=(("", ""), 0))
        if not NEARLY * (present := sum(count for count, _, _ in self.groups.values())) <= most < present:
            return ""
        row, text = min((first, text) for forms, (_, first, text) in self.groups.items() if form not in forms)
        what = "dates" if form[0] in ("date", *ORDERS) else "numbers"
        return f"nearly all are {what}, but {shown(text)} in row {row + 1} is none; name it as missing, or correct it"


class ChosenFormat(NamedTuple):
    """What a column of a file is, how its texts are written, and a line that says what was guessed."""

    kind: Kind
    written: str = ""
    unit: str = ""
    note: str = ""
    marks: tuple[str, ...] = ()

    def column(self, texts: Any, codes: Any, missing: frozenset[str], known: Read | None = None) -> InMemoryColumn:
        """A column of these numbers or dates, or of words, by its distinct texts and the place of each row's.

        ``known`` are the numbers that the texts are, if that has been found already.

        Raises
        ------
        ValueError
            If a text is no such number or date.
        """
        if self.kind == "category":
            return of_names("category", stripped(listed(texts), missing), codes, note=self.note)
        plain = self.written == "number"
        read = (known or read_numbers(texts)) if plain and not missing else None
        if read is None:
            names = stripped(listed(texts), missing, MARKS)
            cells = [name if plain else forms_of(name).get((self.written, self.unit), name) for name in names if name]
            present = np.array([name is not None for name in names], dtype=bool)
            typed = dates(cells) if self.kind == "date" else numbers(cells)
            if typed is None:
                raise ValueError("some texts are no dates")
            read = spread(typed, present)
        values, present = read
        return replace(ordered(values[codes], present[codes]), marks=tuple(self.marks), note=self.note)


def formats_of(columns: Mapping[str, FormatCounts], options: FileOptions, separator: str) -> dict[str, ChosenFormat]:
    """The format of each column, decided by all of them and by what separates the cells."""
    read = {name: column.whole() for name, column in columns.items() if name not in options.as_text}
    points, orders = _sure(read, ("point", "comma")), _sure(read, ("day-first", "month-first"))
    decimal = DECIMALS[options.decimal] if options.decimal else points.pop() if len(points) == 1 else ""
    usual = decimal or ("" if points else CONVENTIONS.get(separator, ""))
    order = options.dates if options.dates in ORDERS else orders.pop() if len(orders) == 1 else ""
    chosen = {name: _chosen(columns[name], read[name], decimal, usual, order, options.dates) for name in read}
    return {name: chosen.get(name, ChosenFormat("category")) for name in columns}


def _sure(read: Mapping[str, dict[str, Form]], two: tuple[str, str]) -> set[str]:
    """Those of two formats that can read a column which the other cannot."""
    return {name for forms in read.values() for name in two if name in forms and not set(two) <= set(forms)}


def _chosen(
    column: FormatCounts, forms: dict[str, Form], decimal: str, usual: str, order: str, dated: str | None
) -> ChosenFormat:
    """The format of a column among those that can read it.

    ``decimal`` is sure, ``usual`` decides where two are possible, and so does the ``order`` of day and month.
    """
    marks = tuple(sorted(column.marks))
    if "point" in forms and column.code:
        return ChosenFormat("category", note=f"leading zeros, as in {column.code!r}, make a code")
    if dated == "excel" and "number" in forms and SERIAL[0] <= column.low and column.high <= SERIAL[1]:
        return ChosenFormat("date", "excel", "", "days as Excel counts them", marks)
    # A point before three digits may divide thousands. Where all texts have one, as 3.012 has, they do so only if a
    # comma is sure; beside texts without, as 812 is, also if it is usual, and where nothing is, the note asks.
    convention = decimal if len(column.groups) == 1 else usual or "comma"
    if "number" in forms and ("whole" in forms or "comma" not in forms or convention != "comma"):
        words = "{!r} and {!r} are one number; categorical= (--as-text) keeps them apart"
        return ChosenFormat("number", "number", "", words.format(*column.alike) if column.alike else "", marks)
    if "date" in forms:
        return ChosenFormat("date", "date", "", "", marks)
    order = order or ("day-first" if "." in column.example else "")
    kind: Kind
    for kind, names, preferred, remedy in (
        ("number", ("point", "comma"), "point" if "whole" in forms else usual, "decimal='.' or ',' (--decimal)"),
        ("date", () if dated == "iso" else ORDERS, order, "dates='day-first' or 'month-first' (--dates)"),
    ):
        left = [name for name in names if name in forms]
        if len(left) > 1 and preferred not in left:
            words = f"{kind}s such as {column.example!r} can be read in two ways, and are words; pass {remedy}"
            return ChosenFormat("category", note=words)
        if left:
            written = preferred if preferred in left else left[0]
            how = [f"with a decimal {written}" if kind == "number" else written.replace("-", " ")] * (
                "whole" not in forms
            ) + [f"in {forms[written][1]}"] * bool(forms[written][1])
            return ChosenFormat(kind, *forms[written], ", ".join([f"{kind}s such as {column.example!r}", *how]), marks)
    return ChosenFormat("category", note=column.spoiler())


def read_numbers(cells: Any) -> Read | None:
    """Cells, texts or an Arrow array of texts, as numbers, and which of them are some, not empty.

    None if one is no number. Arrow casts what is a number to Arrow and to Python, and is kept apart by its type.

    Examples
    --------
    >>> read_numbers(["1", " ", "3"])
    (array([1, 0, 3]), array([ True, False,  True]))
    """
    if not isinstance(cells, list | tuple):
        import pyarrow.compute

        lengths = pyarrow.compute.binary_length(cells)  # != "" would import pandas, and so would an array's to_numpy
        cast = _cast(cells if (present := np.from_dlpack(lengths) > 0).all() else cells.filter(lengths.cast("bool")))
        return read_numbers(cells.to_pylist()) if cast is None else spread(cast, present)
    texts = stripped(cells)
    present = np.array([text is not None for text in texts], dtype=bool)
    with suppress(ValueError):
        return spread(numbers(text for text in texts if text is not None), present)
    return None


def _cast(cells: Any) -> Array | None:
    """An Arrow array of texts as int64 where all are integers, else as float64; None if Python has to.

    What Arrow takes for a float is the same number to Python, but for nan; among integers it takes 0x1F, too.
    """
    with suppress(ValueError):  # of which Arrow's is one
        values: Array = np.from_dlpack(cells.cast("float64"))
        if (values == np.floor(values)).all():
            values = np.from_dlpack(cells.cast("int64"))
        return values.copy() if values.dtype.kind == "i" or (np.abs(values) < EXACT_FLOAT).all() else None  # own memory
    return None


def match_in_arrow(cells: Any, pattern: str) -> Any:
    """The texts of an Arrow array that match a pattern."""
    from pyarrow.compute import match_substring_regex

    return cells.filter(match_substring_regex(cells, pattern))


def distinct(cells: Any) -> tuple[Any, Array]:
    """The distinct texts among cells, the first one first, and for every cell the place of its text.

    Examples
    --------
    >>> distinct(["b", "a", "b"])
    (['b', 'a'], array([0, 1, 0]))
    """
    if not isinstance(cells, list | tuple):
        coded = cells.dictionary_encode()
        return coded.dictionary, np.from_dlpack(coded.indices)
    places = {text: place for place, text in enumerate(dict.fromkeys(cells))}
    return list(places), np.fromiter(map(places.__getitem__, cells), dtype=np.int64, count=len(cells))


def stripped(
    names: Iterable[Any], missing: frozenset[str] = frozenset(), marks: frozenset[str] = frozenset()
) -> list[str | None]:
    """Texts without spaces around them, None where nothing is left, or one stands for a missing value.

    Examples
    --------
    >>> stripped([" a", " ", "NA", "-9"], frozenset({"-9"}), frozenset({"na"}))
    ['a', None, None, None]
    """
    bare = [None if name is None else str(name).strip() or None for name in names]
    return [None if name is None or name in missing or name.lower() in marks else name for name in bare]


def listed(texts: Any) -> list[Any]:
    """Texts as a list, those of an Arrow array too."""
    return texts if isinstance(texts, list) else list(texts.to_pylist())
