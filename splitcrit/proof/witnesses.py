"""Witnesses against properties of an impurity or a criterion, looked for among small cases, in exact arithmetic.

Main definitions: ``Witnesses`` (``value``, ``score``, and ``against``, the first witness of one property); the small
distributions, nodes and tables to look at (``grid``, ``fine``, ``nodes``, ``lefts``, ``tables``, ``channels``).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.noise import class_conditional, pair_flip, symmetric, transition_matrix
from splitcrit.proof.balls import BALL
from splitcrit.proof.curvature import bend
from splitcrit.proof.points import exactly_or_enclosed, surely_above, surely_equal
from splitcrit.proof.theorem import PROPERTIES
from splitcrit.proof.undecided import Undecided

CONCAVE, STRICT, PURE, SYMMETRIC, LARGEST = OF_IMPURITY = (
    "concave", "strictly concave", "zero only at vertices", "symmetric", "maximal at equal shares",
)  # fmt: skip
NOISE = tuple(p for p in PROPERTIES if p.startswith("keeps order"))
EARLY, ORDERED, VERTEX = "stops early", "ordering shortcut", "vertex-optimal split"
BOOSTING, SKEW, CONSERVATIVE = "boosting condition of Kearns and Mansour", "skew-insensitive", "conservative"
DIGITS = (3, 6, 12, 24, 48)  # of the shares beside a share of 0
Witness = tuple[str, Any] | None  # in words, and in numbers that can be scored
Found = Iterator[tuple[str, Any]]
Point = tuple[Fraction, ...]


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
    each = []
    for i, j in itertools.combinations(range(k), 2):
        each.append([int(x == i) - int(x == j) for x in range(k)])
    return each if k == 2 else [*each, [k - 1, *[-1] * (k - 1)]]


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
    """The remainder of a node."""
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
    """The table of counts whose rows have these distributions and these shares of the node."""
    rows = [[t * x for x in p] for p, t in zip(points, shares, strict=True)]
    size = math.lcm(*(x.denominator for x in itertools.chain(*rows)))
    return tuple(tuple(int(x * size) for x in row) for row in rows)


def channels(name: str, k: int) -> dict[str, Any]:
    """Noise of the kind that a property names, by what it is in words."""
    if "uniform" in name:
        return {f"uniform noise of rate {rate}": symmetric(rate) for rate in RATES}
    if "pair-flip" in name:
        return {f"pair-flip noise of rate {rate}": pair_flip(rate) for rate in RATES}
    if k == 2:
        pairs = [(Fraction(1, 10), Fraction(2, 5)), (Fraction(2, 5), Fraction(1, 10)), (Fraction(0), Fraction(2, 5))]
        words = "noise of rate {} in class 0 and {} in class 1"
        return {words.format(neg, pos): class_conditional(tau_pos=pos, tau_neg=neg) for pos, neg in pairs}
    eta, named = Fraction(2, 5), {}
    for j in range(k):
        row = [1 - eta if i == j else eta / (k - 1) for i in range(k)]
        rows = [row if i == j else vertex(i, k) for i in range(k)]
        named[f"noise that misreads class {j} as any other at rate {eta}"] = transition_matrix(rows)
    return named


def told(points: Any) -> str:
    """A distribution or a table as text."""
    if points and isinstance(points[0], tuple | list):
        return "[" + ", ".join(map(told, points)) + "]"
    return "(" + ", ".join(map(str, points)) + ")"


@dataclass
class Witnesses:
    """A subject with its exact values, computed once, and what refutes its properties in small cases."""

    criterion: Criterion
    impurity: Impurity | None
    loss: Loss | None
    values: dict[Any, Any] = field(default_factory=dict)

    def against(self, name: str, k: int) -> Witness:
        """The first witness of a number of classes: against a property, or for ``stops early``."""
        look = {
            CONCAVE: self._bulges, STRICT: self._flat, PURE: self._not_pure, SYMMETRIC: self._unlike,
            LARGEST: self._larger, VERTEX: self._divided, ORDERED: self._gapped, SKEW: self._skewed,
            EARLY: self._early, CONSERVATIVE: self._careless,
        }  # fmt: skip
        cases = self._swapped(name, k) if name in NOISE else look[name](k) if name in look else ()
        return next(iter(cases), None)

    def score(self, table: Any) -> Any:
        """The exact score of a table of counts, or an enclosure of it."""
        if table not in self.values:
            exact = [[Fraction(x) for x in row] for row in table]
            self.values[table] = exactly_or_enclosed(self.criterion.score, exact)
        return self.values[table]

    def value(self, p: Point) -> Any:
        """The exact impurity of a distribution, or an enclosure of it."""
        if p not in self.values:
            assert self.impurity is not None
            self.values[p] = exactly_or_enclosed(self.impurity.of, list(p))
        return self.values[p]

    def _bulges(self, k: int) -> Found:
        for p, q in itertools.combinations(grid(k), 2):
            for t in (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)):
                middle = tuple(t * x + (1 - t) * y for x, y in zip(p, q, strict=True))
                if surely_above(t * self.value(p) + (1 - t) * self.value(q), self.value(middle)):
                    yield self._chord(p, q, t, middle)
        yield from self._bulge_at_a_support(k)
        yield from self._bulge_inside(k)

    def _bulge_at_a_support(self, k: int) -> Found:
        """Yield short chords from points with a share of 0 that lie above the formula: the value jumps there."""
        for q in grid(k):
            for j in (j for j, share in enumerate(q) if share == 0):
                for share in (Fraction(1, 10**e) for e in DIGITS):
                    middle, end = (
                        tuple((1 - t) * x + (t if i == j else 0) for i, x in enumerate(q)) for t in (share, 2 * share)
                    )
                    if surely_above((self.value(q) + self.value(end)) / 2, self.value(middle)):
                        yield self._chord(q, end, Fraction(1, 2), middle)

    def _bulge_inside(self, k: int) -> Found:
        """Yield chords above the formula near points where its curvature is positive."""
        assert self.impurity is not None
        for p, d in itertools.product(fine(k), directions(k)):
            try:
                bent = bend(self.impurity.of, [BALL.number(x) for x in p], d, BALL)
            except (Undecided, ZeroDivisionError):
                return
            if surely_above(bent, 0) and (case := self.near(p, d)):
                yield case

    def near(self, p: Point, d: Sequence[Any]) -> Witness:
        """A short chord through a point, along a direction, that lies above the formula."""
        for step in (Fraction(1, 2**j) for j in range(5, 60)):
            a, b = (tuple(x + s * step * y for x, y in zip(p, d, strict=True)) for s in (-1, 1))
            if min(*a, *b) >= 0 and surely_above((self.value(a) + self.value(b)) / 2, self.value(p)):
                return self._chord(a, b, Fraction(1, 2), p)
        return None

    def _chord(self, p: Point, q: Point, t: Fraction, middle: Point) -> tuple[str, Any]:
        words = f"at {told(middle)}, the {t} mixture of {told(p)} and {told(q)}, it is below the mixture of its values"
        return words, counted_rows((p, q), (t, 1 - t))

    def _flat(self, k: int) -> Found:
        for p, q in itertools.combinations(grid(k), 2):
            middle = tuple((x + y) / 2 for x, y in zip(p, q, strict=True))
            ends = (self.value(p) + self.value(q)) / 2
            if surely_above(ends, self.value(middle)) or surely_equal(ends, self.value(middle)):
                words = f"at {told(middle)}, halfway from {told(p)} to {told(q)}, it is not above the mean of the ends"
                yield words, counted_rows((p, q), (Fraction(1, 2),) * 2)
        yield from self._bulge_at_a_support(k)

    def _not_pure(self, k: int) -> Found:
        for p in grid(k):
            value = self.value(p)
            if max(p) == 1 and surely_equal(value, 0, answer=False):
                yield f"it is {value} at the pure node {told(p)}", p
            if max(p) < 1 and surely_equal(value, 0):
                yield f"it is 0 at {told(p)}", p

    def _unlike(self, k: int) -> Found:
        for p in grid(k):
            for i in range(k - 1):
                q = (*p[:i], p[i + 1], p[i], *p[i + 2 :])
                if surely_equal(self.value(p), self.value(q), answer=False):
                    yield f"it is {self.value(p)} at {told(p)} and {self.value(q)} at {told(q)}", (p, q)

    def _larger(self, k: int) -> Found:
        even = (Fraction(1, k),) * k
        for p in grid(k):
            if surely_above(self.value(p), self.value(even)):
                yield f"it is {self.value(p)} at {told(p)} and {self.value(even)} at equal shares", p

    def _early(self, k: int) -> Found:
        for table in tables(k, 8 if k == 2 else 6):
            same = all(x * sum(table[1]) == y * sum(table[0]) for x, y in zip(*table, strict=True))
            if not same and surely_above(self.score(table), 0, answer=False):
                yield f"the split {told(table)} scores {self.score(table)}", table

    def _divided(self, k: int) -> Found:
        for counts in nodes(k, 6):
            scores = {left: self.score((left, others(counts, left))) for left in lefts(counts)}
            whole_ones = [
                s for left, s in scores.items() if all(x in (0, n) for x, n in zip(left, counts, strict=True))
            ]
            for left, score in scores.items():
                if whole_ones and all(surely_above(score, other) for other in whole_ones):
                    table = (left, others(counts, left))
                    yield f"the split {told(table)} scores {score}, more than any split that divides no class", table

    def _gapped(self, k: int) -> Found:
        return self._gap_of_two() if k == 2 else self._orderless(k)

    def _gap_of_two(self) -> Found:
        """Yield three categories of two classes whose best grouping leaves the middle one alone."""
        cells = [(a, b) for a in range(5) for b in range(5) if a + b]
        shares = {c: Fraction(c[1], sum(c)) for c in cells}
        for one, two, three in itertools.combinations(sorted(cells, key=lambda c: (shares[c], c)), 3):
            if not shares[one] < shares[two] < shares[three]:
                continue
            alone = [self.score((x, added(y, z))) for x, y, z in
                     ((one, two, three), (two, one, three), (three, one, two))]  # fmt: skip
            if surely_above(alone[1], alone[0]) and surely_above(alone[1], alone[2]):
                table = (one, two, three)
                yield f"the best grouping of the categories {told(table)} leaves the middle one alone", table

    def _orderless(self, k: int) -> Found:
        """Yield categories of which each stands alone in the best grouping, by their sizes: no order has such cuts."""
        for shapes, sizes in ORDERLESS:
            shapes_k = [(*shape, *[0] * (k - 3)) for shape in shapes]
            winners = []
            for size in sizes:
                t = [tuple(n * x for x in shape) for n, shape in zip(size, shapes_k, strict=True)]
                alone = [self.score((t[i], added(*(t[j] for j in range(3) if j != i)))) for i in range(3)]
                best = [i for i in range(3) if all(surely_above(alone[i], alone[j]) for j in range(3) if j != i)]
                winners += best
            if set(winners) == {0, 1, 2}:
                words = f"each of the categories {told(shapes_k)}, taken {sizes} times, is alone in one best grouping"
                yield words, tuple(shapes_k)

    def _skewed(self, k: int) -> Found:
        for table in tables(k, 6):
            more = tuple((3 * row[0], *row[1:]) for row in table)
            was, now = self.score(table), self.score(more)
            if surely_equal(was, now, answer=False):
                yield f"{told(table)} scores {was}, but with the first class tripled {now}", (table, more)

    def _careless(self, k: int) -> Found:
        """Yield actions at which the costs of a loss are not those of a conservative one."""
        assert self.loss is not None
        if self.loss.space != "simplex":
            raise Undecided("only a loss whose actions are distributions can be conservative")
        most = cost_of(self.loss, vertex(0, k), 1)
        for w in grid(k):
            costs = [cost_of(self.loss, w, j) for j in range(k)]
            if any(surely_above(x, most) for x in costs):
                yield f"at the action {told(w)} a cost is above {most}", w
            if surely_above(most * (k - 1), sum(costs[1:], start=costs[0])):
                yield f"at the action {told(w)} the costs sum to less than {most * (k - 1)}", w
            if max(w) == 1 and surely_equal(costs[w.index(1)], 0, answer=False):
                yield f"the action {told(w)} costs something in its own class", w

    def _swapped(self, name: str, k: int) -> Found:
        """Yield two splits of a node that change places under noise."""
        for noise, splits in self._of_samples(k) if "instance" in name else self._of_channels(name, k):
            pairs = [(self.score(clean), self.score(noisy), clean) for clean, noisy in splits]
            for one, other in itertools.permutations(pairs, 2):
                if surely_above(one[0], other[0]) and surely_above(other[1], one[1]):
                    yield f"{noise} the splits {told(one[2])} and {told(other[2])} change places", (one[2], other[2])

    def _of_channels(self, name: str, k: int) -> Iterator[tuple[str, list[tuple[Any, Any]]]]:
        """Yield the splits of a node, clean and in expected noisy counts, with the noise in words."""
        for noise, channel in channels(name, k).items():
            for counts in nodes(k, 7 if k == 2 else 6):
                clean = [(left, others(counts, left)) for left in lefts(counts) if left <= others(counts, left)]
                yield f"under {noise}", [(t, _noisy(t, channel)) for t in clean]

    def _of_samples(self, k: int) -> Iterator[tuple[str, list[tuple[Any, Any]]]]:
        """Yield the splits of a few samples, some of whose labels are misread two times in five."""
        eta, none = Fraction(2, 5), Fraction(0)
        for labels in ((0, 0, 0, 1, 1), (0, 0, 1, 1), (0, 0, 0, 1)):
            for rates in itertools.product((none, eta), repeat=len(labels)):
                splits = []
                for left in itertools.product((0, 1), repeat=len(labels) - 1):
                    clean, noisy = ([[none] * k for _ in range(2)] for _ in range(2))
                    for where, label, rate in zip((0, *left), labels, rates, strict=True):
                        clean[where][label] += 1
                        noisy[where][label] += 1 - rate
                        noisy[where][1 - label] += rate
                    if any(left):
                        splits.append((tuple(tuple(int(x) for x in row) for row in clean), tuple(map(tuple, noisy))))
                misread = [f"class {c} misread {r} of the time" for c, r in zip(labels, rates, strict=True) if r]
                yield f"with {', '.join(misread)}", splits


def _noisy(table: Any, channel: Any) -> Any:
    return tuple(tuple(Fraction(x) for x in channel.on_distribution([Fraction(y) for y in row])) for row in table)


def cost_of(loss: Loss, w: Sequence[Any], k: int) -> Any:
    """The exact cost of an action where class k is right, or an enclosure of it."""
    return exactly_or_enclosed(lambda w, m: loss.at(w, k, m), list(w))
