"""How surprising the best split of a column is, as columns of a node are compared by it, from compiled random orders.

The law is that of ``best_split``, whose draws are numpy's: here draws depend on the structure of the column and the
totals of the node alone, for responses of any kind, and 400 of them take less than a millisecond.

Main definitions: ``column_law``, which returns a ``ColumnLaw``; ``class_totals``, ``response_totals``.
Main results: see ``best_split``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import reporting_compilation
from splitcrit.display import shortened
from splitcrit.nulls import column_surprise_compiled as compiled
from splitcrit.nulls.column_surprise_compiled import ResponseTotals
from splitcrit.nulls.hypergeometric import remainders

EXACT = 4000  # objects up to which the law of two classes in a column of numbers is that of paths


@lru_cache(maxsize=8)
def log_factorials(n: int) -> Array:
    """Return ``log i!`` for ``i = 0, ..., n``, not to be written to."""
    found = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, n + 1)))])
    found.setflags(write=False)
    return found


def class_totals(counts: Any) -> ResponseTotals:
    """Return the totals of classes with these counts, in any order; those that are empty count for nothing.

    Examples
    --------
    >>> class_totals([2, 3]).vectors.ravel().round(6).tolist()  # two classes are one coordinate
    [0.4, -0.6]
    """
    kept = np.sort(np.asarray(counts, dtype=np.int64))[::-1]
    kept = np.ascontiguousarray(kept[kept > 0])
    vectors = np.eye(len(kept)) - kept / kept.sum()
    types = np.repeat(np.arange(len(kept)), kept)
    found: ResponseTotals = compiled.described(
        types, np.ascontiguousarray(vectors[:, :1] if len(kept) == 2 else vectors), kept
    )
    return found


def response_totals(responses: Any) -> ResponseTotals:
    """Return the totals of responses that are numbers ``(n,)``, in any order, or vectors ``(n, q)``."""
    y = np.asarray(responses, dtype=float)
    y = np.sort(y)[:, None] if y.ndim == 1 else y[np.lexsort(y.T[::-1])]
    found: ResponseTotals = compiled.described(np.arange(len(y)), y - y.mean(axis=0), np.ones(len(y), np.int64))
    return found


@final
@dataclass(frozen=True, repr=False, eq=False)
class ColumnLaw:
    """The law of the best score of a column: sorted random scores and a smooth tail, or the exact one of paths.

    ``paths`` are cell sizes, number of ones, and least side, None where scores were drawn.
    """

    scores: Array
    ratios: Array
    shape: float
    rate: float
    paths: tuple[Array, int, int] | None = None

    __repr__ = shortened

    def surprise(self, scores: Any) -> Array:
        """Return ``-log`` of the chance of a higher score, one as high counted half, for any number of scores."""
        asked = np.atleast_1d(np.asarray(scores, dtype=float))
        found = np.empty(len(asked))
        with reporting_compilation():
            if self.paths is None:
                compiled.placed_all(self.scores, self.ratios, self.shape, self.rate, asked, found)
            else:
                sizes, ones, least = self.paths
                compiled.exact_surprises(sizes, ones, least, remainders(int(sizes.sum())), asked, found)
        return found


def column_law(
    sizes: Any, totals: ResponseTotals, *, subset: bool = False, gaps: bool = False, min_leaf: int = 1,
    draws: int = 400, seed: int = 0, exact: int = EXACT,
) -> ColumnLaw:  # fmt: skip
    """Return the law of the best score of a column, given its structure and the totals of a node.

    Parameters
    ----------
    sizes
        How many objects each value has, from the least value to the largest, missing values last if there are
        ``gaps``; or each level, in any order, if splits are a ``subset`` of levels.
    totals
        See ``class_totals`` and ``response_totals``.
    min_leaf
        The fewest objects on a side. Of subsets it is the law of the best prefix that keeps it, in the order of each
        coordinate, as in the trees that ask, and not of the best subset: see ``best_subset_law`` for that.
    draws, seed
        How many random orders, and what they depend on beside the structure and the totals.
    exact
        The most objects for which two classes and numbers without ``gaps`` have the exact law.

    Examples
    --------
    >>> law = column_law([1] * 40, class_totals([20, 20]))
    >>> law.surprise([2.0, 10.0]).round(4).tolist()
    [0.0758, 4.5571]
    >>> column_law([10] * 12, class_totals([40, 40, 40]), subset=True).surprise(30.0).round(1).tolist()
    [23.2]
    """
    a = np.asarray(sizes, dtype=np.int64)
    a = np.ascontiguousarray(np.sort(a)[::-1] if subset else a)
    n, two = len(totals.types), len(totals.counts) == 2 and len(totals.types) > 2
    none = np.zeros(1)
    with reporting_compilation():
        if totals.square <= 0 or len(a) < 2:
            return ColumnLaw(none, np.ones(1), 0.0, 0.0)
        if two and not subset and not gaps and n <= exact:
            return ColumnLaw(none, np.ones(1), 0.0, 0.0, (a, int(totals.counts[0]), min_leaf))
        found = compiled.null_scores(a, subset, gaps, min_leaf, totals, draws, seed, log_factorials(n))
    return ColumnLaw(*found)
