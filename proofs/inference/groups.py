"""Rows that come in groups: which moves of the labels leave every chance as it is, by all data sets of an orbit.

A data set is the group, the value and the label of each row. Under the null hypothesis some data sets are equally
likely: those with the labels of groups, their vectors of labels, or their values in another order. Each has a p-value,
the share of the library's moves of its labels that score at least as high; the claim is that it is valid among them.
Source: own; hothorn2006 for permutations within blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, groupby, permutations, product
from typing import Any, NamedTuple

import numpy as np

from splitcrit.nulls.groups import Dependence, numbered
from splitcrit.proof import ALL, Cases, Exhaustive, Law, Premise, Theorem, upto
from splitcrit.proofs.inference.outcomes import equally_likely, valid

Ints = tuple[int, ...]


class Rows(NamedTuple):
    """The group, the place of the value and the label, 0 or 1, of each row; groups that grow a tree, if any."""

    groups: Ints
    column: Ints
    labels: Ints
    grows: Ints = ()


class Orbit(NamedTuple):
    """Data sets that are equally likely under the null hypothesis, and what it says."""

    says: str
    each: tuple[Rows, ...]

    def __str__(self) -> str:
        return f"{self.says}: {len(self.each)} data sets such as {self.each[0]}"


def score(column: Ints, labels: Ints, votes: list[Fraction]) -> Fraction:
    """The largest square of the weighted sum of centred labels left of a cut."""
    whole = sum(votes, Fraction(0))
    mean = sum((v * y for v, y in zip(votes, labels, strict=True)), Fraction(0)) / whole
    by_value: dict[int, Fraction] = {}
    for x, y, v in zip(column, labels, votes, strict=True):
        by_value[x] = by_value.get(x, Fraction(0)) + v * (y - mean)
    left, best = Fraction(0), Fraction(0)
    for x in sorted(by_value):
        left += by_value[x]
        best = max(best, left * left)
    return best


def share(column: Ints, orders: list[Ints], votes: list[Fraction]) -> Fraction:
    """The share of orders of the labels, the first of which was seen, that score at least as high."""
    scores = [score(column, labels, votes) for labels in orders]
    return Fraction(sum(s >= scores[0] for s in scores), len(scores))


def within(blocks: Ints) -> Iterator[Ints]:
    """Yield all orders of units that stay within blocks, which come one after the other; first the order seen."""
    runs = [list(run) for _, run in groupby(range(len(blocks)), key=blocks.__getitem__)]
    for orders in product(*map(permutations, runs)):
        yield tuple(unit for order in orders for unit in order)


def on_others(rows: Rows) -> Rows:
    """The sides, as a column, of the rows of the groups that test, of the cut that scores best where the tree grows."""
    inside = [g in rows.grows for g in rows.groups]
    grown = [i for i, here in enumerate(inside) if here]
    tests = [i for i, here in enumerate(inside) if not here]

    def gain(cut: int) -> Fraction:
        sides = tuple(int(rows.column[i] > cut) for i in grown)
        return score(sides, tuple(rows.labels[i] for i in grown), [Fraction(1)] * len(grown))

    cut = max(sorted({rows.column[i] for i in grown}), key=gain)
    groups = numbered(np.array([rows.groups[i] for i in tests])).tolist()
    sides = tuple(int(rows.column[i] > cut) for i in tests)
    return Rows(tuple(groups), sides, tuple(rows.labels[i] for i in tests))


def by_library(rows: Rows) -> Fraction:
    """The share of all moves that the library allows."""
    rows = on_others(rows) if rows.grows else rows
    labels, column, among = np.array(rows.labels), np.array(rows.column), Dependence(np.array(rows.groups))
    if among.constant(column):
        values = (among.labels(labels).astype(float).ravel() * 6).round().astype(int).tolist()
        return share(tuple(column[among.first].tolist()), list(permutations(values)), [Fraction(1)] * len(values))
    constant = among.constant(labels)
    if not constant:
        rows_in_runs, runs = among.runs
        labels, column, among = (
            labels[rows_in_runs],
            column[rows_in_runs],
            Dependence(numbered(np.array(rows.groups)[rows_in_runs]), runs),
        )
    moves = among.moves(column, labels[:, None])
    y, starts = labels[moves.rows], np.flatnonzero(moves.place == 0)
    orders = []
    for order in within(tuple(moves.block.tolist())):
        at = starts[list(order)][moves.unit] + (0 if constant else moves.place)
        orders.append(tuple(y[at].tolist()))
    sizes = np.bincount(moves.unit)[moves.unit].tolist()
    return share(tuple(column[moves.rows].tolist()), orders, [Fraction(1, size) for size in sizes])


def by_rows(rows: Rows) -> Fraction:
    """The share of all orders of the labels of single rows."""
    n, ones = len(rows.labels), sum(rows.labels)
    orders = [tuple(int(i in some) for i in range(n)) for some in combinations(range(n), ones)]
    # What was seen counts once more, which errs up.
    return share(rows.column, [rows.labels, *orders], [Fraction(1)] * n)


def inside_groups(rows: Rows) -> Fraction:
    """The share of all orders of the labels inside groups."""
    orders = [tuple(rows.labels[i] for i in at) for at in within(rows.groups)]
    return share(rows.column, orders, [Fraction(1)] * len(rows.labels))


def refilled(rows: Rows) -> Fraction:
    """The share of orders of whole groups of unequal sizes, whose labels fill the rows one after the other."""
    blocks = [[y for g, y in zip(rows.groups, rows.labels, strict=True) if g == c] for c in sorted(set(rows.groups))]
    orders = [tuple(y for block in order for y in block) for order in permutations(blocks)]
    return share(rows.column, orders, [Fraction(1)] * len(rows.labels))


def in_both_halves(rows: Rows) -> Fraction:
    """The p-value by whole groups of the cut of the last rows that the first rows of the same groups chose."""
    first = [i for i, g in enumerate(rows.groups) if g not in rows.groups[:i]]
    column = [rows.column[i] for i in first]
    labels = [rows.labels[i] for i in first]

    def gain(cut: int, y: Any) -> Fraction:
        mean = Fraction(sum(y), len(y))
        return sum((label - mean for x, label in zip(column, y, strict=True) if x <= cut), Fraction(0)) ** 2

    cuts = sorted(set(column))
    chosen = max(cuts[:-1] or cuts, key=lambda cut: gain(cut, labels))
    every = [gain(chosen, order) for order in permutations(labels)]
    return Fraction(sum(s >= every[0] for s in every), len(every))


def labels_of_groups(sizes: Ints, column: Ints, ones: int) -> Orbit:
    """A label for each group, in any order of the groups."""
    groups = tuple(c for c, m in enumerate(sizes) for _ in range(m))
    orders = sorted(set(permutations([1] * ones + [0] * (len(sizes) - ones))))
    each = tuple(Rows(groups, column, tuple(order[c] for c in groups)) for order in orders)
    return Orbit("labels of groups are unrelated to their values and sizes", each)


def vectors_of_groups(sizes: Ints, firsts: tuple[Ints, ...], column: Ints) -> Orbit:
    """The labels of the first rows of groups, as many of each, in any order of the groups; others stay."""
    groups = tuple(c for c, m in enumerate(sizes) for _ in range(m))
    each = []
    for order in permutations(firsts):
        parts = [(*first, *[1] * (m - len(first))) for m, first in zip(sizes, order, strict=True)]
        each.append(Rows(groups, column, tuple(y for part in parts for y in part)))
    return Orbit("the first labels of groups are unrelated to their values and sizes", tuple(each))


def values_of_groups(vectors: tuple[Ints, ...], values: Ints) -> Orbit:
    """A value for each group, in any order of the groups."""
    groups = tuple(c for c, vector in enumerate(vectors) for _ in vector)
    labels = tuple(y for vector in vectors for y in vector)
    each = tuple(Rows(groups, tuple(order[c] for c in groups), labels) for order in permutations(values))
    return Orbit("values of groups are unrelated to their sizes and labels", each)


def halves(orbit: Orbit) -> Orbit:
    """Each data set with each half of its groups that grows a tree and has every label that occurs."""
    each = []
    for rows in orbit.each:
        many, seen = len(set(rows.groups)), set(rows.labels)
        for some in combinations(range(many), many // 2):
            if {y for g, y in zip(rows.groups, rows.labels, strict=True) if g in some} == seen:
                each.append(rows._replace(grows=some))
    return Orbit(f"{orbit.says}, and labels alone decide which groups grow a tree", tuple(each))


def orbits(groups: int) -> Iterator[Orbit]:
    """Yield orbits of each kind with up to so many groups."""
    rng = np.random.default_rng(groups)
    for c in range(3, groups + 1):
        for _ in range(4):
            sizes = tuple(rng.integers(1, 4, c).tolist())
            one_label = labels_of_groups(sizes, tuple(rng.integers(0, 5, sum(sizes)).tolist()), int(rng.integers(1, c)))
            yield one_label
            some = tuple(rng.integers(2, 4, c).tolist()) if rng.random() < 0.5 else (2,) * c
            firsts = tuple(tuple(rng.integers(0, 2, min(some)).tolist()) for _ in range(c))
            several = vectors_of_groups(some, firsts, tuple(rng.integers(0, 5, sum(some)).tolist()))
            yield several
            yield from (halved for halved in map(halves, (one_label, several)) if halved.each)
            uneven = tuple(tuple(rng.integers(0, 2, m).tolist()) for m in sizes)
            yield values_of_groups(uneven, tuple(rng.integers(0, 3, c).tolist()))


def is_valid_by_moves(pvalue: Callable[[Rows], Fraction] = by_library, most: int = 4) -> Exhaustive:
    """The p-value of the data sets of each orbit is at most t in a share of at most t of them, for all t."""

    def law(orbit: Orbit) -> dict[Fraction, Fraction]:
        return equally_likely(pvalue(rows) for rows in orbit.each)

    return valid(orbits, law, groups=upto(most))


# E-values of nodes.


def moved_at(rows: Rows) -> tuple[list[int], list[Ints]]:
    """The column, and all orders of the labels by the library's moves, the first of which was seen."""
    labels = np.array(rows.labels)
    moves = Dependence(numbered(np.array(rows.groups))).moves(np.array(rows.column), labels[:, None])
    y, starts = labels[moves.rows], np.flatnonzero(moves.place == 0)
    orders = [tuple(y[starts[list(order)][moves.unit]].tolist()) for order in within(tuple(moves.block.tolist()))]
    return np.array(rows.column)[moves.rows].tolist(), orders


