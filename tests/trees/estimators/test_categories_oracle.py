"""Subsets of categories of one node against all subsets; whole trees are held against the reference builder."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import orders
from growing import grow_regression
from splitcrit import TreeClassifier, TreeRegressor, decrease, entropy, gini, normalised
from splitcrit.trees.growth import GrowthOptions, Stopping
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.scan import Limits
from splitcrit.trees.scan.subsets import Comparison, best_order, best_subsets, class_scores


def drawn(seed: int, classes: int, n: int = 30) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Two categorical columns around a numeric one, some categories missing, with targets and weights."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(np.array(["red", "blue", "green", "pink", None], dtype=object), n)
    frame = pd.DataFrame({"colour": colour, "size": rng.integers(0, 6, n), "shape": rng.choice(["disc", "rod"], n)})
    likely = np.array([sum(map(ord, f"{a}{b}")) % classes for a, b in zip(colour, frame["shape"], strict=True)])
    return frame, np.where(rng.random(n) < 0.7, likely, rng.integers(0, classes, n)), rng.choice([0.25, 1.0, 5.0], n)


@pytest.mark.parametrize("wrong", [3, -4, "hue", 1.5, None])
def test_features_that_are_none_of_the_table_are_refused(wrong: Any) -> None:
    frame, y, _ = drawn(0, 2)
    for places in ([0, 2], [-3, -1]):
        assert TreeClassifier(categorical_features=places).fit(frame, y).splits_
    with pytest.raises(ValueError, match="categorical_features must be a mask, positions or names of features"):
        TreeClassifier(categorical_features=[0, wrong]).fit(frame, y)


# Of one node.


def best_deviations(codes: Any, y: Any, w: Any, p: int, limits: Limits) -> Any:
    """Return the categories that a tree of one split by absolute error sends left, none where it has no split."""
    recoding = Recoding(codes[:, None], np.array([p]), 10)
    stopping = Stopping(1, 2, limits.least, limits.lightest, None)
    growing = GrowthOptions(stopping, recoding=recoding)
    grow_regression(codes[:, None].astype(float), y, w, "absolute_error", growing)
    return np.isin(np.arange(p), recoding.subsets[0].left if recoding.subsets else ())


def deviation(y: list[int], w: list[int]) -> int:
    """Return the least weighted sum of absolute deviations."""
    return min(sum(b * abs(a - c) for a, b in zip(y, w, strict=True)) for c in y)


@pytest.mark.parametrize(("least", "lightest"), [(1, 0.0), (3, 0.0), (1, 9.0), (2, 7.0)])
def test_least_deviations_of_one_node_are_those_of_all_subsets(least: int, lightest: float) -> None:
    """The fewest samples are counted, the least weight is weighed."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n, p = int(rng.integers(6, 14)), int(rng.integers(2, 5))
        codes = np.append(rng.integers(0, p, n - p), np.arange(p))
        y, w = np.sort(rng.integers(0, 9, n)).astype(float), rng.choice([1, 2, 9], n).astype(float)
        rng.shuffle(codes)
        allowed = {}
        for bits in range(1, 2 ** (p - 1)):
            kept = [i for i in range(p) if bits >> i & 1]
            sides = [[(int(a), int(b)) for a, b, c in zip(y, w, codes, strict=True) if (c in kept) == left]
                     for left in (True, False)]  # fmt: skip
            if min(map(len, sides)) >= least and min(sum(b for _, b in side) for side in sides) >= lightest:
                allowed[bits] = sum(deviation(*map(list, zip(*side, strict=True))) for side in sides)
        found = best_deviations(codes, y, w, p, Limits(least, lightest))
        expected = min(allowed, key=lambda bits: (allowed[bits], bits), default=0)
        assert sum(1 << i for i in np.flatnonzero(found).tolist()) == expected


@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor()], ids=repr)
def test_a_subset_of_exactly_the_least_weight_or_size_is_allowed(model: Any) -> None:
    """Two rows of weight 1/2 are one eighth of all."""
    frame, y = pd.DataFrame({"kind": list("aabbbccccc")}), np.array([0, 0] + [1] * 8)
    weights = [0.5] * 2 + [0.875] * 8
    for options, sides in (
        ({"min_weight_fraction_leaf": 0.125}, {"a", "bc"}), ({"min_weight_fraction_leaf": 0.126}, {"ab", "c"}),
        ({"min_samples_leaf": 2}, {"a", "bc"}), ({"min_samples_leaf": 3}, {"ab", "c"}),
    ):  # fmt: skip
        tree = model.__class__(max_depth=1, categorical_features=["kind"], **options)
        (split,) = tree.fit(frame, y, sample_weight=weights).splits_.values()
        assert {"".join(split.left), "".join(split.right)} == sides


def test_categories_that_are_absent_change_no_order() -> None:
    """The order of the others is what it is without them, and they come last."""
    scores = class_scores(decrease(gini))
    for seed in range(40):
        rng = np.random.default_rng(seed)
        tables = rng.integers(0, 9, (1, 5, 3)).astype(float) + np.eye(5, 3)
        tables[0, 3:, 0] += 1
        wider = np.insert(tables, [0, 2, 5], 0.0, axis=1)
        alone, among = (
            best_order(t, t.sum(axis=2).astype(int), Limits(), scores, np.zeros(1))[0] for t in (tables, wider)
        )
        present = wider[0].sum(axis=1) > 0
        assert among[present].tolist() == alone.tolist() and among[~present].min() > among[present].max()


