"""Regression trees of partitions, against a tree grown in plain Python in Fractions, and against the tree in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isnan
from typing import Any

import numpy as np
import pytest

from parts import parted, same

pytest.importorskip("distributed.client", reason="needs Dask")
pytest.importorskip("sklearn", reason="needs scikit-learn")

import dask
import distributed

from splitcrit import TreeClassifier, TreeRegressor
from splitcrit.trees import DaskTreeClassifier, DaskTreeRegressor
from splitcrit.trees.distributed import histogram_source as growth

pytestmark = pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")
ROUNDED = ("impurity", "value")


@pytest.fixture(autouse=True)
def in_this_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nodes of up to 20 rows are few."""
    monkeypatch.setattr(growth, "few", lambda rows, features: 20)
    with dask.config.set(scheduler="synchronous"):
        yield


def drawn(seed: int, n: int = 160, missing: bool = False, weights: Any = None, step: float = 0.25) -> list[Any]:
    """Return features with ties, responses in steps, and weights if they are to be drawn from some."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 12, (n, 3)).astype(np.float32) / 2 - 1
    y = np.round((x[:, 0] + x[:, 1] ** 2 + rng.normal(size=n)) / step) * step
    if missing:
        x[rng.random(x.shape) < 0.15] = np.nan
    return [x, y] if weights is None else [x, y, rng.choice(weights, n)]


@dataclass(frozen=True)
class Plain:
    """A regression tree in plain Python; it knows nothing of bins and partitions."""

    x: list[list[float]]
    y: list[Fraction]
    weights: list[Fraction]

    def about(self, rows: list[int]) -> tuple[Fraction, Fraction, Fraction]:
        """Return weight, mean and variance."""
        heavy = sum((self.weights[i] for i in rows), Fraction(0))
        mean = sum((self.weights[i] * self.y[i] for i in rows), Fraction(0)) / heavy
        return heavy, mean, sum((self.weights[i] * (self.y[i] - mean) ** 2 for i in rows), Fraction(0)) / heavy

    def candidates(self, rows: list[int]) -> Iterator[tuple[int, float, list[int]]]:
        """Yield feature, threshold and rows on the left, in the order of ties."""
        for f in range(len(self.x[0])):
            known = sorted({self.x[i][f] for i in rows if not isnan(self.x[i][f])})
            lost = [i for i in rows if isnan(self.x[i][f])]
            for moved in (False, True)[: 1 + bool(lost)]:
                ends = [*known[1:], inf] if lost and not moved else known[1:]
                for low, high in zip(known, ends, strict=False):
                    yield (
                        f,
                        inf if high == inf else (low + high) / 2,
                        [i for i in rows if self.x[i][f] <= low or (moved and isnan(self.x[i][f]))],
                    )

    def grown(self, rows: list[int], depth: int = 0) -> list[Any]:
        """Return the nodes, depth first: rows, mean, variance, feature and threshold."""
        heavy, mean, variance = self.about(rows)
        leaf = [(len(rows), mean, variance, -2, -2.0)]
        if not variance or depth == 5:
            return leaf
        scored = []
        for f, threshold, left in self.candidates(rows):
            right = sorted(set(rows) - set(left))
            (a, one, _), (b, other, _) = self.about(left), self.about(right)
            scored.append((a * b * (one - other) ** 2 / heavy**2, f, threshold, left, right))
        top = max((each[0] for each in scored), default=Fraction(0))
        if top <= variance * Fraction(1, 10**11):
            return leaf
        _, f, threshold, left, right = next(s for s in scored if s[0] >= top - variance * Fraction(1, 10**11))
        mine = (len(rows), mean, variance, f, threshold)
        return [mine, *self.grown(left, depth + 1), *self.grown(right, depth + 1)]


@pytest.mark.each_value
@pytest.mark.parametrize("few", [0, 20])
@pytest.mark.parametrize("missing", [False, True], ids=["known", "missing"])
@pytest.mark.parametrize("weights", [None, [0.25, 1.0, 3.0], [0.0, 1.0]], ids=str)
def test_partitions_grow_the_plain_tree(weights: Any, missing: bool, few: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(growth, "few", lambda rows, features: few)
    for seed, shift in ((0, 0.0), (1, 2.0**30)):
        x, y, *given = drawn(seed, 70, missing, weights)
        kept = [i for i in range(len(y)) if not given or given[0][i] > 0]
        heavy = [Fraction(float(given[0][i])) if given else Fraction(1) for i in range(len(y))]
        expected = Plain(x.astype(float).tolist(), [Fraction(v + shift) for v in y.tolist()], heavy).grown(kept)
        tree = DaskTreeRegressor(max_bins=99, max_depth=5).fit(*parted(x, y + shift, *given, rows=19)).tree_
        found = list(zip(tree.n_node_samples.tolist(), tree.feature.tolist(), tree.threshold.tolist(), strict=True))
        assert found == [(size, f, threshold) for size, _, _, f, threshold in expected] and len(found) > 9
        means, variances = ([float(node[i]) for node in expected] for i in (1, 2))
        assert np.allclose(tree.value.ravel(), means, rtol=1e-15) and np.allclose(tree.impurity, variances, rtol=1e-9)
        assert few or (tree.value.ravel() == means).all()  # rounded once


@pytest.mark.each_value
@pytest.mark.parametrize(
    "parameters",
    [
        {"max_depth": 3, "min_samples_split": 12, "min_samples_leaf": 5},
        {"min_samples_leaf": 0.05, "min_weight_fraction_leaf": 0.06},
        {"max_leaf_nodes": 6},
        {"min_impurity_decrease": 0.02},
        {"ccp_alpha": 0.05},
        {"max_features": 2, "random_state": 7},
        {"max_features": 2, "random_state": 7, "draw": "varying"},
        {"min_gain": 0.3},
        {"min_gain": None, "max_depth": 6},
    ],
    ids=str,
)
@pytest.mark.parametrize("weights", [None, [0.1, 0.7, 0.0]], ids=str)
def test_parameters_mean_what_they_mean_in_memory(parameters: dict[str, Any], weights: Any) -> None:
    x, y, *given = drawn(3, missing=True, weights=weights)
    mine = DaskTreeRegressor(max_bins=len(x), **parameters).fit(*parted(x, y, *given))
    local = TreeRegressor(**parameters).fit(x, y, *given)
    assert same(mine, local, ROUNDED) and local.tree_.node_count > 3
    assert mine.score(*parted(x, y, *given)) == pytest.approx(local.score(x, y, *given), rel=1e-12)
    assert np.array_equal(mine.predict(parted(x)[0]).compute(), mine.predict(x))


def test_a_tree_that_one_worker_grows_is_the_tree_in_memory_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where responses are equal, sums depend on the order of rows in their last bit."""
    monkeypatch.setattr(growth, "few", lambda rows, features: 200)
    x, y = drawn(4, missing=True)
    for weights in (None, np.random.default_rng(4).random(len(x))):
        given = [x, y / 10] if weights is None else [x, y / 10, weights]
        local = TreeRegressor().fit(*given)
        for rows in (13, 160):
            assert same(DaskTreeRegressor(max_bins=160).fit(*parted(*given, rows=rows)), local)