def rows_moved_at(rows: Rows) -> tuple[list[int], list[Ints]]:
    return list(rows.column), list(permutations(rows.labels))


def ratio_at(rows: Rows, cut: int, moved: Callable[[Rows], tuple[list[int], list[Ints]]]) -> Fraction:
    """Four to the number of ones left of a cut, over its mean over the moves of the labels of these rows."""
    if not rows.groups:
        return Fraction(1)
    column, orders = moved(rows)
    each = [4 ** sum(y for x, y in zip(column, labels, strict=True) if x <= cut) for labels in orders]
    return Fraction(each[0] * len(each), sum(each))


def ratios(rows: Rows, moved: Callable[[Rows], tuple[list[int], list[Ints]]]) -> tuple[Fraction, Fraction]:
    """Those of a tree that cuts all rows after 1, and those left of it after 0."""
    left = [i for i, x in enumerate(rows.column) if x <= 1]
    inside = Rows(*(tuple(part[i] for i in left) for part in rows[:3]))
    return ratio_at(rows, 1, moved), ratio_at(inside, 0, moved)


def mean_of_nodes(root: Fraction, below: Fraction) -> Fraction:
    return (root + below) / 2


def product_of_nodes(root: Fraction, below: Fraction) -> Fraction:
    return root * below


