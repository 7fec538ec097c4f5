"""Table I, regression: the mean and the variance, the median and the mean absolute deviation.

Main results: the excess risk over the variance is a square; mean absolute error is that of the median, not the mean.
Source: yang2019, Table I.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.impurities import (
    absolute_deviation,
    variance,
)
from splitcrit.losses import absolute_error, risk, squared_error
from splitcrit.proof import All, Certificate, Exhaustive, NearMiss, Smt, Theorem
from splitcrit.proofs.common import (
    binary_splits,
    compositions,
    count_vectors,
    distribution,
    exactly,
    kinds,
    vector,
)
from splitcrit.proofs.yang2019.terms import announced, best_risk

P3 = kinds("positive", "p", classes=3)
RESPONSES = P3 | kinds("real", "v", classes=3) | {"w": "real"}


def around_mean(v: Any, m: Any) -> Any:
    values, p = tuple(vector(v, "v", 3)), distribution(v, 3)
    return risk(squared_error(values), v.w, p, m) - variance(values).of(p, m)


def to_mean(v: Any, m: Any) -> Any:
    values, p = tuple(vector(v, "v", 3)), distribution(v, 3)
    return [([v.w - announced(squared_error(values), p, m)], [])]


def unbiased(counts: Any, values: tuple[int, ...]) -> Fraction:
    """Return the sample variance with denominator n - 1, and 0 for a single example."""
    n = sum(counts)
    biased = variance(values).of([Fraction(x, n) for x in counts], EXACT)
    return Fraction(biased * n / max(n - 1, 1))


def reduction_of_unbiased(t: Any) -> Fraction:
    node = [x + y for x, y in zip(*t, strict=True)]
    kept = sum((Fraction(sum(row), sum(node)) * unbiased(row, (0, 1)) for row in t), Fraction(0))
    return unbiased(node, (0, 1)) - kept


VARIANCE = [
    Theorem(
        key="criterion.variance_is_squared_error",
        statement="the squared error risks variance + (w - mean)^2: the best announcement is the mean alone, the"
        " least risk the variance with denominator n",
        source="yang2019, Table I",
        scope="three distinct responses, all real values, weights and announcements",
        holds=Certificate(RESPONSES, around_mean, to_mean),
        fails=(
            NearMiss(
                "the reduction of the sample variance with denominator n - 1 is never negative either",
                Exhaustive(lambda: binary_splits(4), lambda t: reduction_of_unbiased(t) >= 0),
            ),
            NearMiss(
                "announcing the median costs no more",
                Exhaustive(
                    lambda: count_vectors(4, 3),
                    lambda n: (
                        risk(squared_error((0, 1, 3)), median((0, 1, 3), n), exactly([n])[0], EXACT)
                        == best_risk(squared_error((0, 1, 3)), exactly([n])[0], EXACT)
                    ),
                ),
            ),
        ),
        latex=r"\sum_i p_i (w - y_i)^2 = \mathrm{Var} + (w - \bar y)^2",
    ),
]


def median(values: tuple[int, ...], counts: Any) -> Any:
    p = [Fraction(x, sum(counts)) for x in counts]
    return announced(absolute_error(values), p, EXACT)


def mean(values: tuple[int, ...], counts: Any) -> Any:
    p = [Fraction(x, sum(counts)) for x in counts]
    return announced(squared_error(values), p, EXACT)


THREE = (0, 1, 3)


def absolute_excess(values: tuple[int, ...], share: Fraction) -> Smt:
    """No announcement risks less than the deviation about the median, which the named announcement attains."""

    def conclusion(v: Any, m: Any) -> Any:
        p = vector(v, "p", len(values))
        deviation = absolute_deviation(values).of(p, m)
        return share * deviation <= risk(absolute_error(values), v.w, p, m)

    variables = kinds("rate", "p", classes=len(values)) | {"w": "real"}
    return Smt(variables, conclusion, lambda v, m: [sum(vector(v, "p", len(values))) == 1])


def absolute_attained(announce: Any) -> Exhaustive:
    def holds(case: Any) -> bool:
        values, n = case
        exact = exactly([n])[0]
        whole = sum(exact) * absolute_deviation(values).of([x / sum(exact) for x in exact], EXACT)
        return bool(risk(absolute_error(values), announce(values, n), exact, EXACT) == whole)

    values = [(0, 1, 3), (0, 3, 1), (2, 0, 1), (0, 0, 3), (-2, 0, 5)]
    return Exhaustive(lambda: ((y, n) for y in values for n in count_vectors(6, 3)), holds)


def several_minimisers(case: Any) -> bool:
    """State that the two announcements 0 and 1 cost differently for responses 0 and 1."""
    exact = exactly([case])[0]
    return bool(risk(absolute_error((0, 1)), 0, exact, EXACT) != risk(absolute_error((0, 1)), 1, exact, EXACT))


MAE = [
    Theorem(
        key="criterion.mae_is_absolute_error_of_median",
        statement="the absolute error is least at a median, where it is the mean absolute deviation about the median",
        source="yang2019, Table I",
        scope="responses 0, 1, 3 with all weights and announcements; attained for five triples of responses, N <= 6",
        holds=All(absolute_excess(THREE, Fraction(1)), absolute_attained(median)),
        fails=(
            NearMiss("the mean attains it too", absolute_attained(mean)),
            NearMiss(
                "the best announcement is unique (values 0 and 1)",
                Exhaustive(lambda: compositions(4, 2), several_minimisers),
            ),
            NearMiss("the risk is at least 5/4 of it", absolute_excess(THREE, Fraction(5, 4))),
        ),
        added="the deviation is taken about the median, not the mean",
    ),
]

THEOREMS = [*VARIANCE, *MAE]
