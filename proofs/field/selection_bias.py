"""Which feature is chosen when none tells anything: exact chances in small nodes.

Labels stand in random order beside each feature by itself, so that the tables of two features are independent.
Source: loh1997; strobl2007; white1994 for many values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from splitcrit.proof import Exhaustive, NearMiss, Premise, Theorem
from splitcrit.proofs.null.laws import Counts, Totals, arrangements, gain, sgini_squared
from splitcrit.proofs.two_class import two_classes

Chances = tuple[Fraction, Fraction, Fraction]
LABELS: Totals = (4, 4)
HALVES, QUARTERS, SINGLES = (4, 4), (2, 2, 2, 2), (1,) * 8


def rivals(measure: Callable[[Counts], Any], one: Totals, other: Totals, labels: Totals) -> Chances:
    """The chances that a feature of these values scores more than another, as much, and less."""
    chances = [Fraction(0)] * 3
    for t, chance in arrangements(one, labels):
        for u, other_chance in arrangements(other, labels):
            a, b = measure(t), measure(u)
            chances[0 if a > b else 1 if a == b else 2] += chance * other_chance
    return chances[0], chances[1], chances[2]


def orders(labels: Totals) -> Iterator[tuple[int, ...]]:
    """Yield every order of the labels of two classes."""
    n = sum(labels)
    for places in combinations(range(n), labels[1]):
        yield tuple(int(i in places) for i in range(n))


@cache
def best_cuts(labels: Totals) -> tuple[Fraction, ...]:
    """The gain of the best cut of a feature with distinct values, for every order of the labels."""
    gains = []
    for order in orders(labels):
        n, most = len(order), Fraction(0)
        for i in range(1, n):
            left = sum(order[:i])
            most = max(most, gain(((i - left, left), (n - i - labels[1] + left, labels[1] - left))))
        gains.append(most)
    return tuple(gains)


def cut_against_halves(labels: Totals) -> Chances:
    """The chances that the best cut of a numeric feature gains more than a feature of two equal halves."""
    chances, best = [Fraction(0)] * 3, best_cuts(labels)
    for t, chance in arrangements((sum(labels) // 2,) * 2, labels):
        for most in best:
            chances[0 if most > gain(t) else 1 if most == gain(t) else 2] += chance / len(best)
    return chances[0], chances[1], chances[2]


def chances(of: Callable[[], Chances], expected: Chances) -> Exhaustive:
    """Claim that chances are these: of a higher, an equal and a lower score."""
    return Exhaustive(lambda: (expected,), lambda case: of() == case)


def between(measure: Callable[[Counts], Any], one: Totals, expected: Chances) -> Exhaustive:
    """Claim the chances of a feature of these values against one of two equal halves, at four labels of each class."""
    return chances(lambda: rivals(measure, one, HALVES, LABELS), expected)


def of_cuts(expected: Chances) -> Exhaustive:
    """Claim the chances of the best cut of a numeric feature against one of two equal halves."""
    return chances(lambda: cut_against_halves(LABELS), expected)


def fractions(below: int, *above: int) -> Chances:
    high, same, low = (Fraction(x, below) for x in above)
    return high, same, low


EVEN = fractions(2, 1, 0, 1)

THEOREMS = [
    Theorem(
        key="field.gini_chooses_many_values_of_chance",
        statement="four labels of each of two classes in random order, beside each feature by itself: by Gini's gain a"
        " feature of four values with two examples each beats one of two equal halves with the chance 918/1225 and"
        " ties with 147/1225, and one that tells all examples apart with 34/35 and 1/35",
        source="strobl2007 and loh1997 for the bias; white1994 for many values",
        holds=two_classes(
            four=between(gain, QUARTERS, fractions(1225, 918, 147, 160)),
            eight=between(gain, SINGLES, fractions(35, 34, 1, 0)),
        ),
        premises=(Premise("null.gini_mean_of_permutation", kind="theorem"),),
        fails=(
            NearMiss("each of two useless features is chosen as often: four values", between(gain, QUARTERS, EVEN)),
            NearMiss(
                "a feature of one example against seven has the chances of one of two equal halves",
                between(gain, (7, 1), EVEN),
            ),
        ),
    ),
    Theorem(
        key="field.best_cut_is_chosen_before_a_binary_feature_of_chance",
        statement="with the same labels the best cut of a feature of eight distinct values gains more than a feature"
        " of two equal halves with the chance 998/1225 and as much with 65/1225: what is picked from many is not one",
        source="strobl2007, the maximally selected Gini gain",
        holds=two_classes(of_cuts(fractions(1225, 998, 65, 162))),
        fails=(
            NearMiss("both are chosen as often", of_cuts(EVEN)),
            NearMiss("the best cut is always chosen", of_cuts(fractions(1, 1, 0, 0))),
        ),
    ),
    Theorem(
        key="field.sgini_chooses_almost_evenly_of_chance",
        statement="with the same labels SGini chooses the feature of four values with the chance 534/1225 and the"
        " halves with 691/1225, and the feature that tells all apart with 18/35: mean and variance of chance are taken"
        " out, which is nearer to a half than Gini and is not exactly a half",
        source="strobl2007, beyond it",
        holds=two_classes(
            four=between(sgini_squared, QUARTERS, fractions(1225, 534, 0, 691)),
            eight=between(sgini_squared, SINGLES, fractions(35, 18, 0, 17)),
        ),
        fails=(
            NearMiss("each is chosen exactly as often", between(sgini_squared, QUARTERS, EVEN)),
            NearMiss("so it is with a feature that tells all apart", between(sgini_squared, SINGLES, EVEN)),
        ),
    ),
]
