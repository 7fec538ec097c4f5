"""Vertex splits from losses, and how hard it is to find the best one.

Source: breiman1996, Theorem 1; beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease, twoing
from splitcrit.impurities import Impurity, entropy, gce, matushita, misclassification, sqrt_gini
from splitcrit.proof import All, Claim, Exhaustive, Law, NearMiss, Premise, Sign, Smt, Theorem, upto
from splitcrit.proofs.common import HALF, count_vectors, exactly, gini_decrease, kinds, partitions, score, split, up_to
from splitcrit.proofs.gain.of_losses import linear
from splitcrit.proofs.given import LOGARITHM, Given
from splitcrit.proofs.impurity.risks import LEAST
from splitcrit.proofs.logs import LOGS
from splitcrit.proofs.vertex.nodes import Counts, balanced_vertices, best_vertices, pairs_of_splits, vertices
from splitcrit.proofs.vertex.premises import bauer, by_kernel


def cost(impurity: Impurity, counts: Any, of: Any) -> Any:
    """What the best action for the class counts ``of`` costs on the class counts ``counts``."""
    loss = impurity.loss
    assert loss is not None and loss.act is not None
    action = loss.act([Fraction(x, sum(of)) for x in of], EXACT)
    return sum(n * loss.at(action, k, EXACT) for k, n in enumerate(counts))


def least_is_attained(impurity: Impurity) -> Claim:
    """Claim that a child's own action attains ``n phi``, and that no action of another child does better."""

    def holds(counts: Any) -> bool:
        least = sum(counts) * impurity.of([Fraction(x, sum(counts)) for x in counts], EXACT)
        others = (cost(impurity, counts, of) for of in count_vectors(5, 3))
        return cost(impurity, counts, counts) == least and all(x >= least for x in others)

    return Exhaustive(lambda: count_vectors(5, 3), holds)


def common_action_costs_nothing(case: Any) -> bool:
    _, one, other = case
    both, phi = [x + y for x, y in zip(one, other, strict=True)], impurities.gini
    return bool(cost(phi, both, both) <= cost(phi, one, one) + cost(phi, other, other))


def sent(counts: Any, alpha: Any) -> list[list[Any]]:
    """The split that sends the share ``alpha_j`` of class ``j`` to the left."""
    return [[x * n for x, n in zip(side, counts, strict=True)] for side in (alpha, [1 - a for a in alpha])]


def scores(criterion: Criterion, counts: Counts, m: Any) -> tuple[list[Any], list[Any]]:
    """The scores of the vertices, and of the other splits into shares of 0, 1/2 and 1."""
    by_kind: tuple[list[Any], list[Any]] = ([], [])
    for alpha in product((Fraction(0), HALF, Fraction(1)), repeat=len(counts)):
        if any(alpha) and any(a != 1 for a in alpha):
            by_kind[HALF in alpha].append(criterion.score(sent(counts, alpha), m))
    return by_kind


def loss_cases() -> Iterator[tuple[Any, Counts]]:
    """Yield every rational loss with nodes of two and three classes."""
    for counts in ((1, 1), (3, 2), (1, 4), (1, 1, 1), (5, 3, 2), (2, 3, 1)):
        of_responses = tuple(make(tuple(range(len(counts)))) for make in RESPONSES)
        for loss in (*ANY, *of_responses, *(TWO if len(counts) == 2 else ())):
            yield Criterion.from_loss(loss), counts


def vertex_is_best(case: tuple[Criterion, Counts], strictly: bool = False) -> bool:
    best, inner = map(max, scores(*case, EXACT))
    return bool(inner < best if strictly else inner <= best)


def leads(m: Any) -> list[Any]:
    """By how much the best vertex beats the best of the other splits, for irrational impurities."""
    cases = product((entropy, sqrt_gini, matushita, gce(HALF)), ((3, 2), (5, 3, 2), (2, 3, 1)))
    best_of = [map(m.max, scores(decrease(impurity), counts, m)) for impurity, counts in cases]
    return [best - inner for best, inner in best_of]


def instances(most: int = 12, parts: int = 6) -> Iterator[Counts]:
    """Yield every multiset of two to ``parts`` positive integers with sum up to ``most``."""
    yield from (w for n in range(2, most + 1) for w in partitions(n) if 2 <= len(w) <= parts)


def has_equal_halves(weights: Counts) -> bool:
    """Whether a part of the integers has half of their sum, by the set of sums that can be reached."""
    reached = {0}
    for w in weights:
        reached |= {x + w for x in reached}
    return any(2 * x == sum(weights) for x in reached)


def best_twoing(weights: Counts) -> Any:
    return max(score(twoing, split(weights, left)) for left in vertices(weights))


def best_entropy_is_log_two(weights: Counts) -> bool:
    return any(
        decrease(entropy).score(exactly(split(weights, left)), LOGS) == LOGS.log(2) for left in vertices(weights)
    )


def best_is_nearest_half(weights: Counts) -> bool:
    """Whether the best twoing is ``P(1 - P)`` with P the share of a subset nearest to 1/2."""
    P = Fraction(sum(next(iter(balanced_vertices(weights)))), sum(weights))
    return bool(best_twoing(weights) == P * (1 - P))


def gini_is_best_at_equal_halves(weights: Counts) -> bool:
    """Whether the best Gini gain is reached at an equal partition, if there is one."""
    return not has_equal_halves(weights) or bool(best_vertices(gini_decrease, weights) & balanced_vertices(weights))


