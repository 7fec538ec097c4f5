"""The subsets whose sum is nearest to half, exactly and with their ties, or by a search that may stop at any time.

Main definitions: ``bitset`` (which sums can be reached, as the bits of one integer, class after class), ``halves``
(meet in the middle: the sums of two halves of the classes), ``nearest`` (the m subsets nearest to half),
``differencing`` (the search of Karmarkar and Karp).
Main results: entropy, twoing and the one-against-rest gain of a vertex grow with the smaller side
(``vertex.entropy_balances_sizes``, ``vertex.twoing_is_product_of_sizes``), so their best vertices are these subsets. To
find one is the problem PARTITION: ``bitset`` takes time in proportion to J times the sum of the counts, ``halves`` to
``2^(J/2)``.
Source: breiman1996, Section 3.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.vertices.node import NodeShares


@dataclass(frozen=True)
class BalancedSubsets:
    """Subsets with bit 0 set, best first; whether they are all, whether none is better, how far sums are from half.

    ``distance`` is the least ``|2 P - 1|`` in integer weights: the difference of the two sides.
    """

    subsets: tuple[int, ...]
    complete: bool
    proven: bool
    distance: int


# ---- the bitset ----


class Reach:
    """Which sums up to ``most`` the first i weights reach: bit s of an integer tells whether some subset sums to s.

    One integer in about ``sqrt(J)`` is kept; those between are found again when asked for.
    """

    def __init__(self, weights: list[int], most: int) -> None:
        self.weights, self.most, self.room = weights, most, (1 << most + 1) - 1
        self.stride = isqrt(len(weights)) + 1
        self.stored = [1]
        for start in range(0, len(weights), self.stride):
            self.stored.append(self._from(start)[-1])
        self.block: tuple[int, list[int]] = (-1, [])

    def _from(self, start: int) -> list[int]:
        reached = [self.stored[start // self.stride]]
        for w in self.weights[start : start + self.stride]:
            more = reached[-1] | reached[-1] << w
            reached.append(more & self.room if more.bit_length() > self.most + 1 else more)
        return reached

    def __call__(self, i: int) -> int:
        """The sums that the first ``i`` weights reach."""
        start = i - i % self.stride
        if i == start:
            return self.stored[i // self.stride]
        if self.block[0] != start:
            self.block = start, self._from(start)
        return self.block[1][i - start]

    def subsets(self, target: int, forced: bool) -> Iterator[int]:
        """Yield the subsets that sum to ``target``, bit i for the i-th weight; ``forced`` ones hold the last weight."""
        last = len(self.weights) - 1
        open_ = [(last, target - self.weights[last], 1 << last)] if forced else [(last + 1, target, 0)]
        while open_:
            i, rest, subset = open_.pop()
            if i == 0:
                yield subset
                continue
            w = self.weights[i - 1]
            near = min(w, rest)
            before = self(i - 1) >> rest - near & (2 << near) - 1  # of a long integer one copy, rather than two
            if before >> near & 1:
                open_.append((i - 1, rest, subset))
            if w <= rest and before & 1:
                open_.append((i - 1, rest - w, subset | 1 << i - 1))


def bitset(node: NodeShares, most: int) -> BalancedSubsets:
    """The best subsets by dynamic programming over sums, with up to ``most`` ties."""
    rising = list(reversed(node.weights))
    half = node.total // 2
    reach = Reach(rising, half)
    best = reach.stored[-1].bit_length() - 1
    width = len(rising)
    anchored = (
        node.anchored(int(format(subset, f"0{width}b")[::-1], 2))
        for subset in reach.subsets(best, forced=2 * best == node.total)
    )
    subsets = tuple(islice(anchored, most + 1))
    return BalancedSubsets(subsets[:most], len(subsets) <= most, True, node.total - 2 * best)


# ---- meet in the middle ----


def _sums(start: int, weights: tuple[int, ...], dtype: Any) -> Array:
    """``start`` plus the sum of every subset; a subset is the place of its sum."""
    sums = np.array([start], dtype=dtype)
    for w in weights:
        sums = np.concatenate([sums, sums + w])
    return sums


class Halves:
    """The sums of all subsets that hold the most frequent class, as sums of two parts, the second one sorted."""

    def __init__(self, node: NodeShares) -> None:
        # The first, most frequent class is in every subset, so that no split is met twice, once for each side.
        first, *others = node.weights
        self.node, self.size = node, len(others) // 2
        dtype = np.int64 if node.total < 2**61 else object
        self.one = _sums(first, tuple(others[: self.size]), dtype)
        other = _sums(0, tuple(others[self.size :]), dtype)
        self.order = np.argsort(other, kind="stable")
        self.other = other[self.order]

    def distance(self) -> int:
        """The least difference of the two sides."""
        total = self.node.total
        below = np.searchsorted(self.other, total // 2 - self.one, side="right") - 1
        above = np.minimum(below + 1, len(self.other) - 1)
        gaps = [np.abs(total - 2 * (self.one + self.other[np.maximum(at, 0)])) for at in (below, above)]
        return int(min(gap.min() for gap in gaps))

    def band(self, distance: int) -> tuple[Array, Array]:
        """For each first part the range of second parts whose two sides differ by at most ``distance``."""
        low, high = -((distance - self.node.total) // 2), (self.node.total + distance) // 2
        first = np.searchsorted(self.other, low - self.one, side="left")
        return first, np.searchsorted(self.other, high - self.one, side="right")

    def subsets(self, distance: int) -> Iterator[int]:
        """Yield the proper subsets whose two sides differ by at most ``distance``."""
        first, last = self.band(distance)
        for i in np.flatnonzero(last > first).tolist():
            for j in self.order[first[i] : last[i]].tolist():
                subset = 1 | (i | j << self.size) << 1
                if subset != self.node.everything:
                    yield subset


def halves(node: NodeShares, most: int) -> BalancedSubsets:
    """The best subsets by meeting in the middle, with up to ``most`` ties."""
    parts = Halves(node)
    distance = parts.distance()
    subsets = tuple(islice(parts.subsets(distance + 2 * node.slack), most + 1))
    return BalancedSubsets(subsets[:most], len(subsets) <= most, True, distance)


def nearest(node: NodeShares, m: int) -> list[int]:
    """``m`` subsets whose sums are nearest to half; which of those that tie for the last place is open."""
    parts, weights = Halves(node), node.weights

    def within(distance: int) -> int:
        first, last = parts.band(distance)
        return int((last - first).sum())

    # The least distance within which there are more than m subsets, to a factor of four: those nearer are all taken.
    low = parts.distance()
    high = max(1, low)
    while high < node.total and within(high) <= m:  # of these one may hold all classes, which is no split
        high *= 2
    while low < high and within(high) > 4 * m:
        middle = (low + high) // 2
        low, high = (low, middle) if within(middle) > m else (middle + 1, high)
    nearer = list(parts.subsets(high - 1))
    known = set(nearer)
    last = (subset for subset in parts.subsets(high) if subset not in known)
    chosen = [*nearer, *islice(last, max(0, m - len(nearer)))]
    return sorted(chosen, key=lambda s: abs(2 * sum(w for i, w in enumerate(weights) if s >> i & 1) - node.total))[:m]


# ---- differencing ----


class Difference(NamedTuple):
    """A number ``sum(plus) - sum(minus)`` that stands for classes whose sides are fixed relative to one another."""

    size: int
    plus: int
    minus: int


def _apart(a: Difference, b: Difference) -> Difference:
    return Difference(a.size - b.size, a.plus | b.minus, a.minus | b.plus)


def _together(a: Difference, b: Difference) -> Difference:
    return Difference(a.size + b.size, a.plus | b.plus, a.minus | b.minus)


def differencing(node: NodeShares, steps: int) -> BalancedSubsets:
    """The best subset found in ``steps`` steps, each of which joins two parts, and whether it is proved best.

    Two largest numbers are put on different sides, which leaves their difference, or on one side, which leaves their
    sum. Always taking the difference is the heuristic of Karmarkar and Karp; searching both ways, differences first,
    finds the optimum if it is let run, and may stop as soon as the sides differ by no more than they must.
    """
    parts = sorted(Difference(w, 1 << i, 0) for i, w in enumerate(node.weights))
    least = max(node.total % 2, node.slack)
    best, open_ = Difference(node.total + 1, 0, 0), [(parts, node.total)]
    while open_ and steps > 0 and best.size > least:
        parts, total = open_.pop()
        # Once the largest is half of what is left or more, all others together belong on the other side.
        while 2 * parts[-1].size < total:
            a, b = parts.pop(), parts.pop()
            steps -= 1
            if len(parts) > 2:  # of four parts or fewer the differences are best
                open_.append((sorted([*parts, _together(a, b)]), total))
            total -= 2 * b.size
            insort(parts, _apart(a, b))
        last = parts.pop()
        for part in parts:
            last = _apart(last, part)
        best = min(best, last)
    proven = best.size <= least or not open_
    return BalancedSubsets((node.anchored(best.plus),), False, proven, best.size)
