"""Concavity of whole families of impurities, and of those of responses; so their best splits are vertices.

Main results: generalised cross-entropy for every ``q`` between 0 and 1, the negative-exponential impurity for every
positive ``lam``, entropy in any base, variance and absolute deviation of any responses are concave.
Source: breiman1996, Sections 1 and 2; wilton2024, Theorems 1 and 8; beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import impurities
from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, absolute_deviation, gini, variance
from splitcrit.proof import All, Certificate, Claim, Exhaustive, Fact, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import compositions, kinds, vector
from splitcrit.proofs.vertex.nodes import best_vertices, isolating_vertices

POINTS = tuple(tuple(Fraction(x, 3) for x in c) for c in compositions(3, 3))
PAIRS = tuple((p, q) for p, q in product(POINTS, POINTS) if p < q)
POWERS = (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4))
MIXED = kinds("real", "w", classes=3) | kinds("count", "x", "y", classes=3) | {"t": "rate"}


def chords(impurity: Impurity) -> Callable[[Any], list[Any]]:
    """Return a formula: the impurity half-way between two points of the simplex, less the mean of their impurities."""

    def values(m: Any) -> list[Any]:
        found = []
        for pair in PAIRS:
            p, q = ([m.number(x) for x in point] for point in pair)
            middle = impurity.of([(x + y) / 2 for x, y in zip(p, q, strict=True)], m)
            found.append(middle - (impurity.of(p, m) + impurity.of(q, m)) / 2)
        return found

    return values


def strictly_concave(impurity: Impurity) -> Claim:
    return Sign(chords(impurity))


def concave_on_grid(impurity: Impurity) -> Claim:
    """Claim that no chord between two points of the grid lies above an impurity of rational values."""
    return Exhaustive(lambda: chords(impurity)(EXACT), lambda gap: gap >= 0)


def moments(v: Any, name: str) -> tuple[Any, Any]:
    """Return the mean and the mean square of the responses under one of two distributions, the last share the rest."""
    p, w = vector(v, name, 3), vector(v, "w", 3)
    p = [p[0], p[1], 1 - p[0] - p[1]]
    return sum(a * b for a, b in zip(p, w, strict=True)), sum(a * b * b for a, b in zip(p, w, strict=True))


def variance_gap(v: Any, m: Any) -> Any:
    """Return by how much the variance of a mixture exceeds the mixture of the variances."""
    (a, aa), (b, bb) = moments(v, "x"), moments(v, "y")
    mixed = v.t * aa + (1 - v.t) * bb - (v.t * a + (1 - v.t) * b) ** 2
    return mixed - v.t * (aa - a * a) - (1 - v.t) * (bb - b * b)


def difference_of_means(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    return [([moments(v, "x")[0] - moments(v, "y")[0]], ["t", "u"])]


def of_means(case: tuple[Fraction, ...]) -> bool:
    """Tell whether the library's variance is the mean square less the square of the mean."""
    values = (-2, 1, 5)
    mean, square = (sum(p * w**k for p, w in zip(case, values, strict=True)) for k in (1, 2))
    return bool(variance(values).of(case, EXACT) == square - mean * mean)


TWO = kinds("real", "f", "g", classes=3)


def smaller(v: Any, m: Any) -> Any:
    """State that the smaller of two functions lies above its chord at the middle point, the third of three."""
    low = [m.min((f, g)) for f, g in zip(vector(v, "f", 3), vector(v, "g", 3), strict=True)]
    return 2 * low[2] >= low[0] + low[1]


def larger(v: Any, m: Any) -> Any:
    high = [m.max((f, g)) for f, g in zip(vector(v, "f", 3), vector(v, "g", 3), strict=True)]
    return 2 * high[2] >= high[0] + high[1]


def both_concave(v: Any, m: Any) -> list[Any]:
    return [2 * x[2] >= x[0] + x[1] for x in (vector(v, "f", 3), vector(v, "g", 3))]


def about_the_mean(p: Any, m: Any) -> Any:
    """Return the mean absolute deviation from the mean of responses 0, 1, 2."""
    mean = p[1] + 2 * p[2]
    return sum(x * m.abs(w - mean) for w, x in enumerate(p))


def half_norm(p: Any, m: Any) -> Any:
    """Return 1 less the norm of order 1/2, which is no norm."""
    return 1 - sum(m.sqrt(x) for x in p) ** 2


def families() -> Iterator[str]:
    """Yield the criteria that the theorem is about, as facts name them."""
    yield "decrease(gce(q)) for 0 < q < 1"
    yield "decrease(ne(lam)) for 0 < lam"
    yield "decrease(shannon_entropy(base=2))"
    for values in ((0, 1), (0, 1, 2)):
        yield repr(decrease(variance(values)))
        yield repr(decrease(absolute_deviation(values)))


