"""The best subset of categories against all of them, and the orders in which cuts are tried."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from splitcrit import decrease, gini
from splitcrit.trees.scan import subsets
from splitcrit.trees.scan.open_nodes import Limits


def tables(classes: int, p: int, seed: int) -> Any:
    """Class counts of the categories of five nodes, some of them absent."""
    counts = np.random.default_rng(seed).integers(0, 7, (5, p, classes)).astype(float)
    counts[0, 1] = 0
    return counts


def test_no_subset_where_the_limits_allow_none() -> None:
    counts = tables(2, 3, 0)
    comparison = subsets.Comparison(subsets.class_scores(decrease(gini)), np.zeros(5))
    assert not subsets.best_subsets(counts, counts.sum(axis=2), Limits(100, 0.0), comparison).any()


def test_the_order_is_the_one_whose_best_cut_scores_most() -> None:
    for seed, limits in itertools.product(range(12), (Limits(), Limits(4, 6.0), Limits(20, 0.0), Limits(1, 20.0))):
        counts = tables(3, 6, seed)
        sizes = counts.sum(axis=2).astype(int)
        scores = subsets.class_scores(decrease(gini))
        found = subsets.best_order(counts, sizes, limits, scores, np.zeros(5))
        best = []
        for response in subsets.responses(counts):
            rank = subsets.ranks(response, sizes > 0)
            best.append([top(counts[i], sizes[i], rank[i], limits) for i in range(5)])
        chosen = [top(counts[i], sizes[i], found[i], limits) for i in range(5)]
        assert chosen == pytest.approx(np.max(best, axis=0), rel=1e-12)


def top(counts: Any, sizes: Any, rank: Any, limits: Limits) -> float:
    """The best gain of a cut of an order of categories."""
    order, scores = np.argsort(rank), [-np.inf]
    for cut in range(1, int((sizes > 0).sum())):
        left, right = counts[order[:cut]].sum(axis=0), counts[order[cut:]].sum(axis=0)
        if min(left.sum(), right.sum()) >= max(limits.least, limits.lightest):
            scores.append(float(decrease(gini)(np.array([left, right]))))
    return max(scores)


def test_responses_order_categories_by_shares_and_by_their_principal_component() -> None:
    counts = tables(2, 4, 3)
    share = counts[..., 1] / np.maximum(counts.sum(axis=2), 1)
    np.testing.assert_allclose(subsets.responses(counts), [share])
    wide = tables(3, 4, 5)
    *shares, principal = subsets.responses(wide)
    np.testing.assert_allclose(np.stack(shares, axis=2), wide / np.maximum(wide.sum(axis=2), 1)[..., None])
    for table, found in zip(wide, principal, strict=True):
        sizes = table.sum(axis=1)
        own = table / np.maximum(sizes, 1)[:, None]
        rows = np.repeat(own, sizes.astype(int), axis=0)
        axis = np.linalg.svd(rows - rows.mean(axis=0))[2][0]
        axis *= np.sign(axis[np.abs(axis).argmax()])
        np.testing.assert_allclose(found, np.where(sizes > 0, (own - rows.mean(axis=0)) @ axis, 0), atol=1e-9)
