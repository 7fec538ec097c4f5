"""The measures of the experiments: pure accuracy, significance counts, the noise of Section 4, Algorithm 1's vectors.

Main results: pure accuracy is Cohen's kappa, 0 on average over permutations and never above accuracy; the printed count
of losses counts everything that is no win; redrawing a value keeps it with chance 1/r.
Source: wang2024, Section 1 (the answer sheets), Section 4, eqs. (30)-(34), Tables 5 and 6, Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from typing import Any

from splitcrit.arith import total
from splitcrit.proof import All, Certificate, Erratum, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import compositions, exactly, kinds, vector
from splitcrit.proofs.wang2024.laws import Counts, arrangements, margins, mean_of

KEY = "ABACCCCDAB"
ALL_C, ALTERNATING = "C" * 10, "AB" * 5


def confusion(guesses: str, truth: str = KEY) -> list[list[Fraction]]:
    """Return the table of guesses (rows) and right answers (columns)."""
    pairs = list(zip(guesses, truth, strict=True))
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


def square(v: Any, classes: int) -> list[list[Any]]:
    return [vector(v, letter, classes) for letter in "xyz"[:classes]]


def two_way(v: Any) -> Any:
    """Return kappa of a 2 x 2 table in its usual closed form."""
    (a, b), (c, d) = square(v, 2)
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))


def disagreement(t: Any) -> Any:
    """Return 1 minus observed over expected disagreement, cell by cell."""
    n = total([total(row) for row in t])
    columns = [total(list(column)) for column in zip(*t, strict=True)]
    away = [(i, j) for i, j in product(range(len(t)), repeat=2) if i != j]
    return 1 - total([t[i][j] for i, j in away]) * n / total([total(t[i]) * columns[j] for i, j in away])


def squares(most: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield margins with as many rows as classes, in every order of the classes."""
    for a, b in margins(most, 2):
        if len(a) == len(b) > 1:
            yield a, b
            yield a, b[::-1]


PAIRS_OF = kinds("positive", "x", "y", classes=2)
NINE = kinds("positive", "x", "y", "z", classes=3)

ANSWERS = Theorem(
    key="example.guesses_score_by_chance",
    statement="against the ten answers ABACCCCDAB the guess C throughout has accuracy 4/10 and A, B in turn 5/10; their"
    " pure accuracies are 0 and 1/3",
    source="wang2024, Section 1",
    scope="the two answer sheets",
    holds=All(
        Exhaustive(
            lambda: [(ALL_C, Fraction(4, 10)), (ALTERNATING, Fraction(5, 10))],
            lambda c: accuracy(confusion(c[0])) == c[1],
        ),
        Exhaustive(
            lambda: [(ALL_C, Fraction(0)), (ALTERNATING, Fraction(1, 3))],
            lambda c: pure_accuracy(confusion(c[0])) == c[1],
        ),
    ),
    fails=(
        NearMiss(
            "pure accuracy takes all credit from both",
            Exhaustive(lambda: [ALL_C, ALTERNATING], lambda g: pure_accuracy(confusion(g)) == 0),
        ),
        NearMiss(
            "any constant guess has accuracy 4/10",
            Exhaustive(lambda: "CABD", lambda g: accuracy(confusion(g * 10)) == Fraction(4, 10)),
            "hypothesis",
        ),
    ),
)

