"""The NE impurity of K classes, ``min(1 - max p, lam sqrt((1 - |p|^2)(K - 1) / K))``.

Main results: it is concave and vanishes at vertices alone; from ``lam = 1`` on it is misclassification; a loss that has
it as minimum risk. Notation: ``M = max p``, ``e = 1 - M`` the error, ``G = 1 - |p|^2`` Gini's impurity.
Source: wilton2024, Section 4 (the extension to K classes).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT, Irrational
from splitcrit.criteria import decrease
from splitcrit.proof import (
    BALL,
    All,
    Ball,
    Certificate,
    Erratum,
    Exhaustive,
    Fact,
    Identity,
    NearMiss,
    Smt,
    Theorem,
)
from splitcrit.proofs.common import count_vectors, distribution, kinds, vector
from splitcrit.proofs.wilton2024.terms import HALF, names, simplex, tuned

CAUCHY = "hand argument: a minimum over announcements is the least of the minima over two parts of the simplex"
LAMS = (Fraction(1, 4), HALF, Fraction(3, 4))
NE_NAMES = tuple(repr(decrease(impurities.ne(float(lam)))) for lam in LAMS)
SQRT_NAME = repr(decrease(impurities.sqrt_gini))


def ne_at(lam: Any) -> Any:
    """Return the NE impurity's formula at any parameter, also a symbolic one or 0."""
    return tuned(impurities.ne(HALF).of, lam=lam)


# Concavity.


def mixed(v: Any, classes: int) -> tuple[list[Any], list[Any], list[Any]]:
    p, w = distribution(v, classes), distribution(v, classes, "w")
    return p, w, [v.t * x + (1 - v.t) * y for x, y in zip(p, w, strict=True)]


def root_gap(v: Any, m: Any, classes: int) -> Any:
    """Gini's impurity of the mixture minus the square of the mixed roots."""
    p, w, mix = mixed(v, classes)
    roots = v.t * m.sqrt(impurities.gini.of(p, m)) + (1 - v.t) * m.sqrt(impurities.gini.of(w, m))
    return impurities.gini.of(mix, m) - roots * roots


def root_is_concave(classes: int) -> Certificate:
    """``t (1 - t) ((sqrt G(p) - sqrt G(w))^2 + |p - w|^2)``: positive unless p = w or t is 0 or 1."""

    def terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
        p, w, _ = mixed(v, classes)
        roots = m.sqrt(impurities.gini.of(p, m)) - m.sqrt(impurities.gini.of(w, m))
        return [([x], ["t", "1-t"]) for x in (roots, *(a - b for a, b in zip(p, w, strict=True)))]

    return Certificate(
        {**kinds("positive", "p", "w", classes=classes), "t": "rate"},
        lambda v, m: root_gap(v, m, classes),
        terms,
        lambda v, m: {"t": v.t, "1-t": 1 - v.t},
        lambda v, m: [v.t > 0, v.t < 1, v.p0 * v.w1 != v.p1 * v.w0],
    )


def roots_in_products(v: Any, m: Any) -> Any:
    """The same gap through ``P = |p|^2``, ``W = |w|^2`` and ``X = p.w``, whatever the number of classes."""
    mix = v.t * v.t * v.P + 2 * v.t * (1 - v.t) * v.X + (1 - v.t) ** 2 * v.W
    return 1 - mix - (v.t * m.sqrt(1 - v.P) + (1 - v.t) * m.sqrt(1 - v.W)) ** 2


ANY_ROOTS = Identity(
    {"P": "rate", "W": "rate", "X": "real", "t": "rate"},
    roots_in_products,
    lambda v, m: v.t * (1 - v.t) * ((m.sqrt(1 - v.P) - m.sqrt(1 - v.W)) ** 2 + v.P - 2 * v.X + v.W),
)


def error_is_concave(classes: int) -> Smt:
    def conclusion(v: Any, m: Any) -> Any:
        of, p, w = impurities.misclassification.of, vector(v, "p", classes), vector(v, "w", classes)
        mix = [v.t * x + (1 - v.t) * y for x, y in zip(p, w, strict=True)]
        return of(mix, m) >= v.t * of(p, m) + (1 - v.t) * of(w, m)

    return Smt({**names("pw", classes), "t": "rate"}, conclusion, simplex(classes, "pw"))


