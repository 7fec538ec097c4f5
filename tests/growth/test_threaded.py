"""Trees grown by threads are those of one."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba")

from splitcrit import TreeClassifier
from splitcrit.criteria import decrease, imprecise_information_gain, twoing
from splitcrit.estimators import growing
from splitcrit.growth import one_loop, threaded
from splitcrit.impurities import entropy, gce, gini
from splitcrit.nulls import sgini
from splitcrit.search import sorted_columns

PARTS = ("feature", "threshold", "children_left", "children_right", "n_node_samples", "impurity", "value")


def alike(x: np.ndarray, y: np.ndarray, **options: object) -> int:
    """Compare trees by one, two and three threads; return the number of nodes."""
    trees = [TreeClassifier(n_jobs=jobs, **options).fit(x, y).tree_ for jobs in (None, 2, 3)]
    for name in PARTS:
        for tree in trees[1:]:
            np.testing.assert_array_equal(getattr(trees[0], name), getattr(tree, name))
    return int(trees[0].node_count)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Threads for small data too; a list of how many of them split each node that is not small."""
    split, counted = threaded._Growth._split, []

    def counting(self: threaded._Growth, node: object, spaces: list) -> list:
        counted.append(len(spaces))
        return split(self, node, spaces)

    for module, name, value in (
        (threaded, "SMALL", 300),
        *((module, "MANY", 0) for module in (growing, one_loop, sorted_columns)),
    ):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(threaded._Growth, "_split", counting)
    return counted


@pytest.mark.each_value
@pytest.mark.parametrize(
    "criterion", [gini, entropy, gce(0.5), sgini, twoing, decrease(gini), imprecise_information_gain(1)], ids=repr
)
@pytest.mark.parametrize("levels", [3, 40, None])
def test_threads_grow_the_tree_of_one(criterion: object, levels: int | None, eager: list[int]) -> None:
    rng = np.random.default_rng(levels or 0)
    x, y = rng.normal(size=(700, 5)), rng.integers(0, 3, 700)
    if levels is not None:
        x = rng.integers(0, levels, x.shape)
    assert alike(x.astype(np.float32), y, criterion=criterion, min_gain=None) > 40
    assert len(eager) > 10 and set(eager) == {1, 2, 3}


@pytest.mark.parametrize(
    "options", [{"max_depth": 3}, {"min_samples_leaf": 9}, {"min_samples_split": 100}, {"max_leaf_nodes": 7},
                {"min_gain": 0.01}, {"max_pvalue": 0.1}, {"ccp_alpha": 0.004}, {"max_features": 2, "random_state": 0}],
    ids=str,
)  # fmt: skip
def test_stopping_rules_are_those_of_one_thread(options: dict, eager: list[int]) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(900, 4)).astype(np.float32)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=900) > 0).astype(int)
    assert alike(x, y, **options) > 3
    assert len(eager) > 3 or "max_features" in options


@pytest.mark.parametrize("what", ["constant", "pure", "one column", "weights", "missing"])
def test_odd_data(what: str, eager: list[int]) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(400, 3)).astype(np.float32), rng.integers(0, 2, 400)
    if what == "constant":
        x[:] = 1
    if what == "pure":
        y[:] = 1
    if what == "missing":
        x[::3, 1] = np.nan
    x = x[:, :1] if what == "one column" else x
    weights = rng.integers(1, 4, 400) if what == "weights" else None
    one, two = (TreeClassifier(n_jobs=jobs).fit(x, y, weights).tree_ for jobs in (1, 2))
    np.testing.assert_array_equal(one.threshold, two.threshold)


def test_small_data_are_left_to_one_thread() -> None:
    rules = threaded.StoppingRules(9, 2, 1, 0.0, 0.0, np.nan, 0, 1)
    assert one_loop.is_worth_threads(1 << 20, rules, 2) and not one_loop.is_worth_threads((1 << 20) - 1, rules, 2)
    assert not one_loop.is_worth_threads(1 << 20, rules, 1)
    assert not one_loop.is_worth_threads(1 << 20, rules._replace(features=3), 2)
