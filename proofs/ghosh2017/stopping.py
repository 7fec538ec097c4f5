"""Statements of ghosh2017, Section 3.3: when a node without gain becomes a leaf, in the limit and at finite sizes.

Main results: no gain stays no gain in the limit; a pure node is split by noise the more surely the larger it is.
Source: ghosh2017, Section 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from splitcrit import criteria
from splitcrit.noise import class_conditional
from splitcrit.proof import All, Erratum, Exhaustive, NearMiss, Theorem
from splitcrit.proofs.common import binary_splits, exactly, noisy
from splitcrit.proofs.ghosh2017.setting import (
    HALF,
    RATES,
    ROBUST,
    chance,
    flipped,
    gini_gain,
    misclassification_gain,
    outcomes,
    shaken,
    value,
)

TENTH = Fraction(1, 10)
SOME = (TENTH, Fraction(3, 10), Fraction(4, 5))
Pure = tuple[int, Fraction]


def splits(rates: tuple[Fraction, ...]) -> Iterator[tuple[Any, Fraction]]:
    yield from product(binary_splits(6), rates)


def zero_kept(case: tuple[Any, Fraction]) -> bool:
    """Tell whether a split has a gain before noise if and only if it has one in the expected table after it."""
    table, eta = case
    return all((value(c, table) == 0) == (value(c, shaken(table, eta)) == 0) for c in ROBUST)


def gains(table: Any, eta: Fraction, criterion: Any) -> Fraction:
    """Return the chance that the noisy gain is positive."""
    return sum((w for t, w in outcomes(table, eta) if value(criterion, t) > 0), Fraction(0))


def halves(half: int) -> list[list[int]]:
    """Return the split of a pure node into two equal halves."""
    return [[0, half], [0, half]]


def differ(half: int, eta: Fraction) -> Fraction:
    """Return the chance that two sets of so many examples have different numbers of flips."""
    return 1 - chance(sum(w * w for w in flipped(half, eta)), 2 * half, eta)


def mean_gain(half: int, eta: Fraction) -> Fraction:
    return sum((w * value(gini_gain, t) for t, w in outcomes(halves(half), eta)), Fraction(0))


def pure(most: int) -> Iterator[Pure]:
    yield from product(range(1, most + 1), SOME)


def undecided(size: int) -> list[list[int]]:
    """Return a split without misclassification gain: a left child in a tie and a pure right one."""
    return [[size, size], [0, 2 * size]]


@cache
def tie_gains(size: int) -> Fraction:
    """Return the chance of a positive noisy gain of ``undecided`` at eta = 1/10."""
    return gains(undecided(size), TENTH, misclassification_gain)


def twoing_gains(half: int, eta: Fraction) -> Fraction:
    return gains(halves(half), eta, criteria.twoing)


RATES_40_20 = class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5))

# Sizes of a pure node, and hundredths that the chance of a positive gain exceeds at eta = 1/10.
SURE = ((20, 68), (100, 86), (1000, 95))

THEOREMS = [
    Theorem(
        key="stopping.zero_gain_is_kept_in_the_limit",
        statement="for Gini, misclassification and twoing a split has no gain in the expected table after symmetric"
        " noise, eta != 1/2, if and only if it has none before",
        source="ghosh2017, Section 3.3",
        scope="two classes: every split with N <= 6 and seven rates; all sizes by the three rescaling theorems",
        premises=(
            "noise.gini_gain_rescales_of_symmetric",
            "noise.misclassification_gain_rescales_of_symmetric",
            "noise.twoing_rescales_of_symmetric",
        ),
        added="the expected table, that is the limit of large nodes",
        holds=Exhaustive(lambda: splits(RATES), zero_kept),
        fails=(
            NearMiss("at eta = 1/2 too", Exhaustive(lambda: splits((HALF,)), zero_kept), alters="hypothesis"),
            NearMiss(
                "for misclassification also under class-conditional noise with both rates below 1/2",
                Exhaustive(
                    lambda: binary_splits(5),
                    lambda t: (
                        value(misclassification_gain, t) > 0
                        or value(misclassification_gain, noisy(exactly(t), RATES_40_20)) == 0
                    ),
                ),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="stopping.pure_node_is_split_by_noise",
        statement="a pure node of n examples has no Gini or twoing gain, but after symmetric noise a split into halves"
        " gains 2 eta (1 - eta)/n on average, and gains with a chance that grows with n: above 0.68, 0.86 and 0.95 at n"
        " = 20, 100 and 1000 for eta = 1/10",
        source="ghosh2017, Section 3.3",
        scope="halves of up to 6 examples on the library's own face, of up to 60 by the exact law; rates 1/10, 3/10,"
        " 4/5; n = 20, 100, 1000 at eta = 1/10",
        holds=All(
            Exhaustive(
                lambda: pure(6), lambda c: gains(halves(c[0]), c[1], gini_gain) == differ(*c) == twoing_gains(*c)
            ),
            Exhaustive(lambda: pure(6), lambda c: mean_gain(*c) == c[1] * (1 - c[1]) / c[0]),
            Exhaustive(lambda: pure(60), lambda c: 0 < differ(*c) < differ(c[0] + 1, c[1])),
            Exhaustive(lambda: SURE, lambda c: differ(c[0] // 2, TENTH) > Fraction(c[1], 100)),
        ),
        fails=(
            NearMiss(
                "the chance falls with the size of the node",
                Exhaustive(lambda: pure(10), lambda c: differ(*c) > differ(c[0] + 1, c[1])),
            ),
            NearMiss(
                "for misclassification the chance grows too",
                Exhaustive(
                    lambda: pure(5),
                    lambda c: (
                        gains(halves(c[0]), c[1], misclassification_gain)
                        < gains(halves(c[0] + 1), c[1], misclassification_gain)
                    ),
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the mean gain is that of permuted labels, with n - 1 in place of n",
                Exhaustive(lambda: pure(6), lambda c: mean_gain(*c) == 2 * c[1] * (1 - c[1]) / (2 * c[0] - 1)),
            ),
        ),
        latex=r"\Pr[\widetilde{\mathrm{gain}} > 0] = 1 - \sum_j \Pr[\mathrm{Bin}(n/2,\eta) = j]^2",
    ),
    Theorem(
        key="stopping.misclassification_tie_is_split_by_noise",
        statement="a split with a tied child and a pure child of the same size has no misclassification gain, but at"
        " eta = 1/10 the chance of a gain after noise grows with the size, to above 1/3 for children of 20 examples",
        source="ghosh2017, Section 3.3",
        scope="children of 2, 4, ..., 20 examples, eta = 1/10, exact law on the library's own face",
        holds=All(
            Exhaustive(lambda: range(1, 11), lambda s: value(misclassification_gain, undecided(s)) == 0),
            Exhaustive(lambda: range(1, 10), lambda s: tie_gains(s) < tie_gains(s + 1)),
            Exhaustive(lambda: (10,), lambda s: tie_gains(s) > Fraction(1, 3)),
        ),
        fails=(
            NearMiss(
                "the chance grows without the tie, in a pure node",
                Exhaustive(
                    lambda: range(2, 5),
                    lambda s: (
                        gains(halves(s), TENTH, misclassification_gain)
                        < gains(halves(s + 2), TENTH, misclassification_gain)
                    ),
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the chance is that of a negative majority in the tied child, 1/2 for want of ties",
                Exhaustive(lambda: range(1, 11), lambda s: tie_gains(s) >= HALF),
            ),
        ),
    ),
]

ERRATA = [
    Erratum(
        "G-E5",
        printed=Exhaustive(lambda: pure(3), lambda c: gains(halves(c[0]), c[1], gini_gain) == 0),
        corrected="stopping.pure_node_is_split_by_noise",
    ),
]
