"""Rows of ``make bench`` about audits: the audit of a forest against its fit, and against permutation importance.

Main definitions: ``rows``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from forests import fitted
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import permutation_importance
from timing import Row, compare
from trees import FULL, data, responses

from splitcrit import ForestClassifier
from splitcrit.audits import audit

TREES = 100 if FULL else 10


def rows() -> Iterator[Row]:
    """Yield audits of forests on their out-of-bag rows and on other ones, against the fits of these forests."""
    for kind, classes in ((ForestClassifier, 2), (RandomForestClassifier, 2), (ForestClassifier, 3)):
        x, y = data(100_000, 20, classes)
        fit = fitted(kind, (x, y), TREES)
        forest, of = fit(), f"{kind.__name__} of {TREES} trees, n = 100000, d = 20, K = {classes}"
        for which_rows, apart in (("out-of-bag", x), ("held-out", x[::-1])):
            audited = partial(audit, forest, apart, y, which_rows)
            yield compare(f"audit, {which_rows} rows / fit: {of}", audited, fit, 1, runs=1 if FULL else 3)
    each = (
        ("classes", RandomForestClassifier, data(10_000, 10, 2)),
        ("numbers", RandomForestRegressor, responses(10_000, 10)),
    )
    for kind, learner, (x, y) in each:
        forest = learner(50, min_samples_leaf=10, random_state=0, n_jobs=1).fit(x[:5000], y[:5000])
        audited, permuted = (partial(looked, forest, x[5000:], y[5000:]) for looked in (audit, permutation_importance))
        what = f"audit / permutation importance: 50 trees of {kind}, n = 5000, d = 10"
        yield compare(what, audited, permuted, 0.1, runs=3)
