"""Criteria that keep the order of splits under noise: those whose score noise multiplies by a positive factor.

A criterion keeps the order if the better of two splits of a node stays strictly better in expectation.
Source: yang2019, Theorem 1; ghosh2017, Theorem 3; wilton2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, decrease, one_vs_rest_pairwise_gain, pairwise_gain, sum_minority, twoing
from splitcrit.impurities import bayes_sum, misclassification
from splitcrit.noise import Channel, class_conditional
from splitcrit.proof import ALL, All, Erratum, Exhaustive, NearMiss, Not, Premise, Sign, Smt, Theorem
from splitcrit.proofs.common import ROBUST, count_vectors, gini_decrease, kinds, lefts, score, shaken, split, up_to
from splitcrit.proofs.noise.scaling import kept as kept_by_rates
from splitcrit.proofs.noise.scaling import uniform_factor
from splitcrit.proofs.order.search import COLUMNS, SOURCE, Noise, facts, keeps, noises, none_swap
from splitcrit.proofs.order.swaps import SIZES, TWO_RATES, five
from splitcrit.proofs.two_class import two_classes

error_gain = decrease(misclassification)
# a node of 7 examples, 2 positive, with two splits that entropy reorders: rows of (negatives, positives)
SMALL_FLIP = (((1, 0), (4, 2)), ((4, 1), (1, 1)))


def complementary(rate: Fraction) -> tuple[Channel, ...]:
    return (class_conditional(tau_pos=rate, tau_neg=1 - rate),)


def large(rate: Fraction) -> tuple[Channel, ...]:
    return (class_conditional(tau_pos=rate, tau_neg=1 - rate / 4),)


def order_of_multiples(rates: dict[str, str], factor: Any, domain: Callable[[Any], list[Any]]) -> Smt:
    """Claim that the factor keeps the strict order of two numbers at all rates of the domain."""
    return Smt(
        rates | kinds("real", "s", "t"),
        lambda v, m: factor(v, m) * v.s > factor(v, m) * v.t,
        lambda v, m: [v.s > v.t, *domain(v)],
    )


def size_of_swap(criterion: Criterion, classes: int, column: str) -> int:
    """The size of the smallest node of which the criterion swaps two splits."""
    return next(family[criterion][column] for family in SIZES[classes].values() if criterion in family)


def lost(criterion: Criterion, classes: int, column: str) -> NearMiss:
    """The near-miss that the criterion keeps the order under the noise of another column."""
    claim = keeps(criterion, noises(classes)[column], size_of_swap(criterion, classes, column))
    return NearMiss(f"{criterion!r} keeps the order of {classes} classes under {column} noise", claim, "hypothesis")


def kept_theorem(
    name: str,
    criteria: tuple[Criterion, ...],
    classes: int,
    columns: tuple[str, ...],
    factor: Smt,
    where: str,
    by: tuple[str, ...],
    fails: tuple[NearMiss, ...],
) -> Theorem:
    """The theorem that criteria keep the order under some noises, by theorems that give the factor."""
    laws = [noises(classes)[column] for column in columns] + [REVERSING] * ("class-conditional" in columns)
    every = classes > 2 and columns == COLUMNS[:1]  # for all numbers of classes
    widens = {"N": ALL} | ({"K": ALL} if every else {})
    few = "2" if classes == 2 else ">2"
    return Theorem(
        key=f"order.{name}",
        statement=f"of two splits of a node in two the one that scores more scores more in expected noisy counts too, "
        f"{where}: {', '.join(map(repr, criteria))} under {', '.join(columns)} noise",
        source="yang2019, Theorem 1" if factor is two_rates else SOURCE,
        holds=All(factor=factor, library=All(*(keeps(c, noise, 6) for c in criteria for noise in laws))),
        fails=fails,
        premises=tuple(Premise(f"noise.{key}", "theorem", widens) for key in by),
        added="tau_pos + tau_neg is not 1, and counts are expected counts" if factor is two_rates else "",
        facts=facts(criteria, columns, few, True) if classes == 2 or every else (),
    )


USELESS = Noise("with rates that add up to 1, of positives", 2, complementary, Fraction(1, 2))
REVERSING = Noise("with rates that add up to more than 1, of positives", 2, large, Fraction(2, 3))
two_rates = order_of_multiples(
    kinds("rate", "tau_pos", "tau_neg"), lambda v, m: m.abs(kept_by_rates(v, 2)), lambda v: [kept_by_rates(v, 2) != 0]
)
one_rate = order_of_multiples({"eta": "rate"}, lambda v, m: uniform_factor(v, 2), lambda v: [2 * v.eta < 1])
of_classes = order_of_multiples(
    {"eta": "rate", "K": "positive"}, lambda v, m: uniform_factor(v, v.K), lambda v: [v.K >= 2, v.eta * v.K < v.K - 1]
)
turned = order_of_multiples({"eta": "rate"}, lambda v, m: 1 - 3 * v.eta + 3 * v.eta**2, lambda v: [])
SCALED_BY_RATES = ("gini_gain_and_twoing_rescale_of_class_conditional", "pairwise_gains_rescale_of_class_conditional")
ERROR = "misclassification_gain_rescales_of_uniform"
SAME = "uniform_and_pair_flip_are_class_conditional_of_two_classes"
BELOW = "at rates eta below (K - 1) / K"
GAINS = (gini_decrease, twoing, pairwise_gain, one_vs_rest_pairwise_gain)
bayes_gain = decrease(bayes_sum)
useless = NearMiss("pairwise_gain keeps it at rates that add up to 1", keeps(pairwise_gain, USELESS, 4), "hypothesis")
KEPT = [
    kept_theorem(
        "crossing_gains_are_kept_of_two_class_noise", GAINS, 2, COLUMNS[:3], two_rates,
        "unless the rates add up to 1", (*SCALED_BY_RATES, SAME),
        (useless, *(lost(criterion, 2, "instance-dependent") for criterion in GAINS)),
    ),
    kept_theorem(
        "misclassification_is_kept_of_two_class_uniform", (error_gain, sum_minority, bayes_gain), 2, COLUMNS[:2],
        one_rate, BELOW, (ERROR, "bayes_sum_gain_rescales_of_symmetric", SAME),
        (
            *(lost(criterion, 2, "class-conditional") for criterion in (error_gain, bayes_gain)),
            lost(error_gain, 2, "instance-dependent"),
            lost(bayes_gain, 3, "uniform"),
        ),
    ),
    kept_theorem(
        "crossing_gains_and_misclassification_are_kept_of_uniform",
        (gini_decrease, twoing, one_vs_rest_pairwise_gain, error_gain, sum_minority), 3, COLUMNS[:1],
        of_classes, BELOW, ("crossing_gains_rescale_of_uniform", ERROR),
        (
            lost(gini_decrease, 3, "class-conditional"),
            *(lost(criterion, 3, "pair-flip") for criterion in (twoing, one_vs_rest_pairwise_gain, error_gain)),
        ),
    ),
    kept_theorem(
        "gini_gain_is_kept_of_three_class_pair_flip", (gini_decrease,), 3, COLUMNS[1:2], turned, "at every rate",
        ("gini_gain_rescales_of_pair_flip_of_three_classes",),
        (lost(gini_decrease, 4, "pair-flip"), lost(gini_decrease, 3, "class-conditional")),
    ),
]  # fmt: skip

RATES = (Fraction(3, 10), Fraction(9, 10))


def best(criterion: Criterion, node: tuple[int, ...], eta: Fraction) -> set[tuple[int, ...]]:
    """The left children of the splits that score best, in the expected table after noise."""
    scores = {left: score(criterion, shaken(split(node, left), eta)) for left in lefts(node)}
    return {left for left, x in scores.items() if x == max(scores.values())}


def best_are_kept(most: int, *rates: Fraction) -> Exhaustive:
    """Claim that the best splits of every small node are the same before and after noise."""
    return up_to(
        most,
        lambda size: count_vectors(size, 2, 2),
        lambda node: all(best(c, node, eta) == best(c, node, Fraction(0)) for c in ROBUST for eta in rates),
    )


def entropy_keeps(m: Any) -> list[Any]:
    """A number that is positive if entropy prefers the same of the two splits at eta = 0 and 3/10."""
    from splitcrit.impurities import entropy

    def lead(eta: Fraction) -> Any:
        one, two = (decrease(entropy).score(shaken(t, eta), m) for t in SMALL_FLIP)
        return one - two

    return [lead(Fraction(0)) * lead(RATES[0])]


BEST = Theorem(
    key="order.best_splits_are_kept_of_symmetric",
    statement="with two classes, for the Gini gain, misclassification and twoing the set of best splits of the "
    "expected noisy node is that of the clean node, for eta on either side of 1/2",
    source="ghosh2017, Theorem 3 and Definition 1 (read with argmax)",
    holds=two_classes(best_are_kept(6, *RATES)),
    fails=(
        NearMiss("also at eta = 1/2", best_are_kept(4, Fraction(1, 2)), "hypothesis"),
        NearMiss("also for entropy, at eta = 3/10 in a node of 7 examples", Sign(entropy_keeps)),
    ),
    premises=(Premise("best_splits_are_kept_of_symmetric", "kernel", {"N": ALL}),),
)

THEOREMS = [*KEPT, BEST]
ERRATA = [
    Erratum("G-E8", Not(keeps(gini_decrease, TWO_RATES, five[0])), KEPT[0].key),
    Erratum("Y-E4a", keeps(pairwise_gain, USELESS, 4), KEPT[0].key),
    Erratum(
        "Y-E9",
        none_swap(pairwise_gain, noises(2)["instance-dependent"], range(2, 5)),
        "order.pairwise_gain_swaps_splits_of_two_classes",
    ),
]
