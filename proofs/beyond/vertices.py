"""Vertex splits from losses, and how hard it is to find the best one.

A split sends the share ``alpha_j`` of class ``j`` to the left; a vertex sends every class whole to one side.

Main results: the weighted impurity of a child is an infimum of linear functions of ``alpha`` for any loss, so the best
split is a vertex; the best vertex for twoing or entropy decides PARTITION.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import losses
from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease, twoing
from splitcrit.impurities import Impurity, entropy, gce, matushita, misclassification, sqrt_gini
from splitcrit.proof import All, Exhaustive, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import gini_decrease, kinds, partitions, vector
from splitcrit.proofs.logs import LOGS

HALF = Fraction(1, 2)
SHARES = (Fraction(0), HALF, Fraction(1))


def sent(counts: Any, alpha: Any) -> list[list[Any]]:
    """Return the split that sends the share ``alpha_j`` of class ``j`` to the left."""
    return [
        [a * n for a, n in zip(alpha, counts, strict=True)],
        [(1 - a) * n for a, n in zip(alpha, counts, strict=True)],
    ]


def proper(classes: int, shares: Any = SHARES) -> list[tuple[Any, ...]]:
    """Return the shares ``alpha`` with both children non-empty."""
    return [alpha for alpha in product(shares, repeat=classes) if any(alpha) and any(a != 1 for a in alpha)]


def vertices(classes: int) -> list[tuple[Any, ...]]:
    return proper(classes, (Fraction(0), Fraction(1)))


def inner(classes: int) -> list[tuple[Any, ...]]:
    return [alpha for alpha in proper(classes) if HALF in alpha]


# losses whose minimum risk is rational, with the numbers of classes they are made for
ANY = (losses.square, losses.zero_one, losses.mae, losses.infinity_norm, losses.bayes_sum, losses.gce(1))
TWO = (losses.hinge, losses.ramp)
RESPONSES = (losses.squared_error, losses.absolute_error)


def loss_cases() -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Yield every rational loss with nodes of two and three classes."""
    for counts in ((1, 1), (3, 2), (1, 4), (1, 1, 1), (5, 3, 2), (2, 3, 1)):
        made = tuple(make(tuple(range(len(counts)))) for make in RESPONSES)
        for loss in (*ANY, *made, *(TWO if len(counts) == 2 else ())):
            yield loss, counts


def vertex_is_best(case: tuple[Any, tuple[int, ...]]) -> bool:
    loss, counts = case
    criterion = Criterion.from_loss(loss)
    best = max(criterion.score(sent(counts, alpha), EXACT) for alpha in vertices(len(counts)))
    return all(criterion.score(sent(counts, alpha), EXACT) <= best for alpha in inner(len(counts)))


def lead(impurity: Impurity, counts: tuple[int, ...], m: Any) -> Any:
    """Return by how much the best vertex beats the best of the other splits on the grid of halves."""
    criterion = decrease(impurity)
    best = m.max([criterion.score(sent(counts, alpha), m) for alpha in vertices(len(counts))])
    return best - m.max([criterion.score(sent(counts, alpha), m) for alpha in inner(len(counts))])


COSTS = kinds("real", "c", "d", "e", classes=2) | kinds("count", "x", "y", classes=2)


def least(v: Any, m: Any, mass: Any, power: int = 1) -> Any:
    """Return the least cost of three announcements for the masses of two classes."""
    return m.min(
        [sum(x * (x if power == 2 else 1) * c for x, c in zip(mass, vector(v, name, 2), strict=True)) for name in "cde"]
    )


def superadditive(power: int) -> Any:
    def holds(v: Any, m: Any) -> Any:
        x, y = vector(v, "x", 2), vector(v, "y", 2)
        both = [a + b for a, b in zip(x, y, strict=True)]
        return least(v, m, both, power) >= least(v, m, x, power) + least(v, m, y, power)

    return holds


# --- PARTITION --------------------------------------------------------------------------------------------------------


def instances(most: int = 12, parts: int = 6) -> Iterator[tuple[int, ...]]:
    """Yield every multiset of two to ``parts`` positive integers with sum up to ``most``."""
    for n in range(2, most + 1):
        yield from (w for w in partitions(n) if 2 <= len(w) <= parts)


def halves(weights: tuple[int, ...]) -> bool:
    """Tell whether a part of the integers has half of their sum, by the set of sums that can be reached."""
    reached = {0}
    for w in weights:
        reached |= {x + w for x in reached}
    return 2 * max(x for x in reached if 2 * x <= sum(weights)) == sum(weights)


def whole_splits(weights: tuple[int, ...]) -> Iterator[list[list[Fraction]]]:
    """Yield the vertex splits, each once."""
    for alpha in vertices(len(weights)):
        if alpha[0]:
            yield sent(weights, alpha)


def twoing_decides(weights: tuple[int, ...]) -> bool:
    best = max(twoing.score(t, EXACT) for t in whole_splits(weights))
    return bool(best == Fraction(1, 4)) == halves(weights)


