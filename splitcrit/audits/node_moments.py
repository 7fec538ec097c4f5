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

*Rows that depend on each other.* A group, such as a patient, has one vote. At a split it counts if all of its rows
come there: let a share ``s`` of them go left, and ``f`` be the mean of what their labels score, higher where rows in
growth say that they are expected on the
left. Whether a group comes as a whole, and its share, are functions of its rows alone; so that where its labels are
unrelated to its number of rows and its share, among those that come, all orders of the labels of groups over the
shares are equally likely. Of N groups let m be above the mean of one of both, say f; then the sum S of s over these is
one over a random set of m, and with ``w = exp(t s)`` ::

    E_t = exp(t S) C(N, m) / e_m(w)

has the mean 1 by chance, and for an upper bound of ``e_m`` (``nulls.evidence``) at most 1; so has the mean of this E
and of that in which s and f have changed places. *Products* over the splits of a feature in a tree have a mean of at
most 1, too, by the lemma of ``nulls.evalues`` with groups in place of rows: a group that is divided ends there, so that
the groups which reach a split lie on one side, as a whole, of each split above, whose E is the same in any order of
their labels. Labels that vary within groups move between groups of similar size, of which as many rows count as the
smallest has, and in strata between those of one stratum (``nulls.groups``): ratios of these blocks are multiplied.
Near-misses: groups count at a split by those of their rows that come there; all rows count as independent; the
direction is that of the tested groups.

Main definitions: ``NodeLabels``, ``node_sums``, ``risk_tables``; ``Moments``, ``moments``; ``inner`` and ``levels``,
nodes that split, and ``parents``; ``below``, sums over leaves; ``split_gains`` (beside chance), ``gains_apart`` (UFI
and MDI-oob); ``shares_left``, ``log_votes`` (of groups).
Main results: if labels do not depend on the features, UFI and MDI-oob have mean 0 whatever rows chose the splits,
while the recorded gain has a positive one.
Source: zhou2021 (UFI), li2019 (MDI-oob, as its published code has it: its printed form changes for regression when a
constant is added to the responses), wang2024, eq. (16) (the chance mean).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls import formulas
from splitcrit.nulls.evalues import SIZES
from splitcrit.nulls.evidence import ratio_to_sums
from splitcrit.trees.tree_arrays import Structure

POWERS = 3  # of responses that are summed, from 0
LEAST = 1e-9  # how far above a mean rounding may be


class NodeLabels(NamedTuple):
    """Class codes ``(n,)`` and the number of classes, or responses less a ``centre``, and None.

    Of survival, log-rank scores are the responses, beside ``times`` and ``events (n,)``, 1 or 0. ``level`` is that of
    the quantile of the responses that a model predicts, None of a mean. ``order (n,)`` are the rows of responses by
    their size, or the latest times first, where it is known.
    """

    values: Array
    n_classes: int | None
    centre: float = 0.0
    times: Array | None = None
    events: Array | None = None
    level: float | None = None
    order: Array | None = None

    def of(self, rows: Array) -> NodeLabels:
        """The labels of some rows."""
        times, events = (None if part is None else part[rows] for part in (self.times, self.events))
        return self._replace(values=self.values[rows], times=times, events=events, order=None)


class Moments(NamedTuple):
    """Of each node the weight ``n (nodes,)`` of its rows, their ``mean (nodes, c)``, their Gini impurity or variance.

    A node that no row reaches has impurity 0.
    """

    n: Array
    mean: Array
    impurity: Array


def inner(structure: Structure) -> tuple[Array, Array, Array]:
    """The nodes that split, their left and their right children."""
    nodes = np.flatnonzero(structure.left >= 0)
    return nodes, structure.left[nodes], structure.right[nodes]


def parents(structure: Structure) -> Array:
    """The parent of each node, of the root the root.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> parents(stump).tolist()
    [0, 0, 0]
    """
    nodes, left, right = inner(structure)
    parent = np.zeros(len(structure.left), dtype=np.intp)
    parent[left] = parent[right] = nodes
    return parent


