"""What compiled loops take, as named tuples: arrays that travel together.

An entry of an order packs ``index << bits | class``; a node is a segment of every order.

Main definitions: ``Orders``, ``Segment``, ``Totals``, ``Room``, ``Data`` (a criterion), ``data_of``; ``Column``,
``Fronts``, ``Thresholds``, ``Cuts``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.impurities.forms import LOOKED_UP, Form

Array = NDArray[Any]
CONSTANTS = 4  # of a node
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
    """Of a node: class counts, the sum of ``phi`` over them, and constants; of nodes: with an axis more."""

    counts: Array
    sums: Any
    constants: Array


class Room(NamedTuple):
    """Room for a scan: counts of one side, and a number for every place."""

    seen: Array
    behind: Array


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


def data_of(form: Form) -> Data:
    """Return what compiled loops take of a form."""
    return Data(form.kind, float(form.power), float(form.unit), form.tie, form.phi, form.steps, form.table, NO_SIDES)


def data_of_sides(sides: Array) -> Data:
    """Return what compiled loops take of sides that are looked up: ``sides[a, b]`` is what one of two classes adds."""
    return Data(LOOKED_UP, 0.0, 1.0, 1.0, NOTHING, NOTHING, NOTHING, sides)


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
