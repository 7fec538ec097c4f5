"""Which categorical splits of a boosted model gain no more than chance.

A split of a node gains, with the sums G and H of the gradients and second derivatives of its rows, ::

    gain = G_L^2 / (H_L + lam) + G_R^2 / (H_R + lam) - G^2 / (H + lam).

The library took the best of many partitions of the levels. Here the same search is made for uninformative levels: on
sums that are normal with the variance of the node's rows, or on rows in random order where a level is too small for
them, see `splitcrit.nulls.expected_excess_gain`. Gradients are computed anew from the leaf values of the trees before;
a model whose recorded gains are then not met did not grow on these rows.

Main definitions: ``category_gains``, ``CategoryGain``.
Source: chen2016, eq. (7) (the gain); LightGBM's and XGBoost's own search, as in their sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array, finite, whole
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.models import Boosting, coded
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.nulls.excess_gain import needs_rows, normal_sums, sums_of_rows

LOGISTIC, SQUARED = ("binary", "binary:logistic"), ("regression", "reg:squarederror")
NEAR = 0.01  # by which a gain may differ from the one recorded, which is of float32
XGBOOST = {"lambda": "1", "max_cat_threshold": "64", "max_cat_to_onehot": "4", "min_child_weight": "1"}


@final
@dataclass(frozen=True, repr=False)
class CategoryGain:
    """A split by categories, and what its column would gain if its levels were unrelated to the label.

    Parameters
    ----------
    tree, node : int
        Its place; node 0 is the root.
    feature : str
    levels, rows : int
        Of the node.
    gain : float
        What the split gains, in the library's unit. LightGBM records less by the penalty ``cat_l2`` of the node's own
        value, which it leaves out.
    by_chance : float
        The mean of the largest gain that the library would find where the levels are uninformative, 0 where it would
        not split.
    ratio : float
        The gain over that mean, a size: of noise about every second one is above 1.
    share : float
        How often chance gains as much, ``(1 + c) / (1 + draws)``, by which a split is judged.
    method : str
        ``"draws"`` of normal sums, or ``"rows"``, which were permuted as a level was too small for these.

    Examples
    --------
    >>> CategoryGain(0, 0, "town", 12, 300, gain=8.0, by_chance=10.0, ratio=0.8, share=0.7, method="draws").feature
    'town'
    """

    tree: int
    node: int
    feature: str
    levels: int
    rows: int
    gain: float
    by_chance: float
    ratio: float
    share: float
    method: str

    __repr__ = shortened


class PartitionLimits(NamedTuple):
    """What a library searches: one level against the others, or the first levels in order of ``G_i / (H_i + smooth)``.

    That is 0 of a level whose sum of h is below ``least_level``. At most ``most`` levels lie on the side that is
    listed; between two partitions that are scored, ``group`` rows change sides; either side has ``least_rows`` rows
    and a sum of h of ``least_second``.
    """

    one_hot: bool
    lam: float
    smooth: float
    most: int
    group: int
    least_rows: int
    least_second: float
    least_level: float = 0.0


def category_gains(
    model: Any, X: Any, y: Any, *, parameters: Mapping[str, Any] | None = None, draws: int = 200, seed: int = 0
) -> list[CategoryGain]:
    """Compare each split by categories of a boosted model with the gain of its column by chance.

    Parameters
    ----------
    model
        A booster of LightGBM or XGBoost, their estimator, the path of a file that ``save_model`` wrote as text or JSON,
        or what the JSON holds. It is read as text; nothing in it is run. Of two classes by logistic loss, or of numbers
        by squared error.
    X, y
        All rows that grew each of its trees, each of weight 1, in any order.
    parameters
        What a file of XGBoost does not hold: ``lambda``, ``max_cat_threshold``, ``max_cat_to_onehot`` and
        ``min_child_weight``, by default XGBoost's own defaults.
    draws, seed
        How many random directions, or orders of the rows, and what they depend on.

    Returns
    -------
    list of CategoryGain
        In the order of trees and nodes; ``pandas.DataFrame`` makes a table of it. Sum up by ``share``, not by
        ``ratio``: a column whose shares are mostly above .05 gains no more than chance.

    Raises
    ------
    TypeError
        If the model is none of these libraries.
    ValueError
        If the model has another loss, or recorded gains that it does not make of these rows.

    See Also
    --------
    audit : All splits of a model, on new rows.
    expected_excess_gain : The correction for one split.

    Notes
    -----
    The mean is that of one column and one node, for rows in random order. A booster takes the best of all columns at
    each node, so that the splits that it keeps gain more than the mean by chance; a column that earlier rounds have
    fitted gains less. It is no test: see ``audit`` for one.

    References
    ----------
    chen2016, eq. (7) (the gain).

    Examples
    --------
    >>> from splitcrit.audits.published_models import published_model
    >>> header = "tree\\nversion=v4\\nnum_class=1\\nmax_feature_idx=0\\nobjective=regression\\nfeature_names=x\\n"
    >>> tree = "Tree=0\\nnum_leaves=2\\nnum_cat=1\\nsplit_feature=0\\nsplit_gain=40\\nthreshold=0\\ndecision_type=1\\n"
    >>> sides = "left_child=-1\\nright_child=-2\\ncat_boundaries=0 1\\ncat_threshold=2\\n"
    >>> leaves = "leaf_value=1 -1\\nleaf_count=20 20\\ninternal_count=40\\n"
    >>> text = f"{header}feature_infos=-1:0:1\\n\\n{tree}{sides}{leaves}end of trees\\n"
    >>> booster = published_model(text + "[cat_l2: 0]\\n[lambda_l2: 0]\\n[max_cat_to_onehot: 4]\\n")
    >>> category_gains(booster, [[0]] * 20 + [[1]] * 20, [-1] * 20 + [1] * 20)[0].share < 0.01
    True
    """
    draws = whole(draws, "draws", 2, 10**6)
    seed = whole(seed, "seed", 0)
    fitted = read_model(model, X, y)
    boosting = fitted.boosting
    if boosting is None:
        rule = "gains of categories need a LightGBM or XGBoost model"
        raise TypeError(complaint(rule, fitted.library, "pass a booster"))
    if boosting.objective not in (*LOGISTIC, *SQUARED):
        rule = "gradients need logistic loss of two classes, or squared error"
        raise ValueError(complaint(rule, boosting.objective, "fit such a model"))
    responses = coded(fitted, y)[0].astype(np.float64)
    x = fitted.numbers(X)
    if len(x) != len(responses):
        got = f"{len(x)} rows and {len(responses)} labels"
        raise ValueError(complaint("every row needs a label", got, "pass as many"))
    overrides = dict(parameters or {})
    if odd := [name for name in overrides if name not in XGBOOST]:
        raise ValueError(complaint(f"parameters are {', '.join(XGBOOST)}", repr(odd[0]), "pass these names"))
    overrides = dict(zip(overrides, finite(list(overrides.values()), "parameters", 1).tolist(), strict=True))
    known = {**XGBOOST, **boosting.parameters, **overrides}
    logistic = boosting.objective in LOGISTIC
    start = float(responses.mean()) if boosting.start is None else boosting.start
    if logistic and not 0 < start < 1:
        got = "one class" if boosting.start is None else f"a first prediction of {start:g}"
        raise ValueError(complaint("a logistic loss is of two classes", got, "pass the rows that grew the model"))
    raw = np.full(len(x), np.log(start / (1 - start)) if logistic else start)
    splits = []
    for t, tree in enumerate(fitted.trees):
        p = 1 / (1 + np.exp(-raw)) if logistic else raw
        both = np.stack([p - responses, p * (1 - p) if logistic else np.ones(len(x))])
        rows = tree.structure.rows(x)
        for node in sorted(tree.structure.subsets):
            column = int(tree.structure.feature[node])
            level = np.where((codes := x[rows[node], column]) >= 0, np.trunc(codes), -1)  # -1: a missing value
            order = np.argsort(level, kind="stable")
            codes = codes[order]
            here = both[:, rows[node][order]]
            recorded = float(tree.recorded[node])
            limits = _limits(boosting, column, x[:, column], known)
            g, h = here.sum(axis=1)
            g_left, h_left = here[:, tree.structure.goes_left(node, codes)].sum(axis=1)
            gain = _gain(g_left, h_left, g, h, limits.lam)
            own = g * g / (h + float(known.get("lambda_l2", limits.lam))) - g * g / (h + limits.lam)
            computed = gain - own
            if not abs(computed - recorded) <= NEAR * (1 + abs(recorded)):
                rule = "the rows must reproduce the gains that the model recorded"
                got = f"{computed:.6g} in place of {recorded:.6g} at node {node} of tree {t}"
                remedy = "pass all rows that it was fitted on, without weights, sampling of rows or other penalties"
                raise ValueError(complaint(rule, got, remedy))
            levels, sizes = np.unique(level, return_counts=True)
            offered = levels >= 0
            if column in boosting.levels:
                offered &= np.isin(levels, list(boosting.levels[column])) & (sizes >= limits.smooth)
                limits = limits._replace(most=min(limits.most, (int(offered.sum()) + 1) // 2))
            each = [int(n) for n in sizes]
            sums = (g, (here[0] ** 2).sum(), h, (here[1] ** 2).sum(), (here[0] * here[1]).sum(), limits.lam)
            method = "rows" if needs_rows(each, h, here, g / (h + limits.lam)) else "draws"
            if method == "rows":
                chance = sums_of_rows(each, here, draws, seed)
            else:
                chance = normal_sums(each, *sums, draws, seed)
            gains = best_gains(*chance, sizes, offered, g, h, limits)
            mean = float(gains.mean())
            share = float((1 + (gains >= gain * (1 - NEAR / 10)).sum()) / (1 + draws))
            name = fitted.features[column]
            ratio = float(gain) / mean if mean > 0 else inf
            splits.append(CategoryGain(t, node, name, len(each), len(codes), float(gain), mean, ratio, share, method))
        leaf = tree.structure.leaves(rows, len(x))
        raw = np.asarray(tree.values)[leaf] + (0.0 if t == 0 and boosting.start is None else raw)
    return splits


def best_gains(
    grads: Array, seconds: Array, sizes: Array, offered: Array, g: float, h: float, limits: PartitionLimits
) -> Array:
    """The largest gain that a library finds, of sums ``(t, V)``; only ``offered (V,)`` levels are listed.

    Examples
    --------
    >>> g, all_of_it = np.array([[3.0, -4.0, 1.0]]), PartitionLimits(False, 1.0, 0.0, 3, 0, 1, 0.0)
    >>> best_gains(g, np.ones((1, 3)), np.ones(3), np.ones(3, bool), 0.0, 3.0, all_of_it).round(3).tolist()
    [13.333]
    """
    n, places = sizes.sum(), np.flatnonzero(offered)
    if limits.one_hot:
        left, second = grads[:, places], seconds[:, places]
        enough = np.minimum(sizes, n - sizes)[places] >= limits.least_rows
        enough = enough & (np.minimum(second, h - second) >= limits.least_second)
        return np.asarray(np.where(enough, _gain(left, second, g, h, limits.lam), 0.0).max(axis=1, initial=0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        place = np.where(seconds >= limits.least_level, grads / (seconds + limits.smooth), 0.0)[:, places]
    turned = -1 if limits.least_level else 1  # XGBoost orders by leaf values, among which small levels are equal
    forward = places[np.argsort(turned * place, axis=1, kind="stable")]
    best = np.zeros(len(grads))
    for order in (forward, forward[:, ::-1]):
        order = order[:, : limits.most]
        left, second = (np.take_along_axis(part, order, axis=1).cumsum(axis=1) for part in (grads, seconds))
        count, since, stopped = sizes[order].cumsum(axis=1), np.zeros(len(best)), np.zeros(len(best), bool)
        gains = _gain(left, second, g, h, limits.lam)
        for j in range(order.shape[1]):
            since += sizes[order[:, j]]
            enough = (count[:, j] >= limits.least_rows) & (second[:, j] >= limits.least_second)
            stopped |= enough & (n - count[:, j] < max(limits.least_rows, limits.group))
            stopped |= enough & (h - second[:, j] < limits.least_second)
            scored = enough & ~stopped & (since >= limits.group)
            since[scored] = 0
            best = np.where(scored & (gains[:, j] > best), gains[:, j], best)
    return best


def _gain(left: Any, second: Any, g: float, h: float, lam: float) -> Any:
    """The gain of sums of g and of h on the left, 0 where a side is empty."""
    right = h - second
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = left**2 / (second + lam) + (g - left) ** 2 / (right + lam) - g * g / (h + lam)
    return np.where((second + lam > 0) & (right + lam > 0), gain, 0.0)


def _limits(boosting: Boosting, column: int, values: Array, known: Mapping[str, Any]) -> PartitionLimits:
    """The rules by which a library searches a column."""
    if column in boosting.levels:
        listed, own = boosting.levels[column], float(known.get("lambda_l2", 0))
        sides = int(known.get("min_data_in_leaf", 20)), float(known.get("min_sum_hessian_in_leaf", 1e-3))
        if len(listed) <= int(known.get("max_cat_to_onehot", 4)):  # -1, which stands for missing values, is one of them
            return PartitionLimits(True, own, 0.0, 1, 0, *sides)
        most, group = int(known.get("max_cat_threshold", 32)), int(known.get("min_data_per_group", 100))
        smooth = float(known.get("cat_smooth", 10))
        return PartitionLimits(False, own + float(known.get("cat_l2", 10)), smooth, most, group, *sides)
    lam, codes = float(known["lambda"]), int(np.nanmax(values, initial=0)) + 1
    most = min(int(known["max_cat_threshold"]), codes) - 1
    least = float(known["min_child_weight"])
    return PartitionLimits(codes < int(known["max_cat_to_onehot"]), lam, lam, most, 0, 1, least, least)
