"""Lattice paths that leave a region: how likely a random order of two classes is to reach an extreme table.

Going through the observations in the order of a feature, the pair (observations so far, of them in the first class)
is a path from (0, 0) to (n, b); if the labels are in random order, all C(n, b) paths are equally likely. At some
cuts ``m`` the path stays inside if ``lower[m] <= x <= upper[m]``.

Main definitions: ``surprise_of_leaving`` (float64; compiled where numba is, else ``by_arrays``), ``chance_of_leaving``
(a Fraction); ``cutting_steps``, ``path_steps`` (what they cost).
Main results: let ``q_m(x)`` be the probability that the path has stayed inside up to ``m``, given that it is at ``x``
there. Of the first ``m`` labels any is the last one with equal probability, so that ::

    q_m(x) = q_(m-1)(x) (m - x)/m + q_(m-1)(x - 1) x/m,    and 0 outside,

and the path leaves at ``m`` for the first time with probability ``sum h_m(x) q_m(x)`` over the ``x`` outside, with
``q_m`` before it is set to 0 and ``h_m`` the hypergeometric law of ``x``. Nothing is subtracted and no ``q`` exceeds 1,
so that a probability below the smallest float64 keeps its digits as a logarithm. Time is O(n) times the mean width.
Proved: null.last_label_is_any_of_those_before.
Source: strobl2007 counts the paths for the Gini gain without ties; with one bound for all cuts this is Smirnov's law.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compile_notice import reporting_compilation
from splitcrit.nulls.hypergeometric import log_chance, remainders

WORK, REMEDY = "the law of lattice paths", "put the feature into fewer intervals of fewer observations"
SMALL = 10**6  # cells


def cutting_steps(n: int, cuts: int) -> int:
    """Return the steps that bounds at some cuts of ``n`` observations take, and one step of a path each, at least."""
    return 8 * n + 6 * cuts


def path_steps(n: int, ones: int, cuts: Array, lower: Array, upper: Array, exact: bool) -> int:
    """Return the steps of the law of paths between bounds, from the width of the region at every place.

    Where even the region of all paths is small it stands for the other.
    """
    additions = 200 if _compiled() is None else 1000  # a microsecond
    if not exact and n * ones < SMALL:
        return 8 * n + n * ones // additions
    m, bound = np.arange(n + 1), np.zeros(n + 1, dtype=bool)
    bound[cuts] = True
    least = np.maximum.accumulate(np.where(bound, lower, 0))
    most = m + np.minimum.accumulate(np.where(bound, upper - m, 0))
    widths = np.minimum(most, np.minimum(m, ones)) - np.maximum(least, m - n + ones) + 1
    inside = int(np.maximum(widths, 0).sum())
    return inside * (15 + n // 300) // 100 + len(cuts) * n * n // 60_000 if exact else 8 * n + inside // additions


def surprise_of_leaving(n: int, ones: int, lower: Array, upper: Array) -> float:
    """Return ``-log P`` in nats of the probability that a path leaves; infinity if it cannot.

    ``lower`` and ``upper`` have ``n + 1`` entries; a cut that is not looked at allows ``0`` to ``n``.

    Examples
    --------
    >>> free = np.array([0, 0, 0, 0, 0]), np.array([4, 4, 1, 4, 4])  # not both ones among the first two
    >>> round(6 * float(np.exp(-surprise_of_leaving(4, 2, *free))), 12)
    1.0
    """
    compiled = _compiled()
    law = by_arrays if compiled is None else compiled.surprise_of_leaving
    with reporting_compilation():
        return float(law(n, ones, lower, upper, remainders(n)))


@cache
def _compiled() -> Any:
    """Return the module with the compiled recursion, None without numba."""
    from splitcrit.jit import INSTALLED
    from splitcrit.nulls import lattice_compiled

    return lattice_compiled if INSTALLED else None


def by_arrays(n: int, ones: int, lower: Array, upper: Array, t: Array) -> float:
    """Compute ``surprise_of_leaving`` without numba; ``t`` are the ``remainders`` of ``n``."""
    places: list[tuple[Array, Array, Array]] = []
    inside, first, steps = np.ones(1), 0, np.arange(n + 1.0)
    low, high = lower.tolist(), upper.tolist()
    for m in range(1, n):
        grown = np.zeros(len(inside) + 1)
        x = steps[first : first + len(grown)]
        grown[:-1] = inside * (m - x[:-1])
        grown[1:] += inside * x[1:]
        grown /= m
        start, stop = max(first, m - n + ones), min(first + len(inside), ones)
        left, right = max(start, low[m]), min(stop, high[m])
        for begin, end in ((start, min(left, stop + 1)), (max(right + 1, left), stop + 1)):
            if begin < end:
                places.append((np.full(end - begin, m), np.arange(begin, end), grown[begin - first : end - first]))
        if left > right:
            break
        inside, first = grown[left - first : right + 1 - first], left
    if not places:
        return float("inf")
    cuts, at, chances = (np.concatenate(part) for part in zip(*places, strict=True))
    with np.errstate(divide="ignore"):
        logs = log_chance(n, ones, cuts, at, t) + np.log(chances)
    return max(-float(np.logaddexp.reduce(logs)), 0.0)


def chance_of_leaving(n: int, ones: int, lower: Array, upper: Array) -> Fraction:
    """Return the probability that a path leaves, by counting paths in integers.

    Examples
    --------
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
