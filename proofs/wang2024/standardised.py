"""SGini, the Gini gain in standard deviations above its mean over all permutations of the labels.

Main results: mean 0 and variance 1 for all margins, which does not make features without information equally likely to
win; exchange of feature and label at 2 x 2; the formula of a threshold.
Source: wang2024, eqs. (10), (11), (15).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import gini
from splitcrit.nulls import sgini_scan
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import kinds, partitions, vector
from splitcrit.proofs.wang2024.degenerate import by_shape, lively, still
from splitcrit.proofs.wang2024.laws import (
    Counts,
    Margins,
    Totals,
    arrangements,
    gain,
    mean_of,
    null,
    sgini_squared,
    transposed,
)
from splitcrit.proofs.wang2024.moments import in_factors, thick_classes


@cache
def law(case: Margins) -> dict[Fraction, Fraction]:
    """Return the law of the signed square of SGini."""
    found: dict[Fraction, Fraction] = {}
    for t, w in arrangements(*case):
        found[sgini_squared(t)] = found.get(sgini_squared(t), Fraction(0)) + w
    return found


def is_standard(case: Margins) -> bool:
    centred = mean_of(case, lambda t: gain(t) - null(case).mean)
    return bool(centred == 0 and mean_of(case, lambda t: abs(sgini_squared(t))) == 1)


Duel = tuple[Totals, Totals, Totals]  # two features and the classes


def wins(c: Duel) -> tuple[Fraction, Fraction]:
    """Return how often each of two features wins if both are permuted at random, one apart from the other."""
    one, other, b = c
    pairs = list(product(law((one, b)).items(), law((other, b)).items()))
    won = sum((w * u for (x, w), (y, u) in pairs if x > y), Fraction(0))
    return won, sum((w * u for (x, w), (y, u) in pairs if x < y), Fraction(0))


def duels(most: int, least: int = 2) -> Iterator[Duel]:
    for n in range(least, most + 1):
        for b in partitions(n):
            yield from ((x, y, b) for x, y in combinations((a for a in partitions(n) if not still((a, b))), 2))


def fair(c: Duel) -> bool:
    won, lost = wins(c)
    return won == lost


STANDARD = [
    Theorem(
        key="sgini.mean_zero_variance_one_of_permutation",
        statement="over all permutations of the labels SGini has mean 0 and variance 1 wherever the variance of the"
        " gain is positive",
        source="wang2024, eqs. (10), (11)",
        scope="all margins; by the face, all tables N <= 6",
        holds=Exhaustive(lambda: lively(6), is_standard),
        premises=("null.gini_mean_of_permutation", "null.gini_variance_of_permutation"),
        fails=(
            NearMiss("its law is symmetric about 0", Exhaustive(lambda: lively(5), lambda c: law(c) == mirrored(c))),
            NearMiss(
                "its law is the same for all margins of equal N, r and k",
                Exhaustive(lambda: lively(5), lambda c: all(law(c) == law(d) for d in lively(5) if alike(c, d))),
            ),
        ),
    ),
    Theorem(
        key="sgini.null_features_do_not_win_equally",
        statement="of two features without information one can win more often: at N = 4 with classes (3, 1) the margins"
        " (3, 1) beat (2, 1, 1) with chance 5/8 and lose with 3/8, although both SGini have mean 0 and variance 1",
        source="wang2024, Section 4 (Fig. 3 f)",
        scope="the witness; at N <= 3 no two different features have a positive variance",
        holds=All(
            Exhaustive(lambda: [((3, 1), (2, 1, 1), (3, 1))], lambda c: wins(c) == (Fraction(5, 8), Fraction(3, 8))),
            Exhaustive(lambda: ((a, a, b) for a, b in lively(4)), fair),
            Exhaustive(lambda: [3], lambda n: not list(duels(n))),
        ),
        fails=(
            NearMiss("null features are equally likely to win", Exhaustive(lambda: duels(5), fair)),
            NearMiss(
                "they are if they have equally many values",
                Exhaustive(lambda: (c for c in duels(5) if len(c[0]) == len(c[1])), fair),
                "hypothesis",
            ),
            NearMiss(
                "the feature with fewer values never loses more often than it wins",
                Exhaustive(lambda: (c for c in duels(5) if len(c[0]) < len(c[1])), lambda c: wins(c)[0] >= wins(c)[1]),
            ),
        ),
    ),
]


def mirrored(case: Margins) -> dict[Fraction, Fraction]:
    return {-x: w for x, w in law(case).items()}


def alike(c: Margins, d: Margins) -> bool:
    return sum(c[0]) == sum(d[0]) and list(map(len, c)) == list(map(len, d))


FOURFOLD = kinds("positive", "x", "y", classes=2)


def fourfold(v: Any) -> tuple[list[list[Any]], Any, Any]:
    """Return a 2 x 2 table, the product of its row totals and that of its column totals."""
    x, y = vector(v, "x", 2), vector(v, "y", 2)
    return [x, y], sum(x) * sum(y), (x[0] + y[0]) * (x[1] + y[1])


def law_of(t: Any) -> tuple[Any, Any]:
    """Return mean and variance over permutations of a table of field elements."""
    a, b = [sum(row) for row in t], [sum(column) for column in zip(*t, strict=True)]
    n, s2, s3 = sum(a), sum(x * x for x in b), sum(x**3 for x in b)
    return (len(a) - 1) / (n - 1) * (1 - s2 / n**2), in_factors(n, len(a), sum(1 / x for x in a), s2, s3)


def turned(which: str) -> Identity:
    """The claim that gain, mean or variance of a 2 x 2 table and of its transpose are in the ratio of the totals."""

    def value(t: Any, m: Any) -> Any:
        return decrease(gini).score(t, m) if which == "gain" else law_of(t)[which == "variance"]

    power = 2 if which == "variance" else 1

    def rows(v: Any, m: Any) -> Any:
        t, a, _ = fourfold(v)
        return value(t, m) * a**power

    def columns(v: Any, m: Any) -> Any:
        t, _, b = fourfold(v)
        return value([list(c) for c in zip(*t, strict=True)], m) * b**power

    return Identity(FOURFOLD, rows, columns, lambda v, m: v.x0 + v.x1 + v.y0 + v.y1 >= 5)


def same_transposed(t: Counts) -> bool:
    return sgini_squared(t) == sgini_squared(transposed(t))


TRANSPOSE = Theorem(
    key="sgini.same_transposed_of_two_by_two",
    statement="at 2 x 2 SGini is the same with feature and label exchanged: gain, mean and deviation change by one"
    " factor",
    source="wang2024, eq. (11), Table 3",
    scope="all 2 x 2 tables; by the face N <= 7",
    holds=All(
        turned("gain"), turned("mean"), turned("variance"), Exhaustive(lambda: by_shape(7, 2, 2), same_transposed)
    ),
    premises=("hand argument: N <= 3 is enumerated, the identity of the variance is for N >= 4",),
    fails=(
        NearMiss("at 3 x 2 too", Exhaustive(lambda: by_shape(6, 3, 2), same_transposed), "hypothesis"),
        NearMiss("so is the gain", Exhaustive(lambda: by_shape(5, 2, 2), lambda t: gain(t) == gain(transposed(t)))),
    ),
)


NODE = {"n": "positive", "m": "positive", "s": "positive", "t": "positive"}


def threshold_variance(v: Any, m: Any) -> Any:
    """Return the variance at ``m`` examples to the left from the two constants of the node."""
    n = v.n
    c1 = 4 * (v.t - v.s**2 / n) / (n * (n - 1) * (n - 2) ** 2)
    c2 = 2 * n * thick_classes(n, v.s, v.t) / ((n - 1) ** 2 * (n - 2) ** 2 * (n - 3))
    return (c1 * (n - 2 * v.m) ** 2 + c2 * (v.m - 1) * (n - v.m - 1)) / (n**2 * v.m * (n - v.m))


def inside(v: Any, m: Any) -> bool:
    return bool(v.n >= 4 and v.m < v.n)


def codes(most: int) -> Iterator[Totals]:
    """Yield the sequences of classes in the order of a feature."""
    for n in range(2, most + 1):
        yield from product(range(3 if n < 6 else 2), repeat=n)


def thresholds(sequence: Totals) -> list[Counts]:
    """Return the table of every threshold."""
    cut = [(sequence[:i], sequence[i:]) for i in range(1, len(sequence))]
    return [tuple(tuple(side.count(j) for j in range(3)) for side in sides) for sides in cut]


def scanned(sequence: Totals) -> bool:
    exact = [sgini_squared(t) for t in thresholds(sequence)]
    found = [Fraction(float(x)) for x in sgini_scan(list(sequence))]
    return all(abs(x * abs(x) - y) < Fraction(1, 10**12) for x, y in zip(found, exact, strict=True))


def best(values: list[Fraction]) -> set[int]:
    return {i for i, x in enumerate(values) if x == max(values)}


SCAN = Theorem(
    key="sgini.threshold_from_running_sums",
    statement="at a threshold with m of N examples to the left the gain is sum_j (N n_1j - m b_j)^2/(N^2 m (N - m)),"
    " and the variance (c1 (N - 2m)^2 + c2 (m - 1)(N - m - 1))/(N^2 m (N - m)) with constants of the node; the"
    " scan of the library is SGini",
    source="wang2024, eqs. (15), (21)-(26) at r = 2",
    scope="all K and N >= 4; the scan: all sequences N <= 5 with three classes, N <= 7 with two, within 1e-12",
    holds=All(
        Identity(
            {"n": "positive", "m": "positive", "x": "positive", "b": "positive"},
            lambda v, m: v.x**2 / v.m + (v.b - v.x) ** 2 / (v.n - v.m) - v.b**2 / v.n,
            lambda v, m: (v.n * v.x - v.m * v.b) ** 2 / (v.n * v.m * (v.n - v.m)),
            lambda v, m: v.m < v.n,
        ),
        Identity(
            NODE, lambda v, m: in_factors(v.n, 2, 1 / v.m + 1 / (v.n - v.m), v.s, v.t), threshold_variance, inside
        ),
        Exhaustive(lambda: codes(7), scanned),
    ),
    fails=(
        NearMiss(
            "the threshold of largest SGini has the largest gain",
            Exhaustive(
                lambda: codes(6),
                lambda s: best([sgini_squared(t) for t in thresholds(s)]) <= best([gain(t) for t in thresholds(s)]),
            ),
        ),
        NearMiss(
            "the variance is that of the middle threshold wherever the threshold is",
            Exhaustive(
                lambda: (c for c in lively(6) if len(c[0]) == 2),
                lambda c: null(c).variance == null((halves(sum(c[0])), c[1])).variance,
            ),
        ),
    ),
)


def halves(n: int) -> Totals:
    return (n - n // 2, n // 2)


THEOREMS = [*STANDARD, TRANSPOSE, SCAN]


ERRATA: list[Erratum] = []
