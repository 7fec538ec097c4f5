"""Scores of splits of a column: their mean by chance, and the best subset of a category for normal responses.

Objects have responses ``y_u``, centred, with ``SS = sum |y_u|^2``. A split that puts m of n objects on its left scores
``G = |sum_left y|^2 n (n - 1) / (m (n - m) SS)``. Levels of ``a_i`` objects whose responses sum to ``d_i`` score
``S = (n - 1)/SS sum_i d_i^2 / a_i`` together.
Source: own; the independence of length and direction is classical.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from splitcrit.nulls.best_split import ColumnStructure, Labels, best_scores
from splitcrit.proof import All, Cases, Exhaustive, Law, Premise, Theorem, upto
from splitcrit.proofs.inference.outcomes import positive

CLOSE = 1e-9


class Responses(NamedTuple):
    """Responses, one for each object."""

    y: tuple[int, ...]

    def __str__(self) -> str:
        return f"responses {', '.join(map(str, self.y))}"

    @property
    def centred(self) -> list[Fraction]:
        """The responses less their mean."""
        mean = Fraction(sum(self.y), len(self.y))
        return [y - mean for y in self.y]


def responses(most: int) -> Iterator[Responses]:
    """Yield responses that differ, of two classes and of numbers, one of which is large."""
    for n in range(2, most + 1):
        for y in product((0, 1, 7), repeat=n):
            if len(set(y)) > 1 and list(y) == sorted(y):
                yield Responses(y)


Score = Callable[[list[Fraction], tuple[int, ...]], Fraction]


def score(y: list[Fraction], left: tuple[int, ...]) -> Fraction:
    """The score of a split."""
    n, m, square = len(y), len(left), sum(x * x for x in y)
    return sum((y[u] for u in left), Fraction(0)) ** 2 * n * (n - 1) / (m * (n - m) * square)


def library(y: list[Fraction], left: tuple[int, ...]) -> Fraction:
    """The score of a split if the library's is the same to nine digits, and -1 if it is not."""
    n, m, exact = len(y), len(left), score(y, left)
    sums = np.array([[[float(sum(y[u] for u in left))], [-float(sum(y[u] for u in left))]]])
    labels = Labels.of_responses(np.array(y, float))
    structure = ColumnStructure(np.array([m, n - m]), labels, False, False, 1)
    same = best_scores(sums / max(map(abs, y)), structure)[0]
    return exact if abs(same - exact) <= CLOSE * (1 + exact) else Fraction(-1)


def with_squares(y: list[Fraction], left: tuple[int, ...]) -> Fraction:
    return score(y, left) * len(y) / (len(y) - 1)


def of_best(y: list[Fraction], left: tuple[int, ...]) -> Fraction:
    """The better score of a split and of that which moves the last object over."""
    return max(score(y, some) for some in (left, left[:-1]) if some)


def has_mean_one(of: Score = score, rounded: bool = False) -> Exhaustive:
    """The mean score of a split over all orders of the responses is 1: over all sets of objects on its left."""

    def holds(case: Responses) -> bool:
        y = case.centred
        each = range(1, len(y))
        return all(sum(of(y, left) for left in combinations(range(len(y)), m)) == comb(len(y), m) for m in each)

    return Exhaustive(Cases(responses, n=upto(6)), holds, rounded=rounded)


class Levels(NamedTuple):
    """Sizes of levels and sums of their centred responses, each times the number of objects."""

    sizes: tuple[int, ...]
    sums: tuple[int, ...]

    def __str__(self) -> str:
        return f"levels of {', '.join(map(str, self.sizes))} objects, sums {', '.join(map(str, self.sums))}"


def levels(most: int) -> Iterator[Levels]:
    """Yield levels with sums that add up to 0 and are not all 0."""
    for n in range(2, most + 1):
        for v in range(2, min(n, 4) + 1):
            for sizes in positive(n, v):
                for first in product(range(-2, 3), repeat=v - 1):
                    if any(first):
                        yield Levels(sizes, (*first, -sum(first)))


def best_subset(case: Levels) -> Fraction:
    """The best score of the subsets of levels for a sum of squares of ``n (n - 1)``."""
    n, v, best = sum(case.sizes), len(case.sizes), Fraction(0)
    for chosen in (some for size in range(1, v) for some in combinations(range(v), size)):
        m = sum(case.sizes[i] for i in chosen)
        best = max(best, Fraction(sum(case.sums[i] for i in chosen) ** 2, m * (n - m)))
    return best


