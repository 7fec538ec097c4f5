"""Which impurity is the least risk of which loss, and by how much another action exceeds it.

Source: yang2019, Table I; wilton2024, Section 3, Theorem 1 (a), (b) and eq. (1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from splitcrit import impurities, losses
from splitcrit.losses import Loss, risk
from splitcrit.proof import All, Certificate, Each, Identity, Induction, Law, NearMiss, Not, Premise, Sign, Theorem
from splitcrit.proofs.common import HALF, action_attains, distribution, kinds
from splitcrit.proofs.given import LOGARITHM, Given, action, weighted

P2, P3 = kinds("positive", "p", classes=2), kinds("positive", "p", classes=3)
gini, entropy, matushita, variance = impurities.gini, impurities.entropy, impurities.matushita, impurities.variance
Sums = Any


# Gini: the sums are of n, n^2, w^2 and n w, for shares proportional to n and real actions w.
def square_excess(factor: int = 1) -> Induction:
    """Claim that the square loss risks ``factor`` times Gini's impurity and the squared distance of w from p."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, w = weighted(entries), [e.w for e in entries]
        distance = sum((x - y) ** 2 for x, y in zip(w, p, strict=True))
        return risk(losses.square, w, p, m), factor * gini.of(p, m) + distance

    def closed(s: Sums, v: Any, m: Any) -> Any:
        whole, squares, actions, products = s
        cost = actions - 2 * products / whole + 1
        distance = actions - 2 * products / whole + squares / whole**2
        return cost, factor * (1 - squares / whole**2) + distance

    return Induction(
        "K",
        {"n": "positive", "w": "real"},
        formula,
        lambda e, v, m: [e.n, e.n**2, e.w**2, e.n * e.w],
        closed,
        keeps=lambda s, v, m: [s[0] > 0],
    )


