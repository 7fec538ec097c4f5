"""Theorem 1 of breiman1996 for every concave impurity, its derivatives, and when only vertices are best.

Main results: ``P_L phi(p_L)`` is concave in the shares sent left, because a mixed child is a mixture of children; the
best split is a vertex, and for strictly concave impurities nothing else is; the second derivatives (2.1).

Source: breiman1996, Section 2 and Appendix ("convex" there is concave here).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
    Jet,
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


# ---- derivatives, for every function with two of them: its Taylor polynomial of second order stands for it ----


@dataclass(frozen=True)
class Quadratic:
    """The general quadratic ``c + sum_k b_k x_k + sum_kl a_kl x_k x_l / 2``, with free coefficients."""

    v: Any
    classes: int

    def slope(self, k: int) -> Any:
        return getattr(self.v, f"b{k}")

    def second(self, k: int, j: int) -> Any:
        return getattr(self.v, f"a{min(k, j)}{max(k, j)}")

    def __call__(self, x: Any, m: Any) -> Any:
        every = range(self.classes)
        linear = sum((x[k] * self.slope(k) for k in every), x[0] * 0 + self.v.c)
        return linear + sum((x[k] * x[j] * self.second(k, j) for k in every for j in every), x[0] * 0) * HALF

    def derivative(self, x: Any, k: int) -> Any:
        return sum(x[j] * self.second(k, j) for j in range(self.classes)) + self.slope(k)


def variables(classes: int) -> dict[str, str]:
    every = range(classes)
    free = ["c", *(f"b{k}" for k in every), *(f"a{k}{j}" for k in every for j in every if k <= j)]
    return (
        kinds("positive", "p", classes=classes)
        | kinds("rate", "alpha", classes=classes)
        | kinds("real", "u", classes=classes)
        | dict.fromkeys(free, "real")
    )


@dataclass(frozen=True)
class Child:
    """A child that holds the share ``alpha_k`` of class k: its size, its class shares, and phi there."""

    weights: Any
    alpha: Any
    phi: Any

    @property
    def size(self) -> Any:
        return sum(a * p for a, p in zip(self.alpha, self.weights, strict=True))

    @property
    def shares(self) -> list[Any]:
        return [a * p / self.size for a, p in zip(self.alpha, self.weights, strict=True)]

    @property
    def value_of_phi(self) -> Any:
        return self.phi(self.shares, None)

    def moved(self, i: int, j: int) -> Child:
        """Return the child as ``alpha_i`` and ``alpha_j`` move, each in its own direction of a jet."""
        alpha = [Jet(a, int(k == i), int(k == j)) for k, a in enumerate(self.alpha)]
        return Child(self.weights, alpha, self.phi)

    def slope(self, j: int) -> Any:
        """Return ``phi + phi_j - sum_l phi_l x_l``, the bracket of the first derivative."""
        x = self.shares
        along = sum(self.phi.derivative(x, k) * x[k] for k in range(len(x)))
        return self.phi(x, None) + self.phi.derivative(x, j) - along

    def curvature(self, i: int, j: int, lean: Callable[[int, int, Any], Any] | None = None) -> Any:
        """Return the right side of (2.1)."""
        x, every = self.shares, range(len(self.alpha))
        lean = lean or (lambda k, l, x: (k == l) - x[l])  # noqa: E741
        form = sum(self.phi.second(k, l) * lean(i, k, x) * lean(j, l, x) for k in every for l in every)  # noqa: E741
        return self.weights[i] * self.weights[j] * form / self.size


def child(v: Any, classes: int) -> Child:
    every = range(classes)
    alpha, p = [getattr(v, f"alpha{k}") for k in every], [getattr(v, f"p{k}") for k in every]
    return Child(p, alpha, Quadratic(v, classes))


def other(one: Child) -> Child:
    return Child(one.weights, [1 - a for a in one.alpha], one.phi)


def inside(v: Any, m: Any) -> bool:
    return all(0 < x < 1 for name, x in vars(v).items() if name.startswith("alpha"))


def identities(classes: int, left: Any, right: Any, pairs: bool = True) -> Claim:
    """Claim an identity between functions of (child, i, j, m); at i = 0 and j = 0, 1: the others are renamings.

    Of three classes two different ones are enough, as two classes settle i = j.
    """
    chosen = [(0, 1)] if pairs and classes > 2 else [(0, 0), (0, 1)] if pairs else [(0, 0)]
    return All(
        *(
            Identity(
                variables(classes),
                lambda v, m, i=i, j=j: left(child(v, classes), i, j, m),  # type: ignore[misc]
                lambda v, m, i=i, j=j: right(child(v, classes), i, j, m),  # type: ignore[misc]
                inside,
            )
            for i, j in chosen
        )
    )


def curvature(one: Child, i: int, j: int, m: Any) -> Any:
    return one.curvature(i, j)


def of_term(one: Child, i: int, j: int) -> Any:
    moved = one.moved(i, j)
    return moved.size * moved.phi(moved.shares, None)


def of_library(one: Child, i: int, j: int, m: Any) -> Any:
    """Return the second derivative of the library's gain as class shares move from right to left."""
    left, right = one.moved(i, j), other(one).alpha
    away = [Jet(a, -int(k == i), -int(k == j)) for k, a in enumerate(right)]
    table = [[a * p for a, p in zip(side, one.weights, strict=True)] for side in (left.alpha, away)]
    return decrease(Impurity("quadratic", one.phi)).score(table, m).both


