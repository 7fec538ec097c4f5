"""Impurities that are sums of one concave function of the class shares, and their gains as printed.

Source: wang2024, eqs. (1)-(9) and (15), Definition 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, misclassification
from splitcrit.proof import (
    BALL,
    All,
    Ball,
    Certificate,
    Erratum,
    Exhaustive,
    Identity,
    NearMiss,
    Smt,
    Theorem,
)
from splitcrit.proofs.common import count_vectors, exactly, kinds, tables, vector
from splitcrit.proofs.wang2024.laws import LOGS, Counts, Logs, gain, margins, signed, transposed

TWO_ROWS = kinds("positive", "x", "y", classes=2)


THREE_CLASSES = kinds("positive", "x", "y", classes=3)


REFINED = kinds("positive", "x", "y", "z", classes=2)


LOG_PREMISE = "log u <= u - 1 for u > 0"


def rows(v: Any, letters: str, classes: int) -> list[list[Any]]:
    """Return the table whose rows are named by letters."""
    return [vector(v, letter, classes) for letter in letters]


def small_tables(most: int, rows_at_least: int = 2) -> Iterator[Counts]:
    """Yield all tables without empty rows or classes, up to the order of rows and of classes."""
    for a, b in margins(most):
        if len(a) >= rows_at_least:
            yield from tables(a, b)


def sign(x: Any) -> int:
    """Return the sign of a rational number or of a combination of logarithms."""
    if isinstance(x, Logs):
        return Ball(signed(x, BALL)).sign() if x.parts else 0
    return int(x > 0) - int(x < 0)


def exact_gain(impurity: Impurity, t: Any) -> Any:
    """Return the gain of a table, as a Fraction or as a combination of logarithms."""
    exact = [[Fraction(x) for x in row] for row in t]
    return decrease(impurity).score(exact, LOGS if impurity is entropy else EXACT)


def below_tangent(part: Any, slope: Any) -> Any:
    """Return ``f(1/K) + slope (x - 1/K) - f(x)``: summed over a distribution, ``K f(1/K)`` minus its impurity."""
    return lambda v, m: part(1 / v.k, m) + slope(v, m) * (v.x - 1 / v.k) - part(v.x, m)


def parabola(x: Any, m: Any) -> Any:
    return x * (1 - x)


def at(impurity: Impurity, p: tuple[Any, ...]) -> Any:
    return impurity.of([Fraction(x) for x in p], EXACT)


def grid(classes: int, steps: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield the distributions whose probabilities are multiples of ``1/steps``."""
    for counts in count_vectors(steps, classes, steps):
        yield tuple(Fraction(x, steps) for x in counts)


def uniform(classes: int) -> tuple[Fraction, ...]:
    return (Fraction(1, classes),) * classes


ONLY_UNIFORM = Exhaustive(
    lambda: (p for classes in (2, 3) for p in grid(classes, 6)),
    lambda p: at(bayes_sum, p) < at(bayes_sum, uniform(len(p))) or p == uniform(len(p)),
)


IS_BAYES_ERROR = Exhaustive(
    lambda: (p for classes in (2, 3) for p in grid(classes, 6)), lambda p: at(bayes_sum, p) == at(misclassification, p)
)


UNIQUE_OR_NOT = Exhaustive(
    lambda: (p for classes in (2, 3, 4) for p in grid(classes, 12)),
    lambda p: (at(bayes_sum, p) == 1) == (max(p) <= Fraction(1, 2)) and at(bayes_sum, p) >= at(misclassification, p),
)


def tangent_of_root(v: Any, m: Any) -> Any:
    """Twice the bound minus twice the root, times 2 st at x = p^2 of p^2 + q^2 and 1/K = s^2 of s^2 + t^2."""
    return v.p**2 * v.t**2 + v.q**2 * v.s**2 - 2 * v.p * v.q * v.s * v.t


