"""Trees of partitions that split by categories: node for node the tree in memory, wherever categories lie."""

from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from parts import few, same
from splitcrit import ForestClassifier, TreeClassifier, TreeRegressor
from splitcrit.trees import DaskForestClassifier, DaskTreeClassifier, DaskTreeRegressor

pytestmark = pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")
NAMED = {"categorical_features": ["a", "b"]}


def problem(seed: int, classes: int | None, n: int = 180) -> tuple[pd.DataFrame, Any]:
    """Words and numbers with missing values, whole numbers as categories, and labels or responses."""
    rng = np.random.default_rng(seed)
    a, b, z = rng.integers(0, 9, n), rng.integers(0, 4, n), rng.integers(0, 12, n) / 4
    y = (a % 3) + (b % 2) + z / 2 + rng.normal(size=n)
    frame = pd.DataFrame({"a": [f"w{code}" for code in a], "z": z, "b": b})
    frame.loc[rng.random(n) < 0.1, "a"] = None
    frame.loc[rng.random(n) < 0.1, "z"] = np.nan
    if classes is None:
        return frame, np.round(4 * y) / 4
    return frame, np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))


def parted(frame: Any, *columns: Any, parts: int = 3) -> list[Any]:
    return [dd.from_pandas(part, npartitions=parts) for part in (frame, *map(pd.Series, columns))]


def is_same(mine: Any, local: Any) -> bool:
    """Whether two trees have the same nodes, subsets and categories; responses may be rounded."""
    rounded = () if hasattr(mine, "classes_") else ("impurity", "value")
    return same(mine, local, rounded) and mine.categories_ == local.categories_


def agree(mine: Any, local: Any, frame: Any, y: Any, *weights: Any) -> None:
    mine.set_params(**NAMED).fit(*parted(frame, y, *weights))
    local.set_params(**NAMED).fit(frame, y, *weights)
    assert is_same(mine, local) and len(local.splits_) > 1
    other = pd.DataFrame({"a": ["w1", "new", None, "w8"], "z": [1.0, 0.5, np.nan, 2.0], "b": [0, 9, 3, 1]})
    assert np.array_equal(mine.predict(parted(other, parts=2)[0]).compute(), mine.to_local().predict(other))
    assert np.allclose(mine.predict(other), local.predict(other), rtol=1e-12)


OPTIONS: dict[int | None, list[dict[str, Any]]] = {
    None: [{}, {"min_samples_leaf": 6}, {"min_samples_leaf": 6, "max_exact_categories": 3}],
    3: [
        {}, {"min_samples_leaf": 6}, {"max_exact_categories": 4}, {"max_features": 2, "random_state": 1},
        {"max_features": 2, "random_state": 1, "draw": "varying", "min_samples_leaf": 6}, {"max_leaf_nodes": 9},
    ],
}  # fmt: skip
OPTIONS[2] = [{"criterion": "sgini", **options} for options in OPTIONS[3]]


