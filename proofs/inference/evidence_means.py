"""The mean of evidence over all orders of the labels: of cuts at most 1, of tables 1; in fractions beside the floats.

The twins in fractions say the laws once more: of a cut Dirichlet-multinomial over multivariate hypergeometric counts of
the smaller side; of a table class by class beta-binomial counts, given their sum, over hypergeometric ones.
Source: own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, exp, factorial, prod
from typing import NamedTuple

import numpy as np

from splitcrit.nulls.evidence import _log_table, log_mean, log_of_cuts
from splitcrit.proof import ALL, Cases, Each, Exhaustive, Law, Premise, Theorem, upto
from splitcrit.proofs.common import compositions
from splitcrit.proofs.inference.outcomes import positive

Counts = tuple[int, ...]
Rows = tuple[Counts, ...]
Measured = Callable[[Rows], Fraction]
NEAR, NEVER_ABOVE = 1e-9, 1e-15
ZERO, ONE = Fraction(0), Fraction(1)


class Margins(NamedTuple):
    """The rows of each value of a column, and of each class."""

    sizes: Counts
    totals: Counts

    def __str__(self) -> str:
        return f"values of {', '.join(map(str, self.sizes))} rows, classes of {', '.join(map(str, self.totals))}"

    def tables(self) -> Iterator[Rows]:
        """Yield every table with these margins."""
        yield from _tables(self.sizes, self.totals)


def _tables(sizes: Counts, totals: Counts) -> Iterator[Rows]:
    if len(sizes) == 1:
        yield (totals,)
        return
    for row in compositions(sizes[0], len(totals)):
        rest = tuple(b - a for a, b in zip(row, totals, strict=True))
        if min(rest) >= 0:
            yield from ((row, *rows) for rows in _tables(sizes[1:], rest))


def ways(counts: Counts) -> int:
    """How many orders there are of labels that occur so often."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def rising(x: Fraction, k: int) -> Fraction:
    return prod((x + i for i in range(k)), start=ONE)


def effects(n: int) -> list[int]:
    """The concentrations that are mixed."""
    return [4**k for k in range(n) if 4**k <= n]


def of_side(side: Counts, totals: Counts, c: int) -> Fraction:
    """The evidence of one side of a cut, for one concentration."""
    n, m = sum(totals), sum(side)
    law = Fraction(factorial(m)) / rising(Fraction(c), m)
    for a, b in zip(side, totals, strict=True):
        law *= rising(Fraction(c * b, n), a) / factorial(a)
    return law * comb(n, m) / prod(comb(b, a) for a, b in zip(side, totals, strict=True))


def of_cut(left: Counts, totals: Counts) -> list[Fraction]:
    """The evidence of a cut for each concentration: of its smaller side, or the mean of two halves."""
    right = tuple(b - a for a, b in zip(left, totals, strict=True))
    sides = [side for side in (left, right) if 2 * sum(side) <= sum(totals)]
    return [sum((of_side(side, totals, c) for side in sides), ZERO) / len(sides) for c in effects(sum(totals))]


def cuts(rows: Rows) -> list[list[Fraction]]:
    totals = tuple(map(sum, zip(*rows, strict=True)))
    return [of_cut(tuple(map(sum, zip(*rows[:i], strict=True))), totals) for i in range(1, len(rows))]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, ZERO) / len(values)


def mean_of_cuts(rows: Rows) -> Fraction:
    return mean([mean(each) for each in cuts(rows)])


def best_cut(rows: Rows) -> Fraction:
    return max(mean(each) for each in cuts(rows))


def best_concentration(rows: Rows) -> Fraction:
    return max(mean(list(each)) for each in zip(*cuts(rows), strict=True))


def in_order_of_shares(rows: Rows) -> Fraction:
    return mean_of_cuts(tuple(sorted(rows, key=lambda row: Fraction(row[0], sum(row)))))


@cache
def chance_of_total(sizes: Counts, total: int, a: Fraction, b: Fraction) -> Fraction:
    """The chance that independent beta-binomial counts add up to a total."""
    if not sizes:
        return Fraction(total == 0)
    first, chance = sizes[0], ZERO
    for x in range(min(first, total) + 1):
        law = comb(first, x) * rising(a, x) * rising(b, first - x) / rising(a + b, first)
        chance += law * chance_of_total(sizes[1:], total - x, a, b)
    return chance


def of_class(x: Counts, sizes: Counts, a: Fraction, b: Fraction, divided: bool) -> Fraction:
    """The evidence of a class with ``x`` of some sizes, left undivided by the chance of its total or not."""
    law = [rising(a, i) * rising(b, m - i) / rising(a + b, m) for i, m in zip(x, sizes, strict=True)]
    evidence = prod(law, start=ONE) * comb(sum(sizes), sum(x))
    return evidence / chance_of_total(tuple(sorted(sizes)), sum(x), a, b) if divided else evidence


