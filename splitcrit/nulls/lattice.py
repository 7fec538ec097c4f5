"""Lattice paths that leave a region, counted in integers: how likely a random order of two classes is to go so far.

Main definitions: ``chance_of_leaving`` (a Fraction). ``paths`` describes them, and counts in float64.
Main results: let ``q_m(x)`` be the probability that the path has stayed inside up to ``m``, given that it is at ``x``
there. Of the first ``m`` labels any is the last one with equal probability, so that ::

    q_m(x) = q_(m-1)(x) (m - x)/m + q_(m-1)(x - 1) x/m,    and 0 outside,

where ``q_m(x) C(m, x)`` is the number of paths that have stayed inside; the path leaves at ``m`` for the first time
with probability ``sum h_m(x) q_m(x)`` over the ``x`` outside, with ``h_m`` the hypergeometric law of ``x``.
Proved: null.last_label_is_any_of_those_before.
Source: strobl2007 counts the paths for the Gini gain without ties.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from splitcrit.arguments import Array

# Of the same law in float64: places between two scalings, where no ratio of neighbours exceeds the last and elsewhere;
# and how many powers of two may lie between numbers of one scale.
FAR, NEAR, STEEP = 256, 32, 8.0
SPREAD = 512


def chance_of_leaving(n: int, ones: int, lower: Array, upper: Array) -> Fraction:
    """Return the probability that a path leaves, by counting paths in integers.

    Examples
    --------
    >>> import numpy as np
    >>> chance_of_leaving(4, 2, np.array([0, 0, 0, 0, 0]), np.array([4, 4, 1, 4, 4]))
    Fraction(1, 6)
    """
    paths, first, left = [1], 0, 0
    low, high = lower.tolist(), upper.tolist()
    for m in range(1, n):
        paths = [a + b for a, b in zip([*paths, 0], [0, *paths], strict=True)]
        ways = [(x, count) for x, count in enumerate(paths, first) if m - n + ones <= x <= ones]
        left += sum(count * comb(n - m, ones - x) for x, count in ways if not low[m] <= x <= high[m])
        kept = [(x, count) for x, count in ways if low[m] <= x <= high[m]]
        if not kept:
            break
        first, paths = kept[0][0], [count for _, count in kept]
    return Fraction(left, comb(n, ones))