def table(case: Levels) -> Fraction:
    """The score of all levels, in the same unit."""
    n = sum(case.sizes)
    return sum((Fraction(d * d, a) for d, a in zip(case.sums, case.sizes, strict=True)), Fraction(0)) / n


def ratio(case: Levels) -> Fraction:
    """The ratio of the two, by the library to nine digits."""
    n, exact = sum(case.sizes), best_subset(case) / table(case)
    labels = Labels(np.array([[(n * (n - 1.0)) ** 0.5]]), np.ones(1, np.int64), False)  # of this sum of squares
    structure = ColumnStructure(np.array(case.sizes), labels, True, False, 1)
    library = best_scores(np.array(case.sums, float)[None, :, None], structure)[0] / float(table(case))
    return exact if abs(library - exact) <= CLOSE else Fraction(-1)


def of_single_levels(case: Levels) -> Fraction:
    n = sum(case.sizes)
    each = (Fraction(d * d, a * (n - a)) for d, a in zip(case.sums, case.sizes, strict=True))
    return max(each) / table(case)


def is_of_direction(of: Callable[[Levels], Fraction] = ratio) -> Exhaustive:
    """The best subset's share of the table's score is above 0, at most 1, the same for sums 3 times as large, exact."""

    def holds(case: Levels) -> bool:
        share, larger = of(case), case._replace(sums=tuple(3 * d for d in case.sums))
        return 0 < share <= 1 and of(larger) == share == best_subset(case) / table(case)

    return Exhaustive(Cases(levels, n=upto(6)), holds, rounded=True)


class Sizes(NamedTuple):
    """Sizes of levels, and how many objects have class 1."""

    sizes: tuple[int, ...]
    ones: int

    def __str__(self) -> str:
        return f"levels of {', '.join(map(str, self.sizes))} objects, {self.ones} of class 1"


def is_mixture() -> Exhaustive:
    """The law of the best subset is that of the table's score times an independent share, for random classes."""

    def cases(most: int) -> Iterator[Sizes]:
        for n in range(3, most + 1):
            yield from (Sizes(sizes, ones) for sizes in positive(n, 3) for ones in range(1, n))

    def holds(case: Sizes) -> bool:
        n, joint = sum(case.sizes), Counter[Any]()
        for x in product(*(range(a + 1) for a in case.sizes)):
            sums = tuple(n * k - a * case.ones for k, a in zip(x, case.sizes, strict=True))
            if sum(x) == case.ones and any(sums):
                each = Levels(case.sizes, sums)
                ways = [comb(a, k) for a, k in zip(case.sizes, x, strict=True)]
                joint[table(each), best_subset(each) / table(each)] += int(np.prod(ways))
        whole, law, mixed = joint.total(), Counter[Any](), Counter[Any]()
        for (s, rho), number in joint.items():
            law[s * rho] += number * whole
            for (_, other), times in joint.items():
                mixed[s * other] += number * times
        return law == mixed

    return Exhaustive(Cases(cases, n=upto(6)), holds)


ONE, DIRECTION = Law(has_mean_one), Law(is_of_direction)
NORMAL = "length and direction of a vector whose coordinates are independent and normal are independent"

THEOREMS = [
    Theorem(
        key="null.score_of_fixed_split_has_mean_one",
        statement="over all orders of the responses, classes or numbers, |sum_left y|^2 n (n - 1)/(m (n - m) SS) has"
        " mean 1 for every split of m objects against n - m that is fixed beforehand, whatever m",
        source="new in this form; it is the mean of the Gini gain, or of the decrease of variance, as the unit",
        holds=All(by_fractions=ONE, by_library=has_mean_one(library, rounded=True)),
        premises=(Premise("null.gini_mean_of_permutation", kind="theorem"),),
        fails=(
            ONE.but("with n^2 in the place of n (n - 1)", of=with_squares),
            ONE.but("so has the better of two splits", of=of_best, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="null.best_subset_is_table_times_direction",
        statement="the best score over the subsets of the levels of a category is the score S of its whole table times"
        " a share rho of at most 1 that the direction of the sums decides; for normal responses rho is independent of"
        " S, so that P(best >= g) = E P(S >= g / rho)",
        source="new; the smooth tail of splitcrit.nulls.best_subset_law, whose scope is the normal limit",
        holds=DIRECTION,
        premises=(Premise(NORMAL),),
        fails=(
            DIRECTION.but("rho is that of the best single level", of=of_single_levels),
            Law(is_mixture).but("for random orders of classes rho is independent of S as well", alters="hypothesis"),
        ),
    ),
]
