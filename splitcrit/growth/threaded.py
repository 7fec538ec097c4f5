"""A whole tree of sorted columns grown by several threads, node for node that of one.

While one node holds most of what is left to do, threads share out its columns: the search of the best threshold, then
the samples. After that each thread takes a node of its own, the larger ones for one split and the others for the whole
subtree, so that no thread waits for another.

Main definitions: ``grown_by_threads``, ``is_worth_threads``, ``is_shared``.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.growth.arrays import filled
from splitcrit.growth.records import Rules, Workspace
from splitcrit.search.columns import MANY
from splitcrit.search.records import Orders, Scorer, Scratch
from splitcrit.search.threads import shares

Array = NDArray[Any]
SMALL = 1 << 18  # values of a node that is grown to a whole subtree at once, a hundredth of a second's work
ALONE = 1.5  # the largest node may hold this many times a thread's part of what is left before its columns are shared


def is_worth_threads(values: int, rules: Rules, jobs: int) -> bool:
    """Tell whether threads shall grow a tree: of many values, all features tried, and splits as they are chosen."""
    return jobs > 1 and values >= MANY and rules.features == 0 and bool(np.isnan(rules.zone))


def is_shared(size: int, left: int, columns: int, jobs: int) -> bool:
    """Tell whether threads share out the columns of the largest of the nodes that wait, which have ``left`` samples."""
    return size * columns >= SMALL and size * jobs > ALONE * left


def grown_by_threads(source: Orders, root: list[Array], scorer: Scorer, rules: Rules, jobs: int) -> list[Array]:
    """Return links and reals of a tree, from those of its root; the samples of ``source`` are shared out in place."""
    top = _Node([part[:1].copy() for part in root])
    spaces = _spaces(source, root, jobs)
    with ThreadPoolExecutor(jobs) as pool:
        _Growth(source, scorer, rules, spaces, pool).grow(top)
    return _joined(top)


def _spaces(source: Orders, root: list[Array], jobs: int) -> list[Workspace]:
    """Return space for each thread; where samples go is noted by each apart, or threads would wait for each other."""
    classes, (d, n) = root[1].shape[1] - 1, source.orders.shape
    return [Workspace.of(Scratch.of(classes, n), d, source.orders[0]) for _ in range(jobs)]


@dataclass(eq=False)
class _Node:
    """The row of a node in links and reals, or those of the whole subtree below it; left and right child if known."""

    rows: list[Array]
    children: list[_Node] = field(default_factory=list)

    @property
    def size(self) -> int:
        from splitcrit.growth.nodes_compiled import SIZE

        return int(self.rows[0][0, SIZE])


@dataclass(frozen=True, eq=False)
class _Growth:
    """What threads need to grow nodes, each with one of the spaces."""

    source: Orders
    scorer: Scorer
    rules: Rules
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
        return largest if is_shared(largest.size, left, len(self.source.orders), len(self.spaces)) else None

    def _alone(self, node: _Node, free: SimpleQueue[Workspace]) -> list[Future[Any]]:
        """Grow what is below a node, but leave right children of large nodes to any thread; return these tasks.

        So a thread goes on with the samples that it has just moved, as in a tree that one thread grows.
        """
        space, others = free.get(), list[Future[Any]]()
        try:
            while node.size * len(self.source.orders) >= SMALL:
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
        from splitcrit.growth.whole_compiled import grow_whole

        rows = [np.resize(part, (64, part.shape[1])) for part in node.rows]
        node.rows = filled(
            rows, lambda tree: grow_whole(self.source, True, None, tree, self.scorer, self.rules, space)
        )  # fmt: skip

    def _split(self, node: _Node, spaces: list[Workspace]) -> list[_Node]:
        """Split a node if that pays, by a thread for each space, and return its children."""
        from splitcrit.growth import nodes_compiled as nodes
        from splitcrit.growth.threaded_compiled import mark_split, scan_columns, share_columns
        from splitcrit.jit import plain

        (links, reals), space = (np.resize(part, (3, part.shape[1])) for part in node.rows), spaces[0]
        if plain(nodes.is_leaf)(links, reals, 0, self.rules, space.counts):
            return []
        for other in spaces[1:]:
            other.counts[:] = space.counts
        here = int(links[0, nodes.START]), int(links[0, nodes.START] + links[0, nodes.SIZE])
        best, scan = np.empty(len(self.source.orders)), (here, self.scorer, self.rules)
        numbers = self._each(spaces, lambda part, each: scan_columns(
            self._columns(part), *scan, np.inf, each._replace(best=best[part])
        ))  # fmt: skip
        base, rate, width = numbers[0]
        if not plain(nodes.pays)((best.max() - base) * rate, width, self.rules.gain):
            return []
        f = plain(nodes.first_reaching)(best, floor := plain(nodes.floor_of)(best.max(), base, rate, width))
        scan_columns(self._columns(slice(f, f + 1)), *scan, floor, space)
        closed = mark_split(self.source, here, (f, int(space.best[0])), (links, reals, 0, 1), self.rules, space)
        if not (closed[0] and closed[1]):
            self._each(spaces, lambda part, each: share_columns(
                self._columns(part), here, f - part.start, closed, each._replace(side=space.side)
            ))  # fmt: skip
        node.rows, node.children = [links[:1], reals[:1]], _children(links, reals)
        return node.children

    def _each(self, spaces: list[Workspace], call: Callable[[slice, Workspace], Any]) -> list[Any]:
        """Return what a call returns for each share of the columns, each with a space of its own."""
        parts = shares(len(self.source.orders), len(spaces))
        return [call(parts[0], spaces[0])] if len(parts) == 1 else list(self.pool.map(call, parts, spaces))

    def _columns(self, part: slice) -> Orders:
        return Orders(self.source.orders[part], self.source.columns[part], self.source.bits)


def _children(links: Array, reals: Array) -> list[_Node]:
    """Return the children of the node in row 0; class weights and size of the left one stand in row 1.

    Their draws have no keys, as nothing is drawn.
    """
    from splitcrit.growth import nodes_compiled as nodes

    depth, start, size, left = *(links[0, [nodes.DEPTH, nodes.START, nodes.SIZE]]), links[1, nodes.SIZE]
    links[1] = -1, -1, -1, -1, depth + 1, left, start, 0
    links[2] = -1, -1, -1, -1, depth + 1, size - left, start + left, 0
    reals[2, 1:] = reals[0, 1:] - reals[1, 1:]
    reals[1:, 0] = np.nan
    return [_Node([links[row : row + 1], reals[row : row + 1]]) for row in (1, 2)]


def _joined(top: _Node) -> list[Array]:
    """Return the rows of the whole tree, numbered depth first."""
    from splitcrit.growth.nodes_compiled import LEFT, PARENT, RIGHT

    blocks, made, waiting = list[list[Array]](), 0, [(top, -1, top.rows[0], PARENT)]
    while waiting:
        node, parent, above, place = waiting.pop()
        links = node.rows[0]
        links[:, [PARENT, LEFT, RIGHT]] += np.where(links[:, [PARENT, LEFT, RIGHT]] >= 0, made, 0)
        links[0, PARENT] = parent
        if node is not top:
            above[0, place] = made
        if node.children:
            left, right = node.children
            waiting += [(right, made, links, RIGHT), (left, made, links, LEFT)]
        blocks.append(node.rows)
        made += len(links)
    return [np.concatenate(part) for part in zip(*blocks, strict=True)]
