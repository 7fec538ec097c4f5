"""Whether the gain of a split is exactly 0, decided in integers, for the impurities that stop a tree early.

With ``n`` samples, ``M`` the largest class count and ``S`` the sum of squares of a side's counts,

- a conservative impurity (a multiple of misclassification; ``ne(lam)`` and ``gce(lam)`` from ``lam = 1`` on) gains
  nothing exactly if the largest count of the node is the sum of those of its sides: they share a majority class;
- ``ne(lam)`` with ``0 < lam < 1`` gains nothing exactly if the sides have equal class distributions, or share a
  majority class and both have ``K (n - M)^2 <= lam^2 (K - 1)(n^2 - S)``.

``lam`` is the rational number that it is, a float at its exact value. The last inequality is decided in float64 where
that leaves no doubt, and in Python integers elsewhere.

Main definitions: ``zero_gain``.
Proved: stopping.conservative_gain_is_zero_of_shared_majority, stopping.ne_gain_is_zero_of_shared_majority_in_zone.
Source: wilton2024, Theorems 5 (a) and 8; for NE the paper gives no rule.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion

SAFE_PRODUCT = 2**31  # up to this total, products of two counts fit an int64
DOUBT = 1e-12


def zero_gain(left: Array, right: Array, criterion: Criterion) -> Array | None:
    """Tell which splits gain exactly nothing; None for a criterion that has no such test.

    Parameters
    ----------
    left, right : array (m, K)
        Class counts of the sides, integers of any size in any dtype.
    criterion : Criterion

    Returns
    -------
    bool array (m,), or None

    Examples
    --------
    >>> from splitcrit import decrease, misclassification
    >>> zero_gain(np.array([[3, 1], [3, 1]]), np.array([[2, 2], [1, 2]]), decrease(misclassification))
    array([ True, False])
    """
    if criterion.search.zone is None or criterion.impurity is None:
        return None
    lam = EXACT.number(criterion.search.zone)
    wide = np.asarray(left.sum(axis=1) + right.sum(axis=1)).max(initial=0) >= SAFE_PRODUCT
    left, right = (np.asarray(np.frompyfunc(int, 1, 1)(x)) if wide else x.astype(np.int64) for x in (left, right))
    shared = (left + right).max(axis=1) == left.max(axis=1) + right.max(axis=1)
    if lam >= 1:
        return np.asarray(shared, dtype=bool)
    even = (left * right.sum(axis=1)[:, None] == right * left.sum(axis=1)[:, None]).all(axis=1)
    return np.asarray(even | (shared & _in_zone(left, lam) & _in_zone(right, lam)), dtype=bool)


def _in_zone(counts: Array, lam: Fraction) -> Array:
    """Tell where the NE impurity of integer counts ``(m, K)`` is misclassification."""
    classes, n = counts.shape[1], counts.sum(axis=1)
    errors, spread = n - counts.max(axis=1), n * n - (counts * counts).sum(axis=1)
    bound = lam * lam * (classes - 1)
    if counts.dtype == object:
        return np.array([classes * e * e <= bound * s for e, s in zip(errors, spread, strict=True)], dtype=bool)
    below = classes**0.5 * errors.astype(float)
    above = float(lam) * (classes - 1) ** 0.5 * np.sqrt(spread.astype(float))
    zero = np.asarray(below <= above)
    for i in np.flatnonzero((np.abs(below - above) <= DOUBT * (below + above)) & (errors > 0)):
        zero[i] = classes * int(errors[i]) ** 2 <= bound * int(spread[i])
    return zero
