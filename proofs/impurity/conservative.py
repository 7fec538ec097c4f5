"""Conservative losses: their least risk is misclassification, and which actions are best.

A loss is C-conservative if the costs of every action sum to C (K - 1) at least, none exceeds C, and the vertex of a
class costs nothing in it.

Source: wilton2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT, total
from splitcrit.losses import Loss, risk
from splitcrit.proof import All, Claim, Exhaustive, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import HALF, vector
from splitcrit.proofs.given import Given, action, costs, names, on_simplex, simplex, sum_of_parts, tuned

Vector = tuple[int, ...]
error = impurities.misclassification


def from_one(q: Any) -> Loss:
    """Generalised cross-entropy at any q >= 1, also a symbolic one."""
    return replace(losses.gce(2), at=tuned(losses.gce(2).at, q=q))


# Lemma 9. M is the largest share.
def lemma(entries: Any, v: Any, m: Any) -> Any:
    """The risk less ``C (1 - M)``; what is added is 0, or not positive, on the simplex and for a large sum."""
    p, cost = [e.p for e in entries], [e.l for e in entries]
    surplus = sum(cost) - v.C * (len(p) - 1)
    return risk(costs, cost, p, m) - v.C * error.of(p, Given(m, top=v.M)) + v.C * (1 - sum(p)) - v.M * surplus


def bound(capped: bool = True, largest: bool = True, missing: int = 1) -> Smt:
    """Lemma 9 at three classes, the last the most probable; the keywords weaken its hypotheses."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        p, cost = vector(v, "p", 3), vector(v, "l", 3)
        premises = [*on_simplex(v, 3), v.C > 0, sum(cost) >= v.C * (3 - missing), *(x >= 0 for x in cost)]
        premises += [x <= v.C for x in cost] if capped else []
        return premises + ([x <= p[-1] for x in p] if largest else [])

    return Smt(
        {**names("p", 3), **names("l", 3, "count"), "C": "count"},
        lambda v, m: risk(costs, vector(v, "l", 3), vector(v, "p", 3), m) >= v.C * (1 - v.p2),
        hypotheses,
    )


LEMMA = sum_of_parts(
    {"p": "rate", "l": "real"},
    lemma,
    lambda e, v, m: (v.M - e.p) * (v.C - e.l),
    {"C": "count", "M": "rate"},
    where=lambda e, v, m: [e.p <= v.M, e.l <= v.C],
    terms=lambda v, m: [([], ["product"])],
    atoms=lambda v, m: {"product": (v.M - v.p) * (v.C - v.l)},
)
BOUND = Law(bound)

# The losses of the library: what their costs sum to, and what the vertex of the majority costs.
Target = Callable[[Any, Any, Any], Any]  # of K, the sum of the action's shares (1 on the simplex) and the variables


def costs_exceed(
    at: Callable[..., Any], target: Target, part: Callable[[Any, Any, Any], Any], by: Any = ">=", **shared: str
) -> Induction:
    """Claim that the costs of a distribution w sum to ``target`` and what ``part`` says of each class, at least 0.

    ``by`` is "==" where they sum to it exactly; ``s`` is the slack ``w - w^q``.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        w = [e.w for e in entries]
        slack = [e.s for e in entries]
        whole = total([at(v)(w, k, Given(m, powers=[w[k] - slack[k]] if shared else ())) for k in range(len(w))])
        return whole - target(len(w), sum(w), v)

    return Induction(
        "K",
        {"w": "rate", "s": "count"},
        formula,
        lambda e, v, m: [e.w, part(e, v, m)],
        lambda sums, v, m: sums[1],
        by,
        shared,
        compared=True,
    )


def vertex_reaches(loss: Callable[[Any], Loss], C: Callable[[Any], Any], **shared: str) -> Induction:
    """Claim that the action named best, the vertex of the majority (the first class), risks ``C (1 - max p)``."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        weights = [v.a, *(e.n for e in entries)]
        p = [x / sum(weights) for x in weights]
        known = Given(m, powers=[1, *(0 for _ in entries)] if shared else (), top=p[0])
        return risk(loss(v), action(losses.zero_one, p, known), p, known), C(v) * error.of(p, known)

    return Induction(
        "K",
        {"n": "positive"},
        formula,
        lambda e, v, m: [e.n],
        lambda s, v, m: (C(v) * s[0] / (v.a + s[0]), C(v) * (1 - v.a / (v.a + s[0]))),
        shared={"a": "positive", **shared},
        compared=True,
        least=1,
        keeps=lambda s, v, m: [s[0] > 0],
    )


def at_q(v: Any) -> Any:
    return from_one(v.q).at


