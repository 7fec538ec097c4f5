"""Honest trees: how rows are divided, what both kinds do with rows, seeds and estimators, and what survives."""

from math import comb
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, plot_tree
from sklearn.utils.estimator_checks import parametrize_with_checks

from refusals import refused
from splitcrit import TreeClassifier
from splitcrit.inference import HonestTreeClassifier, HonestTreeRegressor, significant_subtree
from splitcrit.inference.held_out import HeldOut, held_out
from splitcrit.inference.honest import divided
from splitcrit.nulls.table_pvalues import counts_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 4))
WORDS = np.where(RNG.random(400) < np.where(X[:, 1] > 0, 0.85, 0.2), "yes", "no")
REAL = 2.0 * (X[:, 2] > 0) + RNG.normal(size=400)
TREES = [DecisionTreeClassifier(max_depth=3), TreeClassifier(criterion="sgini"), None]


@pytest.mark.each_value
@parametrize_with_checks(
    [
        HonestTreeClassifier(),
        HonestTreeRegressor(),
        HonestTreeClassifier(DecisionTreeClassifier(), shares="testable", nested=True, repeats=2),
    ]
)
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("tree", TREES)
def test_what_is_kept_is_the_significant_part_on_the_rows_that_test(tree: Any) -> None:
    found = HonestTreeClassifier(tree, random_state=1).fit(X, WORDS)
    tests = found.test_rows_
    again = significant_subtree(found.grown_, X[tests], WORDS[tests])
    assert np.array_equal(found.result_.tests.p, again.tests.p, equal_nan=True)
    assert found.tree_.feature.tolist() == again.estimator.tree_.feature.tolist()
    assert found.tree_.feature[0] == 1
    leaves = found.apply(X)
    for leaf in np.unique(leaves):
        mine = WORDS[tests[leaves[tests] == leaf]]
        expected = [np.mean(mine == word) for word in found.classes_]
        assert np.allclose(found.predict_proba(X[leaves == leaf]), expected, rtol=1e-12)
    assert found.score(X, WORDS) == np.mean(found.predict(X) == WORDS) > 0.75


def test_responses_are_the_means_of_the_rows_that_test() -> None:
    found = HonestTreeRegressor(DecisionTreeRegressor(max_depth=3), random_state=0).fit(X, REAL)
    assert found.tree_.feature[0] == 2
    leaves, tests = found.apply(X), found.test_rows_
    for leaf in np.unique(leaves):
        mean = REAL[tests[leaves[tests] == leaf]].mean()
        assert np.allclose(found.predict(X[leaves == leaf]), mean, rtol=1e-12)


def test_it_works_where_estimators_do() -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    found = HonestTreeClassifier(random_state=0).fit(frame, pd.Series(WORDS, index=range(400, 800)))
    assert found.feature_names_in_.tolist() == list("abcd")
    assert found.predict(frame).shape == (400,)
    assert "b <= " in found.result_.to_text()
    nodes = found.tree_.node_count
    try:
        assert len(plot_tree(found.estimator_)) == nodes + 2 * (nodes > 1)
    finally:
        plt.close()


def test_a_class_of_one_row_grows() -> None:
    rare = WORDS.astype("U9")
    rare[7] = "perhaps"
    found = HonestTreeClassifier(random_state=0).fit(X, rare)
    assert 7 not in found.test_rows_
    assert found.predict_proba(X)[:, 1].tolist() == [0.0] * 400
    assert found.classes_[1] == "perhaps"


def test_stability_counts_the_divisions() -> None:
    found = HonestTreeClassifier(random_state=0, repeats=5).fit(X, WORDS).stability_
    assert len(found.leaves) == 5
    assert found.root.tolist() == [0, 1, 0, 0]
    assert (found.anywhere >= found.root).all()
    alone = HonestTreeClassifier(random_state=0).fit(X, WORDS)
    assert found.leaves[0] == alone.stability_.leaves[0] == alone.estimator_.get_n_leaves()
    none = HonestTreeClassifier(alpha=1e-9, random_state=0).fit(X[:20], WORDS[:20]).stability_
    assert none.anywhere.tolist() == [0, 0, 0, 0]


def test_a_feature_of_categories_counts_as_a_feature() -> None:
    frame = pd.DataFrame({"size": X[:, 0], "answer": pd.Categorical(WORDS)})
    tree = TreeClassifier(categorical_features="from_dtype")
    assert HonestTreeClassifier(tree, random_state=0).fit(frame, WORDS).stability_.root.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"shares": "most"}, "shares is one of"),
        ({"estimator": LogisticRegression()}, "pass a fitted tree"),
    ],
)
def test_other_parameters_are_refused_and_the_estimator_stays(parameters: dict[str, Any], said: str) -> None:
    found = HonestTreeClassifier(random_state=0).fit(X, WORDS)
    before = found.predict_proba(X)
    refused(said, clone(found).set_params(**parameters).fit, X, WORDS, error=(ValueError, TypeError))
    refused(said, found.set_params(**parameters).fit, X, WORDS, error=(ValueError, TypeError))
    assert np.array_equal(found.set_params(estimator=None).predict_proba(X), before)


