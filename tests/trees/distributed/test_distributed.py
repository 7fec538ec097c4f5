"""Trees of partitions: node for node the tree in memory, for every criterion; lost workers; cancelled fits; errors."""

import itertools
import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import distributed
import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from growing import BY_FORMULA, COUNTS_ONLY, WITH_FORM, difference
from parts import few, parted, problem, same
from refusals import refused
from splitcrit import Criterion, ForestClassifier, TreeClassifier, TreeRegressor, gini, losses
from splitcrit.criteria import as_criterion
from splitcrit.trees import DaskForestClassifier, DaskTreeClassifier, DaskTreeRegressor
from splitcrit.trees.distributed import histogram_source as growth
from splitcrit.trees.distributed.histograms import Binned, merged
from splitcrit.trees.distributed.sketch import Bins, Sketch
from splitcrit.trees.distributed.split_rules import ClassHistogramRule
from splitcrit.trees.distributed.sums import ClassSums
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from tiers import fewer

# Dask 2025.1 asks whether a scheduler of this machine is meant while a client is open; it is.
pytestmark = pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")

FEW = 9
CRITERIA = [*WITH_FORM, *BY_FORMULA]
ROUNDED = ("impurity", "value")  # of trees of responses


@pytest.fixture(scope="module")
def processes() -> Iterator[distributed.Client]:
    """A cluster of two workers in processes of their own, which are started again when they die."""
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        distributed.utils.get_mp_context().set_forkserver_preload(["distributed", "splitcrit.trees.distributed"])
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as started,
            distributed.Client(started) as client,
        ):
            yield client


def apart(x: Any, codes: Any, classes: int, weights: Any, parts: int = 3) -> growth.Spread:
    """A training set in partitions, with a bin for each value."""
    room, numbers, ends = 8 * len(x), np.arange(len(x)), np.linspace(0, len(x), parts + 1).astype(int)
    pieces = [slice(a, b) for a, b in itertools.pairwise(ends)]
    sketches = [[Sketch.of(x[s, f], room) for s in pieces] for f in range(x.shape[1])]
    bins = Bins.of([Sketch.merged(each, room) for each in sketches], len(x))
    of = [None if weights is None else weights[s] for s in pieces]
    binned = [Binned(bins.codes(x[s]), codes[s], w, numbers[s]) for s, w in zip(pieces, of, strict=True)]
    held = [dask.delayed(part, traverse=False) for part in binned]
    return growth.Spread([held[:1], held[1:]], bins, np.bincount(codes, weights, classes).astype(float), len(x))


def grown_apart(spread: growth.Spread, criterion: Criterion, growing: GrowthOptions, weighted: bool = False) -> Any:
    """The tree of a training set in partitions."""
    sums = ClassSums(len(spread.totals), weighted)
    return growth.grow_apart(spread, ClassHistogramRule(criterion, growing.stopping, sums), growing)


# The tree in memory.