def chained(columns: list[Counts], c: int, divided: bool) -> Fraction:
    """The product over classes, each against those after it."""
    n, product, left = sum(map(sum, columns)), ONE, list(columns)
    while len(left) > 1:
        sizes = tuple(map(sum, zip(*left, strict=True)))
        a = Fraction(c * sum(left[0]), n)
        product *= of_class(left[0], sizes, a, Fraction(c * sum(map(sum, left[1:])), n), divided)
        left = left[1:]
    return product


def of_table(rows: Rows, divided: bool = True) -> Fraction:
    """The mean over concentrations, and over the orders of classes whose totals do not fall."""
    columns = list(zip(*rows, strict=True))
    orders = [order for order in permutations(columns) if list(map(sum, order)) == sorted(map(sum, columns))]
    return mean([chained(list(order), c, divided) for order in orders for c in effects(sum(map(sum, columns)))])


def undivided(rows: Rows) -> Fraction:
    return of_table(rows, divided=False)


def larger_of_two(rows: Rows) -> Fraction:
    """The larger of the evidence of a table and of its cuts."""
    return max(of_table(rows), mean_of_cuts(rows))


def library_cuts(rows: Rows) -> float:
    return exp(log_of_cuts(np.array(rows)))


def library_table(rows: Rows) -> float:
    table = np.array(rows)
    table = table[:, np.argsort(table.sum(axis=0), kind="stable")]
    return exp(log_mean([_log_table(table, float(c)) for c in effects(int(table.sum()))]))


def margins(n: int, classes: int) -> Iterator[Margins]:
    """Yield two or three values and some classes of up to n rows."""
    for size in range(max(classes, 2), n + 1):
        for values in (2, 3):
            yield from (Margins(*both) for both in product(positive(size, values), positive(size, classes)))


def has_mean(exactly: bool, rule: Measured, library: Callable[[Rows], float] | None, K: int, most: int) -> Exhaustive:
    """The claim that a rule has a mean of 1, or at most 1, and that the library's floats are no larger, and near it."""

    def holds(case: Margins) -> bool:
        whole, mean = ways(case.totals), ZERO
        for rows in case.tables():
            e = rule(rows)
            mean += e * Fraction(prod(map(ways, rows)), whole)
            if library is not None and not e * (1 - Fraction(NEAR)) <= Fraction(library(rows)) <= e * (
                1 + Fraction(NEVER_ABOVE)
            ):
                return False
        return mean == 1 if exactly else mean <= 1

    cases = Cases(lambda most: margins(most, K), size=lambda case: sum(case.sizes), n=upto(most))
    return Exhaustive(cases, holds, rounded=True)


def of_classes(rule: Measured, exactly: bool, library: Callable[[Rows], float] | None) -> Each:
    return Each("K", (2, 3), lambda classes: has_mean(exactly, rule, library, classes, 9 - classes))


CUTS = Law(of_classes, rule=mean_of_cuts, exactly=False, library=library_cuts)
TABLES = Law(of_classes, rule=of_table, exactly=True, library=library_table)
REASON = "evidence_of_cuts_has_mean_at_most_one"

THEOREMS = [
    Theorem(
        key="inference.evidence_of_cuts_has_mean_at_most_one",
        statement="over all orders of the labels, the Dirichlet-multinomial law of the class counts of the smaller side"
        " of a cut over their hypergeometric law, averaged over concentrations and over the cuts of a column, has a"
        " mean of at most 1; the library's floats are no larger",
        source="beyond, evidence of cuts",
        holds=CUTS,
        premises=(Premise(REASON, "kernel", {"n": ALL, "K": ALL}),),
        fails=(
            CUTS.but("so has the evidence of the best cut", rule=best_cut, library=None),
            CUTS.but("so has that of the best concentration", rule=best_concentration, library=None),
            CUTS.but("cuts may be in the order of class shares", rule=in_order_of_shares, library=None),
        ),
    ),
    Theorem(
        key="inference.evidence_of_tables_has_mean_one",
        statement="over all orders of the labels, class after class the beta-binomial law of the counts of the levels,"
        " given their sum, over their hypergeometric law, multiplied, has the mean 1, and so has its average over"
        " concentrations and orders of classes of one total; the library's floats are no larger",
        source="beyond, evidence of tables",
        holds=TABLES,
        premises=(Premise("evidence_of_one_class_more_keeps_the_mean", "kernel", {"n": ALL, "K": ALL}),),
        fails=(
            TABLES.but("so it has undivided by the chance of the sums", rule=undivided, library=None),
            TABLES.but("so has the larger of that and of the cuts", rule=larger_of_two, library=None),
        ),
    ),
]
