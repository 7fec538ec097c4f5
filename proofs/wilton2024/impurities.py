"""Symmetric losses, and the impurities that are the minimum risks of losses.

Main results: the impurity of generalised cross-entropy is its minimum risk, at q = 1/2 by a certificate.
Source: wilton2024.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit import impurities, losses
from splitcrit.proof import All, Certificate, Erratum, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.common import distribution, kinds, vector

HALF = Fraction(1, 2)
CLASSES = 4


def announced(v: Any, classes: int) -> list[Any]:
    """Return an announcement whose square roots are rational: ``s_k^2`` over their sum."""
    squares = [x * x for x in vector(v, "s", classes)]
    return [x / sum(squares) for x in squares]


def excess_of_squares(v: Any, m: Any) -> Any:
    """Cauchy-Schwarz for the square roots of the announcement: ``|p|^2 |s|^2 - (p.s)^2``."""
    p, s = vector(v, "p", CLASSES), vector(v, "s", CLASSES)
    return sum(x * x for x in p) * sum(x * x for x in s) - sum(x * y for x, y in zip(p, s, strict=True)) ** 2


def lagrange(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    p, s = vector(v, "p", CLASSES), vector(v, "s", CLASSES)
    return [([p[i] * s[j] - p[j] * s[i]], []) for i, j in combinations(range(CLASSES), 2)]


def distance_to_best(v: Any, m: Any) -> Any:
    """Return the square of ``1 - q of`` for the impurity of GCE at q = 1/2, that is of the norm of p."""
    p = distribution(v, CLASSES)
    return (1 - HALF * impurities.gce(HALF).of(p, m)) ** 2


def attained(v: Any, m: Any) -> Any:
    loss, p = losses.gce(HALF), distribution(v, CLASSES)
    return (1 - HALF * losses.risk(loss, loss.act(p, m), p, m)) ** 2  # type: ignore[misc]


def brier_excess(v: Any, m: Any) -> Any:
    p, w = distribution(v, CLASSES), announced(v, CLASSES)
    return losses.risk(losses.square, w, p, m) - impurities.gini.of(p, m)


def brier_terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    p, w = distribution(v, CLASSES), announced(v, CLASSES)
    return [([x - y], []) for x, y in zip(p, w, strict=True)]


def norm_order(v: Any, m: Any, classes: int = CLASSES) -> Any:
    p = distribution(v, classes)
    return sum(x * x for x in p)


POSITIVE = kinds("positive", "p", classes=CLASSES)
PAIR = kinds("positive", "p", "s", classes=CLASSES)

THEOREMS = [
    Theorem(
        key="loss.gini_is_minimum_risk_of_square",
        statement="Gini's impurity is the least expected square loss, attained by announcing p itself",
        source="wilton2024, Theorem 1 (a)",
        scope="K = 4 with positive probabilities",
        holds=Certificate(PAIR, brier_excess, brier_terms),
        fails=(
            NearMiss(
                "half of Gini's impurity is the least expected square loss: attained somewhere",
                Identity(
                    POSITIVE,
                    lambda v, m: _brier_at_p(v, m),
                    lambda v, m: impurities.gini.of(distribution(v, CLASSES), m) / 2,
                ),
            ),
            NearMiss(
                "the excess is one squared difference, that of the first class",
                Identity(
                    PAIR, brier_excess, lambda v, m: (distribution(v, CLASSES)[0] - announced(v, CLASSES)[0]) ** 2
                ),
            ),
        ),
    ),
    Theorem(
        key="loss.gce_half_impurity_is_minimum_risk",
        statement="at q = 1/2 the risk of generalised cross-entropy is least, with value 2 (1 - |p|_2), at w proportional to p^2",
        source="wilton2024, Theorem 1 (d)",
        scope="q = 1/2, K = 4 with positive probabilities",
        holds=All(
            Certificate(PAIR, excess_of_squares, lagrange),
            Identity(POSITIVE, distance_to_best, lambda v, m: norm_order(v, m)),
            Identity(POSITIVE, attained, lambda v, m: norm_order(v, m)),
        ),
        fails=(
            NearMiss(
                "announcing p itself attains the impurity",
                Identity(POSITIVE, lambda v, m: _gce_at_p(v, m), distance_to_best),
            ),
            NearMiss(
                "the norm in the impurity is the third power's (r = 3 at q = 1/2)",
                Identity(POSITIVE, distance_to_best, lambda v, m: sum(x**3 for x in distribution(v, CLASSES))),
            ),
        ),
        latex=r"\inf_{\hat y} \sum_k p_k \frac{1-\hat y_k^{1/2}}{1/2} = 2\,(1-\|p\|_2)",
    ),
    Theorem(
        key="loss.misclassification_is_minimum_risk_of_mae",
        statement="half the expected absolute loss is at least 1 - max p, for every announcement",
        source="wilton2024, Theorem 1 (e)",
        scope="K = 3",
        holds=Smt(
            dict.fromkeys(["p0", "p1", "p2", "w0", "w1", "w2"], "rate"),
            lambda v, m: (
                losses.risk(losses.mae, [v.w0, v.w1, v.w2], [v.p0, v.p1, v.p2], m) / 2
                >= impurities.misclassification.of([v.p0, v.p1, v.p2], m)
            ),
            lambda v, m: [v.p0 + v.p1 + v.p2 == 1, v.w0 + v.w1 + v.w2 == 1],
        ),
        fails=(
            NearMiss(
                "the whole absolute loss has the misclassification impurity (no factor 1/2), reached at a vertex",
                Smt(
                    dict.fromkeys(["p0", "p1", "p2"], "rate"),
                    lambda v, m: (
                        losses.risk(losses.mae, losses.majority([v.p0, v.p1, v.p2], m), [v.p0, v.p1, v.p2], m)
                        == impurities.misclassification.of([v.p0, v.p1, v.p2], m)
                    ),
                    lambda v, m: [v.p0 + v.p1 + v.p2 == 1],
                ),
            ),
            NearMiss(
                "the same for announcements that need not sum to 1",
                Smt(
                    dict.fromkeys(["p0", "p1", "p2", "w0", "w1", "w2"], "rate"),
                    lambda v, m: (
                        losses.risk(losses.mae, [v.w0, v.w1, v.w2], [v.p0, v.p1, v.p2], m) / 2
                        >= impurities.misclassification.of([v.p0, v.p1, v.p2], m)
                    ),
                    lambda v, m: [v.p0 + v.p1 + v.p2 == 1],
                ),
                alters="hypothesis",
            ),
        ),
    ),
]


def _brier_at_p(v: Any, m: Any) -> Any:
    p = distribution(v, CLASSES)
    return losses.risk(losses.square, p, p, m)


def _gce_at_p(v: Any, m: Any) -> Any:
    p = distribution(v, CLASSES)
    return (1 - HALF * losses.risk(losses.gce(HALF), p, p, m)) ** 2


ERRATA: list[Erratum] = []
