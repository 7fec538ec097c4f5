"""``python -m reproductions``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reproductions.__main__ import main

ROOT = Path(__file__).parents[2]


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


def test_the_experiments_of_a_paper_are_listed() -> None:
    said = python("-m", "reproductions", "wang2024", "--list")
    assert said.returncode == 0 and "figure2" in said.stdout


def test_json_stands_beside_the_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["wang2024", "--list", "--json", str(tmp_path / "out.json")]) == 0
    assert "figure2" in capsys.readouterr().out and "figure2" in json.loads((tmp_path / "out.json").read_text())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["breiman"], "no paper has this key; got 'breiman'; one of breiman1996, "),
        (["wang2024", "figure1"], "an experiment of wang2024 is reproduced by its name; got 'figure1'; one of table3"),
        (["wang2024", "--splits", "0"], "an experiment is run at least once; got --splits 0; pass 1 or more"),
        (["wang2024", "--quik"], "did you mean --quick?"),
        (["wang2024", "--jobs", "0"], "--jobs must be at least 1, or -1 for one per core; got 0; pass --jobs 2"),
    ],
)
def test_a_mistake_is_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    try:
        status = main(arguments)
    except SystemExit as left:
        status = left.code
    assert status == 2 and said in capsys.readouterr().err
