"""Statements of wang2024: the Gini gain under random permutation of the labels.

Main results: its mean and its variance, for every pair of margins of up to ``N_MAX`` examples.
Source: wang2024.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import factorial, prod
from typing import Any

from splitcrit.moments import gini_null
from splitcrit.proof import Erratum, Exhaustive, NearMiss, Theorem
from splitcrit.proofs.common import gini_decrease, partitions, score, tables

N_MAX = 6
Margins = tuple[tuple[int, ...], tuple[int, ...]]


def margins() -> Iterator[Margins]:
    """Yield every pair of row and column totals of up to ``N_MAX`` examples."""
    for n in range(1, N_MAX + 1):
        parts = list(partitions(n))
        yield from ((a, b) for a in parts for b in parts)


def law(a: tuple[int, ...], b: tuple[int, ...]) -> dict[Fraction, Fraction]:
    """Return the exact distribution of the Gini gain when labels are permuted at random."""
    found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for t in tables(a, b):
        ways = Fraction(prod(map(factorial, a)) * prod(map(factorial, b)), prod(factorial(x) for row in t for x in row))
        found[score(gini_decrease, t)] += ways / factorial(sum(a))
    return dict(found)


def moment(case: Margins, order: int) -> Fraction:
    """Return the mean (order 1) or a central moment of the exact law."""
    chances = law(*case)
    mean = sum((x * w for x, w in chances.items()), Fraction(0))
    return mean if order == 1 else sum(((x - mean) ** order * w for x, w in chances.items()), Fraction(0))


def printed_mean(case: Margins, denominator: int) -> Fraction:
    a, b = case
    n = sum(b)
    return Fraction(len(a) - 1, denominator) * (1 - sum((Fraction(x, n) ** 2 for x in b), Fraction(0)))


def null(case: Margins) -> Any:
    return gini_null(*case, exact=True)


ERRATA: list[Erratum] = []

THEOREMS = [
    Theorem(
        key="null.gini_mean_of_permutation",
        statement="over all permutations of the labels the Gini gain has mean (r - 1)/(N - 1) (1 - sum_j (b_j/N)^2)",
        source="wang2024, eq. (16)",
        scope=f"all margins with N <= {N_MAX}",
        holds=Exhaustive(
            margins,
            lambda c: null(c).mean == moment(c, 1) == (printed_mean(c, sum(c[0]) - 1) if sum(c[0]) > 1 else 0),
        ),
        fails=(
            NearMiss(
                "the same with N in place of N - 1 (the mean for multinomial labels)",
                Exhaustive(margins, lambda c: moment(c, 1) == printed_mean(c, sum(c[0]))),
            ),
            NearMiss(
                "feature and label may be exchanged",
                Exhaustive(margins, lambda c: null(c).mean == moment((c[1], c[0]), 1)),
                alters="hypothesis",
            ),
        ),
        latex=r"\mathbb E_{\mathrm{perm}}\,\mathrm{Gini} = \frac{r-1}{N-1}\Bigl(1-\sum_j (b_j/N)^2\Bigr)",
    ),
    Theorem(
        key="null.gini_variance_of_permutation",
        statement="the O(r + k) variance of the library is that of the Gini gain over all permutations of the labels",
        source="wang2024, eqs. (19)-(26)",
        scope=f"all margins with N <= {N_MAX}",
        holds=Exhaustive(margins, lambda c: null(c).variance == moment(c, 2)),
        fails=(
            NearMiss(
                "the variance is 0 only if there is one row, one class, or N <= 2",
                Exhaustive(margins, lambda c: null(c).variance > 0 or min(map(len, c)) == 1 or sum(c[0]) <= 2),
            ),
            NearMiss(
                "the variance is the same with feature and label exchanged",
                Exhaustive(margins, lambda c: null(c).variance == moment((c[1], c[0]), 2)),
                alters="hypothesis",
            ),
        ),
    ),
]
