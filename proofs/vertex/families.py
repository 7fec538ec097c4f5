"""The best splits of whole families of concave impurities, and of those of responses, divide no class.

Source: breiman1996, Theorem 1, and beyond: the vertex theorem for families.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, absolute_deviation, variance
from splitcrit.proof import All, Cases, Exhaustive, Fact, NearMiss, Premise, Theorem, only
from splitcrit.proofs.common import HALF, count_vectors
from splitcrit.proofs.impurity.concave import NE_FAMILY
from splitcrit.proofs.impurity.risks import LEAST, LINEAR, SPREAD, families
from splitcrit.proofs.vertex.nodes import best_vertices, isolating_vertices
from splitcrit.proofs.vertex.premises import by_kernel

RESPONSES = (variance((0, 1, 2)), absolute_deviation((0, 1, 2)))


def vertex_is_best(impurity: Impurity, counts: tuple[int, ...], strictly: bool = False) -> bool:
    """Whether some vertex scores at least as much as every split by halves, or more."""
    criterion, scores = decrease(impurity), {}
    for alpha in product((Fraction(0), HALF, Fraction(1)), repeat=len(counts)):
        left = [a * n for a, n in zip(alpha, counts, strict=True)]
        right = [n - x for n, x in zip(counts, left, strict=True)]
        if any(left) and any(right):
            scores[alpha] = criterion.score([left, right], EXACT)
    best = max(x for alpha, x in scores.items() if HALF not in alpha)
    return all(x < best or (x == best and not strictly) for alpha, x in scores.items() if HALF in alpha)


def nodes(size: int, classes: int) -> Iterator[tuple[Impurity, tuple[int, ...]]]:
    """Yield each impurity of responses with the nodes of a number of observations and all classes present."""
    present = [n for n in count_vectors(size, classes, size) if min(n) > 0]
    yield from product(RESPONSES, present)


THEOREMS = [
    Theorem(
        key="vertex.best_split_of_concave_families",
        statement="the best splits of the families whose impurities are concave, over all shares of the classes, divide"
        " no class: gce(q) for 0 < q < 1, ne(lam) for lam > 0, entropy in any base, variance, absolute deviation and"
        " Poisson deviance of any responses (variance and absolute deviation also on halves of small nodes for"
        " the responses 0, 1, 2)",
        source="beyond, the vertex theorem for families",
        holds=All(
            least_risk=LINEAR,
            of_actions=LEAST,
            variance=SPREAD,
            halves=Exhaustive(Cases(nodes, N=only(4, 5, 6), K=only(3)), lambda case: vertex_is_best(case[0], case[1])),
        ),
        fails=(
            NearMiss(
                "no split that divides a class is as good, for the mean deviation too",
                Exhaustive(
                    Cases(nodes, N=only(5, 6, 7), K=only(3)),
                    lambda case: case[0] is RESPONSES[0] or vertex_is_best(case[0], case[1], strictly=True),
                ),
            ),
            NearMiss(
                "the best vertices for the variance isolate a most frequent class, as Gini's do",
                Exhaustive(
                    lambda: ((2, 1, 1), (1, 2, 1), (1, 1, 2)),
                    lambda counts: best_vertices(decrease(variance((0, 1, 2))), counts) <= isolating_vertices(counts),
                ),
            ),
        ),
        premises=(
            by_kernel("best_split_of_concave_impurity", "K", "N"),
            Premise("impurity.families_are_concave", "theorem"),
            Premise("impurity.ne_is_concave", "theorem"),
        ),
        facts=(*families("vertex-optimal split"), Fact(NE_FAMILY, "vertex-optimal split", "all", True)),
    )
]
