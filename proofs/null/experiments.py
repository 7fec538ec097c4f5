"""Measures of the experiments: pure accuracy, significance counts, values drawn again, Algorithm 1's vectors.

Main results: pure accuracy is Cohen's kappa, 0 on average over permutations and never above accuracy; the printed count
of losses counts everything that is no win; redrawing a value keeps it with chance 1/r.
Source: wang2024, Section 1 (the answer sheets), Section 4, eqs. (30)-(34), Tables 5 and 6, Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from typing import Any

from splitcrit.arith import total
from splitcrit.proof import (
    ALL,
    All,
    Cases,
    Certificate,
    Each,
    Erratum,
    Exhaustive,
    Identity,
    Law,
    NearMiss,
    Premise,
    Theorem,
    upto,
)
from splitcrit.proofs.common import compositions, exactly, kinds, vector
from splitcrit.proofs.null.hypergeometric import CELL
from splitcrit.proofs.null.laws import Counts, Margins, margins, mean_of, tables_of

KEY = "ABACCCCDAB"
ALL_C, ALTERNATING = "C" * 10, "AB" * 5


def confusion(guesses: str) -> list[list[Fraction]]:
    """Return the table of guesses (rows) and right answers (columns)."""
    pairs = list(zip(guesses, KEY, strict=True))
    return [[Fraction(pairs.count((g, t))) for t in "ABCD"] for g in "ABCD"]


def accuracy(t: Any) -> Any:
    return total([t[i][i] for i in range(len(t))]) / total([total(row) for row in t])


def chance_accuracy(t: Any) -> Any:
    """Return the sum over classes of the product of both shares."""
    n = total([total(row) for row in t])
    return total([total(row) * total([other[i] for other in t]) for i, row in enumerate(t)]) / n**2


def pure_accuracy(t: Any) -> Any:
    """Return eq. (31)."""
    return (accuracy(t) - chance_accuracy(t)) / (1 - chance_accuracy(t))


def disagreement(t: Any) -> Any:
    """Return 1 minus observed over expected disagreement, cell by cell."""
    n, columns = total([total(row) for row in t]), [total(list(column)) for column in zip(*t, strict=True)]
    away = [(i, j) for i, j in product(range(len(t)), repeat=2) if i != j]
    return 1 - total([t[i][j] for i, j in away]) * n / total([total(t[i]) * columns[j] for i, j in away])


def fourfold(t: Any) -> Any:
    """Return kappa of a 2 x 2 table in its usual closed form."""
    (a, b), (c, d) = t
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))


def informedness(t: Any) -> Any:
    """Return the sum of the accuracies on each of two classes, minus 1."""
    (a, b), (c, d) = t
    return a / (a + c) + d / (b + d) - 1


def pure_accuracy_is(of: Callable[[Any], Any], classes: int = 2) -> Identity:
    def square(v: Any) -> list[list[Any]]:
        return [vector(v, letter, classes) for letter in "xyz"[:classes]]

    variables = kinds("positive", *"xyz"[:classes], classes=classes)
    return Identity(variables, lambda v, m: pure_accuracy(square(v)), lambda v, m: of(square(v)))


def square_margins(most: int) -> Iterator[Margins]:
    """Yield margins with as many rows as classes, in every order of the classes."""
    for a, b in margins(most, 2):
        if len(a) == len(b) > 1:
            yield from ((a, b), (a, b[::-1]))


def square_tables(most: int) -> Iterator[Counts]:
    return tables_of(square_margins(most))


def scores(which: Callable[[Any], Any], **expected: str) -> Exhaustive:
    """The claim that answer sheets, C throughout and A, B in turn, score as said."""
    sheets = [({"constant": ALL_C, "alternating": ALTERNATING}[name], Fraction(x)) for name, x in expected.items()]
    return Exhaustive(lambda: sheets, lambda c: which(confusion(c[0])) == c[1])


ANSWERS = Theorem(
    key="null.guesses_score_by_chance",
    statement="against the ten answers ABACCCCDAB the guess C throughout has accuracy 4/10 and A, B in turn 5/10; their"
    " pure accuracies are 0 and 1/3",
    source="wang2024, Section 1",
    holds=All(
        accuracy=scores(accuracy, constant="4/10", alternating="5/10"),
        pure_accuracy=scores(pure_accuracy, constant="0", alternating="1/3"),
    ),
    fails=(
        NearMiss("pure accuracy takes all credit from both", scores(pure_accuracy, constant="0", alternating="0")),
        NearMiss(
            "any constant guess has accuracy 4/10",
            Exhaustive(lambda: "CABD", lambda g: accuracy(confusion(g * 10)) == Fraction(4, 10)),
            "hypothesis",
        ),
    ),
)
FOURFOLD = Law(pure_accuracy_is, of=fourfold)
KAPPA = Theorem(
    key="null.pure_accuracy_is_kappa",
    statement="pure accuracy is Cohen's kappa, 1 minus observed over expected disagreement, and 2(ad - bc)/((a + b)"
    "(b + d) + (a + c)(c + d)) for two classes; over permutations of the labels its mean is 0",
    source="wang2024, eqs. (30), (31)",
    holds=All(
        two_classes=FOURFOLD,
        disagreement=Each("K", (2, 3), lambda k: pure_accuracy_is(disagreement, k)),
        mean=Exhaustive(
            Cases(square_margins, N=upto(6)), lambda c: mean_of(c, lambda t: pure_accuracy(exactly(t))) == 0
        ),
    ),
    premises=(Premise(CELL.key, kind="theorem", widens={"N": ALL}),),
    fails=(
        FOURFOLD.but("for two classes it is the sum of the accuracies on each of them, minus 1", of=informedness),
        FOURFOLD.but("it is the accuracy above 1/K, rescaled", of=lambda t: 2 * accuracy(t) - 1),
    ),
)
BELOW = Theorem(
    key="null.pure_accuracy_never_exceeds_accuracy",
    statement="pure accuracy is accuracy minus RAcc (1 - Acc)/(1 - RAcc), hence at most accuracy: a = Acc, r = RAcc < 1",
    source="wang2024, eqs. (30), (31)",
    holds=Certificate(
        {"a": "rate", "r": "rate"},
        lambda v, m: v.a - (v.a - v.r) / (1 - v.r),
        lambda v, m: [([], ["chance", "wrong"])],
        lambda v, m: {"chance": v.r / (1 - v.r), "wrong": 1 - v.a},
        lambda v, m: v.r < 1,
    ),
    fails=(
        NearMiss(
            "it is at least accuracy minus RAcc",
            Exhaustive(
                Cases(square_tables, N=upto(4)),
                lambda t: pure_accuracy(exactly(t)) >= accuracy(exactly(t)) - chance_accuracy(exactly(t)),
            ),
        ),
        NearMiss(
            "it is not negative",
            Exhaustive(Cases(square_tables, N=upto(4)), lambda t: pure_accuracy(exactly(t)) >= 0),
        ),
    ),
)

Interval = tuple[Fraction, Fraction]  # mean and half-width of an algorithm on a data set
LEVELS = [(Fraction(x), Fraction(w, 2)) for x, w in product((0, 1, 2), (0, 1))]
Results = tuple[tuple[Interval, ...], ...]  # by data set, then by algorithm


def results() -> Iterator[Results]:
    """Yield the results of two and three algorithms on one data set and of two on two."""
    yield from ((row,) for k in (2, 3) for row in product(LEVELS, repeat=k))
    yield from product(product(LEVELS[:4], repeat=2), repeat=2)


def better(a: Interval, b: Interval) -> bool:
    return a[0] - a[1] > b[0] + b[1]


def won(r: Results) -> int:
    """Return eq. (33): how often the first algorithm is significantly better."""
    return sum(better(row[0], other) for row in r for other in row)


def printed_losses(r: Results) -> int:
    """Return eq. (34): how often its lower end does not exceed the other's upper end."""
    return sum(row[0][0] - row[0][1] <= other[0] + other[1] for row in r for other in row)


