"""The study of levels: each design has its tests, blocks are added where it stopped, too many rejections are seen."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts import script


@pytest.fixture
def levels(monkeypatch: Any) -> Any:
    found = script("test_levels")
    monkeypatch.setattr(found, "SETS", 2)
    monkeypatch.setattr(found, "BLOCKS", 1)
    monkeypatch.setattr(found, "DRAWS", 99)
    return found


def test_there_are_24_designs_of_which_each_has_its_tests(levels: Any) -> None:
    assert len(levels.DESIGNS) == 24
    trees = {"split test", "tree, selective", "tree, node", "subtree, held-out"}
    for column, labels in [("number", "normal"), ("category, many single levels", "two classes")]:
        found = levels.pvalues(column, labels, np.random.default_rng(1))
        assert trees <= set(found) and all(0 <= p <= 1 for p in found.values())
        assert ("law of the best split" in found) == ("audit, held-out" in found) == (labels == "two classes")


def test_blocks_are_added_from_where_it_stopped(levels: Any, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(levels, "DESIGNS", levels.DESIGNS[:2])
    levels.run(tmp_path / "all.csv", 10)
    lines = (tmp_path / "all.csv").read_text().splitlines()
    first = [line for line in lines if "a 5 % class" not in line]
    (tmp_path / "some.csv").write_text("\n".join([*first, ""]))
    levels.run(tmp_path / "some.csv", 10)
    levels.run(tmp_path / "some.csv", 10)
    assert (tmp_path / "some.csv").read_text().splitlines() == lines
    rows = list(csv.DictReader(lines))
    assert list(rows[0]) == list(levels.FIELDS) and {row["sets"] for row in rows} == {"2"}


@pytest.mark.parametrize(("rejected", "bad"), [(7, 0), (8, 1)])
def test_too_many_rejections_are_seen(levels: Any, tmp_path: Path, rejected: int, bad: int, capsys: Any) -> None:
    """Of 40 at .05 as many as 7 are allowed: P(8 or more) = .0007, P(7 or more) = .0034."""
    path = tmp_path / "some.csv"
    path.write_text(",".join(levels.FIELDS) + f"\nnumber,normal,a test,0,40,{rejected},0,0\n")
    assert levels.summary(path) == bad and ("too many" in capsys.readouterr().out) == bool(bad)


def test_designs_of_follow_up_have_a_table_of_their_own(levels: Any, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(levels, "FEWER", 1)
    monkeypatch.setattr(levels, "FOLLOW_UP", dict(list(levels.FOLLOW_UP.items())[::3]))
    levels.run(tmp_path / "some.csv", 10, follow_up=True)
    rows = list(csv.DictReader((tmp_path / "some.csv").read_text().splitlines()))
    assert {row["test"] for row in rows} == {"split test", "tree, selective", "tree, node"} and len(rows) == 6
    assert levels.follow_up_table(rows).count("\n") == 4


def test_the_table_of_follow_up_is_what_was_measured(levels: Any) -> None:
    report = levels.CENSORED
    rows, page = list(csv.DictReader(report.results.read_text().splitlines())), report.page.read_text()
    assert (
        report.paged(page, levels.follow_up_table(rows)) == page != report.paged(page, levels.follow_up_table(rows[3:]))
    )
    assert len({row["column"] for row in rows}) == 4 == len(levels.FOLLOW_UP)
    assert sum(int(row["sets"]) for row in rows) == 3 * 4 * 1000
