"""Pairs of examples and the small multigraphs they form: how many there are, and their sums over rows or classes.

Source: wang2024, eqs. (21)-(26), which take another route.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from math import prod
from typing import Any

from splitcrit.nulls import formulas, third_moment
from splitcrit.proof import ALL, All, Claim, Exhaustive, Identity, Law, NearMiss, Scope, Theorem, Verdict
from splitcrit.proof.verdicts import ALGEBRA
from splitcrit.proofs.null.laws import falling

Edges = tuple[tuple[int, int], ...]
Parts = tuple[tuple[int, int], ...]  # vertices and edges of each connected part

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
    """The number of vertices."""
    return max(map(max, shape)) + 1


@cache
def canonical(shape: Edges) -> Edges:
    """The least relabelling of a multigraph: two shapes are one if these agree."""
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
    """How often each shape occurs."""
    return Counter(canonical(shape) for shape in coincidences(pairs))


def components(shape: Edges) -> Parts:
    parts: list[set[int]] = []
    for edge in shape:
        touching = [part for part in parts if part & set(edge)]
        parts = [part for part in parts if part not in touching] + [set(edge).union(*touching)]
    return tuple((len(part), sum(edge[0] in part for edge in shape)) for part in parts)


def in_block(parts: Parts, n: Any, w: Any) -> Any:
    """The ways to place parts on distinct members of one block of ``n``, times ``w`` for every edge."""
    return falling(n, sum(x for x, _ in parts)) * w ** sum(edges for _, edges in parts)


def placed(shape: Edges, blocks: list[tuple[Any, Any]]) -> Any:
    """The sum over all ways to place the vertices on distinct members, each part inside a block.

    A block has ``n`` members and weight ``w`` for every edge: a row has weight ``1/n``, a class has weight 1.
    """
    parts, whole = components(shape), 0
    for choice in product(range(len(blocks)), repeat=len(parts)):
        taken = {i: tuple(p for p, at in zip(parts, choice, strict=True) if at == i) for i in set(choice)}
        whole = whole + prod((in_block(members, *blocks[i]) for i, members in taken.items()), start=1)
    return whole


def pair_sums(x: Any, two: Any, three: Any) -> tuple[Any, Any, Any]:
    """The sums of the three shapes of two pairs from ``sum (n)_2 w``, ``sum (n)_2 w^2``, ``sum (n)_3 w^2``."""
    return two, three, x * x - 4 * three - 2 * two


WANTED: Parts = ((2, 1), (2, 2), (3, 2), (2, 3), (3, 3), (4, 3))  # what the library's third moment sums over blocks
VARIABLES = {f"s{m}{e}": "real" for m, e in WANTED} | {"n": "positive", "w": "positive"}


def sums(v: Any) -> list[Any]:
    return [getattr(v, f"s{m}{e}") for m, e in WANTED]


def polynomial(parts: Parts, powers: list[Any], drop: int = 0) -> Any:
    """The sum over all placings of some parts in power sums, two of them by the library's polynomials."""
    x, two, three, *_ = powers
    if len(parts) < 2:
        return powers[WANTED.index(parts[0])] if parts else 1
    if parts == ((2, 1), (2, 1)):
        return pair_sums(x, two, three)[2] + drop * 2 * two
    return formulas.shapes(*powers)[[components(shape) for shape in SHAPES].index(parts)] + drop * 2 * two


def one_block_more(parts: Parts, drop: int = 0) -> Identity:
    """A new block takes any of the parts, the blocks before it the rest: the polynomial keeps to that."""

    def after(v: Any, m: Any) -> Any:
        return polynomial(parts, [s + in_block((x,), v.n, v.w) for x, s in zip(WANTED, sums(v), strict=True)], drop)

    def divided(v: Any, m: Any) -> Any:
        places = range(len(parts))
        taken = [set(c) for size in range(len(parts) + 1) for c in combinations(places, size)]
        here = [tuple(parts[i] for i in places if i in c) for c in taken]
        before = [tuple(parts[i] for i in places if i not in c) for c in taken]
        pairs = zip(here, before, strict=True)
        return sum(polynomial(rest, sums(v), drop) * in_block(new, v.n, v.w) for new, rest in pairs)

    return Identity(VARIABLES, after, divided)


