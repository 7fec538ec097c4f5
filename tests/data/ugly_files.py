"""Sixty files as people have them, each written from one of twelve clean tables that are known beforehand.

A clean table holds typed values: numbers, days, words and a target. A file spells them as spreadsheets, databases and
laboratories do. What is expected of a reader is the ranking of the typed values; nothing here reads a file.

Main definitions: ``CLEAN`` (the tables), ``FILES`` (the files), ``columns_and_target`` (the answer's input).
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import numpy as np

ROWS = 120
TARGET = "outcome"
NO_BREAK, NARROW, MINUS = "\u00a0", "\u202f", "\u2212"
Spelling = Callable[[Any, int], str]


@dataclass(frozen=True)
class Clean:
    """Typed columns, the target among them, and with how many decimals the numbers are written."""

    columns: dict[str, list[Any]]
    decimals: dict[str, int]

    def changed(self, **columns: list[Any]) -> Clean:
        return Clean({**self.columns, **columns}, self.decimals)


SUBJECTS = {  # numbers: how they are drawn, and their decimals; words; classes, or the decimals of a numeric target
    "shop": ({"Einkommen": ("large", 2), "Rabatt": ("small", 1)}, ["Köln", "Nürnberg", "Bonn"], ["ja", "nein"]),
    "clinic": ({"weight": ("middle", 1), "dose": ("small", 2)}, ["ward 1", "ward 2", "day ward"], ["ill", "well"]),
    "lab": ({"signal": ("signed", 2), "area": ("middle", 3)}, ["HPLC", "GC", "MS"], ["low", "mid", "top"]),
    "bank": ({"balance": ("signed large", 2), "limit": ("large", 0)}, ["Basel", "Genf"], ["kept", "left"]),
    "farm": ({"rendement": ("large", 1), "pluie": ("middle", 1)}, ["blé", "orge", "maïs"], ["bio", "non"]),
    "school": ({"score": ("middle", 1), "hours": ("small", 1)}, ["north", "south", "east"], ["fail", "pass"]),
    "weather": ({"temperature": ("signed", 1), "wind": ("small", 1)}, ["coast", "hill"], 1),
    "energy": ({"used": ("huge", 0), "price": ("small", 3)}, ["gas", "wind", "sun"], ["off", "on"]),
    "houses": ({"garden": ("large", 0), "rooms": ("small", 0)}, ["brick", "wood", "stone"], 2),
    "flights": ({"delay": ("signed", 0), "distance": ("large", 0)}, ["AA", "LH", "AF", "KL"], ["late", "on time"]),
    "museum": ({"visitors": ("large", 0), "fee": ("small", 2)}, ["art", "war", "toys"], ["calm", "full"]),
    "letters": ({"words": ("middle", 0), "share": ("small", 2)}, ["Dear Sir", "Hi, you", '"Hello"'], ["ham", "spam"]),
}  # fmt: skip
LAWS: dict[str, Callable[[Any], Any]] = {
    "small": lambda z: 4 * np.exp(z / 2),
    "middle": lambda z: 60 + 12 * z,
    "large": lambda z: 3000 * np.exp(0.8 * z),
    "huge": lambda z: 4e6 * np.exp(z),
    "signed": lambda z: 8 * z,
    "signed large": lambda z: 2500 * z,
}


def made(place: int, numbers: dict[str, tuple[str, int]], words: list[str], classes: list[str] | int) -> Clean:
    """A clean table; the first number, the day and the words tell of the target, the second number does not."""
    rng = np.random.default_rng(place)
    normal = {name: rng.normal(size=ROWS) for name in numbers}
    days, kinds = rng.integers(0, 900, ROWS), rng.integers(0, len(words), ROWS)
    columns: dict[str, list[Any]] = {
        name: np.round(LAWS[law](normal[name]), decimals).tolist() for name, (law, decimals) in numbers.items()
    }
    columns["day"] = [date(2021, 1, 1) + timedelta(int(day)) for day in days]
    columns["kind"] = [words[kind] for kind in kinds]
    signal = next(iter(normal.values())) + (days - 450) / 400 + kinds / 2 + rng.normal(size=ROWS)
    decimals = {name: digits for name, (_, digits) in numbers.items()}
    if isinstance(classes, int):
        columns[TARGET], decimals[TARGET] = np.round(2000 + 300 * signal, classes).tolist(), classes
    else:
        ranks = np.argsort(np.argsort(signal))
        columns[TARGET] = [classes[rank * len(classes) // ROWS] for rank in ranks.tolist()]
    return Clean(columns, decimals)


CLEAN = {name: made(place, *subject) for place, (name, subject) in enumerate(SUBJECTS.items())}


def columns_and_target(table: Clean, names: dict[str, str]) -> tuple[dict[str, Any], list[Any]]:
    """The columns as typed vectors under the names of a file, and the target, without rows that have none."""
    kept = [i for i, value in enumerate(table.columns[TARGET]) if value is not None]
    columns = {names.get(name, name): typed([values[i] for i in kept]) for name, values in table.columns.items()}
    return columns, columns.pop(names.get(TARGET, TARGET)).tolist()


def typed(values: list[Any]) -> Any:
    first = next(value for value in values if value is not None)
    if isinstance(first, date):
        return np.array(values, dtype="datetime64[s]" if isinstance(first, datetime) else "datetime64[D]")
    return np.array(values, dtype=object if isinstance(first, str) else float)


# How a value is spelt.


def plain(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def comma(value: float, decimals: int) -> str:
    return plain(value, decimals).replace(".", ",")


def grouped(value: float, decimals: int, group: str = ",", point: str = ".") -> str:
    return f"{value:,.{decimals}f}".translate({ord(","): group, ord("."): point})


german: Spelling = partial(grouped, group=".", point=",")
french: Spelling = partial(grouped, group=NARROW, point=",")
swiss: Spelling = partial(grouped, group="'")


def around(before: str, spelling: Spelling, after: str = "") -> Spelling:
    """A currency before a number, or a unit behind it."""
    return lambda value, decimals: f"{before}{spelling(value, decimals)}{after}"


def accounting(spelling: Spelling) -> Spelling:
    """Parentheses for a minus."""
    return lambda value, decimals: f"({spelling(-value, decimals)})" if value < 0 else spelling(value, decimals)


def typeset(spelling: Spelling) -> Spelling:
    """The minus of typesetting."""
    return lambda value, decimals: spelling(value, decimals).replace("-", MINUS)


def dated(pattern: str) -> Spelling:
    return lambda day, _: day.strftime(pattern)


iso = dated("%Y-%m-%d")


def serial(day: date, _: int) -> str:
    """The day's number in Excel, for which 1900-03-01 is day 61."""
    return str((day - date(1899, 12, 30)).days)


