"""Nodes whose columns are compared by how surprising their best splits are, and paths of them with labels permuted.

The surprise of a column is ``h(score)``, ``-log`` of the chance that the best split of the column scores more when
labels are in random order. ``h`` is made from the cells of the column and the totals of the node alone: orders that it
is drawn from are those of the sorted labels. So it stays the same function when labels are permuted inside the node, or
inside a node below, and a permutation test of the largest surprise, whose ancestors' choices are made again, is exact
whatever ``h`` is. Draws that permuted the labels as observed would make it another function for each order.

Main definitions: ``SurpriseSearch`` (a training set and its nodes), ``SurprisePath``, ``Division``.
Proved: inference.selective_pvalue_is_valid_for_any_function_of_columns_and_totals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls.best_split import Labels, split_law
from splitcrit.nulls.monte_carlo import draws_for
from splitcrit.trees.growth.category_ranks import METHODS, SEVERAL, Recoding, Subset
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.surprise_compiled import SurpriseNode, best_division, best_surprises
from splitcrit.trees.scan.sorted_columns import midpoint

POINTS = 32  # of a table
PATHS, LISTED = 250_000, 5_000  # steps of the exact laws of a table: of cuts each point costs a law


class Division(NamedTuple):
    """The best split of a node: who goes left, and how; ``score`` is over its mean by chance, 1 for a fixed split."""

    left: Array
    feature: int
    threshold: float
    missing_left: bool
    surprise: float
    score: float


@dataclass(frozen=True, eq=False)
class SurpriseSearch:
    """A training set whose nodes are split by the column of the largest surprise.

    Parameters
    ----------
    x : float array (n, d)
        NaN is a missing value; categories are codes from 0.
    types : int array (n,)
        The label of each row: its class, or the place of its response among those that occur.
    values : array (T,), optional
        The responses that occur, increasing; None of classes.
    classes : int
        How many classes there are.
    recoding : Recoding, optional
        The categorical columns.
    least : int
        The fewest rows on a side.
    seed : int
        What the draws of the laws depend on, beside columns and totals.
    """

    x: Array
    types: Array
    values: Array | None
    classes: int
    recoding: Recoding | None
    least: int
    seed: int = 0
    cells: list[Array] = field(init=False)
    tried: list[int] = field(init=False)
    made: dict[bytes, tuple[SurpriseNode, Array, list[int]] | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        subsets = () if self.recoding is None else self.recoding.columns
        cells, keys = [], []
        for f, column in enumerate(self.x.T):
            lost = np.isnan(column)
            levels, places = np.unique(column[~lost], return_inverse=True)
            codes = np.full(len(column), len(levels))
            codes[~lost] = places
            cells.append(codes)
            sizes = np.bincount(codes)
            keys.append((crc32((np.sort(sizes) if f in subsets else np.append(levels, sizes)).tobytes()), f))
        object.__setattr__(self, "cells", cells)  # columns of equal surprise: by a key of their values, not by place
        object.__setattr__(self, "tried", [f for _, f in sorted(keys)])

    def node(self, rows: Array) -> tuple[SurpriseNode, Array, list[int]] | None:
        """Return the node of some rows, the vectors of its labels, and the features of its columns; None of a leaf.

        It is kept: the nodes below ask for their ancestors.
        """
        key = rows.tobytes()
        if key not in self.made:
            self.made[key] = self._node(rows)
        return self.made[key]

    def _node(self, rows: Array) -> tuple[SurpriseNode, Array, list[int]] | None:
        types = self.types[rows]
        counts = np.bincount(types, minlength=self.classes if self.values is None else len(self.values))
        if (counts > 0).sum() < 2:
            return None
        vectors, blocks = self._labels(counts)
        subsets = () if self.recoding is None else self.recoding.columns
        columns, features = [], []
        for f in self.tried:
            codes = self.cells[f][rows]
            present = np.bincount(codes) > 0
            if present.sum() > 1:
                columns.append((np.cumsum(present) - 1)[codes])
                features.append(f)
        if not columns:
            return None
        sizes = [np.bincount(cells) for cells in columns]
        subset = np.array([f in subsets for f in features])
        gaps = np.array([bool(np.isnan(self.x[rows, f]).any()) for f in features]) & ~subset
        mean = counts @ vectors / len(rows)
        tries, draws = len(columns) * len(blocks), draws_for(len(columns) * len(blocks))
        step = float(np.log1p((len(rows) - 1) ** 0.5)) / (POINTS - 1)
        asked = np.expm1(np.arange(POINTS) * step) ** 2
        tables, squares, laws = np.empty((tries, POINTS)), np.empty(tries), dict[Any, Array]()
        for k, (begin, end, totals) in enumerate(blocks):
            for c, a in enumerate(sizes):
                key = k, bool(subset[c]), bool(gaps[c]), (np.sort(a) if subset[c] else a).tobytes()
                if key not in laws:
                    how: dict[str, Any] = {"subset": key[1], "gaps": key[2], "least": self.least, "prefixes": True}
                    limit = LISTED if subset[c] else PATHS
                    law = split_law(a, totals, **how, draws=draws, seed=self.seed, limit=limit)
                    surprises = law.surprises(asked)
                    finite = surprises[np.isfinite(surprises)]  # scores that cannot occur have an infinite one
                    laws[key] = np.maximum.accumulate(np.minimum(surprises, finite.max()))
                tables[k * len(columns) + c] = laws[key]
                squares[k * len(columns) + c] = ((vectors[:, begin:end] - mean[begin:end]) ** 2).sum(1) @ counts
        orders = np.argsort(np.array(columns), axis=1, kind="stable")
        weights = np.array([_weights(a, here, self.least) for a, here in zip(sizes, gaps.tolist(), strict=True)])
        column = np.tile(np.arange(len(columns)), len(blocks))
        start, stop = (np.repeat([block[side] for block in blocks], len(columns)) for side in (0, 1))
        first = np.cumsum([0, *map(len, sizes)])
        return SurpriseNode(
            np.array(columns), np.concatenate(sizes), first, subset, gaps, orders, weights, column, start, stop,
            squares, tables, step, mean, self.least,
        ), vectors, features  # fmt: skip

    def _labels(self, counts: Array) -> tuple[Array, list[tuple[int, int, Any]]]:
        """Return the vectors of labels, and their blocks of coordinates with totals, given how many each has."""
        if self.values is None:
            eye = np.eye(self.classes)
            vectors = eye[:, :1] if self.classes == 2 else eye
            return np.ascontiguousarray(vectors), [(0, vectors.shape[1], Labels.of_classes(counts))]
        y = self.values / (np.abs(self.values).max() or 1.0)
        return y[:, None], [(0, 1, Labels.of_responses(np.repeat(y, counts)))]

    def best(self, rows: Array) -> Division | None:
        """Return the best split of a node, None where nothing can be split."""
        made = self.node(rows)
        if made is None or not len(made[0].column):
            return None
        node, vectors, features = made
        left = np.zeros(len(rows), dtype=bool)
        t, surprise, score, lost = best_division(node, vectors, self.types[rows], left)
        if t < 0:
            return None
        c = int(node.column[t])
        f, values = features[c], self.x[rows, features[c]]
        missing = np.isnan(values)
        if node.subset[c]:
            feature, threshold = self._subset(f, values, left, vectors.shape[1] > 1), 0.5
        else:
            known, goes = values[~missing], left[~missing]
            feature, threshold = f, np.inf
            if not goes.all():
                threshold = float(midpoint(known[goes].max(), known[~goes].min()))
        missing_left = bool(lost) if missing.any() else bool(left.sum() > (~left).sum())
        return Division(left, feature, threshold, missing_left, float(surprise), float(score))

    def _subset(self, f: int, values: Array, left: Array, several: bool) -> int:
        """Return the number of the column of a subset of categories.

        It is the best prefix of an order: no best subset of several classes, nor where a category is no leaf.
        """
        assert self.recoding is not None
        several = several or self.least > np.unique(values, return_counts=True)[1].min()
        low, high = (tuple(np.unique(values[side]).astype(int).tolist()) for side in (left, ~left))
        return self.recoding.column(Subset(f, low, high, bool(2 * left.sum() > len(left)), METHODS[SEVERAL * several]))

    def path(self, path: Path) -> SurprisePath:
        """Return a node with its ancestors, ready for permuted labels."""
        return SurprisePath(self, path)


def _weights(sizes: Array, gaps: bool, least: int) -> Array:
    """Return ``1 / (m (n - m))`` of the cut after each row ``(2, n)``, 0 without one; missing values go right, left."""
    n, known, lost = int(sizes.sum()), sizes[: len(sizes) - gaps].cumsum(), int(sizes[-1]) if gaps else 0
    found = np.zeros((2, n))
    for side, ends in enumerate((known, known[:-1]) if gaps else (known[:-1],)):
        m = ends + side * lost
        allowed = (m >= least) & (n - m >= least)
        found[side, ends[allowed] - 1] = 1 / (m * (n - m))[allowed]
    return found


@dataclass(frozen=True, eq=False)
class SurprisePath:
    """A path of nodes, whose ``scores`` are the largest surprises of the first one for permuted labels."""

    search: SurpriseSearch
    path: Path
    nodes: list[tuple[SurpriseNode, Array, list[int]] | None] = field(init=False)

    def __post_init__(self) -> None:
        nodes = [self.search.node(self.path.rows[here]) for here in self.path.nodes]
        object.__setattr__(self, "nodes", nodes)

    @property
    def band(self) -> float:
        """The difference that rounding may make to two surprises."""
        return 1e-9

    def scores(self, labels: Array) -> Array:
        """Return the largest surprise for each row of ``labels (m, n)``, nan where an ancestor chooses otherwise."""
        out, types = np.zeros(len(labels)), np.ascontiguousarray(labels, np.int64)
        each = list(zip(self.path.nodes, self.nodes, strict=True))
        for here, made in each[:0:-1] + each[:1]:  # the root first: it turns away most
            if made is None:
                continue
            node, vectors, _ = made
            rows, place = self.path.rows[here], self.path.place[here]
            left = self.path.left[here] if here.start else np.empty(0, dtype=bool)
            best_surprises(node, vectors, self.search.types[rows], place, left, types, out)
        return out
