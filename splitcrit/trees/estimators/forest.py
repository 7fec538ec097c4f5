"""A random forest classifier with the interface of scikit-learn, of trees by any criterion of the library.

Main definitions: ``ForestClassifier``.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from splitcrit.arguments import Array
from splitcrit.compiling import is_installed
from splitcrit.data import training_inputs
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.bootstrap import ForestSamples
from splitcrit.trees.estimators.classifier import TreeClassifier
from splitcrit.trees.estimators.criterion_argument import CriterionArgument, criterion_of, of_samples, probe
from splitcrit.trees.estimators.mixins import ForestMixin
from splitcrit.trees.estimators.weighing import given_weights, weighed
from splitcrit.trees.growth.growth_options import Drawing, Splitter

Voting = Literal["soft", "hard"]


@sklearn_tree.accepting()
class ForestClassifier(training_inputs.ClassScore, ForestMixin, RandomForestClassifier):  # type: ignore[misc]
    """A random forest of ``TreeClassifier``, in scikit-learn's own forest.

    Each tree is grown on a bootstrap sample, or on the whole training set; at each node some of the features are drawn,
    and the best of their splits is made. The forest predicts the class with the largest share ``p``: of the mean of
    the trees' leaves (``voting="soft"``), or of the trees' votes (``voting="hard"``).

    Parameters
    ----------
    n_estimators : int, default=100
        How many trees.
    criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, \
    min_impurity_decrease, ccp_alpha, splitter, min_gain
        As in ``TreeClassifier``.
    max_features : {"sqrt", "log2"}, int, float or None, default="sqrt"
        How many features are drawn at a node.
    draw : {"all", "varying"}, default="all"
        Among which, as in ``TreeClassifier``; ``"varying"`` suits one-hot data.
    bootstrap : bool, default=True
        Whether each tree has a sample of its own, drawn with replacement; the features alone differ otherwise.
    oob_score : bool or callable, default=False
        Whether to judge each row by the trees whose sample leaves it out; by ``voting``, too.
    n_jobs : int, optional
        How many trees are grown at a time, through joblib; in threads, unless you choose a backend.
    random_state : int, RandomState or None
        What the samples and the drawn features depend on.
    verbose, warm_start, max_samples
        As in scikit-learn.
    class_weight : {"balanced", "balanced_subsample"}, dict or None
        As in scikit-learn.
    monotonic_cst : None
        Constraints are not supported.
    categorical_features, max_exact_categories
        As in ``TreeClassifier``.
    voting : {"soft", "hard"}, default="soft"
        ``predict_proba`` is the mean of the class proportions of the leaves, or the share of the trees that vote for
        each class; a tree votes for the most frequent class of a leaf, the first of several.

    Attributes
    ----------
    estimators_ : list of TreeClassifier
        Each is what ``TreeClassifier(random_state=tree.random_state, ...)`` is on the codes of the classes, weighted
        by how often its sample holds each row.
    oob_score_, oob_decision_function_, feature_importances_, estimators_samples_
        As in scikit-learn; rows that no tree left out are nan out of bag, and not scored.
    classes_, n_classes_, n_features_in_, feature_names_in_, n_outputs_
        As in scikit-learn.
    categories_, is_categorical_
        As in ``TreeClassifier``.

    See Also
    --------
    TreeClassifier : A single tree.
    AdaptiveForestClassifier : Tunes its criterion on a hold-out.
    DaskForestClassifier : Rows on several machines.

    References
    ----------
    ghosh2017, Section 3.5: hard voting; wilton2024, Experiments: 100 trees, soft voting.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from splitcrit import ne
    >>> x, y = load_iris(return_X_y=True)
    >>> forest = ForestClassifier(20, criterion=ne(0.5), voting="hard", random_state=0).fit(x, y)
    >>> forest.predict_proba(x[[0, 70]])
    array([[1.  , 0.  , 0.  ],
           [0.  , 0.45, 0.55]])
    """

    def __init__(
        self, n_estimators: int = 100, *, criterion: CriterionArgument = "gini", max_depth: int | None = None,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt", draw: Drawing = "all", max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, bootstrap: bool = True, oob_score: Any = False, n_jobs: int | None = None,
        random_state: Any = None, verbose: int = 0, warm_start: bool = False, class_weight: Any = None,
        ccp_alpha: float = 0.0, max_samples: Any = None, monotonic_cst: None = None, splitter: Splitter = "best",
        min_gain: float | None = 0.0, voting: Voting = "soft", categorical_features: Any = None,
        max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._grow_each(TreeClassifier())
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees of a training set.

        Parameters
        ----------
        X, y
            As in ``TreeClassifier.fit``.
        sample_weight : array (n,), optional
            Not negative; rows are drawn in proportion to them, or without ``bootstrap`` weighted by them.
        groups : array (n,), optional
            The group of each row, such as a patient: a tree draws whole groups, with replacement, so that out of bag no
            row of a group has seen another.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid; the estimator stays as it was.
        """
        x, labels = self._read(X, y)
        classes, codes = training_inputs.classes_of(labels)
        weights = given_weights(sample_weight, x)
        if isinstance(self.class_weight, dict):
            weighed(x, codes, weights, self.class_weight, labels)  # for its complaints
        criterion = criterion_of(self.criterion, len(classes), self.min_gain)
        criterion = of_samples(criterion) if self.bootstrap else criterion
        probe(criterion, np.bincount(codes, weights, len(classes)).astype(float))
        learnt, random = np.arange(len(classes), dtype=float), self.splitter == "random"
        samples = ForestSamples.sharing(
            x, criterion, self._coding(x), is_installed("numba"), random, codes=codes, classes=learnt
        )
        labels = labels if labels.dtype == classes.dtype else classes[codes]
        return self._grow(samples, labels, weights, groups)

    def predict_proba(self, X: Any) -> Any:
        """The class probabilities: of the mean leaf (soft), or the share of the votes (hard).

        Parameters
        ----------
        X : array (n, d)

        Returns
        -------
        array (n, K)
            In the order of ``classes_``.
        """
        return self._mean_of_trees(X)

    def votes(self, tree: Any, x: Array) -> Array:
        """The contribution of a tree to each row, ``(n, K)``: the proportions of its leaf, or one vote."""
        shares = tree.predict_proba(x, check_input=False)
        return np.asarray(np.eye(shares.shape[1])[shares.argmax(axis=1)] if self.voting == "hard" else shares)
