"""Audited rows that depend on each other: groups that reach a split as a whole, and ratios by their votes.

A group, such as a patient, has one vote. At a split it counts if all of its rows come there: let a share ``s`` of them
go left, and ``f`` be the mean of what their labels score, higher where rows in growth say that they are expected on the
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

Main definitions: ``dependence_apart``; ``movable``, rows that count, and in which blocks labels move; ``shares_left``;
``log_votes``.
Source: own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.node_moments import NodeLabels, inner, node_sums
from splitcrit.data.columns import coded
from splitcrit.frozen import complaint
from splitcrit.nulls.evalues import SIZES
from splitcrit.nulls.evidence import ratio_to_sums
from splitcrit.nulls.groups import Dependence, dependence_of
from splitcrit.trees.tree_arrays import Structure

LEAST = 1e-9  # how far above a mean rounding may be
CELLS = 2**24  # of a table of nodes and groups
UNTOLD = "rows of groups that grew the model void every verdict: pass training_groups= to leave them out"
LEFT_OUT = "{} of {} rows are of groups that grew the model: left out"


def movable(
    groups: Any, strata: Any, training: Any, labels: Array, rows: int, present: Array | None = None, weights: Any = None
) -> tuple[Dependence, Array, tuple[str, ...]]:
    """What depends on what among rows that are tested, in which block ``(n,)`` the labels of each move, and remarks.

    Labels ``(n, q)`` are of the ``present`` of all rows. Rows that do not count have the block -1, those of groups that
    grew the model, ``training``, -2.

    Raises
    ------
    ValueError
        As ``dependence_of``; if no row is left.

    Examples
    --------
    >>> movable(["ann", "ann", "bob", "eve"], None, ["bob"], np.array([[1], [1], [0], [0]]), 4)[1].tolist()
    [0, 0, -2, 0]
    """
    among, tested, told = (
        dependence_of(groups, strata, rows, present, weights) or Dependence(),
        np.arange(len(labels)),
        [],
    )
    if among.groups is not None:
        (names, place), grew = coded(groups, "group"), set(() if training is None else coded(training, "group").names)
        tested = np.flatnonzero(
            np.array([name not in grew for name in names])[place][... if present is None else present]
        )
        told = [UNTOLD if training is None else LEFT_OUT.format(len(labels) - len(tested), len(labels))]
        if not len(tested):
            rule, got = "tested rows are of groups that grew no tree", f"{rows} rows of groups that did"
            raise ValueError(complaint(rule, got, "pass rows of other groups"))
    apart, of, blocks = among.take(tested), labels[tested], np.full(len(labels), -2)
    counted, block = (..., 0 if strata is None else apart.strata) if apart.constant(of) else apart.runs
    blocks[tested] = -1
    blocks[tested[counted]] = block
    return among, blocks, (*apart.remarks(of), *told)


def shares_left(structure: Structure, ends: Array, groups: Array) -> tuple[Array, Array, Array]:
    """The splits that groups reach as a whole: their places, the group, and the share of its rows on the left.

    ``ends (n,)`` is where each row ends, ``groups (n,)`` are numbered from 0.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> [each.tolist() for each in shares_left(stump, np.array([1, 2, 2, 2]), np.array([0, 0, 1, 1]))]
    [[0, 0], [0, 1], [0.5, 0.0]]
    """
    (nodes, left, _), sizes, votes = inner(structure), np.bincount(groups), []
    for some in np.split(np.arange(len(sizes)), np.arange(0, len(sizes), CELLS // len(structure.left) + 1)[1:]):
        rows = np.flatnonzero((groups >= some[0]) & (groups <= some[-1]))
        counts = node_sums(structure, ends[rows], NodeLabels(groups[rows] - some[0], len(some)))
        split, group = np.nonzero(counts[nodes] == sizes[some])
        votes.append((split, some[group], counts[left[split], group] / sizes[some[group]]))
    split, group, share = map(np.concatenate, zip(*votes, strict=True))
    return split, group, share


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
    many, logs = np.bincount(split, minlength=splits), np.zeros((2, 2, splits, len(SIZES)))

    def total(values: Array) -> Array:
        return np.bincount(split, values, splits)

    x, y = (values - (total(values) / np.maximum(many, 1))[split] for values in (left, scores))
    for found, (summed, other) in zip(logs, ((x, y), (y, x)), strict=True):
        m, n = total(other > LEAST), np.maximum(many, 2)
        reached, some = (total(summed * (other > LEAST)), total(summed.clip(0))), (m > 0) & (m < many)
        for i, t in enumerate(4 * SIZES):
            ratio = ratio_to_sums(np.clip(m, 1, n - 1), n, t * summed, cell=split).sum(axis=0)
            found[:, :, i] = [some * (t * sums + ratio) for sums in reached]
    return np.asarray(np.logaddexp(*logs) - np.log(2))
