"""Rows go where the tree sends them, and their values and tables are those of a plain loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit.inference.held_out import HeldOut, held_out
from splitcrit.nulls.table_pvalues import counts_of

RNG = np.random.default_rng(2)
X, NEW = RNG.normal(size=(2, 60, 3)).round(1)
Y, TRUE = (np.digitize(x.sum(axis=1), [-1, 1]) for x in (X, NEW))
GROWN = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
WEIGHTS = np.arange(60) % 4


def reached(node: int, grown: Any) -> list[int]:
    """The rows that reach a node, row by row."""
    return [i for i, row in enumerate(NEW.astype(np.float32)) if node in walk(grown.tree_, row)]


def walk(tree: Any, row: np.ndarray) -> list[int]:
    """The nodes that a row passes."""
    found = [0]
    while tree.children_left[found[-1]] >= 0:
        goes_left = row[tree.feature[found[-1]]] <= tree.threshold[found[-1]]
        found.append(int((tree.children_left if goes_left else tree.children_right)[found[-1]]))
    return found


def table(held: HeldOut, node: int, nested: bool) -> Any:
    """The table of the rows of a node by group and class."""
    pairs = list(zip(held.sides(node, nested).tolist(), held.responses[held.rows[node]].tolist(), strict=True))
    return [[pairs.count((side, code)) for code in range(3)] for side in range(1 + max(side for side, _ in pairs))]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_rows_counts_and_tables_of_classes(weights: Any) -> None:
    held, times = held_out(GROWN, NEW, TRUE, weights), np.ones(60, dtype=int) if weights is None else weights
    leaves = GROWN.apply(NEW)
    for node in range(GROWN.tree_.node_count):
        mine = [i for i in reached(node, GROWN) for _ in range(times[i])]
        assert held.rows[node].tolist() == mine
        assert held.sizes[node] == len(mine)
        assert held.values[node].tolist() == [sum(TRUE[i] == k for i in mine) for k in range(3)]
        left, right = GROWN.tree_.children_left[node], GROWN.tree_.children_right[node]
        if left >= 0 and not held.obstacle(node):
            sides = [[i for i in mine if i in reached(child, GROWN)] for child in (left, right)]
            assert table(held, node, False) == [[sum(TRUE[i] == k for i in s) for k in range(3)] for s in sides]
            ends = sorted({leaves[i] for i in mine})
            expected = [[sum(TRUE[i] == k for i in mine if leaves[i] == end) for k in range(3)] for end in ends]
            assert table(held, node, True) == expected


def test_means_of_responses() -> None:
    grown = DecisionTreeRegressor(max_depth=3).fit(X, X[:, 0])
    held = held_out(grown, NEW[:9], NEW[:9, 0], WEIGHTS[:9])
    for node in range(grown.tree_.node_count):
        mine = [NEW[i, 0] for i in reached(node, grown) if i < 9 for _ in range(WEIGHTS[i])]
        assert held.values[node, 0] == pytest.approx(np.mean(mine) if mine else np.nan, nan_ok=True)


def test_why_a_node_cannot_be_tested() -> None:
    stump = DecisionTreeClassifier(max_depth=1).fit([[0], [1]], [0, 1])
    said = [
        held_out(stump, x, y).obstacle(0)
        for x, y in ([[[0], [1]], [0, 1]], [[[0], [0]], [0, 1]], [[[0], [1]], [1, 1]], [[[0]], [1]])
    ]
    assert said == ["", "rows on one side only", "all responses alike", "rows on one side only"]
    assert held_out(stump, [[0]], [0]).obstacle(1) == "leaf"
    deep = DecisionTreeClassifier().fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    below = int(deep.tree_.children_right[0])
    assert held_out(deep, [[0]], [0]).obstacle(below) == "no rows"


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([0.5, 1], "weights of a permutation test are counts of rows; got 0.5"),
        ([1e9, 1], "weights that are counts sum to at most"),
        ([-1, 1], "got -1"),
        ([1], "weight"),
    ],
)
def test_weights_that_are_no_counts(weights: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        counts_of(weights, np.array(["a", "b"]))


def test_rows_of_other_trees() -> None:
    with pytest.raises(ValueError, match="one entry for each of 60 rows; got 3 entries"):
        held_out(GROWN, NEW, TRUE[:3])
    with pytest.raises(ValueError, match=r"was fitted on 3 features; got an array of shape 60x2; pass the columns"):
        held_out(GROWN, NEW[:, :2], TRUE)
    with pytest.raises(ValueError, match="labels are classes of the model: 0, 1, 2; got 3"):
        held_out(GROWN, NEW, TRUE + 3)
    with pytest.raises(ValueError, match="responses are finite"):
        held_out(DecisionTreeRegressor().fit(X, X[:, 0]), NEW, np.full(60, np.nan))