def risk_is_impurity(
    loss: Loss, impurity: Any, known: Callable[..., Any], entry: dict[str, str], part: Any, closed: Any
) -> Induction:
    """Claim that the action that the loss names, the class distribution, has the impurity as its risk."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p = weighted(entries)
        arithmetic = known(m, p, entries)
        return risk(loss, action(loss, p, arithmetic), p, arithmetic), impurity.of(p, arithmetic)

    return Induction(
        "K",
        {"n": "positive", **entry},
        formula,
        lambda e, v, m: [e.n, part(e)],
        lambda s, v, m: (closed(s), closed(s)),
        keeps=lambda s, v, m: [s[0] > 0],
    )


def logarithms(m: Any, p: Any, entries: Any) -> Given:
    return Given(m, log=[(x, e.a) for x, e in zip(p, entries, strict=True)])


def softmax_excess(entries: Any, v: Any, m: Any) -> Any:
    """The risk of w less entropy; ``log w = a + w/p - 1 - s`` with ``a = log p`` and a slack ``s >= 0``."""
    p, w = weighted(entries), weighted(entries, "u")
    logs = [(x, e.a) for x, e in zip(p, entries, strict=True)]
    logs += [(y, e.a + y / x - 1 - e.s) for x, y, e in zip(p, w, entries, strict=True)]
    return risk(losses.cross_entropy, w, p, Given(m, log=logs)) - entropy.of(p, Given(m, log=logs))


def sharply(p: Any, w: Any, bits: bool = False) -> Sign:
    """Claim that w has less risk than the entropy of p, in nats or in bits."""
    of = impurities.shannon_entropy(2).of if bits else entropy.of

    def values(m: Any) -> list[Any]:
        shares, act = ([m.number(Fraction(x)) for x in y] for y in (p, w))
        return [of(shares, m) - risk(losses.cross_entropy, act, shares, m)]

    return Sign(values)


def majority_risk(v: Any, m: Any) -> Any:
    p = distribution(v, 3)
    return risk(losses.square, [1, 0, 0], p, m)


SOFTMAX = Induction(
    "K",
    {"n": "positive", "u": "positive", "a": "real", "s": "count"},
    softmax_excess,
    lambda e, v, m: [e.n, e.n * e.s],
    lambda s, v, m: s[1] / s[0],
    ">=",
    keeps=lambda s, v, m: [s[0] > 0, s[1] >= 0],
)
SQUARE = Law(square_excess, factor=1)

QUARTER, THIRDS = (Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 3), Fraction(2, 3))
# DKM: with exp(w) = e^2 and shares proportional to y^2 and x^2.
ROOTS = {"e": "positive", "x": "positive", "y": "positive", "w": "real"}


def dkm_risk(factor: int) -> Certificate:
    """Claim that the exponential loss risks at least ``factor`` times ``sqrt(p q)``."""

    def gap(v: Any, m: Any) -> Any:
        known = Given(m, exp=[(v.w, v.e**2), (-v.w, 1 / v.e**2)])
        return risk(losses.exponential, v.w, [v.y**2, v.x**2], known) - factor * v.x * v.y

    return Certificate(ROOTS, gap, lambda v, m: [([v.x / v.e - v.y * v.e], [])], domain=lambda v, m: v.w != 0)


def dkm_reached(share: Fraction = HALF) -> Identity:
    """Claim that ``share`` of the log odds risks ``2 sqrt(p q)``; a and b are the logarithms of the shares."""

    def of(v: Any, m: Any) -> Any:
        p = [v.y**2 / (v.x**2 + v.y**2), v.x**2 / (v.x**2 + v.y**2)]
        w = 2 * share * action(losses.exponential, p, Given(m, log=[(p[0], v.a), (p[1], v.b)]))
        odds = (v.x / v.y) ** int(2 * share)
        return risk(losses.exponential, w, p, Given(m, exp=[(w, odds), (-w, 1 / odds)]))

    variables = {"x": "positive", "y": "positive", "a": "real", "b": "real"}
    return Identity(variables, of, lambda v, m: 2 * v.x * v.y / (v.x**2 + v.y**2), lambda v, m: v.a != v.b)


def dkm(classes: int) -> Identity:
    """Claim that matushita is twice sqrt_gini, as squares."""
    return Identity(
        kinds("positive", "p", classes=classes),
        lambda v, m: matushita.of(distribution(v, classes), m) ** 2,
        lambda v, m: (2 * impurities.sqrt_gini.of(distribution(v, classes), m)) ** 2,
    )


DKM, REACHED = Law(dkm_risk, factor=2), Law(dkm_reached, share=HALF)
TWICE_ROOT = Identity(
    P2, lambda v, m: matushita.of(distribution(v, 2), m) ** 2, lambda v, m: 4 * v.p0 * v.p1 / (v.p0 + v.p1) ** 2
)

DKM_ACTION = action_attains(
    replace(impurities.matushita, loss=losses.exponential), [(Fraction(k, 7), Fraction(7 - k, 7)) for k in range(1, 7)]
)

THEOREMS = [
    Theorem(
        key="impurity.gini_is_least_risk_of_square_loss",
        statement="with one-hot labels the square loss risks gini(p) + |w - p|^2: the best action is p alone, the"
        " least risk Gini",
        source="yang2019, Table I; wilton2024, Theorem 1 (a) and Theorem 3",
        holds=All(
            excess=SQUARE,
            library=risk_is_impurity(
                losses.square,
                gini,
                lambda m, p, entries: Given(m),
                {},
                lambda e: e.n**2,
                lambda s: 1 - s[1] / s[0] ** 2,
            ),
        ),
        fails=(
            SQUARE.but("the least risk is twice Gini", factor=2),
            NearMiss(
                "the best action is the majority class",
                Identity(P3, majority_risk, lambda v, m: gini.of(distribution(v, 3), m)),
            ),
        ),
    ),
    Theorem(
        key="impurity.entropy_is_least_risk_of_softmax_loss",
        statement="the softmax loss (cross-entropy) of probabilities w risks entropy(p) + sum_k p_k log(p_k / w_k), in"
        " nats, the excess being the mean of w/p - 1 - log(w/p): the best action is p alone, the least risk entropy"
        " (all classes present)",
        source="yang2019, Table I; wilton2024, Theorem 1 (b) and Theorem 3",
        holds=All(
            excess=SOFTMAX,
            library=risk_is_impurity(
                losses.cross_entropy, entropy, logarithms, {"a": "real"}, lambda e: e.n * e.a, lambda s: -s[1] / s[0]
            ),
        ),
        fails=(
            NearMiss("the least risk is the entropy in bits", Not(sharply(QUARTER, QUARTER, True))),
            NearMiss(
                "squares of the shares, normalised, cost no more", sharply(QUARTER, (Fraction(1, 10), Fraction(9, 10)))
            ),
            NearMiss(
                "entropy also bounds the cross-entropy of actions that need not sum to 1",
                Not(sharply(THIRDS, (1, 1))),
                "hypothesis",
            ),
            NearMiss(
                "at p = (1/3, 2/3) the escort distribution (1/5, 4/5) costs no more",
                sharply(THIRDS, (Fraction(1, 5), Fraction(4, 5))),
            ),
        ),
        premises=(LOGARITHM,),
    ),
    Theorem(
        key="impurity.dkm_is_least_risk_of_exponential_loss",
        statement="for two classes, both present, the exponential loss risks 2 sqrt(pq) + (sqrt(p) e^(-w/2) - sqrt(q)"
        " e^(w/2))^2: the best action is half the log odds, the least risk DKM, which is matushita and twice sqrt_gini",
        source="yang2019, Table I",
        holds=All(
            excess=DKM, attained=REACHED, matushita=TWICE_ROOT, sqrt_gini=Each("K", (2,), dkm), library=DKM_ACTION
        ),
        fails=(
            DKM.but("the risk is at least 3 sqrt(pq)", factor=3),
            REACHED.but("the best action is the log odds, as for the softmax loss", share=Fraction(1)),
            NearMiss("matushita is twice sqrt_gini for three classes too", dkm(3), alters="hypothesis"),
        ),
        premises=(Premise("exp(w/2) exp(-w/2) = 1 and exp(log x) = x"),),
    ),
]
