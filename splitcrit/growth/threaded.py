"""A whole tree of sorted columns grown by several threads, node for node that of one.

While one node holds most of what is left to do, threads share out its columns: the search of the best threshold, then
the samples. After that each thread takes a node of its own, the larger ones for one split and the others for the whole
subtree, so that no thread waits for another.

Main definitions: ``grown_by_threads``, ``is_shared``.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np

from splitcrit.growth.grown_tree import filled
from splitcrit.growth.records import (
    DEPTH,
    LEFT,
    PARENT,
    RIGHT,
    SIZE,
    START,
    THRESHOLD,
    PresortedSource,
    StoppingRules,
    TreeRows,
    Workspace,
)
from splitcrit.search.records import CompiledCriterion, Orders, Scratch
from splitcrit.search.sorted_columns import equal_slices

SMALL = 1 << 18  # values of a node that is grown to a whole subtree at once, a hundredth of a second's work
ALONE = 1.5  # the largest node may hold this many times a thread's part of what is left before its columns are shared


def is_shared(size: int, left: int, columns: int, jobs: int) -> bool:
    """Tell whether threads share out the columns of the largest of the nodes that wait, which have ``left`` samples."""
    return size * columns >= SMALL and size * jobs > ALONE * left


def grown_by_threads(source: PresortedSource, root: TreeRows, rules: StoppingRules, jobs: int) -> TreeRows:
    """Return the rows of a tree, from those of its root; the samples of ``source`` are shared out in place.

    Each thread has a space of its own; where samples go is noted by each apart, or threads would wait for each other.
    """
    d, n = source.orders.orders.shape
    top, classes = _Node(TreeRows(*(part[:1].copy() for part in root))), len(source.space.counts)
    spaces = [Workspace.of(Scratch.of(classes, n), d, source.orders.orders[0]) for _ in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        _Growth(source.orders, source.scorer, rules, spaces, pool).grow(top)
    return _joined(top)


@dataclass(eq=False)
class _Node:
    """The row of a node in links and reals, or those of the whole subtree below it; left and right child if known."""

    rows: TreeRows
    children: list[_Node] = field(default_factory=list)

    @property
    def size(self) -> int:
        return int(self.rows.links[0, SIZE])


@dataclass(frozen=True, eq=False)
class _Growth:
    """What threads need to grow nodes, each with one of the spaces."""

    orders: Orders
    scorer: CompiledCriterion
    rules: StoppingRules
    spaces: list[Workspace]
    pool: Executor

    def grow(self, top: _Node) -> None:
        """Split by columns while one node holds most of what is left, then node by node."""
        waiting, free = [top], SimpleQueue[Workspace]()
        while (largest := self._largest(waiting)) is not None:
            waiting.remove(largest)
            waiting += self._split(largest, self.spaces)
        for space in self.spaces:
            free.put(space)
        running = {self.pool.submit(self._alone, node, free) for node in sorted(waiting, key=lambda node: -node.size)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {started for each in done for started in each.result()}

    def _largest(self, waiting: list[_Node]) -> _Node | None:
        """Return the largest node if threads shall share out its columns."""
        if not waiting:
            return None
        largest = max(waiting, key=lambda node: node.size)
        left = sum(node.size for node in waiting)
        return largest if is_shared(largest.size, left, len(self.orders.orders), len(self.spaces)) else None

    def _alone(self, node: _Node, free: SimpleQueue[Workspace]) -> list[Future[Any]]:
        """Grow what is below a node, but leave right children of large nodes to any thread; return these tasks.

        So a thread goes on with the samples that it has just moved, as in a tree that one thread grows.
        """
        space, others = free.get(), list[Future[Any]]()
        try:
            while node.size * len(self.orders.orders) >= SMALL:
                if not (children := self._split(node, [space])):
                    return others
                node, right = children
                others.append(self.pool.submit(self._alone, right, free))
            self._grow_below(node, space)
            return others
        finally:
            free.put(space)

    def _grow_below(self, node: _Node, space: Workspace) -> None:
        """Grow a node to a whole subtree."""
        from splitcrit.growth.grow_compiled import grow_whole

        rows, source = _resized(node.rows, 64), PresortedSource(self.orders, self.scorer, space)
        node.rows = filled(rows, lambda tree, at, made: grow_whole(source, tree, at, made, self.rules))

    def _split(self, node: _Node, spaces: list[Workspace]) -> list[_Node]:
        """Split a node if that pays, by a thread for each space, and return its children."""
        from splitcrit.compiling import plain
        from splitcrit.growth import nodes_compiled as nodes
        from splitcrit.growth.grow_compiled import mark_split, scan_columns, share_columns

        tree, space, rules = _resized(node.rows, 3), spaces[0], self.rules
        if plain(nodes.is_leaf)(tree.links, tree.reals, 0, rules, space.counts):
            return []
        for other in spaces[1:]:
            other.counts[:] = space.counts
        start = int(tree.links[0, START])
        here, best = (start, start + int(tree.links[0, SIZE])), np.empty(len(self.orders.orders))
        numbers = self._each(spaces, lambda part, each: scan_columns(
            self._columns(part), *here, self.scorer, rules, np.inf, each._replace(best=best[part])
        ))  # fmt: skip
        base, rate, width = numbers[0]
        if not plain(nodes.pays)((best.max() - base) * rate, width, rules.gain):
            return []
        f = plain(nodes.first_reaching)(best, floor := plain(nodes.floor_of)(best.max(), base, rate, width))
        scan_columns(self._columns(slice(f, f + 1)), *here, self.scorer, rules, floor, space)
        closed = mark_split(self.orders, *here, f, int(space.best[0]), tree, rules, space)
        if not (closed[0] and closed[1]):
            self._each(spaces, lambda part, each: share_columns(
                self._columns(part), *here, f - part.start, *closed, each._replace(side=space.side)
            ))  # fmt: skip
        node.rows, node.children = TreeRows(*(part[:1] for part in tree)), _children(tree)
        return node.children

    def _each(self, spaces: list[Workspace], call: Callable[[slice, Workspace], Any]) -> list[Any]:
        """Return the results of a call on each share of the columns, each with a space of its own."""
        parts = equal_slices(len(self.orders.orders), len(spaces))
        return [call(parts[0], spaces[0])] if len(parts) == 1 else list(self.pool.map(call, parts, spaces))

    def _columns(self, part: slice) -> Orders:
        return Orders(self.orders.orders[part], self.orders.columns[part], self.orders.bits)


def _resized(rows: TreeRows, count: int) -> TreeRows:
    """Return some rows that begin with those of a node."""
    return TreeRows(*(np.resize(part, (count, part.shape[1])) for part in rows))


def _children(tree: TreeRows) -> list[_Node]:
    """Return the children of the node in row 0; class weights and size of the left one stand in row 1.

    Their draws have no keys, as nothing is drawn.
    """
    links, reals = tree.links, tree.reals
    depth, start, size, left = *(links[0, [DEPTH, START, SIZE]]), links[1, SIZE]
    links[1] = -1, -1, -1, -1, depth + 1, left, start, 0
    links[2] = -1, -1, -1, -1, depth + 1, size - left, start + left, 0
    reals[2, 1:] = reals[0, 1:] - reals[1, 1:]
    reals[1:, THRESHOLD] = np.nan
    return [_Node(TreeRows(*(part[row : row + 1] for part in tree))) for row in (1, 2)]


def _joined(top: _Node) -> TreeRows:
    """Return the rows of the whole tree, numbered depth first."""
    blocks, made, waiting = list[TreeRows](), 0, [(top, -1, top.rows.links, PARENT)]
    while waiting:
        node, parent, above, place = waiting.pop()
        links = node.rows.links
        links[:, [PARENT, LEFT, RIGHT]] += np.where(links[:, [PARENT, LEFT, RIGHT]] >= 0, made, 0)
        links[0, PARENT] = parent
        if node is not top:
            above[0, place] = made
        if node.children:
            left, right = node.children
            waiting += [(right, made, links, RIGHT), (left, made, links, LEFT)]
        blocks.append(node.rows)
        made += len(links)
    return TreeRows(*(np.concatenate(part) for part in zip(*blocks, strict=True)))
