"""The best score of each feature at each node of a level, over all numbers of clusters or over its values.

Main definitions: ``best_scores``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.discretize.hierarchy_scores import laws_of
from splitcrit.frozen import complaint
from splitcrit.multiway.segments import MultiwayRules, RankedTraining, Segments, parts
from splitcrit.nulls import sgini
from splitcrit.search.ties_and_scores import band

BLOCK = 2**16  # observations times features that are scored at a time


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
