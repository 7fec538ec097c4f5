"""Growing a tree: level by level, or in one compiled loop, and the plain recursion that both are compared with.

Main definitions: ``build`` (the reference), ``grow``, ``grow_regression``, ``grow_drawn``, ``purely_random``;
``Growing`` (how a tree grows), ``Stopping`` (when a node stays a leaf), ``LookAhead`` (how a split is chosen by those
of the children); ``Grown`` (the tree).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from splitcrit.growth.arrays import Grown
from splitcrit.growth.one_loop import grow_drawn
from splitcrit.growth.options import Growing, LookAhead
from splitcrit.growth.presorted import grow
from splitcrit.growth.purely_random import purely_random
from splitcrit.growth.regression import grow_regression
from splitcrit.growth.stopping import Stopping

__all__ = [
    "Growing", "Grown", "LookAhead", "Stopping", "build", "grow", "grow_drawn", "grow_regression", "purely_random",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Offer the reference builder under its old name, until version 0.5."""
    if name == "build":
        return import_module("splitcrit.trees.reference").reference_tree
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
