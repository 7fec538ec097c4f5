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
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array, one_of, truth, whole
from splitcrit.arguments import listed as names_in
from splitcrit.data.object_values import Kind
from splitcrit.data.texts import Read, dates, iso_date, listed, numbers, read_numbers, spread, stripped
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
CENTURY = 70  # two digits from it are a year of the twentieth century
SERIAL = 18264, 73050  # the days from 1950 to 2099 as Excel counts them
CONVENTIONS = {",": ".", ";": ","}  # what stands before the fraction, by the separator of cells
DECIMALS = {"point": ".", "comma": ","}
NUMERIC = ("number", "point", "comma")
Form = tuple[str, str]  # a format, and the unit of a number
BY_COMMA: Form = ("comma", "")
FRACTION = frozenset({("number", ""), ("point", "")})
WHOLE = FRACTION | {("whole", ""), BY_COMMA}


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
            None if decimal is None else one_of(decimal, (".", ","), "decimal"),
            None if dates is None else one_of(dates, ("iso", "excel", "day-first", "month-first"), "dates"),
            None if header is None else truth(header, "header"),
            whole(skip_footer, "skip_footer", 0),
        )


AS_WRITTEN = FileOptions()


def forms_of(text: str) -> dict[Form, str]:
    """Return what a text is in each format that can read it: a plain number or an ISO date.

    Examples
    --------
    >>> forms_of("1.804,33 €")
    {('comma', '€'): '1804.33'}
    >>> forms_of("13.09.2022"), forms_of("(1,250)")
    ({('day-first', ''): '2022-09-13'}, {('point', ''): '-1250', ('comma', ''): '-1.250'})
    """
    text = text.translate(TYPOGRAPHIC)
    found: dict[Form, str] = {}
    with suppress(ValueError):
        if "_" not in text and float(text) == float(text):
            found["number", ""] = text
    if iso_date(text):
        found["date", ""] = text
    if number := NUMBER.fullmatch(text):
        sign = "".join([number["sign"], number["inner"], number["minus"] or "", "-" if number["loss"] else ""])
        for name, pattern in DIGITS.items():
            if len(sign) < 2 and (digits := pattern.fullmatch(number["digits"])):
                plain = number["digits"].replace(digits["mark"] or "_", "").replace(",", ".")
                unit = f"{number['money'] or ''}{number['unit'] or ''}"
                found[name, unit] = sign + plain
                if number["digits"].isdecimal():
                    found["whole", unit] = sign + plain
    if day := DAY.fullmatch(text):
        hour, colon, rest = (day[5] or "").partition(":")
        for name, places in ORDERS.items():
            year, month, date = ((day[1], day[3], day[4])[place] for place in places)
            century = "" if len(year) > 2 else "19" if int(year) >= CENTURY else "20"
            read = iso_date(f"{century}{year}-{month:0>2}-{date:0>2}" + f" {hour:0>2}:{rest}" * bool(colon))
            if read and (len(year) == 4 or name != "year-first"):
                found[name, ""] = read
    return found


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

    def add(self, texts: Any, codes: Array) -> None:
        """Take note of some rows: distinct texts, a list or an Arrow array, and the place of the text of each row."""
        totals, read = np.bincount(codes, minlength=len(texts)), read_numbers(texts)
        if read is None or self.missing:
            names = stripped(listed(texts), self.missing)
            self.marks.update(name for name in names if _is_mark(name))
            texts = ["" if name is None or _is_mark(name) else name for name in names]
            read = read_numbers(texts)
        if read is None:
            places = np.zeros(len(texts), dtype=np.intp)
            places[codes[::-1]] = np.arange(len(codes))[::-1]
            for text, count, place in zip(texts, totals.tolist(), places.tolist(), strict=True):
                if text:
                    self._note(frozenset(forms_of(text)), count, place, text)
                    self.code = self.code or (text if re.match(CODE, text) else "")
        elif read[1].any():
            self._plain(texts, *read, codes, totals)
        self.rows += len(codes)

    def _plain(self, texts: Any, values: Array, present: Array, codes: Array, totals: Array) -> None:
        """Take note of texts that are plain numbers or empty, whose forms need not be found one by one."""
        values, first = values[present], int(present.argmax())
        forms = WHOLE if values.dtype.kind == "i" else FRACTION
        if forms is FRACTION and all(BY_COMMA in forms_of(str(text)) for text in texts if str(text)):
            forms = forms | {BY_COMMA}
        self._note(forms, int(totals[present].sum()), int((codes == first).argmax()), str(texts[first]))
        self.code = self.code or _first_code(texts)
        self.low, self.high = min(self.low, values.min()), max(self.high, values.max())
        if forms is not WHOLE and not self.alike and len(np.unique(values)) < len(values):
            first_text: dict[Any, str] = {}
            there = (text for text in stripped(listed(texts)) if text)
            pairs = ((first_text.setdefault(x, text), text) for x, text in zip(values.tolist(), there, strict=True))
            self.alike = next((pair for pair in pairs if pair[0] != pair[1]), ())

    def _note(self, forms: frozenset[Form], rows: int, place: int, text: str) -> None:
        before, first, example = self.groups.get(forms, (0, self.rows + place, text))
        self.groups[forms] = before + rows, first, example

    @property
    def example(self) -> str:
        """A text that is no plain number, if there is one."""
        return min((("number", "") in forms, first, text) for forms, (_, first, text) in self.groups.items())[-1]

    def whole(self) -> dict[str, Form]:
        """Return the formats that can read all texts."""
        return dict(sorted((form[0], form) for form in frozenset.intersection(*self.groups or [frozenset()])))

    def spoiler(self) -> str:
        """Return a remark on the text that is no number or date where nearly all are, "" where there is none."""
        rows: Counter[Form] = Counter()
        for forms, (count, _, _) in self.groups.items():
            rows.update(dict.fromkeys(forms, count))
        form, most = max(rows.items(), key=lambda pair: pair[1], default=(("", ""), 0))
        if not most or most < NEARLY * sum(count for count, _, _ in self.groups.values()):
            return ""
        row, text = min((first, text) for forms, (_, first, text) in self.groups.items() if form not in forms)
        what = "numbers" if form[0] in NUMERIC else "dates"
        return f"nearly all are {what}, but {shown(text)} in row {row + 1} is none; name it as missing, or correct it"


