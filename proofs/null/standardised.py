"""SGini, the Gini gain in standard deviations above its mean over all permutations of the labels.

Source: wang2024, eqs. (10), (11), (15).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any

from splitcrit.nulls import formulas
from splitcrit.proof import ALL, All, Exhaustive, Identity, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import gini_decrease, kinds, partitions, up_to
from splitcrit.proofs.null import laws
from splitcrit.proofs.null.moments import MEAN, VARIANCE, variance

OF_ALL_N = (Premise(MEAN.key, kind="theorem"), Premise(VARIANCE.key, kind="theorem", widens={"N": ALL}))


@cache
def law(case: laws.Margins) -> dict[Fraction, Fraction]:
    """The law of the signed square of SGini."""
    chances: dict[Fraction, Fraction] = {}
    for t, w in laws.arrangements(*case):
        chances[laws.sgini_squared(t)] = chances.get(laws.sgini_squared(t), Fraction(0)) + w
    return chances


def is_centred(case: laws.Margins) -> bool:
    return bool(laws.mean_of(case, lambda t: laws.gain(t) - laws.null(case).mean) == 0)


def has_variance_one(case: laws.Margins) -> bool:
    return bool(laws.mean_of(case, lambda t: abs(laws.sgini_squared(t))) == 1)


def is_symmetric(case: laws.Margins) -> bool:
    return law(case) == {-x: w for x, w in law(case).items()}


def alike(most: int) -> Iterator[tuple[laws.Margins, laws.Margins]]:
    """Yield margins of equal N, r and K."""
    yield from (
        (c, d) for c, d in combinations(laws.lively(most), 2) if [*map(len, c), sum(c[0])] == [*map(len, d), sum(d[0])]
    )


STANDARD = Theorem(
    key="null.sgini_mean_zero_variance_one_of_permutation",
    statement="over all permutations of the labels SGini has mean 0 and variance 1 wherever the variance of the"
    " gain is positive",
    source="wang2024, eqs. (10), (11)",
    holds=All(mean=up_to(6, laws.lively, is_centred), variance=up_to(6, laws.lively, has_variance_one)),
    premises=(
        Premise("py_sgini_has_mean_0", "kernel", {"N": ALL}),
        Premise("py_sgini_has_variance_1", "kernel", {"N": ALL}),
    ),
    fails=(
        NearMiss("its law is symmetric about 0", up_to(5, laws.lively, is_symmetric)),
        NearMiss(
            "its law is the same for all margins of equal N, r and K", up_to(5, alike, lambda c: law(c[0]) == law(c[1]))
        ),
    ),
)

Duel = tuple[laws.Totals, laws.Totals, laws.Totals]  # two features and the classes


def wins(c: Duel) -> tuple[Fraction, Fraction]:
    """How often each of two features wins if both are permuted at random, one apart from the other."""
    one, other, b = c
    pairs = list(product(law((one, b)).items(), law((other, b)).items()))
    won = sum((w * u for (x, w), (y, u) in pairs if x > y), Fraction(0))
    return won, sum((w * u for (x, w), (y, u) in pairs if x < y), Fraction(0))


def duels(most: int) -> Iterator[Duel]:
    for n in range(2, most + 1):
        for b in partitions(n):
            yield from ((x, y, b) for x, y in combinations((a for a in partitions(n) if not laws.still((a, b))), 2))


def fair(most: int, equal: bool = False) -> Exhaustive:
    """The claim that of two features without information (of equally many values) neither wins more often."""

    def cases(most: int) -> Iterator[Duel]:
        return (c for c in duels(most) if not equal or len(c[0]) == len(c[1]))

    return up_to(most, cases, lambda c: wins(c)[0] == wins(c)[1])


NOT_FAIR = Theorem(
    key="null.sgini_null_features_do_not_win_equally",
    statement="of two features without information one can win more often: at N = 4 with classes (3, 1) the margins"
    " (3, 1) beat (2, 1, 1) with chance 5/8 and lose with 3/8, although both SGini have mean 0 and variance 1; no"
    " smaller N has two different features of positive variance",
    source="wang2024, Section 4 (Fig. 3 f)",
    holds=All(
        found=Exhaustive(lambda: [((3, 1), (2, 1, 1), (3, 1))], lambda c: wins(c) == (Fraction(5, 8), Fraction(3, 8))),
        none_smaller=Exhaustive(lambda: [3], lambda n: not list(duels(n))),
    ),
    fails=(
        NearMiss("null features are equally likely to win", fair(5)),
        NearMiss("they are if they have equally many values", fair(5, equal=True), "hypothesis"),
        NearMiss(
            "the feature with fewer values never loses more often than it wins",
            up_to(5, lambda n: (c for c in duels(n) if len(c[0]) < len(c[1])), lambda c: wins(c)[0] >= wins(c)[1]),
        ),
    ),
)


def of_totals(which: str, a: list[Any], b: list[Any]) -> Any:
    """Mean or variance over permutations of field elements, by the library's formulas."""
    n, s2 = sum(a), sum(x * x for x in b)
    if which == "mean":
        return formulas.mean(n, len(a), n**2 - s2)
    return variance(n, len(a), sum(1 / x for x in a), s2, sum(x**3 for x in b))


