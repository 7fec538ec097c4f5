"""Nodes, their splits and the best of them, by enumeration; and numbers that statements of breiman1996 need.

Main definitions: ``nodes``, ``best``, ``best_vertices``, ``all_best_are_vertices`` (enumeration); ``Jet`` (a number
with two first derivatives and the mixed second one); ``FormalLogs`` (logarithms of products as sums of free elements).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion
from splitcrit.proof import Field, Term, same
from splitcrit.proofs.common import exactly, lefts, partitions, score, split

Counts = tuple[int, ...]


def nodes(most: int, classes: int = 0, least_classes: int = 2) -> Iterator[Counts]:
    """Yield the class counts, all positive, largest first, of all nodes of up to ``most`` examples."""
    for n in range(2, most + 1):
        for counts in partitions(n):
            if len(counts) >= least_classes and len(counts) in (classes or len(counts), len(counts)):
                yield counts


def is_vertex(counts: Counts, left: Counts) -> bool:
    """Tell whether no class has members on both sides."""
    return all(x in (0, n) for n, x in zip(counts, left, strict=True))


def vertices(counts: Counts) -> Iterator[Counts]:
    """Yield the left children of all splits that divide no class."""
    for mask in range(1, 2 ** len(counts) - 1):
        yield tuple(n if mask >> j & 1 else 0 for j, n in enumerate(counts))


@cache
def best(criterion: Criterion, counts: Counts) -> frozenset[Counts]:
    """Return the left children of all best splits of a node, in exact rationals."""
    return _top({left: score(criterion, split(counts, left)) for left in lefts(counts)})


@cache
def best_vertices(criterion: Criterion, counts: Counts) -> frozenset[Counts]:
    """Return the left children of the best among the splits that divide no class."""
    return _top({left: score(criterion, split(counts, left)) for left in vertices(counts)})


def _top(values: dict[Counts, Any]) -> frozenset[Counts]:
    top = max(values.values())
    return frozenset(left for left, value in values.items() if value == top)


def some_best_is_vertex(criterion: Criterion, counts: Counts) -> bool:
    return any(is_vertex(counts, left) for left in best(criterion, counts))


def all_best_are_vertices(criterion: Criterion, counts: Counts) -> bool:
    return all(is_vertex(counts, left) for left in best(criterion, counts))


def balanced_vertices(counts: Counts) -> frozenset[Counts]:
    """Return the vertices whose sides are as equal in size as vertices can be."""
    return _top({left: -abs(2 * sum(left) - sum(counts)) for left in vertices(counts)})


def isolating_vertices(counts: Counts) -> frozenset[Counts]:
    """Return the vertices that put one most frequent class alone on a side."""
    top = max(counts)
    return frozenset(
        left for left in vertices(counts) if any([x for x in side if x] == [top] for side in split(counts, left))
    )


def middle_gains(criterion: Criterion, counts: Counts, one: Counts, other: Counts) -> tuple[Fraction, Fraction]:
    """Return the score half-way between two splits of a node, and the mean of their scores."""
    left = [Fraction(x + y, 2) for x, y in zip(one, other, strict=True)]
    right = [n - x for n, x in zip(counts, left, strict=True)]
    ends = score(criterion, split(counts, one)) + score(criterion, split(counts, other))
    return criterion.score([left, right], EXACT), ends / 2


def pairs_of_splits(most: int, classes: int) -> Iterator[tuple[Counts, Counts, Counts]]:
    """Yield every node of exactly ``classes`` classes with each two of its splits."""
    for counts in (n for n in nodes(most) if len(n) == classes):
        found = list(lefts(counts))
        yield from ((counts, one, other) for i, one in enumerate(found) for other in found[:i])


@dataclass(frozen=True, eq=False)
class Jet:
    """``value + first e + second f + both e f`` with ``e e = f f = 0``: exact derivatives in two directions."""

    value: Any
    first: Any = 0
    second: Any = 0
    both: Any = 0

    def _parts(self) -> tuple[Any, Any, Any, Any]:
        return self.value, self.first, self.second, self.both

    def __add__(self, other: Any) -> Jet:
        return Jet(*(x + y for x, y in zip(self._parts(), _jet(other)._parts(), strict=True)))

    def __mul__(self, other: Any) -> Jet:
        (a, b, c, d), (w, x, y, z) = self._parts(), _jet(other)._parts()
        return Jet(a * w, a * x + b * w, a * y + c * w, a * z + b * y + c * x + d * w)

    def __truediv__(self, other: Any) -> Jet:
        w, x, y, z = _jet(other)._parts()
        square = w * w
        return self * Jet(1 / w, -x / square, -y / square, 2 * x * y / (square * w) - z / square)

    def __neg__(self) -> Jet:
        return self * -1

    def __sub__(self, other: Any) -> Jet:
        return self + -_jet(other)

    def __rsub__(self, other: Any) -> Jet:
        return _jet(other) + -self

    def __rtruediv__(self, other: Any) -> Jet:
        return _jet(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return all(same(x, y) for x, y in zip(self._parts(), _jet(other)._parts(), strict=True))

    __hash__ = None  # type: ignore[assignment]


def _jet(x: Any) -> Jet:
    return x if isinstance(x, Jet) else Jet(x)


class FormalLogs:
    """A field in which the logarithm of a product is the sum of the logarithms of its irreducible factors.

    The logarithm of each irreducible factor is an element of which nothing is known; factors are positive by the
    reader's word, so that a sign in front of a factor is dropped and any other constant refused.
    """

    name = "FIELD"

    def __init__(self, ring: Field) -> None:
        self.ring = ring
        self._known: dict[Any, Any] = {}

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return self.ring.where(condition, a, b)

    def _log_of_polynomial(self, poly: Any) -> Any:
        constant, factors = poly.factor_list()
        if constant not in (1, -1):
            factors = [*factors, (poly.ring(abs(constant)), 1)]
        for factor, _ in factors:
            if factor not in self._known:
                self._known[factor] = self.ring.max([Term(self.ring.field(factor), self.ring)])
        return sum((times * self._known[factor] for factor, times in factors), Term(self.ring.field(0), self.ring))

    def log(self, x: Any) -> Any:
        function = self.ring.field(self.ring.read(x))
        return self._log_of_polynomial(function.numer) - self._log_of_polynomial(function.denom)

    def xlogx(self, x: Any) -> Any:
        return self.where(x == 0, 0, x * self.log(x))


def formal(m: Any) -> Any:
    """Return the arithmetic itself, but a field with formal logarithms."""
    return FormalLogs(m) if isinstance(m, Field) else m


def rational(table: Any, m: Any) -> Any:
    """Return an integer table in the numbers of an arithmetic."""
    return [[m.number(x) for x in row] for row in exactly(table)]
