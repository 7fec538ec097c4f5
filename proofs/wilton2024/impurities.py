"""Theorem 1 (a), (b), (c), (e): impurities as the minimum risks of the classical losses.

Main results: Gini from the square loss, entropy from cross-entropy (by ``log x <= x - 1`` alone), misclassification
from the 0-1 and the absolute loss; a risk reduction is never negative, and is the mean excess risk of the children.
Source: wilton2024, Section 3 and eq. (1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT
from splitcrit.losses import Loss
from splitcrit.proof import All, Certificate, Claim, Erratum, Exhaustive, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import count_vectors, distribution, kinds, vector
from splitcrit.proofs.wilton2024.terms import HALF, LOGARITHM, Given, costs, names, simplex


def brier_excess(classes: int) -> Callable[[Any, Any], Any]:
    """The square risk of announcing ``w`` beyond Gini's impurity."""
    return lambda v, m: (
        losses.risk(losses.square, distribution(v, classes, "w"), distribution(v, classes), m)
        - impurities.gini.of(distribution(v, classes), m)
    )


def brier_terms(classes: int) -> Callable[[Any, Any], list[tuple[list[Any], list[str]]]]:
    return lambda v, m: [
        ([x - y], []) for x, y in zip(distribution(v, classes), distribution(v, classes, "w"), strict=True)
    ]


def pair(classes: int) -> dict[str, str]:
    return {**kinds("positive", "p", classes=classes), **kinds("positive", "w", classes=classes)}


def announced_itself(loss: Loss, factor: Fraction) -> Identity:
    """Announcing ``p`` itself costs the factor times Gini's impurity (K = 4)."""
    return Identity(
        kinds("positive", "p", classes=4),
        lambda v, m: losses.risk(loss, distribution(v, 4), distribution(v, 4), m),
        lambda v, m: factor * impurities.gini.of(distribution(v, 4), m),
    )


def logarithms(v: Any, m: Any, classes: int) -> Given:
    """Logarithms ``a_k`` of ``p_k``; those of ``w_k`` by the premise ``log(w/p) = w/p - 1 - s`` with ``s >= 0``."""
    p, w = distribution(v, classes), distribution(v, classes, "w")
    a, s = vector(v, "a", classes), vector(v, "s", classes)
    known = list(zip(p, a, strict=True))
    return Given(m, log=known + [(w[k], a[k] + w[k] / p[k] - 1 - s[k]) for k in range(classes)])


def gibbs(classes: int, slack: str = "count") -> Certificate:
    variables = {**pair(classes), **names("a", classes, "real"), **names("s", classes, slack)}

    def excess(v: Any, m: Any) -> Any:
        p, w, g = distribution(v, classes), distribution(v, classes, "w"), logarithms(v, m, classes)
        return losses.risk(losses.cross_entropy, w, p, g) - impurities.entropy.of(p, g)

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        p, s = distribution(v, classes), vector(v, "s", classes)
        return {**{f"p{k}": p[k] for k in range(classes)}, **{f"s{k}": s[k] for k in range(classes)}}

    terms: Any = lambda v, m: [([], [f"p{k}", f"s{k}"]) for k in range(classes)]  # noqa: E731
    return Certificate(variables, excess, terms, atoms, lambda v, m: logarithms(v, m, classes).distinct)


def least(loss: Loss, impurity: Any, classes: int, factor: int = 1) -> Smt:
    """No announcement of the simplex has less risk than ``factor`` times the impurity."""
    return Smt(
        names("pw", classes),
        lambda v, m: (
            losses.risk(loss, vector(v, "w", classes), vector(v, "p", classes), m)
            >= factor * impurity.of(vector(v, "p", classes), m)
        ),
        simplex(classes, "pw"),
    )


def reached(loss: Loss, impurity: Any, classes: int, factor: Any = 1) -> Smt:
    """The announcement ``act(p)`` has the risk ``factor`` times the impurity."""

    def conclusion(v: Any, m: Any) -> Any:
        p = vector(v, "p", classes)
        assert loss.act is not None
        return losses.risk(loss, loss.act(p, m), p, m) == factor * impurity.of(p, m)

    return Smt(names("p", classes), conclusion, simplex(classes))


def minimum(loss: Loss, impurity: Any, factor: int = 1, largest: int = 3) -> list[Claim]:
    K = range(2, largest + 1)
    return [*(least(loss, impurity, k, factor) for k in K), *(reached(loss, impurity, k, factor) for k in K)]


def off_simplex(loss: Loss) -> Smt:
    """The bound of Theorem 1 (e) for announcements in the cube that need not sum to 1."""
    return Smt(
        names("pw", 3),
        lambda v, m: (
            losses.risk(loss, vector(v, "w", 3), vector(v, "p", 3), m)
            >= 2 * impurities.misclassification.of(vector(v, "p", 3), m)
        ),
        simplex(3),
    )


