"""Impurities of losses of two classes that the papers only name: hinge and symmetric cross-entropy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit import losses
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, entropy, gini, misclassification
from splitcrit.losses import Loss, risk
from splitcrit.proof import Identity, Law, NearMiss, Premise, Sign, Smt, Theorem
from splitcrit.proofs.common import compositions, distribution, kinds, shaken, vector
from splitcrit.proofs.given import Given
from splitcrit.proofs.two_class import two_classes

RATE = Fraction(3, 10)


def shares(bottom: int, classes: int, least: int = 0) -> Iterator[list[Fraction]]:
    """Yield the distributions in multiples of ``1/bottom``, every entry at least ``least`` of them."""
    for counts in compositions(bottom, classes):
        if min(counts) >= least:
            yield [Fraction(x, bottom) for x in counts]


def two(v: Any) -> list[Any]:
    return [1 - v.p, v.p]


def hinge_is(factor: int, w: Any = None) -> Smt:
    """The risk of the hinge loss at this action, or at its best, is a factor times misclassification."""

    def conclusion(v: Any, m: Any) -> Any:
        act: Any = losses.hinge.act
        action = act(two(v), m) if w is None else w(v)
        return risk(losses.hinge, action, two(v), m) == factor * misclassification.of(two(v), m)

    return Smt({"p": "rate"}, conclusion)


# Symmetric cross-entropy: a CE + b RCE, with log 0 read as -A, so RCE = A (1 - w_k); c = A b.
@dataclass(frozen=True)
class _Symmetric:
    a: Any
    c: Any

    def __call__(self, w: Any, k: int, m: Any) -> Any:
        return -m.number(self.a) * m.log(w[k]) + m.number(self.c) * (1 - w[k])


@dataclass(frozen=True)
class _SymmetricAct:
    """``w_k = a p_k/(mu - c p_k)`` with ``mu`` the larger root of ``mu^2 - (a + c) mu + c (c + 2a) p q``."""

    a: Any
    c: Any
    sign: int = 1

    def __call__(self, p: Any, m: Any) -> Any:
        a, c = self.a, self.c
        mu = (a + c + self.sign * m.sqrt((a + c) ** 2 - 4 * c * (c + 2 * a) * p[0] * p[1])) / 2
        return [a * x / (mu - c * x) for x in p]


def best_shares(v: Any, m: Any) -> Any:
    return _SymmetricAct(Fraction(1), v.c)(distribution(v, 2), m)


def first_order(k: int) -> Any:
    """``p_k/w_k + c p_k`` of a class at the action claimed best, for a = 1."""
    return lambda v, m: distribution(v, 2)[k] / best_shares(v, m)[k] + v.c * distribution(v, 2)[k]


def parts_of_symmetric() -> Identity:
    """The risk is a times that of cross-entropy and c times the chance of not drawing the class."""
    variables = kinds("positive", "p", "w", classes=2) | kinds("positive", "a", "c") | kinds("real", "g", classes=2)

    def logs(v: Any, m: Any) -> Given:
        return Given(m, log=list(zip(distribution(v, 2, "w"), vector(v, "g", 2), strict=True)))

    def parts(v: Any, m: Any) -> Any:
        p, w = distribution(v, 2), distribution(v, 2, "w")
        missed = sum(x * (1 - y) for x, y in zip(p, w, strict=True))
        return v.a * risk(losses.cross_entropy, w, p, logs(v, m)) + v.c * missed

    def whole(v: Any, m: Any) -> Any:
        return risk(Loss("sce", _Symmetric(v.a, v.c)), distribution(v, 2, "w"), distribution(v, 2), logs(v, m))

    return Identity(variables, whole, parts)


def excess(loss: Loss, p: Any, best: Any, bottom: int = 12) -> Sign:
    """Other actions cost more than the one claimed best."""
    others = [w for w in shares(bottom, len(p), 1) if any(x != y for x, y in zip(w, p, strict=True))]
    return Sign(lambda m: [m.min([risk(loss, w, p, m) for w in others]) - risk(loss, best(p, m), p, m)])


def itself(p: Any, m: Any) -> Any:
    return p


def flips(impurity: Impurity, pair: Any, *orders: tuple[Fraction, int]) -> Sign:
    """The order of two splits, 1 or -1, under uniform noise of each rate."""

    def gap(m: Any, eta: Fraction) -> Any:
        first, second = (decrease(impurity).score(shaken(t, eta), m) for t in pair)
        return first - second

    return Sign(lambda m: [sign * gap(m, eta) for eta, sign in orders])


hinge_is_least = Smt(
    {"p": "rate", "w": "real"}, lambda v, m: risk(losses.hinge, v.w, two(v), m) >= 2 * misclassification.of(two(v), m)
)
SCE = Loss(
    "symmetric_cross_entropy(a=1, c=4)", _Symmetric(Fraction(1), Fraction(4)), _SymmetricAct(Fraction(1), Fraction(4))
)
SCE_IMPURITY = Impurity.from_loss(SCE)
SCE_VARIABLES = kinds("positive", "p0", "p1", "c")
missed_at_least_error = Smt(
    kinds("rate", "p", "w"), lambda v, m: (1 - v.p) * v.w + v.p * (1 - v.w) >= misclassification.of(two(v), m)
)
SKEW = [Fraction(3, 4), Fraction(1, 4)]
SCE_PAIR = (((2, 2), (3, 1)), ((1, 0), (4, 3)))

hinge = Law(hinge_is, factor=2)

THEOREMS = [
    Theorem(
        key="impurity.hinge_is_twice_misclassification",
        statement="the minimum risk of the hinge loss of two classes is 2 min(p, q), at w = 1 or -1: its criterion is"
        " twice the decrease of misclassification",
        source="beyond, losses the papers only name",
        holds=two_classes(hinge_is_least, hinge),
        fails=(
            hinge.but("the minimum risk is that of the 0-1 loss, min(p, q)", factor=1),
            hinge.but("the margin 2p - 1 itself is the best action", w=lambda v: 2 * v.p - 1),
        ),
    ),
    Theorem(
        key="impurity.symmetric_cross_entropy_in_closed_form",
        statement="-a log w_k + c (1 - w_k) has its least risk for two classes at w_k = a p_k/(mu - c p_k) with"
        " 2 mu = a + c + sqrt((a + c)^2 - 4 c (c + 2a) p q) (a = 1, as only c / a matters); the impurity lies between"
        " a H + c min(p, q) and a H + c 2pq, its risk at w = p; at a = 1, c = 4 its criterion changes its order under"
        " symmetric noise",
        source="beyond, losses the papers only name",
        holds=two_classes(
            Identity(SCE_VARIABLES, lambda v, m: best_shares(v, m)[0], lambda v, m: 1 - best_shares(v, m)[1]),
            Identity(SCE_VARIABLES, first_order(0), first_order(1)),
            parts_of_symmetric(),
            missed_at_least_error,
            flips(SCE_IMPURITY, SCE_PAIR, (Fraction(1, 50), 1), (RATE, -1)),
        ),
        fails=(
            NearMiss("p itself is the best action, as for cross-entropy", excess(SCE, SKEW, itself)),
            NearMiss(
                "the impurity is a H + c 2pq",
                Sign(lambda m: [SCE_IMPURITY.of(SKEW, m) - entropy.of(SKEW, m) - 4 * gini.of(SKEW, m)]),
            ),
            NearMiss(
                "the smaller root serves too",
                Sign(lambda m: _SymmetricAct(Fraction(1), Fraction(4), -1)([m.number(x) for x in SKEW], m)),
            ),
        ),
        premises=(
            Premise("a convex risk is least where its first-order condition holds; -log is convex"),
            Premise("Gibbs' inequality"),
        ),
    ),
]
