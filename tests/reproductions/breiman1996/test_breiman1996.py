"""Experiments of breiman1996: what is recorded can be made again, and is what a plain recomputation says."""

from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from reproductions.breiman1996 import near, optima, two_levels
from reproductions.results import rows_of
from reproductions.runner import Options, seed_of

FOLDER = Path(__file__).parents[3] / "docs" / "reproductions" / "breiman1996"


def test_the_printed_averages_stand_beside_ours() -> None:
    assert near.printed_counts() == {(10, 0.01): 40.0, (10, 0.001): 4.0}
    lines = near.shown(rows_of(FOLDER / "near_ties.csv")).splitlines()
    wide = [line for line in lines if line.startswith("| 10 | 0.49 to 0.51 |")]
    assert [line.split(" | ")[2:4] for line in wide] == [[str(n), "about 40"] for n in near.NODES]
    assert "about 4 |" in next(line for line in lines if line.startswith("| 10 | 0.499 to 0.501 |"))


@pytest.mark.parametrize("counts", [[5, 3, 2], [7, 5, 3, 2, 2], [1, 1, 1, 1]])
def test_what_the_paper_says_is_best_is(counts: list[int]) -> None:
    """In fractions, by formulas written again: Gini's decrease, and that of entropy, which falls with unevenness."""
    n = sum(counts)

    def gains(left: frozenset[int]) -> Fraction:
        size = sum(counts[j] for j in left)
        return sum(Fraction(c * c, (size if j in left else n - size) * n) for j, c in enumerate(counts))

    subsets = [frozenset(s) for size in range(1, len(counts)) for s in combinations(range(len(counts)), size)]
    best = max(map(gains, subsets))
    assert optima.said(counts, "gini") <= {s for s in subsets if gains(s) == best}
    even = min(abs(2 * sum(counts[j] for j in s) - n) for s in subsets)
    assert optima.said(counts, "entropy") == {s for s in subsets if abs(2 * sum(counts[j] for j in s) - n) == even}


def test_recorded_nodes_are_made_again() -> None:
    rows = rows_of(FOLDER / "vertices.csv")
    assert {(row["classes"], row["run"]) for row in rows} == set(product(optima.CLASSES, range(optima.RUNS)))
    for row in (rows[0], rows[-1]):
        task = {"classes": row["classes"], "run": row["run"]}
        assert row["seed"] == seed_of(0, "vertices", *task.values())
        again = optima._work(task, Options(FOLDER), np.random.default_rng(row["seed"]))
        mine = next(found for found in again if found["criterion"] == row["criterion"])
        assert mine["share"] == row["share"] and mine["as_said"] == row["as_said"]


def test_what_the_best_tree_adds_is_paired_by_fold() -> None:
    cells = [("greedy", 0, 90.0, 0.3), ("greedy", 1, 80.0, 0.2), ("best", 0, 91.0, 0.2), ("best", 1, 84.0, 0.2)]
    rows = [
        {"data": "a", "criterion": "gini", "tree": tree, "run": 0, "fold": fold, "accuracy": accuracy, "loss": loss,
         "test_share": 0.25}
        for tree, fold, accuracy, loss in cells
    ]  # fmt: skip
    (best,) = two_levels.differences(rows)
    assert best["more"] == 2.5 and best["gap"] == pytest.approx(25) and best["accuracy"] == 85
    assert best["deviation"] == pytest.approx(np.sqrt(4.5))
    assert two_levels.differences(rows[::-1]) == [best]


def test_a_recorded_tree_grows_again(data: Path) -> None:
    asked = {"data": "glass", "run": 0, "fold": 0}
    rows = [row for row in rows_of(FOLDER / "two_levels.csv") if asked.items() <= row.items()]
    again = two_levels._work(asked, Options(FOLDER, data), np.random.default_rng(0))
    for mine, row in zip(again, rows, strict=True):
        assert {name: row[name] for name in mine} == mine
