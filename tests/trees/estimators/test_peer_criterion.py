"""Criteria in scikit-learn's own trees: the same splits as ours, the best of all cuts by the formula."""

import pickle
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sklearn.tree._classes as classes
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree import export_text as exported
from sklearn.tree._tree import NODE_DTYPE
from sklearn.tree._tree import Tree as Present

import splitcrit
from refusals import refused
from splitcrit import Criterion, ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, sklearn_criterion
from splitcrit.trees import export_graphviz, export_text
from splitcrit.trees.estimators.sklearn_tree import lender, without_splits

CRITERIA = [
    splitcrit.decrease(splitcrit.gini),
    splitcrit.decrease(splitcrit.entropy),
    splitcrit.decrease(splitcrit.sqrt_gini),
    splitcrit.decrease(splitcrit.gce(0.7)),
    splitcrit.decrease(splitcrit.ne(0.5)),
    splitcrit.twoing,
    splitcrit.hellinger,
    splitcrit.pairwise_gain,
]


def sample(classes: int, n: int = 400, noise: float = 0.7) -> tuple[Any, Any]:
    """Features without ties, and labels that depend on three of them."""
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    means = X[:, 0] + X[:, 1] * (X[:, 2] > 0) + noise * rng.normal(size=n)
    return X, np.digitize(means, np.quantile(means, np.arange(1, classes) / classes))


def allowed(classes: int) -> list[Criterion]:
    return [criterion for criterion in CRITERIA if criterion.classes in (None, classes)]


def test_what_is_absent_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "splitcrit_sklearn", None)
    said = "need the package in bindings/sklearn; got no module splitcrit_sklearn; pip install ./bindings/sklearn"
    refused(said, sklearn_criterion, "gini", error=ModuleNotFoundError)
    refused("a criterion or an impurity is expected", sklearn_criterion, 3, error=TypeError)


@pytest.fixture
def binding() -> Any:
    return pytest.importorskip("splitcrit_sklearn", reason="bindings/sklearn is not installed (pip install it)")


@pytest.mark.usefixtures("binding")
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_trees_are_those_of_splitcrit(classes: int) -> None:
    """In large leaves, where no two cuts score alike: which of equal cuts is taken is scikit-learn's own rule."""
    X, y = sample(classes, 2000, noise=2)
    size: dict[str, Any] = {"max_depth": 3, "min_samples_leaf": 100}
    for criterion in allowed(classes):
        theirs = DecisionTreeClassifier(criterion=sklearn_criterion(criterion), random_state=0, **size).fit(X, y)
        ours = TreeClassifier(criterion=criterion, min_gain=None, **size).fit(X, y)
        assert np.array_equal(theirs.tree_.feature, ours.tree_.feature), criterion
        assert theirs.tree_.threshold == pytest.approx(ours.tree_.threshold, abs=1e-6)
        assert theirs.tree_.impurity == pytest.approx(ours.tree_.impurity, abs=1e-12)
        assert np.array_equal(theirs.predict_proba(X), ours.predict_proba(X))


@pytest.mark.usefixtures("binding")
@pytest.mark.parametrize("weights", [None, {0: 1.0, 1: 3.5, 2: 0.25}])
def test_each_split_has_the_best_score_of_all_cuts(weights: Any) -> None:
    """Tied values and tied scores too."""
    X, y = sample(3, 120)
    X = X.round(1)
    weight = np.ones(3) if weights is None else np.array([weights[k] for k in range(3)])
    for criterion in allowed(3):
        tree = DecisionTreeClassifier(criterion=sklearn_criterion(criterion), max_depth=3, class_weight=weights)
        paths = tree.fit(X, y).decision_path(X).toarray().astype(bool)

        def score(left: Any, rows: Any, criterion: Criterion = criterion) -> float:
            table = [np.bincount(y[rows & side], minlength=3) * weight for side in (left, ~left)]
            return float(criterion(np.array(table)))

        for node in np.flatnonzero(tree.tree_.feature >= 0):
            rows, f = paths[:, node], tree.tree_.feature[node]
            cuts = [X[:, j] <= c for j in range(4) for c in np.unique(X[rows, j])[:-1]]
            best = max(score(left, rows) for left in cuts)
            assert score(X[:, f] <= tree.tree_.threshold[node], rows) == pytest.approx(best, rel=1e-9, abs=1e-12)


