"""What pairwise gain is among the known criteria of two classes.

Main results: Gini gain, twice twoing and chi-square are the squared gain over the sizes of the children; at a node the
gain is the area under the curve, Youden's index and the Kolmogorov-Smirnov distance up to a constant, hence orders
splits as those do, while Gini weighs them by ``N_L N_R`` and can order them oppositely.
Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import pairwise_gain, twoing
from splitcrit.losses import pairwise
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Not, Theorem
from splitcrit.proofs.common import binary_splits, count_vectors, gini_decrease, score
from splitcrit.proofs.yang2019.pairwise import one_by_one, ranking_loss
from splitcrit.proofs.yang2019.terms import ROWS, SPLIT, Split, agree, clean, determinant, node_splits


def whole(v: Any) -> Any:
    return v.a + v.b + v.c + v.d


def sizes(v: Any) -> Any:
    """Return ``N_L N_R``."""
    return (v.a + v.b) * (v.c + v.d)


def classes(v: Any) -> Any:
    """Return ``N_pos N_neg``."""
    return (v.a + v.c) * (v.b + v.d)


def gain(v: Any, m: Any) -> Any:
    return pairwise_gain.score(clean(v), m)


def gini_gain(v: Any, m: Any) -> Any:
    return gini_decrease.score(clean(v), m)


def square_over_sizes(factor: int) -> Any:
    return lambda v, m: factor * gain(v, m) ** 2 / (whole(v) ** 2 * sizes(v))


def chi_square(v: Any, m: Any) -> Any:
    """Return Pearson's statistic, ``sum (observed - expected)^2 / expected``."""
    rows, total = clean(v), whole(v)
    columns = [v.b + v.d, v.a + v.c]
    cells = [(x, sum(row) * n / total) for row in rows for x, n in zip(row, columns, strict=True)]
    return sum((x - e) ** 2 / e for x, e in cells)


def share_difference(v: Any, m: Any) -> Any:
    return v.a / (v.a + v.b) - v.c / (v.c + v.d)


def lean(v: Any, m: Any) -> Any:
    """Return ``N_L N_R N_pos N_neg`` less the two products of the children."""
    n, left, right = whole(v), v.a + v.b, v.c + v.d
    return left * right * classes(v) - n * right * v.a * v.b - n * left * v.c * v.d


def squared_determinant(v: Any, m: Any) -> Any:
    return determinant(clean(v)) ** 2


def opposite(most: int, least: int = 2) -> Exhaustive:
    """Pairwise gain and Gini never order two splits of a node oppositely."""
    same = agree(lambda t: score(pairwise_gain, t), lambda t: score(gini_decrease, t))
    return Exhaustive(lambda: node_splits(count_vectors(most, 2, least)), same)


def of_one_size(most: int) -> Iterator[tuple[Split, Split]]:
    """Yield the pairs of splits of a node whose children have the same sizes."""
    for s, u in node_splits(count_vectors(most, 2, 2)):
        if sorted(map(sum, s)) == sorted(map(sum, u)):
            yield s, u


def same_weak_order(pair: tuple[Split, Split]) -> bool:
    first, second = ([score(criterion, t) for t in pair] for criterion in (pairwise_gain, gini_decrease))
    return bool((first[0] > first[1]) == (second[0] > second[1]))


