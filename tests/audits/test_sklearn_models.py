"""Ensembles of scikit-learn as audits see them: rows end where scikit-learn says, and are as many as it counted."""

from typing import Any

import lightgbm
import numpy as np
import pandas
import pytest
import scipy.sparse as sparse
import xgboost
from sklearn import ensemble
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from refusals import refused
from splitcrit import TreeClassifier
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.models import FittedModel
from splitcrit.inference import significant_subtree
from splitcrit.trees.tree_arrays import Structure

RNG = np.random.default_rng(4)
N = 300
X = np.column_stack([RNG.normal(size=N), RNG.integers(0, 9, N), RNG.normal(size=N).round(1), RNG.integers(0, 30, N)])
Y = ((X[:, 0] > 0) ^ (X[:, 1] % 3 == 0) ^ (RNG.random(N) < 0.1)).astype(int)
LABELS: dict[str, Any] = {"two": np.array(["no", "yes"])[Y], "three": Y + (X[:, 2] > 1), "numbers": X[:, 0] + Y}
GAPS = np.where(RNG.random(X.shape) < 0.15, np.nan, X)
NEW = GAPS[::2] + RNG.normal(size=(N // 2, 4)).round() / 2  # categories that are unknown, fractions and negative
NEW[:2, [0, 2]] = np.inf, -np.inf


def whole(model: FittedModel, x: Any) -> None:
    """As many rows reach each node as scikit-learn counted."""
    for tree, ends in zip(model.trees, model.ends(x), strict=True):
        assert tree.rows is not None
        leaf = tree.structure.left < 0
        assert (np.bincount(ends, minlength=len(leaf))[leaf] == tree.rows[leaf]).all()


@pytest.mark.each_value
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("categories", [None, [1, 3], [1]], ids=str)
@pytest.mark.parametrize("kind", LABELS)
def test_rows_end_where_the_trees_of_histograms_predict(kind: str, categories: Any, missing: bool) -> None:
    learner: Any = (
        ensemble.HistGradientBoostingRegressor if kind == "numbers" else ensemble.HistGradientBoostingClassifier
    )
    x, y = GAPS if missing else X, LABELS[kind]
    model = learner(max_iter=4, categorical_features=categories, min_samples_leaf=8).fit(x, y)
    read, trees = read_model(model), [tree for together in model._predictors for tree in together]
    assert any(tree.structure.subsets for tree in read.trees) == (categories is not None)
    known = model._bin_mapper.make_known_categories_bitsets()
    for rows in (x, NEW):
        each = zip(read.ends(rows), trees, strict=True)
        assert all((t.nodes["value"][e] == t.predict(model._preprocess_X(rows, reset=False), *known, 1)).all()
                   for e, t in each)  # fmt: skip
    whole(read, x)
    assert audit(model, x, y, "training").importances.mdi[0] > 0
    refused("training and out-of-bag audits need the rows", audit, model, x[1:], y[1:], "training")


def test_columns_of_a_frame_keep_their_names_and_categories_their_place() -> None:
    words = np.array(list("abcdefghi"))[X[:, 1].astype(int)]
    frame = pandas.DataFrame({"n": X[:, 0], "word": pandas.Categorical(words), "m": X[:, 2]})
    y = np.isin(words, list("aeg")).astype(int)
    report = audit(ensemble.HistGradientBoostingClassifier(max_iter=1).fit(frame, y), frame, y, "training")
    assert report.features == ("n", "word", "m") and report.importances.gain.argmax() == 1
    assert np.isnan(report.splits.threshold[report.splits.feature == 1]).all()
    assert report.splits.feature[report.splits.node == 0].tolist() == [1]


def test_trees_that_stopped_by_rows_apart_were_not_grown_on_all() -> None:
    model = ensemble.HistGradientBoostingClassifier(max_iter=3, early_stopping=True).fit(X, Y)
    assert {tree.rows is None for tree in read_model(model).trees} == {True}
    model = ensemble.HistGradientBoostingClassifier(max_iter=3, early_stopping=True, validation_fraction=None).fit(X, Y)
    whole(read_model(model), X)


def test_another_version_of_histograms_is_refused() -> None:
    model = ensemble.HistGradientBoostingClassifier(max_iter=2).fit(X, Y)
    del model._predictors
    model._is_fitted = True
    model.__class__ = type(
        "Newer", (ensemble.HistGradientBoostingClassifier,), {"__sklearn_is_fitted__": lambda self: True}
    )
    refused(r"keeps trees of histograms as 1\.9 does; got .*_predictors", audit, model, X, Y)


@pytest.mark.each_value
@pytest.mark.parametrize(
    "options",
    [{}, {"max_features": 2}, {"max_samples": 0.5}, {"bootstrap": False}, {"bootstrap": False, "max_samples": 0.5},
     {"bootstrap_features": True, "max_features": 3}],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("base", [None, TreeClassifier(max_depth=3), ExtraTreeClassifier(max_depth=4)], ids=str)
def test_bagged_trees_have_their_columns_and_their_draws(base: Any, options: dict[str, Any]) -> None:
    y = LABELS["two"]
    model = ensemble.BaggingClassifier(base, n_estimators=4, random_state=0, **options).fit(X, y)
    read = read_model(model)
    each = zip(model.estimators_, model.estimators_features_, read.trees, read.ends(X), strict=True)
    for tree, columns, seen, ends in each:
        assert (ends == tree.apply(X[:, columns])).all()
        inner = tree.tree_.children_left >= 0
        assert (seen.structure.feature[inner] == columns[tree.tree_.feature[inner]]).all()
    assert np.isnan(audit(model, X, y, "training").splits.pvalue).all()  # its rows are those that were drawn
    if options == {"bootstrap": False}:
        refused("each tree was grown on all rows", audit, model, X, y, "out-of-bag")
        return
    report = audit(model, X, y, "out-of-bag")
    left = [N - len(np.unique(rows)) for rows in model.estimators_samples_]
    assert report.splits.tables.sum(axis=(1, 2))[report.splits.node == 0].tolist() == left
    refused("training and out-of-bag audits need the rows", audit, model, X[::-1], y[::-1], "out-of-bag")


def test_bagged_regression_and_sparse_rows() -> None:
    y = LABELS["numbers"]
    base = DecisionTreeRegressor(max_depth=3)
    model = ensemble.BaggingRegressor(base, n_estimators=8, max_features=3, random_state=0).fit(X, y)
    report = audit(model, X, y, "out-of-bag")
    assert report.importances.ufi.argmax() == 0 and report.classes is None
    same = audit(model, sparse.csr_matrix(X), y, "out-of-bag")
    assert same.splits.tables.tolist() == report.splits.tables.tolist()


def test_draws_that_are_lost_are_not_made_up() -> None:
    model = ensemble.BaggingClassifier(n_estimators=2, warm_start=True).fit(X, Y)
    model.set_params(n_estimators=4).fit(X, Y)
    refused("only the draws of the last trees are kept; pass rows apart", audit, model, X, Y, "out-of-bag")


@pytest.mark.parametrize("kind", LABELS)
def test_the_trees_of_adaboost(kind: str) -> None:
    y = LABELS[kind]
    model: Any = ensemble.AdaBoostRegressor(DecisionTreeRegressor(max_depth=2), n_estimators=4)
    if kind != "numbers":
        model = ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=4)
    read = read_model(model.fit(X, y))
    assert all((ends == tree.apply(X)).all() for ends, tree in zip(read.ends(X), model.estimators_, strict=True))
    if kind != "numbers":  # a regression draws rows, and keeps no draws
        whole(read, X)
    report = audit(model, X[::2], y[::2])
    assert report.importances.ufi is not None and not any("residuals" in sentence for sentence in report.remarks)
    refused("weighted by the errors of those before it; pass rows apart", audit, model, X, y, "out-of-bag")


LAST: dict[str, Any] = {
    "tree": DecisionTreeClassifier(max_depth=3), "bagged": ensemble.BaggingClassifier(n_estimators=3),
    "forest": ensemble.RandomForestClassifier(3, max_depth=3, random_state=0),
    "histograms": ensemble.HistGradientBoostingClassifier(max_iter=3),
    "xgboost": xgboost.XGBClassifier(n_estimators=3, n_jobs=1),
    "lightgbm": lightgbm.LGBMClassifier(n_estimators=3, verbose=-1, n_jobs=1),
}  # fmt: skip


@pytest.mark.each_value
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", LAST)
def test_the_last_step_of_a_pipeline_is_audited_on_the_columns_that_the_others_make(name: str, sparse: bool) -> None:
    if name == "histograms" and sparse:
        pytest.skip("scikit-learn's histograms take no sparse rows")
    words = np.array(list("abcdefghi"), dtype=object)[X[:, 1].astype(int)]
    rows = np.column_stack([X[:, 0].astype(object), words])
    hot = ColumnTransformer([("hot", OneHotEncoder(sparse_output=sparse), [1]), ("number", StandardScaler(), [0])],
                            sparse_threshold=float(sparse))  # fmt: skip
    model = Pipeline([("columns", hot), ("model", LAST[name])]).fit(rows, Y)
    read, made = read_model(model), model[:-1].transform(rows)
    if name == "lightgbm":
        theirs = model[-1].predict_proba(made, pred_leaf=True)
        theirs = theirs + np.array([(tree.structure.left >= 0).sum() for tree in read.trees])
    elif name in ("histograms", "bagged"):
        theirs = np.transpose(list(read_model(model[-1]).ends(made)))
    else:
        theirs = model[-1].apply(made)
    assert np.array_equal(np.transpose(list(read.ends(rows))), theirs.reshape(N, -1))
    assert read.features == (*(f"hot__x1_{letter}" for letter in "abcdefghi"), "number__x0")
    report = audit(model, rows, Y, "out-of-bag" if name == "forest" else "training")
    assert report.features == read.features
    assert report.importances.splits[9] > 0
    assert audit(model, rows[::3], Y[::3]).splits.tables[0].sum() == N // 3


def test_steps_that_name_no_columns_and_pipelines_of_one_step() -> None:
    model = make_pipeline(FunctionTransformer(np.sqrt), DecisionTreeClassifier(max_depth=2)).fit(abs(X), Y)
    assert audit(model, abs(X), Y, "training").features == ("x0", "x1", "x2", "x3")
    model = make_pipeline("passthrough", make_pipeline(DecisionTreeClassifier(max_depth=2))).fit(X, Y)
    tree = model[-1][-1]
    one, other = (audit(each, X, Y, "held-out").splits.tables.tolist() for each in (model, tree))
    assert one == other


class Halved(StandardScaler):  # type: ignore[misc]
    """A step that fits what follows on other rows, as those of imbalanced-learn do."""

    def fit_resample(self, X: Any, y: Any) -> Any:
        return X[::2], y[::2]


def test_rows_that_a_step_has_drawn_are_not_known() -> None:
    forest = ensemble.RandomForestClassifier(3, random_state=0).fit(X[::2], Y[::2])
    model = Pipeline([("half", Halved().fit(X)), ("forest", forest)])
    refused("a step drew other rows before the model was fitted; pass rows apart", audit, model, X, Y, "out-of-bag")


def test_a_pipeline_reads_files_by_the_names_of_its_columns(tmp_path: Any) -> None:
    frame = pandas.DataFrame({"a": X[:, 0], "word": np.array(list("abcdefghi"))[X[:, 1].astype(int)]})
    rows, y = frame[1::2], LABELS["two"][1::2]  # apart from those that grew the trees
    rows.assign(label=y)[["label", "word", "a"]].to_csv(tmp_path / "rows.csv", index=False)
    hot = ColumnTransformer([("hot", OneHotEncoder(sparse_output=False), ["word"])], remainder="passthrough")
    for name in ("tree", "histograms", "lightgbm"):
        model = make_pipeline(hot, LAST[name]).fit(frame[::2], LABELS["two"][::2])
        report, read = audit(model, rows, y), audit(model, tmp_path / "rows.csv", "label")
        assert report.splits.tables.tolist() == read.splits.tables.tolist() and read.features[-1] == "remainder__a"


# The rows that reach the nodes of a tree are those that scikit-learn says.


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", [TreeClassifier, DecisionTreeRegressor, ensemble.ExtraTreesClassifier])
def test_rows_reach_the_nodes_of_scikit_learns_own_path(kind: type, missing: bool) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(200, 4)).round(1)
    y = (x[:, 0] + rng.normal(size=200) > 0).astype(int)
    if missing:
        x[rng.random(x.shape) < 0.1] = np.nan
    model = kind(random_state=3, max_depth=5).fit(x, y)
    for tree in getattr(model, "estimators_", [model]):
        path = tree.decision_path(x).toarray().astype(bool)
        found = Structure.of(tree).rows(x)
        assert [rows.tolist() for rows in found] == [np.flatnonzero(column).tolist() for column in path.T]


def test_what_has_no_nodes_is_refused() -> None:
    refused("pass a fitted tree", Structure.of, object(), error=TypeError)


class OfCategories:
    """A tree of scikit-learn 1.10, whose constructor takes the number of categories of each column, -1 of numbers."""

    def __init__(self, tree: Any, categories: list[int]) -> None:
        self.tree, self.categories = tree, np.array(categories)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tree, name)

    def __setstate__(self, state: Any) -> None:
        raise AssertionError("nobody sets the state of this tree")

    def __reduce__(self) -> Any:
        make, arguments, state = self.tree.__reduce__()
        return make, (*arguments, self.categories), state


@pytest.mark.parametrize(("categories", "divides"), [([-1, -1, -1], False), ([-1, -1, 4], False), ([4, -1, -1], True)])
def test_trees_that_divide_by_categories_are_audited_and_not_tested(categories: list[int], divides: bool) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (200, 3)), rng.integers(0, 2, 200)
    x[:, 2] = 1  # splits nothing, whatever it is
    forest, tree = ensemble.RandomForestClassifier(2, max_features=None, random_state=0), DecisionTreeClassifier()
    for model in (forest.fit(x, y), tree.fit(x, y)):
        known = audit(model, x, y, "held-out").splits
        for each in getattr(model, "estimators_", [model]):
            each.tree_ = OfCategories(each.tree_, categories)
        splits = audit(model, x, y, "held-out").splits
        assert splits.tables.tolist() == known.tables.tolist() and splits.feature.max() < 2
        assert np.isnan(splits.threshold[splits.feature == 0]).all() == divides
    if not divides:
        assert Structure.of(tree).left[0] == 1
    else:
        said = "a tree that is read divides by numbers; got categories, as trees of scikit-learn 1.10 may have; fit it"
        refused(said, significant_subtree, tree, x, y, error=TypeError)
