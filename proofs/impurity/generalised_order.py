"""Generalised cross-entropy falls as q grows, from entropy to misclassification.

Source: wilton2024, Section 3 and Section 4.
"""

from __future__ import annotations

import itertools
from typing import Any

from splitcrit import impurities, losses
from splitcrit.proof import All, Certificate, Erratum, Induction, NearMiss, Premise, Sign, Theorem
from splitcrit.proofs.common import HALF
from splitcrit.proofs.given import BERNOULLI, LOGARITHM, Given, weighted
from splitcrit.proofs.impurity.generalised import CLASSES, ORDER, ORDERS, Powers, loss_at, order_of, shares


# On either side: pointwise in the action, then for the infimum.
def falls(v: Any, m: Any) -> Any:
    """The loss at order q less that at r > q: by Bernoulli w^r = z^(r/q) >= 1 + (r/q) (z - 1), z = w^q."""
    known = Given(m, powers=[v.z, 1 + v.r / v.q * (v.z - 1) + v.s])
    return loss_at(v.q).at([v.w], 0, known) - loss_at(v.r).at([v.w], 0, known)


def below_log(v: Any, m: Any) -> Any:
    """Cross-entropy less the loss: q log w = log w^q = w^q - 1 - s."""
    known = Given(m, power=[((v.w, v.q), v.z)], log=[(v.w, (v.z - 1 - v.s) / v.q)])
    return losses.cross_entropy.at([v.w], 0, known) - loss_at(v.q).at([v.w], 0, known)


def slack_over(order: str) -> Any:
    return lambda v, m: {"s": v.s, "1/order": 1 / getattr(v, order)}


ABOVE = Induction(
    "K",
    CLASSES,
    lambda entries, v, m: (
        impurities.misclassification.of(weighted(entries), Given(m, top=v.top)) / v.q - Powers(entries, v, m).impurity()
    ),
    lambda e, v, m: [e.n],
    lambda s, v, m: v.top * (v.z - 1) / v.q,
    ">=",
    ORDER,
    where=order_of,
)
SPREAD = [(1, 1, 1), (1, 2, 3), (1, 1, 8)]


def steps_down(points: Any, scaled: bool = False) -> Sign:
    """Claim that entropy, the impurities of growing order and misclassification fall, or so divided by their maxima."""
    chain = [impurities.entropy, *map(impurities.gce, ORDERS), impurities.misclassification]

    def values(m: Any) -> list[Any]:
        steps = []
        for counts in points:
            values = [of.of(shares(counts, m), m) / (of.of(shares((1, 1, 1), m), m) if scaled else 1) for of in chain]
            steps += [a - b for a, b in itertools.pairwise(values)]
        return steps

    return Sign(values)


def misclassified_scaled(m: Any) -> list[Any]:
    """At p = (1/2, 1/2, 0): entropy and gce(1/2) less misclassification, each divided by its maximum."""

    def relative(of: Any) -> Any:
        return of.of(shares((1, 1, 0), m), m) / of.of(shares((1, 1, 1), m), m)

    low = relative(impurities.misclassification)
    return [relative(of) - low for of in (impurities.entropy, impurities.gce(HALF))]


THEOREMS = [
    Theorem(
        key="impurity.gce_falls_from_entropy_to_misclassification",
        statement="the loss, and with it the impurity, falls as q grows: entropy >= gce(q) >= gce(r) >= 1 - max p for "
        "0 < q < r < 1; and gce(q) <= (1 - max p) / q, so that it tends to misclassification as q tends to 1",
        source="wilton2024, Theorem 1 (d) and Section 4 (comparison with the NE impurity)",
        premises=(
            BERNOULLI,
            LOGARITHM,
            Premise("x^a >= 1 for x >= 1 and a > 0"),
            Premise("an infimum of larger losses is larger"),
        ),
        holds=All(
            with_order=Certificate(
                {"w": "rate", "q": "rate", "r": "rate", "z": "rate", "s": "count"},
                falls,
                lambda v, m: [([], ["s", "1/order"])],
                slack_over("r"),
                lambda v, m: [v.q > 0, v.q < v.r, v.r < 1],
            ),
            below_entropy=Certificate(
                {"w": "rate", "q": "rate", "z": "rate", "s": "count"},
                below_log,
                lambda v, m: [([], ["s", "1/order"])],
                slack_over("q"),
                lambda v, m: [v.q > 0, v.q < 1],
            ),
            below_misclassification=ABOVE,
            library=steps_down(SPREAD),
        ),
        fails=(
            NearMiss("so do the impurities divided by their maxima (K = 3)", steps_down([(1, 1, 0)], True)),
            NearMiss(
                "gce(q) <= 1 - max p: misclassification bounds it from above",
                Sign(
                    lambda m: [
                        impurities.misclassification.of(p, m) - impurities.gce(HALF).of(p, m)
                        for p in (shares(c, m) for c in SPREAD)
                    ]
                ),
            ),
        ),
    )
]

ERRATA = [Erratum("R-E9", Sign(misclassified_scaled), "impurity.gce_falls_from_entropy_to_misclassification")]
