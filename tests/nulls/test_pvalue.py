"""p-values of the Gini gain against enumeration and against scipy's distributions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats
from scipy import stats
from scipy.stats import chi2, fisher_exact, hypergeom

import oracles
from refusals import refused
from splitcrit import gini_gain, gini_null, gini_pvalue, sgini, significance
from splitcrit.nulls import PValue
from splitcrit.nulls.evidence import log_of_cuts
from splitcrit.nulls.exact import TooLarge, exact_tail, fillings, law_by_rows, two_by_two_tail
from splitcrit.nulls.multiple import benjamini_hochberg, benjamini_yekutieli
from splitcrit.nulls.table_pvalues import ENOUGH, MOST_CELLS, chances, drawn_pvalues, in_order, tails

MARGINS = [((3, 7), (4, 6)), ((2, 4, 4), (4, 6)), ((4, 6), (2, 4, 4)), ((3, 2, 1), (4, 2)), ((3, 3, 2), (3, 3, 2)),
           ((2, 2, 1), (3, 1, 1)), ((5, 1, 1), (4, 3)), ((6, 5), (1, 10)), ((3, 1), (2, 1, 1)),
           ((4, 1), (2, 1, 1, 1))]  # fmt: skip


@pytest.mark.parametrize(("rows", "columns"), MARGINS)
def test_exact_is_enumeration(rows, columns):
    law = oracles.table_law(rows, columns)
    assert gini_null(rows, columns).variance > 0
    for table, _ in oracles.tables(rows, columns):
        truth = oracles.tail(law, oracles.gain(table))
        listed = [list(row) for row in table]
        assert exact_tail(listed, 10**6) == truth
        assert gini_pvalue(listed, method="exact") == PValue(float(truth), "exact", "permutation")
        assert gini_pvalue(listed) == PValue(float(truth), "exact", "permutation")


@pytest.mark.parametrize("columns", [(4, 6), (3, 3, 2), (1, 1, 5), (0, 2, 3)])
def test_fillings_are_the_tables_of_two_rows(columns):
    n = sum(columns)
    for size in range(n + 1):
        assert fillings([size, n - size], columns, 1000) == len(list(oracles.tables((size, n - size), columns)))
    assert not fillings([10_000] * 300, (10_000,) * 300, 10**300) <= 1e300


def steps_taken(totals, columns):
    """The least limit under which the dynamic programme ends."""
    low, high = 0, 10**6
    while low < high:
        middle = (low + high) // 2
        try:
            law_by_rows(totals, columns, math.lcm(*totals), 1, middle)
            high = middle
        except TooLarge:
            low = middle + 1
    return low


@pytest.mark.parametrize("case", range(12))
def test_steps_are_counted_before_states_are_listed(case, monkeypatch):
    """So a limit refuses the same tables, whether it is met by counting or by the programme itself."""
    monkeypatch.setattr("splitcrit.nulls.exact.FEW", -1)
    rng = np.random.default_rng(case)
    rows = 1 + rng.multinomial(int(rng.integers(4, 16)), np.ones(2 + case % 4) / (2 + case % 4))
    classes = 2 + case % 3
    columns = tuple(sorted((1 + rng.multinomial(rows.sum() - classes, np.ones(classes) / classes)).tolist()))
    totals = sorted(rows.tolist(), reverse=True)
    steps = steps_taken(totals, columns)
    assert fillings(totals, columns, 10**6) == steps
    for limit in (steps // 3, steps - 1, steps):
        assert (fillings(totals, columns, limit) <= limit) == (limit >= steps)


def test_two_by_two_is_enumeration_for_all_small_tables():
    for cells in product(range(5), repeat=4):
        table = [list(cells[:2]), list(cells[2:])]
        if 0 in (*map(sum, table), *map(sum, zip(*table, strict=True))):
            continue
        assert two_by_two_tail(table) == float(exact_tail(table, 10**6))


@pytest.mark.parametrize(
    "table", [[[30, 20], [15, 40]], [[600, 400], [450, 550]], [[7, 993], [1, 1999]], [[2000, 1900], [1800, 2100]]]
)
def test_long_two_by_two_laws_in_float64(table, monkeypatch):
    truth = two_by_two_tail(table)
    monkeypatch.setattr("splitcrit.nulls.exact.EXACT_SUPPORT", 0)
    assert two_by_two_tail(table) == pytest.approx(truth, rel=1e-10)


def test_larger_tables_go_to_pearson3_and_exact_refuses_them():
    table = np.full((10, 10), 10) + np.eye(10, dtype=int)
    assert gini_pvalue(table).method == "pearson3"
    refused(r"the exact law is for small tables; got .*", gini_pvalue, table, method="exact", limit=0.001)
    with pytest.raises(TooLarge):
        exact_tail(table.tolist(), 1000)
    refused("small tables", gini_pvalue, [[10**9, 10**9], [10**9, 10**9 + 1]], method="exact")


@pytest.mark.parametrize(("rows", "columns"), MARGINS)
def test_pearson3_is_scipys(rows, columns):
    """Of positive and negative skewness, and without."""
    law = gini_null(rows, columns, order=3)
    for table, _ in oracles.tables(rows, columns):
        found = gini_pvalue(table, method="pearson3")
        assert float(found) == pytest.approx(stats.pearson3.sf(sgini(table), law.skewness), rel=1e-9, abs=1e-15)


def test_pearson3_is_certain_below_its_support():
    table = [[4, 1, 1], [2, 0, 0]]
    skew = gini_null([6, 2], [6, 1, 1], order=3).skewness
    assert skew > 0 and sgini(table) < -2 / skew
    assert float(gini_pvalue(table, method="pearson3")) == 1.0


@pytest.mark.parametrize("model", [None, "multinomial", "permutation"])
def test_gamma_is_the_upper_tail_of_the_gamma_law(model):
    table = [[12, 8], [5, 10], [8, 7]]
    law = gini_null([20, 15, 15], [25, 25], model=model or "multinomial")
    found = gini_pvalue(table, method="gamma", model=model)
    truth = stats.gamma.sf(gini_gain(table), law.mean**2 / law.variance, scale=law.variance / law.mean)
    assert float(found) == pytest.approx(truth, rel=1e-9)
    assert found.model == (model or "multinomial")


def test_many_classes_and_constant_gains_without_enumeration():
    singles = np.vstack([np.arange(300) > 0, np.arange(300) == 0]).astype(int)
    assert gini_pvalue(singles, method="exact") == PValue(1.0, "exact", "permutation")
    classes = np.vstack([np.arange(300) + 1, np.arange(300) == 7])
    assert gini_pvalue(classes).method == "pearson3"
    wide = np.random.default_rng(0).integers(1, 3, (2, 2000))
    assert gini_pvalue(wide).method == "pearson3"
    refused("small tables", gini_pvalue, wide[:, :150], method="exact")


@pytest.mark.parametrize("model", ["permutation", "multinomial"])
def test_monte_carlo_is_within_its_standard_error(model):
    table, law = ((3, 1, 0), (1, 0, 2)), oracles.table_law if model == "permutation" else oracles.multinomial_law
    truth = float(oracles.tail(law((4, 3), (4, 1, 2)), oracles.gain(table)))
    found, again = (gini_pvalue(table, method="monte_carlo", model=model, rng=1, samples=20_000) for _ in range(2))
    assert (found.method, found.model) == ("monte_carlo", model) and found == again
    assert 0 < found.standard_error < 0.01 and abs(float(found) - truth) < 4 * found.standard_error


def test_monte_carlo_counts_ties_and_the_table_itself():
    rarest = [[12, 0, 0], [0, 12, 0], [0, 0, 12]]
    assert float(gini_pvalue(rarest, method="monte_carlo", rng=0, samples=999)) == pytest.approx(1 / 1000)
    lowest = [[2, 4], [3, 6]]
    assert float(gini_pvalue(lowest, method="monte_carlo", rng=0, samples=99)) == 1.0


def test_monte_carlo_with_row_totals_of_a_large_multiple():
    rows = [101, 103, 107, 109, 113, 127, 131, 137]
    table = [[a // 2 + 5, a - a // 2 - 5] for a in rows]
    assert math.lcm(*rows) * sum(rows) ** 2 > 2**63
    found = gini_pvalue(table, method="monte_carlo", rng=0, samples=2000)
    assert abs(float(found) - float(gini_pvalue(table, method="pearson3"))) < 5 * found.standard_error + 0.02


@pytest.mark.parametrize("method", ["auto", "exact", "pearson3", "gamma", "monte_carlo"])
def test_certain_where_the_null_variance_is_zero(method):
    for table in ([[5, 0]], [[3], [4]], [[0, 0], [0, 0]], [[1, 0]]):
        for model in ("permutation", None, *(["multinomial"] if method in ("gamma", "monte_carlo") else [])):
            assert float(gini_pvalue(table, method=method, model=model, rng=0)) == 1.0
    for table in ([[3, 2], [0, 1]], [[1, 0], [0, 1]], [[4, 0], [3, 1]]):
        assert float(gini_pvalue(table, method=method, model="permutation", rng=0)) == 1.0


@pytest.mark.parametrize("method", ["auto", "exact", "pearson3", "gamma", "monte_carlo"])
def test_batches(method):
    batch = np.random.default_rng(1).integers(0, 4, (2, 3, 2, 3))
    found = gini_pvalue(batch, method=method, rng=5, samples=500)
    assert found.value.shape == (2, 3)
    assert ((found.value > 0) & (found.value <= 1)).all()
    if method != "monte_carlo":
        for place in np.ndindex(2, 3):
            assert float(gini_pvalue(batch[place], method=method)) == pytest.approx(found.value[place], rel=1e-12)
    assert found == gini_pvalue(batch, method=method, rng=5, samples=500)


def test_a_method_keeps_to_the_models_it_knows():
    table = [[3, 0], [1, 6]]
    for method in ("pearson3", "exact", "auto"):
        with pytest.raises(ValueError, match=f"method '{method}' needs what the multinomial model does not give"):
            gini_pvalue(table, method=method, model="multinomial")
    refused(r"below 2\*\*31", gini_pvalue, [[2**31, 1], [1, 2**31]], method="monte_carlo")
    assert hash(gini_pvalue(table)) == hash(gini_pvalue(table))
    assert gini_pvalue(table) != Fraction(1, 30)


@pytest.mark.parametrize("c", [10**20, 10**100, 10**160, 10**250])
def test_laws_of_tables_of_any_size(c: int) -> None:
    """Two by two, n times the gain becomes chi-square with one degree of freedom, of skewness sqrt(8)."""
    s = math.isqrt(c)
    even, split = [[3 * c + s, 5 * c - s], [6 * c - s, 10 * c + s]], [[7 * c, 2 * c], [3 * c, 9 * c]]
    chi_square = Fraction((24 * c * s) ** 2 * 24 * c, 8 * c * 16 * c * 9 * c * 15 * c)
    z = sgini(split)
    assert z == pytest.approx(float(c) * 4.061042809223649, rel=1e-12)  # (gain - mean) / sd, the latter two as 1/n
    for method in ("pearson3", "gamma"):
        assert float(gini_pvalue(split, method=method)) == 0
        assert float(gini_pvalue(even, method=method)) == pytest.approx(chi2.sf(float(chi_square), 1), rel=1e-8)
    assert significance(split) == pytest.approx(2.871590909090909 * float(c), rel=1e-9)
    exact = gini_null([8 * c, 16 * c + 1], [9 * c, 15 * c + 1], order=3, exact=True)
    scaled = [float(m * (24 * c + 1) ** i) for i, m in enumerate((exact.mean, exact.variance, exact.third), 1)]
    assert scaled[2] / scaled[1] ** 1.5 == pytest.approx(8**0.5, rel=1e-6)  # that of a squared normal, in the limit
    if c > 10**110:
        with pytest.raises(ValueError, match=r"a moment in float64 is at least 2e-308; .*; pass exact=True"):
            gini_null([8 * c, 16 * c + 1], [9 * c, 15 * c + 1], order=3)


def test_significance_lies_in_its_enclosure():
    pytest.importorskip("flint")
    from splitcrit.proof import BALL, Ball
    from splitcrit.proofs.common import binary_splits
    from splitcrit.proofs.vertex.nodes import enclosed

    for table in (*binary_splits(7, 2), *binary_splits(5, 3)):
        if all(map(sum, zip(*table, strict=True))):
            apart = Ball(Fraction(float(significance(table)))) - enclosed(significance, table)
            assert BALL.abs(apart) < Fraction(1, 10**10), table


def test_totals_beyond_int64_do_not_wrap() -> None:
    """Three cells of four hold equally many: a gain of 1/9, which no order of these labels reaches."""
    assert gini_pvalue([[2**62, 2**62], [2**62, 1]]).value < 1e-300
    for large, small in (
        ([[2**62] * 2, [2**62] * 2], [[2**20] * 2] * 2),
        ([[2**62] * 4, [1, 2, 3, 4]], [[2**40] * 4, [1, 2, 3, 4]]),
    ):
        assert float(gini_pvalue(large)) == pytest.approx(float(gini_pvalue(small)), rel=1e-5)


def test_counts_that_floats_do_not_tell_apart_have_a_p_value() -> None:
    """Of 10^300 and 2 observations in a row, and 3 and 4 in the other: four or more of six fall into a row of seven."""
    n = 10**300 + 9
    tail = sum(math.comb(6, x) * math.comb(n - 6, 7 - x) for x in (4, 5, 6))
    expected = math.log(tail) - math.log(math.comb(n, 7))
    for table in ([[10**300, 2], [3, 4]], [[4, 3], [2, 10**300]]):
        assert gini_pvalue(table).log_value == pytest.approx(expected, rel=1e-12)


# P-values of many tables at once: the law of their draws, tails by integers and by scipy, all orders of labels.

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


def listed_tail(table: list[list[int]]) -> Fraction:
    """The probability of a gain at least that of a table, whose margins are positive."""
    rows, columns = tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))
    return oracles.tail(oracles.table_law(rows, columns), oracles.gain(table))


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_tails_are_those_of_integers(classes: int) -> None:
    tables = RNG.integers(0, 5, (40, 2, classes)) + np.eye(2, classes, dtype=int)
    tables = tables[(tables.sum(axis=1) > 0).all(axis=1)]
    assert tails(in_order(tables)) == pytest.approx([float(listed_tail(table)) for table in tables.tolist()], rel=1e-12)


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
