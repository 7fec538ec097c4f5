"""Trees whose splits were found on some rows and hold on others: estimators with the interface of scikit-learn.

Main definitions: ``HonestTreeClassifier``, ``HonestTreeRegressor``.
Main results: the probability that any split is kept whose null hypothesis is true is at most alpha; see ``hierarchy``.
Source: athey2016 for rows that grow and rows that estimate; the tests are those of ``significant``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from splitcrit.arguments import finite
from splitcrit.estimators import TreeClassifier, TreeRegressor
from splitcrit.inference.halves import HonestTree
from splitcrit.training_inputs import ClassScore, classes_of, column, labels_of

Array = NDArray[Any]


class HonestTreeClassifier(ClassScore, ClassifierMixin, HonestTree):  # type: ignore[misc]
    """A classification tree grown on some rows, whose splits are kept where they are significant on the others.

    Rows are divided at random, class by class. A clone of ``estimator`` is grown on one part; on the other its splits
    are tested from the root down, see ``significant_subtree``. The class probabilities of a leaf are the shares among
    the rows that tested it, of which each leaf that is kept has some.

    Parameters
    ----------
    estimator : classification tree, optional
        Any with scikit-learn's ``tree_`` and ``decision_path``; ``TreeClassifier(max_depth=4)`` by default.
    alpha : float, default=0.05
        The probability of keeping any split whose null hypothesis is true.
    test_size : float, default=0.5
        The share of the rows that test.
    shares, nested, permutations
        As in ``significant_subtree``.
    repeats : int, default=1
        How many divisions of the rows ``stability_`` is about; the first of them makes the tree.
    random_state : int, RandomState or None
        What the divisions depend on, and the tree where its own is None.

    Attributes
    ----------
    estimator_ : estimator
        The tree that is kept, for ``plot_tree`` and exports; its nodes show the rows that grew it.
    tree_ : sklearn.tree._tree.Tree
        That of ``estimator_``.
    grown_ : estimator
        The tree before any test.
    result_ : SignificantSubtree
        Level, p-value and verdict of each of its nodes.
    test_rows_ : int array
        The places of the rows that tested.
    stability_ : Stability
        How often features survive over the divisions.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    One division of the rows is a lottery: a split may be kept in one and not in another; ``repeats`` tells how often.
    The error rate is that of one division; of the best of several it is not known.

    References
    ----------
    athey2016; goeman2010.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(400, 5))
    >>> y = np.where(rng.random(400) < np.where(x[:, 2] > 0, 0.8, 0.2), "ill", "well")
    >>> found = HonestTreeClassifier(random_state=0).fit(x, y)
    >>> found.grown_.get_n_leaves(), found.estimator_.get_n_leaves(), found.predict_proba(x[:1]).round(2).tolist()
    (np.int64(15), np.int64(2), [[0.81, 0.19]])
    """

    _kind = TreeClassifier

    def __init__(
        self,
        estimator: Any = None,
        *,
        alpha: float = 0.05,
        test_size: float = 0.5,
        shares: Any = "halves",
        nested: bool = False,
        permutations: int | None = None,
        repeats: int = 1,
        random_state: Any = None,
    ) -> None:
        self._set(locals())

    def _labels(self, y: Any) -> Array:
        return labels_of(column(y))

    def _strata(self, y: Array) -> Array:
        return classes_of(y)[1]

    def predict_proba(self, X: Any) -> Array:
        """Return the class shares among the testing rows of the leaf of each row, in the order of ``classes_``."""
        counts = self._values(X)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> Array:
        """Return the most frequent class among the testing rows of the leaf of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])


class HonestTreeRegressor(RegressorMixin, HonestTree):  # type: ignore[misc]
    """A regression tree grown on some rows, whose splits are kept where they are significant on the others.

    As ``HonestTreeClassifier``, with responses for classes: tests permute them, and a leaf predicts the mean response
    of the rows that tested it.

    Parameters
    ----------
    estimator : regression tree, optional
        Any with scikit-learn's ``tree_`` and ``decision_path``; ``TreeRegressor(max_depth=4)`` by default.
    alpha, test_size, shares, nested, permutations, repeats, random_state
        As in ``HonestTreeClassifier``.

    Attributes
    ----------
    estimator_, tree_, grown_, result_, test_rows_, stability_, n_features_in_, feature_names_in_
        As in ``HonestTreeClassifier``.

    References
    ----------
    athey2016; goeman2010.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(300, 4))
    >>> y = 2.0 * (x[:, 1] > 0) + rng.normal(size=300)
    >>> found = HonestTreeRegressor(random_state=0).fit(x, y)
    >>> found.grown_.get_n_leaves(), found.estimator_.get_n_leaves(), found.predict([[0, 1, 0, 0]]).round(1)
    (np.int64(16), np.int64(2), array([2.]))
    """

    _kind = TreeRegressor

    def __init__(
        self,
        estimator: Any = None,
        *,
        alpha: float = 0.05,
        test_size: float = 0.5,
        shares: Any = "halves",
        nested: bool = False,
        permutations: int | None = None,
        repeats: int = 1,
        random_state: Any = None,
    ) -> None:
        self._set(locals())

    def _labels(self, y: Any) -> Array:
        return finite(column(y), "responses", 1)

    def predict(self, X: Any) -> Array:
        """Return the mean response among the testing rows of the leaf of each row."""
        return np.asarray(self._values(X)[:, 0])
