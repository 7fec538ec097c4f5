"""Noise that multiplies the gain of every split by one factor, which depends on the rates alone.

Main definitions: ``Rates`` (``CLASS_CONDITIONAL``, ``UNIFORM``, ``PAIR_FLIP``), ``rescales``.
Source: yang2019, Theorem 1; ghosh2017, Theorem 3; wilton2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from splitcrit.criteria import Criterion, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.impurities import gini
from splitcrit.noise import Channel, class_conditional, pair_flip, symmetric
from splitcrit.proof import All, Each, Erratum, Identity, Law, NearMiss, Not, Smt, Stated, Theorem
from splitcrit.proofs.common import gini_decrease, kinds, noisy, rows_of
from splitcrit.proofs.two_class import two_classes


@dataclass(frozen=True)
class Rates:
    """A noise with symbolic rates: the names of the rates and the channel at their values."""

    names: tuple[str, ...]
    at: Callable[[Any], Channel]


CLASS_CONDITIONAL = Rates(("tau_pos", "tau_neg"), lambda v: class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg))
UNIFORM = Rates(("eta",), lambda v: symmetric(v.eta))
PAIR_FLIP = Rates(("eta",), lambda v: pair_flip(v.eta))


def kept(v: Any, classes: Any) -> Any:
    """What class-conditional noise of two classes leaves of the difference of two distributions."""
    return 1 - v.tau_pos - v.tau_neg


def kept_squared(v: Any, classes: Any) -> Any:
    return kept(v, classes) ** 2


def uniform_factor(v: Any, classes: Any) -> Any:
    return 1 - v.eta * classes / (classes - 1)


def two_class_factor(v: Any, classes: Any) -> Any:
    return 1 - 2 * v.eta


def rescales(
    criterion: Criterion, noise: Rates, factor: Any, classes: int = 2, power: int = 1, letters: str = "lr"
) -> Each:
    """Claim that noise multiplies the score of every split, to a power, by the factor."""

    def law(size: int) -> Identity:
        return Identity(
            kinds("count", *letters, classes=size) | kinds("rate", *noise.names),
            lambda v, m: criterion.score(noisy(rows_of(v, size, letters), noise.at(v)), m) ** power,
            lambda v, m: factor(v, size) * criterion.score(rows_of(v, size, letters), m) ** power,
        )

    return Each("K", (classes,), law)


def stays_positive(criterion: Criterion) -> Smt:
    """Claim that a positive score stays positive whatever the rates."""
    return Smt(
        kinds("count", "l", "r", classes=2) | kinds("rate", "tau_pos", "tau_neg"),
        lambda v, m: criterion.score(noisy(rows_of(v, 2), CLASS_CONDITIONAL.at(v)), m) > 0,
        lambda v, m: [criterion.score(rows_of(v, 2), m) > 0],
    )


def both(one: Criterion, other: Criterion, factor: Any, noise: Rates = CLASS_CONDITIONAL, **further: Any) -> All:
    """Claim the same factor of two criteria."""
    return All(*(rescales(criterion, noise, factor, **further) for criterion in (one, other)))


def not_doubled(v: Any, classes: Any) -> Any:
    return 1 - v.tau_pos * v.tau_neg


def same_channel(noise: Rates, rate: Any = lambda v: v.eta) -> Stated:
    """Claim that a noise of two classes is class-conditional noise with two equal rates."""

    def flipped(channel: Any, label: int) -> Any:
        return lambda v, m: channel(v).on_distribution([v.a, v.b])[label]

    def equal(v: Any) -> Channel:
        return class_conditional(tau_pos=rate(v), tau_neg=rate(v))

    variables = {"a": "count", "b": "count", "eta": "rate"}
    return two_classes(*(Identity(variables, flipped(noise.at, k), flipped(equal, k)) for k in (0, 1)))


GHOSH = "ghosh2017, Theorem 3"
squares = Law(both, one=gini_decrease, other=twoing, factor=kept_squared)
roots = Law(both, one=pairwise_gain, other=one_vs_rest_pairwise_gain, factor=kept_squared, power=2)
three_rows = rescales(gini_decrease, CLASS_CONDITIONAL, kept_squared, letters="lrs")
TWO_CLASSES = [
    Theorem(
        key="noise.gini_gain_and_twoing_rescale_of_class_conditional",
        statement="with two classes, class-conditional noise multiplies the Gini gain (of two rows, and of three) and "
        "twoing of every split by (1 - tau_pos - tau_neg)^2",
        source="yang2019, Section VI-B",
        holds=All(two_rows=squares, three_rows=three_rows),
        fails=(
            squares.but("the factor is |1 - tau_pos - tau_neg|, as of the pairwise gain", factor=kept),
            squares.but("the factor is 1 - tau_pos tau_neg", factor=not_doubled),
            squares.but(
                "uniform noise on three classes has the factor (1 - 2 eta)^2 too",
                alters="hypothesis",
                classes=3,
                noise=UNIFORM,
                factor=lambda v, classes: (1 - 2 * v.eta) ** 2,
            ),
        ),
    ),
    Theorem(
        key="noise.pairwise_gains_rescale_of_class_conditional",
        statement="with two classes, class-conditional noise multiplies the pairwise gain and the one-vs-rest pairwise "
        "gain of every split by |1 - tau_pos - tau_neg| (stated of the squares)",
        source="yang2019, Theorem 1",
        holds=roots,
        fails=(
            roots.but("the factor is (1 - tau_pos - tau_neg)^2, as of Gini", power=1),
            roots.but("the factor is |1 - tau_pos tau_neg|", factor=lambda v, K: not_doubled(v, K) ** 2),
            NearMiss("a positive gain stays positive at all rates", stays_positive(pairwise_gain), "hypothesis"),
        ),
    ),
    Theorem(
        key="noise.uniform_and_pair_flip_are_class_conditional_of_two_classes",
        statement="with two classes, uniform and pair-flip noise of rate eta are class-conditional noise with both "
        "rates eta, so that they multiply the Gini gain and twoing by (1 - 2 eta)^2 and the pairwise gains by |1 - 2 "
        "eta|",
        source=GHOSH,
        holds=All(uniform=same_channel(UNIFORM), pair_flip=same_channel(PAIR_FLIP)),
        fails=(
            NearMiss("the two rates are eta / 2", same_channel(UNIFORM, lambda v: v.eta / 2)),
            NearMiss("pair-flip noise has the rates 1 - eta", same_channel(PAIR_FLIP, lambda v: 1 - v.eta)),
        ),
    ),
]

SHARE = {"p": "rate", "eta": "rate"}


def gini_is_affine(constant: int) -> Stated:
    """Claim that symmetric noise turns Gini's impurity G into ``(1 - 2 eta)^2 G + constant eta (1 - eta)``."""
    law = Identity(
        SHARE,
        lambda v, m: gini.of(symmetric(v.eta).on_distribution([1 - v.p, v.p]), m),
        lambda v, m: (1 - 2 * v.eta) ** 2 * gini.of([1 - v.p, v.p], m) + constant * v.eta * (1 - v.eta),
    )
    return two_classes(law)