@pytest.mark.slow
def test_partitions_and_workers_change_no_bit() -> None:
    x, y, weights = drawn(5, 400, missing=True, weights=[0.1, 0.7, 0.3], step=1e-5)
    regression, classes = parted(x, y + 1e6, weights, rows=37), parted(x, (y > 3).astype(int) + (y > 6), rows=37)
    whole = DaskTreeRegressor().fit(*parted(x, y + 1e6, weights, rows=400))
    criteria = ("gini", "sgini", "twoing")
    local = [TreeClassifier(criterion=each).fit(x, (y > 3).astype(int) + (y > 6)) for each in criteria]
    assert same(whole, DaskTreeRegressor().fit(*regression))
    for workers in (1, 2, 4):
        with (
            distributed.LocalCluster(workers, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
            distributed.Client(cluster),
            dask.config.set(scheduler=None),
        ):
            assert same(whole, DaskTreeRegressor().fit(*regression))
            for criterion, expected in zip(criteria, local, strict=True):
                assert same(DaskTreeClassifier(criterion=criterion, max_bins=400).fit(*classes), expected)


def test_small_differences_far_from_the_middle_are_told_apart() -> None:
    """Sums of floats would lose them: they are 10^-12 of the responses, and one response is as large the other way."""
    x = np.arange(400, dtype=np.float32)[:, None]
    y = np.where(np.arange(400) < 399, 1e6 + np.round(np.sin(np.arange(400) / 40) * 1e2) * 2.0**-33, -1e6)
    mine, local = DaskTreeRegressor(max_bins=400).fit(*parted(x, y)), TreeRegressor().fit(x, y)
    assert same(mine, local, ROUNDED) and local.tree_.node_count > 100


def test_nodes_of_equal_responses_are_leaves_whatever_the_weights() -> None:
    x, y, weights = drawn(6, weights=[0.1, 0.7, 1 / 3], step=4.1)
    mine = DaskTreeRegressor(min_gain=None, max_bins=160).fit(*parted(x, y, weights))
    assert same(mine, TreeRegressor(min_gain=None).fit(x, y, weights), ROUNDED)


BAD = {
    "nan": (lambda y: np.where(y > 2, np.nan, y), ValueError, "responses are finite; got nan"),
    "infinite": (lambda y: np.where(y > 2, np.inf, y), ValueError, "responses are finite; got inf"),
    "too large": (lambda y: y * 1e151, ValueError, "responses lie within 1e.150 of 0"),
    "words": (lambda y: np.array(["a"] * len(y)), TypeError, "responses are real numbers; got an array of <U1"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_responses_are_one_sentence(case: str) -> None:
    make, kind, said = BAD[case]
    x, y = drawn(7)
    model = DaskTreeRegressor()
    with pytest.raises(kind, match=said) as info:
        model.fit(*parted(x, make(y)))
    assert "\n" not in str(info.value) and vars(model) == vars(DaskTreeRegressor())


def test_absolute_error_is_refused_with_its_reason() -> None:
    with pytest.raises(ValueError, match="sums over bins give no medians"):
        DaskTreeRegressor(criterion="absolute_error").fit(*parted(*drawn(8)))


def test_responses_that_change_are_no_tree() -> None:
    x, y = drawn(9)
    reads = iter(range(9))
    changing = dask.array.from_delayed(dask.delayed(lambda: np.roll(y, next(reads)))(), y.shape, y.dtype)
    with pytest.raises(RuntimeError, match="the same rows each time they are read; got other labels"):
        DaskTreeRegressor().fit(parted(x, rows=len(x))[0], changing)
