"""The best SGini of a level in compiled loops: against the tables of all numbers of clusters, scored one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from splitcrit import sgini
from splitcrit.multiway import MultiwayRules, grow_multiway
from splitcrit.multiway.multiway_source import best_scores
from splitcrit.multiway.segments import RankedTraining
from splitcrit.search.ties_and_scores import band

pytest.importorskip("numba")
BY_TABLES = replace(sgini, search=replace(sgini.search, form=None))


def features(rng: np.random.Generator, n: int) -> np.ndarray:
    """Values without ties, with many, with equal gaps, with gaps that are nearly equal but for one, and a copy."""
    clumped = np.cumsum(1 + 1e-9 * rng.random(n))
    clumped[-1] *= 1e6
    x, others = rng.normal(size=n), (rng.integers(0, n // 3, n), rng.permutation(n), rng.permutation(clumped))
    return np.column_stack((x, *others, x, np.ones(n))).astype(float)


def labels(rng: np.random.Generator, x: np.ndarray, classes: int) -> np.ndarray:
    """Classes that depend on the first two features at some rows."""
    some = rng.random(len(x)) < 0.3
    return np.where(some, (np.abs(x[:, 0]) * 2 + x[:, 1] / 50).astype(int) % classes, rng.integers(0, classes, len(x)))


@pytest.mark.each_value
@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
@pytest.mark.parametrize(
    "rules", [MultiwayRules(), MultiwayRules(d_num=0, max_clusters=6), MultiwayRules(d_num=40, minnum=9)], ids=str
)
@pytest.mark.parametrize("classes", [2, 5])
def test_compiled_trees_are_those_of_tables(classes: int, rules: MultiwayRules, scale: float) -> None:
    rng = np.random.default_rng(classes)
    x = features(rng, 700)
    y = labels(rng, x, classes)
    categorical = np.arange(6) == (1 if classes == 5 else -1)
    ours, other = (
        grow_multiway(x * scale, y, classes, criterion, rules, categorical) for criterion in (sgini, BY_TABLES)
    )
    assert len(ours.feature) > 50
    for name, values in vars(ours).items():
        (assert_allclose if name == "score" else assert_array_equal)(values, getattr(other, name))


@pytest.mark.parametrize("n", [12, 60, 500])
def test_features_that_may_be_chosen_have_their_best_score_and_others_less(n: int) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        x = features(rng, n)
        y = rng.integers(0, 2, n) if seed % 2 else labels(rng, x, 3)
        training, counts = RankedTraining.of(x, y, 3), np.bincount(y, minlength=3)[None]
        ours, other = (
            best_scores(training, training.order, counts, criterion, MultiwayRules(d_num=3))
            for criterion in (sgini, BY_TABLES)
        )
        tie = band(sgini, counts.astype(float))
        chosen = other >= other.max() - tie
        assert_allclose(ours[chosen], other[chosen], rtol=1e-13)
        assert (ours <= other + tie).all() and ours[-1, 0] == -np.inf


def test_observations_alone_score_nothing_and_are_no_bound() -> None:
    """A table of one row for each observation has no variance; that of all but two has the best score."""
    x = np.array([[0.0], [1.0], [3.0], [7.0], [7.5], [20.0]])
    y = np.array([0, 1, 0, 1, 1, 0])
    training, counts = RankedTraining.of(x, y, 2), np.array([[3, 3]])
    ours, other = (
        best_scores(training, training.order, counts, criterion, MultiwayRules(d_num=0))
        for criterion in (sgini, BY_TABLES)
    )
    assert_allclose(ours, other, rtol=1e-13)
    assert ours[0, 0] > 0


def test_samples_are_shared_out_as_they_stand() -> None:
    from splitcrit.search.column_loops import regroup

    rng = np.random.default_rng(0)
    order = np.stack([rng.permutation(50) for _ in range(3)]).astype(np.int32)
    place = rng.integers(-1, 4, 50)
    sizes = np.bincount(place[place >= 0], minlength=4)
    found = np.empty((3, sizes.sum()), np.int32)
    regroup(order, place, np.cumsum(sizes) - sizes, found)
    kept = order[place[order] >= 0].reshape(3, -1)
    assert_array_equal(found, np.take_along_axis(kept, np.argsort(place[kept], axis=1, kind="stable"), axis=1))
