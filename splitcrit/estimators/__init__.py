"""Trees and forests with the interface of scikit-learn, grown by any criterion.

Main definitions: ``TreeClassifier``, ``TreeRegressor``, ``ForestClassifier``, ``ForestRegressor``;
``AdaptiveTreeClassifier`` and ``AdaptiveForestClassifier``, which tune their criterion, with the ``ValidationCurve`` of
what they tried; ``CategorySplit``, a node's subset of categories, and ``ManyLevelsWarning``; ``plot_tree``,
``export_graphviz`` and ``export_text``, scikit-learn's, told what they show;
``sklearn_criterion``, for scikit-learn's own trees;
``criterion_argument`` holds what a string means as ``criterion=``.
"""

from splitcrit.frozen import extra

with extra(__name__):
    from splitcrit.estimators.adaptive import AdaptiveForestClassifier, AdaptiveTreeClassifier
    from splitcrit.estimators.categorical_tree import CategorySplit
    from splitcrit.estimators.categories_input import ManyLevelsWarning
    from splitcrit.estimators.classifier import TreeClassifier
    from splitcrit.estimators.criterion_argument import NAMES
    from splitcrit.estimators.exports import export_graphviz, export_text, plot_tree
    from splitcrit.estimators.forest import ForestClassifier
    from splitcrit.estimators.forest_regressor import ForestRegressor
    from splitcrit.estimators.peer_criterion import sklearn_criterion
    from splitcrit.estimators.regressor import TreeRegressor
    from splitcrit.estimators.tuning import ValidationCurve

__all__ = [
    "NAMES", "AdaptiveForestClassifier", "AdaptiveTreeClassifier", "CategorySplit", "ForestClassifier",
    "ForestRegressor", "ManyLevelsWarning", "TreeClassifier", "TreeRegressor", "ValidationCurve", "export_graphviz",
    "export_text", "plot_tree", "sklearn_criterion",
]  # fmt: skip
