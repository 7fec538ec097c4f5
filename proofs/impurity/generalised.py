"""Generalised cross-entropy: its impurity for every ``q > 0``, and what lies on either side of it.

Source: wilton2024, Section 3.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from splitcrit import impurities, losses
from splitcrit.losses import risk
from splitcrit.proof import All, Identity, Induction, Law, NearMiss, Premise, Sign, Smt, Theorem
from splitcrit.proofs.common import HALF, action_attains, distribution, kinds
from splitcrit.proofs.given import BERNOULLI, POWERS, Given, action, tuned, weighted


# The library's formulas at a symbolic q; they are frozen values, so that their parameter can be replaced.
def loss_at(q: Any) -> Any:
    """Generalised cross-entropy with its best action, at any q of (0, 1), also a symbolic one."""
    half = losses.gce(HALF)
    return replace(half, at=tuned(half.at, q=q), act=tuned(half.act, q=q))


def impurity_at(q: Any) -> Any:
    return replace(impurities.gce(HALF), of=tuned(impurities.gce(HALF).of, q=q))


class Powers:
    """The powers that a proof speaks of, for classes of weights n and u, with ``x_k = (p_k / max p)^r``.

    ``y_k = x_k / X`` with the sum ``X``, and ``y_k^q = (x_k max p / p_k) (z / X)`` with ``z = X^(1 - q)``, because
    ``x_k^(1 - q) = p_k / max p``; ``w_k^q = y_k^q (1 + q (w_k / y_k - 1)) - s_k`` with ``s_k >= 0``, by Bernoulli.
    """

    def __init__(self, entries: Any, v: Any, m: Any) -> None:
        self.p, self.x, self.v, self.m = weighted(entries), [e.x for e in entries], v, m
        self.sum = sum(self.x)
        self.y = [x / self.sum for x in self.x]
        self.raised = [x * v.top / p * v.z / self.sum for x, p in zip(self.x, self.p, strict=True)]

    def impurity(self) -> Any:
        return impurity_at(self.v.q).of(self.p, Given(self.m, powers=[*self.x, self.v.z], top=self.v.top))

    def at_best(self) -> Any:
        loss, known = loss_at(self.v.q), Given(self.m, powers=[*self.x, *self.raised], top=self.v.top)
        return risk(loss, action(loss, self.p, known), self.p, known)

    def at(self, entries: Any) -> Any:
        w = weighted(entries, "u")
        bounds = [r * (1 + self.v.q * (a / y - 1)) for r, a, y in zip(self.raised, w, self.y, strict=True)]
        known = Given(self.m, powers=[bound - e.s for bound, e in zip(bounds, entries, strict=True)])
        return risk(loss_at(self.v.q), w, self.p, known)


def order_of(e: Any, v: Any, m: Any) -> list[Any]:
    return [v.q > 0, v.q < 1]


CLASSES = {"n": "positive", "u": "positive", "x": "positive", "s": "count"}
ORDER = {"q": "rate", "z": "positive", "top": "positive"}
EXCESS = Induction(
    "K",
    CLASSES,
    lambda entries, v, m: Powers(entries, v, m).at(entries) - Powers(entries, v, m).impurity(),
    lambda e, v, m: [e.n, e.n * e.s],
    lambda s, v, m: s[1] / (s[0] * v.q),
    ">=",
    ORDER,
    where=order_of,
    keeps=lambda s, v, m: [s[0] > 0, s[1] >= 0],
    compared=True,
)
ATTAINED = Induction(
    "K",
    CLASSES,
    lambda entries, v, m: (Powers(entries, v, m).at_best(), Powers(entries, v, m).impurity()),
    lambda e, v, m: [e.n],
    lambda s, v, m: ((1 - v.top * v.z) / v.q, (1 - v.top * v.z) / v.q),
    shared=ORDER,
    where=order_of,
    compared=True,
)


def renyi(p: Any, r: Any, m: Any) -> Any:
    """Renyi's entropy of order r, in nats."""
    return m.log(sum(m.power(x, r) for x in p)) / (1 - r)


def through_renyi(entries: Any, v: Any, m: Any) -> Any:
    """The impurity and ``(1 - exp(-q H)) / q``, with ``T = (max p)^r`` and ``L = log sum p_k^r``."""
    powers = Powers(entries, v, m)
    known = Given(m, powers=[x * v.T for x in powers.x], log=[(powers.sum * v.T, v.L)])
    entropy = renyi(powers.p, 1 / (1 - v.q), known)
    return powers.impurity(), (1 - Given(m, exp=[(v.L * (1 - v.q), v.top * v.z)]).exp(-v.q * entropy)) / v.q