@fewer()
@given(
    st.sampled_from(CRITERIA), st.integers(0, 2**32), st.sampled_from([None, 1, 2]), st.booleans(),
    st.booleans(), st.sampled_from([Stopping(), Stopping(3, 4, 3, 2.5), Stopping(min_gain=None)]),
)  # fmt: skip
def test_partitions_grow_the_tree_of_the_whole(criterion, seed, drawn, missing, weighted, stopping):
    rng = np.random.default_rng(seed)
    n, d, classes = int(rng.integers(2, 40)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
    x = rng.integers(0, 12, (n, d)).astype(np.float32) * np.float32(rng.choice([1.0, 1e-44, 1e30])) - 3
    codes = rng.integers(0, classes, n)
    if missing:
        x[rng.random(x.shape) < 0.2] = np.nan
    weights = rng.choice([1.0, 2.0, 3.0] if criterion in COUNTS_ONLY else [0.5, 1.0, 3.0], n) if weighted else None
    draw = ("all", "varying")[seed % 2]
    options = {"max_features": drawn if drawn is not None and drawn < d else None, "draw": draw, "seed": seed}
    reference = grow(Training(x, codes, classes, weights), criterion, GrowthOptions(stopping, **options))
    with pytest.MonkeyPatch.context() as patch:
        if seed % 2:
            patch.setattr(growth, "CELLS", 300)  # a few nodes at a time
        patch.setattr(growth, "few", lambda rows, features: (0, 6, 100)[seed % 3])
        found = grown_apart(apart(x, codes, classes, weights), criterion, GrowthOptions(stopping, **options), weighted)
    assert difference(reference, found) == ""


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_no_more_histograms_travel_together_than_the_limit(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    rng = np.random.default_rng(0)
    x, codes = rng.integers(0, 12, (60, 2)).astype(np.float32), rng.integers(0, 2, 60)
    spread = apart(x, codes, 2, None)
    cells = int(spread.bins.starts[-1]) * 2  # bins times the classes
    monkeypatch.setattr(growth, "CELLS", nodes * cells)
    monkeypatch.setattr(growth, "few", lambda rows, features: 0)
    source, together = growth.HistogramSource, []
    travelling = source._travelling
    monkeypatch.setattr(source, "_travelling", lambda s, asked: together.append(len(asked)) or travelling(s, asked))
    grown_apart(spread, as_criterion(gini), GrowthOptions(Stopping()))
    assert max(together) == nodes


OF_TREES: list[dict[str, Any]] = [
    {"max_depth": 3, "min_samples_split": 12, "min_samples_leaf": 5},
    {"max_leaf_nodes": 6},
    {"min_impurity_decrease": 0.01},
    {"ccp_alpha": 0.005},
    {"max_features": 2, "random_state": 7},
    {"max_features": 3, "random_state": 7, "draw": "varying"},
]
OF_CLASSES: list[dict[str, Any]] = [
    *OF_TREES,
    {"min_samples_leaf": 0.05, "min_samples_split": 0.2, "min_weight_fraction_leaf": 0.04, "criterion": "entropy"},
    {"class_weight": "balanced"},
    {"class_weight": {0: 2.0, 1: 0.0}, "criterion": "twoing"},
    {"criterion": "sgini"},
    {"criterion": Criterion.from_loss(losses.square), "min_gain": 0.02},
]
OF_RESPONSES: list[dict[str, Any]] = [
    *OF_TREES,
    {"min_samples_leaf": 0.05, "min_weight_fraction_leaf": 0.06},
    {"min_gain": 0.3},
    {"min_gain": None, "max_depth": 6},
]


@pytest.mark.each_value
@pytest.mark.parametrize("parameters", OF_CLASSES, ids=str)
@pytest.mark.parametrize("missing", [False, True])
def test_parameters_mean_what_they_mean_in_memory(parameters: dict[str, Any], missing: bool) -> None:
    x, y = problem(missing=missing)  # of 25 values, which have as many bins
    mine = DaskTreeClassifier(max_bins=25, **parameters).fit(*parted(x, y))
    local = TreeClassifier(**parameters).fit(x, y)
    assert same(mine, local) and local.tree_.node_count > 1
    assert mine.max_features_ == local.max_features_


def drawn(seed: int, n: int = 160, weights: Any = None, step: float = 0.25) -> list[Any]:
    """Features with ties and missing values, responses in steps, and weights if they are to be drawn from some."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 12, (n, 3)).astype(np.float32) / 2 - 1
    y = np.round((x[:, 0] + x[:, 1] ** 2 + rng.normal(size=n)) / step) * step
    x[rng.random(x.shape) < 0.15] = np.nan
    return [x, y] if weights is None else [x, y, rng.choice(weights, n)]


@pytest.mark.each_value
@pytest.mark.parametrize("parameters", OF_RESPONSES, ids=str)
@pytest.mark.parametrize("weights", [None, [0.1, 0.7, 0.0]], ids=str)
def test_parameters_mean_the_same_for_responses(parameters: dict[str, Any], weights: Any) -> None:
    given = drawn(3, weights=weights)
    mine, local = DaskTreeRegressor(max_bins=160, **parameters).fit(*parted(*given)), TreeRegressor(**parameters)
    assert same(mine, local.fit(*given), ROUNDED) and local.tree_.node_count > 3
    assert mine.score(*parted(*given)) == pytest.approx(local.score(*given), rel=1e-12)
    assert np.array_equal(mine.predict(parted(given[0])[0]).compute(), mine.predict(given[0]))


def test_a_tree_that_one_worker_grows_is_the_tree_in_memory_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where responses are equal, sums depend on the order of rows in their last bit."""
    few(monkeypatch, 200)
    x, y = drawn(4)
    for weights in ([], [np.random.default_rng(4).random(len(x))]):
        given = [x, y / 10, *weights]
        local = TreeRegressor().fit(*given)
        for rows in (13, 160):
            assert same(DaskTreeRegressor(max_bins=160).fit(*parted(*given, rows=rows)), local)


def test_small_differences_far_from_the_middle_are_told_apart() -> None:
    """Sums of floats would lose them: they are 10^-12 of the responses, and one response is as large the other way."""
    x = np.arange(400, dtype=np.float32)[:, None]
    y = np.where(np.arange(400) < 399, 1e6 + np.round(np.sin(np.arange(400) / 40) * 1e2) * 2.0**-33, -1e6)
    mine, local = DaskTreeRegressor(max_bins=400).fit(*parted(x, y)), TreeRegressor().fit(x, y)
    assert same(mine, local, ROUNDED) and local.tree_.node_count > 100


def test_nodes_of_equal_responses_are_leaves_whatever_the_weights() -> None:
    given = drawn(6, weights=[0.1, 0.7, 1 / 3], step=4.1)
    mine = DaskTreeRegressor(min_gain=None, max_bins=160).fit(*parted(*given))
    assert same(mine, TreeRegressor(min_gain=None).fit(*given), ROUNDED)


def test_another_unit_of_weights_changes_no_tree() -> None:
    x, y, weights = drawn(6, weights=[1.0, 2.0, 3.0])
    tree = DaskTreeRegressor(max_depth=3).fit(*parted(x, y, weights)).tree_
    for unit in (2.0**-1000, 2.0**-600, 2.0**600, 2.0**1000):
        other = DaskTreeRegressor(max_depth=3).fit(*parted(x, y, weights * unit)).tree_
        np.testing.assert_array_equal(tree.threshold, other.threshold)
        np.testing.assert_array_equal(tree.value, other.value)


def test_columns_may_be_parted_too() -> None:
    x, y = problem(missing=True)
    columns = da.from_array(x, chunks=(50, 3)), da.from_array(y[:, None], chunks=(80, 1))
    with dask.config.set(scheduler="threads"):
        assert same(DaskTreeClassifier(max_bins=200).fit(*columns), TreeClassifier().fit(x, y))


# Bins.


@pytest.mark.parametrize("kind", ["normal", "ties", "zeros"])
@pytest.mark.parametrize("parts", [1, 3, 40])
def test_bins_hold_about_as_many_rows_each(kind: str, parts: int) -> None:
    rng = np.random.default_rng(3)
    n, most = 20_000, 32
    column = rng.normal(size=n).astype(np.float32)
    if kind == "ties":
        column = np.round(column, 1)
    if kind == "zeros":
        column[rng.random(n) < 0.9] = 0
    room = 8 * most
    sketches: Any = [Sketch.of(part, room) for part in np.array_split(column, parts)]
    sketch = merged(sketches, Sketch.merged, room)
    sketch = sketch.compute() if dask.is_dask_collection(sketch) else sketch
    bins = Bins.of([sketch], most)
    assert sketch.counts.sum() == n and len(sketch.values) <= room
    codes = bins.codes(column[:, None])[0]
    assert most / 2 <= bins.counts[0] <= most and codes.max() < bins.counts[0]
    heaviest = np.unique(column, return_counts=True)[1].max()
    share = (n - heaviest) / (most - 1) if kind == "zeros" else n / most
    rounds = 1 + np.ceil(np.log(parts) / np.log(8))
    for code, rows in zip(*np.unique(codes, return_counts=True), strict=True):
        inside = np.unique(column[codes == code], return_counts=True)[1]
        assert rows - inside.max() <= share + 2 * rounds * n / room + 1


# The interface.


def test_the_interface_of_scikit_learn(cluster: distributed.Client) -> None:
    x, y = problem()
    names = np.array(["low", "middle", "high"], dtype=object)[y]
    model = DaskTreeClassifier(max_bins=len(x), max_depth=3)
    assert clone(model).get_params() == model.get_params()
    assert repr(clone(model)) == repr(model)
    xs, ys = parted(x, names)
    local = TreeClassifier(max_depth=3).fit(x, names)
    assert same(model.fit(xs, ys), local)
    found = model.to_local()
    assert type(found) is TreeClassifier and found.get_params() == local.get_params() and same(found, local)
    for method in ("predict", "predict_proba", "apply"):
        expected = getattr(local, method)(x)
        lazy = getattr(model, method)(xs)
        assert dask.is_dask_collection(lazy) and lazy.chunks[0] == xs.chunks[0] and lazy.shape == expected.shape
        assert np.array_equal(lazy.compute(), expected) and lazy.dtype == expected.dtype
        assert np.array_equal(getattr(model, method)(x), expected)
    assert model.score(xs, ys) == local.score(x, names) == model.score(x, names)
    assert np.array_equal(model.feature_importances_, local.feature_importances_)


@pytest.mark.parametrize("kind", ["float64", "nullable", "text labels"])
def test_data_frames(kind: str) -> None:
    x, y = problem(missing=kind != "text labels")
    frame = pd.DataFrame(x.astype(float), columns=list("abcd"))
    labels = pd.Series(y, name="y")
    if kind == "nullable":
        frame = frame.astype("Float64")
    if kind == "text labels":
        labels = labels.map({0: "no", 1: "perhaps", 2: "yes"})
    local = TreeClassifier().fit(frame.astype(float), np.asarray(labels))
    frames = dd.from_pandas(frame, npartitions=4), dd.from_pandas(labels, npartitions=4)
    mine = DaskTreeClassifier(max_bins=len(x)).fit(*frames)
    assert same(mine, local) and list(mine.feature_names_in_) == list("abcd")
    if kind != "nullable":
        assert np.array_equal(mine.predict(frames[0]).compute(), local.predict(frame))
        assert mine.score(*frames) == local.score(frame, np.asarray(labels))
    if kind == "float64":
        arrays = [frame.to_dask_array() for frame in frames]  # chunks of unknown length
        assert same(DaskTreeClassifier(max_bins=len(x)).fit(*arrays), local)


# Bad input.


def frames(**columns: Any) -> Any:
    return dd.from_pandas(pd.DataFrame(columns), npartitions=2)


def halves(*arrays: Any) -> Any:
    """Arrays, one to a partition, as what claims to be one array of integers."""
    return da.concatenate([da.from_delayed(dask.delayed(a), a.shape, int) for a in arrays])


X, Y = problem(n=20, d=2)
BAD = {
    "in memory": (lambda: (X, Y), TypeError, "features are a Dask array or data frame; got ndarray"),
    "no labels": (lambda: (parted(X)[0], None), TypeError, "y are a Dask array or series; got NoneType"),
    "labels in memory": (lambda: (parted(X)[0], Y), TypeError, "y are a Dask array or series; got ndarray"),
    "one dimension": (lambda: parted(X[:, 0], Y), ValueError, "a table of rows and columns; got 1 axis"),
    "unknown width": (
        lambda: (da.from_delayed(dask.delayed(X), (20, np.nan), X.dtype), parted(Y)[0]),
        ValueError, "the number of features is known; got chunks of unknown width",
    ),
    "text": (lambda: (frames(a=["p", "q"] * 10), parted(Y, rows=10)[0]), ValueError, "features are numbers; got 'p'"),
    "other rows": (lambda: parted(X, Y[:-1]), ValueError, "as many rows; got 20 rows and 19 in y"),
    "other partitions": (
        lambda: (frames(a=Y), dd.from_pandas(pd.Series(Y), npartitions=3)),
        ValueError, "X and y have the same partitions; got 2 and 3",
    ),
    "other divisions": (
        lambda: (frames(a=Y), frames(a=Y)["a"].repartition(divisions=[0, 3, 19])),
        ValueError, "got other divisions",
    ),
    "other lengths": (
        lambda: (
            da.from_delayed(dask.delayed(X), (np.nan, 2), X.dtype), da.from_delayed(dask.delayed(Y[1:]), (np.nan,), int)
        ),
        ValueError, "as many labels and weights as rows; got 20 rows and 19 labels in partition 0",
    ),
    "other columns": (
        lambda: (
            dd.from_delayed(
                [dask.delayed(pd.DataFrame({"a": Y[:10]})), dask.delayed(pd.DataFrame({"b": Y[10:]}))],
                meta=pd.DataFrame({"a": Y[:0]}), verify_meta=False,
            ), parted(Y, rows=10)[0],
        ),
        ValueError, r"partitions have the columns that the data frame names; got \['b'\] in partition 1",
    ),
    "narrow partition": (
        lambda: (da.from_delayed(dask.delayed(X[:, :1]), (20, 2), X.dtype), parted(Y)[0]),
        ValueError, r"partitions have 2 columns; got shape \(20, 1\)",
    ),
    "several outputs": (lambda: parted(X, np.stack([Y, Y], axis=1)), ValueError, "y have one column; got 2"),
    "None for a label": (
        lambda: parted(X, np.where(Y == 0, None, Y)), ValueError, "every row needs a label; got a missing one",
    ),
    "mixed labels": (
        lambda: (parted(X, rows=10)[0], halves(Y[:10], Y[10:].astype(str))),
        TypeError, "labels must be of one type; got strings and numbers",
    ),
    "no rows": (lambda: parted(X[:0], Y[:0], rows=1), ValueError, "a training set needs rows; got empty partitions"),
}  # fmt: skip
OF_NUMBERS = drawn(7, 20)[0], drawn(7, 20)[1] + 3.0
BAD_RESPONSES = {
    "nan": (lambda y: np.where(y > 3, np.nan, y), ValueError, "responses are finite; got nan"),
    "infinite": (lambda y: np.where(y > 3, np.inf, y), ValueError, "responses are finite; got inf"),
    "too large": (lambda y: y * 1e151, ValueError, "responses lie within 1e.150 of 0"),
    "words": (lambda y: np.array(["a"] * 20), TypeError, "responses are real numbers; got an array of <U1"),
}
FIFTH = np.arange(20) % 5 == 0
ODD: list[tuple[int, Any, str]] = [  # in the place of the features, the labels, the weights; refused by score too
    (0, np.ma.array(X, mask=X > 1), "features have no masked entries"),
    (1, np.ma.array(Y, mask=FIFTH), "labels have no masked entries"),
    (1, Y / 2, "Unknown label type: .* got 3 different numbers such as 0.5; pass them to a regression tree"),
    (1, np.where(FIFTH, np.nan, Y), "every row needs a label|such as nan"),
    (1, np.array(["a", 1] * 10, dtype=object), "labels must be of one type|objects of type int, str"),
    (1, Y + 1j, "Unknown label type|Complex data not supported"),
    (2, np.ma.array(np.ones(20), mask=FIFTH), "sample weights have no masked entries"),
    (2, np.where(FIFTH, np.nan, 1), "weights are finite and not negative; got nan"),
    (2, np.where(FIFTH, -1.0, 1), "weights are finite and not negative; got -1;"),
    (2, np.where(FIFTH, np.inf, 1), "weights are finite and not negative; got inf"),
    (2, np.zeros(20), "must be positive; got only zeros|sum of the weights is positive and finite; got 0.0"),
    (2, np.array(["a"] * 20), "sample weights are numbers; got 'a'; encode or drop them first"),
    (2, np.ones(20) + 1j, "sample weights are real numbers"),
    (2, np.full(20, 1e308), "the sum of the weights is .*finite"),
]


@pytest.mark.parametrize("case", [*BAD, *BAD_RESPONSES])
def test_bad_input_is_one_sentence(case: str) -> None:
    make, error, said = (BAD | BAD_RESPONSES)[case]
    kind = DaskTreeClassifier if case in BAD else DaskTreeRegressor
    given, model = make() if case in BAD else parted(OF_NUMBERS[0], make(OF_NUMBERS[1])), kind()
    refused(said, model.fit, *given, error=error)
    assert vars(model) == vars(kind())


def test_absolute_error_is_refused_with_its_reason() -> None:
    refused("sums over bins give no medians", DaskTreeRegressor(criterion="absolute_error").fit, *parted(*drawn(8)))


@pytest.mark.parametrize(("place", "bad", "said"), ODD)
def test_what_no_row_may_hold_is_one_sentence(place: int, bad: Any, said: str) -> None:
    given = [*parted(X, Y), None]
    fitted, new = DaskTreeClassifier().fit(*given), DaskTreeClassifier()
    given[place] = da.from_array(bad, chunks=(10, *bad.shape[1:]), asarray=False)
    for act in (new.fit, fitted.score):
        refused(said, act, *given, error=(ValueError, TypeError))
    assert vars(new) == vars(DaskTreeClassifier())


def test_scores_are_of_the_features_and_the_kind_of_labels_that_were_fitted() -> None:
    fitted = DaskTreeClassifier().fit(*parted(X, Y))
    refused("X has 2 features, as in fit; got 1; pass", fitted.score, *parted(X[:, :1], Y))
    refused("labels are numbers, as in fit; got words", fitted.score, *parted(X, Y.astype(str)))


# Sources that change, forests by joblib, lost workers, cancelled fits.


def watched(monkeypatch: pytest.MonkeyPatch, depth: int, act: Any) -> None:
    """Let ``act(source)`` happen before the nodes of a depth are split."""
    split = growth.HistogramSource.split

    def watching(source: Any) -> Any:
        if source.depth == depth:
            act(source)
        return split(source)

    monkeypatch.setattr(growth.HistogramSource, "split", watching)


@pytest.mark.parametrize(
    ("kind", "place", "change", "said"),
    [
        (DaskTreeClassifier, 1, lambda y, read: np.roll(y, 1) + (read > 0), "values that were not there"),
        (DaskTreeClassifier, 1, lambda y, read: np.where(y == 0, read % 2, y), "other labels"),
        (DaskTreeRegressor, 1, np.roll, "other labels"),
        (DaskTreeClassifier, 0, lambda x, read: x[:: 1 - 2 * (read % 2)], "other values"),
    ],
)
def test_rows_that_change_from_read_to_read_are_no_tree(kind: Any, place: int, change: Any, said: str) -> None:
    plain, reads = problem(), iter(range(9))
    given, rows = parted(*plain, rows=200), plain[place]
    given[place] = da.from_delayed(dask.delayed(lambda: change(rows, next(reads)))(), rows.shape, rows.dtype)
    with pytest.raises(RuntimeError, match=f"the same rows each time they are read; got {said}"):
        kind().fit(*given)


def test_rows_that_change_on_the_way_are_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(source: Any) -> None:
        ((_, part, *_),) = source.spread.groups
        found = part.compute()
        changed = Binned(found.bins, found.target[::-1], found.weights, found.numbers)
        source.spread.groups[0][1] = dask.delayed(changed, traverse=False)

    watched(monkeypatch, 2, other)
    x, y = problem()
    with pytest.raises(RuntimeError, match="the same rows each time they are read; got other rows at depth 2"):
        DaskTreeClassifier(max_bins=len(x)).fit(*parted(x, y))


def test_a_forest_grows_on_a_cluster_unchanged(processes: distributed.Client) -> None:
    x, y = problem(missing=True)
    forest = ForestClassifier(12, criterion="sgini", random_state=0, max_depth=4)
    local = clone(forest).fit(x, y)
    with joblib.parallel_config("dask", wait_for_workers_timeout=600):
        apart = clone(forest).set_params(n_jobs=-1).fit(x, y)
    assert np.array_equal(apart.set_params(n_jobs=None).predict_proba(x), local.predict_proba(x))
    assert all(same(a, b) for a, b in zip(apart.estimators_, local.estimators_, strict=True))


def killed(client: distributed.Client, workers: list[str] | None = None) -> None:
    """Kill the processes of workers."""
    for process in client.run(os.getpid, workers=workers, on_error="ignore").values():
        os.kill(process, signal.SIGKILL)


def test_a_fit_outlives_workers_that_die_while_it_reads_and_on_the_way(processes, monkeypatch, tmp_path):
    mark = tmp_path / "died"

    def deadly(block: Any) -> Any:
        if not mark.exists() and (block[0] == first).all():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return block

    deaths = []

    def kill(_: Any) -> None:
        deaths.append(next(iter(processes.has_what())))
        killed(processes, deaths)

    watched(monkeypatch, 2, kill)
    x, y = problem(missing=True)
    xs, ys = parted(x, y, rows=40)
    first = x[80]
    mine = DaskTreeClassifier(criterion="sgini", max_bins=len(x)).fit(xs.map_blocks(deadly, meta=x[:0]), ys)
    assert mark.exists() and len(deaths) == 1
    assert same(mine, TreeClassifier(criterion="sgini").fit(x, y))


def test_a_worker_that_dies_before_small_nodes_are_finished_changes_nothing(processes, monkeypatch):
    def deadly(*given: Any) -> Any:
        processes.wait_for_workers(2, timeout=600)
        deaths.append(next(iter(processes.has_what())))
        killed(processes, deaths)
        return finish(*given)

    deaths, finish = list[str](), growth.finished_by_workers
    monkeypatch.setattr(growth, "finished_by_workers", deadly)
    x, y = problem(missing=True)
    given = parted(x, y, rows=40)
    mine = DaskForestClassifier(1, max_bins=len(x), max_features=2, bootstrap=False, random_state=0).fit(*given)
    local = TreeClassifier(max_features=2, random_state=mine.estimators_[0].random_state).fit(x, y)
    assert same(mine.estimators_[0], local) and len(deaths) == 1


@pytest.mark.parametrize("what", ["restart", "close"])
def test_a_scheduler_that_forgets_is_one_clear_error(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is started again, or closed, while a tree grows."""

    def forget(_: Any) -> None:
        if what == "close":
            cluster.sync(cluster.scheduler.close)
        else:
            client.restart(wait_for_workers=False)

    watched(monkeypatch, 1, forget)
    x, y = problem()
    model = DaskTreeClassifier(max_bins=len(x))
    with (
        dask.config.set({"scheduler": None, "distributed.comm.timeouts.connect": "1s"}),
        distributed.LocalCluster(1, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
        pytest.raises(RuntimeError, match="lost partitions must be computable again; got") as said,
    ):
        model.fit(*parted(x, y))
    assert "\n" not in str(said.value) and vars(model) == vars(DaskTreeClassifier(max_bins=len(x)))


def test_partitions_that_no_one_can_compute_again_are_one_clear_error(processes, monkeypatch):
    x, y = problem()
    processes.wait_for_workers(1, timeout=600)
    held = processes.scatter(x, broadcast=False)
    xs = da.from_delayed(held, x.shape, x.dtype)
    watched(monkeypatch, 1, lambda _: killed(processes))
    model = DaskTreeClassifier()
    with pytest.raises(RuntimeError, match="lost partitions must be computable again; got"):
        model.fit(xs, parted(y, rows=len(x))[0])
    assert vars(model) == vars(DaskTreeClassifier())


def test_a_partition_that_kills_workers_is_one_clear_error(processes: distributed.Client) -> None:
    def deadly(block: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        return block

    x, y = problem()
    xs, ys = parted(x, y)
    model = DaskTreeClassifier()
    allowed = processes.run_on_scheduler(lambda dask_scheduler: dask_scheduler.allowed_failures)
    processes.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 0))
    with pytest.raises(RuntimeError, match="lost partitions must be computable again; got KilledWorker"):
        model.fit(xs.map_blocks(deadly, meta=x[:0]), ys)
    assert vars(model) == vars(DaskTreeClassifier())
    # The other worker may still die of the first fit, in the course of the second, which then goes on without it.
    processes.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", allowed))
    processes.wait_for_workers(1, timeout=600)
    assert same(model.set_params(max_bins=len(x)).fit(xs, ys), TreeClassifier().fit(x, y))


def test_a_cancelled_fit_leaves_the_cluster_usable(cluster: distributed.Client) -> None:
    x, y = problem()

    def slow(block: Any) -> Any:
        time.sleep(0.1)
        return block

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    xs, ys = parted(x, y, rows=10)
    model = DaskTreeClassifier(max_bins=len(x))
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    try:
        with pytest.raises(KeyboardInterrupt):
            model.fit(xs.map_blocks(slow, meta=x[:0]), ys)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert vars(model) == vars(DaskTreeClassifier(max_bins=len(x)))
    started = time.monotonic()
    assert cluster.submit(sum, [1, 2]).result(timeout=600) == 3
    while any(cluster.processing().values()) and time.monotonic() < started + 600:
        time.sleep(0.05)
    assert not any(cluster.processing().values())  # what was not begun is forgotten
    assert same(model.fit(xs, ys), TreeClassifier().fit(x, y))
