"""Rows that have grown a tree are told from new ones, as far as its nodes tell: their sizes and values are those rows'.

Main definitions: ``refuse_training_rows``, ``log_chance``.
Main results: other rows may agree by chance. If the probability of a class among the leaves, or of a leaf, is what it
was in growth, all leaves agree with a multinomial probability; the rows are refused if it is below 1e-6. A tree of few
pure leaves tells nothing, and neither do a part of the training rows, or a bootstrap sample together with what it left
out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.held_out import HeldOut
from splitcrit.values import complaint

Array = NDArray[Any]
ROUNDING = 1e-9  # relative: the values of a node's training rows, summed in another order
CHANCE = 1e-6


def refuse_training_rows(tree: Any, held: HeldOut) -> None:
    """Raise ValueError if it is nearly certain that rows are those that grew a tree."""
    counts = _agreeing(tree.tree_, held)
    if counts is None or log_chance(counts) > np.log(CHANCE):
        return
    rule, remedy = "a split is tested on rows that did not choose it", "pass rows that were held out"
    got = f"rows that agree with the training rows in all {len(held.sizes)} nodes"
    raise ValueError(complaint(rule, got, f"{remedy}, or fit a HonestTreeClassifier or HonestTreeRegressor"))


def log_chance(counts: Array) -> float:
    """Return the log-probability that each column of counts comes out as it is, drawn by its own proportions.

    Examples
    --------
    >>> log_chance(np.array([[25, 0], [0, 25]])), round(np.exp(log_chance(np.array([[2, 1], [1, 1]]))), 4)
    (0.0, np.float64(0.2222))
    """
    from scipy.special import gammaln, xlogy

    n = counts.sum(axis=0)
    each = gammaln(n + 1) - xlogy(n, n) - (gammaln(counts + 1) - xlogy(counts, counts)).sum(axis=0)
    return float(each.sum())


def _agreeing(grown: Any, held: HeldOut) -> Array | None:
    """Return the counts that agree with those of growth, those of one law in a column; None if something differs."""
    sizes, leaves = held.sizes, np.flatnonzero(held.structure.left < 0)
    if (sizes != grown.weighted_n_node_samples).any():  # of rows whose weights in growth are not known here
        return sizes[leaves, None] if (sizes == grown.n_node_samples).all() else None
    values = held.values if held.classes is None else held.values / sizes[:, None]
    if np.abs(values - grown.value[:, 0]).max() > ROUNDING * np.abs(values).max():
        return None
    if held.classes is not None:
        return held.values[leaves]
    each = [np.unique(held.responses[held.rows[leaf]], return_counts=True)[1] for leaf in leaves]
    return np.concatenate(each)[:, None]
