"""Trees with categorical features keep scikit-learn's contract: columns, names, bad input, missing and new values."""

import pickle
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import oracles
import splitcrit as sc
from growing import grow_regression
from parts import coloured
from refusals import refused
from splitcrit import ForestClassifier, TreeClassifier, TreeRegressor, decrease, entropy, gini, normalised
from splitcrit.data.categories_input import coding_of
from splitcrit.trees.growth import GrowthOptions, Stopping
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.scan import Limits
from splitcrit.trees.scan.subsets import Comparison, best_order, best_subsets, class_scores

ROWS = len(coloured())


FRAME = coloured()
WARM = FRAME["colour"].isin(["red", "pink"]) | FRAME["colour"].isna()
LABEL = np.where(WARM & (FRAME["size"] > 3) | (FRAME["shape"] == "rod"), "yes", "no")


@pytest.fixture(scope="module")
def tree() -> TreeClassifier:
    return TreeClassifier(categorical_features="from_dtype").fit(FRAME, LABEL)


# Which features are categorical.


@pytest.mark.parametrize(
    "given", ["from_dtype", ["colour", "shape"], [0, 2], [0, -1], [True, False, True], np.array([2, 0])], ids=str
)
def test_masks_places_names_and_dtypes_mean_the_same(given: Any, tree: TreeClassifier) -> None:
    other = TreeClassifier(categorical_features=given).fit(FRAME, LABEL)
    assert other.is_categorical_.tolist() == [True, False, True]
    assert other.splits_ == tree.splits_ and other.score(FRAME, LABEL) == 1.0


def test_an_array_without_dtypes_has_no_categorical_features() -> None:
    x = np.random.default_rng(0).integers(0, 4, size=(50, 2)).astype(float)
    tree = TreeClassifier(categorical_features="from_dtype").fit(x, x[:, 0] > 1)
    assert tree.categories_ is None and tree.is_categorical_ is None and tree.splits_ == {}
    assert tree.split_names_ == ["x0", "x1"]


# What the tree says.


def test_tree_is_over_features_and_subsets_whose_names_say_what_goes_right(tree: TreeClassifier) -> None:
    assert tree.n_features_in_ == 3 and tree.tree_.n_features == len(tree.split_names_) > 3
    assert list(tree.feature_names_in_) == tree.split_names_[:3]
    assert tree.tree_.max_depth == tree.get_depth()
    assert set(tree.splits_) == set(np.flatnonzero(tree.tree_.feature >= 3))
    for node, split in tree.splits_.items():
        name = tree.split_names_[tree.tree_.feature[node]]
        assert name == f"{split.name} in {{{', '.join(split.right)}}}" and tree.tree_.threshold[node] == 0.5


def walked(tree: Any, frame: pd.DataFrame, row: int) -> int:
    """The leaf of a row by the splits' own words."""
    node = 0
    while tree.tree_.children_left[node] >= 0:
        if (split := tree.splits_.get(node)) is None:
            left = frame.iloc[row, tree.tree_.feature[node]] <= tree.tree_.threshold[node]
        else:
            value = frame.iloc[row, split.feature]
            value = "(missing)" if pd.isna(value) else value
            left = split.others == "left" if value not in split.left + split.right else value in split.left
        node = (tree.tree_.children_left if left else tree.tree_.children_right)[node]
    return int(node)


def test_predictions_follow_the_splits(tree: TreeClassifier) -> None:
    strange = FRAME.copy()
    strange["shape"] = strange["shape"].astype(object)
    strange.loc[::3, "colour"] = "violet"
    strange.loc[::5, "shape"] = None
    for frame in (FRAME, strange):
        leaves = tree.apply(frame)
        assert leaves.tolist() == [walked(tree, frame, row) for row in range(ROWS)]
        assert (tree.decision_path(frame).toarray()[np.arange(ROWS), leaves] == 1).all()
        proba = tree.tree_.value[leaves][:, 0]
        assert np.allclose(tree.predict_proba(frame), proba)
        assert (tree.predict(frame) == tree.classes_[proba.argmax(axis=1)]).all()


def test_missing_values_are_a_category_of_their_own(tree: TreeClassifier) -> None:
    assert tree.categories_[0] == ["blue", "green", "grey", "pink", "red", "(missing)"]
    assert tree.categories_[1] is None
    with_missing = [s for s in tree.splits_.values() if "(missing)" in s.left + s.right]
    assert with_missing and all(("(missing)" in s.left) == ("red" in s.left) for s in with_missing)


