"""Features that are drawn among all or those that vary in the node: which, how often each, in which builders."""

from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import chisquare

from growing import grow_regression, grow_sparse, splitmix64
from splitcrit import decrease, gini
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.by_reference import reference_of
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.grown_tree import with_scores
from splitcrit.trees.growth.training import Sparse
from splitcrit.trees.scan.random_keys import drawn_ranks, root_key

GINI, GOLDEN = decrease(gini), 0x9E3779B97F4A7C15


def data(rng: Any, n: int = 60) -> tuple[Any, Any]:
    """One-hot columns of a feature of nine values, a column of few numbers, two constants, and classes."""
    value = rng.choice(9, n, p=np.arange(1, 10) / 45)
    x = np.column_stack([value[:, None] == np.arange(9), np.zeros(n), rng.integers(0, 4, n), np.ones(n)])
    return x.astype(np.float32), (value + rng.integers(0, 6, n)) // 3 % 3


def drawn(key: int, x: Any, count: int, draw: str) -> list[int]:
    """The features that a node tries, in the order in which they are drawn out of a row of all of them."""
    waiting, found, enough = list(range(x.shape[1])), [], 1 if draw == "all" else count
    for i in range(x.shape[1]):
        if i >= count and len(found) >= enough:
            break
        number = (splitmix64(splitmix64(key + (i + 3) * GOLDEN)) >> 11) / 2**53
        at = int(number * len(waiting))
        f, waiting[at] = waiting[at], waiting[0]
        del waiting[0]
        if len(set(x[:, f].tolist())) > 1:
            found.append(f)
    return found


def purity(labels: Any) -> Fraction:
    """The sum of squared class counts over their number, which the best split of a node has most of."""
    return Fraction(int((np.bincount(labels) ** 2).sum()), len(labels))


def plain(x: Any, y: Any, count: int, draw: str, key: int) -> Any:
    """The tree of a training set as a slow recursion grows it: size, and feature, threshold and both sides if split."""
    best, chosen = purity(y), None
    for f in drawn(key, x, count, draw):
        values = np.unique(x[:, f])
        for cut in (values[1:] / 2.0 + values[:-1] / 2.0).tolist():
            goes = x[:, f] <= cut
            if (found := purity(y[goes]) + purity(y[~goes])) > best:
                best, chosen = found, (f, cut, goes)
    if chosen is None:
        return (len(y),)
    f, cut, goes = chosen
    sides = (goes, splitmix64(key + GOLDEN)), (~goes, splitmix64(key + 2 * GOLDEN))
    return len(y), f, cut, *(plain(x[side], y[side], count, draw, below) for side, below in sides)


def nested(tree: GrownTree, node: int = 0) -> Any:
    """The same of a tree that was grown."""
    if tree.left[node] < 0:
        return (int(tree.size[node]),)
    below = nested(tree, tree.left[node]), nested(tree, tree.right[node])
    return int(tree.size[node]), int(tree.feature[node]), float(tree.threshold[node]), *below


@pytest.mark.each_value
@pytest.mark.parametrize("draw", ["all", "varying"])
@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_every_builder_grows_the_tree_of_a_slow_recursion(count: int, draw: str) -> None:
    splits = 0
    for seed in range(8):
        x, y = data(np.random.default_rng(seed))
        expected = plain(x, y, count, draw, int(root_key(seed)))
        growing = GrowthOptions(max_features=count, draw=draw, seed=seed)
        reference = with_scores(GrownTree.of(reference_of(x, y, 3, GINI, growing)), GINI)
        sparse = grow_sparse(Sparse.of(csr_array(x)), y, 3, GINI, growing)
        for tree in (reference, grow(Training(x, y, 3), GINI, growing), sparse):
            assert nested(tree) == expected
            splits += int((tree.left >= 0).sum())
    assert splits > 300


def test_every_subset_of_the_features_that_vary_is_drawn_as_often() -> None:
    d, count, keys = 8, 3, np.array([root_key(seed) for seed in range(4000)])
    constant = np.isin(np.arange(d), (0, 3))
    ranks = drawn_ranks(keys, np.broadcast_to(constant, (len(keys), d)), count, count)
    subsets = list(combinations(np.flatnonzero(~constant).tolist(), count))
    drawn_here = [tuple(np.flatnonzero((row >= 0) & ~constant).tolist()) for row in ranks]
    assert set(drawn_here) == set(subsets)
    assert chisquare([drawn_here.count(each) for each in subsets]).pvalue > 0.01


def test_every_order_of_the_features_drawn_among_all_comes_as_often() -> None:
    keys = np.array([root_key(seed) for seed in range(6000)])
    ranks = drawn_ranks(keys, np.zeros((len(keys), 5), dtype=bool), 3)
    found = [tuple(row.argsort()[2:].tolist()) for row in ranks]
    assert set(found) == set(permutations(range(5), 3))
    assert chisquare([found.count(each) for each in permutations(range(5), 3)]).pvalue > 0.01


KINDS: list[Any] = [  # trees of labels, and of the same as responses
    lambda x, y, growing: grow(Training(x, y, 2), GINI, growing),
    lambda x, y, growing: grow_regression(x, y.astype(float), growing=growing),
]


@pytest.mark.parametrize("grown", KINDS, ids=["labels", "responses"])
def test_a_missing_and_a_known_value_are_two(grown: Any) -> None:
    """Of three columns one is missing everywhere, one varies by what is missing alone, and one by two numbers."""
    y = np.arange(12) % 2
    x = np.column_stack([np.full(12, np.nan), np.where(y, np.nan, 1.0), np.arange(12) // 6])
    trees = [grown(x, y, GrowthOptions(Stopping(1), 2, draw="varying", seed=seed)) for seed in range(20)]
    assert {int(tree.feature[0]) for tree in trees} == {1}


@pytest.mark.parametrize("grown", KINDS, ids=["labels", "responses"])
def test_categories_without_an_allowed_subset_vary(grown: Any) -> None:
    """A column of categories whose least leaf allows no subset is drawn as a number would be, and the node stays."""
    y, stopping = np.arange(12) % 2, Stopping(1, min_samples_leaf=3)
    x, leaves = np.column_stack([np.arange(12) < 2, y]).astype(np.float32), {"all": 0, "varying": 0}
    for draw, seed in product(leaves, range(40)):
        recoding = Recoding(np.array([2, 0]), 4)
        growing = GrowthOptions(stopping, 1, draw=draw, seed=seed, recoding=recoding)
        leaves[draw] += len(grown(x, y, growing).left) == 1
    assert 10 < leaves["all"] == leaves["varying"] < 30
