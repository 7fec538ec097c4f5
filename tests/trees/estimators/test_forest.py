"""Forests keep scikit-learn's contract; each of their trees is what the tree estimator grows on the drawn counts."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone, is_regressor
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from parts import coloured, same
from refusals import refused
from splitcrit import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, entropy, ne, normalised
from splitcrit.data import ManyLevelsWarning
from splitcrit.trees import AdaptiveForestClassifier, AdaptiveTreeClassifier

# What a tree of a forest is.

SHARED = dict(max_features="sqrt", min_samples_leaf=2)


WHOLE = {"bootstrap": False, "max_features": None}
RULES = [
    *({"criterion": criterion, **SHARED} for criterion in ("gini", "entropy", "sgini", ne(0.3), "credal")),
    {"draw": "varying", **SHARED}, {"max_depth": 3}, {"max_depth": 3, "splitter": "random"},
    {"max_depth": 3, "criterion": "misclassification", "max_samples": 0.5}, WHOLE,
    {"max_leaf_nodes": 4, "ccp_alpha": 0.01, "min_impurity_decrease": 0.01, **WHOLE},
    {"splitter": "random", "min_gain": None, **WHOLE},
]  # fmt: skip


@pytest.mark.each_value
@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["real", "two classes", "three classes"])
def test_a_tree_is_what_the_tree_estimator_grows_on_the_rows_drawn(kind, weighted, rules, cancer):
    made = dict(n_informative=3, n_redundant=0, n_classes=2 + (kind == "three classes"), flip_y=0.3, random_state=1)
    x, y = cancer if kind == "real" else make_classification(250, 5, **made)
    x = x if kind == "real" else x.round(1)  # with ties
    weights = np.arange(len(y)) % 4 if weighted and rules.get("bootstrap", True) else None
    of_samples = {name: rules[name] for name in ("bootstrap", "max_samples") if name in rules}
    of_trees = {"max_features": "sqrt"} | {name: rule for name, rule in rules.items() if name not in of_samples}
    forest = ForestClassifier(3, random_state=7, **rules).fit(x, y, weights)
    drawn = RandomForestClassifier(3, random_state=7, **of_samples).fit(x, y, weights).estimators_samples_
    assert len({tree.random_state for tree in forest.estimators_}) == 3
    for tree, rows, theirs in zip(forest.estimators_, forest.estimators_samples_, drawn, strict=True):
        assert_array_equal(rows, theirs)  # the very samples of scikit-learn
        counts = np.bincount(rows, minlength=len(y))
        assert same(tree, TreeClassifier(random_state=tree.random_state, **of_trees).fit(x, y, counts))
        assert type(tree) is TreeClassifier
    assert max(tree.tree_.node_count for tree in forest) > 3


def test_balanced_weights_by_sample(iris: tuple) -> None:
    x, y = iris[0][20:], iris[1][20:]
    forest = ForestClassifier(2, class_weight="balanced_subsample", random_state=0).fit(x, y)
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        by_class = np.bincount(y[rows], minlength=3)
        weights = np.bincount(rows, minlength=len(y)) * (len(rows) / (3 * by_class))[y]
        alone = TreeClassifier(random_state=tree.random_state, max_features="sqrt").fit(x, y, weights)
        assert same(tree, alone)
        assert_allclose(tree.tree_.value[0, 0], 1 / 3)


# Voting.


def test_hard_voting_counts_the_trees(cancer: tuple) -> None:
    x, y = cancer
    forest = ForestClassifier(7, voting="hard", max_depth=2, random_state=0).fit(x[::2], y[::2])
    votes = np.array([tree.predict(x) for tree in forest.estimators_])
    assert_array_equal(forest.predict_proba(x)[:, 1] * 7, votes.sum(axis=0))
    assert_array_equal(forest.predict(x), votes.sum(axis=0) > 3.5)
    soft = clone(forest).set_params(voting="soft").fit(x[::2], y[::2])
    leaves = np.mean([tree.predict_proba(x) for tree in forest.estimators_], axis=0)
    assert_allclose(soft.predict_proba(x), leaves)
    assert (soft.predict(x) != forest.predict(x)).any()


@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_out_of_bag_rows_are_judged_by_the_trees_that_left_them_out(iris: tuple, voting: str) -> None:
    x, y = iris
    forest = ForestClassifier(40, voting=voting, max_depth=2, oob_score=True, random_state=0).fit(x, y)
    total, trees = np.zeros((len(y), 3)), np.zeros(len(y))
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(len(y)), rows)
        found = tree.predict_proba(x[out])
        total[out] += found if voting == "soft" else found == found.max(axis=1, keepdims=True)
        trees[out] += 1
    assert_allclose(forest.oob_decision_function_, total / trees[:, None])
    assert forest.oob_score_ == np.mean(total.argmax(axis=1) == y)


# The rest of scikit-learn's interface.


def test_names_of_parameters_and_repr() -> None:
    forest = ForestClassifier(3, criterion=ne(0.25), voting="hard", random_state=0)
    ours = {"draw", "splitter", "min_gain", "categorical_features", "max_exact_categories"}
    assert set(forest.get_params()) == {*RandomForestClassifier().get_params(), *ours, "voting"}
    assert set(ForestRegressor().get_params()) == {*RandomForestRegressor().get_params(), *ours}
    assert repr(forest).startswith("ForestClassifier(criterion=ne(lam=0.25), n_estimators=3, random_state=0,")


def test_a_warm_start_that_fails_leaves_the_forest_as_it_was(iris: tuple) -> None:
    x, y = iris
    forest = ForestClassifier(3, warm_start=True, random_state=0).fit(x, y)
    before, trees = dict(vars(forest)), list(forest.estimators_)
    forest.set_params(n_estimators=40, oob_score=lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        forest.fit(x, y)
    assert forest.estimators_ == trees
    assert set(vars(forest)) == set(before)


def test_a_forest_of_scikit_learn_accepts_the_tree(iris: tuple) -> None:
    forest = RandomForestClassifier(3, random_state=0)
    forest.estimator = TreeClassifier()
    known = ForestClassifier(3, random_state=0).fit(*iris)
    assert_array_equal(forest.fit(*iris).predict_proba(iris[0]), known.predict_proba(iris[0]))


@pytest.mark.parametrize("rows", [4095, 4096])
def test_trees_of_few_rows_take_turns_in_one_thread(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.ensemble import _forest

    asked, plain = [], _forest.Parallel
    monkeypatch.setattr(_forest, "Parallel", lambda n_jobs, **how: asked.append(n_jobs) or plain(n_jobs=n_jobs, **how))
    x = np.arange(rows, dtype=np.float32)[:, None]
    forest = ForestClassifier(2, n_jobs=2, max_depth=1).fit(x, x[:, 0] > 9)
    assert asked == [2 if rows == 4096 else None] and forest.n_jobs == 2


@pytest.mark.parametrize("voting", ["soft", "hard", None])
def test_what_no_tree_left_out_is_unknown_and_not_scored(voting: str | None) -> None:
    x = np.random.default_rng(0).normal(size=(200, 2))
    y = x[:, 0] + 100 if voting is None else np.where(x[:, 0] > 0, 0, 1)
    model = ForestRegressor(2) if voting is None else ForestClassifier(2, voting=voting)
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores"):
        model.set_params(oob_score=True, random_state=0).fit(x, y)
    drawn = np.array([np.isin(np.arange(200), rows) for rows in model.estimators_samples_])
    unknown = drawn.all(axis=0)
    found = model.oob_prediction_[:, None] if voting is None else model.oob_decision_function_
    assert unknown.any() and np.isnan(found[unknown]).all() and not np.isnan(found[~unknown]).any()
    right = (
        1 - ((y - found[:, 0])[~unknown] ** 2).sum() / ((y[~unknown] - y[~unknown].mean()) ** 2).sum()
        if voting is None
        else (found[~unknown].argmax(axis=1) == y[~unknown]).mean()
    )
    assert_allclose(model.oob_score_, right, rtol=1e-9)
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores"):
        model.set_params(oob_score=lambda y, predicted: len(y)).fit(x, y)
    assert model.oob_score_ == (~unknown).sum()
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores"):
        lone = model.set_params(n_estimators=1, oob_score=True).fit(x[:1].repeat(2, axis=0), y[:1].repeat(2))
    assert np.isnan(lone.oob_score_) == all(len(set(rows.tolist())) == 2 for rows in lone.estimators_samples_)


@pytest.mark.parametrize("model", [ForestClassifier(30), ForestClassifier(30, voting="hard"), ForestRegressor(30)])
def test_what_a_forest_says_is_the_sum_in_the_order_of_its_trees(model: ForestClassifier | ForestRegressor) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(5000, 3)), rng.integers(0, 3, 5000)
    model.set_params(random_state=0, max_depth=3, oob_score=True).fit(x, y)
    name = "predict_proba" if hasattr(model, "classes_") else "predict"
    expected = 0
    for tree in model.estimators_:
        expected = expected + np.asarray(model.votes(tree, x.astype(np.float32)))
    expected = (expected / 30).reshape(5000, -1)
    oob = model.oob_decision_function_ if hasattr(model, "classes_") else model.oob_prediction_
    for jobs in (None, 2):
        model.set_params(n_jobs=jobs)
        for _ in range(2):
            assert_array_equal(getattr(model, name)(x).reshape(5000, -1), expected)
        again = clone(model).fit(x, y)
        assert_array_equal(again.oob_decision_function_ if hasattr(model, "classes_") else again.oob_prediction_, oob)


def test_a_warm_start_with_other_groups_is_refused(iris: tuple) -> None:
    """Trees that drew other groups, or rows, would be taken for trees of these."""
    x, y = iris
    groups = np.arange(len(y)) // 3
    forest = ForestClassifier(2, warm_start=True, random_state=0).fit(x, y, groups=groups)
    rows = [each.tolist() for each in forest.set_params(n_estimators=3).fit(x, y, groups=groups).estimators_samples_]
    forest.set_params(n_estimators=4)
    for others in (None, groups[::-1] // 2):
        refused("warm_start needs the same categories and groups; got other ones", forest.fit, x, y, groups=others)
        assert [each.tolist() for each in forest.estimators_samples_] == rows
    with pytest.raises(ValueError, match="warm_start needs the same categories and groups"):
        ForestClassifier(2, warm_start=True).fit(x, y).set_params(n_estimators=3).fit(x, y, groups=groups)


def test_a_forest_draws_whole_groups() -> None:
    rng = np.random.default_rng(0)
    groups = rng.permutation(np.repeat(np.arange(40), rng.integers(1, 12, 40)))
    x = (rng.normal(size=(40, 3))[groups] + 0.05 * rng.normal(size=(len(groups), 3))).astype(np.float32)
    y = rng.integers(0, 2, 40)[groups]
    by_groups = ForestClassifier(9, random_state=0).fit(x, y, groups=[f"patient {g}" for g in groups])
    for tree, rows in zip(by_groups.estimators_, by_groups.estimators_samples_, strict=True):
        times = np.bincount(rows, minlength=len(y))
        each = [set(times[groups == g].tolist()) for g in range(40)]
        assert all(len(of) == 1 for of in each) and sum(min(of) for of in each) == 40
        alone = TreeClassifier(max_features="sqrt", random_state=tree.random_state).fit(x, y, sample_weight=times)
        assert np.array_equal(tree.tree_.threshold, alone.tree_.threshold)
    assert clone(by_groups).fit(x, y, groups=groups).fit(x, y).estimators_samples_[0].shape == (len(y),)  # forgotten
    shares = ForestRegressor(5, random_state=0, max_samples=0.5).fit(x, x[:, 0], groups=groups).estimators_samples_
    assert [sum(np.bincount(rows, minlength=len(y))[groups == g][0] for g in range(40)) for rows in shares] == [20] * 5
    again = pickle.loads(pickle.dumps(by_groups))
    assert all(map(np.array_equal, again.estimators_samples_, by_groups.estimators_samples_))
    assert set(by_groups.classes_) == {0, 1} and by_groups.score(x, y) > 0.9


@pytest.mark.parametrize(
    ("options", "given", "said"),
    [
        ({"oob_score": True}, {}, "neither oob_score nor class_weight; got 20 groups, bootstrap=True, oob_score=True"),
        ({"bootstrap": False}, {}, "bootstrap=True, and neither"),
        ({"class_weight": "balanced"}, {}, "neither oob_score nor class_weight"),
        ({}, {"sample_weight": np.ones(60)}, "a group has one vote"),
        ({}, {"groups": np.arange(60)}, "60 groups of 60 rows: no groups"),
    ],
)
def test_what_a_forest_of_groups_does_not_take(options: Any, given: Any, said: str) -> None:
    x, y = np.arange(120.0).reshape(60, 2), np.arange(60) % 2
    refused(said, ForestClassifier(2, **options).fit, x, y, **{"groups": np.repeat(np.arange(20), 3)} | given)


def test_rows_of_no_weight_make_no_feature_vary() -> None:
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.random((120, 4)) < [0.1, 0.2, 0.3, 0.5], rng.integers(0, 6, (120, 2))])
    y = (x[:, 1] + x[:, 4] + rng.integers(0, 4, 120) > 4).astype(int)
    x = np.column_stack([x, np.arange(120) == 7, np.arange(120) == 8])
    weights = (np.arange(120) % 50 > 8).astype(float)
    kept = weights > 0
    for kind in (TreeClassifier, TreeRegressor, ForestClassifier):
        given: dict[str, Any] = {"max_features": 3, "draw": "varying", "random_state": 2}
        given |= {"bootstrap": False} if kind is ForestClassifier else {}
        one, other = kind(**given).fit(x, y, weights), kind(**given).fit(x[kept], y[kept])
        assert_array_equal(one.predict(x), other.predict(x))


# Forests and tuned estimators with categorical features: each tree is what the tree estimator grows on the counts.

ROWS = len(coloured())


def labels(frame: pd.DataFrame, classes: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    warm = frame["colour"].isin(["red", "pink"]) | frame["colour"].isna()
    likely = (warm.to_numpy().astype(int) + (frame["shape"] == "rod") + (frame["size"] > 3)) % classes
    return np.where(rng.random(ROWS) < 0.8, likely, rng.integers(0, classes, ROWS))


FRAME = coloured()
STRANGE = coloured(1).assign(shape=np.resize(["rod", "cone", "disc"], ROWS))
STRANGE.loc[::4, "colour"] = "mauve"


OF_COUNTS = [
    (ForestClassifier(4, criterion=criterion, **rules), classes)
    for criterion, classes in (("gini", 2), ("entropy", 3), ("sgini", 3))
    for rules in ({}, {"max_features": None, "min_samples_leaf": 3}, {"splitter": "random"})
] + [(ForestRegressor(3, criterion=error, max_features=2), 3) for error in ("squared_error", "absolute_error")]
# Searched by its formula, in the rows of the sample alone, whose ranks the trees share.
OF_COUNTS.append((ForestClassifier(2, criterion=normalised(entropy, guarded=True), max_features=None), 3))


@pytest.mark.parametrize(("forest", "classes"), OF_COUNTS, ids=str)
def test_a_tree_is_what_the_tree_estimator_grows_on_the_counts(forest: Any, classes: int) -> None:
    y = labels(FRAME, classes) + (FRAME["size"] / 8 if is_regressor(forest) else 0)
    forest = clone(forest).set_params(random_state=3, categorical_features="from_dtype").fit(FRAME, y)
    assert forest.is_categorical_.tolist() == [True, False, True]
    votes, predict = [], "predict" if is_regressor(forest) else "predict_proba"
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        alone = clone(tree).fit(FRAME, y, np.bincount(rows, minlength=ROWS))
        assert same(tree, alone)
        for frame in (FRAME, STRANGE):  # members know no names of features, as in scikit-learn
            assert_array_equal(getattr(tree, predict)(frame.to_numpy()), getattr(alone, predict)(frame))
        votes.append(getattr(alone, predict)(STRANGE))
    assert_allclose(getattr(forest, predict)(STRANGE), np.mean(votes, axis=0))
    assert_array_equal(forest.apply(STRANGE)[:, -1], alone.apply(STRANGE))
    assert forest.feature_importances_.shape == (3,) and any(tree.splits_ for tree in forest.estimators_)


def test_without_samples_and_draws_all_trees_are_the_tree() -> None:
    y, rules = labels(FRAME, 3), {"categorical_features": "from_dtype", "max_exact_categories": 3}
    forest = ForestClassifier(2, bootstrap=False, max_features=None, voting="hard", **rules).fit(FRAME, y)
    tree = TreeClassifier(**rules).fit(FRAME, y)
    for member in forest.estimators_:
        assert same(member, tree)
    assert {split.method for split in tree.splits_.values()} >= {"several orders", "all subsets"}
    assert_array_equal(forest.predict(STRANGE), tree.predict(STRANGE))
    other = pickle.loads(pickle.dumps(forest))
    assert_array_equal(other.predict_proba(STRANGE), forest.predict_proba(STRANGE))


@pytest.mark.parametrize("model", [ForestClassifier(2), ForestRegressor(2)], ids=repr)
def test_a_second_fit_forgets_the_categories(model: Any) -> None:
    y, numbers = labels(FRAME, 2), FRAME[["size"]]
    model.set_params(categorical_features="from_dtype").fit(FRAME, y)
    model.set_params(categorical_features=None).fit(numbers, y)
    assert model.categories_ is None and model.estimators_[0].categories_ is None
    assert model.predict(numbers).shape == (ROWS,)
    member = ForestClassifier(1, categorical_features="from_dtype", random_state=0).fit(FRAME, y).estimators_[0]
    assert_array_equal(member.fit(FRAME, y).predict(FRAME, check_input=False), member.predict(FRAME))


def test_a_warm_start_keeps_trees_and_categories_and_adds_the_trees_that_a_larger_forest_has() -> None:
    y = labels(FRAME, 2)
    options = {"categorical_features": ["colour", "shape"], "random_state": 0}
    forest = ForestClassifier(2, warm_start=True, **options).fit(FRAME, y)
    whole, first = ForestClassifier(4, **options).fit(FRAME, y), list(forest.estimators_)
    assert forest.set_params(n_estimators=4).fit(FRAME, y).estimators_[:2] == first
    assert_array_equal(forest.predict_proba(STRANGE), whole.predict_proba(STRANGE))
    with pytest.raises(ValueError, match="warm_start needs the same categories and groups; got other ones"):
        forest.set_params(n_estimators=5).fit(STRANGE, y)
    assert_array_equal(forest.predict_proba(STRANGE), whole.predict_proba(STRANGE))


@pytest.mark.parametrize("given", ["from_dtype", ["code"]])
@pytest.mark.parametrize("model", [
    TreeClassifier(), TreeRegressor(), ForestClassifier(2), ForestRegressor(2), AdaptiveTreeClassifier(),
    AdaptiveForestClassifier(2),
])  # fmt: skip
def test_many_levels_are_warned_of_once_at_the_line_of_the_call(model: Any, given: Any) -> None:
    frame = pd.DataFrame({"code": [f"c{i % 30}" for i in range(50)]})
    with pytest.warns(ManyLevelsWarning, match="got 30 levels of column 'code' in 50 rows") as told:
        model.set_params(categorical_features=given).fit(frame, np.arange(50) % 2)
    assert [warning.filename for warning in told] == [__file__]


# Tuned estimators.


@pytest.mark.parametrize("refit", [True, False])
def test_what_is_tuned_is_the_tree_or_forest_of_the_criterion_that_won(refit: bool) -> None:
    y, options = labels(FRAME, 2), {"categorical_features": "from_dtype", "random_state": 0}
    tuned = AdaptiveTreeClassifier(refit=refit, **options).fit(FRAME, y)
    assert tuned.categories_[0] == ["blue", "green", "grey", "pink", "red", "(missing)"]
    assert list(tuned.feature_names_in_) == list(FRAME.columns) and tuned.splits_
    assert tuned.predict(STRANGE).shape == (ROWS,) and "in {" in "".join(tuned.split_names_)
    if refit:
        tree = TreeClassifier(criterion=tuned.criterion_, **options).fit(FRAME, y)
        assert same(tuned, tree)
        assert_array_equal(tuned.predict(STRANGE), tree.predict(STRANGE))
        forest = AdaptiveForestClassifier(5, **options).fit(FRAME, y)
        plain = ForestClassifier(5, criterion=forest.criterion_, **options).fit(FRAME, y)
        assert_array_equal(forest.predict_proba(STRANGE), plain.predict_proba(STRANGE))
