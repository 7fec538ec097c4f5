"""Mean, variance and third moment of the Gini gain over all permutations of the labels, for every pair of margins.

Up to constants the gain is ``sum w_uv z_uv`` over ordered pairs of distinct examples, ``w_uv = 1/a_i`` if both lie in
row ``i`` and ``z_uv = 1`` if both are of one class. A product of such terms is a small multigraph on the examples. A
permutation sees its shape only, so that the moments are sums over shapes of a factor of the rows times one of the
classes.

Main results: two routes to the variance (shapes; joint factorial moments), its four non-negative factors, the eight
shapes of the third moment, and the list of all tables for up to ``N_MAX`` examples.
Source: wang2024, eqs. (16), (19)-(26), (50)-(53).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import perm, prod
from typing import Any

import numpy as np

from splitcrit.nulls import formulas, third
from splitcrit.nulls.permutation import mean_variance
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import kinds, partitions, vector
from splitcrit.proofs.wang2024.laws import N_MAX, Margins, falling, margins, moment, null
from splitcrit.proofs.wang2024.shapes import COPIES_OF_PAIRS, DISTINCT, PAIRS, SHAPES, order, pair_sums, placed

PLACES = "hand argument: a random permutation sends distinct places to every tuple of distinct places equally often"


def row_pairs(n: Any, r: Any, h: Any) -> tuple[Any, Any, Any]:
    """Return the shapes of two pairs for rows with ``h = sum 1/a``."""
    return pair_sums(n - r, r - h, n - 3 * r + 2 * h)


def class_pairs(n: Any, s2: Any, s3: Any) -> tuple[Any, Any, Any]:
    """Return the shapes of two pairs for classes with ``s2 = sum b^2`` and ``s3 = sum b^3``."""
    return pair_sums(s2 - n, s2 - n, s3 - 3 * s2 + 2 * n)


def by_shapes(n: Any, r: Any, h: Any, s2: Any, s3: Any) -> Any:
    """Return the variance of the gain as a sum over the three shapes of two pairs."""
    terms = zip(COPIES_OF_PAIRS, PAIRS, row_pairs(n, r, h), class_pairs(n, s2, s3), strict=True)
    second = sum(c * x * y / falling(n, order(shape)) for c, shape, x, y in terms)
    return (second - ((n - r) * (s2 - n) / (n * (n - 1))) ** 2) / n**2


def in_factors(n: Any, r: Any, h: Any, s2: Any, s3: Any) -> Any:
    """Return the variance of the gain from the four factors, in power sums; N >= 4."""
    uneven = 4 * (h - r**2 / n) * (s3 - s2**2 / n) / ((n - 1) * (n - 2) ** 2)
    thick = 2 * thick_rows(n, r, h) * thick_classes(n, s2, s3) / (n * (n - 1) ** 2 * (n - 2) ** 2 * (n - 3))
    return (uneven + thick) / n**2


def thick_rows(n: Any, r: Any, h: Any) -> Any:
    return n * (n - 1) * (r - h) - (n - r) * (n + r - 2)


def thick_classes(n: Any, s2: Any, s3: Any) -> Any:
    return (n - 1) * (n - 2) * (s2 - n) - (n - 2) * (s2 - n) ** 2 / n - 2 * (n - 1) * (s3 - s2**2 / n)


def of_margins(case: Margins) -> tuple[Any, ...]:
    """Return N, r, ``sum 1/a``, ``sum b^2`` and ``sum b^3``."""
    a, b = case
    n, r = Fraction(sum(a)), Fraction(len(a))
    return n, r, sum(Fraction(1, x) for x in a), Fraction(sum(x**2 for x in b)), Fraction(sum(x**3 for x in b))


def factorial_moment(cells: Counter[tuple[int, int]], a: list[Any], b: list[Any], n: Any) -> Any:
    """Return ``E prod (n_ij)_l`` for the powers ``l`` that ``cells`` holds."""
    rows, columns = Counter[int](), Counter[int]()
    for (i, j), length in cells.items():
        rows[i] += length
        columns[j] += length
    above = prod((falling(a[i], x) for i, x in rows.items()), start=1)
    return above * prod((falling(b[j], x) for j, x in columns.items()), start=1) / falling(n, sum(cells.values()))


def second_by_cells(a: list[Any], b: list[Any], n: Any) -> Any:
    """Return ``E (sum_ij (n_ij)_2 / a_i)^2`` cell by cell; in one cell ``(n)_2^2 = (n)_4 + 4 (n)_3 + 2 (n)_2``."""
    places = list(product(range(len(a)), range(len(b))))
    whole: Any = 0
    for one, other in product(places, repeat=2):
        parts = [(1, 4), (4, 3), (2, 2)] if one == other else [(1, 0)]
        for times, length in parts:
            cells = Counter({one: length}) if length else Counter({one: 2, other: 2})
            whole = whole + times * factorial_moment(cells, a, b, n) / (a[one[0]] * a[other[0]])
    return whole


def second_by_shapes(a: list[Any], b: list[Any], n: Any) -> Any:
    rows, classes = [(x, 1 / x) for x in a], [(x, 1) for x in b]
    terms = zip(COPIES_OF_PAIRS, PAIRS, strict=True)
    return sum(c * placed(g, rows) * placed(g, classes) / falling(n, order(g)) for c, g in terms)


def cells_are_shapes(r: int, k: int, second: Any = second_by_shapes) -> Identity:
    variables = {**kinds("positive", "a", classes=r), **kinds("positive", "b", classes=k), "n": "positive"}

    def of(formula: Any) -> Any:
        return lambda v, m: formula(vector(v, "a", r), vector(v, "b", k), v.n)

    return Identity(variables, of(second_by_cells), of(second), lambda v, m: v.n >= 4)


def printed_mean(case: Margins, denominator: int) -> Fraction:
    a, b = case
    n = sum(b)
    return Fraction(len(a) - 1, denominator) * (1 - sum((Fraction(x, n) ** 2 for x in b), Fraction(0)))


SUMS = {"n": "positive", "r": "positive", "h": "positive", "s": "positive", "t": "positive"}


FOUR = "hand argument: N <= 3 leaves finitely many margins, all of which are enumerated"


def at_least_four(v: Any, m: Any) -> bool:
    return bool(v.n >= 4)


def formula(of: Any) -> Any:
    return lambda v, m: of(v.n, v.r, v.h, v.s, v.t)


def third_of(case: Margins) -> Any:
    return null(case, 3).third


MEAN = Theorem(
    key="null.gini_mean_of_permutation",
    statement="over all permutations of the labels the Gini gain has mean (r - 1)/(N - 1) (1 - sum_j (b_j/N)^2)",
    source="wang2024, eq. (16)",
    scope=f"all margins; by the list of all tables N <= {N_MAX}",
    holds=All(
        Identity(
            {"n": "positive", "r": "positive", "s": "positive"},
            lambda v, m: (v.r + (v.n - v.r) * (v.s - v.n) / (v.n * (v.n - 1))) / v.n - v.s / v.n**2,
            lambda v, m: (v.r - 1) / (v.n - 1) * (1 - v.s / v.n**2),
            lambda v, m: v.n >= 2,
        ),
        Exhaustive(
            margins,
            lambda c: null(c).mean == moment(c, 1) == (printed_mean(c, sum(c[0]) - 1) if sum(c[0]) > 1 else 0),
        ),
    ),
    fails=(
        NearMiss(
            "the same with N in place of N - 1 (the mean for multinomial labels)",
            Exhaustive(margins, lambda c: moment(c, 1) == printed_mean(c, sum(c[0]))),
        ),
        NearMiss(
            "feature and label may be exchanged",
            Exhaustive(margins, lambda c: null(c).mean == moment((c[1], c[0]), 1)),
            alters="hypothesis",
        ),
    ),
    premises=(PLACES,),
    latex=r"\mathbb E_{\mathrm{perm}}\,\mathrm{Gini} = \frac{r-1}{N-1}\Bigl(1-\sum_j (b_j/N)^2\Bigr)",
)


VARIANCE = [
    Theorem(
        key="null.gini_variance_of_permutation",
        statement="the O(r + k) variance of the library is that of the Gini gain over all permutations of the labels",
        source="wang2024, eqs. (19)-(26)",
        scope="all margins for the formula in N, r, sum 1/a, sum b^2, sum b^3; the library's value"
        f" N <= {N_MAX + 2}; by the list of all tables N <= {N_MAX}",
        holds=All(
            Identity(SUMS, formula(by_shapes), formula(in_factors), at_least_four),
            cells_are_shapes(1, 2),
            cells_are_shapes(2, 1),
            cells_are_shapes(2, 2),
            Exhaustive(lambda: margins(N_MAX + 2, 4), lambda c: null(c).variance == in_factors(*of_margins(c))),
            Exhaustive(margins, lambda c: null(c).variance == moment(c, 2)),
        ),
        premises=(PLACES, DISTINCT, FOUR, "null.shapes_of_pairs", "null.pair_sums_of_any_margins"),
        fails=(
            NearMiss(
                "the variance is 0 only if there is one row, one class, or N <= 2",
                Exhaustive(margins, lambda c: null(c).variance > 0 or min(map(len, c)) == 1 or sum(c[0]) <= 2),
            ),
            NearMiss(
                "the variance is the same with feature and label exchanged",
                Exhaustive(margins, lambda c: null(c).variance == moment((c[1], c[0]), 2)),
                alters="hypothesis",
            ),
            NearMiss(
                "cells are independent: two pairs in different cells multiply their means",
                cells_are_shapes(2, 2, lambda a, b, n: second_by_shapes(a, b, n) * (n - 2) * (n - 3) / (n * (n - 1))),
            ),
        ),
        latex=r"\mathbb V = \frac{1}{N^2}\Bigl[\frac{4 A_1 B_1}{(N-1)(N-2)^2}"
        r" + \frac{2 U V}{N (N-1)^2 (N-2)^2 (N-3)}\Bigr]",
    ),
    Theorem(
        key="null.gini_third_moment_of_permutation",
        statement="the O(r + k) third central moment of the library is that of the gain over all permutations",
        source="wang2024",
        scope=f"all margins by the eight shapes; by the list of all tables N <= {N_MAX}",
        holds=All(
            Exhaustive(margins, lambda c: third_of(c) == moment(c, 3)),
            Exhaustive(lambda: margins(N_MAX + 1, 3), lambda c: third_of(c) == third_by_shapes(c)),
        ),
        premises=(PLACES, DISTINCT, "null.shapes_of_pairs", "null.pair_sums_of_any_margins"),
        fails=(
            NearMiss("the gain is never skewed to the left", Exhaustive(margins, lambda c: third_of(c) >= 0)),
            NearMiss(
                "the gain has the skewness of a gamma law with its mean and variance",
                Exhaustive(lambda: margins(least=3), lambda c: third_of(c) * null(c).mean == 2 * null(c).variance ** 2),
            ),
        ),
    ),
]


def third_by_shapes(case: Margins) -> Fraction:
    """Return the third central moment from the direct sums over all placings of the eight shapes."""
    a, b = case
    n, r = sum(a), len(a)
    rows, classes = [(x, Fraction(1, x)) for x in a], [(x, 1) for x in b]
    terms = zip(SHAPES, third._COPIES, strict=True)
    raw = sum(c * placed(g, rows) * Fraction(placed(g, classes), perm(n, order(g))) for g, c in terms if order(g) <= n)
    first = Fraction((n - r) * (sum(x * x for x in b) - n), n * (n - 1))
    return Fraction(raw - 3 * first * n * n * null(case).variance - first**3) / n**3


def row_factors(a: list[Any]) -> tuple[Any, Any]:
    """Return the two factors of the rows as sums of the library's terms, none of them negative."""
    n, r = sum(a), len(a)
    uneven, thick = formulas.uneven_row, formulas.thick_row
    return sum(uneven(n, r, x, 1 / x) for x in a), sum(thick(n, r, x, 1 / x) for x in a)