@pytest.mark.usefixtures("binding")
def test_forests_take_it_and_models_are_copied() -> None:
    X, y = sample(2)
    criterion = sklearn_criterion(splitcrit.hellinger)
    forests = [RandomForestClassifier, ExtraTreesClassifier]
    for kind in forests:
        forest = kind(10, criterion=criterion, random_state=0, n_jobs=2, class_weight="balanced").fit(X, y)
        assert np.array_equal(forest.predict_proba(X), clone(forest).fit(X, y).predict_proba(X))
        assert np.array_equal(pickle.loads(pickle.dumps(forest)).predict_proba(X), forest.predict_proba(X))
    own = RandomForestClassifier(10, criterion="gini", random_state=0).fit(X, y)
    ours = RandomForestClassifier(10, criterion=sklearn_criterion("gini"), random_state=0).fit(X, y)
    assert np.array_equal(own.predict_proba(X), ours.predict_proba(X))
    assert own.feature_importances_ == pytest.approx(ours.feature_importances_)
    grid = {"criterion": [sklearn_criterion(each) for each in ("gini", "entropy", splitcrit.hellinger)]}
    search = GridSearchCV(DecisionTreeClassifier(max_depth=3), grid, cv=3, error_score="raise")
    assert search.fit(X, y).best_score_ > 0.6
    assert repr(criterion) == "sklearn_criterion(hellinger)"


@pytest.mark.usefixtures("binding")
def test_one_object_serves_any_number_of_classes_one_class_and_missing_values() -> None:
    criterion = sklearn_criterion("gini")
    for number in (5, 2, 3):
        X, y = sample(number)
        assert DecisionTreeClassifier(criterion=criterion).fit(X, y).score(X, y) == 1
    assert DecisionTreeClassifier(criterion=criterion).fit(X, np.zeros(len(X))).tree_.node_count == 1
    X[::7, 0] = np.nan
    own, ours = (DecisionTreeClassifier(criterion=c, random_state=0).fit(X, y) for c in ("gini", criterion))
    assert np.array_equal(own.tree_.threshold, ours.tree_.threshold)


@pytest.mark.usefixtures("binding")
def test_balanced_forests_of_imbalanced_learn() -> None:
    imblearn = pytest.importorskip("imblearn.ensemble")
    X, y = sample(5)
    forest = imblearn.BalancedRandomForestClassifier(5, criterion=sklearn_criterion("hellinger"), random_state=0)
    assert forest.fit(X, y == 0).score(X, y == 0) > 0.8


@pytest.mark.usefixtures("binding")
def test_what_cannot_be_served_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = sample(2, 60)
    refused("is a formula of class weights; got sgini; take TreeClassifier", sklearn_criterion, splitcrit.sgini)

    def looking(table: Any, m: Any) -> Any:
        return table[0][0] if table[0][0] > 3 else table[1][0]

    with pytest.raises(ValueError, match="is a formula of class weights; got looking; take TreeClassifier"):
        sklearn_criterion(Criterion("looking", looking))
    with pytest.raises(ValueError, match="of one output; got 2; fit one model for each"):
        DecisionTreeClassifier(criterion=sklearn_criterion("gini")).fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="at most 256 classes; got 300"):
        DecisionTreeClassifier(criterion=sklearn_criterion("gini")).fit(np.arange(900)[:, None], np.arange(900) % 300)
    with pytest.raises(ValueError, match="pairwise_gain is defined for tables of 2 classes; got 3"):
        DecisionTreeClassifier(criterion=sklearn_criterion("pairwise_gain")).fit(*sample(3, 60))
    monkeypatch.setattr("sklearn.__version__", "1.10.0")
    with pytest.raises(ImportError, match=r"were tested with scikit-learn 1\.9; got 1\.10\.0, compiled for 1\.9"):
        sklearn_criterion("gini")


# The trees on a simulated scikit-learn 1.10, whose ``Tree`` takes a fourth argument and whose nodes have more
# fields.

BY_NUMBER, LEAF = 1, -1  # kinds of a split; a node of zeros is neither
FIELDS = [(name, NODE_DTYPE[name]) for name in NODE_DTYPE.names or ()]
NODE = np.dtype([*FIELDS, ("left_cat_bitset", np.uint32, (8,)), ("split_kind", np.int8)], align=True)


class Next(Present):  # type: ignore[misc]
    """A tree of 1.10: a node has a set of categories and a kind, a feature its number of categories, -1 of none."""

    def __new__(cls, n_features: int, n_classes: Any, n_outputs: int, n_categories: Any) -> Any:
        assert np.shape(n_categories) == (n_features,) and (np.asarray(n_categories) == -1).all()
        return Present.__new__(cls, n_features, n_classes, n_outputs)

    def __reduce__(self) -> Any:
        _, (features, n_classes, outputs), _ = super().__reduce__()
        return Next, (features, n_classes, outputs, np.full(features, -1)), self.__getstate__()

    def __getstate__(self) -> Any:
        state = super().__getstate__()
        nodes = np.zeros(len(state["nodes"]), NODE)
        for name, _ in FIELDS:
            nodes[name] = state["nodes"][name]
        nodes["split_kind"] = np.where(nodes["left_child"] < 0, LEAF, BY_NUMBER)
        return {**state, "nodes": nodes}

    def __setstate__(self, state: Any) -> None:
        given = state["nodes"]
        assert given.dtype == NODE, "nodes have the fields of 1.10"
        assert_array_equal(given["split_kind"], np.where(given["left_child"] < 0, LEAF, BY_NUMBER))
        assert not given["left_cat_bitset"].any()
        nodes = np.zeros(len(given), NODE_DTYPE)
        for name, _ in FIELDS:
            nodes[name] = given[name]
        super().__setstate__({**state, "nodes": nodes})


