"""The best cut of a feature under every order of the labels, in Fractions and plain loops."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from oracles import gain, moments, table_law

Sides = tuple[int, ...]  # the rows that go left


@cache
def arrangements(labels: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Every different order of the labels; all are equally likely."""
    rest = {x: (*labels[: labels.index(x)], *labels[labels.index(x) + 1 :]) for x in sorted(set(labels))}
    return [(x, *later) for x, others in rest.items() for later in arrangements(others)] or [()]


def cuts(values: Sequence[Any], kind: str, missing: str = "side") -> list[Sides]:
    """The rows to the left by every cut of ordered values, or every subset of categories; None is missing."""
    rows, gaps = range(len(values)), tuple(i for i, v in enumerate(values) if v is None)
    present = sorted({v for v in values if v is not None})
    if kind == "categories":
        names = [*present, *[None][: len(gaps)]]
        chosen = [set(s) for size in range(1, len(names)) for s in combinations(names, size)]
        return [tuple(i for i in rows if values[i] in s) for s in chosen]
    found = [tuple(i for i in rows if values[i] is not None and values[i] <= v) for v in present[:-1]]
    if gaps and missing == "side":
        found += [tuple(sorted((*left, *gaps))) for left in found]
    if gaps and present:
        found.append(tuple(i for i in rows if values[i] is not None))
    return found


@cache
def _law(rows: tuple[int, int], classes: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    mean, variance, *_ = moments(table_law(rows, classes))
    return mean, variance


def score(labels: Sequence[int], left: Sides, statistic: str) -> Fraction:
    """The score of one cut from its definition: of sgini the signed square, of numbers the share of the variance."""
    inside = set(left)
    if statistic == "variance":
        n, total = len(labels), Fraction(sum(labels))
        apart = n * sum(labels[i] for i in left) - len(left) * total
        spread = n * sum(Fraction(x) ** 2 for x in labels) - total**2
        return Fraction(apart**2, len(left) * (n - len(left))) / spread
    classes = sorted(set(labels))
    first = [sum(labels[i] == k for i in left) for k in classes]
    whole = [sum(label == k for label in labels) for k in classes]
    table = [first, [w - f for w, f in zip(whole, first, strict=True)]]
    if statistic == "gini":
        return gain(table)
    mean, variance = _law((len(inside), len(labels) - len(inside)), tuple(whole))
    apart = gain(table) - mean
    return apart * abs(apart) / variance if variance else Fraction(0)


def best(labels: Sequence[int], sides: list[Sides], statistic: str, least: int = 1) -> Fraction:
    """The largest score of any cut with enough rows on both sides."""
    allowed = [s for s in sides if least <= len(s) <= len(labels) - least]
    return max(score(labels, s, statistic) for s in allowed)


def pvalues(
    labels: Sequence[int], sides: list[Sides], statistic: str, least: int = 1
) -> dict[tuple[int, ...], Fraction]:
    """The selected p-value of every order of the labels."""
    every = arrangements(tuple(labels))
    scores = [best(order, sides, statistic, least) for order in every]
    return {
        order: Fraction(sum(other >= own for other in scores), len(scores))
        for order, own in zip(every, scores, strict=True)
    }


def rank_sum_pvalues(labels: Sequence[int], values: Sequence[Any]) -> dict[tuple[int, ...], Fraction]:
    """The two-sided p-value of the rank sum of one of two classes, of every order; None has the mean rank."""
    present = [v for v in values if v is not None]
    ranks = [Fraction(sum(w < v for w in present) + sum(w <= v for w in present) + 1, 2) if v is not None
             else Fraction(len(present) + 1, 2) for v in values]  # fmt: skip
    every = arrangements(tuple(labels))
    sums = [sum((r for r, label in zip(ranks, order, strict=True) if label), Fraction(0)) for order in every]
    middle = sum(ranks) * sum(map(bool, labels)) / len(labels)
    away = [abs(total - middle) for total in sums]
    return {
        order: Fraction(sum(other >= own for other in away), len(away)) for order, own in zip(every, away, strict=True)
    }


def column_pvalues(
    labels: Sequence[int], values: Sequence[Any], kind: str, statistic: str, least: int = 1, missing: str = "side"
) -> dict[tuple[int, ...], Fraction]:
    """The p-value of a column for two classes 0 and 1: twice the smaller of those of the best cut and of its ranks.

    Categories are divided in two by the Gini gain; one cut has one p-value.
    """
    sides = cuts(values, kind, missing)
    if kind == "categories":
        return pvalues(labels, sides, "gini", least)
    of_cut = pvalues(labels, sides, statistic, least)
    if sum(least <= len(s) <= len(labels) - least for s in sides) < 2:
        return of_cut
    last = max(v for v in values if v is not None) + 1
    ranked = rank_sum_pvalues(labels, [last if v is None and missing == "row" else v for v in values])
    return {order: min(Fraction(1), 2 * min(of_cut[order], ranked[order])) for order in of_cut}