def facts(property: str) -> tuple[Fact, ...]:
    """Return a property as a fact for each family; that of responses for as many classes as there are responses."""
    found = []
    for name in families():
        classes = "all" if "((0, 1" not in name else "2" if "(0, 1))" in name else ">2"
        found.append(Fact(name, property, classes, True))
    return tuple(found)


THEOREMS = [
    Theorem(
        key="impurity.families_are_concave",
        statement="gce(q) is concave for every q between 0 and 1, 1 less a norm of order 1/(1 - q) >= 1; ne(lam) for"
        " every positive lam, the smaller of two concave impurities; entropy in any base, a multiple of entropy; the"
        " variance of any responses, whose gap over a chord is t(1 - t) times a squared difference of means; the mean"
        " deviation about the median, the least of linear functions",
        source="beyond, concavity of families",
        scope="all K; gce for every q through Minkowski's inequality, by enclosures at q = 1/4, 1/2, 2/3, 3/4 on the"
        " grid of thirds, K = 3; the variance of three responses for all of them",
        holds=All(
            *(strictly_concave(impurities.gce(q)) for q in POWERS),
            strictly_concave(impurities.shannon_entropy(base=2)),
            Smt(TWO, smaller, both_concave),
            Certificate(MIXED, variance_gap, difference_of_means, lambda v, m: {"t": v.t, "u": 1 - v.t}),
            Exhaustive(lambda: POINTS, of_means),
            concave_on_grid(variance((-2, 1, 5))),
            concave_on_grid(absolute_deviation((-2, 1, 5))),
        ),
        fails=(
            NearMiss("the larger of two concave impurities is concave", Smt(TWO, larger, both_concave)),
            NearMiss(
                "a norm of order 1/2 will do",
                strictly_concave(Impurity("half norm", half_norm, gini.loss)),
                alters="hypothesis",
            ),
            NearMiss(
                "the mean deviation about the mean is concave",
                concave_on_grid(Impurity("deviation about the mean", about_the_mean, gini.loss)),
            ),
        ),
        premises=(
            "Minkowski's inequality: a norm of order r >= 1 is convex",
            "impurity.entropy_is_concave",
            "impurity.sqrt_gini_is_concave",
            "impurity.misclassification_is_concave",
            "the least of linear functions is concave, and a median has least deviation",
        ),
        facts=facts("concave"),
    ),
    Theorem(
        key="vertex.best_split_of_concave_families",
        statement="so their best splits, over all shares of the classes, divide no class",
        source="beyond, the vertex theorem for families",
        scope="all K, from concavity; enumerated on halves of the nodes 3, 2, 1 and 2, 2, 1 for the rational ones",
        holds=Exhaustive(
            lambda: product((variance((0, 1, 2)), absolute_deviation((0, 1, 2))), ((3, 2, 1), (2, 2, 1), (1, 2, 1))),
            lambda case: vertex_is_best(*case),
        ),
        fails=(
            NearMiss(
                "no split that divides a class is as good, for the mean deviation too",
                Exhaustive(
                    lambda: ((3, 2, 1), (2, 2, 1), (2, 2, 2), (3, 1, 1), (4, 2, 1), (5, 3, 2), (1, 1, 5), (2, 1, 3)),
                    lambda counts: vertex_is_best(absolute_deviation((0, 1, 2)), counts, 1),
                ),
            ),
            NearMiss(
                "the best vertices for the variance isolate a most frequent class, as Gini's do",
                Exhaustive(
                    lambda: ((2, 1, 1), (1, 2, 1), (1, 1, 2)),
                    lambda counts: best_vertices(decrease(variance((0, 1, 2))), counts) <= isolating_vertices(counts),
                ),
            ),
        ),
        premises=("vertex.best_split_of_concave_impurity", "impurity.families_are_concave"),
        facts=facts("vertex-optimal split"),
    ),
]


def vertex_is_best(impurity: Impurity, counts: tuple[int, ...], strictly: int = 0) -> bool:
    """Tell whether some vertex scores at least as much as every split by halves, or more."""
    criterion, found = decrease(impurity), {}
    for alpha in product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=len(counts)):
        left = [a * n for a, n in zip(alpha, counts, strict=True)]
        right = [n - x for n, x in zip(counts, left, strict=True)]
        if any(left) and any(right):
            found[alpha] = criterion.score([left, right], EXACT)
    best = max(x for alpha, x in found.items() if Fraction(1, 2) not in alpha)
    return all(x < best or (x == best and not strictly) for alpha, x in found.items() if Fraction(1, 2) in alpha)
