"""Trees whose splits have all been tested on the rows that grew them, with scikit-learn's interface.

Main definitions: ``InferenceTreeClassifier``, ``InferenceTreeRegressor``.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np

from splitcrit import inputs
from splitcrit.estimators import TreeClassifier, TreeRegressor, structure
from splitcrit.estimators.growing import class_nodes, finished, growing_of, response_nodes
from splitcrit.estimators.names import criterion_of, probe
from splitcrit.estimators.reading import weighed
from splitcrit.growth import grow, grow_regression
from splitcrit.growth.paths import Path
from splitcrit.growth.permuted import ClassPath, ResponsePath
from splitcrit.inference.asking import RULES, Inference, comparable
from splitcrit.inference.selective import Trained
from splitcrit.search import Columns, engine


@structure.accepting(**RULES)
class InferenceTreeClassifier(Inference, TreeClassifier):
    """A decision tree that keeps a split only if a test finds it real.

    With ``test="selective"``, the default, the probability that the tree keeps any split of a node in which nothing
    tells the classes apart is at most ``alpha``, for the whole tree. With ``test="node"`` this is so at the root alone:
    below it every node is tested at ``alpha`` as if it had not been chosen by the labels it is tested with, as
    conditional inference trees do; neither those p-values nor the number of false splits in the tree are
    controlled.

    The tree is grown on all rows by ``criterion`` to ``max_depth`` and tested from the root down; a node is a leaf
    where the test does not reject, or an ancestor's did not. The statistic of a node is the best score over all
    features and thresholds, so that a split that is kept says that *some* feature tells, not which.

    Parameters
    ----------
    alpha : float, default=0.05
        The error rate: see above.
    test : {"selective", "node"}, default="selective"
        ``"selective"`` permutes the labels inside a node, makes its ancestors' choices again, and keeps the
        permutations in which they come out the same (each divides its rows alike). A node of depth ``v`` is tested at
        ``alpha / 2**v``. ``"node"`` permutes without a look at the ancestors.
    correction : {"bonferroni", "permutation"}, optional
        For ``test="node"``, how the p-value accounts for the search of all features: by permutations of the best score
        (the default), or for two classes and Gini by the law of the best threshold times the number of features.
    n_permutations : int, default=999
        How many permutations are drawn at a node at most. A node that keeps fewer than ``2**v / alpha - 1`` of
        them is ``"not testable"``, which makes it a leaf.
    max_exceedances : int or None, default=20
        A node's permutations stop once this many that are kept score as high as the data; its p-value is then this
        number over how many were kept, which is valid. None draws all.
    criterion : str, Impurity or Criterion, default="gini"
        As in ``TreeClassifier``, but for those that compare features by p-values.
    max_depth : int or None, default=4
    min_samples_split, min_samples_leaf
        As in ``TreeClassifier``.
    random_state : int, RandomState or None
        What the permutations depend on; the tree that is grown does not.
    verbose : int, default=0
        Whether each test is printed.

    Attributes
    ----------
    tree_ : sklearn.tree._tree.Tree
        The splits that are kept.
    pvalues_ : array (nodes,)
        Of each node of ``tree_`` that was tested; nan elsewhere. A leaf was tested if the grown tree splits it.
    verdicts_ : tuple of NodeTest
        What was said of each split tested: ``node``, ``depth``, ``level``, ``pvalue``, ``score``, ``verdict``
        (``"split"``, ``"not significant"`` or ``"not testable"``), and counts of permutations.
    classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in scikit-learn.

    Notes
    -----
    The null of a node is that its labels are exchangeable given the features, and the labels of other rows. There are
    no sample weights, which have no permutations.

    References
    ----------
    hothorn2006 (trees of nodes tested one by one); besag1991 (permutations that stop early).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.random((300, 5))
    >>> y = (x[:, 0] > 0.5) ^ (rng.random(300) < 0.1)
    >>> tree = InferenceTreeClassifier(random_state=0).fit(x, y)
    >>> [(test.verdict, test.pvalue) for test in tree.verdicts_][:1]
    [('split', 0.001)]
    >>> print(tree.export_text())
    """

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        test: str = "selective",
        correction: str | None = None,
        n_permutations: int = 999,
        max_exceedances: int | None = 20,
        criterion: Any = "gini",
        max_depth: int | None = 4,
        min_samples_split: Any = 2,
        min_samples_leaf: Any = 1,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        super().__init__()
        self._set(locals())

    @structure.fitting
    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree of a training set, test its splits and keep those that are real.

        Parameters
        ----------
        X : array (n, d), data frame or list
            Dense; cast to float32; NaN is a missing value.
        y : array (n,)
            Class labels of any kind.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid; the estimator stays as it was.
        """
        x, labels = self._read(X, y)
        classes, codes = inputs.classes_of(labels)
        self._check_tests(len(classes))
        criterion = comparable(criterion_of(self.criterion, len(classes)))
        probe(criterion, np.bincount(codes, minlength=len(classes)).astype(float))
        options, training = self._options(), weighed(x, codes, None)
        growing = growing_of(options, training)

        def permuted(path: Path) -> ClassPath:
            return ClassPath.of(path, x, codes, len(classes), criterion, growing.stopping, engine())

        grown = grow(Columns.of(x, codes, len(classes), None, engine()), criterion, growing)
        tree = self._cut(Trained(grown, x, codes), permuted, growing.seed)
        return self._take(finished(options, training, tree, partial(class_nodes, criterion)), classes)


