"""Trees: a kernel and a builder to read, fast growth by any criterion, estimators with scikit-learn's interface.

Main definitions: ``split_scores`` (``kernel``: every threshold of a column, scored at once), ``reference_tree`` and
``reference_regression`` (``reference``: the recursion that grows a tree by it, until its ``LeafRules`` stop it), and
what they return, ``SplitScores`` and ``ReferenceNode``; ``best_depth_two`` (a ``DepthTwoTree``), the best of depth 2;
``TreeClassifier``, ``TreeRegressor``, ``ForestClassifier``, ``ForestRegressor``; ``AdaptiveTreeClassifier`` and
``AdaptiveForestClassifier``, which tune their criterion, with the ``ValidationCurve`` of what they tried;
``CategorySplit``, a node's subset of categories; ``plot_tree``, ``export_graphviz`` and ``export_text``,
scikit-learn's, told what they show; ``sklearn_criterion``, for scikit-learn's own trees; ``accuracy``,
``pure_accuracy`` and ``nodes_per_layer``, measures of a fitted tree. ``multiway`` holds trees whose nodes have many
branches, and discretisation; ``distributed`` holds trees and forests on Dask.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.frozen import on_first_use

if TYPE_CHECKING:
    from splitcrit.trees.depth_two import DepthTwoTree, best_depth_two
    from splitcrit.trees.distributed.classifier import DaskTreeClassifier
    from splitcrit.trees.distributed.forest import DaskForestClassifier
    from splitcrit.trees.distributed.regressor import DaskTreeRegressor
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
    "NAMES", "AdaptiveForestClassifier", "AdaptiveTreeClassifier", "CategorySplit", "ChiMerge", "Clusterings",
    "DaskForestClassifier", "DaskTreeClassifier", "DaskTreeRegressor", "DepthTwoTree", "ForestClassifier",
    "ForestRegressor", "GapClustering", "LeafRules", "MultiwayRules", "MultiwayTree", "MultiwayTreeClassifier",
    "ReferenceNode", "SplitScores", "TreeClassifier", "TreeRegressor", "ValidationCurve", "accuracy",
    "best_depth_two", "clusterings", "export_graphviz", "export_text", "grow_multiway", "nodes_per_layer",
    "plot_tree", "pure_accuracy", "reference_regression", "reference_tree", "sklearn_criterion", "split_scores",
]  # fmt: skip

_HOMES: dict[str, tuple[str, ...]] = {
    "kernel": ("SplitScores", "split_scores"),
    "reference": ("LeafRules", "ReferenceNode", "reference_regression", "reference_tree"),
    "estimators.adaptive": ("AdaptiveForestClassifier", "AdaptiveTreeClassifier"),
    "estimators.categorical_tree": ("CategorySplit",), "estimators.classifier": ("TreeClassifier",),
    "estimators.criterion_argument": ("NAMES",),
    "estimators.exports": ("export_graphviz", "export_text", "plot_tree"),
    "estimators.forest": ("ForestClassifier",), "estimators.forest_regressor": ("ForestRegressor",),
    "estimators.peer_criterion": ("sklearn_criterion",), "estimators.regressor": ("TreeRegressor",),
    "estimators.tuning": ("ValidationCurve",), "metrics": ("accuracy", "nodes_per_layer", "pure_accuracy"),
    "multiway.classifier": ("MultiwayTreeClassifier",), "multiway.branching": ("MultiwayRules", "grow_multiway"),
    "multiway.intervals": ("ChiMerge", "Clusterings", "GapClustering", "clusterings"),
    "multiway.tree": ("MultiwayTree",), "distributed.classifier": ("DaskTreeClassifier",),
    "depth_two": ("DepthTwoTree", "best_depth_two"),
    "distributed.forest": ("DaskForestClassifier",), "distributed.regressor": ("DaskTreeRegressor",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: the builder to read needs no learner and no compiler."""
    return on_first_use(globals(), name, _HOMES)
