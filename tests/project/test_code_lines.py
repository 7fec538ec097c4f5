"""The package does not grow: each room stays under its ceiling, or waits for its step and does not grow meanwhile."""

from __future__ import annotations

import doctest
from pathlib import Path

from tools import code_lines
from tools.code_lines import counted, kept, packing


def test_code_is_counted_without_words_and_a_module_belongs_to_one_room() -> None:
    examples = doctest.testmod(code_lines)
    assert examples.attempted >= 7 and not examples.failed


def test_links_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "package" / "inside").mkdir(parents=True)
    (tmp_path / "package" / "inside" / "a.py").write_text("x = 1\ny = 2\n")
    (tmp_path / "package" / "b.py").write_text("x = 1\n")
    (tmp_path / "package" / "link").symlink_to(tmp_path / "package" / "inside")
    assert counted(tmp_path / "package") == {"inside": 2, "base": 1}


def test_no_room_is_above_its_ceiling_or_what_it_waits_with() -> None:
    tables = kept()
    ceilings, waiting = tables["ceilings"], tables["waiting"]
    most = ceilings | {name: step["lines"] for name, step in waiting.items()}
    assert {name: lines for name, lines in counted().items() if lines > most.get(name, 0)} == {}
    assert sorted(ceilings) == sorted(counted())
    assert [name for name, step in waiting.items() if step["lines"] <= ceilings[name]] == []


def test_lines_are_not_packed() -> None:
    mean = kept()["mean line"]
    assert {name: value for name, value in packing().items() if abs(value / mean[name] - 1) > 0.03} == {}


def test_packed_lines_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "a.py").write_text("x = 1; y = 2\n")
    assert packing(tmp_path)["statements"] == 4 / 3 and packing(tmp_path / "b")["statements"] == 2
