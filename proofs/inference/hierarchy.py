"""Levels that go down a tree: whatever the shares, at most alpha is spent on splits of which none is above another.

Source: goeman2010 for sequential rejection in general.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from splitcrit.inference.familywise import levels, pvalues_down, shares_of
from splitcrit.proof import ALL, All, Cases, Exhaustive, Law, Premise, Theorem, upto
from splitcrit.proofs.inference.outcomes import Values, fraction, sharp
from splitcrit.proofs.inference.shapes import Pair, Tree, below, splits_of, structure_of, trees
from splitcrit.trees.tree_arrays import Structure

ALPHA = Fraction(1, 2)
OUTCOMES = 4
NOTHING, QUARTER, HALF, WHOLE = (Fraction(i, 4) for i in (0, 1, 2, 4))
PAIRS = ((WHOLE, NOTHING), (NOTHING, WHOLE), (HALF, HALF), (QUARTER, 1 - QUARTER), (QUARTER, HALF))


# What is spent.


def spent(structure: Structure, level: Any, node: int = 0) -> Fraction:
    """The largest sum of levels of splits at or below a node of which none is above another."""
    if structure.left[node] < 0:
        return NOTHING
    children = sum((spent(structure, level, child) for child in below(structure, node)), NOTHING)
    return max(Fraction(float(level[node])), children)


def product_of_shares(tree: Tree) -> list[Fraction]:
    """Alpha times the product of the shares on the path to every node."""
    levels = [ALPHA] * len(tree.structure.left)
    for node, pair in zip(splits_of(tree.structure), tree.pairs, strict=True):
        for child, share in zip(below(tree.structure, node), pair, strict=True):
            levels[child] = levels[node] * share
    return levels


def spends_at_most(pairs: tuple[Pair, ...] = PAIRS, part: Fraction = WHOLE) -> Exhaustive:
    """The library's levels are those products, and on no antichain do they sum to more than that part of alpha."""

    def holds(tree: Tree) -> bool:
        level = levels(tree.structure, float(ALPHA), tree.shares)
        products = [Fraction(x) for x in level.tolist()] == product_of_shares(tree)
        return products and spent(tree.structure, level) <= part * ALPHA

    return Exhaustive(Cases(lambda most: trees(pairs, most), splits=upto(4)), holds, rounded=True)


def rules_share_at_most(whole: int = 1) -> Exhaustive:
    """By every rule the shares of two siblings sum to at most 1, for all numbers of rows and all that can be tested."""

    def cases(most: int) -> Iterator[tuple[str, tuple[int, ...], tuple[bool, ...]]]:
        sides = product(product(range(most + 1), repeat=2), product((False, True), repeat=2))
        yield from ((rule, rows, testable) for rows, testable in sides for rule in ("halves", "testable", "rows"))

    def holds(case: tuple[str, tuple[int, ...], tuple[bool, ...]]) -> bool:
        rule, rows, testable = case
        sizes = np.array([sum(rows), *rows]), np.array([True, *testable])
        shares = shares_of(structure_of((None, None)), rule, *sizes).tolist()
        return sum((fraction(x, 2 * sum(rows) + 2) for x in shares[1:]), NOTHING) <= whole

    return Exhaustive(Cases(cases, rows=upto(6)), holds, rounded=True)


# What is rejected.


class Trial(NamedTuple):
    """A tree, and the p-values of those true nulls that have no true null above them, at each outcome."""

    tree: Tree
    p: dict[int, Values]

    def __str__(self) -> str:
        of = "; ".join(f"p-values of split {node}: {', '.join(map(str, values))}" for node, values in self.p.items())
        return f"{self.tree}; {of}"


