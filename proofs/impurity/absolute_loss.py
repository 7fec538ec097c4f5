"""The absolute loss of a class distribution is twice generalised cross-entropy at q = 1, and twice the infinity norm.

Source: wilton2024, Section 2 and Corollary 2.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit import losses
from splitcrit.arith import EXACT
from splitcrit.losses import Loss
from splitcrit.proof import All, Erratum, Induction, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import count_vectors, up_to
from splitcrit.proofs.given import Given, names, simplex


# The first class has weight a, so that an action may leave out the others; the cost when the first class is right.
def first_cost(loss: Loss, entries: Any, v: Any, m: Any) -> Any:
    w = [v.a, *(e.u for e in entries)]
    w = [x / sum(w) for x in w]
    return loss.at(w, 0, Given(m, top=1 - w[0]) if loss == losses.infinity_norm else m)


def same_cost(one: Loss, factor: int, other: Loss) -> Induction:
    """Claim that the first loss costs the factor times the other; the largest distance is that of the right class."""
    return Induction(
        "K",
        {"u": "count"},
        lambda entries, v, m: (first_cost(one, entries, v, m), factor * first_cost(other, entries, v, m)),
        lambda e, v, m: [e.u],
        lambda s, v, m: (2 * s[0] / (v.a + s[0]), factor * (1 - v.a / (v.a + s[0]))),
        shared={"a": "positive"},
        least=1,
        keeps=lambda s, v, m: [s[0] >= 0],
    )


def equal_costs(w: tuple[int, ...]) -> bool:
    """State that the absolute loss is generalised cross-entropy at q = 1 (actions as integer weights)."""
    shares = [Fraction(x, sum(w)) for x in w]
    return bool(losses.mae.at(shares, 0, EXACT) == losses.gce(1).at(shares, 0, EXACT))


DISTANCE = Smt({"w": "rate", "x": "rate"}, lambda v, m: m.abs(v.x) <= m.abs(1 - v.w), lambda v, m: v.w + v.x <= 1)
TWICE = Law(same_cost, one=losses.mae, factor=2, other=losses.gce(1))
NOT_EQUAL = up_to(6, count_vectors, equal_costs, K=3)

THEOREMS = [
    Theorem(
        key="impurity.mae_is_twice_gce_one",
        statement="on the simplex the absolute loss is twice generalised cross-entropy at q = 1, and twice the "
        "infinity norm",
        source="wilton2024, Section 2 (generalised cross-entropy) and Corollary 2.1",
        holds=All(gce=TWICE, infinity_norm=same_cost(losses.mae, 2, losses.infinity_norm), largest=DISTANCE),
        fails=(
            NearMiss("they are equal", NOT_EQUAL),
            NearMiss(
                "so is the square loss (it is, at the vertices)",
                Smt(
                    names("w", 2),
                    lambda v, m: losses.square.at([v.w0, v.w1], 0, m) == 2 * losses.gce(1).at([v.w0, v.w1], 0, m),
                    simplex(2, "w"),
                ),
            ),
        ),
    )
]

ERRATA = [Erratum("R-E3", NOT_EQUAL, "impurity.mae_is_twice_gce_one")]