def test_other_rows_are_refused() -> None:
    refused(r"counts of rows; got 0\.5", HonestTreeClassifier().fit, X, WORDS, np.full(400, 0.5))
    refused(r"got test_size=0\.5 of 2 samples", HonestTreeClassifier().fit, X[:2], ["a", "b"])
    refused("pass them to a regression tree", HonestTreeClassifier().fit, X, REAL)
    refused("responses are finite", HonestTreeRegressor().fit, X, np.where(REAL > 1, np.nan, REAL))


@pytest.mark.parametrize("base", [None, DecisionTreeClassifier(max_depth=3)])
def test_it_says_of_its_tree_what_trees_say(base: Any) -> None:
    x = np.random.default_rng(0).normal(size=(200, 3))
    found = HonestTreeClassifier(base, random_state=0).fit(x, x[:, 0] > 0)
    tree = found.estimator_
    assert found.get_depth() == tree.tree_.max_depth == 1 and found.get_n_leaves() == 2
    passed = found.decision_path(x)
    np.testing.assert_array_equal(passed.toarray()[np.arange(200), found.apply(x)], 1)
    assert passed.shape == (200, 3) and (passed.sum(axis=1) == 2).all()


ROWS = np.random.default_rng(0).normal(size=(80, 2))
CLASSES = (ROWS[:, 0] > 0).astype(int)
KINDS: list[tuple[Any, Any, Any]] = [
    (HonestTreeClassifier, DecisionTreeClassifier, CLASSES),
    (HonestTreeRegressor, DecisionTreeRegressor, ROWS[:, 0]),
]


@pytest.mark.parametrize(("honest", "tree", "y"), KINDS)
def test_the_tree_that_is_passed_stays_as_it_was_and_random_ones_are_seeded(honest: Any, tree: Any, y: Any) -> None:
    given = tree(splitter="random")
    one, two, other = (honest(given, random_state=seed).fit(ROWS, y) for seed in (3, 3, 4))
    assert not hasattr(given, "tree_") and given.random_state is None
    assert one.grown_.tree_.threshold.tolist() == two.grown_.tree_.threshold.tolist()
    assert one.test_rows_.tolist() == two.test_rows_.tolist() != other.test_rows_.tolist()
    assert honest(tree(random_state=7), random_state=3).fit(ROWS, y).grown_.random_state == 7


@pytest.mark.parametrize(("honest", "tree", "y"), KINDS)
def test_rows_end_in_leaves_of_the_tree_that_is_kept(honest: Any, tree: Any, y: Any) -> None:
    found = honest(tree(), random_state=0).fit(ROWS, y)
    assert set(found.apply(ROWS)) == set(np.flatnonzero(found.tree_.children_left < 0))
    assert found.tree_ is found.estimator_.tree_
    with pytest.raises(NotFittedError):
        honest().apply(ROWS)
    with pytest.raises(NotFittedError):
        honest().predict(ROWS)


@pytest.mark.parametrize(("honest", "tree", "y"), KINDS)
def test_rows_that_are_none(honest: Any, tree: Any, y: Any) -> None:
    refused("features are dense; got a sparse csr_array", honest().fit, csr_array(ROWS), y, error=TypeError)
    refused("a table of rows and columns; got 1 axis", honest().fit, ROWS[:, 0], y)
    refused("one entry for each of 80 rows; got 4 entries", honest().fit, ROWS, y[:4])
    refused("requires y", honest().fit, ROWS, None)
    refused("random_state is an integer", honest(random_state=-1).fit, ROWS, y)
    with pytest.raises(TypeError, match="tree; got LogisticRegression" if y is not CLASSES else "pass a fitted tree"):
        honest(LogisticRegression()).fit(ROWS, y)


def test_a_tree_of_the_other_kind() -> None:
    with pytest.raises(TypeError, match="the estimator is a classification tree; got DecisionTreeRegressor"):
        HonestTreeClassifier(DecisionTreeRegressor()).fit(ROWS, CLASSES)
    with pytest.raises(TypeError, match=r"the estimator is a regression tree; got DecisionTreeClassifier; pass Tree"):
        HonestTreeRegressor(DecisionTreeClassifier()).fit(ROWS, ROWS[:, 0])


