"""Tests down a tree on the rows that grew it: by draws of which only some count, and at half the level of the parent.

The tree itself is random. A node is named by the split of its root and its side, and may be there at some outcomes
only; whatever is said of its p-value is said given that it is there.
Source: besag1991 for draws that stop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

import numpy as np

from splitcrit.inference.selective import NodeTest, Trained, permuted_test, top_down
from splitcrit.proof import ALL, Exhaustive, Law, Premise, Stated, Theorem, upto
from splitcrit.proofs.inference.outcomes import equally_likely, fraction, scorings, valid
from splitcrit.proofs.inference.shapes import Shape, below, splits_of, structure_of
from splitcrit.trees.growth import GrownTree

# Draws of which some count.


class Draws(NamedTuple):
    """The scores of the orders that count, how many others there are, how many are drawn, and when drawing stops."""

    scores: tuple[int, ...]
    others: int
    draws: int
    enough: int | None

    def __str__(self) -> str:
        stop = "" if self.enough is None else f", h = {self.enough}"
        return f"scores {listed(self.scores)}; {self.others} orders that do not count, B = {self.draws}{stop}"


def all_draws(most: int, orders: int) -> Iterator[Draws]:
    """Yield every way in which up to that number of orders score, drawn up to that number of times."""
    for number in range(1, orders + 1):
        increasing = [each for each in scorings(number) if list(each) == sorted(each)]
        for scores, others, draws in product(increasing, range(orders - number + 1), range(1, most + 1)):
            yield from (Draws(scores, others, draws, enough) for enough in (None, *range(1, draws + 1)))


class Given:
    """Scores that are handed out one after the other, whatever the labels are; two of them are equal within a band."""

    def __init__(self, scores: tuple[float, ...], band: float) -> None:
        self.left, self.band = list(scores), band

    def scores(self, labels: Any) -> Any:
        next_scores, self.left = self.left[: len(labels)], self.left[len(labels) :]
        return np.array(next_scores)


@cache
def trained(shape: Shape) -> Trained:
    """A tree of a shape; neither its features nor its rows play a part."""
    structure = structure_of(shape)
    nodes = len(structure.left)
    depth = np.zeros(nodes, dtype=int)
    for node in splits_of(structure):
        depth[list(below(structure, node))] = depth[node] + 1
    leaves = GrownTree.leaves(depth, np.ones(nodes, dtype=int), np.ones((nodes, 2)))
    tree = replace(leaves, left=structure.left, right=structure.right)
    return Trained(tree, np.zeros((2, 1)), np.arange(2))


def as_they_are(case: Draws, score: int | None) -> float:
    """The score of an order, nan if it does not count."""
    return np.nan if score is None else score


def as_lower(case: Draws, score: int | None) -> float:
    return -1.0 if score is None else score


def kept_draws(seen: Callable[[Draws, int | None], float] = as_they_are, band: float = 0.5) -> Exhaustive:
    """The library's p-value of draws of which some count is valid, if the order observed is any of those that count."""

    def law(case: Draws) -> dict[Fraction, Fraction]:
        orders = (*case.scores, *(None,) * case.others)
        sequences = product(case.scores, product(orders, repeat=case.draws))
        return equally_likely(pvalue(case, (first, *rest)) for first, rest in sequences)

    def pvalue(case: Draws, drawn: tuple[int | None, ...]) -> Fraction:
        scored = Given(tuple(seen(case, score) for score in drawn), band)
        tally = permuted_test(np.arange(2), 0, 0, 1.0, scored, case.draws, case.enough, 0)
        return fraction(tally.pvalue, case.draws + 1)

    return valid(all_draws, law, B=upto(3), A=upto(4))


# A tree that is random.

OUTCOMES = 3
History = tuple[str, int]
THIRDS = tuple(Fraction(i, OUTCOMES) for i in range(1, OUTCOMES + 1))


def listed(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))


class Root(NamedTuple):
    """Which split the root has at an outcome, and which of its children are divided in turn."""

    name: str
    divided: tuple[bool, bool]

    @property
    def children(self) -> tuple[History, History]:
        """Both children, which are there whether they are divided or not."""
        return (self.name, 0), (self.name, 1)

    @property
    def shape(self) -> Shape:
        """The tree."""
        return tuple((None, None) if each else None for each in self.divided)