def of_two(combine: str) -> Smt:
    """The minimum (or maximum) of two functions above their chords lies above its chord; values as variables."""

    def conclusion(v: Any, m: Any) -> Any:
        best = getattr(m, combine)
        return best((v.f, v.g)) >= v.t * best((v.f0, v.g0)) + (1 - v.t) * best((v.f1, v.g1))

    def hypotheses(v: Any, m: Any) -> list[Any]:
        return [v.f >= v.t * v.f0 + (1 - v.t) * v.f1, v.g >= v.t * v.g0 + (1 - v.t) * v.g1]

    return Smt({**dict.fromkeys(("f", "f0", "f1", "g", "g0", "g1"), "real"), "t": "rate"}, conclusion, hypotheses)


# Zero, maximum, and where it is misclassification.


def gini_above_error(classes: int) -> Certificate:
    """``G - e = sum p_j (M - p_j)``."""
    return Certificate(
        kinds("positive", "p", classes=classes),
        lambda v, m: (
            impurities.gini.of(distribution(v, classes), m)
            - impurities.misclassification.of(distribution(v, classes), m)
        ),
        lambda v, m: [([], [f"p{k}"]) for k in range(classes)],
        lambda v, m: {
            f"p{k}": x * (m.max(distribution(v, classes)) - x) for k, x in enumerate(distribution(v, classes))
        },
    )


def below_uniform(classes: int) -> Certificate:
    """``(K - 1) / K - G = sum (p_j - 1 / K)^2``."""
    return Certificate(
        kinds("positive", "p", classes=classes),
        lambda v, m: Fraction(classes - 1, classes) - impurities.gini.of(distribution(v, classes), m),
        lambda v, m: [([x - Fraction(1, classes)], []) for x in distribution(v, classes)],
    )


def zone_gap(classes: int) -> Certificate:
    """``(K - 1) G - K e^2 = (K - 1) sum p_j (M - p_j) + e sum (M - p_j)``."""

    def gap(v: Any, m: Any) -> Any:
        p = distribution(v, classes)
        error = impurities.misclassification.of(p, m)
        return (classes - 1) * impurities.gini.of(p, m) - classes * error**2

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        p = distribution(v, classes)
        error = impurities.misclassification.of(p, m)
        return {f"p{k}": (m.max(p) - x) * ((classes - 1) * x + error) for k, x in enumerate(p)}

    terms: Any = lambda v, m: [([], [f"p{k}"]) for k in range(classes)]  # noqa: E731
    return Certificate(kinds("positive", "p", classes=classes), gap, terms, atoms)


ALL_CLASSES = Identity(
    {"K": "positive", "M": "real", "Q": "real"},
    lambda v, m: (v.K - 1) * (1 - v.Q) - v.K * (1 - v.M) ** 2,
    lambda v, m: (v.K - 1) * (v.M - v.Q) + (1 - v.M) * (v.K * v.M - 1),
)


def enclosed(impurity: Any, counts: Any) -> Ball:
    """Return an enclosure of an impurity's formula at class counts."""
    return Ball(impurity([Ball(Fraction(x, sum(counts))) for x in counts], BALL))


def vanishes_at(condition: Callable[[tuple[int, ...]], bool]) -> Exhaustive:
    """At lam = 1/2 and 3/4 the enclosure of the impurity contains 0 exactly if the condition holds (N <= 5)."""
    cases = [(lam, n) for lam in (HALF, Fraction(3, 4)) for K in (2, 3) for n in count_vectors(5, K)]
    return Exhaustive(lambda: cases, lambda c: bool(enclosed(ne_at(c[0]), c[1]).arb.contains(0)) == condition(c[1]))


