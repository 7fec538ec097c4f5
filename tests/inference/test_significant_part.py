"""What is kept of a tree is tested on new rows; how far a tree is from the best, against all trees of depth 2."""

import sys
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, export_text

from refusals import refused
from splitcrit import Impurity, TreeClassifier, TreeRegressor, best_depth_two, entropy, gini, optimality_gaps
from splitcrit.inference import HonestTreeClassifier, significant_subtree
from splitcrit.inference.depth_two_gaps import OptimalityGaps
from splitcrit.inference.familywise import simultaneous
from splitcrit.inference.held_out import held_out
from splitcrit.inference.testing import TreeTestPlan, node_tests

Data = tuple[np.ndarray, np.ndarray]


def data(seed: int, n: int = 60, d: int = 3, k: int = 3) -> Data:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, size=(n, d)).astype(float), rng.integers(0, k, size=n)


def squares(y: np.ndarray) -> float:
    """Rows times the Gini impurity of some labels, by counting pairs."""
    return float(sum(a != b for a, b in product(y.tolist(), repeat=2))) / len(y) if len(y) else 0.0


def least(x: np.ndarray, y: np.ndarray) -> float:
    """The least loss of a tree of depth 2, tree by tree."""
    cuts = [(j, t) for j in range(x.shape[1]) for t in np.unique(x)]

    def stump(rows: np.ndarray) -> float:
        sides = [x[rows, j] <= t for j, t in cuts]
        return min(squares(y[rows]), *(squares(y[rows][s]) + squares(y[rows][~s]) for s in sides))

    every = np.arange(len(y))
    return min(stump(every), *(stump(every[x[:, j] <= t]) + stump(every[x[:, j] > t]) for j, t in cuts)) / len(y)


@pytest.mark.parametrize("seed", range(3))
def test_gaps_are_those_of_all_paths_and_trees(seed: int) -> None:
    x, y = data(seed, n=30)
    tree = DecisionTreeClassifier(max_depth=3, random_state=seed).fit(x, y)
    paths, found = tree.decision_path(x).toarray().astype(bool), optimality_gaps(tree, x, y, gini)
    depth = paths.sum(axis=1).max() - 1
    assert depth == 3 and {node.depth for node in found.nodes} == {0, 1}
    for node in found.nodes:
        rows = np.flatnonzero(paths[:, node.node])
        level = {tuple(np.flatnonzero(paths[r])[: node.depth + 3]) for r in rows}  # ancestors, the node, two levels
        own = sum(squares(y[[r for r in rows if paths[r][list(path)].all()]]) for path in level) / len(rows)
        assert node.rows == len(rows) and node.loss == pytest.approx(own)
        assert node.best == pytest.approx(least(x[rows], y[rows])) and node.exact
        assert node.gap == pytest.approx(own / least(x[rows], y[rows]) - 1 if own else 0.0, abs=1e-12)


def test_no_gap_is_negative_and_the_best_tree_has_none() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(400, 3)), rng.integers(0, 2, 400)
    rough = optimality_gaps(TreeClassifier(max_depth=4).fit(x, y), x, y, gini, bins=4)
    assert all(node.gap >= 0 for node in rough.nodes) and "At least so much" in str(rough)
    assert any(node.gap == 0 and node.split == "" and not node.exact for node in rough.nodes)
    fine = optimality_gaps(TreeClassifier(max_depth=2).fit(x, y), x, y, gini, bins=400)
    (root,), best = fine.nodes, best_depth_two(x, y, gini, bins=400)
    assert root.best == best.loss and root.gap > 0 and root.exact and best.root is not None
    assert root.split == f"x{best.root[0]} <= {best.root[1]:.4g}" and "At least" not in str(fine)


