"""Trees and forests of yang2019, whose stopping size is chosen by cross-validation on the noisy labels.

Whether a node is split depends on its path and its rows alone, so a tree that stops at ``k`` rows is the tree that
stops at 2 rows, cut at the nodes of fewer than ``k``: one fit judges all sizes.

Main definitions: ``CRITERIA``, ``SIZES``, ``forest``, ``tree``, ``stages``, ``agreement``, ``chosen_size``.
Source: yang2019, Section VI.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.trees import ForestClassifier, TreeClassifier
from splitcrit.trees.estimators.criterion_argument import CriterionName

from .problems import FOLDS, parts

Array = NDArray[Any]
CRITERIA: dict[str, CriterionName] = {"pairwise gain": "pairwise_gain", "Gini": "gini", "information gain": "entropy"}
SIZES = (2, 10, 40, 80, 150, 500)  # the smallest node that is split
TREES, INNER_TREES, DEPTH = 100, 20, 50


def forest(method: str, size: int, seed: int, trees: int = TREES) -> ForestClassifier:
    """A forest by a criterion that splits nodes of at least ``size`` rows."""
    return ForestClassifier(
        trees, criterion=CRITERIA[method], min_samples_split=size, max_depth=DEPTH, min_gain=None, random_state=seed
    )


def tree(method: str, size: int, seed: int) -> TreeClassifier:
    """A tree by a criterion that splits nodes of at least ``size`` rows."""
    return TreeClassifier(
        criterion=CRITERIA[method], min_samples_split=size, max_depth=DEPTH, min_gain=None, random_state=seed
    )


def stages(model: Any, X: Array, sizes: tuple[int, ...] = SIZES, *, copies: bool = False, hard: bool = False) -> Array:
    """Whether a tree or forest grown to the end names class 1, had it stopped at each size: ``(sizes, n)``.

    Parameters
    ----------
    model : ForestClassifier or TreeClassifier
        Fitted with ``min_samples_split=2``, on classes 0 and 1.
    X : array (n, d)
    sizes : ascending tuple of int
    copies : bool
        Whether a row counts as often as its bootstrap sample holds it, or once, as in scikit-learn.
    hard : bool
        Whether trees vote, or their leaves' proportions are averaged.
    """
    members = getattr(model, "estimators_", [model])
    leaves = model.apply(X).reshape(len(X), len(members))
    votes = np.zeros((len(sizes), len(X)))
    for member, leaf in zip(members, leaves.T, strict=True):
        beyond = member.tree_.value[:, 0, 1] - 0.5
        share = np.where(beyond > 0, 0.5, -0.5) if hard else beyond
        for so_far, node in zip(votes, _stopped(member.tree_, sizes, copies), strict=True):
            so_far += share[node[leaf]]
    return votes > 0


def agreement(model: Any, X: Array, y: Array) -> Array:
    """The share of labels 0 and 1 that ``stages`` names, for each size."""
    return np.asarray(np.mean(stages(model, X) == (y == 1), axis=1))


def _stopped(grown: Any, sizes: tuple[int, ...], copies: bool) -> list[Array]:
    """For each size, the node at which the way to a node ends: the first on it with fewer rows, or itself."""
    inner = np.flatnonzero(grown.children_left >= 0)
    above = np.arange(grown.node_count)
    above[grown.children_left[inner]] = above[grown.children_right[inner]] = inner
    rows = grown.weighted_n_node_samples if copies else grown.n_node_samples
    ends, node = [], np.arange(grown.node_count)
    for size in sizes:
        while ((moved := np.where(rows[above[node]] < size, above[node], node)) != node).any():
            node = moved
        ends.append(node)
    return ends


def chosen_size(grow: Callable[[], Any], X: Array, y: Array, seed: int) -> int:
    """The size of the largest mean agreement with held-out noisy labels, the smallest of equals."""
    part = parts(len(y), seed)
    agreements = [
        agreement(grow().fit(X[part != fold], y[part != fold]), X[part == fold], y[part == fold])
        for fold in range(FOLDS)
    ]
    return SIZES[int(np.argmax(np.mean(agreements, axis=0).round(12)))]
