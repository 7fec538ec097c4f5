"""The multinomial null law: rows drawn independently from class shares, row ``i`` with ``a_i`` examples.

Source: wang2024, eqs. (12), (17), after Dobra and Gehrke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

from splitcrit.nulls import gini_null
from splitcrit.proof import ALL, All, Erratum, Exhaustive, Identity, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import compositions, kinds, partitions, up_to
from splitcrit.proofs.null.factors import adds_up
from splitcrit.proofs.null.laws import Counts, Margins, Totals, gain, margins, moment, null

SHARES = tuple(tuple(map(Fraction, p)) for p in (("1/2", "1/2"), ("1/3", "2/3"), ("1/6", "1/3", "1/2")))
Case = tuple[Totals, tuple[Fraction, ...]]


def cases(most: int) -> Iterator[Case]:
    """Yield row totals and class shares: halves, thirds, and sixths for three classes."""
    for n in range(1, most + 1):
        yield from product(partitions(n), SHARES)


def chance(counts: Totals, p: tuple[Fraction, ...]) -> Fraction:
    """The multinomial probability of a vector of counts."""
    ways = factorial(sum(counts)) // prod(map(factorial, counts))
    return ways * prod((q**x for q, x in zip(p, counts, strict=True)), start=Fraction(1))


def drawn(case: Case) -> Iterator[tuple[Counts, Fraction]]:
    """Yield every table of independent multinomial rows with its probability."""
    a, p = case
    for t in product(*(compositions(x, len(p)) for x in a)):
        yield t, prod((chance(row, p) for row in t), start=Fraction(1))


def moments_of(case: Case) -> tuple[Fraction, Fraction]:
    """Mean and variance of the gain from the list of all tables."""
    law = [(gain(t), w) for t, w in drawn(case)]
    mean = sum((x * w for x, w in law), Fraction(0))
    return mean, sum(((x - mean) ** 2 * w for x, w in law), Fraction(0))


def mean(n: Any, r: Any, p2: Any) -> Any:
    return (r - 1) / n * (1 - p2)


def variance(n: Any, r: Any, h: Any, p2: Any, p3: Any) -> Any:
    """Eq. (12) with ``h = sum 1/a``, ``p2 = sum p^2``, ``p3 = sum p^3``."""
    rows = (r - 1) * (2 * p2 + 2 * p2**2 - 4 * p3)
    return (rows + (h - 2 * r / n + 1 / n) * (-2 * p2 - 6 * p2**2 + 8 * p3)) / n**2


def printed(case: Case) -> tuple[Fraction, Fraction]:
    a, p = case
    n, r, h = Fraction(sum(a)), Fraction(len(a)), sum(Fraction(1, x) for x in a)
    p2, p3 = sum(q**2 for q in p), sum(q**3 for q in p)
    return mean(n, r, p2), variance(n, r, h, p2, p3)


def at_shares(case: Margins) -> Case:
    """The rows with the observed class shares."""
    a, b = case
    return a, tuple(Fraction(x, sum(b)) for x in b)


def library(case: Margins) -> tuple[Any, Any]:
    moments = gini_null(*case, model="multinomial", exact=True)
    return moments.mean, moments.variance


# The gain is a constant and the sum over pairs of k_uv = [same row]/(N a) - 1/N^2 where their labels agree. Of the
# squares of k, and of its products at one example, this is what a row adds.
def squares(n: Any, r: Any, h: Any) -> Any:
    return (r - 1 - h + 2 * r / n - 1 / n) / n**2


def products(n: Any, r: Any, h: Any) -> Any:
    return (1 - 2 * r + n * h) / n**3


def by_pairs(v: Any) -> Any:
    """The variance: pairs apart are independent, pairs that share one example agree with probability p3."""
    k2, k1 = squares(v.n, v.r, v.h), products(v.n, v.r, v.h)
    return 2 * k2 * (v.p2 - v.p2**2) + 4 * (k1 - k2) * (v.p3 - v.p2**2)


def listed(rows: Callable[[Totals], Totals] = lambda a: a, most: int = 4) -> Exhaustive:
    return up_to(most, cases, lambda c: moments_of((rows(c[0]), c[1])) == printed(c))


SQUARES_OF_ROWS = adds_up(
    "r",
    lambda v, x: x * (x - 1) * (1 / (v.n * x) - 1 / v.n**2) ** 2 - x * x / v.n**4,
    lambda v, s: (v.n**2 * (s[1] - s[0]) - 2 * v.n * (s[2] - s[1]) - s[2]) / v.n**4,
    lambda v: squares(v.n, v.r, v.h) - 1 / v.n**2,
)
PRODUCTS_OF_ROWS = adds_up(
    "r",
    lambda v, x: x * ((x - 1) / (v.n * x) - (v.n - 1) / v.n**2) ** 2,
    lambda v, s: (s[2] - 2 * v.n * s[1] + v.n**2 * s[0]) / v.n**4,
    lambda v: products(v.n, v.r, v.h),
)
LISTED = Law(listed)
MANY_DRAWS = LISTED.but("if every row holds N draws", alters="hypothesis", rows=lambda a: (sum(a),) * len(a), most=2)
SAME_MEAN = NearMiss(
    "at p = b/N it is the mean over permutations", up_to(6, margins, lambda c: library(c)[0] == moment(c, 1))
)
NULL = Theorem(
    key="null.gini_moments_of_multinomial",
    statement="if row i holds a_i independent draws from the class shares p, mean and variance of the Gini gain are"
    " those printed; the library returns them at p = b/N",
    source="wang2024, eq. (12)",
    holds=All(
        mean=Identity(
            {"n": "positive", "r": "positive", "p2": "rate"},
            lambda v, m: v.r / v.n - 1 / v.n + ((v.n - v.r) / v.n - (v.n**2 - v.n) / v.n**2) * v.p2,
            lambda v, m: mean(v.n, v.r, v.p2),
        ),
        squares=SQUARES_OF_ROWS,
        products=PRODUCTS_OF_ROWS,
        variance=Identity(
            {**kinds("positive", *"nrh"), "p2": "rate", "p3": "rate"},
            lambda v, m: by_pairs(v),
            lambda v, m: variance(v.n, v.r, v.h, v.p2, v.p3),
        ),
        tables=LISTED,
        library=up_to(8, margins, lambda c: library(c) == printed(at_shares(c))),
    ),
    premises=tuple(
        Premise(f"py_independent_{moment}_is_{moment}", "kernel", {"N": ALL}) for moment in ("mean", "variance")
    ),
    fails=(
        MANY_DRAWS,
        SAME_MEAN,
        NearMiss(
            "at p = b/N the variance is 0 where it is 0 over permutations",
            up_to(6, margins, lambda c: library(c)[1] == 0 or moment(c, 2) > 0),
        ),
    ),
)


def over_classes(case: Case, statistic: Callable[[Margins], Fraction]) -> Fraction:
    """The mean of a statistic of the margins over multinomial class totals."""
    a, p = case
    chances = ((b, chance(b, p)) for b in compositions(sum(a), len(p)))
    return sum((statistic((a, tuple(x for x in b if x))) * w for b, w in chances), Fraction(0))


def mixed_variance(c: Case, spread: int) -> Fraction:
    """The average permutation variance plus a factor times the variance of the permutation mean."""
    of_means = over_classes(c, lambda x: null(x).mean ** 2) - over_classes(c, lambda x: null(x).mean) ** 2
    return over_classes(c, lambda x: null(x).variance) + spread * of_means


def mixture(most: int, spread: int) -> Exhaustive:
    return up_to(most, cases, lambda c: mixed_variance(c, spread) == printed(c)[1])


MIXED = Law(mixture, most=6, spread=1)
MIXTURE = Theorem(
    key="null.multinomial_is_mixture_of_permutations",
    statement="averaged over multinomial class totals the permutation mean is the multinomial mean, for any margins;"
    " the multinomial variance is the average permutation variance plus the variance of the permutation mean",
    source="wang2024, eq. (17)",
    holds=All(
        mean=Identity(
            {"n": "positive", "r": "positive", "p": "rate"},
            lambda v, m: (v.r - 1) / (v.n - 1) * (1 - (v.n + v.n * (v.n - 1) * v.p) / v.n**2),
            lambda v, m: mean(v.n, v.r, v.p),
            lambda v, m: v.n >= 2,
        ),
        means=up_to(6, cases, lambda c: over_classes(c, lambda x: null(x).mean) == printed(c)[0]),
        variance=MIXED,
    ),
    premises=(Premise("the mean of b_j^2 for multinomial b is N p_j + N (N - 1) p_j^2"),),
    fails=(
        MIXED.but("the multinomial variance is the average permutation variance", most=3, spread=0),
        NearMiss(
            "at the observed shares both means agree",
            up_to(3, margins, lambda c: null(c).mean == printed(at_shares(c))[0]),
            "hypothesis",
        ),
    ),
)

THEOREMS = [NULL, MIXTURE]
ERRATA = [Erratum("S-E14", All(MANY_DRAWS.claim, SAME_MEAN.claim), NULL.key)]
