"""A whole tree of sorted columns grown by several threads, node for node that of one.

While nodes are large, threads share out their columns: the search of the best threshold, then the samples. Smaller
nodes, of which there are many by then, are grown to whole subtrees, each by one thread.

Main definitions: ``grown_by_threads``, ``is_worth_threads``.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.growth.records import Rules, Workspace
from splitcrit.growth.rows import filled
from splitcrit.search.columns import MANY
from splitcrit.search.draws import side_keys
from splitcrit.search.records import Orders, Scorer, Scratch
from splitcrit.search.threads import shares

Array = NDArray[Any]
LARGE = 1 << 18  # values of a node whose columns are shared out: threads take some 50 microseconds to agree


def is_worth_threads(values: int, rules: Rules, jobs: int) -> bool:
    """Tell whether threads shall grow a tree: of many values, all features tried, and splits as they are chosen."""
    return jobs > 1 and values >= MANY and rules.features == 0 and bool(np.isnan(rules.zone))


def grown_by_threads(source: Orders, root: list[Array], scorer: Scorer, rules: Rules, jobs: int) -> list[Array]:
    """Return links and reals of a tree, from those of its root; the samples of ``source`` are shared out in place."""
    with ThreadPoolExecutor(jobs) as pool:
        top = _Top(source, root, scorer, rules, _spaces(source, root, jobs), pool)
        top.grow()
        return top.joined()


def _spaces(source: Orders, root: list[Array], jobs: int) -> list[Workspace]:
    """Return space for each thread; where samples go is noted by each apart, or threads would wait for each other."""
    classes, (d, n) = root[1].shape[1] - 1, source.orders.shape
    return [Workspace.of(Scratch.of(classes, n), d, source.orders[0]) for _ in range(jobs)]


class _Top:
    """The large nodes of a tree, by level, and the subtrees below them."""

    def __init__(
        self, source: Orders, root: list[Array], scorer: Scorer, rules: Rules, spaces: list[Workspace], pool: Any
    ) -> None:
        self.source, self.scorer, self.rules, self.spaces, self.pool = source, scorer, rules, spaces, pool
        self.links, self.reals = root
        self.made, self.subtrees = 1, dict[int, list[Array]]()
        self.parts = shares(len(source.orders), len(spaces))

    def grow(self) -> None:
        """Split the large nodes one after the other, then grow all subtrees, the largest first."""
        from splitcrit.growth import nodes_compiled as nodes

        small, at = [], 0
        while at < self.made:
            if self.links[at, nodes.SIZE] * len(self.source.orders) < LARGE:
                small.append(at)
            elif not nodes.is_leaf.py_func(self.links, self.reals, at, self.rules, self.spaces[0].counts):
                self._split(at)
            at += 1
        free: SimpleQueue[Workspace] = SimpleQueue()
        for space in self.spaces:
            free.put(space)
        small.sort(key=lambda node: -self.links[node, nodes.SIZE])
        self.subtrees = dict(zip(small, self.pool.map(lambda node: self._subtree(node, free), small), strict=True))

    def _split(self, at: int) -> None:
        """Split a node if that pays, and add its children."""
        from splitcrit.growth import nodes_compiled as nodes
        from splitcrit.growth.threaded_compiled import mark_split, scan_columns, share_columns

        start = int(self.links[at, nodes.START])
        here = start, start + int(self.links[at, nodes.SIZE])
        for space in self.spaces[1:]:
            space.counts[:] = self.spaces[0].counts
        best, scan = np.empty(len(self.source.orders)), (here, self.scorer, self.rules)
        numbers = self._each(lambda part, space: scan_columns(
            self._columns(part), *scan, np.inf, space._replace(best=best[part])
        ))  # fmt: skip
        base, rate, width = numbers[0]
        if not nodes.pays.py_func((best.max() - base) * rate, width, self.rules.gain):
            return
        floor, space = nodes.floor_of.py_func(best.max(), base, rate, width), self.spaces[0]
        f = nodes.first_reaching.py_func(best, floor)
        scan_columns(self._columns(slice(f, f + 1)), *scan, floor, space)
        self.links, self.reals = (
            np.resize(rows, (2 * len(rows), rows.shape[1])) if self.made + 2 > len(rows) else rows
            for rows in (self.links, self.reals)
        )
        rows = self.links, self.reals, at, self.made
        closed = mark_split(self.source, here, (f, int(space.best[0])), rows, self.rules, space)
        if not (closed[0] and closed[1]):
            self._each(lambda part, each: share_columns(
                self._columns(part), here, f - part.start, closed, each._replace(side=space.side)
            ))  # fmt: skip
        self._add_children(at)

    def _each(self, call: Callable[[slice, Workspace], Any]) -> list[Any]:
        """Return what a call returns for each share of the columns, each with a space of its own."""
        return list(self.pool.map(call, self.parts, self.spaces))

    def _columns(self, part: slice) -> Orders:
        return Orders(self.source.orders[part], self.source.columns[part], self.source.bits)

    def _add_children(self, at: int) -> None:
        """Fill the rows of both children; class weights and size of the left one stand there."""
        from splitcrit.growth import nodes_compiled as nodes

        links, reals, left = self.links, self.reals, self.made
        right, sizes = left + 1, (links[left, nodes.SIZE], links[at, nodes.SIZE] - links[left, nodes.SIZE])
        keys = side_keys(links[at, nodes.KEY].astype(np.uint64))
        starts = links[at, nodes.START], links[at, nodes.START] + sizes[0]
        for node, size, start, key in zip((left, right), sizes, starts, keys, strict=True):
            links[node] = at, -1, -1, -1, links[at, nodes.DEPTH] + 1, size, start, key.astype(np.int64)
        reals[right, 1:] = reals[at, 1:] - reals[left, 1:]
        reals[left : right + 1, 0] = np.nan
        links[at, nodes.LEFT], links[at, nodes.RIGHT] = left, right
        self.made += 2

    def _subtree(self, at: int, free: SimpleQueue[Workspace]) -> list[Array]:
        """Return the rows of the subtree below a node, numbered from 0."""
        from splitcrit.growth.whole_compiled import grow_whole

        space = free.get()
        try:
            rows = [np.resize(part[at : at + 1], (64, part.shape[1])) for part in (self.links, self.reals)]
            rows[0][0, 0] = -1
            return filled(
                rows, lambda tree: grow_whole(self.source, True, None, tree, self.scorer, self.rules, space)
            )  # fmt: skip
        finally:
            free.put(space)

    def joined(self) -> list[Array]:
        """Return the rows of the whole tree, numbered depth first."""
        from splitcrit.growth.nodes_compiled import LEFT, PARENT, RIGHT

        ids, blocks, made, waiting = dict[int, int](), list[list[Array]](), 0, [0]
        while waiting:
            at = waiting.pop()
            links, reals = self.subtrees.get(at) or (self.links[at : at + 1].copy(), self.reals[at : at + 1])
            links[:, [PARENT, LEFT, RIGHT]] += np.where(links[:, [PARENT, LEFT, RIGHT]] >= 0, made, 0)
            blocks.append([links, reals])
            ids[at], made = made, made + len(links)
            if at not in self.subtrees and self.links[at, LEFT] >= 0:
                waiting += [int(self.links[at, RIGHT]), int(self.links[at, LEFT])]
        links, reals = (np.concatenate(part) for part in zip(*blocks, strict=True))
        for at, number in ids.items():
            for side in (LEFT, RIGHT):
                if at not in self.subtrees and (child := int(self.links[at, side])) >= 0:
                    links[number, side], links[ids[child], PARENT] = ids[child], number
        return [links, reals]
