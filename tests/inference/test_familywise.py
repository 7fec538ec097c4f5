"""Levels down a tree, and intervals of its nodes, hold with the probability they say, added up over all counts."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, quantile_test
from sklearn.datasets import load_diabetes, load_iris

from node_oracle import best, column_pvalues, cuts
from refusals import refused
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, split_test
from splitcrit.inference.familywise import levels, medians, pvalues_down, shares_of, simultaneous
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


@pytest.mark.parametrize(("counts", "parts"), [([3, 4, 5], 3), ([7, 5], 1)])
def test_nodes_and_more_classes_share_the_error(counts: list[int], parts: int) -> None:
    """Of two classes one interval is the other's mirror image."""
    alone = clopper_pearson(np.array([counts] * 4), np.array([[12]] * 4), 0.05 / 4 / parts)
    np.testing.assert_allclose(simultaneous(np.array([counts] * 4), 0.05), alone, rtol=1e-12)


@pytest.mark.parametrize("n", [1, 5, 6, 17, 60])
@pytest.mark.parametrize("delta", [0.05, 0.01])
def test_medians_have_the_ends_of_scipy(n: int, delta: float) -> None:
    values = np.random.default_rng(n).normal(size=n).round(1)
    low, high = medians([values], delta)
    theirs = quantile_test(values, p=0.5).confidence_interval(1 - delta)
    assert [low[0, 0], high[0, 0]] == [np.nan_to_num(theirs.low, nan=-np.inf), np.nan_to_num(theirs.high, nan=np.inf)]


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
        leaves = zip(self.sizes, self.rates, strict=True)
        each = [[(x, comb(n, x) * q**x * (1 - q) ** (n - x)) for x in range(n + 1)] for n, q in leaves]
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
    refused(said, shares_of, FORK.structure, shares, np.ones(7), np.ones(7, dtype=bool))


# The p-value of the feature that a node is split by, against all orders of the labels and the test of a node.

N, ONES = 9, 4
LABEL_ORDERS = [tuple(int(i in ones) for i in range(N)) for ones in combinations(range(N), ONES)]
COLUMNS = {
    "no ties": tuple(range(N)),
    "three values": (0, 2, 1, 0, 2, 1, 0, 2, 1),
    "two values": (0, 1, 1, 0, 1, 1, 1, 0, 1),
    "gaps": (3, None, 1, None, 5, 4, 0, 2, 1),
}
DATA = [("no ties", "three values"), ("three values", "two values"), ("gaps", "two values", "no ties")]


def node(correction: str, **parameters: Any) -> InferenceTreeClassifier:
    return InferenceTreeClassifier(test="node", correction=correction, max_depth=1, random_state=0, **parameters)


def laws(names: tuple[str, ...]) -> list[dict[tuple[int, ...], tuple[Fraction, Fraction]]]:
    """The best gain of each feature and its p-value, for every order of the labels."""
    found = []
    for name in names:
        sides = cuts(COLUMNS[name], "numeric")
        p = column_pvalues(LABEL_ORDERS[0], COLUMNS[name], "numeric", "gini")
        found.append({y: (best(y, sides, "gini"), p[y]) for y in LABEL_ORDERS})
    return found


def matrix(names: tuple[str, ...]) -> np.ndarray:
    return np.array([COLUMNS[name] for name in names], dtype=float).T


@pytest.mark.parametrize("names", DATA)
def test_bonferroni_over_all_orders_is_the_law_of_the_feature_that_splits(names: tuple[str, ...]) -> None:
    x, known, found = matrix(names), laws(names), []
    for y in LABEL_ORDERS[:: 6 if len(names) == 3 else 1]:
        fitted = node("bonferroni", alpha=0.999999).fit(x, y)
        p, feature = fitted.verdicts_[0].pvalue, int(fitted.tree_.feature[0])
        tops = [law[y][0] for law in known]
        if feature >= 0:  # the split was kept
            assert tops[feature] == max(tops)
            assert p == pytest.approx(min(1.0, float(len(names) * known[feature][y][1])), rel=1e-11)
        found.append(p)
    each = np.array(found)
    assert np.mean(each < 0.999999) > 0.2
    for a in np.unique(each)[:-1] if len(names) < 3 else ():
        assert np.mean(each <= a * (1 + 1e-9)) <= a * (1 + 1e-9)
    # Without the number of features it is no p-value.
    assert names != DATA[0] or any(np.mean(each / 2 <= a) > a + 1e-9 for a in each / 2)


@pytest.mark.parametrize("correction", ["bonferroni", "discrete", "westfall-young"])
@pytest.mark.parametrize("kind", ["gini", "sgini", "three classes", "numbers"])
def test_the_root_has_the_p_value_of_the_test_of_a_node(kind: str, correction: Any) -> None:
    own: dict[str, Any] = {}
    how: dict[str, Any] = {"statistic": "gini", "response": "numbers" if kind == "numbers" else "classes"}
    if kind in ("gini", "sgini"):  # where the fewest rows of a side matter
        x = np.random.default_rng(1).random((70, 4))
        x[:, 1], x[:, 2], x[::9, 3] = np.round(3 * x[:, 1]), x[:, 2] > 0.3, np.nan
        y = (x[:, 0] > 0.5) ^ (np.random.default_rng(2).random(70) < 0.15)
        own, how = {"criterion": kind, "min_samples_leaf": 0.4}, how | {"statistic": kind, "min_samples_leaf": 28}
    else:
        x, y = (z[::3] for z in (load_diabetes if kind == "numbers" else load_iris)(return_X_y=True))
    tree = InferenceTreeRegressor if kind == "numbers" else InferenceTreeClassifier
    own |= {"test": "node", "correction": correction, "max_depth": 1, "n_permutations": 299, "random_state": 0}
    fitted = tree(**own).fit(x, y)
    asked = split_test(x.astype(np.float32), y, correction=correction, n_permutations=299, **how)
    root = fitted.verdicts_[0]
    assert 0.05 > root.pvalue == pytest.approx(asked.features[fitted.tree_.feature[0]].adjusted, rel=1e-12)
    assert (root.verdict, root.drawn, fitted.correction_) == ("split", asked.permutations, correction)
    assert asked.permutations == (299 if correction == "westfall-young" else 0)


def test_the_default_correction() -> None:
    x, y = np.random.default_rng(0).random((40, 2)), np.arange(40) % 2
    two, three = InferenceTreeClassifier(test="node"), InferenceTreeClassifier(test="node", n_permutations=19)
    assert two.fit(x, y).correction_ == "bonferroni"
    assert two.set_params(criterion="entropy", n_permutations=19).fit(x, y).correction_ == "permutation"
    assert three.fit(x, np.arange(40) % 3).correction_ == "permutation"
    assert InferenceTreeRegressor(test="node", n_permutations=19).fit(x, y).correction_ == "permutation"
    assert InferenceTreeClassifier(n_permutations=19).fit(x, y).correction_ is None
