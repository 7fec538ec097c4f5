"""When a node stays a leaf.

Main definitions: ``Stopping``, ``refuse_fractions``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.growth.pvalue_screen import significant
from splitcrit.growth.zero_gain import zero_gain

MOST = 2.0**53  # from here on a float64 no longer tells integers apart


@dataclass(frozen=True, repr=False)
class Stopping:
    """When a node stays a leaf.

    Parameters
    ----------
    max_depth : int, optional
        The depth of the deepest leaf; the root has depth 0.
    min_samples_split, min_samples_leaf : int
        The fewest samples of a node that is split, and of a child.
    min_weight_leaf : float
        The least weight of a child.
    min_gain : float, optional
        A split needs a score above it, in the unit of the criterion, and above a tie with 0. None splits whatever
        the score.
    max_pvalue : float, optional
        A split needs a table whose ``gini_pvalue`` is at most this; weights must be counts then. Where features are
        compared by the p-value of their best threshold (see ``selection``), that p-value is meant; the score is
        ``-log p`` there, so that ``min_gain`` is the same rule in nats.
    per_class : tuple, optional
        What a sample of each class weighs; a ``gini_pvalue`` is that of samples, whatever they weigh. By default 1.

    Examples
    --------
    >>> Stopping(max_depth=3, min_gain=0.0).min_samples_leaf
    1
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_gain: float | None = 0.0
    max_pvalue: float | None = None
    per_class: tuple[float, ...] | None = None

    __repr__ = shortened

    def pays(self, score: Any, width: Any) -> Any:
        """Tell whether a score is worth a split, given the width of a tie."""
        return score > -np.inf if self.min_gain is None else score > np.maximum(self.min_gain, width)

    def splits(self, criterion: Criterion, score: Array, width: Array, left: Array, right: Array) -> Array:
        """Tell which nodes ``(m,)`` are split, given their best scores and class weights ``(m, K)`` of both sides."""
        found = self.gains(criterion, score, width, left, right)
        return found & self.significant(left, right, found)

    def gains(self, criterion: Criterion, score: Array, width: Array, left: Array, right: Array) -> Array:
        """Tell which nodes gain enough by their best splits, whatever the p-values.

        A gain of 0 is recognised in integers where the criterion allows that and weights are counts.
        """
        found = np.asarray(self.pays(score, width))
        if self.min_gain == 0 and (zero := zero_gain(left, right, criterion)) is not None:
            whole = (left == np.floor(left)).all(axis=1) & (right == np.floor(right)).all(axis=1)
            found = np.where(whole, (score > -np.inf) & ~zero, found)
        return found

    def significant(self, left: Array, right: Array, asked: Array) -> Array:
        """Tell which of the splits asked for have a p-value of at most ``max_pvalue``."""
        if self.max_pvalue is None or not asked.any():
            return asked
        found = np.zeros(len(asked), dtype=bool)
        tables = np.stack([left[asked], right[asked]], axis=1)
        samples = tables if self.per_class is None else np.rint(tables / np.array(self.per_class))
        found[asked] = significant(samples, self.max_pvalue)
        return found

    def in_integers(self, criterion: Criterion) -> bool:
        """Tell whether an integer test may part ``splits`` from ``pays``; conservative gains are 0 or far from it."""
        lam = criterion.search.zone if self.min_gain == 0 else None
        return lam is not None and lam < 1

    def open(self, size: Any, depth: int) -> Any:
        """Tell whether a node of this size and depth may be split at all."""
        least = max(self.min_samples_split, 2 * self.min_samples_leaf)
        return (size >= least) & (self.max_depth is None or depth < self.max_depth)


def refuse_fractions(criterion: Criterion, max_pvalue: float | None, weights: Array | None) -> None:
    """Raise ValueError if weights that are not counts meet a rule that permutes samples.

    Examples
    --------
    >>> from splitcrit import sgini
    >>> refuse_fractions(sgini, None, np.array([1.0, 0.5]))
    Traceback (most recent call last):
    ...
    ValueError: sgini permutes samples and needs weights that are counts; got 0.5; pass integers, or another criterion
    """
    if weights is None or not (criterion.counting or max_pvalue is not None):
        return
    bad = weights[weights != np.floor(weights)]
    which, other = (repr(criterion), "another criterion") if criterion.counting else ("max_pvalue", "None for it")
    rule = f"{which} permutes samples and needs weights that are counts"
    if len(bad):
        raise ValueError(complaint(rule, f"{bad[0]:g}", f"pass integers, or {other}"))
    if (whole := float(weights.sum())) >= MOST:
        raise ValueError(complaint(f"{rule} below 2^53 in all", f"{whole:g}", f"divide them, or pass {other}"))
