"""Nodes, their splits and the best of them, by enumeration, and what the statements about them share.

Main definitions: ``nodes``, ``best``, ``best_vertices``, ``vertex_wins`` (enumeration); ``enclosed`` (scores as balls);
``of_nodes`` (claims).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from splitcrit import impurities
from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease, normalised, replace
from splitcrit.impurities import Impurity
from splitcrit.nulls import agini, sgini, significance
from splitcrit.nulls.permutation import multinomial_mean_variance
from splitcrit.proof import BALL, Ball, Cases, Claim, Exhaustive, upto
from splitcrit.proof.balls import remembered
from splitcrit.proofs.common import exactly, gini_decrease, lefts, partitions, ratios, score, split

Counts = tuple[int, ...]
RATIONAL = tuple(decrease(phi) for phi in (impurities.gini, impurities.misclassification, impurities.bayes_sum))
PERMUTED = replace(agini, model="permutation")
COUNTED = {type(criterion.score) for criterion in (sgini, agini)}  # scores of integers
entropy_decrease, gain_ratio = decrease(impurities.entropy), normalised(impurities.entropy)


def _bimodal(p: Any, m: Any) -> Any:
    """An impurity that is 0 for pure and for even nodes and negative between: not concave."""
    apart = (p[0] - p[1]) * (p[0] - p[1])
    return -4 * apart * (1 - apart)


bimodal = decrease(Impurity("bimodal", _bimodal))


def nodes(most: int, classes: int | None = None, least: int = 2) -> Iterator[Counts]:
    """Yield the class counts, all positive, largest first, of all nodes of up to ``most`` examples."""
    for n in range(2, most + 1):
        yield from (x for x in partitions(n) if least <= len(x) and (classes is None or len(x) <= classes))


def of_nodes(says: Callable[[Counts], bool], most: int, classes: int | None = None) -> Claim:
    """Claim something of the counts of every node of up to a number of examples and classes."""
    sizes: dict[str, Any] = {"N": upto(most)} | ({} if classes is None else {"K": upto(classes)})
    return Exhaustive(Cases(nodes, **sizes), says)


def nodes_of(most: int, classes: int) -> Iterator[Counts]:
    """Yield those of exactly a number of classes."""
    return nodes(most, classes, classes)


def nodes_of_more(most: int, classes: int | None = None) -> Iterator[Counts]:
    """Yield those of more than two classes."""
    return nodes(most, classes, 3)


def is_vertex(counts: Counts, left: Counts) -> bool:
    """Whether no class has members on both sides."""
    return all(x in (0, n) for n, x in zip(counts, left, strict=True))


def vertices(counts: Counts) -> Iterator[Counts]:
    """Yield the left children of all splits that divide no class."""
    for mask in range(1, 2 ** len(counts) - 1):
        yield tuple(n if mask >> j & 1 else 0 for j, n in enumerate(counts))


def node_vertices(most: int) -> Iterator[tuple[Counts, Counts]]:
    yield from ((counts, left) for counts in nodes(most) for left in vertices(counts))


def halves(counts: Counts) -> Iterator[Counts]:
    """Yield the left children of the splits of a node, one of each two that exchange the children."""
    yield from (left for left in lefts(counts) if left <= split(counts, left)[1])


def pairs_of_splits(most: int, classes: int) -> Iterator[tuple[Counts, Counts, Counts]]:
    """Yield every node of exactly ``classes`` classes with each two of its splits."""
    for counts in nodes_of(most, classes):
        splits = list(lefts(counts))
        yield from ((counts, one, other) for i, one in enumerate(splits) for other in splits[:i])


def middle_gains(criterion: Criterion, counts: Counts, one: Counts, other: Counts) -> tuple[Fraction, Fraction]:
    """The score half-way between two splits of a node, and the mean of their scores."""
    left = [Fraction(x + y, 2) for x, y in zip(one, other, strict=True)]
    right = [n - x for n, x in zip(counts, left, strict=True)]
    ends = score(criterion, split(counts, one)) + score(criterion, split(counts, other))
    return criterion.score([left, right], EXACT), ends / 2


@cache
def best(criterion: Criterion, counts: Counts) -> frozenset[Counts]:
    """The left children of all best splits of a node."""
    return top({left: score(criterion, split(counts, left)) for left in lefts(counts)})


@cache
def best_vertices(criterion: Criterion, counts: Counts) -> frozenset[Counts]:
    """The left children of the best among the splits that divide no class."""
    return top({left: score(criterion, split(counts, left)) for left in vertices(counts)})


def top(values: dict[Counts, Any]) -> frozenset[Counts]:
    """The keys of the largest value."""
    most = max(values.values())
    return frozenset(left for left, value in values.items() if value == most)


def some_best_is_vertex(criterion: Criterion, counts: Counts) -> bool:
    return any(is_vertex(counts, left) for left in best(criterion, counts))


def all_best_are_vertices(criterion: Criterion, counts: Counts) -> bool:
    return all(is_vertex(counts, left) for left in best(criterion, counts))


def balanced_vertices(counts: Counts) -> frozenset[Counts]:
    """The vertices whose sides are as equal in size as vertices can be."""
    return top({left: -abs(2 * sum(left) - sum(counts)) for left in vertices(counts)})


def isolating_vertices(counts: Counts) -> frozenset[Counts]:
    """The vertices that put one most frequent class alone on a side."""
    most = max(counts)
    return frozenset(
        left for left in vertices(counts) if any([x for x in side if x] == [most] for side in split(counts, left))
    )


def rational(table: Any, m: Any) -> Any:
    """A table in the numbers of an arithmetic."""
    return [[m.number(x) for x in row] for row in exactly(table)]


@cache
def multinomial(rows: Counts, columns: Counts) -> list[Fraction]:
    """The library's exact mean and variance of the multinomial law."""
    margins = (np.array([Fraction(x) for x in side]) for side in (rows, columns))
    return [Fraction(np.asarray(x).item()) for x in multinomial_mean_variance(*margins)]


def gamma_pvalue(table: Any) -> Ball:
    """``Q(E^2/V, G E/V)``, by the library's exact mean E and variance V of the multinomial law."""
    rows, columns = (tuple(sorted(sum(x) for x in side if any(x))) for side in (table, zip(*table, strict=True)))
    mean, variance = map(Ball, multinomial(rows, columns))
    return BALL.gamma_tail(mean**2 / variance, score(gini_decrease, table) * mean / variance)


@remembered
def enclosed(criterion: Criterion, table: Any) -> Ball:
    """An enclosure of the score of a table of tuples of integers; significance is that of the gamma law."""
    if criterion == significance:
        return -Ball(BALL.log(gamma_pvalue(table)))
    counted = type(criterion.score) in COUNTED
    return Ball(criterion.score(exactly(table) if counted else ratios(table), BALL))


def above(one: Ball, other: Ball) -> bool:
    """Whether one number surely exceeds the other."""
    return (one - other).surely_positive()


def vertex_wins(criterion: Criterion) -> Callable[[Counts], bool]:
    """The statement that at a node some vertex scores strictly more than every split that is none."""

    def holds(counts: Counts) -> bool:
        scores = {left: enclosed(criterion, split(counts, left)) for left in halves(counts)}
        top = [x for left, x in scores.items() if is_vertex(counts, left)]
        return all(any(above(b, x) for b in top) for left, x in scores.items() if not is_vertex(counts, left))

    return holds
