"""Theorem 1 of breiman1996 for every concave impurity, its converse, and when only vertices are best.

Source: breiman1996, Section 2.
"""

from __future__ import annotations

from typing import Any

from splitcrit import impurities
from splitcrit.criteria import Criterion, decrease
from splitcrit.proof import ALL, All, Certificate, Claim, Exhaustive, Fact, Identity, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import gini_decrease, node_size, up_to
from splitcrit.proofs.impurity.concave import CONCAVE
from splitcrit.proofs.vertex import nodes
from splitcrit.proofs.vertex.premises import by_theorem

MIXED = dict.fromkeys("xyXY", "positive") | {"t": "rate"}
VALUES = MIXED | dict.fromkeys("fgh", "real")
INSIDE = dict.fromkeys("cd", "rate") | dict.fromkeys("fgzw", "real")


def size(v: Any) -> Any:
    return v.t * v.X + (1 - v.t) * v.Y


def weight(v: Any) -> Any:
    """The share of the first child in the mixture of two children of sizes X and Y."""
    return v.t * v.X / size(v)


def concavity(v: Any) -> Any:
    """What concavity of phi says of the values f, g at two children and h at their mixture."""
    return v.h - weight(v) * v.f - (1 - weight(v)) * v.g


PERSPECTIVE = All(
    Identity(
        MIXED,
        lambda v, m: (v.t * v.x + (1 - v.t) * v.y) / size(v),
        lambda v, m: weight(v) * (v.x / v.X) + (1 - weight(v)) * (v.y / v.Y),
    ),
    Certificate(
        VALUES,
        lambda v, m: size(v) * v.h - v.t * v.X * v.f - (1 - v.t) * v.Y * v.g,
        lambda v, m: [([], ["size", "concave"])],
        lambda v, m: {"size": size(v), "concave": concavity(v)},
        lambda v, m: concavity(v) >= 0,
    ),
    Identity(MIXED, lambda v, m: v.t * v.x / (v.t * v.X), lambda v, m: v.x / v.X, lambda v, m: v.t > 0),
)


def convex_gain(criterion: Criterion, most: int = 5, classes: int = 3, strict: bool = False) -> Claim:
    """Claim that half-way between two splits the score is at most, or less than, the mean of their scores."""

    def holds(case: Any) -> bool:
        middle, mean = nodes.middle_gains(criterion, *case)
        return middle < mean if strict else middle <= mean

    return up_to(most, nodes.pairs_of_splits, holds, node_size, K=classes)


def at_vertex(criterion: Criterion, most: int = 8) -> Claim:
    return up_to(most, nodes.nodes, lambda n: nodes.some_best_is_vertex(criterion, n))


def only_vertices(criterion: Criterion, most: int = 9, least: int = 2) -> Claim:
    return Exhaustive(lambda: nodes.nodes(most, None, least), lambda n: nodes.all_best_are_vertices(criterion, n))


def another_class(v: Any, m: Any) -> list[Any]:
    """Let x or y of n members of a class join L and R others, of which l and r are of one other class."""
    sides = [v.l <= v.L, v.r <= v.R, v.x < v.y, v.y <= v.n]
    return [*sides, v.l + v.r > 0, v.L + v.x > 0, v.R + v.n - v.y > 0]


unweighted = Criterion(
    "minus the left child's Gini impurity", lambda t, m: -impurities.gini.of([x / sum(t[0]) for x in t[0]], m)
)
STRICTLY_BEST_AT_END = Smt(
    {"t": "rate"} | dict.fromkeys(("f0", "f1", "f"), "real"),
    lambda v, m: v.f < m.max([v.f0, v.f1]),
    lambda v, m: [v.t > 0, v.t < 1, v.f < (1 - v.t) * v.f0 + v.t * v.f1],
)
EDGE = dict.fromkeys("lLrRxyn", "count")
# by how much the share of another class changes as a class grows from x to y members
SHARE_MOVES = Identity(
    dict.fromkeys("lLxy", "positive"),
    lambda v, m: v.l / (v.L + v.x) - v.l / (v.L + v.y),
    lambda v, m: v.l * (v.y - v.x) / ((v.L + v.x) * (v.L + v.y)),
)

TAKEN = dict.fromkeys("XYS", "positive") | {"t": "rate"} | dict.fromkeys("fghr", "real")


def shares_between(v: Any, m: Any) -> Any:
    """The shares after t S as a mixture of those before and those after S."""
    after = (v.X * v.x + v.S * v.y) / (v.X + v.S)
    return ((1 - v.t) * v.X * v.x + v.t * (v.X + v.S) * after) / (v.X + v.t * v.S)


def chord_excess(v: Any, m: Any) -> Any:
    """By how much phi exceeds its chord there: f, h and g are its values before, between and after."""
    return v.h - ((1 - v.t) * v.X * v.f + v.t * (v.X + v.S) * v.g) / (v.X + v.t * v.S)


def convexity(v: Any) -> Any:
    """How far the kept impurity after t S is above the chord of those before and after S."""
    ends = (1 - v.t) * (v.X * v.f + v.Y * v.r) + v.t * ((v.X + v.S) * v.g + (v.Y - v.S) * v.r)
    return (v.X + v.t * v.S) * v.h + (v.Y - v.t * v.S) * v.r - ends


def convex_along(v: Any, m: Any) -> list[Any]:
    return [convexity(v) >= 0, v.S < v.Y]