def test_a_tree_that_stops_at_once_is_compared_too() -> None:
    x, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5), np.array([0, 1, 1, 0] * 5)
    found = optimality_gaps(TreeClassifier(max_depth=2).fit(x, y), x, y, gini)
    assert [(node.rows, node.loss, node.best, node.gap) for node in found.nodes] == [(20, 0.5, 0.0, np.inf)]
    assert "inf %" in str(found) and "1 of 1 nodes" in str(found)
    pure = optimality_gaps(DecisionTreeClassifier().fit(x, y > 5), x, y > 5, gini)
    assert pure.nodes == () and "0 of 0" in str(pure) and "nodes=0" in repr(pure)


def test_any_impurity_and_any_model_that_is_read() -> None:
    x, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    twice = Impurity("twice", lambda p, m: 2 * (1 - sum(v * v for v in p)))

    def gaps(found: OptimalityGaps) -> Any:
        return [node.gap for node in found.nodes]

    plain = optimality_gaps(tree, x, y, gini)
    assert gaps(optimality_gaps(tree, x, y, twice)) == pytest.approx(gaps(plain))
    assert gaps(optimality_gaps(tree, x, y, entropy)) != pytest.approx(gaps(plain))
    names, labels = list("abcd"), np.array(["s", "t", "u"])[y]
    frame = pd.DataFrame(x, columns=names)
    named = optimality_gaps(DecisionTreeClassifier(max_depth=3, random_state=0).fit(frame, labels), frame, labels, gini)
    assert gaps(named) == gaps(plain) and any(node.split[:1] in names for node in named.nodes if node.split)
    piped = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=3, random_state=0)).fit(x, y)
    assert gaps(optimality_gaps(piped, x, y, gini)) == pytest.approx(gaps(plain))
    forest = RandomForestClassifier(3, random_state=0).fit(x, y)
    alone = [optimality_gaps(forest.estimators_[i], x, y, gini, max_depth=2) for i in range(3)]
    assert [gaps(optimality_gaps(forest, x, y, gini, index=i, max_depth=2)) for i in range(3)] == list(map(gaps, alone))
    lightgbm = pytest.importorskip("lightgbm")
    one = lightgbm.LGBMClassifier(n_estimators=1, num_leaves=4, verbose=-1).fit(x[y < 2], y[y < 2])
    assert all(node.gap >= 0 for node in optimality_gaps(one, x[y < 2], y[y < 2], gini).nodes)


def test_other_rows_and_depths() -> None:
    x, y = data(4, n=200)
    tree = TreeClassifier(max_depth=5).fit(x, y)
    alone = optimality_gaps(tree, x, y, gini, max_depth=2).nodes
    assert [node.node for node in alone] == [0] and alone == optimality_gaps(tree, x, y, gini).nodes[:1]
    order = np.random.default_rng(0).permutation(200)
    assert optimality_gaps(tree, x[order], y[order], gini).nodes == optimality_gaps(tree, x, y, gini).nodes
    new = optimality_gaps(tree, x[:50], y[:50], gini, min_samples_leaf=5).nodes
    assert new[0].rows == 50 and new[0].best >= best_depth_two(x[:50], y[:50], gini).loss - 1e-12


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"impurity": "gini"}, "a gap is that of an impurity"),
        ({"model": DecisionTreeRegressor().fit([[0], [1]], [0, 1])}, "gaps are those of trees of classes; got a model"),
        ({"index": 1}, "trees count from 0; got index=1 of 1; pass one below 1"),
        ({"model": GradientBoostingClassifier(n_estimators=2).fit([[0], [1]], [0, 1]), "index": 1}, "first tree alone"),
        ({"y": [0, 7]}, "7"),
        ({"y": [0, 1, 1]}, "y has one entry for each of 2 rows; got 3 entries"),
        ({"X": [[0], [np.nan]]}, "drop or fill what is missing"),
        ({"model": DecisionTreeClassifier()}, "the model must be fitted"),
    ],
)
def test_what_has_no_gap_is_refused(change: dict[str, Any], sentence: str) -> None:
    given = {"model": DecisionTreeClassifier().fit([[0], [1]], [0, 1]), "X": [[0], [1]], "y": [0, 1], "impurity": gini}
    refused(sentence, optimality_gaps, error=(TypeError, ValueError), **given | change)


