"""Mean, variance and covariance of criteria by chance: every table with given margins, known laws, and bad input."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cell_sums
from refusals import refused
from splitcrit import Impurity, decrease, entropy, gini, gini_null, matushita, misclassification, twoing
from splitcrit.arith import EXACT, Irrational, total
from splitcrit.criteria import chi_square, g_statistic, sum_minority
from splitcrit.nulls import null_covariance, null_moments

MARGINS = [((3, 5), (4, 2, 2)), ((2, 2, 2, 2), (3, 5)), ((1, 3, 4), (2, 3, 3)), ((4, 4), (4, 4)), ((5, 0, 3), (2, 6))]


def enumerated(criterion: Any, a: Any, b: Any) -> tuple[float, float]:
    every = [(float(criterion(np.array(table))), float(p)) for table, p in cell_sums.tables(a, b)]
    mean = sum(p * s for s, p in every)
    return mean, sum(p * (s - mean) ** 2 for s, p in every)


@pytest.mark.parametrize("criterion", [chi_square, g_statistic, *map(decrease, (gini, entropy, matushita))], ids=repr)
def test_moments_are_those_of_all_tables(criterion: Any) -> None:
    for a, b in MARGINS:
        found = null_moments(criterion, a, b)
        assert (found.mean, found.variance) == pytest.approx(enumerated(criterion, a, b), rel=1e-11), (a, b)
        assert found.method == ("formula" if criterion.impurity == gini else "corners")


def test_moments_in_fractions() -> None:
    for criterion, a, b in ((chi_square, (3, 5), (4, 2, 2)), (sum_minority, (3, 2, 2), (4, 3))):
        every = [
            (criterion.score([[Fraction(x) for x in row] for row in t], EXACT), p) for t, p in cell_sums.tables(a, b)
        ]
        mean = sum(p * s for s, p in every)
        found = null_moments(criterion, a, b, exact=True)
        assert (found.mean, found.variance) == (mean, sum(p * (s - mean) ** 2 for s, p in every))
    assert null_moments(gini, [3, 7], [4, 6], exact=True) == gini_null([3, 7], [4, 6], exact=True)


def test_covariances_are_those_of_all_tables() -> None:
    both, of_gini, of_entropy = (lambda t: decrease(gini)(t) + decrease(entropy)(t)), decrease(gini), decrease(entropy)
    for a, b in MARGINS:
        whole, one, other = (enumerated(criterion, a, b)[1] for criterion in (both, of_gini, of_entropy))
        assert null_covariance(gini, entropy, a, b) == pytest.approx((whole - one - other) / 2, rel=1e-10)
    assert null_covariance(gini, gini, (3, 7), (4, 6), exact=True) == gini_null((3, 7), (4, 6), exact=True).variance


MARGINS_DIFFER = "row totals and column totals must have the same sum"
NO_SUM = "add up functions of one cell each; got"
MANY = range(1000, 1100)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: null_moments(entropy, [2, 2], [2, 3]), ValueError, MARGINS_DIFFER),
        (lambda: null_moments(entropy, [2, -2], [0, 0]), ValueError, "non-negative"),
        (lambda: null_moments(entropy, [0.5, 1.5], [1, 1]), ValueError, "row totals must be integers; got 0.5"),
        (lambda: null_moments(entropy, [1], [1]), ValueError, "of at least two observations; got 1"),
        (lambda: null_moments(entropy, [[2, 2]], [2, 2]), ValueError, "needs one table of at least two"),
        (lambda: null_moments(twoing, [3, 3], [2, 2, 2]), ValueError, f"{NO_SUM} twoing; take columns.standardised"),
        (lambda: null_moments(misclassification, [3, 3], [2, 2, 2]), ValueError, f"{NO_SUM} decrease.misclass"),
        (lambda: null_moments(twoing, [3, 3, 2], [4, 4]), ValueError, "twoing is defined for tables of 2 rows"),
        (lambda: null_moments(entropy, [3, 3], [2, 4], exact=True), Irrational, "EXACT stays in the rationals"),
        (lambda: null_moments(entropy, MANY, MANY), ValueError, "takes at most limit=5 seconds"),
        (lambda: null_covariance(gini, twoing, [3, 3], [2, 2, 2]), ValueError, f"{NO_SUM} decrease.gini. and twoing"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(call: Any, error: type[Exception], sentence: str) -> None:
    refused(sentence, call, error=error)


cubes = Impurity("cubes", lambda p, m: 1 - total([x * x * x for x in p]))
ONES = (1,) * 298 + (2,)
THIN = [((1, 9999), (4999, 5001)), ((3, 2997), (1, 1498, 1501)), (ONES, (149, 151)), ((500, 501), (1, 1000))]


@pytest.mark.parametrize(("a", "b"), THIN)
def test_margins_at_which_a_sum_hardly_varies_lose_no_digits(a: Any, b: Any) -> None:
    """The standard deviation is down to 1e-8 of the terms."""
    for criterion in (decrease(Impurity("same", gini.of)), decrease(cubes), chi_square):
        found, exact = null_moments(criterion, a, b), null_moments(criterion, a, b, exact=True)
        assert found.variance == pytest.approx(float(exact.variance), rel=1e-10, abs=0) and exact.variance > 0
        assert found.mean == pytest.approx(float(exact.mean), rel=1e-10)


def test_margins_that_leave_nothing_to_chance_have_no_variance() -> None:
    for a, b in (((1, 1999), (1000, 1000)), ((1,) * 300, (100, 200)), ((1, 299), (100,) * 3), ((500,) * 9, (1, 4499))):
        for criterion in (*map(decrease, (entropy, matushita, cubes)), g_statistic):
            assert null_moments(criterion, a, b).variance == 0, (criterion, a, b)
    assert null_moments(chi_square, (1, 1999), (1000, 1000)).variance == 0
