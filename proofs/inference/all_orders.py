"""One p-value for the best of several features, where the labels depend on none of them: all orders are equally likely.

Each feature gives each order of the labels a score; any scores are possible, since the features may be any. So what is
settled for all scores of a few orders is settled for all features.
Source: tarone1990; westfall1993.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from splitcrit.inference.joint_corrections import rank_pvalues
from splitcrit.nulls.monte_carlo import discrete_bonferroni, westfall_young
from splitcrit.proof import ALL, All, Exhaustive, Law, Premise, Theorem, only, upto
from splitcrit.proofs.inference.outcomes import Values, equally_likely, fraction, scorings, tail, valid


class Scores(NamedTuple):
    """The scores of some features for every order of the labels, and how many orders are drawn."""

    of: tuple[tuple[int, ...], ...]
    draws: int = 0

    def __str__(self) -> str:
        drawn = f", B = {self.draws}" if self.draws else ""
        return "scores " + "; ".join(" ".join(map(str, each)) for each in self.of) + drawn


def scores(features: int, orders: int) -> Iterator[Scores]:
    """Yield all scores of a number of features, of orders up to a number; the first feature's are increasing."""
    for number in range(1, orders + 1):
        first = (each for each in scorings(number) if list(each) == sorted(each))
        yield from map(Scores, product(first, *[list(scorings(number))] * (features - 1)))


# By the p-values that can occur.

Combined = Callable[[Sequence[Values], Any], Any]


def attained(values: Values, t: Any, strictly: bool = False) -> Any:
    """The largest p-value of a feature at most t, or below it; 0 if there is none."""
    return max((p for p in values if p < t or (p == t and not strictly)), default=Fraction(0))


def summed(values: Sequence[Values], p: Any) -> Any:
    return discrete_bonferroni([partial(attained, each) for each in values], p)


def summed_below(values: Sequence[Values], p: Any) -> Any:
    return max(p, discrete_bonferroni([partial(attained, each, strictly=True) for each in values], p))


def largest(values: Sequence[Values], p: Any) -> Any:
    return max(attained(each, p) for each in values)


def apart(values: Sequence[Values], p: Any) -> Any:
    """The share of all choices of an order for each feature in which a p-value is at most p."""
    return 1 - prod(1 - attained(each, p) for each in values)


def is_valid_of_all_orders(combined: Combined = summed) -> Exhaustive:
    """The smallest p-value, combined with those that can occur, is valid over all orders of the labels."""

    def law(case: Scores) -> dict[Fraction, Fraction]:
        values = [tail(each) for each in case.of]
        return equally_likely(combined(values, min(at)) for at in zip(*values, strict=True))

    return valid(scores, law, d=only(1, 2, 3), A=upto(3))


# By random orders.

Drawn = tuple[int, ...]
Minima = Callable[[Scores, Drawn], list[Any]]


def by_tails(case: Scores, drawn: Drawn) -> list[Any]:
    """The smallest p-value of each order drawn, p-values by all orders."""
    smallest = [min(at) for at in zip(*map(tail, case.of), strict=True)]
    return [smallest[order] for order in drawn]


def by_ranks(case: Scores, drawn: Drawn) -> list[Any]:
    """The smallest p-value of each order drawn, p-values by the library's ranks among those drawn."""
    ranks = [rank_pvalues(np.array([each[order] for order in drawn])) for each in case.of]
    return [fraction(x, len(drawn)) for x in np.min(ranks, axis=0).tolist()]


def by_ranks_of_the_others(case: Scores, drawn: Drawn) -> list[Any]:
    """The same with ranks among the orders drawn at random, without the one observed."""
    drawn_at_random, ranks = drawn[1:], []
    for order in drawn:
        higher = [sum(each[other] >= each[order] for other in drawn_at_random) for each in case.of]
        ranks.append(Fraction(min(higher), len(drawn_at_random)))
    return ranks


def library(minima: list[Any]) -> Fraction:
    return fraction(westfall_young(minima[1:], minima[0]), len(minima))


def without_observed(minima: list[Any]) -> Fraction:
    return Fraction(sum(q <= minima[0] for q in minima[1:]), len(minima) - 1)


def is_valid_of_draws(minima: Minima, pvalue: Callable[[list[Any]], Fraction] = library) -> Exhaustive:
    """The share of drawn orders with as small a smallest p-value is valid, over all draws with replacement."""

    def cases(features: int, orders: int, drawn: int) -> Iterator[Scores]:
        yield from (case._replace(draws=drawn) for case in scores(features, orders))

    def law(case: Scores) -> dict[Fraction, Fraction]:
        drawn = product(range(len(case.of[0])), repeat=1 + case.draws)
        return equally_likely(pvalue(minima(case, each)) for each in drawn)

    return valid(cases, law, d=only(1, 2), A=upto(3), B=only(1, 2))


def without_equal(minima: list[Any]) -> Fraction:
    return Fraction(1 + sum(q < minima[0] for q in minima[1:]), len(minima))


DISCRETE = Law(is_valid_of_all_orders)
TAILS, RANKS = Law(is_valid_of_draws, minima=by_tails), Law(is_valid_of_draws, minima=by_ranks)

THEOREMS = [
    Theorem(
        key="inference.discrete_bonferroni_is_pvalue_of_no_dependence",
        statement="if the labels depend on none of d features, so that all their A orders are equally likely, the sum"
        " over the features of the largest p-value that can occur and is at most the smallest one observed is at most t"
        " with probability at most t, for every t",
        source="tarone1990 for features that cannot reach a level; this form is new",
        holds=DISCRETE,
        premises=(Premise("discrete_bonferroni_is_valid_of_all_orders", "kernel", {"d": ALL, "A": ALL}),),
        fails=(
            DISCRETE.but("the largest of them will do instead of their sum", combined=largest),
            DISCRETE.but("each feature may have an order of the labels of its own", combined=apart),
            DISCRETE.but("p-values below the smallest one observed are enough", combined=summed_below),
        ),
    ),
    Theorem(
        key="inference.westfall_young_is_pvalue_of_no_dependence",
        statement="if the labels depend on none of d features, so that all their A orders are equally likely,"
        " (1 + #{b : q_b <= q})/(1 + B) is at most t with probability at most t, for every t; q is the smallest p-value"
        " of the observed order, q_b that of the random order b of the labels, whether p-values are by all orders or by"
        " ranks among the B + 1",
        source="westfall1993",
        holds=All(all_orders=TAILS, ranks=RANKS),
        premises=(Premise("westfall_young_is_valid", "kernel", {"d": ALL, "A": ALL, "B": ALL}),),
        fails=(
            TAILS.but("#{b : q_b <= q}/B will do", pvalue=without_observed),
            RANKS.but("ranks may leave out the observed order", minima=by_ranks_of_the_others),
            TAILS.but("#{b : q_b < q} will do, without the equal ones", pvalue=without_equal),
        ),
    ),
]
