"""How a tree grows, whatever its candidates are.

Main definitions: ``GrowthOptions``, ``LookAhead``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from splitcrit.display import shortened
from splitcrit.growth.category_ranks import Recoding
from splitcrit.growth.stopping import Stopping
from splitcrit.search.random_keys import root_key


@dataclass(frozen=True, repr=False)
class LookAhead:
    """How many splits of a node are looked at, and what share of its samples tells two splits of one feature apart.

    Examples
    --------
    >>> LookAhead(count=3).min_difference
    0.05
    """

    count: int
    min_difference: float = 0.05

    __repr__ = shortened


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
    max_leaf_nodes : int, optional
        The largest number of leaves: the splits best by score times weight are kept.
    splitter : {"best", "random"}
        The best threshold of each feature, or one at random.
    seed : int
        What the draws depend on, with the path from the root.
    recoding : Recoding, optional
        The categorical columns; splits by them are splits of its subsets' columns.
    by_level : bool
        Grow level by level even where one compiled loop would grow the whole tree, which is the same.
    look_ahead : LookAhead, optional
        How many of a node's best splits are judged by the splits of their children, too.
    jobs : int
        Threads that grow the tree where that takes less time, and the same tree.
    key : int, optional
        What the draws depend on instead of the seed, where the root is a node of another tree.
    """

    stopping: Stopping = field(default_factory=Stopping)
    max_features: int | None = None
    max_leaf_nodes: int | None = None
    splitter: str = "best"
    seed: int = 0
    recoding: Recoding | None = None
    by_level: bool = False
    look_ahead: LookAhead | None = None
    jobs: int = 1
    key: int | None = None
    draw: str = "all"

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
    def random(self) -> bool:
        """Whether each feature has one random threshold."""
        return self.splitter == "random"

    @property
    def looks_ahead(self) -> bool:
        """Whether splits are judged by those of the children."""
        return self.look_ahead is not None and self.look_ahead.count > 1


Growing = GrowthOptions  # in pickles of 0.3, until 0.5
