"""SGini, the Gini gain in standard deviations above its mean over all permutations of the labels.

Main results: mean 0 and variance 1 for all margins, which does not make features without information equally likely to
win; exchange of feature and label at 2 x 2; the formula of a threshold; chi-square and the multi-response permutation
procedure; the limit at fixed proportions; orders that change under noise.
Source: wang2024, eqs. (10), (11), (15), Table 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import decrease
from splitcrit.impurities import gini
from splitcrit.moments import agini, sgini_scan
from splitcrit.noise import symmetric
from splitcrit.proof import BALL, All, Ball, Erratum, Exhaustive, Fact, Identity, NearMiss, Sign, Theorem
from splitcrit.proofs.common import exactly, kinds, noisy, partitions, vector
from splitcrit.proofs.wang2024.degenerate import still
from splitcrit.proofs.wang2024.laws import (
    Counts,
    Margins,
    Totals,
    arrangements,
    gain,
    margins,
    mean_of,
    null,
    sgini_squared,
    transposed,
)
from splitcrit.proofs.wang2024.moments import in_factors, thick_classes


def lively(most: int, least: int = 1) -> Iterator[Margins]:
    """Yield the margins with a positive variance."""
    return (c for c in margins(most, least) if not still(c))


def tables_of(cases: Iterator[Margins]) -> Iterator[Counts]:
    for case in cases:
        yield from (t for t, _ in arrangements(*case))


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


def by_shape(most: int, rows: int, classes: int) -> Iterator[Counts]:
    return tables_of(c for c in margins(most, 2) if (len(c[0]), len(c[1])) == (rows, classes))


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


def chi_square(t: Any) -> Any:
    """Return Pearson's statistic of a table without empty rows and columns."""
    a, b = [total(row) for row in t], [total(list(column)) for column in zip(*t, strict=True)]
    n = total(a)
    expected = [[x * y / n for y in b] for x in a]
    return total(
        [(o - e) ** 2 / e for row, means in zip(t, expected, strict=True) for o, e in zip(row, means, strict=True)]
    )


def rows_of(v: Any, number: int) -> list[list[Any]]:
    return [vector(v, letter, 2) for letter in "xyz"[:number]]


def from_gain(t: Any, m: Any) -> Any:
    b = [total(list(column)) for column in zip(*t, strict=True)]
    return decrease(gini).score(t, m) * (b[0] + b[1]) ** 3 / (2 * b[0] * b[1])


def is_chi_square(number: int) -> Identity:
    return Identity(
        kinds("positive", *"xyz"[:number], classes=2),
        lambda v, m: chi_square(rows_of(v, number)),
        lambda v, m: from_gain(rows_of(v, number), m),
    )


