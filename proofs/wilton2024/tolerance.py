"""Which criteria keep the order of splits under which label noise: every criterion, four noises, 2 classes and more.

Noise acts on the expected table. A criterion keeps the order if the better of two splits of a node stays strictly
better, at every rate at which the true label stays the likeliest. What keeps it does so by an identity: the noisy
score is a positive multiple of the clean one, plus what no split changes. What does not is refuted by two splits that
change places, the first in an exhaustive search ordered by size; ties after noise are not counted as refutations.

Main results: with two classes Gini, twoing and the pairwise gains keep the order under all noise that depends on the
class alone, misclassification and its relatives under uniform noise; with more classes these do so under uniform noise
only, without ``bayes_sum``, and Gini under pair-flip noise of three classes, not of four. No criterion keeps the order
where the rate depends on the instance, and no other criterion keeps it anywhere; SGini and AGini fail at finite size.
Source: wilton2024, Section 5 names the criteria; the table is not in the paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, decrease, one_vs_rest_pairwise_gain, pairwise_gain, sum_minority, twoing
from splitcrit.impurities import bayes_sum, misclassification
from splitcrit.noise import Channel, class_conditional, pair_flip, symmetric
from splitcrit.proof import All, Erratum, Exhaustive, Fact, Identity, NearMiss, Smt, Theorem, only
from splitcrit.proofs.common import binary_splits, gini_decrease, kinds, noisy, score, vector
from splitcrit.proofs.wilton2024 import tolerance_swaps
from splitcrit.proofs.wilton2024.tolerance_search import COLUMNS, SOURCE, THIRD, Noise, facts, keeps, noises

# What keeps the order


def complementary(rate: Fraction) -> tuple[Channel, ...]:
    return (class_conditional(tau_pos=rate, tau_neg=1 - rate),)


SPLIT = kinds("count", "a", "b", "c", "d")
TWO_RATES = {**SPLIT, **kinds("rate", "tau_pos", "tau_neg")}
ONE_RATE = {**SPLIT, "eta": "rate"}


def two_by_two(v: Any) -> list[list[Any]]:
    return [[v.a, v.b], [v.c, v.d]]


def rescales(criterion: Criterion, variables: dict[str, str], channel: Any, factor: Any, power: int = 1) -> Identity:
    """Claim that noise multiplies a power of the score of every two-class split by a factor."""
    return Identity(
        variables,
        lambda v, m: criterion.score(noisy(two_by_two(v), channel(v)), m) ** power,
        lambda v, m: factor(v) * criterion.score(two_by_two(v), m) ** power,
    )


def of_classes(v: Any) -> Channel:
    return class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg)


def left_of_signal(v: Any) -> Any:
    """What class-conditional noise leaves of the difference between two distributions, squared."""
    return (1 - v.tau_pos - v.tau_neg) ** 2


def two_class_law(criterion: Criterion, power: int = 1) -> All:
    """Claim that the score, or its square, rescales under the three noises that depend on the class alone."""
    return All(
        rescales(criterion, TWO_RATES, of_classes, left_of_signal, power),
        rescales(criterion, ONE_RATE, lambda v: symmetric(v.eta), lambda v: (1 - 2 * v.eta) ** 2, power),
        rescales(criterion, ONE_RATE, lambda v: pair_flip(v.eta), lambda v: (1 - 2 * v.eta) ** 2, power),
        *(keeps(criterion, noises(2)[column], 6) for column in COLUMNS[:3]),
    )


def three_rows() -> Identity:
    """Claim the law of the Gini gain for splits into three."""

    def table(v: Any) -> list[list[Any]]:
        return [*two_by_two(v), [v.e, v.f]]

    return Identity(
        {**TWO_RATES, **kinds("count", "e", "f")},
        lambda v, m: gini_decrease.score(noisy(table(v), of_classes(v)), m),
        lambda v, m: left_of_signal(v) * gini_decrease.score(table(v), m),
    )


def two_class_theorem(criterion: Criterion, name: str, words: str, factor: str, power: int, wrong: NearMiss) -> Theorem:
    rows = "two rows or three" if criterion == gini_decrease else "two rows"
    useless = Noise("with rates that add up to 1, positives", 2, complementary, THIRD)
    return Theorem(
        key=f"tolerance.{name}_rescales_of_two_class_noise",
        statement=f"with two classes, class-conditional noise multiplies {words} of every split by {factor}, "
        "so that it keeps the order of splits unless the rates add up to 1; uniform and pair-flip noise are such noise",
        source=SOURCE,
        scope=f"K = 2, {rows}, all rates in [0, 1]; order also exhaustively for N <= 6 at rate 1/3",
        holds=All(two_class_law(criterion, power), *([three_rows()] if criterion == gini_decrease else [])),
        fails=(
            wrong,
            NearMiss("the order is kept at rates that add up to 1", keeps(criterion, useless, 4), "hypothesis"),
        ),
        facts=facts([criterion], COLUMNS[:3], "2", True),
    )


def not_squared(criterion: Criterion) -> NearMiss:
    return NearMiss(
        "the factor is 1 - tau_pos - tau_neg itself, as for misclassification under uniform noise",
        rescales(criterion, TWO_RATES, of_classes, lambda v: 1 - v.tau_pos - v.tau_neg),
    )


def as_gini(criterion: Criterion) -> NearMiss:
    return NearMiss(
        "the factor is (1 - tau_pos - tau_neg)^2, as for Gini",
        rescales(criterion, TWO_RATES, of_classes, left_of_signal),
    )


SQUARED, PLAIN = "(1 - tau_pos - tau_neg)^2", "|1 - tau_pos - tau_neg|"
TWO_CLASSES = [
    two_class_theorem(gini_decrease, "gini_gain", "the Gini gain", SQUARED, 1, not_squared(gini_decrease)),
    two_class_theorem(twoing, "twoing", "twoing", SQUARED, 1, not_squared(twoing)),
    two_class_theorem(pairwise_gain, "pairwise_gain", "the pairwise gain", PLAIN, 2, as_gini(pairwise_gain)),
    two_class_theorem(
        one_vs_rest_pairwise_gain, "one_vs_rest_gain", "the one-vs-rest pairwise gain", PLAIN, 2,
        as_gini(one_vs_rest_pairwise_gain),
    ),
]  # fmt: skip


def many(v: Any, classes: int) -> list[list[Any]]:
    """Return a split with the counts ``l0, l1, ...`` and ``r0, r1, ...``."""
    return [vector(v, "l", classes), vector(v, "r", classes)]


def against_rest(table: Any, k: int) -> list[list[Any]]:
    """Return the two-class table of the other classes and class ``k``."""
    return [[sum(row) - row[k], row[k]] for row in table]


def over_classes(criterion: Criterion, table: Any, m: Any) -> Any:
    """Return the sum over the classes of a two-class score of each class against the rest."""
    return sum(criterion.score(against_rest(table, k), m) for k in range(len(table[0])))


def decomposes(whole: Any, part: Criterion, classes: int) -> Identity:
    """Claim that ``whole(t, m)`` is the sum over classes of a two-class score, each class against the rest."""
    return Identity(
        kinds("count", "l", "r", classes=classes),
        lambda v, m: whole(many(v, classes), m),
        lambda v, m: over_classes(part, many(v, classes), m),
    )


def merged(eta: Any, classes: Any) -> Channel:
    """Return what uniform noise is for one class (1) against the rest (0)."""
    return class_conditional(tau_pos=eta, tau_neg=eta / (classes - 1))


def merging_commutes(classes: int) -> Identity:
    """Claim that the others merged after uniform noise are as after the merged noise."""

    def one(v: Any) -> Any:
        return against_rest([vector(v, "l", classes)], 0)[0]

    return Identity(
        {**kinds("count", "l", classes=classes), "eta": "rate"},
        lambda v, m: symmetric(v.eta).on_distribution(vector(v, "l", classes))[0],
        lambda v, m: merged(v.eta, classes).on_distribution(one(v))[1],
    )


def one_class_rescales(criterion: Criterion, power: int, factor: Any) -> Identity:
    """Claim the factor for one class against the rest, with the number of classes as a variable."""
    return Identity(
        {**ONE_RATE, "K": "positive"},
        lambda v, m: criterion.score(noisy(two_by_two(v), merged(v.eta, v.K)), m) ** power,
        lambda v, m: factor(v) ** 2 * criterion.score(two_by_two(v), m) ** power,
        lambda v, m: v.K >= 2,
    )


def uniform_factor(v: Any) -> Any:
    return 1 - v.eta * v.K / (v.K - 1)


def sized_twoing(t: Any, m: Any) -> Any:
    """Return ``4 N^2 N_L N_R`` times twoing."""
    left, right = map(sum, t)
    return 4 * (left + right) ** 2 * left * right * twoing.score(t, m)


def crossing_law(classes: int) -> All:
    """Claim that the one-vs-rest gain is half the sum of pairwise gains, and twoing its square but for the sizes."""
    variables = kinds("count", "l", "r", classes=classes)
    return All(
        decomposes(lambda t, m: 2 * one_vs_rest_pairwise_gain.score(t, m), pairwise_gain, classes),
        Identity(
            variables,
            lambda v, m: sized_twoing(many(v, classes), m),
            lambda v, m: 16 * one_vs_rest_pairwise_gain.score(many(v, classes), m) ** 2,
        ),
    )


def fails_elsewhere(criterion: Criterion, *columns: str) -> tuple[NearMiss, ...]:
    """Return near-misses that weaken uniform noise to that of another column, with three classes."""
    return tuple(
        NearMiss(
            f"{criterion!r} keeps the order under {column} noise", keeps(criterion, noises(3)[column], 7), "hypothesis"
        )
        for column in columns
    )


SEPARABLE = "hand argument: a score that is a sum over classes rescales if each of its terms does by the same factor"
MORE_CLASSES = [
    Theorem(
        key="tolerance.gini_gain_rescales_of_uniform_noise",
        statement="uniform noise on K classes multiplies the Gini gain of every split by (1 - K eta / (K - 1))^2",
        source=SOURCE,
        scope="all K: one class against the rest, with K a variable; the sum over classes and merging for K = 3, 4, 5",
        holds=All(
            *(decomposes(lambda t, m: 2 * gini_decrease.score(t, m), gini_decrease, k) for k in (3, 4, 5)),
            *(merging_commutes(k) for k in (3, 4, 5)),
            one_class_rescales(gini_decrease, 1, uniform_factor),
            keeps(gini_decrease, noises(3)["uniform"], 6),
        ),
        fails=(
            NearMiss(
                "the factor is (1 - 2 eta)^2 for every K",
                one_class_rescales(gini_decrease, 1, lambda v: 1 - 2 * v.eta),
            ),
            *fails_elsewhere(gini_decrease, "class-conditional"),
        ),
        premises=(SEPARABLE,),
        facts=facts([gini_decrease], ["uniform"], ">2", True),
        latex=r"\mathrm{gain}^\eta = \left(1 - \tfrac{K\eta}{K-1}\right)^2 \mathrm{gain}",
    ),
    Theorem(
        key="tolerance.crossing_gains_rescale_of_uniform_noise",
        statement="uniform noise on K classes multiplies the one-vs-rest pairwise gain by |1 - K eta / (K - 1)|, "
        "and twoing, its square over the sizes of the rows, by the square of that",
        source=SOURCE,
        scope="all K: one class against the rest, with K a variable; the sum over classes and merging for K = 3, 4, 5",
        holds=All(
            *(crossing_law(k) for k in (3, 4, 5)),
            *(merging_commutes(k) for k in (3, 4, 5)),
            one_class_rescales(pairwise_gain, 2, uniform_factor),
            *(keeps(c, noises(3)["uniform"], 6) for c in (twoing, one_vs_rest_pairwise_gain)),
        ),
        fails=(
            NearMiss(
                "the factor is that of two classes", one_class_rescales(pairwise_gain, 2, lambda v: 1 - 2 * v.eta)
            ),
            NearMiss(
                "twoing is the square of the one-vs-rest gain, whatever the sizes",
                Identity(
                    kinds("count", "l", "r", classes=3),
                    lambda v, m: twoing.score(many(v, 3), m),
                    lambda v, m: one_vs_rest_pairwise_gain.score(many(v, 3), m) ** 2,
                ),
            ),
            *fails_elsewhere(twoing, "pair-flip"),
            *fails_elsewhere(one_vs_rest_pairwise_gain, "pair-flip"),
        ),
        premises=(SEPARABLE,),
        facts=facts([twoing, one_vs_rest_pairwise_gain], ["uniform"], ">2", True),
    ),
]


# Misclassification and its relatives: the largest share is moved by an increasing affine map

error_gain = decrease(misclassification)
bayes_gain = decrease(bayes_sum)


def shares_of(v: Any, classes: int) -> list[Any]:
    """Return probabilities of which the last is what the others leave."""
    first = vector(v, "p", classes - 1)
    return [*first, 1 - sum(first)]


def moves(of: Any, rest: Any, classes: int, room: Any = None) -> Smt:
    """Claim that uniform noise maps ``of`` to ``(1 - K eta / (K - 1)) of + rest(eta)``, for eta up to ``room``."""
    scale, most = Fraction(classes, classes - 1), Fraction(classes - 1, classes) if room is None else room
    return Smt(
        {**kinds("rate", "p", classes=classes - 1), "eta": "rate"},
        lambda v, m: (
            of(symmetric(v.eta).on_distribution(shares_of(v, classes)), m)
            == (1 - scale * v.eta) * of(shares_of(v, classes), m) + rest(v.eta)
        ),
        lambda v, m: [sum(vector(v, "p", classes - 1)) <= 1, v.eta <= most],
    )


def same_noise() -> Identity:
    """Claim that pair-flip noise of two classes is uniform noise."""
    return Identity(
        {"a": "count", "b": "count", "eta": "rate"},
        lambda v, m: pair_flip(v.eta).on_distribution([v.a, v.b])[0],
        lambda v, m: symmetric(v.eta).on_distribution([v.a, v.b])[0],
    )


def largest_of_two() -> Smt:
    """Claim that an increasing affine map moves the larger of two numbers as it moves both: a step towards any K."""
    return Smt(
        kinds("real", "x", "y", "scale", "shift"),
        lambda v, m: m.max([v.scale * v.x + v.shift, v.scale * v.y + v.shift]) == v.scale * m.max([v.x, v.y]) + v.shift,
        lambda v, m: [v.scale >= 0],
    )


def multiplies(criterion: Criterion, classes: int, most: int, rates: Iterable[Fraction]) -> Exhaustive:
    """Claim, for every small table, that uniform noise multiplies the score by ``1 - K eta / (K - 1)``."""
    return Exhaustive(
        lambda: ((t, eta) for eta in rates for t in binary_splits(most, classes)),
        lambda case: (
            score(criterion, noisy(case[0], symmetric(case[1])))
            == (1 - case[1] * Fraction(classes, classes - 1)) * score(criterion, case[0])
        ),
    )


def minorities_differ_by_the_node(classes: int, most: int) -> Exhaustive:
    """Claim that the gain of misclassification is the sum of minorities plus the impurity of the node."""
    return Exhaustive(
        lambda: binary_splits(most, classes),
        lambda t: score(error_gain, t) == score(sum_minority, t) - score(sum_minority, [list(map(sum, zip(*t)))]),  # noqa: B905
    )


RATES = [Fraction(1, 10), Fraction(1, 4), THIRD, Fraction(2, 5)]
AFFINE = "hand argument: the decrease of an impurity is linear in it, and 0 for a constant"
ITERATED = "hand argument: the largest of K numbers is reached by K - 1 comparisons of two"
ERRORS = [
    Theorem(
        key="tolerance.misclassification_gain_rescales_of_uniform_noise",
        statement="for eta < (K - 1) / K uniform noise multiplies the misclassification impurity by "
        "f = 1 - K eta / (K - 1) > 0 and adds eta, so that it multiplies its gain by f; "
        "the sum of minorities is that gain less the impurity of the node",
        source=SOURCE,
        scope="all K by steps of two; directly K = 2, 3, 4; gains for N <= 6 at four rates",
        holds=All(
            *(moves(misclassification.of, lambda eta: eta, k) for k in (2, 3, 4)),
            largest_of_two(),
            multiplies(error_gain, 2, 6, RATES),
            multiplies(error_gain, 3, 5, RATES),
            minorities_differ_by_the_node(3, 6),
            *(keeps(c, noises(k)["uniform"], 6) for c in (error_gain, sum_minority) for k in (2, 3)),
            same_noise(),
        ),
        fails=(
            NearMiss("it does so at every rate", moves(misclassification.of, lambda eta: eta, 3, 1), "hypothesis"),
            NearMiss(
                "the gain is kept under pair-flip noise", keeps(error_gain, noises(3)["pair-flip"], 6), "hypothesis"
            ),
            NearMiss(
                "the gain is kept under class-conditional noise",
                keeps(error_gain, noises(2)["class-conditional"], 5),
                "hypothesis",
            ),
        ),
        premises=(AFFINE, ITERATED),
        facts=facts([error_gain, sum_minority], ["uniform", "pair-flip"], "2", True)
        + facts([error_gain, sum_minority], ["uniform"], ">2", True),
    ),
    Theorem(
        key="tolerance.bayes_sum_gain_rescales_of_two_class_uniform_noise",
        statement="with two classes bayes_sum is twice the misclassification impurity, so that uniform and pair-flip "
        "noise of rate eta <= 1/2 multiply its gain by 1 - 2 eta",
        source=SOURCE,
        scope="K = 2; gains for N <= 6 at four rates",
        holds=All(
            moves(bayes_sum.of, lambda eta: 2 * eta, 2),
            multiplies(bayes_gain, 2, 6, RATES),
            keeps(bayes_gain, noises(2)["uniform"], 6),
            same_noise(),
        ),
        fails=(
            NearMiss("the same with three classes", moves(bayes_sum.of, lambda eta: 2 * eta, 3), "hypothesis"),
            NearMiss("the same at every rate", moves(bayes_sum.of, lambda eta: 2 * eta, 2, 1), "hypothesis"),
        ),
        premises=(AFFINE,),
        facts=facts([bayes_gain], ["uniform", "pair-flip"], "2", True),
    ),
]


# Gini under pair-flip noise: a rotation of three classes, no rotation of four


def three_class_pair_flip(criterion: Criterion, factor: Any) -> Identity:
    return Identity(
        {**kinds("count", "l", "r", classes=3), "eta": "rate"},
        lambda v, m: criterion.score(noisy(many(v, 3), pair_flip(v.eta)), m),
        lambda v, m: factor(v.eta) * criterion.score(many(v, 3), m),
    )


FOUR_CLASSES = replace(noises(3)["pair-flip"], classes=4)
PAIR_FLIPS = [
    Theorem(
        key="tolerance.gini_gain_rescales_of_three_class_pair_flip",
        statement="pair-flip noise on three classes multiplies the Gini gain of every split by 1 - 3 eta + 3 eta^2: "
        "on differences of distributions it is a rotation and a scaling",
        source=SOURCE,
        scope="K = 3, two rows, all rates",
        holds=All(
            three_class_pair_flip(gini_decrease, lambda eta: 1 - 3 * eta + 3 * eta**2),
            keeps(gini_decrease, noises(3)["pair-flip"], 6),
        ),
        fails=(
            NearMiss(
                "the factor is (1 - 2 eta)^2, as with two classes",
                three_class_pair_flip(gini_decrease, lambda eta: (1 - 2 * eta) ** 2),
            ),
            NearMiss("the order is kept with four classes", keeps(gini_decrease, FOUR_CLASSES, 4), "hypothesis"),
            NearMiss(
                "every noise that moves one class into another is so",
                keeps(gini_decrease, noises(3)["class-conditional"], 4),
                "hypothesis",
            ),
        ),
        facts=(Fact("decrease(gini)", "keeps order under pair-flip noise", only(3), True),),
    ),
]

THEOREMS = [*TWO_CLASSES, *MORE_CLASSES, *ERRORS, *PAIR_FLIPS, *tolerance_swaps.THEOREMS]
ERRATA: list[Erratum] = []
