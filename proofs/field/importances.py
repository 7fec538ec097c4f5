"""What impurity importances of fully developed trees add up to, and what fails otherwise.

The *importance* of a feature is the sum of the decreases of its splits, each by its share of the examples, averaged
over trees. *Totally randomised* trees draw the feature of each node by chance alone and split it in all its values.

Source: louppe2013.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from splitcrit.criteria import Criterion
from splitcrit.impurities import entropy, gini
from splitcrit.proof import Exhaustive, Identity, Induction, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import compositions, gini_decrease, kinds, of_values, score, up_to
from splitcrit.proofs.impurity.printed_gains import exact_gain
from splitcrit.proofs.two_class import two_classes

CELLS = [(i, j) for i in (0, 1) for j in (0, 1)]  # values of the two features


def telescopes(weighted: bool = True) -> Induction:
    """Claim that a node and the trees below it gain n times its impurity less that of their leaves.

    Of each child: its size, its impurity, and the sum of n times the impurity over the leaves below it.
    """

    def sides(entries: Any, v: Any, m: Any) -> Any:
        sizes, values = [e.n for e in entries], [e.g for e in entries]
        below = sum(e.n * e.g - e.leaves for e in entries)
        own = (sum(sizes) if weighted else 1) * of_values(sizes, [*values, v.node], m)
        return own + below, sum(sizes) * v.node - sum(e.leaves for e in entries)

    return Induction(
        "r",
        {"n": "positive", "g": "real", "leaves": "real"},
        sides,
        lambda e, v, m: [e.n, e.leaves],
        lambda sums, v, m: (sums[0] * v.node - sums[1],) * 2,
        shared={"node": "real"},
    )


def sizes_of(v: Any) -> dict[tuple[int, int], Any]:
    """The number of examples of each pair of values."""
    return {cell: getattr(v, f"n{cell[0]}{cell[1]}") for cell in CELLS}


def gain_of(v: Any, m: Any, rows: list[list[tuple[int, int]]], values: list[Any], node: Any) -> Any:
    """N times the decrease of a split whose rows are sets of cells, by given impurities, by share."""
    n = sizes_of(v)
    sizes = [sum(n[cell] for cell in row) for row in rows]
    return sum(sizes) * of_values(sizes, [*values, node], m)


def randomised(depth: int = 2, weights: tuple[int, int] = (1, 1)) -> Identity:
    """Claim that the importances of two binary features in totally randomised trees add up to the joint decrease.

    The impurity takes any values: ``root``, ``a0, a1`` and ``b0, b1`` where one feature is known, ``c00`` to ``c11``.
    """

    def first(v: Any, m: Any, axis: int) -> Any:
        letter = "ab"[axis]
        rows = [[cell for cell in CELLS if cell[axis] == x] for x in (0, 1)]
        return gain_of(v, m, rows, [getattr(v, f"{letter}{x}") for x in (0, 1)], v.root)

    def second(v: Any, m: Any, axis: int) -> Any:
        """The feature of this axis below a split by the other one."""
        importance = 0
        for x in (0, 1):
            rows = [[cell] for cell in CELLS if cell[1 - axis] == x]
            values = [getattr(v, f"c{row[0][0]}{row[0][1]}") for row in rows]
            importance += gain_of(v, m, rows, values, getattr(v, f"{'ab'[1 - axis]}{x}"))
        return importance

    def importances(v: Any, m: Any) -> Any:
        parts = [(first(v, m, axis) + (second(v, m, axis) if depth == 2 else 0)) for axis in (0, 1)]
        return (weights[0] * parts[0] + weights[1] * parts[1]) / 2

    def joint(v: Any, m: Any) -> Any:
        return gain_of(v, m, [[cell] for cell in CELLS], [getattr(v, f"c{i}{j}") for i, j in CELLS], v.root)

    values = [f"{letter}{x}" for letter in "ab" for x in (0, 1)] + [f"c{i}{j}" for i, j in CELLS] + ["root"]
    return Identity(kinds("positive", *(f"n{i}{j}" for i, j in CELLS)) | kinds("real", *values), importances, joint)


Counts = tuple[int, ...]


def data(most: int, classes: int) -> Any:
    """Yield the counts of two binary features and a label."""
    for n in range(1, most + 1):
        yield from compositions(n, 4 * classes)


def table_of(case: Counts, axis: int, other_value: int | None = None) -> tuple[tuple[int, ...], ...]:
    """The table of a feature and the label, among the examples whose other feature has a value."""
    cells = dict(zip(product((0, 1), repeat=3), case, strict=True))
    rows = []
    for x in (0, 1):
        inside = [cell for cell in cells if cell[axis] == x and other_value in (None, cell[1 - axis])]
        rows.append(tuple(sum(cells[cell] for cell in inside if cell[2] == y) for y in (0, 1)))
    return tuple(rows)


def below(case: Counts, axis: int, criterion: Criterion = gini_decrease) -> Any:
    """What a feature gains below a split by the other one, by the shares of the examples, times N."""
    tables = [table_of(case, axis, x) for x in (0, 1)]
    return sum(sum(map(sum, t)) * score(criterion, t) for t in tables)


def at_root(case: Counts, axis: int) -> Any:
    return sum(case) * score(gini_decrease, table_of(case, axis))


def equal_rates(t: Any) -> bool:
    (a, b), (c, d) = t
    return bool(a * d == b * c)


def irrelevant(case: Counts, axis: int) -> bool:
    """Whether the label is independent of the feature, alone and given the other one."""
    return all(equal_rates(table_of(case, axis, other_value)) for other_value in (None, 0, 1))


def zero_means(importance: Callable[[Counts], Any], most: int = 4) -> Exhaustive:
    """Claim that the importance of the second feature is zero exactly if it is irrelevant."""
    return up_to(most, data, lambda case: (importance(case) == 0) == irrelevant(case, 1), sum, K=(2,))


def shown_by_entropy(case: Counts) -> bool:
    """Whether the joint decrease of Gini is the joint information."""
    cells = [case[i : i + 2] for i in range(0, 8, 2)]
    return bool(sum(map(bool, map(sum, cells))) < 2 or exact_gain(entropy, cells) == exact_gain(gini, cells))


TELESCOPE, RANDOM = Law(telescopes, weighted=True), Law(randomised, depth=2)

THEOREMS = [
    Theorem(
        key="field.importances_add_up_to_impurity_less_that_of_leaves",
        statement="whatever the impurity, the tree and the number of classes, N times the importances of all features,"
        " summed, is N times the impurity of the root less n times that of each leaf: a node adds its own, whatever"
        " its children gain below",
        source="louppe2013, Theorem 1",
        holds=TELESCOPE,
        premises=(
            Premise("importances_add_up_to_impurity_less_that_of_leaves", kind="kernel"),
            Premise("gain.refinement_adds_the_gain_of_the_row", kind="theorem"),
        ),
        fails=(
            TELESCOPE.but("so it is if splits are not weighted by their examples", weighted=False),
            NearMiss("by Gini the sum is the information in nats", up_to(3, data, shown_by_entropy, sum, K=(2,))),
        ),
    ),
    Theorem(
        key="field.importances_add_up_to_information_of_totally_randomised_trees",
        statement="in trees that split every node in all values of a feature until none is left, in whatever order,"
        " the leaves are the cells of all features, so that the importances add up to the decrease by all jointly, for"
        " entropy the information that they hold of the label; written out for two binary features and both orders",
        source="louppe2013, Theorems 1 and 2",
        holds=RANDOM,
        premises=(
            Premise("field.importances_add_up_to_impurity_less_that_of_leaves", kind="theorem"),
            Premise("gain.entropy_is_mutual_information", kind="theorem"),
        ),
        fails=(
            RANDOM.but("trees of depth 1 are enough", depth=1),
            RANDOM.but("one feature may count twice", weights=(2, 0)),
        ),
    ),
    Theorem(
        key="field.importance_is_zero_of_irrelevant_features_of_totally_randomised_trees",
        statement="of two binary features and two classes, by totally randomised trees on the counts themselves, the"
        " importance of a feature is zero exactly if the label is independent of it, alone and given the other one",
        source="louppe2013, Theorem 3",
        holds=two_classes(zero_means(lambda case: at_root(case, 1) + below(case, 1))),
        fails=(
            NearMiss(
                "so it is in trees that split the first feature first: a copy of it is masked",
                zero_means(lambda case: below(case, 1)),
                "hypothesis",
            ),
            NearMiss(
                "so it is in trees of depth 1: of exclusive or nothing is seen",
                zero_means(lambda case: at_root(case, 1)),
                "hypothesis",
            ),
        ),
    ),
]