@pytest.mark.each_value
@pytest.mark.parametrize("rows", [0, 30, 1000])
@pytest.mark.parametrize("classes", OPTIONS)
def test_trees_are_those_in_memory(classes: int | None, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of classes and responses; those of three classes and of responses with weights too."""
    few(monkeypatch, rows)
    kinds: Any = (DaskTreeRegressor, TreeRegressor) if classes is None else (DaskTreeClassifier, TreeClassifier)
    for seed, options in enumerate(OPTIONS[classes]):
        agree(*(kind(**options) for kind in kinds), *problem(seed, classes))
    for seed, options in enumerate(({}, {"min_weight_fraction_leaf": 0.03}) if classes != 2 else ()):
        weights = np.random.default_rng(seed).choice([0.0, 0.5, 3.0], 180)
        agree(*(kind(**options) for kind in kinds), *problem(seed, classes), weights)


def test_workers_do_not_matter(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 60)
    agree(DaskTreeClassifier(), TreeClassifier(), *problem(1, 2))
    agree(DaskTreeRegressor(), TreeRegressor(), *problem(1, None))
    frame, y = problem(2, 2)
    x, labels = parted(frame, y)
    model = DaskTreeClassifier(categorical_features="from_dtype", max_depth=3).fit(x, labels)
    assert model.score(x, labels) == model.to_local().score(frame, y)


def test_forests_predict_where_categories_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forest of one tree on all rows is the tree, and trees do not depend on who finishes them."""
    frame, y = problem(3, 3)
    x, labels = parted(frame, y)
    options = {**NAMED, "random_state": 0, "max_features": None}
    whole = DaskForestClassifier(1, bootstrap=False, **options).fit(x, labels)
    local = ForestClassifier(1, bootstrap=False, **options).fit(frame, y)
    assert np.array_equal(whole.predict_proba(x).compute(), local.predict_proba(frame))
    assert whole.estimators_[0]._subsets.tobytes() == local.estimators_[0]._subsets.tobytes()
    forests = []
    for rows in (0, 1000):
        few(monkeypatch, rows)
        forests.append(DaskForestClassifier(2, **NAMED, random_state=0).fit(x, labels))
    assert all(same(*pair) for pair in zip(*(forest.estimators_ for forest in forests), strict=True))
    assert forests[0].score(x, labels) == forests[1].to_local().score(frame, y) > 0.5


def test_categories_of_differing_dtypes_are_united() -> None:
    """Partitions that declare other categories have all of them, sorted; an order that all declare stays."""
    frame, y = problem(4, 2)
    pieces = [frame.iloc[i : i + 60] for i in (0, 60, 120)]
    pieces[1] = pieces[1][pieces[1]["a"] != "w3"]
    for at, piece in enumerate(pieces):
        declared = sorted(set(piece["a"].dropna()), reverse=True)
        pieces[at] = piece.astype({"a": pd.CategoricalDtype(declared)})
    pieces.append(frame.iloc[:0])
    whole = pd.concat([piece.astype({"a": object}) for piece in pieces])
    x = dd.from_delayed([dask.delayed(piece) for piece in pieces], meta=pieces[0].iloc[:0], verify_meta=False)
    labels = dd.from_delayed([dask.delayed(pd.Series(y[p.index], p.index)) for p in pieces])
    options = {"categorical_features": "from_dtype"}
    assert is_same(DaskTreeClassifier(**options).fit(x, labels), TreeClassifier(**options).fit(whole, y[whole.index]))
    declared = pd.CategoricalDtype(["w8", "unseen", *(f"w{i}" for i in range(8))])
    ordered = frame.astype({"a": declared})
    mine, local = DaskTreeClassifier(**options), TreeClassifier(**options).fit(ordered, y)
    assert is_same(mine.fit(*parted(ordered, y)), local) and mine.categories_[0][0] == "w8"
    assert "unseen" not in mine.categories_[0]


def test_categories_have_bins_of_their_own() -> None:
    frame, y = problem(8, 3)
    words = frame[["a", "b"]]
    both = DaskTreeClassifier(max_bins=2, **NAMED).fit(*parted(words, y)), TreeClassifier(**NAMED).fit(words, y)
    assert is_same(*both) and len(both[0].splits_[0].left + both[0].splits_[0].right) > 3


def test_arrays_of_words_and_codes() -> None:
    frame, y = problem(5, 2)
    codes = frame[["b", "z"]].to_numpy()
    words = frame[["a", "z"]].to_numpy(dtype=object)
    for values in (codes, words):
        x, labels = da.from_array(values, chunks=(70, 2)), da.from_array(y, chunks=70)
        options = {"categorical_features": [0]}
        mine = DaskTreeClassifier(**options).fit(x, labels)
        assert is_same(mine, TreeClassifier(**options).fit(values, y))
        assert mine.predict(x).compute().tolist() == mine.predict(values).tolist()
    again = clone(mine).set_params(categorical_features=None).fit(da.from_array(codes, chunks=(70, 2)), labels)
    assert again.categories_ is None and mine.categories_ is not None


def test_what_is_refused() -> None:
    frame, y = problem(6, 2)
    x, labels = parted(frame, y)
    with pytest.raises(ValueError, match="in column 'a'; name it in categorical_features"):
        DaskTreeClassifier().fit(x, labels)
    with pytest.raises(ValueError, match="mask, positions or names of features; got 'c'"):
        DaskTreeClassifier(categorical_features=["c"]).fit(x, labels)
    with pytest.raises(ValueError, match="dense features in memory; got a Dask collection"):
        DaskTreeClassifier(criterion="calibrated", **NAMED).fit(x, labels)
    fitted = DaskTreeClassifier(**NAMED).fit(x, labels)
    with pytest.raises(TypeError, match="categories of column 'a' are words, as in fit; got numbers"):
        fitted.predict(dd.from_pandas(frame.assign(a=1), npartitions=2)).compute()


def test_a_category_that_was_not_there_before_is_no_category() -> None:
    frame, y = problem(7, 2)
    reads = iter(range(100))

    def read() -> pd.DataFrame:
        return frame if next(reads) == 0 else frame.assign(b=frame["b"] + 1)

    x = dd.from_delayed([dask.delayed(read, pure=False)()], meta=frame.iloc[:0], verify_meta=False)
    labels = dd.from_pandas(pd.Series(y), npartitions=1)
    with pytest.raises(RuntimeError, match="got categories that were not there before"):
        DaskTreeClassifier(categorical_features=["a", "b"]).fit(x, labels)


def test_a_partition_without_a_value_makes_no_category_of_numbers() -> None:
    frame = pd.DataFrame({"a": np.array([1, 2, 3, 4, 5, 6, None, None], dtype=object), "b": 0.0})
    y = pd.Series([0, 0, 0, 1, 1, 1, 0, 1])
    with dask.config.set({"dataframe.convert-string": False}):
        x, labels = (dd.from_pandas(each, npartitions=1).repartition(divisions=[0, 6, 7]) for each in (frame, y))
    trees = [kind(categorical_features="from_dtype") for kind in (DaskTreeClassifier, TreeClassifier)]
    assert same(trees[0].fit(x, labels), trees[1].fit(frame, y)) and trees[0].categories_ is None


def test_dates_that_are_missing_are_no_labels() -> None:
    x, y = np.arange(4.0)[:, None], np.array(["2024-01-01", "NaT", "2024-01-02", "2024-01-01"], dtype="M8[D]")
    with pytest.raises(ValueError, match="every row needs a label"):
        DaskTreeClassifier().fit(da.from_array(x, chunks=2), da.from_array(y, chunks=2))