@structure.accepting(criterion=[{"squared_error", "absolute_error"}], **RULES)
class InferenceTreeRegressor(Inference, TreeRegressor):
    """A regression tree that keeps a split only if a test finds it real.

    With ``test="selective"``, the default, the probability that the tree keeps any split of a node whose responses do
    not depend on the features is at most ``alpha``, for the whole tree. With ``test="node"`` this is so at the root
    alone: below it every node is tested at ``alpha`` as if it had not been chosen by the responses it is
    tested with, and neither those p-values nor the number of false splits in the tree are controlled.

    Parameters
    ----------
    alpha, test, n_permutations, max_exceedances, max_depth, min_samples_split, min_samples_leaf, random_state, verbose
        As in ``InferenceTreeClassifier``.
    correction : {"permutation"}, optional
        For ``test="node"``; permutations of the best score in any case.
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        As in ``TreeRegressor``.

    Attributes
    ----------
    tree_, pvalues_, verdicts_, n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in ``InferenceTreeClassifier``.

    Notes
    -----
    The null of a node is that its responses are exchangeable: equal laws, not equal means.

    References
    ----------
    hothorn2006 (trees of nodes tested one by one); besag1991 (permutations that stop early).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(60.0)[:, None]
    >>> tree = InferenceTreeRegressor(random_state=0).fit(x, np.repeat([0.0, 5.0], 30) + np.arange(60) % 7)
    >>> tree.tree_.threshold[0], tree.pvalues_[0]
    (np.float64(29.5), np.float64(0.001))
    """

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        test: str = "selective",
        correction: str | None = None,
        n_permutations: int = 999,
        max_exceedances: int | None = 20,
        criterion: str = "squared_error",
        max_depth: int | None = 4,
        min_samples_split: Any = 2,
        min_samples_leaf: Any = 1,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        super().__init__()
        self._set(locals())

    @structure.fitting
    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree of a training set, test its splits and keep those that are real.

        Parameters
        ----------
        X
            As in ``InferenceTreeClassifier.fit``.
        y : array (n,)
            Finite numbers.

        Raises
        ------
        ValueError, TypeError
            If an input or a parameter is invalid; the estimator stays as it was.
        """
        self._check_tests()
        x, y = self._read(X, y, numeric=True)
        options, training = self._options(), weighed(x, y, None)
        growing = growing_of(options, training)

        def permuted(path: Path) -> ResponsePath:
            return ResponsePath.of(path, x, y, self.criterion, growing.stopping, engine())

        grown = grow_regression(x, y, None, self.criterion, growing)
        tree = self._cut(Trained(grown, x, y), permuted, growing.seed)
        return self._take(finished(options, training, tree, response_nodes))
