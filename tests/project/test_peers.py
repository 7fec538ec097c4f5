"""The benchmark beside other libraries runs with any of them absent, says why, and stops what takes too long."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MODULES = {"YDF": "ydf", "LightGBM": "lightgbm", "XGBoost hist": "xgboost", "treeple": "treeple"}


@pytest.fixture(scope="module")
def scripts() -> Any:
    """The script that measures, and how it asks each library."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("peers"), importlib.import_module("peers_fits")
    finally:
        sys.path.pop(0)


@pytest.fixture
def peers(scripts: Any) -> dict[str, Any]:
    """The libraries by name."""
    return {peer.name: peer for peer in scripts[1].PEERS}


@pytest.mark.parametrize(("name", "module"), MODULES.items())
def test_a_library_that_is_absent_is_skipped(name: str, module: str, peers: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert peers[name].absent() == f"skipped: {module} is not installed (pip install {module})"


@pytest.mark.parametrize(("name", "module"), MODULES.items())
def test_a_library_that_does_not_import_is_skipped(name: str, module: str, peers: Any, monkeypatch: Any) -> None:
    def refusing(name: str, *_: Any) -> ModuleType:
        raise ValueError(f"{name} is of another build\nand more")

    monkeypatch.setattr(importlib, "import_module", refusing)
    assert peers[name].absent() == f"skipped: ValueError: {module} is of another build"


def test_ranger_is_skipped_without_r(peers: Any, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert peers["ranger"].absent() == "skipped: Rscript is not installed (apt-get install r-cran-ranger)"
    without = tmp_path / "Rscript"
    without.write_text("#!/bin/sh\nexit 1\n")
    without.chmod(0o755)
    assert peers["ranger"].absent() == "skipped: R's package ranger is not installed (apt-get install r-cran-ranger)"


def test_what_is_there_is_not_skipped(peers: Any) -> None:
    assert peers["splitcrit"].absent() == "" == peers["scikit-learn"].absent()


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


def test_sides_alternate_and_slow_ones_have_fewer_runs(scripts: Any, monkeypatch: Any) -> None:
    run, fits = scripts
    monkeypatch.setattr(run, "HELD_OUT", 1)
    said: list[Any] = []
    cells = run.measured([fake(fits, "a", 0.1, said), fake(fits, "b", 3.0, said)], fits.Task(), 1000, 3)
    assert [(name, seed) for name, seed, _ in said] == [
        ("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("a", 3), ("a", 4),
    ]  # fmt: skip
    assert cells["a"].accuracy == pytest.approx(0.52) and cells["b"].accuracy == pytest.approx(0.505)
    assert cells["a"].spread == pytest.approx(np.std([0.5, 0.51, 0.52, 0.53, 0.54], ddof=1))


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


def test_labels_keep_apart_and_in_order() -> None:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        apart = importlib.import_module("peers_picture").apart
    finally:
        sys.path.pop(0)
    assert apart({"a": 0.0, "b": -1.0, "c": 0.1}, 0.25) == {"b": -1.0, "a": 0.0, "c": 0.25}