DEFINITION: dict[str, Claim] = {
    "zero_one": costs_exceed(
        lambda v: losses.zero_one.at, lambda K, whole, v: K - whole, lambda e, v, m: m.where(e.w >= 1, 0, 1) - 1 + e.w
    ),
    "mae": costs_exceed(
        lambda v: losses.mae.at, lambda K, whole, v: (K - 2) * whole + K, lambda e, v, m: m.abs(1 - e.w) - 1 + e.w, "=="
    ),
    "gce": costs_exceed(at_q, lambda K, whole, v: (K - whole) / v.q, lambda e, v, m: e.s / v.q, q="positive"),
    "caps": Smt(
        {"w": "rate", "z": "rate", "q": "positive"},
        lambda v, m: (losses.zero_one.at([v.w], 0, m) <= 1) & (at_q(v)([v.w], 0, Given(m, powers=[v.z])) <= 1 / v.q),
    ),
    "zero_one_reached": vertex_reaches(lambda v: losses.zero_one, lambda v: 1),
    "mae_reached": vertex_reaches(lambda v: losses.mae, lambda v: 2),
    "infinity_norm_reached": vertex_reaches(lambda v: losses.gce(1), lambda v: 1),
    "gce_reached": vertex_reaches(lambda v: from_one(v.q), lambda v: 1 / v.q, q="positive"),
}


def least(loss: Loss, factor: Any, domain: str = "pw", classes: int = 3) -> Smt:
    """Claim that no action of the simplex, or of the cube, has less risk than ``factor (1 - max p)``."""

    def conclusion(v: Any, m: Any) -> Any:
        p = vector(v, "p", classes)
        return risk(loss, vector(v, "w", classes), p, m) >= factor * error.of(p, m)

    return Smt(names("pw", classes), conclusion, simplex(classes, domain))


def reached(loss: Loss, factor: Any, act: Any = None, classes: int = 2) -> Smt:
    """Claim that the action ``act(p)`` has the risk ``factor (1 - max p)``."""

    def conclusion(v: Any, m: Any) -> Any:
        p = vector(v, "p", classes)
        best = act(p, m) if act else action(loss, p, m)
        return risk(loss, best, p, m) == factor * error.of(p, m)

    return Smt(names("p", classes), conclusion, simplex(classes))


def free_powers(v: Any, m: Any) -> Any:
    """State the bound at q = 2 when the powers of the action may be any numbers of [0, 1]."""
    p = vector(v, "p", 2)
    return 2 * risk(losses.gce(2), vector(v, "w", 2), p, Given(m, powers=vector(v, "z", 2))) >= error.of(p, m)


def half_is_conservative(w: Vector) -> bool:
    shares = [Fraction(x, sum(w)) for x in w]
    return bool(sum(losses.gce(HALF).at(shares, k, EXACT) for k in range(2)) >= 2)


LEMMA_KEY = Premise("impurity.risk_of_capped_costs_is_at_least_error", "theorem")
SQUARES = [(a * a, b * b) for a, b in ((1, 0), (3, 4), (5, 12), (8, 15))]  # whose roots are rational

THEOREMS = [
    Theorem(
        key="impurity.risk_of_capped_costs_is_at_least_error",
        statement="if p is a distribution with largest share M, l_j <= C and sum l_j >= C (K - 1), then sum p_j l_j >= "
        "C (1 - M): the difference is sum (M - p_j)(C - l_j) + M (sum l_j - C (K - 1))",
        source="wilton2024, Lemma 9",
        holds=LEMMA,
        fails=(
            BOUND.but("without the cap l_j <= C", capped=False, alters="hypothesis"),
            BOUND.but("with sum l_j >= C (K - 2)", missing=2, alters="hypothesis"),
            BOUND.but("M need not be the largest", largest=False, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="impurity.misclassification_is_least_risk_of_standard_losses",
        statement="the 0-1 loss and the infinity norm are 1-conservative, the absolute loss 2-conservative, generalised"
        " cross-entropy 1/q-conservative for every q >= 1: their least expected losses are 1 - max p, 2 (1 - max p) and"
        " (1 - max p) / q, attained by the vertex of a majority class",
        source="wilton2024, Definition 1, Corollary 2.1 and Theorem 1 (c), (e), (d) for q >= 1",
        holds=All(**DEFINITION),
        fails=(
            NearMiss("1 - max p is attained by p itself for the 0-1 loss", reached(losses.zero_one, 1, lambda p, m: p)),
            NearMiss("the absolute loss has misclassification itself, without the factor 2", reached(losses.mae, 1)),
            NearMiss("and for actions that need not sum to 1", least(losses.mae, 2, "p"), "hypothesis"),
            NearMiss(
                "the powers may exceed w, as they do below q = 1",
                Smt(names("pwz", 2), free_powers, simplex(2, "pw")),
                "hypothesis",
            ),
            NearMiss("generalised cross-entropy at q = 2 has misclassification itself", reached(losses.gce(2), 1)),
            NearMiss(
                "generalised cross-entropy at q = 1/2 is 2-conservative",
                Exhaustive(lambda: SQUARES, half_is_conservative),
                "hypothesis",
            ),
        ),
        premises=(
            LEMMA_KEY,
            Premise("impurity.mae_is_twice_gce_one", "theorem"),
            Premise("0 <= w^q <= w for 0 <= w <= 1 and q >= 1, with w^q = w at 0 and 1"),
        ),
    ),
]
