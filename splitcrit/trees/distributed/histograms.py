"""What runs beside the data: binned rows, the nodes they lie in, and the sums of each bin of each node that is asked.

While nodes are large, only these histograms travel. Their sums are exact, so that neither the partitions nor the order
of the sums can change them.

Bootstrap samples are drawn where the rows lie: with replacement, as many as there are, each in proportion to its
weight. How often a row is drawn follows from its place alone: a row has places, behind those of the rows before it, and
places are drawn. How many draws fall into each block of places is one multinomial draw that every partition repeats;
where they fall in a block, the block's own generator says. So the law is that of the bootstrap in memory, and
partitions do not matter.

Main definitions: ``Spread``, ``Binned``, ``BinnedRows``, ``Routes``, ``SubsetSides``, ``descended``, ``histogram``;
``merged`` adds up, ``beside`` and ``joined`` put together what lies together; ``times_drawn``, ``resampled``,
``placed``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from dask.delayed import delayed
from distributed import futures_of

from splitcrit.arguments import Array
from splitcrit.trees.distributed.sketch import Bins, Sized
from splitcrit.trees.distributed.sums import ClassSums, ResponseSums
from splitcrit.trees.growth.category_ranks import NO_SUBSETS

Sums = ClassSums | ResponseSums
FAN = 8  # how many results are merged at a time
BLOCK = 1 << 12  # draws, on average


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
        """Some of the rows."""
        weights = None if self.weights is None else self.weights[at]
        return Binned(self.bins[:, at], self.target[at], weights, self.numbers[at])


@dataclass(frozen=True, eq=False)
class BinnedRows(Sized):
    """The rows of a partition in nodes that may be split, and the number of each one's node in its level."""

    rows: Array
    nodes: Array


@dataclass(frozen=True, eq=False)
class SubsetSides:
    """The feature of each column of a tree, of which the last are subsets, and what these send right ``(S, J)``."""

    feature: Array
    right: Array

    @staticmethod
    def of(features: int, subsets: Array = NO_SUBSETS) -> SubsetSides:
        """The sides of subsets, rows of ``Recoding.table``; they have the codes that a node has seen.

        Examples
        --------
        >>> from splitcrit.trees.growth.category_ranks import Recoding
        >>> recoding = Recoding(np.array([0, 4, 0]), 1)
        >>> recoding.column(1, np.array([0, -1, 1, 0]), True, 1)
        array([3])
        >>> sides = SubsetSides.of(3, recoding.table)
        >>> sides.feature.tolist(), sides.right.astype(int).tolist()
        ([0, 1, 2, 1], [[0, 0, 1, 0]])
        """
        return SubsetSides(np.append(np.arange(features), subsets["feature"]), subsets["sides"] == 1)

    def put(self, left: Array, column: Array, codes: Array) -> Array:
        """Who goes left, as given but where ``column`` is a subset: there ``codes`` tell."""
        subset = column - (len(self.feature) - len(self.right))
        some = np.flatnonzero(subset >= 0)
        left[some] = ~self.right[subset[some], codes[some].astype(np.intp)]
        return left


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
    """The rows of a partition that weigh something, in the root."""
    n = len(binned.target)
    every = np.arange(n, dtype=np.int32 if n < 2**31 else np.int64)
    rows = every if binned.weights is None else every[binned.weights > 0]
    return BinnedRows(rows, np.zeros(len(rows), np.int32))


def descended(binned: Binned, rows: BinnedRows, routes: Routes, missing: Array) -> BinnedRows:
    """The rows of the nodes that are split, in the children."""
    if not (split := routes.left[rows.nodes] >= 0).all():
        rows = BinnedRows(rows.rows[split], rows.nodes[split])
    right = ~routes.goes_left(binned, rows.rows, rows.nodes, missing)
    return BinnedRows(rows.rows, (routes.left[rows.nodes] + right).astype(np.int32))


