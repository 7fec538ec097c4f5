"""What loops over responses that are numbers take, as named tuples.

A sample's *number* is its place among those of its node in the order of their responses. The order of each column lists
``number << 1 | same``, where ``same`` marks the value that the entry before has in the node.

Main definitions: ``ERRORS``, ``Samples``, ``Ordered``, ``Tried``, ``Limited``, ``Chosen``; ``Scan`` and ``Centred`` (of
one column), ``Medians``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ERRORS = ("squared_error", "absolute_error", "poisson")
_, ABSOLUTE, POISSON, DECLARED = range(4)  # what loops call them, and a loss that a user wrote


class Samples(NamedTuple):
    """Rows, responses and weights (empty: all 1) by number."""

    rows: Array
    responses: Array
    weights: Array


class Ordered(NamedTuple):
    """Open nodes: orders ``(d, n)``, where each starts, its first number, and its samples with a value ``(d, m)``."""

    orders: Array
    starts: Array
    bases: Array
    known: Array


class Tried(NamedTuple):
    """What is tried: features by their ranks ``(m or 1, d)``, -1 where not drawn, and at which thresholds.

    ``cuts (m, d)`` are the only places tried, with missing values going left as ``lost`` says; empty: all.
    """

    ranks: Array
    cuts: Array
    lost: Array


class Limited(NamedTuple):
    """The error's place in ``ERRORS``, the width of a tie of each node, and what a side needs: samples and weight."""

    error: int
    tie: Array
    least: int
    lightest: float


class Chosen(NamedTuple):
    """One split a node: feature (-1: none), where missing values go, best score, size of the left side.

    The threshold stands between the values of the rows ``below`` and ``above`` (-1: missing values).
    """

    feature: Array
    missing_left: Array
    score: Array
    left_sizes: Array
    below: Array
    above: Array


class Scan(NamedTuple):
    """The search of one column a node, ``feature`` (-1: none), for scores from ``bound`` on, which it raises.

    If ``only``, it is for the first of them, missing values right, then left: its ``place``, and whether they go left.
    """

    feature: Array
    bound: Array
    place: Array
    missing_left: Array
    only: bool


class Centred(NamedTuple):
    """Responses that have mean 0 in each node and weights, by number; weight and mean deviation of each node.

    For Poisson deviance responses are in units of the node's mean, so that -1 is a response of 0.
    """

    responses: Array
    weights: Array
    weight: Array
    spread: Array


class Medians(NamedTuple):
    """Space for deviations about medians in a node: ranks, links among them, a tree of weights, sums of both sides."""

    local: Array
    links: Array
    tree: Array
    lefts: Array
    rights: Array

    @staticmethod
    def of(rows: int | None, weighted: bool) -> Medians:
        """Return space for nodes of up to this number of rows, none for None."""
        size = 0 if rows is None else rows + 2
        links, tree = np.empty((2, size, 2), np.int32), np.empty((size if weighted else 0, 2))
        return Medians(np.empty(size, np.int32), links, tree, np.empty(size), np.empty(size))
