"""What the compiled loops over permuted labels take besides ``search.records``.

Main definitions: ``PathNode``, ``Categories``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]


class PathNode(NamedTuple):
    """One node of a path whose nodes lie side by side, the first being the one that is tested.

    It stands from ``start`` to ``stop`` in every order, and has class counts ``(K,)``. A row has a copy in each node of
    the path that holds it. For each copy ``left`` tells whether the tree sends it left, and ``place`` which row of the
    first node it is, -1 if none.
    """

    start: int
    stop: int
    counts: Array
    left: Array
    place: Array


class Categories(NamedTuple):
    """Columns of categories on a path, which are sorted by the ranks that permuted labels give to the categories.

    ``column (d,)`` tells which of them each row of the orders is, -1 for numbers; ``orders (F, N)`` are their entries
    before sorting, ``codes (F, N)`` the category of each copy, ``first (J + 1,)`` space for the place of each rank.
    """

    column: Array
    orders: Array
    codes: Array
    first: Array