def entropy_decides(weights: tuple[int, ...]) -> bool:
    criterion = decrease(entropy)
    return any(criterion.score(t, LOGS) == LOGS.log(2) for t in whole_splits(weights)) == halves(weights)


def best_sum(weights: tuple[int, ...]) -> bool:
    """Tell whether the best twoing is ``P(1 - P)`` with P the reachable share nearest to 1/2."""
    n = sum(weights)
    shares = {Fraction(sum(w for w, a in zip(weights, alpha, strict=True) if a), n) for alpha in vertices(len(weights))}
    nearest = min(shares, key=lambda x: abs(x - HALF))
    return bool(max(twoing.score(t, EXACT) for t in whole_splits(weights)) == nearest * (1 - nearest))


def gini_decides(weights: tuple[int, ...]) -> bool:
    """Tell whether the best Gini gain is reached at an equal partition, if there is one."""
    best = max(gini_decrease.score(t, EXACT) for t in whole_splits(weights))
    equal = [t for t in whole_splits(weights) if sum(t[0]) == sum(t[1])]
    return not equal or any(gini_decrease.score(t, EXACT) == best for t in equal)


def parity_decides(weights: tuple[int, ...]) -> bool:
    return halves(weights) == (sum(weights) % 2 == 0)


def two_to_one(v: Any, m: Any) -> Any:
    """State that twoing is ``P_L P_R`` where classes 0 and 1 go left and class 2 right."""
    x, y, z = vector(v, "n", 3)
    zero = x - x
    return twoing.score([[x, y, zero], [zero, zero, z]], m) * (x + y + z) ** 2 == (x + y) * z


THEOREMS = [
    Theorem(
        key="vertex.best_split_is_a_vertex_of_any_loss",
        statement="P_L phi(p_L) = inf_w sum_j alpha_j p_j at(w, j) is an infimum of linear functions of alpha, so"
        " concave, for the minimum risk phi of any loss; so the gain is convex in alpha and its maximum is at a vertex:"
        " no derivatives, every loss",
        source="beyond, the vertex theorem from losses",
        scope="superadditivity for any three announcements, K = 2; every rational loss of the library on the grid of"
        " halves of six nodes; entropy, sqrt_gini, matushita and gce(1/2) by enclosures",
        holds=All(
            Smt(COSTS, superadditive(1)),
            Exhaustive(loss_cases, vertex_is_best),
            Sign(
                lambda m: [
                    lead(phi, counts, m)
                    for phi in (entropy, sqrt_gini, matushita, gce(HALF))
                    for counts in ((3, 2), (5, 3, 2), (2, 3, 1))
                ]
            ),
        ),
        fails=(
            NearMiss(
                "only vertices are best, for every loss",
                Exhaustive(
                    lambda: [(5, 3, 2)],
                    lambda counts: all(
                        decrease(misclassification).score(sent(counts, alpha), EXACT)
                        < max(decrease(misclassification).score(sent(counts, v), EXACT) for v in vertices(3))
                        for alpha in inner(3)
                    ),
                ),
            ),
            NearMiss(
                "an infimum of risks that are quadratic in the masses will do",
                Smt(COSTS, superadditive(2)),
                alters="hypothesis",
            ),
        ),
        premises=("a convex function on a cube has a maximum at a vertex",),
        latex=r"P_L\,\varphi(p_L) = \inf_w \sum_j \alpha_j\, p_j\, \ell(w, j)",
    ),
    Theorem(
        key="vertex.best_twoing_and_entropy_decide_partition",
        statement="for class counts w_1, ..., w_J the best twoing over all splits is P(1 - P), P the share of a subset"
        " nearest to 1/2: it is 1/4, and the best entropy gain is log 2, exactly if w can be partitioned into two equal"
        " halves; so finding the best split for either is NP-hard in the number of classes",
        source="beyond, hardness of the best vertex",
        scope="all instances of at most 6 classes with sum <= 12; the value at a vertex for all counts, J = 3",
        holds=All(
            Smt(kinds("positive", "n", classes=3), two_to_one),
            Exhaustive(instances, twoing_decides),
            Exhaustive(instances, best_sum),
            Exhaustive(lambda: instances(10), entropy_decides),
        ),
        fails=(
            NearMiss(
                "the best Gini gain is reached at an equal partition, if there is one",
                Exhaustive(instances, gini_decides),
            ),
            NearMiss("an even sum is enough for a best twoing of 1/4", Exhaustive(instances, parity_decides)),
        ),
        premises=(
            "PARTITION is NP-complete (Karp 1972)",
            "vertex.best_split_is_a_vertex_of_any_loss, and twoing is a largest two-class Gini gain",
        ),
        latex=r"\max_\alpha \theta(\alpha) = \tfrac14 \iff \exists\, C:\ \sum_{j\in C} w_j = \sum_{j\notin C} w_j",
    ),
]
