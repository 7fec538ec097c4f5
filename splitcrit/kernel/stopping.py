"""When a node stays a leaf.

Main definitions: ``Stopping``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
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
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_gain: float | None = 0.0

    def pays(self, score: Any, width: Any) -> Any:
        """Tell whether a score is worth a split, given the width of a tie."""
        return score > -np.inf if self.min_gain is None else score > np.maximum(self.min_gain, width)

    def open(self, size: Any, depth: int) -> Any:
        """Tell whether a node of this size and depth may be split at all."""
        least = max(self.min_samples_split, 2 * self.min_samples_leaf)
        return (size >= least) & (self.max_depth is None or depth < self.max_depth)