def losses(r: Results) -> int:
    """Return how often another algorithm is significantly better."""
    return sum(better(other, row[0]) for row in r for other in row[1:])


def draws(r: Results) -> int:
    """Return how often neither of two different algorithms is significantly better."""
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
    fails=(
        AS_COUNTED,
        NO_WIN.but("it counts that, and the algorithm against itself", of=lambda r: losses(r) + len(r)),
    ),
)
RATES = tuple(map(Fraction, ("3/10", "1/2", "7/10", "1")))


def differs(values: int, rate: Fraction) -> Fraction:
    """Return ``P(A != Y)`` if a share ``rate`` of A, equal to Y before, is drawn again from all values."""
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
    """The claim that twelve ranks average to 1.17, rounded, with so many first ones."""
    return Exhaustive(ranks, lambda r: r.count(1) in first and round(Fraction(sum(r), 12), 2) == Fraction("1.17"))


def of_sum(whole: int) -> Iterator[tuple[int, ...]]:
    return (r for r in combinations_with_replacement(range(1, 7), 12) if sum(r) == whole)


Clusters = tuple[tuple[int, ...], ...]


def clusterings(most: int) -> Iterator[Clusters]:
    """Yield the ways to cut the values 0, 10, 20, ... into consecutive clusters."""
    for n, k in ((n, k) for n in range(2, most + 1) for k in range(1, n + 1)):
        for sizes in (s for s in compositions(n, k) if min(s)):
            starts = [sum(sizes[:i]) for i in range(k)]
            yield tuple(tuple(10 * x for x in range(s, s + m)) for s, m in zip(starts, sizes, strict=True))


LOW, HIGH = -(10**6), 10**6


def ends(clusters: Clusters) -> list[int]:
    """Return the printed vector: largest and smallest values of neighbours, between infinities."""
    return [LOW, *(x for left, right in pairwise(clusters) for x in (max(left), min(right))), HIGH]


def middles(clusters: Clusters) -> list[int]:
    return [LOW, *((max(left) + min(right)) // 2 for left, right in pairwise(clusters)), HIGH]


def intervals(cuts: list[int], clusters: Clusters) -> list[tuple[int, ...]]:
    """Return the training values between neighbouring cuts; what lies between two clusters holds none."""
    values = [x for cluster in clusters for x in cluster]
    gaps = {(max(left), min(right)) for left, right in pairwise(clusters)}
    return [tuple(x for x in values if low <= x <= high and (low, high) not in gaps) for low, high in pairwise(cuts)]


def vectors(holds: Callable[[Clusters], bool]) -> Exhaustive:
    return Exhaustive(Cases(clusterings, N=upto(6)), holds)


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

THEOREMS = [ANSWERS, KAPPA, BELOW, COUNTS, REDRAWN, VECTORS]
ERRATA = [
    Erratum("S-E10", AS_COUNTED.claim, COUNTS.key),
    Erratum("S-E11", columns(ACCURACY_PIMP, ACCURACY_AIR), columns(ACCURACY_AIR, ACCURACY_PIMP)),
    Erratum("S-E12", ranked(lambda: [(1,) * 12], range(13)), ranked(lambda: of_sum(14), range(10, 12))),
    Erratum("S-E13", AS_RATE.claim, REDRAWN.key),
    Erratum("S-E17", AS_MANY.claim, VECTORS.key),
]
