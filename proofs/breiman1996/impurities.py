"""Which impurities of the library are concave, and which vanish at pure nodes only.

Each proof is of one coordinate, or of the few sums that matter, so that it holds for any number of classes.

Main results: all are concave; each is at least half of Gini's impurity or vanishes only with it.
Source: breiman1996, Sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity
from splitcrit.proof import All, Certificate, Claim, Exhaustive, Fact, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import compositions, distribution, kinds

HALF = Fraction(1, 2)
GCE, NE = impurities.gce(HALF), impurities.ne(HALF)
CONCAVE = (
    impurities.gini,
    impurities.entropy,
    impurities.misclassification,
    impurities.sqrt_gini,
    impurities.matushita,
    impurities.bayes_sum,
    GCE,
    NE,
)

POINT = {"x": "rate", "y": "rate", "t": "rate"}


def mixed(v: Any) -> Any:
    return v.t * v.x + (1 - v.t) * v.y


def chord_gap(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return by how much a function of one coordinate exceeds its chord: non-negative for all t if it is concave."""

    def gap(v: Any, m: Any) -> Any:
        return f(mixed(v), m) - v.t * f(v.x, m) - (1 - v.t) * f(v.y, m)

    return gap


def coordinate(impurity: Impurity) -> Callable[[Any, Any], Any]:
    """Return what one class adds to a separable impurity, up to a constant: the library's formula of one class."""
    return lambda x, m: impurity.of([x], m)


def weighted_squares(factor: int) -> Callable[[Any, Any], list[tuple[list[Any], list[str]]]]:
    return lambda v, m: [([v.x - v.y], ["t", "u"])] * factor


def weights(v: Any, m: Any) -> dict[str, Any]:
    return {"t": v.t, "u": 1 - v.t}


def separable(impurity: Impurity, constant: int = 0, classes: int = 4) -> Claim:
    """Claim that the impurity of several classes is the sum of its formula for each class, less constants."""

    def left(v: Any, m: Any) -> Any:
        return impurity.of(distribution(v, classes), m)

    def right(v: Any, m: Any) -> Any:
        return sum(impurity.of([x], m) for x in distribution(v, classes)) - (classes - 1) * constant

    return Identity(kinds("positive", "p", classes=classes), left, right)


def separable_on_grid(impurity: Impurity) -> Claim:
    """Claim the same for impurities without roots, on all distributions with denominators up to 6."""
    return Exhaustive(lambda: grid(4, 6), lambda p: impurity.of(p, EXACT) == sum(impurity.of([x], EXACT) for x in p))


