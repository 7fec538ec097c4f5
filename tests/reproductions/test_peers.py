"""The study beside other libraries runs with any of them absent, and says why."""

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
