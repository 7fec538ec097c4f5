"""The test of a column: against enumeration of all orders, against other laws, its symmetries, and its level."""

from __future__ import annotations

import gc
import weakref
from fractions import Fraction
from itertools import permutations
from math import exp, log
from typing import Any
from unittest import mock

import numpy as np
import pytest
from scipy import stats

from node_oracle import arrangements, best, column_pvalues, cuts, pvalues, rank_sum_pvalues
from refusals import refused
from splitcrit.columns import column_tests, rank_features
from splitcrit.columns.column_tests import BATCH, ColumnScores, ColumnTest, PermutedTarget, column_test, random_pairs
from splitcrit.inference.joint_corrections import attained_by, joint_ranks, rank_pvalues
from splitcrit.nulls import best_cut, evidence
from splitcrit.nulls.exact import exact_surprise
from splitcrit.nulls.paths import crossings
from validity import NEAR, valid


def counts_of(codes: np.ndarray, labels: np.ndarray) -> np.ndarray:
    table = np.zeros((codes.max() + 1, labels.max() + 1), dtype=np.int64)
    np.add.at(table, (codes, labels), 1)
    return table[table.any(axis=1)][:, table.any(axis=0)]


def of_counts(counts: np.ndarray, **how: Any) -> ColumnTest:
    return column_test(counts, PermutedTarget.of_classes(counts.sum(axis=0)), **how)


def of_best_cut(counts: np.ndarray, **how: Any) -> ColumnTest:
    """The test of the best cut alone, as of a column with one cut."""
    with mock.patch.object(ColumnScores, "joint", False):
        return of_counts(counts, **how)


def of_classes(codes: Any, labels: Any, **how: Any) -> ColumnTest:
    return of_counts(counts_of(np.unique(codes, return_inverse=True)[1], np.asarray(labels)), **how)


def of_numbers(codes: Any, y: Any, **how: Any) -> ColumnTest:
    places = np.unique(codes, return_inverse=True)[1]
    return column_test(places, PermutedTarget.of_responses(np.asarray(y, dtype=float)), **how)


# Two classes.


@pytest.mark.parametrize(
    "values", [[0, 3, 1, 2, 2, 0, 3], [5, 1, 6, 0, 2, 3, 4], [0, 0, 1, 1, 1, 0, 1], [0, None, 1, 2, None, 3, 1]]
)
def test_two_classes_by_all_orders(values: list[int | None]) -> None:
    """Their scores alone, too: ranks with ties and missing values."""
    labels, sides = (0, 0, 0, 1, 1, 1, 1), cuts(values, "numeric")
    codes, gaps = np.array([9 if v is None else v for v in values]), None in values
    ranked = rank_sum_pvalues(labels, values)
    for order, p in column_pvalues(labels, values, "numeric", "sgini").items():
        found = of_classes(codes, order, gaps=gaps)
        square = float(best(order, sides, "sgini"))
        assert found.method == "exact" and found.score * abs(found.score) == pytest.approx(square, rel=1e-9, abs=1e-9)
        assert found.p == pytest.approx(float(p), rel=1e-12)
        counts = counts_of(np.unique(codes, return_inverse=True)[1], np.array(order))
        target = PermutedTarget.of_classes(counts.sum(axis=0))
        asked = ColumnScores(counts.sum(axis=1), target, gaps=gaps)
        log_p, method, error = asked.by_scores(asked.turned(counts[:, target.order[0]]), 999, 0)
        assert (method, error) == ("exact", None) and exp(log_p) == pytest.approx(float(ranked[order]), rel=1e-12)


