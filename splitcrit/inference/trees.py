"""Trees whose splits have all been tested on the rows that grew them, with scikit-learn's interface.

Main definitions: ``InferenceTreeClassifier``, ``InferenceTreeRegressor``.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np

from splitcrit import training_inputs
from splitcrit.estimators import TreeClassifier, TreeRegressor, structure
from splitcrit.estimators.growing import class_nodes, finished, growing_of, recoding_of, response_nodes
from splitcrit.estimators.names import criterion_of, probe
from splitcrit.estimators.weighing import weighed
from splitcrit.growth import grow, grow_regression
from splitcrit.growth.paths import Path
from splitcrit.growth.permuted import ClassPath, ResponsePath
from splitcrit.inference.asking import RULES, Inference, comparable
from splitcrit.inference.corrected import statistic_of
from splitcrit.inference.selective import Trained
from splitcrit.search import Columns


@structure.accepting(**RULES)
class InferenceTreeClassifier(Inference, TreeClassifier):
    """A decision tree that keeps a split only if a test finds it real.

    With ``test="selective"``, the default, the probability that the tree keeps any split of a node in which nothing
    tells the classes apart is at most ``alpha``, for the whole tree. With ``test="node"`` this is so at the root alone:
    below it every node is tested at ``alpha`` as if it had not been chosen by the labels it is tested with, as
    conditional inference trees do; neither those p-values nor the number of false splits are controlled.

    The tree is grown on all rows by ``criterion`` to ``max_depth`` and tested from the root down; a node is a leaf
    where the test does not reject, or an ancestor's did not. The statistic of a permutation test is the best score over
    all features and thresholds, so that a split that is kept says that *some* feature tells, not which. With
    ``test="node"`` and another ``correction`` the p-value is that of the feature with the best score, which splits the
    node, corrected as ``split_test`` does.

    Parameters
    ----------
    alpha : float, default=0.05
        The error rate: see above.
    test : {"selective", "node"}, default="selective"
        ``"selective"`` permutes the labels inside a node, makes its ancestors' choices again, and keeps the
        permutations in which each divides its rows alike. A node of depth ``v`` is tested at ``alpha / 2**v``.
    correction : {"bonferroni", "discrete", "westfall-young", "permutation"}, optional
        For ``test="node"``, how the p-value accounts for the search of all features. ``"bonferroni"``, the default for
        two classes and Gini or SGini: the p-value of the best threshold of the feature that splits, times the number of
        features; it names this feature. ``"discrete"``, ``"westfall-young"``: see ``split_test``. ``"permutation"``,
        the default for all else: permutations of the best score of all features. The p-value of a feature is exact for
        two classes and found by permutations for more.
    n_permutations : int, default=999
        How many permutations are drawn at a node at most. A node that keeps fewer than ``2**v / alpha - 1`` of
        them is ``"not testable"``, which makes it a leaf.
    max_exceedances : int or None, default=20
        A node's permutations stop once this many that are kept score as high as the data; its p-value is then this
        number over how many were kept, which is valid. None draws all.
    criterion : str, Impurity or Criterion, default="gini"
        As in ``TreeClassifier``, but for those that compare features by p-values.
    max_depth, min_samples_split, min_samples_leaf
        As in ``TreeClassifier``; of depth 4 by default.
    categorical_features, max_exact_categories
        As in ``TreeClassifier``. Permutations search all that the tree searches, subsets of categories too; the laws of
        the best threshold do not hold for the best subset, so that the other corrections are refused.
    random_state : int, RandomState or None
        What the permutations depend on; the tree that is grown does not.
    verbose : int, default=0
        Whether each test is printed as it is done.

    Attributes
    ----------
    tree_ : sklearn.tree._tree.Tree
        The splits that are kept.
    pvalues_ : array (nodes,)
        Of each node of ``tree_`` that was tested, leaves that the grown tree splits included; nan elsewhere.
    correction_ : str or None
        The correction that was used.
    verdicts_ : tuple of NodeTest
        What was said of each split tested, from the root down.
    categories_, is_categorical_, splits_, split_names_
        As in ``TreeClassifier``.
    classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in scikit-learn.

    Notes
    -----
    The null of a node is that its labels are exchangeable given the features, and the labels of other rows.

    References
    ----------
    hothorn2006 (nodes tested one by one); strobl2007 (the law of the best threshold); besag1991 (stopping early).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.random((300, 5))
    >>> y = (x[:, 0] > 0.5) ^ (rng.random(300) < 0.1)
    >>> print(InferenceTreeClassifier(random_state=0).fit(x, y).export_text())
    With probability at least 0.95 no node is split whose labels depend on no feature; p is of some split.
    |--- x0 <= 0.5051  (p = 0.001)
    |   |--- class: False (142 rows; p = 0.202, not significant at 0.025)
    |--- x0 >  0.5051
    |   |--- class: True (158 rows; p = 0.101, not significant at 0.025)
    """

    def __init__(
        self, *, alpha: float = 0.05, test: str = "selective", correction: str | None = None,
        n_permutations: int = 999, max_exceedances: int | None = 20, criterion: Any = "gini",
        max_depth: int | None = 4, min_samples_split: Any = 2, min_samples_leaf: Any = 1, random_state: Any = None,
        verbose: int = 0, categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    @structure.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree of a training set, test its splits and keep those that are real.

        Parameters
        ----------
        X : array (n, d), data frame or list
            Dense; cast to float32; NaN is a missing value.
        y : array (n,)
            Class labels of any kind.
        sample_weight : array (n,), optional
            How many equal observations each row stands for.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid, weights are no counts, or a correction needs more
            permutations; the estimator stays as it was.
        """
        x, labels = self._counted(*self._read(X, y), sample_weight)
        classes, codes = training_inputs.classes_of(labels)
        criterion = comparable(criterion_of(self.criterion, len(classes)))
        statistic = statistic_of(criterion, len(classes))
        self._check_tests(len(classes) <= 2, statistic)
        probe(criterion, np.bincount(codes, minlength=len(classes)).astype(float))
        options, training = self._options(), weighed(x, codes, None)
        growing = growing_of(options, training, recoding_of(options, training, self.categories_))

        def permuted(path: Path) -> ClassPath:
            found = ClassPath.of(path, x, codes, len(classes), criterion, growing.stopping)
            return found.with_categories(growing.recoding)

        grown = grow(Columns.of(x, codes, len(classes)), criterion, growing, keep=False)
        tree = self._cut(Trained.of(grown, x, codes, growing.recoding), permuted, growing, statistic)
        return self._take(finished(options, training, tree, partial(class_nodes, criterion), growing.recoding), classes)


