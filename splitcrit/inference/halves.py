"""What honest trees of classes and of responses share: rows are divided, some grow a tree, the others test its splits.

Main definitions: ``HonestTree``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier, is_regressor
from sklearn.utils import _safe_indexing, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from splitcrit.arguments import between, whole
from splitcrit.estimators import sparse
from splitcrit.frozen import complaint
from splitcrit.inference.divisions import divided, stability_of
from splitcrit.inference.held_out import counts_of, held_out
from splitcrit.inference.significant import significant_part
from splitcrit.inference.subtree_results import SignificantSubtree
from splitcrit.inference.testing import Plan
from splitcrit.training_inputs import Parameters, all_or_nothing, column, numbers

Array = NDArray[Any]
DEPTH = 4  # of the tree that is grown by default
MOST = 1000  # divisions of the rows
SEEDS = 2**31 - 1
TAKEN = ("classes_", "n_features_in_", "feature_names_in_")  # from the tree that was grown


class HonestTree(Parameters, MetaEstimatorMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """What the two estimators share: rows are divided, some grow a tree, the others test its splits."""

    _kind: Any
    estimator: Any
    alpha: float
    test_size: float
    shares: Any
    nested: bool
    permutations: int | None
    repeats: int
    random_state: Any
    result_: SignificantSubtree

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        base = self._kind() if self.estimator is None else self.estimator
        tags.input_tags.allow_nan = get_tags(base).input_tags.allow_nan
        return tags

    def _base(self) -> Any:
        """Return the tree to grow, before it is cloned."""
        found = self._kind(max_depth=DEPTH) if self.estimator is None else self.estimator
        kinds = "classification" if is_classifier(self) else "regression"
        if not (is_classifier if is_classifier(self) else is_regressor)(found):
            rule = f"the estimator is a {kinds} tree"
            raise TypeError(complaint(rule, type(found).__name__, f"pass {self._kind.__name__}(), say"))
        return found

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow a tree on some of the rows and keep those of its splits that are significant on the others.

        Parameters
        ----------
        X : array (n, d), data frame or list
        y : array (n,)
        sample_weight : array (n,), optional
            Counts: a row of weight 2 stands for two independent rows that are equal, and that may be divided.

        Raises
        ------
        ValueError, TypeError
            If an input or a parameter is invalid; the estimator stays as it was.
        """
        with all_or_nothing(self):
            plan = Plan(self.alpha, self.shares, self.nested, self.permutations)
            between(self.test_size, "test_size", 0, 1, ends=False)
            repeats, rng = whole(self.repeats, "repeats", 1, MOST), _source(self.random_state)
            X, y, rows = self._rows(X, y, sample_weight)
            self.grown_, self.result_, tests = self._once(X, y, plan, rng)
            self.test_rows_ = rows[tests]
            self.estimator_ = self.result_.estimator
            self.tree_ = self.estimator_.tree_
            for name in filter(partial(hasattr, self.grown_), TAKEN):
                setattr(self, name, getattr(self.grown_, name))
            found = [self.result_, *(self._once(X, y, plan, rng)[1] for _ in range(repeats - 1))]
            self.stability_ = stability_of(found, self.n_features_in_)
        return self

    def _rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Array, Array]:
        """Return the rows as often as their weights say, their labels, and their places."""
        if y is None:
            validate_data(self, X, y, skip_check_array=True)  # says that it requires y
        sparse.refuse(X)
        with numbers(X):
            X = X if isinstance(getattr(X, "shape", None), tuple) else np.asarray(X)
        if len(X.shape) != 2:
            rule = "Expected 2D array: features are rows of equal length"  # scikit-learn's words come first
            raise ValueError(complaint(rule, f"shape {X.shape}", "Reshape your data: X.reshape(-1, 1) is one feature"))
        if getattr(y, "ndim", 1) == 2:
            y = column_or_1d(column(y)[:, None], warn=True)
        y, n = self._labels(y), X.shape[0]
        if len(y) != n:
            rule = f"y has one entry for each of {n} rows"
            raise ValueError(complaint(rule, f"{len(y)} entries", "pass as many labels as rows"))
        rows = np.arange(n)
        if sample_weight is not None:
            rows = np.repeat(rows, counts_of(sample_weight, n))
            X, y = _safe_indexing(X, rows), y[rows]
        return X, y, rows

    @abstractmethod
    def _labels(self, y: Any) -> Array:
        """Return labels that can be what the tree is grown by."""

    def _strata(self, y: Array) -> Array:
        """Return the codes that rows are divided by, each in the same shares."""
        return np.zeros(len(y), dtype=np.intp)

    def _once(self, X: Any, y: Array, plan: Plan, rng: Any) -> tuple[Any, SignificantSubtree, Array]:
        """Return a tree grown on some rows, its significant part on the others, and these others."""
        grows, tests = divided(self._strata(y), float(self.test_size), rng)
        tree = clone(self._base())
        if tree.get_params(deep=False).get("random_state", 0) is None:
            tree.set_params(random_state=rng.randint(SEEDS))
        tree.fit(_safe_indexing(X, grows), y[grows])
        held = held_out(tree, _safe_indexing(X, tests), y[tests])
        seeded = Plan(plan.alpha, plan.shares, plan.nested, plan.permutations, rng.randint(SEEDS))
        return tree, significant_part(tree, held, seeded), tests

    def apply(self, X: Any) -> Array:
        """Return the node of ``tree_`` in which each row ends."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.apply(X))

    def _values(self, X: Any) -> Array:
        reached = self.apply(X)
        return np.asarray(self.result_.values[self.result_.kept][reached])


def _source(random_state: Any) -> Any:
    """Return the source of random numbers that scikit-learn makes of a seed."""
    if isinstance(random_state, Integral):
        random_state = whole(random_state, "random_state", 0, 2**32 - 1)
    return check_random_state(random_state)
