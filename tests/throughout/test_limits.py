"""Exact work says what it would cost, and is refused before it begins; bounds stay in logarithms at every scale."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from reproductions.ghosh2017.order_bounds import order_bounds
from splitcrit import (
    gini,
    misclassification,
    pairwise_gain,
    symmetric,
    twoing,
)
from splitcrit.arguments import PATIENT, affordable
from splitcrit.noise import transition_matrix
from splitcrit.robustness import (
    expected_gain,
    majority_bounds,
    majority_failure,
    majority_failure_by_example,
    order_failure,
    phase_diagram,
    samples_needed,
)
from splitcrit.robustness.published_bounds import exponents
from splitcrit.robustness.sample_sizes import _least

F = Fraction
HUGE = 10**30


TOO_MUCH = [
    lambda: majority_failure([HUGE, 3], symmetric(0.2)),
    lambda: majority_failure([HUGE, 3], symmetric(F(1, 5))),
    lambda: majority_failure([10**9, 3, 2], symmetric(0.2)),
    lambda: majority_failure([1] * 70 + [2], symmetric(0.2)),
    lambda: majority_failure([3000, 2000], symmetric(F(12345678901234567, 10**17))),
    lambda: majority_failure_by_example([10**15, 1], [0.1, 0.2]),
    lambda: majority_failure_by_example(np.zeros(10**6, int), np.full(10**6, 0.1)),
    lambda: samples_needed([10**15, 10**15 + 1], symmetric(0.3), 0.05),
    lambda: samples_needed([0, 1], symmetric(0.4999), 0.05),
    lambda: expected_gain([[HUGE, 1], [1, 2]], channel=symmetric(0.2), criterion=pairwise_gain),
    lambda: expected_gain([[1] * 300, [2] * 300], channel=symmetric(0.2)),
    lambda: phase_diagram([[9, 1], [5, 5]], [[8, 2], [6, 4]], points=10**9),
]


@pytest.mark.parametrize("work", TOO_MUCH, ids=range(len(TOO_MUCH)))
def test_what_takes_too_long_is_refused_at_once(work):
    with pytest.raises(ValueError, match=r"; got .*; .*(take|merge|larger)"):
        work()


def test_a_larger_limit_allows_what_a_smaller_one_refuses():
    channel = symmetric(0.2)
    for call in (
        lambda limit: majority_failure([30, 20, 10], channel, limit=limit),
        lambda limit: majority_failure_by_example([0, 1, 1], [0.1, 0.2, 0.3], limit=limit),
        lambda limit: samples_needed([5, 3, 2], channel, 0.2, limit=limit),
        lambda limit: expected_gain([[1, 2], [3, 4]], channel=channel, criterion=pairwise_gain, limit=limit),
        lambda limit: phase_diagram([[9, 1], [5, 5]], [[8, 2], [6, 4]], limit=limit).clean,
    ):
        with pytest.raises(ValueError, match=r"takes at most limit=1e-06 seconds; .* or a larger limit"):
            call(1e-6)
        assert call(PATIENT) == call(10 * PATIENT)
    for nothing in (0, -1, float("nan"), None, True, "9"):
        with pytest.raises(ValueError, match="limit is a positive number of seconds; got"):
            affordable(1, nothing, "nothing", "rest")


def test_a_small_limit_of_an_order_asks_for_draws():
    cells = [[[4, 1], [3, 2]], [[2, 3], [1, 4]]]
    assert order_failure(cells, channel=symmetric(0.2)).draws == 0
    found = order_failure(cells, channel=symmetric(0.2), limit=1e-6, rng=0)
    assert found.draws == 100_000
    exact = order_failure(cells, channel=symmetric(F(1, 5))).probability
    assert abs(found.probability - float(exact)) < 5 * found.standard_error


def test_fractions_need_as_many_samples_as_floats():
    assert samples_needed([5, 3, 2], symmetric(F(1, 5)), 0.2) == samples_needed([5, 3, 2], symmetric(0.2), 0.2)


def least(counts, rows, delta, factor):
    """The least n of Theorem 4's bound, in mpmath at 200 digits; the rates are those of the float64 matrix."""
    with mpmath.workdps(200):
        best, n = counts.index(max(counts)), sum(counts)
        rates = [[mpmath.mpf(x) for x in row] for row in rows]
        expected = [sum(c * q[k] for c, q in zip(counts, rates, strict=True)) / n for k in range(len(counts))]
        gamma = min(expected[best] - x for k, x in enumerate(expected) if k != best)
        return int(mpmath.ceil(2 * mpmath.log(factor / mpmath.mpf(delta)) / gamma**2))


