"""What compiled loops take, as named tuples: arrays that travel together.

An entry of an order packs ``index << bits | class``; a node is a segment of every order.

Main definitions: ``Orders``, ``Segment``, ``Totals``, ``Counted``, ``Scratch``, ``Data`` and ``Scorer`` (a
criterion); ``Recorded`` (a tape), ``Column``, ``Fronts``, ``Thresholds``, ``Cuts``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CONSTANTS = 4  # of a node
LINE = 16  # numbers apart, so that processors do not write to one line of their caches


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
    """Of a node: class counts, the sum of ``phi`` over them, and its constants."""

    counts: Array
    sums: float
    constants: Array


class Counted(NamedTuple):
    """Open nodes, unweighted: starts, class counts ``(m, K)``, their sums, constants ``(m, 4)``, smallest side."""

    starts: Array
    counts: Array
    sums: Array
    constants: Array
    least: int


class Scratch(NamedTuple):
    """Space for a scan: counts of one side, and two numbers for every place, the second ones in its second half."""

    seen: Array
    behind: Array

    @staticmethod
    def of(classes: int, places: int) -> Scratch:
        """Return space for a scan, whose counts share no line of a cache with what another thread has."""
        return Scratch(apart(classes, np.int64), np.empty(2 * places))


def apart(count: int, kind: Any) -> Array:
    """Return space for some numbers that share no line of a cache with any others."""
    return np.empty(count + 2 * LINE, kind)[LINE : LINE + count]


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


class Scorer(NamedTuple):
    """A criterion as data, and the addresses of its compiled functions (0: none): see ``scorers``."""

    data: Data
    numbers: int
    prepared: int
    scan: int


class Recorded(NamedTuple):
    """A tape as data: steps (operation, three operands, result) by register, constants and their registers.

    Inputs stand in the first of ``registers``, outputs in those that ``outputs`` names.
    """

    steps: Array
    constants: Array
    places: Array
    registers: int
    outputs: Array


class Column(NamedTuple):
    """One column of a level: order, values, weights by sample (empty: all 1)."""

    order: Array
    values: Array
    weights: Array
    bits: int


class Fronts(NamedTuple):
    """Open nodes as one column has them: starts, samples with a value, class weights, those left of every threshold.

    ``before (m, K)`` is empty where missing values are on the right; ``wanted (m or 1,)`` tells which nodes are looked
    at, ``alive`` which places (empty: all); a side has ``least`` samples and the weight ``lightest`` or more.
    """

    starts: Array
    known: Array
    totals: Array
    before: Array
    wanted: Array
    alive: Array
    least: int
    lightest: float


class Thresholds(NamedTuple):
    """Candidate thresholds: class weights ``(K, n)`` on the left and right, feature, node, and place in the order."""

    left: Array
    right: Array
    feature: Array
    node: Array
    place: Array

    @staticmethod
    def empty(classes: int, size: int) -> Thresholds:
        """Return space for candidates."""
        left, right = np.empty((2, classes, size + 1))[:, :, :size]  # one layout, whole or in part
        feature, node, place = np.empty((3, size), np.int64)
        return Thresholds(left, right, feature, node, place)

    def first(self, n: int) -> Thresholds:
        """Return the first ``n``."""
        return Thresholds(self.left[:, :n], self.right[:, :n], self.feature[:n], self.node[:n], self.place[:n])


class Cuts(NamedTuple):
    """One threshold a node: feature (-1: none), last place on the left, and whether missing values are there too.

    ``starts`` says where each node starts, ``known (d, m)`` how many of its samples have a value.
    """

    feature: Array
    place: Array
    missing_left: Array
    starts: Array
    known: Array
