"""Proper scores of two classes: a loss is one exactly if its risk is a tangent of the impurity from above.

A score is a loss of the probability ``w`` that is said of class 1; it is *proper* if saying the true ``p`` has the
least risk. ``f`` and ``s`` are the impurity and its slope at what is said.

Source: buja2005; savage1971 for the tangents.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit import losses
from splitcrit.impurities import entropy, gini, matushita
from splitcrit.losses import Loss, risk
from splitcrit.proof import BALL, All, Ball, Exhaustive, Identity, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proof.curvature import Jets, LineJet, bend
from splitcrit.proofs.common import HALF, kinds
from splitcrit.proofs.given import Given
from splitcrit.proofs.two_class import two_classes

POINTS = kinds("rate", "p", "q")
INSIDE = lambda v, m: [v.q > 0, v.q < 1]  # noqa: E731


def tangent(shift: int = 1) -> Identity:
    """Claim that the risk of ``f + (1 - w) s`` for class 1 and ``f - w s`` for class 0 is the tangent at ``w``."""
    return Identity(
        POINTS | kinds("real", "f", "s"),
        lambda v, m: v.p * (v.f + (1 - v.q) * v.s) + (1 - v.p) * (v.f - v.q * v.s),
        lambda v, m: v.f + shift * v.s * (v.p - v.q),
    )


def proper_of_concave(strict: bool = False) -> Smt:
    """Claim that a tangent lies nowhere below a concave function: what is said truly has the least risk.

    ``g`` is the impurity at ``p``, ``k`` that at a mixture ``t`` of the way from ``q`` to ``p``.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        return [v.k >= (1 - v.t) * v.f + v.t * v.g, v.t > 0, v.k <= v.f + v.s * v.t * (v.p - v.q)]

    def says(v: Any, m: Any) -> Any:
        line = v.f + v.s * (v.p - v.q)
        return line > v.g if strict else line >= v.g

    return Smt(POINTS | kinds("rate", "t") | kinds("real", *"fgks"), says, hypotheses)


def is_score(loss: Loss, value: Callable[[Any, Any], Any], slope: Callable[[Any, Any], Any], factor: int = 1) -> All:
    """Claim that a loss of the library is the score of an impurity by its tangents."""

    def cost(v: Any, k: int, m: Any) -> Any:
        return factor * loss.at([1 - v.q, v.q], k, m)

    one, zero = (
        Identity(kinds("rate", "q"), left, right, INSIDE)
        for left, right in (
            (lambda v, m: cost(v, 1, m), lambda v, m: value(v.q, m) + (1 - v.q) * slope(v.q, m)),
            (lambda v, m: cost(v, 0, m), lambda v, m: value(v.q, m) - v.q * slope(v.q, m)),
        )
    )
    return All(one, zero)


def of_impurity(impurity: Any) -> Callable[[Any, Any], Any]:
    return lambda q, m: impurity.of([1 - q, q], m)


def boosting(factor: int = 1) -> All:
    """Claim that the exponential loss at half the log odds is the score of DKM's impurity, with odds ``e^2 : 1``."""

    def sides(k: int) -> Identity:
        def loss(v: Any, m: Any) -> Any:
            return losses.exponential.at(v.w, k, Given(m, exp=[(v.w, v.e), (-v.w, 1 / v.e)]))

        def score(v: Any, m: Any) -> Any:
            q, slope = v.e**2 / (1 + v.e**2), factor * (1 - v.e**2) / v.e
            return 2 * v.e / (1 + v.e**2) + (k - q) * slope

        return Identity({"e": "positive", "w": "real"}, loss, score, lambda v, m: v.w != 0)

    return All(sides(0), sides(1))


def dkm_value() -> Identity:
    """Claim that DKM's impurity is ``2e / (1 + e^2)`` at odds ``e^2 : 1``."""
    return Identity(
        {"e": "positive"},
        lambda v, m: matushita.of([1 / (1 + v.e**2), v.e**2 / (1 + v.e**2)], m),
        lambda v, m: 2 * v.e / (1 + v.e**2),
    )


