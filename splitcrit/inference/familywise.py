"""Error rates that hold for all nodes of a tree together: levels of tests that go down it, and intervals.

Main definitions: ``shares_of``, ``levels``, ``rejects``, ``pvalues_down``; ``simultaneous``, ``medians``.
Main results, tests: the root is tested at level alpha; a node is tested only if all its ancestors were rejected, at its
share of the level of its parent; the shares of two siblings sum to at most 1. Then the probability of rejecting any
true null is at most alpha, whatever the dependence between the p-values. *Proof.* The first false rejection on its path
from the root is at a true null without an ancestor whose null is true. No two such nodes lie on one path, so that, by
induction from the leaves, their levels sum to at most alpha; and each is rejected with probability at most its level.
The truth of the nulls must not depend on the rows that test: the tree was grown on others. A share may depend on the
other rows, and in the region of the node on how many rows each side and each class has, because given those the
p-value of a true null is still at most t with probability at most t; not on how the labels fall.
Main results, intervals: among the rows that did not grow the tree, the count of a class in a node is binomial given the
number of rows there. With an error of ``delta/(2m + 1)`` for each of the ``2m + 1`` nodes of a tree of ``m`` splits
(its root, and two children of each split), divided again by the number of classes where there are more than two, all
intervals hold together with probability at least ``1 - delta``: Bonferroni's inequality. They are for the nodes of the
tree that was grown. Intervals for the surviving leaves alone, each at ``delta`` over their number, do not hold
together, for what survives depends on the same rows. With tests of level alpha on these rows, the probability of any
error at all is at most alpha + delta. Of responses whose law is not known the median has such intervals, between two of
the ordered responses: the number of responses below a median is at most binomial with probability 1/2.
Source: goeman2010 on sequential rejection, of which the levels are the case without recycling: the level of a rejected
leaf, and of a node that was not rejected, is not passed on. clopper1934; thompson1936 for medians.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from splitcrit.arguments import Array, finite, one_of
from splitcrit.frozen import complaint
from splitcrit.nulls.binomial import clopper_pearson
from splitcrit.trees.tree_arrays import Structure

Shares = Literal["halves", "testable", "rows"]
ROUNDING = 1e-12  # relative: shares that were rounded may sum to more than 1, a p-value may exceed its level


def shares_of(structure: Structure, shares: Any, rows: Array, testable: Array) -> Array:
    """The share of each node in the level of its parent, 1 for the root.

    Parameters
    ----------
    structure : Structure
    shares : {"halves", "testable", "rows"} or array (nodes,)
        Half to each child; or all to the child that can be tested if only one can; or by the numbers of rows.
    rows : int array (nodes,)
        How many rows reach each node.
    testable : bool array (nodes,)
        Whether a node has rows in two groups and of two classes.

    Raises
    ------
    ValueError
        If shares are neither a rule nor one for each node, outside [0, 1], or of siblings that sum to more than 1.

    Examples
    --------
    >>> minus = np.full(5, -1)
    >>> tree = Structure(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]), minus, minus, minus)
    >>> rows, testable = np.array([9, 3, 6, 2, 4]), np.array([True, False, True, False, False])
    >>> for rule in ("halves", "testable", "rows"):
    ...     print(rule, shares_of(tree, rule, rows, testable).round(2).tolist())
    halves [1.0, 0.5, 0.5, 0.5, 0.5]
    testable [1.0, 0.0, 1.0, 0.5, 0.5]
    rows [1.0, 0.33, 0.67, 0.33, 0.67]
    """
    parents = np.flatnonzero(structure.left >= 0)
    left = structure.left[parents]
    right = structure.right[parents]
    if not isinstance(shares, str):
        return _given(shares, len(structure.left), left, right)
    rule = one_of(shares, Shares, "shares")
    share = np.ones(len(structure.left))
    weight = {"halves": np.ones(len(rows)), "testable": testable.astype(float), "rows": rows.astype(float)}[rule]
    both = weight[left] + weight[right]
    share[left] = np.where(both > 0, weight[left] / np.maximum(both, 1), 0.5)
    share[right] = 1 - share[left]
    return share


def _given(shares: Any, nodes: int, left: Array, right: Array) -> Array:
    each = finite(shares, "shares", 1)
    if len(each) != nodes:
        rule = f"shares are one number for each of {nodes} nodes"
        raise ValueError(complaint(rule, f"{len(each)} numbers", "pass as many, or a rule such as 'halves'"))
    if len(bad := each[(each < 0) | (each > 1)]):
        raise ValueError(complaint("shares lie in [0, 1]", f"{bad[0]:g}", "pass parts of the level of the parent"))
    sums = each[left] + each[right]
    if (sums > 1 + ROUNDING).any():
        rule, remedy = "the shares of two children sum to at most 1", "divide them by their sum"
        raise ValueError(complaint(rule, f"{sums.max():g}", remedy))
    each[0] = 1
    return each


def levels(structure: Structure, alpha: float, shares: Array) -> Array:
    """The level of each node, should all its ancestors be rejected: alpha times the shares on its path.

    Examples
    --------
    >>> minus = np.full(3, -1)
    >>> tree = Structure(np.array([1, -1, -1]), np.array([2, -1, -1]), minus, minus, minus)
    >>> levels(tree, 0.05, np.array([1, 0.25, 0.75])).round(4).tolist()
    [0.05, 0.0125, 0.0375]
    """
    level = np.full(len(structure.left), float(alpha))
    for node in np.flatnonzero(structure.left >= 0).tolist():
        children = [structure.left[node], structure.right[node]]
        level[children] = level[node] * shares[children]
    return level


def rejects(pvalue: Any, level: Any) -> Any:
    """Whether a p-value is at most its level, but for rounding; nan is not.

    Examples
    --------
    >>> rejects(0.1 + 0.2, 0.3), rejects(0.3001, 0.3)
    (True, False)
    """
    return pvalue <= level * (1 + ROUNDING)


def pvalues_down(structure: Structure, level: Array, pvalue: Callable[[int], float]) -> Array:
    """The p-value of each node that divides and whose ancestors were all rejected, nan for the others.

    A node is rejected if its p-value is at most its level. ``pvalue`` is called from the root down.

    Examples
    --------
    >>> minus = np.full(5, -1)
    >>> tree = Structure(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]), minus, minus, minus)
    >>> pvalues_down(tree, np.array([0.05, 0.025, 0.025, 0.0125, 0.0125]), [0.04, 1, 0.03, 1, 1].__getitem__).tolist()
    [0.04, nan, 0.03, nan, nan]
    """
    p = np.full(len(level), np.nan)
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if structure.left[node] < 0:
            continue
        p[node] = pvalue(node)
        if rejects(p[node], level[node]):
            waiting += [int(structure.right[node]), int(structure.left[node])]
    return p


def simultaneous(counts: Array, delta: float) -> tuple[Array, Array]:
    """The ends ``(nodes, K)`` of intervals that hold together, of class counts ``(nodes, K)``.

    Examples
    --------
    >>> low, high = simultaneous(np.array([[20, 20], [18, 2], [2, 18]]), 0.05)
    >>> low[1].round(3).tolist(), high[1].round(3).tolist()
    ([0.634, 0.007], [0.993, 0.366])
    """
    nodes, classes = counts.shape
    each = delta / (nodes * (classes if classes > 2 else 1))  # of two classes one interval is the other's mirror image
    return clopper_pearson(counts, counts.sum(axis=1, keepdims=True), each)


def medians(responses: Sequence[Array], delta: float) -> tuple[Array, Array]:
    """The ends ``(nodes, 1)`` of intervals of the median that hold together, of the responses in each node.

    Each ends at the k-th smallest and the k-th largest response, for the largest k that fails with probability at most
    its part of delta; without such a k it is infinite.

    Examples
    --------
    >>> low, high = medians([np.arange(20.0), np.arange(3.0)], 0.1)
    >>> low.ravel().tolist(), high.ravel().tolist()
    ([5.0, -inf], [14.0, inf])
    """
    from scipy.special import bdtr

    ends = np.full((2, len(responses), 1), [[[-np.inf]], [[np.inf]]])
    for node, values in enumerate(responses):
        ordered = np.sort(values)
        fails = bdtr(np.arange(len(values) // 2), len(values), 0.5)  # of k = 1, 2, ...
        if k := int((fails <= delta / (2 * len(responses))).sum()):
            ends[:, node, 0] = ordered[k - 1], ordered[-k]
    return ends[0], ends[1]
