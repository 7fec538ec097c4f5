"""Rows at the nodes of a tree: their number, mean and impurity, and the importances of features that follow from these.

A label of K classes is the vector with a one at its class, a response y the vector (y). Then the mean squared distance
of these vectors from their mean is the Gini impurity, respectively the variance, so that one set of formulas serves
classes and numbers. With the weights w_t = n_t/n of the rows that grew a tree, their mean vectors m and impurities phi,
the same with a prime for rows kept apart, and the children c of a split t ::

    gain of t     sum_c n_c |m_c - m_t|^2 / n_t = n_l n_r |m_l - m_r|^2 / n_t^2
    chance mean   phi_t / (n_t - 1), where both children have rows
    UFI           w_t h_t - sum_c w_c h_c, h = (phi + phi' + |m - m'|^2) / 2
    MDI-oob       sum_c w_c (m_c - m_t) . (m'_c - m'_t)

For classes h = 1 - m . m', and UFI is sum_c w_c m_c . m'_c - w_t m_t . m'_t; for numbers phi' + |m - m'|^2 is the mean
square of the rows kept apart about the mean of the others. A split with a child that none of them reaches is left out.

Main definitions: ``NodeLabels``, ``node_sums``, ``rows_above``, ``node_quantiles``; ``passages`` of rows through
splits, ``pairs_left_ahead``, ``risk_tables``; ``Moments``, ``moments``; ``inner`` and ``levels``, nodes that split;
``below``, sums over leaves; ``split_gains`` (beside chance), ``gains_apart`` (UFI and MDI-oob).
Main results: if labels do not depend on the features, UFI and MDI-oob have mean 0 whatever rows chose the splits,
while the recorded gain has a positive one.
Source: zhou2021 (UFI), li2019 (MDI-oob, as its published code has it: its printed form changes for regression when a
constant is added to the responses), wang2024, eq. (16) (the chance mean).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls import formulas
from splitcrit.trees.tree_arrays import Structure

POWERS = 3  # of responses that are summed, from 0


class NodeLabels(NamedTuple):
    """Class codes ``(n,)`` and the number of classes, or responses less a ``centre``, and None.

    Of survival, log-rank scores are the responses, beside ``times`` and ``events (n,)``, 1 or 0. ``level`` is that of
    the quantile of the responses that a model predicts, None of a mean.
    """

    values: Array
    n_classes: int | None
    centre: float = 0.0
    times: Array | None = None
    events: Array | None = None
    level: float | None = None

    def of(self, rows: Array) -> NodeLabels:
        """Return the labels of some rows."""
        times, events = (None if part is None else part[rows] for part in (self.times, self.events))
        return self._replace(values=self.values[rows], times=times, events=events)


class Moments(NamedTuple):
    """Of each node the weight ``n (nodes,)`` of its rows, their ``mean (nodes, c)``, their Gini impurity or variance.

    A node that no row reaches has impurity 0.
    """

    n: Array
    mean: Array
    impurity: Array


def inner(structure: Structure) -> tuple[Array, Array, Array]:
    """Return the nodes that split, their left and their right children."""
    nodes = np.flatnonzero(structure.left >= 0)
    return nodes, structure.left[nodes], structure.right[nodes]


def levels(structure: Structure) -> list[Array]:
    """Return the nodes that split by depth, the root first.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(random_state=0).fit([[1], [2], [3], [4]], [0, 1, 0, 0])
    >>> [level.tolist() for level in levels(Structure.of(tree))]
    [[0], [1]]
    """
    each, here = [], np.zeros(1, dtype=np.intp)
    while len(here := here[structure.left[here] >= 0]):
        each.append(here)
        here = np.concatenate([structure.left[here], structure.right[here]])
    return each


def node_sums(structure: Structure, ends: Array, labels: NodeLabels, weights: Array | None = None) -> Array:
    """Return the sums of the rows at each node: the count of each class, or of ``1, y, y^2``, centred.

    ``ends (n,)`` is the leaf at which each row ends. O(n + K nodes): leaves are counted, and each level of the tree
    adds up the one below.
    """
    values, classes = labels.values, labels.n_classes
    nodes = len(structure.left)
    if classes is None:
        w = np.ones(len(values)) if weights is None else weights
        sums = np.stack([np.bincount(ends, w * values**k, nodes) for k in range(POWERS)], axis=1)
    else:
        sums = np.bincount(ends * classes + values, weights, nodes * classes).reshape(nodes, classes)
    return below(structure, sums)


def below(structure: Structure, sums: Array) -> Array:
    """Add up sums of leaves, in place, for the nodes above them.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> below(stump, np.array([0, 3, 4])).tolist()
    [7, 3, 4]
    """
    for level in reversed(levels(structure)):
        sums[level] = sums[structure.left[level]] + sums[structure.right[level]]
    return sums


def rows_above(structure: Structure, ends: Array, values: Array, cuts: Array) -> Array:
    """Return for each node below the root how many of its responses are not above the cut of its parent, and above.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> rows_above(stump, np.array([1, 1, 2]), np.array([3.0, 1.0, 2.0]), np.array([1.5, 0, 0])).tolist()
    [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """
    rows, child, node = passages(structure, ends)
    return np.bincount(2 * child + (values[rows] > cuts[node]), minlength=2 * len(cuts)).reshape(-1, 2).astype(float)


def node_quantiles(structure: Structure, ends: Array, values: Array, level: float) -> Array:
    """Return for each node that splits the least response that at least a share ``level`` of its own do not exceed.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> node_quantiles(stump, np.array([1, 1, 2, 2]), np.array([3.0, 1.0, 2.0, 8.0]), 0.75).tolist()
    [3.0, 0.0, 0.0]
    """
    rows, _, node = passages(structure, ends)
    each, n = np.unique(node, return_counts=True)
    order, cuts = np.lexsort((values[rows], node)), np.zeros(len(structure.left))
    cuts[each] = values[rows][order][n.cumsum() - n + np.maximum(np.ceil(level * n).astype(int) - 1, 0)]
    return cuts


def passages(structure: Structure, ends: Array) -> tuple[Array, Array, Array]:
    """Return every passage of a row through a split: the row, the child that it goes to, and the node.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> [part.tolist() for part in passages(stump, np.array([1, 1, 2]))]
    [[0, 1, 2], [1, 1, 2], [0, 0, 0]]
    """
    (nodes, *sides), parent = inner(structure), np.full(len(structure.left), -1)
    parent[np.concatenate(sides)] = np.tile(nodes, 2)
    rows, at, each = np.arange(len(ends)), ends, []
    while len(at):
        below_some = parent[at] >= 0
        rows, at = rows[below_some], at[below_some]
        each.append((rows, at))
        at = parent[at]
    rows, child = (np.concatenate(part) for part in zip(*each, strict=True)) if each else (rows, ends)
    return rows, child, parent[child]


def pairs_left_ahead(structure: Structure, ends: Array, values: Array) -> tuple[Array, Array, Array]:
    """Return for each split of how many pairs, left and right, the left row has the larger response; ties count half.

    And how many rows are on the left, and in all.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> [each.tolist() for each in pairs_left_ahead(stump, np.array([1, 1, 2]), np.array([3.0, 2.0, 2.0]))]
    [[1.5], [2], [3]]
    """
    places, (rows, child, node) = np.unique(values, return_inverse=True)[1], passages(structure, ends)
    key, size = node * (int(places.max(initial=0)) + 1) + places[rows], len(structure.left)
    # Cells come node by node, and there by response.
    _, cell, times = np.unique(key, return_inverse=True, return_counts=True)
    rank, left = times.cumsum() - (times - 1) / 2, child == structure.left[node]
    n, m = (np.bincount(part, minlength=size) for part in (node, node[left]))
    ranks = np.bincount(node[left], rank[cell][left], size) - m * (n.cumsum() - n)
    splits = inner(structure)[0]
    return (ranks - m * (m + 1) / 2)[splits], m[splits], n[splits]


def risk_tables(structure: Structure, ends: Array, times: Array, events: Array) -> tuple[Array, Array]:
    """Return the tables ``(t, 2, 2)`` of those at risk, at each node and each time of events there, and their nodes.

    Rows are the sides, left first; columns are events at that time, and all others still at risk.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> risk_tables(stump, np.array([1, 2, 2]), np.array([5.0, 5.0, 8.0]), np.array([1, 1, 0]))[0].tolist()
    [[[1, 0], [1, 1]]]
    """
    rows, child, node = passages(structure, ends)
    rank = np.unique(-times, return_inverse=True)[1]  # the latest first
    sites, site = np.unique(node * (rank.max(initial=0) + 1) + rank[rows], return_inverse=True)
    right = (child == structure.right[node]).astype(np.intp)
    counted = [np.bincount(2 * site + right, w, 2 * len(sites)).reshape(-1, 2) for w in (events[rows], None)]
    died, left = (each.astype(np.int64) for each in counted)
    node = sites // (rank.max(initial=0) + 1)
    # Rows of all nodes before this one count, too.
    at_risk = left.cumsum(axis=0)
    first = np.searchsorted(node, node)
    at_risk -= np.where(first > 0, at_risk[first - 1].T, 0).T
    some = died.any(axis=1)
    return np.stack([died, at_risk - died], axis=2)[some], node[some]


def moments(sums: Array, labels: NodeLabels) -> Moments:
    """Return weight, mean and impurity of each node.

    Examples
    --------
    >>> moments(np.array([[3, 1], [0, 0]]), NodeLabels(np.array([0, 1]), 2)).impurity.tolist()
    [0.375, 0.0]
    """
    if labels.n_classes is None:
        n = sums[:, 0]
        mean, square = (sums[:, i] / np.where(n > 0, n, 1) for i in (1, 2))
        return Moments(n, mean[:, None] + labels.centre, np.maximum(square - mean**2, 0))
    n = sums.sum(axis=1)
    shares = sums / np.where(n > 0, n, 1)[:, None]
    return Moments(n, shares, (shares * (1 - shares)).sum(axis=1))


def split_gains(structure: Structure, rows: Moments) -> tuple[Array, Array]:
    """Return the Gini gain, or the decrease of the variance, of each split, per row of its node, and its chance mean.

    That is over all orders of the labels of the node: 0 where a child is empty.
    """
    t, left, right = inner(structure)
    n = np.maximum(rows.n[t], 1.0)
    distance = ((rows.mean[left] - rows.mean[right]) ** 2).sum(axis=1)
    sides = np.where((rows.n[left] > 0) & (rows.n[right] > 0), 2, 1)
    chance = formulas.mean(np.maximum(n, formulas.LEAST["mean"]), sides, n**2 * rows.impurity[t])
    return np.asarray(rows.n[left] / n * (rows.n[right] / n) * distance), np.asarray(chance)


def gains_apart(structure: Structure, grown: Moments, apart: Moments) -> tuple[Array, Array]:
    """Return UFI and MDI-oob of each split, 0 where a child has no rows apart."""
    t, left, right = inner(structure)
    weight, one, other = grown.n / grown.n[0], grown.mean, apart.mean
    h = weight * (grown.impurity + apart.impurity + ((one - other) ** 2).sum(axis=1)) / 2
    each = [weight[c] * ((one[c] - one[t]) * (other[c] - other[t])).sum(axis=1) for c in (left, right)]
    reached = (apart.n[left] > 0) & (apart.n[right] > 0)
    return np.where(reached, h[t] - h[left] - h[right], 0.0), np.where(reached, each[0] + each[1], 0.0)
