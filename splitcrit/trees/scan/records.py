"""What compiled loops of the search take, as named tuples: arrays that travel together.

An entry of an order packs ``index << bits | class``; a node is a segment of every order. A field holds arrays of all
samples (by row, by number), one node's numbers, or space that a scan writes before it reads.

Main definitions: ``Orders``, ``SampleWeights``, ``Segment``, ``Totals``, ``Scratch``, ``Data`` and
``CompiledCriterion`` (a criterion); ``CategoryTable`` and ``SideLimits``. For responses that are numbers: ``ERRORS``,
``Samples``, ``ResponseOrder``; ``Medians``, ``Sums`` and ``OwnLoss`` (what an error asks for); what the numbers of a
description are, ``WEIGHT`` to ``DEVIATION``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array

# Numbers that a criterion keeps of a node from column to column: see ``numbers_of_sums``.
CONSTANTS = 4
# The kind of a criterion that is scored by its formula; others are those of ``search_declaration``.
FORMULA = 9
# Numbers apart, so that processors do not write to one line of their caches.
LINE = 16


class SampleWeights(NamedTuple):
    """Weights of samples in units of which each is a whole number, so that sums are exact (empty: each counts once).

    In an entry of an order the index is shifted by ``shift``; bits between it and the class, or else the index itself,
    are the place in ``units``. A side needs ``lightest`` units, 0 where entries are grouped by what is allowed.
    """

    units: Array
    shift: int
    lightest: float


UNWEIGHTED = SampleWeights(np.empty(0, np.int64), 0, 0.0)


class Orders(NamedTuple):
    """Orders ``(d, n)``, values ``(d, n)`` by column, how many bits of an entry are its class, and weights."""

    orders: Array
    columns: Array
    bits: int
    weights: SampleWeights = UNWEIGHTED


class Segment(NamedTuple):
    """One column of a node: ``order[start:stop]``, values by index, ``bits``, the fewest entries of a side, weights."""

    order: Array
    column: Array
    start: int
    stop: int
    bits: int
    least: int
    weights: SampleWeights


class Totals(NamedTuple):
    """Of a node: class counts, the sum of ``phi`` over them, and its constants."""

    counts: Array
    sums: float
    constants: Array


class Scratch(NamedTuple):
    """Space for a scan: counts of one side, and two numbers for every place, the second ones in its second half."""

    seen: Array
    behind: Array

    @staticmethod
    def of(classes: int, places: int) -> Scratch:
        """Space for a scan, whose counts share no line of a cache with what another thread has."""
        return Scratch(apart(classes, np.int64), np.empty(2 * places))


def apart(count: int, kind: Any) -> Array:
    """Space for some numbers that share no line of a cache with any others."""
    return np.empty(count + 2 * LINE, kind)[LINE : LINE + count]


class Data(NamedTuple):
    """A criterion as data: see ``search_declaration.Form``; ``tie`` widens the ties of a node.

    Of a formula ``formula`` and ``scale`` are the addresses of its code (``FormulaCode``, 0: none), a positive
    ``power`` says that it is a decrease, ``unit`` is what a count of 1 weighs, ``table`` is space for both sides, and
    ``phi[0]`` is 1 once a score was no number. ``convex``: for two classes it is settled that the score is a decrease
    of a concave impurity (``scan_sums``).
    """

    kind: int
    power: float
    unit: float
    tie: float
    phi: Array
    table: Array
    formula: int
    scale: int
    convex: bool = False


class CompiledCriterion(NamedTuple):
    """A criterion as data, and the addresses of its compiled functions (0: none): see ``prepared_criterion.scorer``."""

    data: Data
    numbers: int
    prepared: int
    scan: int


# By which categories are divided.
METHODS = ("mean response", "all subsets", "several orders", "random")
ORDER, EXACT, SEVERAL, RANDOM = range(4)
# Of a covariance of class proportions: how often it is squared at most, for its principal component; what is no tie.
SQUARINGS, LARGER = 8, 1 + 1e-9


class CategoryTable(NamedTuple):
    """The categories of a column in a node: class counts ``(J, K)``, rows and weights ``(J,)``, which ``there`` are.

    Of a category that is not there all numbers are 0, and the rank -1; behind ``there`` stands how many are. Up to
    ``most`` categories are divided in all ways, unless they are ``ordered`` by mean response; where it ``joins`` those
    of one class alone, each has a ``leader``, which may be itself. The rest is space: for an ``order`` of those that
    are there by their ``keys``, for the ranks of a division, class counts of a side, scores of divisions, and ``spread
    (2K + 1, K)`` for a principal component. Behind the ranks stands how divisions were tried, one of ``METHODS``.
    """

    table: Array
    rows: Array
    weights: Array
    there: Array
    leader: Array
    order: Array
    ranks: Array
    keys: Array
    seen: Array
    scores: Array
    spread: Array
    ordered: bool
    joins: bool
    most: int

    @staticmethod
    def of(levels: int, classes: int, ordered: bool, joins: bool, most: int, kind: Any = np.int64) -> CategoryTable:
        """Space for columns of up to some categories, and counts, or sums, of some type."""
        table, spread = np.zeros((levels, classes), kind), np.empty((2 * classes + 1, classes))
        rows, weights, there, leader, order, ranks = np.zeros((6, levels + 1), np.int64)
        most = min(most, levels)
        keys, seen, scores = np.empty(levels), np.empty(classes, np.int64), np.empty(1 << max(most - 1, 0))
        whole = table, rows, weights, there, leader, order, ranks - 1, keys, seen, scores, spread
        return CategoryTable(*whole, ordered, joins, most)


class SideLimits(NamedTuple):
    """Rows and weight of a node, and the least of both that a side needs."""

    rows: int
    weight: int
    least: int
    lightest: float


# Responses that are numbers. A sample's *number* is its place among those of its node in the order of their responses.
# The order of each column lists ``number << 1 | same``, where ``same`` marks the value that the entry before has in the
# node; so what a node looks at lies together in memory.

ERRORS = ("squared_error", "absolute_error", "poisson")
# What loops call them, and a loss that a user wrote.
_, ABSOLUTE, POISSON, DECLARED = range(4)
# What describes a node, a number each: its weight; its mean in two parts, which add up to more digits than one float
# has; its variance, or half its mean Poisson deviance; its median, and its mean deviation about it. Of a user's loss
# the last two are the best prediction and the least mean loss.
WEIGHT, MEAN, REST, SPREAD, MEDIAN, DEVIATION = range(6)
DESCRIBED = 6


class Samples(NamedTuple):
    """Rows, responses and weights (empty: all 1) by number."""

    rows: Array
    responses: Array
    weights: Array


class ResponseOrder(NamedTuple):
    """One column of one node: an order from ``first`` to ``stop``, where those from ``known`` on have no value.

    The numbers of the node's samples begin with ``base``. An entry is ``number << 1 | same``.
    """

    order: Array
    first: int
    known: int
    stop: int
    base: int


class Medians(NamedTuple):
    """Space for deviations about medians, for one column of one node.

    ``local (m,)`` lists the samples in the order that is searched, by their places, from 0, among the node's numbers. A
    threshold stands after some of them: ``may (m,)`` is 1 where limits allow it, and there ``lefts`` and ``rights``
    get the sums of costs of the two sides. ``links (2, m + 2, 2)`` are, by side, the next lower and higher rank that is
    still in; ``tree (m + 1, 2)``, where samples have weights, a Fenwick tree of weights and weighted responses.
    """

    local: Array
    may: Array
    lefts: Array
    rights: Array
    links: Array
    tree: Array

    @staticmethod
    def of(rows: int, weighted: bool) -> Medians:
        """Space for nodes of up to this number of rows."""
        size = rows + 2
        links, tree = np.empty((2, size, 2), np.int32), np.empty((size if weighted else 0, 2))
        may, (lefts, rights) = np.empty(size, np.uint8), np.empty((2, size))
        return Medians(np.empty(size, np.int32), may, lefts, rights, links, tree)


class Sums(NamedTuple):
    """What squared error and Poisson deviance ask for: no space, since responses are added up."""

    rows: int


# What a callback for an own loss is told of a node, and what it answers: the first number and the size, whether it is
# the node that is asked for, what the best threshold so far costs, then prediction and least mean loss.
BASE, SIZE_OF_NODE, NODE, LEAST_SPENT, PREDICTION, LEAST_COST = range(6)


class OwnLoss(NamedTuple):
    """A loss that a user wrote: addresses of its formulas of means, or of what seeks its least sums (0: none).

    ``statistics (s, n)`` are by row, ``rows`` those of the samples; ``means``, ``centre`` and ``running (s,)`` are of a
    side, a node, and the left of a threshold. ``undefined[0]`` is 1 once a risk was no number. ``exchange (6,)`` is
    what a callback is told and answers, ``BASE`` to ``LEAST_COST``; the rest is as in ``Medians``.
    """

    act: int
    risk: int
    sought: int
    statistics: Array
    rows: Array
    means: Array
    centre: Array
    running: Array
    undefined: Array
    exchange: Array
    local: Array
    may: Array
    lefts: Array
    rights: Array