# How a table is written.


def texts(
    table: Clean, number: Spelling, day: Spelling, own: dict[str, Spelling], gaps: tuple[str, ...]
) -> list[list[str]]:
    """The cells of the rows; a missing value has one of the marks in turn."""
    found = []
    for name, values in table.columns.items():
        kind = next(value for value in values if value is not None)
        usual: Spelling = number if isinstance(kind, float) else day if isinstance(kind, date) else lambda word, _: word
        spelling, digits = own.get(name, usual), table.decimals.get(name, 0)
        found.append([
            gaps[i % len(gaps)] if value is None else spelling(value, digits) for i, value in enumerate(values)
        ])  # fmt: skip
    return [list(row) for row in zip(*found, strict=True)]


def file(
    table: Clean, divider: str = ",", number: Spelling = plain, day: Spelling = iso, *,
    own: dict[str, Spelling] | None = None, gaps: tuple[str, ...] = ("",), names: dict[str, str] | None = None,
    header: bool = True, above: Iterable[str] = (), below: Iterable[str] = (), between: Iterable[str] = (),
    trailing: str = "", trailing_header: str = "", end: str = "\n", encoding: str = "utf-8",
) -> Written:  # fmt: skip
    """A table as a file: its lines, some above, below and between them, in an encoding."""
    cells = texts(table, number, day, own or {}, gaps)
    rows = [[(names or {}).get(name, name) for name in table.columns]] * header + cells
    lines = []
    for row in rows:
        csv.writer(line := io.StringIO(newline=""), delimiter=divider).writerow(row)
        lines.append(line.getvalue().removesuffix("\r\n") + trailing)
    if header:
        lines[0] = lines[0].removesuffix(trailing) + trailing_header
    for place, line_between in enumerate(between):
        lines.insert(7 * (place + 1), line_between)
    data = codecs.BOM_UTF16_BE * (encoding == "utf-16-be") + end.join([*above, *lines, *below, ""]).encode(encoding)
    return Written(data, dict(zip(table.columns, map(list, zip(*cells, strict=True)), strict=True)))


