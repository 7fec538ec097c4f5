"""Regression trees that keep a split only where its feature does better than chance.

Main definitions: ``tested``.
Source: none; the test is that of `splitcrit.nulls.column_tests.responses_test`.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.estimators.weighing import WeighedTraining
from splitcrit.frozen import complaint
from splitcrit.growth import GrownTree
from splitcrit.growth.category_ranks import Recoding
from splitcrit.growth.grown_tree import numbered
from splitcrit.growth.growth_options import refuse_fractions
from splitcrit.nulls.calibration import GINI
from splitcrit.nulls.column_tests import responses_test

MOST = 2**31  # observations, which are permuted one by one


def tested(
    tree: GrownTree, training: WeighedTraining, max_pvalue: float, seed: int, recoding: Recoding | None
) -> GrownTree:
    """Return a tree without the splits whose feature has a larger p-value, and without what lies below them.

    A feature is tested in its node by its best cut, categories by their table. Random orders depend on ``seed`` and on
    the way from the root alone.

    Raises
    ------
    ValueError
        If weights are no counts but of classes, or of too many observations.
    """
    counts = _counts(training, max_pvalue)
    x, features = training.x if recoding is None else recoding.widened(training.x), training.x.shape[1]
    kept = np.zeros(len(tree.left), dtype=bool)
    waiting: list[tuple[int, Array, tuple[int, ...]]] = [(0, np.arange(len(x)), ())]
    while waiting:
        node, rows, path = waiting.pop()
        f = int(tree.feature[node])
        if f < 0:
            continue
        ordered = recoding is None or f < features
        column = x[rows, f] if ordered else x[rows, recoding.subsets[f - features].feature]  # type: ignore[union-attr]
        codes = np.unique(column, return_inverse=True)[1]  # missing values, if any, come last, as one
        y, gaps = training.y[rows], bool(np.isnan(column).any())
        if counts is not None:
            codes, y = np.repeat(codes, counts[rows]), np.repeat(y, counts[rows])
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=path))
        kept[node] = responses_test(codes, y, rng, ordered=ordered, gaps=gaps).p <= max_pvalue
        if kept[node]:
            left = np.where(np.isnan(x[rows, f]), tree.missing_left[node], x[rows, f] <= tree.threshold[node])
            waiting += [(tree.left[node], rows[left], (*path, 0)), (tree.right[node], rows[~left], (*path, 1))]
    return numbered(tree, kept)


def _counts(training: WeighedTraining, max_pvalue: float) -> Array | None:
    """Return the number of observations that each row stands for, None where each is one."""
    weights = training.weights
    if weights is None:
        return None
    refuse_fractions(GINI, max_pvalue, weights, training.y)
    if (whole := float(weights.sum())) >= MOST:
        rule = "max_pvalue permutes samples and needs weights that are counts below 2^31 in all"
        raise ValueError(complaint(rule, f"{whole:g}", "divide them, or pass None for it"))
    return weights.astype(np.int64)
