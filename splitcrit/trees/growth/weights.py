"""Sample weights of any size, brought to where the search neither overflows nor loses what it compares.

A criterion of a degree is searched with weights divided by a power of two, which changes no choice: every sum, score
and tie is the same number times a power of two. Weights that are counts times a power of two become these counts, so
that integers recognise a gain of exactly 0 whatever the unit.

Main definitions: ``Scale``, ``scale_of``; ``grid_of`` and ``unit_of`` (of what all weights are whole multiples).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import frexp
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.frozen import complaint
from splitcrit.trees.growth.growth_options import Stopping

COUNTS = 2.0**50  # of integers below it, and their sums, none is taken for another


@dataclass(frozen=True)
class Scale:
    """Weights were divided by ``2 ** exponent``, scores by ``2 ** (degree * exponent)``."""

    exponent: int = 0
    degree: int = 0

    def weights(self, plain: Array) -> Array:
        """Weights as the search takes them."""
        return np.ldexp(plain, -self.exponent) if self.exponent else plain

    def stopping(self, plain: Stopping) -> Stopping:
        """The rules in the units of the search."""
        if not self.exponent:
            return plain
        lightest = float(np.ldexp(plain.min_weight_leaf, -self.exponent))
        gain = None if plain.min_gain is None else float(np.ldexp(plain.min_gain, -self.degree * self.exponent))
        return replace(plain, min_weight_leaf=lightest, min_gain=gain)

    def restored(self, weights: Array, scores: Any) -> tuple[Array, Any]:
        """Class weights and scores of a tree in the units that were given.

        Raises
        ------
        ValueError
            If a score overflows.
        """
        if not self.exponent:
            return weights, scores
        with np.errstate(over="ignore", under="ignore"):
            whole = np.ldexp(scores, self.degree * self.exponent)
        if np.isinf(whole).any():
            rule = f"scores that grow with the power {self.degree} of the weights are finite"
            raise ValueError(complaint(rule, "an overflow", "divide the weights by a constant"))
        return np.ldexp(weights, self.exponent), whole


def scale_of(weights: Array | None, degree: int | None) -> Scale:
    """The scale by which a search divides weights (none or empty: all 1; 0 counts nothing).

    ``degree`` is that of the criterion. Where it has none, weights stay what they are.

    Examples
    --------
    >>> scale_of(np.array([0.5, 0.75]), 0).exponent, scale_of(np.array([0.5, 0.75]), None).exponent
    (-2, 0)
    """
    if weights is None or not len(weights) or degree is None:
        return Scale()
    whole = float(weights.sum())
    if 0 < whole < COUNTS and ((counts := weights.astype(np.int64)) == weights).all():
        together = int(np.bitwise_or.reduce(counts))  # one look at the bits of all
        lowest = (together & -together).bit_length() - 1
    else:
        lowest = int(np.min(_lowest_bits(weights[weights > 0]), initial=0))
    size = frexp(whole)[1]
    exponent = lowest if size - lowest <= np.log2(COUNTS) else size
    return Scale(exponent, degree)


def grid_of(total: float) -> float:
    """The unit of weights of this total whose sums are exact.

    Examples
    --------
    >>> grid_of(2.0**51), grid_of(0.5)
    (1.0, 2.220446049250313e-16)
    """
    return float(2.0 ** max(np.floor(np.log2(total)) - 51, -1074))


def unit_of(weights: Array) -> float:
    """1 if weights are integers, and else the unit of their grid."""
    return 1.0 if bool((np.floor(weights) == weights).all()) else grid_of(float(weights.sum()))


def units_of(weights: Array, unit: float) -> Array:
    """Positive weights in integers, to the nearest unit.

    Examples
    --------
    >>> units_of(np.array([0.5, 0.75, 1e-300]), 0.25).tolist()
    [2, 3, 1]
    """
    return np.asarray(np.maximum(np.rint(weights / unit), 1).astype(np.int64))


def _lowest_bits(weights: Array) -> Array:
    """The exponent of the largest power of two that divides each weight."""
    mantissa, exponent = np.frexp(weights)
    bits = np.ldexp(mantissa, 53).astype(np.int64)
    return np.asarray(exponent - 53 + np.frexp((bits & -bits).astype(float))[1] - 1)
