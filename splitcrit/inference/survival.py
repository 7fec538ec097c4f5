"""The survival curve of the rows of a leaf, whose times may be censored.

Main definitions: ``kaplan_meier`` (a ``SurvivalCurve``).
Source: the product-limit estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import Array, finite
from splitcrit.columns.response_scores import NEAR, times_and_events
from splitcrit.display import shortened


@final
@dataclass(frozen=True, eq=False, repr=False)
class SurvivalCurve:
    """The Kaplan-Meier estimate of the probability to survive, a step function.

    Parameters
    ----------
    times : array (m,)
        The times of events, in order.
    survival : array (m,)
        The probability to survive beyond each.
    at_risk, events : array (m,)
        The rows under observation just before, and the events.
    rows : int
        All rows.

    Examples
    --------
    >>> curve = kaplan_meier([(1, 1), (2, 0), (3, 1), (3, 1)])
    >>> curve.survival.tolist(), curve.median, curve([0.5, 1, 2.9])
    ([0.75, 0.0], 3.0, array([1.  , 0.75, 0.75]))
    """

    times: Array
    survival: Array
    at_risk: Array
    events: Array
    rows: int

    __repr__ = shortened

    def __call__(self, t: Any) -> NDArray[np.float64]:
        """The probability to survive beyond times ``t``.

        Raises
        ------
        ValueError, TypeError
            If they are no vector of finite numbers.
        """
        return np.append(1.0, self.survival)[np.searchsorted(self.times, finite(t, "times", 1), side="right")]

    @property
    def median(self) -> float:
        """The first time by which at most half survive; inf if more than half outlive the last event."""
        below = np.flatnonzero(self.survival <= 0.5 + NEAR)
        return float(self.times[below[0]]) if below.size else float("inf")


def kaplan_meier(y: Any) -> SurvivalCurve:
    """The Kaplan-Meier curve of right-censored times: the product of ``1 - events/at risk`` over event times.

    Parameters
    ----------
    y
        As ``log_rank`` takes it.

    Raises
    ------
    ValueError, TypeError
        As ``log_rank``.

    Examples
    --------
    >>> kaplan_meier([(5, 1), (8, 1), (8, 0), (9, 1)]).survival.round(3).tolist()
    [0.75, 0.5, 0.0]
    """
    time, event = times_and_events(y)
    times, events = np.unique(time[event > 0], return_counts=True)
    at_risk = len(time) - np.searchsorted(np.sort(time), times)
    return SurvivalCurve(times, np.cumprod(1 - events / at_risk), at_risk, events, len(time))