KAPPA = Theorem(
    key="score.pure_accuracy_is_kappa",
    statement="pure accuracy is Cohen's kappa, 1 minus observed over expected disagreement, and 2(ad - bc)/((a + b)"
    "(b + d) + (a + c)(c + d)) for two classes; over permutations of the labels its mean is 0",
    source="wang2024, eqs. (30), (31)",
    scope="the forms: K = 2, 3; the mean: all square margins N <= 6",
    holds=All(
        Identity(PAIRS_OF, lambda v, m: pure_accuracy(square(v, 2)), lambda v, m: two_way(v)),
        Identity(NINE, lambda v, m: pure_accuracy(square(v, 3)), lambda v, m: disagreement(square(v, 3))),
        Exhaustive(lambda: squares(6), lambda c: mean_of(c, pure_accuracy_of) == 0),
    ),
    fails=(
        NearMiss(
            "for two classes it is the sum of the accuracies on each of them, minus 1",
            Identity(PAIRS_OF, lambda v, m: pure_accuracy(square(v, 2)), lambda v, m: informedness(square(v, 2))),
        ),
        NearMiss(
            "it is the accuracy above 1/K, rescaled",
            Identity(PAIRS_OF, lambda v, m: pure_accuracy(square(v, 2)), lambda v, m: 2 * accuracy(square(v, 2)) - 1),
        ),
    ),
    latex=r"\mathrm{PAcc} = \frac{\mathrm{Acc}-\mathrm{RAcc}}{1-\mathrm{RAcc}} = \kappa",
)


def pure_accuracy_of(t: Counts) -> Fraction:
    return Fraction(pure_accuracy(exactly(t)))


def informedness(t: Any) -> Any:
    (a, b), (c, d) = t
    return a / (a + c) + d / (b + d) - 1


def kappa_top(t: Counts) -> Any:
    exact = exactly(t)
    return accuracy(exact) - chance_accuracy(exact)


def below(v: Any, m: Any) -> Any:
    return v.a - (v.a - v.r) / (1 - v.r)


def tables_of_two(most: int) -> Iterator[Counts]:
    for case in squares(most):
        yield from (t for t, _ in arrangements(*case))


BELOW = Theorem(
    key="score.pure_accuracy_never_exceeds_accuracy",
    statement="pure accuracy is accuracy minus RAcc (1 - Acc)/(1 - RAcc), hence at most accuracy",
    source="wang2024, eqs. (30), (31)",
    scope="all accuracies in [0, 1] and RAcc in [0, 1)",
    holds=All(
        Certificate(
            {"a": "rate", "r": "rate"},
            below,
            lambda v, m: [([], ["chance", "wrong"])],
            lambda v, m: {"chance": v.r / (1 - v.r), "wrong": 1 - v.a},
            lambda v, m: v.r < 1,
        ),
        Exhaustive(lambda: tables_of_two(5), lambda t: pure_accuracy_of(t) <= accuracy(exactly(t))),
    ),
    fails=(
        NearMiss(
            "it is at least accuracy minus RAcc",
            Exhaustive(lambda: tables_of_two(4), lambda t: pure_accuracy_of(t) >= kappa_top(t)),
        ),
        NearMiss("it is not negative", Exhaustive(lambda: tables_of_two(4), lambda t: pure_accuracy_of(t) >= 0)),
    ),
)

Interval = tuple[Fraction, Fraction]  # mean and half-width of an algorithm on a data set
LEVELS = [(Fraction(x), Fraction(w, 2)) for x, w in product((0, 1, 2), (0, 1))]


def better(a: Interval, b: Interval) -> bool:
    return a[0] - a[1] > b[0] + b[1]


Results = tuple[tuple[Interval, ...], ...]  # by data set, then by algorithm


def results() -> Iterator[Results]:
    """Yield the results of two and three algorithms on one data set and of two on two."""
    one = [(row,) for k in (2, 3) for row in product(LEVELS, repeat=k)]
    yield from one
    yield from product(product(LEVELS[:4], repeat=2), repeat=2)


def won(r: Results, a: int = 0) -> int:
    """Return eq. (33): how often algorithm ``a`` is significantly better."""
    return sum(better(row[a], other) for row in r for other in row)


def printed_losses(r: Results, a: int = 0) -> int:
    """Return eq. (34): how often its lower end does not exceed the other's upper end."""
    return sum(row[a][0] - row[a][1] <= other[0] + other[1] for row in r for other in row)


def losses(r: Results, a: int = 0) -> int:
    """Return how often another algorithm is significantly better."""
    return sum(better(other, row[a]) for row in r for i, other in enumerate(row) if i != a)


