"""The study beside other libraries runs with any of them absent, says why, and stops what takes too long."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from scripts import script

MODULES = {"YDF": "ydf", "LightGBM": "lightgbm", "XGBoost hist": "xgboost", "treeple": "treeple"}


@pytest.fixture(scope="module")
def scripts() -> Any:
    """The script that measures, and how it asks each library."""
    run = script("peers")
    return run, sys.modules["peers_fits"]


@pytest.fixture
def peers(scripts: Any) -> dict[str, Any]:
    """The libraries by name."""
    return {peer.name: peer for peer in scripts[1].PEERS}


@pytest.mark.parametrize(("name", "module"), MODULES.items())
def test_a_library_that_is_absent_is_skipped(name: str, module: str, peers: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert peers[name].absent() == f"skipped: {module} is not installed (pip install {module})"


@pytest.mark.parametrize("forest", [False, True])
def test_both_libraries_that_are_always_there_grow_the_same(forest: bool, peers: Any, scripts: Any) -> None:
    run, fits = scripts
    task = fits.Task(20, 5, 4) if forest else fits.Task(1, 5)
    cells = run.measured([peers["splitcrit"], peers["scikit-learn"]], task, 500, 10)
    ours, theirs = cells["splitcrit"], cells["scikit-learn"]
    assert ours.accuracy == pytest.approx(theirs.accuracy, abs=0.02 if forest else 0.005) and ours.accuracy > 0.6
    assert ours.leaves == pytest.approx(theirs.leaves, rel=0.1 if forest else 0.02)
    assert 16 < ours.leaves <= 32
    assert (ours.spread > 0) == forest  # every run has a seed of its own


def fake(fits: Any, name: str, seconds: float, said: list[Any]) -> Any:
    """A library whose fits take a given time for each 1000 rows, without running."""

    def fit(task: Any, train: Any, test: Any) -> Any:
        said.append((name, task.seed, len(train[0])))
        return fits.Fit(1.0, seconds * len(train[0]) / 1000, 0.5 + task.seed / 100, 2.0)

    return fits.Peer(name, lambda: "1", "", fit)


def test_what_would_take_too_long_is_left_out(scripts: Any, monkeypatch: Any) -> None:
    run, fits = scripts
    monkeypatch.setattr(run, "HELD_OUT", 1)
    monkeypatch.setattr(run, "SIZES", (1000, 3000, 10_000))
    said: list[Any] = []
    found = dict(run.growing([fake(fits, "a", 1.0, said), fake(fits, "b", 15.0, said)]))
    assert {n: list(cells) for n, cells in found.items()} == {1000: ["a", "b"], 3000: ["a", "b"], 10_000: ["a"]}
    assert ("b", 0, 10_000) not in said


def test_a_page_tells_ratios_and_reasons(scripts: Any) -> None:
    run, _ = scripts
    cells = {"splitcrit": run.Cell(1.0, 0.5, 0.9, 0.01, 8.0), "other": run.Cell(3.0, 2.0, 0.8, 0.0, 7.5)}
    rows = run.table(cells, {"splitcrit": "1", "other": "2"})
    wanted = ["| splitcrit | 1 | 1 | 0.5 | 1.00 | 90.0 +- 1.0 | 8 |", "| other | 2 | 3 | 2 | 0.25 | 80.0 | 8 |"]
    assert rows.splitlines()[2:] == wanted
    page = run.page([f"## A tree\n\n{rows}\n\n"], {"YDF": "skipped: ydf is not installed (pip install ydf)"})
    assert page.endswith("\n\n## Not measured\n\n- YDF: skipped: ydf is not installed (pip install ydf).\n")
    assert "Not measured" not in run.page([rows], {})
