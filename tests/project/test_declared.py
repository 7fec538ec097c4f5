"""The page about declarations shows what its script measured, by the criterion that it shows."""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from splitcrit.arith import EXACT

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> Any:
    """The script that measures."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import declared
    finally:
        sys.path.pop(0)
    return declared


def test_the_page_shows_what_was_measured(script: Any) -> None:
    rows = list(csv.DictReader(script.RESULTS.read_text().splitlines()))
    page = script.PAGE.read_text()
    assert len(rows) == 2 * len(script.CRITERIA) and list(rows[0]) == list(script.FIELDS)
    assert script.paged(page, script.table(rows)) == page
    assert script.table(rows[:-1]) != script.table(rows)
    said = re.search(r"([\d ]+) samples, (\d+) features, depth (\d+)", page)
    assert said and [int(x.replace(" ", "")) for x in said.groups()] == [script.SAMPLES, script.FEATURES, script.DEPTH]


def test_what_was_measured_is_what_the_page_declares(script: Any) -> None:
    shown: dict[str, Any] = {}
    first = script.PAGE.read_text().split("```")[1].splitlines()
    exec("\n".join(line[4:] for line in first if line.startswith((">>>", "..."))), shown)
    assert shown["cubes"]([2, 3, 4], EXACT) == script.cubes([2, 3, 4], EXACT)
    mine, measured = shown["cubic"].search.form(9, 3), script.CRITERIA["declared"].search.form(9, 3)
    assert (mine.phi == measured.phi).all() and (mine.table == measured.table).all() and mine.unit == measured.unit
