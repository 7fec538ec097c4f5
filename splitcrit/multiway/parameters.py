"""What the parameters of the estimator may be.

Main definitions: ``check_parameters``, ``criterion_of_tree``, ``categorical_mask``, ``rules_of``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import whole
from splitcrit.arith import Arithmetic
from splitcrit.criteria import Criterion
from splitcrit.discretize.gaps import criterion_for_rows, one_linkage
from splitcrit.impurities import Impurity
from splitcrit.multiway.segments import Rules
from splitcrit.multiway.tree import GAPS, UNSEEN
from splitcrit.values import complaint

Array = NDArray[Any]
CHOICES = {
    "count_values": ("node", "data"), "clustering": ("node", "once"), "ties": ("first", "parent"),
    "gaps": GAPS, "unseen": UNSEEN,
}  # fmt: skip
WHOLE = {"minnum": (1, False), "d_num": (0, False), "max_clusters": (2, True), "max_depth": (0, True)}
NUMBERS = {"min_gain": np.inf, "max_pvalue": 1.0}  # from 0 to this


@dataclass(frozen=True)
class OfNode:
    """A callable that scores the tables of the features of a node together, as the score of a criterion."""

    measure: Callable[[Sequence[Any]], Any]

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        rule = f"{self.measure!r} scores the tables of a node together"
        raise TypeError(complaint(rule, "one table", "let every feature branch on its values"))

    def of_node(self, tables: Sequence[Any]) -> Any:
        """Return one score for each table."""
        return self.measure(tables)


def criterion_of_tree(value: Any) -> Criterion:
    """Return what scores the tables of a tree: a criterion for any number of rows, or one for all of a node."""
    if callable(value) and not isinstance(value, Criterion | Impurity):
        return Criterion(repr(value), OfNode(value))
    return criterion_for_rows(value)


def check_parameters(estimator: Any) -> None:
    """Raise ValueError about the first parameter that does not do."""
    one_linkage(estimator.linkage)
    for name, known in CHOICES.items():
        if not isinstance(value := getattr(estimator, name), str) or value not in known:
            remedy = f"pass one of {', '.join(map(repr, known))}"
            raise ValueError(complaint(f"{name} is one of {len(known)} words", repr(value), remedy))
    for name, (least, absent) in WHOLE.items():
        if not (absent and getattr(estimator, name) is None):
            whole(getattr(estimator, name), name, least)
    for name, most in NUMBERS.items():
        value = getattr(estimator, name)
        number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool | np.bool_)
        number = number and not (isinstance(value, int) and value > 2**63)
        if value is not None and not (number and 0 <= value <= most):
            bound = "from 0" if most == np.inf else f"from 0 to {most:g}"
            raise ValueError(complaint(f"{name} is a number {bound}, or None", repr(value), "pass one in this range"))


def rules_of(estimator: Any) -> Rules:
    """Return what a node may do."""
    d_num = estimator.d_num if estimator.count_values == "node" else 0
    return Rules(
        estimator.minnum, d_num, estimator.max_depth, estimator.max_clusters, estimator.min_gain,
        estimator.max_pvalue, estimator.linkage,
    )  # fmt: skip


def categorical_mask(estimator: Any, x: Array) -> Array:
    """Return which features branch on their values at every node: those declared, and those with few values in all.

    Raises
    ------
    ValueError
        If a declared feature is not there.
    """
    d = x.shape[1]
    mask = np.zeros(d, dtype=bool)
    if estimator.count_values == "data":
        mask |= np.array([len(np.unique(column)) <= estimator.d_num for column in x.T])
    given = estimator.categorical_features
    if given is None:
        return mask
    listed = np.asarray(given)
    if listed.dtype == bool and listed.shape == (d,):
        return np.asarray(mask | listed)
    names = list(getattr(estimator, "feature_names_in_", []))
    for feature in listed.tolist() if listed.ndim == 1 and listed.dtype != bool else [given]:
        place = names.index(feature) if feature in names else feature
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < d:
            rule = f"categorical_features are names or places of the {d} features, or a mask of them"
            raise ValueError(complaint(rule, repr(feature), "pass features of the training set"))
        mask[place] = True
    return mask
