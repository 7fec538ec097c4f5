"""Algorithm 1 with the interface of scikit-learn.

Main definitions: ``MultiwayTreeClassifier``.
Source: wang2024, Algorithm 1.
"""

from __future__ import annotations

from copy import copy
from dataclasses import fields
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from splitcrit.arguments import Array, one_of, whole
from splitcrit.data.categories_input import mask_of, names_of, numbers_of
from splitcrit.data.columns import columns_of
from splitcrit.data.training_inputs import ClassScore, Parameters, all_or_nothing, classes_of, column, numbers
from splitcrit.display import visible_name
from splitcrit.frozen import complaint
from splitcrit.trees.metrics import nodes_per_layer
from splitcrit.trees.multiway.branching import Linkage, MultiwayRules, criterion_of_tree, grow_multiway
from splitcrit.trees.multiway.tree import MultiwayTree, text_of

Unseen = Literal["nearest", "largest", "stop"]

ENCODE = "encode or drop it first"
MOST = 17  # digits that tell float64 apart


class MultiwayTreeClassifier(Parameters, ClassScore, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree that branches on all values of a feature, or on the best clustering of them.

    At each node a feature with few values makes a table with one row for each of its values. The values of any other
    feature are clustered, hierarchically, and every number of clusters makes a table. The table with the best score
    splits the node; among scores within 1e-11 of the scale of the criterion that of the first feature, then the one
    with the fewest rows.

    Parameters
    ----------
    criterion : str, Impurity, Criterion or callable, default="sgini"
        A name of ``splitcrit.trees.NAMES``, an impurity (its decrease) or a criterion, for tables of any number
        of rows, such as those of ``splitcrit.columns.MEASURES``. Or a callable that scores a list of tables, those of
        all features of a node; all features must then branch on their values.
    minnum : int, default=1
        A node with fewer training rows is a leaf. The paper chooses it among 1 to 20.
    d_num : int, default=10
        A feature with at most this number of different values at a node branches on its values. The paper leaves the
        number open.
    categorical_features : array of bool (d,), of int or of str, or None
        Features that branch on their values, however many.
    linkage : {"single", "complete", "average"}, default="single"
        How values are clustered; equal values count once, and as often as they occur in averages. The paper says
        only that clustering is hierarchical.
    max_clusters : int or None, default=None
        The most clusters that are tried.
    max_depth : int or None, default=None
        The depth of the deepest leaf; the root has depth 0.
    min_gain : float or None, default=0.0
        A node branches if its best score, in the unit of the criterion, is above this (and above a tie with 0); None
        branches whatever the score.
    unseen : {"nearest", "largest", "stop"}, default="nearest"
        Where a new value goes at a node that branches on values: to the nearest value (the smaller of two), to the
        child with the most training rows, or nowhere. Numbers that code categories have no nearest: choose another.

    Attributes
    ----------
    tree_ : MultiwayTree
        The nodes as arrays, level by level.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.
    labels_ : int array (nodes,)
        The place in ``classes_`` of each node's class.
    nodes_per_layer_ : float
        The nodes that branch, over the depth.

    See Also
    --------
    TreeClassifier : Binary splits.
    GapClustering : The clusterings as a transformer: before this tree, they are made once and not at every node.

    Notes
    -----
    A discrete feature that has been used is constant below and cannot be used again; there is no pruning. Grown
    decisions are local, so that ``truncated`` gives the trees of larger ``minnum`` without growing them. With SGini,
    decreases of impurities and gain ratios a level of n rows with d features costs O(d n (K + log n)). Equal distances
    are cut at once, so that the tree of ``-X`` is the mirrored one (``GapClustering``).

    References
    ----------
    wang2024, Algorithm 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> tree = MultiwayTreeClassifier(minnum=20, max_clusters=4).fit(x, y)
    >>> tree.get_depth(), tree.get_n_leaves(), round(tree.score(x, y), 3)
    (4, 9, 0.973)
    """

    def __init__(
        self, *, criterion: Any = "sgini", minnum: int = 1, d_num: int = 10, categorical_features: Any = None,
        linkage: Linkage = "single", max_clusters: int | None = None, max_depth: int | None = None,
        min_gain: float | None = 0.0, unseen: Unseen = "nearest",
    ) -> None:  # fmt: skip
        self._set(locals())

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree of a training set.

        Parameters
        ----------
        X : array (n, d)
            Dense and finite.
        y : array (n,)
            Class labels of any kind.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid; the estimator stays as it was.
        """
        rules, criterion = self._rules(), criterion_of_tree(self.criterion)
        with all_or_nothing(self):
            if y is not None:
                labels = column(y)
            with numbers(X):
                target = labels if isinstance(y, list | tuple) else y
                x, labels = validate_data(self, numbers_of(X, ENCODE), target, dtype=np.float64)
            validate_data(self, X, skip_check_array=True)  # the names of its features
            self.classes_, codes = classes_of(labels)
            asked = self.categorical_features
            categorical = None if asked is None else mask_of(asked, columns_of(X), names_of(X))
            return self._grown(grow_multiway(x, codes, len(self.classes_), criterion, rules, categorical))

    def _rules(self) -> MultiwayRules:
        """Return the rules of a node, or raise ValueError about the first parameter that is invalid."""
        one_of(self.unseen, Unseen, "unseen")
        return MultiwayRules(**{rule.name: getattr(self, rule.name) for rule in fields(MultiwayRules)})

    def _grown(self, tree: MultiwayTree) -> Self:
        self.tree_, self.labels_ = tree, tree.counts.argmax(axis=1)
        self.nodes_per_layer_ = nodes_per_layer(self)
        return self

    def apply(self, X: Any) -> Array:
        """The node of ``tree_`` at which each row ends."""
        check_is_fitted(self)
        with numbers(X):
            x = check_array(numbers_of(X, ENCODE), dtype=np.float64, estimator=self)
        validate_data(self, X, reset=False, skip_check_array=True)
        return self.tree_.apply(x, self.unseen)

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        nodes = self.apply(X)
        return np.asarray(self.classes_[self.labels_[nodes]])

    def predict_proba(self, X: Any) -> Array:
        """The class proportions ``(n, K)`` of the node at which each row ends."""
        nodes = self.apply(X)
        counts = self.tree_.counts[nodes]
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def get_depth(self) -> int:
        """The depth of the deepest leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self)
        return int((self.tree_.width == 0).sum())

    def truncated(self, minnum: int) -> Self:
        """The fitted estimator of a larger ``minnum``, without growing it: smaller nodes become leaves."""
        check_is_fitted(self)
        other: Self = copy(self).set_params(minnum=minnum)
        other._rules()
        if minnum < self.minnum:
            rule = f"a tree grown with minnum={self.minnum} holds those of larger ones"
            raise ValueError(complaint(rule, minnum, "fit with the smallest"))
        return other._grown(self.tree_.truncated(self.tree_.size >= minnum))

    def to_text(self, *, digits: int = 6, max_depth: int | None = None) -> str:
        """The tree as text, one line a node; of nodes below ``max_depth`` dots are left."""
        check_is_fitted(self)
        most = np.inf if max_depth is None else whole(max_depth, "max_depth", 0)
        names = getattr(self, "feature_names_in_", [f"x{f}" for f in range(self.n_features_in_)])
        classes = [visible_name(self.classes_[label]) for label in self.labels_]
        return text_of(self.tree_, list(map(visible_name, names)), classes, whole(digits, "digits", 0, MOST), most)
