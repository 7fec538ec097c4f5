"""The appendices: transition probabilities from distances between classes, and the worked example of two splits.

Main results: the transition matrix with the normalisation it needs; the example's four risk reductions, and the
``lam`` at which the better split changes, sqrt(8) / 5; a risk reduction is the share of the node times the drop.
Source: wilton2024, Appendices J and M.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import decrease
from splitcrit.noise import transition_matrix
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, kinds, score, vector
from splitcrit.proofs.impurity.several_classes import ne_at
from splitcrit.proofs.wilton2024.terms import HALF

Positions = tuple[int, ...]

# Appendix J: classes on a line with unit variance, so that Mahalanobis distances are plain ones.


def distances(places: Positions) -> list[list[Fraction]]:
    return [[Fraction(abs(x - y)) for y in places] for x in places]


def diagonal(places: Positions) -> list[Fraction]:
    """Return the sums of distances, scaled so that the least is 1/2 and the largest 9/10."""
    sums = [sum(row) for row in distances(places)]
    low, high = min(sums), max(sums)
    return [HALF + Fraction(2, 5) * (x - low) / (high - low) for x in sums]


def similarities(places: Positions, i: int) -> dict[int, Fraction]:
    """Return the reciprocal distances to the other classes."""
    return {j: 1 / d for j, d in enumerate(distances(places)[i]) if j != i}


def rows(places: Positions, off: Callable[[Fraction, Fraction, Fraction], Fraction]) -> list[list[Fraction]]:
    """Return the matrix with entries ``off(s_ii, s_ij, sum_k s_ik)`` beside the diagonal."""
    found = []
    for i, stay in enumerate(diagonal(places)):
        near = similarities(places, i)
        found.append(
            [stay if j == i else off(stay, near[j], sum(near.values(), Fraction(0))) for j in range(len(places))]
        )
    return found


def corrected(stay: Fraction, near: Fraction, total: Fraction) -> Fraction:
    return (1 - stay) * near / total


def printed(stay: Fraction, near: Fraction, total: Fraction) -> Fraction:
    return near / (1 - stay)


def is_channel(matrix: list[list[Fraction]]) -> bool:
    """Tell whether the library takes the matrix: entries in [0, 1], rows that sum to 1."""
    try:
        transition_matrix(matrix)
    except ValueError:
        return False
    return True


def good(places: Positions) -> bool:
    """The corrected matrix is a channel, its diagonal dominates rows and columns, and nearer classes get more."""
    matrix = rows(places, corrected)
    dominant = all(x < min(row[i], matrix[j][j]) for i, row in enumerate(matrix) for j, x in enumerate(row) if j != i)
    near = [similarities(places, i) for i in range(len(places))]
    ordered = all(
        (near[i][j] < near[i][k]) == (row[j] < row[k]) for i, row in enumerate(matrix) for j in near[i] for k in near[i]
    )
    return is_channel(matrix) and dominant and ordered


def lines(*classes: int) -> Callable[[], Iterator[Positions]]:
    """Return an enumeration of classes on a line: 0 and other places up to 7, the sums of distances not all equal."""
    return lambda: ((0, *rest) for K in classes for rest in combinations(range(1, 8), K - 1))


def defined(places: Positions) -> bool:
    """The sums of distances differ, so that they can be scaled."""
    return len({sum(row) for row in distances(places)}) > 1


def similar_stays_less(places: Positions) -> bool:
    """A class of larger total similarity has a smaller diagonal entry."""
    stay, near = diagonal(places), [sum(similarities(places, i).values()) for i in range(len(places))]
    return all(stay[i] < stay[j] for i in range(len(places)) for j in range(len(places)) if near[i] > near[j])


def outweighs_row(places: Positions) -> bool:
    """Every diagonal entry exceeds the sum of the others in its row."""
    return all(2 * row[i] > 1 for i, row in enumerate(rows(places, corrected)))


def leaving(classes: int, normalised: bool) -> Identity:
    """The entries beside the diagonal sum to ``1 - s_ii``, for any distances and any diagonal entry."""

    def total(v: Any, m: Any) -> Any:
        near = [1 / d for d in vector(v, "d", classes - 1)]
        return sum((1 - v.s) * x / sum(near) if normalised else x / (1 - v.s) for x in near)

    variables = {**kinds("positive", "d", classes=classes - 1), "s": "rate"}
    return Identity(variables, total, lambda v, m: 1 - v.s, lambda v, m: v.s < 1)


# Appendix M: a balanced node of 20; one split with a pure child, one with shares 1/5 and 4/5.

PURE = [[5, 0], [5, 10]]
EVEN = [[8, 2], [2, 8]]
ROUNDED = [[34, 0], [33, 67]]  # the share 2/3 of PURE as 0.67, in a balanced node of 134


def example(v: Any, m: Any) -> tuple[Any, Any]:
    """Return the scores of both splits under the NE impurity of parameter ``v.lam``."""
    gain = decrease(impurities.Impurity("ne", ne_at(v.lam))).score
    first, second = (gain(on(t, m), m) for t in (PURE, EVEN))
    return first, second


def flips_at(square: Fraction) -> Smt:
    """The split with a pure child is better exactly if lam^2 is below the given number (0 < lam <= 1)."""

    def conclusion(v: Any, m: Any) -> Any:
        first, second = example(v, m)
        return m.where(first > second, 1, 0) == m.where(v.lam * v.lam < square, 1, 0)

    return Smt({"lam": "rate"}, conclusion, lambda v, m: [v.lam > 0])


def on(table: list[list[int]], m: Any) -> list[list[Any]]:
    return [[m.number(Fraction(x)) for x in row] for row in table]


def printed_values(m: Any, pure: list[list[int]] = ROUNDED) -> list[Any]:
    """The four reductions, with impurities of maximum 1, agree with their four printed digits."""
    first, even = on(pure, m), on(EVEN, m)
    wanted = [
        (decrease(impurities.sqrt_gini), first, 2982),
        (decrease(impurities.sqrt_gini), even, 2000),
        (decrease(impurities.misclassification), first, 5075),
        (decrease(impurities.misclassification), even, 6000),
    ]
    return [Fraction(51, 10**6) - m.abs(2 * c.score(t, m) - Fraction(x, 10**4)) for c, t, x in wanted]


# A risk reduction on a node of n of the N training examples.


def reduction(table: Any, whole: int) -> Fraction:
    """Return the risk reduction of the 0-1 loss: what the split saves, over the number of all training examples."""
    node = [a + b for a, b in zip(*table, strict=True)]
    lost = [sum(row) - max(row) for row in (node, *table)]
    return Fraction(lost[0] - lost[1] - lost[2], whole)


def is_drop(times: Callable[[int, int], Fraction]) -> Exhaustive:
    """The risk reduction is ``times(n, N)`` times the decrease of the impurity."""

    def holds(case: tuple[Any, int]) -> bool:
        table, outside = case
        n = sum(map(sum, table))
        gain = score(decrease(impurities.misclassification), table)
        return bool(reduction(table, n + outside) == times(n, n + outside) * gain)

    return Exhaustive(lambda: ((t, k) for t in binary_splits(5, 3) for k in range(3)), holds)


THEOREMS = [
    Theorem(
        key="noise.transition_matrix_from_similarities_is_stochastic",
        statement="with similarities s_ij = 1 / d_ij and diagonal entries s_ii from sums of distances scaled to "
        "[1/2, 9/10], eta_ij = (1 - s_ii) s_ij / sum_k s_ik is a transition matrix; for K >= 3 its diagonal "
        "dominates every row, and the nearer of two classes gets more of the noise",
        source="wilton2024, Appendix J and Algorithm 1",
        scope="row sums for any distances and diagonal, K = 3, 4, 5; the rest for K = 3, 4, 5 classes at integer "
        "places 0 to 7 of a line",
        added="the off-diagonal entries are normalised to sum to 1 - s_ii, K >= 3, and the sums of distances differ",
        holds=All(*(leaving(K, True) for K in (3, 4, 5)), Exhaustive(lines(3, 4, 5), good)),
        fails=(
            NearMiss(
                "the entries s_ij / (1 - s_ii) make a transition matrix",
                Exhaustive(lines(3), lambda places: is_channel(rows(places, printed))),
            ),
            NearMiss("the same for two classes", Exhaustive(lines(2), defined), "hypothesis"),
            NearMiss("classes of larger total similarity stay less", Exhaustive(lines(3, 4), similar_stays_less)),
            NearMiss("a label is always more likely kept than changed", Exhaustive(lines(3, 4, 5), outweighs_row)),
        ),
        latex=r"\eta_{ij} = (1-s_{ii})\,\frac{s_{ij}}{\sum_{k\ne i}s_{ik}}",
    ),
    Theorem(
        key="ne.better_split_changes_once_of_example",
        statement="for a balanced node and the splits into shares 0, 2/3 and into 1/5, 4/5, the split with the pure "
        "child is better exactly if lam < 2 sqrt(2) / 5",
        source="wilton2024, Appendix M",
        scope="every lam in (0, 1]",
        holds=flips_at(Fraction(8, 25)),
        fails=(
            NearMiss("it changes at lam = 1/2", flips_at(Fraction(1, 4))),
            NearMiss("the split with the pure child is better for every lam < 1", flips_at(Fraction(1))),
        ),
        latex=r"\lambda^* = \tfrac{2\sqrt2}{5}",
    ),
    Theorem(
        key="ne.example_reductions_enclosed",
        statement="with 0.67 for the larger share and impurities of maximum 1, the reductions are 0.2982 and 0.2000 "
        "for the square root of Gini, 0.5075 and 0.6000 for misclassification: the rankings differ",
        source="wilton2024, Appendix M",
        scope="the example, by enclosures",
        holds=All(
            Sign(printed_values),
            Sign(lambda m: [x - Fraction(1, 20) for x in rank_gaps(m)]),
        ),
        fails=(
            NearMiss(
                "0.67 stands for 2/3: the digits agree",
                Sign(lambda m: printed_values(m, PURE)),
            ),
            NearMiss(
                "both impurities prefer the split with the pure child",
                Sign(lambda m: [rank_gaps(m)[0], -rank_gaps(m)[1]]),
            ),
        ),
    ),
    Theorem(
        key="split.risk_reduction_is_node_share_times_drop",
        statement="on a node of n of N examples the risk reduction is n / N times the decrease of the impurity, the "
        "gap between the curve and the chord; it is the gap itself at the root alone",
        source="wilton2024, eq. (1) and Appendix M",
        scope="the 0-1 loss, all tables of two rows with n <= 5, K = 3, N <= n + 2",
        added="the factor n / N",
        holds=is_drop(Fraction),
        fails=(
            NearMiss("it is the gap", is_drop(lambda n, whole: Fraction(1))),
            NearMiss("the factor is N / n", is_drop(lambda n, whole: Fraction(whole, n))),
        ),
    ),
]


def rank_gaps(m: Any) -> list[Any]:
    """How much better the split with the pure child is by sqrt_gini, and how much worse by misclassification."""
    even, pure = on(EVEN, m), on(ROUNDED, m)
    root, error = decrease(impurities.sqrt_gini).score, decrease(impurities.misclassification).score
    return [2 * (root(pure, m) - root(even, m)), 2 * (error(even, m) - error(pure, m))]


ERRATA = [
    Erratum(
        "R-E10a",
        Exhaustive(lines(3), lambda places: is_channel(rows(places, printed))),
        "noise.transition_matrix_from_similarities_is_stochastic",
    ),
    Erratum(
        "R-E10b",
        Exhaustive(lines(3, 4), similar_stays_less),
        "noise.transition_matrix_from_similarities_is_stochastic",
    ),
    Erratum("R-E16", is_drop(lambda n, whole: Fraction(1)), "split.risk_reduction_is_node_share_times_drop"),
]