def test_new_and_missing_categories_go_with_the_heavier_child() -> None:
    x = pd.DataFrame({"c": ["a"] * 3 + ["b"] * 5 + ["d"] * 2})
    y = np.array([0] * 3 + [1] * 5 + [0] * 2)
    (split,) = TreeClassifier(categorical_features="from_dtype").fit(x, y).splits_.values()
    sides = {"left": split.left, "right": split.right}
    assert {frozenset(side) for side in sides.values()} == {frozenset("b"), frozenset("ad")}
    assert split.others == "right"  # as much weight on both sides
    heavier = TreeClassifier(categorical_features="from_dtype").fit(pd.concat([x, x[3:8]]), np.append(y, [1] * 5))
    (split,) = heavier.splits_.values()
    assert "b" in getattr(split, split.others)
    assert heavier.predict(pd.DataFrame({"c": ["new", None, "a"]})).tolist() == [1, 1, 0]


def test_a_category_of_another_branch_goes_with_the_heavier_child() -> None:
    rows = [("a", 0, 0)] * 4 + [("b", 0, 1)] * 6 + [("c", 1, 0)] * 9
    x = pd.DataFrame([(c, n) for c, n, _ in rows], columns=["c", "n"])
    tree = TreeClassifier(categorical_features=["c"], max_features=1, random_state=0)
    for seed in range(20):
        tree.set_params(random_state=seed).fit(x, [k for *_, k in rows])
        if tree.tree_.feature[0] == 1:
            break
    (split,) = tree.splits_.values()
    assert set(split.left + split.right) == {"a", "b"} and "b" in getattr(split, split.others)
    assert tree.predict(pd.DataFrame({"c": ["c"], "n": [0]})).tolist() == [1]


# What scikit-learn does with estimators.


def test_pickles_and_refits_agree(tree: TreeClassifier) -> None:
    assert pickle.loads(pickle.dumps(tree)).splits_ == tree.splits_
    refitted = clone(tree).fit(FRAME, LABEL).set_params(categorical_features=None).fit(FRAME[["size"]], LABEL)
    assert refitted.categories_ is None and refitted.splits_ == {} and refitted.tree_.n_features == 1


def test_pruning_and_limits_keep_only_the_subsets_that_are_used() -> None:
    whole = TreeClassifier(categorical_features="from_dtype").fit(FRAME, LABEL)
    path = whole.cost_complexity_pruning_path(FRAME, LABEL)
    pruned = clone(whole).set_params(ccp_alpha=path.ccp_alphas[1]).fit(FRAME, LABEL)
    assert 1 < pruned.tree_.node_count < whole.tree_.node_count
    assert pruned.tree_.n_features == whole.tree_.n_features and len(pruned.feature_importances_) == 3
    assert set(pruned.splits_) <= set(range(pruned.tree_.node_count))
    assert pruned.score(FRAME, LABEL) > 0.7
    assert path.impurities[0] == pytest.approx(0.0)
    for options in ({"max_leaf_nodes": 4}, {"min_impurity_decrease": 0.05}, {"max_depth": 1}):
        cut = clone(whole).set_params(**options).fit(FRAME, LABEL)
        used = np.unique(cut.tree_.feature[cut.tree_.feature >= 3])
        assert used.tolist() == list(range(3, cut.tree_.n_features)) and cut.apply(FRAME).max() < cut.tree_.node_count


# Categories of a training set, their codes, and what they become where a tree predicts.


def test_columns_of_a_table_are_coded_by_their_values() -> None:
    codes = np.random.default_rng(0).integers(3, 20, 60).astype(float)
    x = np.stack([codes, np.where(codes > 9, np.nan, 1.5), np.arange(60) / 7], axis=1)
    found = coding_of([0, 1], x)
    assert found.categories == [sorted(set(codes.tolist())), [1.5, "(missing)"], None]
    assert [found.categories[0][int(code)] for code in found.x[:, 0]] == codes.tolist()
    assert found.x[:, 1].tolist() == (codes > 9).tolist()
    np.testing.assert_array_equal(found.x[:, 2], x[:, 2])


# How many categories.


def of_levels(levels: int, rows: int) -> pd.DataFrame:
    return pd.DataFrame({"dose": np.arange(rows) % 7.0, "code": [f"c{i % levels}" for i in range(rows)]})


@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor(), ForestClassifier(2), sc.AdaptiveTreeClassifier()])
def test_a_feature_taken_for_its_dtype_has_at_most_255_categories(model: Any) -> None:
    y = np.arange(1000) % 2
    said = "taken for its dtype has at most 255 categories; got 256 levels of column 'code'"
    refused(said, model.set_params(categorical_features="from_dtype").fit, of_levels(256, 1000), y)
    assert model.fit(of_levels(255, 1000), y).is_categorical_.tolist() == [False, True]
    assert len(model.set_params(categorical_features=["code"]).fit(of_levels(400, 1000), y).categories_[1]) == 400