def undecided(r: Results, a: int = 0) -> int:
    """Return how often neither of two different algorithms is significantly better."""
    pairs = [(row[a], other) for row in r for i, other in enumerate(row) if i != a]
    return sum(not better(x, y) and not better(y, x) for x, y in pairs)


AS_COUNTED = Exhaustive(results, lambda r: printed_losses(r) == losses(r))

COUNTS = Theorem(
    key="score.printed_losses_are_all_that_is_no_win",
    statement="the printed count of losses is |data sets| |algorithms| minus the wins: losses, draws, and the algorithm"
    " against itself; the printed difference is twice the wins minus a constant",
    source="wang2024, eqs. (32)-(34)",
    scope="one data set with two or three algorithms, two with two; means 0, 1, 2, half-widths 0, 1/2",
    holds=All(
        Exhaustive(results, lambda r: won(r) + printed_losses(r) == sum(map(len, r))),
        Exhaustive(results, lambda r: printed_losses(r) == losses(r) + undecided(r) + len(r)),
        Exhaustive(results, lambda r: won(r) - printed_losses(r) == 2 * won(r) - sum(map(len, r))),
    ),
    fails=(
        NearMiss("it counts how often another algorithm is significantly better", AS_COUNTED),
        NearMiss(
            "it counts that, and the algorithm against itself",
            Exhaustive(results, lambda r: printed_losses(r) == losses(r) + len(r)),
        ),
    ),
)


def differs(values: int, rate: Fraction) -> Fraction:
    """Return ``P(A != Y)`` if a share ``rate`` of A, equal to Y before, is drawn again from all values."""
    return rate * sum((Fraction(1, values) for x in range(values) if x != 0), Fraction(0))


EQUAL = Exhaustive(lambda: product((3, 10, 50), [Fraction(1, 2)]), lambda c: differs(*c) == c[1])

REDRAWN = Theorem(
    key="noise.redrawn_value_differs_of_rate",
    statement="if a share p of a feature equal to the label is drawn again from r values, it differs from the label"
    " with probability p (1 - 1/r): equal p is not equal agreement for features with different r",
    source="wang2024, Section 4",
    scope="r = 2, ..., 50, p = 0.3, 0.5, 0.7, 1",
    holds=Exhaustive(
        lambda: product(range(2, 51), map(Fraction, ("3/10", "1/2", "7/10", "1"))),
        lambda c: differs(*c) == c[1] * (1 - Fraction(1, c[0])),
    ),
    fails=(
        NearMiss("it differs with probability p", EQUAL),
        NearMiss(
            "with p = 0.5 for both, features of 3 and of 50 values agree with the label equally often",
            Exhaustive(lambda: [(3, 50)], lambda c: differs(c[0], Fraction(1, 2)) == differs(c[1], Fraction(1, 2))),
        ),
    ),
)

ACCURACY_AIR = [92, 63, 73, 63, 21, 74, 62, 61, 82, 84, 85, 60]
ACCURACY_PIMP = [92, 62, 70, 64, 21, 75, 69, 55, 64, 78, 82, 51]
SECOND_COLUMN = [83, 36, 45, 26, 16, 48, 43, 49, 79, 81, 68, 39]
THIRD_COLUMN = [82, 35, 38, 27, 16, 48, 47, 40, 57, 74, 61, 26]


def possible(c: tuple[int, int, int]) -> bool:
    """Tell whether an accuracy and a pure accuracy, rounded to percent, can belong together."""
    return c[2] <= c[1] + 1


def columns(*pairs: tuple[list[int], list[int]]) -> Exhaustive:
    return Exhaustive(
        lambda: ((i, a, p) for of, pure in pairs for i, (a, p) in enumerate(zip(of, pure, strict=True), 1)), possible
    )


