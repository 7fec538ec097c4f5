"""Columns of a tested tree compared by what chance alone would give each; and p-values joined with evidence.

The surprise of a column is a function ``h`` of its best gain, which random orders of the labels make: here two orders
for each column. Orders of the *sorted* labels make ``h`` of the column and of how many labels are of each class, and
labels permuted inside a node leave it the same. Orders of the labels *observed* make another ``h`` for each of them.
Labels are the set of rows that have class 1; values -1 are missing in the library's columns.
Source: fithian2014 for tests that are valid given what was selected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import exp, inf, log
from typing import Any, NamedTuple

import numpy as np

from splitcrit.nulls.evidence import SHARE, log_joined
from splitcrit.proof import ALL, All, Exhaustive, Law, Premise, Theorem, only, upto
from splitcrit.proofs.inference.outcomes import Values, equally_likely, valid
from splitcrit.proofs.inference.plain_trees import Features, Rows, gain
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.surprise_paths import SurpriseSearch

Sides = tuple[Rows, Rows]
ANY = Fraction(1)
STEPS = (2, 3)  # a draw puts the label of place i at place ``step * i`` modulo a prime


# Columns compared, in fractions.


@cache
def best_of_column(values: tuple[int, ...], rows: Rows, ones: Rows) -> tuple[Fraction, Rows]:
    """The largest gain of the cuts of a column, and the left side of the first that has it."""
    best = Fraction(0), Rows()
    for at in sorted({values[i] for i in rows})[:-1]:
        left = frozenset(i for i in rows if values[i] <= at)
        best = max(best, (gain(len(rows), len(ones), len(left), len(left & ones)), left), key=lambda cut: cut[0])
    return best


def draws(values: tuple[int, ...], rows: Rows, ones: Rows) -> Iterator[Rows]:
    """Yield the labels of each draw, in the order of a column, from labels in the order of the rows."""
    places, by_value = sorted(rows), sorted(rows, key=lambda i: (values[i], i))
    prime = next(p for p in (2, 3, 5, 7, 11) if p > len(rows))
    for step in STEPS:
        turned = sorted(range(len(rows)), key=lambda i: (step * (i + 1)) % prime)
        yield frozenset(by_value[place] for i, place in enumerate(turned) if places[i] in ones)


def of_sorted_labels(rows: Rows, ones: Rows) -> Rows:
    """Labels in increasing order: how many are of class 1 decides."""
    return frozenset(sorted(rows)[len(rows) - len(ones) :])


def as_observed(rows: Rows, ones: Rows) -> Rows:
    return ones


Made = Callable[[Rows, Rows], Rows]


def chosen(
    features: Features, rows: Rows, ones: Rows, observed: Rows, orders_like: Made
) -> tuple[Fraction, Sides | None]:
    """The largest surprise of a node with these labels, and the sides of its split; h is made of the observed.

    A surprise is the share of draws whose best gain is smaller, equal ones half, and grows on with the gain.
    """
    best: tuple[Fraction, Sides | None] = Fraction(0), None
    for values in features:
        gained, left = best_of_column(values, rows, rows & ones)
        if not gained:
            continue
        others = [
            best_of_column(values, rows, each)[0] for each in draws(values, rows, orders_like(rows, rows & observed))
        ]
        halves = sum(2 * (g < gained) + (g == gained) for g in others)
        surprise = Fraction(halves, 2) + gained / (1000 * len(rows) ** 4)
        if surprise > best[0]:
            best = surprise, (left, rows - left)
    return best


class Table(NamedTuple):
    """Features, and how many rows have class 1."""

    features: Features
    ones: int

    def __str__(self) -> str:
        return f"values {'; '.join(' '.join(map(str, each)) for each in self.features)}, {self.ones} of class 1"


class Found(NamedTuple):
    """A node of trees of a table: its rows, the sides of the root above it if any, and the labels outside."""

    table: Table
    rows: Rows
    above: frozenset[Rows]
    outside: Rows

    def __str__(self) -> str:
        return f"{self.table}, node of rows {sorted(self.rows)}"


def nodes(tables: Iterator[Table], orders_like: Made) -> Iterator[tuple[Found, list[Rows]]]:
    """Yield the root and its children in the trees of all orders of the labels, each with the orders that have it."""
    for table in tables:
        orders_of: dict[Found, list[Rows]] = defaultdict(list)
        root = frozenset(range(len(table.features[0])))
        for ones in map(frozenset, combinations(sorted(root), table.ones)):
            orders_of[Found(table, root, frozenset(), Rows())].append(ones)
            sides = chosen(table.features, root, ones, ones, orders_like)[1]
            for side in sides or ():
                orders_of[Found(table, side, frozenset(sides or ()), ones - side)].append(ones)
        yield from orders_of.items()


def pvalue(node: Found, ones: Rows, orders_like: Made, conditional: bool = True) -> Fraction:
    """The share of orders inside a node that score as high, of those in which the root chooses as it did."""
    features, root = node.table.features, frozenset(range(len(node.table.features[0])))
    inside = combinations(sorted(node.rows), len(ones & node.rows))
    scores = [
        chosen(features, node.rows, each, ones, orders_like)[0]
        for each in (node.outside | frozenset(some) for some in inside)
        if not conditional
        or not node.above
        or frozenset(chosen(features, root, each, ones, orders_like)[1] or ()) == node.above
    ]
    own = chosen(features, node.rows, ones, ones, orders_like)[0]
    return Fraction(sum(score >= own for score in scores), len(scores))


def tables(most: int) -> Iterator[Table]:
    """Yield tables of a column without ties and one of any values up to 2, or two without ties."""
    for n in range(3, most + 1):
        straight = tuple(range(n))
        few = (values for values in product(range(3), repeat=n) if len(set(values)) > 1 and values[0] == 0)
        for second in (*few, *(permutations(straight) if n < most else ())):
            yield from (Table((straight, second), ones) for ones in range(1, n // 2 + 1))


def is_valid_by(orders_like: Made = of_sorted_labels, conditional: bool = True, **sizes: Any) -> Exhaustive:
    """Given that the tree has a node, its p-value is at most t with probability at most t, for all t."""

    def law(case: tuple[Found, list[Rows]]) -> dict[Fraction, Fraction]:
        node, orders = case
        return equally_likely(pvalue(node, ones, orders_like, conditional) for ones in orders)

    return valid(lambda most: nodes(tables(most), orders_like), law, **sizes)


# The library's search.

COLUMNS = ((0, 1, 0, 2, 1, 2, -1), (3, -1, 0, 1, -1, 2, 4))


def library(ones: Rows) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
    """Yield the root and its children in the library's tree: what each is given, and its p-value by all orders."""
    x = np.array(COLUMNS, dtype=np.float32).T
    x[x < 0] = np.nan
    rows = np.arange(len(x))
    y = np.isin(rows, list(ones)).astype(np.int64)
    search = SurpriseSearch(x, y, None, 2, None, 1)
    division = search.best(rows)
    above = [] if division is None else [rows]
    for here in [rows, *(() if division is None else (rows[division.left], rows[~division.left]))]:
        key = tuple(here.tolist()), tuple(np.delete(y, here).tolist()), int(y[here].sum())
        if search.best(here) is None:
            yield key, ANY
            continue
        if len(here) == len(rows):
            path = Path.of([rows], [np.zeros(len(rows), dtype=bool)])
        else:
            assert division is not None
            path = Path.of([here, *above], [np.zeros(len(here), dtype=bool), division.left])
        each = np.array([np.isin(here, some) for some in combinations(here.tolist(), key[2])], dtype=np.int64)
        searched = search.path(path)
        scores, own = searched.scores(each), searched.scores(y[here][None])[0]
        yield key, Fraction(int((scores >= own - searched.band).sum()), int((~np.isnan(scores)).sum()))


