"""The third moment of a batch, without cancelling, against exact fractions; and the surprise of a gamma law."""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from splitcrit import gini_null
from splitcrit.nulls.distribution import null_distribution
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.nulls.permutation import exact_variance
from splitcrit.nulls.third_moment import exact_third, third_moment


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 12, 60, 1000, 10**6, 2**30])
def test_the_third_moment_in_floats_is_the_exact_one(n: int) -> None:
    source = np.random.default_rng(n)
    for r, k in itertools.product((1, 2, 3, 4), repeat=2):
        rows, columns = (source.multinomial(n, source.dirichlet(np.ones(size)), 4) for size in (r, k))
        columns[0] = np.pad([n - 3, 2, 1], (0, k))[:k] if k > 2 else columns[0]
        found = third_moment(rows.T.astype(float), columns.T.astype(float))
        for a, b, third in zip(rows.tolist(), columns.tolist(), found.tolist(), strict=True):
            sides = [[x for x in side if x] for side in (a, b)]
            variance = float(exact_variance(*sides).fraction())
            apart = abs(Fraction(third) - exact_third(*sides).fraction())
            assert float(apart) <= 1e-11 * variance**1.5 or variance == 0, (a, b)


def test_the_surprise_of_a_gamma_law_is_right_to_many_digits_everywhere() -> None:
    for shape, reach in itertools.product((0.3, 1.0, 2.5, 40.0), (1e-3, 0.1, 1.0, 30.0, 700.0, 5000.0)):
        with mpmath.workdps(60):
            if reach < 100:
                truth = -mpmath.log1p(-mpmath.gammainc(shape, 0, reach, regularized=True))
            else:
                truth = -mpmath.log(mpmath.gammainc(shape, reach, mpmath.inf, regularized=True))
        found = surprise(np.array([shape]), np.array([reach]))[0]
        assert found == pytest.approx(float(truth), rel=1e-11, abs=0), (shape, reach)


def test_laws_are_equal_where_their_parts_are() -> None:
    law = null_distribution([[3, 0], [1, 4]])
    assert law == null_distribution([[3, 0], [1, 4]])
    assert law != null_distribution([[3, 0], [2, 4]])
    assert law != 3 and (law == None) is False  # noqa: E711
    moments = gini_null([3, 5], [4, 4])
    assert moments == gini_null([3, 5], [4, 4]) and moments != gini_null([2, 6], [4, 4]) and moments != 3
