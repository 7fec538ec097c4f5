"""``splitcrit properties``: a value of a user's file, its row, and one sentence for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from splitcrit.cli import main

MINE = """
def cubic(p, m):
    return 1 - sum(x**3 for x in p)


def halves(p, m):
    return p[0] if p[0] > p[1] else p[1]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_the_row_of_an_impurity_in_a_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = file.with_suffix(".json")
    assert main(["properties", f"{file}:cubic", "--json", str(out), "--work", "20000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "cubic" and lines[2].split() == ["concave", "yes", "yes", "yes"]
    found = json.loads(out.read_text())
    assert found["name"] == "cubic" and found["findings"][0]["rests_on"][0] == "algebra: 3/2 times that of gini"
    assert main(["properties", f"{file}:cubic", "--explain", "--work", "20000"]) == 0
    assert "concave: no split increases the impurity" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{}", "write it like mine.py:cubic"),
        ("{}:quartic", "got no quartic in"),
        ("absent.py:cubic", "got no file absent.py"),
        ("{}:halves", "a formula may not branch on its values"),
        ("broken.py:x", "ZeroDivisionError: division by zero in broken.py"),
    ],
)
def test_a_mistake_is_one_sentence(
    file: Path, value: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    Path("broken.py").write_text("x = 1 / 0\n")
    assert main(["properties", value.format(file)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