@structure.accepting(criterion=[{"squared_error", "absolute_error"}], **RULES)
class InferenceTreeRegressor(Inference, TreeRegressor):
    """A regression tree that keeps a split only if a test finds it real.

    With ``test="selective"``, the default, the probability that the tree keeps any split of a node whose responses do
    not depend on the features is at most ``alpha``, for the whole tree. With ``test="node"`` this is so at the root
    alone: below it every node is tested at ``alpha`` as if its responses had not chosen it, and nothing is controlled.

    Parameters
    ----------
    alpha, test, n_permutations, max_exceedances, max_depth, min_samples_split, min_samples_leaf, random_state, \
    verbose, categorical_features, max_exact_categories
        As in ``InferenceTreeClassifier``.
    correction : {"bonferroni", "discrete", "westfall-young", "permutation"}, optional
        For ``test="node"``, as in ``InferenceTreeClassifier``; ``"permutation"`` by default, and the only one for
        absolute errors. All are by permutations.
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        As in ``TreeRegressor``.

    Attributes
    ----------
    tree_, pvalues_, correction_, verdicts_, n_features_in_, feature_names_in_, max_features_, n_outputs_
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
        self, *, alpha: float = 0.05, test: str = "selective", correction: str | None = None,
        n_permutations: int = 999, max_exceedances: int | None = 20, criterion: str = "squared_error",
        max_depth: int | None = 4, min_samples_split: Any = 2, min_samples_leaf: Any = 1, random_state: Any = None,
        verbose: int = 0, categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # where there are too few rows to tell
        return tags

    @structure.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree of a training set, test its splits and keep those that are real.

        Parameters
        ----------
        X, sample_weight
            As in ``InferenceTreeClassifier.fit``.
        y : array (n,)
            Finite numbers.

        Raises
        ------
        ValueError, TypeError
            As in ``InferenceTreeClassifier.fit``.
        """
        statistic = "variance" if self.criterion == "squared_error" else None
        x, y = self._counted(*self._read(X, y, numeric=True), sample_weight)
        self._check_tests(False, statistic)
        options, training = self._options(), weighed(x, y, None)
        growing = growing_of(options, training, recoding_of(options, training, self.categories_))

        def permuted(path: Path) -> ResponsePath:
            found = ResponsePath.of(path, x, y, self.criterion, growing.stopping)
            return found.with_categories(growing.recoding)

        grown = grow_regression(x, y, None, self.criterion, growing)
        tree = self._cut(Trained.of(grown, x, y, growing.recoding), permuted, growing, statistic)
        return self._take(finished(options, training, tree, response_nodes, growing.recoding))
