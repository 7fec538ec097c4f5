"""What is kept of a tree is a subtree of it, tested on new rows; its record; what cannot be tested is refused."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, export_text

from splitcrit import TreeClassifier, TreeRegressor
from splitcrit.inference import HonestTreeClassifier, significant_subtree
from splitcrit.inference.familywise import simultaneous
from splitcrit.inference.held_out import held_out
from splitcrit.inference.testing import TreeTestPlan, node_tests


def rows(n: int = 400, seed: int = 0, d: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Two features tell: the second where the first is positive."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    rate = np.where(x[:, 0] <= 0, 0.1, np.where(x[:, 1] <= 0, 0.4, 0.95))
    return x, (rng.random(n) < rate).astype(int)


X, Y = rows()
NEW, TRUE = rows(seed=1)
KINDS = [TreeClassifier(max_depth=4), DecisionTreeClassifier(max_depth=5), ExtraTreeClassifier(random_state=0)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)
def test_the_subtree_is_the_tree_as_far_as_it_goes(kind: Any) -> None:
    grown = kind.fit(X, Y)
    found = significant_subtree(grown, NEW, TRUE)
    kept = found.estimator
    assert 1 < kept.get_n_leaves() < grown.get_n_leaves()
    assert (found.kept[kept.apply(NEW)] == last_kept(grown, found)).all()
    for name in ("feature", "threshold"):
        inner = kept.tree_.children_left >= 0
        assert (getattr(kept.tree_, name)[inner] == getattr(grown.tree_, name)[found.kept][inner]).all()
    for name in ("impurity", "n_node_samples", "value"):
        assert (getattr(kept.tree_, name) == getattr(grown.tree_, name)[found.kept]).all()
    assert kept.get_depth() == max(len(path.indices) - 1 for path in kept.decision_path(NEW))
    assert export_text(kept).count("class") == kept.get_n_leaves()
    assert grown.tree_.node_count == len(found.sizes)  # the tree that was passed is as it was


def last_kept(grown: Any, found: Any) -> np.ndarray:
    """Where each row ends: the deepest of its nodes that is kept."""
    path = grown.decision_path(NEW).toarray().astype(bool)
    path[:, np.setdiff1d(np.arange(path.shape[1]), found.kept)] = False
    return path.shape[1] - 1 - path[:, ::-1].argmax(axis=1)


def test_all_orders_of_the_labels_of_the_rows_that_test() -> None:
    """Eleven rows in random order, a tree of depth 2, every null hypothesis true: the level is not exceeded."""
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    grown = DecisionTreeClassifier().fit(x, [0, 1, 1, 0])
    new = np.repeat(x, [2, 3, 4, 2], axis=0)
    kept = 0
    for ones in combinations(range(11), 5):
        y = np.isin(np.arange(11), ones).astype(int)
        kept += node_tests(held_out(grown, new, y), TreeTestPlan(0.3)).rejected.any()
    assert 0 < Fraction(int(kept), comb(11, 5)) <= Fraction(3, 10)


def test_nested_hypotheses_see_what_a_true_root_hides() -> None:
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    x = np.repeat(corners, 50, axis=0)
    y = x[:, 0] != x[:, 1]
    grown = DecisionTreeClassifier(random_state=0).fit(corners, [False, True, True, False])
    assert significant_subtree(grown, x, y).estimator.get_n_leaves() == 1
    assert significant_subtree(grown, x, y, nested=True).estimator.get_n_leaves() == 4
    grown = DecisionTreeRegressor(random_state=0).fit(corners, [0, 1, 1, 0])
    assert significant_subtree(grown, x, y.astype(float), rng=0).estimator.get_n_leaves() == 1
    assert significant_subtree(grown, x, y.astype(float), nested=True, rng=0).estimator.get_n_leaves() == 4


@pytest.mark.parametrize("kind", [TreeRegressor(max_depth=3), DecisionTreeRegressor(max_depth=4)])
def test_responses(kind: Any) -> None:
    rng = np.random.default_rng(3)
    signal = 3.0 * (X[:, 2] > 0)
    grown = kind.fit(X, signal + rng.normal(size=len(X)))
    found = significant_subtree(grown, NEW, 3.0 * (NEW[:, 2] > 0) + rng.normal(size=len(NEW)), rng=0)
    assert found.tests.rejected[0]
    assert found.estimator.tree_.feature[0] == 2
    assert np.allclose(found.values[found.kept][1:3, 0], [0, 3], atol=0.5)
    assert significant_subtree(grown, NEW, rng.normal(size=len(NEW)), rng=0).estimator.get_n_leaves() == 1
    low, high = found.intervals(0.1)
    assert (low[found.kept][1:3, 0] < [0, 3]).all()
    assert (high[found.kept][1:3, 0] > [0, 3]).all()


def test_three_classes_words_and_frames() -> None:
    frame, new = (pd.DataFrame(x, columns=list("abcd")) for x in (X, NEW))
    labels, true = (np.array(["low", "mid", "high"])[np.digitize(x[:, 3], [-0.5, 0.5])] for x in (X, NEW))
    grown = DecisionTreeClassifier(max_depth=3).fit(frame, labels)
    found = significant_subtree(grown, new, true, rng=0)
    assert found.estimator.score(new, true) > 0.95
    assert found.to_text().startswith("d <= ")
    with pytest.raises(ValueError, match=r"got e, b, c, .*; pass a column 'a' in its place"):
        significant_subtree(grown, new.rename(columns={"a": "e"}), true)
    with pytest.raises(ValueError, match="pass them alone, in this order"):
        significant_subtree(grown, new[list("dcba")], true)
    with pytest.raises(ValueError, match=r"fitted on 4 features; got an array of shape \d+x3"):
        significant_subtree(grown, NEW[:, :3], true)
    with pytest.raises(ValueError, match="labels are classes of the model: high, low, mid; got 'strange'"):
        significant_subtree(grown, new, np.where(true == "low", "strange", true))


def test_categories() -> None:
    rng = np.random.default_rng(0)
    frames = [pd.DataFrame({"colour": rng.choice(list("rgby"), 300), "size": rng.normal(size=300)}) for _ in range(2)]
    labels = [frame["colour"].isin(["r", "y"]) ^ (rng.random(300) < 0.1) for frame in frames]
    grown = TreeClassifier(categorical_features="from_dtype", max_depth=3).fit(frames[0], labels[0])
    found = significant_subtree(grown, frames[1], labels[1])
    assert found.estimator.get_n_leaves() < grown.get_n_leaves()
    assert "colour in" in found.to_text().splitlines()[0]
    assert found.estimator.score(frames[1], labels[1]) > 0.8


def test_too_few_permutations_are_refused_where_permutations_are_drawn() -> None:
    few = {"permutations": 19}
    assert significant_subtree(TreeClassifier(max_depth=3).fit(X, Y), NEW, TRUE, **few).tests.rejected[0]
    with pytest.raises(ValueError, match=r"got 19 permutations at level 0.011875; pass permutations=84 or more"):
        significant_subtree(TreeRegressor(max_depth=3).fit(X, X[:, 1]), NEW, NEW[:, 1], **few)


def test_other_trees_are_refused() -> None:
    with pytest.raises(TypeError, match="pass a fitted tree"):
        significant_subtree(DecisionTreeClassifier(), NEW, TRUE)
    with pytest.raises(TypeError, match="pass a fitted tree"):
        significant_subtree(RandomForestClassifier(2).fit(X, Y), NEW, TRUE)
    with pytest.raises(TypeError, match="one output"):
        significant_subtree(DecisionTreeClassifier().fit(X, np.column_stack([Y, Y])), NEW, TRUE)
    with pytest.raises(TypeError, match="estimator with one output; got Tree"):
        significant_subtree(DecisionTreeClassifier().fit(X, Y).tree_, NEW, TRUE)
    with pytest.raises(ValueError, match="has tested its tree"):
        significant_subtree(HonestTreeClassifier().fit(X, Y), NEW, TRUE)


def test_nodes_that_cannot_be_tested_say_why() -> None:
    grown = DecisionTreeClassifier(random_state=0).fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    found = significant_subtree(grown, [[0]] * 9 + [[3]] * 9, [0] * 9 + [1] * 9)
    assert set(found.tests.why) >= {"leaf", "kept"}
    assert "all responses alike" in found.tests.why or "rows on one side only" in found.tests.why
    assert significant_subtree(grown, [[0]] * 9, [0] * 9).tests.why[0] == "rows on one side only"
    assert significant_subtree(grown, [[0], [3]] * 9, [1] * 18).tests.why[0] == "all responses alike"
    assert significant_subtree(grown, [[0]], [0], sample_weight=[3]).estimator.get_n_leaves() == 1


# The record: its table, its text, its intervals.

GROWN = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
FOUND = significant_subtree(GROWN, NEW, TRUE)


def test_a_row_for_each_node_of_the_grown_tree() -> None:
    frame = FOUND.to_frame(list("abcd"))
    columns = ["node", "depth", "split", "rows", "level", "p", "method", "standard_error", "verdict", "kept_as"]
    assert frame.columns.tolist() == columns
    path = GROWN.decision_path(NEW)
    assert frame["rows"].tolist() == path.sum(axis=0).tolist()[0]
    for node, row in frame.iterrows():
        feature, kept = GROWN.tree_.feature[node], int(row["kept_as"])
        assert row["split"] == ("" if feature < 0 else f"{'abcd'[feature]} <= {GROWN.tree_.threshold[node]:.4g}")
        assert np.isnan(row["level"]) == np.isnan(row["p"])
        assert kept < 0 or FOUND.kept[kept] == node
        divides = kept >= 0 and FOUND.estimator.tree_.children_left[kept] >= 0
        assert divides == (row["verdict"] == "kept") == (row["p"] <= row["level"])
    assert (frame["kept_as"] >= 0).sum() == FOUND.estimator.tree_.node_count
    assert np.array_equal(FOUND.intervals(0.1), simultaneous(FOUND.values, 0.1))
    for delta in (0, 1):
        with pytest.raises(ValueError, match="delta is a number strictly between 0 and 1"):
            FOUND.intervals(delta)
    assert significant_subtree(GROWN, NEW, TRUE, alpha=0.1).tests.level[0] == 0.1


def test_the_text_has_the_same_nodes_from_left_to_right() -> None:
    frame, lines = FOUND.to_frame(), str(FOUND).split("\n")
    assert lines == FOUND.to_text(["x0", "x1", "x2", "x3"]).split("\n")
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


def test_without_pandas_there_are_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(FOUND.columns()) == pd.DataFrame(FOUND.columns()).columns.tolist()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="a data frame is one of pandas; got no module pandas; install it, or read"):
        FOUND.to_frame()
