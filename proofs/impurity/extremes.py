"""Where impurities are 0, and where they are largest: pure nodes, and equal shares of the classes.

Main results: Gini's impurity and all that are at least half of it vanish at pure nodes alone; all are largest at equal
shares, by the tangent there; the sum of min(x, 1 - x) is flat where no class has more than half.
Source: breiman1996, Section 1; wang2024, Definition 1 with eqs. (1)-(5); wilton2024, Section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, matushita, misclassification
from splitcrit.proof import (
    All,
    Cases,
    Claim,
    Each,
    Erratum,
    Exhaustive,
    Fact,
    Induction,
    Law,
    NearMiss,
    Premise,
    Smt,
    Theorem,
    upto,
)
from splitcrit.proofs.common import compositions, vector
from splitcrit.proofs.given import HALF, LOGARITHM, Given, names, simplex, weighted
from splitcrit.proofs.impurity.concave import CONCAVE, NE_NAMES, SQRT_NAME


def grid(most: int, classes: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield every distribution whose probabilities have a common denominator of at most ``most``."""
    for n in range(1, most + 1):
        yield from (tuple(Fraction(x, n) for x in c) for c in compositions(n, classes))


def at(impurity: Impurity, p: tuple[Fraction, ...]) -> Any:
    return impurity.of(p, EXACT)


def uniform(classes: int) -> tuple[Fraction, ...]:
    return (Fraction(1, classes),) * classes


# Zero at pure nodes alone. What each class adds is compared with x (1 - x), what it adds to Gini's impurity.


def beyond_gini(impurity: Impurity, part: Any, given: Any = None, share: Fraction = Fraction(1)) -> Induction:
    """Claim that an impurity exceeds ``share`` of Gini's by what ``part`` says of each class, never less than 0."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p = [e.x for e in entries]
        known = Given(m, log=[(e.x, e.l) for e in entries], top=v.top)
        whole = impurity.of(p, known) - share * impurities.gini.of(p, m)
        return whole + share * (1 - sum(p)) + (v.top * (len(p) * 0) if impurity is misclassification else 0)

    return Induction(
        "K",
        {"x": "rate", "l": "real"},
        formula,
        lambda e, v, m: [part(e, v, m)],
        lambda sums, v, m: sums[0],
        ">=",
        {"top": "rate"},
        given=given or (lambda e, v, m: []),
    )
