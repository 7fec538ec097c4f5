"""P-values of several columns, corrected for their number, whatever their dependence.

Main definitions: ``bonferroni``, ``holm``.
Source: holm1979.
"""

from __future__ import annotations

from collections.abc import Sequence


def bonferroni(p: float, features: int) -> float:
    """Return ``min(1, d p)``.

    Examples
    --------
    >>> bonferroni(0.004, 10)
    0.04
    """
    return min(1.0, features * p)


def holm(pvalues: Sequence[float]) -> list[float]:
    """Return adjusted p-values of all features: ``max_{i <= k} min(1, (d - i + 1) p_(i))`` for the ``k``-th smallest.

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