def grid(classes: int, most: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield every distribution whose probabilities have a common denominator of at most ``most``."""
    for n in range(1, most + 1):
        yield from (tuple(Fraction(x, n) for x in c) for c in compositions(n, classes))


class _Logs:
    """An arithmetic in which the logarithms, in the order they are asked for, are given numbers."""

    name = "LOGS"

    def __init__(self, *logs: Any) -> None:
        self._logs = list(logs)

    def xlogx(self, x: Any) -> Any:
        return x * self._logs.pop(0)


def given(*logs: Any) -> Any:
    """Return that arithmetic, for one use."""
    return _Logs(*logs)


# ---- entropy: from the tangent of the logarithm, log u <= u - 1 ----

LOGS = POINT | {"lx": "real", "ly": "real", "lz": "real"}


def entropy_gap(v: Any, m: Any) -> Any:
    of = impurities.entropy.of
    return of([mixed(v)], given(v.lz)) - v.t * of([v.x], given(v.lx)) - (1 - v.t) * of([v.y], given(v.ly))


def tangents(v: Any, m: Any) -> dict[str, Any]:
    """Return ``x (z/x - 1 - log(z/x))`` and the same for y, both non-negative, and the weights."""
    z = mixed(v)
    return weights(v, m) | {"at x": z - v.x - v.x * (v.lz - v.lx), "at y": z - v.y - v.y * (v.lz - v.ly)}


def tangents_hold(v: Any, m: Any) -> list[Any]:
    return [x >= 0 for x in tangents(v, m).values()]


def entropy_above_gini(v: Any, m: Any) -> Any:
    return impurities.entropy.of([v.x], given(v.lx)) - v.x * (1 - v.x)


# ---- counts, to show that the weight in front of an impurity matters ----


def chord_of_counts(impurity: Impurity, one: tuple[int, int], other: tuple[int, int]) -> Callable[[Any], list[Any]]:
    """Return a formula: the impurity of the mean of two count vectors, less the mean of their impurities."""

    def values(m: Any) -> list[Any]:
        shares = [
            [m.number(Fraction(x, sum(c))) for x in c] for c in (one, other, (one[0] + other[0], one[1] + other[1]))
        ]
        first, second, middle = (impurity.of(p, m) for p in shares)
        return [middle - (first + second) / 2]

    return values


def of_counts(impurity: Impurity) -> NearMiss:
    return NearMiss(
        "the impurity of class counts, not weighted by their number, is concave in the counts",
        Sign(chord_of_counts(impurity, (1, 1), (0, 99))),
    )


def concave(
    name: str, impurity: Impurity, why: str, scope: str, holds: Claim, *fails: NearMiss, **more: Any
) -> Theorem:
    return Theorem(
        key=f"impurity.{name}_is_concave",
        statement=f"{impurity!r} is concave on the simplex: {why}",
        source="breiman1996, Section 2",
        scope=scope,
        holds=holds,
        fails=(*fails, of_counts(impurity)),
        facts=(Fact(repr(decrease(impurity)), "concave", "all", True),),
        **more,
    )


def simplex_gap(impurity: Impurity, v: Any, m: Any) -> Any:
    """Return the excess of an impurity of three classes over its chord; shares need not sum to 1."""
    p, q = [v.p0, v.p1, v.p2], [v.q0, v.q1, v.q2]
    z = [v.t * x + (1 - v.t) * y for x, y in zip(p, q, strict=True)]
    return impurity.of(z, m) - v.t * impurity.of(p, m) - (1 - v.t) * impurity.of(q, m)


# ---- compositions ----

ROOTS = {"t": "rate", "a": "count", "b": "count", "r": "count"}


def square_of_mean(v: Any) -> Any:
    return v.t * v.a * v.a + (1 - v.t) * v.b * v.b


ROOT_OF_CONCAVE = Smt(
    ROOTS,
    lambda v, m: v.r >= v.t * v.a + (1 - v.t) * v.b,
    lambda v, m: [v.r * v.r >= square_of_mean(v)],
)
LEAST_OF_CONCAVE = Smt(
    {"t": "rate"} | dict.fromkeys(("f0", "f1", "f", "g0", "g1", "g"), "real"),
    lambda v, m: m.min((v.f, v.g)) >= v.t * m.min((v.f0, v.g0)) + (1 - v.t) * m.min((v.f1, v.g1)),
    lambda v, m: [v.f >= v.t * v.f0 + (1 - v.t) * v.f1, v.g >= v.t * v.g0 + (1 - v.t) * v.g1],
)
LARGEST_IS_CONVEX = Smt(
    POINT | {"M": "rate", "N": "rate"},
    lambda v, m: mixed(v) <= v.t * v.M + (1 - v.t) * v.N,
    lambda v, m: [v.x <= v.M, v.y <= v.N],
)


def spread_is_square(v: Any, m: Any) -> Any:
    return impurities.sqrt_gini.of(distribution(v, 4), m) ** 2


def scaled_gini(v: Any, m: Any) -> Any:
    return Fraction(3, 4) * impurities.gini.of(distribution(v, 4), m)


def norm_squared(v: Any, m: Any) -> Any:
    return (1 - HALF * GCE.of(distribution(v, 4), m)) ** 2


def plain_norm_squared(v: Any, m: Any) -> Any:
    return sum(x * x for x in distribution(v, 4))


def at_two_classes(impurity: Impurity) -> Callable[[Any, Any], Any]:
    return chord_gap(lambda x, m: impurity.of([x, 1 - x], m))


def larger_of_two(x: Any, m: Any) -> Any:
    p = [x, 1 - x]
    return m.max((impurities.misclassification.of(p, m), m.number(Fraction(3, 4)) * impurities.gini.of(p, m)))


def short_norm(x: Any, m: Any) -> Any:
    """Return ``1 - |p|_r`` for r = 1/2 at two classes with shares ``x^2`` and ``(1 - x)^2`` before scaling."""
    return 1 - (m.sqrt(x) + m.sqrt(1 - x)) ** 2


def at(f: Callable[[Any, Any], Any], x: Fraction, y: Fraction, excess: Fraction = Fraction(0)) -> Claim:
    """Claim that half-way between x and y a function exceeds its chord by more than ``excess (x - y)^2``."""
    return Sign(
        lambda m: [
            f(m.number((x + y) / 2), m) - (f(m.number(x), m) + f(m.number(y), m)) / 2 - m.number(excess * (x - y) ** 2)
        ]
    )


TENTHS = [Fraction(i, 10) for i in range(11)]


def everywhere_strict(impurity: Impurity) -> Claim:
    """Claim that half-way between any two tenths the two-class impurity exceeds its chord."""

    def holds(case: tuple[Fraction, Fraction]) -> bool:
        x, y = case
        f = [impurity.of([z, 1 - z], EXACT) for z in (x, y, (x + y) / 2)]
        return bool(f[2] > (f[0] + f[1]) / 2)

    return Exhaustive(lambda: ((x, y) for x in TENTHS for y in TENTHS if x < y), holds)


def vanishes_only_when_pure(impurity: Impurity, classes: int = 3) -> Claim:
    return Exhaustive(lambda: grid(classes, 6), lambda p: (impurity.of(p, EXACT) == 0) == (max(p) == 1))


def above_gini(impurity: Impurity) -> Claim:
    """Claim that each class adds at least x (1 - x), as it does to Gini's impurity."""
    return Smt({"x": "rate"}, lambda v, m: coordinate(impurity)(v.x, m) >= v.x * (1 - v.x))


SUMS = {"largest": "rate", "squares": "rate", "c": "rate", "s": "rate", "n": "rate"}


def sums_of_distribution(v: Any, m: Any) -> list[Any]:
    """State how largest share, sum of squares, norm n and root of spread s of any distribution are related."""
    return [
        v.largest > 0,
        v.largest * v.largest <= v.squares,
        v.squares <= v.largest,
        2 * v.c >= 1,
        v.s * v.s == v.c * (1 - v.squares),
        v.n * v.n == v.squares,
    ]


def all_above_half_gini(v: Any, m: Any) -> Any:
    """State that 1 - max, sqrt(c (1 - |p|^2)) and 2 (1 - |p|) are at least half of 1 - |p|^2."""
    lower = (1 - v.squares) / 2
    return m.min((1 - v.largest, v.s, 2 * (1 - v.n))) >= lower


THEOREMS = [
    concave(
        "gini",
        impurities.gini,
        "each class adds -x^2, and the excess over a chord is t (1 - t) |p - q|^2",
        "all K (a sum over classes, each class settled; the sum checked at K = 4)",
        All(
            Certificate(POINT, chord_gap(coordinate(impurities.gini)), weighted_squares(1), weights),
            separable(impurities.gini, constant=1),
        ),
        NearMiss(
            "the excess over a chord is at least 2 t (1 - t) (x - y)^2 for every class",
            at(coordinate(impurities.gini), Fraction(0), Fraction(1), HALF),
        ),
        NearMiss(
            "so is its square", at(lambda x, m: impurities.gini.of([x, 1 - x], m) ** 2, Fraction(0), Fraction(1, 4))
        ),
    ),
    concave(
        "entropy",
        impurities.entropy,
        "each class adds -x log x, whose excess over a chord is a mixture of tangent gaps u - 1 - log u",
        "all K (a sum over classes, each class settled; the sum checked at K = 3)",
        All(
            Certificate(
                LOGS, entropy_gap, lambda v, m: [([], ["t", "at x"]), ([], ["u", "at y"])], tangents, tangents_hold
            ),
            Identity(
                kinds("rate", "x", classes=3) | kinds("real", "l", classes=3),
                lambda v, m: impurities.entropy.of([v.x0, v.x1, v.x2], given(v.l0, v.l1, v.l2)),
                lambda v, m: sum(
                    impurities.entropy.of([x], given(log)) for x, log in ((v.x0, v.l0), (v.x1, v.l1), (v.x2, v.l2))
                ),
            ),
        ),
        NearMiss(
            "the excess over a chord is at least t (1 - t) (x - y)^2 for every class, as Gini's",
            at(coordinate(impurities.entropy), Fraction(9, 10), Fraction(1), HALF * HALF),
        ),
        premises=("log u <= u - 1 for u > 0, and 0 log 0 = 0",),
    ),
    concave(
        "misclassification",
        impurities.misclassification,
        "the largest of mixed shares is at most the mixture of the largest",
        "all K (class by class); the formula itself at K = 3",
        All(
            LARGEST_IS_CONVEX,
            Smt(
                kinds("rate", "p", "q", classes=3) | {"t": "rate"},
                lambda v, m: simplex_gap(impurities.misclassification, v, m) >= 0,
            ),
        ),
        NearMiss("it is strictly concave", everywhere_strict(impurities.misclassification)),
    ),
    concave(
        "sqrt_gini",
        impurities.sqrt_gini,
        "the root of a concave non-negative function is concave",
        "all K (a root of Gini's impurity times (K - 1)/K; that it is one, checked at K = 4)",
        All(ROOT_OF_CONCAVE, Identity(kinds("positive", "p", classes=4), spread_is_square, scaled_gini)),
        NearMiss(
            "at two classes its excess over a chord is at least 2 t (1 - t) (x - y)^2",
            at(lambda x, m: impurities.sqrt_gini.of([x, 1 - x], m), Fraction(2, 5), Fraction(3, 5), HALF),
        ),
        premises=("impurity.gini_is_concave",),
    ),
    concave(
        "matushita",
        impurities.matushita,
        "each class adds sqrt(x (1 - x)), the root of a concave function",
        "all K (a sum over classes, each class settled; the sum checked at K = 3)",
        All(
            separable(impurities.matushita, classes=3),
            ROOT_OF_CONCAVE,
            Identity(POINT, lambda v, m: coordinate(impurities.matushita)(v.x, m) ** 2, lambda v, m: v.x * (1 - v.x)),
            Certificate(POINT, chord_gap(lambda x, m: x * (1 - x)), weighted_squares(1), weights),
        ),
        NearMiss(
            "the excess over a chord is at least 2 t (1 - t) (x - y)^2 for every class",
            at(coordinate(impurities.matushita), Fraction(2, 5), Fraction(3, 5), HALF),
        ),
    ),
    concave(
        "bayes_sum",
        impurities.bayes_sum,
        "each class adds min(x, 1 - x)",
        "all K (a sum over classes, each class settled; the sum on all distributions with denominators up to 6, K = 4)",
        All(
            Smt(POINT, lambda v, m: chord_gap(coordinate(impurities.bayes_sum))(v, m) >= 0),
            separable_on_grid(impurities.bayes_sum),
        ),
        NearMiss("it is strictly concave", everywhere_strict(impurities.bayes_sum)),
    ),
    concave(
        "gce_half",
        GCE,
        "it is 2 (1 - |p|), and |z| <= t |p| + (1 - t) |q| because 2 p.z <= |p|^2 c + |z|^2 / c class by class",
        "all K (class by class); that q = 1/2 is the Euclidean norm, checked at K = 4",
        All(
            Certificate(
                {"x": "rate", "z": "rate", "c": "positive"},
                lambda v, m: v.x * v.x * v.c + v.z * v.z / v.c - 2 * v.x * v.z,
                lambda v, m: [([v.x * v.c - v.z], ["1/c"])],
                lambda v, m: {"1/c": 1 / v.c},
            ),
            Smt(
                dict.fromkeys(("p", "q", "z", "pz", "qz"), "count") | {"t": "rate"},
                lambda v, m: v.z <= v.t * v.p + (1 - v.t) * v.q,
                lambda v, m: [
                    v.pz <= v.p * v.z,
                    v.qz <= v.q * v.z,
                    v.z * v.z == v.t * v.pz + (1 - v.t) * v.qz,
                ],
            ),
            Identity(kinds("positive", "p", classes=4), norm_squared, plain_norm_squared),
        ),
        NearMiss("so is 1 - |p|_r with r = 1 - q = 1/2", at(short_norm, Fraction(0), Fraction(1))),
        premises=("Cauchy-Schwarz from its class terms: c = |z| / |p|, summed over classes",),
    ),
    concave(
        "ne",
        NE,
        "the smaller of two concave functions is concave, whatever lam",
        "all K, every lam > 0",
        LEAST_OF_CONCAVE,
        NearMiss(
            "so is the larger of two concave impurities, misclassification and 3/4 of Gini's at two classes",
            at(larger_of_two, Fraction(3, 10), Fraction(11, 30)),
        ),
        NearMiss(
            "it is strongly concave at two classes: half-way its excess over a chord is at least (x - y)^2 / 1000",
            at(lambda x, m: NE.of([x, 1 - x], m), Fraction(0), Fraction(1, 10), Fraction(1, 1000)),
        ),
        premises=("impurity.misclassification_is_concave", "impurity.sqrt_gini_is_concave"),
    ),
    Theorem(
        key="impurity.zero_only_at_pure_nodes",
        statement="Gini's impurity, sum x (1 - x), vanishes at pure nodes only, and misclassification, sqrt_gini,"
        " gce(q=1/2), matushita, bayes_sum and entropy in nats are at least half of it, hence vanish there only; so"
        " does the smaller of two of them",
        source="breiman1996, Section 1",
        scope="all K >= 2 (class by class, or from the largest share and the sum of squares); ne for every lam > 0",
        holds=All(
            Identity(
                kinds("positive", "p", classes=4),
                lambda v, m: impurities.gini.of(distribution(v, 4), m),
                lambda v, m: sum(x * (1 - x) for x in distribution(v, 4)),
            ),
            Smt({"x": "rate"}, lambda v, m: v.x * (1 - v.x) > 0, lambda v, m: [v.x > 0, v.x < 1]),
            Certificate(
                {"x": "rate", "lx": "real"},
                entropy_above_gini,
                lambda v, m: [([], ["x", "tangent"])],
                lambda v, m: {"x": v.x, "tangent": v.x - 1 - v.lx},
                lambda v, m: v.x - 1 - v.lx >= 0,
            ),
            above_gini(impurities.matushita),
            above_gini(impurities.bayes_sum),
            Smt(SUMS, all_above_half_gini, sums_of_distribution),
            *map(vanishes_only_when_pure, (impurities.gini, impurities.misclassification, impurities.bayes_sum)),
        ),
        fails=(
            NearMiss(
                "misclassification is at least Gini's impurity",
                Exhaustive(
                    lambda: grid(2, 6),
                    lambda p: impurities.misclassification.of(p, EXACT) >= impurities.gini.of(p, EXACT),
                ),
            ),
            NearMiss(
                "every concave impurity that is 0 at pure nodes is 0 there only: the variance of responses 0, 0, 1",
                vanishes_only_when_pure(impurities.variance((0, 0, 1))),
                alters="hypothesis",
            ),
        ),
        premises=("log u <= u - 1 for u > 0",),
        facts=tuple(Fact(repr(decrease(phi)), "zero only at vertices", "all", True) for phi in CONCAVE),
    ),
]
