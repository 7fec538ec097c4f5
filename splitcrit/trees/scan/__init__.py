"""The best split of a node, or of every open node of a level: sorted columns, class counts, scores and ties.

Nothing here is public: the loops take what the estimators, and ``splitcrit.trees``, have checked.

Main definitions: ``Columns`` (a training set sorted by column), ``OpenLevel``, ``Limits``, ``best_splits`` and its
``LevelSplits``.
"""

from __future__ import annotations

from splitcrit.trees.scan.level_search import best_splits
from splitcrit.trees.scan.open_nodes import LevelSplits, Limits, OpenLevel
from splitcrit.trees.scan.sorted_columns import Columns, midpoint

__all__ = ["Columns", "LevelSplits", "Limits", "OpenLevel", "best_splits", "midpoint"]
