"""Trees to read: a small split kernel and tree builder in numpy, without a compiler.

Main definitions: ``split_scores`` (``kernel``: every threshold of a column, scored at once), ``reference_tree``
(``reference``: the recursion that grows a tree by it), and what they return, ``SplitScores`` and ``ReferenceNode``;
``best_depth_two`` (a ``DepthTwoTree``), the best tree of depth 2.
"""

from splitcrit.trees.depth_two import DepthTwoTree, best_depth_two
from splitcrit.trees.kernel import SplitScores, split_scores
from splitcrit.trees.reference import ReferenceNode, reference_tree

__all__ = ["DepthTwoTree", "ReferenceNode", "SplitScores", "best_depth_two", "reference_tree", "split_scores"]
