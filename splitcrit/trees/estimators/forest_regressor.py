"""A random forest for regression with the interface of scikit-learn.

Main definitions: ``ForestRegressor``.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.ensemble import RandomForestRegressor

from splitcrit.arguments import Array
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.bootstrap import ForestSamples
from splitcrit.trees.estimators.criterion_argument import ErrorArgument, error_of
from splitcrit.trees.estimators.growing import Options
from splitcrit.trees.estimators.mixins import ForestMixin, ResponseScore
from splitcrit.trees.estimators.regressor import TreeRegressor
from splitcrit.trees.estimators.sparse_input import is_sparse
from splitcrit.trees.estimators.weighing import given_weights
from splitcrit.trees.growth import GrowthOptions, Training
from splitcrit.trees.growth.growth_options import Drawing, Splitter
from splitcrit.trees.growth.source_choice import SampleLayout, source_of


@sklearn_tree.accepting()
class ForestRegressor(ResponseScore, ForestMixin, RandomForestRegressor):  # type: ignore[misc]
    """A random forest of ``TreeRegressor``, in scikit-learn's own forest, which predicts the mean of its trees.

    Parameters
    ----------
    n_estimators : int, default=100
        How many trees.
    criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, \
    min_impurity_decrease, ccp_alpha, splitter, min_gain
        As in ``TreeRegressor``.
    max_features : {"sqrt", "log2"}, int, float or None, default=1.0
        How many features are drawn at a node; all of them by default, as in scikit-learn.
    draw : {"all", "varying"}, default="all"
        Among which, as in ``TreeClassifier``.
    bootstrap, oob_score, n_jobs, random_state, verbose, warm_start, max_samples
        As in ``ForestClassifier``.
    monotonic_cst : None
        Constraints are not supported.
    categorical_features, max_exact_categories
        As in ``TreeClassifier``.

    Attributes
    ----------
    estimators_ : list of TreeRegressor
        Each is what ``TreeRegressor(random_state=tree.random_state, ...)`` is, weighted by how often its sample holds
        each row.
    oob_score_, oob_prediction_, feature_importances_, estimators_samples_
        As in scikit-learn; rows that no tree left out are nan out of bag, and not scored.
    n_features_in_, feature_names_in_, n_outputs_
        As in scikit-learn.
    categories_, is_categorical_
        As in ``TreeClassifier``.

    See Also
    --------
    TreeRegressor : A single tree.
    ForestClassifier : Class labels.

    References
    ----------
    yang2019, Table I: the impurities.

    Examples
    --------
    >>> x, y = [[0], [1], [2], [3]], [0.0, 0.0, 3.0, 3.0]
    >>> ForestRegressor(5, bootstrap=False, random_state=0).fit(x, y).predict([[0.4], [2.6]])
    array([0., 3.])
    """

    def __init__(
        self, n_estimators: int = 100, *, criterion: ErrorArgument = "squared_error",
        max_depth: int | None = None, min_samples_split: Any = 2, min_samples_leaf: Any = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: Any = 1.0, draw: Drawing = "all",
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, bootstrap: bool = True,
        oob_score: Any = False, n_jobs: int | None = None, random_state: Any = None, verbose: int = 0,
        warm_start: bool = False, ccp_alpha: float = 0.0, max_samples: Any = None, monotonic_cst: None = None,
        splitter: Splitter = "best", min_gain: float | None = 0.0, categorical_features: Any = None,
        max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__(criterion=criterion)
        criterion = self.criterion  # scikit-learn replaces a name that is deprecated
        self._grow_each(TreeRegressor())
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees of a training set.

        Parameters
        ----------
        X, sample_weight, groups
            As in ``ForestClassifier.fit``.
        y : array (n,)
            Finite numbers.

        Raises
        ------
        ValueError, TypeError
            If an input or a parameter is invalid; the estimator stays as it was.
        """
        x, responses = self._read(X, y, numeric=True)
        drawn, random = Options(max_features=self.max_features).features(x.shape[1]), self.splitter == "random"
        growing = GrowthOptions(max_features=drawn, splitter=self.splitter)
        error = error_of(self.criterion, self.bootstrap)
        listed = not is_sparse(x) and source_of(Training(x, responses), error, growing)[0] is SampleLayout.LISTED
        samples = ForestSamples.sharing(x, error, self._coding(x), listed, random)
        return self._grow(samples, responses, given_weights(sample_weight, x), groups)

    def predict(self, X: Any) -> Any:
        """The mean of the responses that the trees predict for each row."""
        return self._mean_of_trees(X)[:, 0]

    def votes(self, tree: Any, x: Array) -> Array:
        """The responses that a tree predicts, ``(n, 1)``."""
        return np.asarray(tree.predict(x, check_input=False)[:, None])
