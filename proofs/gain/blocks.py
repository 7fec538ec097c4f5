"""Blocks of places in the order of a feature: the two corners that no place within exceeds, for two classes.

Of a node with ``c`` examples of each class let ``x`` lie on the left. On one side of the line of equal shares, where
every gain is 0, a corner is the farthest: all counts of the block are a mixture of it, of none and of all examples, and
the gain, convex and 0 at these two, is at most that of the corner.

Main definitions: ``mixed`` (convexity), ``reached`` (the mixture), ``blocks`` and ``bounded`` (enumeration).
Source: beyond, scans of thresholds by blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion
from splitcrit.proof import All, Exhaustive, Identity, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import error_decrease, kinds, of_values, score, up_to
from splitcrit.proofs.vertex.nodes import RATIONAL, bimodal
from splitcrit.proofs.vertex.premises import by_kernel, by_theorem

Counts = tuple[int, int]
Block = tuple[Counts, Counts, Counts]  # the node, and the least and the most on the left


def mixed(concave: bool = True) -> Smt:
    """Claim that a mixture, ``t`` of a split and ``1 - t`` of one with equal shares on both sides, gains no more.

    ``m`` and ``n`` are the sizes of the split's children and ``p``, ``q`` their impurities; ``s`` is what the left
    child of equal shares has of all examples; ``l``, ``r`` are the impurities of the children of the mixture.
    """

    def sizes(v: Any) -> tuple[Any, Any]:
        even = (1 - v.t) * (v.m + v.n)
        return v.t * v.m + v.s * even, v.t * v.n + (1 - v.s) * even

    def hypotheses(v: Any, m: Any) -> list[Any]:
        (left, right), even = sizes(v), (1 - v.t) * (v.m + v.n) * v.node
        of_children = [left * v.l >= v.t * v.m * v.p + v.s * even, right * v.r >= v.t * v.n * v.q + (1 - v.s) * even]
        return of_children + [(v.m + v.n) * v.node >= v.m * v.p + v.n * v.q] * concave

    def says(v: Any, m: Any) -> Any:
        split = of_values([v.m, v.n], [v.p, v.q, v.node], m)
        return of_values([*sizes(v)], [v.l, v.r, v.node], m) <= split

    return Smt(kinds("positive", *"mn") | kinds("rate", *"ts") | kinds("real", *"pqlr", "node"), says, hypotheses)


# Of the first class y lie left at the corner, y + u at the place, of y + u + e; of the second z + w, z, of z + w + g.
PLACE = kinds("count", *"yueweg", "z", "w")


def apart(v: Any, corner: bool) -> Any:
    """How far the corner, or the place, is from equal shares: 0 where they are equal."""
    first, second = v.y + v.u + v.e, v.z + v.w + v.g
    return (v.z + v.w) * first - v.y * second if corner else v.z * first - (v.y + v.u) * second


def reached(side: bool = True) -> Smt:
    """Claim that shares ``t`` of the corner and ``s`` of all make the place, each at least 0 and 1 at most in sum.

    ``t`` is the place's distance over the corner's. All are multiplied by the corner's distance, and by a class.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        return [apart(v, True) > 0] + [apart(v, False) >= 0] * side

    def says(v: Any, m: Any) -> Any:
        far, near = apart(v, True), apart(v, False)
        of_all, rest = (v.y + v.u) * far - v.y * near, (v.w + v.g) * far - v.g * near
        return m.min([near, of_all, rest]) >= 0

    return Smt(PLACE, says, hypotheses)


def both_classes(v: Any, m: Any) -> Any:
    """The second class's count at the place, from the shares that the first class's needs."""
    t = apart(v, False) / apart(v, True)
    s = (v.y + v.u - t * v.y) / (v.y + v.u + v.e)
    return t * (v.z + v.w) + s * (v.z + v.w + v.g)


def blocks(most: int) -> Iterator[Block]:
    """Yield the blocks of nodes of two classes with up to a number of examples."""
    for node in ((a, n - a) for n in range(2, most + 1) for a in range(1, n)):
        ends = [[(low, high) for high in range(n + 1) for low in range(high + 1)] for n in node]
        yield from ((node, (a, c), (b, d)) for (a, b), (c, d) in product(*ends) if b + d > 0 and a + c < sum(node))


def left_counts(block: Block) -> list[Counts]:
    """All counts of a block that leave an example on either side."""
    node, low, high = block
    places = product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
    return [(a, b) for a, b in places if 0 < a + b < sum(node)]


def corners(block: Block) -> list[Counts]:
    """The two corners: the most of one class and the least of the other."""
    _, low, high = block
    return [(high[0], low[1]), (low[0], high[1])]


def bounded(measure: Callable[[Any], Any], most: int = 7, first: int = 0, rounded: bool = False) -> Exhaustive:
    """Claim that no place of a block scores more than the larger of both corners, or than the second alone."""

    def holds(block: Block) -> bool:
        node = block[0]

        def at(left: Counts) -> Any:
            empty = sum(left) in (0, sum(node))
            return 0 if empty else measure((left, (node[0] - left[0], node[1] - left[1])))

        top = max(at(left) for left in corners(block)[first:])
        return all(at(left) <= top for left in left_counts(block))

    claim = up_to(most, blocks, holds, lambda block: sum(block[0]))
    return Exhaustive(claim.cases, holds, rounded=rounded)


def exact(criterion: Criterion) -> Callable[[Any], Any]:
    """The score of a table in Fractions."""
    return lambda t: score(criterion, t)


MIXED, REACHED = Law(mixed, concave=True), Law(reached, side=True)

THEOREMS = [
    Theorem(
        key="gain.block_gains_at_most_a_corner_of_concave_impurity",
        statement="of two classes let the counts on the left lie between the least and the most of each: the decrease"
        " of a concave impurity is at most the larger of two, that with the most of the first class and the least of"
        " the second, and that with the least of the first and the most of the second",
        source="beyond, scans of thresholds by blocks",
        holds=All(
            convex=MIXED,
            mixture=REACHED,
            classes=Identity(PLACE, lambda v, m: v.z, both_classes, lambda v, m: [apart(v, True) > 0]),
            **{f"small_{i}": bounded(exact(criterion)) for i, criterion in enumerate(RATIONAL)},
        ),
        premises=(
            by_theorem("vertex.child_term_is_concave_of_concave_impurity"),
            by_kernel("py_gini_block_gains_at_most_a_corner", "N"),
            by_kernel("py_entropy_block_gains_at_most_a_corner", "N"),
        ),
        fails=(
            MIXED.but("the same of any impurity", concave=False, alters="hypothesis"),
            REACHED.but("on both sides of the line of equal shares one corner is enough", side=False),
            NearMiss("one corner is enough, by Gini's impurity", bounded(exact(RATIONAL[0]), first=1)),
            NearMiss("the same by an impurity that is not concave", bounded(exact(bimodal)), "hypothesis"),
            NearMiss(
                "in floats no slack is needed, by misclassification",
                bounded(lambda t: float(error_decrease.score(t, FLOAT)), rounded=True),
                "hypothesis",
            ),
        ),
    ),
]
