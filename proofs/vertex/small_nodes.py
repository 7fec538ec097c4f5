"""What has neither a proof nor a counterexample: gone through for every node up to a bound, with whole examples.

Scores are enclosed, so that one exceeds another where the enclosures say so. Significance is enclosed through the
incomplete gamma function.

Source: wang2024, eqs. (11), (12), (15), (29); wilton2024, Section 5; breiman1996, Theorem 1; beyond.
"""

from __future__ import annotations

from typing import Any

from splitcrit.criteria import Criterion, imprecise_gain_ratio, imprecise_information_gain
from splitcrit.nulls import agini, sgini, significance
from splitcrit.proof import All, Claim, Exhaustive, Fact, NearMiss, Sign, Stated, Theorem, only
from splitcrit.proofs.common import HALF, split, up_to
from splitcrit.proofs.vertex import nodes

GAIN, RATIO = imprecise_information_gain(1), imprecise_gain_ratio(1)
TWO, MANY = 14, 8


def best_of_two(criterion: Criterion, most: int = TWO) -> Claim:
    return up_to(most, nodes.nodes_of, nodes.vertex_wins(criterion), K=2)


def best_of_many(criterion: Criterion, most: int = MANY) -> Claim:
    return up_to(most, nodes.nodes_of_more, nodes.vertex_wins(criterion), K=only(*range(3, most + 1)))


def isolating_wins(counts: nodes.Counts) -> bool:
    """Whether no split scores more SGini than all that isolate a most frequent class."""
    scores = {left: nodes.enclosed(sgini, split(counts, left)) for left in nodes.halves(counts)}
    alone = [x for left, x in scores.items() for side in split(counts, left) if sorted(side)[-2:] == [0, max(counts)]]
    return all(any(not nodes.above(x, best) for best in alone) for x in scores.values())


def bounded(criterion: Criterion, classes: str, most: int) -> Fact:
    return Fact(repr(criterion), "vertex-optimal split", classes, True, most)


def inside_beats_vertices(left: tuple[Any, ...], counts: nodes.Counts) -> Claim:
    """Claim that sending ``left`` scores more than every vertex of the node, for the imprecise information gain."""

    def values(m: Any) -> list[Any]:
        scores = [GAIN.score(nodes.rational(split(counts, side), m), m) for side in (left, *nodes.vertices(counts))]
        return [scores[0] - x for x in scores[1:]]

    return Stated(Sign(values), K=len(counts))


THEOREMS = [
    Theorem(
        key="vertex.credal_and_significance_separate_two_classes_of_small_nodes",
        statement="in a small node of two classes the split that separates them has strictly more imprecise information"
        " gain, imprecise gain ratio (s = 1) and significance than every other split of whole examples",
        source="beyond, vertices of small nodes",
        holds=All(*map(best_of_two, (GAIN, RATIO, significance))),
        fails=(
            NearMiss("so it is for AGini under the law of permutations", best_of_two(nodes.PERMUTED, 5), "hypothesis"),
            NearMiss("so it is with s = 20", best_of_two(imprecise_information_gain(20), 6), "hypothesis"),
        ),
        facts=tuple(bounded(criterion, "2", TWO) for criterion in (GAIN, RATIO, significance)),
    ),
    Theorem(
        key="vertex.some_vertex_is_best_of_small_nodes_of_many_classes",
        statement="in a small node of more than two classes some vertex has strictly more SGini, AGini, imprecise"
        " information gain, imprecise gain ratio (s = 1) and significance than every"
        " split of whole examples that divides a class; so it is for the imprecise information gain of three classes up"
        " to eleven examples",
        source="beyond, vertices of small nodes",
        holds=All(
            *map(best_of_many, (sgini, agini, significance, GAIN, RATIO)),
            Exhaustive(lambda: nodes.nodes_of(11, 3), nodes.vertex_wins(GAIN)),
        ),
        fails=(
            NearMiss("so it is for AGini under the law of permutations", best_of_many(nodes.PERMUTED), "hypothesis"),
            NearMiss(
                "no split has more SGini than all that isolate a most frequent class",
                Exhaustive(lambda: nodes.nodes_of_more(7), isolating_wins),
            ),
        ),
        facts=tuple(bounded(criterion, ">2", MANY) for criterion in (sgini, agini, GAIN, RATIO, significance)),
    ),
    Theorem(
        key="vertex.imprecise_gain_can_be_best_with_half_an_example_left",
        statement="where shares of an example may be sent left, the imprecise information gain with s = 1 is larger"
        " when a node of counts 2, 2, 1 sends (0, 2, 1/2) left than at any of its vertices; no split of whole"
        " examples is known to do so",
        source="breiman1996, Theorem 1",
        holds=inside_beats_vertices((0, 2, HALF), (2, 2, 1)),
        fails=(
            NearMiss("so it is at (0, 3/2, 1)", inside_beats_vertices((0, 3 * HALF, 1), (2, 2, 1))),
            NearMiss(
                "so it is in a node of two classes, of counts 2, 1, at (0, 1/2)",
                inside_beats_vertices((0, HALF), (2, 1)),
                "hypothesis",
            ),
        ),
    ),
]
