"""A decision tree classifier with the interface of scikit-learn and any criterion of the library.

Main definitions: ``TreeClassifier``.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from splitcrit.data import training_inputs
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.categorical_tree import CategoricalTree
from splitcrit.trees.estimators.criterion_argument import CriterionArgument, criterion_of, probe, shown_impurity
from splitcrit.trees.estimators.growing import grown
from splitcrit.trees.estimators.weighing import weighed
from splitcrit.trees.growth.growth_options import Drawing, Splitter


@sklearn_tree.accepting()
class TreeClassifier(training_inputs.ClassScore, CategoricalTree, DecisionTreeClassifier):  # type: ignore[misc]
    """A decision tree grown by any criterion, in scikit-learn's own tree structure.

    Of all thresholds of the features drawn at a node the one with the largest score splits it; among scores within
    1e-11 of the scale of the criterion, the first in the order of features, then of thresholds. Features of
    float32 stay so, others are float64. Prediction, pruning, importances, plots and exports are scikit-learn's.

    Parameters
    ----------
    criterion : str, Impurity or Criterion, default="gini"
        A name of ``splitcrit.trees.NAMES``; an impurity, meaning its decrease; or a criterion for tables of two
        rows, ``Criterion.from_loss(...)`` included. ``"entropy"`` is in bits, as in scikit-learn. ``"calibrated"``, or
        `splitcrit.nulls.calibrated` with parameters, compares features by how surprising their best splits are, so that
        categories of many levels have no advantage.
    splitter : {"best", "random"}, default="best"
        Every threshold of a drawn feature, or one at random.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, max_leaf_nodes
        As in scikit-learn. Best-first growth with ``max_leaf_nodes`` goes by score times weight.
    draw : {"all", "varying"}, default="all"
        Among which features ``max_features`` of them are drawn at a node: all, and on until one of them varies there,
        which is scikit-learn's rule; or those that vary, which have two values there, or a value and a missing one.
    min_gain : float or None, default=0.0
        A node is split if its best score, in the unit of the criterion, is above this and above a tie with 0. None
        splits whatever the score, at zero gain as scikit-learn does. For misclassification and ``ne``, a gain of 0 is
        told from others in integers, unless weights are fractional.
    min_impurity_decrease : float, default=0.0
        As in scikit-learn, in the unit of ``tree_.impurity``.
    random_state : int, RandomState or None
        What the drawn features depend on, with the path from the root; without a draw the tree does not depend on it.
    class_weight, ccp_alpha
        As in scikit-learn.
    monotonic_cst : None
        Constraints are not supported.
    categorical_features : array-like, "from_dtype" or None, default=None
        Which features are categories: a mask, places or names; or those of a data frame whose dtype is categorical or
        text. A split sends a subset of the categories left; a missing value is a category of its own, and what a node
        has not seen goes with its child of larger weight. A feature taken for its dtype has at most 255 categories, one
        that is named 1024; one with more than 20, and more than half as many as rows, is named in a
        ``ManyLevelsWarning``.
    max_exact_categories : int, default=10
        Where no shortcut is proved, all subsets of up to this number of categories are scored; of more, the cuts of
        a few orders only. ``splits_`` says which was done.

    Attributes
    ----------
    tree_ : sklearn.tree._tree.Tree
        ``tree_.impurity`` is the impurity whose decrease the criterion is, and Gini's for any other criterion;
        importances and pruning follow it. scikit-learn's ``plot_tree`` prints it under the name passed as
        ``criterion``; ``splitcrit.trees.plot_tree`` and its ``export_graphviz`` under its own.
    classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in scikit-learn.
    categories_, is_categorical_ : list and mask, or None
        The categories of each categorical feature, None for the others.
    splits_ : dict
        The subset of each node that splits by categories.
    split_names_ : list of str
        Names for the columns of ``tree_``: the features, then ``"colour in {blue, red}"``, 1 if so, for each subset.

    See Also
    --------
    InferenceTreeClassifier : Keeps only the splits that a test finds real.
    ForestClassifier : Many such trees.
    sklearn_criterion : A criterion in scikit-learn's own trees.
    MultiwayTreeClassifier : More than two branches.
    best_depth_two : The best tree of depth 2, where this one is greedy.

    Notes
    -----
    Sample weights are rounded to a grid of 2^-52 of their total, on which all sums are exact. Nodes are numbered
    depth first, with ``max_leaf_nodes`` too. A ``fit`` that fails leaves the estimator as it was.

    References
    ----------
    yang2019, eq. (1); wilton2024, Section 5; wang2024, Section 1.1.1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from splitcrit import Criterion, ne
    >>> from splitcrit.losses import square
    >>> x, y = load_iris(return_X_y=True)
    >>> TreeClassifier(max_depth=2).fit(x, y).score(x, y)
    0.96
    >>> TreeClassifier(criterion=ne(0.25), max_depth=2).fit(x, y).n_classes_
    np.int64(3)
    >>> TreeClassifier(criterion=Criterion.from_loss(square), max_depth=1).fit(x, y).tree_.threshold[0]
    np.float64(2.45)
    """

    def __init__(
        self, *, criterion: CriterionArgument = "gini", splitter: Splitter = "best", max_depth: int | None = None,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None, draw: Drawing = "all", random_state: Any = None, max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, class_weight: Any = None, ccp_alpha: float = 0.0,
        monotonic_cst: None = None, min_gain: float | None = 0.0, categorical_features: Any = None,
        max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow the tree of a training set.

        Parameters
        ----------
        X : array (n, d), data frame, list, or sparse matrix or array of scipy
            Features of float32 stay so, others are float64; NaN is a missing value, which sparse features do not have.
            A column of whole numbers that float64 would make equal is refused.
        y : array (n,)
            Class labels of any kind.
        sample_weight : array (n,), optional
            Not negative; rows of weight 0 are left out before growth.
        check_input : bool, default=True
            False trusts that ``X`` is finite.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid; the estimator stays as it was.
        """
        x, labels = self._read(X, y, check_input)
        classes, codes = training_inputs.classes_of(labels)
        training = weighed(x, codes, sample_weight, self.class_weight, labels)
        criterion = criterion_of(self.criterion, len(classes), self.min_gain)
        probe(criterion, np.bincount(training.y, training.weights, len(classes)).astype(float))
        fitted = grown(self._options(), training, criterion, len(classes), self.categories_)
        return self._take(fitted, classes)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """The class proportions of the leaf of each row, in the order of ``classes_``."""
        leaf = self.apply(X, check_input)
        return self.nodes_.value[leaf, 0]

    def _impurity_name(self) -> str:
        return shown_impurity(getattr(self, "criterion_", self.criterion))
