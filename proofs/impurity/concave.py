"""Which impurities of the library are concave: no split has a negative gain.

Each proof is a sum over classes, by induction on their number, or a composition of concave functions.

Main definitions: ``CONCAVE`` (the impurities).
Source: breiman1996, Section 2; wilton2024, Section 4; beyond.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity
from splitcrit.proof import ALL, All, Claim, Fact, Identity, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import HALF
from splitcrit.proofs.given import LOGARITHM, Given, sum_of_parts, weighted
from splitcrit.proofs.impurity.chords import (
    POINT,
    above,
    at,
    binary,
    class_by_class,
    mix,
    mixed,
    of_classes,
    of_counts,
    of_two,
    one,
    strict,
)

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
LAMS = (Fraction(1, 4), HALF, Fraction(3, 4))
NE_NAMES = tuple(repr(decrease(impurities.ne(float(lam)))) for lam in LAMS)
SQRT_NAME = repr(decrease(impurities.sqrt_gini))


def squares(factor: int) -> Induction:
    """Claim that the excess of Gini's impurity is at least a factor times ``t (1 - t) |p - q|^2``."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        apart = sum((e.x - e.y) ** 2 for e in entries)
        return of_classes(impurities.gini)(entries, v, m) - factor * v.t * (1 - v.t) * apart

    return Induction(
        "K",
        {"x": "rate", "y": "rate"},
        formula,
        lambda e, v, m: [v.t * (1 - v.t) * (e.x - e.y) ** 2],
        lambda sums, v, m: (1 - factor) * sums[0],
        ">=",
        {"t": "rate"},
    )


