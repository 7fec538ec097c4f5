"""Which vertex is best: Gini's isolates a most frequent class, those of entropy and twoing balance the sides.

Main results: what a vertex gains; optima coincide up to three classes and part at six examples; how many vertices are
nearly balanced.
Source: breiman1996, Sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, factorial
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import decrease, twoing
from splitcrit.proof import BALL, All, Ball, Claim, Exhaustive, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.breiman1996.nodes import (
    Counts,
    balanced_vertices,
    best_vertices,
    formal,
    isolating_vertices,
    nodes,
    rational,
    vertices,
)
from splitcrit.proofs.common import gini_decrease, kinds, split, vector

entropy_decrease = decrease(impurities.entropy)
HALF = Fraction(1, 2)
GROUPS = ((3, 2), (4, 1), (4, 2), (5, 2))  # numbers of classes, and of those that go left

# ---- vertices of K classes, with counts p0, p1, ... ----


def table(v: Any, classes: int, left: int) -> list[list[Any]]:
    """Return the split that sends the first ``left`` classes left."""
    p = vector(v, "p", classes)
    return [[x * int(k < left) for k, x in enumerate(p)], [x * int(k >= left) for k, x in enumerate(p)]]


def sizes(v: Any, classes: int, left: int) -> list[Any]:
    """Return P_L and P_R of that split."""
    p = vector(v, "p", classes)
    return [sum(p[:left]) / sum(p), sum(p[left:]) / sum(p)]


def at_vertices(one: Callable[[Any, int, int, Any], Any], other: Callable[[Any, int, int, Any], Any]) -> Claim:
    """Claim an identity of functions of (v, classes, left, m) at the vertices of ``GROUPS``."""
    return All(
        *(
            Identity(
                kinds("positive", "p", classes=K),
                lambda v, m, K=K, left=left: one(v, K, left, m),  # type: ignore[misc]
                lambda v, m, K=K, left=left: other(v, K, left, m),  # type: ignore[misc]
            )
            for K, left in GROUPS
        )
    )


def entropy_at(v: Any, classes: int, left: int, m: Any) -> Any:
    return entropy_decrease.score(table(v, classes, left), formal(m))


def gini_at(v: Any, classes: int, left: int, m: Any) -> Any:
    return gini_decrease.score(table(v, classes, left), m)


def twoing_at(v: Any, classes: int, left: int, m: Any) -> Any:
    return twoing.score(table(v, classes, left), m)


def shares_squared(v: Any, classes: int, left: int, m: Any) -> Any:
    """Return (3.4), less the sum of squares of the node."""
    p = [x / sum(vector(v, "p", classes)) for x in vector(v, "p", classes)]
    kept = sum(x * x for x in p[:left]) / sum(p[:left]) + sum(x * x for x in p[left:]) / sum(p[left:])
    return kept - sum(x * x for x in p)


def entropy_of_sizes(v: Any, classes: int, left: int, m: Any) -> Any:
    return impurities.entropy.of(sizes(v, classes, left), formal(m))


def gini_of_sizes(v: Any, classes: int, left: int, m: Any) -> Any:
    return impurities.gini.of(sizes(v, classes, left), m)


def total_of(v: Any, classes: int) -> Any:
    return sum(vector(v, "p", classes))


def mixing(v: Any) -> Any:
    """Return s with ``y = s x + (1 - s)(1 - x)``."""
    return (v.y + v.x - 1) / (2 * v.x - 1)


def nearer(v: Any, m: Any) -> Any:
    return m.abs(v.y - HALF) < m.abs(v.x - HALF)


def product_of_sizes(v: Any, classes: int, left: int, m: Any) -> Any:
    one, other = sizes(v, classes, left)
    return one * other


def entropy_balances(counts: Counts) -> bool:
    """Tell whether every vertex that is not balanced gains strictly less entropy, by rigorous enclosures."""
    gains = {left: entropy_decrease.score(rational(split(counts, left), BALL), BALL) for left in vertices(counts)}
    chosen = balanced_vertices(counts)
    first = Ball(gains[next(iter(chosen))])
    return all(first > gain for left, gain in gains.items() if left not in chosen)


# ---- three classes ----

THREE = dict.fromkeys(("p0", "p1", "p2"), "rate")


def ordered(v: Any, m: Any) -> list[Any]:
    return [v.p0 >= v.p1, v.p1 >= v.p2, v.p2 > 0, v.p0 + v.p1 + v.p2 == 1]


def alone(v: Any, k: int) -> list[list[Any]]:
    p = vector(v, "p", 3)
    return [[p[j] if j == k else 0 for j in range(3)], [0 if j == k else p[j] for j in range(3)]]


def imbalance(t: Any, m: Any) -> Any:
    return -m.abs(sum(t[0]) - sum(t[1]))


def first_is_more_balanced(k: int) -> Claim:
    """Claim that isolating class 0 balances the sides better than isolating a less frequent class k."""
    return Smt(
        THREE,
        lambda v, m: imbalance(alone(v, 0), m) > imbalance(alone(v, k), m),
        lambda v, m: [*ordered(v, m), v.p0 > getattr(v, f"p{k}")],
    )


def share_a_best_vertex(counts: Counts) -> bool:
    return bool(best_vertices(gini_decrease, counts) & balanced_vertices(counts))


def same_best_vertices(counts: Counts) -> bool:
    return best_vertices(gini_decrease, counts) == best_vertices(twoing, counts) == balanced_vertices(counts)


# ---- the little simulation, exactly ----


def below(c: Fraction, left: int, classes: int) -> Fraction:
    """Return the probability that ``left`` of ``classes`` uniform weights make up at most a share ``c``.

    It is the volume of the part of a cube below a hyperplane through the origin.
    """
    right = classes - left
    corners: Fraction = sum(
        (-1) ** (i + j) * comb(left, i) * comb(right, j) * max(j * c - i * (1 - c), Fraction(0)) ** classes
        for i in range(left + 1)
        for j in range(right + 1)
    )
    volume: Fraction = corners / (factorial(classes) * (1 - c) ** left * (-c) ** right)
    return volume


def expected_vertices(width: Fraction, classes: int = 10) -> Fraction:
    """Return the mean number of vertices, both orientations counted, with P_L within ``width`` of 1/2."""
    near = (HALF - width, HALF + width)
    low, high = (sum((comb(classes, k) * below(c, k, classes) for k in range(1, classes)), Fraction(0)) for c in near)
    return high - low


def windows() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Yield width, and the bounds 42.9 to 43.0 and 4.28 to 4.30 of the mean number of vertices."""
    yield Fraction(1, 100), Fraction(429, 10), Fraction(43)
    yield Fraction(1, 1000), Fraction(428, 100), Fraction(430, 100)


