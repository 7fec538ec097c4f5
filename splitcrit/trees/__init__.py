"""Trees: a kernel and a builder to read, fast growth by any criterion, estimators with scikit-learn's interface.

Main definitions: ``split_scores`` (``kernel``: every threshold of a column, scored at once), ``reference_tree`` and
``reference_regression`` (``reference``: the recursion that grows a tree by it, until its ``LeafRules`` stop it), and
what they return, ``SplitScores`` and ``ReferenceNode``; ``best_depth_two`` (a ``DepthTwoTree``), the best of depth 2;
``TreeClassifier``, ``TreeRegressor``, ``ForestClassifier``, ``ForestRegressor``; ``AdaptiveTreeClassifier`` and
``AdaptiveForestClassifier``, which tune their criterion, with the ``ValidationCurve`` of what they tried;
``CategorySplit``, a node's subset of categories; ``plot_tree``, ``export_graphviz`` and ``export_text``, those of
scikit-learn with our names and scores; ``sklearn_criterion``, for scikit-learn's own trees; ``accuracy``,
``pure_accuracy`` and ``nodes_per_layer``, measures of a fitted tree. ``multiway`` holds trees whose nodes have many
branches, and discretisation; ``distributed`` holds trees and forests on Dask.
"""

from typing import TYPE_CHECKING

from splitcrit.lazy import on_first_use

if TYPE_CHECKING:
    from splitcrit.trees.depth_two import DepthTwoTree, best_depth_two
    from splitcrit.trees.distributed.dask_estimators import DaskForestClassifier, DaskTreeClassifier, DaskTreeRegressor
    from splitcrit.trees.estimators.adaptive import AdaptiveForestClassifier, AdaptiveTreeClassifier
    from splitcrit.trees.estimators.categorical_tree import CategorySplit
    from splitcrit.trees.estimators.classifier import TreeClassifier
    from splitcrit.trees.estimators.criterion_argument import NAMES
    from splitcrit.trees.estimators.exports import export_graphviz, export_text, plot_tree
    from splitcrit.trees.estimators.forest import ForestClassifier
    from splitcrit.trees.estimators.forest_regressor import ForestRegressor
    from splitcrit.trees.estimators.peer_criterion import sklearn_criterion
    from splitcrit.trees.estimators.regressor import TreeRegressor
    from splitcrit.trees.estimators.tuning import ValidationCurve
    from splitcrit.trees.kernel import SplitScores, split_scores
    from splitcrit.trees.metrics import accuracy, nodes_per_layer, pure_accuracy
    from splitcrit.trees.multiway.branching import MultiwayRules, grow_multiway
    from splitcrit.trees.multiway.classifier import MultiwayTreeClassifier
    from splitcrit.trees.multiway.intervals import ChiMerge, Clusterings, GapClustering, clusterings
    from splitcrit.trees.multiway.tree import MultiwayTree
    from splitcrit.trees.reference import LeafRules, ReferenceNode, reference_regression, reference_tree

__all__ = [
    "NAMES", "AdaptiveForestClassifier", "AdaptiveTreeClassifier", "ChiMerge", "DaskForestClassifier",
    "DaskTreeClassifier", "DaskTreeRegressor", "ForestClassifier", "ForestRegressor", "GapClustering", "LeafRules",
    "MultiwayTreeClassifier", "TreeClassifier", "TreeRegressor", "ValidationCurve", "accuracy", "best_depth_two",
    "clusterings", "export_graphviz", "export_text", "nodes_per_layer", "plot_tree", "pure_accuracy",
    "reference_regression", "reference_tree", "sklearn_criterion", "split_scores",
]  # fmt: skip

__getattr__ = on_first_use(__name__)  # the builder to read needs no learner and no compiler
