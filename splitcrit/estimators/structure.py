"""Every private name of scikit-learn that the estimators use, and nothing else.

A grown tree becomes a ``sklearn.tree._tree.Tree``, filled through its ``__setstate__``; so prediction, pruning,
importances, plots and exports are scikit-learn's own. The layout of its node array is private, which is why the
version of scikit-learn is capped.

Main definitions: ``filled``, ``prune``, ``accepting``, ``fitting``; ``Member`` and ``Grove``, by
which scikit-learn's forests grow our trees.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import _fit_context
from sklearn.tree._tree import NODE_DTYPE, TREE_LEAF, TREE_UNDEFINED, Tree
from sklearn.utils._param_validation import Interval, StrOptions

from splitcrit.growth import Grown
from splitcrit.inputs import numbers, unmasked
from splitcrit.values import complaint

Array = NDArray[Any]
T = TypeVar("T")
REAL = ("min_gain", "min_impurity_decrease", "ccp_alpha")


def filled(grown: Grown, features: int, values: Array, impurity: Array) -> Any:
    """Return scikit-learn's structure of a grown tree.

    Parameters
    ----------
    grown : Grown
    features : int
    values : array (nodes, K)
        Class proportions, or one response, of each node.
    impurity : array (nodes,)
    """
    leaf = grown.left < 0
    nodes = np.zeros(len(leaf), NODE_DTYPE)
    nodes["left_child"] = np.where(leaf, TREE_LEAF, grown.left)
    nodes["right_child"] = np.where(leaf, TREE_LEAF, grown.right)
    nodes["feature"] = np.where(leaf, TREE_UNDEFINED, grown.feature)
    nodes["threshold"] = np.where(leaf, TREE_UNDEFINED, grown.threshold)
    nodes["impurity"] = impurity
    nodes["n_node_samples"] = grown.size
    nodes["weighted_n_node_samples"] = grown.weights.sum(axis=1)
    nodes["missing_go_to_left"] = grown.missing_left
    tree = Tree(features, np.array([values.shape[1]], dtype=np.intp), 1)
    held = np.ascontiguousarray(values[:, None, :], dtype=np.float64)
    state = {"max_depth": int(grown.depth.max()), "node_count": len(leaf), "nodes": nodes, "values": held}
    tree.__setstate__(state)
    return tree


def prune(estimator: Any) -> None:
    """Prune a fitted estimator by minimal cost-complexity, as its ``ccp_alpha`` says.

    A tree over more columns than there are features keeps them all.
    """
    columns = estimator.tree_.n_features
    estimator._prune_tree()
    tree = estimator.tree_
    if tree.n_features != columns:
        estimator.tree_ = Tree(columns, np.atleast_1d(tree.n_classes), 1)
        estimator.tree_.__setstate__(tree.__getstate__())


def accepting(**allowed: list[Any]) -> Callable[[type[T]], type[T]]:
    """Return a class decorator: what parameters may be, besides scikit-learn's own; sets stand for names.

    ``min_gain`` may be None or a number from 0, ``validation_fraction`` a number between 0 and 1. Rules about what is
    no parameter are dropped.
    """

    def decorated(estimator: Any) -> Any:
        known = {name: [StrOptions(x) if isinstance(x, set) else x for x in kinds] for name, kinds in allowed.items()}
        known["min_gain"] = [Interval(Real, 0, None, closed="left"), None]
        known["categorical_features"] = ["array-like", StrOptions({"from_dtype"}), None]
        known["max_pvalue"] = [Interval(Real, 0, 1, closed="both"), None]
        known["look_ahead"] = [Interval(Integral, 1, None, closed="left"), None]
        known["min_difference"] = [Interval(Real, 0, 1, closed="both")]
        known["max_exact_categories"] = [Interval(Integral, 1, 16, closed="both")]
        known["validation_fraction"] = [Interval(Real, 0, 1, closed="neither")]
        every, parameters = {**estimator._parameter_constraints, **known}, signature(estimator).parameters
        estimator._parameter_constraints = {name: rule for name, rule in every.items() if name in parameters}
        return estimator

    return decorated


def fitting(fit: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate ``fit``: parameters are validated first, by scikit-learn's rules; a real one is no giant integer."""
    validated = _fit_context(prefer_skip_nested_validation=True)(fit)

    @wraps(fit)
    def fitted(self: Any, *given: Any, **named: Any) -> Any:
        for name in REAL:
            if isinstance(value := getattr(self, name, None), int) and value > 2**1000:
                rule = f"the {name!r} parameter of {type(self).__name__} must be a number that a float can hold"
                raise ValueError(complaint(rule, f"an integer of {value.bit_length()} bits", "pass a smaller one"))
        return validated(self, *given, **named)

    return fitted


class Member:
    """A tree that scikit-learn's forests can fit: they call ``_fit`` with features that they have validated."""

    _grower: Any = None

    def _fit(self, X: Array, y: Array, sample_weight: Array | None = None, **_: Any) -> Any:
        grower = vars(self).pop("_grower", None)
        if grower is None:
            return self.fit(X, y, sample_weight, check_input=False)  # type: ignore[attr-defined]
        grower.fit(self, X, y.reshape(-1), sample_weight)
        return self


class Grove:
    """A forest of scikit-learn whose trees share a grower, and whose out-of-bag predictions are its ``ballots``."""

    ballots: Callable[[Any, Array], Array]
    estimators_: list[Any]
    estimator_params: tuple[str, ...]

    def _make_estimator(self, append: bool = True, random_state: Any = None) -> Any:
        tree = super()._make_estimator(append, random_state)  # type: ignore[misc]
        tree._grower = vars(self).get("_grower")
        return tree

    def _get_oob_predictions(self, tree: Any, X: Array) -> Array:
        return self.ballots(tree, X)[:, :, None]

    def grown_by(self, grower: Any, fit: Callable[..., Any], X: Array, y: Array, sample_weight: Array | None) -> None:
        """Fit by scikit-learn's ``fit`` with the trees of a grower; the names of the features stay."""
        names = {name: value for name, value in vars(self).items() if name == "feature_names_in_"}
        if hasattr(self, "estimators_"):  # with warm_start, ``fit`` adds to this list
            self.estimators_ = list(self.estimators_)
        self._grower = grower
        with numbers(X):
            fit(X, y, sample_weight)
        del self._grower
        vars(self).update(names)

    def _validate_X_predict(self, X: Any) -> Any:
        with numbers(X):
            return super()._validate_X_predict(X)  # type: ignore[misc]

    def read_again(self, X: Any) -> Array:
        """Return features in float32 for the trees of a fitted forest."""
        return np.asarray(self._validate_X_predict(X))


class Widened:
    """A tree over more columns than its features: before it predicts, ``widened`` adds the columns."""

    categories_: Any = None
    widened: Callable[[Any], Array]

    def _validate_X_predict(self, X: Any, check_input: bool) -> Any:
        if not check_input and self.categories_ is None:
            return super()._validate_X_predict(X, check_input)  # type: ignore[misc]
        unmasked(X, "features")
        if self.categories_ is not None:
            return self.widened(X)
        with numbers(X):
            return super()._validate_X_predict(X, check_input)  # type: ignore[misc]