def nodes(groups: int) -> Iterator[Orbit]:
    """Yield labels of groups of up to so many, whose rows lie on both sides of both cuts or of one."""
    rng = np.random.default_rng(groups)
    for c in range(3, groups + 1):
        for _ in range(6):
            sizes = tuple(rng.integers(1, 3, c).tolist())
            yield labels_of_groups(sizes, tuple(rng.integers(0, 3, sum(sizes)).tolist()), int(rng.integers(1, c)))


def is_evalue_of_nodes(
    combined: Callable[[Fraction, Fraction], Fraction] = mean_of_nodes,
    moved: Callable[[Rows], tuple[list[int], list[Ints]]] = moved_at, most: int = 4,
) -> Exhaustive:  # fmt: skip
    """The mean over each orbit is at most 1."""

    def holds(orbit: Orbit) -> bool:
        each = [combined(*ratios(rows, moved)) for rows in orbit.each]
        return sum(each, Fraction(0)) <= len(each)

    return Exhaustive(Cases(nodes, groups=upto(most)), holds)


MOVED, OF_NODES = Law(is_valid_by_moves), Law(is_evalue_of_nodes)

THEOREMS = [
    Theorem(
        key="inference.moves_of_whole_groups_are_valid",
        statement="if rows come in independent groups and labels are unrelated to a column, the share of all moves"
        " that score as high is at most t with probability at most t, for every t and any score: labels that are"
        " constant in groups move over all groups, vectors of the first labels within runs of groups, and a column"
        " that is constant in groups has one observation a group; so it is where other groups chose the cut, if labels"
        " alone decided which",
        source="hothorn2006 for permutations within blocks; moves by what is constant in groups new",
        holds=MOVED,
        premises=(Premise("share_of_moves_is_valid", "kernel", {"n": ALL}),),
        fails=(
            MOVED.but("labels of single rows may move", pvalue=by_rows),
            MOVED.but("labels may move inside groups", pvalue=inside_groups),
            MOVED.but("whole groups of unequal sizes may change places", pvalue=refilled),
            MOVED.but(
                "a group may be in the half that chose the cut and in that which tests it", pvalue=in_both_halves
            ),
        ),
    ),
    Theorem(
        key="inference.means_over_nodes_of_groups_are_evalues",
        statement="if rows come in independent groups with one label each, which is unrelated to sizes and columns, the"
        " ratio at a node of a positive function of the labels to its mean over all moves of the labels of the groups"
        " that have rows there has mean 1, and so has the mean of such ratios over the nodes of a tree, though nodes"
        " share groups",
        source="vovk2021 (means of e-values); the moves at a node new",
        holds=OF_NODES,
        fails=(
            OF_NODES.but("ratios of nodes that share groups may be multiplied", combined=product_of_nodes),
            OF_NODES.but("labels of single rows may move at a node", moved=rows_moved_at),
        ),
    ),
]
