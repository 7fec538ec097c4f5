"""Moments of very many thresholds of two classes: those of their margins, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import hypergeom

from splitcrit import decrease, entropy, gce, matushita, misclassification, twoing
from splitcrit.criteria import chi_square
from splitcrit.nulls import null_moments, score_moments
from splitcrit.nulls.score_moments import likely_counts, threshold_moments

CRITERIA = [*map(decrease, (entropy, matushita, misclassification, gce(0.5))), chi_square, twoing]


def thresholds(seed: int, most: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    n = rng.integers(2, most, 40)
    return n, rng.integers(0, n + 1), rng.integers(0, n + 1)


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("most", [12, 400])
def test_moments_are_those_of_the_margins(criterion: Any, most: int) -> None:
    n, ones, sizes = thresholds(1, most)
    means, spreads = threshold_moments(criterion, n, ones, sizes)
    for total, b, m, mean, spread in zip(*(x.tolist() for x in (n, ones, sizes, means, spreads)), strict=True):
        if 0 < m < total and 0 < b < total:
            law = null_moments(criterion, [m, total - m], [b, total - b])
            assert mean == pytest.approx(law.mean, rel=1e-9, abs=1e-14)
            assert spread == pytest.approx(law.variance**0.5, rel=1e-9, abs=1e-12)
        else:
            assert spread == 0


def test_moments_do_not_depend_on_what_else_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, criterion = thresholds(2, 100), decrease(entropy)
    first = threshold_moments(criterion, *asked)
    again = threshold_moments(criterion, *(each[::-1] for each in asked))
    assert all(np.array_equal(x, y[::-1]) for x, y in zip(first, again, strict=True))
    score_moments._at_thresholds.cache_clear()
    monkeypatch.setattr(score_moments, "PAIRS", 50)
    few = threshold_moments(criterion, *asked)
    assert all(np.array_equal(x, y) for x, y in zip(first, few, strict=True))


def test_likely_counts_are_all_that_matter() -> None:
    n, ones, sizes = (x.astype(np.int64) for x in thresholds(3, 300))
    inside = (sizes > 0) & (sizes < n) & (ones > 0) & (ones < n)
    asked = [each[inside] for each in (n, ones, sizes)]
    starts, counts, chances = likely_counts(*asked)
    for i, (total, b, m) in enumerate(zip(*(each.tolist() for each in asked), strict=True)):
        x, p = (part[starts[i] : starts[i + 1]] for part in (counts, chances))
        np.testing.assert_allclose(p, hypergeom(total, b, m).pmf(x), rtol=1e-10)
        assert abs(p.sum() - 1) < 1e-12
