"""What runs beside the data: binned rows, the nodes they lie in, and the sums of each bin of each node that is asked.

While nodes are large, only these histograms travel. Their sums are exact, so that neither the partitions nor the order
of the sums can change them.

Main definitions: ``Spread``, ``Binned``, ``BinnedRows``, ``Routes``, ``descended``, ``histogram``, ``together``;
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
from distributed import futures_of

from splitcrit.arguments import Array
from splitcrit.trees.distributed.sketch import Bins, Sized
from splitcrit.trees.distributed.subset_sides import SubsetSides
from splitcrit.trees.distributed.sums import ClassSums, ResponseSums

Sums = ClassSums | ResponseSums
FAN = 8  # how many results are merged at a time


@dataclass(frozen=True, eq=False)
class Binned(Sized):
    """The rows of a partition: bins ``(d, n)``, class codes or responses ``(n,)``, weights unless they are all 1.

    ``numbers`` are those of the rows among all rows.
    """

    bins: Array
    target: Array
    weights: Array | None
    numbers: Array

    def take(self, at: Array) -> Binned:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[at]
        return Binned(self.bins[:, at], self.target[at], weights, self.numbers[at])


@dataclass(frozen=True, eq=False)
class BinnedRows(Sized):
    """The rows of a partition in nodes that may be split, and the number of each one's node in its level."""

    rows: Array
    nodes: Array


@dataclass(frozen=True, eq=False)
class Routes:
    """Where the rows of each node of a level go: bins of a feature up to ``place`` left, missing ones as said.

    ``left`` is the number of the left child in the next level, followed by the right; -1 where a node is not split.
    A feature behind the last is a subset of categories, with ``sides``.
    """

    feature: Array
    place: Array
    missing_left: Array
    left: Array
    sides: SubsetSides

    def goes_left(self, binned: Binned, rows: Array, nodes: Array, missing: Array) -> Array:
        """Tell which rows go left in their nodes; ``missing`` is the bin of missing values of each feature."""
        column = self.feature[nodes]
        feature = self.sides.feature[column]
        bins = binned.bins[feature, rows]
        left = (bins <= self.place[nodes]) | (self.missing_left[nodes] & (bins == missing[feature]))
        return self.sides.put(np.asarray(left), column, bins)


@dataclass(frozen=True, eq=False)
class Spread:
    """A training set: partitions (delayed ``Binned``) in groups of neighbours, bins, sums over all rows, rows."""

    groups: list[list[Any]]
    bins: Bins
    totals: Array
    rows: int

    @property
    def parts(self) -> list[Any]:
        """The partitions."""
        return [part for group in self.groups for part in group]


def rooted(binned: Binned) -> BinnedRows:
    """Return the rows of a partition that weigh something, in the root."""
    n = len(binned.target)
    every = np.arange(n, dtype=np.int32 if n < 2**31 else np.int64)
    rows = every if binned.weights is None else every[binned.weights > 0]
    return BinnedRows(rows, np.zeros(len(rows), np.int32))


def descended(binned: Binned, rows: BinnedRows, routes: Routes, missing: Array) -> BinnedRows:
    """Return the rows of the nodes that are split, in the children."""
    if not (split := routes.left[rows.nodes] >= 0).all():
        rows = BinnedRows(rows.rows[split], rows.nodes[split])
    right = ~routes.goes_left(binned, rows.rows, rows.nodes, missing)
    return BinnedRows(rows.rows, (routes.left[rows.nodes] + right).astype(np.int32))


def histogram(binned: Binned, rows: BinnedRows, sums: Sums, starts: Array, wanted: Array) -> Array:
    """Return the sums ``(m, bins, width)`` of ``m`` nodes, features behind one another.

    ``wanted[node]`` is a node's place among the ``m``, -1 for others.
    """
    at, node, m = rows.rows, wanted[rows.nodes].astype(np.intp), int(wanted.max()) + 1
    if not (inside := node >= 0).all():
        at, node = at[inside], node[inside]
    whole = len(at) == len(binned.target)
    weights = binned.weights if binned.weights is None or whole else binned.weights[at]
    held = sums.held(binned.target if whole else binned.target[at], weights)
    found = np.zeros((m, int(starts[-1]), sums.width), sums.dtype)
    for f, (start, end) in enumerate(pairwise(starts)):
        bins, here = binned.bins[f] if whole else binned.bins[f, at], int(end - start)
        found[:, start:end] = sums.added(node * here + bins, m * here, held).reshape(m, here, -1)
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
    target, numbers = (np.concatenate([getattr(part, name) for part in parts]) for name in ("target", "numbers"))
    return Binned(bins, target, np.concatenate(weights) if weights else None, numbers)


def merged(parts: Sequence[Any], merge: Callable[..., Any], *options: Any) -> Any:
    """Merge some parts at a time where they lie, again and again, and return the last."""
    parts = list(parts)
    while len(parts) > 1:
        groups = [parts[i : i + FAN] for i in range(0, len(parts), FAN)]
        parts = [delayed(merge)(group, *options) for group in groups]
    return parts[0]
