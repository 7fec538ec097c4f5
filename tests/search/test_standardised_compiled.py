"""Trees by standardised gains: what compiled scans find is what the formula scores, threshold by threshold."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from splitcrit.impurities.forms import STANDARDISED

from splitcrit import (
    Criterion,
    Impurity,
    TreeClassifier,
    decrease,
    entropy,
    gini,
    matushita,
    misclassification,
    scaled,
    sgini,
    shannon_entropy,
    standardised,
)
from splitcrit.arith import Arithmetic, total
from splitcrit.impurities import by_sums
from splitcrit.nulls import null_moments


def _cubes(p: Any, m: Arithmetic) -> Any:
    return 1 - total([x**3 for x in p])


cubes = Impurity("cubes", _cubes, search=by_sums(lambda n: n**3, times=lambda n: n**-2.0))
SUMS = [entropy, shannon_entropy(2), scaled(gini, 3), cubes]


def data(n: int, levels: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, levels, (n, 4)).astype(float)
    return x, (x[:, 0] + rng.normal(size=n) * levels / 2 > levels / 2).astype(int)


@pytest.mark.parametrize("impurity", SUMS, ids=repr)
@pytest.mark.parametrize(("n", "levels"), [(300, 1000), (300, 6), (40, 40)])
def test_compiled_trees_are_those_of_the_formula(impurity: Impurity, n: int, levels: int) -> None:
    x, y = data(n, levels)
    criterion = standardised(impurity)
    assert criterion.search.form is not None and criterion.search.form(n, 2).kind == STANDARDISED
    plain = Criterion("plain", lambda t, m: criterion.score(t, m), scale=criterion.scale)
    found, formula = (TreeClassifier(criterion=c, random_state=0).fit(x, y).tree_ for c in (criterion, plain))
    assert np.array_equal(found.feature, formula.feature) and np.array_equal(found.threshold, formula.threshold)


def test_the_root_has_the_threshold_of_the_largest_score() -> None:
    """Every threshold scored by itself, with the law of its own margins."""
    x, y = data(120, 1000, seed=3)
    best = []
    for f in range(x.shape[1]):
        values = np.unique(x[:, f])
        for low, high in itertools.pairwise(values):
            left = x[:, f] <= low
            table = [[int((y[side] == k).sum()) for k in (0, 1)] for side in (left, ~left)]
            law = null_moments(entropy, np.sum(table, axis=1), np.sum(table, axis=0))
            gain = float(decrease(entropy)(table))
            spread = law.variance**0.5
            best.append(((gain - law.mean) / spread if spread else 0.0, f, (low + high) / 2))
    score, feature, threshold = max(best)
    tree = TreeClassifier(criterion=standardised(entropy), max_depth=1).fit(x, y).tree_
    assert tree.feature[0] == feature and tree.threshold[0] == pytest.approx(threshold)
    left = x[:, feature] <= threshold
    table = [[int((y[side] == k).sum()) for k in (0, 1)] for side in (left, ~left)]
    assert float(standardised(entropy)(table)) == pytest.approx(score, rel=1e-9)


def test_other_impurities_are_scored_by_their_formula() -> None:
    x, y = data(80, 1000)
    for impurity in (matushita, misclassification):
        make = standardised(impurity).search.form
        assert make is None or make(80, 2) is None
        assert TreeClassifier(criterion=standardised(impurity), max_depth=2).fit(x, y).tree_.node_count > 1
    assert standardised(gini).search == sgini.search
    assert standardised(entropy).search.form(50, 3) is None
