"""Subsets of categories in growth, against brute force over all subsets of every node in exact or plain arithmetic."""

import itertools
from typing import Any

import numpy as np
import pytest

from growing import BY_FORMULA, WITH_FORM, by_reference, grow_regression
from splitcrit import criteria, decrease, impurities
from splitcrit.criteria import Criterion
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow, one_loop
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.training import Ranks
from splitcrit.trees.reference import LeafRules, reference_tree
from splitcrit.trees.scan import Limits
from splitcrit.trees.scan.records import METHODS
from splitcrit.trees.scan.subsets import best_order, class_scores, masks, shortcut, simpler

CRITERIA = [*WITH_FORM[:11], *BY_FORMULA[:3], criteria.imprecise_gain_ratio(1), BY_FORMULA[-1]]


def test_a_category_of_zeros_may_not_stand_alone_and_the_best_subset_is_no_cut_by_mean() -> None:
    """Zeros with the larger mean of the rest (0 and 2) against 1.5 save most; cuts by mean are 0 | rest or 2 | rest."""
    y, code = np.array([0.0, 2.0, 1.5]), np.arange(3.0)[:, None]
    recoding = Recoding(np.array([3]), 6)
    growing = GrowthOptions(Stopping(max_depth=1), recoding=recoding)
    tree = grow_regression(code, y, np.array([3.0, 1.0, 100.0]), "poisson", growing)
    assert sorted(tree.value[1:]) == pytest.approx([0.5, 1.5])
    [subset] = recoding.subsets
    assert subset.exact and {subset.left, subset.right} == {(0, 1), (2,)}


# The search alone.


def test_the_shortcut_is_used_only_where_it_is_proved() -> None:
    proved = [c for c in CRITERIA if shortcut(c, 2)]
    assert not {repr(c) for c in proved} & {"sgini", "agini", "imprecise_information_gain(s=1)"}
    assert len(proved) >= 8
    assert not any(shortcut(c, 3) for c in CRITERIA)


@pytest.mark.parametrize("criterion", [c for c in CRITERIA if shortcut(c, 2)], ids=repr)
def test_at_two_classes_the_order_is_as_good_as_all_subsets_where_it_is_proved(criterion: Criterion) -> None:
    rng, scores = np.random.default_rng(1), class_scores(criterion)
    tables = rng.integers(0, 6, size=(400, 6, 2)).astype(float)
    tables = tables[(tables.sum(axis=2) > 0).all(axis=1) & (tables.sum(axis=1) > 0).all(axis=1)]
    ranks = best_order(tables, tables.sum(axis=2).astype(int), Limits(), scores, np.zeros(len(tables)))
    cuts = np.take_along_axis(tables, ranks.argsort(axis=1)[..., None], axis=1).cumsum(axis=1)[:, :-1]
    best, every = (
        scores(left, tables.sum(axis=1)[:, None] - left, np.ones(left.shape[:2], dtype=bool)).max(axis=1)
        for left in (cuts, np.einsum("sp,mpk->msk", masks(6), tables))
    )
    assert (every - best).max() <= 1e-12 * np.abs(tables).max()


@pytest.mark.parametrize("criterion", [c for c in CRITERIA if simpler(c, 3, False)[1]], ids=repr)
def test_categories_of_one_class_alone_are_joined_without_loss(criterion: Criterion) -> None:
    """Ten categories of few samples, of which at most five are left, are divided as well as in all ways."""
    rng, scores, exact = np.random.default_rng(3), class_scores(criterion), 0
    for _ in range(100):
        table = np.eye(3)[rng.integers(0, 3, 10)] * rng.integers(1, 4, (10, 1))
        table += (rng.random((10, 1)) < 0.2) * rng.integers(0, 3, (10, 3))
        recoding, sizes = Recoding(np.array([10]), 5), table.sum(axis=1).astype(int)
        ranked = recoding.by_class(table[None], sizes[None], criterion, Limits())
        left = np.vstack([masks(10), ranked.ranks[0] == 0])[None] @ table
        every = scores(left, table.sum(axis=0) - left, np.ones(left.shape[:2], bool))[0]
        if METHODS[ranked.method[0]] == "all subsets":
            assert every[-1] == pytest.approx(every.max(), rel=1e-9)
            exact += 1
    assert 50 < exact < 100


