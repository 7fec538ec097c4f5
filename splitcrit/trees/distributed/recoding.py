"""Categories in histograms: a category has a bin, and at each node bins stand in the order of the categories' ranks.

The search of thresholds then treats them like those of numbers; a chosen place is a subset of categories.

Main definitions: ``recoded``, ``with_subsets``, ``level_by_level``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.distributed.histogram_search import Histograms
from splitcrit.trees.distributed.split_rules import Rule
from splitcrit.trees.growth import GrownTree
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.driver import LevelNodes
from splitcrit.trees.scan import LevelSplits


def recoded(found: Histograms, rule: Rule, nodes: LevelNodes, recoding: Recoding) -> Histograms:
    """Return histograms of the ranks of categories, which ``recoding`` keeps."""
    sums, rows = np.zeros_like(found.sums), np.zeros_like(found.rows)
    every = np.arange(len(found.sizes))[:, None]
    numbers = np.ones(sums.shape[1], dtype=bool)
    for f in recoding.columns:
        here = found.known(f)
        ranked = rule.ranked(found.some(here), nodes, recoding)
        recoding.ranked[f] = ranked
        for each, given in ((sums, found.sums), (rows, found.rows)):
            np.add.at(each, (every, here.start + ranked.ranks), given[:, here])
        numbers[here] = False
    sums[:, numbers], rows[:, numbers] = found.sums[:, numbers], found.rows[:, numbers]
    return replace(found, sums=sums, rows=rows)


def with_subsets(splits: LevelSplits, pays: Array, recoding: Recoding) -> LevelSplits:
    """Return splits of which those by ranks that pay are splits by subsets."""
    feature, _ = recoding.take(np.where(pays, splits.feature, -1), splits.place)
    return replace(splits, feature=feature, threshold=np.where(feature < len(recoding.levels), splits.threshold, 0.5))


def level_by_level(tree: GrownTree, grown: Recoding, recoding: Recoding) -> GrownTree:
    """Return a tree, numbered depth first, whose subsets are those of ``recoding``, in the order of its levels."""
    feature, features = tree.feature.copy(), len(grown.levels)
    for node in np.argsort(tree.depth, kind="stable").tolist():
        if feature[node] >= features:
            feature[node] = recoding.column(grown.subsets[feature[node] - features])
    return replace(tree, feature=feature)
