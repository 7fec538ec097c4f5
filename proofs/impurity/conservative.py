"""Conservative losses: their least risk is misclassification, and which actions are best.

A loss is C-conservative if the costs of every action sum to C (K - 1) at least, none exceeds C, and the vertex of a
class costs nothing in it.

Main results: Lemma 9 as a sum of products; Theorem 2 with the quantifier its converse needs; Corollary 2.1; Theorem 3
as it holds; Theorem 1 (c), (e) and (d) from q = 1 on, for every number of classes.
Source: wilton2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT
from splitcrit.losses import Loss, risk
from splitcrit.proof import All, Cases, Claim, Each, Erratum, Exhaustive, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proof import only, upto
from splitcrit.proofs.common import count_vectors, vector
from splitcrit.proofs.given import HALF, Given, action, costs, names, on_simplex, simplex, tuned, unit
from dataclasses import replace

Vector = tuple[int, ...]
error = impurities.misclassification


def from_one(q: Any) -> Loss:
    """Return generalised cross-entropy at any q >= 1, also a symbolic one."""
    return replace(losses.gce(2), at=tuned(losses.gce(2).at, q=q))


# Lemma 9. M is the largest share.


def lemma(entries: Any, v: Any, m: Any) -> Any:
    """Return the risk less ``C (1 - M)``; what is added is 0, or not positive, on the simplex and for a large sum."""
    p, cost = [e.p for e in entries], [e.l for e in entries]
    surplus = sum(cost) - v.C * (len(p) - 1)
    return risk(costs, cost, p, m) - v.C * error.of(p, Given(m, top=v.M)) + v.C * (1 - sum(p)) - v.M * surplus


LEMMA = Induction(
    "K",
    {"p": "rate", "l": "real"},
    lemma,
    lambda e, v, m: [(v.M - e.p) * (v.C - e.l)],
    lambda sums, v, m: sums[0],
    ">=",
    {"C": "count", "M": "rate"},
    given=lambda e, v, m: [e.p <= v.M, e.l <= v.C],
    terms=lambda v, m: [([], ["product"])],
    atoms=lambda v, m: {"product": (v.M - v.p) * (v.C - v.l)},
)


def bound(capped: bool = True, largest: bool = True, missing: int = 1) -> Smt:
    """Lemma 9 at three classes, the last the most probable; the keywords weaken its hypotheses."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        p, cost = vector(v, "p", 3), vector(v, "l", 3)
        found = [*on_simplex(v, 3), v.C > 0, sum(cost) >= v.C * (3 - missing), *(x >= 0 for x in cost)]
        found += [x <= v.C for x in cost] if capped else []
        return found + ([x <= p[-1] for x in p] if largest else [])

    return Smt(
        {**names("p", 3), **names("l", 3, "count"), "C": "count"},
        lambda v, m: risk(costs, vector(v, "l", 3), vector(v, "p", 3), m) >= v.C * (1 - v.p2),
        hypotheses,
    )


BOUND = Law(bound)

# The losses of the library: their costs sum to C (K - 1) at least, are at most C, and the majority reaches C (1 - M).


def cost_sum(loss: Loss, C: Any, part: Callable[[Any, Any, Any], Any], given: Any = None, **shared: str) -> Induction:
    """Claim that the costs of an action exceed ``C (K - 1)`` by the sum of ``part`` over the classes.

    An action has the weights ``u``; ``s`` is the slack ``w - w^q`` of its share.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        w = [e.u / sum(e.u for e in entries) for e in entries]
        known = Given(m, powers=[x - e.s for x, e in zip(w, entries, strict=True)]) if shared else m
        at = loss(v.q).at if shared else loss.at
        scale = 1 / v.q if shared else C
        return sum(at(w, k, known) for k in range(len(w))) - scale * (len(w) - 1)

    return Induction(
        "K",
        {"u": "positive", "s": "count"},
        formula,
        lambda e, v, m: [part(e, v, m)],
        lambda sums, v, m: sums[0],
        ">=",
        shared,
    )
