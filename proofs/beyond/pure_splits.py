"""SGini at two classes: the split that separates them scores more than every other split of the node.

At given sizes of the children the gain is largest where a child is pure. Put ``a`` of ``P = a + j`` positives alone on
the left, and ``M`` negatives with the other ``j`` positives on the right. As a share of the node's largest gain, the
gain is ``f = a M / (P (n - a))``, its mean over permutations ``mu = 1 / (n - 1)``, and its variance ``v(a (n - a))``,
``v(t) = w(t) / ((n - 1)^2 (n - 2) (n - 3) P M t)``. The pure split scores at least as much if ::

    (1 - mu)^2 v(a (n - a)) >= (f - mu)^2 v(P M)

Cleared of denominators the difference is a polynomial in ``a``, ``j`` and ``M`` whose coefficients are non-negative in
``a - 2``, ``j - 1`` and ``M - 2``; for ``a = 1`` and for ``M = 1`` it is a square times such polynomials.

Main results: the vertex is best for SGini at two classes.
Source: wang2024, eqs. (16)-(26); breiman1996, Theorem 1; beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import sympy

from splitcrit.criteria import replace
from splitcrit.nulls import agini, sgini
from splitcrit.nulls.permutation import exact_mean, exact_variance
from splitcrit.proof import BALL, All, Ball, Exhaustive, Fact, Identity, NearMiss, Theorem
from splitcrit.proofs.breiman1996.nodes import Counts, nodes
from splitcrit.proofs.breiman1996.others import vertex_beats_all
from splitcrit.proofs.common import lefts, split

PAIR = {"a": "positive", "j": "positive"}
X, Y, Z = sympy.symbols("x y z")


def numerator(t: Any, s: Any, n: Any) -> Any:
    """Return ``w``: what the variance is up to its denominator, for products ``t`` of sizes and ``s`` of classes."""
    return n**5 - n**3 - 6 * n * n * (n - 1) * (s + t) + (2 * n * n + 20 * n - 24) * s * t


def cleared(a: Any, j: Any, M: Any) -> Any:
    """Return the difference of the two squares, times ``a P^3 M (n - a)^2 (n - 1)^2`` and what both variances share."""
    P = a + j
    n = P + M
    t, s = a * (n - a), P * M
    above_mean = a * M * (n - 1) - P * (n - a)
    return (n - 2) ** 2 * numerator(t, s, n) * P**3 * M * (n - a) - a * above_mean**2 * numerator(s, s, n)


def margins() -> Iterator[tuple[int, int, int]]:
    """Yield node size, size of a child, and number of positives."""
    yield from ((n, size, p) for n in range(4, 13) for size in range(1, n) for p in range(1, n))


def moments_agree(case: tuple[int, int, int]) -> bool:
    """Tell whether the library's exact mean and variance are those of the module's docstring."""
    n, size, positives = case
    rows, columns = [size, n - size], [positives, n - positives]
    t, s = size * (n - size), positives * (n - positives)
    largest = Fraction(2 * s, n * n)
    variance = Fraction(numerator(t, s, n), (n - 1) ** 2 * (n - 2) * (n - 3) * s * t)
    return exact_mean(rows, columns) == largest / (n - 1) and exact_variance(rows, columns) == largest**2 * variance


def two_class_nodes(most: int) -> Iterator[Counts]:
    return (n for n in nodes(most) if len(n) == 2)


@cache
def ball_scores(counts: Counts) -> dict[Counts, Ball]:
    return {left: Ball(sgini.score(split(counts, left), BALL)) for left in lefts(counts)}


def pure_child_is_best_of_its_size(counts: Counts) -> bool:
    """Tell whether for every size of the left child no split scores more than all those with a pure child."""
    found = ball_scores(counts)
    pure = [left for left in found if 0 in left or 0 in split(counts, left)[1]]
    return all(
        any(sum(one) == sum(left) and not bool((found[left] - found[one]).arb > 0) for one in pure) for left in found
    )


def coefficients(a: int, M: int) -> Callable[[], list[Any]]:
    """Return the coefficients of the difference in ``a``, ``j`` and ``M`` less ``a``, 1 and ``M``."""
    return lambda: sympy.Poly(sympy.expand(cleared(X + a, Y + 1, Z + M)), X, Y, Z).coeffs()


def quotient() -> list[Any]:
    """Return the coefficients, in ``j - 1`` and ``M - 2``, of the difference at ``a = 1`` over its square factor.

    The remainder of the division stands last, which a difference of another form would make negative or not.
    """
    square = (Z + 2 - Y - 2) ** 2
    whole, rest = sympy.div(sympy.expand(cleared(1, Y + 1, Z + 2)), sympy.expand(square), Y, Z)
    return [*sympy.Poly(whole, Y, Z).coeffs(), -abs(sympy.Poly(rest, Y, Z).max_norm())]


def one_negative(v: Any, m: Any) -> Any:
    a, j = v.a, v.j
    return j * (a + j) ** 3 * (a - j - 1) ** 2 * (a + j - 2) * (a + j - 1) ** 3 * (a + j + 1)


THEOREMS = [
    Theorem(
        key="vertex.sgini_is_best_at_the_separation_of_two_classes",
        statement="at two classes no split of a node scores more SGini than the one that separates the classes",
        source="beyond, the vertex theorem for SGini",
        scope="K = 2, all counts: by a polynomial of non-negative coefficients from n = 4, enumerated for n <= 12",
        holds=All(
            Exhaustive(margins, moments_agree),
            Exhaustive(coefficients(2, 2), lambda c: c >= 0),
            Exhaustive(quotient, lambda c: c >= 0),
            Identity(PAIR, lambda v, m: cleared(v.a, v.j, 1), one_negative, lambda v, m: v.a + v.j > 2),
            Exhaustive(lambda: two_class_nodes(12), pure_child_is_best_of_its_size),
            Exhaustive(lambda: two_class_nodes(12), vertex_beats_all(sgini)),
        ),
        fails=(
            NearMiss(
                "the same for AGini under the law of permutations",
                Exhaustive(lambda: two_class_nodes(5), vertex_beats_all(replace(agini, model="permutation"))),
                alters="hypothesis",
            ),
            NearMiss(
                "the coefficients are non-negative in a - 1, j - 1 and M - 1 already",
                Exhaustive(coefficients(1, 1), lambda c: c >= 0),
            ),
        ),
        premises=(
            "hand argument: at given sizes the gain is convex in the positives on the left, so largest at an end of"
            " their range, where a child is pure; exchanging classes or sides lets it be positives alone on the left",
            "hand argument: below its mean the score is negative, and where the variance is 0 it is 0; the pure split's"
            " is positive",
        ),
        facts=(Fact(repr(sgini), "vertex-optimal split", "2", True),),
    ),
]