def same_cost(one: Loss, factor: int, other: Loss, classes: int) -> Smt:
    """The first loss costs the factor times the other, whatever is announced, in every class."""
    return Smt(
        names("w", classes),
        lambda v, m: (
            sum(
                m.abs(one.at(vector(v, "w", classes), k, m) - factor * other.at(vector(v, "w", classes), k, m))
                for k in range(classes)
            )
            == 0
        ),
        simplex(classes, "w"),
    )


def logarithms_of_p(v: Any, m: Any) -> Given:
    return Given(m, log=list(zip(distribution(v, 4), vector(v, "a", 4), strict=True)))


def cross_entropy_of_itself(v: Any, m: Any) -> Any:
    p = distribution(v, 4)
    return losses.risk(losses.cross_entropy, losses.cross_entropy.act(p, m), p, logarithms_of_p(v, m))  # type: ignore[misc]


def escort_excess(m: Any) -> list[Any]:
    """At p = (1/3, 2/3): what p costs beyond its escort distribution (1/5, 4/5), plus 1/1000."""
    p = [m.number(Fraction(1, 3)), m.number(Fraction(2, 3))]
    escort = [m.number(Fraction(1, 5)), m.number(Fraction(4, 5))]
    return [impurities.entropy.of(p, m) - losses.risk(losses.cross_entropy, escort, p, m) + Fraction(1, 1000)]


def all_certain_excess(m: Any) -> list[Any]:
    """At p = (1/3, 2/3): what announcing (1, 1) costs beyond entropy."""
    p = [m.number(Fraction(1, 3)), m.number(Fraction(2, 3))]
    return [losses.risk(losses.cross_entropy, [m.number(1), m.number(1)], p, m) - impurities.entropy.of(p, m)]


# Equation (1): x_i, y_i are the partial risks of announcement i in the left and the right child.


def saved(v: Any, m: Any) -> Any:
    """The risk reduction with four announcements."""
    x, y = vector(v, "x", 4), vector(v, "y", 4)
    return m.min([a + b for a, b in zip(x, y, strict=True)]) - m.min(x) - m.min(y)


def excess_pairs(v: Any, m: Any) -> list[tuple[Any, Any]]:
    """What each announcement costs beyond the best, in the left and in the right child."""
    x, y = vector(v, "x", 4), vector(v, "y", 4)
    return [(a - m.min(x), b - m.min(y)) for a, b in zip(x, y, strict=True)]


def excesses(v: Any, m: Any) -> list[Any]:
    return [a + b for a, b in excess_pairs(v, m)]


def mean_excess(v: Any, m: Any) -> Any:
    """The excess risk of the node's announcement in the children, with their sizes as weights."""
    nodes = [[x * v.n for x in distribution(v, 3)], [x * v.r for x in distribution(v, 3, "w")]]
    whole = [a + b for a, b in zip(*nodes, strict=True)]
    cost = vector(v, "l", 3)
    in_node = losses.risk(costs, cost, [x / (v.n + v.r) for x in whole], m)
    return in_node * (v.n + v.r) - v.i * v.n - v.j * v.r


def weighted_excess(v: Any, m: Any) -> Any:
    cost, left, right = vector(v, "l", 3), distribution(v, 3), distribution(v, 3, "w")
    return v.n * (losses.risk(costs, cost, left, m) - v.i) + v.r * (losses.risk(costs, cost, right, m) - v.j)


EXCESS = {**pair(3), **names("l", 3, "real"), "n": "positive", "r": "positive", "i": "real", "j": "real"}

TWO_CHILDREN = {**names("x", 4, "real"), **names("y", 4, "real")}

REDUCTION = [
    Theorem(
        key="split.risk_reduction_is_nonnegative_of_any_loss",
        statement="for every loss the risk reduction of a split is at least 0, so that halting when none is positive "
        "means halting when all are 0; it is the least over the announcements of their excess summed over the "
        "children, so 0 exactly if one announcement is best in both",
        source="wilton2024, eq. (1) and Theorem 5 (the halting rule)",
        scope="four announcements, any number of classes (only the partial risks in the children enter)",
        holds=All(
            Smt(TWO_CHILDREN, lambda v, m: saved(v, m) >= 0),
            Smt(TWO_CHILDREN, lambda v, m: saved(v, m) == m.min(excesses(v, m))),
            Identity(EXCESS, mean_excess, weighted_excess),
        ),
        fails=(
            NearMiss(
                "it is positive unless every announcement costs the same",
                Smt(TWO_CHILDREN, lambda v, m: saved(v, m) > 0, lambda v, m: [v.x0 < v.x1, v.x1 < v.x2, v.y0 < v.y1]),
            ),
            NearMiss(
                "it is the least of the children's excesses, not of their sums",
                Smt(TWO_CHILDREN, lambda v, m: saved(v, m) == m.min([m.max(pair) for pair in excess_pairs(v, m)])),
            ),
        ),
        latex=r"R^*(S)-R^*(S_L)-R^*(S_R)\ge 0",
    ),
]