def gini_of_three(v: Any, m: Any) -> Any:
    """By how much Gini's impurity of three classes differs from what two would have."""
    shares = [v.p * v.q, v.p * (1 - v.q), 1 - v.p]
    return gini.of(symmetric(v.eta).on_distribution(shares), m) - (1 - 2 * v.eta) ** 2 * gini.of(shares, m)


affine = Law(gini_is_affine, constant=2)
IMPURITY = Theorem(
    key="noise.gini_impurity_is_affine_of_symmetric",
    statement="with two classes, Gini's impurity G becomes (1 - 2 eta)^2 G + 2 eta (1 - eta) under symmetric noise",
    source="ghosh2017, Theorem 3, proof for Gini",
    holds=affine,
    fails=(
        affine.but("the constant is eta - eta^2, as printed", constant=1),
        NearMiss(
            "the same factor and constant for three classes",
            Identity(SHARE | {"q": "rate"}, gini_of_three, lambda v, m: 2 * v.eta * (1 - v.eta)),
            "hypothesis",
        ),
    ),
)

THEOREMS = [*TWO_CLASSES, IMPURITY]
ERRATA = [
    Erratum("G-E1", affine.but("as printed", constant=1).claim, IMPURITY.key),
    Erratum("Y-E5", Not(rescales(gini_decrease, CLASS_CONDITIONAL, kept_squared)), TWO_CLASSES[0].key),
]
