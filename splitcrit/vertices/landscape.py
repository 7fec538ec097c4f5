"""All the vertices of a node with their values, or the best of them.

Main definitions: ``vertex_landscape``, ``Landscape``.
Source: breiman1996, Section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, Array, affordable, between, whole
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.vertices.balance import nearest
from splitcrit.vertices.methods import MOST_CLASSES, MOST_HALVED, memberships, shortcut_of, steps_of, vertex_scores
from splitcrit.vertices.node import NodeShares


@dataclass(frozen=True, eq=False, repr=False)
class Landscape:
    """Vertices of a node, best first; each split once, the most frequent class (the first of them) on the left.

    Attributes
    ----------
    left : array of bool, (v, J)
        The classes sent left.
    share : array of float, (v,)
        P_L.
    value : array of float, (v,)
        The scores.

    Examples
    --------
    >>> from splitcrit import gini
    >>> vertex_landscape([3, 2, 1], gini)
    <Landscape of 3 vertices, values 0.211111 to 0.388889>
    """

    left: Array
    share: Array
    value: Array

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<Landscape of {len(self)} vertices, values {self.value[-1]:.6g} to {self.value[0]:.6g}>"

    def within(self, width: float) -> int:
        """Count the vertices with ``|P_L - 1/2| <= width``, a split and its mirror image counted as two."""
        most = between(width, "a width", 0, np.inf, example=0.01)
        return 2 * int((np.abs(self.share - 0.5) <= most).sum())


def vertex_landscape(p: Any, criterion: Any, *, best: int | None = None, limit: float = PATIENT) -> Landscape:
    """The splits of a node that divide no class, with P_L and score, best first.

    Parameters
    ----------
    p
        Integer class counts, or class shares: Fractions or floats that sum to 1.
    criterion : Criterion or Impurity
        An impurity stands for its decrease.
    best : int, optional
        How many of the best are returned; all by default.
    limit : float
        How many seconds the search may take, as counted for one processor.

    Returns
    -------
    Landscape

    Raises
    ------
    ValueError
        If ``p`` is no class distribution, or has more than 20 classes present: 40 for the best of entropy, twoing and
        the one-against-rest gain; or if the search would take more than ``limit`` seconds.

    See Also
    --------
    optimal_vertex : Only the best vertex, for many classes.

    References
    ----------
    breiman1996, Section 4.

    Examples
    --------
    >>> from splitcrit import gini, twoing
    >>> found = vertex_landscape([4, 3, 2, 1], twoing, best=3)
    >>> found.left.astype(int).tolist()
    [[1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 1, 0]]
    >>> found.value.tolist()
    [0.25, 0.24, 0.24]
    >>> len(vertex_landscape([4, 3, 2, 1], gini))
    7
    """
    node, criterion = NodeShares.of(p), as_criterion(criterion)
    best = None if best is None else whole(best, "the best of a landscape", 1)
    n = len(node.present)
    work = "the landscape of a node"
    if best is not None and MOST_CLASSES < n <= MOST_HALVED and shortcut_of(node, criterion) == "balances":
        search = steps_of(node, "meet_in_the_middle") // 2 * (1 + node.total.bit_length() // 12)
        affordable(search + 40 * n * best, limit, work, "ask for fewer, or merge rare classes")
        return _of_subsets(node, criterion, nearest(node, best))
    if n <= MOST_CLASSES:
        affordable(steps_of(node, "brute_force"), limit, work, "merge rare classes")
    value = vertex_scores(node, criterion)
    places = np.argsort(-value, kind="stable")[:best]
    return _landscape(node, memberships(node, places), value[places])


def _of_subsets(node: NodeShares, criterion: Criterion, subsets: list[int]) -> Landscape:
    """The vertices of some subsets in their order, which tells apart what rounding makes equal."""
    value = np.array([float(node.value(criterion, subset)) for subset in subsets])
    return _landscape(node, memberships(node, np.array(subsets, dtype=np.int64) // 2), value)


def _landscape(node: NodeShares, left: Array, value: Array) -> Landscape:
    p = np.array([float(x) for x in node.entries])
    return Landscape(left, left @ (p / p.sum()), value)
