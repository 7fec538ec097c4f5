"""Tests of nodes on the rows that grew the tree: with the choices of the ancestors made again, and without.

All orders of the labels of a few rows are equally likely, and each of them grows a tree. A node is what its rows are
and how each of its ancestors divides its own. In plain fractions, and by the library's search.
Source: fithian2014 for tests that are valid given what was selected.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, permutations, product, starmap
from typing import Any, NamedTuple

import numpy as np

from splitcrit.criteria import decrease
from splitcrit.impurities import gini
from splitcrit.inference.selective import Trained
from splitcrit.proof import ALL, All, Cases, Exhaustive, Extent, Law, Premise, Theorem, only, upto
from splitcrit.proofs.inference.outcomes import equally_likely, positive, valid
from splitcrit.proofs.inference.plain_trees import Features, Node, Rows, best, divided
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.permuted_paths import CriterionPath

ANY = Fraction(1)


# P-values of nodes.

PValue = Callable[[Node, Rows], Fraction]


def scores(node: Node, orders: Iterable[Rows]) -> Counter[Fraction]:
    """How many orders of the labels give the node each score."""
    return Counter(best(node.features, node.rows, node.rows & each)[0] for each in orders)


def share(node: Node, ones: Rows, among: Counter[Fraction]) -> Fraction:
    """The share of scores that are at least that of the order observed."""
    observed = best(node.features, node.rows, node.rows & ones)[0]
    return Fraction(sum(number for score, number in among.items() if score >= observed), among.total())


def kept(node: Node, ones: Rows) -> Fraction:
    """The p-value by the orders in which the ancestors choose as they did."""
    return share(node, ones, scores(node, filter(node.chosen, node.orders(ones))))


@cache
def all_scores(node: Node, outside: Rows, number: int) -> Counter[Fraction]:
    return scores(node, node.orders(outside | frozenset(sorted(node.rows)[:number])))


def as_if_given(node: Node, ones: Rows) -> Fraction:
    """The p-value by all orders, as if the labels had not chosen the node."""
    return share(node, ones, all_scores(node, ones - node.rows, len(node.rows & ones)))


def by_root_alone(node: Node, ones: Rows) -> Fraction:
    return share(node, ones, scores(node, (each for each in node.orders(ones) if node.chosen(each, 1))))


def of_the_others(node: Node, ones: Rows) -> Fraction:
    """The p-value by the orders other than the one observed, 1 if there are none."""
    others = [each for each in node.orders(ones) if node.chosen(each) and each != ones]
    return share(node, ones, scores(node, others)) if others else ANY


def coded(orders: Iterable[Rows], rows: Iterable[int]) -> Any:
    """Class codes of rows, one row for each order."""
    places = sorted(rows)
    return np.array([[int(i in ones) for i in places] for ones in orders])


@cache
def grown(features: Features, ones: Rows) -> Trained:
    """The library's tree."""
    x, y = np.array(features, dtype=np.float32).T, coded([ones], range(len(features[0])))[0]
    return Trained(grow(Training(x, y, 2), decrease(gini), GrowthOptions(Stopping())), x, y)


def library(node: Node, ones: Rows) -> Fraction:
    """The p-value by the library's tree and its scores of all orders: 1 of a leaf, 0 of a node that it lacks.

    The scores are those of the compiled loop and of the reference builder; -1 where their p-values differ.
    """
    trained = grown(node.features, ones)
    places = [v for v, rows in enumerate(trained.rows) if Rows(rows.tolist()) == node.rows]
    if len(places) != 1 or trained.tree.left[places[0]] < 0:
        return Fraction(len(places))
    path = trained.path(places[0])
    searched = CriterionPath(path, Training(trained.x, trained.y, 2), decrease(gini), Stopping())
    every, own = coded(node.orders(ones), node.rows), coded([ones], node.rows)
    pvalues = set()
    for scores_of in (searched.scores, searched.by_reference):
        scores, [observed] = scores_of(every), scores_of(own)
        pvalues.add(Fraction(int((scores >= observed - searched.band).sum()), int((~np.isnan(scores)).sum())))
    return pvalues.pop() if len(pvalues) == 1 else Fraction(-1)


# What is claimed.


