"""P-values corrected for their number: by definition, and as closed tests."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from splitcrit.nulls.multiple import holm


def test_holm_by_its_definition() -> None:
    rng = np.random.default_rng(0)
    for d in (1, 2, 5):
        p = rng.random(d).tolist()
        for alpha in (0.05, 0.3, 0.7):
            ranked, rejected = sorted(range(d), key=lambda j: p[j]), set()
            for step, j in enumerate(ranked):
                if p[j] > alpha / (d - step):
                    break
                rejected.add(j)
            assert {j for j, q in enumerate(holm(p)) if q <= alpha} == rejected
    assert holm([]) == []


def closed(p: Sequence[Fraction]) -> list[Fraction]:
    """Closed testing: the largest of Bonferroni's p-values of all sets of hypotheses that hold each one."""
    found = [Fraction(0)] * len(p)
    for size in range(1, len(p) + 1):
        for several in combinations(range(len(p)), size):
            of_all = min(Fraction(1), size * min(p[j] for j in several))
            for j in several:
                found[j] = max(found[j], of_all)
    return found


@pytest.mark.parametrize("d", range(1, 13))
def test_holm_is_the_closed_test_of_bonferroni(d: int) -> None:
    """Of up to twelve p-values, some of them equal, some adjusted to 1."""
    for seed in range(3):
        p = [Fraction(int(x), 24 * d) for x in np.random.default_rng(seed).integers(1, 24 + 6 * d, d)]
        assert holm(p) == closed(p)  # type: ignore[arg-type]