def about(printed: int, found: Fraction) -> bool:
    return abs(found - printed) <= Fraction(printed, 10)


THEOREMS = [
    Theorem(
        key="vertex.entropy_gain_is_entropy_of_sizes",
        statement="at a vertex the decrease of entropy is the entropy -P_L log P_L - P_R log P_R of the sizes",
        source="breiman1996, eq. (3.3)",
        scope="vertices of 3, 4 and 5 classes; all K by the same cancellation class by class",
        holds=at_vertices(entropy_at, entropy_of_sizes),
        fails=(
            NearMiss("the same for Gini, with Gini's impurity of the sizes", at_vertices(gini_at, gini_of_sizes)),
            NearMiss(
                "the same for a split that divides a class",
                Sign(lambda m: [entropy_decrease.score(rational(((2, 1), (0, 1)), m), m) - m.log(m.number(2)) / 2]),
                alters="hypothesis",
            ),
        ),
        latex=r"\Delta H = -P_L\log P_L - P_R\log P_R",
    ),
    Theorem(
        key="vertex.entropy_balances_sizes",
        statement="the best vertices for entropy are exactly those with |P_L - 1/2| least: of two sizes the one nearer"
        " 1/2 is a mixture of the other and its complement, and a strictly concave symmetric function is larger there",
        source="breiman1996, eq. (3.3)",
        scope="all K; enumerated with enclosures for at most 4 classes, N <= 8",
        holds=All(
            Smt(
                {"x": "rate", "y": "rate"},
                lambda v, m: m.min((mixing(v), 1 - mixing(v))) > 0,
                lambda v, m: [nearer(v, m), v.x != HALF],
            ),
            Exhaustive(lambda: (n for n in nodes(8) if len(n) <= 4), entropy_balances),
        ),
        fails=(
            NearMiss(
                "the best vertex for entropy isolates a most frequent class",
                Exhaustive(lambda: nodes(8), lambda n: balanced_vertices(n) <= isolating_vertices(n)),
            ),
            NearMiss(
                "the best vertex for entropy is unique up to exchanging the sides",
                Exhaustive(lambda: nodes(8), lambda n: len(balanced_vertices(n)) == 2),
            ),
        ),
        premises=("vertex.entropy_gain_is_entropy_of_sizes", "impurity.entropy_is_concave, strictly as -1/x < 0"),
    ),
    Theorem(
        key="vertex.gini_gain_is_shares_squared",
        statement="at a vertex Gini's decrease is sum_(C1) p_j^2 / P_L + sum_(C0) p_j^2 / P_R - sum_j p_j^2",
        source="breiman1996, eq. (3.4)",
        scope="vertices of 3, 4 and 5 classes; all K by the same sum class by class",
        holds=at_vertices(gini_at, shares_squared),
        fails=(
            NearMiss(
                "it is P_L P_R, as twoing's",
                at_vertices(gini_at, product_of_sizes),
            ),
            NearMiss(
                "the sums of squares are not divided by the sizes",
                at_vertices(
                    gini_at,
                    lambda v, K, left, m: impurities.gini.of([x / total_of(v, K) for x in vector(v, "p", K)], m),
                ),
            ),
        ),
    ),
    Theorem(
        key="vertex.criteria_agree_up_to_three_classes",
        statement="with two or three classes present, Gini, entropy and twoing have the same best vertices: those that"
        " put one most frequent class alone on a side",
        source="breiman1996, Section 4",
        scope="J <= 3, all real shares; enumerated at N <= 14",
        holds=All(
            *map(first_is_more_balanced, (1, 2)),
            Exhaustive(lambda: (n for n in nodes(14) if len(n) <= 3), same_best_vertices),
        ),
        fails=(
            NearMiss(
                "the same with up to four classes",
                Exhaustive(lambda: (n for n in nodes(14) if len(n) <= 4), same_best_vertices),
                alters="hypothesis",
            ),
            NearMiss(
                "the same with a third class that is absent",
                Smt(
                    THREE,
                    lambda v, m: imbalance(alone(v, 0), m) > imbalance(alone(v, 1), m),
                    lambda v, m: [v.p0 > v.p1, v.p1 > 0, v.p2 == 0, v.p0 + v.p1 == 1],
                ),
                alters="hypothesis",
            ),
        ),
        premises=(
            "vertex.gini_isolates_most_frequent_class",
            "vertex.entropy_balances_sizes",
            "vertex.twoing_is_product_of_sizes",
            "ties between equally frequent classes are those of a symmetric formula",
        ),
    ),
    Theorem(
        key="vertex.criteria_first_part_at_six_examples",
        statement="the smallest nodes at which Gini shares no best vertex with entropy and twoing have six examples,"
        " with class counts 2, 2, 1, 1 (the only one of four classes) and 2, 1, 1, 1, 1",
        source="breiman1996, Section 4",
        scope="all nodes with N <= 6",
        holds=Exhaustive(
            lambda: nodes(6), lambda n: share_a_best_vertex(n) == (n not in ((2, 2, 1, 1), (2, 1, 1, 1, 1)))
        ),
        fails=(
            NearMiss(
                "they share a best vertex at every node of six", Exhaustive(lambda: nodes(6), share_a_best_vertex)
            ),
            NearMiss(
                "up to five examples the sets of best vertices are even equal",
                Exhaustive(lambda: nodes(5), same_best_vertices),
            ),
        ),
    ),
    Theorem(
        key="vertex.many_vertices_are_nearly_balanced",
        statement="for ten independent uniform class weights, normalised, the mean number of the 1024 vertices with P_L"
        " in [.49, .51] lies between 42.9 and 43, and with P_L in [.499, .501] between 4.28 and 4.30",
        source="breiman1996, Section 4",
        scope="J = 10, exact volumes",
        holds=Exhaustive(windows, lambda w: w[1] < expected_vertices(w[0]) < w[2]),
        fails=(
            NearMiss(
                "about 40 counts each split once, whichever side is called left",
                Exhaustive(lambda: [Fraction(1, 100)], lambda w: about(40, expected_vertices(w) / 2)),
            ),
            NearMiss(
                "about 40 and 4 also for nine classes",
                Exhaustive(lambda: [Fraction(1, 100)], lambda w: about(40, expected_vertices(w, 9))),
                alters="hypothesis",
            ),
        ),
        premises=("the volume of a cube below a hyperplane is an alternating sum over its corners",),
    ),
]
