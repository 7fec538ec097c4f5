"""How far a tree is from the best: node by node against plain loops over paths and all trees of depth 2."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import Impurity, TreeClassifier, best_depth_two, entropy, gini, optimality_gaps
from splitcrit.inference.depth_two_gaps import OptimalityGaps

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
        ({"max_depth": 1}, "max_depth is an integer from 2"),
        ({"model": GradientBoostingClassifier(n_estimators=2).fit([[0], [1]], [0, 1]), "index": 1}, "first tree alone"),
        ({"y": [0, 7]}, "7"),
        ({"y": [0, 1, 1]}, "y has one entry for each of 2 rows; got 3 entries"),
        ({"X": [[0], [np.nan]]}, "drop or fill what is missing"),
        ({"model": DecisionTreeClassifier()}, "the model must be fitted"),
    ],
)
def test_what_has_no_gap_is_refused(change: dict[str, Any], sentence: str) -> None:
    given = {"model": DecisionTreeClassifier().fit([[0], [1]], [0, 1]), "X": [[0], [1]], "y": [0, 1], "impurity": gini}
    with pytest.raises((TypeError, ValueError), match=sentence):
        optimality_gaps(**(given | change))
