"""Nodes of few rows are finished by one worker each: rows travel once, and are grown as they are in memory.

Main definitions: ``finished_by_workers``, ``Coarse``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from dask.base import compute
from dask.delayed import delayed

from splitcrit.arguments import Array
from splitcrit.trees.distributed.histograms import Binned, Routes, Spread, SubsetSides, joined, rooted
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.distributed.split_rules import LevelNodes, Rule
from splitcrit.trees.distributed.training_summary import changed
from splitcrit.trees.growth import GrownTree, GrowthOptions
from splitcrit.trees.growth.category_ranks import NO_SUBSETS, Recoding
from splitcrit.trees.growth.growth_options import Stopping


class SplitLevel(NamedTuple):
    """The nodes of a level, the keys of their draws, which are open, how these are split, and which splits pay."""

    nodes: LevelNodes
    keys: Array
    which: Any = None
    splits: Any = None
    pays: Any = None


@dataclass(frozen=True, eq=False)
class Coarse:
    """A tree numbered level by level, the last bin on the left of each split, which leaves were not tried, and keys."""

    tree: GrownTree
    place: Array
    unfinished: Array
    keys: Array

    @staticmethod
    def of(levels: Sequence[SplitLevel], coarse: Stopping, stopping: Stopping) -> Coarse:
        """The tree of levels grown by ``coarse`` rules, some leaves of which ``stopping`` may let split."""
        nodes, first = [level.nodes for level in levels], 0
        size, weights = (np.concatenate([getattr(level, name) for level in nodes]) for name in ("sizes", "weights"))
        value, impurity = np.concatenate([level.described for level in nodes], axis=1)
        depth, place = np.repeat(np.arange(len(nodes)), [len(level.sizes) for level in nodes]), np.full(len(size), -1)
        tree = replace(GrownTree.leaves(depth, size, weights), value=value, impurity=impurity)
        for level in levels[:-1]:  # the last one has leaves alone
            ids, splits, pays = first + level.which[level.pays], level.splits, level.pays
            first += len(level.nodes.sizes)
            for name in ("feature", "threshold", "missing_left"):
                getattr(tree, name)[ids] = getattr(splits, name)[pays]
            place[ids] = splits.place[pays]
            tree.left[ids] = first + 2 * np.arange(len(ids))
            tree.right[ids] = tree.left[ids] + 1
        opened, tried = (
            np.concatenate([level.opened(rules, depth) for depth, level in enumerate(nodes)])
            for rules in (stopping, coarse)
        )
        return Coarse(tree, place, opened & ~tried, np.concatenate([level.keys for level in levels]))

    def groups(self, most: int) -> list[Array]:
        """The unfinished leaves in groups of at most ``most`` rows, or of one leaf."""
        groups: list[list[int]] = []
        room = 0
        for leaf in np.flatnonzero(self.unfinished).tolist():
            if (size := int(self.tree.size[leaf])) > room:
                groups.append([])
                room = most
            groups[-1].append(leaf)
            room -= size
        return list(map(np.array, groups))


Leaf = tuple[int, GrowthOptions]  # to be finished: how many rows it has, and how its tree grows


def finished_by_workers(spread: Spread, coarse: Coarse, rule: Rule, growing: GrowthOptions, most: int) -> GrownTree:
    """A coarse tree whose unfinished leaves have been grown, each by one worker, some ``most`` rows at a time.

    Raises
    ------
    RuntimeError
        If the rows of a leaf are not those that were counted.
    """
    if not coarse.unfinished.any():
        return coarse.tree
    tree, keys, stopping = coarse.tree, coarse.keys, growing.stopping
    recoding = growing.recoding
    sides = SubsetSides.of(len(spread.bins.low), NO_SUBSETS if recoding is None else recoding.table)
    growing = growing if recoding is None else replace(growing, recoding=recoding.anew())
    routes = Routes(tree.feature, coarse.place, tree.missing_left, tree.left, sides)
    shared = delayed((routes, spread.bins.counts), traverse=False)
    landed = [delayed(leaves_of)(part, shared) for part in spread.parts]
    tasks = []
    for group in coarse.groups(most):
        plan: dict[int, Leaf] = {}
        for leaf in group.tolist():
            deepest = None if stopping.max_depth is None else stopping.max_depth - int(tree.depth[leaf])
            how = replace(growing, stopping=replace(stopping, max_depth=deepest), key=int(keys[leaf]))
            plan[leaf] = int(tree.size[leaf]), how
        wanted = delayed(group, traverse=False)
        pieces = [delayed(piece)(part, at, wanted) for part, at in zip(spread.parts, landed, strict=True)]
        tasks.append(delayed(grown_together)(pieces, delayed((plan, spread.bins, rule), traverse=False)))
    grown = {leaf: one for some in compute(tasks)[0] for leaf, one in some.items()}
    return grafted(tree, {leaf: known_to(recoding, *grown[leaf]) for leaf in sorted(grown)})


def leaves_of(binned: Binned, shared: tuple[Routes, Array]) -> Array:
    """The leaf of each row that weighs something, -1 of others."""
    routes, missing = shared
    rows = rooted(binned).rows
    node = np.full(len(binned.target), -1)
    node[rows] = 0
    while len(rows := rows[routes.left[node[rows]] >= 0]):
        at = node[rows]
        node[rows] = routes.left[at] + ~routes.goes_left(binned, rows, at, missing)
    return node


def piece(binned: Binned, landed: Array, leaves: Array) -> tuple[Binned, Array]:
    """The rows of some leaves, and the leaf of each."""
    at = np.flatnonzero(np.isin(landed, leaves))
    return binned.take(at), landed[at]


def grown_together(
    pieces: Sequence[tuple[Binned, Array]], shared: tuple[dict[int, Leaf], Bins, Rule]
) -> dict[int, tuple[GrownTree, Array]]:
    """The trees, and their subsets, of leaves whose rows have come together, in the order of all rows."""
    plan, bins, rule = shared
    rows, landed = joined([rows for rows, _ in pieces]), np.concatenate([landed for _, landed in pieces])
    trees = {}
    order = np.lexsort((rows.numbers, landed))
    leaves, starts, sizes = np.unique(landed[order], return_index=True, return_counts=True)
    if dict(zip(leaves.tolist(), sizes.tolist(), strict=True)) != {leaf: size for leaf, (size, _) in plan.items()}:
        raise changed("other rows in a leaf")
    for leaf, start, size in zip(leaves.tolist(), starts.tolist(), sizes.tolist(), strict=True):
        part = rows.take(order[start : start + size])
        codes = part.bins.T.astype(np.float32)
        codes[codes == bins.counts.astype(np.float32)] = np.nan
        trees[leaf] = grown_here(codes, part, plan[leaf][1], bins, rule)
    return trees


def grown_here(codes: Array, part: Binned, growing: GrowthOptions, bins: Bins, rule: Rule) -> tuple[GrownTree, Array]:
    """The tree of rows with these codes ``(n, d)`` of bins, and its subsets."""
    whole = growing.recoding
    recoding = None if whole is None else whole.anew()
    tree = rule.grown(codes, part, replace(growing, recoding=recoding))
    subsets = NO_SUBSETS if recoding is None else recoding.table
    return between_bins(tree, codes, bins, SubsetSides.of(codes.shape[1], subsets)), subsets


def known_to(recoding: Recoding | None, tree: GrownTree, subsets: Array) -> GrownTree:
    """A tree with the numbers that its subsets have among those of ``recoding``."""
    if recoding is None:
        return tree
    features = len(recoding.levels)
    numbers = np.array([*range(features), *recoding.numbers(subsets), -1])
    return replace(tree, feature=numbers[tree.feature])


def between_bins(tree: GrownTree, codes: Array, bins: Bins, sides: SubsetSides) -> GrownTree:
    """A tree of bins ``(n, d)`` with thresholds between values: those of the bins next to it in the node."""
    inner, threshold = tree.left >= 0, tree.threshold.copy()
    below, above = np.full(len(inner), -1), np.full(len(inner), np.iinfo(np.int64).max)
    rows, node = np.arange(len(codes)), np.zeros(len(codes), np.int64)
    while len(rows := rows[inner[node[rows]]]):
        at = node[rows]
        code = codes[rows, sides.feature[tree.feature[at]]]
        lost, left = np.isnan(code), sides.put(code <= tree.threshold[at], tree.feature[at], code)
        np.maximum.at(below, at[left], code[left].astype(np.int64))
        right = ~left & ~lost
        np.minimum.at(above, at[right], code[right].astype(np.int64))
        node[rows] = np.where(left | (lost & tree.missing_left[at]), tree.left[at], tree.right[at])
    for f in np.unique(tree.feature[inner & (tree.feature < codes.shape[1])]).tolist():
        here = tree.feature == f
        threshold[here] = bins.threshold(f, below[here], above[here])
    return replace(tree, threshold=threshold)


def grafted(tree: GrownTree, grown: dict[int, GrownTree]) -> GrownTree:
    """A tree with the trees that are found in place of leaves."""
    columns = {name: [getattr(tree, name).copy()] for name in tree.__dataclass_fields__}
    first = len(tree.left)
    for leaf, one in sorted(grown.items()):
        moved = {name: getattr(one, name) for name in columns}
        moved["depth"] = one.depth + tree.depth[leaf]
        for side in ("left", "right"):
            moved[side] = np.where(moved[side] < 0, -1, moved[side] + first - 1)
        for name, values in moved.items():
            columns[name][0][leaf] = values[0]
            columns[name].append(values[1:])
        first += len(one.left) - 1
    return GrownTree(**{name: np.concatenate(parts) for name, parts in columns.items()})
