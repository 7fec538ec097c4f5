"""The printed route to the variance: four double sums of conditional factorial moments, in the reading that is right.

Indices as in the paper: row i, class j; i' another row, j' another class. 0/0 is read as 0 where a total leaves too
little.
Source: wang2024, eqs. (21)-(26), (54)-(55).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import perm
from typing import Any

from splitcrit.proof import All, Erratum, Exhaustive, NearMiss, Theorem
from splitcrit.proofs.wang2024.laws import Margins, margins, mean_of, moment, null
from splitcrit.proofs.wang2024.moments import of_margins

CASES = 6


def ratio(above: int, below: int) -> Fraction:
    """Return a quotient with 0/0 = 0."""
    return Fraction(above, below) if above or below else Fraction(0)


def strict_ratio(above: int, below: int) -> Fraction:
    """Return a quotient; 0/0 raises ZeroDivisionError."""
    return Fraction(above, below)


def powers(two: Fraction, three: Fraction, four: Fraction) -> tuple[Fraction, ...]:
    """Return the coefficients of n, (n)_2, (n)_3, (n)_4 in ``two n^2 + three n^3 + four n^4``."""
    return two + three + four, two + 3 * three + 7 * four, three + 6 * four, four


def expected(bars: tuple[Fraction, ...], a: int, b: int, n: int) -> Fraction:
    """Return the mean of such a polynomial in a hypergeometric cell, by Lemma 2."""
    return sum(
        (c * Fraction(perm(a, x) * perm(b, x), perm(n, x)) for x, c in enumerate(bars, 1) if x <= n), Fraction(0)
    )


def first(a: int, b: int, n: int) -> Fraction:
    """Return a cell's part of eq. (23): the mean of its fourth power, over (N a)^2."""
    return expected((Fraction(1), Fraction(7), Fraction(6), Fraction(1)), a, b, n) / (n * a) ** 2


