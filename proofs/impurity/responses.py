"""Regression: the variance is the least squared error, the deviation about the median the least absolute error.

Of class labels taken as numbers the least squared error is Gini's impurity for two values, and not for class numbers.
Source: yang2019, Table I.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.impurities import absolute_deviation, gini, variance
from splitcrit.losses import absolute_error, risk, squared_error
from splitcrit.proof import All, Erratum, Exhaustive, Identity, Induction, Law, NearMiss, Not, Premise, Smt, Theorem
from splitcrit.proofs.common import (
    HALF,
    binary_splits,
    compositions,
    count_vectors,
    distribution,
    exactly,
    kinds,
    score,
    up_to,
    vector,
)
from splitcrit.proofs.given import action, best_risk, sum_of_parts, weighted
from splitcrit.proofs.two_class import agree, node_splits, two_classes


# The sums are of the weights n, of n y and of n y^2, for any responses y.
def square_excess(action_is_mean: bool) -> Induction:
    """Claim that an action w, or the mean that the library names, risks the variance and (w - mean)^2."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, values = weighted(entries), tuple(e.y for e in entries)
        w = action(squared_error(values), p, m) if action_is_mean else v.w
        mean = sum(x * y for x, y in zip(p, values, strict=True))
        return risk(squared_error(values), w, p, m), variance(values).of(p, m) + (w - mean) ** 2

    def closed(s: Any, v: Any, m: Any) -> Any:
        mean, square = s[1] / s[0], s[2] / s[0]
        w = mean if action_is_mean else v.w
        return w * w - 2 * w * mean + square, square - mean * mean + (w - mean) ** 2

    return Induction(
        "K",
        {"n": "positive", "y": "real"},
        formula,
        lambda e, v, m: [e.n, e.n * e.y, e.n * e.y**2],
        closed,
        shared={"w": "real"},
        keeps=lambda s, v, m: [s[0] > 0],
    )


def unbiased(counts: Any) -> Fraction:
    """The sample variance of responses 0, 1 with denominator n - 1, and 0 for a single example."""
    n = sum(counts)
    biased = variance((0, 1)).of([Fraction(x, n) for x in counts], EXACT)
    return Fraction(biased * n / max(n - 1, 1))


def reduces(t: Any) -> bool:
    """State that the reduction of the unbiased variance is not negative."""
    node = [x + y for x, y in zip(*t, strict=True)]
    return bool(unbiased(node) >= sum(Fraction(sum(row), sum(node)) * unbiased(row) for row in t))


def named(error: Callable[[Any], Any]) -> Callable[[tuple[int, ...], Any], Any]:
    """The action that an error names as its best, of responses and class counts."""
    return lambda values, counts: action(error(values), [Fraction(x, sum(counts)) for x in counts], EXACT)


def median_is_as_good(n: Any) -> bool:
    p, error = exactly([n])[0], squared_error((0, 1, 3))
    return bool(risk(error, median((0, 1, 3), n), p, EXACT) == best_risk(error, p, EXACT))


# A median u: at least half of the weight lies at or below it, and at or above it. Another action is w.
def median_is_best(above: bool) -> Induction:
    """Claim that w beyond u, on one side, risks as much more as |w - u| times the surplus of weight up to u."""

    def far(e: Any, v: Any, m: Any) -> Any:
        return m.where(e.y > v.u if above else e.y < v.u, -1, 1)

    def surplus(e: Any, v: Any, m: Any) -> Any:
        return (v.w - v.u if above else v.u - v.w) * e.p * far(e, v, m)

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, error = [e.p for e in entries], absolute_error(tuple(e.y for e in entries))
        gap = risk(error, v.w, p, m) - risk(error, v.u, p, m)
        return gap - sum(surplus(e, v, m) for e in entries)

    return sum_of_parts(
        {"p": "positive", "y": "real"},
        formula,
        lambda e, v, m: e.p * (m.abs(v.w - e.y) - m.abs(v.u - e.y)) - surplus(e, v, m),
        {"w": "real", "u": "real"},
        1,
        where=lambda e, v, m: [v.w >= v.u if above else v.w <= v.u],
    )


def absolute_excess(share: Fraction) -> Smt:
    """Claim that no action risks less than ``share`` of the deviation about the median of responses 0, 1, 3."""

    def conclusion(v: Any, m: Any) -> Any:
        p = vector(v, "p", 3)
        deviation = absolute_deviation((0, 1, 3)).of(p, m)
        return share * deviation <= risk(absolute_error((0, 1, 3)), v.w, p, m)

    variables = kinds("rate", "p", classes=3) | {"w": "real"}
    return Smt(variables, conclusion, lambda v, m: sum(vector(v, "p", 3)) == 1)


def absolute_attained(act: Callable[[tuple[int, ...], Any], Any]) -> Exhaustive:
    """Claim that an action risks the deviation about the median, for five triples of responses."""

    def holds(case: Any) -> bool:
        values, n = case
        exact = exactly([n])[0]
        whole = sum(exact) * absolute_deviation(values).of([x / sum(exact) for x in exact], EXACT)
        return bool(risk(absolute_error(values), act(values, n), exact, EXACT) == whole)

    def cases(most: int, classes: int) -> Iterator[Any]:
        return ((y, n) for y in RESPONSES for n in count_vectors(most, classes))

    return up_to(6, cases, holds, lambda case: sum(case[1]), K=3)


