"""What a vertex gains by Gini's impurity, and how many vertices nearly balance the sides.

Source: breiman1996, eq. (3.4) and Section 4.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import Any

from splitcrit.proof import All, Cases, Claim, Exhaustive, Identity, Induction, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import HALF, gini_decrease
from splitcrit.proofs.vertex.premises import by_kernel


def vertex_of(entries: Any, v: Any) -> list[list[Any]]:
    """The vertex that sends classes p to the left, a class of r and classes q, some of them absent, right."""
    zeros = [0 * v.r for _ in entries]
    return [[e.p for e in entries] + zeros + [0 * v.r], zeros + [e.q for e in entries] + [v.r]]


def gain_from_sums(divided: bool) -> Claim:
    """Claim that the gain is that of the sums of p, p^2, q, q^2, and not negative; or without dividing by the sizes."""

    def closed(sums: Any, v: Any, m: Any) -> Any:
        left, right, n = sums[0], sums[2] + v.r, sums[0] + sums[2] + v.r
        squares = sums[1], sums[3] + v.r * v.r
        within = squares[0] * n / left + squares[1] * n / right if divided else n * n
        return (within - squares[0] - squares[1]) / (n * n)

    return Induction(
        "K",
        {"p": "positive", "q": "count"},
        lambda entries, v, m: gini_decrease.score(vertex_of(entries, v), m),
        lambda e, v, m: [e.p, e.p * e.p, e.q, e.q * e.q],
        closed,
        relation=">=",
        shared={"r": "positive"},
        least=1,
        keeps=lambda sums, v, m: [sums[0] > 0, sums[1] > 0, sums[2] >= 0, sums[3] >= 0],
        compared=True,
    )


def gain_is_product_of_sizes() -> Claim:
    """Claim that the gain of two classes against one is P_L P_R."""
    return Identity(
        dict.fromkeys("abc", "positive"),
        lambda v, m: gini_decrease.score([[v.a, v.b, 0 * v.c], [0 * v.a, 0 * v.b, v.c]], m),
        lambda v, m: (v.a + v.b) * v.c / (v.a + v.b + v.c) ** 2,
    )


def below(c: Fraction, left: int, classes: int) -> Fraction:
    """The probability that ``left`` of ``classes`` uniform weights make up at most a share ``c``.

    It is the volume of the part of a cube below a hyperplane through the origin.
    """
    right = classes - left
    corners: Fraction = sum(
        (-1) ** (i + j) * comb(left, i) * comb(right, j) * max(j * c - i * (1 - c), Fraction(0)) ** classes
        for i in range(left + 1)
        for j in range(right + 1)
    )
    volume: Fraction = corners / (factorial(classes) * (1 - c) ** left * (-c) ** right)
    return volume


def expected_vertices(width: Fraction, classes: int = 10) -> Fraction:
    """The mean number of vertices, both orientations counted, with P_L within ``width`` of 1/2."""
    near = (HALF - width, HALF + width)
    low, high = (sum((comb(classes, k) * below(c, k, classes) for k in range(1, classes)), Fraction(0)) for c in near)
    return high - low


def number_of_vertices(width: Fraction, low: Fraction, high: Fraction, classes: int = 10, sides: int = 2) -> Claim:
    """Claim bounds of the mean number of vertices with P_L within a width of 1/2, for each of ``sides``."""
    holds = lambda K: low < expected_vertices(width, K) * sides / 2 < high  # noqa: E731
    return Exhaustive(Cases(lambda K: [K], K=classes), holds)


NARROW, WIDE = Fraction(1, 1000), Fraction(1, 100)
NEARLY = Law(number_of_vertices, width=WIDE, low=Fraction(36), high=Fraction(44))

THEOREMS = [
    Theorem(
        key="vertex.gini_gain_is_shares_squared",
        statement="at a vertex Gini's decrease is sum_(C1) p_j^2 / P_L + sum_(C0) p_j^2 / P_R - sum_j p_j^2, a"
        " function of the sums of p_j and p_j^2 on either side that is not negative",
        source="breiman1996, eq. (3.4)",
        holds=gain_from_sums(divided=True),
        premises=(by_kernel("py_gini_gain_by_squares", "K"),),
        fails=(
            NearMiss("it is P_L P_R, as twoing's", gain_is_product_of_sizes()),
            NearMiss(
                "the sums of squares are not divided by the sizes: it is the impurity of the node",
                gain_from_sums(divided=False),
            ),
        ),
    ),
    Theorem(
        key="vertex.many_vertices_are_nearly_balanced",
        statement="for ten independent uniform class weights, normalised, the mean number of the 1024 vertices with P_L"
        " in [.49, .51] lies between 42.9 and 43, and with P_L in [.499, .501] between 4.28 and 4.30",
        source="breiman1996, Section 4",
        holds=All(
            number_of_vertices(WIDE, Fraction(429, 10), Fraction(43)),
            number_of_vertices(NARROW, Fraction(428, 100), Fraction(430, 100)),
        ),
        fails=(
            NEARLY.but("about 40 counts each split once, whichever side is called left", sides=1),
            NEARLY.but("about 40 also for nine classes", alters="hypothesis", classes=9),
        ),
        premises=(Premise("the volume of a cube below a hyperplane is an alternating sum over its corners"),),
    ),
]
