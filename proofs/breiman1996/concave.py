"""Theorem 1 of breiman1996 for every concave impurity, its converse, and when only vertices are best.

Main results: ``P_L phi(p_L)`` is concave in the shares sent left, because a mixed child is a mixture of children, or as
a least of linear functions; the best split is a vertex, and for strictly concave impurities nothing else is.
Source: breiman1996, Section 2 ("convex" there is concave here).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss, risk
from splitcrit.proof import All, Certificate, Claim, Exhaustive, Fact, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.breiman1996.impurities import CONCAVE
from splitcrit.proofs.breiman1996.nodes import (
    all_best_are_vertices,
    best,
    best_vertices,
    middle_gains,
    nodes,
    pairs_of_splits,
    some_best_is_vertex,
)
from splitcrit.proofs.common import count_vectors, gini_decrease, kinds

HALF = Fraction(1, 2)
RATIONAL = tuple(decrease(phi) for phi in (impurities.gini, impurities.misclassification, impurities.bayes_sum))


def _bimodal(p: Any, m: Any) -> Any:
    """Return an impurity that is 0 for pure and for even nodes and negative between: not concave."""
    apart = (p[0] - p[1]) * (p[0] - p[1])
    return -4 * apart * (1 - apart)


bimodal = decrease(Impurity("bimodal", _bimodal))

# ---- the perspective of a concave function is concave ----

MIXED = {"x": "positive", "y": "positive", "X": "positive", "Y": "positive", "t": "rate"}
VALUES = MIXED | {"f": "real", "g": "real", "h": "real"}


def weight(v: Any) -> Any:
    """Return the share of the first child in the mixture of two children of sizes X and Y."""
    return v.t * v.X / (v.t * v.X + (1 - v.t) * v.Y)


def mixed_share(v: Any, m: Any) -> Any:
    return (v.t * v.x + (1 - v.t) * v.y) / (v.t * v.X + (1 - v.t) * v.Y)


def mixture_of_shares(v: Any, m: Any) -> Any:
    return weight(v) * (v.x / v.X) + (1 - weight(v)) * (v.y / v.Y)


def above_chord(v: Any, m: Any) -> dict[str, Any]:
    """Return what concavity of phi says of the values f, g at two children and h at their mixture."""
    return {"size": v.t * v.X + (1 - v.t) * v.Y, "concave": v.h - weight(v) * v.f - (1 - weight(v)) * v.g}


def excess_of_child_term(v: Any, m: Any) -> Any:
    return (v.t * v.X + (1 - v.t) * v.Y) * v.h - v.t * v.X * v.f - (1 - v.t) * v.Y * v.g


PERSPECTIVE = All(
    Identity(MIXED, mixed_share, mixture_of_shares),
    Certificate(
        VALUES,
        excess_of_child_term,
        lambda v, m: [([], ["size", "concave"])],
        above_chord,
        lambda v, m: above_chord(v, m)["concave"] >= 0,
    ),
)


def convex_gain(criterion: Criterion, most: int = 5, classes: int = 3) -> Claim:
    """Claim that half-way between two splits the score is at most the mean of their scores."""

    def holds(case: Any) -> bool:
        middle, mean = middle_gains(criterion, *case)
        return middle <= mean

    return Exhaustive(lambda: pairs_of_splits(most, classes), holds)


def strictly_convex_gain(case: Any) -> bool:
    middle, mean = middle_gains(gini_decrease, *case)
    return middle < mean


def _impurity_of_left(t: Any, m: Any) -> Any:
    """Return minus the Gini impurity of the left child, without its weight."""
    return -impurities.gini.of([x / sum(t[0]) for x in t[0]], m)


unweighted = Criterion("minus the left child's Gini impurity", _impurity_of_left)

# ---- the same in two lines: a least of linear functions ----

LOSSY = (impurities.gini, impurities.misclassification, impurities.bayes_sum)
RISKS = kinds("positive", "n", classes=3) | kinds("real", "l", classes=3)


def weighted_risk(v: Any, m: Any) -> Any:
    """Return the size of a child times the risk, at its class shares, of any announcement with costs ``l_k``."""
    n, costs = [v.n0, v.n1, v.n2], Loss("any", lambda w, k, m: [v.l0, v.l1, v.l2][k])
    return sum(n) * risk(costs, None, [x / sum(n) for x in n], m)


def linear_risk(v: Any, m: Any) -> Any:
    return v.n0 * v.l0 + v.n1 * v.l1 + v.n2 * v.l2


def left_children() -> Iterator[tuple[int, ...]]:
    yield from count_vectors(5, 3)


def cost(impurity: Impurity, counts: Any, of: Any) -> Any:
    """Return what announcing the best for the class counts ``of`` costs on the class counts ``counts``."""
    loss = impurity.loss
    assert loss is not None and loss.act is not None
    announced = loss.act([Fraction(x, sum(of)) for x in of], EXACT)
    return sum(n * loss.at(announced, k, EXACT) for k, n in enumerate(counts))


def least_of_announced(impurity: Impurity) -> Callable[[Any], bool]:
    """Return the statement that a child's own announcement attains ``n phi``, and that no other's does better."""

    def holds(counts: Any) -> bool:
        least = sum(counts) * impurity.of([Fraction(x, sum(counts)) for x in counts], EXACT)
        return cost(impurity, counts, counts) == least and all(
            cost(impurity, counts, of) >= least for of in left_children()
        )

    return holds


def common_announcement_costs_nothing(case: Any) -> bool:
    _, one, other = case
    both = [x + y for x, y in zip(one, other, strict=True)]
    phi = impurities.gini
    return bool(cost(phi, both, both) <= cost(phi, one, one) + cost(phi, other, other))


# ---- Theorem 1 ----

EDGE = {"t": "rate", "f0": "real", "f1": "real", "f": "real"}
BEST_AT_END = Smt(EDGE, lambda v, m: v.f <= m.max([v.f0, v.f1]), lambda v, m: [v.f <= (1 - v.t) * v.f0 + v.t * v.f1])
STRICTLY_BEST_AT_END = Smt(
    EDGE,
    lambda v, m: v.f < m.max([v.f0, v.f1]),
    lambda v, m: [v.t > 0, v.t < 1, v.f < (1 - v.t) * v.f0 + v.t * v.f1],
)


def at_vertex(criterion: Criterion, most: int = 8) -> Claim:
    return Exhaustive(lambda: nodes(most), lambda n: some_best_is_vertex(criterion, n))


def only_vertices(criterion: Criterion, most: int = 8, least_classes: int = 2) -> Claim:
    return Exhaustive(lambda: nodes(most, least_classes=least_classes), lambda n: all_best_are_vertices(criterion, n))


# ---- the converse: the left child takes s, then 2 s, from a right child of size Y and value r ----

TAKEN = dict.fromkeys("XYs", "positive") | dict.fromkeys("fghr", "real")


def taken_shares(v: Any, m: Any) -> Any:
    return (v.X * v.x + v.s * v.y) / (v.X + v.s)


def shares_between(v: Any, m: Any) -> Any:
    """Return the same shares as a mixture of those before and those after twice as much was taken."""
    twice = (v.X * v.x + 2 * v.s * v.y) / (v.X + 2 * v.s)
    return (v.X * v.x + (v.X + 2 * v.s) * twice) / (2 * v.X + 2 * v.s)


def chord_excess(v: Any, m: Any) -> Any:
    """Return by how much phi exceeds its chord there: f, h and g are its values before, between and after."""
    return v.h - (v.X * v.f + (v.X + 2 * v.s) * v.g) / (2 * v.X + 2 * v.s)


def convex_along(v: Any, m: Any) -> dict[str, Any]:
    """Return what convexity of the gain says: the kept impurity between is at least the mean of those at the ends."""
    kept = [v.X * v.f + v.Y * v.r, (v.X + v.s) * v.h + (v.Y - v.s) * v.r, (v.X + 2 * v.s) * v.g + (v.Y - 2 * v.s) * v.r]
    return {"convex": kept[1] - (kept[0] + kept[2]) / 2, "share": 1 / (v.X + v.s)}


def convex_gap(v: Any, m: Any) -> list[Any]:
    return [convex_along(v, m)["convex"] >= 0, 2 * v.s < v.Y]


def chord_domain(v: Any, m: Any) -> list[Any]:
    return convex_gap(v, m)


THEOREMS: list[Theorem] = [
    Theorem(
        key="vertex.child_term_is_concave_of_concave_impurity",
        statement="P_L phi(p_L) is concave in the shares alpha sent left, for every concave phi on the simplex: the"
        " class shares of a mixed child are the mixture of the class shares of two children, weights as their"
        " sizes; so every gain is convex in alpha, and never negative",
        source="breiman1996, Theorem 1",
        scope="all K (class by class) and every concave phi, differentiable or not; on the library's Gini,"
        " misclassification and bayes_sum also all pairs of splits at K = 3, N <= 5",
        holds=All(PERSPECTIVE, *map(convex_gain, RATIONAL)),
        fails=(
            NearMiss("the same for an impurity that is not concave", convex_gain(bimodal, 4, 2), alters="hypothesis"),
            NearMiss("phi(p_L) without its weight P_L is concave in alpha", convex_gain(unweighted)),
            NearMiss(
                "the gain of a strictly concave phi is strictly convex in alpha",
                Exhaustive(lambda: pairs_of_splits(6, 2), strictly_convex_gain),
            ),
        ),
        premises=("where P_L = 0 the term is 0, and concavity there is linearity along a ray",),
        added="phi concave on the simplex is enough; two derivatives on the cube would exclude entropy",
        latex=r"P_L\,\phi(p_L)\ \text{is the perspective of } \phi \text{ at } (\alpha_1 p_1, \dots, \alpha_J p_J)",
    ),
    Theorem(
        key="vertex.child_term_is_infimum_of_linear",
        statement="for phi the minimised risk of a loss, P_L phi(p_L) is the least of sum_j alpha_j p_j loss(w, j) over"
        " announcements w: a least of linear functions of alpha, hence concave without any derivative",
        source="breiman1996, Theorem 1",
        scope="any loss and all K; the least value for square, 0-1 and bayes_sum losses at K = 3, N <= 5",
        holds=All(
            Identity(RISKS, weighted_risk, linear_risk),
            Smt(
                {"t": "rate"} | dict.fromkeys(("f", "g", "one", "other"), "real"),
                lambda v, m: v.t * v.one + (1 - v.t) * v.other >= v.t * v.f + (1 - v.t) * v.g,
                lambda v, m: [v.f <= v.one, v.g <= v.other],
            ),
            *(Exhaustive(left_children, least_of_announced(phi)) for phi in LOSSY),
        ),
        fails=(
            NearMiss(
                "so is the largest risk",
                Smt(
                    {"t": "rate"} | dict.fromkeys(("f", "g", "one", "other"), "real"),
                    lambda v, m: v.t * v.one + (1 - v.t) * v.other >= v.t * v.f + (1 - v.t) * v.g,
                    lambda v, m: [v.f >= v.one, v.g >= v.other],
                ),
            ),
            NearMiss(
                "the best announcement for two children together costs no more than their own two",
                Exhaustive(lambda: pairs_of_splits(5, 3), common_announcement_costs_nothing),
            ),
        ),
        premises=("an announcement best for a mixture of children costs each at least its own least risk",),
    ),
    Theorem(
        key="vertex.best_split_of_concave_impurity",
        statement="over all shares alpha in [0, 1]^J the decrease of a concave impurity is largest at a vertex: some"
        " best split divides no class",
        source="breiman1996, Theorem 1",
        scope="all K, from convexity along every edge; enumerated for Gini, misclassification and bayes_sum at N <= 8",
        holds=All(BEST_AT_END, *map(at_vertex, RATIONAL)),
        fails=(
            NearMiss(
                "the same for an impurity that is not concave: at p = (1/2, 1/2) both vertices may gain nothing and"
                " something between them 1",
                at_vertex(bimodal, 4),
                alters="hypothesis",
            ),
            NearMiss(
                "the best vertices are the same for every concave impurity: those of Gini and misclassification",
                Exhaustive(
                    lambda: nodes(8), lambda n: best_vertices(gini_decrease, n) == best_vertices(RATIONAL[1], n)
                ),
            ),
        ),
        premises=(
            "vertex.child_term_is_concave_of_concave_impurity",
            "hand argument: a function convex along every edge direction of a cube is largest at a vertex, one"
            " coordinate at a time",
            "concavity of each impurity: the theorems impurity.*_is_concave",
        ),
        added="phi concave on the simplex is enough; two derivatives on the cube would exclude entropy",
        facts=tuple(Fact(repr(decrease(phi)), "vertex-optimal split", "all", True) for phi in CONCAVE),
    ),
    Theorem(
        key="vertex.every_best_split_of_strictly_concave_impurity",
        statement="if phi is strictly concave and all of two or more classes are present, every best split divides no"
        " class: along an edge at least one child changes its class shares, so that the gain is strictly convex there",
        source="breiman1996, Section 2",
        scope="all K; enumerated for Gini at N <= 9",
        holds=All(
            STRICTLY_BEST_AT_END,
            Identity(
                {"l": "positive", "L": "positive", "x": "positive", "y": "positive"},
                lambda v, m: v.l / (v.L + v.x) - v.l / (v.L + v.y),
                lambda v, m: v.l * (v.y - v.x) / ((v.L + v.x) * (v.L + v.y)),
            ),
            only_vertices(gini_decrease, 9),
        ),
        fails=(
            NearMiss(
                "the same for an impurity that is concave but not strictly: misclassification",
                only_vertices(RATIONAL[1]),
                alters="hypothesis",
            ),
            NearMiss(
                "the same in a node of a single class",
                only_vertices(gini_decrease, 4, least_classes=1),
                alters="hypothesis",
            ),
            NearMiss(
                "the best split is unique up to exchanging the sides",
                Exhaustive(lambda: nodes(6), lambda n: len(best(gini_decrease, n)) == 2),
            ),
        ),
        premises=(
            "vertex.child_term_is_concave_of_concave_impurity",
            "hand argument: both children keep their class shares along an edge only if each holds that class alone",
        ),
        added="strict concavity, and classes that are present",
    ),
    Theorem(
        key="vertex.concave_impurity_of_convex_gain",
        statement="conversely, if at every node the gain is convex in alpha, then phi is concave: let the left child,"
        " of shares x, take from a right child of shares y; the right term is linear, so that the left one is concave",
        source="breiman1996, Theorem 1",
        scope="all K (class by class), every phi with finite values",
        holds=All(
            Identity(TAKEN | {"x": "positive", "y": "positive"}, taken_shares, shares_between),
            Certificate(TAKEN, chord_excess, lambda v, m: [([], ["convex", "share"])], convex_along, chord_domain),
        ),
        fails=(
            NearMiss(
                "the same with equal weights of the two ends, as if shares moved evenly",
                Smt(TAKEN, lambda v, m: v.h >= (v.f + v.g) / 2, convex_gap),
            ),
            NearMiss(
                "the same when the right child's shares change as well, from r to r/2 in value",
                Smt(
                    TAKEN,
                    lambda v, m: chord_excess(v, m) >= 0,
                    lambda v, m: [convex_along(v, m)["convex"] + (v.Y - v.s) * v.r / 2 >= 0, 2 * v.s < v.Y],
                ),
                alters="hypothesis",
            ),
        ),
        premises=("hand argument: concavity along segments that leave every point in every direction is concavity",),
    ),
]
