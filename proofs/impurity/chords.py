"""The excess of an impurity over its chords, class by class.

Main definitions: ``chord``, ``class_by_class`` (an induction over the classes), ``of_two``; ``at``, ``strict`` and
``above`` (near-misses).
Source: breiman1996, Section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.impurities import Impurity
from splitcrit.proof import Exhaustive, Induction, NearMiss, Sign, Smt
from splitcrit.proofs.given import sum_of_parts

POINT = {"x": "rate", "y": "rate", "t": "rate"}
Function = Callable[[Any, Any], Any]


def mix(v: Any, x: Any, y: Any) -> Any:
    return v.t * x + (1 - v.t) * y


def mixed(v: Any, p: Any, q: Any) -> list[Any]:
    """The mixture of two distributions in the shares t and 1 - t."""
    return [mix(v, x, y) for x, y in zip(p, q, strict=True)]


def chord(f: Function, v: Any, m: Any, p: Any, q: Any, between: Callable[..., Any] = mix) -> Any:
    """By how much a function of one share, or of distributions, exceeds its chord from p to q."""
    return f(between(v, p, q), m) - mix(v, f(p, m), f(q, m))


def of_classes(impurity: Impurity) -> Callable[[Any, Any, Any], Any]:
    """The excess of an impurity over its chord, from one entry a class."""
    return lambda entries, v, m: chord(impurity.of, v, m, [e.x for e in entries], [e.y for e in entries], mixed)


def class_by_class(impurity: Impurity, part: Function, least: int = 1) -> Induction:
    """Claim that the excess is the sum of that of each class, ``part``, and that none of these is negative."""
    return sum_of_parts(
        {"x": "rate", "y": "rate"},
        of_classes(impurity),
        lambda e, v, m: chord(part, v, m, e.x, e.y),
        {"t": "rate"},
        least,
    )


def of_two(combine: str = "min") -> Smt:
    """Claim that the smaller, or larger, of two functions above their chords lies above its own."""

    def conclusion(v: Any, m: Any) -> Any:
        best = getattr(m, combine)
        return best((v.f, v.g)) >= mix(v, best((v.f0, v.g0)), best((v.f1, v.g1)))

    return Smt(
        {"t": "rate"} | dict.fromkeys(("f0", "f1", "f", "g0", "g1", "g"), "real"),
        conclusion,
        lambda v, m: [v.f >= mix(v, v.f0, v.f1), v.g >= mix(v, v.g0, v.g1)],
    )


def at(f: Function, x: Fraction, y: Fraction, excess: Fraction = Fraction(0)) -> Sign:
    """Claim that half-way between x and y a function exceeds its chord by more than ``excess (x - y)^2``."""

    def value(m: Any) -> list[Any]:
        ends = [f(m.number(z), m) for z in (x, y)]
        return [f(m.number((x + y) / 2), m) - sum(ends) / 2 - m.number(excess * (x - y) ** 2)]

    return Sign(value)


def binary(impurity: Impurity) -> Function:
    return lambda x, m: impurity.of([x, 1 - x], m)


def one(impurity: Impurity) -> Function:
    return lambda x, m: impurity.of([x], m)


def of_counts(impurity: Impurity) -> NearMiss:
    """Refute that the impurity of class counts is concave in them: (1, 1) and (0, 99)."""

    def value(m: Any) -> list[Any]:
        first, second, middle = (
            impurity.of([m.number(Fraction(x, sum(c))) for x in c], m) for c in ((1, 1), (0, 99), (1, 100))
        )
        return [middle - (first + second) / 2]

    return NearMiss("the impurity of class counts, not weighted by their number, is concave in the counts", Sign(value))


TENTHS = [Fraction(i, 10) for i in range(11)]


def strict(impurity: Impurity) -> NearMiss:
    """Refute that half-way between any two tenths the two-class impurity exceeds its chord."""

    def holds(case: tuple[Fraction, Fraction]) -> bool:
        first, second, middle = (impurity.of([z, 1 - z], EXACT) for z in (*case, sum(case) / 2))
        return bool(middle > (first + second) / 2)

    return NearMiss("it is strictly concave", Exhaustive(lambda: combinations(TENTHS, 2), holds))


def above(factor: Fraction, f: Function, x: Fraction, y: Fraction, where: str = "for every class") -> NearMiss:
    says = f"the excess over a chord is at least {4 * factor} t (1 - t) (x - y)^2 {where}"
    return NearMiss(says, at(f, x, y, factor))
