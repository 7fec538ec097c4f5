"""LightGBM's models as their text files hold them; LightGBM itself is not needed.

A file is lines ``name=value``: a header, and a part for each tree. A tree of L leaves has nodes 0 to L - 2, and ``~l``
is leaf l, here node L - 1 + l. ``decision_type`` is a sum of bits: 1 for a split by categories, 2 where missing values
go left, and 4 times what is missing: 0 nothing (nan is read as 0), 1 zero and nan, 2 nan. Categories that go left are
bits of ``cat_threshold``, from word ``cat_boundaries[i]`` on, i the node's threshold; others and nan go right.

Main definitions: ``from_lightgbm``, ``lightgbm_model``.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import of_kind
from splitcrit.inference.models import (
    FittedModel,
    FittedTree,
    Published,
    bits,
    category_names,
    leaves,
    matrix,
    readable,
    sound,
)
from splitcrit.inference.tree_arrays import Structure

Array = NDArray[Any]
Part = dict[str, str]
CATEGORICAL, LEFT, MISSING = 1, 2, 4
ZERO_IS_MISSING, NAN_IS_MISSING = 1, 2


def from_lightgbm(text: str) -> list[Structure]:
    """Return the trees of LightGBM's text format, what ``booster.save_model`` writes.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of Structure
        A tree of L leaves has inner nodes 0 to L - 2, and LightGBM's leaf l is node L - 1 + l.

    Raises
    ------
    ValueError
        If the text is no such model.

    Examples
    --------
    >>> header = "tree\\nversion=v4\\nnum_class=1\\nmax_feature_idx=0\\nobjective=binary\\nfeature_names=x\\n"
    >>> tree = "Tree=0\\nnum_leaves=2\\nsplit_feature=0\\nsplit_gain=1\\nthreshold=0.5\\ndecision_type=2\\n"
    >>> sides = "left_child=-1\\nright_child=-2\\nleaf_count=3 4\\ninternal_count=7\\n"
    >>> (stump,) = from_lightgbm(f"{header}\\n{tree}{sides}")
    >>> stump.rows([[0.25], [0.75], [float("nan")]])
    [array([0, 1, 2]), array([0, 2]), array([1])]
    """
    return [tree.structure for tree in lightgbm_model(text).trees]


def lightgbm_model(text: str) -> FittedModel:
    """Return a model of LightGBM's text format; see ``from_lightgbm``."""
    rule, remedy = "a LightGBM model is the text that save_model writes", "save it by booster.save_model('model.txt')"
    of_kind(text, str, rule, remedy)
    with readable(rule, remedy):
        header, *parts = _parts(text)
        trees = tuple(_tree(part, _all_rows(text)) for part in parts)
        features = tuple(header["feature_names"].split())
        sound(trees, len(features))
        objective = header.get("objective", "regression").split()[0]
        classes = int(header["num_class"])
        categories = _categories(text, header.get("feature_infos", "").split())

    def ends(data: Any) -> Any:
        x = matrix(data, features, categories, single=False)
        return (leaves(tree.structure, x) for tree in trees)

    kinds = {"binary": 2, "multiclass": classes, "multiclassova": classes, "cross_entropy": None}
    return FittedModel("LightGBM", trees, features, ends, kinds.get(objective), boosted=_boosted(text))


def _boosted(text: str) -> bool:
    """Return whether trees were grown on residuals: not in a random forest."""
    return "[boosting: rf]" not in text


def _parts(text: str) -> list[Part]:
    """Return the header and the trees, each by its names."""
    body = text.partition("end of trees")[0]
    if not body.startswith("tree\n"):
        raise ValueError("the line 'tree' at its head")
    each = body.split("\nTree=")
    return [dict(line.split("=", 1) for line in part.splitlines() if "=" in line) for part in each]