def from_both_sides(one: Child, i: int, j: int, m: Any) -> Any:
    return -(one.curvature(i, j) + other(one).curvature(i, j)) / sum(one.weights)


def ratio_rule(one: Child, i: int, j: int, m: Any) -> Any:
    """Return (A.1) for phi in place of g: ``p_j / P_L (phi_j - sum_l phi_l x_l)``."""
    return one.weights[j] / one.size * (one.slope(j) - one.phi(one.shares, None))


def bracket_derivative(one: Child, i: int, j: int, m: Any) -> Any:
    """Return the derivative of H, the bracket, with respect to the share x_i, by a jet in the shares."""
    x = [Jet(s, int(k == i)) for k, s in enumerate(one.shares)]
    along = sum((one.phi.derivative(x, k) * x[k] for k in range(len(x))), Jet(0))
    return (one.phi(x, None) + one.phi.derivative(x, j) - along).first


def printed_bracket_derivative(one: Child, i: int, j: int, m: Any) -> Any:
    x = one.shares
    return one.phi.second(i, j) - sum(one.phi.second(i, k) * x[k] for k in range(len(x)))


def in_direction(v: Any, m: Any, classes: int = 3) -> Any:
    one, every = child(v, classes), range(classes)
    u = [getattr(v, f"u{k}") for k in every]
    return sum(u[i] * u[j] * one.curvature(i, j) for i in every for j in every)


def direction(v: Any, classes: int = 3) -> list[Any]:
    """Return ``v_l = u_l p_l - (alpha_l p_l / P_L) sum_i u_i p_i``, whose sum is 0."""
    one, every = child(v, classes), range(classes)
    moved = [getattr(v, f"u{k}") * one.weights[k] for k in every]
    return [moved[k] - one.shares[k] * sum(moved) for k in every]


def form_of_impurity(v: Any, m: Any, classes: int = 3) -> Any:
    one, w, every = child(v, classes), direction(v, classes), range(classes)
    return sum(w[i] * w[j] * one.phi.second(i, j) for i in every for j in every) / one.size


def form_of_plain_direction(v: Any, m: Any) -> Any:
    one, every = child(v, 3), range(3)
    w = [getattr(v, f"u{k}") * one.weights[k] for k in every]
    return sum(w[i] * w[j] * one.phi.second(i, j) for i in every for j in every) / one.size


def alpha_direction(v: Any) -> list[Any]:
    """Return the direction on the simplex as all shares grow in proportion: nothing moves."""
    held = [v.alpha0 * v.p0, v.alpha1 * v.p1, v.alpha2 * v.p2]
    return [x - x / sum(held) * sum(held) for x in held]


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


