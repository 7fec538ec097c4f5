"""Trees from shared ranks: the same, node for node, as all builders grow with these counts as weights; the tie rule."""

import math
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from growing import BY_FORMULA, COUNTS_ONLY, WITH_FORM, by_reference, difference, grow_drawn, trees
from splitcrit import Criterion, decrease, entropy, gini, matushita, ne
from splitcrit.trees.estimators.weighing import summable
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, Training, grow, one_loop
from splitcrit.trees.growth.by_reference import reference_of
from splitcrit.trees.growth.training import Ranks
from splitcrit.trees.scan import midpoint
from splitcrit.trees.scan.prepared_criterion import criterion_data, functions
from splitcrit.trees.scan.records import CONSTANTS, FORMULA
from splitcrit.trees.scan.scan_formula import numbers_of_formula
from splitcrit.trees.scan.ties_and_scores import band


@st.composite
def problems(draw):  # type: ignore[no-untyped-def]
    """Draw a small training set with ties and missing values, how often each sample counts, and stopping rules."""
    n, d, classes = draw(st.integers(2, 90)), draw(st.integers(1, 5)), draw(st.sampled_from([2, 3, 4, 12]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = rng.integers(0, draw(st.integers(1, 90)), (n, d)).astype(draw(st.sampled_from([np.float32, np.float64])))
    x[rng.random((n, d)) < draw(st.sampled_from([0.0, 0.05, 0.4, 0.9]))] = np.nan
    parts = summable(rng.choice([0.1, 0.7, 1.9], n) if n % 2 else rng.random(n) + 0.01)
    counts = draw(st.sampled_from([None, rng.multinomial(n, np.ones(n) / n), rng.integers(1, 4, n), parts]))
    stopping = Stopping(
        max_depth=draw(st.sampled_from([None, 3])),
        min_samples_split=draw(st.integers(2, 5)),
        min_samples_leaf=draw(st.integers(1, 3)),
        min_weight_leaf=draw(st.sampled_from([0.0, 3.0])),
        min_gain=draw(st.sampled_from([0.0, None, 0.01])),
    )
    max_features, splitter = draw(st.sampled_from([None, 1, min(2, d)])), draw(st.sampled_from(["best", "random"]))
    growing = GrowthOptions(stopping, max_features, splitter=splitter, seed=draw(st.integers(0, 9)))
    return x, rng.integers(0, classes, n), classes, counts, growing


@given(problems(), st.sampled_from([*WITH_FORM, decrease(matushita)]))
def test_ranks_and_sorted_columns_give_the_same_tree(problem, criterion: Criterion) -> None:  # type: ignore[no-untyped-def]
    x, y, classes, counts, growing = problem
    random = growing.splitter == "random"
    if counts is not None and criterion in COUNTS_ONLY and (counts != np.floor(counts)).any():
        return
    tree = grow_drawn(Ranks.of(x, random=random), y, classes, criterion, growing, counts)
    kept = slice(None) if counts is None else counts > 0
    weights = None if counts is None else counts[kept].astype(float)
    reference = reference_of(x[kept], y[kept], classes, criterion, growing, weights=weights)
    columns = Training(x[kept], y[kept], classes, weights)
    others = [GrownTree.of(reference), grow(columns, criterion, growing)]
    others.append(grow(Training(x, y, classes, counts), criterion, growing))
    assert [difference(other, tree) for other in others] == [""] * 3, criterion


@pytest.mark.parametrize(
    ("n", "values", "leaf", "drawn"),
    [
        (60, 10**6, 2, 1),
        (700, 40, 7, 2),
        (701, 40, 7, 2),
        (5001, 10**6, 1, 1),
        (700, 10**6, 1, 1),
        (5000, 10**6, 7, 2),
        (5000, 3000, 1, 1),
        (5000, 9, 2, 2),
    ],
)
def test_large_nodes_are_sorted_as_small_ones(n: int, values: int, leaf: int, drawn: int) -> None:
    """Keys are sorted by their digits, and thresholds keep to the smallest leaf; an odd number has missing values."""
    rng = np.random.default_rng(n + leaf)
    x = rng.integers(0, values, (n, 3)).astype(np.float64)
    x[rng.random(x.shape) < 0.3 * (n % 2)] = np.nan
    counts = rng.multinomial(n, np.ones(n) / n) if leaf == 1 else rng.integers(1, 4, n)
    stopping = Stopping(max_depth=4, min_samples_leaf=leaf, min_weight_leaf=9.0 * (leaf == 7))
    growing = GrowthOptions(stopping, drawn, seed=5)
    for criterion, classes in ((decrease(gini), 7), (decrease(ne(0.5)), 2)):
        y = (classes * np.clip(np.nan_to_num(x[:, 0]) / values + rng.normal(size=n) / 3, 0, 0.99)).astype(int)
        tree = grow_drawn(Ranks.of(x), y, classes, criterion, growing, counts)
        columns = Training(x[counts > 0], y[counts > 0], classes, counts[counts > 0].astype(float))
        other = by_reference(columns, criterion, growing)
        assert difference(other, tree) == "" and len(tree.left) > 5


def test_one_sample_may_count_more_than_32_bits_hold_beside_its_number() -> None:
    rng = np.random.default_rng(0)
    n, counts = 20_000, np.ones(20_000, np.int64)
    counts[5] = 1 << 17
    x, y = rng.normal(size=(n, 2)).astype(np.float32), rng.integers(0, 2, n)
    tree = grow_drawn(Ranks.of(x), y, 2, decrease(gini), GrowthOptions(Stopping(max_depth=3), seed=0), counts)
    columns = Training(x, y, 2, counts.astype(float))
    assert difference(by_reference(columns, decrease(gini), GrowthOptions(Stopping(max_depth=3))), tree) == ""
    assert tree.weights[0].sum() == counts.sum() and tree.size[0] == n


def test_ranks_are_dense_and_keep_the_order() -> None:
    x = np.array([[0.5, -0.0], [-1.0, 0.0], [0.5, 1e-45], [7.0, -1e-45]], dtype=np.float32)
    ranks = Ranks.of(x)
    assert ranks.ranks.tolist() == [[1, 0, 1, 2], [1, 1, 2, 0]]
    assert (ranks.lost == -1).all()
    few = Ranks.of(np.array([[np.nan, 2], [1, 2], [np.nan, 0], [0, np.nan]]))
    assert few.ranks.tolist() == [[2, 1, 2, 0], [1, 1, 0, 2]] and few.lost.tolist() == [2, 2]


@cache
def within_a_kernel() -> Any:
    """The numbers of a node by a formula, which is compiled with the loop that calls it: here for all formulas once."""
    return numba.njit(lambda *given: numbers_of_formula(*given))


@pytest.mark.parametrize("criterion", WITH_FORM[:10], ids=repr)
@pytest.mark.parametrize("classes", [2, 5])
def test_a_loop_knows_the_width_of_a_tie(criterion: Criterion, classes: int) -> None:
    rng, data = np.random.default_rng(4), criterion_data(criterion, 400, classes)
    numbers, *_ = functions(data.kind)
    for top in (2, 3, 80):
        counts = rng.integers(0, top, (20, classes))
        counts[:, :2] += 1
        own = within_a_kernel() if data.kind == FORMULA else numbers
        widths = [own(data, row, np.zeros(CONSTANTS))[4] for row in counts]
        np.testing.assert_allclose(widths, band(criterion, counts.astype(float)), rtol=1e-12)


# Whatever builds it: thresholds, guards, missing values, other dtypes.


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_thresholds_separate_their_neighbours(dtype) -> None:  # type: ignore[no-untyped-def]
    of, tiny = np.finfo(dtype), np.finfo(dtype).smallest_subnormal
    pairs = [(1.0, np.nextafter(dtype(1), dtype(2))), (0.0, tiny), (-tiny, 0.0), (of.min, of.max)]
    pairs += [(-1.0, 1.0), (tiny, 2 * tiny), (1e30, np.nextafter(dtype(1e30), dtype(2e30)))]
    low, high = (np.array(side, dtype=dtype) for side in zip(*pairs, strict=True))
    cut = midpoint(low, high)
    assert cut.dtype == np.float64 and (low <= cut).all() and (cut < high).all()
    assert midpoint(np.array([1.0]), np.array([np.nan]))[0] == math.inf


def test_a_guarded_ratio_passes_over_gains_below_average() -> None:
    x = np.arange(40, dtype=np.float32)[:, None]
    y = np.array([0] * 17 + [1] * 3 + [0] * 3 + [1] * 16 + [0])
    free, guarded = BY_FORMULA[2], BY_FORMULA[3]
    cuts = np.arange(1, 40)
    tables = np.stack([np.stack([np.bincount(y[:c], minlength=2), np.bincount(y[c:], minlength=2)]) for c in cuts])
    gains, ratios = decrease(entropy)(tables), free(tables)
    allowed = np.flatnonzero(gains >= gains.mean())
    for tree in trees(x, y, 2, guarded, Stopping(max_depth=1)):
        assert tree.threshold[0] == cuts[allowed[np.argmax(ratios[allowed])]] - 0.5


def test_random_splits_tell_missing_values_from_one_known_value() -> None:
    x, y = np.array([[np.nan], [1.0], [np.nan], [1.0]]), np.array([0, 1, 0, 1])
    for seed in range(5):
        for tree in trees(x, y, 2, decrease(gini), Stopping(), splitter="random", seed=seed):
            assert (tree.threshold[0], tree.missing_left[0], len(tree.feature)) == (1.0, False, 3)
    for tree in trees(x[::2], np.array([0, 1]), 2, decrease(gini), Stopping(), splitter="random"):
        assert len(tree.feature) == 1  # all values are missing


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="float32 or float64; got int64"):
        grow(Training(np.arange(4)[:, None], np.array([0, 1, 0, 1]), 2), decrease(gini))


def test_a_tree_is_not_grown_below_splits_that_gain_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, rows = np.random.default_rng(2), []
    x = rng.normal(size=(3000, 6)).astype(np.float32)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=3000) > 0).astype(int)
    kept = one_loop.tree_of_rows
    monkeypatch.setattr(one_loop, "tree_of_rows", lambda *args: (rows.append(len(args[2].links)), kept(*args))[1])
    tree = grow_drawn(Ranks.of(x), y, 2, decrease(ne(0.5)), GrowthOptions(max_features=2, seed=1))
    assert tree is not None and len(tree.left) > 100
    assert rows[0] < 1.2 * len(tree.left)
