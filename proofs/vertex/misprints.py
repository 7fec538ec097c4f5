"""What is false as printed in breiman1996, each with its witness and with the theorem that replaces it.

Source: breiman1996.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from splitcrit import impurities
from splitcrit.proof import BALL, Ball, Erratum, Exhaustive
from splitcrit.proofs.common import score, split
from splitcrit.proofs.impurity.chords import TENTHS
from splitcrit.proofs.vertex.concavity import only_vertices
from splitcrit.proofs.vertex.gini import UNIQUE
from splitcrit.proofs.vertex.nodes import RATIONAL, Counts, balanced_vertices, best_vertices, node_vertices, of_nodes
from splitcrit.proofs.vertex.twoing import printed

STEPS = [Fraction(1, 2**i) for i in range(1, 20)]


def below_its_chord(case: tuple[Fraction, Fraction]) -> bool:
    """Whether x (1 - x) is at most its chord half-way between two points."""
    x, y = case
    middle = (x + y) / 2
    return middle * (1 - middle) <= (x * (1 - x) + y * (1 - y)) / 2


def quarter_of_sizes(case: tuple[Counts, Counts]) -> bool:
    """Whether (2.2) as printed is P_L P_R / 4 at a vertex."""
    (left, right), n = split(*case), sum(case[0])
    return bool(score(printed, (left, right)) == Fraction(sum(left) * sum(right), 4 * n * n))


def curvature_is_bounded(h: Fraction) -> bool:
    """Whether the second difference quotient of -x log x at 0, of step h, is at most 1000."""
    f = [impurities.entropy.of([BALL.number(i * h)], BALL) for i in (0, 1, 2)]
    return bool(Ball((2 * f[1] - f[0] - f[2]) / BALL.number(h * h)) < 1000)


def a3_is_defined(case: tuple[Counts, Counts]) -> bool:
    """Whether (A.3) holds for C the classes of a vertex that go left, and i the most frequent of them."""
    group, rest = (sorted(Fraction(x, sum(case[0])) for x in side if x) for side in split(*case))
    top, without = group[-1], group[:-1]
    others = [*without, *rest]
    if not all(map(sum, (group, rest, without))):
        return False
    one, other, less = (sum(p * p for p in c) / sum(c) for c in (group, rest, without))
    bracket = (1 - top) * one - top * other - (1 - 2 * top) * less
    gain = top + sum(p * p for p in others) / sum(others) - one - other
    return gain == sum(without) / (top * (1 - top)) * bracket


ERRATA = [
    Erratum("B-E1", Exhaustive(lambda: combinations(TENTHS, 2), below_its_chord), "impurity.gini_is_concave"),
    Erratum(
        "B-E2",
        of_nodes(lambda n: bool(best_vertices(printed, n) & balanced_vertices(n)), 7),
        "vertex.twoing_is_half_best_grouped_gini",
    ),
    Erratum("B-E3", Exhaustive(lambda: node_vertices(6), quarter_of_sizes), "vertex.twoing_is_product_of_sizes"),
    Erratum(
        "B-E4", Exhaustive(lambda: STEPS, curvature_is_bounded), "vertex.child_term_is_concave_of_concave_impurity"
    ),
    Erratum("B-E5", only_vertices(RATIONAL[1]), "vertex.every_best_split_of_strictly_concave_impurity"),
    Erratum("B-E6", UNIQUE, "vertex.gini_isolates_most_frequent_class"),
    Erratum(
        "B-E7", Exhaustive(lambda: node_vertices(6), a3_is_defined), "vertex.group_gains_less_than_its_largest_class"
    ),
]
