"""What has neither a proof nor a counterexample: gone through for every node up to a bound.

Scores are enclosed, so that one exceeds another where the enclosures say so. The significance of a split is enclosed
through the incomplete gamma function, beside which the library's own value is held.

Main results: whole examples of small nodes are split best along classes by the credal criteria, SGini, AGini and
significance; with two classes significance is largest at a cut of small sets of categories.
Source: wang2024, eqs. (11), (12), (15), (29); wilton2024, Section 5; breiman1996, Theorem 1; beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, imprecise_gain_ratio, imprecise_information_gain, replace
from splitcrit.nulls import agini, max_selected, sgini, significance
from splitcrit.proof import BALL, All, Ball, Claim, Exhaustive, Fact, NearMiss, Not, Theorem
from splitcrit.proofs.beyond.orders import OF_PURE, OF_TURNS, Case, sides
from splitcrit.proofs.beyond.pure_splits import two_class_nodes
from splitcrit.proofs.breiman1996.nodes import Counts, is_vertex, nodes
from splitcrit.proofs.breiman1996.ordering import FAILURES, Categories, grouping, impure, masks
from splitcrit.proofs.common import binary_splits, lefts, split
from splitcrit.proofs.wang2024.multinomial import gamma_pvalue, near

VERTEX, ORDER = "vertex-optimal split", "ordering shortcut"
GAIN, RATIO = imprecise_information_gain(1), imprecise_gain_ratio(1)
PERMUTED = replace(agini, model="permutation")
COUNTED = {sgini, agini, PERMUTED, max_selected}  # criteria that take integers
TWO, MANY, FEWER, CATEGORIES = 14, 8, 7, 8


def enclosed(criterion: Criterion, table: Any) -> Ball:
    """Return an enclosure of the score of a table."""
    if criterion == significance:
        return -Ball(BALL.log(gamma_pvalue(tuple(map(tuple, table)))))
    number = Fraction if criterion in COUNTED else BALL.number
    return Ball(criterion.score([[number(x) for x in row] for row in table], BALL))


def above(one: Ball, other: Ball) -> bool:
    return bool((one - other).arb > 0)


def halves(counts: Counts) -> Iterator[Counts]:
    """Yield the left children of the splits of a node, one of each two that exchange the children."""
    yield from (left for left in lefts(counts) if left <= split(counts, left)[1])


def vertex_wins(criterion: Criterion) -> Callable[[Counts], bool]:
    """Return the statement that at a node some vertex scores strictly more than every split that is none."""

    def holds(counts: Counts) -> bool:
        found = {left: enclosed(criterion, split(counts, left)) for left in halves(counts)}
        top = [x for left, x in found.items() if is_vertex(counts, left)]
        return all(any(above(best, x) for best in top) for left, x in found.items() if not is_vertex(counts, left))

    return holds


def best_of_two(criterion: Criterion, most: int = TWO) -> Claim:
    return Exhaustive(lambda: two_class_nodes(most), vertex_wins(criterion))


def best_of_many(criterion: Criterion, most: int = MANY) -> Claim:
    return Exhaustive(lambda: nodes(most, least_classes=3), vertex_wins(criterion))


def isolating_wins(criterion: Criterion) -> Callable[[Counts], bool]:
    """Return the statement that no split scores more than all that isolate a most frequent class."""

    def holds(counts: Counts) -> bool:
        found = {left: enclosed(criterion, split(counts, left)) for left in halves(counts)}
        alone = [
            x for left, x in found.items() for side in split(counts, left) if sorted(side)[-2:] == [0, max(counts)]
        ]
        return all(any(not above(x, best) for best in alone) for x in found.values())

    return holds


def by_table(criterion: Criterion, t: Categories) -> tuple[list[Ball], list[Ball]]:
    """Return enclosures of the scores of all cuts of the order by mean response, and of all groupings with a gap."""
    found: tuple[list[Ball], list[Ball]] = ([], [])
    for mask, cut in masks(len(t)):
        found[not cut].append(enclosed(criterion, grouping(t, mask)))
    return found


def cut_wins(criterion: Criterion) -> Callable[[Categories], bool]:
    def holds(t: Categories) -> bool:
        cuts, gaps = by_table(criterion, t)
        return all(any(above(cut, gap) for cut in cuts) for gap in gaps)

    return holds


def no_gap_wins(criterion: Criterion) -> Callable[[Categories], bool]:
    def holds(t: Categories) -> bool:
        cuts, gaps = by_table(criterion, t)
        return not any(all(above(gap, cut) for cut in cuts) for gap in gaps)

    return holds


def never_alone(criterion: Criterion) -> Callable[[Case], bool]:
    """Return the statement that some category of three never stands alone in the one best grouping."""

    def holds(case: Case) -> bool:
        won = set()
        for sizes in case.sizes:
            t = tuple(tuple(n * x for x in shape) for n, shape in zip(sizes, case.shapes, strict=True))
            found = [enclosed(criterion, sides(t, 1 << i)) for i in range(3)]
            won |= {i for i, x in enumerate(found) if all(above(x, y) for y in found if y is not x)}
        return won != {0, 1, 2}

    return holds


def same_value(t: Any) -> bool:
    """Tell whether the library's significance lies at the enclosure."""
    return near(float(significance(t)), enclosed(significance, t))


def full_splits(most: int, classes: int) -> Iterator[Any]:
    """Yield the splits of nodes in which every class has members."""
    yield from (t for t in binary_splits(most, classes) if all(map(sum, zip(*t, strict=True))))


def same_cuts(t: Any) -> bool:
    return bool(max_selected(t) == sgini(t))


def gini_cuts(t: Any) -> bool:
    return bool(replace(max_selected, statistic="gini")(t) == sgini(t))


