"""Trees that divide by categories as those of scikit-learn 1.10 will, simulated.

A node of 1.10 has ``left_cat_bitset``, eight words of 32 bits, and the constructor of its tree takes the number of
categories of each column, -1 of numbers. The tree here asks for a set at its root, and for a number at both sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from splitcrit.audits import audit
from splitcrit.inference import significant_subtree

RNG = np.random.default_rng(1)
X = np.column_stack([RNG.integers(0, 70, 800), RNG.normal(size=800)])
Y = (np.isin(X[:, 0] % 7, [0, 3]) ^ (RNG.random(800) < 0.1)).astype(int)
LEFT = frozenset(range(0, 70, 7)) | frozenset(range(3, 70, 7))


class Divided:
    """Nodes of 1.10: the root asks whether the first column is in a set, its children whether a number is small."""

    children_left, children_right = np.array([1, 3, 5, -1, -1, -1, -1]), np.array([2, 4, 6, -1, -1, -1, -1])
    feature, threshold = np.array([0, 1, 1, -2, -2, -2, -2]), np.array([0.0, 0, 0.5, -2, -2, -2, -2])
    missing_go_to_left = np.zeros(7, dtype=np.uint8)
    node_count, n_outputs = 7, 1

    def __init__(self, x: Any, y: Any) -> None:
        ends, rows = self.apply(x), np.zeros((7, 2))
        for node, below in enumerate(([3, 4, 5, 6], [3, 4], [5, 6], [3], [4], [5], [6])):
            rows[node] = np.bincount(y[np.isin(ends, below)], minlength=2)
        self.n_node_samples = rows.sum(axis=1).astype(int)
        self.weighted_n_node_samples = rows.sum(axis=1)
        self.value = (rows / rows.sum(axis=1, keepdims=True))[:, None]
        self.impurity = 1 - (self.value[:, 0] ** 2).sum(axis=1)

    def apply(self, x: Any) -> Any:
        left = np.isin(x[:, 0], list(LEFT))
        small = x[:, 1] <= np.where(left, self.threshold[1], self.threshold[2])
        return np.where(left, np.where(small, 3, 4), np.where(small, 5, 6))

    def __reduce__(self) -> Any:
        nodes = np.zeros(7, [("left_cat_bitset", np.uint32, (8,)), ("split_kind", np.int8)])
        for code in LEFT:
            nodes["left_cat_bitset"][0, code // 32] |= np.uint32(1 << code % 32)
        return Divided, (2, np.array([2]), 1, np.array([70, -1])), {"nodes": nodes}

    def __setstate__(self, state: Any) -> None:
        raise AssertionError("nobody sets the state of this tree")


class Tree(DecisionTreeClassifier):  # type: ignore[misc]
    def apply(self, X: Any, check_input: bool = True) -> Any:
        return self.tree_.apply(np.asarray(X))


def fitted() -> Any:
    model = Tree().fit(X[:400], Y[:400])
    model.tree_ = Divided(X[:400], Y[:400])
    return model


def test_an_audit_counts_rows_by_their_categories() -> None:
    report = audit(fitted(), X[400:], Y[400:])
    left = np.isin(X[400:, 0], list(LEFT))
    table = [np.bincount(Y[400:][side], minlength=2).tolist() for side in (left, ~left)]
    assert report.splits.tables[0].tolist() == table and np.isnan(report.splits.threshold[0])
    assert report.verdicts == {"x0": True, "x1": False}


def test_other_readers_of_such_a_tree_refuse_it() -> None:
    with pytest.raises(TypeError, match="a tree that is read divides by numbers; got categories, as trees of scikit-l"):
        significant_subtree(fitted(), X[400:], Y[400:])