def test_of_subsets_that_tie_but_for_rounding_the_first_is_taken() -> None:
    """Three categories that differ in the names of the classes only: each alone gains as much as any other."""
    scores, differ = class_scores(decrease(entropy)), 0
    for counts in product((1.0, 3.0, 7.0, 10.0, 13.0), repeat=3):
        if len(set(counts)) < 3:
            continue
        table = np.array([[np.roll(counts, shift) for shift in range(3)]])
        sizes, width = table.sum(axis=2).astype(int), 1e-11 * np.log(3) * np.ones(1)
        left = np.stack([table[:, 0], table[:, 1], table[:, 0] + table[:, 1]], axis=1)
        differ += len(set(scores(left, table.sum(axis=1)[:, None] - left, np.ones((1, 3), bool))[0].tolist())) > 1
        assert best_subsets(table, sizes, Limits(), Comparison(scores, width)).tolist() == [[True, False, False]]
    assert differ


def test_of_deviations_that_tie_but_for_rounding_the_first_is_taken() -> None:
    """The last category mirrors the first, about the middle one: to part either from the rest is as good."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        low, weights = np.sort(rng.random(5).round(1)) - 3.1, rng.choice([0.1, 0.3, 0.7], 5)
        y = np.concatenate([low, [-0.1, 0.1], -low[::-1]])
        codes, w = np.repeat([0, 1, 2], [5, 2, 5]), np.concatenate([weights, [0.2, 0.2], weights[::-1]])
        assert best_deviations(codes, y, w, 3, Limits()).tolist() == [True, False, False]


@pytest.mark.parametrize("least", [1, 6])
def test_a_guarded_ratio_passes_over_subsets_that_gain_less_than_the_average(least: int) -> None:
    """The average is that of the subsets that the limits allow; the guard changes what is best."""
    guarded, changed = class_scores(normalised(entropy, guarded=True)), 0
    for seed in range(40):
        table = np.random.default_rng(seed).integers(4, 12, (4, 3))
        table[seed % 4] = [1, 0, 0]  # a subset of one sample has a large ratio
        gains, ratios = {}, {}
        for bits in range(1, 8):
            kept = [i for i in range(4) if bits >> i & 1]
            sides = [table[kept].sum(axis=0).tolist(), np.delete(table, kept, axis=0).sum(axis=0).tolist()]
            if min(map(sum, sides)) >= least:
                gains[bits] = float(orders.gain(sides, orders.entropy))
                ratios[bits] = gains[bits] / orders.entropy([sum(side) for side in sides])
        average = sum(gains.values()) / len(gains)
        expected = max((b for b in gains if gains[b] >= average), key=lambda b: ratios[b])
        changed += expected != max(ratios, key=lambda b: ratios[b])
        sizes = table.sum(axis=1)[None]
        found = best_subsets(table[None].astype(float), sizes, Limits(least), Comparison(guarded, np.array([1e-11])))
        assert sum(1 << i for i in np.flatnonzero(found[0]).tolist()) == expected
    assert changed or least > 1, "the guard never matters"


@pytest.mark.parametrize("options", [{"min_weight_fraction_leaf": 0.25}, {"min_samples_leaf": 2}], ids=str)
@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor()], ids=repr)
def test_under_a_limit_the_best_subset_may_be_no_cut_of_the_order(model: Any, options: dict[str, Any]) -> None:
    """The pure categories of one sample each are too small alone: together, at both ends of the order, they are not."""
    frame, y, weights = pd.DataFrame({"kind": list("mmmab")}), np.array([0, 1, 1, 1, 0]), [2.0] * 5
    tree = model.__class__(categorical_features=["kind"], max_depth=1, **options).fit(frame, y, sample_weight=weights)
    (split,) = tree.splits_.values()
    assert {split.left, split.right} == {("m",), ("a", "b")} and split.exact


@pytest.mark.parametrize("least", [1, 3])
def test_large_responses_that_differ_little_are_told_apart(least: int) -> None:
    """A constant of 2^40 is added to all responses: exact in binary, and no split changes."""
    for seed in range(5):
        frame, y, weights = drawn(seed, 5)
        model = TreeRegressor(categorical_features=[0, 2], min_samples_leaf=least, max_depth=2)
        one, other = (model.fit(frame, each, weights).splits_ for each in (y.astype(float), y + 2.0**40))
        assert one == other and one


def test_samples_are_counted_where_weights_differ() -> None:
    """One category of one heavy sample: its weight does not make up for the others."""
    codes, y, w = np.array([0, 0, 0, 1, 1, 2]), np.array([0.0, 0, 0, 1, 1, 9]), np.array([1.0, 1, 1, 1, 1, 9])
    assert best_deviations(codes, y, w, 3, Limits(1)).tolist() == [True, True, False]
    assert best_deviations(codes, y, w, 3, Limits(2)).tolist() == [True, False, False]
    assert not best_deviations(codes, y, w, 3, Limits(4)).any()
