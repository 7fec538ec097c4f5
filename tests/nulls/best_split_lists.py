"""The law of the best split from the list of all orders, in Fractions; it shares no code with the library."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

Vector = tuple[Fraction, ...]
Split = frozenset[int]


def unit_vectors(labels: Sequence[int]) -> list[Vector]:
    """Responses of classes."""
    classes = sorted(set(labels))
    return [tuple(Fraction(label == k) for k in classes) for label in labels]


def score(y: Sequence[Vector], left: Split) -> Fraction:
    """|sum over the left of centred responses|^2 n (n - 1) / (m (n - m) SS)."""
    n, q = len(y), len(y[0])
    mean = [sum(v[k] for v in y) / n for k in range(q)]
    centred = [[v[k] - mean[k] for k in range(q)] for v in y]
    square = sum(x * x for v in centred for x in v)
    apart = sum(sum(centred[u][k] for u in left) ** 2 for k in range(q))
    return Fraction(apart * n * (n - 1), len(left) * (n - len(left)) * square)


def blocks(sizes: Sequence[int]) -> list[list[int]]:
    """The objects of each level, one level after the other."""
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    return [list(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)]


def subsets(sizes: Sequence[int], least: int = 1) -> Iterator[Split]:
    """All divisions of the levels in two, with these numbers of objects on either side."""
    rows, n = blocks(sizes), sum(sizes)
    for mask in range(1, 2 ** (len(sizes) - 1)):
        left = frozenset(u for i, row in enumerate(rows) if mask >> i & 1 for u in row)
        if least <= len(left) <= n - least:
            yield left


def cuts(sizes: Sequence[int], gaps: bool, least: int) -> Iterator[Split]:
    """All cuts of values in order; the last are missing and go to either side."""
    rows, n = blocks(sizes), sum(sizes)
    known = rows[:-1] if gaps else rows
    lefts = [[u for row in known[:i] for u in row] for i in range(1, len(known) + gaps)]
    both = [*lefts, *([*left, *rows[-1]] for left in lefts[:-1] if gaps)]
    yield from (frozenset(left) for left in both if least <= len(left) <= n - least)


def law(y: Sequence[Vector], splits: Sequence[Split]) -> dict[Fraction, Fraction]:
    """The law of the largest score over all orders of the responses."""
    found: Counter[Fraction] = Counter()
    known: dict[tuple[Vector, ...], Fraction] = {}
    orders = list(permutations(y))
    for order in orders:
        if order not in known:
            known[order] = max(score(order, split) for split in splits)
        found[known[order]] += 1
    return {g: Fraction(times, len(orders)) for g, times in found.items()}