class Written(NamedTuple):
    """A file, and the texts of its columns."""

    data: bytes
    texts: dict[str, list[str]]


@dataclass(frozen=True)
class Ugly:
    """A file, the table whose ranking it has, and what a reader is told or may say.

    ``names`` are the columns' names in the result, where they are others. ``readings`` stand for a file whose values
    allow two: each with the options that ask for it and the table that it then is; ``said`` stands in the sentence.
    """

    written: Written
    table: Clean
    options: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    readings: tuple[tuple[dict[str, Any], Clean], ...] = ()
    said: str = ""


def gappy(table: Clean, *names: str, every: int = 7) -> Clean:
    """A table without some of the values of columns."""
    missing = {
        name: [None if (i + place) % every == 0 else value for i, value in enumerate(table.columns[name])]
        for place, name in enumerate(names)
    }
    return table.changed(**missing)


def early(table: Clean, swapped: bool = False) -> Clean:
    """A table whose days are up to the twelfth of a month; or the table that it is with day and month swapped."""
    days = [day.replace(day=day.day % 12 + 1) for day in table.columns["day"]]
    return table.changed(day=[day.replace(month=day.day, day=day.month) for day in days] if swapped else days)


def scaled(table: Clean, name: str) -> Clean:
    """What numbers with three digits behind a separator are if it separates decimals."""
    return table.changed(**{name: [value / 1000 if value >= 1000 else value for value in table.columns[name]]})


def broken(table: Clean) -> Clean:
    """A table with line breaks in its words."""
    return table.changed(kind=[word.replace(" ", "\n") + "\n(sic)" for word in table.columns["kind"]])


def at_noon(table: Clean) -> Clean:
    """A table with a time of the day."""
    days = [datetime(day.year, day.month, day.day, 6 + i % 13, 5) for i, day in enumerate(table.columns["day"])]
    return table.changed(day=days)


def by_turns(table: Clean, name: str, *spellings: Spelling) -> Clean:
    """A table with a column of texts, spelt in several ways by turns."""
    spelt = (spellings[i % len(spellings)](x, table.decimals[name]) for i, x in enumerate(table.columns[name]))
    return table.changed(**{name: list(spelt)})


shop, clinic, lab, bank, farm, school, weather, energy, houses, flights, museum, letters = CLEAN.values()
dollars = around("$", grouped)
SAME_NAMES, NUMBERED = {"weight": "value", "dose": "value"}, {"weight": "value", "dose": "value.1"}
in_kilos, in_grams = around("", plain, " kg"), lambda value, decimals: f"{1000 * value:.0f} g"
COLUMNS = {name: f"column {i}" for i, name in enumerate(lab.columns, 1)}

