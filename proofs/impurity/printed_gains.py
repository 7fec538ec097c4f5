"""Gains as they are printed: of Gini and entropy in proportions and in counts, of the 0-1 loss as sum minority.

Main definitions: ``small_tables``, ``exact_gain``, ``sign``.
Source: wang2024, eqs. (7)-(9) and (15); yang2019, Table I.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import decrease, sum_minority
from splitcrit.impurities import Impurity, entropy, gini
from splitcrit.proof import ALL, BALL, All, Ball, Each, Exhaustive, Extent, Identity, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import binary_splits, error_decrease, kinds, rows_of, score, tables, up_to
from splitcrit.proofs.logs import LOGS, Logs, signed
from splitcrit.proofs.null.laws import Counts, gain, margins, transposed


def small_tables(most: int, rows_at_least: int = 2) -> Iterator[Counts]:
    """Yield all tables without empty rows or classes, up to the order of rows and of classes."""
    for a, b in margins(most):
        if len(a) >= rows_at_least:
            yield from tables(a, b)


def sign(x: Any) -> int:
    """The sign of a rational number or of a combination of logarithms."""
    if isinstance(x, Logs):
        return Ball(signed(x, BALL)).sign() if x.of else 0
    return int(x > 0) - int(x < 0)


def exact_gain(impurity: Impurity, t: Any) -> Any:
    """The gain of a table, as a Fraction or as a combination of logarithms."""
    exact = [[Fraction(x) for x in row] for row in t]
    return decrease(impurity).score(exact, LOGS if impurity is entropy else EXACT)


def sizes(t: Any) -> tuple[Any, list[Any]]:
    """The number of examples and the shares of the classes in the node."""
    n = total([total(row) for row in t])
    return n, [total([row[j] for row in t]) / n for j in range(len(t[0]))]


def in_shares(t: Any) -> Any:
    """Eq. (8), term by term."""
    n, node = sizes(t)
    inside = [total(row) / n * total([x / total(row) * (1 - x / total(row)) for x in row]) for row in t]
    return 1 - total([p * p for p in node]) - total(inside)


def in_counts(t: Any) -> Any:
    """Eq. (15)."""
    n, node = sizes(t)
    return total([x * x / (n * total(row)) for row in t for x in row]) - total([p * p for p in node])


def unweighted(t: Any) -> Any:
    """Eq. (15) with rows that count equally."""
    node = sizes(t)[1]
    squares = total([x * x / (total(row) * total(row)) for row in t for x in row])
    return squares / len(t) - total([p * p for p in node])


def entropy_in_shares(t: Counts) -> Logs:
    """Eq. (9) in nats."""
    n, node = sizes([[Fraction(x) for x in row] for row in t])
    inside = total([sum(row) / n * LOGS.xlogx(Fraction(x, sum(row))) for row in t for x in row])
    whole: Logs = inside - total([LOGS.xlogx(p) for p in node])
    return whole


def printed(formula: Callable[[Any], Any], classes: int = 2) -> Identity:
    """Claim that the decrease of Gini's impurity is a printed formula, for three rows."""
    return Identity(
        kinds("positive", "x", "y", "z", classes=classes),
        lambda v, m: decrease(gini).score(rows_of(v, classes, "xyz"), m),
        lambda v, m: formula(rows_of(v, classes, "xyz")),
    )


def minority(sign: int) -> Exhaustive:
    """Claim that the gain is the node's minority share less, or with sign -1 plus, that of the children's."""

    def holds(t: Any) -> bool:
        node = [sum(column) for column in zip(*t, strict=True)]
        share = 1 - Fraction(max(node), sum(node))
        return bool(score(error_decrease, t) == share + sign * score(sum_minority, t))

    return up_to(5, binary_splits, holds, K=(2, 3))


def differ_in_shares(t: Any) -> bool:
    left, right = t
    return any(x * sum(right) != y * sum(left) for x, y in zip(left, right, strict=True))


MINORITY = Law(minority, sign=1)

THEOREMS = [
    Theorem(
        key="impurity.decreases_are_printed_gains_of_gini_and_entropy",
        statement="the decreases of Gini and of entropy are the printed gains, in proportions and Gini's in counts too",
        source="wang2024, eqs. (7)-(9), (15)",
        holds=All(
            in_shares=Each("K", (2, 3), lambda K: printed(in_shares, K)),
            in_counts=Each("K", (2, 3), lambda K: printed(in_counts, K)),
            entropy=up_to(5, lambda n: small_tables(n, 1), lambda t: exact_gain(entropy, t) == entropy_in_shares(t)),
        ),
        premises=tuple(
            Premise(name, "kernel", {"K": Extent(least=2), "N": ALL})
            for name in ("py_gini_gain_in_shares", "py_gini_gain_by_squares", "py_entropy_gain_in_shares")
        ),
        fails=(
            Law(printed, formula=in_counts).but("rows count equally, whatever their size", formula=unweighted),
            NearMiss(
                "the gain is the same with feature and label exchanged",
                Exhaustive(lambda: small_tables(4), lambda t: gain(t) == gain(transposed(t))),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="impurity.misclassification_gain_is_sum_minority",
        statement="the gain of the 0-1 loss is the node's minority share less the sum of the children's: the largest"
        " gain is the smallest sum minority",
        source="yang2019, Table I",
        holds=MINORITY,
        fails=(
            MINORITY.but("the gain is the node's minority share plus the children's", sign=-1),
            NearMiss(
                "the gain is positive whenever the children's class shares differ",
                Exhaustive(lambda: filter(differ_in_shares, binary_splits(4)), lambda t: score(error_decrease, t) > 0),
            ),
        ),
        premises=(Premise("impurity.misclassification_is_least_risk_of_standard_losses", "theorem"),),
    ),
]
