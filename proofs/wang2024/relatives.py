"""Older statistics that SGini is, standardised: chi-square of two classes, and a multi-response permutation procedure.

Source: wang2024, eqs. (10), (11), (15); the paper names chi-square among the criteria.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import decrease
from splitcrit.impurities import gini
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import exactly, kinds, vector
from splitcrit.proofs.wang2024.degenerate import lively, tables_of
from splitcrit.proofs.wang2024.laws import (
    Counts,
    arrangements,
    gain,
    margins,
    mean_of,
    sgini_squared,
)


def chi_square(t: Any) -> Any:
    """Return Pearson's statistic of a table without empty rows and columns."""
    a, b = [total(row) for row in t], [total(list(column)) for column in zip(*t, strict=True)]
    n = total(a)
    expected = [[x * y / n for y in b] for x in a]
    return total(
        [(o - e) ** 2 / e for row, means in zip(t, expected, strict=True) for o, e in zip(row, means, strict=True)]
    )


def rows_of(v: Any, number: int) -> list[list[Any]]:
    return [vector(v, letter, 2) for letter in "xyz"[:number]]


def from_gain(t: Any, m: Any) -> Any:
    b = [total(list(column)) for column in zip(*t, strict=True)]
    return decrease(gini).score(t, m) * (b[0] + b[1]) ** 3 / (2 * b[0] * b[1])


def is_chi_square(number: int) -> Identity:
    return Identity(
        kinds("positive", *"xyz"[:number], classes=2),
        lambda v, m: chi_square(rows_of(v, number)),
        lambda v, m: from_gain(rows_of(v, number), m),
    )


def rivals(classes: int, most: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables with the same margins."""
    for a, b in margins(most, 2):
        if len(b) == classes:
            yield from combinations([t for t, _ in arrangements(a, b)], 2)


def same_order(pair: tuple[Counts, Counts], of: Callable[[Counts], Fraction]) -> bool:
    one, other = pair
    return (gain(one) > gain(other)) == (of(one) > of(other))


def exact_chi_square(t: Counts) -> Fraction:
    return Fraction(chi_square(exactly(t)))


CHI_SQUARE = Theorem(
    key="sgini.standardised_chi_square_of_two_classes",
    statement="for two classes chi-square is the Gini gain times N^3/(2 b_1 b_2): over permutations SGini is the"
    " standardised chi-square",
    source="wang2024, Section 1.1.2 (chi-square among the criteria); eq. (15)",
    scope="K = 2: two and three rows; any rows N <= 6",
    holds=All(
        is_chi_square(2),
        is_chi_square(3),
        Exhaustive(
            lambda: tables_of(c for c in margins(6, 2) if len(c[1]) == 2),
            lambda t: exact_chi_square(t) == from_gain(exactly(t), EXACT),
        ),
    ),
    fails=(
        NearMiss(
            "for three classes it orders tables with the same margins as chi-square does",
            Exhaustive(lambda: rivals(3, 6), lambda pair: same_order(pair, exact_chi_square)),
            "hypothesis",
        ),
        NearMiss(
            "the factor is N^2/(b_1 b_2)",
            Identity(
                kinds("positive", "x", "y", classes=2),
                lambda v, m: chi_square(rows_of(v, 2)),
                lambda v, m: from_gain(rows_of(v, 2), m) * 2 / (v.x0 + v.x1 + v.y0 + v.y1),
            ),
        ),
    ),
)


def within(t: Counts, weight: Callable[[int, int, int], Fraction]) -> Fraction:
    """Return the weighted mean over rows of the share of pairs in a row that differ in class."""
    n, r = sum(map(sum, t)), len(t)
    whole = Fraction(0)
    for row in t:
        labels = [j for j, x in enumerate(row) for _ in range(x)]
        pairs = list(combinations(labels, 2))
        if pairs:
            whole += weight(len(labels), n, r) * Fraction(sum(x != y for x, y in pairs), len(pairs))
    return whole


def by_freedom(a: int, n: int, r: int) -> Fraction:
    return Fraction(a - 1, n - r)


def standardised_within(t: Counts, weight: Callable[[int, int, int], Fraction]) -> Fraction:
    """Return the signed square of the standardised statistic over permutations."""
    case = tuple(map(sum, t)), tuple(map(sum, zip(*t, strict=True)))
    mean = mean_of(case, lambda s: within(s, weight))
    variance = mean_of(case, lambda s: (within(s, weight) - mean) ** 2)
    above = within(t, weight) - mean
    return Fraction(above * abs(above) / variance) if variance else Fraction(0)


def agrees_with_pairs(weight: Callable[[int, int, int], Fraction]) -> Exhaustive:
    return Exhaustive(lambda: tables_of(lively(5)), lambda t: standardised_within(t, weight) == -sgini_squared(t))


MRPP = Theorem(
    key="sgini.multi_response_permutation_of_nominal_distance",
    statement="SGini is minus the standardised statistic of the multi-response permutation procedure with distance 0 in"
    " a class, 1 between classes, and group weights (a_i - 1)/(N - r)",
    source="wang2024, eqs. (10), (11)",
    scope="all tables N <= 5 with a positive variance; the row term for K = 3",
    holds=All(
        Identity(
            kinds("positive", "x", classes=3),
            lambda v, m: (
                (total(vector(v, "x", 3)) ** 2 - total([x * x for x in vector(v, "x", 3)])) / total(vector(v, "x", 3))
            ),
            lambda v, m: (
                total(vector(v, "x", 3)) - total([x * x / total(vector(v, "x", 3)) for x in vector(v, "x", 3)])
            ),
        ),
        agrees_with_pairs(by_freedom),
    ),
    fails=(
        NearMiss("with weights a_i/N", agrees_with_pairs(lambda a, n, r: Fraction(a, n))),
        NearMiss(
            "with weights C(a_i, 2) over their sum", agrees_with_pairs(lambda a, n, r: Fraction(a * (a - 1), n * n))
        ),
    ),
)


THEOREMS = [CHI_SQUARE, MRPP]


ERRATA: list[Erratum] = []
