"""Growing a tree: in one compiled loop or, where rows lie in partitions, level by level.

The page *Reading the tree code* of the documentation says where the loop decides what. Nothing here is public: the
loops take what the estimators, and ``splitcrit.trees``, have checked.

Main definitions: ``grow``, the one way in; ``Training`` (what it takes), ``GrowthOptions`` (how a tree grows),
``Stopping`` (when a node stays a leaf); ``GrownTree`` (the tree).
"""

from __future__ import annotations

from splitcrit.trees.growth.grown_tree import GrownTree
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.one_loop import grow
from splitcrit.trees.growth.training import Ranks, Sparse, Training
