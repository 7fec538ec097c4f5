"""The third moment of a batch, without cancelling, against exact fractions; and the surprise of a gamma law."""

from __future__ import annotations

import itertools
import random

import mpmath
import numpy as np
import pytest

from splitcrit import gini_null
from splitcrit.nulls.distribution import null_distribution
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.nulls.third_moment import exact_third, third_moment


def margins(source: random.Random, parts: int, n: int) -> list[int]:
    """A random way to share n among some parts, none of them empty."""
    cuts = [0, *sorted(source.sample(range(1, n), parts - 1)), n]
    return [b - a for a, b in itertools.pairwise(cuts)]


@pytest.mark.parametrize("n", [5, 6, 7, 12, 40])
def test_the_third_moment_of_a_batch_is_that_in_fractions(n: int) -> None:
    source = random.Random(n)
    for r, k in itertools.product((1, 2, 3, 4), repeat=2):
        rows = np.array([margins(source, r, n) for _ in range(6)])
        columns = np.array([margins(source, k, n) for _ in range(6)])
        truth = [float(exact_third(a.tolist(), b.tolist())) for a, b in zip(rows, columns, strict=True)]
        found = third_moment(rows.T.astype(float), columns.T.astype(float))
        np.testing.assert_allclose(found, truth, rtol=1e-10, atol=1e-16)


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