def rivals(classes: int, most: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables with the same margins."""
    for a, b in margins(most, 2):
        if len(b) == classes:
            yield from combinations([t for t, _ in arrangements(a, b)], 2)


def same_order(pair: tuple[Counts, Counts], of: Callable[[Counts], Fraction]) -> bool:
    one, other = pair
    return (gain(one) > gain(other)) == (of(one) > of(other))


def exact_chi_square(t: Counts) -> Fraction:
    return Fraction(chi_square(exactly(t)))


CHI_SQUARE = Theorem(
    key="sgini.standardised_chi_square_of_two_classes",
    statement="for two classes chi-square is the Gini gain times N^3/(2 b_1 b_2): over permutations SGini is the"
    " standardised chi-square",
    source="wang2024, Section 1.1.2 (chi-square among the criteria); eq. (15)",
    scope="K = 2: two and three rows; any rows N <= 6",
    holds=All(
        is_chi_square(2),
        is_chi_square(3),
        Exhaustive(
            lambda: tables_of(c for c in margins(6, 2) if len(c[1]) == 2),
            lambda t: exact_chi_square(t) == from_gain(exactly(t), EXACT),
        ),
    ),
    fails=(
        NearMiss(
            "for three classes it orders tables with the same margins as chi-square does",
            Exhaustive(lambda: rivals(3, 6), lambda pair: same_order(pair, exact_chi_square)),
            "hypothesis",
        ),
        NearMiss(
            "the factor is N^2/(b_1 b_2)",
            Identity(
                kinds("positive", "x", "y", classes=2),
                lambda v, m: chi_square(rows_of(v, 2)),
                lambda v, m: from_gain(rows_of(v, 2), m) * 2 / (v.x0 + v.x1 + v.y0 + v.y1),
            ),
        ),
    ),
)


def within(t: Counts, weight: Callable[[int, int, int], Fraction]) -> Fraction:
    """Return the weighted mean over rows of the share of pairs in a row that differ in class."""
    n, r = sum(map(sum, t)), len(t)
    whole = Fraction(0)
    for row in t:
        labels = [j for j, x in enumerate(row) for _ in range(x)]
        pairs = list(combinations(labels, 2))
        if pairs:
            whole += weight(len(labels), n, r) * Fraction(sum(x != y for x, y in pairs), len(pairs))
    return whole


def by_freedom(a: int, n: int, r: int) -> Fraction:
    return Fraction(a - 1, n - r)


def standardised_within(t: Counts, weight: Callable[[int, int, int], Fraction]) -> Fraction:
    """Return the signed square of the standardised statistic over permutations."""
    case = tuple(map(sum, t)), tuple(map(sum, zip(*t, strict=True)))
    mean = mean_of(case, lambda s: within(s, weight))
    variance = mean_of(case, lambda s: (within(s, weight) - mean) ** 2)
    above = within(t, weight) - mean
    return Fraction(above * abs(above) / variance) if variance else Fraction(0)


def agrees_with_pairs(weight: Callable[[int, int, int], Fraction]) -> Exhaustive:
    return Exhaustive(lambda: tables_of(lively(5)), lambda t: standardised_within(t, weight) == -sgini_squared(t))


MRPP = Theorem(
    key="sgini.multi_response_permutation_of_nominal_distance",
    statement="SGini is minus the standardised statistic of the multi-response permutation procedure with distance 0 in"
    " a class, 1 between classes, and group weights (a_i - 1)/(N - r)",
    source="wang2024, eqs. (10), (11)",
    scope="all tables N <= 5 with a positive variance; the row term for K = 3",
    holds=All(
        Identity(
            kinds("positive", "x", classes=3),
            lambda v, m: (
                (total(vector(v, "x", 3)) ** 2 - total([x * x for x in vector(v, "x", 3)])) / total(vector(v, "x", 3))
            ),
            lambda v, m: (
                total(vector(v, "x", 3)) - total([x * x / total(vector(v, "x", 3)) for x in vector(v, "x", 3)])
            ),
        ),
        agrees_with_pairs(by_freedom),
    ),
    fails=(
        NearMiss("with weights a_i/N", agrees_with_pairs(lambda a, n, r: Fraction(a, n))),
        NearMiss(
            "with weights C(a_i, 2) over their sum", agrees_with_pairs(lambda a, n, r: Fraction(a * (a - 1), n * n))
        ),
    ),
)

LIMIT = {"t": "rate", "r": "positive", "h": "positive", "s2": "rate", "s3": "rate"}


def regular(t: Any, r: Any, h: Any, s2: Any, s3: Any) -> Any:
    """Return N^2 V at N = 1/t for margins in proportion, without a pole at t = 0; ``h`` is the sum of 1/shares."""
    rows = (1 - t) * (r - t * h) - (1 - r * t) * (1 + (r - 2) * t)
    classes = (1 - t) * (1 - 2 * t) * (s2 - t) - (1 - 2 * t) * (s2 - t) ** 2 - 2 * (1 - t) * (s3 - s2**2)
    uneven = 4 * t * (h - r**2) * (s3 - s2**2) / ((1 - t) * (1 - 2 * t) ** 2)
    return uneven + 2 * rows * classes / ((1 - t) ** 2 * (1 - 2 * t) ** 2 * (1 - 3 * t))


def scaled_variance(v: Any, m: Any) -> Any:
    return in_factors(1 / v.t, v.r, v.t * v.h, v.s2 / v.t**2, v.s3 / v.t**3) / v.t**2


def node_spread(s2: Any, s3: Any) -> Any:
    return s2 + s2**2 - 2 * s3


def per_root(t: Counts) -> Fraction:
    """Return the square of Gini / sqrt(r - 1)."""
    return gain(t) ** 2 / (len(t) - 1)


def features(most: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables of one node with positive variance."""
    for n in range(2, most + 1):
        for b in partitions(n):
            every = [t for a in partitions(n) if not still((a, b)) for t, _ in arrangements(a, b)]
            yield from combinations(every, 2)


def ordered_as(of: Callable[[Counts], Fraction]) -> Exhaustive:
    return Exhaustive(
        lambda: features(4),
        lambda c: of(c[0]) == of(c[1]) or (sgini_squared(c[0]) > sgini_squared(c[1])) == (of(c[0]) > of(c[1])),
    )


LARGE = Theorem(
    key="sgini.orders_as_gini_over_root_of_large_nodes",
    statement="at fixed proportions, as N grows, N E tends to (r - 1)(1 - s2) and N^2 V to 2 (r - 1)(s2 + s2^2 - 2 s3),"
    " whatever the row shares: SGini/N tends to Gini/sqrt(r - 1) over a constant of the node",
    source="wang2024, Section 3.1 (no clear bias, by words)",
    scope="all margins with N >= 4: leading order in 1/N; nothing is claimed at a finite N",
    holds=All(
        Identity(
            LIMIT,
            scaled_variance,
            lambda v, m: regular(v.t, v.r, v.h, v.s2, v.s3),
            lambda v, m: 0 < v.t < Fraction(1, 3),
        ),
        Identity(
            {x: LIMIT[x] for x in ("r", "h", "s2", "s3")},
            lambda v, m: regular(0, v.r, v.h, v.s2, v.s3) + v.h,
            lambda v, m: 2 * (v.r - 1) * node_spread(v.s2, v.s3) + v.h,
        ),
        Identity(
            {"t": "rate", "r": "positive", "s2": "rate"},
            lambda v, m: (v.r - 1) / (1 / v.t - 1) * (1 - v.s2) / v.t,
            lambda v, m: (v.r - 1) * (1 - v.s2) / (1 - v.t),
            lambda v, m: 0 < v.t < 1,
        ),
        Identity(
            kinds("rate", "p", classes=3),
            lambda v, m: node_spread(*(total([x**e for x in vector(v, "p", 3)]) for e in (2, 3))),
            lambda v, m: total(
                [
                    x**2 * (1 - x) ** 2 + x**2 * (total([y**2 for y in vector(v, "p", 3)]) - x**2)
                    for x in vector(v, "p", 3)
                ]
            ),
        ),
    ),
    premises=("null.gini_variance_of_permutation", "hand argument: a rational function without a pole is continuous"),
    fails=(
        NearMiss("at every N it orders features as Gini/sqrt(r - 1)", ordered_as(per_root)),
        NearMiss("at every N it orders features as Gini", ordered_as(gain)),
        NearMiss(
            "the limit of N^2 V depends on the row shares: it holds r h in the place of r",
            Identity(
                {x: LIMIT[x] for x in ("r", "h", "s2", "s3")},
                lambda v, m: regular(0, v.r, v.h, v.s2, v.s3),
                lambda v, m: 2 * (v.h / v.r - 1) * node_spread(v.s2, v.s3),
            ),
        ),
    ),
    latex=r"\mathrm{SGini}/N \to \mathrm{Gini} \big/ \sqrt{2 (r-1) (s_2 + s_2^2 - 2 s_3)}",
)

QUARTER = symmetric(Fraction(1, 4))
FLIPPED: tuple[Counts, Counts] = (((1, 5), (1, 1)), ((1, 1), (1, 1), (0, 4)))


def after(t: Counts) -> Counts:
    """Return the expected table after every label of two classes is flipped with chance 1/4."""
    return tuple(tuple(int(x) for x in row) for row in noisy(exactly(t), QUARTER))


def kept(pair: tuple[Counts, Counts], of: Callable[[Counts], Fraction]) -> bool:
    one, other = pair
    return (of(one) > of(other)) == (of(after(one)) > of(after(other)))


def whole_after(most: int) -> Iterator[Counts]:
    """Yield the tables of two classes whose expected noisy counts are integers."""
    for t in by_rows_of_fours(most):
        if all((3 * x + y) % 4 == 0 for x, y in t):
            yield t


def by_rows_of_fours(most: int) -> Iterator[Counts]:
    return tables_of(c for c in lively(most) if len(c[1]) == 2)


def same_margins(most: int) -> Iterator[tuple[Counts, Counts]]:
    for one, other in combinations(whole_after(most), 2):
        if list(map(sum, one)) == list(map(sum, other)) and column_totals(one) == column_totals(other):
            yield one, other


def column_totals(t: Counts) -> Totals:
    return tuple(map(sum, zip(*t, strict=True)))


NOISE = Theorem(
    key="sgini.order_changes_of_symmetric_noise",
    statement="symmetric noise can exchange the order of two features of one node by SGini while Gini keeps it: at"
    " eta = 1/4 the expected tables of ((1, 5), (1, 1)) and ((1, 1), (1, 1), (0, 4)); with equal margins it does not",
    source="wang2024, Section 5.4 (robustness to noise, by experiments)",
    scope="K = 2, eta = 1/4: the witness, N = 8; equal margins: all pairs N <= 10 with integer expected tables",
    holds=All(
        Exhaustive(lambda: [FLIPPED], lambda c: not kept(c, sgini_squared) and kept(c, gain)),
        Exhaustive(lambda: [FLIPPED], lambda c: sgini_squared(c[0]) < sgini_squared(c[1])),
        Exhaustive(lambda: same_margins(10), lambda c: kept(c, sgini_squared)),
    ),
    fails=(
        NearMiss("SGini keeps the order", Exhaustive(lambda: [FLIPPED], lambda c: kept(c, sgini_squared))),
        NearMiss(
            "noise divides SGini by one factor for all features of a node, as it does the gain",
            Exhaustive(
                lambda: [FLIPPED],
                lambda c: (
                    sgini_squared(c[0]) * sgini_squared(after(c[1])) == sgini_squared(c[1]) * sgini_squared(after(c[0]))
                ),
            ),
        ),
    ),
)

TABLE = {"a": ((3, 0), (1, 6)), "b": ((2, 0), (2, 6)), "b'": ((2, 0), (2, 2), (0, 4))}
PRINTED = {"a": ("0.2700", "3.7690"), "b": ("0.1200", "2.1046"), "b'": ("0.1733", "1.5781")}
RIGHT = {"a": ("0.3086", "3.7690"), "b": ("0.1800", "2.1046"), "b'": ("0.2800", "1.9093")}


def rounds(t: Counts, shown: tuple[str, str]) -> bool:
    """Tell whether gain and SGini of a table round to four decimals as shown."""
    half, (g, z) = Fraction(1, 20000), map(Fraction, shown)
    return abs(gain(t) - g) <= half and (z - half) ** 2 <= sgini_squared(t) <= (z + half) ** 2


AS_PRINTED = Exhaustive(lambda: TABLE, lambda name: rounds(TABLE[name], PRINTED[name]))

EXAMPLE = Theorem(
    key="example.gini_rises_and_sgini_falls_of_refinement",
    statement="in Table 3 the gains are 54/175, 9/50, 7/25 and SGini 3.7690, 2.1046, 1.9093: the refinement b' of b has"
    " the larger gain and the smaller SGini; the printed numbers are those with feature and label exchanged",
    source="wang2024, Table 3",
    scope="the three features",
    holds=All(
        Exhaustive(lambda: TABLE, lambda name: rounds(TABLE[name], RIGHT[name])),
        Exhaustive(lambda: TABLE, lambda name: rounds(transposed(TABLE[name]), PRINTED[name])),
        Exhaustive(
            lambda: [(TABLE["b"], TABLE["b'"])],
            lambda c: gain(c[0]) < gain(c[1]) and sgini_squared(c[0]) > sgini_squared(c[1]),
        ),
    ),
    fails=(
        NearMiss("the printed numbers have the feature in the rows", AS_PRINTED),
        NearMiss(
            "SGini never rises when a value is split",
            Exhaustive(
                lambda: (t for t in tables_of(lively(5)) if len(t) > 2),
                lambda t: (
                    sgini_squared(t) <= sgini_squared((*t[:-2], tuple(x + y for x, y in zip(*t[-2:], strict=True))))
                ),
            ),
        ),
    ),
)

CATEGORIES: Counts = ((1, 1), (4, 3), (1, 0))  # by rising share of the first class
OTHERS: Counts = ((2, 3), (1, 1), (3, 2))


def grouped(categories: Counts, left: tuple[int, ...]) -> Counts:
    """Return the table of a partition of categories into two groups."""
    groups = ([row for i, row in enumerate(categories) if (i in left) == side] for side in (True, False))
    return tuple(tuple(map(sum, zip(*group, strict=True))) for group in groups)


def consecutive_is_best(categories: Counts, of: Callable[[Counts], Any]) -> bool:
    return bool(max(of(grouped(categories, x)) for x in ((0,), (0, 1))) >= of(grouped(categories, (0, 2))))


def agini_of(t: Counts) -> Ball:
    return Ball(agini.score(exactly(t), BALL))


def ahead(m: Any) -> list[Any]:
    """Return by how much AGini of the groups {1, 3}, {2} exceeds that of the two consecutive partitions."""
    return [agini_of(grouped(OTHERS, (0, 2))) - agini_of(grouped(OTHERS, x)) for x in ((0,), (0, 1))]


SEARCH = [
    Theorem(
        key="sgini.best_grouping_not_consecutive_of_two_classes",
        statement="with two classes the best split of ordered categories into two groups need not be consecutive: not"
        " for SGini with ((1, 1), (4, 3), (1, 0)), not for AGini with ((2, 3), (1, 1), (3, 2))",
        source="wang2024, eqs. (11), (29), against the ordering shortcut of Gini",
        scope="K = 2, three categories: the witnesses",
        holds=All(
            Exhaustive(lambda: [CATEGORIES], lambda c: not consecutive_is_best(c, sgini_squared)),
            Exhaustive(lambda: [CATEGORIES, OTHERS], lambda c: consecutive_is_best(c, gain)),
            Sign(ahead),
        ),
        fails=(
            NearMiss(
                "it is for SGini",
                Exhaustive(lambda: [OTHERS, CATEGORIES], lambda c: consecutive_is_best(c, sgini_squared)),
            ),
            NearMiss("it is for AGini", Sign(lambda m: [-x for x in ahead(m)])),
        ),
        facts=(Fact("sgini", "ordering shortcut", "2", False), Fact("agini", "ordering shortcut", "2", False)),
    ),
    Theorem(
        key="sgini.negative_of_informative_split",
        statement="SGini and AGini can be negative although the rows differ, for two classes and for three",
        source="wang2024, eqs. (11), (29)",
        scope="((2, 1), (1, 2)) and ((2, 1, 1), (1, 1, 2))",
        holds=All(
            Exhaustive(lambda: INFORMATIVE, lambda t: sgini_squared(t) < 0 < gain(t)),
            Sign(lambda m: [-agini_of(t) for t in INFORMATIVE]),
        ),
        fails=(
            NearMiss(
                "SGini is not negative where the rows differ",
                Exhaustive(lambda: tables_of(lively(5)), lambda t: gain(t) == 0 or sgini_squared(t) >= 0),
            ),
            NearMiss(
                "SGini is negative at every split that keeps the majority of both rows",
                Exhaustive(
                    lambda: (t for t in by_shape(6, 2, 2) if all(row[0] > row[1] for row in t)),
                    lambda t: sgini_squared(t) < 0,
                ),
            ),
        ),
        facts=tuple(Fact(name, "stops early", K, True) for name in ("sgini", "agini") for K in ("2", ">2")),
    ),
]

INFORMATIVE: tuple[Counts, ...] = (((2, 1), (1, 2)), ((2, 1, 1), (1, 1, 2)))

THEOREMS = [*STANDARD, TRANSPOSE, SCAN, CHI_SQUARE, MRPP, LARGE, NOISE, EXAMPLE, *SEARCH]
ERRATA = [Erratum("S-E1", AS_PRINTED, EXAMPLE.key)]
