"""A line on standard error: from the first rows that are not all rows, anew for every pass, then of columns."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from splitcrit import rank_features
from splitcrit.cli import main
from splitcrit.data import csv_files
from splitcrit.inference import InferenceTreeClassifier, progress
from splitcrit.inference.progress import Progress


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever could be said is said at once."""
    for name in ("QUICK", "OFTEN", "SELDOM"):
        monkeypatch.setattr(progress, name, 0.0)


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the stream of errors a terminal; called in a test, as the stream is another one before."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)


def told(news: Iterable[tuple[int, int | None]]) -> None:
    with Progress() as watch:
        for rows, total in news:
            watch(rows, total)


def on_screen(written: str) -> list[str]:
    """What stands on the line of a terminal after each write that began at its start."""
    line, seen = "", []
    for part in written.split("\r"):
        line = part + line[len(part) :]
        seen.append(line.rstrip())
    return seen


@pytest.mark.usefixtures("at_once")
def test_a_line_tells_passes_apart(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    told([(20, 100), (90, 99), (50, 100), (100, 100), (60, 100)])
    seen = on_screen(capsys.readouterr().err)
    assert "splitcrit: rows, pass 1: 90 of 99" in seen and "splitcrit: rows, pass 3: 60 of 100" in seen
    assert not any("pass 4" in line for line in seen) and seen[-1] == ""


@pytest.mark.usefixtures("at_once")
def test_what_is_read_in_one_part_has_no_line(capsys, monkeypatch) -> None:
    on_terminal(monkeypatch)
    told([(100, 100), (100, 100)])
    assert capsys.readouterr().err == ""
    told([(100, None)])
    assert "splitcrit: rows, pass 1: 100" in on_screen(capsys.readouterr().err)


def test_what_is_quick_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUICK", 1e9)
    on_terminal(monkeypatch)
    told([(1, 9), (2, 9)])
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("target", ["class", "number"])
def test_columns_are_counted_when_all_rows_are(tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{i % 2},{i}.5" for i, (a, b) in enumerate(rng.normal(size=(60, 2)).tolist())]
    (path := tmp_path / "x.csv").write_text("\n".join(["a,b,class,number", *rows]))
    assert main(["rank", str(path), "--target", target]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "columns" in line] == [f"splitcrit: columns: {i} of 3" for i in (1, 2, 3)]


def test_a_callback_of_rows_need_not_know_columns() -> None:
    seen: list[tuple[int, int | None]] = []
    rank_features({"x": [1, 2, 3, 4]}, list("abab"), watch=lambda rows, total: seen.append((rows, total)))
    assert seen == [(4, 4)]


@pytest.mark.usefixtures("at_once")
def test_a_file_is_followed_while_it_is_read(tmp_path, capsys, monkeypatch) -> None:
    (path := tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(6000)))
    assert main(["rank", str(path), "--target", "y"]) == 0
    assert "rows" not in capsys.readouterr().err  # a small file
    monkeypatch.setattr(csv_files, "TOLD", 2000)
    assert main(["rank", str(path), "--target", "y"]) == 0
    assert "splitcrit: rows, pass 1: 6000 of 6000" in capsys.readouterr().err.splitlines()


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("compare", ["gain", "calibrated"])
def test_random_orders_of_a_tree_are_counted(compare: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = np.arange(60.0)[:, None]
    tree = InferenceTreeClassifier(compare=compare, n_permutations=150, max_exceedances=None, random_state=0)
    tree.fit(x, np.arange(60) // 20 % 2)
    lines = [line for line in capsys.readouterr().err.splitlines() if "orders" in line]
    assert lines[:3] == [f"splitcrit: random orders in node 0, depth 0: {done} of 150" for done in (64, 128, 150)]
    assert len(lines) == sum(-(-test.drawn // 64) for test in tree.verdicts_) > 3
    tree.set_params(verbose=1).fit(x, np.arange(60) // 20 % 2)  # which says more
    assert "orders" not in capsys.readouterr().err
