"""The best split of a node: sorted columns, class counts, scores and ties.

Nothing here is public: the loops take what the estimators, and ``splitcrit.trees``, have checked.

Main definitions: ``Limits``, ``LevelSplits``, ``midpoint``.
"""

from __future__ import annotations

from splitcrit.trees.scan.open_nodes import LevelSplits, Limits
from splitcrit.trees.scan.sorted_columns import midpoint
