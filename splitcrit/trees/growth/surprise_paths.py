"""Nodes whose columns are compared by how surprising their best splits are, and paths of them with labels permuted.

The surprise of a column is ``h(score)``, ``-log`` of the chance that the best split of the column scores more when
labels are in random order. ``h`` is made from the cells of the column and the totals of the node alone: orders that it
is drawn from are those of the sorted labels. So it stays the same function when labels are permuted inside the node, or
inside a node below, and a permutation test of the largest surprise, whose ancestors' choices are made again, is exact
whatever ``h`` is. Draws that permuted the labels as observed would make it another function for each order.

Columns may be compared by their scores themselves, too, and labels may be vectors: those that a function makes of the
rows of a node.

Main definitions: ``SurpriseSearch`` (a training set and its nodes), ``PermutedNodes`` (a path of them), ``Division``.
Proved: inference.selective_pvalue_is_valid_for_any_function_of_columns_and_totals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls.best_split import ColumnStructure, Labels, cut_lines, sides, split_law
from splitcrit.nulls.best_split_compiled import surprises_of_cuts
from splitcrit.nulls.monte_carlo import draws_for
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.permuted_compiled import SurpriseNode, best_division, best_surprises
from splitcrit.trees.scan.records import ORDER, SEVERAL
from splitcrit.trees.scan.sorted_columns import midpoint

POINTS = 32  # of a table
SAME = 1e-11  # of the variance of a node: decreases closer than this are equal
PATHS, LISTED = 250_000, 5_000  # steps of the exact laws of a table: of cuts each point costs a law


class Division(NamedTuple):
    """The best split of a node: who goes left, and how; ``score`` is over its mean by chance, 1 for a fixed split.

    Where columns are compared by their scores, these are decreases of the variance.
    """

    left: Array
    feature: int
    threshold: float
    missing_left: bool
    surprise: float
    score: float


@dataclass(frozen=True, eq=False)
class SurpriseSearch:
    """A training set whose nodes are split by the column of the largest surprise, or score.

    Parameters
    ----------
    x : float array (n, d)
        NaN is a missing value; categories are codes from 0.
    types : int array (n,)
        The label of each row: its class, the place of its response among those that occur, or itself.
    values : array (T,), optional
        The responses that occur, increasing, or what ``vectors`` are described by; None of classes.
    classes : int
        How many classes there are.
    recoding : Recoding, optional
        The categorical columns.
    least : int
        The fewest rows on a side.
    seed : int
        What the draws of the laws depend on, beside columns and totals.
    by_gain : bool
        Whether columns are compared by their scores, the first of those that tie before others.
    vectors : callable, optional
        Makes vectors ``(m, q)`` of the rows of a node, which are then labels.
    """

    x: Array
    types: Array
    values: Array | None
    classes: int
    recoding: Recoding | None
    least: int
    seed: int = 0
    by_gain: bool = False
    vectors: Callable[[Array], Array] | None = None
    cells: list[Array] = field(init=False)
    tried: list[int] = field(init=False)
    nodes: dict[bytes, tuple[SurpriseNode, list[int]] | None] = field(init=False, default_factory=dict)

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
        object.__setattr__(self, "tried", [f for _, f in (keys if self.by_gain else sorted(keys))])

    def node(self, rows: Array) -> tuple[SurpriseNode, list[int]] | None:
        """The node of some rows, and the features of its columns; None of a leaf.

        It is kept: the nodes below ask for their ancestors.
        """
        key = rows.tobytes()
        if key not in self.nodes:
            self.nodes[key] = self._node(rows)
        return self.nodes[key]

    def _labels(self, rows: Array) -> tuple[Array, float, Labels]:
        """Vectors of labels ``(T, q)`` less their mean in a node, the sum of their squares there, its labels."""
        types = self.types[rows]
        counts = np.bincount(types, minlength=self.classes if self.values is None else len(self.values))
        if self.values is None:
            labels, vectors, there = Labels.of_classes(counts), np.eye(self.classes), np.flatnonzero(counts)
            vectors = vectors[:, there[:1]] if len(there) == 2 else vectors  # one coordinate says all
        else:
            vectors = self.values[:, None]
            if self.vectors is not None:
                of_rows = self.vectors(rows)
                vectors = np.zeros((len(self.values), of_rows.shape[1]))
                vectors[types] = of_rows
            vectors = vectors / (np.abs(vectors[types]).max() or 1.0)  # the unit of ``Labels``
            labels = Labels.of_responses(vectors[types])
        centred = np.ascontiguousarray(vectors - counts @ vectors / len(rows))
        return centred, float((centred**2).sum(axis=1) @ counts), labels

    def _node(self, rows: Array) -> tuple[SurpriseNode, list[int]] | None:
        vectors, square, labels = self._labels(rows)
        if len(labels.counts) < 2 or not labels.square:
            return None
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
        sizes, n, q = [np.bincount(cells) for cells in columns], len(rows), vectors.shape[1]
        subset = np.array([f in subsets for f in features])
        lost = np.array([int(np.isnan(self.x[rows, f]).sum()) for f in features]) * ~subset
        draws, step = draws_for(len(columns)), float(np.log1p((n - 1) ** 0.5)) / (POINTS - 1)
        points = 0 if self.by_gain else POINTS
        asked = np.expm1(np.arange(points) * step) ** 2
        tables, lines = np.empty((len(columns), points)), np.empty((len(columns), 2, 2, n))
        laws = dict[Any, tuple[Array, Array]]()
        for c, a in enumerate(sizes):
            key = bool(subset[c]), bool(lost[c]), (np.sort(a) if subset[c] else a).tobytes()
            if key not in laws:
                cuts = not subset[c] and labels.classes and not self.by_gain
                structure = ColumnStructure(a, labels, key[0], key[1], self.least, True, cuts)
                laws[key] = self._table(structure, asked, draws)
            tables[c], lines[c] = laws[key]
        widest = max(map(len, sizes))
        return SurpriseNode(
            np.array(columns),
            subset,
            lost,
            np.argsort(np.array(columns), axis=1, kind="stable"),
            np.concatenate(sizes),
            np.cumsum([0, *map(len, sizes)]),
            lines,
            tables,
            step,
            vectors,
            n * (n - 1.0) / square,
            self.least,
            np.empty((q + 1, n)),
            np.empty((q, widest)),
            np.empty(2 * widest + 1, np.int64),
            np.empty(widest + q),
        ), features

    def _table(self, structure: ColumnStructure, asked: Array, draws: int) -> tuple[Array, Array]:
        """Surprises of the scores that are asked for, and the ``_lines`` of a column in its own order."""
        if self.by_gain:
            return np.empty(0), _lines(structure)
        law = split_law(**structure._asdict(), draws=draws, seed=self.seed, limit=LISTED if structure.subset else PATHS)
        exact = law.method == "lattice"  # in machine code, since there are many
        surprises = surprises_of_cuts(law.structure, asked) if exact else law.surprises(asked)
        finite = surprises[np.isfinite(surprises)]  # scores that cannot occur have an infinite one
        table = np.maximum.accumulate(np.minimum(surprises, finite.max()))
        return table, _lines(law.structure._replace(sizes=structure.sizes))  # the law may be that of values reversed

    def best(self, rows: Array) -> Division | None:
        """The best split of a node, None where nothing can be split."""
        both = self.node(rows)
        if both is None:
            return None
        node, features = both
        left = np.zeros(len(rows), dtype=bool)
        c, surprise, score, lost = best_division(node, self.types[rows], left)
        if c < 0:
            return None
        f, values = features[c], self.x[rows, features[c]]
        missing = np.isnan(values)
        if node.subset[c]:
            feature, threshold = self._subset(f, values, left, node.vectors.shape[1] > 1), 0.5
        else:
            known, goes = values[~missing], left[~missing]
            feature, threshold = f, np.inf
            if not goes.all():
                threshold = float(midpoint(known[goes].max(), known[~goes].min()))
        missing_left = bool(lost) if missing.any() else bool(left.sum() > (~left).sum())
        score = float(score) * (self._unit(rows) if self.by_gain else 1.0)
        return Division(left, feature, threshold, missing_left, float(surprise), score)

    def _subset(self, f: int, values: Array, left: Array, several: bool) -> int:
        """The number of the column of a subset of categories.

        It is the best prefix of an order: no best subset of several classes, nor where a category is no leaf.
        """
        assert self.recoding is not None
        several = several or self.least > np.unique(values, return_counts=True)[1].min()
        sides = np.full(int(self.recoding.levels[f]), -1)
        sides[values.astype(int)] = ~left
        return int(self.recoding.column(f, sides, 2 * left.sum() > len(left), SEVERAL if several else ORDER)[0])

    def path(self, path: Path) -> PermutedNodes:
        """A node with its ancestors, ready for permuted labels."""
        nodes = [each and each[0] for each in (self.node(path.rows[here]) for here in path.nodes)]
        if not self.by_gain:
            return PermutedNodes(path, nodes, self.types, 1.0, 1e-9)
        unit = self._unit(path.rows[path.nodes[0]])
        return PermutedNodes(path, nodes, self.types, unit, SAME * unit * len(path.rows[path.nodes[0]]))

    def _unit(self, rows: Array) -> float:
        """The decrease of variance whose score is 1: the mean of a fixed split by chance."""
        y = np.asarray(self.values)[self.types[rows]] if self.vectors is None else self.vectors(rows)
        return float(((y - y.mean(axis=0)) ** 2).sum()) / (len(rows) * max(len(rows) - 1, 1))


def _lines(structure: ColumnStructure) -> Array:
    """``cut_lines`` of the cut after each row ``(2, 2, n)``, 0 without one; missing values go right, left."""
    m, after, more = sides(structure.sizes, structure.gaps, structure.least)
    lines = np.zeros((2, 2, int(structure.sizes.sum())))
    if not structure.subset:
        lines[:, more, structure.sizes.cumsum()[after] - 1] = cut_lines(m, structure)
    return lines


@dataclass(frozen=True, eq=False)
class PermutedNodes:
    """A path of nodes whose first one is scored for permuted labels; ``types`` are those of all rows.

    What the first node's best split is worth is counted in a ``unit``; rounding may make a difference of ``band``.
    """

    path: Path
    nodes: Sequence[Any]
    types: Array
    unit: float
    band: float

    def scores(self, labels: Array) -> Array:
        """The worth of the best split for each row of ``labels (m, n)``, nan where an ancestor chooses anew."""
        out, types = np.zeros(len(labels)), np.ascontiguousarray(labels, np.int64)
        each, score = list(zip(self.path.nodes, self.nodes, strict=True)), best_surprises
        if not isinstance(self.nodes[0], SurpriseNode | None):
            from splitcrit.trees.growth.grown_node_compiled import best_of_grown as score
        for here, node in each[:0:-1] + each[:1]:  # the root first: it turns away most
            if node is None:
                continue
            kinds, place = self.types[self.path.rows[here]], self.path.place[here]
            left = self.path.left[here] if here.start else np.empty(0, dtype=bool)
            score(node, kinds, place, left, types, np.empty(len(kinds), dtype=bool), out)
        return out * self.unit
