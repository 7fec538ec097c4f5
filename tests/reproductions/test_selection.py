"""Noise of many values beside an informative feature: which criteria pick it; what the page on categories reports."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from executed_page import rows
from reproductions.selection import Picked, selection_bias
from splitcrit import agini, entropy, gini, normalised, sgini
from splitcrit.nulls import significance

DOCS = Path(__file__).parents[2] / "docs"


def picked(rows: list[Picked]) -> dict[str, float]:
    return {row.chooser: row.share for row in rows}


def test_gini_picks_noise_of_many_values_and_corrected_gains_do_not() -> None:
    found = picked(selection_bias([gini, sgini, agini, significance], [20], trials=600))
    assert found["gini"] > 0.8
    assert max(found["sgini"], found["agini"], found["significance"]) < 0.15


def test_between_two_features_that_tell_nothing_only_a_corrected_gain_is_fair() -> None:
    found = picked(
        selection_bias([gini, normalised(entropy), sgini, agini, significance], [20], effect=0.0, trials=600)
    )
    assert found["gini"] > 0.95 and found["normalised(entropy)"] > 0.85
    assert 0.4 < found["sgini"] < 0.62 and 0.4 < found["significance"] < 0.6
    assert found["agini"] < 0.1  # it avoids many values


def test_noise_of_two_values_is_picked_alike() -> None:
    for split in ("multiway", "subset"):
        found = picked(selection_bias([gini, sgini, agini], [2], split=split, trials=400))
        assert len(set(found.values())) == 1 and found["gini"] < 0.15


def test_the_best_subset_of_noise_fools_every_criterion() -> None:
    found = picked(selection_bias([gini, sgini, significance], [10], split="subset", trials=400))
    assert min(found.values()) > 0.25


def test_a_split_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="a split is 'multiway' or 'subset'; got 'binary'"):
        selection_bias([gini], [4], split="binary")


def test_a_tie_counts_as_half_and_the_error_is_binomial() -> None:
    (row,) = selection_bias([gini], [2], samples=2, trials=100)
    assert 0 < row.share < 1
    assert Picked("x", "multiway", 2, 100, 0.5).standard_error == pytest.approx(0.05)


def test_the_page_shows_the_sizes_that_were_measured() -> None:
    sys.path.insert(0, str(DOCS.parent / "benchmarks"))
    try:
        from categories import START, STOP, summary
    finally:
        sys.path.pop(0)
    block = (DOCS / "categories.md").read_text().partition(START)[2].partition(STOP)[0]
    lines = list(summary(rows(DOCS / "data/categories.csv")))
    assert block.split("\n")[2:-2] == lines and len(lines) == 5


def test_the_case_of_the_page_is_what_was_measured() -> None:
    page, found = (DOCS / "categories.md").read_text(), rows(DOCS / "data/categories.csv")
    case = page.partition("| leaves, at most |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(case) == 4
    for line in case:
        leaves, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        for encoding, cell in zip(("categories", "one-hot"), cells, strict=True):
            (row,) = (
                r for r in found if (r["data"], r["encoding"], r["max_leaf_nodes"]) == ("mushrooms", encoding, leaves)
            )
            assert cell == f"{float(row['accuracy']):.4f} +- {float(row['standard_error']):.4f}"


def test_no_tree_of_the_table_is_ahead_of_a_pruned_one() -> None:
    said = "none of these trees is more accurate than scikit-learn's pruned tree by two standard errors"
    assert said in " ".join((DOCS / "categories.md").read_text().split())
    found = rows(DOCS / "data/categories.csv")
    pruned = {row["data"]: row for row in found if row["encoding"] == "scikit-learn, pruned"}
    assert len(pruned) == 3 and len(found) > 90
    for row in found:
        peer = pruned[row["data"]]
        gap = float(row["accuracy"]) - float(peer["accuracy"])
        assert gap <= 2 * np.hypot(float(row["standard_error"]), float(peer["standard_error"])), row
