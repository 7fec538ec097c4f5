"""SGini and AGini as criteria: their formulas agree with the scores of counts, float with exact, and refuse weights."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from oracles import partitions, tables
from splitcrit import agini, gini_null, replace, sgini
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.criteria import Criterion
from splitcrit.proof import BALL


def small_tables() -> list[list[list[int]]]:
    """Return every table of positive margins with up to 6 observations."""
    sides = [list(partitions(n)) for n in range(1, 7)]
    return [[list(row) for row in t] for parts in sides for a in parts for b in parts for t, _ in tables(a, b)]


def test_formulas_agree_with_scores_of_counts() -> None:
    assert isinstance(sgini, Criterion) and isinstance(agini, Criterion)
    tables = small_tables()[::3]
    assert len(tables) > 400
    for table in tables:
        given = sgini.score(np.array(table, float), FLOAT)
        assert math.isclose(given, sgini(table), rel_tol=1e-12, abs_tol=1e-12)
        a, b = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
        if gini_null(a, b, exact=True).variance == 0:
            assert given == 0, table
        assert math.isclose(agini.score(np.array(table, float), FLOAT), agini(table), rel_tol=1e-9, abs_tol=1e-13)


def test_enclosures_contain_the_float_score() -> None:
    for table in small_tables()[::37]:
        exact = [[Fraction(x) for x in row] for row in table]
        for criterion in (sgini, agini, replace(agini, model="permutation", alpha=Fraction(1, 5))):
            assert math.isclose(float(str(criterion.score(exact, BALL))), criterion(table), rel_tol=1e-9, abs_tol=1e-12)


def test_exact_scores_are_rational_or_refused() -> None:
    assert sgini.exact([[5, 0], [1, 0]]) == 0
    with pytest.raises(Irrational):
        sgini.exact([[3, 0], [1, 6]])
    with pytest.raises(ValueError, match="counts; got a fractional count"):
        sgini.score([[Fraction(1, 2), Fraction(1)], [Fraction(1), Fraction(1)]], EXACT)


def test_formulas_score_batches_of_splits() -> None:
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 50, (3, 200)), rng.integers(0, 50, (3, 200))
    batch = sgini.score((left, right), FLOAT)
    assert np.allclose(batch, sgini(np.moveaxis(np.stack([left, right]), -1, 0)), rtol=1e-10, atol=1e-10)
