"""Weights in any unit: scores of proportions do not see it, and the others scale by a power or refuse."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import dask.array as da
import numpy as np
import pytest

import splitcrit as sc
from growing import trees
from refusals import refused
from splitcrit import impurities
from splitcrit.criteria import Criterion, as_criterion, decrease, normalised, twoing
from splitcrit.impurities import Impurity
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.trees import DaskTreeClassifier, MultiwayTreeClassifier
from splitcrit.trees.growth.by_reference import reference_of
from splitcrit.trees.growth.growth_options import Stopping
from splitcrit.trees.growth.zero_gain import zero_gain

UNITS = (1e-200, 1e-150, 1e-90, 1e-30, 1e17, 1e30, 1e75, 1e150, 1e290)
POWERS = (2.0**-500, 2.0**-60, 0.125, 2.0**55, 2.0**500)
IMPURITIES = [
    impurities.gini, impurities.entropy, impurities.misclassification, impurities.sqrt_gini, impurities.matushita,
    impurities.bayes_sum, impurities.gce(0.7), impurities.gce(0), impurities.gce(2), impurities.ne(0.5),
    impurities.variance((0, 1, 5)), impurities.absolute_deviation((0, 1, 5)), impurities.shannon_entropy(2),
]  # fmt: skip
WEIGHTS = ([1, 2, 5], [3, 0, 1], [1, 1, 1], [0, 0, 7])
TABLES = ([[3, 1], [1, 4]], [[2, 2], [0, 5]], [[6, 1], [3, 3]], [[1, 1], [1, 3]])
CRITERIA = {name: as_criterion(value) for name, value in NAMES.items()}
OF_DEGREE = {name: c for name, c in CRITERIA.items() if c.degree is not None}
COUNTING = ("sgini", "agini", "significance")


@pytest.mark.parametrize("impurity", IMPURITIES, ids=repr)
def test_impurities_do_not_see_the_unit(impurity: Impurity) -> None:
    for weights, unit in itertools.product(WEIGHTS, (*UNITS, *POWERS, 1e-300, 2e307)):
        found, true = impurity(np.array(weights) * unit), impurity(weights)
        # the rounded products differ from multiples by 2**-53 each
        assert math.isclose(found, true, rel_tol=1e-13, abs_tol=1e-15), (weights, unit)
    assert impurity([[1e308, 1e308, 0], [1e-320, 1e-320, 0]]).tolist() == [impurity([1, 1, 0])] * 2


def test_sizes_beyond_float64_are_answered() -> None:
    assert impurities.gini([1e308, 1e308]) == 0.5
    assert impurities.gini([10**400, 3 * 10**400]) == 0.375
    assert decrease(impurities.gini)([[10**400, 0], [0, 10**400]]) == 0.5
    assert twoing([[Fraction(1, 10**400)] * 2, [Fraction(1, 10**400), Fraction(3, 10**400)]]) == pytest.approx(1 / 72)


@pytest.mark.parametrize("criterion", OF_DEGREE.values(), ids=OF_DEGREE)
def test_a_criterion_scales_by_its_degree(criterion: Criterion) -> None:
    """Fractions say that there is a degree, and what the float should be."""
    for table in TABLES:
        try:
            tripled = criterion.exact([[3 * x for x in row] for row in table])
            assert tripled == 3**criterion.degree * criterion.exact(table)  # type: ignore[operator]
        except ArithmeticError:
            pass  # irrational: the floats below are compared with each other
        for unit in UNITS:
            true = float(criterion(table)) * (unit * unit if criterion.degree else 1)
            if math.isinf(true):
                refused("is finite; got an overflow; scale the weights down", criterion, np.array(table) * unit)
            else:
                assert math.isclose(criterion(np.array(table) * unit), true, rel_tol=1e-13, abs_tol=1e-15)


def test_a_batch_has_a_unit_for_each_table() -> None:
    table = np.array(TABLES[0], dtype=float)
    batch = np.stack([table * unit for unit in (1e-200, 1.0, 1e200)])
    np.testing.assert_allclose(twoing(batch), [twoing(table)] * 3, rtol=1e-14)
    ratio = normalised(impurities.entropy)
    np.testing.assert_allclose(ratio(batch), [ratio(table)] * 3, rtol=1e-14)


@pytest.mark.parametrize("name", COUNTING)
def test_what_permutes_counts_takes_counts_alone(name: str) -> None:
    for unit in (1e-30, 0.5):
        refused("counts must be integers for an exact null law", CRITERIA[name], np.array(TABLES[0]) * unit)


RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4)).round(1)
Y = {2: (X[:, 0] + RNG.normal(size=200) > 0) * 1}
Y[3] = Y[2] + (X[:, 1] + RNG.normal(size=200) > 0.7)
BASES = {"ones": np.ones(200), "counts": RNG.integers(1, 4, 200) * 1.0, "real": RNG.random(200) + 0.1}


def grown(name: str, weights: Any) -> Any:
    least = {"min_gain": None} if name == "sum_minority" else {}
    y = Y[CRITERIA[name].classes or 3]
    return sc.TreeClassifier(criterion=name, max_depth=4, **least).fit(X, y, sample_weight=weights).tree_


def shape_of(tree: Any) -> tuple[Any, ...]:
    return tree.feature.tolist(), tree.threshold.tolist(), tree.children_left.tolist()


@pytest.mark.each_value
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", OF_DEGREE)
def test_trees_do_not_see_the_unit(name: str, base: str) -> None:
    reference = grown(name, BASES[base])
    assert reference.node_count > 5
    for unit in (*POWERS, *(UNITS[:-1] if CRITERIA[name].degree else UNITS)):
        tree = grown(name, BASES[base] * unit)
        assert shape_of(tree) == shape_of(reference), unit
        total = (BASES[base] * unit).sum()
        np.testing.assert_allclose(tree.weighted_n_node_samples[0], total, rtol=1e-12)
        if unit in POWERS:
            assert tree.impurity.tolist() == reference.impurity.tolist()


def test_scores_that_overflow_in_a_tree_are_refused() -> None:
    with pytest.raises(ValueError, match="grow with the power 2 of the weights are finite; got an overflow; divide"):
        grown("pairwise_gain", BASES["counts"] * 1e200)


@pytest.mark.parametrize("unit", [1e-150, 0.5, 1e17, 1e30, 1e75, 1e150])
@pytest.mark.parametrize("name", COUNTING)
def test_trees_of_permuted_counts_refuse_weights(name: str, unit: float) -> None:
    refused(f"{name} permutes samples and needs weights that are counts", grown, name, BASES["ones"] * unit)
    with pytest.raises(ValueError, match="needs weights that are counts"):
        sc.ForestClassifier(2, bootstrap=False, criterion=name).fit(X, Y[2], BASES["ones"] * unit)
    refused("needs weights that are counts", sc.TreeClassifier(criterion=name, class_weight="balanced").fit, X, Y[2])


@pytest.mark.parametrize("impurity", [impurities.misclassification, impurities.ne(0.5)], ids=repr)
def test_counts_beyond_int64_gain_what_small_ones_do(impurity: Impurity) -> None:
    trees = [
        sc.TreeClassifier(criterion=impurity, max_depth=3).fit(X, Y[2], sample_weight=np.full(200, unit)).tree_
        for unit in (1.0, 1e17, 1e30)
    ]
    assert trees[0].node_count >= 5
    assert shape_of(trees[1]) == shape_of(trees[2]) == shape_of(trees[0])


def test_zero_gains_of_integers_of_any_size() -> None:
    sides = np.array([[3, 1], [3, 1], [7, 7]]), np.array([[2, 2], [1, 2], [1, 1]])
    for impurity in (impurities.misclassification, impurities.ne(0.5)):
        small = zero_gain(*sides, decrease(impurity))
        assert small is not None and 0 < small.sum() < 3
        for unit in (2.0**40, 2.0**70, 2.0**600):
            found = zero_gain(*(side * unit for side in sides), decrease(impurity))
            assert found is not None and found.tolist() == small.tolist()


def test_small_trees_do_not_see_the_unit() -> None:
    weights = BASES["real"]
    roots = [reference_of(X, Y[2], 2, twoing, weights=weights * unit) for unit in (1.0, 2.0**-400)]
    one, two = (root.walk() for root in roots)
    assert [(n.feature, n.threshold) for n in one if n.feature >= 0] == [
        (n.feature, n.threshold) for n in two if n.feature >= 0
    ]
    assert [(n.weights * 2.0**-400).tolist() for n in one] == [n.weights.tolist() for n in two]


@pytest.mark.parametrize("error", ["squared_error", "absolute_error"])
def test_regression_trees_do_not_see_the_unit(error: str) -> None:
    y = X[:, 0] + RNG.normal(size=200)
    reference, *others = (
        sc.TreeRegressor(criterion=error, max_depth=4).fit(X, y, sample_weight=BASES["real"] * unit).tree_
        for unit in (1.0, 1e-300, 2.0**-500, 2.0**500, 1e300)
    )
    assert reference.node_count > 5
    assert all(shape_of(tree) == shape_of(reference) for tree in others)


# `min_gain` is in the unit of the criterion's score: just below it a root splits, just above not.

APART = 1e-7  # far above the rounding of a score and the width of a tie, far below the gaps between scores
NEVER_POSITIVE, IN_PARTITIONS = {"sum_minority"}, {"sgini", "entropy", "pairwise_gain", "significance"}
TWO_ROWS_ONLY = {"twoing", "pairwise_gain", "one_vs_rest_pairwise_gain", "sum_minority"}


def problem(seed: int, noise: float = 0.25, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """A feature of two values that tells the classes, with noise, and others of many values that tell nothing."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], n // 2))
    telling = np.where(rng.random(n) < noise, 1 - y, y)
    return np.stack([telling, *rng.integers(0, 9, (2, n))], axis=1).astype(float), y