GINI = [
    Theorem(
        key="relations.gini_gain_is_squared_pairwise_gain_over_sizes",
        statement="for two classes Gini gain = 8 t^2 / (N^2 N_L N_R) = 2 (N_L N_R / N^2) (p_L - p_R)^2, t being"
        " pairwise gain: both are functions of the same ad - bc",
        source="yang2019, Section V",
        scope="all tables with no empty cell; N^2 N_L N_R times half the gain as a polynomial",
        holds=All(
            Identity(ROWS, gini_gain, square_over_sizes(8)),
            Identity(ROWS, gini_gain, lambda v, m: 2 * sizes(v) / whole(v) ** 2 * share_difference(v, m) ** 2),
            Identity(SPLIT, lean, squared_determinant),
            Exhaustive(
                lambda: binary_splits(9),
                lambda t: (
                    score(gini_decrease, t) * sum(map(sum, t)) ** 2 * sum(t[0]) * sum(t[1])
                    == 8 * score(pairwise_gain, t) ** 2
                ),
            ),
        ),
        fails=(
            NearMiss("Gini gain = 4 t^2 / (N^2 N_L N_R)", Identity(ROWS, gini_gain, square_over_sizes(4))),
            NearMiss(
                "Gini gain is the square of 2 t / N^2, whatever the sizes of the children",
                Identity(ROWS, gini_gain, lambda v, m: (2 * gain(v, m) / whole(v) ** 2) ** 2),
            ),
        ),
        latex=r"\Delta_{\mathrm{Gini}} = \frac{8\, t(s)^2}{N^2 N_L N_R}",
    ),
    Theorem(
        key="relations.twoing_is_half_gini_gain",
        statement="for two classes twoing is half the Gini gain, 4 t^2 / (N^2 N_L N_R)",
        source="yang2019, Section V",
        scope="all tables with no empty cell; N <= 9",
        holds=All(
            Identity(ROWS, lambda v, m: twoing.score(clean(v), m), square_over_sizes(4)),
            Exhaustive(lambda: binary_splits(9), lambda t: 2 * score(twoing, t) == score(gini_decrease, t)),
        ),
        fails=(
            NearMiss("twoing is the Gini gain", Identity(ROWS, lambda v, m: twoing.score(clean(v), m), gini_gain)),
            NearMiss(
                "the same for three classes",
                Exhaustive(lambda: binary_splits(4, 3), lambda t: 2 * score(twoing, t) == score(gini_decrease, t)),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="relations.chi_square_is_rescaled_gini_gain",
        statement="for two classes chi-square is N Gini gain / (2 p q) = 4 N t^2 / (N_L N_R N_pos N_neg): at a node it"
        " orders splits as Gini does",
        source="yang2019, Section V",
        scope="all tables with no empty cell",
        holds=All(
            Identity(
                ROWS,
                chi_square,
                lambda v, m: whole(v) ** 3 * gini_gain(v, m) / (2 * classes(v)),
            ),
            Identity(ROWS, chi_square, lambda v, m: 4 * whole(v) * gain(v, m) ** 2 / (sizes(v) * classes(v))),
        ),
        fails=(
            NearMiss(
                "chi-square is N times the Gini gain",
                Identity(ROWS, chi_square, lambda v, m: whole(v) * gini_gain(v, m)),
            ),
            NearMiss(
                "chi-square is 4 t^2 / (N_L N_R N_pos N_neg), per table",
                Identity(ROWS, chi_square, lambda v, m: 4 * gain(v, m) ** 2 / (sizes(v) * classes(v))),
            ),
        ),
        latex=r"\chi^2 = \frac{N}{2pq}\, \Delta_{\mathrm{Gini}} = \frac{4 N t(s)^2}{N_L N_R N_+ N_-}",
    ),
    Theorem(
        key="relations.pairwise_gain_orders_unlike_gini",
        statement="of two splits of a node pairwise gain and Gini can prefer different ones; the smallest node has 7"
        " examples; they agree when the children have the same sizes",
        source="yang2019, Section V",
        scope="N <= 6 none, N = 7 a witness; equal sizes N <= 8",
        holds=All(opposite(6), Not(opposite(7, 7)), Exhaustive(lambda: of_one_size(8), same_weak_order)),
        fails=(
            NearMiss("they agree on every node of up to 7 examples", opposite(7)),
            NearMiss("they disagree already on 6 examples", Not(opposite(6, 6))),
            NearMiss(
                "they rank alike, ties included, whatever the sizes of the children",
                Exhaustive(lambda: node_splits(count_vectors(6, 2, 2)), same_weak_order),
                alters="hypothesis",
            ),
        ),
    ),
]


# The curve and the distance.


def area(v: Any, m: Any) -> Any:
    """Return the area under the curve of the score 1 on the left, 0 on the right: 1 less the mean ranking loss."""
    return 1 - ranking_loss([(v.a, v.b), (v.c, v.d)], [Fraction(1), Fraction(0)], m) / classes(v)


def area_above_half(v: Any, m: Any) -> Any:
    return area(v, m) - Fraction(1, 2)


def counted_area(t: Any) -> Fraction:
    (b, a), (d, c) = t
    return Fraction(1 - one_by_one([(a, b), (c, d)], [1, 0]) / ((a + c) * (b + d)))


def rates(v: Any, m: Any) -> Any:
    """Return the true positive rate less the false positive rate of calling the left child positive."""
    return v.a / (v.a + v.c) - v.b / (v.b + v.d)


def two_class_splits(most: int) -> Iterator[Any]:
    return (t for t in binary_splits(most) if all(map(sum, zip(*t, strict=True))))


def half_area(t: Any) -> bool:
    negatives, positives = (sum(column) for column in zip(*t, strict=True))
    return bool(score(pairwise_gain, t) == negatives * positives * abs(counted_area(t) - Fraction(1, 2)))


def of_absolute(inner: Any, factor: Any) -> Identity:
    """Pairwise gain is the absolute value of a quantity times ``N_pos N_neg`` and a factor, by squares."""
    return Identity(ROWS, lambda v, m: gain(v, m) ** 2, lambda v, m: (factor * classes(v) * inner(v, m)) ** 2)


def samples(most: int, values: int) -> Iterator[Any]:
    """Yield the numbers of positives and negatives at each of several values of a feature, both classes present."""
    for flat in count_vectors(most, 2 * values, 2):
        positives, negatives = flat[:values], flat[values:]
        if sum(positives) and sum(negatives):
            yield positives, negatives


def distance(case: Any) -> Fraction:
    """Return the Kolmogorov-Smirnov distance of the feature's laws among positives and among negatives."""
    laws = [[Fraction(sum(n[: i + 1]), sum(n)) for i in range(len(n))] for n in case]
    return Fraction(max(abs(x - y) for x, y in zip(*laws, strict=True)))


def best_threshold_gain(case: Any) -> Fraction:
    positives, negatives = case
    tables = [
        [[sum(negatives[part]), sum(positives[part])] for part in (slice(i), slice(i, None))]
        for i in range(1, len(positives))
    ]
    return max((Fraction(score(pairwise_gain, t)) for t in tables), default=Fraction(0))


def is_distance(case: Any) -> bool:
    return bool(2 * best_threshold_gain(case) == sum(case[0]) * sum(case[1]) * distance(case))


def is_area_of_feature(case: Any) -> bool:
    """State that the best threshold's gain is that of the feature's own area under the curve."""
    positives, negatives = case
    loss = sum(
        x * y * pairwise(Fraction(i), Fraction(j), EXACT)
        for (i, x), (j, y) in product(enumerate(positives), enumerate(negatives))
    )
    curve = 1 - Fraction(loss, sum(positives) * sum(negatives))
    return bool(best_threshold_gain(case) == sum(positives) * sum(negatives) * abs(curve - Fraction(1, 2)))


CURVES = [
    Theorem(
        key="relations.pairwise_gain_is_area_under_curve",
        statement="t = N_pos N_neg |AUC - 1/2|, where AUC is that of the split as a score with two values",
        source="yang2019, Section V",
        scope="all tables with no empty cell; pair by pair for N <= 6 with both classes",
        holds=All(of_absolute(area_above_half, 1), Exhaustive(lambda: two_class_splits(6), half_area)),
        fails=(
            NearMiss("t = N_pos N_neg |2 AUC - 1|", of_absolute(area_above_half, 2)),
            NearMiss(
                "the best threshold gains N_pos N_neg |AUC - 1/2|, with the AUC of the feature itself",
                Exhaustive(lambda: samples(4, 3), is_area_of_feature),
                alters="hypothesis",
            ),
        ),
        latex=r"t(s) = N_+ N_- \left|\mathrm{AUC}(s) - \tfrac12\right|",
    ),
    Theorem(
        key="relations.pairwise_gain_is_kolmogorov_smirnov_distance",
        statement="t = (N_pos N_neg / 2) |TPR - FPR|; the best threshold of a feature gains N_pos N_neg / 2 times the"
        " Kolmogorov-Smirnov distance of the feature between the classes: the order of the Kolmogorov-Smirnov tree",
        source="yang2019, Section V",
        scope="all tables with no empty cell; features with 3 values N <= 6, with 4 values N <= 5",
        holds=All(
            of_absolute(rates, Fraction(1, 2)),
            Exhaustive(lambda: samples(6, 3), is_distance),
            Exhaustive(lambda: samples(5, 4), is_distance),
        ),
        fails=(
            NearMiss("t = N_pos N_neg |TPR - FPR|", of_absolute(rates, 1)),
            NearMiss(
                "the squared distance orders splits as Gini does",
                opposite(7, 7),
            ),
        ),
        latex=r"\max_s t(s) = \tfrac12 N_+ N_- \sup_x |F_+(x) - F_-(x)|",
    ),
]

THEOREMS = [*GINI, *CURVES]
