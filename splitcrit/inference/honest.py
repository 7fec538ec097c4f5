"""Trees whose splits were found on some rows and hold on others: estimators with the interface of scikit-learn.

Main definitions: ``HonestTreeClassifier``, ``HonestTreeRegressor``, two ``HonestTree``; ``divided``, the rows that grow
the tree and those that test it; ``Stability``, how the result changes with this division.
Main results: any split whose null hypothesis is true is kept in at most a share alpha of data sets; see ``familywise``.
Source: athey2016 for rows that grow and rows that estimate; the tests are those of ``significant_part``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import Any, Self, final

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    RegressorMixin,
    clone,
    is_classifier,
    is_regressor,
)
from sklearn.utils import _safe_indexing, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from splitcrit.arguments import Array, a_table, between, finite, whole
from splitcrit.data.categories_input import names_of
from splitcrit.data.columns import read_columns
from splitcrit.data.training_inputs import (
    ClassScore,
    Parameters,
    all_or_nothing,
    classes_of,
    column,
    labels_of,
    numbers,
)
from splitcrit.display import described, many, shortened
from splitcrit.frozen import complaint
from splitcrit.inference.held_out import held_out
from splitcrit.inference.significant_part import SignificantSubtree, significant_part
from splitcrit.inference.testing import TreeTestPlan
from splitcrit.nulls.alarms import alarms
from splitcrit.nulls.groups import dependence_of
from splitcrit.nulls.table_pvalues import counts_of
from splitcrit.trees.estimators import sparse_input
from splitcrit.trees.estimators.classifier import TreeClassifier
from splitcrit.trees.estimators.narrowing import refuse_merged
from splitcrit.trees.estimators.reading import TrainingReader
from splitcrit.trees.estimators.regressor import TreeRegressor
from splitcrit.trees.estimators.tuning import drawn_rows
from splitcrit.trees.tree_arrays import nodes_of

DEPTH = 4  # of the tree that is grown by default
MOST = 1000  # divisions of the rows
SEEDS = 2**31 - 1
TAKEN = ("classes_", "n_features_in_", "feature_names_in_")  # from the tree that was grown


@final
@dataclass(frozen=True, eq=False, repr=False)
class Stability:
    """The change of the significant subtree with the division of the rows.

    Parameters
    ----------
    root : array (d,)
        In which share of the divisions each feature divides the root, significantly.
    anywhere : array (d,)
        In which share of the divisions a significant split is one by this feature, wherever it stands.
    leaves : int array (divisions,)
        How many leaves survive; 1 if no split does.

    Examples
    --------
    >>> from splitcrit import TreeClassifier
    >>> from splitcrit.inference.honest import HonestTreeClassifier
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(300, 3))
    >>> y = rng.random(300) < np.where(x[:, 1] > 0, 0.7, 0.3)
    >>> found = HonestTreeClassifier(repeats=20, random_state=0).fit(x, y).stability_
    >>> found.root.round(2).tolist(), np.bincount(found.leaves).tolist()
    ([0.0, 1.0, 0.0], [0, 0, 19, 1])
    """

    root: Array
    anywhere: Array
    leaves: Array

    __repr__ = shortened
    _repr_html_ = described


def divided(codes: Array, test_size: float, rng: Any, groups: Array | None = None) -> tuple[Array, Array]:
    """The rows that grow a tree and those that test it, in order: of each class that share tests.

    One row of each class grows the tree at least, so that no testing row has a class that the tree has not seen. Of a
    group all rows grow or test, see ``drawn_rows``.

    Raises
    ------
    ValueError
        If no row would test, or none would grow.
    """
    tests = drawn_rows(codes, groups, test_size, rng)
    if not tests.any():
        rule = "an honest tree needs rows to grow on and rows to test on"
        got = f"test_size={test_size:g} of {many(len(codes), 'sample')}"
        raise ValueError(complaint(rule, got, "pass more rows, or a larger test_size"))
    return np.flatnonzero(~tests), np.flatnonzero(tests)


def table_of(X: Any) -> Any:
    """Features whose rows can be taken: a frame or an array as it is, nested lists as an array."""
    taken = isinstance(getattr(X, "shape", None), tuple) and not isinstance(X, memoryview)
    with numbers(X):
        X = X if taken else np.asarray(X)
    a_table(X, sparse=True)
    return X


def stability_of(results: Iterable[SignificantSubtree], features: int) -> Stability:
    """Count how often features divide in several significant subtrees."""
    root, anywhere, leaves = [], [], []
    for result in results:
        where = np.flatnonzero(result.tests.rejected)
        which = _features(result)
        root.append(np.bincount(which[where == 0], minlength=features) > 0)
        anywhere.append(np.bincount(which, minlength=features) > 0)
        leaves.append(len(where) + 1)
    return Stability(np.mean(root, axis=0), np.mean(anywhere, axis=0), np.array(leaves))


def _features(result: SignificantSubtree) -> Array:
    """The features of the significant splits; a split by categories is one by its feature."""
    nodes = nodes_of(result.estimator)
    subsets = getattr(result.estimator, "splits_", {})
    inner = np.flatnonzero(nodes.children_left >= 0)
    columns = nodes.feature
    return np.array([subsets[v].feature if v in subsets else columns[v] for v in inner.tolist()], dtype=np.intp)


class HonestTree(Parameters, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """The base of both estimators: rows are divided, some grow a tree, the others test its splits."""

    _kind: Any
    result_: SignificantSubtree
    _remarks: tuple[str, ...]

    def __init__(
        self, estimator: Any = None, *, alpha: float = 0.05, test_size: float = 0.5, shares: Any = "halves",
        nested: bool = False, permutations: int | None = None, repeats: int = 1, random_state: Any = None,
    ) -> None:  # fmt: skip
        self._set(locals())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        base = self._kind() if self.estimator is None else self.estimator
        tags.input_tags.allow_nan = get_tags(base).input_tags.allow_nan
        return tags

    def _base(self) -> Any:
        """The tree to grow, before it is cloned."""
        base = self._kind(max_depth=DEPTH) if self.estimator is None else self.estimator
        kind = "classification" if is_classifier(self) else "regression"
        fits = is_classifier if is_classifier(self) else is_regressor
        if not fits(base):
            rule = f"the estimator is a {kind} tree"
            raise TypeError(complaint(rule, type(base).__name__, f"pass {self._kind.__name__}()"))
        return base

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, strata: Any = None) -> Self:
        """Grow a tree on some of the rows and keep those of its splits that are significant on the others.

        Parameters
        ----------
        X : array (n, d), data frame or list
        y : array (n,)
        sample_weight : array (n,), optional
            Counts: a row of weight 2 stands for two independent rows that are equal, and that may be divided. One
            number for each class is refused.
        groups : array (n,), optional
            The group of each row, such as a patient: whole groups grow the tree or test it. A test gives each group
            that has rows at a node one vote there, and moves its labels together, see `significant_subtree`.
        strata : array (n,), optional
            The stratum of each row, such as a site: labels move within strata alone, see `significant_subtree`.

        Raises
        ------
        ValueError, TypeError
            If an input or a parameter is invalid; the estimator stays as it was.
        """
        with all_or_nothing(self):
            plan = TreeTestPlan(self.alpha, self.shares, self.nested, self.permutations)
            between(self.test_size, "test_size", 0, 1, ends=False)
            repeats = whole(self.repeats, "repeats", 1, MOST)
            seed = self.random_state
            rng = check_random_state(whole(seed, "random_state", 0, 2**32 - 1) if isinstance(seed, Integral) else seed)
            X, y, rows = self._rows(X, y, sample_weight)
            among = dependence_of(groups, strata, len(y), weights=sample_weight)
            if among is not None:
                plan = replace(plan, among=among)
                self._remarks += among.remarks()
            elif sample_weight is None:
                self._remarks += alarms((column.coded()[1] for column in read_columns(X).values()), y)
            self.grown_, self.result_, tests = self._once(X, y, plan, rng)
            self.test_rows_ = rows[tests]
            self.estimator_ = self.result_.estimator
            for name in filter(partial(hasattr, self.grown_), TAKEN):
                setattr(self, name, getattr(self.grown_, name))
            results = [self.result_, *(self._once(X, y, plan, rng)[1] for _ in range(repeats - 1))]
            self.stability_ = stability_of(results, self.n_features_in_)
        return self

    def _rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Array, Array]:
        """The rows as often as their weights say, their labels, and their places."""
        if y is None:
            validate_data(self, X, y, skip_check_array=True)  # says that it requires y
        sparse_input.refuse(X)
        X = table_of(X)
        if getattr(y, "ndim", 1) == 2:
            y = column_or_1d(column(y)[:, None], warn=True)
        y = labels_of(column(y)) if is_classifier(self) else finite(column(y), "responses", 1)
        n = X.shape[0]
        if len(y) != n:
            rule = f"y has one entry for each of {n} rows"
            raise ValueError(complaint(rule, f"{len(y)} entries", "pass as many labels as rows"))
        rows = np.arange(n)
        times, self._remarks = counts_of(sample_weight, y)
        if times is not None:
            rows = np.repeat(rows, times)
            X, y = _safe_indexing(X, rows), y[rows]
        return X, y, rows

    def _once(self, X: Any, y: Array, plan: TreeTestPlan, rng: Any) -> tuple[Any, SignificantSubtree, Array]:
        """A tree grown on some rows, its significant part on the others, and these others."""
        codes = classes_of(y)[1] if is_classifier(self) else np.zeros(len(y), dtype=np.intp)
        grows, tests = divided(codes, float(self.test_size), rng, plan.among and plan.among.groups)
        tree = clone(self._base())
        if tree.get_params(deep=False).get("random_state", 0) is None:
            tree.set_params(random_state=rng.randint(SEEDS))
        rows = _safe_indexing(X, grows)
        tree.fit(rows, y[grows])
        if not isinstance(tree, TrainingReader):  # those of scikit-learn say nothing of what float32 merges
            refuse_merged(rows, np.asarray(rows, np.float32), names_of(rows), kind=np.float32)
        fresh = replace(held_out(tree, _safe_indexing(X, tests), y[tests]), remarks=self._remarks)
        plan = replace(plan, rng=rng.randint(SEEDS), among=plan.among and plan.among.take(tests))
        return tree, significant_part(tree, fresh, plan), tests

    @property
    def tree_(self) -> Any:
        """The ``tree_`` of ``estimator_``."""
        check_is_fitted(self)
        return self.estimator_.tree_

    def apply(self, X: Any) -> Array:
        """The node of ``estimator_`` in which each row ends."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.apply(X))

    def decision_path(self, X: Any) -> Any:
        """The nodes that each row passes, as a sparse matrix ``(n, nodes)`` of 0 and 1."""
        check_is_fitted(self)
        return self.estimator_.decision_path(X)

    def get_depth(self) -> int:
        """The depth of the tree."""
        check_is_fitted(self)
        return int(self.estimator_.get_depth())

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self)
        return int(self.estimator_.get_n_leaves())

    def _values(self, X: Any) -> Array:
        reached = self.apply(X)
        return np.asarray(self.result_.values[self.result_.nodes][reached])


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
        The share of data sets in which any split is kept whose null hypothesis is true.
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

    See Also
    --------
    InferenceTreeClassifier : Uses all rows to grow and to test.
    significant_subtree : A tree that you have already.

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
    (15, 2, [[0.81, 0.19]])
    """

    _kind = TreeClassifier

    def predict_proba(self, X: Any) -> Array:
        """The class shares among the testing rows of the leaf of each row, in the order of ``classes_``."""
        counts = self._values(X)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> Array:
        """The most frequent class among the testing rows of the leaf of each row."""
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

    See Also
    --------
    HonestTreeClassifier : Class labels.
    InferenceTreeRegressor : Uses all rows to grow and to test.

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
    (16, 2, array([2.]))
    """

    _kind = TreeRegressor

    def predict(self, X: Any) -> Array:
        """The mean response among the testing rows of the leaf of each row."""
        return np.asarray(self._values(X)[:, 0])
