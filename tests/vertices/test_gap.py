"""How far a split of the classes that is not proved best may be from the best: exactly, and against all subsets."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import gcd

import numpy as np
import pytest

from splitcrit import entropy
from splitcrit.vertices import optimal_vertex

HALF = Fraction(1, 2)


def nearest(counts: list[int]) -> Fraction:
    """Return the distance to 1/2 of the best share of any subset."""
    sums = {sum(chosen) for k in range(1, len(counts)) for chosen in combinations(counts, k)}
    return min(abs(Fraction(s, sum(counts)) - HALF) for s in sums)


@pytest.mark.parametrize(
    ("counts", "gap"), [([100, 99, 98, 77, 65, 31, 22], Fraction(1, 123)), ([5, 5, 4, 3, 3], Fraction(1, 20))]
)
def test_the_gap_of_the_first_step_exactly(counts: list[int], gap: Fraction) -> None:
    found = optimal_vertex(counts, entropy, method="karmarkar_karp", steps=1)
    assert not found.proven and found.gap == gap == abs(found.share - HALF)


def test_no_subset_is_nearer_to_half_than_the_gap_allows() -> None:
    """Of an odd number, in units of the greatest common divisor, no share is 1/2: that much is no gap."""
    rng, seen = np.random.default_rng(3), set()
    for _ in range(300):
        counts = rng.integers(1, 60, int(rng.integers(5, 9))).tolist()
        found, n = optimal_vertex(counts, entropy, method="karmarkar_karp", steps=1), sum(counts) // gcd(*counts)
        apart = abs(found.share - HALF)
        if found.proven:
            assert found.gap == 0 and apart == nearest(counts)
            continue
        assert found.gap == apart - Fraction(n % 2, 2 * n) and apart - nearest(counts) <= found.gap
        seen.add((n % 2, apart == nearest(counts)))
    assert {parity for parity, _ in seen} == {0, 1} and len(seen) > 2
