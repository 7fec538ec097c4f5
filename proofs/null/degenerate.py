"""When the null variance is 0: the gain is the same for every permutation of the labels.

A margin is *even* if all its totals are equal, and *thin* if it is a single total, all ones, or {N - 1, 1}.
Source: wang2024, eq. (11), which divides by the variance and leaves these margins out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from splitcrit.nulls.margin_totals import constant
from splitcrit.proof import ALL, All, Exhaustive, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import up_to
from splitcrit.proofs.null import laws
from splitcrit.proofs.null.factors import CLASS_TERMS, FOUR_FACTORS, ROW_TERMS


def library_says(case: laws.Margins) -> bool:
    a, b = (np.array(side) for side in case)
    return bool(constant(a, b))


def one_gain(case: laws.Margins) -> bool:
    return len({laws.gain(t) for t, _ in laws.arrangements(*case)}) == 1


def only_if(condition: Callable[[laws.Margins], bool]) -> Exhaustive:
    """The claim that the variance is positive wherever a condition does not hold."""
    return up_to(6, laws.margins, lambda c: laws.null(c).variance > 0 or sum(c[0]) < 3 or condition(c))


ZERO_IF = Law(only_if, condition=laws.still)
ZERO = Theorem(
    key="null.variance_zero_iff_even_and_thin",
    statement="the variance is 0 exactly if N <= 2, or one margin is even and one, the same or the other, is thin;"
    " then the gain is the same for every permutation, and the library says so in integers",
    source="wang2024, eq. (11)",
    holds=All(
        rows=ROW_TERMS,
        classes=CLASS_TERMS,
        rule=up_to(9, laws.margins, lambda c: (laws.null(c).variance == 0) == laws.still(c) == library_says(c)),
        gains=up_to(6, laws.margins, lambda c: one_gain(c) == laws.still(c)),
    ),
    premises=(Premise(FOUR_FACTORS.key, kind="theorem", widens={"N": ALL}),),
    fails=(
        ZERO_IF.but(
            "only if there is one row, one class, N rows or N classes",
            condition=lambda c: any(len(side) in (1, sum(side)) for side in c),
        ),
        ZERO_IF.but(
            "only if one margin is even and the other is thin",
            condition=lambda c: any(laws.even(x) and laws.thin(y) for x, y in (c, c[::-1])),
        ),
        NearMiss(
            "already if one margin is even",
            up_to(6, laws.margins, lambda c: laws.null(c).variance == 0 or not any(map(laws.even, c))),
        ),
    ),
)


def with_margins(most: int, degenerate: bool) -> Iterator[tuple[laws.Margins, laws.Counts]]:
    """Yield the tables whose margins are degenerate, or those whose are not."""
    yield from ((c, t) for c in laws.margins(most) if laws.still(c) == degenerate for t, _ in laws.arrangements(*c))


def degenerate_tables(most: int) -> Iterator[tuple[laws.Margins, laws.Counts]]:
    return with_margins(most, True)


@cache
def least_gain(case: laws.Margins) -> Fraction:
    return min(laws.gain(t) for t, _ in laws.arrangements(*case))


def certain(c: tuple[laws.Margins, laws.Counts]) -> bool:
    """Whether the exact p-value of a table is 1: every table has a gain as large."""
    return laws.gain(c[1]) == least_gain(c[0])


DEGENERATE = Theorem(
    key="null.sgini_zero_of_degenerate_margins",
    statement="where the variance is 0 SGini is 0 and the exact p-value is 1",
    source="wang2024, eq. (11)",
    holds=up_to(6, degenerate_tables, lambda c: laws.sgini_squared(c[1]) == 0 and certain(c)),
    premises=(Premise("sgini_is_0_and_pvalue_1_of_degenerate_margins", "kernel", {"N": ALL}),),
    fails=(
        NearMiss("the p-value is 1 only there", Exhaustive(lambda: with_margins(5, False), lambda c: not certain(c))),
        NearMiss("there the gain is 0 as well", up_to(5, degenerate_tables, lambda c: laws.gain(c[1]) == 0)),
    ),
    added="a value where the printed quotient is 0/0",
)

THEOREMS = [ZERO, DEGENERATE]
