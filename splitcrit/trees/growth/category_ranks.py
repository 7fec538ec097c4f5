"""Categorical columns while a tree grows: at each node their categories are ranked, so that a subset is a threshold.

By mean response where the shortcut is proved, 0 and 1 for the best of all subsets, by the best of a few orders else:
``scan_subsets`` says which divisions are tried, and does the same for nodes of the compiled loop.

Main definitions: ``Subset``, ``subset_of``; ``Recoding``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.scan import subsets
from splitcrit.trees.scan.open_nodes import Limits
from splitcrit.trees.scan.random_keys import uniforms
from splitcrit.trees.scan.records import EXACT, METHODS, ORDER, RANDOM, SEVERAL
from splitcrit.trees.scan.subsets import Comparison
from splitcrit.trees.scan.ties_and_scores import band


@dataclass(frozen=True)
class Subset:
    """A split by categories: the codes that go left and right, where all others go, and how it was found.

    ``method`` is "mean response" (exact: a proved shortcut), "all subsets" (exact), "several orders" (a heuristic: the
    best cut of the orders by the share of each class, or by the mean, and along a principal component) or "random".
    """

    feature: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    others_left: bool
    method: str

    @property
    def exact(self) -> bool:
        """Whether no subset of the node's categories scores more."""
        return self.method in METHODS[:2]


def kind_of(levels: int) -> np.dtype[Any]:
    """The type of the rows of ``Recoding.table``, for columns of up to some categories."""
    return np.dtype([("feature", "i4"), ("others_left", "?"), ("method", "i1"), ("sides", "i1", (levels,))])


NO_SUBSETS = np.empty(0, kind_of(0))


def subset_of(row: Any) -> Subset:
    """A split by categories, given as a row of ``Recoding.table``."""
    left, right = (tuple(np.flatnonzero(row["sides"] == side).tolist()) for side in (0, 1))
    return Subset(int(row["feature"]), left, right, bool(row["others_left"]), METHODS[row["method"]])


@dataclass(frozen=True, eq=False)
class Ranked:
    """The ranks ``(m, J)`` of the categories of a column at each node, their weights, and how they were ranked.

    A category that is absent from a node has no weight there.
    """

    ranks: Array
    weight: Array
    method: Array


