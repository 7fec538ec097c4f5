"""The most even splits of a node against all of them; nodes and the tables of their splits."""

from __future__ import annotations

import random

import pytest

from splitcrit import gini
from splitcrit.vertices import fractional_optimum
from splitcrit.vertices.balance import Halves, bitset
from splitcrit.vertices.node import NodeShares


def distance(node: NodeShares, subset: int) -> int:
    """The difference of the two sides of a split."""
    return abs(node.total - 2 * sum(w for i, w in enumerate(node.weights) if subset >> i & 1))


@pytest.mark.parametrize("seed", range(60))
def test_the_most_even_splits_are_found_with_their_distance(seed: int) -> None:
    source = random.Random(seed)
    node = NodeShares.of([source.randint(1, (4, 30, 1000)[seed % 3]) for _ in range(2 + seed % 8)])
    every = {subset: distance(node, subset) for subset in range(1, node.everything, 2)}
    least = min(every.values())
    best = {subset for subset, d in every.items() if d == least}
    found = bitset(node, 1000)
    assert found.distance == least == Halves(node).distance()
    assert set(found.subsets) == best and found.complete and found.proven
    few = bitset(node, 1)
    assert len(few.subsets) == 1 and set(few.subsets) <= best and few.complete == (len(best) == 1)


def test_the_table_of_a_split_has_the_subset_in_its_first_row() -> None:
    node = NodeShares.of([2, 0, 7, 4])
    assert node.present == (2, 3, 0) and node.weights == (7, 4, 2)
    assert node.left(0b101) == (0, 2) and node.right(0b101) == (3,)
    assert node.table(0b101) == [[2, 0, 7, 0], [0, 0, 0, 4]]
    assert node.table(0b010) == [[0, 0, 0, 4], [2, 0, 7, 0]]
    assert node.anchored(0b010) == 0b101 and node.anchored(0b101) == 0b101


def test_a_search_over_parts_of_many_classes_is_refused_before_it_begins() -> None:
    with pytest.raises(ValueError, match="a search over parts of 2000 classes takes at most"):
        fractional_optimum([1] * 2000, gini, limit=1000)