def test_a_split_says_how_it_was_found() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 12, size=(400, 1)).astype(np.float32)
    y = rng.integers(0, 3, 400)
    for most, method in ((12, "all subsets"), (11, "several orders")):
        recoding = Recoding(np.array([12]), most)
        grow(Training(x, y, 3), decrease(impurities.gini), GrowthOptions(Stopping(max_depth=1), recoding=recoding))
        assert [subset.method for subset in recoding.subsets] == [method]
        assert recoding.subsets[0].exact == (method == "all subsets")
        assert sorted(recoding.subsets[0].left + recoding.subsets[0].right) == list(range(12))
    recoding = Recoding(np.array([12]), 12)
    growing = GrowthOptions(Stopping(max_depth=2), splitter="random", seed=1, recoding=recoding)
    grow(Training(x, y, 3), decrease(impurities.gini), growing)
    assert {subset.method for subset in recoding.subsets} == {"random"}
    assert set(METHODS) >= {"mean response", "all subsets", "several orders"}


def test_a_long_tree_outgrows_its_first_rows() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 8, (2000, 6)).astype(np.float32), rng.integers(0, 3, 2000)
    both = []
    for builder in (grow, by_reference):
        recoding = Recoding(np.full(6, 8), 8)
        growing = GrowthOptions(Stopping(max_depth=9), recoding=recoding)
        both.append((builder(Training(x, y, 3), decrease(impurities.gini), growing), recoding.subsets))
    assert len(both[0][0].size) > 512
    np.testing.assert_array_equal(both[0][0].feature, both[1][0].feature)
    assert both[0][1] == both[1][1]


# The compiled loop over categories grows the tree that the reference builder grows, node for node.

NAMES = ("feature", "threshold", "left", "right", "depth", "size", "weights", "missing_left", "score", "impurity")
LEVELS = np.array([5, 0, 4, 0, 7])
GINI = decrease(impurities.gini)
RECODED = [GINI, *map(decrease, (impurities.sqrt_gini, impurities.ne(0.5), impurities.matushita)), criteria.twoing]


