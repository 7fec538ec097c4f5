"""Which of many tables of two rows have a p-value up to a level: what ``gini_pvalue`` says of each, sooner.

Main definitions: ``significant``; ``fewest`` (samples of which a table can be).
Main results: a p-value is enclosed, and computed by ``gini_pvalue`` only where the level lies between both ends. The
law of two rows is a sum over the fillings of one of them, made in compiled code, with the gain in integers.
``gini_pvalue`` takes this law up to some number of fillings, and Pearson's beyond.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls.batches import margins_of, pearson3_law_of, pearson3_tails, special
from splitcrit.nulls.exact import MOST_CLASSES, WORD
from splitcrit.nulls.pvalue import QUICK, gini_pvalue
from splitcrit.nulls.standardisation import counted

Ends = tuple[Array, Array]
ERROR = 1e-9  # relative, of a sum of chances and of a standardised gain, with much to spare
SMALLEST = 1e-290
FEW = 2**17  # observations
EXACT = 14  # samples, up to which the law is exact whatever their classes
CLASSES, BLOCK = 64, 256  # third moments of tables together take K^2 numbers a table, and K^3 steps
ANY = 2**62


def significant(tables: Any, level: float) -> Array:
    """Tell which tables ``(m, 2, K)`` of counts have a ``gini_pvalue`` of at most ``level``.

    Examples
    --------
    >>> significant([[[3, 0], [1, 6]], [[2, 1], [2, 5]]], 0.05)  # p-values 1/30 and 1/2
    array([ True, False])
    """
    counts = counted(tables)
    if level >= 1:
        return np.ones(len(counts), dtype=bool)
    low, high = np.zeros(len(counts)), np.ones(len(counts))
    few = np.flatnonzero((counts.sum(axis=(1, 2)) < FEW) & ((counts.sum(axis=1) > 0).sum(axis=1) > 1))
    for start in range(0, len(few) if level >= SMALLEST and counts.shape[2] <= CLASSES else 0, BLOCK):
        here = few[start : start + BLOCK]
        low[here], high[here] = _ends(counts[here].astype(np.int64), level)
    found = np.asarray(high <= level)
    for i in np.flatnonzero((low <= level) & ~found):
        found[i] = gini_pvalue(counts[i]).value <= level
    return found


def fewest(level: float) -> int:
    """Return a number such that no table of fewer samples in two rows has a ``gini_pvalue`` of at most ``level``.

    Of ``n`` samples at most ``comb(n, n // 2)`` arrangements are equally likely, and the table is one of them. At most
    14 is returned.

    Examples
    --------
    >>> [fewest(level) for level in (1, 0.05, 0.01, 0)]
    [2, 6, 9, 14]
    """
    return next((n for n in range(2, EXACT) if comb(n, n // 2) * level >= 1 - ERROR), EXACT)


def _ends(counts: Array, level: float) -> Ends:
    """Return numbers between which each p-value lies, of tables of two classes or more."""
    from splitcrit.compiling import compiles

    low, high = np.ones(len(counts)), np.zeros(len(counts))
    if not compiles():
        return high, low
    tail, fillings, limits = _exact(counts, float(level) * (1 + 3 * ERROR))
    known = fillings <= limits
    low[known], high[known] = tail[known] * (1 - ERROR), tail[known] * (1 + ERROR)
    if not known.all():
        low[~known], high[~known] = _pearson3(counts[~known])
    return low, high


def _exact(counts: Array, enough: float) -> tuple[Array, Array, Array]:
    """Return exact tails, or a part of them above ``enough``; how many fillings there are; and how many may be."""
    from splitcrit.growth.pvalue_screen_compiled import two_row_tails

    columns, found = counts.sum(axis=1), np.empty((2, len(counts)))
    size, longest, classes = columns.sum(axis=1), counts.sum(axis=2).max(axis=1), (columns > 0).sum(axis=1)
    limits = np.where((longest <= QUICK) & (classes <= MOST_CLASSES), QUICK // (1 + size // WORD), 0)
    limits = np.where(classes == 2, ANY, limits)
    rare_first = np.take_along_axis(counts, np.argsort(columns, axis=1)[:, None], axis=2)
    two_row_tails(rare_first, _logs(int(size.max()).bit_length()), limits, enough, found)
    return *found, limits


def _pearson3(counts: Array) -> Ends:
    """Return numbers between which the Pearson III p-values lie."""
    t = np.moveaxis(counts, 0, -1).astype(float)
    z, skew, variance = pearson3_law_of(t, *margins_of(t), "permutation")
    apart = ERROR * (1 + np.abs(z))
    low, high = (np.where(variance > 0, pearson3_tails(end, skew, special(z)), 1.0) for end in (z + apart, z - apart))
    return low, high


@lru_cache(maxsize=4)
def _logs(bits: int) -> Array:
    """Return logarithms of the factorials of numbers below ``2**bits``."""
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(1.0, 2**bits + 1)))
