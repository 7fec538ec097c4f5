"""Pairs of examples and the small multigraphs they form: how many there are, and their sums over rows or classes.

Main results: the shapes of two and of three ordered pairs with their numbers; the sum over all ways to place a shape on
distinct members of blocks is a polynomial in power sums of the blocks, for any number of blocks.
Source: wang2024, eqs. (21)-(26), which take another route.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from math import prod
from typing import Any

from splitcrit.nulls import formulas, third
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import kinds, vector
from splitcrit.proofs.wang2024.laws import falling

DISTINCT = "hand argument: sums over tuples of at most d distinct rows that agree for r = 1, ..., d agree for every r"


Edges = tuple[tuple[int, int], ...]


SHAPES: tuple[Edges, ...] = (  # in the library's order
    ((0, 1), (0, 1), (0, 1)),
    ((0, 1), (0, 1), (1, 2)),
    ((0, 1), (1, 2), (0, 2)),
    ((0, 1), (1, 2), (2, 3)),
    ((0, 1), (0, 2), (0, 3)),
    ((0, 1), (0, 1), (2, 3)),
    ((0, 1), (1, 2), (3, 4)),
    ((0, 1), (2, 3), (4, 5)),
)


PAIRS: tuple[Edges, ...] = (((0, 1), (0, 1)), ((0, 1), (1, 2)), ((0, 1), (2, 3)))


COPIES_OF_PAIRS = (2, 4, 1)


def order(shape: Edges) -> int:
    """Return the number of vertices."""
    return max(map(max, shape)) + 1


@cache
def canonical(shape: Edges) -> Edges:
    """Return the least relabelling of a multigraph: two shapes are one if these agree."""
    every = permutations(range(order(shape)))
    return min(tuple(sorted((min(p[u], p[v]), max(p[u], p[v])) for u, v in shape)) for p in every)


def coincidences(pairs: int) -> Iterator[Edges]:
    """Yield every way in which the ends of ordered pairs of distinct examples can coincide."""

    def grow(ends: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(ends) == 2 * pairs:
            yield ends
            return
        for block in range(max(ends, default=-1) + 2):
            if len(ends) % 2 == 0 or block != ends[-1]:
                yield from grow((*ends, block))

    for ends in grow(()):
        yield tuple(zip(ends[::2], ends[1::2], strict=True))


@cache
def census(pairs: int) -> Counter[Edges]:
    """Return how often each shape occurs."""
    return Counter(canonical(shape) for shape in coincidences(pairs))


def components(shape: Edges) -> list[tuple[int, int]]:
    """Return vertices and edges of each connected part."""
    parts: list[set[int]] = []
    for edge in shape:
        touching = [part for part in parts if part & set(edge)]
        parts = [part for part in parts if part not in touching] + [set(edge).union(*touching)]
    return [(len(part), sum(edge[0] in part for edge in shape)) for part in parts]


def placed(shape: Edges, blocks: list[tuple[Any, Any]]) -> Any:
    """Return the sum over all ways to place the vertices on distinct members, each part inside a block.

    A block has ``n`` members and weight ``w`` for every edge: a row has weight ``1/n``, a class has weight 1.
    """
    whole: Any = 0
    for choice in product(range(len(blocks)), repeat=len(components(shape))):
        sizes, weight = [0] * len(blocks), []
        for block, (vertices, edges) in zip(choice, components(shape), strict=True):
            sizes[block] += vertices
            weight.append(blocks[block][1] ** edges)
        whole = whole + prod((falling(n, size) for (n, _), size in zip(blocks, sizes, strict=True)), start=1) * prod(
            weight, start=1
        )
    return whole


def power_sums(blocks: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Return the sums ``sum (n)_m w^e`` that the library's third moment asks for."""
    wanted = ((2, 1), (2, 2), (3, 2), (2, 3), (3, 3), (4, 3))
    return tuple(sum(falling(n, m) * w**e for n, w in blocks) for m, e in wanted)


def blocks_of(v: Any, number: int) -> list[tuple[Any, Any]]:
    return list(zip(vector(v, "n", number), vector(v, "w", number), strict=True))


