"""Rows divided at random into those that grow a tree and those that test it, and what changes with the division.

Main definitions: ``divided``, ``Stability``, ``stability_of``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from splitcrit.display import described, shortened
from splitcrit.frozen import complaint
from splitcrit.inference.subtree_results import SignificantSubtree

Array = NDArray[Any]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Stability:
    """How the significant subtree changes with the division of the rows.

    Parameters
    ----------
    root : array (d,)
        In which share of the divisions each feature divides the root, significantly.
    anywhere : array (d,)
        In which share of the divisions a significant split is one by this feature, wherever it stands.
    leaves : int array (divisions,)
        How many leaves survive; 1 if no split does.

    Examples
    --------
    >>> from splitcrit import TreeClassifier
    >>> from splitcrit.inference import HonestTreeClassifier
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(300, 3))
    >>> y = rng.random(300) < np.where(x[:, 1] > 0, 0.7, 0.3)
    >>> found = HonestTreeClassifier(repeats=20, random_state=0).fit(x, y).stability_
    >>> found.root.round(2).tolist(), np.bincount(found.leaves).tolist()
    ([0.0, 1.0, 0.0], [0, 0, 19, 1])
    """

    root: Array
    anywhere: Array
    leaves: Array

    __repr__ = shortened
    _repr_html_ = described


def divided(codes: Array, test_size: float, rng: np.random.RandomState) -> tuple[Array, Array]:
    """Return the rows that grow a tree and those that test it, in order: of each class that share tests.

    One row of each class grows the tree at least, so that no testing row has a class that the tree has not seen.

    Raises
    ------
    ValueError
        If no row would test, or none would grow.
    """
    tests = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes).tolist():
        rows = rng.permutation(np.flatnonzero(codes == code))
        tests[rows[: min(round(test_size * len(rows)), len(rows) - 1)]] = True
    if not tests.any():
        rule = "some rows grow the tree and others test it"
        got = f"test_size={test_size:g} of {len(codes)} sample{'s' * (len(codes) != 1)}"
        raise ValueError(complaint(rule, got, "pass more rows, or a larger test_size"))
    return np.flatnonzero(~tests), np.flatnonzero(tests)


def stability_of(results: Iterable[SignificantSubtree], features: int) -> Stability:
    """Return how often features divide in several significant subtrees."""
    root, anywhere, leaves = [], [], []
    for found in results:
        where, which = np.flatnonzero(found.tests.rejected), _features(found)
        root.append(np.bincount(which[where == 0], minlength=features) > 0)
        anywhere.append(np.bincount(which, minlength=features) > 0)
        leaves.append(len(where) + 1)
    return Stability(np.mean(root, axis=0), np.mean(anywhere, axis=0), np.array(leaves))


def _features(found: SignificantSubtree) -> Array:
    """Return the features of the significant splits; a split by categories is one by its feature."""
    kept = np.flatnonzero(found.estimator.tree_.children_left >= 0)
    named = getattr(found.estimator, "splits_", {})
    columns = found.estimator.tree_.feature
    return np.array([named[node].feature if node in named else columns[node] for node in kept.tolist()], dtype=np.intp)
