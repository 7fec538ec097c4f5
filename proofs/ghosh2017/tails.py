"""Statements of ghosh2017, (6) and (7): how far noisy shares are off.

Main results: both tail bounds against exact laws. The shares of a node and of its children are *accurate to* ``x`` when
they are off by less than ``x``, ``x / sqrt(a)`` and ``x / sqrt(1 - a)``.
Source: ghosh2017, Appendix A.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import binary_splits, count_vectors
from splitcrit.proofs.ghosh2017.setting import (
    below,
    chance,
    flipped,
    law,
    outcomes,
    positive_share,
    shaken,
)

RATES = tuple(Fraction(*x) for x in ((1, 10), (3, 10), (9, 20), (4, 5)))
LEMMA, APPENDIX = "ghosh2017, Lemma 8", "ghosh2017, Appendix A"
HOEFFDING = "Hoeffding's inequality for independent variables in [0, 1]"


Node = tuple[tuple[int, ...], Fraction]


def nodes(most: int = 12) -> Iterator[Node]:
    yield from product(count_vectors(most, 2), RATES)


def tails(law_: dict[Fraction, Fraction]) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield every value with the chance of it or more."""
    tail = Fraction(0)
    for x in sorted(law_, reverse=True):
        tail += law_[x]
        yield x, tail


@cache
def deviations(node: Node) -> dict[Fraction, Fraction]:
    """Return the law of ``n (p~ - p^eta)^2``."""
    (negatives, positives), eta = node
    n = negatives + positives
    limit = Fraction(positives, n) * (1 - 2 * eta) + eta
    found: dict[Fraction, Fraction] = {}
    for j, w in enumerate(law(negatives, positives, eta)):
        x = n * (Fraction(j, n) - limit) ** 2
        found[x] = found.get(x, Fraction(0)) + chance(w, n, eta)
    return found


def within(node: Node, factor: int, times: int) -> bool:
    """Tell whether ``P(|p~ - p^eta| >= x) <= factor exp(-times n x^2)`` for every x."""
    return all(below(tail, factor, times * x) for x, tail in tails(deviations(node)))


Case = tuple[Any, Fraction]


def cases(most: int = 5) -> Iterator[Case]:
    yield from product(binary_splits(most), RATES)


def errors(table: Any, noisy_table: Any, eta: Fraction) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return a and how far the shares of the node, the left and the right child are off."""
    off = [positive_share(x) - positive_share(y) for x, y in zip(noisy_table, shaken(table, eta), strict=True)]
    left, right = (Fraction(sum(row)) for row in table)
    a = left / (left + right)
    return a, a * off[0] + (1 - a) * off[1], off[0], off[1]


def accuracy(table: Any, noisy_table: Any, eta: Fraction, node: bool = True, scaled: bool = True) -> Fraction:
    """Return the square of the least x to which the shares are accurate.

    Without ``node`` that of the node does not count; without ``scaled`` it is the square of the worst error.
    """
    a, whole, left, right = errors(table, noisy_table, eta)
    return max(node * whole**2, (a if scaled else 1) * left**2, (1 - a if scaled else 1) * right**2)


def joint(case: Case, factor: int, node: bool = True, scaled: bool = True) -> bool:
    """Tell whether the shares are not accurate to x with a chance of at most ``factor exp(-2 n x^2)``, for every x."""
    table, eta = case
    n = sum(map(sum, table))
    found: dict[Fraction, Fraction] = {}
    for noisy_table, weight in outcomes(table, eta):
        x = accuracy(table, noisy_table, eta, node, scaled)
        found[x] = found.get(x, Fraction(0)) + weight
    return all(below(tail, factor, 2 * n * x) for x, tail in tails(found))


def some_split_errs(case: tuple[int, int]) -> bool:
    """Tell whether (7) bounds the chance that the left child of *some* split is off, in a pure node at eta = 1/5.

    If f of n examples flip, the child that holds just these is off by 4/5.
    """
    n, flips = case
    eta = Fraction(1, 5)
    tail = chance(sum(flipped(n, eta)[flips:]), n, eta)
    return below(tail, 6, 2 * flips * Fraction(16, 25))


ALL_AT_ONCE = Exhaustive(lambda: ((n, flips) for n in range(1, 9) for flips in range(1, n + 1)), some_split_errs)

THEOREMS = [
    Theorem(
        key="sample.share_deviation_is_below_bound_of_symmetric",
        statement="a node's share of positives is off by x or more with a chance of at most 2 exp(-2 n x^2)",
        source="ghosh2017, eq. (6)",
        scope="every node with n <= 12, rates 1/10, 3/10, 9/20, 4/5, every x, exact law; all n by Hoeffding",
        premises=(HOEFFDING,),
        holds=Exhaustive(nodes, lambda node: within(node, 2, 2)),
        fails=(
            NearMiss("at most exp(-2 n x^2), one side's bound", Exhaustive(nodes, lambda node: within(node, 1, 2))),
            NearMiss("at most 2 exp(-4 n x^2)", Exhaustive(nodes, lambda node: within(node, 2, 4))),
            NearMiss(
                "the same in pure nodes whose labels all flip together",
                Exhaustive(
                    lambda: (node for node in nodes() if 0 in node[0]),
                    lambda node: below(node[1], 2, 2 * sum(node[0]) * (1 - node[1]) ** 2),
                ),
                alters="hypothesis",
            ),
        ),
        latex=r"\Pr[|\tilde p - p^\eta| > \epsilon] \le 2e^{-2n\epsilon^2}",
    ),
    Theorem(
        key="sample.three_shares_deviate_below_bound_of_symmetric",
        statement="for a fixed split the three shares are not accurate to x with a chance of at most 6 exp(-2 n x^2),"
        " those of the children of at most 4 exp(-2 n x^2); the printed n_l (x / sqrt(a))^2 is n x^2",
        source="ghosh2017, eq. (7)",
        scope="every split with n <= 5, rates 1/10, 3/10, 9/20, 4/5, every x, exact law; all n by Hoeffding; 0 < a < 1",
        premises=(HOEFFDING,),
        added="0 < a < 1; one split, chosen without the labels",
        holds=All(
            Exhaustive(cases, lambda c: joint(c, 6) and joint(c, 4, node=False)),
            Identity(
                {"l": "positive", "r": "positive", "x": "real"},
                lambda v, m: v.l * v.x**2 / (v.l / (v.l + v.r)),
                lambda v, m: (v.l + v.r) * v.x**2,
            ),
        ),
        fails=(
            NearMiss(
                "with all three errors below x itself, without the roots of a and 1 - a",
                Exhaustive(cases, lambda c: joint(c, 6, scaled=False)),
                alters="hypothesis",
            ),
            NearMiss(
                "for all splits of the node at once",
                ALL_AT_ONCE,
                alters="hypothesis",
            ),
            NearMiss("at most 2 exp(-2 n x^2)", Exhaustive(cases, lambda c: joint(c, 2))),
        ),
        latex=r"\Pr[\cdots] \le 2e^{-2n\epsilon_1^2} + 2e^{-2n_l\epsilon_2^2} + 2e^{-2n_r\epsilon_3^2}"
        r" = 6e^{-2n\epsilon^2}",
    ),
]

ERRATA = [
    Erratum("G-E9b", printed=ALL_AT_ONCE, corrected="sample.three_shares_deviate_below_bound_of_symmetric"),
]
