"""Intervals of class probabilities in the nodes of a tree: all together, and why not those of surviving leaves alone.

Rows are drawn independently; a tree of one split sends a row left with some probability, and each leaf has its own
probability of class 1. An interval misses if the probability lies outside its ends, which are the library's floats.
Source: clopper1934.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod, sqrt
from typing import Any, NamedTuple

import numpy as np

from splitcrit.inference.familywise import simultaneous
from splitcrit.nulls.binomial import clopper_pearson
from splitcrit.proof import ALL, All, Cases, Exhaustive, Law, Premise, Theorem, only, upto
from splitcrit.proofs.common import compositions
from splitcrit.proofs.inference.naming import pvalues

Ends = tuple[float, float]
Interval = Callable[[int, int, Fraction], Ends]
CLOSE = Fraction(1, 10**9)


# One interval.


@cache
def library(x: int, n: int, delta: Fraction) -> Ends:
    """The library's interval for x of n rows."""
    low, high = clopper_pearson(np.array([x]), np.array([n]), float(delta))
    return float(low[0]), float(high[0])


def doubled(x: int, n: int, delta: Fraction) -> Ends:
    return library(x, n, 2 * delta)


def normal(x: int, n: int, delta: Fraction) -> Ends:
    """The mean plus and minus 1.96 standard errors."""
    width = 1.96 * sqrt(x * (n - x) / n) / n
    return x / n - width, x / n + width


def binomial(n: int, theta: Fraction, x: int) -> Fraction:
    return comb(n, x) * theta**x * (1 - theta) ** (n - x)


def upper_tail(n: int, theta: Fraction, x: int) -> Fraction:
    a, whole = theta.as_integer_ratio()
    return Fraction(sum(comb(n, k) * a**k * (whole - a) ** (n - k) for k in range(x, n + 1)), whole**n)


def ends_are_exact(interval: Interval = library) -> Exhaustive:
    """At each end as many rows, or more extreme numbers, have probability delta/2; 0 and 1 are ends if x is 0 or n."""

    def cases(most: int, delta: Fraction) -> Iterator[tuple[int, int, Fraction]]:
        yield from ((x, n, delta) for n in range(1, most + 1) for x in range(n + 1))

    def holds(case: tuple[int, int, Fraction]) -> bool:
        x, n, delta = case
        low, high = map(Fraction, interval(x, n, delta))
        below = upper_tail(n, low, x) if x else delta / 2 + low
        above = upper_tail(n, 1 - high, n - x) if x < n else delta / 2 + 1 - high
        return all(abs(tail - delta / 2) <= CLOSE * delta for tail in (below, above))

    return Exhaustive(Cases(cases, n=upto(12), delta=only(Fraction(1, 20), Fraction(1, 2))), holds, rounded=True)


def misses_rarely(interval: Interval = library) -> Exhaustive:
    """The interval of n rows misses with probability at most delta/2 on either side, at probabilities of a grid."""

    def cases(most: int, delta: Fraction) -> Iterator[tuple[int, Fraction, Fraction]]:
        yield from ((n, Fraction(k, 20), delta) for n in range(1, most + 1) for k in range(21))

    def holds(case: tuple[int, Fraction, Fraction]) -> bool:
        n, theta, delta = case
        ends = [interval(x, n, delta) for x in range(n + 1)]
        low = sum((binomial(n, theta, x) for x in range(n + 1) if ends[x][0] > theta), Fraction(0))
        high = sum((binomial(n, theta, x) for x in range(n + 1) if ends[x][1] < theta), Fraction(0))
        return max(low, high) <= delta / 2

    return Exhaustive(Cases(cases, n=upto(8), delta=only(Fraction(1, 20), Fraction(1, 2))), holds, rounded=True)


# The intervals of a tree.

Counts = tuple[tuple[int, int], tuple[int, int]]
Shown = Callable[[Counts, Fraction], list[Ends | None]]


class Rows(NamedTuple):
    """Rows of two leaves: how many, which part or how many of them go left, the probabilities of class 1 in both."""

    n: int
    left: Fraction | int
    theta: tuple[Fraction, Fraction]

    def __str__(self) -> str:
        side = f"{self.left} of them left" if isinstance(self.left, int) else f"left with probability {self.left}"
        return f"{self.n} rows, {side}, class 1 with probabilities {self.theta[0]} and {self.theta[1]}"

    @property
    def truth(self) -> tuple[Fraction, Fraction, Fraction]:
        """The probability of class 1 in the root and both leaves."""
        share = Fraction(self.left, self.n) if isinstance(self.left, int) else self.left
        return share * self.theta[0] + (1 - share) * self.theta[1], *self.theta

    def counts(self) -> Iterator[tuple[Counts, Fraction]]:
        """Yield class counts of both leaves with their probabilities."""
        one, other = self.theta
        if isinstance(self.left, int):
            right = self.n - self.left
            for x, y in product(range(self.left + 1), range(right + 1)):
                probability = binomial(self.left, one, x) * binomial(right, other, y)
                yield ((self.left - x, x), (right - y, y)), probability
            return
        cells = [side * p for side, theta in ((self.left, one), (1 - self.left, other)) for p in (1 - theta, theta)]
        for a, b, c, d in compositions(self.n, 4):
            ways = factorial(self.n) // prod(map(factorial, (a, b, c, d)))
            chances = (p**k for p, k in zip(cells, (a, b, c, d), strict=True))
            yield ((a, b), (c, d)), prod(chances, start=Fraction(ways))


