"""Small distributions, nodes and tables to look at, and exact comparisons that enclosures may leave open.

Main definitions: ``surely_above``, ``surely_equal``; ``grid``, ``fine`` (points of
the simplex), ``nodes``, ``lefts``, ``tables``, ``channels``; ``told`` (numbers as text).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from operator import eq, gt
from typing import Any

from splitcrit.noise import class_conditional, pair_flip, symmetric, transition_matrix
from splitcrit.proof.undecided import Undecided

Point = tuple[Fraction, ...]
# Exact comparisons that enclosures may leave open.


def _surely(relation: Callable[[Any, Any], Any]) -> Callable[..., bool]:
    """Return whether two numbers are known to have a relation, or not to have it."""

    def told(x: Any, y: Any, answer: bool = True) -> bool:
        try:
            return bool(relation(x, y)) is answer
        except Undecided:
            return False

    return told


surely_above, surely_equal = _surely(gt), _surely(eq)


# Distributions, nodes and tables to look at.

ORDERLESS: tuple[tuple[Any, Any], ...] = (
    (((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((2, 1, 1), (1, 2, 1), (1, 1, 2))),
    (((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((2, 1, 2), (2, 2, 1), (1, 2, 2))),
    (((0, 0, 1), (0, 2, 1), (3, 1, 1)), ((3, 2, 1), (2, 3, 1), (2, 1, 2))),
    (((0, 1, 1), (1, 0, 1), (1, 1, 0)), ((2, 1, 1), (1, 2, 1), (1, 1, 2))),
)
GRID = {2: 12, 3: 6, 4: 4}  # by the number of classes: shares are multiples of one in this
RATES = tuple(Fraction(x, 10) for x in (1, 2, 4))


def compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write ``n`` as a sum of ``parts`` ordered non-negative integers."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n, -1, -1):
        yield from ((first, *rest) for rest in compositions(n - first, parts - 1))


def grid(k: int) -> list[Point]:
    n = GRID.get(k, 3)
    return [tuple(Fraction(x, n) for x in counts) for counts in compositions(n, k)]


def fine(k: int) -> Iterator[Point]:
    """Yield points inside the simplex, many for two classes."""
    n = {2: 400, 3: 30}.get(k, 12)
    for counts in compositions(n, k):
        if all(counts):
            yield tuple(Fraction(x, n) for x in counts)


def directions(k: int) -> list[list[int]]:
    found = []
    for i, j in itertools.combinations(range(k), 2):
        found.append([int(x == i) - int(x == j) for x in range(k)])
    return found if k == 2 else [*found, [2, *[-1] * (k - 1)] if k == 3 else [k - 1, *[-1] * (k - 1)]]


def vertex(j: int, k: int) -> list[Fraction]:
    return [Fraction(int(i == j)) for i in range(k)]


def nodes(k: int, most: int) -> Iterator[tuple[int, ...]]:
    for n in range(2, most + 1):
        yield from compositions(n, k)


def lefts(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the left children of every split of a node with both children non-empty."""
    for left in itertools.product(*(range(n + 1) for n in counts)):
        if 0 < sum(left) < sum(counts):
            yield left


def others(counts: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, ...]:
    """Return the remainder of a node."""
    return tuple(n - x for n, x in zip(counts, left, strict=True))


def tables(k: int, most: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    for counts in nodes(k, most):
        for left in lefts(counts):
            yield left, others(counts, left)


def few_tables(k: int) -> list[tuple[tuple[int, ...], ...]]:
    pure = tuple(2 * int(j == 0) for j in range(k)), tuple(3 * int(j == k - 1) for j in range(k))
    mixed = tuple(1 + j for j in range(k)), tuple(2 for _ in range(k))
    return [pure, pure[::-1], mixed]


def added(*rows: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def counted_rows(points: Sequence[Point], shares: Sequence[Fraction]) -> tuple[tuple[int, ...], ...]:
    """Return the table of counts whose rows have these distributions and these shares of the node."""
    rows = [[t * x for x in p] for p, t in zip(points, shares, strict=True)]
    size = math.lcm(*(x.denominator for x in itertools.chain(*rows)))
    return tuple(tuple(int(x * size) for x in row) for row in rows)


def channels(name: str, k: int) -> dict[str, Any]:
    """Return noise of the kind that a property names, by what it is in words."""
    if "uniform" in name:
        return {f"uniform noise of rate {rate}": symmetric(rate) for rate in RATES}
    if "pair-flip" in name:
        return {f"pair-flip noise of rate {rate}": pair_flip(rate) for rate in RATES}
    if k == 2:
        pairs = [(Fraction(1, 10), Fraction(2, 5)), (Fraction(2, 5), Fraction(1, 10)), (Fraction(0), Fraction(2, 5))]
        words = "noise of rate {} in class 0 and {} in class 1"
        return {words.format(neg, pos): class_conditional(tau_pos=pos, tau_neg=neg) for pos, neg in pairs}
    eta, found = Fraction(2, 5), {}
    for j in range(k):
        row = [1 - eta if i == j else eta / (k - 1) for i in range(k)]
        rows = [row if i == j else vertex(i, k) for i in range(k)]
        found[f"noise that misreads class {j} as any other at rate {eta}"] = transition_matrix(rows)
    return found


def told(points: Any) -> str:
    """Return a distribution or a table as text."""
    if points and isinstance(points[0], tuple | list):
        return "[" + ", ".join(map(told, points)) + "]"
    return "(" + ", ".join(map(str, points)) + ")"