def test_a_feature_that_is_named_has_at_most_1024() -> None:
    said = "got 1025 levels of column 1 in 4000 rows; merge rare ones, or turn them into"
    refused(said, coding_of, [1], of_levels(1025, 4000).to_numpy())
    assert len(coding_of([1], of_levels(1024, 4000).to_numpy()).categories[1] or ()) == 1024


def test_only_categories_that_occur_count() -> None:
    declared = pd.Categorical(["b", "d", None, "b"] * 2, categories=[*"dcba", *map(str, range(400))])
    found = coding_of("from_dtype", pd.DataFrame({"code": declared}))
    assert found.categories == [["d", "b", "(missing)"]]
    assert found.x[:, 0].tolist() == [1, 0, 2, 1] * 2


# What categories become where the tree predicts.

TRAIN = pd.DataFrame({"code": ["a", "b", None] * 10, "year": [1, 2, 3] * 10})
LABELS = np.array([0, 1, 1] * 10)
NEW: dict[str, tuple[Any, list[int]]] = {
    "as before": (TRAIN[:3], [0, 1, 1]),
    "of dtype category": (TRAIN[:3].astype({"code": "category", "year": float}), [0, 1, 1]),
    "of dtype string": (TRAIN[:3].astype({"code": "string", "year": "Int64"}), [0, 1, 1]),
    "all missing": (pd.DataFrame({"code": [None, np.nan], "year": [3, 3]}), [1, 1]),
    "all missing numbers": (pd.DataFrame({"code": [np.nan, np.nan], "year": [3.0, 3.0]}), [1, 1]),
    "all new": (pd.DataFrame({"code": ["x", "y"], "year": [9, 9]}), [1, 1]),
    "numbers among objects": (pd.DataFrame({"code": ["a", 7], "year": [1, 2]}, dtype=object), [0, 1]),
    "declared otherwise": (pd.DataFrame({"code": pd.Categorical(["a"], categories=[1, "a"]), "year": [True]}), [0]),
}


@pytest.mark.parametrize("model", [TreeClassifier(), ForestClassifier(3, bootstrap=False, max_features=None)], ids=repr)
@pytest.mark.parametrize("case", NEW)
def test_columns_may_change_their_dtype_but_not_what_they_hold(model: Any, case: str) -> None:
    model.set_params(categorical_features=["code", "year"]).fit(TRAIN, LABELS)
    frame, expected = NEW[case]
    assert model.predict(frame).tolist() == expected


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"code": [1, 2]}, "categories of column 'code' are words, as in fit; got numbers; convert the column first"),
        ({"year": ["1", "2"]}, "categories of column 'year' are numbers, as in fit; got words; convert the column"),
        ({"year": [b"1", None]}, "categories of column 'year' are numbers, as in fit; got bytes"),
        ({"code": pd.date_range("2020-01-01", periods=2)}, "'code' are words, as in fit; got datetime"),
    ],
)
def test_words_are_no_numbers(changed: Any, said: str) -> None:
    tree = TreeClassifier(categorical_features=["code", "year"]).fit(TRAIN, LABELS)
    refused(said, tree.predict, TRAIN[:2].assign(**changed), error=TypeError)


@pytest.mark.parametrize("wrong", [3, -4, "hue", 1.5, None])
def test_features_that_are_none_of_the_table_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="categorical_features must be a mask, positions or names of features"):
        TreeClassifier(categorical_features=[0, wrong]).fit(FRAME, LABEL)


# Subsets of categories of one node against all subsets; whole trees are held against the reference builder.


def test_categories_that_are_absent_change_no_order() -> None:
    """The order of the others is what it is without them, and they come last."""
    scores = class_scores(decrease(gini))
    for seed in range(40):
        tables = np.random.default_rng(seed).integers(0, 9, (1, 5, 3)).astype(float) + np.eye(5, 3)
        tables[0, 3:, 0] += 1
        wider = np.insert(tables, [0, 2, 5], 0.0, axis=1)
        told = Limits(), scores, np.zeros(1)
        alone, among = (best_order(t, t.sum(axis=2).astype(int), *told)[0] for t in (tables, wider))
        present = wider[0].sum(axis=1) > 0
        assert among[present].tolist() == alone.tolist() and among[~present].min() > among[present].max()


