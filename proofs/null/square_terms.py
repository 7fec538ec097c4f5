"""The four terms of the printed square of the gain, as functions of totals, and how each of them is read.

Indices as in the paper: row i, class j; i' another row, j' another class. A term is a function of its totals
``(a_i, b_j, N, a_i', b_j')``; a reading of it says which of them stands where. 0/0 is read as 0 where a total leaves
too little.

Main definitions: ``same_cell``, ``same_class``, ``same_row``, ``neither``; ``term_is`` (the claim that a reading is
right), ``variance_is`` (that all four are).
Source: wang2024, eqs. (19), (21)-(26), (54)-(55).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import Any

from splitcrit.proof import Exhaustive
from splitcrit.proofs.common import margins_size, up_to
from splitcrit.proofs.null.conditional import Place, places
from splitcrit.proofs.null.joint import STIRLING
from splitcrit.proofs.null.laws import Margins, falling, margins, mean_of, moment, null
from splitcrit.proofs.null.moments import of_margins

Totals = tuple[int, int, int, int, int]
Term = Callable[..., Fraction]
A, B, _, OTHER_A, OTHER_B = range(5)


def ratio(above: Any, below: Any) -> Any:
    """A quotient of integers with 0/0 = 0."""
    return Fraction(above, below) if above or below else Fraction(0)


def quotient(above: Any, below: Any) -> Any:
    """A quotient of integers, or of terms; 0/0 raises ZeroDivisionError."""
    return Fraction(1) * above / below


def expected(two: Any, three: Any, four: Any, a: int, b: int, n: int) -> Fraction:
    """The mean of ``two x^2 + three x^3 + four x^4`` of a hypergeometric cell, by Lemma 2 and eq. (50)."""
    numbers = (two + three + four, two + 3 * three + 7 * four, three + 6 * four, four)
    terms = (c * Fraction(perm(a, x) * perm(b, x), perm(n, x)) for x, c in enumerate(numbers, 1) if x <= n)
    return sum(terms, Fraction(0))


def inner(one: Any, pair: Any, left: Any) -> tuple[Any, Any, Any]:
    """C2, C3, C4 from C1 and C4: the mean of the other cell's square given x, times x^2."""
    return (one - pair) * left + pair * left**2, -2 * left * pair + pair - one, pair


def crossed(row: tuple[Any, Any], column: tuple[Any, Any], a: Any, other: Any) -> tuple[Any, Any, Any]:
    """C2, C3, C4 of eq. (26) from the quotients of a row and of a class whose total is ``other``."""
    two = row[1] * column[1]
    one = (2 * row[1] * (1 - other) - row[0]) * column[0]
    none = other * (row[0] - row[1]) + row[1] * other**2
    return none + (one - two) * a + two * a * a, two - one - 2 * two * a, two


def drawn(of: Any, left: Any, over: Any) -> tuple[Any, Any]:
    """``x/M`` and ``(x)_2/(M)_2`` for a total ``x`` and what is left."""
    return over(of, left), over(falling(of, 2), falling(left, 2))


def same_cell(s: Totals, numbers: tuple[int, ...] = STIRLING[4]) -> Fraction:
    """Eq. (23), the mean of a cell's fourth power over (N a)^2; ``numbers`` are those of (x)_1, (x)_2, ..."""
    a, b, n, *_ = s
    terms = zip(numbers, range(1, n + 1), strict=False)
    return sum((c * Fraction(perm(a, x) * perm(b, x), perm(n, x)) for c, x in terms), Fraction(0)) / (n * a) ** 2


def same_class(s: Totals, one: int = OTHER_A, pair: int = OTHER_A, over: Any = ratio) -> Fraction:
    """Eq. (24) with C1 and C4 of the totals named."""
    a, b, n, other, _ = s
    constants = drawn(s[one], n - a, over)[0], drawn(s[pair], n - a, over)[1]
    return expected(*inner(*constants, b), a, b, n) / (n * n * a * other)


def same_row(s: Totals, of: int = OTHER_B, factorial: int = B, over: Any = ratio, below: int = A) -> Fraction:
    """Eq. (25) with C1 and C4 of a total, falling factorials of another, over N^2 a times a total."""
    a, b, n, *_ = s
    mean = expected(*inner(*drawn(s[of], n - b, over), a), a, s[factorial], n)
    return mean / (n * n * (a * a if below == A else b * s[below]))


