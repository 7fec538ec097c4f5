"""LightGBM's models as their text files hold them; LightGBM itself is not needed.

A file is lines ``name=value``: a header, and a part for each tree. A tree of L leaves has nodes 0 to L - 2, and ``~l``
is leaf l, here node L - 1 + l. ``decision_type`` is a sum of bits: 1 for a split by categories, 2 where missing values
go left, and 4 times what is missing: 0 nothing (nan is read as 0), 1 zero and nan, 2 nan. Categories that go left are
bits of ``cat_threshold``, from word ``cat_boundaries[i]`` on, i the node's threshold; others and nan go right.

Main definitions: ``from_lightgbm``, ``lightgbm_model``.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from splitcrit.arguments import Array, of_kind
from splitcrit.audits.models import FittedModel, FittedTree, Published, bits, published_model, readable
from splitcrit.trees.tree_arrays import Structure

Part = dict[str, str]
CATEGORICAL, LEFT, MISSING = 1, 2, 4
ZERO_IS_MISSING, NAN_IS_MISSING = 1, 2
LEVELS = re.compile(r"-?\d+(:-?\d+)+")


def from_lightgbm(text: str) -> list[Structure]:
    """Read the trees of LightGBM's text format, which ``booster.save_model`` writes.

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
    """Read a model in LightGBM's text format; see ``from_lightgbm``."""
    rule, remedy = "a LightGBM model is the text that save_model writes", "save it by booster.save_model('model.txt')"
    of_kind(text, str, rule, remedy)
    with readable(rule, remedy):
        body = text.partition("end of trees")[0]
        if not body.startswith("tree\n"):
            raise ValueError("the line 'tree' at its head")
        header, *parts = [
            dict(line.split("=", 1) for line in part.splitlines() if "=" in line) for part in body.split("\nTree=")
        ]
        all_rows = "[bagging_freq: 0]" in text and "[data_sample_strategy: bagging]" in text  # grew every tree
        features = tuple(header["feature_names"].split())
        objective = header.get("objective", "regression").split()[0]
        classes = int(header["num_class"])
        trees = tuple(_tree(part, all_rows)._replace(scored=i % classes) for i, part in enumerate(parts))
        infos = header.get("feature_infos", "").split()
        categories = _categories(text, infos)
        levels = {i: frozenset(map(int, info.split(":"))) for i, info in enumerate(infos) if LEVELS.fullmatch(info)}
        parameters = dict(re.findall(r"^\[(\w+): (.*)\]$", text, re.M))
        kind = {"binary": 2, "multiclass": classes, "multiclassova": classes}.get(objective)
        boosted = "[boosting: rf]" not in text  # a random forest grows no tree on residuals
        start = None if parameters.get("boost_from_average") == "1" else 0.5 if kind else 0.0
        return published_model(
            "LightGBM", trees, features, categories, kind, single=False, boosted=boosted, objective=objective,
            parameters=parameters, start=start, levels=levels,
        )  # fmt: skip


def _tree(part: Part, counted: bool) -> FittedTree:
    """Return a tree, its leaves after its nodes; with its counts of rows if they are those of all rows."""
    size = int(part["num_leaves"])
    split = size - 1
    feature, kind = (_numbers(part, name, int, size) for name in ("split_feature", "decision_type"))
    threshold, gains = (_numbers(part, name, float, size) for name in ("threshold", "split_gain"))
    missing = kind // MISSING
    if not np.isin(missing, (0, ZERO_IS_MISSING, NAN_IS_MISSING)).all():
        raise ValueError(f"decision_type {kind.max()}")
    # where nan is not missing it is read as 0
    goes = np.where(missing > 0, kind & LEFT > 0, threshold >= 0) & (kind & CATEGORICAL == 0)
    left, right = (_numbers(part, f"{side}_child", int, size) for side in ("left", "right"))
    if max(left.max(initial=-1), right.max(initial=-1)) >= split:
        raise ValueError("a child that is no node")
    left, right = (np.where(child >= 0, child, split + ~child) for child in (left, right))

    def padded(values: Array, leaf: Any) -> Array:
        return np.concatenate([values, np.full(size, leaf, dtype=values.dtype)])

    structure = Published(
        padded(left, -1), padded(right, -1), padded(feature, -1), padded(threshold, np.nan), padded(goes, False),
        single=False, subsets=_subsets(part, kind, threshold),
        zeros=frozenset(np.flatnonzero((missing == ZERO_IS_MISSING) & (kind & CATEGORICAL == 0)).tolist()),
    )  # fmt: skip
    counts = _numbers(part, "leaf_count", int, size, leaves=True) if "leaf_count" in part or counted else np.ones(size)
    rows = np.concatenate([_numbers(part, "internal_count", int, size), counts]) if counted else None
    values = _numbers(part, "leaf_value", float, size, leaves=True) if "leaf_value" in part else None
    values, weights = (None if x is None else np.concatenate([np.zeros(split), x]) for x in (values, counts))
    return FittedTree(structure, padded(gains, 0.0), None, rows, values, None, weights)


def _numbers(part: Part, name: str, kind: type, size: int, leaves: bool = False) -> Array:
    """Return one number for each inner node of a tree, or leaf; a tree of one leaf has no nodes, and may count none."""
    numbers: Array = np.array([kind(x) for x in part[name].split()] if size > 1 or leaves else [], dtype=kind)
    if len(numbers) != size - 1 + leaves:
        raise ValueError(f"{size - 1 + leaves} entries of {name}")
    return numbers


def _subsets(part: Part, kind: Array, threshold: Array) -> dict[int, frozenset[int]]:
    """Return the categories that go left at each node that splits by some."""
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
    _, mark, last = text.rpartition("pandas_categorical:")
    line = last.partition("\n")[0] if mark else ""
    each = json.loads(line) if line else None
    if each is not None and not isinstance(each, list):
        raise ValueError("pandas_categorical is not a list")
    places = [i for i, info in enumerate(infos) if not info.startswith("[") and info != "none"]
    return dict(zip(places, each, strict=True)) if each and len(each) == len(places) else {}
