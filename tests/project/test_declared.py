"""The page about declarations shows what its script measured, by the criterion that it shows."""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest

from scripts import script
from splitcrit.arith import EXACT


@pytest.fixture(scope="module")
def declared() -> Any:
    """The script that measures."""
    return script("declared")


def test_the_page_shows_what_was_measured(declared: Any) -> None:
    report = declared.REPORT
    rows = list(csv.DictReader(report.results.read_text().splitlines()))
    page = report.page.read_text()
    assert len(rows) == 2 * len(declared.CRITERIA) and list(rows[0]) == list(declared.FIELDS)
    assert report.paged(page, declared.table(rows)) == page
    assert report.paged(page, declared.table(rows[:-1])) != page
    said = re.search(r"([\d ]+) samples, (\d+) features, depth (\d+)", page)
    sizes = declared.SAMPLES, declared.FEATURES, declared.DEPTH
    assert said and tuple(int(x.replace(" ", "")) for x in said.groups()) == sizes


def test_what_was_measured_is_what_the_page_declares(declared: Any) -> None:
    shown: dict[str, Any] = {}
    first = declared.REPORT.page.read_text().split("```")[1].splitlines()
    exec("\n".join(line[4:] for line in first if line.startswith((">>>", "..."))), shown)
    assert shown["cubes"]([2, 3, 4], EXACT) == declared.cubes([2, 3, 4], EXACT)
    mine, measured = shown["cubic"].search.form(9, 3), declared.CRITERIA["declared"].search.form(9, 3)
    assert (mine.phi == measured.phi).all() and (mine.table == measured.table).all() and mine.unit == measured.unit
