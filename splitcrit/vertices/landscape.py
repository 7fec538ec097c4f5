"""All the vertices of a node with their values, or the best of them.

Main definitions: ``vertex_landscape``, ``Landscape``.
Source: breiman1996, Section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion, as_criterion
from splitcrit.values import complaint
from splitcrit.vertices.balance import nearest
from splitcrit.vertices.enumeration import MOST_CLASSES, memberships, vertex_scores
from splitcrit.vertices.node import Node
from splitcrit.vertices.optimum import MOST_HALVED, shortcut_of

Array = NDArray[Any]


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
    """

    left: Array
    share: Array
    value: Array

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<Landscape of {len(self)} vertices, values {self.value[-1]:.6g} to {self.value[0]:.6g}>"

    def within(self, width: float) -> int:
        """Return how many vertices have ``|P_L - 1/2| <= width``, a split and its mirror image counted as two."""
        return 2 * int((np.abs(self.share - 0.5) <= width).sum())


def vertex_landscape(p: Any, criterion: Any, *, best: int | None = None) -> Landscape:
    """Return the splits of a node that divide no class, with P_L and score, best first.

    Parameters
    ----------
    p
        Integer class counts, or class shares: Fractions or floats that sum to 1.
    criterion : Criterion or Impurity
        An impurity stands for its decrease.
    best : int, optional
        Return the best so many only; all by default.

    Returns
    -------
    Landscape

    Raises
    ------
    ValueError
        If ``p`` is no class distribution, or has more than 20 classes present: 40 for the best of entropy, twoing and
        the one-against-rest gain.

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
    node, criterion = Node.of(p), as_criterion(criterion)
    if best is not None and best < 1:
        raise ValueError(complaint("the best of a landscape are at least 1", best, "ask for more"))
    n = len(node.present)
    if best is not None and MOST_CLASSES < n <= MOST_HALVED and shortcut_of(node, criterion) == "balances":
        return _of_subsets(node, criterion, nearest(node, best))
    value = vertex_scores(node, criterion)
    places = np.argsort(-value, kind="stable")[:best]
    return _landscape(node, memberships(node, places), value[places])


def _of_subsets(node: Node, criterion: Criterion, subsets: list[int]) -> Landscape:
    """Return the vertices of some subsets in their order, which tells apart what rounding makes equal."""
    value = np.array([float(node.value(criterion, subset)) for subset in subsets])
    return _landscape(node, memberships(node, np.array(subsets, dtype=np.int64) // 2), value)


def _landscape(node: Node, left: Array, value: Array) -> Landscape:
    p = np.array([float(x) for x in node.entries])
    return Landscape(left, left @ (p / p.sum()), value)