def is_valid_by_search() -> Exhaustive:
    """The same of the library's search, of columns with missing values and ties, whose laws are drawn."""

    def cases(rows: int, ones: int) -> Iterator[tuple[Any, list[Fraction]]]:
        pvalues: dict[Any, list[Fraction]] = defaultdict(list)
        for some in combinations(range(rows), ones):
            for key, p in library(frozenset(some)):
                pvalues[key].append(p)
        yield from pvalues.items()

    return valid(cases, lambda case: equally_likely(case[1]), rows=only(len(COLUMNS[0])), ones=only(3))


# P-values joined with evidence.


class Joined(NamedTuple):
    """A p-value and two numbers of mean 1, at each of equally likely outcomes, and the weight of the latter."""

    p: Values
    evidence: tuple[Values, Values]
    share: Fraction

    def __str__(self) -> str:
        return f"weight {self.share}; " + "; ".join(", ".join(map(str, each)) for each in (self.p, *self.evidence))


OUTCOMES = 4
OURS = Fraction(SHARE).limit_denominator(100)
Rule = Callable[[Fraction, list[Fraction], Fraction], Fraction]


def weighted(p: Fraction, evidence: list[Fraction], share: Fraction) -> Fraction:
    """The joined p-value; with the library's weight 0 where its logarithm is another."""
    e = sum(evidence, Fraction(0)) / len(evidence)
    exact = min(ANY, p / (1 - share), 1 / (share * e) if e else ANY)
    ours = exp(log_joined(log(p), False, lambda: log(e) if e else -inf)[0])
    return exact if share != OURS or abs(ours - exact) < 1e-12 else Fraction(0)


