"""Where the ordering shortcut fails: a grouping with a gap is best, or three classes have no order at all.

Source: breiman1996, Theorem 1, applied to categories; wang2024; beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from splitcrit import criteria, impurities
from splitcrit.impurities import gini
from splitcrit.nulls import agini, sgini, significance
from splitcrit.proof import All, Cases, Claim, Exhaustive, Fact, NearMiss, Not, Stated, Theorem
from splitcrit.proofs.common import error_decrease
from splitcrit.proofs.impurity.concave import CONCAVE
from splitcrit.proofs.vertex.groupings import (
    Categories,
    gap_is_best_at,
    impure,
    masks,
    never_gap,
    only_cuts_are_best,
    scores_are_negative,
    sides,
)
from splitcrit.proofs.vertex.nodes import above, enclosed, gain_ratio
from splitcrit.proofs.vertex.premises import of_classes
from splitcrit.proofs.vertex.responses import SPREAD

PROPERTY = "ordering shortcut"
CREDAL, RATIO = criteria.imprecise_information_gain(1), criteria.imprecise_gain_ratio(1)
FAILURES: tuple[tuple[criteria.Criterion, Categories], ...] = (
    (sgini, ((1, 0), (4, 3), (1, 1))),
    (agini, ((3, 2), (1, 1), (2, 3))),
    (CREDAL, ((1, 0), (2, 1), (5, 3))),
    (RATIO, ((1, 0), (2, 1), (5, 3))),
)


def is_flat(t: Categories) -> bool:
    """Whether every side of every grouping has classes that one observation can make equal.

    The largest entropy that s = 1 allows is then log 2 in the node and in all children, so that all scores are 0.
    """
    sides_of_all = [side for mask, _ in masks(len(t)) for side in sides(t, mask)]
    return all(abs(neg - pos) <= 1 for neg, pos in (*sides_of_all, tuple(map(sum, zip(*t, strict=True)))))


def first_failure(criterion: criteria.Criterion, t: Categories) -> Claim:
    """Claim that a grouping with a gap is strictly best here, with a negative score, and at no fewer examples.

    There each grouping with a gap surely scores less than some cut, or for a credal criterion all score the same.
    """
    fewer, credal = sum(map(sum, t)) - 1, criterion in (CREDAL, RATIO)
    never = Exhaustive(lambda: impure(3, fewer), lambda c: only_cuts_are_best(criterion, c) or (credal and is_flat(c)))
    return of_classes(2, All(gap_is_best_at(criterion, t), scores_are_negative(criterion, t), never))


@dataclass(frozen=True)
class Case:
    """Three categories of fixed proportions, and multiples in which each in turn may stand alone."""

    shapes: Categories
    sizes: Categories

    def __str__(self) -> str:
        shapes, sizes = (" ".join("-".join(map(str, one)) for one in part) for part in (self.shapes, self.sizes))
        return f"class counts {shapes}, taken {sizes} times"


PURE, DOUBLED = ((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((2, 1, 1), (1, 2, 1), (1, 1, 2))
OF_PURE, OF_TRIPLES = Case(PURE, DOUBLED), Case(PURE, ((3, 1, 1), (1, 3, 1), (1, 1, 3)))
OF_TURNS = Case(((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((2, 1, 2), (2, 2, 1), (1, 2, 2)))
OF_MEAN = Case(((0, 0, 1), (0, 2, 1), (3, 1, 1)), ((3, 2, 1), (2, 3, 1), (2, 1, 2)))
OF_PAIRS = Case(((0, 1, 1), (1, 0, 1), (1, 1, 0)), DOUBLED)
OF_TWO = Case(((1, 0), (1, 1), (0, 1)), DOUBLED)

BAYES_SUM = criteria.decrease(impurities.bayes_sum)
ORDERLESS: tuple[tuple[criteria.Criterion, Case], ...] = (
    *(
        (criteria.decrease(phi), OF_PURE)
        for phi in CONCAVE
        if criteria.decrease(phi) not in (BAYES_SUM, error_decrease)
    ),
    (error_decrease, OF_TURNS),
    (BAYES_SUM, OF_MEAN),
    (criteria.decrease(impurities.shannon_entropy(base=2)), OF_PURE),
    (criteria.twoing, OF_PURE),
    (criteria.one_vs_rest_pairwise_gain, OF_PURE),
    (criteria.sum_minority, OF_TURNS),
    (gain_ratio, OF_PAIRS),
    (CREDAL, OF_PURE),
    (RATIO, OF_PURE),
    (sgini, OF_PURE),
    (agini, OF_TRIPLES),
    (significance, OF_PURE),
)


def winner(criterion: criteria.Criterion, shapes: Categories, sizes: tuple[int, ...]) -> int | None:
    """The category that the one best grouping puts alone, by enclosures; None if it is not known to be one."""
    t = tuple(tuple(n * x for x in shape) for n, shape in zip(sizes, shapes, strict=True))
    scores = [enclosed(criterion, sides(t, 1 << alone)) for alone in range(len(t))]
    top = [i for i, x in enumerate(scores) if all(above(x, y) for j, y in enumerate(scores) if j != i)]
    return top[0] if top else None


def orderless(criterion: criteria.Criterion, case: Case) -> Claim:
    """Claim that each of three categories stands alone in the one best grouping, for one of the given sizes each."""

    def ordered(c: Case) -> bool:
        return {winner(criterion, c.shapes, one) for one in c.sizes} != set(range(len(c.shapes)))

    return Not(Exhaustive(lambda: [case], ordered))


def all_orderless() -> Claim:
    claims = (
        Exhaustive(Cases(lambda J: permutations(range(J)), J=3), lambda order: {order[0], order[-1]} < set(order)),
        *(orderless(criterion, case) for criterion, case in ORDERLESS),
    )
    return Stated(All(*claims), K=3)


FAILS = "vertex.cut_can_fail_for_chance_corrected_and_credal_gain"

THEOREMS = [
    Theorem(
        key=FAILS,
        statement="with two classes a grouping with a gap can be strictly best: for SGini at categories (negatives,"
        " positives) (1, 0), (4, 3), (1, 1), for AGini at (3, 2), (1, 1), (2, 3), for the imprecise information gain"
        " and gain ratio (s = 1) at (1, 0), (2, 1), (5, 3); there every score is negative, and no three"
        " categories of different means and fewer examples do so, up to exchanging the classes",
        source="breiman1996, Theorem 1",
        holds=All(*(first_failure(criterion, t) for criterion, t in FAILURES)),
        fails=(
            NearMiss("SGini is largest at a cut up to ten examples", never_gap(sgini, 10)),
            NearMiss("the imprecise information gain is largest at a cut up to twelve examples", never_gap(CREDAL, 12)),
            NearMiss("the imprecise gain ratio is largest at a cut up to twelve examples", never_gap(RATIO, 12)),
            NearMiss("Gini's gain ratio fails there too", first_failure(criteria.normalised(gini), FAILURES[3][1])),
        ),
        facts=tuple(Fact(repr(criterion), PROPERTY, "2", False) for criterion, _ in FAILURES),
    ),
    Theorem(
        key="vertex.no_order_is_best_of_three_classes",
        statement="with three classes no order of the categories by their class proportions, whatever it is, has a best"
        " cut for all sizes of the categories: of three categories with fixed proportions each can be the one that the"
        " one best grouping puts alone, and the cuts of an order put only two of them alone",
        source="beyond, the ordering shortcut of several classes",
        holds=all_orderless(),
        fails=(
            NearMiss("pure categories show it for misclassification", orderless(error_decrease, OF_PURE)),
            NearMiss(
                "the proportions that show it for misclassification do for significance",
                orderless(significance, OF_TURNS),
            ),
            NearMiss("so it is with squared error of the responses 0, 1, 2", orderless(SPREAD, OF_PURE), "hypothesis"),
            NearMiss("so it is with two classes", orderless(criteria.decrease(gini), OF_TWO), "hypothesis"),
        ),
        facts=tuple(Fact(repr(criterion), PROPERTY, ">2", False) for criterion, _ in ORDERLESS),
    ),
]
