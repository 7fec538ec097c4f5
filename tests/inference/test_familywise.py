"""Levels down a tree, and intervals of its nodes, hold with the probability they say, added up over all counts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, quantile_test

from splitcrit.inference.familywise import levels, medians, pvalues_down, shares_of, simultaneous
from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.binomial import clopper_pearson
from splitcrit.trees.tree_arrays import Structure


@pytest.mark.parametrize("delta", [0.05, 0.01])
def test_ends_are_those_of_scipy(delta: float) -> None:
    cases = [(x, n) for n in (1, 2, 7, 30) for x in range(n + 1)]
    low, high = clopper_pearson(*np.array(cases).T, delta)
    for i, (x, n) in enumerate(cases):
        theirs = binomtest(x, n).proportion_ci(1 - delta, "exact")
        assert low[i] == pytest.approx(theirs.low, rel=1e-7, abs=1e-12)  # they find the root by iteration
        assert high[i] == pytest.approx(theirs.high, rel=1e-7, abs=1e-12)


def test_without_rows_nothing_is_known() -> None:
    assert [end.tolist() for end in clopper_pearson(np.array([0]), np.array([0]), 0.05)] == [[0.0], [1.0]]


def test_more_classes_share_the_error() -> None:
    low, high = simultaneous(np.array([[3, 4, 5]]), 0.06)
    alone = clopper_pearson(np.array([3, 4, 5]), np.array([12]), 0.02)
    assert np.array_equal([low[0], high[0]], alone)


def missed(leaf: int, rate: float, alpha: float, *, survivors: bool) -> float:
    """The chance that an interval misses the rate, of a tree of one split whose leaves have as many rows and one rate.

    Of the nodes that survive the test of the root, each at .05 over their number; or of all three.
    """
    total = 0.0
    for a, b in product(range(leaf + 1), repeat=2):
        leaves = np.array([[leaf - a, a], [leaf - b, b]])
        kept = gini_pvalue(leaves, method="exact").value <= alpha
        root = leaves.sum(axis=0, keepdims=True)
        nodes = (leaves if kept else root) if survivors else np.vstack([root, leaves])
        low, high = simultaneous(nodes, 0.05)
        miss = ((rate < low[:, 1]) | (rate > high[:, 1])).any()
        total += miss * comb(leaf, a) * comb(leaf, b) * rate ** (a + b) * (1 - rate) ** (2 * leaf - a - b)
    return total


def test_intervals_of_all_nodes_hold_together_and_those_of_survivors_do_not() -> None:
    assert missed(10, 0.5, 0.2, survivors=False) <= 0.05
    assert missed(10, 0.5, 0.2, survivors=True) == pytest.approx(0.0669689, abs=1e-6)


@pytest.mark.parametrize("n", [1, 5, 6, 17, 60])
@pytest.mark.parametrize("delta", [0.05, 0.01])
def test_medians_have_the_ends_of_scipy(n: int, delta: float) -> None:
    values = np.random.default_rng(n).normal(size=n).round(1)
    low, high = medians([values], delta)
    theirs = quantile_test(values, p=0.5).confidence_interval(1 - delta)
    assert [low[0, 0], high[0, 0]] == [
        -np.inf if np.isnan(theirs.low) else theirs.low,
        np.inf if np.isnan(theirs.high) else theirs.high,
    ]


def missed_medians(n: int, delta: float, *, together: bool) -> Fraction:
    """The chance that an interval of two nodes of ``n`` rows misses the median 0, by the numbers below it."""
    total = Fraction(0)
    for below in product(range(n + 1), repeat=2):
        nodes = [np.arange(n) - b + 0.5 for b in below]
        ends = [medians(nodes, delta)] if together else [medians([node], delta) for node in nodes]
        miss = any(((low > 0) | (high < 0)).any() for low, high in ends)
        total += miss * Fraction(comb(n, below[0]) * comb(n, below[1]), 4**n)
    return total


def test_medians_hold_together_and_those_of_each_node_alone_do_not() -> None:
    assert 0 < missed_medians(9, 0.05, together=True) <= Fraction(1, 20)
    assert missed_medians(9, 0.05, together=False) > Fraction(1, 20)


Ones = tuple[int, ...]  # rows of class 1, leaf by leaf
Law = list[tuple[Ones, Fraction]]
HALF, LOW, HIGH, RARE = Fraction(1, 2), Fraction(1, 10), Fraction(9, 10), Fraction(1, 20)


class Tree:
    """A tree by its children, and of its leaves, in order, the numbers of rows and the rates of class 1."""

    def __init__(self, left: list[int], right: list[int], sizes: Ones, rates: tuple[Fraction, ...]) -> None:
        minus = np.full(len(left), -1)
        self.structure = Structure(np.array(left), np.array(right), minus, minus, minus)
        self.sizes, self.rates, self.children = sizes, rates, dict(enumerate(zip(left, right, strict=True)))
        self.inner = [node for node, (child, _) in self.children.items() if child >= 0]
        self.leaves = [node for node in self.children if node not in self.inner]
        self.null = {node for node in self.inner if len({rates[leaf] for leaf in self.under(node)}) == 1}

    def under(self, node: int) -> list[int]:
        """The places of the leaves below a node."""
        if node in self.leaves:
            return [self.leaves.index(node)]
        return [leaf for child in self.children[node] for leaf in self.under(child)]

    def rows(self, node: int) -> int:
        return sum(self.sizes[leaf] for leaf in self.under(node))

    def ones(self, ones: Ones, node: int) -> int:
        return sum(ones[leaf] for leaf in self.under(node))

    def p(self, ones: Ones, node: int) -> Fraction:
        left = self.children[node][0]
        return hypergeometric(self.ones(ones, left), self.rows(left), self.ones(ones, node), self.rows(node))

    def testable(self, ones: Ones) -> np.ndarray:
        """Nodes with rows on both sides and of both classes."""
        return np.array([node in self.inner and self.possible(ones, node) for node in self.children])

    def possible(self, ones: Ones, node: int) -> bool:
        sides = all(self.rows(child) for child in self.children[node])
        return sides and 0 < self.ones(ones, node) < self.rows(node)

    def law(self) -> Law:
        """Independent labels at the rates of the leaves."""
        each = [
            [(x, comb(n, x) * q**x * (1 - q) ** (n - x)) for x in range(n + 1)]
            for n, q in zip(self.sizes, self.rates, strict=True)
        ]
        return [(tuple(x for x, _ in one), prod(weight for _, weight in one)) for one in product(*each)]


@cache
def hypergeometric(x: int, a: int, b: int, n: int) -> Fraction:
    """The chance of as many of ``b`` among ``a`` of ``n`` as far from the mean as ``x``."""
    ways = [comb(b, i) * comb(n - b, a - i) for i in range(a + 1) if abs(n * i - a * b) >= abs(n * x - a * b)]
    return Fraction(sum(ways), comb(n, a))


def rejected(tree: Tree, ones: Ones, share: np.ndarray, alpha: float) -> set[int]:
    """What the library rejects, with these shares."""
    level = levels(tree.structure, alpha, share)
    p = pvalues_down(tree.structure, level, lambda node: float(tree.p(ones, node)))
    return set(np.flatnonzero(p <= level).tolist())


def by_rule(shares: Any) -> Callable[[Tree, Ones, float], set[int]]:
    """The procedure of the library with shares by a rule."""

    def procedure(tree: Tree, ones: Ones, alpha: float) -> set[int]:
        sizes = np.array([tree.rows(node) for node in tree.children])
        return rejected(tree, ones, shares_of(tree.structure, shares, sizes, tree.testable(ones)), alpha)

    return procedure


def raw(share: float) -> Callable[[Tree, Ones, float], set[int]]:
    """The same share for every child, whatever siblings then sum to."""
    return lambda tree, ones, alpha: rejected(tree, ones, np.full(len(tree.children), share), alpha)


def by_labels(tree: Tree, ones: Ones, alpha: float) -> set[int]:
    """The whole level to the child with the smaller p-value."""
    share = np.zeros(len(tree.children))
    for node in tree.inner:
        share[min(tree.children[node], key=lambda child: tree.p(ones, child) if child in tree.inner else 2)] = 1
    return rejected(tree, ones, share, alpha)


def ungated(tree: Tree, ones: Ones, alpha: float) -> set[int]:
    """Every node is tested, below nodes that were not rejected too."""
    level = levels(tree.structure, alpha, np.full(len(tree.children), 0.5))
    return {node for node in tree.inner if float(tree.p(ones, node)) <= level[node]}


def error(tree: Tree, law: Law, procedure: Any, alpha: float) -> Fraction:
    """The probability of rejecting any true null."""
    return sum((weight for ones, weight in law if procedure(tree, ones, alpha) & tree.null), Fraction(0))


EVEN = [1, 3, 5, -1, -1, -1, -1], [2, 4, 6, -1, -1, -1, -1]
CHAIN = [1, 3, -1, 5, -1, -1, -1], [2, 4, -1, 6, -1, -1, -1]

# A root that divides for a reason, and two children that do not: 2 of 12 and 10 of 12 rows of class 1, in any order.
FORK = Tree(*EVEN, (2, 10, 2, 10), (LOW, LOW, HIGH, HIGH))
ORDERS = [
    ((a, 2 - a, 2 - b, 8 + b), Fraction(comb(2, a) * comb(10, 2 - a) * comb(2, b) * comb(10, 2 - b), comb(12, 2) ** 2))
    for a, b in product(range(3), repeat=2)
]
BOTH = 1 - Fraction(65, 66) ** 2  # some child looks as extreme as it can


def test_the_level_is_used_up_when_it_can_be_reached() -> None:
    assert sum(weight for _, weight in ORDERS) == 1
    assert error(FORK, ORDERS, by_rule("halves"), 0.031) == BOTH <= 0.031
    assert error(FORK, ORDERS, by_rule("halves"), 0.02) == 0  # 1/66 is above half the level


@pytest.mark.parametrize("procedure", [raw(1.0), raw(0.8), by_labels], ids=["whole to both", "sum 1.6", "by labels"])
def test_other_shares_exceed_the_level(procedure: Any) -> None:
    assert error(FORK, ORDERS, procedure, 0.02) == BOTH > 0.02


# Independent labels of rates that differ from leaf to leaf.
TREES = {
    "chain below its root": Tree(*CHAIN, (7, 4, 4, 4), (HIGH, LOW, LOW, LOW)),
    "chain at its end": Tree(*CHAIN, (4, 4, 5, 5), (LOW, HIGH, HALF, HALF)),
    "even below its root": Tree(*EVEN, (5, 5, 5, 5), (LOW, LOW, HALF, HALF)),
    "even, one child": Tree(*EVEN, (6, 6, 4, 4), (HALF, HALF, LOW, HIGH)),
    "one side empty": Tree(*EVEN, (6, 6, 8, 0), (HALF, HALF, HIGH, HIGH)),
    "one label decides what is tested": Tree(*EVEN, (6, 5, 5, 6), (RARE, RARE, 1 - RARE, 1 - RARE)),
    "nothing": Tree(*EVEN, (5, 5, 5, 5), (HALF,) * 4),
}
SHARES = ["halves", "testable", "rows", [1, 0.9, 0.1, 0.5, 0.5, 0.3, 0.7]]


@pytest.mark.each_value
@pytest.mark.parametrize("shares", SHARES, ids=str)
@pytest.mark.parametrize("name", TREES)
def test_no_true_null_is_rejected_too_often(name: str, shares: Any) -> None:
    tree, law = TREES[name], TREES[name].law()
    assert sum(weight for _, weight in law) == 1
    assert tree.null
    found = error(tree, law, by_rule(shares), 0.2)
    assert 0 < found <= Fraction(1, 5)


def test_nodes_below_what_was_not_rejected_must_not_be_tested() -> None:
    tree = Tree(*EVEN, (3, 7, 4, 7), (HALF,) * 4)
    assert error(tree, tree.law(), by_rule("halves"), 0.2) <= Fraction(1, 5) < error(tree, tree.law(), ungated, 0.2)


def test_a_child_that_cannot_be_tested_leaves_its_share() -> None:
    tree = TREES["one side empty"]
    testable = tree.testable((3, 2, 8, 0))
    sizes = np.array([tree.rows(node) for node in range(7)])
    assert testable.tolist() == [True, True, False, False, False, False, False]
    level = levels(tree.structure, 0.05, shares_of(tree.structure, "testable", sizes, testable))
    assert level[:3].tolist() == [0.05, 0.05, 0]


def test_the_root_has_the_whole_level_whatever_is_given() -> None:
    given = np.array([0.3, 0.7, 0.2, 0.5, 0.5, 1, 0])
    found = shares_of(FORK.structure, given, np.ones(7), np.ones(7, dtype=bool))
    assert found.tolist() == [1, *given[1:]] and levels(FORK.structure, 0.05, found)[0] == 0.05


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ("thirds", "shares is one of"),
        ([1, 0.5], "one number for each of 7 nodes"),
        ([1, 1.5, 0, 0, 0, 0, 0], r"shares lie in \[0, 1\]"),
        ([1, 0.7, 0.7, 0, 0, 0, 0], "sum to at most 1; got 1.4"),
        ([1, np.nan, 0, 0, 0, 0, 0], "finite"),
    ],
)
def test_other_shares_are_refused(shares: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        shares_of(FORK.structure, shares, np.ones(7), np.ones(7, dtype=bool))
