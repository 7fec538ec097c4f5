"""A regression tree with the interface of scikit-learn.

Main definitions: ``TreeRegressor``.
"""

from __future__ import annotations

from typing import Any, Self

from sklearn.tree import DecisionTreeRegressor

from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.categorical_tree import CategoricalTree
from splitcrit.trees.estimators.criterion_argument import ErrorArgument, error_of
from splitcrit.trees.estimators.growing import grown
from splitcrit.trees.estimators.mixins import ResponseScore
from splitcrit.trees.estimators.reading import counted
from splitcrit.trees.estimators.weighing import weighed
from splitcrit.trees.growth.growth_options import Drawing, Splitter


@sklearn_tree.accepting()
class TreeRegressor(ResponseScore, CategoricalTree, DecisionTreeRegressor):  # type: ignore[misc]
    """A regression tree by squared or absolute error or Poisson deviance, in scikit-learn's own tree structure.

    The score of a split is the decrease of the variance, of the mean absolute deviation about the median, of half the
    mean Poisson deviance from the mean, or of the least mean loss; ties are broken as by ``TreeClassifier``. Features
    of float32 stay so, others are float64. Prediction, pruning, importances, plots and exports are scikit-learn's.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson", "calibrated"}, ResponseLoss or Criterion
        A leaf predicts the mean of its responses, for absolute error their median. Poisson deviance is of responses
        from 0, some above it; a split leaves one above 0 on both sides, as in scikit-learn, so that each leaf predicts
        more than 0. By a loss of yours, `splitcrit.losses.ResponseLoss`, or by ``Criterion.from_loss`` of it, it
        predicts what has the least mean loss. The default is ``"squared_error"``; ``"calibrated"``, or
        `splitcrit.nulls.calibrated` of one of the others, compares features as in ``TreeClassifier``.
    splitter : {"best", "random"}, default="best"
        Every threshold of a drawn feature, or one at random.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, max_leaf_nodes
        As in scikit-learn. Best-first growth with ``max_leaf_nodes`` goes by score times weight.
    draw : {"all", "varying"}, default="all"
        Among which features ``max_features`` of them are drawn, as in ``TreeClassifier``.
    min_gain : float or None, default=0.0
        A node is split if its best score is above this and above a tie with 0. None splits whatever the score, at
        zero gain as scikit-learn does.
    min_impurity_decrease, ccp_alpha
        As in scikit-learn.
    random_state, monotonic_cst, categorical_features, max_exact_categories
        As in ``TreeClassifier``.

    Attributes
    ----------
    tree_ : sklearn.tree._tree.Tree
        ``tree_.impurity`` is the variance of a node, its mean deviation about the median, or half its mean Poisson
        deviance from the mean.
    n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in scikit-learn.
    categories_, is_categorical_, splits_, split_names_
        As in ``TreeClassifier``.

    See Also
    --------
    TreeClassifier : Class labels.
    InferenceTreeRegressor : Keeps only the splits that a test finds real.
    ForestRegressor : Many such trees.

    Notes
    -----
    Weights are rounded and nodes numbered as by ``TreeClassifier``. A ``fit`` that fails leaves the estimator as it
    was.

    References
    ----------
    yang2019, Table I.

    Examples
    --------
    >>> TreeRegressor().fit([[0], [1], [2]], [0.0, 0.0, 3.0]).predict([[0.4], [1.6]])
    array([0., 3.])
    >>> TreeRegressor(criterion="absolute_error", max_depth=1).fit([[0], [1], [2], [3]], [0, 1, 9, 7]).predict([[5]])
    array([8.])
    """

    def __init__(
        self, *, criterion: ErrorArgument = "squared_error", splitter: Splitter = "best", max_depth: int | None = None,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None, draw: Drawing = "all", random_state: Any = None, max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, ccp_alpha: float = 0.0, monotonic_cst: None = None,
        min_gain: float | None = 0.0, categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__(criterion=criterion)
        criterion = self.criterion  # scikit-learn replaces a name that is deprecated
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow the tree of a training set.

        Parameters
        ----------
        X, sample_weight, check_input
            As in ``TreeClassifier.fit``.
        y : array (n,)
            Finite numbers.

        Raises
        ------
        ValueError, TypeError
            If an input or a parameter is invalid; the estimator stays as it was.
        """
        x, responses = self._read(X, y, check_input, numeric=True)
        training = weighed(x, counted(responses) if self.criterion == "poisson" else responses, sample_weight)
        return self._take(grown(self._options(), training, error_of(self.criterion), 0, self.categories_))