def neither(
    s: Totals,
    row: int = OTHER_A,
    column: int = OTHER_B,
    factorial: int = B,
    left: tuple[int, int] = (A, B),
    over: Any = ratio,
) -> Fraction:
    """Eq. (26) with constants of a row and a class, falling factorials and denominators of the totals named."""
    a, _, n, other, _ = s
    quotients = drawn(s[row], n - s[left[0]], over), drawn(s[column], n - s[left[1]], over)
    return expected(*crossed(*quotients, a, s[column]), a, s[factorial], n) / (n * n * a * other)


Cell = tuple[int, int]
CELLS: dict[Term, Callable[[int, int, int, int], Cell]] = {  # the second cell of a term
    same_cell: lambda i, j, u, v: (i, j),
    same_class: lambda i, j, u, v: (u, j),
    same_row: lambda i, j, u, v: (i, v),
    neither: lambda i, j, u, v: (u, v),
}


@cache
def listed_mean(case: Margins, one: Cell, other: Cell) -> Fraction:
    """``E n_ij^2 n_i'j'^2 / (N^2 a_i a_i')`` from the list of all tables."""
    a, _ = case
    mean = mean_of(case, lambda t: t[one[0]][one[1]] ** 2 * t[other[0]][other[1]] ** 2)
    return Fraction(mean) / (sum(a) ** 2 * a[one[0]] * a[other[0]])


def totals(c: Place) -> Totals:
    (a, b), i, j, u, v = c
    return a[i], b[j], sum(a), a[u], b[v]


def roomy(most: int) -> Iterator[Place]:
    """Yield the places of margins that leave two examples beside every row and class: no denominator is 0."""
    return (c for c in places(most) if sum(c[0][0]) - max(*c[0][0], *c[0][1]) >= 2)


def term_is(term: Term, cases: Any = places, read: Term | None = None) -> Exhaustive:
    """The claim that a term, as it is read, is the mean from the list of all tables."""

    def holds(c: Place) -> bool:
        return bool((read or term)(totals(c)) == listed_mean(c[0], (c[1], c[2]), CELLS[term](*c[1:])))

    return up_to(6, cases, holds, margins_size)


def cell_pairs(case: Margins) -> Iterator[tuple[Term, Totals]]:
    """Yield the terms of eq. (22): what each pair of cells adds."""
    a, b = case
    every = list(product(range(len(a)), range(len(b))))
    for (i, j), (u, v) in product(every, repeat=2):
        in_row: Term = same_cell if j == v else same_row
        across: Term = same_class if j == v else neither
        yield in_row if i == u else across, (a[i], b[j], sum(a), a[u], b[v])


def four_sums(case: Margins, readings: Mapping[Term, Term]) -> Fraction:
    """Eq. (22), some terms read otherwise."""
    return sum((readings.get(term, term)(s) for term, s in cell_pairs(case)), Fraction(0))


def printed_variance(case: Margins, readings: Mapping[Term, Term], sign: int = -1) -> Fraction:
    """Eqs. (19) and (21) on top of eq. (22)."""
    n, _, _, s2, _ = of_margins(case)
    share, mean = s2 / n**2, null(case).mean
    return Fraction(sign * share**2 - 2 * share * mean + four_sums(case, readings) - mean**2)


def variance_is(most: int, cases: Any, readings: Mapping[Term, Term], sign: int = -1) -> Exhaustive:
    """The claim that the four sums, some terms read otherwise, give the variance."""
    return up_to(most, cases, lambda c: printed_variance(c, readings, sign) == moment(c, 2))


def two_or_more(most: int) -> Iterator[Margins]:
    return margins(most, 2)


def with_room(most: int) -> Iterator[Margins]:
    return (c for c in margins(most, 4) if min(map(len, c)) > 1 and sum(c[0]) - max(*c[0], *c[1]) >= 2)


def table_square(case: Margins) -> Fraction:
    """``E (sum_ij n_ij^2 / (N a_i))^2`` from the list of all tables."""
    n = sum(case[0])
    return Fraction(mean_of(case, lambda t: sum(Fraction(x * x, n * sum(row)) for row in t for x in row) ** 2))


def independent(s: Totals) -> Fraction:
    """The product of the means of two squared cells."""
    a, b, n, other_a, other_b = s
    return expected(1, 0, 0, a, b, n) * expected(1, 0, 0, other_a, other_b, n) / (n * n * a * other_a)
