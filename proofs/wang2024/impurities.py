"""Impurities that are sums of one concave function of the class shares, and what refining a feature does to their gain.

Main results: Definition 1 for the four functions; the gain of a refinement exceeds that of the feature by the gain of
the split row alone, times its share; for a concave function that is never negative.
Source: wang2024, eqs. (1)-(9) and (15), Definition 1, Property 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import Criterion, decrease, normalised
from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, matushita, misclassification
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
    Undecided,
)
from splitcrit.proofs.common import count_vectors, exactly, kinds, partitions, tables, vector
from splitcrit.proofs.wang2024.laws import LOGS, Counts, Logs, gain, margins, sgini_squared, signed, transposed

TWO_ROWS = kinds("positive", "x", "y", classes=2)
THREE_CLASSES = kinds("positive", "x", "y", classes=3)
REFINED = kinds("positive", "x", "y", "z", classes=2)
CELL = kinds("positive", "x", "m", "y", "n")  # of one class: x of m in one row, y of n in the other
LOG_PREMISE = "log u <= u - 1 for u > 0"
BY_CLASS = "hand argument: the gain is a sum over classes, so that an inequality for each class settles all K"


def rows(v: Any, letters: str, classes: int) -> list[list[Any]]:
    """Return the table whose rows are named by letters."""
    return [vector(v, letter, classes) for letter in letters]


def merged(t: Any) -> list[list[Any]]:
    """Return the table with its last two rows put together."""
    return [*(list(row) for row in t[:-2]), [x + y for x, y in zip(t[-2], t[-1], strict=True)]]


def gain_of_refining(criterion: Criterion, t: Any, m: Any) -> Any:
    return criterion.score(t, m) - criterion.score(merged(t), m)


def local(criterion: Criterion, t: Any, m: Any, weighted: bool = True) -> Any:
    """Return the gain of the last two rows alone, times their share of the examples."""
    pair = [list(row) for row in t[-2:]]
    share = total([total(row) for row in pair]) / total([total(row) for row in t])
    return criterion.score(pair, m) * (share if weighted else 1)


def is_local(impurity: Impurity, weighted: bool = True, squares: bool = False) -> Identity:
    """The claim that refining a row adds the gain of that row alone, for three rows and two classes."""
    criterion = decrease(impurity)

    def table(v: Any) -> list[list[Any]]:
        return [[x * x if squares else x for x in row] for row in rows(v, "xyz", 2)]

    return Identity(
        REFINED,
        lambda v, m: gain_of_refining(criterion, table(v), m),
        lambda v, m: local(criterion, table(v), m, weighted),
    )


def small_tables(most: int, rows_at_least: int = 2) -> Iterator[Counts]:
    """Yield all tables without empty rows or classes, up to the order of rows and of classes."""
    for a, b in margins(most):
        if len(a) >= rows_at_least:
            yield from tables(a, b)


def small_and_local(t: Counts) -> bool:
    exact = exactly(t)
    return all(
        bool(gain_of_refining(decrease(impurity), exact, m) == local(decrease(impurity), exact, m))
        for impurity, m in ((gini, EXACT), (bayes_sum, EXACT), (entropy, LOGS))
    )


def sign(x: Any) -> int:
    """Return the sign of a rational number or of a combination of logarithms."""
    if isinstance(x, Logs):
        return Ball(signed(x, BALL)).sign() if x.parts else 0
    return int(x > 0) - int(x < 0)


def exact_gain(impurity: Impurity, t: Any) -> Any:
    """Return the gain of a table, as a Fraction or as a combination of logarithms."""
    exact = [[Fraction(x) for x in row] for row in t]
    return decrease(impurity).score(exact, LOGS if impurity is entropy else EXACT)


def change(impurity: Impurity, t: Counts) -> int:
    """Return the sign of what splitting the last row of ``merged(t)`` adds to the gain."""
    return sign(exact_gain(impurity, t) - exact_gain(impurity, merged(t)))


def two_row_gain(impurity: Impurity, classes: int = 2) -> Smt:
    names = "xy"
    return Smt(
        kinds("positive", *names, classes=classes),
        lambda v, m: decrease(impurity).score(rows(v, names, classes), m) >= 0,
    )


QUARTIC = Impurity("quartic", lambda p, m: total([x * x * (1 - x) * (1 - x) for x in p]))  # its part is not concave


def more_rows_more_gain(case: tuple[Counts, Counts]) -> bool:
    few, many = case
    return gain(few) <= gain(many)


def by_rows(most: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables with the same class totals, the second with one more row."""
    for n in range(2, most + 1):
        for b in partitions(n):
            every = [t for a in partitions(n) for t in tables(a, b)]
            yield from ((s, t) for s in every for t in every if len(t) == len(s) + 1)


