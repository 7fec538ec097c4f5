"""Older statistics that SGini is, standardised: chi-square of two classes, and a multi-response permutation procedure.

Source: wang2024, eqs. (10), (11), (15); the paper names chi-square among the criteria.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.proof import All, Each, Exhaustive, Identity, Law, NearMiss, Theorem
from splitcrit.proofs.common import exactly, gini_decrease, kinds, up_to, vector
from splitcrit.proofs.null.laws import Counts, arrangements, gain, lively, margins, mean_of, sgini_squared, tables_of


def chi_square(t: Any) -> Any:
    """Pearson's statistic of a table without empty rows and columns."""
    a, b = [total(row) for row in t], [total(list(column)) for column in zip(*t, strict=True)]
    n = total(a)
    cells = [(o, x * y / n) for row, x in zip(t, a, strict=True) for o, y in zip(row, b, strict=True)]
    return total([(o - e) ** 2 / e for o, e in cells])


def from_gain(t: Any, m: Any, power: int = 3) -> Any:
    b = [total(list(column)) for column in zip(*t, strict=True)]
    return gini_decrease.score(t, m) * (b[0] + b[1]) ** power / (2 * b[0] * b[1])


def is_chi_square(power: int = 3, rows: int = 2) -> Identity:
    """The claim that chi-square of two classes is a multiple of the library's gain, for a number of rows."""

    def t(v: Any) -> list[list[Any]]:
        return [vector(v, letter, 2) for letter in "xyz"[:rows]]

    return Identity(
        kinds("positive", *"xyz"[:rows], classes=2),
        lambda v, m: chi_square(t(v)),
        lambda v, m: from_gain(t(v), m, power),
    )


def of_two_classes(most: int) -> Iterator[Counts]:
    return tables_of(c for c in margins(most, 2) if len(c[1]) == 2)


def is_exactly(t: Counts) -> bool:
    return bool(chi_square(exactly(t)) == from_gain(exactly(t), EXACT))


def rivals(most: int, classes: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables with the same margins."""
    for a, b in margins(most, 2):
        if len(b) == classes:
            yield from combinations([t for t, _ in arrangements(a, b)], 2)


def same_order(pair: tuple[Counts, Counts]) -> bool:
    one, other = pair
    return bool((gain(one) > gain(other)) == (chi_square(exactly(one)) > chi_square(exactly(other))))


CHI = Law(is_chi_square)
CHI_SQUARE = Theorem(
    key="null.sgini_is_standardised_chi_square_of_two_classes",
    statement="for two classes chi-square is the Gini gain times N^3/(2 b_1 b_2), for any counts in two and three rows"
    " and for any rows of few examples: over permutations SGini is the"
    " standardised chi-square",
    source="wang2024, Section 1.1.2 (chi-square among the criteria); eq. (15)",
    holds=All(counts=Each("r", (2, 3), lambda r: is_chi_square(rows=r)), tables=up_to(6, of_two_classes, is_exactly)),
    fails=(
        CHI.but("the factor is N^2/(2 b_1 b_2)", power=2),
        NearMiss(
            "for three classes it orders tables with the same margins as chi-square does",
            up_to(6, rivals, same_order, K=3),
            "hypothesis",
        ),
    ),
)

Weight = Callable[[int, int, int], Fraction]


def within(t: Counts, weight: Weight) -> Fraction:
    """The weighted mean over rows of the share of pairs in a row that differ in class."""
    n, r, whole = sum(map(sum, t)), len(t), Fraction(0)
    for row in t:
        pairs = list(combinations([j for j, x in enumerate(row) for _ in range(x)], 2))
        if pairs:
            whole += weight(sum(row), n, r) * Fraction(sum(x != y for x, y in pairs), len(pairs))
    return whole


def standardised(t: Counts, weight: Weight) -> Fraction:
    """The signed square of the standardised statistic over permutations."""
    case = tuple(map(sum, t)), tuple(map(sum, zip(*t, strict=True)))
    mean = mean_of(case, lambda s: within(s, weight))
    variance = mean_of(case, lambda s: (within(s, weight) - mean) ** 2)
    above = within(t, weight) - mean
    return Fraction(above * abs(above) / variance) if variance else Fraction(0)


def is_procedure(weight: Weight) -> Exhaustive:
    return up_to(5, lambda most: tables_of(lively(most)), lambda t: standardised(t, weight) == -sgini_squared(t))


PROCEDURE = Law(is_procedure, weight=lambda a, n, r: Fraction(a - 1, n - r))
MRPP = Theorem(
    key="null.sgini_is_multi_response_permutation_of_nominal_distance",
    statement="SGini is minus the standardised statistic of the multi-response permutation procedure with distance 0 in"
    " a class, 1 between classes, and group weights (a_i - 1)/(N - r)",
    source="wang2024, eqs. (10), (11)",
    holds=PROCEDURE,
    fails=(
        PROCEDURE.but("with weights a_i/N", weight=lambda a, n, r: Fraction(a, n)),
        PROCEDURE.but("with weights C(a_i, 2) over their sum", weight=lambda a, n, r: Fraction(a * (a - 1), n * n)),
    ),
)

THEOREMS = [CHI_SQUARE, MRPP]
