"""Scores of all cuts of ordered tables, for any number of classes, and how often random tables reach the largest.

Main definitions: ``scores_by_cut``, ``gains_of_cuts``, ``scores_with_gaps``, ``exceeding``.
Source: scipy.stats.random_table draws tables with both margins fixed, which is what permuted labels make.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls.batches import standard
from splitcrit.nulls.monte_carlo import tables_drawn
from splitcrit.nulls.null import null_law

TIE = 1e-11  # scores closer than this, relative to 1 + |score|, are equal


def scores_by_cut(counts: Array, allowed: Array, statistic: str) -> Array:
    """Return the scores ``(..., c)`` of the allowed cuts of tables ``(..., r, k)`` with equal margins, in float64."""
    whole = counts.reshape(-1, *counts.shape[-2:])[0]
    totals = whole.sum(axis=0).astype(np.float64)
    m, n = whole.sum(axis=1).cumsum()[:-1][allowed], int(totals.sum())
    left = counts.cumsum(axis=-2)[..., :-1, :][..., allowed, :]
    gains = gains_of_cuts(left, m, totals, n, statistic)
    if statistic != "sgini":
        return gains
    margins = np.stack([m, n - m], axis=-1), np.broadcast_to(whole.sum(axis=0), (len(m), whole.shape[1]))
    law = null_law(*margins)
    return np.asarray(standard(gains, law.mean, law.variance))


def gains_of_cuts(left: Array, m: Array, totals: Array, n: int, statistic: str) -> Array:
    """Return the pairwise gains of cuts, or with any other statistic Gini gains, which are decreases of variances.

    ``m (..., c)`` of ``n`` rows are to the left, ``0 < m < n``, where columns (of 0 and 1 for a class, or of numbers)
    sum to ``left (..., c, k)`` of their ``totals (k,)``.

    Examples
    --------
    >>> gains_of_cuts(np.array([[2.0, 0.0]]), np.array([2]), np.array([2.0, 2.0]), 4, "gini").tolist()
    [0.5]
    """
    squares = ((float(n) * left - m[..., None] * totals) ** 2).sum(axis=-1)  # 2 d^2 at two classes
    if statistic == "pairwise_gain":
        return np.asarray(np.sqrt(squares / 8))
    return np.asarray(squares / (float(n) ** 2 * m * (n - m)))


def scores_with_gaps(counts: Array, right: Array, left: Array, statistic: str) -> Array:
    """Return the scores ``(..., c)`` of cuts after rows, and then of those with the last row put first."""
    last = scores_by_cut(counts, right, statistic)
    if not left.any():
        return last
    return np.concatenate([last, scores_by_cut(np.roll(counts, 1, axis=-2), left, statistic)], axis=-1)


def exceeding(
    counts: Array, masks: tuple[Array, Array], statistic: str, score: float, samples: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Count those of ``samples`` random tables with a best cut above ``score``, and at least there."""
    close, more, reached = TIE * (1 + abs(score)), 0, 0
    for part in tables_drawn(counts, samples, "permutation", rng):
        best = scores_with_gaps(part, *masks, statistic).max(axis=-1)
        more += int((best > score + close).sum())
        reached += int((best >= score - close).sum())
    return more, reached