def chain(v: Any, m: Any) -> list[Any]:
    """Let f, z, w, g be values at 0 < c < d < 1: z is above the chord of f and w, and w above that of z and g."""
    one, other = v.d * v.z >= (v.d - v.c) * v.f + v.c * v.w, (1 - v.c) * v.w >= (1 - v.d) * v.z + (v.d - v.c) * v.g
    return [v.c > 0, v.d > v.c, v.d < 1, one, other]


THEOREMS: list[Theorem] = [
    Theorem(
        key="vertex.child_term_is_concave_of_concave_impurity",
        statement="P_L phi(p_L) is concave in the shares alpha sent left, for every concave phi on the simplex and any"
        " number of classes: the share of any class in a mixed child is the mixture of its shares in two children,"
        " weights as their sizes (where P_L = 0 the term is 0, and along a ray from there the shares stay the same);"
        " so every gain is convex in alpha",
        source="breiman1996, Theorem 1",
        holds=PERSPECTIVE,
        fails=(
            NearMiss("the same for an impurity that is not concave", convex_gain(nodes.bimodal, 4, 2), "hypothesis"),
            NearMiss("phi(p_L) without its weight P_L is concave in alpha", convex_gain(unweighted)),
            NearMiss(
                "the gain of a strictly concave phi is strictly convex in alpha",
                convex_gain(gini_decrease, 6, 2, strict=True),
            ),
        ),
        added="phi concave on the simplex is enough; two derivatives on the cube would exclude entropy",
    ),
    Theorem(
        key="vertex.best_split_of_concave_impurity",
        statement="over all shares alpha in [0, 1]^K the decrease of a concave impurity is convex and largest at a"
        " vertex: some best split divides no class",
        source="breiman1996, Theorem 1",
        holds=All(*map(at_vertex, nodes.RATIONAL), *map(convex_gain, nodes.RATIONAL)),
        fails=(
            NearMiss(
                "the same for an impurity that is not concave: at p = (1/2, 1/2) both vertices may gain nothing and"
                " something between them 1",
                at_vertex(nodes.bimodal, 4),
                "hypothesis",
            ),
            NearMiss(
                "the best vertices are the same for every concave impurity: those of Gini and misclassification",
                nodes.of_nodes(
                    lambda n: nodes.best_vertices(gini_decrease, n) == nodes.best_vertices(nodes.RATIONAL[1], n), 8
                ),
            ),
        ),
        premises=(Premise("best_split_of_concave_impurity", "kernel", {"K": ALL, "N": ALL}),),
        added="phi concave on the simplex is enough; two derivatives on the cube would exclude entropy",
        facts=tuple(Fact(repr(decrease(phi)), "vertex-optimal split", "all", True) for phi in CONCAVE),
    ),
    Theorem(
        key="vertex.every_best_split_of_strictly_concave_impurity",
        statement="if phi is strictly concave and all of two or more classes are present, every best split divides no"
        " class: as x of n members of a class on the left become y, the share of another class changes in a child that"
        " holds any of it, so that the gain is strictly convex between and less than at an end",
        source="breiman1996, Section 2",
        holds=All(
            STRICTLY_BEST_AT_END,
            SHARE_MOVES,
            Smt(EDGE, lambda v, m: v.l * (v.y - v.x) + v.r * (v.y - v.x) > 0, another_class),
            only_vertices(gini_decrease),
        ),
        fails=(
            NearMiss(
                "the same for an impurity that is concave but not strictly: misclassification",
                only_vertices(nodes.RATIONAL[1]),
                "hypothesis",
            ),
            NearMiss("the same in a node of a single class", only_vertices(gini_decrease, 4, 1), "hypothesis"),
            NearMiss(
                "the best split is unique up to exchanging the sides",
                nodes.of_nodes(lambda n: len(nodes.best(gini_decrease, n)) == 2, 6),
            ),
        ),
        premises=(by_theorem("vertex.child_term_is_concave_of_concave_impurity", "K"),),
        added="strict concavity, and classes that are present",
    ),
    Theorem(
        key="vertex.concave_impurity_of_convex_gain",
        statement="conversely, if at every node the gain is convex in alpha, then phi is concave: let the left child,"
        " of shares x, take t S and then S from a right child of shares y; the right term is linear, so that phi is"
        " above its chord from x to any point beyond which the simplex goes on; and of values f, z, w, g along a"
        " segment, z above the chord of f and w, and w above that of z and g, put z above the chord of f and g",
        source="breiman1996, Theorem 1",
        holds=All(
            Identity(
                TAKEN | dict.fromkeys("xy", "positive"),
                lambda v, m: (v.X * v.x + v.t * v.S * v.y) / (v.X + v.t * v.S),
                shares_between,
            ),
            Certificate(
                TAKEN,
                chord_excess,
                lambda v, m: [([], ["convex", "share"])],
                lambda v, m: {"convex": convexity(v), "share": 1 / (v.X + v.t * v.S)},
                convex_along,
            ),
            Smt(INSIDE, lambda v, m: v.z >= (1 - v.c) * v.f + v.c * v.g, chain),
        ),
        fails=(
            NearMiss(
                "the same with weights t and 1 - t of the two ends, as if shares moved evenly",
                Smt(TAKEN, lambda v, m: v.h >= (1 - v.t) * v.f + v.t * v.g, convex_along),
            ),
            NearMiss(
                "the same when the right child's shares change as well, from r to r/2 in value",
                Smt(
                    TAKEN,
                    lambda v, m: chord_excess(v, m) >= 0,
                    lambda v, m: [convexity(v) + v.t * (v.Y - v.S) * v.r / 2 >= 0, v.S < v.Y],
                ),
                "hypothesis",
            ),
        ),
    ),
]
