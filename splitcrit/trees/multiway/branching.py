"""Algorithm 1: at every node the best table of all features, one row for each value or cluster.

Main definitions: ``grow_multiway``, ``MultiwayRules``; ``criterion_of_tree``.
Source: wang2024, Algorithm 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array, finite, of_kind, one_of, real, whole
from splitcrit.arguments import codes as class_codes
from splitcrit.arith import Arithmetic
from splitcrit.criteria import Criterion
from splitcrit.data.categories_input import mask_of
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, Search
from splitcrit.trees.multiway.hierarchy import Hierarchy, Linkage, entries, state_scores
from splitcrit.trees.multiway.intervals import criterion_for_rows
from splitcrit.trees.multiway.tree import MultiwayTree
from splitcrit.trees.scan.ties_and_scores import band

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
    linkage: Linkage = "single"

    __repr__ = shortened

    def __post_init__(self) -> None:
        """Check the values."""
        one_of(self.linkage, Linkage, "linkage")
        for name, (least, absent) in WHOLE.items():
            if not (absent and getattr(self, name) is None):
                object.__setattr__(self, name, whole(getattr(self, name), name, least))
        if self.min_gain is not None:
            real(self.min_gain, "min_gain is a number from 0, or None", "pass one in this range", lambda x: x >= 0)


@dataclass(frozen=True)
class Together:
    """The score of a criterion that compares the tables of the features of a node, and has none for one table."""

    measure: Callable[[Sequence[Any]], Any]

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        rule = f"{self.measure!r} scores the tables of a node together"
        raise TypeError(complaint(rule, "one table", "let every feature branch on its values"))


def coded_rows(x: Any, codes: Any, classes: Any) -> tuple[Array, Array, int]:
    """Features ``(n, d)`` in float64, class codes ``(n,)`` and their number, all checked.

    Raises
    ------
    ValueError, TypeError
        If a feature is not finite, or codes are not one class from 0 for each row.

    Examples
    --------
    >>> coded_rows([[1.0], [2.0]], [0, 2], 2)
    Traceback (most recent call last):
    ValueError: class codes are below classes=2; got 2; pass classes=3
    """
    rows, labels = finite(x, "features", 2), class_codes(codes, "class codes")
    if not (len(rows) == len(labels) > 0 and rows.shape[1]):
        rule, got = "rows have features and one class code each", f"shape {rows.shape} and {len(labels)} codes"
        raise ValueError(complaint(rule, got, "pass one code for each row"))
    number = whole(classes, "classes", 1, max(10_000, len(labels)))
    if (most := int(labels.max())) >= number:
        raise ValueError(complaint(f"class codes are below classes={number}", most, f"pass classes={most + 1}"))
    return rows + 0.0, labels, number


def criterion_of_tree(value: Any) -> Criterion:
    """The criterion of a tree's tables: one for any number of rows, or one for all of a node."""
    if callable(value) and not isinstance(value, Criterion | Impurity):
        return Criterion(repr(value), Together(value), search=Search(of_node=value))
    return criterion_for_rows(value)


def grow_multiway(
    x: Array, codes: Array, classes: int, criterion: Criterion, rules: MultiwayRules = MultiwayRules(),
    categorical: Array | None = None,
) -> MultiwayTree:  # fmt: skip
    """The tree of a training set ``x (n, d)`` with class codes.

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
    declared = np.zeros(x.shape[1], dtype=bool) if categorical is None else mask_of(categorical, list(x.T), None)
    table: list[tuple[Any, ...]] = []  # what MultiwayTree knows of each node, in its order
    waiting, nodes = deque([(np.arange(len(x)), -1, np.nan, np.nan, np.bincount(codes, minlength=classes), 0)]), 1
    while waiting:
        rows, *known, counts, depth = waiting.popleft()
        node, feature, by_value, width, score = len(table), -1, False, 0, np.nan
        ended = len(rows) < rules.minnum or np.count_nonzero(counts) < 2 or depth == rules.max_depth
        best = None if ended else best_table(x[rows], codes[rows], counts, criterion, rules, declared)
        if best is not None:
            hierarchy, state, by_value, score = best
            feature, first = int(hierarchy.segment[state]), hierarchy.first(state)
            low, high, tables = hierarchy.values[first[:-1]], hierarchy.values[first[1:] - 1], hierarchy.table(state)
            child, width = np.searchsorted(low, x[rows, feature], side="right"), len(low)
            parts = np.split(rows[np.argsort(child, kind="stable")], np.cumsum(tables.sum(axis=1))[:-1])
            for part, *values in zip(parts, low.tolist(), high.tolist(), tables, strict=True):
                waiting.append((part, node, *values, depth + 1))
        table.append((feature, by_value, nodes if width else -1, width, *known, counts, score, depth))
        nodes += width
    return MultiwayTree(*map(np.array, zip(*table, strict=True)))


def best_table(
    x: Array, codes: Array, counts: Array, criterion: Criterion, rules: MultiwayRules, categorical: Array
) -> tuple[Hierarchy, int, bool, float] | None:
    """The best table of a node with rows ``x (n, d)`` and class counts ``(K,)``; None if none pays.

    It is a state of a hierarchy; whether the feature branches on its values, and the score, stand beside it.
    """
    values, tables, starts = entries(np.ascontiguousarray(x.T), codes, len(counts))
    by_value = categorical | (np.diff(starts) <= rules.d_num)
    hierarchy = Hierarchy.of(values, tables, starts, rules.linkage, by_value)
    by_value = by_value[hierarchy.segment]
    scores = state_scores(criterion, hierarchy, by_value | (hierarchy.clusters <= (rules.max_clusters or len(x))))
    width, best = band(criterion, counts[None].astype(float))[0], scores.max()
    if not best > (-np.inf if rules.min_gain is None else max(rules.min_gain, width)):
        return None
    state = int(np.argmax(scores >= best - width))
    return hierarchy, state, bool(by_value[state]), float(scores[state])
