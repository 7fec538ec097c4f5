"""When the null variance is 0: the gain is the same for every permutation of the labels.

A margin is *even* if all its totals are equal, and *thin* if it is a single total, all ones, or {N - 1, 1}.
Source: wang2024, eq. (11), which divides by the variance and leaves these margins out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from splitcrit.nulls import gini_pvalue, sgini
from splitcrit.nulls.margins import constant
from splitcrit.proof import All, Erratum, Exhaustive, NearMiss, Smt, Theorem
from splitcrit.proofs.wang2024.laws import Counts, Margins, Totals, arrangements, gain, margins, null, sgini_squared
from splitcrit.proofs.wang2024.moments import FOUR_FACTORS

INTEGERS = "hand argument: totals are integers, so that what is left of N is 0 or at least 1"


def even(totals: Totals) -> bool:
    return len(set(totals)) == 1


def thin(totals: Totals) -> bool:
    return len(totals) == 1 or set(totals) == {1} or (len(totals) == 2 and 1 in totals)


def still(case: Margins) -> bool:
    """Tell whether the margins are degenerate by the rule."""
    a, b = case
    return sum(a) <= 2 or ((even(a) or even(b)) and (thin(a) or thin(b)))


def library_says(case: Margins) -> bool:
    a, b = (np.array(side) for side in case)
    return bool(constant(a, b))


def one_gain(case: Margins) -> bool:
    return len({gain(t) for t, _ in arrangements(*case)}) == 1


def lively(most: int, least: int = 1) -> Iterator[Margins]:
    """Yield the margins with a positive variance."""
    return (c for c in margins(most, least) if not still(c))


def tables_of(cases: Iterator[Margins]) -> Iterator[Counts]:
    for case in cases:
        yield from (t for t, _ in arrangements(*case))


def by_shape(most: int, rows: int, classes: int) -> Iterator[Counts]:
    return tables_of(c for c in margins(most, 2) if (len(c[0]), len(c[1])) == (rows, classes))


ROW = dict.fromkeys(("a", "rest", "others"), "real")  # a row, what is left of N, and sum of a_l - 1 over other rows
CLASS = dict.fromkeys(("b", "rest", "others"), "real")  # a class, what is left, and sum of b_l (b_l - 1) over others


def row_term(v: Any) -> Any:
    return (v.a - 1) * (v.rest * (v.rest - 1) / v.a + v.others)


def class_term(v: Any) -> Any:
    return v.b * (v.b - 1) * (v.rest * (v.rest - 1) + v.others)


def either(m: Any, *conditions: Any) -> Any:
    """Return whether one of the conditions holds, in any arithmetic."""
    return m.max(tuple(m.where(c, m.number(1), m.number(0)) for c in conditions)) == 1


def both(m: Any, *conditions: Any) -> Any:
    return m.min(tuple(m.where(c, m.number(1), m.number(0)) for c in conditions)) == 1


def integral(v: Any, m: Any, size: Any) -> list[Any]:
    """Return what is known of a total, what is left and the others: no term is negative."""
    return [size >= 1, v.others >= 0, either(m, v.rest == 0, v.rest >= 1), either(m, v.rest > 0, v.others == 0)]


def vanishing(v: Any, m: Any, size: Any, term: Any) -> Any:
    """The term is non-negative, and 0 exactly for a total of 1, or where at most one example is left, by itself."""
    zero = either(m, size == 1, both(m, v.rest * (v.rest - 1) == 0, v.others == 0))
    return both(m, term >= 0, either(m, both(m, term == 0, zero), both(m, term > 0, m.where(zero, 0, 1) == 1)))


ROW_TERMS = Smt(ROW, lambda v, m: vanishing(v, m, v.a, row_term(v)), lambda v, m: integral(v, m, v.a))
CLASS_TERMS = Smt(CLASS, lambda v, m: vanishing(v, m, v.b, class_term(v)), lambda v, m: integral(v, m, v.b))

THEOREMS = [
    Theorem(
        key="null.variance_zero_iff_even_and_thin",
        statement="the variance is 0 exactly if N <= 2, or one margin is even and one, the same or the other, is thin;"
        " then the gain is the same for every permutation, and the library says so in integers",
        source="wang2024, eq. (11)",
        scope="all margins, from the four factors; by enumeration N <= 9, the gains themselves N <= 6",
        holds=All(
            ROW_TERMS,
            CLASS_TERMS,
            Exhaustive(lambda: margins(9), lambda c: (null(c).variance == 0) == still(c) == library_says(c)),
            Exhaustive(lambda: margins(6), lambda c: one_gain(c) == still(c)),
        ),
        premises=(FOUR_FACTORS.key, INTEGERS),
        fails=(
            NearMiss(
                "only if there is one row, one class, N rows or N classes",
                Exhaustive(
                    lambda: margins(6, 3),
                    lambda c: null(c).variance > 0 or any(len(side) in (1, sum(side)) for side in c),
                ),
            ),
            NearMiss(
                "only if one margin is even and the other is thin",
                Exhaustive(
                    lambda: margins(6, 3),
                    lambda c: null(c).variance > 0 or any(even(x) and thin(y) for x, y in (c, c[::-1])),
                ),
            ),
            NearMiss(
                "already if one margin is even",
                Exhaustive(lambda: margins(6, 3), lambda c: null(c).variance == 0 or not any(map(even, c))),
            ),
        ),
        latex=r"\mathbb V = 0 \iff N \le 2 \ \lor\ (\mathrm{even} \land \mathrm{thin})",
    ),
    Theorem(
        key="sgini.zero_of_degenerate_margins",
        statement="where the variance is 0 SGini is 0 and the p-value is 1; SGini is finite for every table",
        source="wang2024, eq. (11)",
        scope="all tables N <= 6",
        holds=Exhaustive(
            lambda: ((c, t) for c in margins(6) if still(c) for t, _ in arrangements(*c)),
            lambda c: sgini(c[1]) == sgini_squared(c[1]) == 0 and float(gini_pvalue(c[1])) == 1,
        ),
        fails=(
            NearMiss(
                "the p-value is 1 only there",
                Exhaustive(
                    lambda: (t for c in margins(5) if not still(c) for t, _ in arrangements(*c)),
                    lambda t: float(gini_pvalue(t)) < 1,
                ),
            ),
            NearMiss(
                "there the gain is 0 as well",
                Exhaustive(
                    lambda: (t for c in margins(5) if still(c) for t, _ in arrangements(*c)), lambda t: gain(t) == 0
                ),
            ),
        ),
        added="a value where the printed quotient is 0/0",
    ),
]
ERRATA: list[Erratum] = []