class Grown(NamedTuple):
    """A node, and the orders of the labels whose tree has it."""

    node: Node
    orders: tuple[Rows, ...]

    def __str__(self) -> str:
        return str(self.node)


class Table(NamedTuple):
    """Features, how many rows have class 1, and the depth of the deepest nodes."""

    features: Features
    ones: int
    depth: int = 5


def nodes(tables: Iterable[Table]) -> Iterator[Grown]:
    """Yield every node of the trees of all orders of the labels."""
    for features, number, depth in tables:
        rows, orders_of = range(len(features[0])), defaultdict(list)
        for ones in map(frozenset, combinations(rows, number)):
            for node in Node(features, frozenset(rows)).below(ones, depth):
                orders_of[node].append(ones)
        yield from (Grown(node, tuple(orders)) for node, orders in orders_of.items())


def one_or_two(most: int) -> Iterator[Table]:
    """Yield one feature with any ties, or two without, these of two rows less; with any number of rows of class 1."""
    for n in range(2, most + 1):
        single = [
            (tuple(value for value, size in enumerate(sizes) for _ in range(size)),)
            for parts in range(2, n + 1)
            for sizes in positive(n, parts)
        ]
        pairs = product([tuple(range(n))], permutations(range(n))) if n < most - 1 else ()
        yield from starmap(Table, product(chain(single, pairs), range(1, n)))


def six(n: int) -> list[Table]:
    return [Table(((0, 1, 1, 2, 3, 4),), 2), Table(((0, 1, 2, 3, 4, 5), (3, 0, 4, 1, 5, 2)), 3)]


def twelve(n: int) -> list[Table]:
    return [Table(((1, 0, 2, 1, 0, 1, 1, 6, 0, 0, 1, 6), (0, 3, 6, 0, 0, 2, 1, 1, 1, 4, 1, 0)), 6, depth=1)]


def is_valid_in_tree(
    pvalue: PValue = kept, tables: Any = one_or_two, level: Fraction = ANY, leaves: bool = True, **sizes: Extent
) -> Exhaustive:
    """Given that the tree has a node, its p-value is at most t with probability at most t, for all t up to a level."""

    def law(case: Grown) -> dict[Fraction, Fraction]:
        node, _ = case
        orders = (ones for ones in case.orders if leaves or divided(node.features, node.rows, ones))
        return equally_likely(p if p <= level else ANY for p in (pvalue(node, ones) for ones in orders))

    return valid(lambda *sizes: nodes(tables(*sizes)), law, **sizes)


def is_found_by_search() -> Exhaustive:
    """The p-value by the library's search is the share in plain fractions."""

    def cases(n: int) -> Iterator[tuple[Node, Rows]]:
        yield from ((grown.node, ones) for grown in nodes(six(n)) for ones in grown.orders)

    return Exhaustive(Cases(cases, n=only(6)), lambda case: library(*case) == kept(*case), rounded=True)


TWELVE_ROWS: dict[str, Any] = {"tables": twelve, "level": Fraction(1, 20), "n": only(12)}
IN_TREE = Law(is_valid_in_tree, n=upto(6))

THEOREMS = [
    Theorem(
        key="inference.selective_pvalue_is_valid_given_that_tree_has_node",
        statement="if all orders of the labels inside a node of a tree that they grew are equally likely, the share of"
        " those in which the node scores as high, of those in which its ancestors divide their rows as they do, is at"
        " most t with probability at most t given that the tree has the node, as a leaf or divided, for every t; this"
        " share the library's search finds",
        source="fithian2014 for tests given what was selected; by permutations of the labels inside a node new",
        holds=All(by_fractions=IN_TREE, by_search=is_found_by_search()),
        premises=(Premise("kept_share_is_valid_in_tree", "kernel", {"n": ALL}),),
        fails=(
            IN_TREE.but("so is the share of all orders, as if the node were given", pvalue=as_if_given),
            IN_TREE.but("so it is at level 1/20, in twelve rows of two features", pvalue=as_if_given, **TWELVE_ROWS),
            IN_TREE.but("the choice of the root alone need be kept", pvalue=by_root_alone),
            IN_TREE.but("the observed order need not count", pvalue=of_the_others),
            IN_TREE.but("so it is given that the node is divided", leaves=False, alters="hypothesis"),
        ),
    ),
]
