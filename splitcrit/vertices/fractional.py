"""The best split that may divide classes, found numerically: a check on the theorem that it need not.

Main definitions: ``fractional_optimum``, ``FractionalSplit``.
Source: breiman1996, Theorem 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, Array, affordable, generator, whole
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.display import shortened
from splitcrit.vertices.methods import memberships
from splitcrit.vertices.node import NodeShares

AT_CORNER = 1e-6  # parts nearer than this to 0 or 1 divide no class
MOST_CORNERS = 12
SHORTEST = 1e-9  # step of the improvement
POLISHED = 8  # of the best starting points are improved


@dataclass(frozen=True, repr=False)
class FractionalSplit:
    """The best split found over all parts ``alpha`` in ``[0, 1]^J`` sent left.

    Attributes
    ----------
    alpha : tuple of float
        The part of each class sent left; 0 for classes that are absent.
    value : float
        The score.
    interior : bool
        Whether it divides a class.

    Examples
    --------
    >>> from splitcrit import gini
    >>> fractional_optimum([4, 3, 2, 1], gini).alpha
    (1.0, 0.0, 0.0, 0.0)
    """

    alpha: tuple[float, ...]
    value: float
    interior: bool

    __repr__ = shortened


def fractional_optimum(
    p: Any, criterion: Any, *, starts: int = 2000, rng: Any = 0, limit: float = PATIENT
) -> FractionalSplit:
    """The best split found when classes may be divided, ``max over alpha in [0, 1]^J``.

    Random points and, up to 12 classes, the corners of the cube are scored; the best of the random ones are improved
    one coordinate at a time. It is evidence and no proof: what it finds is attained, what it misses it does not know.

    Parameters
    ----------
    p
        Integer class counts, or class shares: Fractions or floats that sum to 1.
    criterion : Criterion or Impurity
        An impurity stands for its decrease. Its score is read at fractional counts.
    starts : int
        The number of random points.
    rng
        Anything that ``numpy.random.default_rng`` takes.
    limit : float
        How many seconds the search may take, as counted for one processor.

    Returns
    -------
    FractionalSplit

    Raises
    ------
    ValueError
        If ``p`` is no class distribution, ``starts`` is below 1, or the search would take more than ``limit`` seconds.

    See Also
    --------
    optimal_vertex : Splits that divide no class.

    Notes
    -----
    Proved: vertex.imprecise_gain_can_be_best_with_half_an_example_left

    References
    ----------
    breiman1996, Theorem 1.

    Examples
    --------
    >>> from splitcrit import gini
    >>> fractional_optimum([4, 3, 2, 1], gini).interior
    False
    """
    node, criterion = NodeShares.of(p), as_criterion(criterion)
    criterion.check(2, len(node.entries))
    starts = whole(starts, "starts", 1)
    n = len(node.entries)
    search = POLISHED * (30 + n) * (400 + 2 * n * n // 5) + starts * n // 5
    affordable(search, limit, f"a search over parts of {n} classes", "take fewer starts or classes")
    p = np.array([float(x) for x in node.entries])
    points = generator(rng).random((starts, len(p))) * (p > 0)
    best = np.argsort(-_scores(criterion, p, points), kind="stable")[:POLISHED]
    optima = np.array([_improved(criterion, p, point) for point in points[best]])
    if len(node.present) <= MOST_CORNERS:
        corners = memberships(node, np.arange(2 ** (len(node.present) - 1) - 1))
        optima = np.concatenate([corners.astype(float), optima])
    values = _scores(criterion, p, optima)
    alpha = optima[int(np.argmax(values))]
    inside = (alpha > AT_CORNER) & (alpha < 1 - AT_CORNER)
    return FractionalSplit(tuple(alpha.tolist()), float(values.max()), bool(inside.any()))


def _scores(criterion: Criterion, p: Array, alpha: Array) -> Array:
    """The scores of the splits that send the parts ``alpha (n, J)`` left."""
    left = (alpha * p).T
    return np.asarray(criterion.of_floats(np.stack([left, p[:, None] - left])), dtype=float)


def _improved(criterion: Criterion, p: Array, alpha: Array) -> Array:
    """A point from which no step along one coordinate, however short, leads higher."""
    moves = np.concatenate([np.diag(p > 0), -np.diag(p > 0).astype(float)])
    step, value = 0.5, _scores(criterion, p, alpha[None])[0]
    while step > SHORTEST:
        tried = np.clip(alpha + step * moves, 0.0, 1.0)
        values = _scores(criterion, p, tried)
        at = int(np.argmax(values))
        if values[at] > value:
            alpha, value = tried[at], values[at]
        else:
            step /= 2
    return alpha
