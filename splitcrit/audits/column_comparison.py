"""Which column a node is split by, by the largest gain and by the least likely one: columns of many values win gains.

A column of many values has many splits, and the best of many has a larger gain by chance. ``-log`` of the chance that
random labels let the best split of a column score as high compares columns of every kind, see `nulls.best_split`.

Main definitions: ``column_surprise``, ``calibrated_columns``.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel
from splitcrit.audits.node_moments import NodeLabels, inner
from splitcrit.columns.features import CATEGORIES, Feature, of_codes, read_features
from splitcrit.nulls.best_split import BestSplitLaw, Labels, best_scores, split_law
from splitcrit.nulls.monte_carlo import TIE, draws_for
from splitcrit.trees.tree_arrays import Structure

PATHS, LISTED = 10**6, 200_000  # steps of an exact law of cuts, and numbers of a list of tables
COMPARED = 2**24  # observations of columns at nodes that are compared, the largest nodes first


def column_surprise(
    feature: Feature, y: Array, classes: int | None, *, draws: int, laws: dict[Any, BestSplitLaw] | None = None
) -> tuple[float, float]:
    """Return the best score of a column, and ``-log`` of the chance of a higher one (of one as high, half).

    Parameters
    ----------
    feature
        The values of the rows of a node.
    y
        Their class codes, or numbers where ``classes`` is None.
    draws
        How many random orders are drawn where a law is not exact.
    laws
        Laws of other columns of the node, by their structure: columns of one structure share one.

    Examples
    --------
    >>> x = Feature("x", "numeric", np.arange(4.0), np.arange(4))
    >>> score, surprise = column_surprise(x, np.array([0, 0, 1, 1]), 2, draws=99)
    >>> score, round(float(np.exp(-surprise)), 9)  # two of six orders, which count half
    (3.0, 0.166666667)
    """
    subsets, laws = feature.kind == CATEGORIES, {} if laws is None else laws
    codes, sizes, gaps = feature.codes, feature.sizes, feature.missing
    if gaps:
        codes, sizes = np.where(codes < 0, len(sizes), codes), np.append(sizes, gaps)
    key = (subsets, gaps, tuple(sorted(sizes.tolist()) if subsets else sizes.tolist()))
    if len(sizes) < 2:
        return 0.0, 0.0
    if key not in laws:
        labels = Labels.of_responses(y) if classes is None else Labels.of_classes(np.bincount(y, minlength=classes))
        how: dict[str, Any] = {"subset": subsets, "gaps": gaps > 0}
        laws[key] = split_law(sizes, labels, **how, draws=draws, limit=LISTED if subsets else PATHS)
    if not laws[key].structure.labels.square:
        return 0.0, 0.0
    if classes is not None:
        table = np.bincount(codes * classes + y, minlength=len(sizes) * classes).reshape(-1, classes)
        score = laws[key].score(table)
    else:
        unit = np.abs(y).max() or 1.0
        sums = np.bincount(codes, y / unit - (y / unit).mean())[None, :, None]
        score = float(best_scores(sums, laws[key].structure._replace(sizes=sizes))[0])
    return score, laws[key].surprise(score)


def calibrated_columns(model: Any, fitted: FittedModel, X: Any, labels: NodeLabels, times: list[Array | None]) -> Array:
    """Return for each split of a model the column of the least likely gain where the split's own has the largest gain.

    Parameters
    ----------
    model, fitted
        The model, as it was passed and as it was read.
    X, labels
        Its training rows.
    times
        For each tree how often it drew each row, None for once.

    Returns
    -------
    int array (splits,)
        The split's own column where its gain is the least likely too; -1 where another column has a larger gain, -2
        where columns were not compared, since the nodes are too many.
    """
    read, model = columns_read(model, X), getattr(model, "steps", [(None, model)])[-1][1]
    mask = getattr(model, "is_categorical_", None) if type(model).__module__.startswith("splitcrit.") else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fitting has warned of categories of few rows
        features = read_features(read, np.zeros(len(fitted.features), dtype=bool) if mask is None else mask, "side")
    found: list[int] = []
    nodes: list[tuple[int, int, Array, int]] = []
    for tree, ends, drawn in zip(fitted.trees, fitted.ends(X), times, strict=True):
        rows = _rows(tree.structure, ends, drawn)
        places = inner(tree.structure)[0]
        nodes += [
            (-len(rows[v]), len(found) + j, rows[v], int(tree.structure.feature[v])) for j, v in enumerate(places)
        ]
        found += [-2] * len(places)
    left, draws = COMPARED // len(features), draws_for(len(features))
    for _, place, here, own in sorted(nodes, key=lambda node: node[:2]):
        left -= len(here)
        if left < 0:
            break
        found[place] = _choice(features, here, own, labels, draws)
    return np.array(found, dtype=np.intp)


def columns_read(model: Any, X: Any) -> Any:
    """Return the columns that a model reads: those that the steps of a pipeline before it make."""
    return model[:-1].transform(X) if len(getattr(model, "steps", ())) > 1 else X


def _choice(features: list[Feature], rows: Array, own: int, labels: NodeLabels, draws: int) -> int:
    """Return the column of the least likely gain at a node, -1 where another than its own has the largest gain."""
    laws: dict[Any, BestSplitLaw] = {}
    here = (of_codes(each.name, each.kind, each.levels, each.codes[rows]) for each in features)
    y = labels.values[rows]
    pairs = [column_surprise(each, y, labels.n_classes, draws=draws, laws=laws) for each in here]
    scores, surprises = (np.array(column) for column in zip(*pairs, strict=True))
    if scores[own] < scores.max() - TIE * (1 + scores.max()):
        return -1
    return own if surprises[own] >= surprises.max() - TIE else int(surprises.argmax())


def _rows(structure: Structure, ends: Array, times: Array | None) -> list[Array]:
    """Return the rows at each node, each as often as it was drawn."""
    order = np.argsort(ends, kind="stable") if times is None else np.repeat(np.arange(len(ends)), times)
    if times is not None:
        order = order[np.argsort(ends[order], kind="stable")]
    rows = np.split(order, np.searchsorted(ends[order], np.arange(1, len(structure.left))))
    for node in np.flatnonzero(structure.left >= 0)[::-1].tolist():
        rows[node] = np.concatenate([rows[structure.left[node]], rows[structure.right[node]]])
    return rows