def histogram(binned: Binned, rows: BinnedRows, sums: Sums, starts: Array, wanted: Array) -> Array:
    """The sums ``(m, bins, width)`` of ``m`` nodes, features behind one another.

    ``wanted[node]`` is a node's place among the ``m``, -1 for others.
    """
    at, node, m = rows.rows, wanted[rows.nodes].astype(np.intp), int(wanted.max()) + 1
    if not (inside := node >= 0).all():
        at, node = at[inside], node[inside]
    whole = len(at) == len(binned.target)
    weights = binned.weights if binned.weights is None or whole else binned.weights[at]
    content = sums.held(binned.target if whole else binned.target[at], weights)
    counts = np.zeros((m, int(starts[-1]), sums.width), sums.dtype)
    for f, (start, end) in enumerate(pairwise(starts)):
        bins, here = binned.bins[f] if whole else binned.bins[f, at], int(end - start)
        counts[:, start:end] = sums.added(node * here + bins, m * here, content).reshape(m, here, -1)
    return counts


def beside(parts: list[Any]) -> list[list[list[Any]]]:
    """Persisted partitions grouped by the workers that hold them, then by the threads that work there.

    A worker has as many groups as threads: none waits for it to be free, so that no idle worker takes rows from it.
    """
    if not (futures := futures_of(parts)):  # no cluster
        return [[[part] for part in parts]]
    client = futures[0].client
    groups = defaultdict(list)
    where, threads = client.who_has(futures), client.nthreads()
    for part in parts:
        groups[next(iter(where.get(part.key, ())), "")].append(part)
    among = {worker: min(threads.get(worker, 1), len(group)) for worker, group in groups.items()}
    return [[group[i :: among[worker]] for i in range(among[worker])] for worker, group in groups.items()]


def joined(parts: Sequence[Binned]) -> Binned:
    """The rows of several partitions as those of one."""
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


def times_drawn(places: Array, rows: int, seed: int, widths: Any = 1, whole: int | None = None) -> Array:
    """Count how often each row is among ``rows`` draws from ``whole`` places, one a row by default.

    A row has ``widths`` places, the first of which is given.

    Examples
    --------
    >>> every = times_drawn(np.arange(10_000), 10_000, seed=0)
    >>> int(every.sum()), np.array_equal(times_drawn(np.arange(5000, 9000), 10_000, seed=0), every[5000:9000])
    (10000, True)
    """
    whole = rows if whole is None else whole
    length = -(-whole * BLOCK // rows)
    sizes = np.minimum(length, whole - np.arange(0, whole, length))
    draws = np.random.default_rng([seed, 0]).multinomial(rows, sizes / whole)
    times = np.zeros(len(places))
    order = np.argsort(places, kind="stable")
    starts = places[order]
    stops = starts + np.broadcast_to(widths, starts.shape)[order]
    for one in _blocks(starts // length, (stops - 1) // length, len(sizes)):
        drawn = np.sort(np.random.default_rng([seed, 1 + one]).integers(0, sizes[one], draws[one])) + one * length
        here = slice(np.searchsorted(stops, one * length, "right"), np.searchsorted(starts, (one + 1) * length))
        times[order[here]] += np.searchsorted(drawn, stops[here]) - np.searchsorted(drawn, starts[here])
    return times


def _blocks(first: Array, last: Array, count: int) -> list[int]:
    """The blocks in which some rows have places, from their first to their last."""
    met = np.bincount(first, minlength=count + 1) - np.bincount(last + 1, minlength=count + 1)
    return list(np.flatnonzero(np.cumsum(met)).tolist())


def placed(part: Binned, before: float, unit: float) -> Binned:
    """The rows of a partition with the weight before each, in units, in place of its number."""
    assert part.weights is not None
    weights = np.concatenate([[before], part.weights]) / unit
    return replace(part, numbers=np.cumsum(weights)[:-1].astype(np.int64))


def resampled(part: Binned, rows: int, seed: int, unit: float | None = None, whole: int | None = None) -> Binned:
    """The rows of a partition with a bootstrap sample for weights; rows that are not drawn weigh 0.

    With a ``unit`` rows are drawn in proportion to their weights.
    """
    widths: Any = 1 if unit is None or part.weights is None else (part.weights / unit).astype(np.int64)
    return replace(part, weights=times_drawn(part.numbers, rows, seed, widths, whole))