def derivatives(impurity: Any, slope: Callable[[Any, Any], Any], weight: Callable[[Any, Any], Any]) -> All:
    """Claim what the slope of an impurity is, and its weight: its second derivative with the other sign."""

    def at(v: Any) -> tuple[list[Any], list[int]]:
        return [1 - v.q, v.q], [-1, 1]

    def first(v: Any, m: Any) -> Any:
        return impurity.of([LineJet(x, d, 0, share=True) for x, d in zip(*at(v), strict=True)], Jets(m)).first

    return All(
        Identity(kinds("rate", "q"), first, lambda v, m: slope(v.q, m), INSIDE),
        Identity(
            kinds("rate", "q"),
            lambda v, m: v.q - bend(impurity.of, *at(v), m),
            lambda v, m: v.q + weight(v.q, m),
            INSIDE,
        ),
    )


def weights(root: int = 2) -> All:
    """Claim the slopes and weights of Gini, of entropy and of DKM's impurity."""
    return All(
        gini=derivatives(gini, lambda q, m: 2 - 4 * q, lambda q, m: 4),
        entropy=derivatives(entropy, lambda q, m: m.log(1 - q) - m.log(q), lambda q, m: 1 / (q * (1 - q))),
        dkm=derivatives(
            matushita,
            lambda q, m: (1 - 2 * q) / m.sqrt(q * (1 - q)),
            lambda q, m: 1 / (root * q * (1 - q) * m.sqrt(q * (1 - q))),
        ),
    )


def proper(loss: Loss) -> Exhaustive:
    """Claim that of the probabilities in eighths none has less risk than the true one."""
    eighths = [Fraction(k, 8) for k in (0, 8, *range(1, 8))]

    def costs(p: Fraction, w: Fraction) -> Any:
        true, act = ([BALL.number(1 - x), BALL.number(x)] for x in (p, w))
        return Ball(risk(loss, act, true, BALL))

    return Exhaustive(
        lambda: [(p, w) for p in eighths[3:] for w in eighths if p != w],
        lambda case: costs(*case) > costs(case[0], case[0]),
    )


TANGENT, CONCAVE = Law(tangent, shift=1), Law(proper_of_concave, strict=False)
SQUARE = Law(is_score, loss=losses.square, value=of_impurity(gini), slope=lambda q, m: 2 - 4 * q, factor=1)
BOOSTING, WEIGHTS = Law(boosting, factor=1), Law(weights, root=2)

THEOREMS = [
    Theorem(
        key="field.proper_scores_are_tangents_of_concave_impurities",
        statement="at two classes the loss f + (1 - w) s of class 1 and f - w s of class 0, with f and s the value and"
        " the slope at w of an impurity, has as its risk the tangent at w: what is said truly has the least risk, the"
        " impurity itself, if the impurity is concave, so that every concave impurity is that of a proper score",
        source="buja2005, Section on the structure of proper scoring rules; savage1971",
        holds=two_classes(tangent=TANGENT, least=CONCAVE),
        fails=(
            TANGENT.but("the tangent falls where the impurity rises", shift=-1),
            CONCAVE.but("it has the only least risk", strict=True),
        ),
    ),
    Theorem(
        key="field.library_losses_are_proper_scores",
        statement="at two classes the square loss is the proper score of Gini's impurity, cross-entropy that of"
        " entropy in nats, and the exponential loss at half the log odds, sqrt((1 - w)/w), that of DKM's impurity, 2"
        " sqrt(w (1 - w)); their weights, minus the second derivatives, are 4, 1/(w (1 - w)) and half the power 3/2 of"
        " that. The mean absolute error, generalised cross-entropy, the 0-1 loss of a probability and NE are none,"
        " though their least risks are concave impurities",
        source="buja2005, the examples: log-loss, squared error, boosting loss",
        holds=two_classes(
            square=SQUARE,
            cross_entropy=is_score(losses.cross_entropy, of_impurity(entropy), lambda q, m: m.log(1 - q) - m.log(q)),
            exponential=BOOSTING,
            weights=WEIGHTS,
            dkm=dkm_value(),
        ),
        premises=(Premise("field.proper_scores_are_tangents_of_concave_impurities", "theorem"),),
        fails=(
            BOOSTING.but("the exponential loss is that of another slope", factor=2),
            WEIGHTS.but("the weight of DKM is that of the power 3/2 itself", root=1),
            SQUARE.but("half of it is", value=lambda q, m: q * (1 - q), slope=lambda q, m: 1 - 2 * q),
            NearMiss("the mean absolute error is a proper score", proper(losses.mae)),
            NearMiss("gce(1/2) is a proper score", proper(losses.gce(HALF))),
            NearMiss("NE with lam = 1/2 is a proper score", proper(losses.ne(HALF))),
            NearMiss("the 0-1 loss is a proper score of probabilities", proper(losses.zero_one)),
        ),
    ),
]
