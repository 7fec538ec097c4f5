"""Compiled loops over the categories of one node, against exact arithmetic and the search by formulas."""

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from splitcrit import criteria, decrease, impurities
from splitcrit.compiling import kernel
from splitcrit.criteria import Criterion
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.scan import Limits
from splitcrit.trees.scan.prepared_criterion import criterion_data, scorer
from splitcrit.trees.scan.records import CONSTANTS, CategoryTable, SideLimits
from splitcrit.trees.scan.subsets import mean_response, principal_response, ranks, simpler

CRITERIA = [decrease(impurities.gini), decrease(impurities.entropy), decrease(impurities.matushita), criteria.twoing]


def space_of(table: Any, ordered: bool = False, joins: bool = False, most: int = 8) -> CategoryTable:
    """A node with a table of class counts, a row for each count."""
    space = CategoryTable.of(*table.shape, ordered, joins, most)
    space.table[:], space.rows[:-1], space.weights[:-1] = table, table.sum(axis=1), table.sum(axis=1)
    return space


def test_an_order_is_by_exact_shares_and_ties_stay_in_order() -> None:
    from splitcrit.trees.scan import scan_subsets

    rng, tied = np.random.default_rng(1), 0
    for _ in range(200):
        table = rng.integers(0, 4, (6, 2)) + np.array([[0, 1]])
        table[rng.random(6) < 0.2] = 0
        there = np.flatnonzero(table.sum(axis=1))
        shares = [Fraction(int(table[j, 1]), int(table[j].sum())) for j in there]
        tied += len(set(shares)) < len(shares)
        expected = [int(j) for _, j in sorted(zip(shares, there, strict=True))]
        space = space_of(table)
        p = scan_subsets.occurring.py_func(space)
        scan_subsets._shares.py_func(space, p, 1)
        scan_subsets.sort_by_key.py_func(space, p)
        assert space.there[:p].tolist() == expected
        response = mean_response(table[None, there].astype(float))
        assert there[np.argsort(ranks(response, np.ones((1, len(there)), bool))[0])].tolist() == expected
    assert tied > 50


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("most", [8, 3])
def test_the_first_best_division_is_that_of_the_search_by_formulas(criterion, classes, most):
    """Of all divisions, or of the cuts of several orders, under a limit or none."""
    rng, divide = np.random.default_rng(classes), dividing()
    for turn in range(60):
        p, row = int(rng.integers(2, 7)), rng.integers(1, 90, classes)
        table = rng.integers(0, 9, (p, classes)) + 1
        if turn % 2:  # divisions that tie but for the order in which classes are summed
            table = np.stack([np.roll(row, i) for i in range(classes)])
            p = classes
        elif turn % 4:  # categories of one class alone, which are joined
            alone = np.eye(classes, dtype=np.int64)[[0, 1, *rng.integers(0, classes, 6)]] * rng.integers(1, 5, (8, 1))
            table, p = alone + (rng.random((8, 1)) < 0.3) * rng.integers(0, 3, (8, classes)), 8
        counts, least = table.sum(axis=0), 1 if turn % 3 else int(table.sum()) // 3
        data, limits = criterion_data(criterion, int(counts.sum()), classes), Limits(least)
        recoding, sizes = Recoding(np.zeros((1, 1)), np.array([p]), most), table.sum(axis=1)
        expected = recoding.by_class(table[None].astype(float), sizes[None], criterion, limits).ranks[0]
        space = space_of(table, *simpler(criterion, classes, least > 1), min(most, p))
        n = int(counts.sum())
        divide(scorer(data), counts, table, space, SideLimits(n, n, least, 0.0), np.zeros(CONSTANTS))
        assert space.ranks[:-1].tolist() == expected.tolist() or not best(criterion, table, expected, least), turn


@cache
def dividing() -> Any:
    """A kernel that ranks categories by the first best division, 0 without one."""
    from splitcrit.trees.scan.pointers import call_numbers
    from splitcrit.trees.scan.scan_subsets import best_division, occurring

    @kernel
    def divide(scorer, counts, table, space, limits, constants):  # type: ignore[no-untyped-def]
        data = scorer.data
        _, _, _, rate, width = call_numbers(scorer.numbers, data, counts, constants)
        p = occurring(space)
        top = best_division(space, p, data, counts, constants, limits, np.inf)
        space.ranks[:] = 0
        if top > -np.inf:  # categories have been joined
            space.table[:], space.rows[:-1], space.weights[:-1] = table, table.sum(axis=1), table.sum(axis=1)
            p = occurring(space)
            best_division(space, p, data, counts, constants, limits, top - width / rate)

    return divide


def best(criterion: Criterion, table: Any, rank: Any, least: int) -> bool:
    """Whether ranks have an allowed cut."""
    sides = [(table[rank <= cut].sum(), table[rank > cut].sum()) for cut in range(rank.max())]
    return any(min(each) >= least for each in sides)


def test_a_principal_component_is_that_of_the_covariance() -> None:
    from splitcrit.trees.scan import scan_subsets

    rng = np.random.default_rng(0)
    for _ in range(50):
        table = rng.integers(0, 9, (6, 4))
        table[rng.random(6) < 0.2] = 0
        space, there = space_of(table), table.sum(axis=1) > 0
        p = scan_subsets.occurring.py_func(space)
        scan_subsets._principal.py_func(space, p, table.sum(axis=0))
        own = table[there] / table[there].sum(axis=1, keepdims=True)
        rows = np.repeat(own, table[there].sum(axis=1), axis=0)
        _, sizes, axes = np.linalg.svd(rows - rows.mean(axis=0))
        axis = axes[0] * np.sign(axes[0][np.abs(axes[0]).argmax()])
        if sizes[1] < 0.9 * sizes[0]:
            along, keys = (own - rows.mean(axis=0)) @ axis, space.keys[:6][there]
            np.testing.assert_allclose(keys / np.linalg.norm(keys), along / np.linalg.norm(along), atol=1e-9)
            np.testing.assert_allclose(principal_response(table[None] * 1.0)[0][there], keys, rtol=1e-7, atol=1e-12)
