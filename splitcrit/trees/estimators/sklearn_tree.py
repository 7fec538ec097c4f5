"""Every private name of scikit-learn that the estimators use, but the methods that ``mixins`` overrides.

The nodes of a tree become a ``sklearn.tree._tree.Tree`` where one is asked for, filled through its ``__setstate__``; so
pruning, importances, plots and exports are scikit-learn's own. Its constructor and the layout of its node array are
private and differ by version: a stump that scikit-learn fitted lends the class, what else the constructor takes (from
1.10 on the categories of each feature), and of the fields of ``LENT`` their values at a split by a number and at a
leaf. Other fields stop with a sentence.

Main definitions: ``lent``, ``applied_in_float32``, ``pruned``, ``without_splits``, ``by_node``; ``accepting``,
``fitting``.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cache, lru_cache, wraps
from inspect import signature
from numbers import Integral, Real
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import TREE_LEAF, _build_pruned_tree_ccp
from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions, make_constraint

from splitcrit.arguments import Array
from splitcrit.compiling import reporting_compilation
from splitcrit.data.training_inputs import all_or_nothing
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.nulls.criterion_names import written
from splitcrit.trees.tree_arrays import Structure, TreeNodes, nodes_kept, nodes_of

T = TypeVar("T")
REAL = ("min_gain", "min_impurity_decrease", "ccp_alpha")
FIELDS = {
    "left_child", "right_child", "feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples",
    "missing_go_to_left",
}  # fmt: skip
LENT = {"left_cat_bitset", "split_kind"}  # of scikit-learn 1.10: the categories of a split, and its kind
OURS = {
    "min_gain": [Interval(Real, 0, None, closed="left"), None],
    "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    "max_exact_categories": [Interval(Integral, 1, 16, closed="both")],
    "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
}


def lent(nodes: TreeNodes) -> Any:
    """scikit-learn's structure of the nodes of a tree.

    Raises
    ------
    TypeError
        If scikit-learn's nodes have a field that is not known here.
    """
    inner = nodes.children_left != TREE_LEAF  # which is -1 on both sides
    make, state = lender(nodes.n_features)
    table = np.zeros(len(inner), state["nodes"].dtype)
    for name in table.dtype.names:  # by fields, for what stands between them is whatever was in the memory
        table[name][inner], table[name][~inner] = state["nodes"][name][:2]
    table["left_child"], table["right_child"] = nodes.children_left, nodes.children_right
    table["feature"][inner], table["threshold"][inner] = nodes.feature[inner], nodes.threshold[inner]
    for name in ("impurity", "n_node_samples", "weighted_n_node_samples"):
        table[name] = getattr(nodes, name)
    table["missing_go_to_left"] = nodes.missing_go_to_left
    tree = make(nodes.value.shape[2], nodes.value.shape[1])
    counts = {"max_depth": nodes.max_depth, "node_count": len(inner)}
    tree.__setstate__({**state, **counts, "nodes": table, "values": nodes.value})
    return tree


def applied_in_float32(nodes: TreeNodes, names: Any) -> Any:
    """scikit-learn's structure of the nodes of a tree, for rows that it rounds to float32; columns have ``names``.

    Raises
    ------
    ValueError
        If a threshold lies between values of the training rows that float32 does not tell apart.
    """
    if not nodes.in_float32.all():
        node = int(np.argmin(nodes.in_float32))
        rule = "scikit-learn's tree_ applies thresholds to values rounded to float32"
        cut, name = float(nodes.threshold[node]), names[nodes.feature[node]]
        got = f"{cut!r} in column {name}, between values that are then equal"
        raise ValueError(complaint(rule, got, "read nodes_, or fit on X.astype(numpy.float32)"))
    return lent(nodes)


@lru_cache(maxsize=64)
def lender(features: int) -> tuple[Callable[[Any, int], Any], dict[str, Any]]:
    """The maker of an empty tree, from its classes and outputs, and the state of a stump of these features.

    Examples
    --------
    >>> make, state = lender(3)
    >>> make(5, 1).n_features, state["node_count"]
    (3, 3)
    """
    two = np.eye(2, features, -1, dtype=np.float32)  # rows that the first feature tells apart
    kind, (_, _, _, *more), state = DecisionTreeClassifier(random_state=0).fit(two, [0, 1]).tree_.__reduce__()
    if strange := sorted(({*state["nodes"].dtype.names} - LENT) ^ FIELDS):
        rule, got = "scikit-learn's nodes have the fields of versions 1.9 and 1.10", ", ".join(strange)
        raise TypeError(complaint(rule, f"other ones: {got}", "read nodes_, or install scikit-learn 1.9"))

    def empty(classes: Any, outputs: int) -> Any:
        return kind(features, np.full(outputs, classes, dtype=np.intp), outputs, *more)

    return empty, state


def pruned(nodes: TreeNodes, ccp_alpha: float) -> TreeNodes:
    """The nodes of a tree pruned by scikit-learn's minimal cost-complexity."""
    if ccp_alpha == 0:
        return nodes
    numbered = lent(replace(nodes, n_node_samples=np.arange(nodes.node_count)))
    smaller = lender(nodes.n_features)[0](numbered.n_classes, numbered.n_outputs)
    _build_pruned_tree_ccp(smaller, numbered, ccp_alpha)
    divides = np.zeros(nodes.node_count, dtype=bool)
    divides[smaller.n_node_samples] = smaller.children_left != TREE_LEAF
    return nodes.taken(smaller.n_node_samples, divides)


