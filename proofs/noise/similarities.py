"""Transition probabilities from distances between classes, with the normalisation they need.

Classes stand on a line with unit variance, so that Mahalanobis distances are plain ones.
Source: wilton2024, Appendix J and Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.noise import transition_matrix
from splitcrit.proof import All, Cases, Erratum, Exhaustive, Induction, Law, Theorem, only
from splitcrit.proof.points import raises

Positions = tuple[int, ...]
Entry = Callable[[Fraction, Fraction, Fraction], Fraction]


def lines(K: int) -> Iterator[Positions]:
    """Yield classes on a line: 0 and other places up to 7."""
    yield from ((0, *rest) for rest in combinations(range(1, 8), K - 1))


def sums_of_distances(places: Positions) -> list[int]:
    return [sum(abs(x - y) for y in places) for x in places]


def diagonal(places: Positions) -> list[Fraction]:
    """The sums of distances, scaled so that the least is 1/2 and the largest 9/10."""
    sums = sums_of_distances(places)
    low, high = min(sums), max(sums)
    return [Fraction(1, 2) + Fraction(2, 5) * Fraction(x - low, high - low) for x in sums]


def similarities(places: Positions, i: int) -> dict[int, Fraction]:
    """The reciprocal distances to the other classes."""
    return {j: Fraction(1, abs(places[i] - x)) for j, x in enumerate(places) if j != i}


def normalised(stay: Any, near: Any, whole: Any) -> Any:
    return (1 - stay) * near / whole


def matrix(places: Positions, off: Entry = normalised) -> list[list[Fraction]]:
    """The matrix with entries ``off(s_ii, s_ij, sum_k s_ik)`` beside the diagonal."""
    rows = []
    for i, stay in enumerate(diagonal(places)):
        near = similarities(places, i)
        whole = sum(near.values(), Fraction(0))
        rows.append([stay if j == i else off(stay, near[j], whole) for j in range(len(places))])
    return rows


def is_channel(rows: list[list[Fraction]]) -> bool:
    """Whether the library takes the matrix: entries in [0, 1], rows that sum to 1."""
    return not raises(ValueError, transition_matrix, rows)


def good(places: Positions) -> bool:
    """The matrix is a channel, its diagonal dominates rows and columns, and nearer classes get more."""
    rows = matrix(places)
    dominant = all(x < min(row[i], rows[j][j]) for i, row in enumerate(rows) for j, x in enumerate(row) if j != i)
    near = [similarities(places, i) for i in range(len(places))]
    ordered = all(
        (near[i][j] < near[i][k]) == (row[j] < row[k]) for i, row in enumerate(rows) for j in near[i] for k in near[i]
    )
    return is_channel(rows) and dominant and ordered


def similar_stays_less(places: Positions) -> bool:
    """A class of larger total similarity has a smaller diagonal entry."""
    stay, near = diagonal(places), [sum(similarities(places, i).values()) for i in range(len(places))]
    return all(stay[i] < stay[j] for i in range(len(places)) for j in range(len(places)) if near[i] > near[j])


def outweighs_row(places: Positions) -> bool:
    """Every diagonal entry exceeds the sum of the others in its row."""
    return all(2 * row[i] > 1 for i, row in enumerate(matrix(places)))


def on_lines(holds: Callable[[Positions], bool], *classes: int) -> Exhaustive:
    return Exhaustive(Cases(lines, K=only(*classes)), holds)


def leaving(entries: Any, v: Any, m: Any) -> Any:
    """The sum of the entries beside the diagonal less ``1 - s_ii``, for any distances."""
    whole = sum(1 / e.d for e in entries)
    return sum(normalised(v.s, 1 / e.d, whole) for e in entries) - (1 - v.s)


row_sum = Induction(
    "K",
    {"d": "positive"},
    leaving,
    lambda e, v, m: [1 / e.d],
    lambda sums, v, m: normalised(v.s, sums[0], sums[0]) - (1 - v.s),
    shared={"s": "rate"},
    keeps=lambda sums, v, m: [sums[0] > 0],
)
law = Law(lambda holds, classes: on_lines(holds, *classes), holds=good, classes=(3, 4, 5))
LESS = law.but("classes of larger total similarity stay less", holds=similar_stays_less, classes=(3, 4))
BROKEN = law.but(
    "the entries s_ij / (1 - s_ii) make a transition matrix",
    holds=lambda places: is_channel(matrix(places, lambda stay, near, whole: near / (1 - stay))),
    classes=(3,),
)

THEOREMS = [
    Theorem(
        key="noise.transition_matrix_of_similarities_is_stochastic",
        statement="with similarities s_ij = 1 / d_ij and diagonal entries s_ii from sums of distances scaled to "
        "[1/2, 9/10], eta_ij = (1 - s_ii) s_ij / sum_k s_ik is a transition matrix, its rows summing to 1 for any "
        "distances; for 3 to 5 classes at integer places 0 to 7 of a line its diagonal dominates every row and column, "
        "and the nearer of two classes gets more of the noise",
        source="wilton2024, Appendix J and Algorithm 1",
        added="the off-diagonal entries are normalised to sum to 1 - s_ii, K >= 3, and the sums of distances differ",
        holds=All(row_sums=row_sum, lines=law),
        fails=(
            BROKEN,
            law.but(
                "the same for two classes, whose sums of distances do not differ",
                holds=lambda places: len(set(sums_of_distances(places))) > 1,
                classes=(2,),
                alters="hypothesis",
            ),
            LESS,
            law.but("a label is always more likely kept than changed", holds=outweighs_row),
        ),
    )
]

ERRATA = [
    Erratum("R-E10a", BROKEN.claim, "noise.transition_matrix_of_similarities_is_stochastic"),
    Erratum("R-E10b", LESS.claim, "noise.transition_matrix_of_similarities_is_stochastic"),
]
