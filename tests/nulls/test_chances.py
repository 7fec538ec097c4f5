"""P-values and SGini by all orders of the labels; discoveries by their definition; the false discovery rate."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
import scipy.stats

from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.multiple import benjamini_hochberg, benjamini_yekutieli
from splitcrit.nulls.table_pvalues import chances

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
    assert found.method.tolist() == ["exact"] * 4 + ["cannot reject"] * 2 and (found.error == 0).all()
    assert found.pvalue[4:].tolist() == [1, 1] and found.sgini[4:].tolist() == [0, 0]
    untested = chances(TABLES, 99, RNG, tested=False)
    assert np.isnan([untested.pvalue, untested.error]).all() and set(untested.method) == {""}


def test_a_large_table_of_three_classes_joins_random_tables_and_exact_tests_of_one_class() -> None:
    large = np.array([[[360, 330, 330], [320, 340, 330]], [[900, 290, 210], [110, 290, 900]],
                      [[70, 60, 55], [30, 40, 45]]])  # fmt: skip
    found = chances(large, 199, np.random.default_rng(1))
    assert set(found.method) == {"random tables and exact tests of one class"}
    drawn = 20 / (found.pvalue[0] / 2)  # half of it is the share of random tables, of which 20 were waited for
    assert drawn == pytest.approx(round(drawn)) and drawn < 199
    assert found.error[0] == pytest.approx(found.pvalue[0] * np.sqrt((1 - found.pvalue[0] / 2) / 20))
    one = [gini_pvalue([[side[k], sum(side) - side[k]] for side in large[1]], method="exact") for k in range(3)]
    assert found.pvalue[1] == pytest.approx(2 * 3 * min(map(float, one)), rel=1e-9) and found.error[1] == 0
    assert found.pvalue[1] < 1e-100


@pytest.mark.parametrize("scale", [1, 10**9])  # counts that fit one integer together, and ones that do not
def test_tables_that_occur_again_share_their_p_value(scale: int) -> None:
    few = np.array([[[3, 0, 1], [1, 6, 2]], [[3, 1, 0], [1, 6, 2]], [[2, 2, 4], [5, 0, 1]], [[3, 0, 1], [1, 7, 2]]])
    few[:, 1, 0] *= scale
    order = np.random.default_rng(5).integers(0, 4, 60)
    alone = np.concatenate([chances(table[None], 99, np.random.default_rng(0), tested=scale == 1) for table in few], 1)
    together = chances(few[order], 99, np.random.default_rng(0), tested=scale == 1)
    kept = slice(0, 2 if scale == 1 else 1)  # SGini, and the p-value where there is one
    assert np.array(together[kept]) == pytest.approx(alone[kept][:, order].astype(float), rel=1e-11)


def test_classes_that_do_not_occur_are_not_counted() -> None:
    large = np.array([[[900, 290, 210], [110, 290, 900]]])
    wide = np.insert(large, [1, 3], 0, axis=2)
    assert chances(wide, 199, RNG).pvalue == pytest.approx(chances(large, 199, RNG).pvalue, rel=1e-12)


def test_two_classes_are_exact_however_large() -> None:
    found = chances(np.array([[[4000, 3000], [3000, 4000]], [[400_000, 300_000], [300_400, 400_000]]]), 9, RNG)
    assert set(found.method) == {"exact"} and 0 < found.pvalue[0] < 1e-60 and found.pvalue[1] < 1e-60


def test_discoveries_are_those_of_the_definition() -> None:
    p = RNG.random(20) ** 4
    p[7] = 1.0  # counts like the others
    kept = sorted(p)
    m = len(kept)
    harmonic = sum(1 / i for i in range(1, m + 1))
    for correct, factor, method in ((benjamini_yekutieli, harmonic, "by"), (benjamini_hochberg, 1, "bh")):
        found = np.array(correct(p.tolist()))
        assert found == pytest.approx(scipy.stats.false_discovery_control(p, method=method), rel=1e-14)
        for alpha in (0.01, 0.05, 0.2, 0.5):
            below = [i for i in range(1, m + 1) if kept[i - 1] <= i * alpha / (m * factor)]
            passed = kept[: max(below, default=0)]
            assert sorted(p[found <= alpha]) == pytest.approx(passed)
        assert found[7] == 1 and m == 20