def by_power_sums(shape: int, number: int) -> Identity:
    """The claim that the library's polynomial in power sums is the direct sum, for so many blocks."""
    return Identity(
        kinds("positive", "n", "w", classes=number),
        lambda v, m: placed(SHAPES[shape], blocks_of(v, number)),
        lambda v, m: formulas.shapes(*power_sums(blocks_of(v, number)))[shape],
    )


def pair_sums(x: Any, two: Any, three: Any) -> tuple[Any, Any, Any]:
    """Return the sums of the three shapes of two pairs from ``sum (n)_2 w``, ``sum (n)_2 w^2``, ``sum (n)_3 w^2``."""
    return two, three, x * x - 4 * three - 2 * two


def pairs_by_power_sums(shape: int, number: int) -> Identity:
    def sums(v: Any, m: Any) -> Any:
        x, two, three, *_ = power_sums(blocks_of(v, number))
        return pair_sums(x, two, three)[shape]

    variables = kinds("positive", "n", "w", classes=number)
    return Identity(variables, lambda v, m: placed(PAIRS[shape], blocks_of(v, number)), sums)


THEOREMS = [
    Theorem(
        key="null.pair_sums_of_any_margins",
        statement="placing two pairs on distinct members of blocks, or three, is a polynomial in the power sums of the"
        " blocks, the one the library evaluates",
        source="wang2024, eqs. (22)-(26)",
        scope="any number of rows or classes of any size and weight",
        holds=All(
            *(pairs_by_power_sums(g, number) for g in range(3) for number in (1, 2)),
            *(by_power_sums(g, number) for g in range(8) for number in range(1, len(components(SHAPES[g])) + 1)),
        ),
        premises=(DISTINCT,),
        fails=(
            NearMiss(
                "pairs apart from one another are chosen independently: the sum is that of one pair, squared",
                Identity(
                    kinds("positive", "n", "w", classes=1),
                    lambda v, m: placed(PAIRS[2], blocks_of(v, 1)),
                    lambda v, m: power_sums(blocks_of(v, 1))[0] ** 2,
                ),
            ),
            NearMiss(
                "two adjacent pairs and one apart: the correction leaves out what shares one example",
                Identity(
                    kinds("positive", "n", "w", classes=2),
                    lambda v, m: placed(SHAPES[6], blocks_of(v, 2)),
                    lambda v, m: (
                        power_sums(blocks_of(v, 2))[2] * power_sums(blocks_of(v, 2))[0]
                        - 6 * power_sums(blocks_of(v, 2))[5]
                    ),
                ),
            ),
        ),
    ),
    Theorem(
        key="null.shapes_of_pairs",
        statement="two ordered pairs of distinct examples share both ends 2 ways, one end 4 ways, none 1 way; three"
        " pairs form the eight shapes of the library, 4, 24, 8, 24, 8, 6, 12 and 1 ways",
        source="wang2024, eqs. (21)-(22)",
        scope="all ways in which four and six ends can coincide",
        holds=All(
            Exhaustive(lambda: zip(PAIRS, COPIES_OF_PAIRS, strict=True), lambda c: census(2)[canonical(c[0])] == c[1]),
            Exhaustive(
                lambda: zip(SHAPES, third._COPIES, third._VERTICES, strict=True),
                lambda c: census(3)[canonical(c[0])] == c[1] and order(c[0]) == c[2],
            ),
            Exhaustive(
                lambda: [(2, COPIES_OF_PAIRS), (3, third._COPIES)], lambda c: sum(census(c[0]).values()) == sum(c[1])
            ),
        ),
        fails=(
            NearMiss(
                "a path and a star occur equally often",
                Exhaustive(lambda: [SHAPES[3:5]], lambda c: census(3)[canonical(c[0])] == census(3)[canonical(c[1])]),
            ),
            NearMiss(
                "turning each of the three pairs around gives a new way: every number is a multiple of 8",
                Exhaustive(lambda: SHAPES[:5], lambda g: census(3)[canonical(g)] % 8 == 0),
            ),
        ),
    ),
]


ERRATA: list[Erratum] = []
