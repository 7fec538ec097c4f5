"""Entropy's and twoing's best vertices balance the sides, and where they part from Gini's.

Source: breiman1996, Sections 3 and 4.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import Criterion, decrease, twoing
from splitcrit.impurities import Impurity
from splitcrit.proof import All, Claim, Each, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import HALF, gini_decrease, kinds, node_size, score, split, up_to, vector
from splitcrit.proofs.vertex.nodes import (
    Counts,
    above,
    balanced_vertices,
    best_vertices,
    enclosed,
    entropy_decrease,
    isolating_vertices,
    node_vertices,
    of_nodes,
    rational,
    vertices,
)
from splitcrit.proofs.vertex.premises import by_kernel, by_theorem
from splitcrit.proofs.vertex.twoing import printed

GROUPS = ((2, 1), (3, 2), (4, 1), (4, 2), (5, 2))  # numbers of classes, and of those that go left
THREE = kinds("rate", "p", classes=3)


def gain_of_sizes(impurity: Impurity) -> Claim:
    """Claim that at a vertex the decrease of an impurity is the impurity of the sizes."""
    criterion = decrease(impurity)

    def make(K: int, left: int) -> Claim:
        def gain(v: Any, m: Any) -> Any:
            p = vector(v, "p", K)
            table = [[x * int((k < left) == side) for k, x in enumerate(p)] for side in (True, False)]
            return criterion.score(table, m)

        def of_sizes(v: Any, m: Any) -> Any:
            p = vector(v, "p", K)
            return impurity.of([sum(p[:left]) / sum(p), sum(p[left:]) / sum(p)], m)

        return Identity(kinds("positive", "p", classes=K), gain, of_sizes)

    return Each("K", (2, 3, 4, 5), lambda K: All(*(make(K, left) for k, left in GROUPS if k == K)))


def mixing(v: Any) -> Any:
    """S with ``y = s x + (1 - s)(1 - x)``."""
    return (v.y + v.x - 1) / (2 * v.x - 1)


def entropy_balances(counts: Counts) -> bool:
    """Whether every vertex that is not balanced gains strictly less entropy, by rigorous enclosures."""
    gains = {left: enclosed(entropy_decrease, split(counts, left)) for left in vertices(counts)}
    chosen = balanced_vertices(counts)
    return all(above(gains[next(iter(chosen))], gain) for left, gain in gains.items() if left not in chosen)


def twoing_at_vertices(factor: int) -> Claim:
    """Claim that at a vertex twoing is ``P_L P_R`` over a factor."""

    def holds(case: tuple[Counts, Counts]) -> bool:
        (left, right), n = split(*case), sum(case[0])
        return bool(score(twoing, (left, right)) * factor == Fraction(sum(left) * sum(right), n * n))

    return up_to(8, node_vertices, holds, node_size)


def best_are_balanced(criterion: Criterion) -> Claim:
    return of_nodes(lambda n: best_vertices(criterion, n) == balanced_vertices(n), 8)


def imbalance(v: Any, k: int, m: Any) -> Any:
    """How far apart the sides are in size if class k stands alone."""
    p = vector(v, "p", 3)
    return m.abs(2 * p[k] - sum(p))


def first_is_more_balanced(k: int, third: bool = True) -> Claim:
    """Claim that isolating class 0 balances the sides better than isolating a less frequent class k."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        p = vector(v, "p", 3)
        last = p[2] > 0 if third else p[2] == 0
        return [p[0] >= p[1], p[1] >= p[2], last, sum(p) == 1, p[1] > 0, p[0] > p[k]]

    return Smt(THREE, lambda v, m: imbalance(v, 0, m) < imbalance(v, k, m), hypotheses)


def share_a_best_vertex(counts: Counts) -> bool:
    return bool(best_vertices(gini_decrease, counts) & balanced_vertices(counts))


def same_best_vertices(counts: Counts) -> bool:
    return best_vertices(gini_decrease, counts) == best_vertices(twoing, counts) == balanced_vertices(counts)