DEFINITION = [
    Theorem(
        key="impurity.largest_at_uniform_of_concave_parts",
        statement="each of the four sums is largest at the uniform distribution, least, with value 0, at the vertices,"
        " and symmetric",
        source="wang2024, Definition 1 with eqs. (1)-(5)",
        scope="all K >= 2",
        holds=All(
            Identity(
                {"x": "rate", "k": "positive"},
                below_tangent(parabola, lambda v, m: 1 - 2 / v.k),
                lambda v, m: (v.x - 1 / v.k) ** 2,
            ),
            Certificate(dict.fromkeys("pqst", "real"), tangent_of_root, lambda v, m: [([v.p * v.t - v.q * v.s], [])]),
            Smt({"x": "rate"}, lambda v, m: m.min((v.x, 1 - v.x)) <= v.x),
            Identity(
                {"x": "rate", "k": "positive"},
                lambda v, m: v.x * (1 / (v.k * v.x) - 1),
                lambda v, m: 1 / v.k - v.x,
                lambda v, m: v.x > 0,
            ),
            Exhaustive(
                lambda: grid(3, 12), lambda p: 0 <= at(bayes_sum, p) <= 1 and 0 <= at(gini, p) <= Fraction(2, 3)
            ),
        ),
        premises=(LOG_PREMISE, "hand argument: a bound for each class, summed over the classes, settles all K"),
        fails=(
            NearMiss("the sum of min(x, 1 - x) is largest at the uniform distribution alone", ONLY_UNIFORM),
            NearMiss("the sum of min(x, 1 - x) is the error 1 - max p of the best announcement", IS_BAYES_ERROR),
            NearMiss(
                "1 - max p is below its value at the uniform distribution by the square of the distance",
                Exhaustive(
                    lambda: grid(3, 6),
                    lambda p: (
                        at(misclassification, uniform(3)) - at(misclassification, p)
                        == at(gini, uniform(3)) - at(gini, p)
                    ),
                ),
            ),
        ),
    ),
    Theorem(
        key="impurity.bayes_sum_flat_of_no_majority",
        statement="the sum of min(x, 1 - x) is 1 exactly where no class has more than half; it is at least 1 - max p",
        source="wang2024, eqs. (3) and (5)",
        scope="K = 2, 3, 4: all distributions with denominators dividing 12; over the reals K = 3",
        holds=All(
            UNIQUE_OR_NOT,
            Smt(
                dict.fromkeys("xyz", "rate"),
                lambda v, m: bayes_sum.of([v.x, v.y, v.z], m) == m.min((m.number(1), 2 - 2 * m.max((v.x, v.y, v.z)))),
                lambda v, m: [v.x + v.y + v.z == 1],
            ),
        ),
        fails=(
            NearMiss("it is 1 at the uniform distribution alone", ONLY_UNIFORM),
            NearMiss("it equals 1 - max p", IS_BAYES_ERROR),
        ),
    ),
]


def printed_gini(t: Any) -> Any:
    """Return eq. (8), term by term."""
    n = total([total(row) for row in t])
    node = [total([row[j] for row in t]) / n for j in range(len(t[0]))]
    inside = [total(row) / n * total([x / total(row) * (1 - x / total(row)) for x in row]) for row in t]
    return 1 - total([p * p for p in node]) - total(inside)


def counted_gini(t: Any) -> Any:
    """Return eq. (15)."""
    n = total([total(row) for row in t])
    node = [total([row[j] for row in t]) / n for j in range(len(t[0]))]
    return total([x * x / (n * total(row)) for row in t for x in row]) - total([p * p for p in node])


def printed_entropy(t: Counts) -> Logs:
    """Return eq. (9) in nats."""
    n = Fraction(sum(map(sum, t)))
    node: Logs = -total([LOGS.xlogx(sum(column) / n) for column in zip(*t, strict=True)])
    whole: Logs = node + total([sum(row) / n * LOGS.xlogx(Fraction(x, sum(row))) for row in t for x in row])
    return whole


def halves(t: Any) -> Any:
    """Return eq. (8) with the inner term x^2 left out of its sign."""
    n = total([total(row) for row in t])
    node = [total([row[j] for row in t]) / n for j in range(len(t[0]))]
    return total([x * x / (total(row) * total(row)) for row in t for x in row]) / len(t) - total([p * p for p in node])


def face(v: Any, m: Any) -> Any:
    return decrease(gini).score(rows(v, "xyz", 2), m)


GAINS = [
    Theorem(
        key="gain.gini_and_entropy_are_the_printed_ones",
        statement="the decreases of Gini and of entropy are the printed gains, in proportions and in counts",
        source="wang2024, eqs. (7)-(9), (15)",
        scope="Gini: three rows, K = 2; both: all tables with N <= 5",
        holds=All(
            Identity(REFINED, face, lambda v, m: printed_gini(rows(v, "xyz", 2))),
            Identity(REFINED, face, lambda v, m: counted_gini(rows(v, "xyz", 2))),
            Exhaustive(lambda: small_tables(5, 1), lambda t: gain(t) == counted_gini(exactly(t))),
            Exhaustive(lambda: small_tables(5, 1), lambda t: exact_gain(entropy, t) == printed_entropy(t)),
        ),
        fails=(
            NearMiss(
                "rows count equally, whatever their size",
                Identity(REFINED, face, lambda v, m: halves(rows(v, "xyz", 2))),
            ),
            NearMiss(
                "the gain is the same with feature and label exchanged",
                Exhaustive(lambda: small_tables(4), lambda t: gain(t) == gain(transposed(t))),
                "hypothesis",
            ),
        ),
        latex=r"\mathrm{Gini}(A) = \sum_{ij} \frac{n_{ij}^2}{N n_i} - \sum_j \Bigl(\frac{n_j}{N}\Bigr)^2",
    ),
]


THEOREMS = [*DEFINITION, *GAINS]


ERRATA = [Erratum("S-E16", All(ONLY_UNIFORM, IS_BAYES_ERROR), "impurity.bayes_sum_flat_of_no_majority")]
