"""A whole tree over columns of numbers and of categories in one compiled loop, where the criterion sums over classes.

Main definitions: ``grown_recoded``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.growth.arrays import Grown
from splitcrit.growth.categories import EXACT, METHODS, ORDER, Recoding, Subset
from splitcrit.growth.options import Growing
from splitcrit.growth.recoded_records import Coded
from splitcrit.growth.records import Rules, Sorting, Workspace
from splitcrit.growth.rows import filled, root_rows
from splitcrit.growth.whole import Ranks, told, written
from splitcrit.impurities.search_declaration import DIFFERENCE, RATIO, ROOT
from splitcrit.search.columns import Columns
from splitcrit.search.records import Data, Orders, Scratch
from splitcrit.search.subsets import shortcut

Array = NDArray[Any]


def grown_recoded(columns: Columns, criterion: Criterion, growing: Growing) -> Grown | None:
    """Return the tree of a training set with categories, or None where only a search level by level will do.

    The compiled loop takes criteria that sum a function of class counts, and orders or all subsets of categories. It
    takes no weights, missing values, draws, or limits on the sides of a split.
    """
    stopping, recoding = growing.stopping, growing.recoding
    assert recoding is not None
    limited = stopping.min_samples_leaf > 1 or stopping.min_weight_leaf > 0 or stopping.max_pvalue is not None
    unlike = len(columns.weights) or columns.missing.any() or growing.max_features is not None or growing.random
    if limited or unlike or stopping.in_integers(criterion):
        return None
    ordered = shortcut(criterion, columns.classes)
    data = told(criterion, len(columns.codes), columns.classes)
    if data is None or data.kind not in (RATIO, DIFFERENCE, ROOT):
        return None
    if not ordered and recoding.levels.max() > recoding.max_exact:
        return None
    links, reals, held = _grown(columns, data, Rules.of(stopping, criterion), recoding, ordered)
    return _recoded(written(criterion, stopping, links, reals), held, recoding, METHODS[ORDER if ordered else EXACT])


def _grown(columns: Columns, data: Data, rules: Rules, recoding: Recoding, ordered: bool) -> tuple[Array, Array, Array]:
    """Return links and reals of the nodes, and the ranks of categories in those that they split."""
    from splitcrit.growth.recoded_compiled import grow_recoded

    (d, n), bits, classes = columns.orders.shape, columns.bits, columns.classes
    ranks, kind = Ranks.of_columns(columns), columns.orders.dtype
    coded = Coded.of(recoding.levels, recoding.codes, ordered, classes)
    entries = ((np.arange(n) << bits) | columns.codes).astype(kind)
    sorting = Sorting(entries, ranks.ranks, ranks.values, bits, np.empty((3, n), kind), np.empty(2048, np.int64))
    groups = (np.arange(n) & 1).astype(ranks.values.dtype)[None]  # neighbours differ
    source = Orders(np.empty((2, n), kind), groups, bits)
    scratch = Workspace.of(Scratch.of(classes, n), d, entries)
    root = root_rows(np.bincount(columns.codes, minlength=classes), n, np.zeros((), np.uint64))
    rows = [*root, np.empty((len(root[0]), len(coded.ranks)), np.int64)]
    links, reals, held = filled(
        rows, lambda tree: grow_recoded(source, sorting, coded, tree, data, rules, scratch)
    )  # fmt: skip
    return links, reals, held


def _recoded(tree: Grown, held: Array, recoding: Recoding, method: str) -> Grown:
    """Return a tree whose splits by ranks of categories are splits by subsets, numbered level by level."""
    feature, threshold = tree.feature.copy(), tree.threshold.copy()
    inner = np.flatnonzero((tree.left >= 0) & (recoding.levels[tree.feature] > 0))
    inner = inner[np.argsort(tree.depth[inner], kind="stable")]
    cuts, others = (part[inner].tolist() for part in (tree.threshold, tree.missing_left))
    for node, ranks, cut, heavier in zip(inner, held[inner].tolist(), cuts, others, strict=True):
        left = tuple(code for code, rank in enumerate(ranks) if 0 <= rank <= cut)
        right = tuple(code for code, rank in enumerate(ranks) if rank > cut)
        feature[node] = recoding.column(Subset(int(feature[node]), left, right, heavier, method))
    threshold[inner] = 0.5
    return replace(tree, feature=feature, threshold=threshold)
