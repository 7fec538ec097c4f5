"""The printed route to the variance: four double sums of means of products of two squared cells, and their misprints.

Source: wang2024, eqs. (19), (21)-(26), (54)-(55).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from splitcrit.proof import ALL, All, Erratum, Identity, Law, NearMiss, Premise, Theorem
from splitcrit.proof.points import raises
from splitcrit.proofs.common import kinds, margins_size, up_to
from splitcrit.proofs.null import square_terms as terms
from splitcrit.proofs.null.conditional import CONDITIONAL, Place, places
from splitcrit.proofs.null.hypergeometric import MOMENTS
from splitcrit.proofs.null.joint import POWERS
from splitcrit.proofs.null.laws import falling, null


def drawn_square(draws: Any, marked: Any, left: Any) -> Any:
    """The mean of the square of a hypergeometric cell, by Lemma 2."""
    one, pair = terms.drawn(draws, left, terms.quotient)
    return pair * falling(marked, 2) + one * marked


def two_given(v: Any) -> Any:
    """x^2 times the mean of n_i'j'^2, by its mean given z = n_ij', of which the mean given n_ij = x is taken."""
    one, pair = terms.drawn(v.u, v.m, terms.quotient)  # i' among the m left by the row
    z, zz = ((v.a - v.x) * x for x in terms.drawn(v.v, v.w, terms.quotient))  # j' among the w left by the class
    zz = zz * (v.a - v.x - 1)
    return v.x**2 * (pair * (v.v * (v.v - 1) - 2 * v.v * z + zz + 2 * z) + one * (v.v - z))


ONE_GIVEN = Identity(  # of eqs. (24) and (25): u of the m left, of which b - x are marked
    kinds("positive", *"bumx"),
    lambda v, m: v.x**2 * drawn_square(v.u, v.b - v.x, v.m),
    lambda v, m: sum(c * v.x**k for k, c in enumerate(terms.inner(*terms.drawn(v.u, v.m, terms.quotient), v.b), 2)),
    lambda v, m: v.m >= 2,
)
TWO_GIVEN = Identity(
    kinds("positive", *"abuvmwx"),
    lambda v, m: two_given(v),
    lambda v, m: sum(
        c * v.x**k
        for k, c in enumerate(
            terms.crossed(terms.drawn(v.u, v.m, terms.quotient), terms.drawn(v.v, v.w, terms.quotient), v.a, v.v), 2
        )
    ),
    lambda v, m: [v.m >= 2, v.w >= 2],
)
OF_ONE_CELL = (Premise(MOMENTS.key, kind="theorem", widens={"N": ALL}), Premise(POWERS.key, kind="theorem"))
OF_TWO_CELLS = (*OF_ONE_CELL, Premise(CONDITIONAL.key, kind="theorem"))


def defined(c: Place) -> bool:
    """Whether eqs. (24)-(26), their indices put right, have a value as they stand."""

    def values() -> list[Any]:
        return [
            term(terms.totals(c), over=terms.quotient) for term in (terms.neither, terms.same_row, terms.same_class)
        ]

    return not raises(ZeroDivisionError, values)


def leaves_two(c: Place) -> bool:
    a, b, n, *_ = terms.totals(c)
    return n - max(a, b) >= 2


def square_of_square(c: Place) -> bool:
    a, b, n, *_ = terms.totals(c)
    return terms.independent((a, b, n, a, b)) == terms.listed_mean(c[0], (c[1], c[2]), (c[1], c[2]))


SQUARE_IS = Law(terms.variance_is, most=5, cases=terms.two_or_more, readings={})
SQUARE = Theorem(
    key="null.square_of_gain_by_four_sums",
    statement="the mean of the squared gain is -(sum (b_j/N)^2)^2 - 2 sum (b_j/N)^2 E + E (sum n_ij^2/(N a_i))^2, and"
    " the last mean is the sum over equal and different rows and classes of four means of products of two cells",
    source="wang2024, eqs. (19), (21), (22)",
    holds=All(
        square=up_to(5, terms.two_or_more, lambda c: terms.table_square(c) == terms.four_sums(c, {})),
        variance=SQUARE_IS,
    ),
    premises=(Premise("square_of_py_gini_gain_by_four_sums", "kernel", {"N": ALL}),),
    fails=(
        SQUARE_IS.but("the first term of the square enters with a plus sign", sign=1),
        SQUARE_IS.but(
            "cells in different rows and classes have independent squares", readings={terms.neither: terms.independent}
        ),
    ),
)
CELL_IS, CLASS_IS, ROW_IS, NEITHER_IS = (
    Law(terms.term_is, term=x) for x in (terms.same_cell, terms.same_class, terms.same_row, terms.neither)
)
PRINTED: dict[terms.Term, terms.Term] = {
    terms.same_class: partial(terms.same_class, one=terms.A, pair=terms.A),
    terms.same_row: partial(terms.same_row, of=terms.B, factorial=terms.OTHER_B),
    terms.neither: partial(terms.neither, row=terms.A, column=terms.B, factorial=terms.OTHER_B),
}


