"""Noise that multiplies the gain of every split by one factor, which depends on the rates alone.

Main results: with two classes the Gini gain and twoing are multiplied by ``(1 - tau_pos - tau_neg)^2`` and the pairwise
gains by its root; uniform noise on K classes multiplies the gains built from crossings ``l_k N_R - r_k N_L`` by powers
of ``1 - K eta / (K - 1)``; pair-flip noise on three classes multiplies the Gini gain.
Source: yang2019, Theorem 1; ghosh2017, Theorem 3; wilton2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.impurities import gini
from splitcrit.noise import Channel, class_conditional, pair_flip, symmetric
from splitcrit.proof import ALL, All, Each, Erratum, Exhaustive, Identity, Law, NearMiss, Not, Premise, Smt, Theorem
from splitcrit.proofs.common import exactly, gini_decrease, kinds, noisy, score, vector


@dataclass(frozen=True)
class Rates:
    """A noise with symbolic rates: the names of the rates and the channel at their values."""

    names: tuple[str, ...]
    at: Callable[[Any], Channel]


CLASS_CONDITIONAL = Rates(("tau_pos", "tau_neg"), lambda v: class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg))
UNIFORM = Rates(("eta",), lambda v: symmetric(v.eta))
PAIR_FLIP = Rates(("eta",), lambda v: pair_flip(v.eta))


def kept(v: Any, classes: Any) -> Any:
    """Return what class-conditional noise of two classes leaves of the difference of two distributions."""
    return 1 - v.tau_pos - v.tau_neg


def kept_squared(v: Any, classes: Any) -> Any:
    return kept(v, classes) ** 2


def uniform_factor(v: Any, classes: Any) -> Any:
    return 1 - v.eta * classes / (classes - 1)


def two_class_factor(v: Any, classes: Any) -> Any:
    return 1 - 2 * v.eta


def rows_of(v: Any, classes: int, rows: int = 2) -> list[list[Any]]:
    """Return a split with the counts ``l0, l1, ...``, ``r0, r1, ...`` and, with three rows, ``s0, s1, ...``."""
    return [vector(v, letter, classes) for letter in "lrs"[:rows]]


def rescales(
    criterion: Criterion, noise: Rates, factor: Any, classes: int = 2, power: int = 1, rows: int | None = None
) -> Each:
    """Claim that noise multiplies the score of every split, to a power, by the factor."""
    letters = "lrs"[: rows or 2]

    def law(size: int) -> Identity:
        return Identity(
            kinds("count", *letters, classes=size) | kinds("rate", *noise.names),
            lambda v, m: criterion.score(noisy(rows_of(v, size, len(letters)), noise.at(v)), m) ** power,
            lambda v, m: factor(v, size) * criterion.score(rows_of(v, size, len(letters)), m) ** power,
        )

    return Each("K", (classes,), law)


def stays_positive(criterion: Criterion) -> Smt:
    """Claim that a positive score stays positive whatever the rates."""
    return Smt(
        kinds("count", "l", "r", classes=2) | kinds("rate", "tau_pos", "tau_neg"),
        lambda v, m: criterion.score(noisy(rows_of(v, 2), CLASS_CONDITIONAL.at(v)), m) > 0,
        lambda v, m: [criterion.score(rows_of(v, 2), m) > 0],
    )


SQUARED, PLAIN = "(1 - tau_pos - tau_neg)^2", "|1 - tau_pos - tau_neg|"
YANG, GHOSH, WILTON = "yang2019, Theorem 1", "ghosh2017, Theorem 3", "wilton2024, Section 5"


def two_class_theorem(criterion: Criterion, name: str, source: str, power: int = 1) -> Theorem:
    law = Law(rescales, criterion=criterion, noise=CLASS_CONDITIONAL, factor=kept_squared, power=power)
    both = criterion is gini_decrease
    pairs = criterion in (pairwise_gain, one_vs_rest_pairwise_gain)
    other = (
        law.but(f"the factor is {SQUARED}, as of Gini", power=1)
        if pairs
        else law.but(f"the factor is {PLAIN}, as of the pairwise gain", factor=kept)
    )
    weighted = law.but("the factor is 1 - tau_pos tau_neg", factor=lambda v, classes: 1 - v.tau_pos * v.tau_neg)
    more = law.but(
        "uniform noise on three classes has the factor (1 - 2 eta)^2 too", alters="hypothesis", classes=3,
        noise=UNIFORM, factor=lambda v, classes: (1 - 2 * v.eta) ** 2,
    )  # fmt: skip
    positive = NearMiss("a positive gain stays positive at all rates", stays_positive(criterion), "hypothesis")
    return Theorem(
        key=f"noise.{name}_rescales_of_class_conditional",
        statement=f"with two classes, class-conditional noise multiplies {name.replace('_', ' ')} of every split by "
        f"{PLAIN if pairs else SQUARED}" + (" (stated of the squares)" if pairs else ""),
        source=source,
        holds=Each("r", (2, 3), lambda rows: rescales(gini_decrease, CLASS_CONDITIONAL, kept_squared, rows=rows))
        if both
        else law,
        fails=(other, weighted, positive if criterion is pairwise_gain else more)
        if criterion is not one_vs_rest_pairwise_gain
        else (other, weighted),
    )


def same_channel(noise: Rates, rate: Any = lambda v: v.eta) -> Each:
    """Claim that a noise of two classes is class-conditional noise with two equal rates."""

    def flipped(channel: Any, label: int) -> Any:
        return lambda v, m: channel(v).on_distribution([v.a, v.b])[label]

    def equal(v: Any) -> Channel:
        return class_conditional(tau_pos=rate(v), tau_neg=rate(v))

    variables = {"a": "count", "b": "count", "eta": "rate"}
    parts = All(*(Identity(variables, flipped(noise.at, k), flipped(equal, k)) for k in (0, 1)))
    return Each("K", (2,), lambda classes: parts)


TWO_CLASSES = [
    two_class_theorem(gini_decrease, "gini_gain", YANG.replace("Theorem 1", "Section VI-B")),
    two_class_theorem(twoing, "twoing", GHOSH),
    two_class_theorem(pairwise_gain, "pairwise_gain", YANG, 2),
    two_class_theorem(one_vs_rest_pairwise_gain, "one_vs_rest_gain", WILTON, 2),
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


# More classes: one class against the rest


def against_rest(table: Any, k: int) -> list[list[Any]]:
    """Return the two-class table of the other classes and class ``k``."""
    return [[sum(row) - row[k], row[k]] for row in table]


def sum_over_classes(whole: Callable[[Any, Any], Any], part: Criterion, classes: int) -> Identity:
    """Claim that ``whole(t, m)`` is the sum over the classes of a two-class score, each class against the rest."""
    return Identity(
        kinds("count", "l", "r", classes=classes),
        lambda v, m: whole(rows_of(v, classes), m),
        lambda v, m: sum(part.score(against_rest(rows_of(v, classes), k), m) for k in range(classes)),
    )


def sized_twoing(t: Any, m: Any) -> Any:
    """Return ``4 N^2 N_L N_R`` times twoing."""
    left, right = map(sum, t)
    return 4 * (left + right) ** 2 * left * right * twoing.score(t, m)


def twoing_is_square(classes: int) -> Identity:
    """Claim that twoing is the square of the one-vs-rest gain over the sizes of the rows."""
    return Identity(
        kinds("count", "l", "r", classes=classes),
        lambda v, m: sized_twoing(rows_of(v, classes), m),
        lambda v, m: 16 * one_vs_rest_pairwise_gain.score(rows_of(v, classes), m) ** 2,
    )


def merged(eta: Any, classes: Any) -> Channel:
    """Return what uniform noise is for one class (1) against the rest (0)."""
    return class_conditional(tau_pos=eta, tau_neg=eta / (classes - 1))


def merging_commutes(classes: int) -> Identity:
    """Claim that the others merged after uniform noise are as after the merged noise."""
    return Identity(
        kinds("count", "l", classes=classes) | {"eta": "rate"},
        lambda v, m: symmetric(v.eta).on_distribution(vector(v, "l", classes))[0],
        lambda v, m: merged(v.eta, classes).on_distribution(against_rest([vector(v, "l", classes)], 0)[0])[1],
    )


def one_class_rescales(criterion: Criterion, power: int, factor: Any = uniform_factor) -> Identity:
    """Claim the factor for one class against the rest, with the number of classes as a variable."""
    return Identity(
        kinds("count", "l", "r", classes=2) | {"eta": "rate", "K": "positive"},
        lambda v, m: criterion.score(noisy(rows_of(v, 2), merged(v.eta, v.K)), m) ** power,
        lambda v, m: factor(v, v.K) ** 2 * criterion.score(rows_of(v, 2), m) ** power,
        lambda v, m: v.K >= 2,
    )


def sums(classes: int) -> All:
    return All(
        sum_over_classes(lambda t, m: 2 * gini_decrease.score(t, m), gini_decrease, classes),
        sum_over_classes(lambda t, m: 2 * one_vs_rest_pairwise_gain.score(t, m), pairwise_gain, classes),
        twoing_is_square(classes),
        merging_commutes(classes),
    )


SMALL = ((1, 1, 0), (0, 1, 1)), ((2, 0, 1), (0, 1, 0)), ((1, 0, 2), (1, 2, 0))


def one_factor(criterion: Criterion) -> Exhaustive:
    """Claim that pair-flip noise at rate 1/4 multiplies the scores of three splits of three classes by one factor."""

    def factor(t: Any) -> Fraction:
        found: Fraction = score(criterion, noisy(exactly(t), pair_flip(Fraction(1, 4)))) / score(criterion, t)
        return found

    return Exhaustive(lambda: SMALL, lambda t: factor(t) == factor(SMALL[0]))


three_class_turn = Law(
    rescales, criterion=gini_decrease, noise=PAIR_FLIP, classes=3, factor=lambda v, K: 1 - 3 * v.eta + 3 * v.eta**2
)
MORE_CLASSES = [
    Theorem(
        key="noise.crossing_gains_rescale_of_uniform",
        statement="uniform noise on K classes multiplies l_k N_R - r_k N_L by f = 1 - K eta / (K - 1) for every class "
        "k: the one-vs-rest pairwise gain of every split in two by |f|, the Gini gain and twoing by f^2",
        source="wilton2024, Section 5",
        holds=All(
            gini_of_one_class=one_class_rescales(gini_decrease, 1),
            pairs_of_one_class=one_class_rescales(pairwise_gain, 2),
            sum_over_classes=Each("K", (2, 3, 4, 5), sums),
        ),
        fails=(
            NearMiss("the factor is 1 - 2 eta for all K", one_class_rescales(gini_decrease, 1, two_class_factor)),
            NearMiss("that of pairs is, too", one_class_rescales(pairwise_gain, 2, two_class_factor)),
            NearMiss(
                "twoing is the square of the one-vs-rest gain, whatever the sizes",
                Exhaustive(lambda: SMALL, lambda t: score(twoing, t) == score(one_vs_rest_pairwise_gain, t) ** 2),
            ),
            NearMiss(
                "pair-flip noise multiplies the one-vs-rest gain by one factor too",
                one_factor(one_vs_rest_pairwise_gain),
                "hypothesis",
            ),
        ),
        premises=(
            Premise(
                "a score that is a sum over classes rescales if each of its terms does by the same factor; by hand, "
                "for a step from K to K + 1 classes changes the noise of all of them",
                kind="hand",
                widens={"K": ALL},
            ),
        ),
    ),
    Theorem(
        key="noise.gini_gain_rescales_of_pair_flip_of_three_classes",
        statement="pair-flip noise on three classes multiplies the Gini gain of every split in two by "
        "1 - 3 eta + 3 eta^2: on differences of distributions it is a rotation and a scaling",
        source="wilton2024, Section 5",
        holds=three_class_turn,
        fails=(
            three_class_turn.but("the factor is (1 - 2 eta)^2", factor=lambda v, K: (1 - 2 * v.eta) ** 2),
            three_class_turn.but("the same with four classes", alters="hypothesis", classes=4),
            NearMiss("twoing is multiplied by one factor too", one_factor(twoing)),
        ),
    ),
]


# The impurity of a node

SHARE = {"p": "rate", "eta": "rate"}


def gini_is_affine(constant: int) -> Each:
    """Claim that symmetric noise turns Gini's impurity G into ``(1 - 2 eta)^2 G + constant eta (1 - eta)``."""
    law = Identity(
        SHARE,
        lambda v, m: gini.of(symmetric(v.eta).on_distribution([1 - v.p, v.p]), m),
        lambda v, m: (1 - 2 * v.eta) ** 2 * gini.of([1 - v.p, v.p], m) + constant * v.eta * (1 - v.eta),
    )
    return Each("K", (2,), lambda classes: law)


def gini_of_three(v: Any, m: Any) -> Any:
    """Return by how much Gini's impurity of three classes differs from what two would have."""
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

THEOREMS = [*TWO_CLASSES, *MORE_CLASSES, IMPURITY]
ERRATA = [
    Erratum("G-E1", affine.but("as printed", constant=1).claim, IMPURITY.key),
    Erratum(
        "Y-E5",
        Not(rescales(gini_decrease, CLASS_CONDITIONAL, kept_squared)),
        "noise.gini_gain_rescales_of_class_conditional",
    ),
]
