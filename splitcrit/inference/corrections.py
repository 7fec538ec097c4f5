"""One p-value for the best of several features: corrections for having looked at all of them.

Main definitions: ``bonferroni``, ``discrete_bonferroni``, ``holm``, ``westfall_young``; ``rank_pvalues``.
Main results: with ``p`` the smallest of ``d`` p-values and ``F_j(t)`` the largest p-value of feature ``j`` that can
occur and is at most ``t`` (0 if there is none), ::

    Bonferroni           d p
    discrete Bonferroni  sum_j F_j(p)            (F_j(p) <= p, so never more than d p)
    Westfall and Young   (1 + #{b : q_b <= q})/(1 + B)

with ``q_b`` the smallest p-value of any feature under the joint permutation ``b`` and ``q`` that of the observed order.
Bonferroni and Holm bound the probability of naming a feature that the labels do not depend on, whatever the others. The
other two test that the labels depend on no feature at all: ``F_j`` is made of how often the values of feature ``j``
occur, and where that depends on the labels (a feature that is the exclusive or of the labels and another), discrete
Bonferroni may name falsely with a probability above its level.
Source: westfall1993; tarone1990 (features that cannot reach the level do not count); holm1979.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.sequential import permutation_pvalue
from splitcrit.nulls.multiple import bonferroni as bonferroni
from splitcrit.nulls.multiple import holm as holm

Array = NDArray[Any]
Attained = Callable[[float], float]


def discrete_bonferroni(attained: Iterable[Attained], p: float) -> float:
    """Return ``min(1, sum_j F_j(p))`` for the functions ``F_j``.

    Examples
    --------
    >>> discrete_bonferroni([lambda t: t, lambda t: 0.0], 0.04)  # the second has no p-value as small as 0.04
    0.04
    """
    return min(1.0, sum(function(p) for function in attained))


def westfall_young(minima: Sequence[float], smallest: float) -> float:
    """Return ``(1 + #{q_b <= q})/(1 + B)`` for the smallest p-values ``q_b`` of ``B`` joint permutations.

    Examples
    --------
    >>> westfall_young([0.5, 0.25, 0.75], 0.25)
    0.5
    """
    return float(permutation_pvalue(sum(q <= smallest for q in minima), len(minima)))


def rank_pvalues(scores: Array) -> Array:
    """Return for each of ``B + 1`` orders the share of them, itself included, whose score is at least its own.

    Examples
    --------
    >>> rank_pvalues(np.array([3, 1, 2, 3])).tolist()
    [0.5, 1.0, 0.75, 0.5]
    """
    below = np.searchsorted(np.sort(scores), scores, side="left")
    return np.asarray((len(scores) - below) / len(scores))
