"""Evidence against enumerations of all orders of the labels, against fractions, and against its near-misses."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, exp, factorial, log, prod
from typing import Any

import numpy as np
import pytest

from node_oracle import arrangements
from splitcrit.nulls import evidence
from splitcrit.nulls.evidence import log_of_categories, log_of_cuts, log_of_responses, log_of_survival

Array = Any
TOTALS = [(4, 4), (2, 6), (1, 6), (3, 2, 2), (2, 2, 1, 1), (1, 1, 5)]
SHAPES = [[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 0, 0, 0, 1, 2, 2]]


def table(codes: Any, labels: Any, classes: int) -> Array:
    counts = np.zeros((max(codes) + 1, classes), np.int64)
    np.add.at(counts, (list(codes), list(labels)), 1)
    return counts


def mean_of_tables(log_e: Callable[[Array], float], codes: list[int], totals: tuple[int, ...]) -> float:
    """The mean of E over all orders of classes with these totals."""
    labels, known, found = [k for k, b in enumerate(totals) for _ in range(b)], dict[bytes, float](), []
    for order in arrangements(tuple(labels)):
        counts = table(codes[: len(labels)], order, len(totals))
        if (key := counts.tobytes()) not in known:
            known[key] = exp(log_e(counts))
        found.append(known[key])
    return float(np.mean(found))


def of_table(counts: Array) -> float:
    """The whole table, without single levels."""
    totals = counts.sum(axis=0)
    counts = counts[:, np.argsort(totals, kind="stable")]
    return evidence.log_mean([evidence._log_table(counts, c) for c in evidence._concentrations(totals)])


@pytest.mark.parametrize("totals", TOTALS)
def test_the_mean_over_all_orders_is_at_most_1_and_of_whole_tables_1(totals: tuple[int, ...]) -> None:
    for codes in SHAPES:
        assert 1 - 1e-9 < mean_of_tables(of_table, codes, totals) <= 1
        assert 0.3 < mean_of_tables(log_of_cuts, codes, totals) <= 1
        assert 0.5 < mean_of_tables(log_of_categories, codes, totals) <= 1
        gaps = mean_of_tables(lambda counts: log_of_cuts(counts, gaps=True), codes, totals)
        assert 0.3 < gaps <= 1


def test_more_than_six_classes_of_one_total_have_the_mean_1() -> None:
    """Any of the 7! orders stands for all that name the levels otherwise: one level, by the class that it holds."""
    each = [exp(of_table(table([0] * 3 + [1] * 4, order, 7))) for order in list(permutations(range(7)))[::97]]
    assert min(each) == max(each) and each[0] == pytest.approx(1)


def cut_in_fractions(left: list[int], totals: list[int]) -> Fraction:
    """The mean over effects of a Dirichlet-multinomial law over the multivariate hypergeometric one."""
    n, m = sum(totals), sum(left)
    if 2 * m > n:
        left, m = [b - a for a, b in zip(left, totals, strict=True)], n - m
    null = Fraction(prod(comb(b, a) for a, b in zip(left, totals, strict=True)), comb(n, m))
    found, effects = Fraction(0), [4**k for k in range(20) if 4**k <= n]
    for c in effects:
        rising = lambda x, k: prod((x + i for i in range(k)), start=Fraction(1))  # noqa: E731
        law = Fraction(factorial(m)) / rising(Fraction(c), m)
        for a, b in zip(left, totals, strict=True):
            law *= rising(Fraction(c * b, n), a) / factorial(a)
        found += law
    return found / len(effects) / null


@pytest.mark.parametrize("seed", range(5))
def test_cuts_are_those_in_fractions(seed: int) -> None:
    source = np.random.default_rng(seed)
    counts = source.integers(0, 4, (5, 2 + seed % 3)) + np.eye(5, 2 + seed % 3, dtype=int)
    totals, each = counts.sum(axis=0).tolist(), []
    for left in counts.cumsum(axis=0)[:-1].tolist():
        right = [b - a for a, b in zip(left, totals, strict=True)]
        each.append((cut_in_fractions(left, totals) + cut_in_fractions(right, totals)) / 2)
    exact = log(sum(each) / len(each))
    assert exact - 1e-10 < log_of_cuts(counts) < exact


@cache
def beta_binomial(k: int, m: int, a: Fraction, b: Fraction) -> Fraction:
    rising = lambda x, i: prod((x + j for j in range(i)), start=Fraction(1))  # noqa: E731
    return comb(m, k) * rising(a, k) * rising(b, m - k) / rising(a + b, m)


def table_in_fractions(counts: list[list[int]]) -> Fraction:
    """Class by class, over all orders of the classes that sort their totals, each divided by the chance of the sum."""
    totals = [sum(column) for column in zip(*counts, strict=True)]
    n, effects, found = sum(totals), [4**k for k in range(20) if 4**k <= sum(totals)], Fraction(0)
    by_total = permutations(range(len(totals)))
    sorted_orders = [order for order in by_total if [totals[k] for k in order] == sorted(totals)]
    for order in sorted_orders:
        for c in effects:
            rest, value = [sum(row) for row in counts], Fraction(1)
            for place, k in enumerate(order[:-1]):
                a, b = Fraction(c * totals[k], n), Fraction(c * sum(totals[j] for j in order[place + 1 :]), n)
                law = [Fraction(1)]
                for m in rest:
                    row = [beta_binomial(i, m, a, b) for i in range(m + 1)]
                    law = [
                        sum((law[s - i] * row[i] for i in range(m + 1) if 0 <= s - i < len(law)), Fraction(0))
                        for s in range(len(law) + m)
                    ]
                x, over = [row[k] for row in counts], Fraction(1)
                for i, m in zip(x, rest, strict=True):
                    over *= beta_binomial(i, m, a, b) / comb(m, i)
                value *= over * comb(sum(rest), totals[k]) / law[totals[k]]
                rest = [m - i for m, i in zip(rest, x, strict=True)]
            found += value
    return found / len(sorted_orders) / len(effects)


@pytest.mark.parametrize("counts", [
    [[3, 0], [1, 2], [0, 2]], [[2, 0, 1], [0, 2, 1], [1, 1, 0]], [[2, 1, 0], [0, 1, 1]], [[1, 0, 2, 0], [0, 2, 0, 1]],
])  # fmt: skip
def test_tables_are_those_in_fractions_over_the_orders_of_equal_classes(counts: list[list[int]]) -> None:
    exact = log(table_in_fractions(counts))
    assert exact - 1e-9 < of_table(np.array(counts)) < exact


def test_the_chance_of_a_sum_is_never_below_that_of_all_its_rows() -> None:
    source = np.random.default_rng(1)
    for _ in range(20):
        sizes = source.integers(1, 40, 30)
        a, b = source.uniform(0.1, 5, 2)
        law = np.ones(1)
        for m in sizes.tolist():
            k = np.arange(m + 1.0)
            logs = evidence._lg(k + a) + evidence._lg(m - k + b) - evidence._lg(k + 1) - evidence._lg(m - k + 1)
            law = np.convolve(law, np.exp(logs) / np.exp(logs).sum())
        for total in np.flatnonzero(law > 1e-6)[::40].tolist():
            found = exp(evidence._log_chance(sizes, total, a, b))
            assert law[total] <= found < law[total] + 1e-9


RESPONSES = [[0, 1, 3, 7], [0, 0, 0, 0, 0, 0, 1], [0, 0, 5, 90], [-1, -1, 3, 0, 0]]


@pytest.mark.parametrize("y", RESPONSES)
def test_the_mean_over_all_orders_of_responses_is_at_most_1(y: list[int]) -> None:
    every = [np.array(order, float) for order in arrangements(tuple(y))]
    for codes, gaps in (([0, 1, 1, 2, 2, 2, 2], True), ([0, 0, 0, 1, 1, 1, 1], False), ([0, 1, 2, 3, 3, 4, 5], False)):
        values = np.array(codes[: len(y)])
        assert 0.3 < np.mean([exp(log_of_responses(values, order, True, gaps)) for order in every]) <= 1
    assert 0.3 < np.mean([exp(log_of_responses(values, order, False)) for order in every]) <= 1


def test_a_cut_of_responses_is_a_little_below_the_ratio_by_elementary_symmetric_polynomials() -> None:
    y, m = np.random.default_rng(2).normal(size=40), 15
    codes = (np.arange(40) >= m).astype(int)
    z = (y - y.mean()) / y.std()
    exact = []
    for effect in (sign * size for size in evidence.EFFECTS for sign in (-1, 1)):
        polynomial = np.ones(1)  # of z^m, in e_m of the weights
        for w in np.exp(effect * z):
            polynomial = np.append(polynomial, 0) + w * np.append(0, polynomial)
        exact.append(effect * z[:m].sum() - log(polynomial[m]) + log(comb(40, m)))
    exact_log = float(np.logaddexp.reduce(exact)) - log(len(exact))
    assert exact_log - 0.2 < evidence._log_sums(codes, y, False) < exact_log


@pytest.mark.parametrize("seed", range(6))
def test_names_orders_and_signs_change_no_bit(seed: int) -> None:
    source = np.random.default_rng(seed)
    k = 2 + seed % 4
    counts = source.integers(0, 5, (6, k)) + np.eye(6, k, dtype=int)
    if seed % 2:  # classes of one total
        counts = np.concatenate([source.permutation(row)[None] for row in np.tile(np.arange(k), (k, 1))])
        counts = np.concatenate([(counts == j).astype(int) for j in range(k)]) + 1
    for _ in range(2):
        other = counts[:, source.permutation(k)]
        assert log_of_categories(other[source.permutation(len(counts))]) == log_of_categories(counts)
        assert log_of_cuts(other[::-1]) == log_of_cuts(counts)
        back = np.concatenate([other[-2::-1], other[-1:]])  # without a value: the last one
        assert log_of_cuts(back, gaps=True) == log_of_cuts(counts, gaps=True)
    n = 30 + seed
    codes, y = source.integers(0, 5, n), np.round(source.lognormal(size=n), seed % 3)
    codes[:5] = range(5)
    names = source.permutation(5)
    for gaps in (False, True):
        back = np.where((codes == 4) & gaps, 4, 4 - gaps - codes)
        for ordered, turned in ((True, back), (False, names[codes])):
            first = log_of_responses(codes, y, ordered, gaps)
            order = source.permutation(n)
            for other, values in ((codes, -y), (turned, y), (turned[order], -y[order])):
                assert log_of_responses(other, values, ordered, gaps) == first
    assert log_of_responses(codes, 8 * y + 0.0, True) == log_of_responses(codes, y, True)


def test_thinned_cuts_are_those_of_the_column_reversed() -> None:
    codes = np.random.default_rng(0).integers(0, 700, 1000)
    codes = np.unique(codes, return_inverse=True)[1]
    y = np.random.default_rng(1).normal(size=1000)
    assert len(evidence._cuts(np.bincount(codes), False)[0]) <= evidence.CUTS < codes.max()
    assert log_of_responses(codes.max() - codes, y, True) == log_of_responses(codes, y, True)


def test_a_city_that_decides_most_labels_has_evidence_without_a_floor() -> None:
    for seed, k, least in ((0, 2, 24), (1, 3, 36)):
        source = np.random.default_rng(seed)
        own, codes = source.integers(0, k, 100), np.repeat(np.arange(100), 4)
        labels = np.where(source.random(400) < 0.8, own[codes], source.integers(0, k, 400))
        assert log_of_categories(table(codes.tolist(), labels.tolist(), k)) / log(10) > least
        y = own[codes] + source.normal(size=400) * 0.3
        assert log_of_responses(codes, y, False) / log(10) > 5
    codes = np.arange(500)
    assert log_of_responses(codes, (codes > 250) + np.random.default_rng(2).normal(size=500), True) / log(10) > 15
    assert log_of_cuts(table(codes.tolist(), (codes > 250).astype(int).tolist(), 2)) / log(10) > 140


def test_what_has_no_split_has_no_evidence() -> None:
    assert log_of_cuts(np.array([[3, 2]])) == log_of_cuts(np.array([[3, 0], [2, 0]])) == 0
    assert log_of_categories(np.array([[3, 2]])) == log_of_categories(np.array([[3, 0], [2, 0]])) == 0
    assert log_of_responses(np.zeros(4, int), np.arange(4.0), True) == 0
    assert log_of_responses(np.arange(4), np.ones(4), True) == log_of_responses(np.arange(4), np.ones(4), False) == 0


def test_two_rows_are_the_sides_of_one_cut_whoever_asks() -> None:
    counts, codes, y = np.array([[9, 2, 4], [1, 8, 3]]), np.repeat([0, 1], [12, 9]), np.arange(21.0) ** 1.5
    assert log_of_categories(counts) == log_of_cuts(counts) == log_of_categories(counts[::-1])
    assert log_of_responses(codes, y, False) == log_of_responses(codes, y, True)


# Survival.

TIMES = [([1, 2, 3, 4, 5], [1, 1, 0, 1, 1]), ([1, 1, 2, 2, 3], [1, 1, 0, 1, 1]), ([2, 2, 2, 1, 5], [1, 1, 1, 1, 0])]


def of_times(codes: Any, rows: Any, ordered: bool = True, gaps: bool = False) -> float:
    time, event = np.array(rows, dtype=float).T
    return exp(log_of_survival(np.array(codes), time, event, ordered, gaps))


@pytest.mark.parametrize("time, event", TIMES)
@pytest.mark.parametrize("ordered, gaps", [(True, False), (True, True), (False, False)])
def test_the_mean_of_survival_over_all_orders_is_1(time: Any, event: Any, ordered: bool, gaps: bool) -> None:
    rows = list(zip(time, event, strict=True))
    for codes in ([0, 0, 1, 1, 2], [0, 1, 2, 3, 4], [0, 0, 0, 0, 1]):
        mean = np.mean([of_times(codes, order, ordered, gaps) for order in arrangements(tuple(rows))])
        tied = not ordered and time.count(time[0]) > 1  # of which Maclaurin's inequality gives a bound
        assert (0.9 if tied else 1 - 1e-9) < mean <= 1


def partial_likelihood(left: list[int], rows: list[tuple[float, int]], b: float) -> float:
    """Of events one at a time, plainly."""
    found = 1.0
    for t, event in rows:
        there = [i for i, (s, _) in enumerate(rows) if s >= t]
        if event:
            share = sum(i in left for i in there) / len(there)
            found *= exp(b * (rows.index((t, event)) in left)) / (1 - share + share * exp(b))
    return found


def test_survival_is_the_mean_of_plain_partial_likelihoods() -> None:
    rows, codes = [(3.0, 1), (1.0, 0), (4.0, 1), (2.0, 1), (5.0, 1)], [0, 1, 0, 2, 1]
    cuts = [[i for i, c in enumerate(codes) if c <= k] for k in (0, 1)]
    plain = np.mean([partial_likelihood(left, rows, s * b) for left in cuts for b in evidence.HAZARDS for s in (1, -1)])
    assert of_times(codes, rows) == pytest.approx(plain, rel=1e-12)


def by_past(codes: Any, rows: Any, c: float, known: bool = False) -> float:
    """Of categories and events one at a time, plainly; with ``known`` the event that is judged counts as well."""
    found, had, expected = 1.0, dict.fromkeys(codes, 0.0), dict.fromkeys(codes, 0.0)
    for i in sorted(range(len(codes)), key=lambda i: rows[i][0]):
        risk = [code for code, (time, _) in zip(codes, rows, strict=True) if time >= rows[i][0]]
        if not rows[i][1]:
            continue
        had[codes[i]] += known
        hazard = {code: (c + had[code]) / (c + expected[code]) for code in had}
        found *= hazard[codes[i]] / (sum(hazard[code] for code in risk) / len(risk))
        had[codes[i]] += not known
        expected = {code: expected[code] + risk.count(code) / len(risk) for code in expected}
    return found


def test_categories_are_judged_by_hazards_of_earlier_events_and_the_event_itself_is_a_near_miss() -> None:
    rows, codes = list(zip(*TIMES[0], strict=True)), [0, 0, 1, 1, 2]
    plain = [partial_likelihood([i for i in range(5) if codes[i] == k], rows, s * b)
             for k in range(3) for b in evidence.HAZARDS for s in (1, -1)]  # fmt: skip
    all_at_once = np.mean([by_past(codes, rows, c) for c in evidence.PRIOR])
    assert of_times(codes, rows, ordered=False) == pytest.approx((np.mean(plain) + all_at_once) / 2, rel=1e-12)
    means = [np.mean([by_past(codes, order, 1.0, known) for order in permutations(rows)]) for known in (False, True)]
    assert means[0] == pytest.approx(1, abs=1e-12) and means[1] > 1.2


def test_forty_categories_that_decide_survival_have_no_floor() -> None:
    for n in (200, 2000):
        time = np.random.default_rng(n).permutation(n) + 1.0
        codes, event = np.argsort(np.argsort(time)) * 40 // n, time <= 0.7 * n
        assert log_of_survival(codes, np.minimum(time, 0.7 * n), event * 1.0, False) / log(10) > n / 3
        assert log_of_survival(np.roll(codes, 77), np.minimum(time, 0.7 * n), event * 1.0, False) / log(10) < 2


def mean_of_histories(
    x: tuple[int, ...], z: tuple[int, ...], hazard: Any, censored: Any, ordered: bool = True
) -> float:
    """The mean of E of ``x`` over all histories of rows: at two times an event by the hazard of z, then censoring."""
    found = 0.0
    for ends in product([(1, 1), (1.5, 0), (2, 1), (2.5, 0)], repeat=len(x)):
        chance = 1.0
        for (time, event), a, b in zip(ends, x, z, strict=True):
            stays = (1 - hazard(b)) * (1 - censored(a, b))
            chance *= stays ** (time >= 2) * (hazard(b) if event else (1 - hazard(b)))
            chance *= 1.0 if event or time > 2 else censored(a, b)
        found += chance * of_times(x, ends, ordered)
    return found


def test_survival_has_the_mean_1_where_censoring_depends_on_the_column_and_not_where_a_second_moves_both() -> None:
    x, z = (0, 0, 1, 1), (0, 1, 0, 1)
    alone = mean_of_histories(x, z, lambda _: 0.4, lambda a, _: (0.1, 0.8)[a])
    assert 1 - 1e-9 < alone <= 1 + 1e-12
    assert 0.95 < mean_of_histories((0, 1, 2, 2), z, lambda _: 0.4, lambda a, _: (0.1, 0.8, 0.3)[a], False) <= 1
    rng, large = np.random.default_rng(0), 0
    for _ in range(40):
        one, other = rng.integers(0, 2, (2, 300))
        time, until = rng.exponential(np.exp(-2.0 * other)), np.where(one * other, rng.exponential(0.05, 300), 9.0)
        large += of_times(one, np.stack([np.minimum(time, until), time <= until], axis=1)) >= 20
    assert large > 8  # of 40, where a mean of 1 allows 1 in 20


def test_the_best_hazard_ratio_has_a_mean_above_1() -> None:
    orders = [list(order) for order in permutations(zip(*TIMES[0], strict=True))]
    each = [max(partial_likelihood([0, 1], rows, b) for b in (-1.0, -0.25, 0.25, 1.0)) for rows in orders]
    assert np.mean(each) > 1.1


def test_survival_turns_with_the_column_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        codes, rows = rng.integers(0, 7, 40), np.stack([rng.integers(1, 9, 40), rng.integers(0, 2, 40)], axis=1)
        codes[:7] = range(7)
        order = rng.permutation(40)
        for ordered in (True, False):
            e = of_times(codes, rows, ordered)
            assert e == of_times(6 - codes, rows, ordered) == of_times(codes[order], rows[order], ordered)
