"""What the parameters of the estimator may be.

Main definitions: ``criterion_of_tree``, ``rules_of``, ``categorical_mask``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array, one_of
from splitcrit.arith import Arithmetic
from splitcrit.criteria import Criterion
from splitcrit.discretize.gaps import criterion_for_rows
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, Search
from splitcrit.multiway.segments import NUMBERS, WHOLE, MultiwayRules
from splitcrit.multiway.tree import GAPS, UNSEEN

CHOICES = {
    "count_values": ("node", "data"), "clustering": ("node", "once"), "ties": ("first", "parent"),
    "gaps": GAPS, "unseen": UNSEEN,
}  # fmt: skip


@dataclass(frozen=True)
class Together:
    """The score of a criterion that compares the tables of the features of a node, and has none for one table."""

    measure: Callable[[Sequence[Any]], Any]

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        rule = f"{self.measure!r} scores the tables of a node together"
        raise TypeError(complaint(rule, "one table", "let every feature branch on its values"))


def criterion_of_tree(value: Any) -> Criterion:
    """Return the criterion of a tree's tables: one for any number of rows, or one for all of a node."""
    if callable(value) and not isinstance(value, Criterion | Impurity):
        return Criterion(repr(value), Together(value), search=Search(of_node=value))
    return criterion_for_rows(value)


def rules_of(parameters: Mapping[str, Any]) -> MultiwayRules:
    """Return the rules of a node, or raise ValueError about the first parameter that is invalid."""
    for name, known in CHOICES.items():
        one_of(parameters[name], known, name)
    rules = MultiwayRules(**{name: parameters[name] for name in ("linkage", *WHOLE, *NUMBERS)})
    return rules if parameters["count_values"] == "node" else replace(rules, d_num=0)


def few_values(x: Array, most: int) -> Array:
    """Tell which features have at most this number of distinct values."""
    return np.array([len(np.unique(column)) <= most for column in x.T])


def categorical_mask(given: Any, names: list[str], features: int) -> Array:
    """Tell which features are declared to be categorical, by a mask, places or names.

    Raises
    ------
    ValueError
        If a declared feature is not there.
    """
    mask = np.zeros(features, dtype=bool)
    if given is None:
        return mask
    listed = np.asarray(given)
    if listed.dtype == bool and listed.shape == mask.shape:
        return listed
    for feature in listed.tolist() if listed.ndim == 1 and listed.dtype != bool else [given]:
        place = names.index(feature) if feature in names else feature
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < features:
            rule = f"categorical_features are names or places of the {features} features, or a mask of them"
            raise ValueError(complaint(rule, repr(feature), "pass features of the training set"))
        mask[place] = True
    return mask
