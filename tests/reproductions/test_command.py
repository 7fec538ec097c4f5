"""``python -m reproductions``, and the names that the package still has for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reproductions.__main__ import main
from splitcrit.cli import main as splitcrit

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


def test_the_old_command_answers_and_says_where_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(DeprecationWarning, match="a checkout has it as reproductions"):
        sys.modules.pop("splitcrit.experiments", None)
        assert splitcrit(["reproduce", "wang2024", "--list"]) == 0
    out, error = capsys.readouterr()
    assert "figure2" in out and error.startswith("splitcrit: reproduce will be removed in 0.5; ")


@pytest.mark.parametrize(
    ("code", "moved"),
    [
        ("from splitcrit.experiments import run", "reproductions"),
        ("from splitcrit.experiments.wang2024 import cells", "reproductions"),
        ("from splitcrit import datasets", "reproductions.datasets"),
        ("from splitcrit.datasets.folder import load", "reproductions.datasets"),
        ("import splitcrit; splitcrit.datasets.checkerboard", "reproductions.datasets"),
    ],
)
def test_the_old_imports_answer_and_warn_once(code: str, moved: str) -> None:
    said = python("-W", "always::DeprecationWarning", "-c", code)
    assert said.returncode == 0 and said.stderr.count("leaves the package with version 0.5") == 1
    assert said.stderr.count(f"a checkout has it as {moved}\n") == 1