def chord_domain(v: Any, m: Any) -> bool:
    return all(convex_gap(v, m))


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
        scope="any loss and all K for the argument; the least value for square, 0-1 and bayes_sum losses at K = 3, N <= 5",
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
    Theorem(
        key="vertex.gradient_of_child_term",
        statement="the derivative of g(p_L) in alpha_j is (p_j / P_L)(g_j - sum_l g_l x_l), and that of P_L phi(p_L) is"
        " p_j (phi + phi_j - sum_l phi_l x_l)",
        source="breiman1996, eq. (A.1)",
        scope="J = 2 and 3, every differentiable g and phi (by their Taylor polynomials)",
        holds=All(
            *(
                All(
                    identities(J, lambda c, i, j, m: c.moved(j, j).value_of_phi.first, ratio_rule, pairs=False),
                    identities(
                        J,
                        lambda c, i, j, m: of_term(c, j, j).first,
                        lambda c, i, j, m: c.weights[j] * c.slope(j),
                        False,
                    ),
                )
                for J in (2, 3)
            )
        ),
        fails=(
            NearMiss(
                "the derivative of P_L phi(p_L) is p_j (phi_j - sum_l phi_l x_l), without phi",
                identities(
                    2,
                    lambda c, i, j, m: of_term(c, j, j).first,
                    lambda c, i, j, m: c.weights[j] * (c.slope(j) - c.phi(c.shares, m)),
                    False,
                ),
            ),
            NearMiss(
                "the derivative of g(p_L) is (p_j / P_L) g_j, as if the size did not move",
                identities(
                    2,
                    lambda c, i, j, m: c.moved(j, j).value_of_phi.first,
                    lambda c, i, j, m: c.weights[j] / c.size * c.phi.derivative(c.shares, j),
                    False,
                ),
            ),
        ),
    ),
    Theorem(
        key="vertex.hessian_of_child_term",
        statement="the second derivative of P_L phi(p_L) in alpha_i and alpha_j is (p_i p_j / P_L) sum_lh phi_lh"
        " (delta_il - x_l)(delta_jh - x_h); the library's gain has minus the sum of both children's as its own; and the"
        " bracket H of the first derivative has dH/dx_i = phi_ij - sum_l phi_il x_l",
        source="breiman1996, eq. (2.1)",
        scope="J = 2, and i != j at J = 3, every phi with two derivatives (by its Taylor polynomial); the gain at J = 2",
        holds=All(
            *(identities(J, lambda c, i, j, m: of_term(c, i, j).both, curvature) for J in (2, 3)),
            identities(2, bracket_derivative, printed_bracket_derivative),
            identities(2, of_library, from_both_sides),
        ),
        fails=(
            NearMiss(
                "the factors are delta_il - alpha_l p_l, not divided by P_L",
                identities(
                    2,
                    lambda c, i, j, m: of_term(c, i, j).both,
                    lambda c, i, j, m: c.curvature(i, j, lambda k, l, x: (k == l) - x[l] * c.size),  # noqa: E741
                ),
            ),
            NearMiss(
                "the factor in front is p_i p_j, without 1 / P_L",
                identities(2, lambda c, i, j, m: of_term(c, i, j).both, lambda c, i, j, m: c.curvature(i, j) * c.size),
            ),
        ),
        latex=r"\partial_{\alpha_i}\partial_{\alpha_j}(P_L\phi(p_L)) = \frac{p_ip_j}{P_L}\sum_{\ell h}\phi_{\ell h}"
        r"(\delta_{i\ell}-x_\ell)(\delta_{jh}-x_h)",
    ),
    Theorem(
        key="vertex.curvature_is_that_of_impurity",
        statement="sum_ij u_i u_j times the second derivatives of P_L phi(p_L) is (1/P_L) v' phi'' v with v_l = u_l p_l"
        " - x_l sum_i u_i p_i, a direction that stays on the simplex (sum_l v_l = 0)",
        source="breiman1996, Theorem 1",
        scope="J = 3, every phi with two derivatives",
        holds=All(
            Identity(variables(3), in_direction, form_of_impurity, inside),
            Identity(
                variables(3),
                lambda v, m: direction(v)[0] + direction(v)[1],
                lambda v, m: -direction(v)[2],
                inside,
            ),
        ),
        fails=(
            NearMiss(
                "the same with v_l = u_l p_l",
                Identity(variables(3), in_direction, form_of_plain_direction, inside),
            ),
            NearMiss(
                "so the second derivatives are negative definite if phi'' is: but u = alpha gives v = 0",
                Smt(
                    kinds("positive", "p", classes=3) | kinds("rate", "alpha", classes=3),
                    lambda v, m: sum(x * x for x in alpha_direction(v)) > 0,
                    lambda v, m: [v.alpha0 > 0],
                ),
            ),
        ),
    ),
]