def printed(law: Law, says: str, read: terms.Term | None = None) -> NearMiss:
    """The near-miss that a term is right in another reading, the printed one if none is given."""
    return law.but(says, cases=terms.roomy, read=read or PRINTED[law.arguments["term"]])


OVER_CLASSES = partial(terms.same_row, below=terms.OTHER_B)
ALL_OTHERS = partial(terms.neither, left=(terms.OTHER_A, terms.OTHER_B))
CLASS_PRINTED = printed(CLASS_IS, "with C1 and C4 of the row i itself")
ROW_PRINTED = printed(ROW_IS, "with (b_j')_l, and C1 and C4 of the class j")
NEITHER_PRINTED = printed(NEITHER_IS, "with all constants of row i and class j")
SUMS_PRINTED = SQUARE_IS.but("the four sums as printed", most=6, cases=terms.with_room, readings=PRINTED)
CELL = Theorem(
    key="null.same_cell_term_of_square",
    statement="E n_ij^4/(N a_i)^2 is eq. (23)",
    source="wang2024, eq. (23)",
    holds=CELL_IS,
    premises=(Premise("same_cell_term_of_square", "kernel", {"N": ALL}),),
    fails=(
        CELL_IS.but("its coefficients are 1, 4, 6, 1", read=partial(terms.same_cell, numbers=(1, 4, 6, 1))),
        NearMiss(
            "the fourth power has the mean of the square, squared", up_to(6, places, square_of_square, margins_size)
        ),
    ),
)
CLASS = Theorem(
    key="null.same_class_term_of_square",
    statement="eq. (24) holds with C1 = a_i'/(N - a_i) and C4 = (a_i')_2/(N - a_i)_2, i' the other row",
    source="wang2024, eqs. (24), (54)",
    holds=All(mean_given_the_first_cell=ONE_GIVEN, tables=CLASS_IS),
    premises=OF_TWO_CELLS,
    fails=(CLASS_PRINTED, printed(CLASS_IS, "with C1 of i and C4 of i'", partial(terms.same_class, one=terms.A))),
    added="0/0 = 0 where a row leaves one example or none; the indices of the other row",
)
ROW = Theorem(
    key="null.same_row_term_of_square",
    statement="eq. (25) holds with (b_j)_l, C1 = b_j'/(N - b_j) and C4 = (b_j')_2/(N - b_j)_2, over (N a_i)^2",
    source="wang2024, eq. (25)",
    holds=All(mean_given_the_first_cell=ONE_GIVEN, tables=ROW_IS),
    premises=OF_TWO_CELLS,
    fails=(ROW_PRINTED, printed(ROW_IS, "over N^2 b_j b_j', eq. (24) with rows and classes exchanged", OVER_CLASSES)),
    added="0/0 = 0 where a class leaves one example or none; the indices of the other class",
)
NEITHER = Theorem(
    key="null.crossed_term_of_square",
    statement="eq. (26) holds with (b_j)_l, a and b of the row i' over N - a_i, and C0, C1, C2 of the class j' over"
    " N - b_j",
    source="wang2024, eqs. (26), (55)",
    holds=All(mean_given_two_cells=TWO_GIVEN, tables=NEITHER_IS),
    premises=OF_TWO_CELLS,
    fails=(
        NEITHER_PRINTED,
        printed(NEITHER_IS, "with all constants, denominators too, of row i' and class j'", ALL_OTHERS),
    ),
    added="0/0 = 0 where a row or class leaves one example or none; the indices of the other row and class",
)
UNDEFINED = Theorem(
    key="null.printed_terms_undefined_of_large_totals",
    statement="with the right indices eqs. (24)-(26) are 0/0 exactly where a row or a class of them leaves at most"
    " one example; with 0/0 = 0 they are right there too",
    source="wang2024, eqs. (24)-(26)",
    holds=All(
        undefined=up_to(6, places, lambda c: defined(c) == leaves_two(c), margins_size),
        same_class=CLASS_IS,
        same_row=ROW_IS,
        neither=NEITHER_IS,
    ),
    fails=(
        NearMiss("they have a value for every binary split", up_to(4, places, defined, margins_size)),
        NearMiss(
            "they have a value wherever the variance is positive",
            up_to(6, places, lambda c: defined(c) or null(c[0]).variance == 0, margins_size),
        ),
    ),
)

THEOREMS = [SQUARE, CELL, CLASS, ROW, NEITHER, UNDEFINED]
ERRATA = [
    Erratum("S-E3", CLASS_PRINTED.claim, CLASS.key),
    Erratum("S-E4", ROW_PRINTED.claim, ROW.key),
    Erratum("S-E5", All(SUMS_PRINTED.claim, NEITHER_PRINTED.claim), NEITHER.key),
    Erratum("S-E6", UNDEFINED.fails[0].claim, UNDEFINED.key),
]
