"""What refining a feature does to the gain of an impurity that is a sum of one concave function of the class shares.

Main results: the gain of a refinement exceeds that of the feature by the gain of the split row alone, times its share;
for a concave function that is never negative.
Source: wang2024, Property 1, eqs. (35)-(43).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import Criterion, decrease, normalised
from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, matushita
from splitcrit.proof import (
    BALL,
    All,
    Certificate,
    Erratum,
    Exhaustive,
    Identity,
    NearMiss,
    Smt,
    Theorem,
    Undecided,
)
from splitcrit.proofs.common import exactly, kinds, partitions, tables
from splitcrit.proofs.impurity.printed_gains import (
    LOG_PREMISE,
    REFINED,
    THREE_CLASSES,
    exact_gain,
    rows,
    sign,
    small_tables,
)
from splitcrit.proofs.wang2024.laws import LOGS, Counts, gain, sgini_squared

CELL = kinds("positive", "x", "m", "y", "n")  # of one class: x of m in one row, y of n in the other


BY_CLASS = "hand argument: the gain is a sum over classes, so that an inequality for each class settles all K"


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


def small_and_local(t: Counts) -> bool:
    exact = exactly(t)
    return all(
        bool(gain_of_refining(decrease(impurity), exact, m) == local(decrease(impurity), exact, m))
        for impurity, m in ((gini, EXACT), (bayes_sum, EXACT), (entropy, LOGS))
    )


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
        scope="Gini, Matushita: K = 2, three rows; Gini, entropy and the sum of min(x, 1 - x): all tables with N <= 4",
        holds=All(
            is_local(gini),
            is_local(matushita, squares=True),
            Exhaustive(lambda: small_tables(4), small_and_local),
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
                "a refinement always raises the gain",
                Smt(dict.fromkeys("pqst", "positive"), lambda v, m: root_sum(v, m) > 0),
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


THEOREMS = REFINING


ERRATA = [
    Erratum("S-E15", Exhaustive(lambda: by_rows(4), more_rows_more_gain), "bias.refinement_never_lowers_of_gini"),
]