def tangents() -> Induction:
    """Claim that the excess of entropy is a mixture of the tangent gaps ``u - 1 - log u``, in each class."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, q = [e.x for e in entries], [e.y for e in entries]
        z = mixed(v, p, q)
        logs = [(x, e.lx) for x, e in zip(p, entries, strict=True)] + [
            (y, e.ly) for y, e in zip(q, entries, strict=True)
        ]
        known = Given(m, log=logs + [(x, e.lz) for x, e in zip(z, entries, strict=True)])
        of = impurities.entropy.of
        return of(z, known) - mix(v, of(p, known), of(q, known))

    def gaps(e: Any, v: Any, m: Any) -> list[Any]:
        z = mix(v, e.x, e.y)
        return [z - e.x - e.x * (e.lz - e.lx), z - e.y - e.y * (e.lz - e.ly)]

    return sum_of_parts(
        {"x": "rate", "y": "rate", "lx": "real", "ly": "real", "lz": "real"},
        formula,
        lambda e, v, m: mix(v, *gaps(e, v, m)),
        {"t": "rate"},
        where=lambda e, v, m: [x >= 0 for x in gaps(e, v, m)],
    )


# x and y are the shares of the class that is most frequent in the mixture, M and N the largest shares.
def largest(entries: Any, v: Any, m: Any) -> Any:
    of, p, q = impurities.misclassification.of, [v.x, *(e.p for e in entries)], [v.y, *(e.q for e in entries)]
    top = of(mixed(v, p, q), Given(m, top=mix(v, v.x, v.y)))
    return top - mix(v, of(p, Given(m, top=v.M)), of(q, Given(m, top=v.N)))


LARGEST = Induction(
    "K",
    {"p": "rate", "q": "rate"},
    largest,
    lambda e, v, m: [e.p],
    lambda sums, v, m: mix(v, v.M - v.x, v.N - v.y),
    ">=",
    POINT | {"M": "rate", "N": "rate"},
    1,
    where=lambda e, v, m: [v.x <= v.M, v.y <= v.N],
)

# a and b are the roots at the two ends, r that at the mixture.
ROOTS = {"t": "rate", "a": "count", "b": "count", "r": "count"}
ROOT = Smt(ROOTS, lambda v, m: v.r >= mix(v, v.a, v.b), lambda v, m: v.r * v.r >= mix(v, v.a * v.a, v.b * v.b))
STRICTLY = Smt(ROOTS, lambda v, m: v.r > mix(v, v.a, v.b), lambda v, m: v.r * v.r > mix(v, v.a * v.a, v.b * v.b))
ROOT_GAP = Identity(
    ROOTS, lambda v, m: mix(v, v.a**2, v.b**2) - mix(v, v.a, v.b) ** 2, lambda v, m: v.t * (1 - v.t) * (v.a - v.b) ** 2
)
SQUARE = Induction(
    "K",
    {"n": "positive"},
    lambda entries, v, m: impurities.sqrt_gini.of(weighted(entries), m) ** 2,
    lambda e, v, m: [e.n, e.n**2, m.number(1)],
    lambda s, v, m: (1 - s[1] / s[0] ** 2) * (s[2] - 1) / s[2],
    ">=",
    keeps=lambda s, v, m: [s[0] > 0, s[1] > 0, s[1] <= s[0] ** 2, s[2] >= 2],
)

SQUARES = Law(squares, factor=0)
UNDER_ROOT = Impurity("sum of x (1 - x)", lambda p, m: sum(x * (1 - x) for x in p))
SUM_OF_ROOTS = sum_of_parts(
    {"x": "rate"},
    lambda entries, v, m: impurities.matushita.of([e.x for e in entries], m),
    lambda e, v, m: m.sqrt(e.x * (1 - e.x)),
)


def concave(name: str, of: Impurity, why: str, holds: Claim, *fails: NearMiss, **more: Any) -> Theorem:
    facts = (Fact(repr(decrease(of)), "concave", "all", True), *more.pop("facts", ()))
    return Theorem(
        key=f"impurity.{name}_concave",
        statement=f"{of!r} is concave on the simplex: {why}",
        source="breiman1996, Section 2",
        holds=holds,
        fails=(*fails, of_counts(of)),
        facts=facts,
        **more,
    )


NE_FAMILY = "decrease(ne(lam)) for 0 < lam"
WHOLE = Premise("impurity.gini_is_concave", "theorem")

THEOREMS = [
    concave(
        "gini_is",
        impurities.gini,
        "the excess over a chord is t (1 - t) |p - q|^2",
        SQUARES,
        SQUARES.but("the excess is at least 2 t (1 - t) |p - q|^2", factor=2),
        NearMiss("so is its square", at(lambda x, m: binary(impurities.gini)(x, m) ** 2, Fraction(0), Fraction(1, 4))),
    ),
    concave(
        "entropy_is",
        impurities.entropy,
        "each class adds -x log x, whose excess over a chord is a mixture of tangent gaps u - 1 - log u",
        tangents(),
        above(HALF / 2, one(impurities.entropy), Fraction(9, 10), Fraction(1)),
        premises=(LOGARITHM,),
    ),
    concave(
        "misclassification_is",
        impurities.misclassification,
        "the largest of mixed shares is at most the mixture of the largest",
        LARGEST,
        strict(impurities.misclassification),
    ),
    concave(
        "sqrt_gini_is_strictly",
        impurities.sqrt_gini,
        "the root of a concave non-negative function is concave; with r = sqrt(G(p)) and s = sqrt(G(q)) the excess of"
        " Gini's impurity G over the square of its mixed roots is t (1 - t) ((r - s)^2 + |p - q|^2), which is positive"
        " inside a chord: no split is without gain unless its children have one distribution",
        All(square_is_gini=SQUARE, root=ROOT, strictly=STRICTLY, gap=ROOT_GAP),
        above(HALF, binary(impurities.sqrt_gini), Fraction(2, 5), Fraction(3, 5), "at two classes"),
        NearMiss(
            "the excess over the square of the mixed roots is t (1 - t) |p - q|^2 alone",
            Identity(ROOTS, lambda v, m: mix(v, v.a**2, v.b**2), lambda v, m: mix(v, v.a, v.b) ** 2),
        ),
        premises=(WHOLE,),
        facts=tuple(Fact(SQRT_NAME, "stops early", K, False) for K in ("2", ">2")),
    ),
    concave(
        "matushita_is",
        impurities.matushita,
        "each class adds sqrt(x (1 - x)), the root of a concave function",
        All(classes=SUM_OF_ROOTS, root=ROOT, chord=class_by_class(UNDER_ROOT, one(UNDER_ROOT))),
        above(HALF, one(impurities.matushita), Fraction(2, 5), Fraction(3, 5)),
    ),
    concave(
        "bayes_sum_is",
        impurities.bayes_sum,
        "each class adds min(x, 1 - x)",
        class_by_class(impurities.bayes_sum, one(impurities.bayes_sum)),
        strict(impurities.bayes_sum),
    ),
    concave(
        "ne_is",
        NE,
        "for every lam > 0 it is the smaller of two concave functions, misclassification and lam times sqrt_gini",
        of_two(),
        NearMiss("so is the larger of two concave functions", of_two("max")),
        NearMiss(
            "it is strongly concave at two classes: half-way its excess over a chord is at least (x - y)^2 / 1000",
            at(binary(NE), Fraction(0), Fraction(1, 10), Fraction(1, 1000)),
        ),
        premises=(
            Premise("impurity.misclassification_is_concave", "theorem"),
            Premise("impurity.sqrt_gini_is_strictly_concave", "theorem", {"K": ALL}),
        ),
        facts=tuple(Fact(name, "concave", "all", True) for name in (*NE_NAMES, NE_FAMILY)),
    ),
]
