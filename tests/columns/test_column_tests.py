"""The test of a column: against enumeration of all orders, against other laws, and its level by simulation."""

from __future__ import annotations

from itertools import permutations
from math import exp, log

import numpy as np
import pytest
from scipy import stats

from node_oracle import best, cuts, pvalues
from splitcrit.columns.column_tests import (  # fmt: skip
    CLASS,
    DRAWN,
    EXACT,
    INTERVAL,
    NO_CUT,
    QUANTILE,
    VALUE,
    categories_test,
    cuts_test,
    joined_test,
    responses_test,
)
from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.dichotomies import of_classes, of_responses
from splitcrit.nulls.exact import exact_surprise
from splitcrit.nulls.paths import crossings

RNG = np.random.default_rng(0)


def counts_of(codes: np.ndarray, labels: np.ndarray) -> np.ndarray:
    table = np.zeros((codes.max() + 1, labels.max() + 1), dtype=np.int64)
    np.add.at(table, (codes, labels), 1)
    return table[table.any(axis=1)][:, table.any(axis=0)]


@pytest.mark.parametrize("case", range(6))
def test_the_best_cut_of_two_classes_is_the_share_of_all_orders(case: int) -> None:
    rng = np.random.default_rng(case)
    codes, labels = rng.integers(0, 4, 7), tuple(rng.permutation([0, 0, 0, 1, 1, 1, 1]).tolist())
    sides = cuts(codes.tolist(), "numeric")
    found = cuts_test(counts_of(codes, np.array(labels)), False, RNG)
    square = float(best(labels, sides, "sgini"))
    assert found.method == EXACT and found.score * abs(found.score) == pytest.approx(square, rel=1e-9, abs=1e-9)
    assert found.p == pytest.approx(float(pvalues(labels, sides, "sgini")[labels]), rel=1e-12)


@pytest.mark.parametrize("case", range(20))
def test_the_law_lies_in_its_interval_which_is_not_wide(case: int) -> None:
    rng = np.random.default_rng(case)
    n = int(rng.integers(30, 400))
    labels = (rng.random(n) < rng.uniform(0.1, 0.5)).astype(int)
    labels[:2] = 0, 1
    codes = np.argsort(np.argsort(rng.normal(size=n) + labels * rng.uniform(0.5, 2)))
    codes = codes // int(rng.integers(1, 4))
    gaps = bool(case % 2)
    counts = counts_of(codes, labels)
    exact, bound, part = (cuts_test(counts, gaps, RNG, limit=limit) for limit in (10**4, 1e-6, n * 2e-6))
    assert (exact.method, bound.method, exact.least) == (EXACT, INTERVAL, None)
    assert exact.log_p <= bound.log_p + 1e-9 and bound.log_p <= exact.log_p + log(len(counts) * (1 + gaps))
    for each in (bound, part):
        assert each.log_p == bound.log_p and each.least is not None and each.least <= exact.p * (1 + 1e-9)
    assert gaps or part.least > exact.p / 4 or exact.p < 1e-5  # half of the places of the only walk
    assert (exact.cut, exact.missing_left) == (bound.cut, bound.missing_left)
    assert (exact.score, exact.gain) == (pytest.approx(bound.score, rel=1e-9), pytest.approx(bound.gain, rel=1e-9))


