"""Algorithm 1: at every node the best table of all features, one row for each value or cluster.

Main definitions: ``grow_multiway``, ``MultiwayRules``; ``criterion_of_tree``, ``categorical_mask``.
Source: wang2024, Algorithm 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array, as_float, is_number, of_kind, one_of, whole
from splitcrit.arith import Arithmetic
from splitcrit.criteria import Criterion
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown
from splitcrit.impurities import Impurity, Search
from splitcrit.multiway.hierarchy import LINKAGES, Hierarchy, state_scores
from splitcrit.multiway.intervals import criterion_for_rows
from splitcrit.multiway.tree import MultiwayTree
from splitcrit.search.ties_and_scores import band
from splitcrit.training_inputs import coded_rows

WHOLE = {"minnum": (1, False), "d_num": (0, False), "max_clusters": (2, True), "max_depth": (0, True)}


@dataclass(frozen=True, repr=False)
class MultiwayRules:
    """The rules for a node; see the estimator's parameters of the same names.

    Raises
    ------
    ValueError
        About the first parameter that is invalid.

    Examples
    --------
    >>> MultiwayRules(max_clusters=0)
    Traceback (most recent call last):
    ValueError: max_clusters is an integer from 2; got 0; pass 2 for instance
    """

    minnum: int = 1
    d_num: int = 10
    max_depth: int | None = None
    max_clusters: int | None = None
    min_gain: float | None = 0.0
    linkage: str = "single"

    __repr__ = shortened

    def __post_init__(self) -> None:
        """Check the values."""
        one_of(self.linkage, LINKAGES, "linkage")
        for name, (least, absent) in WHOLE.items():
            if not (absent and getattr(self, name) is None):
                object.__setattr__(self, name, whole(getattr(self, name), name, least))
        if (gain := self.min_gain) is not None:
            number = as_float(gain) if is_number(gain) else np.nan
            if not number >= 0 or (number == np.inf and gain < np.inf):  # an integer above all floats
                rule = "min_gain is a number from 0, or None"
                raise ValueError(complaint(rule, shown(gain), "pass one in this range"))
            object.__setattr__(self, "min_gain", number)


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


def grow_multiway(
    x: Array, codes: Array, classes: int, criterion: Criterion, rules: MultiwayRules = MultiwayRules(),
    categorical: Array | None = None,
) -> MultiwayTree:  # fmt: skip
    """Return the tree of a training set ``x (n, d)`` with class codes.

    Among the tables whose score is within 1e-11 of the best, on the scale of the criterion, the first feature's with
    the fewest rows is taken.

    Parameters
    ----------
    x : float array (n, d), finite
    codes : int array (n,), classes 0 to ``classes - 1``
    classes : int
    criterion : str, Impurity or Criterion
        For tables of any number of rows.
    rules : MultiwayRules
    categorical : bool array (d,), or array of int, optional
        Features that branch on their values, however many.

    Raises
    ------
    ValueError, TypeError
        If a value of ``x`` is not finite, codes are not one class for each row, or another argument is invalid.

    Examples
    --------
    >>> from splitcrit import sgini
    >>> x = np.array([[1.0], [2.0], [10.0], [11.0], [50.0]])
    >>> tree = grow_multiway(x, np.array([0, 0, 1, 1, 0]), 2, sgini, MultiwayRules(d_num=2))
    >>> tree.width.tolist(), tree.low[1:].tolist(), tree.high[1:].tolist()
    ([3, 0, 0, 0], [1.0, 10.0, 50.0], [2.0, 11.0, 50.0])
    """
    x, codes, classes = coded_rows(x, codes, classes)
    criterion = criterion_of_tree(criterion)
    of_kind(rules, MultiwayRules, "rules are MultiwayRules", "pass MultiwayRules(minnum=5) for instance")
    declared = categorical_mask(categorical, [], x.shape[1])
    columns: dict[str, list[Any]] = {name: [] for name in MultiwayTree.__dataclass_fields__}
    counts = np.bincount(codes, minlength=classes)
    waiting, nodes = deque([(np.arange(len(x)), -1, np.nan, np.nan, counts, 0)]), 1
    while waiting:
        rows, parent, low, high, counts, depth = waiting.popleft()
        node = len(columns["parent"])
        ended = len(rows) < rules.minnum or np.count_nonzero(counts) < 2 or depth == rules.max_depth
        split = None if ended else best_split(x[rows], codes[rows], counts, criterion, rules, declared)
        feature, by_value, first, width, score = -1, False, -1, 0, np.nan
        if split is not None:
            feature, by_value, first, width, score = split.feature, split.by_value, nodes, len(split.low), split.score
            child = np.searchsorted(split.low, x[rows, feature], side="right") - 1
            parts = np.split(rows[np.argsort(child, kind="stable")], np.cumsum(split.counts.sum(axis=1))[:-1])
            children = zip(parts, split.low.tolist(), split.high.tolist(), split.counts, strict=True)
            waiting.extend((some, node, low, high, table, depth + 1) for some, low, high, table in children)
            nodes += width
        known = feature, by_value, first, width, parent, low, high, counts, score, depth
        for column, value in zip(columns.values(), known, strict=True):
            column.append(value)
    return MultiwayTree(**{name: np.array(column) for name, column in columns.items()})


@dataclass(frozen=True, eq=False)
class Split:
    """A split of a node; the values and class counts of each child."""

    feature: int
    by_value: bool
    score: float
    low: Array
    high: Array
    counts: Array


def best_split(
    x: Array, codes: Array, counts: Array, criterion: Criterion, rules: MultiwayRules, categorical: Array
) -> Split | None:
    """Return the split of a node with rows ``x (n, d)`` and class counts ``(K,)``; None if none pays."""
    hierarchy, by_value = _clustered(x, codes, len(counts), rules, categorical)
    states, segment = hierarchy.clusters, hierarchy.segment
    if criterion.search.of_node is not None:
        scores = _together(criterion, hierarchy, by_value)
    else:
        most = rules.max_clusters or len(x)
        scores = state_scores(criterion, hierarchy, by_value[segment] | (states <= most))
    width, best = band(criterion, counts[None].astype(float))[0], scores.max()
    if not best > (-np.inf if rules.min_gain is None else max(rules.min_gain, width)):
        return None
    state = int(np.argmax(scores >= best - width))
    feature, first = int(segment[state]), hierarchy.first(state)
    begins, ends = first[:-1], first[1:]
    return Split(
        feature, bool(by_value[feature]), float(scores[state]), hierarchy.values[begins], hierarchy.values[ends - 1],
        hierarchy.running[ends] - hierarchy.running[begins],
    )  # fmt: skip


def _clustered(
    x: Array, codes: Array, classes: int, rules: MultiwayRules, categorical: Array
) -> tuple[Hierarchy, Array]:
    """Return the hierarchy of all features of a node, and which of them branch on their values."""
    columns = np.ascontiguousarray(x.T)
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.append(0, np.cumsum(new.sum(axis=1)))
    entry = np.cumsum(new.ravel()) - 1
    counts = np.bincount(entry * classes + codes[order].ravel(), minlength=starts[-1] * classes)
    by_value = categorical | (np.diff(starts) <= rules.d_num)
    hierarchy = Hierarchy.of(ordered[new], counts.reshape(-1, classes), starts, rules.linkage, by_value)
    return hierarchy, by_value


def _together(criterion: Criterion, hierarchy: Hierarchy, by_value: Array) -> Array:
    """Return the scores of a criterion that compares the tables of one node, one table for each feature."""
    of_node, several = criterion.search.of_node, np.flatnonzero(hierarchy.clusters > 1)
    assert of_node is not None
    if not by_value[hierarchy.segment[several]].all():
        rule = f"{criterion!r} compares the features of a node, each by one table"
        raise ValueError(complaint(rule, "a feature with clusters", "discretise, and declare categorical_features"))
    scores = np.full(len(hierarchy.segment), -np.inf)
    if len(several):
        scores[several] = of_node([hierarchy.table(state) for state in several])
    return scores
