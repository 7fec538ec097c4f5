"""A whole law of the best split by the compiled draws, which trees ask for one surprise at a time and abandon.

Main definitions: ``column_law``, which returns a ``ColumnLaw``; ``class_totals``, ``response_totals``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from splitcrit import compiling
from splitcrit.compiling import kernel
from splitcrit.nulls import best_split_compiled as compiled
from splitcrit.nulls.best_split import ColumnStructure, Labels, cut_lines, sides
from splitcrit.nulls.gamma_tails import LabelMoments, label_moments
from splitcrit.nulls.hypergeometric import remainders
from splitcrit.nulls.monte_carlo import BEYOND, TIE

Array = Any
compiling.OURS = *compiling.OURS, __name__  # these loops are kept on disk, too, by a digest of all that they call


class LabelTotals(NamedTuple):
    """Centred vectors of the kinds of labels, and how many there are of each."""

    vectors: Array
    counts: Array

    @property
    def moments(self) -> LabelMoments:
        """What the smooth tail needs of them."""
        return label_moments(self.vectors, self.counts)


@kernel
def law(sizes, subset, gaps, least, vectors, counts, moments, draws, seed, logs):
    """The best scores of random orders in increasing order, and ratios, shape and rate of the tail beyond them."""
    key, n, v = compiled.structure_key(sizes, subset, gaps, least, counts, seed), np.int64(moments.n), len(sizes)
    inverse, weights, less, cells = np.zeros(n + 1), np.zeros((2, v)), np.zeros((2, v)), np.arange(v)
    for m in range(least, n - least + 1):
        inverse[m] = 1.0 / (float(m) * (n - m))
    cuts = 0 if subset else compiled.cut_weights(sizes, gaps, inverse, weights)
    space, state = np.empty(n, np.int64), np.zeros(1, np.uint64)
    sums, length = np.empty((len(vectors[0]), v)), np.empty(v)
    order, share, scores = np.empty(2 * v + 1, np.int64), np.empty(v + len(sums)), np.empty(draws)
    ratios, unit = np.ones(min(draws, compiled.RATIOS) if subset else 1), n * (n - 1.0) / moments.square
    for b in range(draws):
        compiled.draw(sizes, vectors, counts, key, b, logs, space, state, sums)
        whole = 0.0
        for c in range(len(sums)):
            whole += (sums[c] * sums[c] / sizes).sum() * unit / n
        if subset:
            scores[b] = compiled.best_of_subsets(sizes, sums, least, order, share, np.inf)[0] * unit
        else:
            scores[b] = compiled.best_of_cuts(sums, cells, weights, less, 1 if gaps else 0, length, np.inf)[0] * unit
        if subset and b < len(ratios):
            ratios[b] = max(scores[b], TIE) / max(whole, TIE)
    shape, rate = compiled.tail_of(sizes, subset, cuts, moments)
    return np.sort(scores), ratios, shape, rate


@kernel
def placed(scores, ratios, shape, rate, asked, found):
    """Set the surprise of each score that is asked about."""
    bar = scores[len(scores) - min(BEYOND, len(scores) // 2)]
    for i in range(len(asked)):
        found[i] = compiled.placed(scores, bar, ratios, shape, rate, asked[i])


def log_factorials(n: int) -> Array:
    """``log i!`` for ``i = 0, ..., n``."""
    return np.log(np.maximum(np.arange(n + 1.0), 1)).cumsum()


def class_totals(counts: Any) -> LabelTotals:
    """The totals of classes with these counts, in any order."""
    kept = np.sort(np.asarray(counts, dtype=np.int64))[::-1]
    kept = np.ascontiguousarray(kept[kept > 0])
    vectors = np.eye(len(kept)) - kept / kept.sum()
    return LabelTotals(np.ascontiguousarray(vectors[:, :1] if len(kept) == 2 else vectors), kept)


def response_totals(responses: Any) -> LabelTotals:
    """The totals of responses that are numbers, in any order and of either sign; equal ones are of one kind."""
    y = np.sort(np.asarray(responses, dtype=float))
    y = min(y - y.mean(), y.mean() - y[::-1], key=lambda z: z.round(9).tolist())
    _, counts = np.unique(y.round(12), return_counts=True)
    return LabelTotals(np.ascontiguousarray(y[counts.cumsum() - 1][:, None]), counts)


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
            structure = ColumnStructure(sizes, Labels.of_classes([ones, sizes.sum() - ones]), False, False, least)
            m, after, _ = sides(sizes, False, least)
            lines = np.zeros((2, len(sizes)))
            lines[:, after] = cut_lines(m, structure)
            compiled.exact_surprises(sizes, ones, *lines, remainders(int(sizes.sum())), asked, found)
        return found


def column_law(
    sizes: Any, totals: LabelTotals, *, subset: bool = False, gaps: bool = False, min_leaf: int = 1,
    draws: int = 400, seed: int = 0, limit: int = 4000,
) -> ColumnLaw:  # fmt: skip
    """The law of a column, exact for two classes and numbers without gaps of up to ``limit`` objects."""
    a, none = np.asarray(sizes, dtype=np.int64), np.zeros(1)
    known = a[: len(a) - gaps].tolist()
    a = np.ascontiguousarray(np.sort(a)[::-1] if subset else [*min(known, known[::-1]), *a[len(known) :]])
    n, moments = int(totals.counts.sum()), totals.moments
    two = len(totals.counts) == 2 and n > 2
    if moments.square <= 0 or len(a) < 2:
        return ColumnLaw(none, np.ones(1), 0.0, 0.0)
    if two and not subset and not gaps and n <= limit:
        return ColumnLaw(none, np.ones(1), 0.0, 0.0, (a, int(totals.counts[0]), min_leaf))
    return ColumnLaw(*law(a, subset, gaps, min_leaf, *totals, moments, draws, seed, log_factorials(n)))
