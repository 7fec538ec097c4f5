"""Algorithm 1 with the interface of scikit-learn.

Main definitions: ``MultiwayTreeClassifier``.
Source: wang2024, Algorithm 1.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from splitcrit.arguments import Array
from splitcrit.compiling import reporting_compilation
from splitcrit.discretize import GapClustering
from splitcrit.estimators.categories_input import numeric
from splitcrit.frozen import complaint
from splitcrit.metrics import nodes_per_layer
from splitcrit.multiway.as_text import graphviz_of, text_of
from splitcrit.multiway.multiway_source import grow_multiway
from splitcrit.multiway.tree import MultiwayTree
from splitcrit.multiway.validation import categorical_mask, criterion_of_tree, few_values, rules_of
from splitcrit.training_inputs import ClassScore, Parameters, all_or_nothing, classes_of, column

ENCODE = "encode or drop it first"


class MultiwayTreeClassifier(Parameters, ClassScore, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree that branches on all values of a feature, or on the best clustering of them.

    At each node a feature with few values makes a table with one row for each of its values. The values of any other
    feature are clustered, hierarchically, and every number of clusters makes a table. The table with the best score
    splits the node; among scores within 1e-11 of the scale of the criterion that of the first feature, then the one
    with the fewest rows.

    Parameters
    ----------
    criterion : str, Impurity, Criterion or callable, default="sgini"
        A name of ``splitcrit.estimators.NAMES``, an impurity (its decrease) or a criterion, for tables of any number
        of rows. Or a callable that scores a list of tables, those of all features of a node, such as a
        ``splitcrit.importance.Measure``; all features must then branch on their values.
    minnum : int, default=1
        A node with fewer training rows is a leaf. The paper chooses it among 1 to 20.
    d_num : int, default=10
        A feature with at most this number of different values branches on its values. The paper leaves the number open.
    count_values : {"node", "data"}, default="node"
        Where they are counted: at the node, or once among all training rows.
    categorical_features : array of bool (d,), of int or of str, or None
        Features that branch on their values, however many.
    linkage : {"single", "complete", "average"}, default="single"
        How values are clustered; equal values count once, and as often as they occur in averages. The paper says
        only that clustering is hierarchical.
    clustering : {"node", "once"}, default="node"
        When: at every node anew, or once, at the root, each feature by the best score it reaches there.
    max_clusters : int or None, default=None
        The most clusters that are tried.
    max_depth : int or None, default=None
        The depth of the deepest leaf; the root has depth 0.
    min_gain : float or None, default=0.0
        A node branches if its best score, in the unit of the criterion, is above this (and above a tie with 0); None
        branches whatever the score.
    max_pvalue : float or None, default=None
        A node branches if, besides, the Gini gain of its best table has a p-value up to this. The p-value is that of
        one table fixed in advance; nothing corrects for the choice of the best of many.
    gaps : {"nearest", "left", "right", "stop"}, default="nearest"
        Where a new value between two clusters goes: to the nearer one (to the left in the middle), to one side, or
        nowhere, so that the node itself answers. Beyond the first and last cluster a value belongs to it.
    unseen : {"nearest", "largest", "stop"}, default="nearest"
        Where a new value goes at a node that branches on values: to the nearest value (the smaller of two), to the
        child with the most training rows, or nowhere. Numbers that code categories have no nearest: choose another.
    ties : {"first", "parent"}, default="first"
        The class of a node where several are most frequent: the first of them in the order of ``classes_``, or the
        one that its parent has most of, and so on up; ``predict_proba`` shows the tie either way.

    Attributes
    ----------
    tree_ : MultiwayTree
        The nodes as arrays, level by level.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.
    labels_ : int array (nodes,)
        The place in ``classes_`` of each node's class.
    edges_ : list of arrays, or None
        The thresholds of each feature under ``clustering="once"``.
    nodes_per_layer_ : float
        The nodes that branch, over the depth.

    See Also
    --------
    TreeClassifier : Binary splits.
    GapClustering : The clusterings as a transformer.

    Notes
    -----
    A discrete feature that has been used is constant below and cannot be used again; there is no pruning. Grown
    decisions are local, so that ``truncated`` gives the trees of larger ``minnum`` without growing them. With SGini,
    decreases of impurities and gain ratios a level of n rows with d features costs O(d n (K + log n)).

    References
    ----------
    wang2024, Algorithm 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> tree = MultiwayTreeClassifier(minnum=20, max_clusters=4).fit(x, y)
    >>> tree.get_depth(), tree.get_n_leaves(), round(tree.score(x, y), 3)
    (6, 19, 0.98)
    """

    def __init__(
        self, *, criterion: Any = "sgini", minnum: int = 1, d_num: int = 10, count_values: str = "node",
        categorical_features: Any = None, linkage: str = "single", clustering: str = "node",
        max_clusters: int | None = None, max_depth: int | None = None, min_gain: float | None = 0.0,
        max_pvalue: float | None = None, gaps: str = "nearest", unseen: str = "nearest", ties: str = "first",
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
        rules = rules_of(self.get_params(deep=False))
        criterion = criterion_of_tree(self.criterion)
        with all_or_nothing(self):
            if y is not None:
                labels = column(y)
            with numeric(X, ENCODE):
                x, labels = validate_data(self, X, labels if isinstance(y, list | tuple) else y, dtype=np.float64)
            self.classes_, codes = classes_of(labels)
            categorical = self._categorical(x)
            self.edges_ = None
            if self.clustering == "once":
                x, self.edges_ = self._clustered(x, codes, categorical)
                categorical = np.ones(x.shape[1], dtype=bool)
            with reporting_compilation():
                found = grow_multiway(x, codes, len(self.classes_), criterion, rules, categorical)
            return self._grown(found)

    def _grown(self, tree: MultiwayTree) -> Self:
        self.tree_ = tree
        self.labels_ = tree.labels(by_parent=self.ties == "parent")
        self.nodes_per_layer_ = nodes_per_layer(self)
        return self

    def _categorical(self, x: Array) -> Array:
        """Tell which features branch on their values at every node: those declared, and those with few values."""
        names = list(getattr(self, "feature_names_in_", ()))
        declared = categorical_mask(self.categorical_features, names, x.shape[1])
        return declared | few_values(x, self.d_num) if self.count_values == "data" else declared

    def _clustered(self, x: Array, codes: Array, categorical: Array) -> tuple[Array, list[Any]]:
        """Return features as clusters, found once, and their thresholds; None where a feature stays as it is."""
        kept = categorical | few_values(x, self.d_num)
        bins = GapClustering(criterion=self.criterion, linkage=self.linkage, max_clusters=self.max_clusters)
        edges: list[Any] = [None] * x.shape[1]
        for f in np.flatnonzero(~kept):
            edges[f] = bins.fit(x[:, [f]], codes).edges_[0]
        return _binned(x, edges), edges

    def apply(self, X: Any) -> Array:
        """Return the node of ``tree_`` at which each row ends."""
        check_is_fitted(self)
        with numeric(X, ENCODE):
            x = validate_data(self, X, dtype=np.float64, reset=False)
        return self.tree_.apply(x if self.edges_ is None else _binned(x, self.edges_), self.gaps, self.unseen)

    def predict(self, X: Any) -> Array:
        """Return the class of each row."""
        nodes = self.apply(X)
        return np.asarray(self.classes_[self.labels_[nodes]])

    def predict_proba(self, X: Any) -> Array:
        """Return the class proportions ``(n, K)`` of the node at which each row ends."""
        nodes = self.apply(X)
        counts = self.tree_.counts[nodes]
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def truncated(self, minnum: int) -> Self:
        """Return the fitted estimator of a larger ``minnum``, without growing it: smaller nodes become leaves."""
        check_is_fitted(self)
        other: Self = copy(self).set_params(minnum=minnum)
        rules_of(other.get_params(deep=False))
        if minnum < self.minnum:
            rule = f"a tree grown with minnum={self.minnum} holds those of larger ones"
            raise ValueError(complaint(rule, minnum, "fit with the smallest"))
        return other._grown(self.tree_.truncated(self.tree_.size >= minnum))

    def to_text(self, *, digits: int = 6, max_depth: int | None = None) -> str:
        """Return the tree as text, one line a node."""
        names, classes = self._names()
        return text_of(self.tree_, names, classes, self.labels_, digits=digits, max_depth=max_depth)

    def to_graphviz(self, *, digits: int = 6) -> str:
        """Return the tree as graphviz source."""
        names, classes = self._names()
        return graphviz_of(self.tree_, names, classes, self.labels_, digits=digits)

    def _names(self) -> tuple[list[str], list[Any]]:
        check_is_fitted(self)
        unnamed = [f"x{f}" for f in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", unnamed)), self.classes_.tolist()


def _binned(x: Array, edges: list[Any]) -> Array:
    columns = [v if e is None else np.searchsorted(e, v) for e, v in zip(edges, x.T, strict=True)]
    return np.column_stack(columns).astype(float)