def bounded(criterion: Criterion, property: str, classes: str, most: int) -> Fact:
    return Fact(repr(criterion), property, classes, True, most)


FAILS = FAILURES[0][1]  # where a gap is best for SGini
OF_TWO = Case(((1, 0), (1, 1), (0, 1)), ((2, 1, 1), (1, 2, 1), (1, 1, 2)))

THEOREMS = [
    Theorem(
        key="vertex.credal_and_significance_separate_two_classes_of_small_nodes",
        statement="in a small node of two classes the split that separates them has strictly more imprecise information"
        " gain, imprecise gain ratio (s = 1) and significance than every other split of whole examples",
        source="beyond, vertices of small nodes",
        scope=f"K = 2, whole examples, N <= {TWO}, by enclosures",
        holds=All(
            Exhaustive(lambda: full_splits(7, 2), same_value),
            *map(best_of_two, (GAIN, RATIO, significance)),
        ),
        fails=(
            NearMiss("so it is for AGini under the law of permutations", best_of_two(PERMUTED, 5), "hypothesis"),
            NearMiss("so it is with s = 20", best_of_two(imprecise_information_gain(20), 6), "hypothesis"),
        ),
        facts=tuple(bounded(criterion, VERTEX, "2", TWO) for criterion in (GAIN, RATIO, significance)),
    ),
    Theorem(
        key="vertex.chance_corrected_gain_is_best_at_a_vertex_of_many_classes",
        statement="in a small node of more than two classes some vertex has strictly more SGini, AGini, imprecise gain"
        " ratio (s = 1) and significance than every split of whole examples that divides a class",
        source="beyond, vertices of small nodes",
        scope=f"K > 2, whole examples, N <= {MANY}, N <= {FEWER} for the ratio, by enclosures",
        holds=All(
            Exhaustive(lambda: full_splits(5, 3), same_value),
            *map(best_of_many, (sgini, agini, significance)),
            best_of_many(RATIO, FEWER),
        ),
        fails=(
            NearMiss("so it is for AGini under the law of permutations", best_of_many(PERMUTED), "hypothesis"),
            NearMiss(
                "no split has more SGini than all that isolate a most frequent class",
                Exhaustive(lambda: nodes(7, least_classes=3), isolating_wins(sgini)),
            ),
        ),
        facts=tuple(
            bounded(criterion, VERTEX, ">2", FEWER if criterion == RATIO else MANY)
            for criterion in (sgini, agini, RATIO, significance, max_selected)
        ),
        premises=("ordering.cuts_of_max_selected_score_as_sgini",),
    ),
    Theorem(
        key="ordering.cut_is_most_significant_of_few_examples",
        statement="with two classes a grouping of few examples in three or four categories that has a gap is less"
        " significant than some cut of the order by mean response",
        source="beyond, the ordering shortcut of significance",
        scope=f"K = 2, three and four categories of different means, N <= {CATEGORIES}, by enclosures",
        holds=Exhaustive(lambda: impure(CATEGORIES), cut_wins(significance)),
        fails=(
            NearMiss("the same for SGini, at ten examples", Exhaustive(lambda: [FAILS], cut_wins(sgini)), "hypothesis"),
            NearMiss(
                "cuts are less significant than a grouping with a gap, if there is one",
                Exhaustive(lambda: impure(5), lambda t: not cut_wins(significance)(t)),
            ),
        ),
        facts=(bounded(significance, ORDER, "2", CATEGORIES),),
    ),
    Theorem(
        key="ordering.no_order_is_most_significant_of_three_classes",
        statement="with three classes no order of the categories has a most significant cut for all sizes of the"
        " categories: each of three pure categories can be the one that the one most significant grouping puts alone",
        source="beyond, the ordering shortcut of several classes",
        scope="K = 3, three categories: the proportions and sizes of the witness, by enclosures",
        holds=Not(Exhaustive(lambda: [OF_PURE], never_alone(significance))),
        fails=(
            NearMiss(
                "so it is with the proportions that show it for misclassification",
                Not(Exhaustive(lambda: [OF_TURNS], never_alone(significance))),
            ),
            NearMiss(
                "so it is with two classes",
                Not(Exhaustive(lambda: [OF_TWO], never_alone(significance))),
                "hypothesis",
            ),
        ),
        facts=(Fact(repr(significance), ORDER, ">2", False),),
    ),
    Theorem(
        key="ordering.cuts_of_max_selected_score_as_sgini",
        statement="max_selected scores the cuts of one feature as SGini does, so that a grouping with a gap can be"
        " strictly best for it, and with three classes no order has a best cut for all sizes",
        source="beyond, the ordering shortcut of max_selected",
        scope="the scores for N <= 6 (K = 2, 3); the witnesses of SGini",
        holds=All(
            Exhaustive(lambda: (t for k in (2, 3) for t in full_splits(6, k)), same_cuts),
            Not(Exhaustive(lambda: [FAILS], no_gap_wins(max_selected))),
            Not(Exhaustive(lambda: [OF_PURE], never_alone(max_selected))),
        ),
        fails=(
            NearMiss(
                "so does max_selected with the Gini gain as its statistic",
                Exhaustive(lambda: full_splits(6, 2), gini_cuts),
                "hypothesis",
            ),
            NearMiss(
                "the same grouping is best for significance",
                Not(Exhaustive(lambda: [FAILS], no_gap_wins(significance))),
            ),
        ),
        premises=("vertex.sgini_is_best_at_the_separation_of_two_classes",),
        facts=(
            Fact(repr(max_selected), ORDER, "2", False),
            Fact(repr(max_selected), ORDER, ">2", False),
            Fact(repr(max_selected), VERTEX, "2", True),
        ),
    ),
]