FILES = {
    # a German shop
    "semicolons and decimal commas": Ugly(file(shop, ";", comma), shop),
    "German export": Ugly(file(shop, ";", german, dated("%d.%m.%Y"), encoding="latin-1", end="\r\n"), shop),
    "decimal commas between tabs": Ugly(file(shop, "\t", comma), shop),
    "euros, in the code page of Windows": Ugly(file(shop, ";", around("", german, " €"), encoding="cp1252"), shop),
    "UTF-16, decimal commas, trailing tabs": Ugly(
        file(shop, "\t", comma, encoding="utf-16", trailing="\t", trailing_header="\t", end="\r\n"), shop
    ),
    # an American clinic
    "month first": Ugly(file(clinic, ",", plain, dated("%m/%d/%Y")), clinic),
    "a unit behind a blank": Ugly(file(clinic, own={"weight": in_kilos, "dose": around("", plain, " mg")}), clinic),
    "two columns of one name": Ugly(file(clinic, names=SAME_NAMES), clinic, names=NUMBERED),
    "one name twice, marks of missing values, month first": Ugly(
        file(gappy(clinic, "weight", "day"), ",", plain, dated("%m/%d/%Y"), gaps=("NULL", "n/a"), names=SAME_NAMES),
        gappy(clinic, "weight", "day"), names=NUMBERED,
    ),
    "two units in a column": Ugly(
        file(by_turns(clinic, "weight", in_kilos, in_grams)), clinic, said="weight",
        readings=(({"categorical": ["weight"]}, by_turns(clinic, "weight", in_kilos, in_grams)),),
    ),
    # a laboratory
    "no header": Ugly(file(lab, header=False), lab, {"label": "column 5"}, COLUMNS),
    "minus of typesetting": Ugly(file(lab, ",", typeset(plain)), lab),
    "NULL, n/a, a dash and a point": Ugly(
        file(gappy(lab, "signal", "area"), gaps=("NULL", "n/a", "-", ".")), gappy(lab, "signal", "area")
    ),
    "three digits after commas, between semicolons": Ugly(file(lab, ";", comma), lab),
    "no header, decimal commas, day first": Ugly(
        file(lab, ";", comma, dated("%d.%m.%Y"), header=False), lab, {"label": "column 5"}, COLUMNS
    ),
    # a Swiss bank
    "apostrophes between thousands": Ugly(file(bank, ",", swiss), bank),
    "parentheses for a minus": Ugly(file(bank, ",", accounting(grouped)), bank),
    "francs": Ugly(file(bank, ";", around("CHF ", swiss)), bank),
    "three digits after commas, another column decides": Ugly(file(bank, ",", grouped), bank),
    "dollars, parentheses, a mark of the byte order, comments": Ugly(
        file(bank, ",", accounting(dollars), above=["# exported", "# by the bank"], encoding="utf-8-sig"), bank
    ),
    # a French farm
    "narrow blanks between thousands": Ugly(file(farm, ";", french), farm),
    "Latin-1": Ugly(file(farm, encoding="latin-1"), farm),
    "day first between slashes": Ugly(file(farm, ",", plain, dated("%d/%m/%Y")), farm),
    "blanks that do not break": Ugly(file(farm, ",", around(NO_BREAK, plain, NO_BREAK)), farm),
    "two-digit years": Ugly(file(farm, ";", comma, dated("%d.%m.%y")), farm),
    # a school
    "per cent": Ugly(file(school, own={"score": around("", plain, "%")}), school),
    "per cent behind a blank that does not break": Ugly(
        file(school, ";", comma, own={"score": around("", comma, NO_BREAK + "%")}), school
    ),
    "days up to the twelfth": Ugly(
        file(early(school), ",", plain, dated("%m/%d/%Y")), early(school), said="day",
        readings=(({"dates": "month-first"}, early(school)), ({"dates": "day-first"}, early(school, True))),
    ),
    "comment lines": Ugly(file(school, above=["# school; year, class", "#", "# 2023"]), school),
    "targets that are missing": Ugly(file(gappy(school, TARGET)), gappy(school, TARGET)),
    # a weather station, whose target is a number
    "a unit without a blank": Ugly(
        file(weather, own={"temperature": around("", plain, "°C"), "wind": around("", plain, "km/h")}), weather
    ),
    "day first with a time": Ugly(file(at_noon(weather), ",", plain, dated("%d/%m/%Y %H:%M")), at_noon(weather)),
    "target with a decimal comma": Ugly(file(weather, ";", comma), weather),
    "numeric targets that are missing": Ugly(
        file(gappy(weather, TARGET, "wind"), gaps=("", "NA")), gappy(weather, TARGET, "wind")
    ),
    "unit, minus of typesetting, decimal comma, missing targets": Ugly(
        file(gappy(weather, TARGET), ";", comma, own={"temperature": around("", typeset(comma), " °C")}),
        gappy(weather, TARGET),
    ),
    # a power station
    "millions": Ugly(file(energy, "\t", own={"used": grouped}), energy),
    "points between thousands": Ugly(file(energy, ";", german), energy),
    "a separator at the end of every line": Ugly(file(energy, trailing=",", trailing_header=","), energy),
    "a separator at the end of rows": Ugly(file(energy, ";", comma, trailing=";"), energy),
    "blank lines, and lines of separators": Ugly(file(energy, between=["", ",,,,", "  "], below=["", ",,,,"]), energy),
    # houses, whose target is a number
    "dollars": Ugly(file(houses, ",", dollars), houses),
    "UTF-16 with the high byte first": Ugly(file(houses, "\t", encoding="utf-16-be"), houses),
    "days of Excel": Ugly(file(houses, ",", plain, serial), houses, {"dates": "excel"}),
    "a footer of totals": Ugly(file(houses, below=["Total,,123456.50,,99.00"]), houses, {"skip_footer": 1}),
    "two currencies": Ugly(
        file(by_turns(houses, "garden", dollars, around("", grouped, " €"))), houses, said="garden",
        readings=(({"categorical": ["garden"]}, by_turns(houses, "garden", dollars, around("", grouped, " €"))),),
    ),
    # flights
    "year first between slashes": Ugly(file(flights, ",", plain, dated("%Y/%m/%d")), flights),
    "three digits after every comma": Ugly(
        file(flights, "\t", own={"distance": grouped}), flights, said="distance",
        readings=(({"decimal": "."}, flights), ({"decimal": ","}, scaled(flights, "distance"))),
    ),
    "three digits after every point": Ugly(
        file(flights, "\t", own={"distance": german}), flights, said="distance",
        readings=(({"decimal": ","}, flights), ({"decimal": "."}, scaled(flights, "distance"))),
    ),
    "-999": Ugly(
        file(gappy(flights, "delay"), gaps=("-999",)), gappy(flights, "delay"), {"na_values": [-999]}
    ),
    "a mark of the byte order": Ugly(file(flights, ";", encoding="utf-8-sig"), flights),
    # a museum
    "commas between thousands": Ugly(file(museum, ",", own={"visitors": grouped, "fee": around("£", plain)}), museum),
    "Excel names the separator": Ugly(file(museum, ";", comma, above=["sep=;"], end="\r\n"), museum),
    "month first between dashes, a time": Ugly(
        file(at_noon(museum), ",", plain, dated("%m-%d-%Y %H:%M:%S")), at_noon(museum)
    ),
    "a currency behind": Ugly(file(museum, own={"fee": around("", plain, " USD")}), museum),
    "a footer, blank lines, per cent": Ugly(
        file(museum, own={"fee": around("", plain, " %")}, between=[""], below=["", "Source: us", "Sum,1,2,3,4"]),
        museum, {"skip_footer": 2},
    ),
    # letters
    "line breaks in quotes": Ugly(file(broken(letters)), broken(letters)),
    "line breaks in quotes, days with points": Ugly(
        file(broken(letters), ";", comma, dated("%d.%m.%Y"), encoding="cp1252", end="\r\n"), broken(letters)
    ),
    "words that are missing": Ugly(
        file(gappy(letters, "kind"), gaps=("NULL",)), gappy(letters, "kind"), {"na_values": ["NULL"]}
    ),
    "points and dashes for missing days": Ugly(
        file(gappy(letters, "day", "share"), gaps=(".", "-")), gappy(letters, "day", "share")
    ),
    "a column of one name beside its number": Ugly(
        file(letters, names={"words": "x", "share": "x.1", "kind": "x"}), letters,
        names={"words": "x", "share": "x.1", "kind": "x.2"},
    ),
}  # fmt: skip