@pytest.mark.each_value
@pytest.mark.parametrize("counts", [[1, 10000], [3, 2], [1, 10**9], [1, 10**5, 3], [2, 10**4, 1, 1]])
@pytest.mark.parametrize("rate", [0.01, 0.3])
@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-9])
def test_numbers_from_bounds_agree_with_high_precision(counts, rate, delta):
    rows = symmetric(rate).transition(len(counts))
    found = _least(exponents(counts, rows).theorem4, len(counts) - 1, delta)
    assert found == least(counts, rows, delta, len(counts) - 1)
    if len(counts) == 2 and sum(counts) < 10**6:
        assert samples_needed(counts, symmetric(rate), delta).lemma7 == found


def test_an_underflow_is_not_read_as_one_example():
    assert samples_needed([1, 10000], symmetric(0.3), 0.05).theorem4 == 38
    bounds = majority_bounds([1, 10**6], symmetric(0.1))
    assert bounds.kearns_saul > 0 and bounds.theorem4 > 0  # what is rounded to 0 would be no bound
    assert majority_bounds([0, 5], symmetric(0.0)).kearns_saul == 0  # which is exact


def test_bounds_of_the_order_of_nearly_equal_splits_hold_at_every_scale():
    """Splits that differ in one sample of many: the correlation is 1 but for 1e-15, and the exponent is not endless."""
    for n in (10**3, 10**6, 10**9, 10**15):
        cells = np.array([[[n, 2 * n], [1, 0]], [[0, 0], [2 * n, n]]], dtype=object)
        found = order_bounds(cells.tolist(), channel=symmetric(0.1))
        with mpmath.workdps(100):
            tables = [cells.sum(axis=1), cells.sum(axis=0)]
            total, k = mpmath.mpf(6 * n + 1), 1 - 2 * mpmath.mpf(0.1)
            (left, right) = zip(*[[int(x) for x in table.sum(axis=1)] for table in tables], strict=True)
            d = [int(t[0][1]) * r - int(t[1][1]) * b for t, b, r in zip(tables, left, right, strict=True)]
            roots = [abs(x) / (total * mpmath.sqrt(a * b)) for x, a, b in zip(d, left, right, strict=True)]
            sizes = cells.sum(axis=-1)
            r = (sizes[0, 0] * sizes[1, 1] - sizes[0, 1] * sizes[1, 0]) / mpmath.sqrt(
                mpmath.mpf(left[0] * right[0]) * left[1] * right[1]
            )
            r = r if d[0] * d[1] > 0 else -r
            near, far = (roots[0] - roots[1]) ** 2 / (1 - r), (roots[0] + roots[1]) ** 2 / (1 + r)
            exact = mpmath.exp(-total * k * k * near) + mpmath.exp(-total * k * k * far)
        assert found.sharp == pytest.approx(float(exact), rel=1e-9)
        assert 0 < found.lemma8 <= 12


def test_orders_at_counts_beyond_int64_products():
    n = 10**15
    cells = [[[3 * n, n], [n, n]], [[n, 2 * n], [n, 3 * n]]]
    found = order_failure(cells, channel=symmetric(0.2), rng=0, draws=2000)
    assert found.probability in (0.0, 1.0)
    tables = np.array(cells, dtype=object)
    exact = [twoing.exact(tables.sum(axis=axis).tolist()) for axis in (1, 0)]
    assert exact[0] != exact[1] and found.probability == 0.0  # noise of that many samples changes nothing
    for criterion in (gini, twoing, misclassification):
        assert order_bounds(cells, channel=symmetric(0.2), criterion=criterion).lemma8 > 0
    with pytest.raises(ValueError, match="fewer than 2\\*\\*62 samples; got"):
        order_failure([[[2**62, 1], [3, 2]], [[2, 3], [1, 4]]], channel=symmetric(0.2))


def test_an_expected_gain_keeps_its_digits_at_large_counts():
    for n in (10**3, 10**9, 10**15):
        table = [[3 * n, n], [n, 2 * n]]
        channel = transition_matrix([[0.75, 0.25], [0.125, 0.875]])
        exact = expected_gain(table, channel=transition_matrix([[F(3, 4), F(1, 4)], [F(1, 8), F(7, 8)]]))
        found = expected_gain(table, channel=channel)
        for name in ("mean", "variance", "signal", "additive"):
            assert getattr(found, name) == pytest.approx(float(getattr(exact, name)), rel=1e-14), (n, name)


NEAR_THE_LIMIT = {
    "rates": lambda: majority_failure([700, 100, 100], symmetric(0.2)),
    "fractions": lambda: majority_failure([90, 40, 30], symmetric(F(1, 5))),
    "many": lambda: majority_failure([3 * 10**6, 10**6], symmetric(0.2)),
    "orders": lambda: order_failure([[[30, 20], [25, 25]], [[24, 26], [20, 30]]], channel=symmetric(0.2)),
    "gains": lambda: expected_gain([[2] * 40, [3] * 40], channel=symmetric(0.2)),
}


@pytest.mark.parametrize(
    "name", [*(pytest.param(n, marks=[pytest.mark.slow] * (n != "fractions")) for n in NEAR_THE_LIMIT)]
)
def test_what_is_near_the_limit_is_answered(name):
    assert NEAR_THE_LIMIT[name]() is not None
