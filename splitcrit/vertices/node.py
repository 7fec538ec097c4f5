"""The classes of a node as integers: validation of class counts and class shares, and subsets of classes as bits.

A subset is an integer whose bit ``i`` stands for the ``i``-th most frequent class. A split and the same split with its
sides exchanged are one: it is written with the most frequent class (the first of them) on the left, so bit 0 is set.

Main definitions: ``NodeShares``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from splitcrit.arith import Irrational
from splitcrit.criteria import Criterion
from splitcrit.data.counting import as_array, position, real_array
from splitcrit.frozen import complaint, shown

UNIT = 2.0**60  # shares in floating point become integers of this unit
SLACK = 2**7  # in units: what rounding two shares to float64 can do to their difference
MOST_COUNT = 10**300  # beyond it scores in floating point overflow
TOLERANCE = 1e-9  # how far from 1 shares in floating point may sum


@dataclass(frozen=True)
class NodeShares:
    """Class counts or shares, and integers in proportion to them.

    ``present`` holds the classes of positive weight, most frequent first, and ``weights`` their integers, without a
    common divisor where they are exact. Sums of weights that differ by at most ``slack`` are equal but for rounding; it
    is 0 for exact numbers.
    """

    entries: tuple[Any, ...]
    present: tuple[int, ...]
    weights: tuple[int, ...]
    slack: int

    @staticmethod
    def of(p: Any) -> NodeShares:
        """The node with these class counts (integers) or class shares (Fractions or floats that sum to 1)."""
        if as_array(p, "class shares").ndim != 1:
            raise ValueError(complaint("class shares are a vector", shown(p), "pass one number for each class"))
        entries = tuple(real_array(p, "class shares", position).tolist())
        present = sorted((k for k, x in enumerate(entries) if x > 0), key=lambda k: (-entries[k], k))
        if len(present) < 2:
            got = f"{len(present)} of {len(entries)}"
            raise ValueError(complaint("a split needs two classes that are present", got, "pass a node that is impure"))
        weights, slack = _integers(entries)
        divisor = 1 if slack else gcd(*weights)
        return NodeShares(entries, tuple(present), tuple(weights[k] // divisor for k in present), slack)

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    @property
    def everything(self) -> int:
        """The subset of all classes, which is no split."""
        return (1 << len(self.present)) - 1

    def anchored(self, subset: int) -> int:
        """The side of a split that holds the most frequent class."""
        return subset if subset & 1 else subset ^ self.everything

    def left(self, subset: int) -> tuple[int, ...]:
        """The classes of a subset in their own order."""
        return tuple(sorted(k for i, k in enumerate(self.present) if subset >> i & 1))

    def right(self, subset: int) -> tuple[int, ...]:
        """The classes that are present and not in a subset."""
        return self.left(subset ^ self.everything)

    def share(self, subset: int) -> Any:
        """P_L, a Fraction where the entries are exact."""
        return self.number(Fraction(sum(w for i, w in enumerate(self.weights) if subset >> i & 1), self.total))

    def number(self, x: Fraction | int) -> Any:
        """A number derived from the weights as it is reported: a float where the entries are floats."""
        return float(x) if self.slack else x

    def table(self, subset: int) -> list[list[Any]]:
        """The table of the split: the subset's entries in the first row, all others in the second."""
        chosen = set(self.left(subset))
        return [[x if (k in chosen) == side else 0 for k, x in enumerate(self.entries)] for side in (True, False)]

    def value(self, criterion: Criterion, subset: int) -> Any:
        """The score of a split, a Fraction where the entries are exact and the score is rational."""
        table = self.table(subset)
        if not self.slack:
            try:
                return criterion.exact(table)
            except Irrational:
                pass
        return float(criterion(table))


def _integers(entries: tuple[Any, ...]) -> tuple[list[int], int]:
    """Integers in proportion to counts or shares, and what rounding leaves open in their sums."""
    if all(isinstance(x, int) for x in entries):
        if max(entries) >= MOST_COUNT:
            raise ValueError(complaint("class counts are below 1e300", "a larger one", "divide them by a factor"))
        return list(entries), 0
    whole = sum(entries)
    exact = not any(isinstance(x, float) for x in entries)
    if whole != 1 if exact else abs(whole - 1) > TOLERANCE:
        raise ValueError(complaint("class shares sum to 1", whole, "divide by their sum, or pass integer counts"))
    if exact:
        unit = lcm(*(Fraction(x).denominator for x in entries))
        return [int(x * unit) for x in entries], 0
    return [round(x * UNIT) for x in entries], SLACK * len(entries)
