"""The package does not grow unseen: no subpackage has more code lines than `code_lines.toml` allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.code_lines import code_lines, counted, kept


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('"""Words."""\n\nx = 1\n', 1),
        ("# a comment\nx = (\n    1  # one\n)\n", 3),
        ('def f():\n    """Words\n    of two lines."""\n    return """a\n    text"""\n', 3),
        ("class A:\n    '''Words.'''\n", 1),
    ],
)
def test_code_is_counted_without_words(source: str, lines: int) -> None:
    assert code_lines(source) == lines


def test_links_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "package" / "inside").mkdir(parents=True)
    (tmp_path / "package" / "inside" / "a.py").write_text("x = 1\ny = 2\n")
    (tmp_path / "package" / "b.py").write_text("x = 1\n")
    (tmp_path / "package" / "link").symlink_to(tmp_path / "package" / "inside")
    assert counted(tmp_path / "package") == {"inside": 2, "modules": 1}


def test_no_subpackage_grows() -> None:
    today, most = counted(), kept()
    assert {name: lines for name, lines in today.items() if lines > most.get(name, 0)} == {}
    assert [name for name in most if name not in today] == []