def class_factors(b: list[Any]) -> tuple[Any, Any]:
    """Return the two factors of the classes as sums of the library's terms, none of them negative."""
    n, s2, pairs = sum(b), sum(x * x for x in b), sum(x * (x - 1) for x in b)
    uneven = sum(formulas.uneven_class(x, x - s2 / n) for x in b)
    return uneven, sum(formulas.thick_class(n, x, pairs - x * (x - 1)) for x in b)


def row_powers(a: list[Any]) -> tuple[Any, Any]:
    """Return the same from the library's formulas in power sums."""
    n, r = sum(a), len(a)
    uneven = formulas.uneven_rows(n, r, sum(1 / x for x in a))
    return uneven, formulas.thick_rows(n, r, uneven)


def class_powers(b: list[Any]) -> tuple[Any, Any]:
    """Return the same from the library's formulas in power sums."""
    n, s2 = sum(b), sum(x * x for x in b)
    uneven = formulas.uneven_classes(n, s2, sum(x**3 for x in b))
    return uneven, formulas.thick_classes(n, s2, uneven)


def factor(number: int, which: int, sums: Any, powers: Any) -> Identity:
    return Identity(
        kinds("positive", "x", classes=number),
        lambda v, m: sums(vector(v, "x", number))[which],
        lambda v, m: powers(vector(v, "x", number))[which],
    )


