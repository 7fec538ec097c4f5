"""The record of a significant subtree: its table, its text, its intervals."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import TreeClassifier
from splitcrit.inference import significant_subtree

RNG = np.random.default_rng(5)
X, NEW = RNG.normal(size=(2, 300, 3))
Y, TRUE = (RNG.random(300) < np.where(x[:, 1] > 0, 0.9, 0.2) for x in (X, NEW))
GROWN = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
FOUND = significant_subtree(GROWN, NEW, TRUE)


def test_a_row_for_each_node_of_the_grown_tree() -> None:
    frame = FOUND.to_frame(["a", "b", "c"])
    columns = ["node", "depth", "split", "rows", "level", "p", "method", "standard_error", "verdict", "kept_as"]
    assert frame.columns.tolist() == columns
    path = GROWN.decision_path(NEW)
    assert frame["rows"].tolist() == path.sum(axis=0).tolist()[0]
    for node, row in frame.iterrows():
        feature, kept = GROWN.tree_.feature[node], int(row["kept_as"])
        assert row["split"] == ("" if feature < 0 else f"{'abc'[feature]} <= {GROWN.tree_.threshold[node]:.4g}")
        assert np.isnan(row["level"]) == np.isnan(row["p"])
        assert kept < 0 or FOUND.kept[kept] == node
        divides = kept >= 0 and FOUND.estimator.tree_.children_left[kept] >= 0
        assert divides == (row["verdict"] == "kept") == (row["p"] <= row["level"])
    assert (frame["kept_as"] >= 0).sum() == FOUND.estimator.tree_.node_count


def test_the_text_has_the_same_nodes_from_left_to_right() -> None:
    frame, lines = FOUND.to_frame(), str(FOUND).split("\n")
    assert lines == FOUND.to_text(["x0", "x1", "x2"]).split("\n")
    for line, (_, row) in zip(lines, frame.iterrows(), strict=True):  # scikit-learn numbers them in this order
        assert line.startswith("  " * row["depth"] + (f"{row['split']}: " if row["split"] else "") + str(row["rows"]))
        assert line.endswith(row["verdict"])
    assert f"p = {FOUND.tests.p[0]:.3g} at level 0.05, kept" in lines[0]


def test_the_text_of_a_tree_numbered_by_gain_and_of_a_deep_one() -> None:
    grown = DecisionTreeClassifier(max_leaf_nodes=9, random_state=0).fit(X, Y)
    text = significant_subtree(grown, NEW, TRUE).to_text().split("\n")
    assert [len(line) - len(line.lstrip()) for line in text] == [2 * depth for depth in depths(grown.tree_, 0, 0)]
    line = np.arange(1500.0)
    deep = DecisionTreeRegressor().fit(line[:, None], 2.0 ** (line / 2))
    assert significant_subtree(deep, [[0.0], [1500.0]], [1.0, 2.0], rng=0).to_text().startswith("x0 <= ")


def depths(tree: Any, node: int, depth: int) -> list[int]:
    """The depths of the nodes, a node before what is below it, left before right."""
    if tree.children_left[node] < 0:
        return [depth]
    children = tree.children_left[node], tree.children_right[node]
    return [depth, *(each for child in children for each in depths(tree, child, depth + 1))]


def test_what_is_asked_wrongly() -> None:
    with pytest.raises(ValueError, match="3 features need one name each; got 1; pass one for each"):
        FOUND.to_text(["a"])
    with pytest.raises(TypeError, match="feature names must be a list of strings; got 'abc'"):
        FOUND.to_text("abc")
    for delta in (0, 1, np.nan):
        with pytest.raises(ValueError, match="delta is a number strictly between 0 and 1"):
            FOUND.intervals(delta)


def test_names_are_those_of_the_tree() -> None:
    frame = pd.DataFrame(X, columns=["age", "dose", "weight"])
    new = pd.DataFrame(NEW, columns=frame.columns)
    for kind in (DecisionTreeClassifier, TreeClassifier):
        found = significant_subtree(kind(max_depth=2).fit(frame, Y), new, TRUE)
        assert found.to_text().startswith("dose <= ")
        assert found.to_text(["a", "b", "c"]).startswith("b <= ")
        with pytest.raises(ValueError, match="3 features need one name each; got 2"):
            found.to_text(["a", "b"])


def test_without_pandas_there_are_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(FOUND.columns()) == pd.DataFrame(FOUND.columns()).columns.tolist()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="a data frame is one of pandas; got no module pandas; install it, or read"):
        FOUND.to_frame()
