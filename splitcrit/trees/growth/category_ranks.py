"""Categorical columns while a tree grows: at each node their categories are ranked, so that a subset is a threshold.

By mean response where the shortcut is proved, 0 and 1 for the best of all subsets, by the best of a few orders else:
``scan_subsets`` says which divisions are tried, and does the same for nodes of the compiled loop.

Main definitions: ``Subset``, ``Recoding``; ``method_of``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.scan import subsets
from splitcrit.trees.scan.open_nodes import Limits
from splitcrit.trees.scan.random_keys import uniforms
from splitcrit.trees.scan.ties_and_scores import band

METHODS = ("mean response", "all subsets", "several orders", "random")
ORDER, EXACT, SEVERAL, RANDOM = range(4)


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


def method_of(criterion: Criterion, classes: int, binding: bool, random: bool) -> int:
    """How categories are divided by a criterion of classes; ``binding`` limits keep a side from being small."""
    return RANDOM if random else ORDER if subsets.shortcut(criterion, classes) and not binding else EXACT


@dataclass(frozen=True, eq=False)
class Ranked:
    """The ranks ``(m, J)`` of the categories of a column at each node, their weights, and how they were ranked.

    A category that is absent from a node has no weight there.
    """

    ranks: Array
    weight: Array
    method: Array

    @property
    def present(self) -> Array:
        """Which categories are present."""
        return np.asarray(self.weight > 0)


class Recoding:
    """The categorical columns of a training set, and the subsets that a tree has split by so far.

    Parameters
    ----------
    x : float array (n, d)
        Features; those of categorical columns are codes from 0.
    levels : int array (d,)
        The number of categories of each column, 0 for a numeric one.
    max_exact : int
        The largest number of categories that are searched by all subsets.
    """

    def __init__(self, x: Array, levels: Array, max_exact: int) -> None:
        self.columns = [int(f) for f in np.flatnonzero(levels)]
        self.codes = np.where(levels > 0, x, 0).T.astype(np.int64, order="C")
        self.levels, self.max_exact = levels, max_exact
        self.subsets: list[Subset] = []
        self._number: dict[Subset, int] = {}
        self.ranked: dict[int, Ranked] = {}

    def of_rows(self, rows: Array) -> Recoding:
        """The columns of some rows, in their order, from which no tree has grown."""
        return Recoding(self.codes[:, rows].T, self.levels, self.max_exact)

    def widened(self, x: Array) -> Array:
        """The columns ``x (n, d)``, and after them one for each subset: 1 for what it sends right, 0 else."""
        sides = [np.isin(self.codes[subset.feature], subset.right) for subset in self.subsets]
        return np.column_stack([x, *sides])

    def at_random(self, f: int, weight: Array, keys: Array) -> Ranked:
        """Random ranks of the categories of a column, by the keys of nodes where they have these weights."""
        draws = uniforms(keys, weight.shape[1], stream=8 + f)
        return Ranked(subsets.ranks(draws, weight > 0), weight, np.full(len(weight), RANDOM))

    def by_class(self, tables: Array, sizes: Array, criterion: Criterion, limits: Limits) -> Ranked:
        """The ranks of categories at nodes with class weights ``(m, J, K)`` and sizes ``(m, J)``."""
        m, _, k = tables.shape
        weight, binding = tables.sum(axis=2), limits.least > 1 or limits.lightest > 0
        if subsets.shortcut(criterion, k) and not binding:
            return Ranked(subsets.ranks(subsets.mean_response(tables), sizes > 0), weight, np.full(m, ORDER))
        scores, width = subsets.class_scores(criterion), band(criterion, tables.sum(axis=1))
        ranked = Ranked(np.zeros(sizes.shape, np.int64), weight, np.full(m, SEVERAL))
        many = np.flatnonzero(~self._small(ranked.present))
        if len(many):
            ranked.ranks[many] = subsets.best_order(tables[many], sizes[many], limits, scores, width[many])
        return self.searched(ranked, tables, sizes, limits, subsets.Comparison(scores, width))

    def _small(self, present: Array) -> Array:
        """Tell which nodes have few enough categories for a search of all subsets, and more than one."""
        count = present.sum(axis=1)
        return np.asarray((count > 1) & (count <= self.max_exact))

    def searched(
        self, ranked: Ranked, tables: Array, sizes: Array, limits: Limits, comparison: subsets.Comparison
    ) -> Ranked:
        """Rank the categories 0 and 1 by a search of all subsets in the nodes that have few enough of them."""
        count, small = ranked.present.sum(axis=1), self._small(ranked.present)
        for p in np.unique(count[small]):
            nodes = np.flatnonzero(small & (count == p))
            there = np.argsort(~ranked.present[nodes], axis=1, kind="stable")[:, :p]
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
            left, right = (tuple(np.flatnonzero(side & (weight > 0)).tolist()) for side in (goes, ~goes))
            others = bool(weight[goes].sum() > weight[~goes].sum())
            method = int(ranked.method[node])
            feature[node], cut[node] = self.split(int(feature[node]), left, right, others, method), 0.5
        return feature, cut

    def split(
        self, feature: int, left: tuple[int, ...], right: tuple[int, ...], others_left: bool, method: int
    ) -> int:  # fmt: skip
        """The number of the column of a subset; where all divisions are tried of some, others have an order."""
        several = method == EXACT and len(left) + len(right) > self.max_exact
        return self.column(Subset(feature, left, right, others_left, METHODS[SEVERAL if several else method]))

    def column(self, subset: Subset) -> int:
        """The number of the column that holds 0 and 1 for a subset's sides."""
        number = self._number.setdefault(subset, len(self.subsets))
        if number == len(self.subsets):
            self.subsets.append(subset)
        return len(self.levels) + number