def following(n_features: int, n_classes: Any, n_outputs: int) -> Any:
    """What 1.10's own estimators make, which know the categories of their features."""
    return Next(n_features, n_classes, n_outputs, np.full(n_features, -1))


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(classes, "Tree", following)
    lender.cache_clear()
    yield
    lender.cache_clear()


RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
X[::7, 1] = np.nan
Y = (X[:, 0] + np.nan_to_num(X[:, 1]) + RNG.normal(size=300) > 0).astype(int) + (X[:, 2] > 1)
NEW = RNG.normal(size=(50, 4))
MODELS = [
    TreeClassifier(max_depth=5),
    TreeClassifier(ccp_alpha=0.01),
    TreeClassifier(criterion="sgini", categorical_features=[3], max_depth=4),
    TreeRegressor(max_depth=5),
    TreeRegressor(ccp_alpha=0.01),
    ForestClassifier(5, random_state=0),
    ForestRegressor(5, random_state=0, ccp_alpha=0.001),
]


def grown(model: Any) -> Any:
    rows = X.copy()
    rows[:, 3] = np.floor(rows[:, 3])
    return clone(model).fit(rows, Y if hasattr(model, "predict_proba") else rows[:, 2] + Y)


def test_the_simulation_refuses_a_tree_of_three_arguments_and_a_node_of_zeros() -> None:
    with pytest.raises(TypeError):
        Next(2, np.array([2]), 1)  # type: ignore[call-arg]
    tree = following(2, np.array([2], dtype=np.intp), 1)
    state = {"max_depth": 0, "node_count": 1, "nodes": np.zeros(1, NODE), "values": np.zeros((1, 1, 2))}
    with pytest.raises(AssertionError):
        tree.__setstate__(state)
    with pytest.raises(AssertionError):
        tree.__setstate__({**state, "nodes": np.zeros(1, NODE_DTYPE)})


@pytest.mark.usefixtures("next_version")
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_what_the_next_version_grows_and_predicts_is_what_this_one_does(model: Any, monkeypatch: Any) -> None:
    ours = grown(model)
    trees = [each.tree_ for each in getattr(ours, "estimators_", [ours])]
    assert {type(tree) for tree in trees} == {Next} and all(tree.node_count > 1 for tree in trees)
    again = pickle.loads(pickle.dumps(ours))
    shown = [] if hasattr(ours, "estimators_") else [export_text(ours), export_graphviz(ours)]
    monkeypatch.undo()
    lender.cache_clear()
    theirs = grown(model)
    for one in (ours, again):
        assert_array_equal(one.predict(NEW), theirs.predict(NEW))
        assert_array_equal(one.apply(NEW), theirs.apply(NEW))
        assert_allclose(one.feature_importances_, theirs.feature_importances_)
    assert shown == ([] if hasattr(ours, "estimators_") else [export_text(theirs), export_graphviz(theirs)])


@pytest.mark.usefixtures("next_version")
def test_the_next_version_prunes_and_prints_a_grown_tree() -> None:
    tree = grown(TreeClassifier())
    some = [grown(TreeClassifier(ccp_alpha=alpha)) for alpha in (0.0, 0.01, 1.0)]
    leaves = [each.get_n_leaves() for each in some]
    assert leaves[0] > leaves[1] > leaves[2] == 1
    assert len(tree.cost_complexity_pruning_path(np.floor(X), Y).ccp_alphas) > 5
    assert exported(tree, max_depth=99).count("class") == tree.get_n_leaves()


@pytest.mark.usefixtures("next_version")
def test_a_node_of_the_next_version_that_divides_no_more_is_a_leaf() -> None:
    tree = grown(TreeClassifier(max_depth=4))
    divides = tree.tree_.children_left >= 0
    divides[tree.tree_.children_left[0]] = False
    fewer = without_splits(tree, divides)
    assert 1 < fewer.tree_.node_count < tree.tree_.node_count
    assert fewer.tree_.children_left[1] == -1 and fewer.predict(NEW).shape == (50,)