def inner(drawn: tuple[Fraction, Fraction], left: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return C2, C3, C4 from C1 and C4: the mean of the other cell's square given n, times n^2."""
    one, four = drawn
    return (one - four) * left + four * left**2, -2 * left * four + four - one, four


def second(a: int, b: int, n: int, other: int, over: Any = ratio) -> Fraction:
    """Return eq. (24) for rows a and ``other`` and class b."""
    drawn = over(other, n - a), over(perm(other, 2), perm(n - a, 2))
    return expected(powers(*inner(drawn, b)), a, b, n) / (n * n * a * other)


def third(a: int, b: int, n: int, other: int, over: Any = ratio) -> Fraction:
    """Return eq. (25) for row a and classes b and ``other``."""
    drawn = over(other, n - b), over(perm(other, 2), perm(n - b, 2))
    return expected(powers(*inner(drawn, a)), a, b, n) / (n * a) ** 2


def crossed(a: int, b: int, n: int, other_a: int, other_b: int, over: Any = ratio) -> tuple[Fraction, ...]:
    """Return C2, C3, C4 of eq. (26), the coefficients of n^2, n^3 and n^4."""
    of_row, of_pair = over(other_a, n - a), over(perm(other_a, 2), perm(n - a, 2))
    two = of_pair * over(perm(other_b, 2), perm(n - b, 2))
    one = (2 * of_pair * (1 - other_b) - of_row) * over(other_b, n - b)
    none = other_b * (of_row - of_pair) + of_pair * other_b**2
    return none + (one - two) * a + two * a * a, two - one - 2 * two * a, two


def fourth(a: int, b: int, n: int, other_a: int, other_b: int, over: Any = ratio) -> Fraction:
    """Return eq. (26) for rows a and ``other_a``, classes b and ``other_b``."""
    two, three, four = crossed(a, b, n, other_a, other_b, over)
    return expected(powers(two, three, four), a, b, n) / (n * n * a * other_a)


Pair = tuple[tuple[int, int], tuple[int, int]]  # (row, another), (class, another), by place


@cache
def cross_term(case: Margins, one: tuple[int, int], other: tuple[int, int]) -> Fraction:
    """Return ``E n_ij^2 n_i'j'^2 / (N^2 a_i a_i')`` from the list of all tables."""
    a, _ = case
    mean = mean_of(case, lambda t: t[one[0]][one[1]] ** 2 * t[other[0]][other[1]] ** 2)
    return Fraction(mean) / (sum(a) ** 2 * a[one[0]] * a[other[0]])


def cells(case: Margins) -> Iterator[tuple[int, int]]:
    yield from ((i, j) for i in range(len(case[0])) for j in range(len(case[1])))


Term = tuple[Margins, int, int, int, int]


def terms(most: int = CASES) -> Iterator[Term]:
    """Yield every (row, class, another row, another class) of small margins, one of those with equal totals."""
    for case in margins(most, 2):
        a, b = case
        rows = {(a[i], a[u]): (i, u) for i, u in permutations(range(len(a)), 2)}
        columns = {(b[j], b[v]): (j, v) for j, v in permutations(range(len(b)), 2)}
        yield from ((case, i, j, u, v) for i, u in rows.values() for j, v in columns.values())


def sizes(c: Term) -> tuple[int, int, int, int, int]:
    (a, b), i, j, u, v = c
    return a[i], b[j], sum(a), a[u], b[v]


def first_is_right(c: Term) -> bool:
    a, b, n, _, _ = sizes(c)
    return first(a, b, n) == cross_term(c[0], (c[1], c[2]), (c[1], c[2]))


def second_is(c: Term, of: Callable[..., Fraction] = second) -> bool:
    a, b, n, other, _ = sizes(c)
    return of(a, b, n, other) == cross_term(c[0], (c[1], c[2]), (c[3], c[2]))


def third_is(c: Term, of: Callable[..., Fraction] = third) -> bool:
    a, b, n, _, other = sizes(c)
    return of(a, b, n, other) == cross_term(c[0], (c[1], c[2]), (c[1], c[4]))


def fourth_is(c: Term, of: Callable[..., Fraction] = fourth) -> bool:
    a, b, n, other_a, other_b = sizes(c)
    return of(a, b, n, other_a, other_b) == cross_term(c[0], (c[1], c[2]), (c[3], c[4]))


def total_square(
    case: Margins, parts: tuple[Callable[..., Fraction], ...] = (first, second, third, fourth)
) -> Fraction:
    """Return eq. (22): the four sums."""
    a, b = case
    n, whole = sum(a), Fraction(0)
    for i, j in cells(case):
        others_a, others_b = [x for u, x in enumerate(a) if u != i], [y for v, y in enumerate(b) if v != j]
        whole += parts[0](a[i], b[j], n)
        whole += sum((parts[1](a[i], b[j], n, x) for x in others_a), Fraction(0))
        whole += sum((parts[2](a[i], b[j], n, y) for y in others_b), Fraction(0))
        whole += sum((parts[3](a[i], b[j], n, x, y) for x in others_a for y in others_b), Fraction(0))
    return whole


def printed_variance(case: Margins, *parts: Callable[..., Fraction]) -> Fraction:
    """Return eqs. (19) and (21) on top of eq. (22)."""
    n, _, _, s2, _ = of_margins(case)
    share, mean = s2 / n**2, null(case).mean
    square = -(share**2) - 2 * share * mean + total_square(case, parts or (first, second, third, fourth))
    return Fraction(square - mean**2)


def second_as_printed(a: int, b: int, n: int, other: int) -> Fraction:
    """Eq. (24) with C1 and C4 of the row i itself."""
    drawn = Fraction(a, n - a), Fraction(perm(a, 2), perm(n - a, 2))
    return expected(powers(*inner(drawn, b)), a, b, n) / (n * n * a * other)


def second_as_derived(a: int, b: int, n: int, other: int) -> Fraction:
    """Eq. (54): C4 of the row i', C1 of the row i."""
    drawn = Fraction(a, n - a), Fraction(perm(other, 2), perm(n - a, 2))
    return expected(powers(*inner(drawn, b)), a, b, n) / (n * n * a * other)


def third_as_printed(a: int, b: int, n: int, other: int) -> Fraction:
    """Eq. (25) with C1 and C4 of the class j itself and the falling factorials of the class j'."""
    drawn = Fraction(b, n - b), Fraction(perm(b, 2), perm(n - b, 2))
    return expected(powers(*inner(drawn, a)), a, other, n) / (n * a) ** 2


def fourth_as_printed(a: int, b: int, n: int, other_a: int, other_b: int) -> Fraction:
    """Eq. (26) with the constants of row i and class j, and the falling factorials of the class j'."""
    of_row, of_pair = Fraction(a, n - a), Fraction(perm(a, 2), perm(n - a, 2))
    two = of_pair * Fraction(perm(b, 2), perm(n - b, 2))
    one = (2 * of_pair * (1 - b) - of_row) * Fraction(b, n - b)
    none = b * (of_row - of_pair) + of_pair * b**2
    bars = powers(none + (one - two) * a + two * a * a, two - one - 2 * two * a, two)
    return expected(bars, a, other_b, n) / (n * n * a * other_a)


def fourth_as_derived(a: int, b: int, n: int, other_a: int, other_b: int) -> Fraction:
    """Eq. (55): constants of row i' and class j' throughout, their denominators too."""
    of_row, of_pair = Fraction(other_a, n - other_a), Fraction(perm(other_a, 2), perm(n - other_a, 2))
    two = of_pair * Fraction(perm(other_b, 2), perm(n - other_b, 2))
    one = (2 * of_pair * (1 - other_b) - of_row) * Fraction(other_b, n - other_b)
    none = other_b * (of_row - of_pair) + of_pair * other_b**2
    bars = powers(none + (one - two) * a + two * a * a, two - one - 2 * two * a, two)
    return expected(bars, a, other_b, n) / (n * n * a * other_a)


def roomy(most: int = CASES) -> Iterator[Term]:
    """Yield the terms whose margins leave two examples beside every row and class: no denominator is 0."""
    return (c for c in terms(most) if sum(c[0][0]) - max(*c[0][0], *c[0][1]) >= 2)


def rooms() -> Iterator[Margins]:
    return (c for c in margins(CASES, 4) if min(map(len, c)) > 1 and sum(c[0]) - max(*c[0], *c[1]) >= 2)


def defined(c: Term) -> bool:
    """Tell whether eqs. (24)-(26), their indices put right, have a value as they stand."""
    a, b, n, other_a, other_b = sizes(c)
    try:
        fourth(a, b, n, other_a, other_b, strict_ratio)
        return third(a, b, n, other_b, strict_ratio) + second(a, b, n, other_a, strict_ratio) >= 0
    except ZeroDivisionError:
        return False


def table_square(case: Margins) -> Fraction:
    """Return ``E (sum_ij n_ij^2 / (N a_i))^2`` from the list of all tables."""
    n = sum(case[0])
    return Fraction(mean_of(case, lambda t: sum(Fraction(x * x, n * sum(row)) for row in t for x in row) ** 2))


SQUARE = Theorem(
    key="null.square_of_gain_by_four_sums",
    statement="the mean of the squared gain is -(sum (b_j/N)^2)^2 - 2 sum (b_j/N)^2 E + E (sum n_ij^2/(N a_i))^2, and"
    " the last mean is the sum over equal and different rows and classes of four means of products of two cells",
    source="wang2024, eqs. (19), (21), (22)",
    scope="all margins N <= 5",
    holds=All(
        Exhaustive(lambda: margins(5, 2), lambda c: table_square(c) == total_square(c)),
        Exhaustive(lambda: margins(5, 2), lambda c: printed_variance(c) == moment(c, 2) == null(c).variance),
    ),
    fails=(
        NearMiss(
            "the first term of the square enters with a plus sign",
            Exhaustive(
                lambda: margins(CASES, 2),
                lambda c: printed_variance(c) + 2 * (of_margins(c)[3] / of_margins(c)[0] ** 2) ** 2 == moment(c, 2),
            ),
        ),
        NearMiss(
            "cells in different rows and classes add nothing to the variance beyond their means",
            Exhaustive(
                lambda: margins(CASES, 2),
                lambda c: (
                    printed_variance(c, first, second, third, lambda a, b, n, x, y: independent(a, b, n, x, y))
                    == moment(c, 2)
                ),
            ),
        ),
    ),
)


def independent(a: int, b: int, n: int, other_a: int, other_b: int) -> Fraction:
    """Return the product of the means of two squared cells."""
    bars = (Fraction(1), Fraction(1))
    return expected(bars, a, b, n) * expected(bars, other_a, other_b, n) / (n * n * a * other_a)


PARTS = [
    Theorem(
        key="null.same_cell_term_of_square",
        statement="E n_ij^4/(N a_i)^2 is eq. (23)",
        source="wang2024, eq. (23)",
        scope=f"every cell of all margins N <= {CASES} with two rows and two classes",
        holds=Exhaustive(terms, first_is_right),
        fails=(
            NearMiss(
                "its coefficients are 1, 4, 6, 1",
                Exhaustive(
                    terms,
                    lambda c: (
                        expected(tuple(map(Fraction, (1, 4, 6, 1))), *sizes(c)[:3]) / (sizes(c)[2] * sizes(c)[0]) ** 2
                        == cross_term(c[0], (c[1], c[2]), (c[1], c[2]))
                    ),
                ),
            ),
            NearMiss(
                "the fourth power has the mean of the square, squared",
                Exhaustive(
                    terms,
                    lambda c: (
                        expected((Fraction(1), Fraction(1)), *sizes(c)[:3]) ** 2 / (sizes(c)[2] * sizes(c)[0]) ** 2
                        == cross_term(c[0], (c[1], c[2]), (c[1], c[2]))
                    ),
                ),
            ),
        ),
    ),
    Theorem(
        key="null.same_class_term_of_square",
        statement="eq. (24) holds with C1 = a_i'/(N - a_i) and C4 = (a_i')_2/(N - a_i)_2, i' the other row",
        source="wang2024, eqs. (24), (54)",
        scope=f"every class and pair of rows of all margins N <= {CASES}",
        holds=Exhaustive(terms, second_is),
        fails=(
            NearMiss(
                "with C1 and C4 of the row i itself", Exhaustive(roomy, lambda c: second_is(c, second_as_printed))
            ),
            NearMiss("with C1 of the row i and C4 of i'", Exhaustive(roomy, lambda c: second_is(c, second_as_derived))),
        ),
        added="0/0 = 0 where a row leaves one example or none; the indices of the other row",
    ),
    Theorem(
        key="null.same_row_term_of_square",
        statement="eq. (25) holds with (b_j)_l, C1 = b_j'/(N - b_j) and C4 = (b_j')_2/(N - b_j)_2, over (N a_i)^2",
        source="wang2024, eq. (25)",
        scope=f"every row and pair of classes of all margins N <= {CASES}",
        holds=Exhaustive(terms, third_is),
        fails=(
            NearMiss(
                "with (b_j')_l, and C1 and C4 of the class j",
                Exhaustive(roomy, lambda c: third_is(c, third_as_printed)),
            ),
            NearMiss(
                "over N^2 b_j b_j', as rows and classes exchange in eq. (24)",
                Exhaustive(
                    roomy, lambda c: third_is(c, lambda a, b, n, other: third(a, b, n, other) * a * a / (b * other))
                ),
            ),
        ),
        added="0/0 = 0 where a class leaves one example or none; the indices of the other class",
    ),
    Theorem(
        key="null.crossed_term_of_square",
        statement="eq. (26) holds with (b_j)_l, a and b of the row i' over N - a_i, and C0, C1, C2 of the class j' over"
        " N - b_j",
        source="wang2024, eqs. (26), (55)",
        scope=f"every pair of rows and of classes of all margins N <= {CASES}",
        holds=Exhaustive(terms, fourth_is),
        fails=(
            NearMiss(
                "with all constants of row i and class j", Exhaustive(roomy, lambda c: fourth_is(c, fourth_as_printed))
            ),
            NearMiss(
                "with all constants, denominators too, of row i' and class j'",
                Exhaustive(roomy, lambda c: fourth_is(c, fourth_as_derived)),
            ),
        ),
        added="0/0 = 0 where a row or class leaves one example or none; the indices of the other row and class",
    ),
    Theorem(
        key="null.printed_terms_undefined_of_large_totals",
        statement="with the right indices eqs. (24)-(26) are 0/0 exactly where a row or a class of them leaves at most"
        " one example; with 0/0 = 0 they are right there too",
        source="wang2024, eqs. (24)-(26)",
        scope=f"all margins N <= {CASES} with two rows and two classes",
        holds=All(
            Exhaustive(terms, lambda c: defined(c) == (sizes(c)[2] - max(sizes(c)[:2]) >= 2)),
            Exhaustive(terms, lambda c: second_is(c) and third_is(c) and fourth_is(c)),
        ),
        fails=(
            NearMiss("they have a value for every binary split", Exhaustive(lambda: terms(4), defined)),
            NearMiss(
                "they have a value wherever the variance is positive",
                Exhaustive(terms, lambda c: defined(c) or null(c[0]).variance == 0),
            ),
        ),
    ),
]


def printed_route_is_right(case: Margins) -> bool:
    """Tell whether eqs. (23)-(26) as printed give the variance."""
    return printed_variance(case, first, second_as_printed, third_as_printed, fourth_as_printed) == moment(case, 2)


THEOREMS = [SQUARE, *PARTS]
ERRATA = [
    Erratum("S-E3", PARTS[1].fails[0].claim, PARTS[1].key),
    Erratum("S-E4", PARTS[2].fails[0].claim, PARTS[2].key),
    Erratum("S-E5", All(Exhaustive(rooms, printed_route_is_right), PARTS[3].fails[0].claim), PARTS[3].key),
    Erratum("S-E6", Exhaustive(lambda: terms(4), defined), PARTS[4].key),
]
