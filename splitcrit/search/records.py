"""What compiled loops take, as named tuples: arrays that travel together.

An entry of an order packs ``index << bits | class``; a node is a segment of every order.

Main definitions: ``Orders``, ``Segment``, ``Totals``, ``Room``, ``Data`` (a criterion), ``data_of``; ``Column``,
``Fronts``, ``Thresholds``, ``Cuts``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.search.forms import CAPPED, POWER, Form, Sides

Array = NDArray[Any]
LOOKED_UP = -1  # the kind of criteria whose sides are looked up; the others are those of ``forms``
NOTHING, NO_SIDES = np.zeros(1), np.zeros((1, 1))


class Orders(NamedTuple):
    """Orders ``(d, n)``, values ``(d, n)`` by column, and how many bits of an entry are its class."""

    orders: Array
    columns: Array
    bits: int


class Segment(NamedTuple):
    """One column of a node: its order and values, where the node starts and stops, and the smallest side allowed."""

    order: Array
    column: Array
    start: int
    stop: int
    bits: int
    least: int


class Totals(NamedTuple):
    """Of a node: class counts, the sum of ``phi`` over them, and three constants; of nodes: with an axis more."""

    counts: Array
    sums: Any
    constants: Array


class Room(NamedTuple):
    """Room for a scan: counts of one side, and what the other contributes."""

    seen: Array
    behind: Array

    @staticmethod
    def of(kind: int, classes: int, size: int) -> Room:
        """Return room for nodes of up to ``size`` samples."""
        return Room(np.empty(classes, np.int64), np.empty(size if kind in (CAPPED, POWER) else 0))


class Data(NamedTuple):
    """A criterion as data: see ``forms``; ``tie`` widens the ties of a node."""

    kind: int
    power: float
    unit: float
    tie: float
    phi: Array
    steps: Array
    table: Array
    sides: Array


def data_of(form: Form | Sides, tie: float = 1.0) -> Data:
    """Return what compiled loops take of a form, or of the sides that are looked up."""
    if isinstance(form, Sides):
        return Data(LOOKED_UP, 0.0, 1.0, tie, NOTHING, NOTHING, NOTHING, form.table)
    return Data(form.kind, float(form.power), float(form.unit), tie, form.phi, form.steps, form.table, NO_SIDES)


class Column(NamedTuple):
    """One column of a level: order, values, weights by sample (empty: all 1)."""

    order: Array
    values: Array
    weights: Array
    bits: int


class Fronts(NamedTuple):
    """Open nodes as one column has them: starts, samples with a value, class weights, those left of every threshold.

    ``before (m, K)`` is empty where missing values are on the right; ``wanted (m or 1,)`` tells which nodes are looked
    at, ``alive`` which places (empty: all).
    """

    starts: Array
    known: Array
    totals: Array
    before: Array
    wanted: Array
    alive: Array


class Thresholds(NamedTuple):
    """Candidate thresholds: class weights ``(K, n)`` on the left and right, node, and place in the order."""

    left: Array
    right: Array
    node: Array
    place: Array


class Cuts(NamedTuple):
    """One threshold a node: feature (-1: none), last place on the left, and whether missing values are there too."""

    feature: Array
    place: Array
    missing_left: Array