CLASSICAL = [
    Theorem(
        key="loss.gini_is_minimum_risk_of_square",
        statement="Gini's impurity is the least expected square loss, attained by announcing p itself and nothing else",
        source="wilton2024, Theorem 1 (a) and Theorem 3",
        scope="K = 2 and 3 with positive probabilities; attainment K = 4",
        holds=All(
            *(Certificate(pair(K), brier_excess(K), brier_terms(K)) for K in (2, 3)),
            announced_itself(losses.square, Fraction(1)),
        ),
        fails=(
            NearMiss("announcing p itself costs half of Gini's impurity", announced_itself(losses.square, HALF)),
            NearMiss(
                "the excess is one squared difference, that of the first class",
                Identity(
                    pair(3),
                    brier_excess(3),
                    lambda v, m: (distribution(v, 3)[0] - distribution(v, 3, "w")[0]) ** 2,
                ),
            ),
            NearMiss(
                "announcing the majority attains it too",
                reached(replace(losses.square, act=losses.majority), impurities.gini, 2),
            ),
        ),
        latex=r"\sum_k p_k\,|\hat y-e_k|_2^2 - (1-|p|_2^2) = |\hat y-p|_2^2",
    ),
    Theorem(
        key="loss.entropy_is_minimum_risk_of_cross_entropy",
        statement="entropy is the least cross-entropy, attained by announcing p itself and nothing else: the excess is "
        "the mean of w/p - 1 - log(w/p)",
        source="wilton2024, Theorem 1 (b) and Theorem 3",
        scope="K = 2 and 3 with positive probabilities; attainment K = 4",
        premises=(LOGARITHM,),
        holds=All(
            *(gibbs(K) for K in (2, 3)),
            Identity(
                {**kinds("positive", "p", classes=4), **names("a", 4, "real")},
                cross_entropy_of_itself,
                lambda v, m: impurities.entropy.of(distribution(v, 4), logarithms_of_p(v, m)),
                lambda v, m: logarithms_of_p(v, m).distinct,
            ),
        ),
        fails=(
            NearMiss(
                "entropy also bounds the cross-entropy of announcements that need not sum to 1",
                Sign(all_certain_excess),
                "hypothesis",
            ),
            NearMiss(
                "at p = (1/3, 2/3) the escort distribution (1/5, 4/5) costs less than p + 1/1000", Sign(escort_excess)
            ),
        ),
    ),
    Theorem(
        key="loss.misclassification_is_minimum_risk_of_zero_one",
        statement="1 - max p is the least expected 0-1 loss, attained by announcing a majority class",
        source="wilton2024, Theorem 1 (c)",
        scope="K = 2, 3",
        holds=All(*minimum(losses.zero_one, impurities.misclassification)),
        fails=(
            NearMiss(
                "announcing p itself attains it",
                reached(replace(losses.zero_one, act=losses.square.act), impurities.misclassification, 2),
            ),
            NearMiss(
                "1 - min p is a lower bound (two classes)",
                Smt(
                    names("pw", 2),
                    lambda v, m: losses.risk(losses.zero_one, [v.w0, v.w1], [v.p0, v.p1], m) >= 1 - m.min((v.p0, v.p1)),
                    simplex(2, "pw"),
                ),
            ),
        ),
    ),
    Theorem(
        key="loss.misclassification_is_minimum_risk_of_mae",
        statement="2 (1 - max p) is the least expected absolute loss, attained by announcing a majority class",
        source="wilton2024, Theorem 1 (e)",
        scope="K = 2, 3",
        holds=All(*minimum(losses.mae, impurities.misclassification, 2)),
        fails=(
            NearMiss(
                "the absolute loss has the misclassification impurity itself, without the factor 2",
                reached(losses.mae, impurities.misclassification, 3),
            ),
            NearMiss("the same for announcements that need not sum to 1", off_simplex(losses.mae), "hypothesis"),
        ),
    ),
    Theorem(
        key="loss.mae_is_twice_gce_one",
        statement="on the simplex the absolute loss is twice generalised cross-entropy at q = 1, and twice the "
        "infinity norm",
        source="wilton2024, Section 2 (generalised cross-entropy) and Corollary 2.1",
        scope="K = 2, 3, 4",
        holds=All(
            *(same_cost(losses.mae, 2, losses.gce(1), K) for K in (2, 3, 4)),
            *(same_cost(losses.mae, 2, losses.infinity_norm, K) for K in (2, 3, 4)),
        ),
        fails=(
            NearMiss("they are equal", same_cost(losses.mae, 1, losses.gce(1), 2)),
            NearMiss("so is the square loss (it is, at the vertices)", same_cost(losses.square, 2, losses.gce(1), 2)),
        ),
    ),
]

THEOREMS = REDUCTION + CLASSICAL


def equal_costs(factor: int) -> Exhaustive:
    """The absolute loss is the factor times generalised cross-entropy at q = 1 (announcements as integer weights)."""

    def holds(w: tuple[int, ...]) -> bool:
        announced = [Fraction(x, sum(w)) for x in w]
        return bool(losses.mae.at(announced, 0, EXACT) == factor * losses.gce(1).at(announced, 0, EXACT))

    return Exhaustive(lambda: count_vectors(6, 3), holds)


ERRATA = [Erratum("R-E3", equal_costs(1), "loss.mae_is_twice_gce_one")]
