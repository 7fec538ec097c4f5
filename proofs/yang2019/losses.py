"""Table I, classification: which loss each criterion minimises, its minimiser and its scale.

Main results: the excess risk over the impurity is a sum of squares, or of terms ``x - 1 - log x``; Gini needs one-hot
labels or two values.
Source: yang2019, Table I.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.criteria import decrease, sum_minority
from splitcrit.impurities import (
    Impurity,
    entropy,
    gini,
    matushita,
    misclassification,
    shannon_entropy,
    sqrt_gini,
    variance,
)
from splitcrit.losses import cross_entropy, exponential, majority, risk, square, zero_one
from splitcrit.proof import All, Certificate, Exhaustive, Identity, NearMiss, Not, Sign, Smt, Theorem
from splitcrit.proofs.common import (
    binary_splits,
    count_vectors,
    distribution,
    kinds,
    score,
    vector,
)
from splitcrit.proofs.yang2019.terms import Known, agree, best_risk, node_splits


def excess(impurity: Impurity, w: Any, p: Any, m: Any) -> Any:
    """Return the risk of an announcement less the impurity."""
    assert impurity.loss is not None
    return risk(impurity.loss, w, p, m) - impurity.of(p, m)


def least(impurity: Impurity, p: Any, m: Any) -> Any:
    """Return the risk of the announcement that the loss names as its best."""
    assert impurity.loss is not None
    return best_risk(impurity.loss, p, m)


# Gini and the square loss.


def one_hot(classes: int, scale: int = 1) -> Certificate:
    """Risk less Gini is the squared distance of the announcement to the class shares."""

    def parts(v: Any) -> tuple[list[Any], list[Any]]:
        return vector(v, "w", classes), distribution(v, classes)

    def gap(v: Any, m: Any) -> Any:
        w, p = parts(v)
        return excess(gini, w, p, m) - (scale - 1) * gini.of(p, m)

    def squares(v: Any, m: Any) -> Any:
        w, p = parts(v)
        return [([x - y], []) for x, y in zip(w, p, strict=True)]

    return Certificate(kinds("positive", "p", classes=classes) | kinds("real", "w", classes=classes), gap, squares)


P2, P3 = kinds("positive", "p", classes=2), kinds("positive", "p", classes=3)
TWO_VALUES = P2 | {"u": "real", "v": "real"}


def vertex_risk(v: Any, m: Any) -> Any:
    p = distribution(v, 3)
    return risk(square, majority(p, m), p, m)


def two_values(v: Any, m: Any) -> Any:
    return variance((v.u, v.v)).of(distribution(v, 2), m)


def times_gini(factor: Fraction) -> Any:
    return lambda v, m: factor * (v.u - v.v) ** 2 * gini.of(distribution(v, 2), m)


def order_of(values: tuple[int, ...], most: int, least: int = 2) -> Exhaustive:
    """Gini and the squared error of the labels as numbers never order two splits of a node oppositely."""
    index, one = decrease(variance(values)), decrease(gini)
    same = agree(lambda t: score(one, t), lambda t: score(index, t))
    return Exhaustive(lambda: node_splits(count_vectors(most, len(values), least)), same)


GINI = [
    Theorem(
        key="criterion.gini_is_square_loss",
        statement="with one-hot labels the square loss risks gini(p) + |w - p|^2: the best announcement is p alone, the"
        " least risk Gini",
        source="yang2019, Table I",
        scope="K = 2, 3, 4, every real announcement",
        holds=All(
            *map(one_hot, (2, 3, 4)),
            Identity(P3, lambda v, m: least(gini, distribution(v, 3), m), lambda v, m: gini.of(distribution(v, 3), m)),
        ),
        fails=(
            NearMiss("the least risk is twice Gini", one_hot(2, 2)),
            NearMiss(
                "the best announcement is the majority class",
                Identity(P3, vertex_risk, lambda v, m: gini.of(distribution(v, 3), m)),
            ),
        ),
        latex=r"\sum_k p_k |w - e_k|^2 = 1 - |p|^2 + |w - p|^2",
    ),
    Theorem(
        key="criterion.gini_is_half_square_loss_of_two_values",
        statement="with two numbers u, v as labels the squared error's least risk is (u - v)^2 / 2 times Gini: half"
        " of it for 0 and 1, twice for -1 and 1",
        source="yang2019, Table I",
        scope="K = 2, all labels u, v",
        holds=Identity(TWO_VALUES, two_values, times_gini(Fraction(1, 2))),
        fails=(
            NearMiss(
                "the scale is that of one-hot labels, (u - v)^2 times Gini",
                Identity(TWO_VALUES, two_values, times_gini(Fraction(1))),
            ),
            NearMiss(
                "the same with labels 0, 1, 2 and three classes",
                Identity(
                    P3,
                    lambda v, m: variance((0, 1, 2)).of(distribution(v, 3), m),
                    lambda v, m: gini.of(distribution(v, 3), m) / 2,
                ),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="criterion.gini_is_not_square_loss_of_class_numbers",
        statement="with the class numbers 1, 2, 3 as labels the square loss can order two splits of a node opposite to"
        " Gini; the smallest node has 4 examples",
        source="yang2019, Table I",
        scope="K = 3, N <= 3 none, N = 4 a witness",
        holds=All(order_of((1, 2, 3), 3), Not(order_of((1, 2, 3), 4, 4))),
        fails=(
            NearMiss("they agree on every node of up to 4 examples", order_of((1, 2, 3), 4)),
            NearMiss("with labels 1, 2 and two classes they disagree too", Not(order_of((1, 2), 6)), "hypothesis"),
            NearMiss("they agree when the numbers are far apart (1, 2, 9)", order_of((1, 2, 9), 4), "hypothesis"),
        ),
        added="one-hot labels, or two classes",
    ),
]


# Information gain and the softmax loss.


def with_logarithms(v: Any, m: Any, classes: int) -> tuple[list[Any], list[Any], Known]:
    """Return announcement, shares and the arithmetic in which their logarithms are variables."""
    w, p = distribution(v, classes, "w"), distribution(v, classes)
    logs = zip(p + w, vector(v, "g", 2 * classes), strict=True)
    return w, p, Known(m, log=list(logs))


def gibbs(classes: int) -> Certificate:
    """Risk less entropy is ``sum_k p_k (x - 1 - log x)`` with ``x = w_k / p_k``."""

    def gap(v: Any, m: Any) -> Any:
        w, p, known = with_logarithms(v, m, classes)
        return excess(entropy, w, p, known)

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        w, p, known = with_logarithms(v, m, classes)
        slack = {f"s{k}": x / y - 1 - known.log(x) + known.log(y) for k, (x, y) in enumerate(zip(w, p, strict=True))}
        return slack | {f"p{k}": x for k, x in enumerate(p)}

    variables = kinds("positive", "p", "w", classes=classes) | kinds("real", "g", classes=2 * classes)
    terms: list[tuple[list[Any], list[str]]] = [([], [f"p{k}", f"s{k}"]) for k in range(classes)]
    return Certificate(variables, gap, lambda v, m: terms, atoms, lambda v, m: [x >= 0 for x in atoms(v, m).values()])


def attained(classes: int) -> Identity:
    """The risk of announcing the shares is their entropy."""

    def side(of: Any) -> Any:
        def value(v: Any, m: Any) -> Any:
            _, p, known = with_logarithms(v, m, classes)
            return of(p, known)

        return value

    variables = kinds("positive", "p", "w", classes=classes) | kinds("real", "g", classes=2 * classes)
    return Identity(variables, side(lambda p, m: least(entropy, p, m)), side(entropy.of))


QUARTER = (Fraction(1, 4), Fraction(3, 4))

SOFTMAX = [
    Theorem(
        key="criterion.information_gain_is_softmax_loss",
        statement="the softmax loss of announced probabilities w risks entropy(p) + sum_k p_k log(p_k / w_k), in"
        " nats: the best announcement is p, the least risk entropy",
        source="yang2019, Table I",
        scope="K = 2, 3, all positive shares and announcements",
        holds=All(gibbs(2), gibbs(3), attained(2), attained(3)),
        fails=(
            NearMiss(
                "the least risk is the entropy in bits",
                Sign(lambda m: [risk(cross_entropy, QUARTER, QUARTER, m) - shannon_entropy(2).of(QUARTER, m)]),
            ),
            NearMiss(
                "announcing squares of the shares, normalised, costs no more",
                Sign(
                    lambda m: [
                        entropy.of(QUARTER, m) - risk(cross_entropy, (Fraction(1, 10), Fraction(9, 10)), QUARTER, m)
                    ]
                ),
            ),
        ),
        premises=("log x <= x - 1 for x > 0, with equality only at x = 1",),
        latex=r"-\sum_k p_k \log w_k = H(p) + \mathrm{KL}(p \,\|\, w)",
    ),
]


# Sum minority and the 0-1 loss.


def simplices(v: Any, classes: int) -> list[Any]:
    return [sum(vector(v, letter, classes)) == 1 for letter in "pw"]


def majority_attains(classes: int) -> Smt:
    def conclusion(v: Any, m: Any) -> Any:
        p = vector(v, "p", classes)
        return risk(zero_one, majority(p, m), p, m) == misclassification.of(p, m)

    return Smt(kinds("rate", "p", "w", classes=classes), conclusion, lambda v, m: simplices(v, classes))


def never_less(classes: int) -> Smt:
    def conclusion(v: Any, m: Any) -> Any:
        return excess(misclassification, vector(v, "w", classes), vector(v, "p", classes), m) >= 0

    return Smt(kinds("rate", "p", "w", classes=classes), conclusion, lambda v, m: simplices(v, classes))


def minority_share(t: Any) -> Fraction:
    node = [sum(column) for column in zip(*t, strict=True)]
    return 1 - Fraction(max(node), sum(node))


def gain_is_minority_less_sum(sign: int) -> Any:
    errors = decrease(misclassification)
    return lambda t: score(errors, t) == minority_share(t) + sign * score(sum_minority, t)


def differ_in_shares(t: Any) -> bool:
    left, right = t
    return any(x * sum(right) != y * sum(left) for x, y in zip(left, right, strict=True))


ZERO_ONE = [
    Theorem(
        key="criterion.sum_minority_is_zero_one_loss",
        statement="the 0-1 loss is least for the majority class, at 1 - max p, and its gain is the node's minority"
        " share less the sum of the children's: the largest gain is the smallest sum minority",
        source="yang2019, Table I",
        scope="K = 2, 3; the gain for K = 2, N <= 8 and K = 3, N <= 5",
        holds=All(
            *map(never_less, (2, 3)),
            *map(majority_attains, (2, 3)),
            Exhaustive(lambda: binary_splits(8), gain_is_minority_less_sum(1)),
            Exhaustive(lambda: binary_splits(5, 3), gain_is_minority_less_sum(1)),
        ),
        fails=(
            NearMiss(
                "the gain is the node's minority share plus the children's",
                Exhaustive(lambda: binary_splits(4), gain_is_minority_less_sum(-1)),
            ),
            NearMiss(
                "the gain is positive whenever the children's class shares differ",
                Exhaustive(
                    lambda: filter(differ_in_shares, binary_splits(4)),
                    lambda t: score(decrease(misclassification), t) > 0,
                ),
            ),
            NearMiss(
                "announcing the class shares is as good as the majority class",
                Smt(
                    P3,
                    lambda v, m: excess(misclassification, distribution(v, 3), distribution(v, 3), m) == 0,
                ),
            ),
        ),
    ),
]


# DKM and the exponential loss.

ROOTS = {"e": "positive", "x": "positive", "y": "positive", "w": "real"}


def with_exponentials(v: Any, m: Any) -> Known:
    """Return the arithmetic in which ``exp(w) = e^2`` and ``exp(-w) = 1 / e^2``."""
    return Known(m, exp=[(v.w, v.e**2), (-v.w, 1 / v.e**2)])


def exponential_gap(factor: int) -> Any:
    """Return the risk at shares proportional to ``y^2`` and ``x^2``, less so many times ``x y``."""
    return lambda v, m: risk(exponential, v.w, [v.y**2, v.x**2], with_exponentials(v, m)) - factor * v.x * v.y


dkm_certificate = Certificate(
    ROOTS, exponential_gap(2), lambda v, m: [([v.x / v.e - v.y * v.e], [])], domain=lambda v, m: v.w != 0
)


def dkm(v: Any, m: Any) -> Any:
    return matushita.of(distribution(v, 2), m) ** 2


CLOSE = Fraction(1, 10**60)
MIXED = [(Fraction(k, 7), Fraction(7 - k, 7)) for k in range(1, 7)]

DKM = [
    Theorem(
        key="criterion.dkm_is_exponential_loss",
        statement="for two classes the exponential loss risks 2 sqrt(pq) + (sqrt(p) e^(-w/2) - sqrt(q) e^(w/2))^2:"
        " the best announcement is half the log odds, the least risk DKM, which is matushita and twice sqrt_gini",
        source="yang2019, Table I",
        scope="K = 2, both classes present; the announcement at p = 1/7, ..., 6/7",
        holds=All(
            dkm_certificate,
            Identity(P2, dkm, lambda v, m: 4 * v.p0 * v.p1 / (v.p0 + v.p1) ** 2),
            Identity(P2, dkm, lambda v, m: (2 * sqrt_gini.of(distribution(v, 2), m)) ** 2),
            Sign(
                lambda m: [
                    CLOSE - m.abs(best_risk(exponential, [m.number(x) for x in p], m) - matushita.of(p, m))
                    for p in MIXED
                ]
            ),
        ),
        fails=(
            NearMiss("the risk is at least 3 sqrt(pq)", Certificate(ROOTS, exponential_gap(3), dkm_certificate.terms)),
            NearMiss(
                "the best announcement is the log odds, as for the softmax loss",
                Sign(
                    lambda m: [
                        2 * m.sqrt(p[0] * p[1]) - risk(exponential, m.log(p[1] / m.number(p[0])), p, m) for p in MIXED
                    ]
                ),
            ),
            NearMiss(
                "matushita is twice sqrt_gini for three classes too",
                Identity(
                    P3,
                    lambda v, m: matushita.of(distribution(v, 3), m),
                    lambda v, m: 2 * sqrt_gini.of(distribution(v, 3), m),
                ),
                alters="hypothesis",
            ),
        ),
        premises=("exp(w/2) e^(-w/2) = 1 and exp(log x) = x",),
        latex=r"p e^{-w} + q e^{w} = 2\sqrt{pq} + (\sqrt p\, e^{-w/2} - \sqrt q\, e^{w/2})^2",
    ),
]

THEOREMS = [*GINI, *SOFTMAX, *ZERO_ONE, *DKM]
