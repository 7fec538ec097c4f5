"""How many runs would settle a difference.

Main definitions: ``power``, ``runs_needed``.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from splitcrit.frozen import complaint

MOST = 10**8  # more runs than that are none that anybody makes


def power(difference: float, deviation: float, runs: int, *, alpha: float = 0.05, test_share: float = 0.0) -> float:
    """The probability that a two-sided t test of paired differences finds a true difference.

    Over ``J`` runs the statistic is noncentral t with ``J - 1`` degrees of freedom and noncentrality
    ``difference / (deviation sqrt(1 / J + test_share))``, if differences are normal.

    Parameters
    ----------
    difference : float
        The true mean difference.
    deviation : float
        The standard deviation of the difference of one pair of runs.
    runs : int
        How many pairs, two or more.
    alpha : float
        The level of the test.
    test_share : float
        Test rows over training rows, for the corrected resampled t test; 0 takes runs as independent.

    Examples
    --------
    >>> round(power(1.0, 1.3, 10), 3)
    0.583
    """
    from scipy.stats import nct, t

    if runs < 2 or deviation <= 0:
        rule = "power is that of two runs or more whose differences vary"
        raise ValueError(complaint(rule, f"{runs} runs, deviation {deviation}", "pass runs >= 2 and deviation > 0"))
    far = abs(difference) / (deviation * math.sqrt(1 / runs + test_share))
    beyond = t.isf(alpha / 2, runs - 1)
    tails = nct.sf(beyond, runs - 1, far), nct.cdf(-beyond, runs - 1, far)  # nan far out, where they are 1 and 0
    return sum(end if math.isnan(x) else float(x) for x, end in zip(tails, (1.0, 0.0), strict=True))


def runs_needed(
    deviation: float, *, difference: float = 1.0, alpha: float = 0.05, least: float = 0.8, test_share: float = 0.0
) -> int | None:
    """The smallest number of runs whose test finds the difference with probability ``least``.

    Returns
    -------
    int or None
        None if no number of runs does: runs that share training rows know of one sample only.

    Examples
    --------
    >>> runs_needed(1.3), runs_needed(1.3, difference=0.5)
    (16, 56)
    """

    def enough(runs: int) -> bool:
        return power(difference, deviation, runs, alpha=alpha, test_share=test_share) >= least

    if enough(2):
        return 2
    upper = 4
    while not enough(upper):
        upper *= 2
        if upper > MOST:
            return None
    return bisect_left(range(upper), True, lo=upper // 2, key=enough)
