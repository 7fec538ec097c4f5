"""A Monte Carlo p-value whose draws stop once enough of them exceed what was observed.

Main definitions: ``Tally``, ``tallied``.
Main results: with at most ``K`` draws, the p-value is ``h / k`` if the ``h``-th exceedance comes with draw ``k``, and
``(1 + c) / (1 + K)`` if there are only ``c < h``. If the observed value and the draws are exchangeable, it is at most
``a`` with probability at most ``a``. Draws that do not count, nan here, change nothing: given how many count, those
that do are exchangeable with what was observed.
Source: besag1991 (the stopping rule).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.nulls.monte_carlo import permutation_pvalue

Array = NDArray[Any]


@dataclass(frozen=True)
class Tally:
    """Draws made, those that count, those of these that reach the observed value, and whether these sufficed."""

    drawn: int = 0
    kept: int = 0
    exceeding: int = 0
    stopped: bool = False

    @property
    def pvalue(self) -> float:
        """The p-value.

        Examples
        --------
        >>> Tally(drawn=99, kept=39, exceeding=1).pvalue, Tally(drawn=9, kept=8, exceeding=4, stopped=True).pvalue
        (0.05, 0.5)
        """
        return self.exceeding / self.kept if self.stopped else float(permutation_pvalue(self.exceeding, self.kept))

    def can_reach(self, level: float) -> bool:
        """Return whether the draws were enough for a p-value of at most a level."""
        return self.stopped or 1 / (1 + self.kept) <= level


def tallied(values: Iterable[Array], reached: float, most: int | None) -> Tally:
    """Return the tally of draws, which come in blocks; nan does not count, and ``most`` exceedances are enough.

    Examples
    --------
    >>> tallied([np.array([1.0, np.nan, 3.0]), np.array([0.5, 2.0])], 2.0, None)
    Tally(drawn=5, kept=4, exceeding=2, stopped=False)
    >>> tallied([np.array([1.0, np.nan, 3.0]), np.array([0.5, 2.0])], 2.0, 1)
    Tally(drawn=3, kept=2, exceeding=1, stopped=True)
    """
    drawn = kept = exceeding = 0
    for block in values:
        exceeds = block >= reached
        short = np.inf if most is None else most - exceeding
        stopped = int(exceeds.sum()) >= short
        asked = int(np.flatnonzero(exceeds)[int(short) - 1]) + 1 if stopped else len(block)
        drawn, kept = drawn + asked, kept + int((~np.isnan(block[:asked])).sum())
        exceeding += int(exceeds[:asked].sum())
        if stopped:
            return Tally(drawn, kept, exceeding, True)
    return Tally(drawn, kept, exceeding)