class Recoding:
    """Which columns of a training set are categorical, and the subsets that a tree has split by so far.

    Parameters
    ----------
    levels : int array (d,)
        The number of categories of each column, whose values are codes from 0; 0 for a numeric one.
    max_exact : int
        The largest number of categories that are searched by all subsets.
    """

    def __init__(self, levels: Array, max_exact: int) -> None:
        self.columns = np.flatnonzero(levels).tolist()
        self.levels, self.max_exact = levels, max_exact
        self.kind = kind_of(int(levels.max(initial=0)))
        self._number: dict[bytes, int] = {}
        self.ranked: dict[int, Ranked] = {}

    @property
    def table(self) -> Array:
        """The subsets in rows: ``feature``, ``others_left``, ``method``, and ``sides (J,)`` by code.

        A side is 0 for left and 1 for right, -1 for a category that the node has not.
        """
        return np.frombuffer(b"".join(self._number), self.kind)

    @property
    def subsets(self) -> list[Subset]:
        """The subsets that a tree has split by so far."""
        return [subset_of(row) for row in self.table]

    def anew(self) -> Recoding:
        """The same columns, by which no tree has split."""
        return Recoding(self.levels, self.max_exact)

    def widened(self, x: Array) -> Array:
        """The columns ``x (n, d)``, and after them one for each subset: 1 for what it sends right, 0 else."""
        return np.column_stack([x, *(row["sides"][x[:, row["feature"]].astype(int)] == 1 for row in self.table)])

    def at_random(self, f: int, weight: Array, keys: Array) -> Ranked:
        """Random ranks of the categories of a column, by the keys of nodes where they have these weights."""
        draws = uniforms(keys, weight.shape[1], stream=8 + f)
        return Ranked(subsets.ranks(draws, weight > 0), weight, np.full(len(weight), RANDOM))

    def by_class(self, tables: Array, sizes: Array, criterion: Criterion, limits: Limits) -> Ranked:
        """The ranks of categories at nodes with class weights ``(m, J, K)`` and sizes ``(m, J)``."""
        m, _, k = tables.shape
        weight, binding = tables.sum(axis=2), limits.least > 1 or limits.lightest > 0
        ordered, joins = subsets.simpler(criterion, k, binding)
        if ordered:
            return Ranked(subsets.ranks(subsets.mean_response(tables), sizes > 0), weight, np.full(m, ORDER))
        scores, width = subsets.class_scores(criterion), band(criterion, tables.sum(axis=1))
        ranked = Ranked(np.zeros(sizes.shape, np.int64), weight, np.full(m, SEVERAL))
        leader = np.broadcast_to(np.arange(sizes.shape[1]), sizes.shape)
        if joins:
            tables, sizes, leader = subsets.joined(tables, sizes)
        many = np.flatnonzero(~self._small(sizes > 0))
        if len(many):
            ranked.ranks[many] = subsets.best_order(tables[many], sizes[many], limits, scores, width[many])
        ranked = self.searched(ranked, tables, sizes, limits, Comparison(scores, width))
        return replace(ranked, ranks=np.take_along_axis(ranked.ranks, leader, axis=1))

    def _small(self, present: Array) -> Array:
        """Tell which nodes have few enough categories for a search of all subsets, and more than one."""
        count = present.sum(axis=1)
        return np.asarray((count > 1) & (count <= self.max_exact))

    def searched(self, ranked: Ranked, tables: Array, sizes: Array, limits: Limits, comparison: Comparison) -> Ranked:
        """Rank the categories 0 and 1 by a search of all subsets in the nodes that have few enough of them."""
        present = sizes > 0
        count, small = present.sum(axis=1), self._small(present)
        for p in np.unique(count[small]):
            nodes = np.flatnonzero(small & (count == p))
            there = np.argsort(~present[nodes], axis=1, kind="stable")[:, :p]
            part, size = tables[nodes[:, None], there], sizes[nodes[:, None], there]
            here = comparison._replace(width=comparison.width[nodes])
            left = subsets.best_subsets(part, size, limits, here)
            # A node without a subset has no cut.
            ranked.ranks[nodes[:, None], there] = left.any(axis=1, keepdims=True) & ~left
            ranked.method[nodes] = EXACT
        return ranked

    def take(self, feature: Array, cut: Array) -> tuple[Array, Array]:
        """Features and thresholds of splits by ranks: of subset ``i`` column ``d + i``, 0 left and 1 right."""
        feature, cut = feature.copy(), cut.astype(float)
        for node in np.flatnonzero(np.isin(feature, self.columns)):
            ranked = self.ranked[int(feature[node])]
            goes, weight = ranked.ranks[node] <= cut[node], ranked.weight[node]
            others = bool(weight[goes].sum() > weight[~goes].sum())
            sides = np.where(weight > 0, ~goes, -1)
            feature[node], cut[node] = self.column(feature[node], sides, others, ranked.method[node])[0], 0.5
        return feature, cut

    def column(self, feature: Any, sides: Array, others_left: Any, method: Any) -> Array:
        """The numbers of the columns of subsets with these ``sides (S, J)``, or of one, ``(J,)``."""
        sides = np.atleast_2d(sides)
        rows = np.full(len(sides), -1, self.kind)
        rows["feature"], rows["others_left"], rows["method"] = feature, others_left, method
        rows["sides"][:, : sides.shape[1]] = sides
        return self.numbers(rows)

    def numbers(self, rows: Array) -> Array:
        """The numbers of the columns of some subsets, rows as in ``table``."""
        keys = rows.view(f"V{self.kind.itemsize}").tolist()
        return len(self.levels) + np.array([self._number.setdefault(key, len(self._number)) for key in keys], int)
