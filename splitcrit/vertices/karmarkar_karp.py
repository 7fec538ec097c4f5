"""The subset whose sum is nearest to half, by differencing: a search that may stop at any time.

Two largest numbers are put on different sides, which leaves their difference, or on one side, which leaves their sum.
Always taking the difference is the heuristic of Karmarkar and Karp; searching both ways, differences first, finds the
optimum if it is let run, and may stop as soon as the sides differ by no more than they must.

Main definitions: ``differencing``.
"""

from __future__ import annotations

from bisect import insort
from typing import NamedTuple

from splitcrit.vertices.balance import BalancedSubsets
from splitcrit.vertices.node import NodeShares


class Difference(NamedTuple):
    """A number ``sum(plus) - sum(minus)`` that stands for classes whose sides are fixed relative to one another."""

    size: int
    plus: int
    minus: int


def _apart(a: Difference, b: Difference) -> Difference:
    return Difference(a.size - b.size, a.plus | b.minus, a.minus | b.plus)


def _together(a: Difference, b: Difference) -> Difference:
    return Difference(a.size + b.size, a.plus | b.plus, a.minus | b.minus)


def _with(parts: list[Difference], part: Difference) -> list[Difference]:
    insort(parts, part)
    return parts


def differencing(node: NodeShares, steps: int) -> BalancedSubsets:
    """Return the best subset found in ``steps`` steps, each of which joins two parts, and whether it is proved best."""
    parts = sorted(Difference(w, 1 << i, 0) for i, w in enumerate(node.weights))
    least = max(node.total % 2, node.slack)
    best, open_ = Difference(node.total + 1, 0, 0), [(parts, node.total)]
    while open_ and steps > 0 and best.size > least:
        parts, total = open_.pop()
        while 2 * parts[-1].size < total:
            a, b = parts.pop(), parts.pop()
            steps -= 1
            if len(parts) > 2:  # of four parts or fewer the differences are best
                open_.append((_with(parts.copy(), _together(a, b)), total))
            total -= 2 * b.size
            insort(parts, _apart(a, b))
        last = parts.pop()
        for part in parts:
            last = _apart(last, part)
        best = min(best, last)
    proven = best.size <= least or not open_
    return BalancedSubsets((node.anchored(best.plus),), False, proven, best.size)
