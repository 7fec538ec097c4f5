"""Values on one line, and as tables of HTML: long parts are cut, text stays text."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from splitcrit.display import DEEP, brief, described, html_table, shortened, summary

HOSTILE = ["<script>alert(1)</script>", "</td><b>", "a & b", "&lt;", "\"'", "<!-- ", "]]>"]


@dataclass(frozen=True, repr=False)
class Point:
    """A value with two parts that are told."""

    x: Any
    y: Any = None
    hidden: Any = field(default=0, repr=False)

    __repr__ = shortened
    _repr_html_ = described


@dataclass(frozen=True, repr=False)
class Options:
    """A value whose parts all have a default."""

    most: int | None = None
    names: dict[str, Any] = field(default_factory=dict)
    least: int = 1

    __repr__ = shortened


def rows(page: str) -> list[list[str]]:
    """The cells of a table, read by a parser of XML."""
    element = ElementTree.fromstring(f"<div>{page}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in element.iter("tr")]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Point(1), "Point(x=1, y=None)"),
        (Point(1, {"a": 1}, hidden=9), "Point(x=1, y={'a': 1})"),
        (Point(np.arange(3), np.zeros((4, 2))), "Point(x=array([0, 1, 2]), y=<float64 array (4, 2)>)"),
        (Point(np.float64(0.5), np.int64(3)), "Point(x=0.5, y=3)"),
        (Point(len, np.mean), "Point(x=len, y=mean)"),
        (Point(object(), Fraction(1, 3)), "Point(x=<object>, y=Fraction(1, 3))"),
        (
            Point(partial(abs), tuple(range(9))),
            "Point(x=functools.partial(<built-in function abs>), y=(0, 1, 2, 3, 4, 5, ...))",
        ),
        (Point(Point(1), Options()), "Point(x=Point(x=1, y=None), y=Options())"),
        (Options(3), "Options(most=3)"),
        (Options(0, {"a": 1}, 1), "Options(most=0, names={'a': 1})"),
    ],
)
def test_a_value_prints_as_the_call_that_makes_it(value: Point, said: str) -> None:
    assert repr(value) == said


@pytest.mark.parametrize(
    "part", ["a" * 999, list(range(999)), 10**200, {i: "b" * 99 for i in range(99)}, [[[["c"] * 99]]]]
)
def test_a_long_part_is_cut(part: Any) -> None:
    assert len(brief(part)) <= 60 and "..." in brief(part)
    assert "\n" not in repr(Point(part)) and repr(Point(part)).startswith("Point(x=")


def test_a_summary_names_what_it_tells() -> None:
    assert summary(Point(1), rows=3, name="<b>") == "<Point: rows=3, name='<b>'>"


@pytest.mark.parametrize("words", HOSTILE)
def test_text_stays_text_wherever_it_stands(words: str) -> None:
    page = html_table([words, words], [[words, words]], foot=[words, words], notes=[words])
    assert rows(page) == [[words, words]] * 3
    assert "".join(ElementTree.fromstring(f"<div>{page}</div>").itertext()) == words * 7


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.123456, "0.1235"), (np.float32(0.5), "0.5"), (float("nan"), "nan"), (12345678, "12345678"), (True, "True"),
     (Fraction(1, 3), "1/3"), (np.int64(7), "7"), (None, ""), (1e-9, "1e-09")],
)  # fmt: skip
def test_numbers_have_four_digits(value: Any, said: str) -> None:
    assert rows(html_table(["", ""], [["a", value]]))[1] == ["a", said]


def test_a_long_table_says_what_it_leaves_out() -> None:
    page = html_table(["a"], ([i] for i in range(DEEP + 3)), foot=["last"])
    assert len(rows(page)) == DEEP + 2 and rows(page)[-1] == ["last"] and page.endswith("<p>and 3 more</p>")


def test_the_parts_of_a_value_as_a_table() -> None:
    page = described(Point(0.123456, "<b>"))
    assert rows(page) == [["", "Point"], ["x", "0.1235"], ["y", "<b>"]]
    assert rows(described(Point({"a": np.zeros(99)})))[1:] == [["x", "{'a': <float64 array (99,)>}"], ["y", ""]]
