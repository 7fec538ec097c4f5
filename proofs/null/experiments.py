"""Measures of the experiments: significance counts, values drawn again, printed columns, Algorithm 1's vectors.

Source: wang2024, Section 4, eqs. (32)-(34), Tables 5 and 6, Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from typing import Any

from splitcrit.proof import All, Cases, Erratum, Exhaustive, Law, NearMiss, Theorem, upto
from splitcrit.proofs.common import compositions, up_to

Interval = tuple[Fraction, Fraction]  # mean and half-width of an algorithm on a data set
LEVELS = [(Fraction(x), Fraction(w, 2)) for x, w in product((0, 1, 2), (0, 1))]
Results = tuple[tuple[Interval, ...], ...]  # by data set, then by algorithm
Clusters = tuple[tuple[int, ...], ...]
LOW, HIGH = -(10**6), 10**6


def results() -> Iterator[Results]:
    """Yield the results of two and three algorithms on one data set and of two on two."""
    yield from ((row,) for k in (2, 3) for row in product(LEVELS, repeat=k))
    yield from product(product(LEVELS[:4], repeat=2), repeat=2)


def better(a: Interval, b: Interval) -> bool:
    return a[0] - a[1] > b[0] + b[1]


def won(r: Results) -> int:
    """Eq. (33): how often the first algorithm is significantly better."""
    return sum(better(row[0], other) for row in r for other in row)


def printed_losses(r: Results) -> int:
    """Eq. (34): how often its lower end does not exceed the other's upper end."""
    return sum(row[0][0] - row[0][1] <= other[0] + other[1] for row in r for other in row)


def losses(r: Results) -> int:
    """How often another algorithm is significantly better."""
    return sum(better(other, row[0]) for row in r for other in row[1:])


def draws(r: Results) -> int:
    """How often neither of two different algorithms is significantly better."""
    return sum(not better(row[0], other) and not better(other, row[0]) for row in r for other in row[1:])


def losses_are(of: Callable[[Results], int]) -> Exhaustive:
    return Exhaustive(results, lambda r: printed_losses(r) == of(r))


NO_WIN = Law(losses_are, of=lambda r: losses(r) + draws(r) + len(r))
AS_COUNTED = NO_WIN.but("it counts how often another algorithm is significantly better", of=losses)
COUNTS = Theorem(
    key="null.printed_losses_are_all_that_is_no_win",
    statement="the printed count of losses is |data sets| |algorithms| minus the wins: losses, draws, and the algorithm"
    " against itself; the printed difference is twice the wins minus a constant (one data set with two or three"
    " algorithms, two with two; means 0, 1, 2, half-widths 0, 1/2)",
    source="wang2024, eqs. (32)-(34)",
    holds=All(
        complement=losses_are(lambda r: sum(map(len, r)) - won(r)),
        parts=NO_WIN,
        difference=Exhaustive(results, lambda r: won(r) - printed_losses(r) == 2 * won(r) - sum(map(len, r))),
    ),
    fails=(AS_COUNTED, NO_WIN.but("it counts that, and the algorithm against itself", of=lambda r: losses(r) + len(r))),
)
RATES = tuple(map(Fraction, ("3/10", "1/2", "7/10", "1")))


def differs(values: int, rate: Fraction) -> Fraction:
    """``P(A != Y)`` if a share ``rate`` of A, equal to Y before, is drawn again from all values."""
    return rate * sum((Fraction(1, values) for x in range(values) if x != 0), Fraction(0))


def redrawn(most: int) -> Iterator[tuple[int, Fraction]]:
    return product(range(2, most + 1), RATES)


AS_RATE = NearMiss("it differs with probability p", Exhaustive(lambda: [(3, RATES[1])], lambda c: differs(*c) == c[1]))
REDRAWN = Theorem(
    key="null.redrawn_value_differs_of_rate",
    statement="if a share p of a feature equal to the label is drawn again from r values, it differs from the label"
    " with probability p (1 - 1/r), at p = 3/10, 1/2, 7/10 and 1: equal p is not equal agreement for different r",
    source="wang2024, Section 4",
    holds=Exhaustive(Cases(redrawn, values=upto(50)), lambda c: differs(*c) == c[1] * (1 - Fraction(1, c[0]))),
    fails=(
        AS_RATE,
        NearMiss(
            "with p = 0.5 for both, features of 3 and of 50 values agree with the label equally often",
            Exhaustive(lambda: [(3, 50)], lambda c: differs(c[0], RATES[1]) == differs(c[1], RATES[1])),
        ),
    ),
)

