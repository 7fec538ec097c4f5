"""Exact laws of a noisy two-class split: every label flips by itself, and what is expected of a score.

Main definitions: ``noisy_positives``, ``expected_score`` (binomial laws), ``flips_by_number`` (all flips, grouped by
how many there are), ``by_moments`` (the expectation of a quadratic score in symbols), ``keeps``, ``reorders`` (order).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any

from splitcrit.criteria import Criterion
from splitcrit.noise import class_conditional
from splitcrit.proof import Exhaustive
from splitcrit.proof.balls import fraction, ratio
from splitcrit.proofs.common import gini_decrease, score, up_to

Split = tuple[tuple[int, int], tuple[int, int]]  # rows of (negatives, positives)
_score = cache(score)


@cache
def noisy_positives(neg: int, pos: int, tau_pos: Fraction, tau_neg: Fraction) -> tuple[Any, ...]:
    """The law of the number of noisy positives among ``neg`` negatives and ``pos`` positives, in FLINT."""
    law = [Fraction(0)] * (neg + pos + 1)
    for i, j in product(range(pos + 1), range(neg + 1)):
        stay = comb(pos, i) * (1 - tau_pos) ** i * tau_pos ** (pos - i)
        law[i + j] += stay * comb(neg, j) * tau_neg**j * (1 - tau_neg) ** (neg - j)
    return tuple(map(ratio, law))


def noisy_tables(table: Any, tau_pos: Fraction, tau_neg: Fraction) -> Iterator[tuple[Any, Any]]:
    """Yield every noisy version of a table with its probability, by the binomial laws of its rows, in FLINT."""
    for seen in product(*(enumerate(noisy_positives(neg, pos, tau_pos, tau_neg)) for neg, pos in table)):
        noisy = tuple((sum(row) - x, x) for row, (x, _) in zip(table, seen, strict=True))
        yield noisy, prod(w for _, w in seen)


def expected_score(criterion: Criterion, table: Any, tau_pos: Fraction, tau_neg: Fraction) -> Fraction:
    """The exact expectation of the score of a noisy table."""
    return fraction(sum(w * ratio(_score(criterion, t)) for t, w in noisy_tables(table, tau_pos, tau_neg)))


def flips_by_number(criterion: Criterion, table: Split) -> list[Fraction]:
    """For each ``h``, the sum of the scores over all ways to flip exactly ``h`` of the labels."""
    (b, a), (d, c) = table
    sums = [Fraction(0)] * (a + b + c + d + 1)
    for i, j, k, h in product(range(a + 1), range(b + 1), range(c + 1), range(d + 1)):
        noisy = ((b - j + i, a - i + j), (d - h + k, c - k + h))
        ways = comb(a, i) * comb(b, j) * comb(c, k) * comb(d, h)
        sums[i + j + k + h] += ways * _score(criterion, noisy)
    return sums


def by_moments(table: Any, tau_pos: Any, tau_neg: Any, m: Any) -> Any:
    """The expected Gini gain of a noisy two-class table, from means and variances of its rows.

    The gain is quadratic in the numbers of positives, which are independent; so its expectation is its value at their
    means plus half of each second difference times the variance.
    """
    channel = class_conditional(tau_pos=tau_pos, tau_neg=tau_neg)
    mean = [list(channel.on_distribution(row)) for row in table]
    expected = gini_decrease.score(mean, m)
    for i, (neg, pos) in enumerate(table):
        spread = pos * tau_pos * (1 - tau_pos) + neg * tau_neg * (1 - tau_neg)
        expected = expected + spread * second_difference(mean, i, m) / 2
    return expected


def second_difference(table: Any, i: int, m: Any) -> Any:
    """The second difference of the Gini gain when labels of row ``i`` turn positive, one at a time."""

    def moved(step: int) -> Any:
        return [[neg - step, pos + step] if j == i else [neg, pos] for j, (neg, pos) in enumerate(table)]

    return gini_decrease.score(moved(1), m) - 2 * gini_decrease.score(moved(0), m) + gini_decrease.score(moved(-1), m)


def splits_of(neg: int, pos: int) -> Iterator[Split]:
    """Yield the splits of a node with both children non-empty, each once up to the order of its children."""
    for left in product(range(neg + 1), range(pos + 1)):
        right = (neg - left[0], pos - left[1])
        if any(left) and any(right) and left <= right:
            yield left, right


def nodes(most: int, least: int = 2) -> Iterator[tuple[int, int]]:
    """Yield the nodes ``(negatives, positives)`` with ``least`` to ``most`` examples."""
    for n in range(least, most + 1):
        yield from ((n - pos, pos) for pos in range(n + 1))


def splits(most: int) -> Iterator[Split]:
    """Yield every split of every node of at most ``most`` examples."""
    for node in nodes(most):
        yield from splits_of(*node)


def keeps(criterion: Criterion, tau_pos: Fraction, tau_neg: Fraction, most: int) -> Exhaustive:
    """Claim that the better of two splits of one node is expected to stay the better, up to ``most`` examples."""

    def holds(node: tuple[int, int]) -> bool:
        scores = [(_score(criterion, s), expected_score(criterion, s, tau_pos, tau_neg)) for s in splits_of(*node)]
        return not any(x > z and y <= t for (x, y), (z, t) in product(scores, repeat=2))

    return up_to(most, nodes, holds)


def reorders(criterion: Criterion, pair: tuple[Split, Split], tau_pos: Fraction, tau_neg: Fraction) -> bool:
    """Whether the first split is better clean and worse in expectation."""
    first, second = pair
    noisy = [expected_score(criterion, s, tau_pos, tau_neg) for s in pair]
    return bool(_score(criterion, first) > _score(criterion, second) and noisy[0] < noisy[1])
