"""Pairwise gain as a distance of the two classes: area under the curve, Youden's index, Kolmogorov-Smirnov.

Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import pairwise_gain
from splitcrit.losses import pairwise
from splitcrit.proof import Erratum, Exhaustive, Identity, Law, NearMiss, Not, Theorem, only
from splitcrit.proofs.common import HALF, count_vectors, score, up_to
from splitcrit.proofs.gain.pairwise import gain, ranking_loss
from splitcrit.proofs.gain.relations import REALS, classes, opposite, present
from splitcrit.proofs.two_class import two_classes


def area_above_half(v: Any, m: Any) -> Any:
    """The area under the curve of the score 1 on the left, 0 on the right, less 1/2."""
    return HALF - ranking_loss([(v.a, v.b), (v.c, v.d)], [Fraction(1), Fraction(0)], m) / classes(v)


def rates(v: Any, m: Any) -> Any:
    """The true positive rate less the false positive rate of calling the left child positive."""
    return v.a / (v.a + v.c) - v.b / (v.b + v.d)


def of_absolute(inner: Any, factor: Any) -> Identity:
    """Pairwise gain is the absolute value of a quantity times ``N_pos N_neg`` and a factor, by squares."""
    return Identity(REALS, lambda v, m: gain(v, m) ** 2, lambda v, m: (factor * classes(v) * inner(v, m)) ** 2, present)


def samples(most: int, values: int) -> Iterator[Any]:
    """Yield the numbers of positives and negatives at each of several values of a feature, both classes present."""
    for flat in count_vectors(most, 2 * values, 2):
        positives, negatives = flat[:values], flat[values:]
        if sum(positives) and sum(negatives):
            yield positives, negatives


def distance(case: Any) -> Fraction:
    """The Kolmogorov-Smirnov distance of the feature's laws among positives and among negatives."""
    laws = [[Fraction(sum(n[: i + 1]), sum(n)) for i in range(len(n))] for n in case]
    return Fraction(max(abs(x - y) for x, y in zip(*laws, strict=True)))


def area_of_feature(case: Any) -> Fraction:
    """Return twice the distance from 1/2 of the area under the curve of the feature as a score."""
    places = product(enumerate(case[0]), enumerate(case[1]))
    loss = sum(x * y * pairwise(Fraction(i), Fraction(j), EXACT) for (i, x), (j, y) in places)
    return abs(1 - 2 * Fraction(loss, sum(case[0]) * sum(case[1])))


def best_threshold(most: int, values: Any, measure: Callable[[Any], Fraction]) -> Exhaustive:
    """The best threshold of a feature gains ``N_pos N_neg / 2`` times the measure."""

    def holds(case: Any) -> bool:
        cuts = [(slice(i), slice(i, None)) for i in range(1, len(case[0]))]
        tables = [[[sum(n[part]) for n in reversed(case)] for part in cut] for cut in cuts]
        return bool(2 * max(score(pairwise_gain, t) for t in tables) == sum(case[0]) * sum(case[1]) * measure(case))

    return up_to(most, samples, holds, J=values)


area_law, rate_law = Law(of_absolute, inner=area_above_half, factor=1), Law(of_absolute, inner=rates, factor=HALF)

THEOREMS = [
    Theorem(
        key="gain.pairwise_gain_is_area_under_curve",
        statement="t = N_pos N_neg |AUC - 1/2|, where AUC is that of the split as a score with two values",
        source="yang2019, Section V",
        holds=two_classes(area_law),
        fails=(
            area_law.but("t = N_pos N_neg |2 AUC - 1|", factor=2),
            NearMiss(
                "the best threshold gains N_pos N_neg |AUC - 1/2|, with the AUC of the feature itself",
                best_threshold(4, 3, area_of_feature),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="gain.pairwise_gain_is_kolmogorov_smirnov_distance",
        statement="t = (N_pos N_neg / 2) |TPR - FPR|; the best threshold of a feature gains N_pos N_neg / 2 times the"
        " Kolmogorov-Smirnov distance of the feature between the classes: the order of the Kolmogorov-Smirnov tree",
        source="yang2019, Section V",
        holds=two_classes(split=rate_law, best_threshold=best_threshold(6, only(2, 3, 4), distance)),
        fails=(
            rate_law.but("t = N_pos N_neg |TPR - FPR|", factor=1),
            NearMiss("the squared distance orders splits as Gini does", opposite(7, 7)),
        ),
    ),
]

ERRATA = [Erratum("Y-E8", Not(rate_law), "gain.pairwise_gain_is_kolmogorov_smirnov_distance")]