def sample(seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Columns of categories and of numbers, with ties and missing numbers, and codes of 2 to 5 classes."""
    rng = np.random.default_rng(seed)
    n, classes = int(rng.integers(5, 200)), int(rng.integers(2, 6))
    numbers = rng.normal(size=n).round(1), rng.integers(0, 3, n)
    x = np.stack([rng.integers(0, 5, n), numbers[0], rng.integers(0, 4, n), numbers[1], rng.integers(0, 7, n)], axis=1)
    x[:, 1::2][rng.random((n, 2)) < 0.3 * (seed % 3 == 1)] = np.nan
    noise = (rng.random(n) < 0.3) * rng.integers(0, classes, n)
    return x.astype(np.float32), (x[:, 0].astype(int) + noise) % classes, classes


def grown(seed: int, criterion: Criterion, stopping: Stopping, builder: Any, most: int) -> tuple[Any, Recoding]:
    x, y, classes = sample(seed)
    recoding, rng = Recoding(LEVELS, most), np.random.default_rng(seed)
    draws: dict[str, Any] = {"max_features": [None, 2][seed % 2], "draw": ["all", "varying"][rng.integers(0, 2)]}
    growing = GrowthOptions(stopping, recoding=recoding, splitter=["best", "random"][seed % 5 == 4], seed=seed, **draws)
    weights = [None, rng.integers(1, 4, len(y)) / 1.0, rng.integers(1, 9, len(y)) / 4.0][seed % 3]
    return builder(Training(x, y, classes, weights), criterion, growing), recoding


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", RECODED, ids=repr)
@pytest.mark.parametrize("seeds", range(4))
def test_the_tree_is_that_of_the_reference_builder(criterion: Criterion, seeds: int, monkeypatch) -> None:
    """Whatever divisions are tried: of an order, all, of several orders, one at random; with limits, weights, draws."""
    calls: list[Any] = []

    def counted(*given: Any, grow: Any = one_loop.recoded) -> Any:
        calls.append(given)
        return grow(*given)

    monkeypatch.setattr(one_loop, "recoded", counted)
    methods = set[str]()
    for seed in range(8 * seeds, 8 * seeds + 8):
        least, heavy = 1 + seed % 2 * 2, 2.5 * (seed % 8 == 6)
        stopping = Stopping(4 if seed % 2 else None, 2 + seed % 4, least, heavy, 0.0 if seed % 3 else None)
        trees = (grown(seed, criterion, stopping, each, 8 - seed % 3 * 3) for each in (grow, by_reference))
        (tree, ours), (other, theirs) = trees
        for name in NAMES:
            np.testing.assert_array_equal(getattr(tree, name), getattr(other, name), err_msg=name)
        assert ours.subsets == theirs.subsets
        methods |= {subset.method for subset in ours.subsets}
    assert len(calls) == 8 and methods >= {"all subsets", "several orders", "random"}


@pytest.mark.parametrize("classes", [2, 3, 4, 5])
def test_of_divisions_that_tie_the_first_is_taken(classes: int) -> None:
    """Two categories of equal classes stand before others whose counts are each other's, turned."""
    for seed, criterion, most in itertools.product(range(9), RECODED, (8, 2)):
        rng, found = np.random.default_rng(seed), []
        counts, even = rng.integers(1, 20, classes), rng.integers(1, 30, 2)
        tables = [*np.full((classes, 2), even).T, *(np.roll(counts, i) for i in range(classes))]
        y = np.concatenate([np.repeat(np.arange(classes), each) for each in tables])
        x = np.repeat(np.arange(classes + 2), [each.sum() for each in tables])[:, None].astype(np.float32)
        for builder in (grow, by_reference):
            recoding = Recoding(np.array([classes + 2]), most)
            builder(Training(x, y, classes), criterion, GrowthOptions(Stopping(1), recoding=recoding))
            found.append(recoding.subsets)
        assert found[0] == found[1], (seed, criterion, most)


def test_of_tied_divisions_the_first_in_binary_order_is_taken() -> None:
    """{0, 2} and {1, 2} tie; the search, which moves one category at a time, meets the latter first."""
    counts = np.array([[2, 2, 2], [2, 2, 2], [4, 2, 0], [0, 2, 4]])
    x, y = (np.repeat(each, counts.ravel()) for each in np.indices(counts.shape).reshape(2, -1))
    recoding = Recoding(np.array([4]), 8)
    growing = GrowthOptions(Stopping(1, min_samples_leaf=12), recoding=recoding)
    grow(Training(x[:, None].astype(np.float32), y, 3), decrease(impurities.gini), growing)
    root = reference_tree(x[:, None], y, 3, impurities.gini, LeafRules(min_samples_leaf=12), categories=[0])
    assert [subset.left for subset in recoding.subsets] == [root.left_levels] == [(0, 2)]


@pytest.mark.parametrize("splitter", ["best", "random"])
def test_columns_of_categories_are_left_as_they_are(splitter: Any) -> None:
    """Ranks of categories, by which samples are moved, stand beside the columns, which trees may share."""
    x, y, classes = sample(2)
    ranks = Ranks.of(x)
    before = ranks.values.copy(), ranks.ranks.copy()
    growing = GrowthOptions(recoding=Recoding(LEVELS, 3), splitter=splitter)
    assert grow(Training(x, y, classes, None, ranks), GINI, growing).feature.max() >= len(LEVELS)
    grow_regression(x, y.astype(float), growing=growing, ranks=ranks)
    for now, then in zip((ranks.values, ranks.ranks), before, strict=True):
        np.testing.assert_array_equal(now, then)