def at_most(bound: Callable[[Fraction, int], Fraction], lams: tuple[Fraction, ...]) -> Exhaustive:
    """No impurity surely exceeds the bound (N <= 5)."""
    cases = [(lam, n) for lam in lams for K in (2, 3) for n in count_vectors(5, K)]

    def holds(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        lam, counts = case
        return not bool((enclosed(ne_at(lam), counts) - bound(lam, len(counts))).arb > 0)

    return Exhaustive(lambda: cases, holds)


def error_wins(lam: Fraction, factor: Callable[[int], Fraction]) -> Exhaustive:
    """``e^2 <= lam^2 factor(K) G`` everywhere (N <= 6): the impurity is misclassification."""
    cases = [n for K in (2, 3, 4) for n in count_vectors(6, K)]

    def holds(counts: tuple[int, ...]) -> bool:
        p = [Fraction(x, sum(counts)) for x in counts]
        error, gini = impurities.misclassification.of(p, EXACT), impurities.gini.of(p, EXACT)
        return bool(error * error <= lam * lam * factor(len(p)) * gini)

    return Exhaustive(lambda: cases, holds)


def spread_factor(K: int) -> Fraction:
    return Fraction(K - 1, K)


# The loss: inside the simplex lam sqrt((K - 1) / K) (1 - w_k) / sqrt(1 - |w|^2), the 0-1 loss at its vertices.


@dataclass(frozen=True)
class Inside:
    """The cost of an announcement that is no vertex."""

    lam: Any

    def __call__(self, w: Any, k: int, m: Any) -> Any:
        return self.lam * m.sqrt(Fraction(len(w) - 1, len(w)) / impurities.gini.of(w, m)) * (1 - w[k])


def library_agrees(case: tuple[Fraction, tuple[int, ...]]) -> bool:
    """The library's loss is that inside, and the 0-1 loss at vertices."""
    lam, counts = case
    w = [Fraction(x, sum(counts)) for x in counts]
    form = losses.zero_one.at if max(w) == 1 else Inside(lam)
    return all(losses.ne(lam).at(w, k, EXACT) == form(w, k, EXACT) for k in range(len(w)))


def announced_excess(v: Any, m: Any, classes: int) -> Any:
    """The square of the risk of an announcement inside the simplex, minus that of the root part of the impurity."""
    p, w = distribution(v, classes), distribution(v, classes, "w")
    cost, root = losses.risk(losses.Loss("inside", Inside(v.lam)), w, p, m), v.lam * impurities.sqrt_gini.of(p, m)
    return cost * cost - root * root


def reversed_cauchy(classes: int) -> Certificate:
    """``(1 - p.w)^2 - G(p) G(w) = |p - w|^2 G(p) + (p.(p - w))^2``, over ``G(w)`` and scaled."""

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        p, w = distribution(v, classes), distribution(v, classes, "w")
        return {
            "scale": Fraction(classes - 1, classes) / impurities.gini.of(w, m),
            "gini": impurities.gini.of(p, m),
        }

    def terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
        p, w = distribution(v, classes), distribution(v, classes, "w")
        apart = [([v.lam, x - y], ["scale", "gini"]) for x, y in zip(p, w, strict=True)]
        return [*apart, ([v.lam, sum(x * (x - y) for x, y in zip(p, w, strict=True))], ["scale"])]

    variables = {**kinds("positive", "p", "w", classes=classes), "lam": "rate"}
    return Certificate(
        variables,
        lambda v, m: announced_excess(v, m, classes),
        terms,
        atoms,
        lambda v, m: [v.lam > 0, v.p0 * v.w1 != v.p1 * v.w0],
    )


ANY_DIMENSION = Identity(
    {"P": "real", "W": "real", "X": "real"},
    lambda v, m: (1 - v.X) ** 2 - (1 - v.P) * (1 - v.W),
    lambda v, m: (v.P - 2 * v.X + v.W) * (1 - v.P) + (v.P - v.X) ** 2,
)


def is_rational(counts: tuple[int, ...]) -> bool:
    """Tell whether the root part of the impurity is rational at these counts."""
    try:
        impurities.sqrt_gini.of([Fraction(x, sum(counts)) for x in counts], EXACT)
    except Irrational:
        return False
    return True


@cache
def rational_roots() -> list[tuple[Fraction, tuple[int, ...]]]:
    """Return parameters and count vectors (N <= 20) whose NE impurity is rational."""
    found = [counts for K, most in ((2, 20), (3, 9)) for counts in count_vectors(most, K) if is_rational(counts)]
    return [(lam, counts) for lam in (*LAMS, Fraction(1)) for counts in found]


def attains(act: Callable[[Any, Any], Any]) -> Exhaustive:
    """The announcement has the impurity as its risk."""

    def holds(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        lam, counts = case
        p = [Fraction(x, sum(counts)) for x in counts]
        loss = losses.ne(lam)
        return bool(losses.risk(loss, act(loss, p), p, EXACT) == impurities.ne(lam).of(p, EXACT))

    return Exhaustive(rational_roots, holds)


THEOREMS = [
    Theorem(
        key="ne.impurity_is_concave",
        statement="the square root of Gini's impurity is strictly concave on the simplex, misclassification is "
        "concave, and so is their minimum, the NE impurity, for every lam > 0: no split has a negative gain",
        source="wilton2024, Section 4 (NE impurity of K classes)",
        scope="every lam; the root for all K through |p|^2, |w|^2 and p.w, and K = 2 in the class shares; "
        "misclassification K = 2, 3; the minimum all K",
        premises=("hand argument: |p - w|^2 = P - 2 X + W for the products P, W, X",),
        holds=All(
            ANY_ROOTS,
            root_is_concave(2),
            *(error_is_concave(K) for K in (2, 3)),
            of_two("min"),
        ),
        fails=(
            NearMiss("the maximum of two concave functions is concave as well", of_two("max")),
            NearMiss(
                "the excess over the chord is t (1 - t) |p - w|^2 alone",
                Identity(
                    {**kinds("positive", "p", "w", classes=2), "t": "rate"},
                    lambda v, m: root_gap(v, m, 2),
                    lambda v, m: v.t * (1 - v.t) * sum((a - b) ** 2 for a, b in zip(*mixed(v, 2)[:2], strict=True)),
                ),
            ),
        ),
        facts=tuple(Fact(name, "concave", "all", True) for name in (*NE_NAMES, SQRT_NAME))
        + tuple(Fact(SQRT_NAME, "stops early", K, False) for K in ("2", ">2")),
    ),
    Theorem(
        key="ne.impurity_vanishes_at_vertices_and_peaks_at_uniform",
        statement="for 0 < lam <= 1 the NE impurity is 0 at the vertices alone and at most lam (K - 1) / K, which the "
        "uniform distribution reaches: both parts have the maximum (K - 1) / K at lam = 1",
        source="wilton2024, Section 4 (NE impurity of K classes)",
        scope="G >= 1 - max p and G <= (K - 1) / K as sums, K = 2, 3; the impurity at lam = 1/2, 3/4, 1, N <= 5, K = "
        "2, 3",
        premises=("hand argument: for every K, sum p_j (M - p_j) = M - |p|^2 and sum (p_j - 1 / K)^2 = |p|^2 - 1 / K",),
        holds=All(
            *(gini_above_error(K) for K in (2, 3)),
            *(below_uniform(K) for K in (2, 3)),
            vanishes_at(lambda counts: max(counts) == sum(counts)),
            at_most(lambda lam, K: lam * Fraction(K - 1, K), (HALF, Fraction(3, 4), Fraction(1))),
        ),
        fails=(
            NearMiss("it is at most lam / 2 for every K", at_most(lambda lam, K: lam / 2, (HALF,))),
            NearMiss("it vanishes wherever a class is empty", vanishes_at(lambda counts: min(counts) == 0)),
        ),
        facts=tuple(Fact(name, "zero only at vertices", "all", True) for name in (*NE_NAMES, SQRT_NAME)),
    ),
    Theorem(
        key="ne.impurity_is_misclassification_of_lam_from_one",
        statement="for every K the NE impurity is misclassification exactly if lam >= 1: (K - 1) G - K e^2 = "
        "(K - 1) sum p_j (M - p_j) + e sum (M - p_j)",
        source="wilton2024, Section 4 (NE impurity of K classes)",
        scope="all K through |p|^2 and max p; K = 2 and 3 in the class shares; N <= 6, K <= 4 at lam = 1",
        premises=("hand argument: sum p_j (M - p_j) = M - |p|^2 and sum (M - p_j) = K M - 1 on the simplex",),
        holds=All(ALL_CLASSES, *(zone_gap(K) for K in (2, 3)), error_wins(Fraction(1), spread_factor)),
        fails=(
            NearMiss("from lam = 9/10 on", error_wins(Fraction(9, 10), spread_factor), "hypothesis"),
            NearMiss("with the factor 1/2 of two classes for every K", error_wins(Fraction(1), lambda K: HALF)),
        ),
    ),
    Theorem(
        key="ne.impurity_is_minimum_risk_of_ne_loss",
        statement="lam sqrt((K - 1) / K) (1 - w_k) / sqrt(1 - |w|^2) inside the simplex with the 0-1 loss at its "
        "vertices has the NE impurity as minimum risk: inside, p itself is best, because (1 - p.w)^2 - G(p) G(w) = "
        "|p - w|^2 G(p) + (p.(p - w))^2; outside the zone p is announced, in it a majority class",
        source="wilton2024, Section 4 (NE impurity of K classes, for which no loss is given)",
        scope="the inequality for all K through |p|^2, |w|^2 and p.w; the loss at K = 2 with positive p, w; "
        "attained at the rational cases of N <= 20 (K = 2) and N <= 9 (K = 3), lam = 1/4, 1/2, 3/4, 1",
        premises=(CAUCHY,),
        holds=All(
            ANY_DIMENSION,
            reversed_cauchy(2),
            Exhaustive(rational_roots, library_agrees),
            attains(lambda loss, p: loss.act(p, EXACT)),
        ),
        fails=(
            NearMiss("p itself is always best", attains(lambda loss, p: p)),
            NearMiss("a majority class is always best", attains(lambda loss, p: losses.majority(p, EXACT))),
        ),
    ),
]

ERRATA: list[Erratum] = []