def _is_mark(text: str | None) -> bool:
    return text is not None and text.lower() in MARKS


def _first_code(texts: Any) -> str:
    """Return a text with a leading zero, "" if there is none."""
    if isinstance(texts, list | tuple):
        return next((text for text in texts if re.match(CODE, text)), "")
    from pyarrow.compute import match_substring_regex

    found = texts.filter(match_substring_regex(texts, CODE))
    return str(found[0]) if len(found) else ""


class ChosenFormat(NamedTuple):
    """What a column of a file is, how its texts are written, and a line that says what was guessed."""

    kind: Kind
    form: Form = ("", "")
    note: str = ""
    marks: tuple[str, ...] = ()

    def read(self, texts: Any, missing: frozenset[str]) -> Read:
        """Return distinct texts as numbers or dates, and which of them are some; raise ValueError if one is none."""
        found = None if missing or self.form[0] not in ("number", "excel") else read_numbers(texts)
        if found is None:
            names = stripped(listed(texts), missing)
            present = np.array([not (name is None or _is_mark(name)) for name in names], dtype=bool)
            kept = [str(name) for name, there in zip(names, present, strict=True) if there]
            if self.form[0] not in ("number", "excel", "date"):
                kept = [forms_of(name).get(self.form, name) for name in kept]
            found = spread(dates(kept) if self.kind == "date" and self.form[0] != "excel" else numbers(kept), present)
        if self.form[0] != "excel":
            return found
        microseconds = np.round(found[0].astype(np.float64) * 86_400e6).astype("timedelta64[us]")
        return np.datetime64("1899-12-30", "us") + microseconds, found[1]


def formats_of(columns: Mapping[str, FormatCounts], options: FileOptions, separator: str) -> dict[str, ChosenFormat]:
    """Return the format of each column, decided by all of them and by what separates the cells."""
    read = {name: column.whole() for name, column in columns.items() if name not in options.as_text}
    points = {("," if "comma" in forms else ".") for forms in read.values()
              if ("comma" in forms) != ("point" in forms or "number" in forms)}  # fmt: skip
    orders = {order for order in ("day-first", "month-first") for forms in read.values()
              if order in forms and not {"day-first", "month-first"} <= set(forms)}  # fmt: skip
    decimal = options.decimal or (points.pop() if len(points) == 1 else None)
    usual = decimal or ("" if points else CONVENTIONS.get(separator, ""))
    order = options.dates if options.dates in ORDERS else orders.pop() if len(orders) == 1 else ""
    return {
        name: _chosen(column, read[name], decimal, usual, order, options.dates)
        if name in read
        else ChosenFormat("category")
        for name, column in columns.items()
    }


def _chosen(
    column: FormatCounts, forms: dict[str, Form], decimal: str | None, usual: str, order: str, dated: str | None
) -> ChosenFormat:
    """Return the format of a column among those that can read it.

    ``decimal`` is sure, ``usual`` decides where two are possible, and so does the ``order`` of day and month.
    """

    def read(name: str, kind: Kind, note: str = "") -> ChosenFormat:
        return ChosenFormat(kind, forms.get(name, (name, "")), note, tuple(sorted(column.marks)))

    if set(forms) & set(NUMERIC) and column.code:
        return ChosenFormat("category", note=f"leading zeros, as in {column.code!r}, make a code")
    if dated == "excel" and "number" in forms and SERIAL[0] <= column.low and column.high <= SERIAL[1]:
        return read("excel", "date", "days as Excel counts them")
    if "number" in forms and ("whole" in forms or not (decimal == "," and "comma" in forms)):
        said = "{!r} and {!r} are one number".format(*column.alike) if column.alike else ""
        return read("number", "number", said)
    if "date" in forms:
        return read("date", "date")
    points = [name for name in DECIMALS if name in forms][: 1 if "whole" in forms else 2]
    if len(points) == 2:
        points = [name for name in points if DECIMALS[name] == usual]
        if not points:
            return _asked(column, "numbers", "decimal='.' or decimal=',' (--decimal)")
    if points:
        unit = forms[points[0]][1]
        said = f"numbers such as {column.example!r}" + f", with a decimal {points[0]}" * ("whole" not in forms)
        said += f", in {unit}" * bool(unit)
        return read(points[0], "number", said)
    days = [name for name in ORDERS if name in forms and dated != "iso"]
    if len(days) == 2:
        days = [name for name in days if name == (order or ("day-first" if "." in column.example else ""))]
        if not days:
            return _asked(column, "dates", "dates='day-first' or dates='month-first' (--dates)")
    if days:
        return read(days[0], "date", f"dates such as {column.example!r}, {days[0].replace('-', ' ')}")
    return ChosenFormat("category", note=column.spoiler())


def _asked(column: FormatCounts, what: str, remedy: str) -> ChosenFormat:
    note = f"{what} such as {column.example!r} can be read in two ways, and are words; pass {remedy}"
    return ChosenFormat("category", note=note)
