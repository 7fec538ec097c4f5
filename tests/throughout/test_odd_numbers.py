"""Numbers of unusual kinds in arithmetics, proofs and makers: read as what they are, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pandas as pd
import pytest

import splitcrit as sc
from reproductions.ghosh2017.order_bounds import order_bounds
from splitcrit import criteria, impurities, losses, robustness
from splitcrit.arguments import PATIENT, affordable, real
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.criteria.facts import facts, known
from splitcrit.frozen import is_ours, printable, shown
from splitcrit.impurities import Impurity, gini
from splitcrit.noise import compose, transition_matrix
from splitcrit.proof import BALL, Ball, Fact, Field, Status, enclosed_flips
from splitcrit.robustness.published_bounds import exponents
from splitcrit.robustness.sample_sizes import _least

TABLE = [[90, 10], [50, 50]]
READERS: dict[str, Callable[[Any], Any]] = {
    "EXACT.number": EXACT.number,
    "EXACT.log": EXACT.log,
    "EXACT.power": lambda x: EXACT.power(Fraction(1, 2), x),
    "BALL.number": BALL.number,
    "Ball": Ball,
    "an exponent": lambda x: Ball(2) ** x,
    "Field": Field,
    "Fact": lambda x: Fact("gini", "concave", "all", True, x),
    "a direction": lambda x: enclosed_flips(TABLE, TABLE, sc.gini, direction=(1, x)),
}
HUGE = {"an integer": 10**5000, "a negative one": -(10**5000), "a fraction": Fraction(10**5000 + 1, 10**5000)}
TAKEN = {"EXACT.number", "BALL.number", "Ball", "Fact", "a direction"}  # they have numbers of any size


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", HUGE)
def test_what_cannot_be_printed_ends_in_one_sentence(reader: str, kind: str) -> None:
    try:
        READERS[reader](HUGE[kind])
    except (TypeError, ValueError, Irrational) as refused:
        assert is_ours(refused)
    else:
        assert reader in TAKEN or kind == "a fraction"


def test_huge_numbers_are_shown_by_their_kind() -> None:
    assert shown(10**5000) == "int of more than 4300 digits" and not printable(Fraction(1, 10**5000))
    with pytest.raises(ValueError, match="got int of more than 4300 digits; use s = 1"):
        sc.imprecise_gain_ratio(10**5000)
    with pytest.raises(ValueError, match="class counts have at most 4300 digits; got one of more at row 0, column 1"):
        sc.Table.of([[1, 10**5000], [2, 3]])


def test_a_power_that_no_memory_holds_is_refused() -> None:
    with pytest.raises(Irrational, match="EXACT stays in the rationals; got power 9223372036854775808 of 1/2"):
        EXACT.power(Fraction(1, 2), 2**63)
    assert EXACT.power(Fraction(1, 2), 100) == Fraction(1, 2**100)


def test_parameters_of_formulas_are_numbers() -> None:
    assert FLOAT.number(Fraction(1, 4)) == 0.25
    with pytest.raises(TypeError, match="a parameter of a formula is a number; got NaT"):
        FLOAT.number(pd.NaT)


def test_an_unknown_status_is_named() -> None:
    assert Status("settled") is Status.PROVED
    with pytest.raises(ValueError, match="a status must be one of settled, refuted, unknown; got 'maybe'"):
        Status("maybe")


# Large counts, and tables without observations.

NOISE = sc.symmetric(0.2)


def test_a_table_without_observations_has_p_value_one():
    for nothing in ([[0, 0], [0, 0]], np.zeros((3, 2), int)):
        assert sc.selected_pvalue(nothing).value == sc.gini_pvalue(nothing).value == 1
        assert sc.selected_pvalue(nothing, method="exact").value == Fraction(1)


def test_large_counts_are_counted_in_integers():
    n = 10**15
    assert robustness.estimated_rates([[9 * n // 10, n // 10], [n // 10, 9 * n // 10]]).tau_neg == 0.1
    assert robustness.leaf_labels([[10**400, 1], [1, 10**400]], NOISE).tolist() == [0, 1]
    assert sc.optimal_vertex([3 * n, 2 * n, n], sc.twoing).left == (0,)
    assert robustness.majority_bounds([n, 2 * n], NOISE).lemma7 > 0


# What makers are given: numbers in their range, of one kind, asked for by name; the rest is asked by the contract.

HALF = Fraction(1, 2)


def refused(act: Callable[[], Any]) -> None:
    """Assert that an error of the library is raised, with its rule, what was got, and a remedy."""
    with pytest.raises((TypeError, ValueError)) as caught:
        act()
    assert is_ours(caught.value), caught.value
    rule, got, remedy = (part.strip() for part in str(caught.value).split(";", 2))
    assert rule and got.startswith("got ") and remedy and "\n" not in str(caught.value)


# Parameters.

OUTSIDE: dict[str, tuple[Callable[[Any], Any], tuple[Any, ...]]] = {
    "gce": (impurities.gce, (-1, -1e-300)),
    "ne": (impurities.ne, (-0.1,)),
    "shannon_entropy": (impurities.shannon_entropy, (1, 0, -2)),
    "scaled impurity": (lambda x: impurities.scaled(gini, x), (0, -1)),
    "scaled loss": (lambda x: losses.scaled(losses.square, x), (0, -1)),
    "negative_exponential": (losses.negative_exponential, (0, -1)),
    "exponential_cdf": (losses.exponential_cdf, (0,)),
    "symmetric": (sc.symmetric, (-0.1, 1.1, 2)),
    "transition_matrix": (lambda x: transition_matrix([[x, 0], [0, 1]]), (-1, 2, 0.5)),
    "imprecise_information_gain": (criteria.imprecise_information_gain, (0, -1)),
    "imprecise_gain_ratio": (criteria.imprecise_gain_ratio, (0,)),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_parameters_outside_their_range_are_refused(name: str) -> None:
    make, values = OUTSIDE[name]
    for bad in values:
        refused(lambda bad=bad: make(bad))  # type: ignore[misc]


def test_numpy_numbers_are_numbers() -> None:
    assert repr(impurities.gce(np.float64(0.5))) == "gce(q=0.5)" == repr(impurities.gce(np.float32(0.5)))
    assert impurities.ne(np.int64(1)) == impurities.ne(1)
    assert repr(impurities.variance(np.array([0, 1]))) == "variance((0, 1))"
    assert real(HALF, "rule", "remedy") is HALF


def test_one_kind_is_no_other() -> None:
    for act in (
        lambda: criteria.decrease(sc.twoing), lambda: criteria.decrease(losses.square),  # type: ignore[arg-type]
        lambda: Impurity.from_loss(gini), lambda: criteria.normalised(losses.square),  # type: ignore[arg-type]
        lambda: compose(gini, gini),  # type: ignore[arg-type]
        lambda: criteria.replace(gini, q=2), lambda: criteria.replace(gini, name=3),
        lambda: criteria.replace(sc.agini, beta=2), lambda: criteria.replace(criteria.Criterion, name="x"),
        lambda: losses.scaled(gini, 2), lambda: impurities.scaled(losses.square, 2),  # type: ignore[arg-type]
    ):  # fmt: skip
        refused(act)


# Facts.


def test_facts_are_asked_for_by_name_and_number() -> None:
    for property in (None, 3, ["concave"]):
        refused(lambda property=property: known(gini, property, 2))  # type: ignore[misc]
    assert known(gini, "concave", np.int64(2)) == known(gini, "concave", 2)


def test_whoever_changes_a_fact_changes_a_copy() -> None:
    facts()[0]["verdict"] = "wrong"
    assert all(fact["verdict"] != "wrong" for fact in facts())


def test_halves_are_computed_in_float64() -> None:
    thirds = np.array([[1, 2], [3, 4]], np.float16)
    assert sc.symmetric(0.1).expected(thirds).tolist() == sc.symmetric(0.1).expected(thirds.astype(float)).tolist()


# Exact work says what it would cost, and is refused before it begins; bounds stay in logarithms at every scale.

F = Fraction
MANY = 10**30


TOO_MUCH = [
    lambda: robustness.majority_failure([MANY, 3], sc.symmetric(0.2)),
    lambda: robustness.majority_failure([MANY, 3], sc.symmetric(F(1, 5))),
    lambda: robustness.majority_failure([10**9, 3, 2], sc.symmetric(0.2)),
    lambda: robustness.majority_failure([1] * 70 + [2], sc.symmetric(0.2)),
    lambda: robustness.majority_failure([3000, 2000], sc.symmetric(F(12345678901234567, 10**17))),
    lambda: robustness.majority_failure_by_example([10**15, 1], [0.1, 0.2]),
    lambda: robustness.majority_failure_by_example(np.zeros(10**6, int), np.full(10**6, 0.1)),
    lambda: robustness.samples_needed([10**15, 10**15 + 1], sc.symmetric(0.3), 0.05),
    lambda: robustness.samples_needed([0, 1], sc.symmetric(0.4999), 0.05),
    lambda: robustness.expected_gain([[MANY, 1], [1, 2]], channel=sc.symmetric(0.2), criterion=sc.pairwise_gain),
    lambda: robustness.expected_gain([[1] * 300, [2] * 300], channel=sc.symmetric(0.2)),
    lambda: robustness.phase_diagram([[9, 1], [5, 5]], [[8, 2], [6, 4]], points=10**9),
]


@pytest.mark.parametrize("work", TOO_MUCH, ids=range(len(TOO_MUCH)))
def test_what_takes_too_long_is_refused_at_once(work):
    with pytest.raises(ValueError, match=r"; got .*; .*(take|merge|larger)"):
        work()


def test_a_larger_limit_allows_what_a_smaller_one_refuses():
    channel = sc.symmetric(0.2)
    for call in (
        lambda limit: robustness.majority_failure([30, 20, 10], channel, limit=limit),
        lambda limit: robustness.majority_failure_by_example([0, 1, 1], [0.1, 0.2, 0.3], limit=limit),
        lambda limit: robustness.samples_needed([5, 3, 2], channel, 0.2, limit=limit),
        lambda limit: robustness.expected_gain(
            [[1, 2], [3, 4]], channel=channel, criterion=sc.pairwise_gain, limit=limit
        ),
        lambda limit: robustness.phase_diagram([[9, 1], [5, 5]], [[8, 2], [6, 4]], limit=limit).clean,
    ):
        with pytest.raises(ValueError, match=r"takes at most limit=1e-06 seconds; .* or a larger limit"):
            call(1e-6)
        assert call(PATIENT) == call(10 * PATIENT)
    for nothing in (0, -1, float("nan"), None, True, "9"):
        with pytest.raises(ValueError, match="limit is a positive number of seconds; got"):
            affordable(1, nothing, "nothing", "rest")


def test_a_small_limit_of_an_order_asks_for_draws():
    cells = [[[4, 1], [3, 2]], [[2, 3], [1, 4]]]
    assert robustness.order_failure(cells, channel=sc.symmetric(0.2)).draws == 0
    found = robustness.order_failure(cells, channel=sc.symmetric(0.2), limit=1e-6, rng=0)
    assert found.draws == 100_000
    exact = robustness.order_failure(cells, channel=sc.symmetric(F(1, 5))).probability
    assert abs(found.probability - float(exact)) < 5 * found.standard_error


def test_fractions_need_as_many_samples_as_floats():
    assert robustness.samples_needed([5, 3, 2], sc.symmetric(F(1, 5)), 0.2) == robustness.samples_needed(
        [5, 3, 2], sc.symmetric(0.2), 0.2
    )


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
    rows = sc.symmetric(rate).transition(len(counts))
    found = _least(exponents(counts, rows).theorem4, len(counts) - 1, delta)
    assert found == least(counts, rows, delta, len(counts) - 1)
    if len(counts) == 2 and sum(counts) < 10**6:
        assert robustness.samples_needed(counts, sc.symmetric(rate), delta).lemma7 == found


def test_an_underflow_is_not_read_as_one_example():
    assert robustness.samples_needed([1, 10000], sc.symmetric(0.3), 0.05).theorem4 == 38
    bounds = robustness.majority_bounds([1, 10**6], sc.symmetric(0.1))
    assert bounds.kearns_saul > 0 and bounds.theorem4 > 0  # what is rounded to 0 would be no bound
    assert robustness.majority_bounds([0, 5], sc.symmetric(0.0)).kearns_saul == 0  # which is exact


def test_bounds_of_the_order_of_nearly_equal_splits_hold_at_every_scale():
    """Splits that differ in one sample of many: the correlation is 1 but for 1e-15, and the exponent is not endless."""
    for n in (10**3, 10**6, 10**9, 10**15):
        cells = np.array([[[n, 2 * n], [1, 0]], [[0, 0], [2 * n, n]]], dtype=object)
        found = order_bounds(cells.tolist(), channel=sc.symmetric(0.1))
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
    found = robustness.order_failure(cells, channel=sc.symmetric(0.2), rng=0, draws=2000)
    assert found.probability in (0.0, 1.0)
    tables = np.array(cells, dtype=object)
    exact = [sc.twoing.exact(tables.sum(axis=axis).tolist()) for axis in (1, 0)]
    assert exact[0] != exact[1] and found.probability == 0.0  # noise of that many samples changes nothing
    for criterion in (gini, sc.twoing, sc.misclassification):
        assert order_bounds(cells, channel=sc.symmetric(0.2), criterion=criterion).lemma8 > 0
    with pytest.raises(ValueError, match="fewer than 2\\*\\*62 samples; got"):
        robustness.order_failure([[[2**62, 1], [3, 2]], [[2, 3], [1, 4]]], channel=sc.symmetric(0.2))


def test_an_expected_gain_keeps_its_digits_at_large_counts():
    for n in (10**3, 10**9, 10**15):
        table = [[3 * n, n], [n, 2 * n]]
        channel = transition_matrix([[0.75, 0.25], [0.125, 0.875]])
        exact = robustness.expected_gain(table, channel=transition_matrix([[F(3, 4), F(1, 4)], [F(1, 8), F(7, 8)]]))
        found = robustness.expected_gain(table, channel=channel)
        for name in ("mean", "variance", "signal", "additive"):
            assert getattr(found, name) == pytest.approx(float(getattr(exact, name)), rel=1e-14), (n, name)


NEAR_THE_LIMIT = {
    "rates": lambda: robustness.majority_failure([700, 100, 100], sc.symmetric(0.2)),
    "fractions": lambda: robustness.majority_failure([90, 40, 30], sc.symmetric(F(1, 5))),
    "many": lambda: robustness.majority_failure([3 * 10**6, 10**6], sc.symmetric(0.2)),
    "orders": lambda: robustness.order_failure([[[30, 20], [25, 25]], [[24, 26], [20, 30]]], channel=sc.symmetric(0.2)),
    "gains": lambda: robustness.expected_gain([[2] * 40, [3] * 40], channel=sc.symmetric(0.2)),
}


@pytest.mark.parametrize(
    "name", [*(pytest.param(n, marks=[pytest.mark.slow] * (n != "fractions")) for n in NEAR_THE_LIMIT)]
)
def test_what_is_near_the_limit_is_answered(name):
    assert NEAR_THE_LIMIT[name]() is not None