def exchanged(which: str, power: int) -> Identity:
    """The claim that mean or variance of two rows and two classes exchange in the ratio of the products of totals."""

    def sides(v: Any) -> tuple[list[Any], list[Any]]:
        return [v.a, v.c], [v.b, v.a + v.c - v.b]

    return Identity(
        kinds("positive", *"abc"),
        lambda v, m: of_totals(which, *sides(v)) * prod(sides(v)[0]) ** power,
        lambda v, m: of_totals(which, *sides(v)[::-1]) * prod(sides(v)[1]) ** power,
        lambda v, m: [v.a + v.c >= 4, v.b < v.a + v.c],
    )


def same_exchanged(most: int, rows: int, score: Any = laws.sgini_squared) -> Exhaustive:
    return up_to(most, laws.by_shape, lambda t: score(t) == score(laws.transposed(t)), r=rows, K=2)


GAIN_EXCHANGED = Identity(
    kinds("positive", *"wxyz"),
    lambda v, m: gini_decrease.score([[v.w, v.x], [v.y, v.z]], m) * (v.w + v.x) * (v.y + v.z),
    lambda v, m: gini_decrease.score([[v.w, v.y], [v.x, v.z]], m) * (v.w + v.y) * (v.x + v.z),
)
SAME = Law(same_exchanged, most=7, rows=2)
TRANSPOSE = Theorem(
    key="null.sgini_same_transposed_of_two_by_two",
    statement="at 2 x 2 SGini is the same with feature and label exchanged: gain, mean and deviation change by one"
    " factor, by identities for N >= 4",
    source="wang2024, eq. (11), Table 3",
    holds=All(gain=GAIN_EXCHANGED, mean=exchanged("mean", 1), variance=exchanged("variance", 2), tables=SAME),
    premises=OF_ALL_N,
    fails=(
        SAME.but("at 3 x 2 too", alters="hypothesis", most=6, rows=3),
        SAME.but("so is the gain", most=5, score=laws.gain),
    ),
)


def threshold_variance(v: Any) -> Any:
    """The variance at ``m`` examples to the left from the two constants of the node."""
    n = v.n
    uneven = formulas.uneven_classes(n, v.s, v.t)
    c1 = 4 * uneven / (n * (n - 1) * (n - 2) ** 2)
    c2 = 2 * n * formulas.thick_classes(n, v.s, uneven) / ((n - 1) ** 2 * (n - 2) ** 2 * (n - 3))
    return (c1 * (n - 2 * v.m) ** 2 + c2 * (v.m - 1) * (n - v.m - 1)) / (n**2 * v.m * (n - v.m))


def thresholds(sequence: laws.Totals) -> list[Any]:
    """The table of every threshold of a sequence of classes."""
    cut = [(sequence[:i], sequence[i:]) for i in range(1, len(sequence))]
    return [tuple(tuple(side.count(j) for j in range(2)) for side in sides) for sides in cut]


def same_best(sequence: laws.Totals) -> bool:
    """Whether the thresholds of largest SGini are among those of largest gain."""
    scores = [[of(t) for t in thresholds(sequence)] for of in (laws.sgini_squared, laws.gain)]
    first, second = ({i for i, x in enumerate(values) if x == max(values)} for values in scores)
    return first <= second


def middle(c: laws.Margins) -> bool:
    """Whether the variance is that of the threshold in the middle."""
    n = sum(c[0])
    return bool(laws.null(c).variance == laws.null(((n - n // 2, n // 2), c[1])).variance)


THRESHOLD = Theorem(
    key="null.sgini_threshold_from_running_sums",
    statement="at a threshold with m of N >= 4 examples to the left the gain is the sum over classes of"
    " (N x - m b)^2/(N^2 m (N - m)), x of the b examples to the left, and the variance (c1 (N - 2m)^2 +"
    " c2 (m - 1)(N - m - 1))/(N^2 m (N - m)) with constants of the node, in s = sum b^2 and t = sum b^3",
    source="wang2024, eqs. (15), (21)-(26) at r = 2",
    holds=All(
        gain=Identity(
            kinds("positive", *"nmxb"),
            lambda v, m: v.x**2 / v.m + (v.b - v.x) ** 2 / (v.n - v.m) - v.b**2 / v.n,
            lambda v, m: (v.n * v.x - v.m * v.b) ** 2 / (v.n * v.m * (v.n - v.m)),
            lambda v, m: v.m < v.n,
        ),
        variance=Identity(
            kinds("positive", *"nmst"),
            lambda v, m: variance(v.n, 2, 1 / v.m + 1 / (v.n - v.m), v.s, v.t),
            lambda v, m: threshold_variance(v),
            lambda v, m: [v.n >= 4, v.m < v.n],
        ),
    ),
    fails=(
        NearMiss(
            "the threshold of largest SGini has the largest gain",
            Exhaustive(lambda: (s for n in range(2, 7) for s in product(range(2), repeat=n)), same_best),
        ),
        NearMiss(
            "the variance is that of the middle threshold wherever the threshold is",
            Exhaustive(lambda: (c for c in laws.lively(6) if len(c[0]) == 2), middle),
        ),
    ),
)

THEOREMS = [STANDARD, NOT_FAIR, TRANSPOSE, THRESHOLD]