RENYI = Induction(
    "K",
    CLASSES,
    through_renyi,
    lambda e, v, m: [e.n],
    lambda s, v, m: ((1 - v.top * v.z) / v.q, (1 - v.top * v.z) / v.q),
    shared=ORDER | {"T": "positive", "L": "real"},
    where=order_of,
    compared=True,
)
NEAR_RENYI = Smt(
    {"h": "count", "q": "rate", "E": "real"},
    lambda v, m: (v.q * v.h >= 1 - v.E) & (v.q * v.h - v.q * v.q * v.h * v.h / 2 <= 1 - v.E),
    lambda v, m: [v.q > 0, 1 - v.q * v.h <= v.E, 1 - v.q * v.h + v.q * v.q * v.h * v.h / 2 >= v.E],
)


def norm_at_half(power: int) -> Induction:
    """Claim that at q = 1/2 the impurity is 2 (1 - |p|), with |p|^2 the sum of ``p^power``."""
    at_half = impurities.gce(HALF)
    return Induction(
        "K",
        {"n": "positive"},
        lambda entries, v, m: (
            (1 - HALF * at_half.of(weighted(entries), m)) ** 2,
            sum(x**power for x in weighted(entries)),
        ),
        lambda e, v, m: [e.n, e.n**2],
        lambda s, v, m: (s[1] / s[0] ** 2, s[1] / s[0] ** 2),
        keeps=lambda s, v, m: [s[0] > 0],
        compared=True,
    )


def shares(counts: Any, m: Any) -> list[Any]:
    return [m.number(Fraction(x, sum(counts))) for x in counts]


def closer_than_order(classes: int, q: Fraction) -> Sign:
    """Claim that at equal shares gce(q) is less than q below entropy."""
    return Sign(
        lambda m: [
            q - impurities.entropy.of(shares([1] * classes, m), m) + impurities.gce(q).of(shares([1] * classes, m), m)
        ]
    )


def shannon_instead(m: Any) -> list[Any]:
    """At p = (1/4, 3/4) and q = 1/2: the impurity less the formula with Shannon's entropy."""
    p = shares((1, 3), m)
    return [impurities.gce(HALF).of(p, m) - 2 * (1 - m.exp(-impurities.entropy.of(p, m) / 2))]


NORM_AT_HALF = Law(norm_at_half, power=2)
ITSELF = Identity(
    kinds("positive", "p", classes=4),
    lambda v, m: risk(losses.gce(HALF), distribution(v, 4), distribution(v, 4), m),
    lambda v, m: impurities.gce(HALF).of(distribution(v, 4), m),
)
ORDERS = [Fraction(1, 10), Fraction(1, 3), Fraction(7, 10), Fraction(9, 10)]
GCE_ACTIONS = [
    action_attains(
        impurities.gce(q), [(Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)), (Fraction(1, 5), Fraction(4, 5))]
    )
    for q in (Fraction(1, 3), HALF, Fraction(4, 5))
]

THEOREMS = [
    Theorem(
        key="impurity.gce_is_least_risk_of_q_below_one",
        statement="for 0 < q < 1 and r = 1 / (1 - q) the least expected generalised cross-entropy is (1 - |p|_r) / q, "
        "attained by the action proportional to p^r and nothing else: the excess is a mean of slacks in Bernoulli's "
        "inequality at w_k / y_k, divided by q (all classes present)",
        source="wilton2024, Theorem 1 (d)",
        premises=(BERNOULLI, POWERS),
        holds=All(excess=EXCESS, attained=ATTAINED, library=All(*GCE_ACTIONS)),
        fails=(
            NearMiss("the class distribution itself attains it (q = 1/2)", ITSELF),
            NORM_AT_HALF.but("the norm is that of order 1 / q + 1 (r = 3 at q = 1/2)", power=3),
        ),
    ),
    Theorem(
        key="impurity.gce_is_exponential_of_renyi_entropy",
        statement="gce(q) = (1 - exp(-q H)) / q for 0 < q < 1, with H = log(sum p_k^r) / (1 - r) Renyi's entropy of"
        " order r = 1 / (1 - q), so that it lies between H - q H^2 / 2 and H, and tends to entropy as q tends to 0"
        " (all classes present)",
        source="wilton2024, Theorem 1 (d) (the limit q = 0)",
        holds=All(identity=RENYI, between=NEAR_RENYI, norm_at_half=NORM_AT_HALF),
        fails=(
            NearMiss("gce(q) is less than q below entropy (K = 5, q = 1/10)", closer_than_order(5, Fraction(1, 10))),
            NearMiss("the same with Shannon's entropy in place of Renyi's (q = 1/2)", Sign(shannon_instead)),
        ),
        premises=(
            POWERS,
            Premise("1 - x <= exp(-x) <= 1 - x + x^2 / 2 for x >= 0"),
            Premise("Renyi's entropy tends to Shannon's as its order tends to 1"),
        ),
    ),
]
