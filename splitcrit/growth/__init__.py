"""Growing a tree: level by level, or in one compiled loop.

Nothing here is public: the loops take what the estimators, and ``splitcrit.trees``, have checked.

Main definitions: ``grow``, ``grow_regression``, ``grow_drawn``, ``purely_random``; ``GrowthOptions`` (how a
tree grows), ``Stopping`` (when a node stays a leaf), ``LookAhead`` (how a split is chosen by those of the children);
``GrownTree`` (the tree).
"""

from __future__ import annotations

from typing import Any

from splitcrit.frozen import renamed
from splitcrit.growth.grown_tree import GrownTree
from splitcrit.growth.growth_options import GrowthOptions, LookAhead, Stopping
from splitcrit.growth.one_loop import grow_drawn
from splitcrit.growth.presorted import grow
from splitcrit.growth.random_partitions import purely_random
from splitcrit.growth.response_source import grow_regression

__all__ = [
    "GrownTree", "GrowthOptions", "LookAhead", "Stopping", "grow", "grow_drawn", "grow_regression",
    "purely_random",
]  # fmt: skip


_OLD = {"Growing": GrowthOptions, "Grown": GrownTree}


def __getattr__(name: str) -> Any:
    """Offer what has another name now under its old one, until version 0.5."""
    if name in _OLD:
        return renamed(f"splitcrit.growth.{name}", _OLD[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
