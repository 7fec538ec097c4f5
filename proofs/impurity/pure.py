"""Which impurities vanish at pure nodes alone: Gini's, and all that are at least half of it.

Main definitions: ``at``, ``grid``.
Source: breiman1996, Section 1; wilton2024, Section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, matushita, misclassification
from splitcrit.proof import All, Cases, Exhaustive, Fact, Induction, NearMiss, Premise, Smt, Theorem, upto
from splitcrit.proofs.common import compositions
from splitcrit.proofs.given import LOGARITHM, Given, sum_of_parts
from splitcrit.proofs.impurity.concave import CONCAVE, NE_NAMES, SQRT_NAME
from splitcrit.proofs.impurity.generalised import NORM_AT_HALF


def grid(most: int, classes: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield every distribution whose probabilities have a common denominator of at most ``most``."""
    for n in range(1, most + 1):
        yield from (tuple(Fraction(x, n) for x in c) for c in compositions(n, classes))


def at(impurity: Impurity, p: tuple[Fraction, ...]) -> Any:
    return impurity.of(p, EXACT)


def root(x: Any, m: Any) -> Any:
    return m.sqrt(x * (1 - x))


# Zero at pure nodes alone. What each class adds is compared with x (1 - x), what it adds to Gini's impurity.
def above_gini(impurity: Impurity, part: Any, hypotheses: Any = lambda e, v, m: []) -> Induction:
    """Claim that on the simplex an impurity exceeds Gini's by the sum of ``part``, which is never negative."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p = [e.x for e in entries]
        known = Given(m, log=[(e.x, e.l) for e in entries])
        return impurity.of(p, known) - gini.of(p, m) + 1 - sum(p)

    return sum_of_parts(
        {"x": "rate", "l": "real"}, formula, lambda e, v, m: part(e, m) - e.x * (1 - e.x), where=hypotheses
    )


PARTS = sum_of_parts(
    {"x": "rate"},
    lambda entries, v, m: gini.of([e.x for e in entries], m) - 1 + sum(e.x for e in entries),
    lambda e, v, m: e.x * (1 - e.x),
)
TWICE_ERROR = Induction(
    "K",
    {"x": "rate"},
    lambda entries, v, m: (
        2 * misclassification.of([v.top, *(e.x for e in entries)], Given(m, top=v.top))
        - gini.of([v.top, *(e.x for e in entries)], m)
    ),
    lambda e, v, m: [e.x**2],
    lambda sums, v, m: (1 - v.top) ** 2 + sums[0],
    ">=",
    {"top": "rate"},
    1,
    keeps=lambda sums, v, m: [sums[0] >= 0],
)


def zero_only_when_pure(impurity: Impurity) -> Exhaustive:
    return Exhaustive(Cases(grid, n=upto(6), K=3), lambda p: (at(impurity, p) == 0) == (max(p) == 1))


THEOREMS = [
    Theorem(
        key="impurity.zero_only_at_pure_nodes",
        statement="Gini's impurity, sum x (1 - x), vanishes at pure nodes only; entropy in nats, matushita and"
        " bayes_sum are at least Gini's, misclassification, sqrt_gini and gce(q=1/2) at least half of it, hence vanish"
        " there only; so does the smaller of two of them, as ne(lam) for every lam > 0",
        source="breiman1996, Section 1; wilton2024, Section 4",
        holds=All(
            gini=PARTS,
            inside=Smt({"x": "rate"}, lambda v, m: v.x * (1 - v.x) > 0, lambda v, m: [v.x > 0, v.x < 1]),
            entropy=above_gini(entropy, lambda e, m: -e.x * e.l, lambda e, v, m: [e.x - 1 - e.l >= 0]),
            matushita=above_gini(matushita, lambda e, m: root(e.x, m)),
            bayes_sum=above_gini(bayes_sum, lambda e, m: m.min((e.x, 1 - e.x))),
            misclassification=TWICE_ERROR,
            gce_is_of_norm=NORM_AT_HALF,
            roots=Smt(
                {"n": "rate", "c": "rate", "s": "count"},
                lambda v, m: m.min((v.s, 2 * (1 - v.n))) >= (1 - v.n * v.n) / 2,
                lambda v, m: [2 * v.c >= 1, v.s * v.s == v.c * (1 - v.n * v.n)],
            ),
        ),
        fails=(
            NearMiss(
                "misclassification is at least Gini's impurity",
                Exhaustive(Cases(grid, n=upto(6), K=2), lambda p: at(misclassification, p) >= at(gini, p)),
            ),
            NearMiss(
                "every concave impurity that is 0 at pure nodes is 0 there only: the variance of responses 0, 0, 1",
                zero_only_when_pure(impurities.variance((0, 0, 1))),
                alters="hypothesis",
            ),
        ),
        premises=(LOGARITHM, Premise("impurity.sqrt_gini_is_strictly_concave", "theorem")),
        facts=tuple(
            Fact(name, "zero only at vertices", "all", True)
            for name in dict.fromkeys((*(repr(decrease(phi)) for phi in CONCAVE), *NE_NAMES, SQRT_NAME))
        ),
    )
]
