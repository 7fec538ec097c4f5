"""A whole law of the best split by the compiled draws, which trees ask for one surprise at a time and abandon.

Main definitions: ``column_law``, which returns a ``ColumnLaw``; ``class_totals``, ``response_totals``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.compiling import kernel
from splitcrit.nulls import best_split_compiled as compiled
from splitcrit.nulls.best_split_compiled import ResponseTotals
from splitcrit.nulls.hypergeometric import remainders

Array = Any


@kernel
def described(types, vectors, counts):
    """The totals of labels."""
    return compiled.totals_of(types, vectors, counts)


@kernel
def law(sizes, subset, gaps, least, totals, draws, seed, logs):
    """The sorted best scores of random orders, and ratios, shape and rate of the tail beyond them."""
    key = compiled.structure_key(sizes, subset, gaps, least, totals.counts, seed)
    space, state, order, share, sums, scores, ratios = compiled._room(totals, len(sizes), draws, subset)
    for b in range(draws):
        scores[b] = compiled._one(
            sizes, subset, gaps, least, totals, key, b, logs, space, state, sums, order, share, ratios, 0.0
        )
    shape, rate = compiled.tail_of(sizes, subset, gaps, least, totals)
    compiled.sort(scores)
    return scores, ratios, shape, rate


@kernel
def placed(scores, ratios, shape, rate, asked, found):
    """Set the surprise of each score that is asked about."""
    for i in range(len(asked)):
        found[i] = compiled.placed(scores, ratios, shape, rate, asked[i])


def log_factorials(n: int) -> Array:
    """``log i!`` for ``i = 0, ..., n``."""
    return np.log(np.maximum(np.arange(n + 1.0), 1)).cumsum()


def class_totals(counts: Any) -> ResponseTotals:
    """The totals of classes with these counts, in any order."""
    kept = np.sort(np.asarray(counts, dtype=np.int64))[::-1]
    kept = np.ascontiguousarray(kept[kept > 0])
    vectors, types = np.eye(len(kept)) - kept / kept.sum(), np.repeat(np.arange(len(kept)), kept)
    found: ResponseTotals = described(types, np.ascontiguousarray(vectors[:, :1] if len(kept) == 2 else vectors), kept)
    return found


def response_totals(responses: Any) -> ResponseTotals:
    """The totals of responses that are numbers, in any order."""
    y = np.sort(np.asarray(responses, dtype=float))[:, None]
    found: ResponseTotals = described(np.arange(len(y)), y - y.mean(axis=0), np.ones(len(y), np.int64))
    return found


@dataclass(frozen=True)
class ColumnLaw:
    """Scores and tail, or the cell sizes, ones and least side of the exact law of ``paths``."""

    scores: Array
    ratios: Array
    shape: float
    rate: float
    paths: tuple[Array, int, int] | None = None

    def surprise(self, scores: Any) -> Array:
        """The surprise of each score."""
        asked = np.atleast_1d(np.asarray(scores, dtype=float))
        found = np.empty(len(asked))
        if self.paths is None:
            placed(self.scores, self.ratios, self.shape, self.rate, asked, found)
        else:
            sizes, ones, least = self.paths
            compiled.exact_surprises(sizes, ones, least, remainders(int(sizes.sum())), asked, found)
        return found


def column_law(
    sizes: Any, totals: ResponseTotals, *, subset: bool = False, gaps: bool = False, min_leaf: int = 1,
    draws: int = 400, seed: int = 0, limit: int = 4000,
) -> ColumnLaw:  # fmt: skip
    """The law of a column, exact for two classes and numbers without gaps of up to ``limit`` objects."""
    a, none = np.asarray(sizes, dtype=np.int64), np.zeros(1)
    a = np.ascontiguousarray(np.sort(a)[::-1] if subset else a)
    n, two = len(totals.types), len(totals.counts) == 2 and len(totals.types) > 2
    if totals.square <= 0 or len(a) < 2:
        return ColumnLaw(none, np.ones(1), 0.0, 0.0)
    if two and not subset and not gaps and n <= limit:
        return ColumnLaw(none, np.ones(1), 0.0, 0.0, (a, int(totals.counts[0]), min_leaf))
    return ColumnLaw(*law(a, subset, gaps, min_leaf, totals, draws, seed, log_factorials(n)))