@pytest.mark.parametrize("size", [0.1, 0.5, 0.8])
def test_of_each_class_a_share_tests_and_one_row_grows(size: float) -> None:
    codes = np.repeat([0, 1, 2], [40, 11, 1])
    grows, tests = divided(codes, size, np.random.RandomState(0))
    assert sorted([*grows, *tests]) == list(range(52))
    assert np.bincount(codes[tests], minlength=3).tolist() == [round(40 * size), round(11 * size), 0]
    assert (np.diff(tests) > 0).all() and (np.diff(grows) > 0).all()


def test_each_division_is_as_likely_as_any() -> None:
    rng = np.random.RandomState(1)
    found = [tuple(divided(np.zeros(5, dtype=int), 0.4, rng)[1]) for _ in range(2000)]
    assert len(set(found)) == comb(5, 2)
    expected = 2000 / comb(5, 2)
    assert all(abs(found.count(way) - expected) < 5 * expected**0.5 for way in set(found))  # 5 standard errors


def test_rows_that_cannot_be_divided() -> None:
    refused(r"got test_size=0.5 of 1 sample;", divided, np.zeros(1, dtype=int), 0.5, np.random.RandomState(0))
    refused(r"got test_size=0.1 of 8 samples", divided, np.repeat([0, 1], 4), 0.1, np.random.RandomState(0))


# Rows go where the tree sends them, and their values and tables are those of a plain loop.

DRAWS = np.random.default_rng(2)
FEATURES, NEW = DRAWS.normal(size=(2, 60, 3)).round(1)
Y, TRUE = (np.digitize(x.sum(axis=1), [-1, 1]) for x in (FEATURES, NEW))
GROWN = DecisionTreeClassifier(max_depth=3, random_state=0).fit(FEATURES, Y)
WEIGHTS = np.arange(60) % 4


def table(held: HeldOut, node: int, nested: bool) -> Any:
    """The table of the rows of a node by group and class."""
    pairs = list(zip(held.sides(node, nested).tolist(), held.responses[held.rows[node]].tolist(), strict=True))
    return [[pairs.count((side, code)) for code in range(3)] for side in range(1 + max(side for side, _ in pairs))]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_rows_counts_and_tables_of_classes(weights: Any) -> None:
    held, times = held_out(GROWN, NEW, TRUE, weights), np.ones(60, dtype=int) if weights is None else weights
    leaves, path = GROWN.apply(NEW), GROWN.decision_path(NEW).toarray() > 0
    for node in range(GROWN.tree_.node_count):
        mine = [i for i in np.flatnonzero(path[:, node]) for _ in range(times[i])]
        assert held.rows[node].tolist() == mine
        assert held.sizes[node] == len(mine)
        assert held.values[node].tolist() == [sum(TRUE[i] == k for i in mine) for k in range(3)]
        left, right = GROWN.tree_.children_left[node], GROWN.tree_.children_right[node]
        if left >= 0 and not held.obstacle(node):
            sides = [[i for i in mine if path[i, child]] for child in (left, right)]
            assert table(held, node, False) == [[sum(TRUE[i] == k for i in s) for k in range(3)] for s in sides]
            ends = sorted({leaves[i] for i in mine})
            expected = [[sum(TRUE[i] == k for i in mine if leaves[i] == end) for k in range(3)] for end in ends]
            assert table(held, node, True) == expected


def test_means_of_responses() -> None:
    grown = DecisionTreeRegressor(max_depth=3).fit(FEATURES, FEATURES[:, 0])
    held, path = held_out(grown, NEW[:9], NEW[:9, 0], WEIGHTS[:9]), grown.decision_path(NEW[:9]).toarray() > 0
    for node in range(grown.tree_.node_count):
        mine = [NEW[i, 0] for i in np.flatnonzero(path[:, node]) for _ in range(WEIGHTS[i])]
        assert held.values[node, 0] == pytest.approx(np.mean(mine) if mine else np.nan, nan_ok=True)


def test_why_a_node_cannot_be_tested() -> None:
    stump = DecisionTreeClassifier(max_depth=1).fit([[0], [1]], [0, 1])
    rows = ([[0], [1]], [0, 1]), ([[0], [0]], [0, 1]), ([[0], [1]], [1, 1]), ([[0]], [1])
    said = [held_out(stump, x, y).obstacle(0) for x, y in rows]
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
    refused(said, counts_of, weights, np.array(["a", "b"]))


def test_rows_of_other_trees() -> None:
    refused("one entry for each of 60 rows; got 3 entries", held_out, GROWN, NEW, TRUE[:3])
    with pytest.raises(ValueError, match="responses are finite"):
        held_out(DecisionTreeRegressor().fit(FEATURES, FEATURES[:, 0]), NEW, np.full(60, np.nan))
