"""What runs beside the data: binned rows, the nodes they lie in, and the class weights of each bin of each open node.

Only these histograms travel. They are sums of integers, or of weights on a grid on which sums are exact, so that
neither the partitions nor the order of the sums can change them.

Main definitions: ``Binned``, ``Rows``, ``Routes``, ``descended``, ``histogram``, ``together``;
``merged`` adds up, ``beside`` and ``joined`` put together what lies together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from dask.delayed import delayed
from dask.sizeof import sizeof
from distributed import futures_of
from numpy.typing import NDArray

Array = NDArray[Any]
FAN = 8  # how many results are merged at a time


@dataclass(frozen=True, eq=False)
class Binned:
    """The rows of a partition: bins ``(d, n)``, class codes ``(n,)``, and weights unless they are all 1."""

    bins: Array
    codes: Array
    weights: Array | None

    def __sizeof__(self) -> int:
        """Return the size that Dask goes by when it chooses where to work."""
        return int(sizeof(list(vars(self).values())))


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a partition in open nodes, and the place of each one's node among these."""

    rows: Array
    nodes: Array

    def __sizeof__(self) -> int:
        """Return the size that Dask goes by when it chooses where to work."""
        return int(sizeof(list(vars(self).values())))


@dataclass(frozen=True, eq=False)
class Routes:
    """Where the rows of each open node go: bins of a feature up to ``place`` left, missing ones as ``missing_left``.

    ``children (m, 2)`` are places among the open nodes of the next level, -1 where the child is a leaf.
    """

    feature: Array
    place: Array
    missing_left: Array
    children: Array


def rooted(binned: Binned) -> Rows:
    """Return all rows of a partition, in the root."""
    n = len(binned.codes)
    return Rows(np.arange(n, dtype=np.int32 if n < 2**31 else np.int64), np.zeros(n, np.int32))


def descended(binned: Binned, rows: Rows, routes: Routes, missing: Array) -> Rows:
    """Return the rows that lie in the open nodes of the next level; ``missing`` is the bin of such values."""
    feature = routes.feature[rows.nodes]
    bins = binned.bins[feature, rows.rows]
    left = bins <= routes.place[rows.nodes]
    left |= routes.missing_left[rows.nodes] & (bins == missing[feature])
    child = np.where(left, routes.children[rows.nodes, 0], routes.children[rows.nodes, 1])
    kept = child >= 0
    return Rows(rows.rows[kept], child[kept].astype(np.int32))


def histogram(binned: Binned, rows: Rows, classes: int, starts: Array, first: int, last: int) -> Array:
    """Return the class weights ``(nodes, bins, K)`` of open nodes ``first`` to ``last``, features behind one another.

    With weights, the last axis ends with the number of rows.
    """
    at, node = rows.rows, rows.nodes
    if len(inside := np.flatnonzero((node >= first) & (node < last))) < len(node):
        at, node = at[inside], node[inside]
    whole = len(at) == len(binned.codes)
    codes, weights = (None if a is None else a if whole else a[at] for a in (binned.codes, binned.weights))
    node, m = node.astype(np.intp) - first, last - first
    shape = (m, int(starts[-1]), classes + (weights is not None))
    found = np.zeros(shape, np.int64 if weights is None else np.float64)
    for f, (start, end) in enumerate(pairwise(starts)):
        bins, here = binned.bins[f] if whole else binned.bins[f, at], int(end - start)
        cell = node * here + bins
        counts = np.bincount(cell * classes + codes, weights, m * here * classes)
        found[:, start:end, :classes] = counts.reshape(m, here, classes)
        if weights is not None:
            found[:, start:end, classes] = np.bincount(cell, minlength=m * here).reshape(m, here)
    return found


def together(histograms: Sequence[Array]) -> Array:
    """Return the sum of histograms."""
    found = histograms[0].copy()
    for other in histograms[1:]:
        found += other
    return found


def beside(parts: list[Any]) -> list[list[list[Any]]]:
    """Return persisted partitions grouped by the workers that hold them, then by the threads that work there.

    A worker has as many groups as threads: none waits for it to be free, so that no idle worker takes rows from it.
    """
    if not (futures := futures_of(parts)):  # no cluster
        return [[[part] for part in parts]]
    client, found = futures[0].client, defaultdict(list)
    held, threads = client.who_has(futures), client.nthreads()
    for part in parts:
        found[next(iter(held.get(part.key, ())), "")].append(part)
    return [_shared_out(group, threads.get(worker, 1)) for worker, group in found.items()]


def _shared_out(parts: list[Any], among: int) -> list[list[Any]]:
    """Return parts in at most ``among`` groups, about as many in each."""
    return [parts[i::among] for i in range(min(among, len(parts)))]


def joined(parts: Sequence[Binned]) -> Binned:
    """Return the rows of several partitions as those of one."""
    if len(parts) == 1:
        return parts[0]
    weights = [part.weights for part in parts if part.weights is not None]
    bins = np.concatenate([part.bins for part in parts], axis=1)
    codes = np.concatenate([part.codes for part in parts])
    return Binned(bins, codes, np.concatenate(weights) if weights else None)


def merged(parts: Sequence[Any], merge: Callable[..., Any], *options: Any) -> Any:
    """Return what remains when some parts at a time are merged, again and again, where they lie."""
    parts = list(parts)
    while len(parts) > 1:
        groups = [parts[i : i + FAN] for i in range(0, len(parts), FAN)]
        parts = [delayed(merge)(group, *options) for group in groups]
    return parts[0]