THEOREMS = [
    Theorem(
        key="vertex.entropy_gain_is_entropy_of_sizes",
        statement="at a vertex the decrease of entropy is the entropy -P_L log P_L - P_R log P_R of the sizes",
        source="breiman1996, eq. (3.3)",
        holds=gain_of_sizes(impurities.entropy),
        fails=(
            NearMiss("the same for Gini, with Gini's impurity of the sizes", gain_of_sizes(impurities.gini)),
            NearMiss(
                "the same for a split that divides a class",
                Sign(lambda m: [entropy_decrease.score(rational(((2, 1), (0, 1)), m), m) - m.log(m.number(2)) / 2]),
                "hypothesis",
            ),
        ),
        premises=(by_kernel("py_entropy_gain_of_undivided_classes", "K"),),
    ),
    Theorem(
        key="vertex.entropy_balances_sizes",
        statement="the best vertices for entropy are exactly those with |P_L - 1/2| least: of two sizes the one nearer"
        " 1/2 is a mixture of the other and its complement, and a strictly concave symmetric function is larger there",
        source="breiman1996, eq. (3.3)",
        holds=All(
            Smt(
                {"x": "rate", "y": "rate"},
                lambda v, m: m.min((mixing(v), 1 - mixing(v))) > 0,
                lambda v, m: [m.abs(v.y - HALF) < m.abs(v.x - HALF), v.x != HALF],
            ),
            of_nodes(entropy_balances, 8, 4),
        ),
        fails=(
            NearMiss(
                "the best vertex for entropy isolates a most frequent class",
                of_nodes(lambda n: balanced_vertices(n) <= isolating_vertices(n), 8),
            ),
            NearMiss(
                "the best vertex for entropy is unique up to exchanging the sides",
                of_nodes(lambda n: len(balanced_vertices(n)) == 2, 8),
            ),
        ),
        premises=(
            by_theorem("vertex.entropy_gain_is_entropy_of_sizes", "K", "N"),
            by_theorem("impurity.entropy_is_concave"),
        ),
    ),
    Theorem(
        key="vertex.twoing_is_product_of_sizes",
        statement="at a vertex twoing is P_L P_R, half of Gini's decrease of the left classes against the others, so"
        " that its best vertices are those with |P_L - 1/2| least",
        source="breiman1996, Section 3",
        holds=All(
            Smt(
                {"left": "positive", "right": "positive"},
                lambda v, m: twoing.score([[v.left, 0], [0, v.right]], m) * (v.left + v.right) ** 2 == v.left * v.right,
            ),
            twoing_at_vertices(1),
            best_are_balanced(twoing),
        ),
        fails=(
            NearMiss("it is P_L P_R / 4", twoing_at_vertices(4)),
            NearMiss("the form printed has its best vertices there too", best_are_balanced(printed)),
        ),
        premises=(by_theorem("vertex.twoing_is_half_best_grouped_gini", "K", "N"),),
    ),
    Theorem(
        key="vertex.criteria_agree_up_to_three_classes",
        statement="with two or three classes present, of any shares, Gini, entropy and twoing have the same best"
        " vertices: those that put one most frequent class alone on a side",
        source="breiman1996, Section 4",
        holds=All(reals=All(*map(first_is_more_balanced, (1, 2))), library=of_nodes(same_best_vertices, 14, 3)),
        fails=(
            NearMiss("the same with up to four classes", of_nodes(same_best_vertices, 14, 4), "hypothesis"),
            NearMiss("the same with a third class that is absent", first_is_more_balanced(1, False), "hypothesis"),
        ),
        premises=(
            by_theorem("vertex.gini_isolates_most_frequent_class", "N"),
            by_theorem("vertex.entropy_balances_sizes"),
            by_theorem("vertex.twoing_is_product_of_sizes"),
        ),
    ),
    Theorem(
        key="vertex.criteria_first_part_at_six_examples",
        statement="the smallest nodes at which Gini shares no best vertex with entropy and twoing have six examples,"
        " with class counts 2, 2, 1, 1 (the only one of four classes) and 2, 1, 1, 1, 1",
        source="breiman1996, Section 4",
        holds=of_nodes(lambda n: share_a_best_vertex(n) == (n not in ((2, 2, 1, 1), (2, 1, 1, 1, 1))), 6),
        fails=(
            NearMiss("they share a best vertex at every node of six", of_nodes(share_a_best_vertex, 6)),
            NearMiss("up to five examples the sets of best vertices are even equal", of_nodes(same_best_vertices, 5)),
        ),
    ),
]
