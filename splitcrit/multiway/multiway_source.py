"""Algorithm 1, level by level: at every node the best table of all features, one row for each value or cluster.

All features of all nodes of a level are scored together: their values lie in segments behind one another. The best
score of every feature is kept; the feature that a node splits on is then scored once more for its number of clusters.

Main definitions: ``grow_multiway``; ``best_scores`` (of each feature at each node of a level).
Source: wang2024, Algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from splitcrit.arguments import Array, of_kind
from splitcrit.criteria import Criterion
from splitcrit.discretize.hierarchy_scores import laws_of
from splitcrit.frozen import complaint
from splitcrit.growth.driver import Draws, LevelNodes, Step, levels
from splitcrit.growth.growth_options import GrowthOptions, Stopping
from splitcrit.multiway.segments import MultiwayRules, RankedTraining, Segments, parts
from splitcrit.multiway.tree import MultiwayTree
from splitcrit.multiway.validation import categorical_mask, criterion_of_tree
from splitcrit.nulls import gini_pvalue, sgini
from splitcrit.search.open_nodes import ranges
from splitcrit.search.ties_and_scores import band
from splitcrit.training_inputs import coded_rows

BLOCK = 2**16  # observations times features that are scored at a time


@dataclass(frozen=True, eq=False)
class Split:
    """The splits of some nodes of a level, and the children: ``width`` of them for each node, one after the other.

    ``node`` counts among the nodes that were open; ``child`` is the child of each of the ``samples``.
    """

    node: Array
    feature: Array
    by_value: Array
    score: Array
    width: Array
    low: Array
    high: Array
    counts: Array
    samples: Array
    child: Array


def grow_multiway(
    x: Array, codes: Array, classes: int, criterion: Criterion, rules: MultiwayRules = MultiwayRules(),  # noqa: B008
    categorical: Array | None = None,
) -> MultiwayTree:  # fmt: skip
    """Return the tree of a training set ``x (n, d)`` with class codes.

    Among the tables whose score is within 1e-11 of the best, on the scale of the criterion, the first feature's with
    the fewest rows is taken.

    Parameters
    ----------
    x : float array (n, d), finite
    codes : int array (n,), classes 0 to ``classes - 1``
    classes : int
    criterion : str, Impurity or Criterion
        For tables of any number of rows.
    rules : MultiwayRules
    categorical : bool array (d,), or array of int, optional
        Features that branch on their values, however many.

    Raises
    ------
    ValueError, TypeError
        If a value of ``x`` is not finite, codes are not one class for each row, or another argument is invalid.

    Examples
    --------
    >>> from splitcrit import sgini
    >>> x = np.array([[1.0], [2.0], [10.0], [11.0], [50.0]])
    >>> tree = grow_multiway(x, np.array([0, 0, 1, 1, 0]), 2, sgini, MultiwayRules(d_num=2))
    >>> tree.width.tolist(), tree.low[1:].tolist(), tree.high[1:].tolist()
    ([3, 0, 0, 0], [1.0, 10.0, 50.0], [2.0, 11.0, 50.0])
    """
    x, codes, classes = coded_rows(x, codes, classes)
    criterion = criterion_of_tree(criterion)
    of_kind(rules, MultiwayRules, "rules are MultiwayRules", "pass MultiwayRules(minnum=5) for instance")
    training = RankedTraining.of(x, codes, classes, categorical_mask(categorical, [], x.shape[1]))
    root = MultiwaySource(training, criterion, rules, training.order, np.bincount(codes, minlength=classes)[None])
    return _assembled(*levels(root, Stopping(rules.max_depth, rules.minnum), Draws.of(GrowthOptions())))


@dataclass(frozen=True, eq=False)
class MultiwaySource:
    """The open nodes of a level: their samples ``order (d, n)``, by column, node and value, and class counts."""

    training: RankedTraining
    criterion: Criterion
    rules: MultiwayRules
    order: Array
    counts: Array

    def root(self) -> LevelNodes:
        """Return the root."""
        return LevelNodes.of_classes(self.counts.sum(axis=1), self.counts)

    def split(self, _: Draws) -> Step:
        """Return the best table of each open node, which of them pay, and the children of these."""
        splits = best_splits(self.training, self.order, self.counts, self.criterion, self.rules)
        pays = np.isin(np.arange(len(self.counts)), splits.node)
        return Step(pays, splits, LevelNodes.of_classes(splits.counts.sum(axis=1), splits.counts))

    def divide(self, step: Step, opened: Array) -> MultiwaySource:
        """Return the open children."""
        from splitcrit.search.column_loops import regroup

        number, place = np.where(opened, np.cumsum(opened) - 1, -1), np.full(len(self.training.codes), -1)
        place[step.splits.samples] = number[step.splits.child]
        counts = step.splits.counts[opened]
        ends = np.cumsum(counts.sum(axis=1))
        order = np.empty((len(self.order), int(ends[-1])), self.order.dtype)
        regroup(self.order, place, np.append(0, ends[:-1]), order)
        return replace(self, order=order, counts=counts)


def best_splits(
    training: RankedTraining, order: Array, counts: Array, criterion: Criterion, rules: MultiwayRules
) -> Split:
    """Return the splits of nodes with class counts ``(m, K)``, whose samples stand in ``order (d, n)`` node by node."""
    tops = best_scores(training, order, counts, criterion, rules)
    width, best = band(criterion, counts.astype(float)), tops.max(axis=0)
    pays = best > (-np.inf if rules.min_gain is None else np.maximum(rules.min_gain, width))
    node = np.flatnonzero(pays)
    feature = np.argmax(tops >= best - width, axis=0)[node]
    sizes = counts.sum(axis=1)
    places = ranges((np.cumsum(sizes) - sizes)[node], sizes[node])
    samples = order[np.repeat(feature, sizes[node]), places]
    begin = np.cumsum(sizes[node]) - sizes[node]
    segments = Segments.of(training, rules, samples, feature, begin)
    first, score = _clusters(segments, (best - width)[node], criterion, rules)
    score = np.where(segments.by_value, tops[feature, node], score)
    split = _split(segments, node, feature, first, score)
    return split if rules.max_pvalue is None else _significant(split, rules.max_pvalue)


def _clusters(segments: Segments, floor: Array, criterion: Criterion, rules: MultiwayRules) -> tuple[Array, Array]:
    """Return the first entries of the clusters, the fewest whose score reaches the floor, and their scores."""
    first = np.repeat(segments.by_value, np.diff(segments.starts))
    score = np.full(len(floor), -np.inf)
    for part in parts(segments, criterion, rules, clusters_only=True):
        least = np.minimum(floor[part.segment], part.tops())
        reached = np.flatnonzero(part.scores >= np.repeat(least, np.diff(part.hierarchy.cut_starts)))
        _, at = np.unique(part.cut_segment[reached], return_index=True)
        score[part.segment] = part.scores[reached[at]]
        first[part.entries[part.hierarchy.clustered(part.hierarchy.clusters[reached[at]])]] = True
    return np.flatnonzero(first), score


def _split(segments: Segments, node: Array, feature: Array, first: Array, score: Array) -> Split:
    """Return the splits whose clusters begin at the entries ``first``."""
    following = np.append(first, len(segments.values))[1:]
    running = np.concatenate([np.zeros_like(segments.counts[:1]), np.cumsum(segments.counts, axis=0)])
    return Split(
        node, feature, segments.by_value, score, np.diff(np.searchsorted(first, segments.starts)),
        segments.values[first], segments.values[following - 1], running[following] - running[first],
        segments.samples, np.searchsorted(first, segments.entry, side="right") - 1,
    )  # fmt: skip


def _significant(split: Split, max_pvalue: float) -> Split:
    """Return the splits whose Gini gain has a p-value up to a bound."""
    tables = np.split(split.counts, np.cumsum(split.width)[:-1]) if len(split.node) else []
    kept = np.array([float(gini_pvalue(table)) <= max_pvalue for table in tables], dtype=bool)
    child = np.repeat(kept, split.width)
    samples = child[split.child]
    return Split(
        split.node[kept], split.feature[kept], split.by_value[kept], split.score[kept], split.width[kept],
        split.low[child], split.high[child], split.counts[child],
        split.samples[samples], (np.cumsum(child) - 1)[split.child[samples]],
    )  # fmt: skip


def _assembled(nodes: list[LevelNodes], steps: list[tuple[Array, Step]]) -> MultiwayTree:
    """Return the tree of the nodes of all levels and the steps between them, with the numbers of those that split."""
    size = sum(len(level.sizes) for level in nodes)
    feature, first, width = np.full(size, -1), np.full(size, -1), np.zeros(size, np.int64)
    by_value, score = np.zeros(size, dtype=bool), np.full(size, np.nan)
    parent, low, high = np.full(size, -1), np.full(size, np.nan), np.full(size, np.nan)
    begin = 1
    for ids, step in steps:
        split, children = step.splits, slice(begin, begin + len(step.splits.counts))
        feature[ids], by_value[ids], score[ids], width[ids] = split.feature, split.by_value, split.score, split.width
        first[ids] = begin + np.cumsum(split.width) - split.width
        parent[children] = np.repeat(ids, split.width)
        low[children], high[children] = split.low, split.high
        begin = children.stop
    depth = np.repeat(np.arange(len(nodes)), [len(level.sizes) for level in nodes])
    counts = np.concatenate([level.weights for level in nodes])
    return MultiwayTree(feature, by_value, first, width, parent, low, high, counts, score, depth)


def best_scores(
    training: RankedTraining, order: Array, counts: Array, criterion: Criterion, rules: MultiwayRules
) -> Array:
    """Return the best score ``(d, m)`` of each feature at each node; -inf where a feature is constant.

    A feature that does not tie with the best of its node may be left at -inf.
    The nodes have class counts ``(m, K)``, and their samples stand in ``order (d, n)`` node by node.
    """
    d, n = order.shape
    m, sizes = len(counts), counts.sum(axis=1)
    if rules.linkage == "single" and criterion.search.form == sgini.search.form:
        return _standardised(training, order, counts, 2 * band(criterion, counts.astype(float)), rules)
    begin = np.cumsum(sizes) - sizes
    tops = np.full(d * m, -np.inf)
    together = criterion.search.of_node is not None
    step = d if together else max(1, BLOCK // n)
    for f in range(0, d, step):
        block = order[f : f + step]
        starts = (np.arange(len(block))[:, None] * n + begin).ravel()
        feature = np.repeat(np.arange(f, f + len(block)), m)
        segments = Segments.of(training, rules, block.ravel(), feature, starts)
        if together:
            _of_nodes(segments, criterion, tops.reshape(d, m))
            break
        for part in parts(segments, criterion, rules):
            tops[f * m + part.segment] = part.tops()
    return tops.reshape(d, m)


def _of_nodes(segments: Segments, criterion: Criterion, tops: Array) -> None:
    """Set the scores ``(d, m)`` of a criterion that compares the tables of one node, one table for each feature."""
    several, of_node = np.diff(segments.starts) > 1, criterion.search.of_node
    assert of_node is not None
    if not segments.by_value[several].all():
        rule = f"{criterion!r} compares the features of a node, each by one table"
        raise ValueError(complaint(rule, "a feature with clusters", "discretise, and declare categorical_features"))
    varying = several.reshape(tops.shape)
    for node in np.flatnonzero(varying.any(axis=0)):
        features = np.flatnonzero(varying[:, node])
        bounds = [segments.starts[f * tops.shape[1] + node : f * tops.shape[1] + node + 2] for f in features]
        tops[features, node] = of_node([segments.counts[a:b] for a, b in bounds])


def _standardised(training: RankedTraining, order: Array, counts: Array, widths: Array, rules: MultiwayRules) -> Array:
    """Return the best SGini of clusters by single linkage, in compiled loops."""
    from splitcrit.search.linkage_sgini_compiled import best_cluster_scores

    tops, starts = np.full((len(order), len(counts)), -np.inf), np.append(0, np.cumsum(counts.sum(axis=1)))
    known = training.ranks, training.levels, training.codes, training.classes
    size = order.shape[1]  # no feature has more values, so that no larger limit says more
    most = size if rules.max_clusters is None else min(int(rules.max_clusters), size)
    how = training.categorical, min(int(rules.d_num), size), most
    best_cluster_scores(known, order, starts, laws_of(counts), widths, how, tops)
    return tops