def without_splits(estimator: Any, divides: Array) -> Any:
    """A copy of a fitted tree, of this library or scikit-learn's, in which only some nodes still divide.

    What stood below the others is cut off; values, sizes and impurities stay as they were.
    """
    fewer, nodes = copy(estimator), nodes_of(estimator)
    ours = nodes if isinstance(nodes, TreeNodes) else TreeNodes.read(nodes)
    cut = ours.taken(nodes_kept(Structure.of(ours), divides), divides)
    fewer.__dict__.update({"nodes_": cut} if ours is nodes else {"tree_": lent(cut)})
    return fewer


def by_node(tree: Any) -> Any:
    """scikit-learn's structure of a tree in which each node is split by a feature of its own number."""
    state = tree.__getstate__()
    nodes = state["nodes"] = state["nodes"].copy()
    nodes["feature"] = np.where(nodes["left_child"] == TREE_LEAF, nodes["feature"], np.arange(len(nodes)))
    renumbered = lender(len(nodes))[0](tree.n_classes, tree.n_outputs)
    renumbered.__setstate__(state)
    return renumbered


def accepting(**allowed: list[Any]) -> Callable[[type[T]], type[T]]:
    """A class decorator that sets the allowed values of parameters, besides scikit-learn's and ``OURS``.

    A parameter whose annotation lists names, as a ``Literal``, takes these and what else the annotation says; rules
    about other names than parameters are dropped. Found once, from the class alone: the names of its parameters, and
    the rules as scikit-learn checks them, whose words refuse a value.
    """

    def decorated(cls: Any) -> Any:
        every, parameters = {**cls._parameter_constraints, **OURS, **_named(cls), **allowed}, signature(cls).parameters
        cls._parameter_constraints = {name: rule for name, rule in every.items() if name in parameters}
        names: Any = _names
        cls._get_param_names, cls._validate_params = classmethod(names), _validate
        return cls

    return decorated


def _named(cls: Any) -> dict[str, list[Any]]:
    """The rules of the parameters that an annotation gives names to."""
    hints, rules = get_type_hints(cls.__init__), {}
    for name, hint in hints.items():
        kinds = get_args(hint) if isinstance(hint, UnionType) or get_origin(hint) is Union else (hint,)
        if words := {word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)}:
            others = [None if kind is type(None) else kind for kind in kinds if get_origin(kind) is not Literal]
            rules[name] = [StrOptions(words), *others]
    return rules


@cache
def _names(cls: Any) -> list[str]:
    """The names of the parameters of an estimator's class."""
    return list(BaseEstimator._get_param_names.__func__(cls))


@cache
def _rules(cls: Any) -> list[tuple[str, Any, list[Any]]]:
    """Name and default of each parameter of an estimator's class, and a list of rules of which one must hold."""
    rules, parameters = cls._parameter_constraints, signature(cls).parameters
    names = [name for name in cls._get_param_names() if rules.get(name, "no_validation") != "no_validation"]
    return [(name, parameters[name].default, list(map(make_constraint, rules[name]))) for name in names]


def _validate(self: Any) -> None:
    """Raise scikit-learn's error unless every parameter has a value that is allowed."""
    kind: Any = type(self)
    for name, default, kinds in _rules(kind):
        value = getattr(self, name)
        if value is not default and not any(rule.is_satisfied_by(value) for rule in kinds):
            call = written(value) if name == "criterion" and isinstance(value, str) else None
            if call and any(rule.is_satisfied_by(gini) for rule in kinds):
                noun = f"the 'criterion' parameter of {kind.__name__} must be a name, an impurity or a criterion"
                raise InvalidParameterError(complaint(noun, repr(value), call))
            BaseEstimator._validate_params(self)


def fitting(fit: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate ``fit``: parameters are validated first, and the estimator stays as it was if it fails.

    They are validated by scikit-learn's rules; besides, a real one is no integer that no float can hold.
    """
    validated = _fit_context(prefer_skip_nested_validation=True)(fit)

    @wraps(fit)
    def fitted(self: Any, *args: Any, **named: Any) -> Any:
        for name in REAL:
            if isinstance(value := getattr(self, name, None), int) and value > 2**1000:
                rule = f"the {name!r} parameter of {type(self).__name__} must be a number that a float can hold"
                raise ValueError(complaint(rule, f"an integer of {value.bit_length()} bits", "pass a smaller one"))
        with all_or_nothing(self), reporting_compilation():
            return validated(self, *args, **named)

    return fitted