@dataclass(frozen=True)
class Blocks:
    """The polynomials are the sums over all placings, for every number of blocks: 0 for none, and one block more."""

    drop: int = 0

    def scope(self) -> Scope:
        return Scope({"r": ALL}, {"n": "positive", "w": "positive"})

    def grounds(self) -> tuple[str, ...]:
        return (*ALGEBRA, "enumerated: listed cases", "rests on for all r: by hand, none and one block more")

    def settle(self) -> Verdict:
        kinds = sorted({components(shape) for shape in (*PAIRS, *SHAPES)})
        none = Exhaustive(lambda: kinds, lambda parts: polynomial(parts, [0] * len(WANTED), self.drop) == 0)
        claims: list[Claim] = [one_block_more(parts, self.drop) for parts in kinds]
        return All(none, *claims).settle()


def independent(shape: Edges) -> bool:
    """Whether the pairs of a shape are placed in one block of 6 as if each were alone."""
    return bool(placed(shape, [(6, 1)]) == in_block(((2, 1),), 6, 1) ** len(shape))


def most_parts(number: int) -> Exhaustive:
    """The polynomials against the sums over all placings as they are listed, for small blocks."""
    blocks = [(1, 2), (3, 1), (6, 1)][:number]
    powers = [sum(in_block((x,), n, w) for n, w in blocks) for x in WANTED]
    return Exhaustive(
        lambda: (*PAIRS, *SHAPES), lambda shape: placed(shape, blocks) == polynomial(components(shape), powers)
    )


def turns(shape: Edges) -> bool:
    """Whether each of the pairs turned around is a new way."""
    return bool(census(len(shape))[canonical(shape)] % 2 ** len(shape) == 0)


BLOCKS = Law(Blocks)

THEOREMS = [
    Theorem(
        key="null.pair_sums_of_any_margins",
        statement="placing two pairs of examples, or three, on distinct members of r blocks is a polynomial in the"
        " power sums of the blocks, the one the library evaluates",
        source="wang2024, eqs. (22)-(26)",
        holds=All(all_blocks=BLOCKS, as_listed=most_parts(3)),
        fails=(
            NearMiss(
                "pairs apart from one another are chosen independently: the sum is that of one pair, squared",
                Exhaustive(lambda: [PAIRS[2]], independent),
            ),
            BLOCKS.but("the pairs that coincide need no correction", drop=1),
        ),
    ),
    Theorem(
        key="null.shapes_of_pairs",
        statement="two ordered pairs of distinct examples share both ends 2 ways, one end 4 ways, none 1 way; three"
        " pairs form the eight shapes of the library, 4, 24, 8, 24, 8, 6, 12 and 1 ways",
        source="wang2024, eqs. (21)-(22)",
        holds=All(
            two=Exhaustive(
                lambda: zip(PAIRS, COPIES_OF_PAIRS, strict=True), lambda c: census(2)[canonical(c[0])] == c[1]
            ),
            three=Exhaustive(
                lambda: zip(SHAPES, third_moment._COPIES, third_moment._VERTICES, strict=True),
                lambda c: census(3)[canonical(c[0])] == c[1] and order(c[0]) == c[2],
            ),
            no_others=Exhaustive(
                lambda: [(2, COPIES_OF_PAIRS), (3, third_moment._COPIES)], lambda c: census(c[0]).total() == sum(c[1])
            ),
        ),
        fails=(
            NearMiss(
                "a path and a star occur equally often",
                Exhaustive(lambda: [SHAPES[3:5]], lambda c: census(3)[canonical(c[0])] == census(3)[canonical(c[1])]),
            ),
            NearMiss("each of the pairs turned around is a new way", Exhaustive(lambda: SHAPES[:5], turns)),
        ),
    ),
]