class Trial(NamedTuple):
    """The tree at each outcome, the p-values of its nodes at the outcomes at which they are there, and alpha."""

    roots: tuple[Root, ...]
    p: dict[History, dict[int, Fraction]]
    alpha: Fraction

    def __str__(self) -> str:
        of = (f"{name} {'right' if side else 'left'}: {listed(at.values())}" for (name, side), at in self.p.items())
        roots = listed(root.name for root in self.roots)
        return f"roots {roots}; p-values of children {'; '.join(of)}; alpha = {self.alpha}"

    def rejects_falsely(self, outcome: int, level: Level) -> bool:
        """Whether a child is rejected, all of which are true nulls; the root, which is none, always is."""
        children, tree = self.roots[outcome].children, trained(self.roots[outcome].shape)
        null = {at: self.p[child][outcome] for child, at in zip(children, below(tree.tree, 0), strict=True)}

        def test(node: int, at: float) -> NodeTest:
            p = null.get(node, Fraction(0))
            return NodeTest(node, 0, at, float(p), 0.0, "split" if p <= at else "not significant")

        verdicts = top_down(tree, test, partial(level, self.alpha))
        return any(each.node in null and each.verdict == "split" for each in verdicts)


Level = Callable[[Fraction, int], Any]
Allowed = Callable[[int], Iterator[tuple[Fraction, ...]]]


def given_that_it_is_there(times: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield the least p-values of a node at the outcomes at which it is there, valid given that it is."""
    yield from permutations(Fraction(i, times) for i in range(1, times + 1))


def whether_it_is_there_or_not(times: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield p-values of a node that are valid over all outcomes."""
    yield from permutations(THIRDS, times)


def trials(allowed: Allowed) -> Iterator[Trial]:
    """Yield every trial of two splits of the root and three outcomes."""
    options = [Root(name, (True, right)) for name in "ab" for right in (False, True)]
    for roots in combinations_with_replacement(options, OUTCOMES):
        there: defaultdict[History, list[int]] = defaultdict(list)
        for outcome, root in enumerate(roots):
            for child in root.children:
                there[child].append(outcome)
        for values in product(*(list(allowed(len(at))) for at in there.values())):
            of_each = zip(there.items(), values, strict=True)
            p = {child: dict(zip(at, pvalues, strict=True)) for (child, at), pvalues in of_each}
            yield from (Trial(roots, p, alpha) for alpha in THIRDS)


def halved(alpha: Fraction, depth: int) -> Fraction:
    return alpha / Fraction(2) ** depth


def whole(alpha: Fraction, depth: int) -> Fraction:
    return alpha


def errs_at_most_alpha(level: Level = halved, allowed: Allowed = given_that_it_is_there) -> Stated:
    """At most a share alpha of the outcomes rejects any true null."""

    def holds(trial: Trial) -> bool:
        wrong = sum(trial.rejects_falsely(outcome, level) for outcome in range(OUTCOMES))
        return wrong <= trial.alpha * OUTCOMES

    return Stated(Exhaustive(lambda: trials(allowed), holds, rounded=True), depth=1)


KEPT, ERROR = Law(kept_draws), Law(errs_at_most_alpha)

THEOREMS = [
    Theorem(
        key="inference.share_of_kept_draws_is_pvalue_given_that_tree_has_node",
        statement="of B random orders of the labels inside a node those count in which its ancestors choose as they"
        " did; if the h-th of these that scores as high as the order observed is the L-th that counts, h/L, and"
        " (1 + c)/(1 + k) if of the k that count c < h do, is at most t with probability at most t given that the tree"
        " has the node, for every t",
        source="besag1991 for draws that all count",
        holds=KEPT,
        premises=(Premise("tally_of_kept_draws_is_valid_given_node", "kernel", {"B": ALL, "A": ALL}),),
        fails=(
            KEPT.but("orders in which an ancestor chooses otherwise may count as lower ones", seen=as_lower),
            KEPT.but("orders that score the same may be left out", band=-0.5),
        ),
    ),
    Theorem(
        key="inference.selective_tests_down_a_tree_err_at_most_alpha",
        statement="a node of depth v is tested at alpha/2^v, and only below rejected ancestors; if the p-value of each"
        " true null is at most t with probability at most t given that the tree has the node, as a leaf or divided,"
        " then some true null is rejected with probability at most alpha",
        source="goeman2010 for trees that do not depend on the labels; this form is new",
        holds=ERROR,
        premises=(Premise("selective_tree_errs_at_most_alpha_of_leaves_and_nodes", "kernel", {"depth": ALL}),),
        fails=(
            ERROR.but("every node may be tested at alpha", level=whole),
            ERROR.but(
                "p-values that are valid whether or not the tree has the node will do",
                allowed=whether_it_is_there_or_not,
                alters="hypothesis",
            ),
        ),
    ),
]
