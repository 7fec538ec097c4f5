"""The rows of a node and of its ancestors side by side, so that labels can be permuted inside the node.

Main definitions: ``Path``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from splitcrit.arguments import Array


@dataclass(frozen=True, eq=False)
class Path:
    """A node and its ancestors side by side, the node first and the root last; a row has a copy in each that holds it.

    Parameters
    ----------
    rows : int array (N,)
        The row of the training set that each copy is of.
    starts : int array (k + 1,)
        Where each node starts among the copies.
    left : bool array (N,)
        Which copies the tree sends left.
    place : int array (N,)
        Which row of the first node a copy is of, -1 if of none.
    """

    rows: Array
    starts: Array
    left: Array
    place: Array

    @staticmethod
    def of(rows: Sequence[Array], left: Sequence[Array]) -> Path:
        """The path through nodes, given the rows of each, the tested node first, and which of them go left."""
        together = np.concatenate(rows)
        places = np.full(int(together.max()) + 1, -1)
        places[rows[0]] = np.arange(len(rows[0]))
        starts = np.cumsum([0, *map(len, rows)])
        return Path(together, starts, np.concatenate(left), places[together])

    @property
    def nodes(self) -> list[slice]:
        """The copies of each node."""
        return [slice(*ends) for ends in zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)]

    @property
    def alone(self) -> Path:
        """The first node without its ancestors."""
        here = self.nodes[0]
        return Path(self.rows[here], self.starts[:2], self.left[here], self.place[here])

    def relabelled(self, y: Array, labels: Array) -> Array:
        """``y (N,)`` with these labels in the place of those of the first node's rows."""
        return np.where(self.place >= 0, labels[self.place], y)
