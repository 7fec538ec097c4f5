"""The four factors of the variance, as sums of terms that are never negative.

The library evaluates the factors in floats from terms of single rows and classes, which do not cancel, and in exact
numbers from power sums.
Source: wang2024, eqs. (21)-(26).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.nulls import formulas, third_moment
from splitcrit.nulls.permutation import mean_variance
from splitcrit.proof import All, Certificate, Exhaustive, Identity, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import kinds, up_to
from splitcrit.proofs.null.laws import Margins, margins, null
from splitcrit.proofs.null.moments import VARIANCE, from_three, of_margins

# by axis: the variables of a whole margin, the values of its sums, and what a total adds to each
SUMS: dict[str, tuple[str, Any, Any]] = {
    "r": ("nrh", lambda v: [v.h, v.r, v.n], lambda x: [1 / x, 1, x]),
    "K": ("nqc", lambda v: [v.n, v.q, v.c], lambda x: [x, x * x, x**3]),
}


def adds_up(axis: str, term: Any, closed: Any, library: Any) -> All:
    """The library's terms add up to its formula in power sums, for every number of rows or classes.

    ``term(v, x)`` is what a total ``x`` adds, ``closed(v, s)`` the sum of the terms in the sums, where what belongs to
    the whole margin is free, and ``library(v)`` the formula.
    """
    letters, whole, sums = SUMS[axis]
    free = kinds("positive", *letters)
    return All(
        Induction(
            axis,
            {"x": "positive"},
            lambda entries, v, m: (
                sum(term(v, e.x) for e in entries)
                - closed(v, [sum(s) for s in zip(*(sums(e.x) for e in entries), strict=True)])
            ),
            lambda e, v, m: [*sums(e.x), term(v, e.x)],
            lambda s, v, m: s[-1] - closed(v, s),
            shared=free,
            least=1,
        ),
        Identity(free, lambda v, m: closed(v, whole(v)), lambda v, m: library(v)),
    )


UNEVEN_ROWS = adds_up(
    "r",
    lambda v, x: formulas.uneven_row(v.n, v.r, x, 1 / x),
    lambda v, s: v.n**2 * s[0] - 2 * v.n * v.r * s[1] + v.r**2 * s[2],
    lambda v: formulas.uneven_rows(v.n, v.r, v.h),
)
THICK_ROWS = adds_up(
    "r",
    lambda v, x: formulas.thick_row(v.n, v.r, x, 1 / x),
    lambda v, s: (v.n**2 + v.r - 2) * s[1] - (v.n + v.r - 2) * s[2] - v.n * (v.n - 1) * s[0],
    lambda v: formulas.thick_rows(v.n, v.r, formulas.uneven_rows(v.n, v.r, v.h)),
)
UNEVEN_CLASSES = adds_up(
    "K",
    lambda v, x: formulas.uneven_class(x, x - v.q / v.n),
    lambda v, s: s[2] - 2 * v.q / v.n * s[1] + (v.q / v.n) ** 2 * s[0],
    lambda v: formulas.uneven_classes(v.n, v.q, v.c),
)
THICK_CLASSES = adds_up(
    "K",
    lambda v, x: formulas.thick_class(v.n, x, v.q - v.n - x * (x - 1)),
    lambda v, s: (v.n**2 - 2 * v.n + v.q) * (s[1] - s[0]) - 2 * (v.n - 1) * (s[2] - s[1]),
    lambda v: formulas.thick_classes(v.n, v.q, formulas.uneven_classes(v.n, v.q, v.c)),
)

ROW = dict.fromkeys(("a", "rest", "others"), "real")  # a row, what is left of N, and sum of a_l - 1 over other rows
CLASS = dict.fromkeys(("b", "rest", "others"), "real")  # a class, what is left, and sum of b_l (b_l - 1) over others


def row_term(v: Any) -> Any:
    return formulas.thick_row(v.a + v.rest, v.rest + 1 - v.others, v.a, 1 / v.a)


def class_term(v: Any) -> Any:
    return formulas.thick_class(v.b + v.rest, v.b, v.others)


def integral(size: Any, v: Any) -> list[Any]:
    """What is known of integers: a total of 1 or more; what is left is 0, or 1 or more; others are within it."""
    return [size >= 1, v.others >= 0, (v.rest == 0) | (v.rest >= 1), (v.rest > 0) | (v.others == 0)]


def vanishing(size: Any, v: Any, term: Any) -> Any:
    """The term is not negative, and 0 just for a total of 1, or where at most one example is left, by itself."""
    alone = (v.rest * (v.rest - 1) == 0) & (v.others == 0)
    return (term >= 0) & ((term == 0) == ((size == 1) | alone))


ROW_TERMS = Smt(ROW, lambda v, m: vanishing(v.a, v, row_term(v)), lambda v, m: integral(v.a, v))
CLASS_TERMS = Smt(CLASS, lambda v, m: vanishing(v.b, v, class_term(v)), lambda v, m: integral(v.b, v))

UNEVEN_ROW = Certificate(
    kinds("positive", *"nra"),
    lambda v, m: formulas.uneven_row(v.n, v.r, v.a, 1 / v.a),
    lambda v, m: [([v.n - v.r * v.a], ["w"])],
    lambda v, m: {"w": 1 / v.a},
)
UNEVEN_CLASS = Certificate(
    {"b": "positive", "apart": "real"},
    lambda v, m: formulas.uneven_class(v.b, v.apart),
    lambda v, m: [([v.apart], ["b"])],
    lambda v, m: {"b": v.b},
)


def unevenness(case: Margins) -> Any:
    n, r, h, s2, s3 = of_margins(case)
    return (h - r**2 / n) * (s3 - s2**2 / n)


def single_part(case: Margins) -> Any:
    n = sum(case[0])
    return 4 * unevenness(case) / Fraction(n**2 * (n - 1) * (n - 2) ** 2)


def from_four(most: int) -> Iterator[Margins]:
    return margins(most, 4)


FOUR_FACTORS = Theorem(
    key="null.gini_variance_has_four_nonnegative_factors",
    statement="the variance is a positive combination of A B and U V, where A and B say how uneven rows and classes"
    " are, U and V how far from thin; each of the four is a sum of terms of single rows or classes, none of them"
    " negative where totals are integers (what is left of N is 0, or 1 and more)",
    source="wang2024, eqs. (21)-(26)",
    holds=All(
        uneven_rows=UNEVEN_ROWS,
        thick_rows=THICK_ROWS,
        uneven_classes=UNEVEN_CLASSES,
        thick_classes=THICK_CLASSES,
        uneven_row=UNEVEN_ROW,
        thick_row=ROW_TERMS,
        uneven_class=UNEVEN_CLASS,
        thick_class=CLASS_TERMS,
    ),
    premises=(Premise(VARIANCE.key, kind="theorem"),),
    fails=(
        NearMiss(
            "one product is enough: the variance is 0 where rows or classes are even",
            up_to(6, from_four, lambda c: null(c).variance == 0 or unevenness(c) > 0),
        ),
        NearMiss(
            "the variance is 4 A B/(N^2 (N - 1)(N - 2)^2), the part of single examples",
            up_to(6, from_four, lambda c: null(c).variance == single_part(c)),
        ),
    ),
)


def without_cancelling(case: Margins) -> tuple[Any, ...]:
    """Mean, variance and third moment as the library evaluates them in floats, here on Fractions."""
    rows, columns = (np.array([[Fraction(x)] for x in side], dtype=object) for side in case)
    moments = (*mean_variance(rows, columns), third_moment.third_moment(rows, columns))
    return tuple(x[0] for x in moments)


def same_moments(most: int, altered: Callable[[Margins, Any], Any] = lambda c, x: x) -> Exhaustive:
    def holds(c: Margins) -> bool:
        exact = null(c, 3)
        return bool(altered(c, without_cancelling(c)) == (exact.mean, exact.variance, exact.third))

    return up_to(most, from_three, holds)


SAME = Law(same_moments, most=7)
WITHOUT_CANCELLING = Theorem(
    key="null.moments_without_cancelling_are_those_of_power_sums",
    statement="mean, variance and third moment from sums that do not cancel, which is how floats are computed, are on"
    " Fractions those from power sums, for N >= 3",
    source="wang2024, eqs. (21)-(26)",
    holds=SAME,
    premises=(Premise(FOUR_FACTORS.key, kind="theorem"),),
    fails=(
        SAME.but("the third moment is that of the gain from its sign turned", altered=lambda c, x: (*x[:2], -x[2])),
        SAME.but("the variance without the part of pairs", altered=lambda c, x: (x[0], single_part(c), x[2])),
    ),
)

THEOREMS = [FOUR_FACTORS, WITHOUT_CANCELLING]
