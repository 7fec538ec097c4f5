"""How a tree grows, whatever its candidates are, when a node stays a leaf, and what a criterion cannot be asked.

Main definitions: ``GrowthOptions``, ``Stopping``; ``refuse_fractions``, ``refuse_untested``.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.nulls.calibration import Calibrated
from splitcrit.nulls.table_pvalues import refuse_class_weights
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.zero_gain import zero_gain
from splitcrit.trees.scan.open_nodes import Limits
from splitcrit.trees.scan.random_keys import root_key

Splitter = Literal["best", "random"]
Drawing = Literal["all", "varying"]  # which columns a node draws from
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
        the score. Where features are compared by the p-value of their best threshold, the score is ``-log p``.

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

    __repr__ = shortened

    def pays(self, score: Any, width: Any) -> Any:
        """Whether a score is worth a split, given the width of a tie."""
        return score > -np.inf if self.min_gain is None else score > np.maximum(self.min_gain, width)

    def splits(self, criterion: Criterion, score: Array, width: Array, left: Array, right: Array) -> Array:
        """Tell which nodes ``(m,)`` are split, given their best scores and class weights ``(m, K)`` of both sides.

        A gain of 0 is recognised in integers where the criterion allows that and weights are counts.
        """
        pays = np.asarray(self.pays(score, width))
        if self.min_gain == 0 and (zero := zero_gain(left, right, criterion)) is not None:
            whole = (left == np.floor(left)).all(axis=1) & (right == np.floor(right)).all(axis=1)
            pays = np.where(whole, (score > -np.inf) & ~zero, pays)
        return pays

    @property
    def limits(self) -> Limits:
        """What a split must leave on each side."""
        return Limits(self.min_samples_leaf, self.min_weight_leaf)

    @property
    def binds(self) -> bool:
        """Whether a side needs more than one sample."""
        return self.min_samples_leaf > 1 or self.min_weight_leaf > 0

    def in_integers(self, criterion: Criterion) -> bool:
        """Whether an integer test may part ``splits`` from ``pays``; conservative gains are 0 or far from it."""
        lam = criterion.search.zone if self.min_gain == 0 else None
        return lam is not None and lam < 1

    def open(self, size: Any, depth: int) -> Any:
        """Whether a node of this size and depth may be split at all."""
        least = max(self.min_samples_split, 2 * self.min_samples_leaf)
        return (size >= least) & (self.max_depth is None or depth < self.max_depth)


@dataclass(frozen=True, eq=False, repr=False)
class GrowthOptions:
    """How a tree grows.

    Parameters
    ----------
    stopping : Stopping
        When a node stays a leaf.
    max_features : int, optional
        How many features are drawn at each node; all of them by default.
    draw : {"all", "varying"}
        Whether features are drawn among all, and on until one varies in the node, or among those that vary there.
    splitter : {"best", "random"}
        The best threshold of each feature, or one at random.
    seed : int
        What the draws depend on, with the path from the root.
    recoding : Recoding, optional
        The categorical columns; splits by them are splits of its subsets' columns.
    key : int, optional
        What the draws depend on instead of the seed, where the root is a node of another tree.
    """

    stopping: Stopping = field(default_factory=Stopping)
    max_features: int | None = None
    splitter: Splitter = "best"
    seed: int = 0
    recoding: Recoding | None = None
    key: int | None = None
    draw: Drawing = "all"

    @property
    def least_varying(self) -> int:
        """How many of the features that are drawn at a node vary there, unless fewer do."""
        return self.max_features or 1 if self.draw == "varying" else 1

    __repr__ = shortened

    @property
    def root_key(self) -> NDArray[np.uint64]:
        """The key of the draws of the root."""
        return root_key(self.seed) if self.key is None else np.asarray(self.key, np.uint64)

    @property
    def levels(self) -> Any:
        """The number of categories of each column, 0 of numbers, or 0 of all."""
        return 0 if self.recoding is None else self.recoding.levels

    @property
    def random(self) -> bool:
        """Whether each feature has one random threshold."""
        return self.splitter == "random"


def refuse_fractions(
    criterion: Criterion, weights: Array | None, labels: Array | None = None, rows: Array | None = None
) -> None:
    """Raise ValueError if weights that are not counts meet a rule that permutes samples.

    Given ``labels``, so do weights of classes if p-values compare splits; see ``refuse_class_weights``.

    Examples
    --------
    >>> from splitcrit import sgini
    >>> refuse_fractions(sgini, np.array([1.0, 0.5]))
    Traceback (most recent call last):
    ...
    ValueError: sgini permutes samples and needs weights that are counts; got 0.5; pass integers, or another criterion
    """
    if weights is None or not criterion.counting:
        return
    bad = weights[weights != np.floor(weights)]
    rule = f"{criterion!r} permutes samples and needs weights that are counts"
    if len(bad):
        raise ValueError(complaint(rule, f"{bad[0]:g}", "pass integers, or another criterion"))
    if (whole := float(weights.sum())) >= MOST:
        raise ValueError(complaint(f"{rule} below 2^53 in all", f"{whole:g}", "divide them, or pass another criterion"))
    counts = criterion.search.tested is not None and criterion.search.tested.weights == "counts"
    if labels is not None and counts:
        for line in refuse_class_weights(weights, labels, rows):
            warnings.warn(line, UserWarning, stacklevel=2)


def refuse_untested(selection: Calibrated | None, unserved: dict[str, bool]) -> None:
    """Raise ValueError if features are compared by their laws, and there is what has none: ``unserved`` names it."""
    got = next((name for name, there in unserved.items() if there), None)
    if selection is not None and got is not None:
        rule, remedy = "calibrated compares all splits of dense features in memory", "pass another criterion"
        raise ValueError(complaint(rule, got, remedy))
