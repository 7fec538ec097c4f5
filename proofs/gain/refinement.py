"""What refining a feature does to the gain of a concave impurity.

Source: wang2024, Property 1, Table 3, eqs. (35)-(43).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from splitcrit.arith import total
from splitcrit.criteria import decrease, normalised
from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, matushita
from splitcrit.proof import (
    ALL,
    All,
    Claim,
    Erratum,
    Exhaustive,
    Extent,
    Induction,
    Law,
    NearMiss,
    Premise,
    Smt,
    Theorem,
)
from splitcrit.proof.balls import BALL
from splitcrit.proof.claims import Certificate, Identity
from splitcrit.proofs.common import kinds, of_values, partitions, tables, up_to
from splitcrit.proofs.impurity.printed_gains import exact_gain, sign, small_tables
from splitcrit.proofs.null.laws import Counts, gain, sgini_squared

LOCAL = "gain.refinement_adds_the_gain_of_the_row"
ROOTS = dict.fromkeys("pqst", "positive")


def merged(t: Any) -> list[list[Any]]:
    """The table with its last two rows put together."""
    return [*(list(row) for row in t[:-2]), [x + y for x, y in zip(t[-2], t[-1], strict=True)]]


def is_local(weighted: bool = True) -> Induction:
    """Claim that n times what splitting a row in x and y adds is x + y, or n, times the gain of that row alone.

    Entries are the sizes and impurities of the other rows; the impurity takes any values.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        sizes, values = [e.n for e in entries], [e.g for e in entries]
        n = total([*sizes, v.x, v.y])
        fine = of_values([*sizes, v.x, v.y], [*values, v.gx, v.gy, v.node], m)
        coarse = of_values([*sizes, v.x + v.y], [*values, v.both, v.node], m)
        alone = of_values([v.x, v.y], [v.gx, v.gy, v.both], m)
        return (n * (fine - coarse) - (v.x + v.y if weighted else n) * alone) * (v.x + v.y)

    def closed(sums: Any, v: Any, m: Any) -> Any:
        pair = v.x + v.y
        alone = pair * v.both - v.x * v.gx - v.y * v.gy  # pair times the gain of the row
        return pair * alone - (pair if weighted else sums[0] + pair) * alone

    shared = kinds("positive", "x", "y") | kinds("real", "gx", "gy", "both", "node")
    return Induction(
        "r",
        {"n": "positive", "g": "real"},
        formula,
        lambda e, v, m: [e.n],
        closed,
        shared=shared,
        least=1,
        compared=True,
    )


def change(impurity: Impurity, t: Counts) -> int:
    """The sign of what splitting the last row of ``merged(t)`` adds to the gain."""
    return sign(exact_gain(impurity, t) - exact_gain(impurity, merged(t)))


def never_lowered(impurity: Impurity, above: int = -1, most: int = 5) -> Exhaustive:
    """Claim that what a refinement adds has a sign above -1 (never lowers) or above 0 (always raises)."""
    return up_to(most, small_tables, lambda t: change(impurity, t) > above)