def test_the_scores_of_more_rows_are_compared_with_orders_and_of_many_more_by_evidence() -> None:
    """Normal scores near the rank sum of scipy; evidence is weaker, and has no floor."""
    rng = np.random.default_rng(1)
    for n, method in ((400, "permutations"), (20_001, "evidence")):
        x, y = rng.normal(size=n), rng.integers(0, 2, n)
        x = np.round(x + y * 3.5 / n**0.5, 2 if n > 1000 else 9)
        counts = counts_of(np.unique(x, return_inverse=True)[1], y)
        target = PermutedTarget.of_classes(counts.sum(axis=0))
        asked = ColumnScores(counts.sum(axis=1), target)
        log_p, found, _ = asked.by_scores(asked.turned(counts[:, target.order[0]]), 9999, 0)
        normal = stats.mannwhitneyu(x[y == 0], x[y == 1]).pvalue
        assert found == method and (abs(log_p - log(normal)) < 1 if method == "permutations" else log_p > log(normal))
    strong = of_classes(np.arange(20_001) // 20, (np.arange(20_001) > 9000) * 1)
    assert strong.log_p < -5000


def test_the_better_of_two_pvalues_without_its_factor_is_no_pvalue(monkeypatch: pytest.MonkeyPatch) -> None:
    values, labels = [0, 1, 2, 3, 4, 5, 6], (0, 0, 0, 1, 1, 1, 1)
    every = arrangements(labels)
    chance = Fraction(1, len(every))
    assert valid((of_classes(values, order).p, chance) for order in every)
    monkeypatch.setattr(column_tests, "HALVES", 1)
    assert not valid((of_classes(values, order).p, chance) for order in every)


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
    exact, bound, part = (of_best_cut(counts, gaps=gaps, limit=limit) for limit in (10**4, 1e-6, n * 2e-6))
    assert (exact.method, bound.method, exact.least) == ("exact", "interval", None)
    assert exact.log_p <= bound.log_p + 1e-9 and bound.log_p <= exact.log_p + log(len(counts) * (1 + gaps))
    for each in (bound, part):
        assert each.log_p == bound.log_p and each.least is not None and each.least <= exact.p * (1 + 1e-9)
    assert gaps or part.least > exact.p / 4 or exact.p < 1e-5  # half of the places of the only walk
    assert (exact.cut, exact.missing_left) == (bound.cut, bound.missing_left)
    assert (exact.score, exact.gain) == (pytest.approx(bound.score, rel=1e-9), pytest.approx(bound.gain, rel=1e-9))
    whole, limited = (of_counts(counts, gaps=gaps, limit=limit) for limit in (10**4, 1e-6))
    assert whole.least is None and whole.p <= limited.p * (1 + 1e-9)
    assert limited.least is None or limited.least <= whole.p * (1 + 1e-9)


@pytest.mark.parametrize("values", [2, 200])
def test_a_pvalue_above_what_is_asked_is_not_computed_further(values: int) -> None:
    rng, stopped = np.random.default_rng(2), 0
    for _ in range(60):
        counts = counts_of(np.arange(200) * values // 200, rng.permutation(np.arange(200) % 2))
        whole, part = of_counts(counts), of_counts(counts, enough=0.1)
        if part.least is not None:
            stopped += 1
            assert 0.1 < part.least <= whole.p * (1 + 1e-9) <= part.p * (1 + 2e-9)
        else:
            assert part.p == whole.p
    assert stopped > 5 or values == 2


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


# Statistics of any labels.


@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("question", ["cut", "division", "table"])
@pytest.mark.parametrize("kind", ["three classes", "numbers"])
def test_both_statistics_by_their_definitions(kind: str, question: Any, least: int) -> None:
    """Shares of squared deviations, of numbers or of indicators of classes: between parts, and along normal scores."""
    named, kinds = kind == "three classes", "numeric" if question == "cut" else "categories"
    for seed in range(6):
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 4, 9)
        y = rng.permutation([0, 1, 2] * 3) if named else rng.integers(0, 40, 9)
        codes = np.unique(values, return_inverse=True)[1]
        target = PermutedTarget.of_classes(np.array([3, 3, 3])) if named else PermutedTarget.of_responses(y * 1.0, True)
        asked = ColumnScores(np.bincount(codes), target, question, False, least, "gini")
        lefts = [np.isin(range(9), side) for side in cuts(values.tolist(), kinds) if least <= len(side) <= 9 - least]
        ways = [[codes == c for c in set(codes)]] if question == "table" else [[left, ~left] for left in lefts]
        if not asked.possible or not ways:
            continue
        first, second = asked.pairs(asked.turned(target.sums(counts_of(codes, y) if named else codes))[None])[0]
        z = np.array([y == k for k in range(3)]) - 1 / 3 if named else y[None] - y.mean()
        between = max(sum((z[:, part].sum(axis=1) ** 2).sum() / part.sum() for part in parts) for parts in ways)
        assert first == pytest.approx(8 * between / (z * z).sum(), rel=1e-9)
        if asked.joint:
            s = stats.norm.ppf([(np.sum(values < v) + np.sum(values <= v)) / 18 for v in values])
            along = ((z @ (s - s.mean())) ** 2).sum() / (9 * s.var()) * (2 if named else 1)
            assert second == pytest.approx(8 * along / (z * z).sum(), rel=1e-9)


# Every kind of column.


def test_a_table_of_categories() -> None:
    small = np.array([[3, 0, 1], [0, 4, 1]])
    assert of_counts(small, question="table").method == "exact"
    rng = np.random.default_rng(0)
    large = rng.multinomial(4000, np.full(60, 1 / 60)).reshape(30, 2)
    noise = of_counts(large, question="table")
    assert (noise.method, noise.statistic) == ("permutations", "table") and noise.p > 0.01
    large[0] = 400, 20
    found = of_counts(large, question="table")
    assert (found.method, found.statistic) == ("evidence", "table") and found.p < 1e-30
    assert found.log_p == pytest.approx(-log(0.05) - evidence.log_of_categories(large), rel=1e-12)
    third = np.column_stack([large, rng.integers(50, 90, 30)])
    assert of_counts(third, question="table").method == "evidence" and of_counts(third, question="table").p < 1e-20


def test_a_division_in_two_by_all_orders() -> None:
    names, labels = [0, 1, 2, 0, 1, 2, 0, 3], (0, 0, 0, 0, 0, 1, 1, 1)
    for least in (1, 2):
        every = pvalues(labels, cuts(names, "categories"), "gini", least)
        attainable = sorted(set(every.values()))
        for order, p in every.items():
            counts = counts_of(np.array(names), np.array(order))
            found = of_counts(counts, question="division", min_leaf=least)
            assert (found.method, found.statistic) == ("exact", "division")
            assert found.p == pytest.approx(float(p), rel=1e-9)
            left = tuple(i for i, name in enumerate(names) if name in found.left)
            own = max(float(best(order, [left], "gini")), 0.0)
            assert own == pytest.approx(float(best(order, cuts(names, "categories"), "gini", least)), abs=1e-12)
            assert found.gain == pytest.approx(own, abs=1e-12)
        asked = ColumnScores(counts.sum(axis=1), PermutedTarget.of_classes(np.array([5, 3])), "division", False, least)
        for t in (0.0, 0.01, 0.1, 0.3, 0.77, 1.0, *map(float, attainable)):
            expected = max((q for q in attainable if q <= t * NEAR), default=Fraction(0))
            assert attained_by(asked, counts)(t) == pytest.approx(float(expected), rel=1e-9)


def test_what_a_column_can_attain_bounds_the_law_of_its_pvalue() -> None:
    for values in ([0, 1, 1, 2, 2, 2, 3], [0, 0, 0, 1, 1, 1, 1]):
        labels = (0, 0, 0, 1, 1, 1, 1)
        every = column_pvalues(labels, values, "numeric", "sgini")
        counts = counts_of(np.array(values), np.array(labels))
        attained = attained_by(ColumnScores(counts.sum(axis=1), PermutedTarget.of_classes(np.array([3, 4]))), counts)
        for t in sorted(set(every.values())):
            share = sum(p <= t for p in every.values()) / len(every)
            assert share <= attained(min(1.0, float(t) * NEAR)) * NEAR <= float(t) * NEAR**2
    assert attained(0.02) == 0.0  # of 35 orders with one cut none is as rare


def test_numbers_agree_with_all_orders_which_are_drawn_alike_after_a_batch_that_is_left_out() -> None:
    y, codes = np.array([0.3, 1.7, 2.2, 5.0, 9.1]), np.array([0, 0, 1, 2, 2])
    target = PermutedTarget.of_responses(y)
    asked = ColumnScores(np.array([2, 1, 2]), target)
    sums = [[[a + b], [c], [d + e]] for a, b, c, d, e in permutations(target.responses[:, 0])]
    every, own = asked.pairs(np.array(sums)), asked.pairs(target.sums(codes)[None])
    blocks = list(random_pairs(asked, 20_000, 0))
    assert [len(blocks[0]), sum(map(len, blocks))] == [BATCH, 20_000 + BATCH]
    drawn, rounded = np.round(np.concatenate(blocks), 9), np.round(every, 9)
    for pair in np.unique(rounded, axis=0):
        share = (rounded == pair).all(axis=1).mean()
        assert abs((drawn == pair).all(axis=1).mean() - share) < 4.5 * (share / len(drawn)) ** 0.5
    number, found = asked.judged(blocks[0]), of_numbers(codes, y, draws=20_000)
    within = sum(((side - side.mean()) ** 2).sum() for side in (y[:3], y[3:]))
    assert found.cut == 3 and found.gain == pytest.approx(1 - within / ((y - y.mean()) ** 2).sum())
    assert (found.method, found.statistic) == ("permutations", "cut and scores")
    exact = np.mean(number(every) >= number(own) - 1e-9)
    assert found.p * 0.95 == pytest.approx(exact, abs=4 * (found.standard_error or 0))


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_the_unit_of_responses_does_not_matter(scale: float) -> None:
    rng = np.random.default_rng(3)
    y, codes = rng.normal(size=60) + 5, np.arange(60) // 3
    one, other = of_numbers(codes, y), of_numbers(codes, y * scale)
    assert other.p == one.p and other.score == pytest.approx(one.score, rel=1e-9)


def test_ranks_are_tested_where_a_few_responses_outweigh_the_others() -> None:
    rng = np.random.default_rng(4)
    x, noise = rng.normal(size=200), rng.standard_cauchy(200)
    y = x + 0.2 * noise
    target = PermutedTarget.of_responses(y)
    assert target.ranked and not PermutedTarget.of_responses(rng.normal(size=200)).ranked
    assert of_numbers(x, y).p == of_numbers(x, stats.rankdata(y)).p < 1e-6
    assert not PermutedTarget.of_responses(y, as_they_are=True).ranked
    raw = column_test(np.argsort(np.argsort(x)), PermutedTarget.of_responses(y, as_they_are=True))
    assert raw.p != of_numbers(x, y).p


def test_groups_of_a_response_stand_for_their_means() -> None:
    """As numbers of their own, of which many are equal: the same gain, and p within drawing."""
    rng = np.random.default_rng(5)
    y = np.array([0.5, 1.0, 2.5, 7.0])[rng.integers(0, 4, 300)]
    codes = np.clip((y + rng.normal(size=300) * 9).astype(int), 0, 9)
    counts = counts_of(codes, np.unique(y, return_inverse=True)[1])
    one = column_test(counts, PermutedTarget.of_groups(counts.sum(axis=0), np.unique(y)), draws=9999)
    other = of_numbers(codes, y, draws=9999)
    assert (one.gain, one.cut) == (pytest.approx(other.gain, rel=1e-9), other.cut)
    assert abs(one.p - other.p) < 5 * ((one.standard_error or 0) ** 2 + (other.standard_error or 0) ** 2) ** 0.5 + 1e-3


def test_a_constant_gain_has_a_pvalue_of_one() -> None:
    ids = np.eye(2, dtype=np.int64)[np.arange(30) % 2]
    found = of_counts(ids, question="table")
    assert (found.p, found.score, found.method) == (1.0, 0.0, "exact") and found.gain == pytest.approx(0.5)
    for nothing in (np.array([[3, 4]]), np.array([[3], [4]])):
        assert of_counts(nothing).method == of_counts(nothing, question="table").method == "no cut"
    assert of_counts(np.array([[3, 1], [2, 1]]), question="division", min_leaf=4).method == "no cut"
    assert of_numbers([0, 0, 1, 2], [7.5] * 4).method == "no cut"


def test_missing_values_stand_on_the_better_side() -> None:
    y, codes = np.array([0.0] * 10 + [1.0] * 10 + [0.0] * 5), np.repeat([0, 1, 2], [10, 10, 5])
    found = of_numbers(codes, y, gaps=True)
    assert found.missing_left and found.cut == 10 and found.gain == pytest.approx(1)
    counts = counts_of(codes, y.astype(int))
    for turned in (counts, counts[[1, 0, 2]]):
        there = of_counts(turned, gaps=True)
        assert (there.missing_left, there.cut) == (turned is counts, 10)
    assert not of_counts(counts[:, ::-1]).missing_left
    alone = of_counts(np.array([[9, 0], [9, 0], [9, 0], [0, 9]]), gaps=True)
    assert (alone.cut, alone.missing_left) == (27, False)


# Whatever changes nothing.


def made(case: int) -> tuple[np.ndarray, np.ndarray, bool, bool]:
    """Values, some of which may be missing (nan), labels, and whether these are numbers."""
    rng = np.random.default_rng(case)
    n = int(rng.integers(7, 120))
    x = rng.normal(size=n) if rng.random() < 0.4 else rng.integers(0, rng.integers(2, 12), n).astype(float)
    gaps = rng.random() < 0.4
    if gaps:
        x[rng.random(n) < 0.2] = np.nan
    kind = int(rng.integers(0, 4))
    if kind < 2:
        return x, rng.integers(0, int(rng.integers(2, 5)), n), bool(np.isnan(x).any()), False
    y = rng.normal(size=n) + np.nan_to_num(x) * 0.3 if kind == 2 else rng.standard_t(2, n)
    return x, y, bool(np.isnan(x).any()), True


def outcome(x: np.ndarray, y: np.ndarray, gaps: bool, numbers: bool, question: Any) -> ColumnTest:
    codes = np.unique(x, return_inverse=True)[1]  # nan is the last
    how: dict[str, Any] = {"gaps": gaps and question == "cut", "question": question}
    return of_numbers(codes, y, **how) if numbers else of_classes(codes, np.unique(y, return_inverse=True)[1], **how)


@pytest.mark.parametrize("question", ["cut", "table", "division"])
@pytest.mark.parametrize("cases", [range(start, start + 4) for start in range(0, 12, 4)])
def test_a_pvalue_is_the_same_to_the_last_digit_in_every_form(cases: range, question: str) -> None:
    for case in cases:
        (x, y, gaps, numbers), rng = made(case), np.random.default_rng(case)
        one, order = outcome(x, y, gaps, numbers, question), rng.permutation(len(x))
        forms = [(-x, y), (x[order], y[order])]
        names = rng.permutation(5)
        forms += [(x, -y), (x, 4 * y)] if numbers else [(x, names[y])]
        if question != "cut":
            known = np.unique(x[~np.isnan(x)])
            moved = dict(zip(known.tolist(), rng.permutation(len(known)).tolist(), strict=True))
            forms.append((np.array([moved.get(v, np.nan) for v in x.tolist()]), y))
        for form in forms:
            other = outcome(*form, gaps, numbers, question)
            assert (other.log_p, other.method, other.statistic) == (one.log_p, one.method, one.statistic)
            assert other.gain == pytest.approx(one.gain, rel=1e-9) and other.score == pytest.approx(
                one.score, 1e-6, 1e-6
            )


def test_columns_of_one_structure_share_their_orders_and_no_others() -> None:
    """In a ranking of tables two columns may have values that occur as often and classes that do not."""
    rng, y = np.random.default_rng(0), PermutedTarget.of_classes(np.array([20, 20, 20]))
    for _ in range(8):
        counts = counts_of(rng.permutation(60), np.arange(60) % 3)
        assert column_test(counts, y).p == of_counts(counts).p
    assert len(y.orders) == 1
    column_test(counts_of(rng.permutation(60) // 2, np.arange(60) % 3), y)
    assert len(y.orders) == 2
    tables = {
        totals: counts_of(rng.permutation(60), np.repeat([0, 1, 2], totals)) for totals in ((20,) * 3, (50, 8, 2))
    }
    for f in rank_features(tables, exact=True).features:
        assert rank_features({"alone": tables[f.name]}, exact=True).features[0].p == f.p


def test_joint_ranks_are_those_of_one_column_and_of_the_same_orders() -> None:
    rng = np.random.default_rng(6)
    y = np.arange(30) % 3
    x = np.argsort(np.argsort(y + 2 * rng.normal(size=30)))
    target = PermutedTarget.of_classes(np.array([10, 10, 10]))
    rows = target.labels.vectors[np.argsort(target.order)[y]]
    asked = ColumnScores(np.ones(30, np.int64), target)
    ranks = joint_ranks([asked, asked, asked], [x, x, 29 - x], rows, 500, np.random.default_rng(1))
    assert ranks.shape == (501, 3) and (ranks[:, 0] == ranks[:, 1]).all() and (ranks[:, 0] == ranks[:, 2]).all()
    assert sorted(set(ranks[:, 0].tolist()))[0] == 1 / 501 and ranks.max() == 1
    again = joint_ranks([asked], [x[::-1]], rows[::-1], 500, np.random.default_rng(1))
    assert (again[:, 0] == ranks[:, 0]).all()
    alone = column_test(counts_of(x, y), target, draws=9999)
    assert ranks[0, 0] == pytest.approx(alone.p * 0.95, abs=0.1)


def test_scores_that_differ_by_rounding_are_one_level() -> None:
    found = rank_pvalues(np.array([0.3, 0.1 + 0.2, 1.0, -1.0, 1.0 + 1e-13]))
    assert found.tolist() == [0.8, 0.8, 0.4, 1.0, 0.4]


# Levels.

DESIGNS = {
    "two classes": lambda rng: of_classes(rng.normal(size=150), rng.permutation(np.arange(150) % 2), draws=99),
    "numbers, three classes": lambda rng: of_classes(np.arange(40), rng.permutation(np.arange(40) % 3), draws=99),
    "rare class": lambda rng: of_classes(
        np.arange(60) // 2, rng.permutation(np.repeat([0, 1, 2], [50, 7, 3])), draws=99),
    "categories, four classes": lambda rng: of_classes(
        np.arange(48) % 6, rng.permutation(np.arange(48) % 4), question="table", draws=99),
    "categories, two classes": lambda rng: of_classes(
        np.arange(60) % 10, rng.permutation(np.arange(60) % 2), question="division", draws=99),
    "responses": lambda rng: of_numbers(np.arange(30), rng.exponential(size=30), draws=99),
    "responses, categories": lambda rng: of_numbers(
        rng.integers(0, 20, 40), rng.integers(0, 4, 40), question="table", draws=99),
    "responses, divisions": lambda rng: of_numbers(
        rng.integers(0, 12, 40), rng.normal(size=40), question="division", draws=99),
}  # fmt: skip


@pytest.mark.parametrize("design", DESIGNS)
def test_the_level_is_held(design: str) -> None:
    rng, runs = np.random.default_rng(7), 60 if design.startswith("categories") else 150
    found = [DESIGNS[design](np.random.default_rng(rng.integers(2**32))).p for _ in range(runs)]
    for level in (0.02, 0.05, 0.2):
        rejected = sum(p <= level for p in found)
        assert stats.binomtest(rejected, runs, level, alternative="greater").pvalue > 0.001


@pytest.mark.parametrize("gaps", [False, True])
def test_of_many_rows_the_chances_of_the_cuts_are_added(gaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.array([[9, 1], [7, 3], [4, 5], [2, 6], [3, 2]])
    n, ones = int(counts.sum()), int(counts[:, 1].sum())
    exact = of_best_cut(counts, gaps=gaps, limit=5.0, statistic="gini")
    monkeypatch.setattr(best_cut, "WALKED", 0)
    bound = of_best_cut(counts, gaps=gaps, limit=5.0, statistic="gini")
    assert (bound.cut, bound.missing_left, bound.score) == (exact.cut, exact.missing_left, exact.score)
    ends = counts.sum(axis=1).cumsum()
    sizes = [*ends[:-1], *(ends[:-2] + counts[-1].sum())] if gaps else ends[:-1]
    x, chances = np.arange(ones + 1), []
    for m in map(int, sizes):
        reached = 2 * (x - m * ones / n) ** 2 / (m * (n - m)) >= exact.gain - 1e-12
        chances.append(float(stats.hypergeom(n, ones, m).pmf(x) @ reached))
    assert bound.method == "interval"
    assert (bound.p, bound.least) == pytest.approx((sum(chances), max(chances)), rel=1e-9)
    assert bound.least <= exact.p < bound.p


def test_a_table_at_its_mean_has_a_pvalue_of_one() -> None:
    for a, b in ((3, 2), (5, 5), (1, 4)):
        counts = np.array([[a, a], [b, b]])
        assert exact_surprise(counts.tolist(), 10**6) == pytest.approx(0, abs=1e-12)
        for question in ("cut", "table", "division"):
            assert 1 - 1e-12 < of_counts(counts, question=question).p <= 1


def test_a_billion_rows_take_the_time_of_their_table() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(900_000, 1_000_000, (600, 2))
    for found in (of_counts(counts), of_counts(counts, gaps=True), of_counts(counts, question="table")):
        assert found.p < 1e-300 and found.log_p < -1000 and found.method in ("interval", "evidence")
    even = np.full((600, 2), 900_000)
    assert of_counts(even).p == of_counts(even, question="table").p == 1
    refused(r"fewer than 2\*\*31 rows; got more; divide the counts", of_counts, even * 4)


def test_random_orders_end_with_the_target_that_they_are_drawn_for():
    rng = np.random.default_rng(0)
    target = PermutedTarget.of_classes(np.array([20, 20, 20]))
    column_test(counts_of(rng.integers(0, 20, 60), np.repeat(np.arange(3), 20)), target)
    there = weakref.ref(target)
    assert target.orders
    del target
    gc.collect()
    assert there() is None
