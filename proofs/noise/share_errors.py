"""Errors of shares: how far p q is off when a share is, and what the weights of three errors sum to.

Source: ghosh2017, Appendix A, the steps of the proof of Lemma 8.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.noise import symmetric
from splitcrit.proof import All, Certificate, Erratum, Exhaustive, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import HALF, kinds
from splitcrit.proofs.noise.shares import Case, nodes

ERROR = {"p": "rate", "e": "real"}


def moved(v: Any, m: Any) -> Any:
    """``p~ q~ - p q`` for a share that is off by e."""
    return (v.p + v.e) * (1 - v.p - v.e) - v.p * (1 - v.p)


def possible(v: Any, m: Any) -> list[Any]:
    return [v.p + v.e >= 0, v.p + v.e <= 1]


def product_moves(linear: bool = True, square: Any = 1) -> Smt:
    """Claim that ``|p~ q~ - p q| <= |e| |p - q| + square e^2``, or ``<= |e|``."""
    return Smt(
        ERROR,
        lambda v, m: (
            m.abs(moved(v, m)) <= (m.abs(v.e) * m.abs(2 * v.p - 1) + square * v.e**2 if linear else m.abs(v.e))
        ),
        possible,
    )


def printed_product_step(case: Case) -> bool:
    """Whether ``|p~ q~ - p^eta q^eta| <= |(p~ - p^eta)(p^eta - q^eta)|`` for every outcome of a node."""
    (negatives, positives), eta = case
    n = negatives + positives
    q, p = symmetric(eta).on_distribution([Fraction(negatives, n), Fraction(positives, n)])
    shares = [Fraction(j, n) for j in range(n + 1)]
    return all(abs(x * (1 - x) - p * q) <= abs((x - p) * (p - q)) for x in shares)


PRINTED = Exhaustive(lambda: nodes(4), printed_product_step)

THEOREMS = [
    Theorem(
        key="noise.gini_step_has_a_square",
        statement="if a share is off by e then p~ q~ - p q = e(q - p) - e^2, so |p~ q~ - p q| <= |e| |p - q| + e^2, and"
        " also <= |e|",
        source="ghosh2017, Appendix A, proof of Lemma 8 for Gini",
        holds=All(
            Identity(ERROR, moved, lambda v, m: v.e * (1 - 2 * v.p) - v.e**2),
            product_moves(),
            product_moves(linear=False),
        ),
        fails=(
            NearMiss("|p~ q~ - p q| <= |e (p - q)|, as printed", PRINTED),
            NearMiss(
                "at most |e| even if p + e leaves [0, 1]",
                Smt(ERROR, lambda v, m: m.abs(moved(v, m)) <= m.abs(v.e)),
                alters="hypothesis",
            ),
            NearMiss("half the square is enough", product_moves(square=HALF)),
        ),
    ),
    Theorem(
        key="noise.weighted_errors_are_below_three",
        statement="1 + sqrt(a) + sqrt(1 - a) <= 1 + sqrt(2) <= 3 and sqrt(a) sqrt(1 - a) <= 1/2",
        source="ghosh2017, Appendix A, last steps for Gini, misclassification and twoing",
        holds=All(
            Certificate(
                kinds("real", "s", "t"),
                lambda v, m: 2 * (v.s**2 + v.t**2) - (v.s + v.t) ** 2,
                lambda v, m: [([v.s - v.t], [])],
            ),
            Certificate(
                kinds("real", "s", "t"),
                lambda v, m: (v.s**2 + v.t**2) / 2 - v.s * v.t,
                lambda v, m: [([v.s - v.t], ["half"])],
                lambda v, m: {"half": HALF},
            ),
            Sign(lambda m: [2 - m.sqrt(Fraction(2))]),
        ),
        fails=(
            NearMiss(
                "1 + sqrt(a) + sqrt(1 - a) <= 2, as if the roots were a and 1 - a",
                Sign(lambda m: [2 - 1 - 2 * m.sqrt(HALF)]),
            ),
            NearMiss("sqrt(a) sqrt(1 - a) <= 1/4, as a(1 - a)", Sign(lambda m: [Fraction(13, 50) - m.sqrt(HALF) ** 2])),
        ),
    ),
]

ERRATA = [Erratum("G-E3a", printed=PRINTED, corrected="noise.gini_step_has_a_square")]