def by_rows(most: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables with the same class totals, the second with one more row."""
    for n in range(2, most + 1):
        for b in partitions(n):
            every = [t for a in partitions(n) for t in tables(a, b)]
            yield from ((s, t) for s in every for t in every if len(t) == len(s) + 1)


def root_sum(v: Any, m: Any) -> Any:
    """Cauchy-Schwarz for one class, with x = p^2 of m = p^2 + s^2 in one row and q^2 of q^2 + t^2 in the other."""
    return (v.p**2 + v.q**2) * (v.s**2 + v.t**2) - (v.p * v.s + v.q * v.t) ** 2


def roots_of_node(factor: int) -> Identity:
    """Claim that the gain of two rows and the roots of both rows leave the node's root, by the formula at K = 2."""

    def squared(v: Any, m: Any) -> Any:
        rows = [[v.p**2, v.s**2], [v.q**2, v.t**2]]
        n = total([total(row) for row in rows])
        return (decrease(matushita).score(rows, m) * n / factor + v.p * v.s + v.q * v.t) ** 2

    return Identity(ROOTS, squared, lambda v, m: (v.p**2 + v.q**2) * (v.s**2 + v.t**2))


def gain_ratio_raised(t: Counts) -> bool:
    """Whether a refinement does not surely lower the gain ratio."""
    ratio, exact = normalised(entropy), [[BALL.number(x) for x in row] for row in t]
    return not (ratio.score(merged(exact), BALL) - ratio.score(exact, BALL)).surely_positive()


def never_lowers(name: str, of: str, source: str, holds: Claim, *fails: NearMiss) -> Theorem:
    return Theorem(
        key=f"gain.refinement_never_lowers_of_{name}",
        statement=f"splitting a row in two at random never lowers the gain of {of}: the row's impurity is at least the"
        " mean of those of its parts",
        source=f"wang2024, Property 1 with {source}",
        holds=All(MEAN_OF_ROWS, holds),
        premises=(
            Premise(LOCAL, kind="theorem", widens={"N": Extent(least=2), "r": Extent(least=2)}),
            Premise(f"impurity.{name}_is_concave", kind="theorem", widens={"K": Extent(least=2)}),
        ),
        fails=fails,
    )


def always_raised(impurity: Impurity) -> NearMiss:
    return NearMiss("a refinement always raises the gain", never_lowered(impurity, above=0, most=4))


# The share of a class in a node is the mean of its shares x/m and y/n in both rows: a concave impurity is above it.
MEAN_OF_ROWS = Identity(
    kinds("positive", "x", "m", "y", "n"),
    lambda v, m: (v.x + v.y) / (v.m + v.n),
    lambda v, m: v.m / (v.m + v.n) * (v.x / v.m) + v.n / (v.m + v.n) * (v.y / v.n),
)
QUARTIC = Impurity("quartic", lambda p, m: total([x * x * (1 - x) * (1 - x) for x in p]))  # its part is not concave
SPLIT_ROW = Law(is_local)
MORE_ROWS = Exhaustive(lambda: by_rows(4), lambda c: gain(c[0]) <= gain(c[1]))

THEOREMS = [
    Theorem(
        key=LOCAL,
        statement="for every impurity, whatever the number of classes, splitting one row of a table in two adds to its"
        " gain the gain of that row alone, times its share",
        source="wang2024, eqs. (35)-(42)",
        holds=SPLIT_ROW,
        premises=(Premise("gain_adds_of_refinement", "kernel", {"r": ALL}),),
        fails=(
            SPLIT_ROW.but("what is added is the gain of that row, whatever its share", weighted=False),
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
    ),
    never_lowers(
        "gini",
        "Gini's impurity",
        "eq. (1)",
        never_lowered(gini),
        always_raised(gini),
        NearMiss("a feature with more values has at least the gain of one with fewer", MORE_ROWS, "hypothesis"),
        NearMiss("the same for the sum of x^2 (1 - x)^2, which is not concave", never_lowered(QUARTIC), "hypothesis"),
    ),
    never_lowers(
        "entropy",
        "entropy, the information gain",
        "eq. (2)",
        never_lowered(entropy),
        always_raised(entropy),
        NearMiss("a refinement never lowers the gain ratio", Exhaustive(lambda: small_tables(5, 3), gain_ratio_raised)),
    ),
    never_lowers(
        "bayes_sum",
        "the sum of min(x, 1 - x)",
        "eq. (3)",
        never_lowered(bayes_sum),
        always_raised(bayes_sum),
        NearMiss(
            "the gain is 0 only if all rows have one distribution",
            Exhaustive(lambda: small_tables(5), lambda t: exact_gain(bayes_sum, t) > 0 or exact_gain(gini, t) == 0),
        ),
    ),
    never_lowers(
        "matushita",
        "the sum of sqrt(x (1 - x))",
        "eq. (4)",
        All(
            Certificate(dict.fromkeys("pqst", "real"), root_sum, lambda v, m: [([v.p * v.t - v.q * v.s], [])]),
            roots_of_node(2),
        ),
        NearMiss("a refinement always raises the gain", Smt(ROOTS, lambda v, m: root_sum(v, m) > 0)),
        NearMiss(
            "the gain of two rows is N^-1 times the difference of these square roots, without the factor 2",
            roots_of_node(1),
        ),
    ),
]

ERRATA = [Erratum("S-E15", MORE_ROWS, "gain.refinement_never_lowers_of_gini")]
