"""Trees to be read: how a node finds its split, and how a tree grows, in plain numpy; nothing is compiled.

Main definitions: ``split_scores`` (``kernel``: every threshold of a column), ``reference_tree`` and
``reference_regression`` (``reference``: the recursion that grows a tree by it, until its ``LeafRules`` stop it), and
what they return, ``SplitScores`` and ``ReferenceNode``; ``best_depth_two`` (a ``DepthTwoTree``), the best of depth 2.
"""

from splitcrit.trees.depth_two import DepthTwoTree, best_depth_two
from splitcrit.trees.kernel import SplitScores, split_scores
from splitcrit.trees.reference import LeafRules, ReferenceNode, reference_regression, reference_tree

__all__ = [
    "DepthTwoTree", "LeafRules", "ReferenceNode", "SplitScores", "best_depth_two", "reference_regression",
    "reference_tree", "split_scores",
]  # fmt: skip