def test_of_subsets_that_tie_but_for_rounding_the_first_is_taken() -> None:
    """Three categories that differ in the names of the classes only: each alone gains as much as any other."""
    scores, differ = class_scores(decrease(entropy)), 0
    for counts in product((1.0, 3.0, 7.0, 10.0, 13.0), repeat=3):
        if len(set(counts)) < 3:
            continue
        table = np.array([[np.roll(counts, shift) for shift in range(3)]])
        sizes, width = table.sum(axis=2).astype(int), 1e-11 * np.log(3) * np.ones(1)
        left = np.stack([table[:, 0], table[:, 1], table[:, 0] + table[:, 1]], axis=1)
        differ += len(set(scores(left, table.sum(axis=1)[:, None] - left, np.ones((1, 3), bool))[0].tolist())) > 1
        assert best_subsets(table, sizes, Limits(), Comparison(scores, width)).tolist() == [[True, False, False]]
    assert differ


def test_of_deviations_that_tie_but_for_rounding_the_first_is_taken() -> None:
    """The last category mirrors the first, about the middle one: to part either from the rest is as good."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        low, weights = np.sort(rng.random(5).round(1)) - 3.1, rng.choice([0.1, 0.3, 0.7], 5)
        y = np.concatenate([low, [-0.1, 0.1], -low[::-1]])
        codes, w = np.repeat([0.0, 1.0, 2.0], [5, 2, 5]), np.concatenate([weights, [0.2, 0.2], weights[::-1]])
        recoding = Recoding(np.array([3]), 10)
        growing = GrowthOptions(Stopping(1, min_gain=None), recoding=recoding)
        grow_regression(codes[:, None], y, w, "absolute_error", growing)
        assert recoding.subsets[0].left == (0,)


@pytest.mark.parametrize("least", [1, 6])
def test_a_guarded_ratio_passes_over_subsets_that_gain_less_than_the_average(least: int) -> None:
    """The average is that of the subsets that the limits allow; the guard changes what is best."""
    guarded, changed = class_scores(normalised(entropy, guarded=True)), 0
    for seed in range(40):
        table = np.random.default_rng(seed).integers(4, 12, (4, 3))
        table[seed % 4] = [1, 0, 0]  # a subset of one sample has a large ratio
        gains, ratios = {}, {}
        for bits in range(1, 8):
            kept = [i for i in range(4) if bits >> i & 1]
            sides = [table[kept].sum(axis=0).tolist(), np.delete(table, kept, axis=0).sum(axis=0).tolist()]
            if min(map(sum, sides)) >= least:
                gains[bits] = float(oracles.gain(sides, oracles.entropy))
                ratios[bits] = gains[bits] / oracles.entropy([sum(side) for side in sides])
        average = sum(gains.values()) / len(gains)
        expected = max((b for b in gains if gains[b] >= average), key=lambda b: ratios[b])
        changed += expected != max(ratios, key=lambda b: ratios[b])
        sizes = table.sum(axis=1)[None]
        found = best_subsets(table[None].astype(float), sizes, Limits(least), Comparison(guarded, np.array([1e-11])))
        assert sum(1 << i for i in np.flatnonzero(found[0]).tolist()) == expected
    assert changed or least > 1, "the guard never matters"


@pytest.mark.parametrize("least", [1, 3])
def test_large_responses_that_differ_little_are_told_apart(least: int) -> None:
    """A constant of 2^40 is added to all responses: exact in binary, and no split changes."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        rows, weights = rng.permutation(ROWS)[:30], rng.choice([0.25, 1.0, 5.0], 30)
        y = 2.0 * (LABEL[rows] == "yes") + rng.integers(0, 4, 30)
        model = TreeRegressor(categorical_features=[0, 2], min_samples_leaf=least, max_depth=2)
        one, other = (model.fit(FRAME.iloc[rows], each, weights).splits_ for each in (y, y + 2.0**40))
        assert one == other and one


# Importances of features that a tree splits by several subsets, from the numbers of its nodes.


@pytest.mark.parametrize("model", [TreeClassifier(), TreeClassifier(criterion="entropy"), TreeRegressor()], ids=repr)
def test_all_subsets_of_a_feature_count_as_the_feature(model: Any) -> None:
    """By what its nodes take from the weighted impurity, as shares of all."""
    ill = (FRAME["colour"].isin(["red"]) + 2 * FRAME["colour"].isin(["blue", "green"])) * (FRAME["size"] > 3)
    tree = model.set_params(categorical_features="from_dtype").fit(FRAME, ill)
    assert len({split.left for split in tree.splits_.values() if split.feature == 0}) > 1
    one, taken = tree.tree_, np.zeros(3)
    weighed = one.weighted_n_node_samples * one.impurity
    for node in np.flatnonzero(one.children_left >= 0).tolist():
        feature = tree.splits_[node].feature if node in tree.splits_ else one.feature[node]
        taken[feature] += weighed[node] - weighed[one.children_left[node]] - weighed[one.children_right[node]]
    assert tree.feature_importances_ == pytest.approx(taken / taken.sum(), rel=1e-12)