def decides(says: Callable[[Counts], bool], most: int = 12) -> Claim:
    """Claim that something holds of class counts exactly if these have equal halves."""
    return up_to(most, instances, lambda w: says(w) == has_equal_halves(w), K=upto(6))


def even_only(top: Fraction = Fraction(1, 4)) -> Smt:
    """Claim that ``P (1 - P)`` is at most 1/4, and 1/4 exactly at 1/2, and grows as P comes nearer to 1/2."""

    def says(v: Any, m: Any) -> Any:
        one, other = v.P * (1 - v.P), v.Q * (1 - v.Q)
        nearer = (m.abs(v.P - HALF) < m.abs(v.Q - HALF)) == (one > other)
        return m.min((m.where(nearer, 1, 0), m.where((one == top) == (v.P == HALF), 1, 0), 1 + top - one)) >= 1

    return Smt(kinds("rate", "P", "Q"), says)


def entropy_even_only(strict: bool = True) -> Smt:
    """Claim that the entropy of sides ``P, 1 - P`` is below log 2 but at 1/2: ``x, y`` are their logarithms.

    ``log(1/(2P)) < 1/(2P) - 1`` but where ``2P = 1``, and likewise of the other side.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        sides = [(v.P, v.x), (1 - v.P, v.y)]
        strictly = [(-v.two - log) * 2 * p < 1 - 2 * p for p, log in sides]
        return [v.P > 0, v.P < 1, *(strictly if strict else []), *([v.P != HALF] if strict else [])]

    def says(v: Any, m: Any) -> Any:
        return entropy.of([v.P, 1 - v.P], Given(m, logs=[v.x, v.y])) < v.two

    return Smt(kinds("rate", "P") | kinds("real", "x", "y", "two"), says, hypotheses)


# losses whose minimum risk is rational, with the numbers of classes they are made for
ANY = (losses.square, losses.zero_one, losses.mae, losses.infinity_norm, losses.bayes_sum, losses.gce(1))
TWO = (losses.hinge, losses.ramp)
RESPONSES = (losses.squared_error, losses.absolute_error)

EVEN, EVEN_ENTROPY = Law(even_only), Law(entropy_even_only)

THEOREMS = [
    Theorem(
        key="vertex.best_split_is_a_vertex_of_any_loss",
        statement="P_L phi(p_L) = inf_w sum_j alpha_j p_j at(w, j) for phi the minimised risk of any loss, the infimum"
        " over its actions w: an infimum of linear functions of alpha, so concave; so the gain is convex in alpha and"
        " its maximum is at a vertex: no derivatives, every loss",
        source="breiman1996, Theorem 1",
        holds=All(
            linear,
            LEAST,
            *map(least_is_attained, (impurities.gini, misclassification, impurities.bayes_sum)),
            Exhaustive(loss_cases, vertex_is_best),
            Sign(leads),
        ),
        fails=(
            LEAST.but("so is the largest risk", least=False),
            NearMiss(
                "the best action for two children together costs no more than their own two",
                Exhaustive(lambda: pairs_of_splits(5, 3), common_action_costs_nothing),
            ),
            NearMiss(
                "only vertices are best, for every loss",
                Exhaustive(
                    lambda: [(decrease(misclassification), (5, 3, 2))], lambda case: vertex_is_best(case, strictly=True)
                ),
            ),
        ),
        premises=(bauer("K"),),
    ),
    Theorem(
        key="vertex.best_twoing_and_entropy_decide_partition",
        statement="for class counts w_1, ..., w_K the best twoing over all splits is P(1 - P), P the share of a subset"
        " nearest to 1/2: it is 1/4, and the best entropy gain is log 2, exactly if w can be partitioned into two equal"
        " halves; so finding the best split for either is weakly NP-hard in the number of classes, for counts written"
        " in binary (sums of subsets kept as a set of bits take time polynomial in K times the sum of the counts)",
        source="beyond, hardness of the best vertex",
        holds=All(
            twoing=decides(lambda w: bool(best_twoing(w) == Fraction(1, 4))),
            nearest=Exhaustive(instances, best_is_nearest_half),
            entropy=decides(best_entropy_is_log_two, 10),
            even=EVEN,
            even_by_entropy=EVEN_ENTROPY,
        ),
        fails=(
            NearMiss(
                "the best Gini gain is reached at an equal partition, if there is one",
                Exhaustive(instances, gini_is_best_at_equal_halves),
            ),
            EVEN.but("P (1 - P) is 1/5 at equal halves", top=Fraction(1, 5)),
            EVEN_ENTROPY.but("so it is of any numbers in place of logarithms", strict=False, alters="hypothesis"),
            NearMiss(
                "an even sum is enough for a best twoing of 1/4",
                Exhaustive(instances, lambda w: has_equal_halves(w) == (sum(w) % 2 == 0)),
            ),
        ),
        premises=(
            Premise("PARTITION is NP-complete (Karp 1972)"),
            by_kernel("py_twoing_of_undivided_classes", "K", "N"),
            by_kernel("py_entropy_gain_of_undivided_classes", "K", "N"),
            by_kernel("best_split_of_concave_impurity", "K", "N"),
            by_kernel("py_twoing_best_split_divides_no_class", "K", "N"),
            LOGARITHM,
        ),
    ),
]
