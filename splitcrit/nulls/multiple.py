"""P-values of several columns, corrected for their number.

Main definitions: ``bonferroni``, ``holm``, ``benjamini_yekutieli`` (whatever their dependence); ``benjamini_hochberg``.
Each is a loop, which theorems are about, called once all are known to be p-values: the loop would take nan for the
largest or for the smallest of all, as it happens to be sorted.
Source: holm1979, benjamini2001.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from splitcrit.arguments import real, reals, whole

RULE, REMEDY = "p-values are numbers in [0, 1]", "pass p-values, 1 for a hypothesis that could not be tested"


def _is_pvalue(p: Any) -> bool:
    return bool(0 <= p <= 1)


def _pvalues(values: Any) -> tuple[Any, ...]:
    """Return p-values, floats or Fractions, in a tuple, or raise one sentence."""
    if isinstance(values, np.ndarray) and not values.size:
        return ()
    if isinstance(values, list | tuple) and all(type(p) is float and 0 <= p <= 1 for p in values):
        return tuple(values)  # those of thousands of splits, without a look at each for what else it may be
    return reals(values, RULE, REMEDY, _is_pvalue)


def _corrects_all(loop: Callable[[Sequence[float]], list[float]]) -> Callable[[Sequence[float]], list[float]]:
    """Let a correction of a list of p-values refuse what is none."""

    @wraps(loop)
    def checked(pvalues: Sequence[float]) -> list[float]:
        return loop(_pvalues(pvalues))

    return checked


def _corrects_one(loop: Callable[[float, int], float]) -> Callable[[float, int], float]:
    """Let the correction of one p-value refuse what is none."""

    @wraps(loop)
    def checked(p: float, features: int) -> float:
        return loop(real(p, RULE, REMEDY, _is_pvalue), whole(features, "the number of features", 1, 2**53))

    return checked


@_corrects_one
def bonferroni(p: float, features: int) -> float:
    """``min(1, d p)`` for the p-value of one of ``d`` features.

    Of features with one of at most ``alpha``, the rule names any true null hypothesis in at most a share ``alpha`` of
    data sets, whatever the dependence: it may name a feature.

    Parameters
    ----------
    p : float
        A float or a Fraction in [0, 1].
    features : int
        All that were tested, or might have been.

    Raises
    ------
    TypeError, ValueError
        If it is no p-value, or the number of features is no integer from 1.

    References
    ----------
    holm1979, Section 1.

    Examples
    --------
    >>> bonferroni(0.004, 10)
    0.04
    """
    return min(1.0, features * p)


@_corrects_all
def holm(pvalues: Sequence[float]) -> list[float]:
    """Adjusted p-values of all features: ``max_{i <= k} min(1, (d - i + 1) p_(i))`` for the ``k``-th smallest.

    It may name features as ``bonferroni`` does, and names at least as many.

    Parameters
    ----------
    pvalues : sequence of floats
        Floats or Fractions in [0, 1], one for each feature that was tested.

    Returns
    -------
    list of floats
        In the same order.

    Raises
    ------
    TypeError, ValueError
        If one of them is no number in [0, 1]; nan is none.

    References
    ----------
    holm1979, Section 2.

    Examples
    --------
    >>> holm([0.02, 0.01, 0.5])
    [0.04, 0.03, 0.5]
    """
    adjusted, largest = [0.0] * len(pvalues), 0.0
    for rank, j in enumerate(sorted(range(len(pvalues)), key=pvalues.__getitem__)):
        largest = max(largest, bonferroni(pvalues[j], len(pvalues) - rank))
        adjusted[j] = largest
    return adjusted


@_corrects_all
def benjamini_hochberg(pvalues: Sequence[float]) -> list[float]:
    """Adjusted p-values of all features: ``min_{j >= i} min(1, d p_(j) / j)`` for the ``i``-th smallest.

    Those up to ``alpha`` are a set, of which at most a share ``alpha`` is false on average over data sets if features
    are independent; no feature is named alone.

    Parameters
    ----------
    pvalues : sequence of floats
        Floats or Fractions in [0, 1], one for each feature that was tested.

    Returns
    -------
    list of floats
        In the same order.

    Raises
    ------
    TypeError, ValueError
        If one of them is no number in [0, 1]; nan is none.

    References
    ----------
    Y. Benjamini and Y. Hochberg, J. R. Stat. Soc. B 57 (1995) 289-300.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 1.0, 0.04])
    [0.03, 1.0, 0.06]
    """
    adjusted, least = [0.0] * len(pvalues), 1.0
    for above, j in enumerate(sorted(range(len(pvalues)), key=pvalues.__getitem__, reverse=True)):
        least = min(least, len(pvalues) * pvalues[j] / (len(pvalues) - above))
        adjusted[j] = least
    return adjusted


@_corrects_all
def benjamini_yekutieli(pvalues: Sequence[float]) -> list[float]:
    """p-values adjusted whatever the dependence: ``1 + 1/2 + ... + 1/d`` times Benjamini and Hochberg's.

    The list is fixed before the labels are seen: p-values of 1 count as well.

    Parameters
    ----------
    pvalues : sequence of floats
        Floats or Fractions in [0, 1], one for each feature that was tested.

    Returns
    -------
    list of floats
        In the same order.

    Raises
    ------
    TypeError, ValueError
        If one of them is no number in [0, 1]; nan is none.

    References
    ----------
    benjamini2001, Theorem 1.3.

    Examples
    --------
    >>> [round(p, 3) for p in benjamini_yekutieli([0.01, 1.0, 0.04])]
    [0.055, 1.0, 0.11]
    """
    factor = sum(1 / k for k in range(1, len(pvalues) + 1))
    return [min(1.0, factor * p) for p in benjamini_hochberg(pvalues)]
