"""E-values from p-values, their means over splits, and the features that pass: how many of them are false?

Outcomes are equally likely; a p-value takes squares of i/M, whose e-values are fractions, and is at most each with
exactly that probability: no valid p-value of these values is smaller. A false discovery rate is reached by e-values at
the thresholds d/(alpha k), of mean at most 1; here alpha is d of N outcomes, so that these are N/k.
Source: shafer2021; vovk2021; wangramdas2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, pairwise, product
from typing import Any, NamedTuple

import numpy as np

from splitcrit.nulls.evalues import discovery_rates, mean_evalues
from splitcrit.proof import ALL, All, Cases, Exhaustive, Identity, Law, Premise, Theorem, upto
from splitcrit.proofs.inference.outcomes import Values, fraction

# E-values of splits, and their means.

Mean = Callable[[Sequence[Fraction], Sequence[int]], Fraction]


class Splits(NamedTuple):
    """The p-values of the splits of a feature at each of equally likely outcomes, and the weights of the splits."""

    p: tuple[Values, ...]
    weights: tuple[int, ...]

    def __str__(self) -> str:
        said = "; ".join(", ".join(map(str, values)) for values in self.p)
        return f"{said}; weights {', '.join(map(str, self.weights))}"


def squares(m: int) -> Iterator[Values]:
    """Yield p-values on m^2 outcomes that take some of the squares of i/m, 1 included, as often as a valid one may."""
    for some in chain.from_iterable(combinations(range(1, m), size) for size in range(m)):
        roots = (0, *some, m)
        yield tuple(Fraction(b**2, m**2) for a, b in pairwise(roots) for _ in range(b**2 - a**2))


def orders(values: Values) -> Iterator[Values]:
    """Yield the different orders of some values."""
    if not values:
        yield ()
    for value in dict.fromkeys(values):
        place = values.index(value)
        yield from ((value, *rest) for rest in orders(values[:place] + values[place + 1 :]))


def single(m: int) -> Iterator[Splits]:
    """Yield one split at a time, for every number of outcomes up to the square of m."""
    for size in range(1, m + 1):
        yield from (Splits((values,), (1,)) for values in squares(size))


def pairs(m: int, heaviest: int) -> Iterator[Splits]:
    """Yield two splits with every dependence, and every pair of weights up to the heaviest."""
    for size in range(1, m + 1):
        for one, other in product(squares(size), repeat=2):
            for order in orders(other):
                weights = product(range(1, heaviest + 1), repeat=2)
                yield from (Splits((one, order), pair) for pair in weights)


def opposed(m: int) -> Iterator[Splits]:
    """Yield two splits, one of which has its small p-values where the other has its large ones."""
    for size in range(1, m + 1):
        yield from (Splits((one, other[::-1]), (1, 1)) for one, other in product(squares(size), repeat=2))


@cache
def by_library(p: Sequence[Fraction], weights: Sequence[int]) -> Fraction:
    zeros = np.zeros(len(p), dtype=int)
    return fraction(mean_evalues(np.array(p, float), np.array(weights, float), zeros, 1)[0], 1000)


def root(p: Fraction) -> Fraction:
    return fraction(float(p) ** 0.5, 100)


def e(p: Fraction) -> Fraction:
    return 1 / root(p) - 1


def without_one_less(p: Sequence[Fraction], weights: Sequence[int]) -> Fraction:
    return sum(((e(x) + 1) * w for x, w in zip(p, weights, strict=True)), Fraction(0)) / sum(weights)


def reciprocal(p: Sequence[Fraction], weights: Sequence[int]) -> Fraction:
    return sum(((1 / x - 1) * w for x, w in zip(p, weights, strict=True)), Fraction(0)) / sum(weights)


def largest(p: Sequence[Fraction], weights: Sequence[int]) -> Fraction:
    return max(map(e, p))


def of_those_that_reject(p: Sequence[Fraction], weights: Sequence[int]) -> Fraction:
    some = [(e(x), w) for x, w in zip(p, weights, strict=True) if x < 1]
    return sum((x * w for x, w in some), Fraction(0)) / max(sum(w for _, w in some), 1)


def is_evalue(cases: Callable[..., Iterator[Splits]], mean: Mean = by_library, **sizes: Any) -> Exhaustive:
    """The mean over the outcomes is at most 1."""

    def holds(case: Splits) -> bool:
        outcomes = list(zip(*case.p, strict=True))
        return sum((mean(p, case.weights) for p in outcomes), Fraction(0)) <= len(outcomes)

    return Exhaustive(Cases(cases, size=None, **sizes), holds, rounded=True)


def falls_short(power: int = 2) -> Identity:
    """What a step from root r to root s adds to the mean is 2 (s - r) - (s - r)^2/s, less s^2 - r^2 times 1."""
    return Identity(
        {"r": "real", "s": "positive"},
        lambda v, m: (v.s**power - v.r**power) / v.s,
        lambda v, m: 2 * (v.s - v.r) - (v.s - v.r) ** 2 / v.s,
    )


# False discoveries.

Rates = Callable[[Sequence[Fraction]], Sequence[Any]]


class Tests(NamedTuple):
    """The e-values of some true nulls at each of equally likely outcomes, beside those of other features."""

    true: tuple[Values, ...]
    others: Values

    def __str__(self) -> str:
        said = "; ".join(", ".join(map(str, values)) for values in self.true)
        return said + (f"; others {', '.join(map(str, self.others))}" if self.others else "")


def thresholds(features: int, outcomes: int) -> Iterator[Values]:
    """Yield e-values of mean at most 1 at N outcomes, each 0 or N/k, to which nothing can be added."""
    each = [Fraction(0), *(Fraction(outcomes, k) for k in range(features, 0, -1))]
    for values in product(each, repeat=outcomes):
        rest = outcomes - sum(values)
        if rest >= 0 and all(y > x + rest for x in values for y in each if y > x):
            yield values


def discoveries(d: int, n: int) -> Iterator[Tests]:
    """Yield up to d features on n outcomes, up to the order of the outcomes: the first true null is sorted."""
    for features in range(1, d + 1):
        each = list(thresholds(features, n))
        for true in range(1, features + 1):
            others = product([Fraction(0), *(Fraction(n, k) for k in range(features, 0, -1))], repeat=features - true)
            for other in others:
                for rest in product(each, repeat=true - 1):
                    first = (x for x in each if list(x) == sorted(x))
                    yield from (Tests((values, *rest), other) for values in first)


def errs_rarely(rates: Rates = discovery_rates, n: int = 4) -> Exhaustive:
    """The mean share of true nulls among the features that pass is at most alpha m/d, m of d features being nulls."""

    def holds(case: Tests) -> bool:
        true, features = len(case.true), len(case.true) + len(case.others)
        share, alpha = Fraction(0), Fraction(features, n)
        for at in zip(*case.true, strict=True):
            passed = [rate <= alpha for rate in rates([*at, *case.others])]
            share += Fraction(sum(passed[:true]), max(sum(passed), 1))
        return share / n <= alpha * true / features

    return Exhaustive(Cases(lambda d: discoveries(d, n), size=None, d=upto(3)), holds)


def uncorrected(evalues: Sequence[Fraction]) -> list[Any]:
    return [1 / x if x else 2 for x in evalues]


def of_those_above_zero(evalues: Sequence[Fraction]) -> list[Any]:
    some = iter(discovery_rates([x for x in evalues if x > 0]))
    return [next(some) if x > 0 else 2 for x in evalues]


def one_rank_more(evalues: Sequence[Fraction]) -> list[Any]:
    ranks = [sum(y >= x for y in evalues) + 1 for x in evalues]
    steps = [len(evalues) / (rank * x) if x else Fraction(2) for x, rank in zip(evalues, ranks, strict=True)]
    return [min(step for step, y in zip(steps, evalues, strict=True) if y <= x) for x in evalues]


ONE, OPPOSED = Law(is_evalue, cases=single, M=upto(7)), Law(is_evalue, cases=opposed, M=upto(6))
TWO = Law(is_evalue, cases=pairs, M=upto(3), w=upto(2))
RARE = Law(errs_rarely)

THEOREMS = [
    Theorem(
        key="inference.calibrated_pvalue_is_evalue",
        statement="if a p-value is at most t with probability at most t, for every t, then p^(-1/2) - 1 has a mean of"
        " at most 1; so has a weighted mean of several, whatever their dependence, with weights that do not depend on"
        " them",
        source="shafer2021 for p^(-1/2) - 1; vovk2021 for means",
        holds=All(step=Law(falls_short), one=ONE, two=TWO, opposed=OPPOSED),
        premises=(Premise("calibrated_pvalues_are_evalues", "kernel", {"M": ALL, "w": ALL}),),
        fails=(
            Law(falls_short).but("a step may add twice the roots' difference, and no less", power=1),
            ONE.but("so has p^(-1/2), without the 1 that is taken away", mean=without_one_less),
            ONE.but("so has 1/p - 1", mean=reciprocal),
            OPPOSED.but("the largest of the e-values may have all the weight", mean=largest),
            OPPOSED.but("splits that cannot reject may be left out of the mean", mean=of_those_that_reject),
        ),
    ),
    Theorem(
        key="inference.evalues_err_at_most_alpha_of_discoveries",
        statement="of d features the k with the largest e-values pass, k the largest number for which the k-th is at"
        " least d/(alpha k); if the e-values of m true nulls have means of at most 1, the mean share of true nulls"
        " among those that pass is at most alpha m/d, whatever the dependence",
        source="wangramdas2022",
        holds=RARE,
        premises=(Premise("evalues_err_at_most_alpha", "kernel", {"d": ALL}),),
        fails=(
            RARE.but("those of at least 1/alpha may pass, without a correction for d", rates=uncorrected),
            RARE.but("features whose e-value is 0 need not be counted", rates=of_those_above_zero),
            RARE.but("d/(alpha (k + 1)) will do", rates=one_rank_more),
        ),
    ),
]