def antichains(structure: Structure, node: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield every set of splits at or below a node of which none is above another."""
    if structure.left[node] < 0:
        yield ()
        return
    yield (node,)
    left, right = (list(antichains(structure, child)) for child in below(structure, node))
    yield from (one + other for one, other in product(left, right))


def trials(pairs: tuple[Pair, ...], most: int) -> Iterator[Trial]:
    """Yield every trial of up to that number of splits."""
    for tree in trees(pairs, most):
        for true in filter(None, antichains(tree.structure)):
            yield from (Trial(tree, dict(zip(true, joint, strict=True))) for joint in sharp(OUTCOMES, len(true)))


Rule = Callable[[Trial, int], Tree]


def as_given(trial: Trial, outcome: int) -> Tree:
    return trial.tree


def to_the_smaller(trial: Trial, outcome: int) -> Tree:
    """Give all to the child whose p-value is smaller, which the labels inside it decide."""
    certain = (WHOLE,) * OUTCOMES

    def pair(node: int) -> Pair:
        left, right = (trial.p.get(child, certain)[outcome] for child in below(trial.tree.structure, node))
        return (WHOLE, NOTHING) if left <= right else (NOTHING, WHOLE)

    return Tree(trial.tree.shape, tuple(map(pair, splits_of(trial.tree.structure))))


def rejects_falsely(trial: Trial, outcome: int, rule: Rule) -> bool:
    """Whether a true null is rejected; splits that are real always are, which is the worst case."""
    tree = rule(trial, outcome)
    level = levels(tree.structure, float(ALPHA), tree.shares)
    p = pvalues_down(tree.structure, level, lambda node: float(trial.p[node][outcome]) if node in trial.p else 0.0)
    return any(p[node] <= level[node] for node in trial.p)


def errs_at_most_alpha(pairs: tuple[Pair, ...] = PAIRS, rule: Rule = as_given) -> Exhaustive:
    """At most a part alpha of the outcomes rejects any true null, whatever the dependence between the p-values."""

    def holds(trial: Trial) -> bool:
        return sum(rejects_falsely(trial, outcome, rule) for outcome in range(OUTCOMES)) <= ALPHA * OUTCOMES

    return Exhaustive(Cases(lambda most: trials(pairs, most), splits=upto(3)), holds, rounded=True)


SPENT, ERROR = Law(spends_at_most), Law(errs_at_most_alpha)
BOTH_WHOLE, TOO_MUCH, EVEN = ((WHOLE, WHOLE),), ((WHOLE, HALF),), ((HALF, HALF),)

THEOREMS = [
    Theorem(
        key="inference.levels_of_antichain_sum_to_at_most_alpha",
        statement="the level of a node is alpha times the shares on its path; if the shares of two siblings sum to at"
        " most 1, as they do by every rule of the library, the levels of splits of which none is above another sum to"
        " at most alpha",
        source="goeman2010, of which this is the case without recycling",
        holds=All(levels=SPENT, rules=rules_share_at_most()),
        premises=(Premise("levels_of_antichain_sum_to_at_most_alpha", "kernel", {"splits": ALL}),),
        fails=(
            SPENT.but("so they do if both children have the whole level", pairs=BOTH_WHOLE, alters="hypothesis"),
            SPENT.but("so they do if shares sum to 3/2", pairs=TOO_MUCH, alters="hypothesis"),
            SPENT.but("they sum to at most half of it", part=HALF),
        ),
    ),
    Theorem(
        key="inference.tests_down_a_tree_err_at_most_alpha",
        statement="the root is tested at alpha, every other node at its level and only below rejected ancestors; if"
        " the p-value of each true null is at most t with probability at most t, then some true null is rejected with"
        " probability at most alpha, whatever the dependence between the p-values",
        source="goeman2010, of which this is the case without recycling",
        holds=ERROR,
        premises=(Premise("tests_down_a_tree_err_at_most_alpha", "kernel", {"splits": ALL}),),
        fails=(
            ERROR.but("so it is if both children have the whole level", pairs=BOTH_WHOLE, alters="hypothesis"),
            ERROR.but("so it is if levels sum to more than alpha", pairs=TOO_MUCH, alters="hypothesis"),
            ERROR.but(
                "the shares may follow the labels inside the children",
                rule=to_the_smaller,
                pairs=EVEN,
                alters="hypothesis",
            ),
        ),
    ),
]