def levels(structure: Structure) -> list[Array]:
    """The nodes that split by depth, the root first.

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
    """The sums of the rows at each node: the count of each class, or of ``1, y, y^2``, centred.

    ``ends (n,)`` is the leaf at which each row ends. O(n + K nodes): leaves are counted, and each level of the tree
    adds up the one below.
    """
    values, classes = labels.values, labels.n_classes
    nodes = len(structure.left)
    if classes is None:
        w = np.ones(len(values)) if weights is None else weights
        sums = np.stack([np.bincount(ends, each, nodes) for each in (w, w * values, w * values**2)], axis=1)
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


def passages(structure: Structure, ends: Array) -> tuple[Array, Array, Array]:
    """The row, the child and the node of every passage of a row through a split, node by node.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> [each.tolist() for each in passages(stump, np.array([2, 1, 2]))]
    [[0, 1, 2], [2, 1, 2], [0, 0, 0]]
    """
    # Integers of few bits are sorted, and come into memory, in a fraction of the time that wide ones take.
    parent = parents(structure).astype(np.min_scalar_type(2 * len(structure.left)))
    above = [np.arange(len(parent)).astype(parent.dtype)]
    while above[-1].any():
        above.append(parent[above[-1]])
    child = np.take(np.stack(above, axis=1), ends, axis=0).ravel()
    step = np.flatnonzero(child > 0).astype(np.min_scalar_type(child.size))  # the root is no child
    step = step[np.argsort(parent[child[step]], kind="stable")]
    return step // len(above), child[step], parent[child[step]]


def risk_tables(structure: Structure, ends: Array, times: Array, events: Array) -> tuple[Array, Array]:
    """The tables ``(t, 2, 2)`` of those at risk, at each node and each time of events there, and their nodes.

    Rows of a table are the sides, left first; columns are events at that time, and all others still at risk. Rows
    ``ends (n,)``, where each of them ends, come by their times, the latest first.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> risk_tables(stump, np.array([2, 1, 2]), np.array([8.0, 5.0, 5.0]), np.array([0, 1, 1]))[0].tolist()
    [[[1, 0], [1, 1]]]
    """
    rows, child, node = passages(structure, ends)
    site = np.flatnonzero((np.diff(times[rows], prepend=np.nan) != 0) | (np.diff(node, prepend=node[:1] + 1) != 0))
    sides = np.stack([child == side[node] for side in (structure.left, structure.right)], axis=1)
    died, here = (np.add.reduceat(sides * w, site, dtype=np.int64) for w in (events[rows, None], 1))
    # Rows of all nodes before this one count, too.
    at_risk, node = here.cumsum(axis=0), node[site]
    start = np.searchsorted(node, node)
    at_risk -= at_risk[start] - here[start]
    some = died.any(axis=1)
    return np.stack([died, at_risk - died], axis=2)[some], node[some]


def moments(sums: Array, labels: NodeLabels) -> Moments:
    """Weight, mean and impurity of each node.

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
    """The Gini gain, or the decrease of the variance, of each split, per row of its node, and its chance mean.

    That is over all orders of the labels of the node: 0 where a child is empty.
    """
    t, left, right = inner(structure)
    n = np.maximum(rows.n[t], 1.0)
    distance = ((rows.mean[left] - rows.mean[right]) ** 2).sum(axis=1)
    sides = np.where((rows.n[left] > 0) & (rows.n[right] > 0), 2, 1)
    chance = formulas.mean(np.maximum(n, formulas.LEAST["mean"]), sides, n**2 * rows.impurity[t])
    return np.asarray(rows.n[left] / n * (rows.n[right] / n) * distance), np.asarray(chance)


def gains_apart(structure: Structure, grown: Moments, apart: Moments) -> tuple[Array, Array]:
    """UFI and MDI-oob of each split, 0 where a child has no rows apart."""
    t, left, right = inner(structure)
    weight, one, other = grown.n / grown.n[0], grown.mean, apart.mean
    h = weight * (grown.impurity + apart.impurity + ((one - other) ** 2).sum(axis=1)) / 2
    each = [weight[c] * ((one[c] - one[t]) * (other[c] - other[t])).sum(axis=1) for c in (left, right)]
    reached = (apart.n[left] > 0) & (apart.n[right] > 0)
    return np.where(reached, h[t] - h[left] - h[right], 0.0), np.where(reached, each[0] + each[1], 0.0)


def shares_left(structure: Structure, ends: Array, groups: Array) -> tuple[Array, Array, Array]:
    """The splits that groups reach as a whole: their places, the group, and the share of its rows on the left.

    ``ends (n,)`` is where each row ends, ``groups (n,)`` are numbered from 0.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> [each.tolist() for each in shares_left(stump, np.array([1, 2, 2, 2]), np.array([0, 0, 1, 1]))]
    [[0, 0], [0, 1], [0.5, 0.0]]
    """
    (rows, child, node), sizes = passages(structure, ends), np.bincount(groups)
    cell, vote, n = np.unique(node.astype(int) * len(sizes) + groups[rows], return_inverse=True, return_counts=True)
    split, group = np.divmod(cell, len(sizes))
    whole, on_left = n == sizes[group], np.bincount(vote, child == structure.left[node])
    return np.searchsorted(inner(structure)[0], split[whole]), group[whole], (on_left / n)[whole]


def log_votes(split: Array, left: Array, scores: Array, splits: int) -> Array:
    """Logarithms ``(2, splits, sizes)`` of E of each size, and of a number above all that shares and scores allow.

    A vote is that of a group at a ``split``, with the share of its rows on the ``left``, where high ``scores`` are
    expected. Sizes are four times those of rows: log odds between no and all rows of a group.

    Examples
    --------
    >>> e, most = np.exp(log_votes(np.zeros(4, int), np.array([1, 1, 0, 0.5]), np.array([1, 1, 0, 0]), 1)).round(2)
    >>> e.tolist()
    [[1.21, 1.7, 2.82, 4.59, 5.74]]
    >>> most.tolist()
    [[1.21, 1.7, 2.82, 4.59, 5.74]]
    """
    order = np.lexsort((scores, left, split))  # so that no order of the rows changes a bit
    split, left, scores = split[order], left[order], scores[order]
    total, logs = partial(np.bincount, split, minlength=splits), np.zeros((2, 2, splits, len(SIZES)))
    many = total()
    x, y = (values - (total(values) / np.maximum(many, 1))[split] for values in (left, scores))
    for of_role, (summed, other) in zip(logs, ((x, y), (y, x)), strict=True):
        m, n = total(other > LEAST), np.maximum(many, 2)
        reached, some = (total(summed * (other > LEAST)), total(summed.clip(0))), (m > 0) & (m < many)
        for i, t in enumerate(4 * SIZES):
            ratio = ratio_to_sums(np.clip(m, 1, n - 1), n, t * summed, cell=split).sum(axis=0)
            of_role[:, :, i] = [some * (t * sums + ratio) for sums in reached]
    return np.asarray(np.logaddexp(*logs) - np.log(2))
