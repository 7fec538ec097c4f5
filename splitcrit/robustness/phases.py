"""Where in the plane of noise rates the order of two splits flips.

Main definitions: ``phase_diagram``, ``PhaseDiagram``, ``symmetric_flips``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import PATIENT, Array, affordable, whole
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown
from splitcrit.impurities import gini
from splitcrit.table import Table

BAND = 1e-11
LARGEST = 1e30  # of a weight, whose powers in scores are then finite


@dataclass(frozen=True, eq=False, repr=False)
class PhaseDiagram:
    """The order of two splits over a grid of noise rates.

    Parameters
    ----------
    tau_pos, tau_neg : arrays (m,)
        Rates of the columns and of the rows of ``order``.
    order : int array (m, m)
        1 where the first split scores higher in expectation, -1 where the second does, 0 where they tie.
    clean : int
        The order without noise.
    criterion : str

    Examples
    --------
    >>> from splitcrit import entropy
    >>> phase_diagram([[90, 10], [50, 50]], [[297, 3], [403, 297]], entropy, points=3).order.tolist()
    [[-1, -1, 0], [1, 0, 1], [0, -1, -1]]
    """

    tau_pos: Array
    tau_neg: Array
    order: Array
    clean: int
    criterion: str

    __repr__ = shortened

    @property
    def flipped(self) -> NDArray[np.bool_]:
        """Where the order is the opposite of that without noise; nowhere if they tie then."""
        return np.asarray(self.order * self.clean == -1)


def phase_diagram(
    first: Any, second: Any, criterion: Any = gini, *, points: int = 101, limit: float = PATIENT
) -> PhaseDiagram:
    """Map where class-conditional noise flips the order of two splits of a two-class node, in expectation.

    Scores are those of the expected noisy tables. They tie if they lie nearer than 1e-11 of the impurity of the noisy
    nodes, as in the trees, or of the largest score where a criterion has no impurity; and where
    ``tau_pos + tau_neg = 1``, for there labels say nothing of the classes.

    Parameters
    ----------
    first, second : arrays (2, 2)
        Two splits of a node, or of two nodes.
    criterion : Criterion or Impurity
    points : int
        Rates a side, from 0 to 1.
    limit : float
        How many seconds the grid may take, as counted for one processor.

    Raises
    ------
    ValueError
        If the tables are not ``(2, 2)`` counts or weights of a node, or the grid takes more than ``limit`` seconds.

    Examples
    --------
    >>> from splitcrit import entropy
    >>> diagram = phase_diagram([[90, 10], [50, 50]], [[297, 3], [403, 297]], entropy, points=11)
    >>> diagram.clean, bool(diagram.flipped.any())
    (-1, True)
    """
    tables = [_two_by_two(table) for table in (first, second)]
    chosen, side = as_criterion(criterion), whole(points, "the number of points", 2)
    affordable(side * side // 2, limit, f"a diagram of {points} rates a side", "take fewer points")
    rates = np.linspace(0, 1, side)
    tau_pos, tau_neg = np.meshgrid(rates, rates)
    noisy = [_noisy(table, tau_pos, tau_neg) for table in tables]
    one, two = (np.asarray(chosen.of_floats(table)) for table in noisy)
    close = np.abs(one - two) <= BAND * _node_scale(chosen, noisy, (one, two))
    nothing = np.abs(tau_pos + tau_neg - 1) <= BAND
    order = np.where(close | nothing, 0, np.sign(one - two)).astype(np.int64)
    return PhaseDiagram(rates, rates, order, int(order[0, 0]), chosen.name)


def _two_by_two(table: Any) -> Array:
    cells = np.asarray(Table.of(table).counts)
    if cells.shape != (2, 2) or not cells.any():
        rule = "phase diagrams are of splits in two of two classes"
        got = f"shape {cells.shape} of total {cells.sum()}"
        raise ValueError(complaint(rule, got, "pass [[negatives, positives], ...]"))
    if not all(x == 0 or 1 / LARGEST < x < LARGEST for x in cells.ravel().tolist()):
        rule = f"weights of a phase diagram lie between {1 / LARGEST:g} and {LARGEST:g}, or are 0"
        raise ValueError(complaint(rule, shown(cells.tolist()), "scale them"))
    return cells.astype(float)


def _noisy(table: Array, tau_pos: Array, tau_neg: Array) -> list[tuple[Array, Array]]:
    return [(neg * (1 - tau_neg) + pos * tau_pos, neg * tau_neg + pos * (1 - tau_pos)) for neg, pos in table]


def _node_scale(criterion: Criterion, noisy: list[Any], scores: tuple[Array, Array]) -> Any:
    """The unit in which scores are close: the impurity of the nodes, else the largest score on the grid."""
    if (impurity := criterion.impurity) is None:
        return max(float(np.abs(score).max()) for score in scores)
    totals = [[left + right for left, right in zip(*table, strict=True)] for table in noisy]
    shares = [[part / sum(node[1:], node[0]) for part in node] for node in totals]
    return np.maximum(*(np.asarray(impurity.of_floats(node)) for node in shares))


def symmetric_flips(difference: Any, *, cells: int = 256, bits: int = 40) -> list[tuple[Any, Any]]:
    """Intervals of symmetric rates in [0, 1/2) in which the order of two splits flips.

    Parameters
    ----------
    difference : callable
        The certain sign of the first score less the second at a rational rate; 0 where it cannot be told.
    cells : int
        Rates at which the sign is taken first; flips nearer than that may go unseen in pairs.
    bits : int
        How often each interval is halved, or nearly where the flip is at the middle.

    Returns
    -------
    list of (low, high)
        Fractions; the sign differs at the two ends, so that each interval holds a flip.

    Raises
    ------
    ValueError
        If ``cells`` or ``bits`` is no number of them.
    TypeError
        If ``difference`` is no function.

    Examples
    --------
    >>> flips = symmetric_flips(lambda eta: 1 if eta < Fraction(1, 5) else -1, bits=10)
    >>> [(low < Fraction(1, 5) <= high) for low, high in flips]
    [True]
    """
    if not callable(difference):
        rule = "the sign of a difference is a function of the rate"
        raise TypeError(complaint(rule, type(difference).__name__, "pass a callable"))
    cells, bits = whole(cells, "the number of cells", 1, 2**20), whole(bits, "the number of bits", 0, 2**12)
    rates = [Fraction(i, 2 * cells) for i in range(cells)]
    signs = [(rate, difference(rate)) for rate in rates]
    known_signs = [(rate, sign) for rate, sign in signs if sign]
    flips = []
    for (low, before), (high, after) in pairwise(known_signs):
        if before != after:
            for _ in range(bits):
                low, high = _narrowed(difference, low, high, before)
            flips.append((low, high))
    return flips


def _narrowed(
    difference: Callable[[Fraction], int], low: Fraction, high: Fraction, before: int
) -> tuple[Fraction, Fraction]:
    """A part of an interval at whose ends the signs still differ; the same where no sign can be told inside."""
    for part in (Fraction(1, 2), Fraction(3, 8), Fraction(5, 8)):  # the flip itself may be at the first
        middle = low + (high - low) * part
        if sign := difference(middle):
            low, high = (middle, high) if sign == before else (low, middle)
            if part == Fraction(1, 2):
                break
    return low, high
