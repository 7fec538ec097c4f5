"""SGini at two classes: the split that separates them scores more than every other split of the node.

The letters are those of `separation`.
As a share of the node's largest gain ``2 s / n^2`` the gain is ``f = a M / (P (n - a))``, its mean over
permutations ``mu = 1 / (n - 1)``, its variance ``v(t) = w(t) / ((n - 1)^2 (n - 2) (n - 3) s t)``. The pure split scores
at least as much if ``(1 - mu)^2 v(t) >= (f - mu)^2 v(s)``: cleared of denominators the difference is a polynomial of
non-negative coefficients in ``a - 2``, ``j - 1`` and ``M - 2``; for ``a = 1`` and for ``M = 1`` it is a square times
such polynomials.

Source: wang2024, eqs. (16)-(26); breiman1996, Theorem 1; beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import ZZ
from sympy.polys.rings import ring

from splitcrit.nulls import sgini
from splitcrit.proof import All, Claim, Exhaustive, Fact, Identity, Law, Smt, Theorem
from splitcrit.proofs.null.moments import MEAN, VARIANCE, variance
from splitcrit.proofs.vertex.nodes import PERMUTED
from splitcrit.proofs.vertex.premises import by_theorem, of_classes
from splitcrit.proofs.vertex.separation import BEST, PURE_CHILD, SPLIT, best_at_separation, sizes

_, X, Y, Z = ring("x y z", ZZ)
CORNER = (Y - Z) ** 2  # (M - j - 1)^2 in j - 1 and M - 2


def numerator(t: Any, s: Any, n: Any) -> Any:
    """``w``: what the variance is up to its denominator, for products ``t`` of sizes and ``s`` of classes."""
    return n**5 - n**3 - 6 * n * n * (n - 1) * (s + t) + (2 * n * n + 20 * n - 24) * s * t


def share_of_variance(n: Any, s: Any, t: Any) -> Any:
    """``v(t)``."""
    return numerator(t, s, n) / ((n - 1) ** 2 * (n - 2) * (n - 3) * s * t)


def of_permutation(v: Any, m: Any) -> Any:
    """The library's variance, for rows a, n - a and classes P, M."""
    n, _, t = sizes(v)
    P, M = v.a + v.j, v.M
    return variance(n, 2, n / t, P**2 + M**2, P**3 + M**3)


def lead_of_squares(v: Any, m: Any) -> Any:
    """``(1 - mu)^2 v(t) - (f - mu)^2 v(s)``."""
    n, s, t = sizes(v)
    f, mu = v.a * v.M / ((v.a + v.j) * (n - v.a)), 1 / (n - 1)
    return (1 - mu) ** 2 * share_of_variance(n, s, t) - (f - mu) ** 2 * share_of_variance(n, s, s)


def cleared(a: Any, j: Any, M: Any) -> Any:
    """That difference times ``a P^3 M (n - a)^2 (n - 1)^2`` and what both variances share."""
    P = a + j
    n = P + M
    t, s = a * (n - a), P * M
    above_mean = a * M * (n - 1) - P * (n - a)
    return (n - 2) ** 2 * numerator(t, s, n) * P**3 * M * (n - a) - a * above_mean**2 * numerator(s, s, n)


def from_cleared(v: Any, m: Any) -> Any:
    n, s, _ = sizes(v)
    P, shared = v.a + v.j, (n - 1) ** 2 * (n - 2) * (n - 3)
    return cleared(v.a, v.j, v.M) / (v.a * P**3 * v.M * (n - v.a) ** 2 * (n - 1) ** 2 * shared * s)


def above_three(v: Any, m: Any) -> Any:
    return sizes(v)[0] > 3


def not_negative(coefficients: Callable[[], list[Any]]) -> Claim:
    """Claim that a polynomial has non-negative coefficients, hence is not negative for arguments that are not."""
    return Exhaustive(coefficients, lambda c: c >= 0)


def coefficients(a: int, M: int) -> Claim:
    """Claim it of the difference in ``a``, ``j`` and ``M`` less ``a``, 1 and ``M``."""
    return not_negative(lambda: cleared(X + a, Y + 1, Z + M).coeffs())


def spread_of_separation(P: Any, M: Any) -> Claim:
    """Claim that the separation's variance is positive, by a polynomial whose constant is."""
    polynomial = numerator(P * M, P * M, P + M)
    return All(not_negative(polynomial.coeffs), Exhaustive(lambda: [polynomial.coeff(1)], lambda c: c > 0))


def quotient() -> tuple[Any, Any]:
    """Quotient and remainder, in ``j - 1`` and ``M - 2``, of the difference at ``a = 1`` by its square."""
    parts: tuple[Any, Any] = cleared(1, Y + 1, Z + 2).div(CORNER)
    return parts


def one_negative(v: Any, m: Any) -> Any:
    a, j = v.a, v.j
    return j * (a + j) ** 3 * (a - j - 1) ** 2 * (a + j - 2) * (a + j - 1) ** 3 * (a + j + 1)


SHIFTED = Law(coefficients, a=2, M=2)

THEOREMS = [
    Theorem(
        key="vertex.sgini_is_best_at_the_separation_of_two_classes",
        statement="at two classes no split of a node scores more SGini than the one that separates the classes: by a"
        " polynomial of non-negative coefficients from n = 4, enumerated for n <= 12; below its mean a gain scores less"
        " than 0, where its variance is 0 it scores 0, and the separation is above and has a positive variance",
        source="beyond, the vertex theorem for SGini",
        holds=of_classes(
            2,
            All(
                PURE_CHILD,
                Identity(
                    SPLIT,
                    of_permutation,
                    lambda v, m: (2 * sizes(v)[1] / sizes(v)[0] ** 2) ** 2 * share_of_variance(*sizes(v)),
                    above_three,
                ),
                Identity(SPLIT, lead_of_squares, from_cleared, above_three),
                SHIFTED.claim,
                not_negative(lambda: quotient()[0].coeffs()),
                Exhaustive(lambda: [quotient()[1]], lambda rest: rest == 0),
                Identity(
                    dict.fromkeys("aj", "positive"),
                    lambda v, m: cleared(v.a, v.j, 1),
                    one_negative,
                    lambda v, m: v.a + v.j > 2,
                ),
                Smt(
                    dict.fromkeys(("g", "h", "p", "q"), "real"),
                    lambda v, m: v.g * v.q >= v.h * v.p,
                    lambda v, m: [v.g > 0, v.p > 0, v.q > 0, v.g**2 * v.q**2 >= v.h**2 * v.p**2],
                ),
                Smt({"n": "positive"}, lambda v, m: 1 - 1 / (v.n - 1) > 0, lambda v, m: [v.n > 3]),
                spread_of_separation(1, Y + 3),
                spread_of_separation(X + 2, Y + 2),
                best_at_separation(sgini),
            ),
        ),
        premises=(by_theorem(MEAN.key), by_theorem(VARIANCE.key)),
        fails=(
            BEST.but("the same for AGini under the law of permutations", alters="hypothesis", criterion=PERMUTED),
            SHIFTED.but("the coefficients are non-negative in a - 1, j - 1 and M - 1 already", a=1, M=1),
        ),
        facts=(Fact(repr(sgini), "vertex-optimal split", "2", True),),
    )
]
