"""P-values of many tables at once: the law of their draws, tails by integers and by scipy, all orders of labels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from scipy.stats import fisher_exact, hypergeom

import oracles
from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.evidence import log_of_cuts
from splitcrit.nulls.multiple import benjamini_hochberg, benjamini_yekutieli
from splitcrit.nulls.table_pvalues import ENOUGH, MOST_CELLS, chances, drawn_pvalues, in_order, tails

TABLES = [[[5, 3, 2], [3, 4, 6]], [[2, 5, 5, 1], [5, 2, 6, 5]], [[9, 1, 2], [1, 4, 6]], [[0, 8, 4], [9, 4, 8]]]


@pytest.mark.parametrize("table", TABLES)
def test_draws_end_as_often_as_the_exact_p_value_says(table: list[list[int]]) -> None:
    exact, times, samples = float(gini_pvalue(table, method="exact")), 3000, 400
    found, errors = drawn_pvalues(np.array([table] * times), samples, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    reached = np.cumsum(rng.random((times, samples)) < exact, axis=1)  # what it does, with coins for tables
    last = np.where(reached[:, -1] >= ENOUGH, (reached >= ENOUGH).argmax(axis=1) + 1, samples)
    expected = np.where(reached[:, -1] >= ENOUGH, ENOUGH / last, (1 + reached[:, -1]) / (1 + samples))
    draws = np.where(reached[:, -1] >= ENOUGH, last, 1 + samples)
    claimed = np.sqrt(expected * (1 - expected) / draws)
    assert abs(errors.mean() - claimed.mean()) < 4 * np.hypot(errors.std(), claimed.std()) / np.sqrt(times)
    for power in (1, -1):
        error = np.hypot((found**power).std(), (expected**power).std()) / np.sqrt(times)
        assert abs((found**power).mean() - (expected**power).mean()) < 4 * error


def test_few_draws_and_no_tables() -> None:
    assert drawn_pvalues(np.array([[[9, 0, 0], [0, 9, 9]]]), 3, np.random.default_rng(0))[0].tolist() == [0.25]
    assert drawn_pvalues(np.zeros((0, 2, 3), dtype=int), 9, np.random.default_rng(0)).shape == (2, 0)


RNG = np.random.default_rng(0)


def exact_tail(table: list[list[int]]) -> Fraction:
    """The probability of a gain at least that of a table, whose margins are positive."""
    rows, columns = tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))
    return oracles.tail(oracles.table_law(rows, columns), oracles.gain(table))


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_tails_are_those_of_integers(classes: int) -> None:
    tables = RNG.integers(0, 5, (40, 2, classes)) + np.eye(2, classes, dtype=int)
    tables = tables[(tables.sum(axis=1) > 0).all(axis=1)]
    assert tails(in_order(tables)) == pytest.approx([float(exact_tail(table)) for table in tables.tolist()], rel=1e-12)


def test_tables_in_order_have_the_smaller_side_and_the_rarer_classes_first() -> None:
    tables = RNG.integers(0, 9, (200, 2, 3))
    found = in_order(tables)
    assert (found[:, 0].sum(axis=1) <= found[:, 1].sum(axis=1)).all()
    assert (np.diff(found.sum(axis=1), axis=1) >= 0).all()
    assert (np.sort(found.reshape(200, 6)) == np.sort(tables.reshape(200, 6))).all()
    turned = tables[:, :, [2, 0, 1]]
    apart = tables[:, 0].sum(axis=1) != tables[:, 1].sum(axis=1)
    assert (in_order(turned[apart, ::-1]) == found[apart]).all()


def hypergeometric_tail(n: int, a: int, b: int, x: int) -> float:
    """The chance that a cell is as far from its mean as x, of a rows on one side and b labels of one class."""
    support = np.arange(max(0, a + b - n), min(a, b) + 1)
    return float(hypergeom(n, b, a).pmf(support)[abs(n * support - a * b) >= abs(n * x - a * b)].sum())


def test_two_classes_of_many_rows_have_the_hypergeometric_law() -> None:
    tables = RNG.multinomial(5000, [0.3, 0.2, 0.2, 0.3], 6).reshape(6, 2, 2)
    tables[3] = [[250, 250], [250, 250]]  # no gain: everything reaches it
    expected = [hypergeometric_tail(p + q + r + s, p + q, p + r, p) for (p, q), (r, s) in tables.tolist()]
    assert tails(in_order(tables)) == pytest.approx(expected, rel=1e-7)
    even = np.array([[[30, 10], [15, 25]]])  # equal sides: both tails are as far, as in Fisher's test
    assert tails(in_order(even)) == pytest.approx(fisher_exact(even[0]).pvalue, rel=1e-12)


def test_many_rows_agree_with_the_law_of_one_table() -> None:
    table = np.array([[[15_000, 14_700], [35_000, 35_300]]])
    assert tails(in_order(table)) == pytest.approx(float(gini_pvalue(table[0], method="exact")), rel=1e-8)


def test_too_many_tables_are_not_gone_through() -> None:
    side = int(MOST_CELLS**0.5)
    large = np.array([[[side, side, side], [9 * side] * 3]])
    assert np.isnan(tails(in_order(large))).all()
    assert np.isnan(tails(np.array([[[10**6, 0, 1], [0, 10**6, 1]]]))).all()
    many = np.array([[[500_300, 499_700], [499_700, 500_300]]])  # two classes take any number of rows
    assert tails(in_order(many))[0] == pytest.approx(gini_pvalue(many[0], method="exact").value, rel=1e-9)
    assert tails(np.zeros((0, 2, 3), dtype=int)).shape == (0,)


SOURCE = np.random.default_rng(0)
SMALL_TABLES = np.array([[[2, 1, 0], [1, 1, 2]], [[3, 0, 0], [0, 2, 2]], [[1, 1, 1], [2, 1, 1]], [[2, 2, 0], [0, 3, 0]],
                   [[4, 1, 2], [0, 0, 0]], [[3, 0, 0], [4, 0, 0]]])  # fmt: skip


@pytest.mark.parametrize("table", SMALL_TABLES[:4].tolist())
def test_scores_are_those_of_all_orders_of_the_labels(table: list[list[int]]) -> None:
    kept = [list(row) for row in zip(*(column for column in zip(*table, strict=True) if any(column)), strict=True)]
    law = oracles.permutation_law(tuple(map(sum, kept)), tuple(map(sum, zip(*kept, strict=True))))
    found = chances(np.array([table, table[::-1]]), 99, SOURCE)
    assert found.pvalue == pytest.approx([float(oracles.tail(law, oracles.gain(kept)))] * 2, rel=1e-12)
    mean, variance, _ = oracles.moments(law)
    expected = float(oracles.gain(kept) - mean) / float(variance) ** 0.5
    assert found.sgini == pytest.approx([expected] * 2, rel=1e-9, abs=1e-12)


def test_a_table_of_one_side_or_one_class_has_p_value_one_and_cannot_pass() -> None:
    found = chances(SMALL_TABLES, 99, SOURCE)
    assert found.method.tolist() == ["exact"] * 4 + ["cannot reject"] * 2 and (found.error == 0).all()
    assert found.pvalue[4:].tolist() == [1, 1] and found.sgini[4:].tolist() == [0, 0]
    untested = chances(SMALL_TABLES, 99, SOURCE, tested=False)
    assert np.isnan([untested.pvalue, untested.error]).all() and set(untested.method) == {""}


def test_a_large_table_of_three_classes_joins_random_tables_and_evidence() -> None:
    large = np.array([[[360, 330, 330], [320, 340, 330]], [[900, 290, 210], [110, 290, 900]],
                      [[70, 60, 55], [30, 40, 45]]])  # fmt: skip
    found = chances(large, 199, np.random.default_rng(1))
    assert set(found.method) == {"random tables and evidence"}
    drawn = 20 / (found.pvalue[0] * 0.95)  # .95 of it is the share of random tables, of which 20 were waited for
    assert drawn == pytest.approx(round(drawn)) and drawn < 199
    assert found.error[0] == pytest.approx(found.pvalue[0] * np.sqrt((1 - found.pvalue[0] * 0.95) / 20))
    assert np.log(found.pvalue[1]) == pytest.approx(np.log(20) - log_of_cuts(large[1]), rel=1e-9)
    assert found.pvalue[1] < 1e-100 and found.error[1] == 0


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
    assert chances(wide, 199, SOURCE).pvalue == pytest.approx(chances(large, 199, SOURCE).pvalue, rel=1e-12)


def test_two_classes_are_exact_however_large() -> None:
    found = chances(np.array([[[4000, 3000], [3000, 4000]], [[400_000, 300_000], [300_400, 400_000]]]), 9, SOURCE)
    assert set(found.method) == {"exact"} and 0 < found.pvalue[0] < 1e-60 and found.pvalue[1] < 1e-60


def test_discoveries_are_those_of_the_definition() -> None:
    p = SOURCE.random(20) ** 4
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
