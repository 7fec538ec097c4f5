"""P-values of several columns, corrected for their number.

Main definitions: ``bonferroni``, ``holm``, ``benjamini_yekutieli`` (whatever their dependence); ``benjamini_hochberg``.
Source: holm1979, benjamini2001.
"""

from __future__ import annotations

from collections.abc import Sequence


def bonferroni(p: float, features: int) -> float:
    """Return ``min(1, d p)``.

    Of features with one of at most ``alpha``, the rule names any true null hypothesis in at most a share ``alpha`` of
    data sets, whatever the dependence: it may name a feature.

    Examples
    --------
    >>> bonferroni(0.004, 10)
    0.04
    """
    return min(1.0, features * p)


def holm(pvalues: Sequence[float]) -> list[float]:
    """Return adjusted p-values of all features: ``max_{i <= k} min(1, (d - i + 1) p_(i))`` for the ``k``-th smallest.

    It may name features as ``bonferroni`` does, and names at least as many.

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


def benjamini_hochberg(pvalues: Sequence[float]) -> list[float]:
    """Return adjusted p-values of all features: ``min_{j >= i} min(1, d p_(j) / j)`` for the ``i``-th smallest.

    Those up to ``alpha`` are a set, of which at most a share ``alpha`` is false on average over data sets if features
    are independent; no feature is named alone.

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


def benjamini_yekutieli(pvalues: Sequence[float]) -> list[float]:
    """Return p-values adjusted whatever the dependence: ``1 + 1/2 + ... + 1/d`` times Benjamini and Hochberg's.

    The list is fixed before the labels are seen: p-values of 1 count as well.

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
