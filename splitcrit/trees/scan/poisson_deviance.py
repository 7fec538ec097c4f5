"""Half the Poisson deviance of responses from their mean, in units of that mean, without loss of digits.

A response ``y = a (1 + u)`` of mean ``a`` has half the deviance ``y log(y / a) - (y - a) = a h(u)``, where
``h(u) = (1 + u) log(1 + u) - u``; a split whose sides have the means ``a (1 + u)`` saves the sum of ``a h(u)`` times
their weights. No term is negative, so that no digits are lost in sums. As ``h(u) <= u^2``, a split saves at most what
it saves of the squared error, over ``a``.

Main definitions: ``excess`` (h, of arrays); ``near`` and ``far``, of which compiled loops make it too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NEAR = 0.1  # up to it, as far as float64 can tell, the series has ended
LEAST = float(np.nextafter(-1, 0))  # a response above 0 that is far below the mean


def near(t: Any) -> Any:
    """``h(u)`` for ``t = u / (2 + u)`` of at most ``NEAR``, by the series of ``log(1 + u) = 2 artanh(t)``."""
    q = t * t
    tail = 1 / 11 + q * (1 / 13 + q * (1 / 15 + q / 17))
    tail = t * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * tail))))
    return 2 * q / (1 - t) * (1 + (1 + t) * tail)


def far(u: Any) -> Any:
    """``h(u)`` for other ``u`` above -1."""
    return (1 + u) * np.log1p(u) - u


def excess(u: Any) -> Any:
    """``h(u)`` of an array; from -1 down, which is a response of 0 but for rounding, 1.

    Examples
    --------
    >>> excess(np.array([-1.0, 0.0, 1e-9, 1.0])).round(22).tolist()
    [1.0, 0.0, 5e-19, 0.3862943611198906]
    """
    t = u / (2 + np.maximum(u, -1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(u <= -1, 1.0, np.where(np.abs(t) < NEAR, near(t), far(u)))
