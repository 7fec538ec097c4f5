"""Regression trees of partitions, against a tree grown in plain Python in Fractions, and against the tree in memory."""

from typing import Any

import dask
import numpy as np
import pytest

from parts import few, parted, same
from refusals import refused
from splitcrit import TreeRegressor
from splitcrit.trees import DaskTreeRegressor

pytestmark = pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")
ROUNDED = ("impurity", "value")


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 20)


def drawn(seed: int, n: int = 160, missing: bool = False, weights: Any = None, step: float = 0.25) -> list[Any]:
    """Features with ties, responses in steps, and weights if they are to be drawn from some."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 12, (n, 3)).astype(np.float32) / 2 - 1
    y = np.round((x[:, 0] + x[:, 1] ** 2 + rng.normal(size=n)) / step) * step
    if missing:
        x[rng.random(x.shape) < 0.15] = np.nan
    return [x, y] if weights is None else [x, y, rng.choice(weights, n)]


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
    few(monkeypatch, 200)
    x, y = drawn(4, missing=True)
    for weights in (None, np.random.default_rng(4).random(len(x))):
        given = [x, y / 10] if weights is None else [x, y / 10, weights]
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
    refused(said, model.fit, *parted(x, make(y)), error=kind)
    assert vars(model) == vars(DaskTreeRegressor())


def test_absolute_error_is_refused_with_its_reason() -> None:
    refused("sums over bins give no medians", DaskTreeRegressor(criterion="absolute_error").fit, *parted(*drawn(8)))


def test_responses_that_change_are_no_tree() -> None:
    x, y = drawn(9)
    reads = iter(range(9))
    changing = dask.array.from_delayed(dask.delayed(lambda: np.roll(y, next(reads)))(), y.shape, y.dtype)
    with pytest.raises(RuntimeError, match="the same rows each time they are read; got other labels"):
        DaskTreeRegressor().fit(parted(x, rows=len(x))[0], changing)