ACCURACY_AIR = (92, 63, 73, 63, 21, 74, 62, 61, 82, 84, 85, 60)
ACCURACY_PIMP = (92, 62, 70, 64, 21, 75, 69, 55, 64, 78, 82, 51)
SECOND_COLUMN = (83, 36, 45, 26, 16, 48, 43, 49, 79, 81, 68, 39)
THIRD_COLUMN = (82, 35, 38, 27, 16, 48, 47, 40, 57, 74, 61, 26)


def columns(second: tuple[int, ...], third: tuple[int, ...]) -> Exhaustive:
    """The claim that rounded accuracies can belong to the second and the third column of pure ones."""
    pairs = ((second, SECOND_COLUMN), (third, THIRD_COLUMN))
    rows = [(i, a, p) for of, pure in pairs for i, (a, p) in enumerate(zip(of, pure, strict=True), 1)]
    return Exhaustive(lambda: rows, lambda c: c[2] <= c[1] + 1)


def ranked(ranks: Callable[[], Any], first: range) -> Exhaustive:
    """The claim that twelve ranks average to 1.17, rounded, with this number of first ones."""
    return Exhaustive(
        ranks, lambda r: r.count(1) in first and abs(Fraction(sum(r), 12) - Fraction("1.17")) < Fraction(1, 200)
    )


def of_sum(whole: int) -> Iterator[tuple[int, ...]]:
    return (r for r in combinations_with_replacement(range(1, 7), 12) if sum(r) == whole)


def clusterings(most: int) -> Iterator[Clusters]:
    """Yield the ways to cut the values 0, 10, 20, ... into consecutive clusters."""
    for count in range(2, most + 1):
        for sizes in (s for k in range(1, count + 1) for s in compositions(count, k) if min(s)):
            starts = [sum(sizes[:i]) for i in range(len(sizes))]
            yield tuple(tuple(10 * x for x in range(s, s + m)) for s, m in zip(starts, sizes, strict=True))


def ends(clusters: Clusters) -> list[int]:
    """The printed vector: largest and smallest values of neighbours, between infinities."""
    return [LOW, *(x for left, right in pairwise(clusters) for x in (max(left), min(right))), HIGH]


def middles(clusters: Clusters) -> list[int]:
    return [LOW, *((max(left) + min(right)) // 2 for left, right in pairwise(clusters)), HIGH]


def intervals(cuts: list[int], clusters: Clusters) -> list[tuple[int, ...]]:
    """The training values between neighbouring cuts; what lies between two clusters holds none."""
    values = [x for cluster in clusters for x in cluster]
    gaps = {(max(left), min(right)) for left, right in pairwise(clusters)}
    return [tuple(x for x in values if low <= x <= high and (low, high) not in gaps) for low, high in pairwise(cuts)]


def vectors(holds: Callable[[Clusters], bool]) -> Exhaustive:
    return up_to(6, clusterings, holds)


AS_MANY = NearMiss("it makes k intervals", vectors(lambda c: len(ends(c)) - 1 == len(c)))
VECTORS = Theorem(
    key="null.printed_vector_leaves_gaps",
    statement="the vector of Algorithm 1 for k clusters of sorted values makes 2k - 1 intervals, k - 1 of them without"
    " training values; cutting between the clusters makes k intervals that hold one cluster each",
    source="wang2024, Algorithm 1, line 10",
    holds=All(
        intervals=vectors(lambda c: len(ends(c)) - 1 == 2 * len(c) - 1),
        empty=vectors(lambda c: intervals(ends(c), c).count(()) == len(c) - 1),
        between=vectors(lambda c: intervals(middles(c), c) == list(c)),
    ),
    fails=(
        AS_MANY,
        NearMiss("its intervals each hold a training value", vectors(lambda c: () not in intervals(ends(c), c))),
    ),
)

THEOREMS = [COUNTS, REDRAWN, VECTORS]
ERRATA = [
    Erratum("S-E10", AS_COUNTED.claim, COUNTS.key),
    Erratum("S-E11", columns(ACCURACY_PIMP, ACCURACY_AIR), columns(ACCURACY_AIR, ACCURACY_PIMP)),
    Erratum("S-E12", ranked(lambda: [(1,) * 12], range(13)), ranked(lambda: of_sum(14), range(10, 12))),
    Erratum("S-E13", AS_RATE.claim, REDRAWN.key),
    Erratum("S-E17", AS_MANY.claim, VECTORS.key),
]