def squared_differences(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    x, y = rows(v, "xy", 3)
    return [([a * total(y) - b * total(x)], ["scale"]) for a, b in zip(x, y, strict=True)]


def scale(v: Any, m: Any) -> dict[str, Any]:
    x, y = (total(row) for row in rows(v, "xy", 3))
    return {"scale": 1 / (x * y * (x + y) ** 2)}


def root_sum(v: Any, m: Any) -> Any:
    """Cauchy-Schwarz for one class, with x = p^2 of m = p^2 + s^2 in one row and q^2 of q^2 + t^2 in the other."""
    return (v.p**2 + v.q**2) * (v.s**2 + v.t**2) - (v.p * v.s + v.q * v.t) ** 2


def root_of_node(v: Any, m: Any, factor: int = 2) -> Any:
    """Return the square of the root that the gain of two rows and the roots of both rows leave for the node."""
    rows_of_squares = [[v.p**2, v.s**2], [v.q**2, v.t**2]]
    n = total([total(row) for row in rows_of_squares])
    return (decrease(matushita).score(rows_of_squares, m) * n / factor + v.p * v.s + v.q * v.t) ** 2


def gain_ratio_raised(t: Counts) -> bool:
    ratio, exact = normalised(entropy), [[BALL.number(x) for x in row] for row in t]
    try:
        return bool(ratio.score(exact, BALL) >= ratio.score(merged(exact), BALL))
    except Undecided:  # equal, as far as an enclosure tells
        return True


def always_raised(impurity: Impurity, most: int = 4) -> NearMiss:
    says = "a refinement always raises the gain"
    return NearMiss(says, Exhaustive(lambda: small_tables(most), lambda t: change(impurity, t) > 0))


def never_lowered(impurity: Impurity, most: int = 5) -> Exhaustive:
    return Exhaustive(lambda: small_tables(most), lambda t: change(impurity, t) >= 0)


LOCAL = "gain.refinement_adds_the_gain_of_the_row"

REFINING = [
    Theorem(
        key=LOCAL,
        statement="splitting one row of a table in two adds to its gain the gain of that row alone, times its share",
        source="wang2024, eqs. (35)-(42)",
        scope="Gini, Matushita: K = 2, three rows; Gini, entropy and the sum of min(x, 1 - x): all tables with N <= 5",
        holds=All(
            is_local(gini),
            is_local(matushita, squares=True),
            Exhaustive(lambda: small_tables(5), small_and_local),
        ),
        fails=(
            NearMiss("what is added is the gain of that row, whatever its share", is_local(gini, weighted=False)),
            NearMiss(
                "SGini changes by its value for that row alone, times the row's share",
                Exhaustive(
                    lambda: small_tables(5, 3),
                    lambda t: (
                        (sgini_squared(t) > sgini_squared(tuple(map(tuple, merged(t))))) == (sgini_squared(t[-2:]) > 0)
                    ),
                ),
            ),
        ),
        latex=r"\Delta(A') - \Delta(A) = p(a_r)\,\Delta(a'_r, a'_{r+1} \mid a_r)",
    ),
    Theorem(
        key="bias.refinement_never_lowers_of_gini",
        statement="splitting a row in two at random never lowers the Gini gain",
        source="wang2024, Property 1 with eq. (1)",
        scope="all K, any number of rows",
        holds=All(
            Identity(
                CELL,
                lambda v, m: v.x**2 / v.m + v.y**2 / v.n - (v.x + v.y) ** 2 / (v.m + v.n),
                lambda v, m: (v.x * v.n - v.y * v.m) ** 2 / (v.m * v.n * (v.m + v.n)),
            ),
            Certificate(
                THREE_CLASSES, lambda v, m: decrease(gini).score(rows(v, "xy", 3), m), squared_differences, scale
            ),
            never_lowered(gini),
        ),
        premises=(LOCAL, BY_CLASS),
        fails=(
            always_raised(gini),
            NearMiss(
                "a feature with more values has at least the gain of one with fewer",
                Exhaustive(lambda: by_rows(4), more_rows_more_gain),
                "hypothesis",
            ),
            NearMiss(
                "the same for the sum of x^2 (1 - x)^2, which is not concave", never_lowered(QUARTIC), "hypothesis"
            ),
        ),
        latex=r"\Delta\mathrm{Gini}(A) \le \Delta\mathrm{Gini}(A')",
    ),
    Theorem(
        key="bias.refinement_never_lowers_of_entropy",
        statement="splitting a row in two at random never lowers the information gain",
        source="wang2024, Property 1 with eq. (2)",
        scope="all K, any number of rows; by the face, all tables with N <= 5",
        holds=All(
            Identity(
                CELL,
                lambda v, m: v.x + v.y,
                lambda v, m: (v.x + v.y) * v.m / (v.m + v.n) + (v.x + v.y) * v.n / (v.m + v.n),
            ),
            never_lowered(entropy),
        ),
        premises=(LOG_PREMISE + ", at u = (x + y) m / (x (m + n)) for each of the two rows", LOCAL, BY_CLASS),
        fails=(
            always_raised(entropy),
            NearMiss(
                "a refinement never lowers the gain ratio", Exhaustive(lambda: small_tables(5, 3), gain_ratio_raised)
            ),
        ),
    ),
    Theorem(
        key="bias.refinement_never_lowers_of_bayes_sum",
        statement="splitting a row in two at random never lowers the gain of the sum of min(x, 1 - x)",
        source="wang2024, Property 1 with eq. (3)",
        scope="all K, any number of rows",
        holds=All(
            Smt(
                dict.fromkeys("xyst", "count"),
                lambda v, m: m.min((v.x + v.y, v.s + v.t)) >= m.min((v.x, v.s)) + m.min((v.y, v.t)),
            ),
            two_row_gain(bayes_sum, 2),
            never_lowered(bayes_sum),
        ),
        premises=(LOCAL, BY_CLASS),
        fails=(
            always_raised(bayes_sum),
            NearMiss(
                "the gain is 0 only if all rows have one distribution",
                Exhaustive(lambda: small_tables(5), lambda t: exact_gain(bayes_sum, t) > 0 or exact_gain(gini, t) == 0),
            ),
        ),
    ),
    Theorem(
        key="bias.refinement_never_lowers_of_matushita",
        statement="splitting a row in two at random never lowers the gain of the sum of sqrt(x (1 - x))",
        source="wang2024, Property 1 with eq. (4)",
        scope="all K, any number of rows",
        holds=All(
            Certificate(dict.fromkeys("pqst", "real"), root_sum, lambda v, m: [([v.p * v.t - v.q * v.s], [])]),
            Identity(
                dict.fromkeys("pqst", "positive"), root_of_node, lambda v, m: (v.p**2 + v.q**2) * (v.s**2 + v.t**2)
            ),
        ),
        premises=(LOCAL, BY_CLASS, "hand argument: x, m - x, y, n - y are squares of real numbers"),
        fails=(
            NearMiss(
                "the two rows together have at least 3/2 of the sum of their parts",
                Certificate(
                    dict.fromkeys("pqst", "positive"),
                    lambda v, m: root_sum(v, m) - (v.p * v.s + v.q * v.t) ** 2 / 2,
                    lambda v, m: [([v.p * v.t - v.q * v.s], [])],
                ),
            ),
            NearMiss(
                "the gain of two rows is N^-1 times the difference of these square roots, without the factor 2",
                Identity(
                    dict.fromkeys("pqst", "positive"),
                    lambda v, m: root_of_node(v, m, 1),
                    lambda v, m: (v.p**2 + v.q**2) * (v.s**2 + v.t**2),
                ),
            ),
        ),
    ),
]

SHARE = {"x": "rate"}


def below_tangent(part: Any, slope: Any) -> Any:
    """Return ``f(1/K) + slope (x - 1/K) - f(x)``: summed over a distribution, ``K f(1/K)`` minus its impurity."""
    return lambda v, m: part(1 / v.k, m) + slope(v, m) * (v.x - 1 / v.k) - part(v.x, m)


def parabola(x: Any, m: Any) -> Any:
    return x * (1 - x)


def minority(x: Any, m: Any) -> Any:
    return m.min((x, 1 - x))


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

THEOREMS = [*DEFINITION, *GAINS, *REFINING]
ERRATA = [
    Erratum("S-E15", Exhaustive(lambda: by_rows(4), more_rows_more_gain), "bias.refinement_never_lowers_of_gini"),
    Erratum("S-E16", All(ONLY_UNIFORM, IS_BAYES_ERROR), "impurity.bayes_sum_flat_of_no_majority"),
]
