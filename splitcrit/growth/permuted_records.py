"""What the compiled loop over permuted labels takes besides ``search.records``.

Main definitions: ``Nested``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]


class Nested(NamedTuple):
    """A node and its ancestors side by side, the node first: starts ``(k + 1,)``, class counts ``(k, K)``, copies.

    A row stands once in each of the ``k`` nodes that holds it. For each of these copies ``left`` tells whether the tree
    sends it left, and ``place`` which row of the first node it is, -1 if none.
    """

    starts: Array
    counts: Array
    left: Array
    place: Array
