"""Rows of ``make bench`` about audits: the audit of a forest against its fit.

Main definitions: ``rows``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from forests import fitted
from sklearn.ensemble import RandomForestClassifier
from timing import Row, compare
from trees import FULL, data

from splitcrit import ForestClassifier
from splitcrit.audits import audit

TREES = 100 if FULL else 10


def rows() -> Iterator[Row]:
    """Yield audits of forests on their out-of-bag rows and on other ones, against the fits of these forests."""
    for kind, classes in ((ForestClassifier, 2), (RandomForestClassifier, 2), (ForestClassifier, 3)):
        x, y = data(100_000, 20, classes)
        fit = fitted(kind, (x, y), TREES)
        forest, of = fit(), f"{kind.__name__} of {TREES} trees, n = 100000, d = 20, K = {classes}"
        for kept, apart in (("out-of-bag", x), ("held-out", x[::-1])):
            audited = partial(audit, forest, apart, y, kept)
            yield compare(f"audit, {kept} rows / fit: {of}", audited, fit, 1, runs=1 if FULL else 3)
