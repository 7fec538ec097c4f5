"""Corrections that look at all features of a node together, under the same orders of its rows or by their laws.

Main definitions: ``joint_ranks``, of many columns under the same orders of the rows, for Westfall and Young;
``attained_by``, the p-values that a column can have, for discrete Bonferroni; ``nulls.monte_carlo`` says more.
Source: westfall1993; tarone1990.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.column_tests import BLOCK, HALVES, LISTED, OF_CUT, SAME, TIE, ColumnScores, LabelledRows
from splitcrit.nulls.best_split import BestSplitLaw, listed_law
from splitcrit.nulls.monte_carlo import Attained, random_orders
from splitcrit.nulls.selected import attained


def rank_pvalues(scores: Array) -> Array:
    """For each of ``B + 1`` orders the share of all, itself included, whose score is at least its own.

    Scores that are lower by rounding alone count as reaching it.

    Examples
    --------
    >>> rank_pvalues(np.array([0.3, 0.1, 0.2, 0.1 + 0.2])).tolist()
    [0.5, 1.0, 0.75, 0.5]
    """
    below = np.searchsorted(np.sort(scores), scores - TIE * (1 + np.abs(scores)))
    return np.asarray((len(scores) - below) / len(scores))


def permuted(labels: LabelledRows) -> Array:
    """Labels of rows ``(n, q)`` as numbers that are permuted."""
    if labels.measured:
        return np.asarray(labels.target.responses)
    return np.asarray(labels.target.labels.vectors[np.argsort(labels.target.order)[labels.values]])


def joint_ranks(
    asked: Sequence[ColumnScores], codes: Sequence[Array], rows: Array, permutations: int, rng: np.random.Generator
) -> Array:
    """The rank ``(1 + B, d)`` of each column under the order seen, and under orders that all columns share.

    ``codes (n,)`` are the places of the values of a column, ``rows (n, q)`` the labels of the same rows. Rows are put
    into an order by what is in the columns, and these by how often their values occur.
    """
    turned = [len(a.sizes) - a.gaps - 1 - c if a.flipped else c for a, c in zip(asked, codes, strict=True)]
    turned = [np.where(c < 0, len(a.sizes) - 1, c) for a, c in zip(asked, turned, strict=True)]
    heights = np.sum(turned, axis=0)
    first = sorted(range(len(asked)), key=lambda j: (asked[j].often.tolist(), int(turned[j] @ heights)))
    place = np.lexsort([turned[j] for j in first[::-1]])
    seen = rows[place]
    sorted_rows = rows[np.lexsort(rows.T[::-1])]
    each = [(a, np.argsort(c[place], kind="stable"), np.bincount(c)) for a, c in zip(asked, turned, strict=True)]
    drawn = random_orders(np.arange(len(rows)), permutations, rng, max(1, BLOCK // rows.size))
    pairs = [_joint_pairs(each, labels) for labels in chain([seen[None]], (sorted_rows[orders] for orders in drawn))]
    ranks = []
    for a, (best, linear) in zip(asked, np.concatenate(pairs, axis=1).transpose(0, 2, 1), strict=True):
        p = rank_pvalues(best)
        if a.joint:
            p = np.minimum(p / OF_CUT, rank_pvalues(linear) / (1 - OF_CUT))
        ranks.append(rank_pvalues(-p))
    return np.stack(ranks, axis=1)


def _joint_pairs(each: list[tuple[ColumnScores, Array, Array]], labels: Array) -> Array:
    """Both statistics ``(d, b, 2)`` of columns for labels ``(b, n, q)`` of the rows."""
    sums = ((a, np.add.reduceat(labels[:, o], s.cumsum() - s, axis=1)) for a, o, s in each)
    return np.stack([a.pairs(by_value) for a, by_value in sums])


def attained_by(asked: ColumnScores, counts: Array | None) -> Attained:
    """The function ``F``: how likely a p-value of the column is at most ``t``, or a bound of that."""
    if counts is None or asked.target.valued or not (asked.question == "cut" and asked.target.two):
        law = None if counts is None or asked.question != "division" else listed_law(asked.structure, LISTED)
        return (lambda t: t) if law is None else partial(_largest_tail, law)
    missing: Any = "side" if asked.gaps else "error"
    statistic: Any = asked.statistic
    of_cut = partial(attained, counts, statistic=statistic, min_leaf=asked.min_leaf, missing=missing)
    return (lambda t: min(t, of_cut(t / HALVES) + t / HALVES) if t < 1 else t) if asked.joint else of_cut


def _largest_tail(law: BestSplitLaw, t: float) -> float:
    """The largest p-value of a listed law that is at most ``t``."""
    scores = law.scores[np.append(True, np.diff(law.scores) > TIE * (1 + law.scores[1:]))]
    tails = np.array([law.pvalue(score).value for score in scores])
    return float(tails[tails <= t * (1 + SAME)].max(initial=0.0))