FACTORS = [
    factor(number, which, *forms)
    for forms, most in (((row_factors, row_powers), 3), ((class_factors, class_powers), 4))
    for which in (0, 1)
    for number in range(2, most + 1)
]


FOUR_FACTORS = Theorem(
    key="null.gini_variance_has_four_nonnegative_factors",
    statement="the variance is a positive combination of A B and U V, where A and B say how uneven rows and classes"
    " are, U and V how far from thin; each of the four is a sum of non-negative terms",
    source="wang2024, eqs. (21)-(26)",
    scope="any number of rows and classes",
    holds=All(
        *FACTORS,
        Exhaustive(lambda: partitions_up_to(9), lambda a: min(*row_factors(a), *class_factors(a)) >= 0),
    ),
    premises=(DISTINCT, "null.gini_variance_of_permutation"),
    fails=(
        NearMiss(
            "one product is enough: the variance is 0 where rows or classes are even",
            Exhaustive(lambda: margins(least=4), lambda c: null(c).variance == 0 or uneven(c) > 0),
        ),
        NearMiss(
            "the variance is 4 A B/(N^2 (N - 1)(N - 2)^2), the part of single examples",
            Exhaustive(lambda: margins(least=4), lambda c: null(c).variance == single_part(c)),
        ),
    ),
)