def costs_differ(counts: Any) -> bool:
    """State that the two actions 0 and 1 cost differently for responses 0 and 1."""
    zero, one = (risk(absolute_error((0, 1)), w, exactly([counts])[0], EXACT) for w in (0, 1))
    return bool(zero != one)


def two_values(factor: Fraction) -> Identity:
    return Identity(
        kinds("positive", "p", classes=2) | kinds("real", "u", "v"),
        lambda v, m: variance((v.u, v.v)).of(distribution(v, 2), m),
        lambda v, m: factor * (v.u - v.v) ** 2 * gini.of(distribution(v, 2), m),
    )


def order_of(values: tuple[int, ...], most: int, least: int = 2) -> Exhaustive:
    """Claim that Gini and the squared error of the labels as numbers never order two splits of a node oppositely."""
    by_gini, by_number = (partial(score, decrease(of)) for of in (gini, variance(values)))
    nodes = partial(count_vectors, least=least)
    return up_to(most, lambda *sizes: node_splits(nodes(*sizes)), agree(by_gini, by_number), K=len(values))


median, mean = named(absolute_error), named(squared_error)
RESPONSES = [(0, 1, 3), (0, 3, 1), (2, 0, 1), (0, 0, 3), (-2, 0, 5)]
BOUND, ATTAINED = Law(absolute_excess, share=Fraction(1)), Law(absolute_attained, act=median)
TWO_VALUES, NUMBERS = Law(two_values, factor=HALF), Law(order_of, values=(1, 2, 3), most=3)
AS_NUMBERS = NUMBERS.but("they agree on every node of up to 4 examples", most=4)
MEAN_HAS_IT = ATTAINED.but("the mean has it too", act=mean)

THEOREMS = [
    Theorem(
        key="impurity.variance_is_least_squared_error",
        statement="the squared error risks variance + (w - mean)^2: the best action is the mean alone, the"
        " least risk the variance with denominator n",
        source="yang2019, Table I",
        holds=All(excess=square_excess(False), library=square_excess(True)),
        fails=(
            NearMiss(
                "the reduction of the sample variance with denominator n - 1 is never negative either",
                Exhaustive(lambda: binary_splits(4), reduces),
            ),
            NearMiss("the median costs no more", Exhaustive(lambda: count_vectors(4, 3), median_is_as_good)),
        ),
    ),
    Theorem(
        key="impurity.median_has_least_absolute_error",
        statement="the absolute error is least at a median u: another action w risks at least |w - u| times what the"
        " weight up to u exceeds the weight beyond it by, which is not negative for a median; of any responses",
        source="yang2019, Table I",
        holds=All(above=median_is_best(True), below=median_is_best(False)),
        fails=(
            MEAN_HAS_IT,
            NearMiss(
                "it is least at one action only (values 0 and 1)", Exhaustive(lambda: compositions(4, 2), costs_differ)
            ),
        ),
    ),
    Theorem(
        key="impurity.absolute_deviation_is_least_absolute_error",
        statement="the mean absolute deviation about the median, as the library has it, is the least absolute error: no"
        " action risks less (responses 0, 1, 3), and the median that the loss names reaches it (five triples)",
        source="yang2019, Table I",
        holds=All(bound=BOUND, library=ATTAINED),
        fails=(
            ATTAINED.but("the mean attains it too", act=mean),
            BOUND.but("the risk is at least 5/4 of it", share=Fraction(5, 4)),
        ),
        premises=(Premise("impurity.median_has_least_absolute_error", "theorem"),),
        added="the deviation is taken about the median, not the mean",
    ),
    Theorem(
        key="impurity.gini_is_half_least_squared_error_of_two_values",
        statement="with two numbers u, v as labels of two classes the squared error's least risk is (u - v)^2 / 2 times"
        " Gini: half of it for 0 and 1, twice for -1 and 1",
        source="yang2019, Table I",
        holds=two_classes(TWO_VALUES),
        fails=(
            TWO_VALUES.but("the scale is that of one-hot labels, (u - v)^2 times Gini", factor=Fraction(1)),
            NearMiss(
                "the same with labels 0, 1, 2 and three classes",
                Identity(
                    kinds("positive", "p", classes=3),
                    lambda v, m: variance((0, 1, 2)).of(distribution(v, 3), m),
                    lambda v, m: gini.of(distribution(v, 3), m) / 2,
                ),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="impurity.gini_is_not_squared_error_of_class_numbers",
        statement="with the class numbers 1, 2, 3 as labels the square loss can order two splits of a node opposite to"
        " Gini; the smallest node has 4 examples",
        source="yang2019, Table I",
        holds=All(none_smaller=NUMBERS, four=Not(order_of((1, 2, 3), 4, 4))),
        fails=(
            AS_NUMBERS,
            NearMiss("with labels 1, 2 and two classes they disagree too", Not(order_of((1, 2), 6)), "hypothesis"),
            NUMBERS.but(
                "they agree when the numbers are far apart (1, 2, 9)", values=(1, 2, 9), most=4, alters="hypothesis"
            ),
        ),
        added="one-hot labels, or two classes",
    ),
]
ERRATA = [
    Erratum("Y-E3", AS_NUMBERS.claim, "impurity.gini_is_not_squared_error_of_class_numbers"),
    Erratum("Y-E4d", MEAN_HAS_IT.claim, "impurity.median_has_least_absolute_error"),
]
