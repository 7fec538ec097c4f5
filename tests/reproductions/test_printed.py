"""Printed tables in docs/data stay as they were transcribed; where a paper adds up a table, its sums come out."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from reproductions.printed import printed

DATA = Path(__file__).parents[2] / "docs" / "data"
DIGESTS = {  # of files that were compared with the papers, cell by cell
    "ghosh2017_table1": "5e9c38532976f0a1",
    "ghosh2017_table2": "aeaea2411cf4eeaf",
    "wang2024_findings": "b5c65ba21e606262",
    "wang2024_table3": "e4ceab4b5bf7f0fe",
    "wang2024_table4": "bda87cd98c4901fa",
    "wang2024_table5": "a858c921fde5f605",
    "wang2024_table6": "4cbc70038bd0aea9",
    "wang2024_table7": "1f081411e5d16f47",
    "wang2024_table8": "f325ac94e614fce7",
    "wang2024_table9": "06b48d902ae50749",
    "wilton2024_tables": "659d9a75f73b0885",
    "yang2019_table3": "e38c6d94daa4bcb4",
}


def test_every_printed_table_has_a_digest() -> None:
    papers = ("ghosh2017", "wang2024", "wilton2024", "yang2019")
    assert {path.stem for path in DATA.glob("*.csv") if path.stem.startswith(papers)} == {*DIGESTS}


@pytest.mark.parametrize("name", DIGESTS)
def test_a_printed_table_is_as_it_was_transcribed(name: str) -> None:
    assert hashlib.sha256((DATA / f"{name}.csv").read_bytes()).hexdigest()[:16] == DIGESTS[name]


def test_yang2019_wins_ties_and_losses_are_the_sums_below_the_table() -> None:
    rows = printed("yang2019_table3")
    marks = {m: Counter(r["mark"] for r in rows if r["method"] == m) for m in ("gini", "information gain")}
    assert marks["gini"] == {"win": 35, "tie": 27, "loss": 2}
    assert marks["information gain"] == {"win": 35, "tie": 25, "loss": 4}
    assert len({(r["data"], r["tau_neg"], r["method"]) for r in rows}) == len(rows) == 32 * 2 * 3
