"""Growing a tree: level by level, or in one compiled loop.

Nothing here is public: the loops take what the estimators, and ``splitcrit.trees``, have checked.

Main definitions: ``grow``, ``grow_regression``, ``grow_drawn``; ``GrowthOptions`` (how a tree grows), ``Stopping``
(when a node stays a leaf); ``GrownTree`` (the tree).
"""

from __future__ import annotations

from splitcrit.trees.growth.grown_tree import GrownTree
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.one_loop import grow, grow_drawn
from splitcrit.trees.growth.response_source import grow_regression
