"""Estimators take sparse features in any format, and learn and predict what they do from the same features, dense."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import splitcrit as sc
from refusals import refused
from splitcrit import AdaptiveTreeClassifier, ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
from splitcrit.losses import ResponseLoss, square
from splitcrit.trees.growth.training import Sparse

FORMATS = ["csr_array", "csc_array", "coo_array", "csr_matrix", "csc_matrix", "lil_array", "dok_array", "bsr_array"]
TREES: dict[str, Any] = {
    "gini": TreeClassifier(),
    "sgini": TreeClassifier(criterion="sgini", max_depth=3),
    "drawn": TreeClassifier(max_features="sqrt", random_state=3, min_samples_leaf=2),
    "weights by class": TreeClassifier(class_weight="balanced", ccp_alpha=0.01),
    "by a loss": TreeClassifier(criterion=sc.Criterion.from_loss(square), max_depth=5),
    "leaves": TreeClassifier(criterion="entropy", max_leaf_nodes=5),
    "random": TreeClassifier(splitter="random", random_state=0),
    "adaptive": AdaptiveTreeClassifier(grid=(0.0, 0.5), random_state=0),
    "responses": TreeRegressor(max_depth=4),
    "counts": TreeRegressor(criterion="poisson", min_samples_leaf=2),
    "forest": ForestClassifier(25, random_state=0, oob_score=True),
    "votes": ForestClassifier(4, random_state=0, voting="hard", bootstrap=False, n_jobs=2),
    "forest, weights by class": ForestClassifier(5, class_weight="balanced", random_state=0),
    "adaptive forest": sc.AdaptiveForestClassifier(3, grid=(0.0, 0.5), random_state=0),
    "forest of responses": ForestRegressor(4, max_features=0.5, random_state=0),
    "forest of counts": ForestRegressor(4, criterion="poisson", max_features=0.5, random_state=0),
}


MINE = ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y))


def data(n: int = 90, d: int = 12) -> tuple[Any, Any]:
    rng = np.random.default_rng(n)
    x = np.where(rng.random((n, d)) < 0.3, np.round(rng.normal(size=(n, d)), 1), 0.0)
    return x, (x[:, 0] + x[:, 1] + rng.normal(size=n) / 2 > 0).astype(int)


def same(one: Any, other: Any) -> None:
    """Two trees, or forests, have equal nodes."""
    for ours, theirs in zip(getattr(one, "estimators_", [one]), getattr(other, "estimators_", [other]), strict=True):
        assert np.array_equal(ours.tree_.__getstate__()["nodes"], theirs.tree_.__getstate__()["nodes"])
        assert np.array_equal(ours.tree_.value, theirs.tree_.value)


@pytest.mark.parametrize("name", TREES)
def test_an_estimator_learns_and_predicts_as_from_dense_features(name: str) -> None:
    x, y = data()
    estimator, given = TREES[name], sparse.csr_array(x)
    dense = type(estimator)(**estimator.get_params(deep=False)).fit(x, y)
    fitted = type(estimator)(**estimator.get_params(deep=False)).fit(given, y)
    same(fitted, dense)
    for method in ("predict", "predict_proba", "apply", "score"):
        if hasattr(dense, method):
            more = (y,) if method == "score" else ()
            assert np.array_equal(getattr(fitted, method)(given, *more), getattr(dense, method)(x, *more))
    paths = [each.decision_path(part) for each, part in ((fitted, given), (dense, x))]
    together = [path[0] if isinstance(path, tuple) else path for path in paths]
    assert np.array_equal(together[0].toarray(), together[1].toarray())
    assert fitted.__sklearn_tags__().input_tags.sparse


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", FORMATS)
def test_any_format_will_do_and_stays_as_it_is(kind: str, weighted: bool) -> None:
    x, y = data(60, 5)
    weights = np.random.default_rng(1).choice([0.0, 0.25, 1.5], 60) if weighted else None
    given = getattr(sparse, kind)(x)
    before = given.copy()
    tree = TreeClassifier().fit(given, y, weights)
    same(tree, TreeClassifier().fit(x, y, weights))
    assert np.array_equal(tree.predict(given), tree.predict(x))
    assert (abs(given - before)).nnz == 0 and given.nnz == before.nnz


@pytest.mark.parametrize("estimator", [
    ForestClassifier(4, random_state=0), ForestClassifier(4, random_state=0, bootstrap=False, class_weight="balanced"),
    ForestRegressor(4, random_state=0), ForestRegressor(4, random_state=0, criterion="poisson", max_features=2),
])  # fmt: skip
def test_the_trees_of_a_forest_share_cells(estimator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = data(60, 5)
    weights, made, of = np.random.default_rng(1).choice([0.0, 0.25, 1.5], 60), [], Sparse.of
    monkeypatch.setattr(Sparse, "of", staticmethod(lambda given: made.append(type(given)) or of(given)))
    estimator.fit(sparse.csr_array(x), y, weights)
    assert [kind for kind in made if kind is not Sparse] == [sparse.csr_array]
    same(estimator, type(estimator)(**estimator.get_params(deep=False)).fit(x, y, weights))


def untidy() -> Any:
    """Cells out of order, twice, and of value 0, with wide indices."""
    values, columns, starts = [1.5, 0.0, 2.0, 1.0, -1.0, 1.0], [1, 0, 1, 2, 0, 0], [0, 3, 4, 6, 6]
    return sparse.csr_array((np.array(values), np.array(columns, np.int64), np.array(starts, np.int64)), shape=(4, 3))


def test_untidy_cells_are_read_as_the_dense_features_that_they_mean() -> None:
    given, y = untidy(), np.array([0, 0, 1, 1])
    kept = [part.copy() for part in (given.data, given.indices, given.indptr)]
    assert given.toarray().tolist() == [[0, 3.5, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]
    for estimator in (TreeClassifier(min_gain=None), ForestClassifier(3, random_state=0), TreeRegressor()):
        dense = type(estimator)(**estimator.get_params(deep=False)).fit(given.toarray(), y)
        same(estimator.fit(given, y), dense)
        assert np.array_equal(estimator.predict(given), dense.predict(given.toarray()))
    for part, before in zip((given.data, given.indices, given.indptr), kept, strict=True):
        assert np.array_equal(part, before)


def with_cell(value: Any) -> Any:
    x, _ = data(6, 3)
    x = x.astype(np.result_type(np.float64, type(value)))
    x[2, 1] = value
    return sparse.csr_array(x)


REFUSED = {
    "nan": (with_cell(np.nan), r"sparse features are finite in float64; got NaN .* at row 2, column 1; drop"),
    "inf": (with_cell(-np.inf), "finite in float64; got -inf at row 2, column 1"),
    "complex": (with_cell(1j), "features are real numbers; got dtype complex128"),
    "no rows": (sparse.csr_array((0, 3)), "minimum of 1 is required"),
    "one dimension": (
        sparse.coo_array([1.0, 0, 2]),
        r"a table of rows and columns; got 1 axis; Reshape your data: numpy.reshape\(X, \(-1, 1\)\) is one feature",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("estimator", [TreeClassifier(), TreeRegressor(), ForestClassifier(2), ForestRegressor(2)])
def test_bad_features_are_refused_in_a_sentence(case: str, estimator: Any) -> None:
    given, said = REFUSED[case]
    refused(said, estimator.fit, given, np.arange(given.shape[0]) % 2)


def test_what_sparse_features_do_not_allow_is_refused_in_a_sentence() -> None:
    x, y = data(30, 4)
    given = sparse.csr_array(x)
    for estimator, said in (
        (TreeClassifier(criterion="calibrated"), "all splits of dense features in memory; got sparse features"),
        (TreeClassifier(categorical_features=[0]), "features are dense; got a sparse csr_array"),
        (TreeRegressor(categorical_features=[0]), "features are dense; got a sparse csr_array"),
        (ForestClassifier(2, categorical_features=[0]), "features are dense; got a sparse csr_array"),
        (AdaptiveTreeClassifier(categorical_features=[0]), "features are dense; got a sparse csr_array"),
        (TreeRegressor(criterion=MINE), "searched in dense features; got sparse features; pass X.toarray"),
        (ForestRegressor(2, criterion=MINE), "searched in dense features; got sparse features; pass X.toarray"),
    ):
        refused(said, estimator.fit, given, y, error=(ValueError, TypeError))
    tree = TreeClassifier().fit(given, y)
    refused("3 features", tree.predict, given[:, :3])
    refused("y is dense; got a sparse", tree.fit, given, sparse.csr_array(y[:, None]), error=TypeError)


@pytest.mark.parametrize("estimator", [TreeClassifier(max_depth=3, criterion="sgini"), TreeRegressor(max_depth=3)])
def test_memory_grows_with_the_cells_not_with_the_table(estimator: Any) -> None:
    n = d = 100_000
    rng, size = np.random.default_rng(0), 200_000
    cells = (np.ones(size, np.float32), (rng.integers(0, n, size), rng.integers(0, d, size)))
    x, y = sparse.csr_array(sparse.coo_array(cells, shape=(n, d))), rng.integers(0, 2, n)
    estimator.fit(x[:1000], y[:1000])
    tracemalloc.start()
    estimator.fit(x, y).predict(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 120 * (x.nnz + n + d), "a dense table would take 40,000 MB"
