"""The synthetic problems of ghosh2017: two classes in the plane, separable by axis-parallel cuts.

Main definitions: ``checkerboard`` (its data sets 1 and 2), ``uniform_halves`` (3), ``uniform_window`` (4).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import between, generator, whole

Array = NDArray[Any]
LARGEST = 2**31
Sample = tuple[NDArray[np.float64], NDArray[np.int64]]


def _size(n: Any) -> int:
    return whole(n, "the number of points", 1, LARGEST)


def checkerboard(n: int, *, cells: int = 2, rng: Any = None) -> Sample:
    """Points uniform on a board of ``cells x cells`` unit squares whose classes alternate.

    Parameters
    ----------
    n : int
    cells : int
        2 and 4 in the paper; squares with an even sum of coordinates are positive.
    rng
        Anything ``numpy.random.default_rng`` takes.

    Returns
    -------
    X : float array (n, 2), y : int array (n,)

    References
    ----------
    ghosh2017, Section 4.1.

    Examples
    --------
    >>> X, y = checkerboard(5, rng=0)
    >>> bool((y == (np.floor(X).sum(axis=1) % 2 == 0)).all())
    True
    """
    points = generator(rng).random((_size(n), 2)) * whole(cells, "the number of cells", 1, LARGEST)
    return points, (np.floor(points).sum(axis=1) % 2 == 0).astype(np.int64)


def uniform_halves(n: int, *, positive: float = 0.9, rng: Any = None) -> Sample:
    """An unbalanced linear problem: positives uniform on ``[0, .5] x [0, 1]``, negatives on the other half.

    References
    ----------
    ghosh2017, Section 4.1.

    Examples
    --------
    >>> X, y = uniform_halves(4, rng=0)
    >>> bool((y == (X[:, 0] < 0.5)).all())
    True
    """
    return _two_boxes(n, positive, ((0.5, 1.0), (0.0, 1.0)), rng)


def uniform_window(n: int, *, positive: float = 0.8, rng: Any = None) -> Sample:
    """Positives uniform on ``[0, .5] x [0, 1]`` and negatives on the small window ``[.5, .7] x [.4, .6]``.

    References
    ----------
    ghosh2017, Section 4.1.
    """
    return _two_boxes(n, positive, ((0.5, 0.7), (0.4, 0.6)), rng)


def _two_boxes(n: int, positive: float, box: tuple[tuple[float, float], tuple[float, float]], rng: Any) -> Sample:
    prior, source = float(between(positive, "the prior of positive", 0, 1)), generator(rng)
    y = (source.random(_size(n)) < prior).astype(np.int64)
    u = source.random((len(y), 2))
    (left, right), (low, high) = box
    other = np.stack([left + (right - left) * u[:, 0], low + (high - low) * u[:, 1]], axis=1)
    return np.where(y[:, None] == 1, u * [0.5, 1.0], other), y