def without_cancelling(case: Margins) -> tuple[Any, Any, Any]:
    """Return mean, variance and third moment as the library evaluates them in floats, here on Fractions."""
    rows, columns = (np.array([[Fraction(x)] for x in side], dtype=object) for side in case)
    moments = (*mean_variance(rows, columns), third.third_moment(rows, columns))
    return tuple(x[0] for x in moments)


def same_moments(case: Margins, altered: Any = lambda x: x) -> bool:
    exact = null(case, 3)
    return bool(altered(without_cancelling(case)) == (exact.mean, exact.variance, exact.third))


PAIRS_OF_SUMS = Theorem(
    key="null.moments_without_cancelling_are_those_of_power_sums",
    statement="mean, variance and third moment from sums that do not cancel, which is how floats are computed, are on"
    " Fractions those from power sums",
    source="wang2024, eqs. (21)-(26)",
    scope=f"factors of the variance: two and three rows, two to four classes; moments: all margins N <= {N_MAX + 1}",
    holds=All(*FACTORS, Exhaustive(lambda: margins(N_MAX + 1, 3), same_moments)),
    premises=(DISTINCT,),
    fails=(
        NearMiss(
            "the third moment is that of the gain from its sign turned",
            Exhaustive(lambda: margins(N_MAX, 3), lambda c: same_moments(c, lambda x: (*x[:2], -x[2]))),
        ),
        NearMiss(
            "the variance without the part of pairs is as large",
            Exhaustive(lambda: margins(N_MAX, 4), lambda c: same_moments(c, lambda x: (x[0], single_part(c), x[2]))),
        ),
    ),
)


def partitions_up_to(most: int) -> Iterator[list[Fraction]]:
    for n in range(1, most + 1):
        for part in partitions(n):
            yield [Fraction(x) for x in part]


def uneven(case: Margins) -> Any:
    n, r, h, s2, s3 = of_margins(case)
    return (h - r**2 / n) * (s3 - s2**2 / n)


def single_part(case: Margins) -> Any:
    n = sum(case[0])
    return 4 * uneven(case) / Fraction(n**2 * (n - 1) * (n - 2) ** 2)


THEOREMS = [MEAN, *VARIANCE, FOUR_FACTORS, PAIRS_OF_SUMS]


ERRATA: list[Erratum] = []
