"""Noise on more than two classes that multiplies the gain of every split: uniform noise, pair-flip noise of three.

Source: wilton2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.noise import Channel, class_conditional, pair_flip, symmetric
from splitcrit.proof import ALL, All, Each, Exhaustive, Fact, Identity, Law, NearMiss, Premise, Theorem, only
from splitcrit.proofs.common import exactly, gini_decrease, kinds, noisy, rows_of, score, vector
from splitcrit.proofs.noise.scaling import PAIR_FLIP, rescales, two_class_factor, uniform_factor


def against_rest(table: Any, k: int) -> list[list[Any]]:
    """The two-class table of the other classes and class ``k``."""
    return [[sum(row) - row[k], row[k]] for row in table]


def sum_over_classes(whole: Callable[[Any, Any], Any], part: Criterion, classes: int) -> Identity:
    """Claim that ``whole(t, m)`` is the sum over the classes of a two-class score, each class against the rest."""
    return Identity(
        kinds("count", "l", "r", classes=classes),
        lambda v, m: whole(rows_of(v, classes), m),
        lambda v, m: sum(part.score(against_rest(rows_of(v, classes), k), m) for k in range(classes)),
    )


def sized_twoing(t: Any, m: Any) -> Any:
    """``4 N^2 N_L N_R`` times twoing."""
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
    """What uniform noise is for one class (1) against the rest (0)."""
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


def one_factor(criterion: Criterion) -> Exhaustive:
    """Claim that pair-flip noise at rate 1/4 multiplies the scores of three splits of three classes by one factor."""

    def factor(t: Any) -> Fraction:
        quotient: Fraction = score(criterion, noisy(exactly(t), pair_flip(Fraction(1, 4)))) / score(criterion, t)
        return quotient

    return Exhaustive(lambda: SMALL, lambda t: factor(t) == factor(SMALL[0]))


SMALL = ((1, 1, 0), (0, 1, 1)), ((2, 0, 1), (0, 1, 0)), ((1, 0, 2), (1, 2, 0))
three_class_turn = Law(
    rescales, criterion=gini_decrease, noise=PAIR_FLIP, classes=3, factor=lambda v, K: 1 - 3 * v.eta + 3 * v.eta**2
)
THEOREMS = [
    Theorem(
        key="noise.crossing_gains_rescale_of_uniform",
        statement="uniform noise on K classes multiplies l_k N_R - r_k N_L by f = 1 - K eta / (K - 1) for every class "
        "k: the one-vs-rest pairwise gain of every split in two by |f|, the Gini gain and twoing by f^2",
        source="wilton2024, Section 5",
        holds=All(
            gini_of_one_class=one_class_rescales(gini_decrease, 1),
            pairs_of_one_class=one_class_rescales(pairwise_gain, 2),
            sum_over_classes=Each("K", (2, 3, 4), sums),
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
        premises=tuple(
            Premise(f"{score}_rescales_of_symmetric{noise}", "kernel", {"K": ALL})
            for score, noise in (("py_gini_gain", ""), ("twoing", "_noise"), ("one_vs_rest", "_noise"))
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
        facts=(Fact("decrease(gini)", "keeps order under pair-flip noise", only(3), True),),
    ),
]