def score_of_root(name: str, x: np.ndarray, y: np.ndarray, tree: Any) -> float:
    """What the public function calls the score of the split of the root."""
    left = x[:, tree.feature[0]] <= tree.threshold[0]
    return float(as_criterion(NAMES[name])([np.bincount(y[side], minlength=2).tolist() for side in (left, ~left)]))


@pytest.mark.each_value
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(NAMES.keys() - NEVER_POSITIVE))
def test_min_gain_is_in_the_unit_of_the_score(name: str, seed: int) -> None:
    x, y = problem(seed)
    whole = sc.TreeClassifier(criterion=name, max_depth=1, min_gain=None).fit(x, y)
    score = score_of_root(name, x, y, whole.tree_)
    assert score > 0, "the draw tells something"
    for least, split in ((score * (1 - APART), True), (score * (1 + APART), False)):
        found = trees(x, y, 2, as_criterion(NAMES[name]), Stopping(max_depth=1, min_gain=least))
        assert [len(tree.feature) > 1 for tree in found] == [split] * len(found)
        makers = [
            sc.TreeClassifier(criterion=name, max_depth=1, min_gain=least),
            sc.ForestClassifier(1, criterion=name, max_depth=1, min_gain=least, bootstrap=False, max_features=None),
            sc.AdaptiveTreeClassifier(family=lambda _: NAMES[name], grid=(0,), max_depth=1, min_gain=least),
        ]
        for maker in makers:
            fitted = maker.fit(x, y)
            tree = fitted.estimators_[0] if hasattr(fitted, "estimators_") else fitted
            assert (tree.get_depth() == 1) is split, maker
        if name in IN_PARTITIONS:
            parted = DaskTreeClassifier(criterion=name, max_depth=1, min_gain=least)
            parted.fit(da.from_array(x, chunks=(15, 3)), da.from_array(y, chunks=15))
            assert (parted.get_depth() == 1) is split
        if name not in TWO_ROWS_ONLY:
            shallow = MultiwayTreeClassifier(criterion=name, max_depth=1, min_gain=least).fit(x[:, :1], y)
            own = float(as_criterion(NAMES[name])(np.array([np.bincount(y[x[:, 0] == v]) for v in (0, 1)])))
            assert (shallow.get_depth() == 1) is (own > least)


@pytest.mark.parametrize("error", ["squared_error", "absolute_error"])
def test_min_gain_of_a_regression_is_a_decrease_of_the_error(error: str) -> None:
    x, y = np.arange(8.0)[:, None], np.array([0.0, 1, 0, 1, 5, 6, 5, 6])
    middle, risk = (np.mean, np.square) if error == "squared_error" else (np.median, np.abs)
    whole, *sides = (float(np.mean(risk(part - middle(part)))) for part in (y, y[:4], y[4:]))
    score = whole - sum(sides) / 2
    for least, split in ((score * (1 - APART), True), (score * (1 + APART), False)):
        tree = sc.TreeRegressor(criterion=error, max_depth=1, min_gain=least).fit(x, y)
        assert (tree.get_depth() == 1) is split


def test_a_criterion_that_is_never_positive_says_so() -> None:
    x, y = problem(0)
    with pytest.raises(ValueError, match="never positive, so that a tree splits only if min_gain is None"):
        sc.TreeClassifier(criterion="sum_minority").fit(x, y)
