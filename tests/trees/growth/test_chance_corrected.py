"""Trees by chance-corrected scores: every threshold is scored as its table, and weights are counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from splitcrit import gini_null, gini_pvalue, significance
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.scan import formulas_compiled


def tables_of(rng, m: int, classes: int, most: int) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return tables of two rows with a sample each at least."""
    found = rng.integers(0, most, (m, 2, classes)) * (rng.random((m, 2, classes)) < 0.8)
    found[:, :, 0] += found.sum(axis=2) == 0
    return found


# Scores.


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_significance_is_minus_log_of_dobra_and_gehrkes_p_value(classes: int) -> None:
    tables = tables_of(np.random.default_rng(classes), 2000, classes, 12)
    p = gini_pvalue(tables, method="gamma").value
    found = significance(tables)
    assert ((found == 0) == (p == 1)).all()
    np.testing.assert_allclose(found, -np.log(p), rtol=1e-12, atol=1e-15)
    classes_first = np.moveaxis(tables, 0, -1).astype(float)
    np.testing.assert_allclose(significance.score(classes_first, FLOAT), found, rtol=1e-11, atol=1e-12)
    assert significance(tables[0]) == pytest.approx(-np.log(gini_pvalue(tables[0], method="gamma").value), rel=1e-13)


@pytest.mark.parametrize("n", [50, 5000, 500_000])
def test_significance_tells_splits_apart_whose_p_value_is_no_float(n: int) -> None:
    scores = []
    for table in ([[n, 0], [0, n]], [[n, 1], [0, n]], [[n, 1], [1, n]]):
        law = gini_null(*[np.array(table).sum(axis=axis) for axis in (1, 0)], model="multinomial", exact=True)
        gain = Fraction(2 * (table[0][0] * table[1][1] - table[0][1] * table[1][0]) ** 2, 1)
        rows, total = np.array(table).sum(axis=1).tolist(), int(np.sum(table))
        gain /= rows[0] * rows[1] * total**2
        shape, reach = law.mean**2 / law.variance, gain * law.mean / law.variance
        with mpmath.workdps(40):
            numbers = [mpmath.mpf(x.numerator) / x.denominator for x in (shape, reach)]
            true = -mpmath.log(mpmath.gammainc(*numbers, mpmath.inf, regularized=True))
        assert significance(table) == pytest.approx(float(true), rel=1e-13)
        scores.append(significance(table))
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 3


def test_compiled_tails_and_their_bound() -> None:
    rng = np.random.default_rng(0)
    shape = 10 ** rng.uniform(-3, 4, 3000)
    reach = shape * 10 ** rng.uniform(-3, 3, 3000)
    both = formulas_compiled.surprise, formulas_compiled.most_surprise
    found, most = ([f(a, x) for a, x in zip(shape, reach, strict=True)] for f in both)
    np.testing.assert_allclose(found, surprise(shape, reach), rtol=1e-10, atol=1e-14)
    assert (np.array(most) > np.array(found) * (1 - 1e-12)).all()
    close = (reach > 5 * shape) & (reach > 5)
    assert (np.array(most) < 1.5 * np.array(found) + 1)[close].all()  # else nothing would be passed over


def test_significance_has_no_exact_value() -> None:
    with pytest.raises(Irrational, match="EXACT has no incomplete gamma function; got significance; score it in FLOAT"):
        significance.score([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]], EXACT)


@pytest.mark.parametrize("rare", [0.5, 0.05])
@pytest.mark.parametrize("classes", [2, 3, 8])
def test_bounds_of_significance_pass_over_no_threshold(classes: int, rare: float) -> None:
    """Large nodes, of which one gain bounds most thresholds, with a trend or none, ties and least sizes."""
    rng = np.random.default_rng(classes)
    shares = np.append(np.full(classes - 1, rare / (classes - 1)), 1 - rare)
    for n, trend, least in product((40, 150, 3000), (0, 0.2, 1), (1, 9)):
        x = np.sort(rng.integers(0, n, n)).astype(np.float32)
        moved = rng.random(n) < trend * x / n
        y = np.where(moved, 0, rng.choice(classes, n, p=shares))
        hot = np.eye(classes, dtype=int)[y].cumsum(axis=0)
        cuts = np.flatnonzero(np.diff(x) > 0)
        cuts = cuts[(cuts + 1 >= least) & (n - cuts - 1 >= least)]
        left = hot[cuts]
        expected = significance(np.stack([left, hot[-1] - left], axis=1))
        if len(set(y)) < 2:  # a leaf
            continue
        stopping = Stopping(max_depth=1, min_samples_leaf=least, min_gain=None)
        tree = grow(Training(x[:, None], y, classes), significance, GrowthOptions(stopping))
        assert tree.score[0] == pytest.approx(expected.max(), rel=1e-10, abs=1.1e-11 * n)
        first = cuts[np.argmax(expected >= expected.max() - 1.1e-11 * n)]
        assert x[first] <= tree.threshold[0] < x[first + 1]


# Weights are counts.
