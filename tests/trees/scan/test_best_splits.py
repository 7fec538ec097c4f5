"""The best splits of classes: every criterion, compiled and in numpy, against the reference builder; random draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from growing import ASYMMETRIC, BY_FORMULA, COUNTS_ONLY, WITH_FORM, cost, dearest, difference, splitmix64, trees
from splitcrit.criteria import Criterion, decrease, replace
from splitcrit.impurities import gce
from splitcrit.losses import Loss
from splitcrit.nulls import agini
from splitcrit.trees.growth import Stopping
from splitcrit.trees.scan.prepared_criterion import best_score, criterion_data
from splitcrit.trees.scan.random_keys import root_key, side_keys, uniforms

SEEDS = range(8)


def problem(seed: int) -> tuple[Any, Any, int, dict[str, Any]]:
    """A small training set with ties, perhaps weights, missing values and draws, and its stopping rule."""
    rng = np.random.default_rng(seed)
    n, classes = (30, 45, 60, 50, 40, 55, 35, 60)[seed], (2, 3, 2, 4, 2, 3, 2, 3)[seed]
    x = rng.integers(0, (6, 25, 1000, 12)[seed % 4], (n, 3)).astype(np.float32 if seed != 5 else np.float64)
    if seed in (2, 3, 6, 7):
        x[rng.random(x.shape) < 0.15] = np.nan
    y = np.clip(np.nan_to_num(x[:, 0]) / np.nanmax(x[:, 0]) * classes + rng.normal(size=n), 0, classes - 1).astype(int)
    x *= x.dtype.type({1: 1e30, 4: 1e-44}.get(seed, 1))
    options: dict[str, Any] = {"weights": rng.choice([0.5, 1.0, 3.0], n) if seed in (1, 4, 6) else None, "seed": seed}
    options |= {"max_features": 2} if seed in (3, 5) else {}
    options |= {"splitter": "random"} if seed in (5, 7) else {}
    leaf = {0: 1, 1: 3, 2: 1, 3: 2}[seed % 4]
    stopping = Stopping(min_samples_leaf=leaf, min_weight_leaf=2.5 if seed in (4, 6) else 0.0, min_gain=None)
    return x, y, classes, options | {"stopping": stopping}


@pytest.mark.each_value
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("criterion", WITH_FORM + BY_FORMULA + ASYMMETRIC, ids=repr)
def test_every_search_finds_the_split_of_the_reference(criterion: Criterion, seed: int) -> None:
    x, y, classes, options = problem(seed)
    if criterion in COUNTS_ONLY:
        options["weights"] = None
    if criterion == BY_FORMULA[3] and options.get("splitter"):  # a guarded ratio has no random thresholds
        return
    reference, *others = trees(x, y, classes, criterion, options.pop("stopping"), **options)
    assert [difference(reference, tree) for tree in others] == [""]


def rewarded(w: Any, k: int, m: Any) -> Any:
    return -cost(k) * w[k]


@pytest.mark.parametrize("classes", [2, 3])
def test_a_reward_is_a_cost_below_zero(classes: int) -> None:
    """The risk is that of the costs less a linear part, of which no decrease knows: the trees are the same."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 40, (300, 3)).astype(np.float32)
    y = np.clip(x[:, 0] / 40 * classes + rng.normal(size=300) / 2, 0, classes - 1).astype(int)
    reward = Criterion.from_loss(Loss("reward", rewarded, dearest))
    found = [tree for criterion in (ASYMMETRIC[0], reward) for tree in trees(x, y, classes, criterion, Stopping(4))]
    assert len(found[0].left) > 3
    assert [difference(found[0], tree) for tree in found] == [""] * 4


@pytest.mark.parametrize(
    "criterion", [*WITH_FORM, replace(agini, alpha=0.01), *(decrease(gce(q)) for q in (0.05, 0.3, 0.95))], ids=repr
)
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_every_threshold_is_scored_as_its_table(criterion: Criterion, classes: int) -> None:
    """The best score is that of the function of whole tables."""
    rng = np.random.default_rng(classes)
    for n in (2, 3, 5, 30, 300, 3000):
        y = rng.choice(classes, n, p=2.0 ** -np.arange(classes) / (2 - 2.0 ** (1 - classes)))
        y[: n // 3].sort()
        hot = np.eye(classes, dtype=int)[y].cumsum(axis=0)
        if len(set(y)) < 2:
            continue
        expected = criterion(np.stack([hot[:-1], hot[-1] - hot[:-1]], axis=1))
        data = criterion_data(criterion, n, classes)
        assert data is not None
        assert best_score(data, y, classes) == pytest.approx(expected.max(), rel=1e-9, abs=1e-12)


def test_draws_are_those_of_splitmix64() -> None:
    golden, most = 0x9E3779B97F4A7C15, 2**64 - 1
    key = int(root_key(7))
    assert key == splitmix64(int(np.random.SeedSequence(7).generate_state(1, np.uint64)[0]))
    left, right = side_keys(np.array([key], np.uint64))
    assert int(left[0]) == splitmix64((key + golden) & most) and int(right[0]) == splitmix64((key + 2 * golden) & most)
    for stream in (0, 2):
        found = uniforms(np.array([key], np.uint64), 4, stream)[0]
        first = [splitmix64((key + ((3 + i + (stream << 32)) * golden & most)) & most) for i in range(4)]
        assert found.tolist() == [(splitmix64(z) >> 11) * 2.0**-53 for z in first]