AS_HEADED = columns((ACCURACY_PIMP, SECOND_COLUMN), (ACCURACY_AIR, THIRD_COLUMN))
AS_ABOVE = columns((ACCURACY_AIR, SECOND_COLUMN), (ACCURACY_PIMP, THIRD_COLUMN))


def ranks(whole: int) -> Iterator[tuple[int, ...]]:
    """Yield twelve ranks from 1 to 6, sorted, with a given sum."""
    return (r for r in combinations_with_replacement(range(1, 7), 12) if sum(r) == whole)


def shown(mean: Fraction) -> Fraction:
    return round(mean, 2)


ALL_FIRST = Exhaustive(lambda: [(1,) * 12], lambda r: shown(Fraction(sum(r), 12)) == Fraction("1.17"))
TEN_OR_ELEVEN = Exhaustive(
    lambda: ranks(14), lambda r: r.count(1) in (10, 11) and shown(Fraction(sum(r), 12)) == Fraction("1.17")
)


def clusterings(most: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield the ways to cut the values 0, 10, 20, ... into consecutive clusters."""
    for n in range(2, most + 1):
        for k in range(1, n + 1):
            for sizes in compositions(n, k):
                if min(sizes):
                    starts = [sum(sizes[:i]) for i in range(k)]
                    yield tuple(tuple(10 * x for x in range(s, s + m)) for s, m in zip(starts, sizes, strict=True))


LOW, HIGH = -(10**6), 10**6


def ends(clusters: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return the printed vector: largest and smallest values of neighbours, between infinities."""
    inner = [x for left, right in pairwise(clusters) for x in (max(left), min(right))]
    return [LOW, *inner, HIGH]


def middles(clusters: tuple[tuple[int, ...], ...]) -> list[int]:
    inner = [(max(left) + min(right)) // 2 for left, right in pairwise(clusters)]
    return [LOW, *inner, HIGH]


def intervals(vector_of: list[int], clusters: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """Return the training values between neighbouring cuts; what lies between two clusters holds none."""
    values = [x for cluster in clusters for x in cluster]
    cuts = list(pairwise(vector_of))
    gaps = {(max(left), min(right)) for left, right in pairwise(clusters)}
    return [tuple(x for x in values if low <= x <= high and (low, high) not in gaps) for low, high in cuts]


def as_many(c: tuple[tuple[int, ...], ...]) -> bool:
    return len(ends(c)) - 1 == len(c)


VECTORS = Theorem(
    key="grow.printed_vector_leaves_gaps",
    statement="the vector of Algorithm 1 for k clusters makes 2k - 1 intervals, k - 1 of them without training values;"
    " cutting between the clusters makes k intervals that hold one cluster each",
    source="wang2024, Algorithm 1, line 10",
    scope="all clusterings of 2 to 6 sorted values",
    holds=All(
        Exhaustive(lambda: clusterings(6), lambda c: len(ends(c)) - 1 == 2 * len(c) - 1),
        Exhaustive(lambda: clusterings(6), lambda c: intervals(ends(c), c).count(()) == len(c) - 1),
        Exhaustive(lambda: clusterings(6), lambda c: intervals(middles(c), c) == list(c)),
    ),
    fails=(
        NearMiss("it makes k intervals", Exhaustive(lambda: clusterings(6), as_many)),
        NearMiss(
            "its intervals each hold a training value",
            Exhaustive(lambda: clusterings(6), lambda c: () not in intervals(ends(c), c)),
        ),
    ),
)

THEOREMS = [ANSWERS, KAPPA, BELOW, COUNTS, REDRAWN, VECTORS]
ERRATA = [
    Erratum("S-E10", AS_COUNTED, COUNTS.key),
    Erratum("S-E11", AS_HEADED, AS_ABOVE),
    Erratum("S-E12", ALL_FIRST, TEN_OR_ELEVEN),
    Erratum("S-E13", EQUAL, REDRAWN.key),
    Erratum("S-E17", Exhaustive(lambda: clusterings(6), as_many), VECTORS.key),
]