def test_the_crossings_of_cuts_apart_are_the_sum_of_hypergeometric_tails() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(4, 90))
        ones = int(rng.integers(1, n))
        cuts = 2 * np.unique(rng.integers(1, n // 2 + n % 2, 5))
        lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
        middle = cuts * ones / n
        lower[cuts] = np.ceil(middle - rng.integers(0, 9, len(cuts)) * rng.random())
        upper[cuts] = np.floor(middle + rng.integers(0, 9, len(cuts)) * rng.random())
        tails = [
            1.0 if lower[m] > upper[m]
            else stats.hypergeom.cdf(lower[m] - 1, n, ones, m) + stats.hypergeom.sf(upper[m], n, ones, m) for m in cuts
        ]  # fmt: skip
        assert exp(crossings(n, ones, lower, upper)) == pytest.approx(min(sum(tails), 1), rel=1e-9, abs=1e-13)


def test_a_table_is_judged_exactly_and_by_one_value_where_that_takes_long() -> None:
    small = np.array([[3, 0, 1], [0, 4, 1]])
    assert categories_test(small, RNG).method == EXACT
    rng = np.random.default_rng(0)
    large = rng.multinomial(4000, np.full(60, 1 / 60)).reshape(30, 2)
    assert categories_test(large, RNG).method in (DRAWN, VALUE) and categories_test(large, RNG).p > 0.01
    large[0] = 400, 20
    found = categories_test(large, RNG)
    by_value = stats.fisher_exact([large[0], large[1:].sum(axis=0)]).pvalue
    assert found.method == VALUE and found.p < 1e-30 and found.p == pytest.approx(2 * 30 * by_value, rel=1e-6)
    third = np.column_stack([large, rng.integers(50, 90, 30)])
    assert categories_test(third, RNG).method == CLASS and categories_test(third, RNG).p < 1e-20


def test_a_constant_gain_has_a_pvalue_of_one() -> None:
    ids = np.eye(2, dtype=np.int64)[np.arange(30) % 2]
    found = categories_test(ids, RNG)
    assert (found.p, found.score, found.method) == (1.0, 0.0, EXACT) and found.gain == pytest.approx(0.5)
    for nothing in (np.array([[3, 4]]), np.array([[3], [4]])):
        assert cuts_test(nothing, False, RNG).method == categories_test(nothing, RNG).method == NO_CUT


def test_random_orders_and_exact_tests_are_joined_with_equal_weights() -> None:
    few = [np.zeros(999, bool)]
    assert joined_test(few, 999, [0.0, 0.0])[:3] == (pytest.approx(0.002), pytest.approx(log(0.002)), DRAWN)
    assert joined_test(few, 999, [log(1e-9), 0.0])[0] == pytest.approx(2 * 2e-9)
    hits = [np.arange(80) % 4 == 0, np.ones(60, bool)]  # the 20th that reaches is the 77th
    p, _, method, error = joined_test(hits, 999, [0.0] * 3)
    assert (p, method) == (pytest.approx(40 / 77), DRAWN)
    assert error == pytest.approx(2 * 20 / 77 * ((1 - 20 / 77) / 20) ** 0.5)


def test_orders_are_not_drawn_where_they_could_not_decide() -> None:
    def never() -> object:
        raise AssertionError("an order was drawn")
        yield

    assert joined_test(never(), 999, [log(1e-4), 0.0])[2] == CLASS  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        joined_test(never(), 999, [log(1e-3), 0.0])  # type: ignore[arg-type]


def test_dichotomies() -> None:
    assert of_classes(np.array([3, 1, 3])).tolist() == [[False, True, False], [True, False, True]]
    y = np.random.default_rng(0).normal(size=80)
    cut = of_responses(y)
    assert cut.sum(axis=1).tolist() == [70, 60, 50, 40, 30, 20, 10]
    assert not of_responses(np.ones(5)).any()


def test_responses_agree_with_all_orders() -> None:
    y = np.array([0.3, 1.7, 2.2, 5.0, 9.1])
    codes = np.array([0, 0, 1, 2, 2])

    def score(order: np.ndarray) -> float:
        return max(((order[:m].sum() - m * y.mean()) ** 2) / (m * (5 - m)) for m in (2, 3))

    seen = score(y)
    exact = np.mean([score(np.array(order)) >= seen - 1e-12 for order in permutations(y)])
    found = responses_test(codes, y, np.random.default_rng(0), ordered=True, draws=20_000)
    # twice the share, for the rule gives half of the level to the exact tests; drawing stops at 20
    assert found.method == DRAWN and found.p / 2 == pytest.approx(exact, abs=4 * found.standard_error)
    within = sum(((side - side.mean()) ** 2).sum() for side in (y[:3], y[3:]))
    assert found.cut == 3 and found.gain == pytest.approx(1 - within / ((y - y.mean()) ** 2).sum())


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_the_unit_of_responses_does_not_matter(scale: float) -> None:
    rng = np.random.default_rng(3)
    y, codes = rng.normal(size=60) + 5, np.arange(60) // 3
    one, other = (responses_test(codes, y * s, np.random.default_rng(0), ordered=True) for s in (1.0, scale))
    assert other.p == one.p and other.score == pytest.approx(one.score, rel=1e-9)


def test_missing_values_stand_on_the_better_side() -> None:
    y = np.array([0.0] * 10 + [1.0] * 10 + [0.0] * 5)
    codes = np.repeat([0, 1, 2], [10, 10, 5])
    found = responses_test(codes, y, np.random.default_rng(0), ordered=True, gaps=True)
    assert found.missing_left and found.cut == 10 and found.gain == pytest.approx(1)
    counts = counts_of(codes, y.astype(int))
    assert cuts_test(counts, True, RNG).missing_left and not cuts_test(counts[:, ::-1], False, RNG).missing_left


DESIGNS = {
    "numbers, three classes": lambda rng: cuts_test(
        counts_of(np.arange(40), rng.permutation(np.arange(40) % 3)), False, rng, draws=99),
    "rare class": lambda rng: cuts_test(
        counts_of(np.arange(60) // 2, rng.permutation(np.repeat([0, 1, 2], [50, 7, 3]))), False, rng, draws=99),
    "categories, four classes": lambda rng: categories_test(
        counts_of(np.arange(80) % 9, rng.permutation(np.arange(80) % 4)), rng, draws=99, steps=1),
    "categories, two classes": lambda rng: categories_test(
        counts_of(np.arange(200) % 30, rng.permutation(np.arange(200) % 2)), rng, draws=99, steps=1),
    "responses": lambda rng: responses_test(np.arange(30), rng.exponential(size=30), rng, ordered=True, draws=99),
    "responses, categories": lambda rng: responses_test(
        np.arange(40) % 6, rng.integers(0, 4, 40).astype(float), rng, ordered=False, draws=99),
}  # fmt: skip


@pytest.mark.parametrize("design", [*DESIGNS][:2] + [pytest.param(d, marks=pytest.mark.slow) for d in [*DESIGNS][2:]])
@pytest.mark.parametrize("level", [0.05, pytest.param(0.02, marks=pytest.mark.slow)])
def test_the_level_is_held(design: str, level: float) -> None:
    rng, runs = np.random.default_rng(7), 400
    rejected = sum(DESIGNS[design](rng).p <= level for _ in range(runs))
    assert stats.binomtest(rejected, runs, level, alternative="greater").pvalue > 0.001


def test_a_strong_signal_has_no_floor() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    found = cuts_test(counts_of(np.argsort(np.argsort(y + 0.1 * rng.normal(size=300))), y), False, rng)
    assert found.method == CLASS and found.p < 1e-60 and found.standard_error is None
    found = responses_test(np.arange(300), np.arange(300.0), rng, ordered=True)
    assert found.method == QUANTILE and found.p < 1e-60


@pytest.mark.parametrize("case", range(25))
def test_listed_tables_agree_with_the_dynamic_programme(case: int) -> None:
    rng = np.random.default_rng(case)
    counts = rng.integers(0, 9, (int(rng.integers(3, 5)), 2))
    counts[:, 0] += 1
    counts[0, 1] += 1
    if case % 5 == 0:
        counts[:, 1] = counts[:, 0] + (np.arange(len(counts)) == 0)  # many ties
    found = categories_test(counts, RNG)
    assert found.method == EXACT
    assert found.p == pytest.approx(float(gini_pvalue(counts, method="exact", limit=100)), rel=1e-10)


def test_a_table_at_its_mean_has_a_pvalue_of_one() -> None:
    for a, b in ((3, 2), (5, 5), (1, 4)):
        counts = np.array([[a, a], [b, b]])
        assert exact_surprise(counts.tolist(), 10**6) == pytest.approx(0, abs=1e-12)
        for found in (categories_test(counts, RNG), cuts_test(counts, False, RNG)):
            assert 1 - 1e-12 < found.p <= 1


def test_a_billion_rows_take_the_time_of_their_table() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(900_000, 1_000_000, (600, 2))
    for found in (cuts_test(counts, False, RNG), cuts_test(counts, True, RNG), categories_test(counts, RNG)):
        assert found.p < 1e-300 and found.log_p < -1000 and found.method in (INTERVAL, VALUE)
    even = np.full((600, 2), 900_000)
    assert cuts_test(even, False, RNG).p == categories_test(even, RNG).p == 1
    with pytest.raises(ValueError, match=r"fewer than 2\*\*31 rows; got more; divide the counts"):
        cuts_test(even * 4, False, RNG)
