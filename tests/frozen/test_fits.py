"""The trees of the builders' fits, against their frozen digests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frozen import store
from frozen.elsewhere import elsewhere
from frozen.fits import digest, fits, real_fits
from growing import grow_regression
from splitcrit.trees.growth import GrownTree

FIELDS = ("nodes", "tree")
STEP = 5  # every such fit is grown by the fast tests


def found_in(grown: dict[str, Any]) -> list[store.Difference]:
    """The differences of fits, given the number of nodes and the digest of each."""
    frozen = store.trees()
    return [each for name, now in grown.items() for each in store.compared(name, FIELDS, frozen[name], now, 0.0)]


def of(made: dict[str, Callable[[], Any]], step: int) -> dict[str, Any]:
    """Nodes and digests of every so manieth fit."""
    return {name: digest(fit()) for name, fit in list(made.items())[::step]}


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.slow)])
def test_trees_are_those_frozen(step: int) -> None:
    assert store.unknown(found_in(of(fits(), step))) == []


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.slow)])
def test_trees_of_real_files_are_those_frozen(data: Path, step: int) -> None:
    assert store.unknown(found_in(of(real_fits(data), step))) == []


@pytest.mark.parametrize("step", [40, pytest.param(4, marks=pytest.mark.slow)])
def test_trees_are_the_same_where_nothing_else_is_installed(step: int) -> None:
    names = [name for name in fits() if not name.startswith("Tree")][::step]
    assert store.unknown(found_in(elsewhere("base", "fits", Path(), names))) == []


def test_every_fit_is_frozen(tmp_path: Path) -> None:
    assert set(store.trees()) == {*fits(), *real_fits(tmp_path)} and len(fits()) > 500


def test_another_tree_is_seen() -> None:
    tree = grow_regression(np.arange(8.0)[:, None], np.arange(8.0) // 2)
    assert isinstance(tree, GrownTree)
    right, inner = digest(tree), int(np.flatnonzero(tree.left >= 0)[-1])
    tree.score[:] = 9.0
    tree.threshold[tree.left < 0] = 7.0
    assert digest(tree) == right  # neither scores nor leaves count
    for part, value in (
        ("threshold", np.nextafter(tree.threshold[inner], 9)), ("feature", 1), ("left", 2), ("right", 1)
    ):  # fmt: skip
        kept = getattr(tree, part)[inner]
        getattr(tree, part)[inner] = value
        assert digest(tree) != right or value == kept, part
        getattr(tree, part)[inner] = kept