class Missed(NamedTuple):
    """The probability that an interval that is shown misses."""

    rows: Rows
    delta: Fraction
    probability: Fraction

    def __str__(self) -> str:
        return f"{self.rows}: one misses with probability {float(self.probability):.4f} at {self.delta}"


def root(counts: Counts) -> tuple[int, int]:
    (a, b), (c, d) = counts
    return a + c, b + d


@cache
def of_all_nodes(counts: Counts, delta: Fraction) -> list[Ends | None]:
    """The library's intervals of the root and both leaves."""
    low, high = simultaneous(np.array([root(counts), *counts]), float(delta))
    return list(zip(low[:, 1].tolist(), high[:, 1].tolist(), strict=True))


def each_alone(counts: Counts, delta: Fraction) -> list[Ends | None]:
    return [library(x, y + x, delta) for y, x in (root(counts), *counts)]


def of_surviving_leaves(counts: Counts, delta: Fraction) -> list[Ends | None]:
    """Intervals of both leaves if a test at 1/10 rejects, of the root if not: at delta over their number."""
    (a, b), (c, d) = counts
    if pvalues(a + b + c + d, a + b, b + d)[b] > Fraction(1, 10):
        return [library(b + d, a + b + c + d, delta), None, None]
    return [None, library(b, a + b, delta / 2), library(d, c + d, delta / 2)]


def misses(shown: list[Ends | None], truth: tuple[Fraction, ...]) -> bool:
    """Whether an interval that is shown misses."""
    return any(ends is not None and not ends[0] <= p <= ends[1] for ends, p in zip(shown, truth, strict=True))


def independent(most: int) -> Iterator[Rows]:
    """Yield rows that are drawn independently, sides and classes."""
    quarters = [Fraction(k, 4) for k in range(5)]
    for n, one, other in product(range(1, most + 1), quarters, quarters):
        yield Rows(n, Fraction(1, 3), (one, other))


def divided(most: int) -> Iterator[Rows]:
    """Yield rows of which half go left, and fair classes on both sides."""
    yield from (Rows(n, n // 2, (Fraction(1, 2), Fraction(1, 2))) for n in range(2, most + 1, 2))


def hold_together(shown: Shown = of_all_nodes, rows: Any = independent, most: int = 4) -> Exhaustive:
    """The probability that any interval that is shown misses is at most delta."""

    def cases(most: int, delta: Fraction) -> Iterator[Missed]:
        for drawn in rows(most):
            chances = (p for counts, p in drawn.counts() if misses(shown(counts, delta), drawn.truth))
            yield Missed(drawn, delta, sum(chances, Fraction(0)))

    sizes: dict[str, Any] = {"n": upto(most), "delta": only(Fraction(1, 20), Fraction(1, 2))}
    return Exhaustive(Cases(cases, **sizes), lambda missed: missed.probability <= missed.delta, rounded=True)


def have_equal_parts() -> Exhaustive:
    """The library's intervals of the nodes of a tree of m splits are those of each at delta/(2m + 1)."""

    def cases(splits: int, delta: Fraction) -> Iterator[tuple[int, tuple[int, int], Fraction]]:
        yield from ((2 * m + 1, (a, b), delta) for m in range(splits + 1) for a, b in product(range(4), repeat=2))

    def holds(case: tuple[int, tuple[int, int], Fraction]) -> bool:
        nodes, (a, b), delta = case
        low, high = simultaneous(np.array([(a, b)] * nodes), float(delta))
        ends = library(b, a + b, delta / nodes)
        close = np.allclose([low[:, 1], high[:, 1]], np.reshape(ends, (2, 1)), rtol=float(CLOSE), atol=0)
        return bool(close)

    return Exhaustive(Cases(cases, m=upto(4), delta=only(Fraction(1, 20), Fraction(1, 2))), holds, rounded=True)


ENDS, ALONE, TOGETHER = Law(ends_are_exact), Law(misses_rarely), Law(hold_together)
FAIR: dict[str, Any] = {"rows": divided, "most": 20}

THEOREMS = [
    Theorem(
        key="inference.clopper_pearson_misses_at_most_delta",
        statement="the ends of the interval for x of n rows are the probabilities at which x or more rows, and x or"
        " fewer, are as likely as delta/2, to nine digits; so it misses on either side with probability at most"
        " delta/2",
        source="clopper1934",
        holds=All(ends=ENDS, misses=ALONE),
        premises=(Premise("binomial_tail_grows", "kernel"),),
        fails=(
            ENDS.but("as likely as delta", interval=doubled),
            ALONE.but("so it does with ends at which they are as likely as delta", interval=doubled),
            ALONE.but("so does the mean plus and minus 1.96 standard errors, at 1/20", interval=normal),
        ),
    ),
    Theorem(
        key="inference.intervals_of_all_nodes_miss_at_most_delta",
        statement="with an error of delta/(2m + 1) for each of the 2m + 1 nodes of a tree of m splits, in two classes,"
        " some interval misses with probability at most delta, so those of any nodes do that are selected by the same"
        " rows",
        source="clopper1934 for each of them; their number by Bonferroni's inequality",
        holds=All(parts=have_equal_parts(), together=TOGETHER),
        premises=(
            Premise("inference.clopper_pearson_misses_at_most_delta", kind="theorem"),
            Premise("intervals_of_all_nodes_miss_at_most_delta", "kernel", {"m": ALL, "n": ALL}),
        ),
        fails=(
            TOGETHER.but("so it is for each at delta", shown=each_alone, **FAIR),
            TOGETHER.but(
                "so it is for the leaves that a test at 1/10 lets survive, at delta over their number",
                shown=of_surviving_leaves,
                **FAIR,
            ),
        ),
    ),
]
