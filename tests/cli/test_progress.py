"""A bar on a terminal: from the first rows that are not all rows, anew for every pass."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from splitcrit.cli import main
from splitcrit.cli.progress import rows_counted
from splitcrit.data import csv_files

pytest.importorskip("rich")


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What makes the stream of errors a terminal; called in a test, as the stream is another one before."""
    monkeypatch.setenv("TERM", "xterm")
    return lambda: monkeypatch.setattr(sys.stderr, "isatty", lambda: True)


def told(news: Iterable[tuple[int, int | None]]) -> None:
    with rows_counted() as watch:
        assert watch is not None
        for rows, total in news:
            watch(rows, total)


def test_a_bar_tells_passes_apart(capsys: pytest.CaptureFixture[str], on_terminal: Callable[[], None]) -> None:
    on_terminal()
    told([(20, 100), (90, 99), (50, 100), (100, 100), (60, 100)])
    shown = capsys.readouterr().err
    assert "rows, pass 3" in shown and "60/100" in shown and "pass 4" not in shown


def test_what_is_read_in_one_part_has_no_bar(
    capsys: pytest.CaptureFixture[str], on_terminal: Callable[[], None]
) -> None:
    on_terminal()
    told([(100, 100), (100, 100)])
    assert capsys.readouterr().err == ""
    told([(100, None)])
    assert "100/?" in capsys.readouterr().err


def test_a_file_is_followed_while_it_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, on_terminal: Callable[[], None]
) -> None:
    on_terminal()
    (path := tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(6000)))
    assert main(["rank", str(path), "--target", "y"]) == 0
    assert capsys.readouterr().err == ""  # a small file
    monkeypatch.setattr(csv_files, "TOLD", 2000)
    assert main(["rank", str(path), "--target", "y"]) == 0
    assert "6000/6000" in capsys.readouterr().err  # begun while the file was read: the table itself is one part