# What is kept of a tree is a subtree of it, tested on new rows; its record; what cannot be tested is refused.


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
    assert (found.nodes[kept.apply(NEW)] == last_kept(grown, found)).all()
    for name in ("feature", "threshold"):
        inner = kept.tree_.children_left >= 0
        assert (getattr(kept.tree_, name)[inner] == getattr(grown.tree_, name)[found.nodes][inner]).all()
    for name in ("impurity", "n_node_samples", "value"):
        assert (getattr(kept.tree_, name) == getattr(grown.tree_, name)[found.nodes]).all()
    assert kept.get_depth() == max(len(path.indices) - 1 for path in kept.decision_path(NEW))
    assert export_text(kept).count("class") == kept.get_n_leaves()
    assert grown.tree_.node_count == len(found.sizes)  # the tree that was passed is as it was


def last_kept(grown: Any, found: Any) -> np.ndarray:
    """Where each row ends: the deepest of its nodes that is kept."""
    path = grown.decision_path(NEW).toarray().astype(bool)
    path[:, np.setdiff1d(np.arange(path.shape[1]), found.nodes)] = False
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
    assert np.allclose(found.values[found.nodes][1:3, 0], [0, 3], atol=0.5)
    assert significant_subtree(grown, NEW, rng.normal(size=len(NEW)), rng=0).estimator.get_n_leaves() == 1
    low, high = found.intervals(0.1)
    assert (low[found.nodes][1:3, 0] < [0, 3]).all()
    assert (high[found.nodes][1:3, 0] > [0, 3]).all()


def test_three_classes_words_and_frames() -> None:
    frame, new = (pd.DataFrame(x, columns=list("abcd")) for x in (X, NEW))
    labels, true = (np.array(["low", "mid", "high"])[np.digitize(x[:, 3], [-0.5, 0.5])] for x in (X, NEW))
    grown = DecisionTreeClassifier(max_depth=3).fit(frame, labels)
    found = significant_subtree(grown, new, true, rng=0)
    assert found.estimator.score(new, true) > 0.95
    assert found.to_text().startswith("d <= ")
    with pytest.raises(ValueError, match=r"got e, b, c, .*; pass a column 'a' in its place"):
        significant_subtree(grown, new.rename(columns={"a": "e"}), true)
    refused("pass them alone, in this order", significant_subtree, grown, new[list("dcba")], true)
    refused(r"fitted on 4 features; got an array of shape \d+x3", significant_subtree, grown, NEW[:, :3], true)
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
    refused("pass a fitted tree", significant_subtree, DecisionTreeClassifier(), NEW, TRUE, error=TypeError)
    refused("pass a fitted tree", significant_subtree, RandomForestClassifier(2).fit(X, Y), NEW, TRUE, error=TypeError)
    with pytest.raises(TypeError, match="one output"):
        significant_subtree(DecisionTreeClassifier().fit(X, np.column_stack([Y, Y])), NEW, TRUE)
    with pytest.raises(TypeError, match="estimator with one output; got Tree"):
        significant_subtree(DecisionTreeClassifier().fit(X, Y).tree_, NEW, TRUE)
    refused("has tested its tree", significant_subtree, HonestTreeClassifier().fit(X, Y), NEW, TRUE)


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
        assert kept < 0 or FOUND.nodes[kept] == node
        divides = kept >= 0 and FOUND.estimator.tree_.children_left[kept] >= 0
        assert divides == (row["verdict"] == "kept") == (row["p"] <= row["level"])
    assert (frame["kept_as"] >= 0).sum() == FOUND.estimator.tree_.node_count
    assert np.array_equal(FOUND.intervals(0.1), simultaneous(FOUND.values, 0.1))
    for delta in (0, 1):
        refused("delta is a number strictly between 0 and 1", FOUND.intervals, delta)
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
    refused("a data frame is one of pandas; got no module pandas", FOUND.to_frame, error=ImportError)
