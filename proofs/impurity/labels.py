"""Gini's impurity as the least squared error of labels that are numbers: of two values, and not of class numbers.

Main definitions: ``order_of``.
Source: yang2019, Table I.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import gini, variance
from splitcrit.proof import All, Each, Exhaustive, Identity, Law, NearMiss, Not, Theorem
from splitcrit.proofs.common import count_vectors, distribution, kinds, lefts, score, split, up_to
from splitcrit.proofs.given import HALF

P2, P3 = kinds("positive", "p", classes=2), kinds("positive", "p", classes=3)


def two_values(factor: Fraction) -> Identity:
    return Identity(
        P2 | {"u": "real", "v": "real"},
        lambda v, m: variance((v.u, v.v)).of(distribution(v, 2), m),
        lambda v, m: factor * (v.u - v.v) ** 2 * gini.of(distribution(v, 2), m),
    )


def order_of(values: tuple[int, ...], most: int, least: int = 2) -> Exhaustive:
    """Claim that Gini and the squared error of the labels as numbers never order two splits of a node oppositely."""
    index, one = decrease(variance(values)), decrease(gini)

    def pairs(most: int, classes: int) -> Any:
        for counts in count_vectors(most, classes, least):
            here = [split(counts, left) for left in lefts(counts)]
            yield from ((s, u) for s in here for u in here)

    def holds(pair: Any) -> bool:
        return not (score(one, pair[0]) > score(one, pair[1]) and score(index, pair[0]) < score(index, pair[1]))

    return up_to(most, pairs, holds, K=len(values))


TWO_VALUES = Law(two_values, factor=HALF)
NUMBERS = Law(order_of, values=(1, 2, 3), most=3)

THEOREMS = [
    Theorem(
        key="impurity.gini_is_half_least_squared_error_of_two_values",
        statement="with two numbers u, v as labels of two classes the squared error's least risk is (u - v)^2 / 2 times"
        " Gini: half of it for 0 and 1, twice for -1 and 1",
        source="yang2019, Table I",
        holds=Each("K", (2,), lambda K: TWO_VALUES),
        fails=(
            TWO_VALUES.but("the scale is that of one-hot labels, (u - v)^2 times Gini", factor=Fraction(1)),
            NearMiss(
                "the same with labels 0, 1, 2 and three classes",
                Identity(
                    P3,
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
            NUMBERS.but("they agree on every node of up to 4 examples", most=4),
            NearMiss("with labels 1, 2 and two classes they disagree too", Not(order_of((1, 2), 6)), "hypothesis"),
            NUMBERS.but(
                "they agree when the numbers are far apart (1, 2, 9)", values=(1, 2, 9), most=4, alters="hypothesis"
            ),
        ),
        added="one-hot labels, or two classes",
    ),
]