def _all_rows(text: str) -> bool:
    """Return whether every tree was grown on all rows, so that its counts are theirs."""
    return "[bagging_freq: 0]" in text and "[data_sample_strategy: bagging]" in text


def _tree(part: Part, counted: bool) -> FittedTree:
    """Return a tree, its leaves after its inner nodes; its counts of rows if they are of all rows."""
    size = int(part["num_leaves"])
    split = size - 1
    feature, kind = (_numbers(part, name, int, size) for name in ("split_feature", "decision_type"))
    threshold = _numbers(part, "threshold", float, size)
    missing = kind // MISSING
    if not np.isin(missing, (0, ZERO_IS_MISSING, NAN_IS_MISSING)).all():
        raise ValueError(f"decision_type {kind.max()}")
    # where nan is not missing it is read as 0
    goes = np.where(missing > 0, kind & LEFT > 0, threshold >= 0) & (kind & CATEGORICAL == 0)
    left, right = (_numbers(part, f"{side}_child", int, size) for side in ("left", "right"))
    if max(left.max(initial=-1), right.max(initial=-1)) >= split:
        raise ValueError("a child that is no node")
    left, right = (np.where(child >= 0, child, split + ~child) for child in (left, right))
    structure = Published(
        _padded(left, size, -1), _padded(right, size, -1), _padded(feature, size, -1), _padded(threshold, size, np.nan),
        _padded(goes, size, False), single=False, subsets=_subsets(part, kind, threshold),
        zeros=frozenset(np.flatnonzero((missing == ZERO_IS_MISSING) & (kind & CATEGORICAL == 0)).tolist()),
    )  # fmt: skip
    rows = np.concatenate([_numbers(part, "internal_count", int, size), _leaf_counts(part, size)]) if counted else None
    return FittedTree(structure, _padded(_numbers(part, "split_gain", float, size), size, 0.0), rows=rows)


def _numbers(part: Part, name: str, kind: type, size: int) -> Array:
    """Return one number for each inner node of a tree; a tree of one leaf has none."""
    found: Array = np.array([kind(x) for x in part[name].split()] if size > 1 else [], dtype=kind)
    if len(found) != size - 1:
        raise ValueError(f"{size - 1} entries of {name}")
    return found


def _leaf_counts(part: Part, size: int) -> Array:
    found = np.array([int(x) for x in part["leaf_count"].split()], dtype=int)[:size]
    if len(found) != size:
        raise ValueError(f"{size} entries of leaf_count")
    return found


def _padded(values: Array, size: int, leaf: Any) -> Array:
    return np.concatenate([values, np.full(size, leaf, dtype=values.dtype)])


def _subsets(part: Part, kind: Array, threshold: Array) -> dict[int, frozenset[int]]:
    """Return of each node that splits by categories those that go left."""
    nodes = np.flatnonzero(kind & CATEGORICAL).tolist()
    if not nodes:
        return {}
    bounds, words = ([int(x) for x in part[name].split()] for name in ("cat_boundaries", "cat_threshold"))
    places = {node: int(threshold[node]) for node in nodes}
    if min(*places.values(), *bounds) < 0 or sorted(bounds) != bounds or bounds[-1] > len(words):
        raise ValueError("cat_boundaries that lie outside of cat_threshold")
    return {node: bits(words[bounds[i] : bounds[i + 1]]) for node, i in places.items()}


def _categories(text: str, infos: list[str]) -> dict[int, list[Any]]:
    """Return the categories of the columns of a data frame, which the last line holds in their order."""
    found = text.rpartition("pandas_categorical:")[2].partition("\n")[0]
    listed = json.loads(found) if found and "pandas_categorical:" in text else None
    if listed is not None and not isinstance(listed, list):
        raise ValueError("pandas_categorical is no list")
    places = [i for i, info in enumerate(infos) if not info.startswith("[") and info != "none"]
    return dict(zip(places, map(category_names, listed), strict=True)) if listed and len(listed) == len(places) else {}