def unweighted(p: Fraction, evidence: list[Fraction], share: Fraction) -> Fraction:
    return min(ANY, p, *(1 / e for e in evidence if e))


def best_weight(p: Fraction, evidence: list[Fraction], share: Fraction) -> Fraction:
    """The least p-value of three weights, chosen when the p-values are known."""
    return min(weighted(p, evidence, Fraction(i, 4)) for i in (1, 2, 3))


def of_the_larger(p: Fraction, evidence: list[Fraction], share: Fraction) -> Fraction:
    """The p-value with the larger of two numbers of mean 1."""
    return weighted(p, [max(evidence)], share)


def is_valid_joined(rule: Rule = weighted) -> Exhaustive:
    """The joined p-value is at most t with probability at most t, whatever the dependence."""

    def cases(most: int) -> Iterator[Joined]:
        each = [e for e in product(range(most + 1), repeat=most) if sum(e) == most]
        values = [tuple(map(Fraction, e)) for e in each]  # of mean 1
        ranks = tuple(Fraction(i + 1, most) for i in range(most))
        for one, other in product(values, repeat=2):
            yield from (Joined(ranks, (one, other), share) for share in (OURS, Fraction(1, 2), Fraction(3, 4)))

    def law(case: Joined) -> dict[Fraction, Fraction]:
        outcomes = zip(case.p, *case.evidence, strict=True)
        return equally_likely(rule(p, list(evidence), case.share) for p, *evidence in outcomes)

    return valid(cases, law, outcomes=upto(OUTCOMES))


SEARCHED = Law(is_valid_by, n=upto(5))
WEIGHTED = Law(is_valid_joined)

THEOREMS = [
    Theorem(
        key="inference.selective_pvalue_is_valid_for_any_function_of_columns_and_totals",
        statement="if each column's best gain is compared by a function h of the column and of how many labels of each"
        " class a node has, made by random orders of the sorted labels, say, the share of the orders inside a node"
        " whose largest h is as high, of those in which its ancestors divide their rows as they do, is at most t with"
        " probability at most t given that the tree has the node, for every t; so it is by the library's search",
        source="fithian2014 for tests given what was selected; columns compared by functions of their own new",
        holds=All(by_fractions=SEARCHED, by_search=is_valid_by_search()),
        premises=(
            Premise("inference.selective_pvalue_is_valid_given_that_tree_has_node", kind="theorem"),
            Premise("share_by_totals_is_valid_in_tree", "kernel", {"n": ALL}),
        ),
        fails=(
            SEARCHED.but("h may be made by orders of the labels as observed", orders_like=as_observed),
            SEARCHED.but("so is the share of all orders, as if the node were given", conditional=False),
        ),
    ),
    Theorem(
        key="inference.pvalues_joined_with_evidence_are_valid",
        statement="of a valid p-value p and a number E of mean at most 1, min(1, p/(1 - w), 1/(w E)) is at most t with"
        " probability at most t, for every t and whatever the dependence, if w is fixed beforehand, and E may be the"
        " mean of several; with w = 1/20 it is the library's",
        source="westfall1993 for Bonferroni's inequality",
        holds=WEIGHTED,
        premises=(
            Premise("Boole's inequality: the chance of some of several events is at most the sum of theirs"),
            Premise("Markov's inequality: P(E >= 1/a) <= a if E >= 0 has a mean of at most 1"),
        ),
        fails=(
            WEIGHTED.but("w may be chosen when the p-values are known", rule=best_weight),
            WEIGHTED.but("the smaller of the two needs no weight", rule=unweighted),
            WEIGHTED.but("E may be the larger of two numbers of mean 1", rule=of_the_larger),
        ),
    ),
]
