"""P-values and SGini by all orders of the labels; discoveries by their definition; the false discovery rate."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from splitcrit.inference.chances import by_discoveries, chances

RNG = np.random.default_rng(0)
TABLES = np.array([[[2, 1, 0], [1, 1, 2]], [[3, 0, 0], [0, 2, 2]], [[1, 1, 1], [2, 1, 1]], [[2, 2, 0], [0, 3, 0]],
                   [[4, 1, 2], [0, 0, 0]], [[3, 0, 0], [4, 0, 0]]])  # fmt: skip


def gain(left: tuple[int, ...], right: tuple[int, ...]) -> Fraction:
    def kept(labels: tuple[int, ...]) -> Fraction:
        return sum((Fraction(labels.count(k) ** 2, len(labels)) for k in set(labels)), Fraction(0))

    return kept(left) + kept(right)


@pytest.mark.parametrize("table", TABLES[:4].tolist())
def test_scores_are_those_of_all_orders_of_the_labels(table: list[list[int]]) -> None:
    labels = tuple(k for side in table for k, count in enumerate(side) for _ in range(count))
    size = sum(table[0])
    mine = gain(labels[:size], labels[size:])
    every = [gain(order[:size], order[size:]) for order in permutations(labels)]
    found = chances(np.array([table, table[::-1]]), 99, RNG)
    assert found.pvalue == pytest.approx([sum(g >= mine for g in every) / len(every)] * 2, rel=1e-12)
    spread = float(np.std([float(g) for g in every]))
    expected = (float(mine) - float(np.mean([float(g) for g in every]))) / spread
    assert found.sgini == pytest.approx([expected] * 2, rel=1e-9, abs=1e-12)


def test_a_table_of_one_side_or_one_class_has_p_value_one_and_cannot_pass() -> None:
    found = chances(TABLES, 99, RNG)
    assert found.testable.tolist() == [True] * 4 + [False] * 2
    assert found.pvalue[4:].tolist() == [1, 1] and found.sgini[4:].tolist() == [0, 0]
    assert np.isnan(chances(TABLES, 99, RNG, tested=False).pvalue).all()


def test_a_large_table_of_three_classes_has_the_p_value_of_random_tables() -> None:
    large = np.array([[[340, 330, 330], [330, 340, 330]], [[900, 290, 210], [110, 290, 900]]])
    found = chances(large, 199, np.random.default_rng(1))
    assert found.sampled == 2 and found.pvalue[1] == pytest.approx(1 / 200)
    drawn = 20 / found.pvalue[0]
    assert drawn == pytest.approx(round(drawn)) and drawn < 199


def test_two_classes_are_exact_however_large() -> None:
    found = chances(np.array([[[4000, 3000], [3000, 4000]]]), 9, RNG)
    assert found.sampled == 0 and 0 < found.pvalue[0] < 1e-60


def test_discoveries_are_those_of_the_definition() -> None:
    p = RNG.random(20) ** 4
    p[7] = np.nan
    kept = sorted(x for x in p if x == x)
    m = len(kept)
    harmonic = sum(1 / i for i in range(1, m + 1))
    found = by_discoveries(p)
    for alpha in (0.01, 0.05, 0.2, 0.5):
        below = [i for i in range(1, m + 1) if kept[i - 1] <= i * alpha / (m * harmonic)]
        passed = kept[: max(below, default=0)]
        assert sorted(p[found <= alpha]) == pytest.approx(passed)
    assert np.isnan(found[7])
    assert np.isnan(by_discoveries(np.array([np.nan]))).all()
