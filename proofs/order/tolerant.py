"""Impurities that keep the order of splits without being quadratic: not smooth, or tolerant to one-sided noise only."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity
from splitcrit.noise import Channel, class_conditional, symmetric
from splitcrit.proof import Each, Exhaustive, Identity, Law, NearMiss, Theorem
from splitcrit.proofs.common import binary_splits, exactly, kinds, noisy, up_to
from splitcrit.proofs.logs import LOGS
from splitcrit.proofs.noise.misclassification import decrease_is_linear
from splitcrit.proofs.two_class import two_classes

POWERS = (1, 2, 3, 5)
RATES = (Fraction(1, 10), Fraction(3, 10), Fraction(1, 2), Fraction(4, 5))
ONE_SIDED = (Fraction(1, 4), Fraction(1, 2), Fraction(5, 6))


@dataclass(frozen=True)
class MarginPower:
    """``1 - |p_1 - p_0|^r``: misclassification doubled for r = 1, Gini doubled for r = 2."""

    r: int

    def __call__(self, p: Any, m: Any) -> Any:
        margin, power = m.abs(p[1] - p[0]), 1
        for _ in range(self.r):
            power = power * margin
        return 1 - power


def margin_power(r: int) -> Criterion:
    return decrease(Impurity(f"margin_power({r})", MarginPower(r)))


def _root(p: Any, m: Any) -> Any:
    return m.sqrt(p[1]) - p[1]


def margin_is_multiplied(r: int) -> Identity:
    """Claim that ``|2p - 1|^r`` is multiplied by ``|1 - 2 eta|^r``: both are non-negative, their squares equal."""

    def squared(p: Any, m: Any) -> Any:
        return (1 - MarginPower(r)(p, m)) ** 2

    return Identity(
        kinds("rate", "p", "eta"),
        lambda v, m: squared(symmetric(v.eta).on_distribution([1 - v.p, v.p]), m),
        lambda v, m: squared([1 - v.eta, v.eta], m) * squared([1 - v.p, v.p], m),
    )


def is_multiplied(criterion: Criterion, table: Any, channel: Channel, factor: Any, m: Any = EXACT) -> bool:
    """Whether noise multiplies the score of a split by the factor, exactly."""
    seen, clean = (criterion.score(t, m) for t in (noisy(exactly(table), channel), exactly(table)))
    return bool(seen == factor * clean)


def powers_scale(factor: Any, channel: Any = symmetric, most: int = 5, rates: Any = RATES) -> Exhaustive:
    """Claim that noise multiplies the gains of margin powers by ``factor(eta, r)``, for all small splits."""
    return Exhaustive(
        lambda: product(POWERS, binary_splits(most), rates),
        lambda case: is_multiplied(margin_power(case[0]), case[1], channel(case[2]), factor(case[2], case[0])),
    )


def uneven(eta: Fraction) -> Channel:
    return class_conditional(tau_pos=eta, tau_neg=eta / 3)


def share(v: Any) -> Any:
    """``x/(x + y)``, whose square is the share of the positives that keep their label."""
    return v.x / (v.x + v.y)


def root_scales(power: int) -> Identity:
    """Claim that one-sided noise multiplies the gain of ``sqrt(p) - p`` by a power of the root of ``1 - tau_pos``."""

    def table(v: Any) -> list[list[Any]]:
        return [[v.b, v.a], [v.d, v.c]]

    def after(v: Any, m: Any) -> Any:
        channel = class_conditional(tau_pos=1 - share(v) ** 2, tau_neg=0 * share(v))
        return root_gain.score(noisy(table(v), channel), m)

    return Identity(ROOTS, after, lambda v, m: share(v) ** power * root_gain.score(table(v), m))


def surprise_scales(tau_neg: Fraction, most: int, rates: tuple[Fraction, ...]) -> Exhaustive:
    """Claim that noise multiplies the gain of ``-p log p`` by ``1 - tau_pos - tau_neg``, in exact logarithms."""

    def holds(case: Any) -> bool:
        channel = class_conditional(tau_pos=case[1], tau_neg=tau_neg)
        return is_multiplied(surprise_gain, case[0], channel, 1 - case[1] - tau_neg, LOGS)

    return up_to(most, lambda size, tau_pos: product(binary_splits(size), [tau_pos]), holds, tau_pos=rates)


root_gain = decrease(Impurity("sqrt(p) - p", _root))
surprise_gain = decrease(Impurity("-p log p", lambda p, m: -m.xlogx(p[1])))
ROOTS = kinds("positive", "a", "b", "c", "d", "x", "y")
roots = Law(root_scales, power=1)
surprises = Law(surprise_scales, tau_neg=Fraction(0), most=5, rates=ONE_SIDED)

THEOREMS = [
    Theorem(
        key="order.margin_powers_are_kept_of_symmetric",
        statement="with two classes, symmetric noise multiplies |2p - 1|^r by |1 - 2 eta|^r, and so the gain of the"
        " impurity 1 - |2p - 1|^r: a family that keeps the order, in which r = 1 is misclassification and r = 2 Gini",
        source="beyond, uniqueness of Gini",
        holds=two_classes(margin=Each("power", POWERS, margin_is_multiplied), decrease=decrease_is_linear()),
        fails=(
            NearMiss("the factor is (1 - 2 eta)^2 for every r", powers_scale(lambda eta, r: (1 - 2 * eta) ** 2)),
            NearMiss(
                "also under class-conditional noise, as Gini",
                powers_scale(lambda eta, r: (1 - eta - eta / 3) ** r, uneven, 4, RATES[1:2]),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="order.root_and_surprise_are_kept_of_one_sided",
        statement="with two classes, if only positives flip (tau_neg = 0: positive and unlabelled examples), the gain"
        " of sqrt(p) - p is multiplied by sqrt(1 - tau_pos), which is x/(x + y), and that of -p log p by 1 - tau_pos:"
        " both keep the order",
        source="beyond, uniqueness of Gini",
        holds=two_classes(root=roots, surprise=surprises),
        fails=(
            roots.but("the factor of sqrt(p) - p is 1 - tau_pos", power=2),
            surprises.but(
                "-p log p rescales when negatives flip too",
                alters="hypothesis",
                tau_neg=Fraction(1, 4),
                most=4,
                rates=ONE_SIDED[:1],
            ),
        ),
    ),
]
