"""XGBoost's models as their JSON files hold them; XGBoost itself is not needed.

Rows below the threshold go left, both rounded to float32. The categories that a node lists go right, all others left;
here its children change places, so that those listed go left.

Main definitions: ``from_xgboost``, ``xgboost_model``.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.models import FittedModel, FittedTree, Published, leaves, matrix, within
from splitcrit.inference.structures import Structure
from splitcrit.values import complaint

Array = NDArray[Any]


def from_xgboost(text: str | bytes) -> list[Structure]:
    """Return the trees of XGBoost's JSON format, what ``save_model("model.json")`` writes.

    Parameters
    ----------
    text : str or bytes

    Returns
    -------
    list of Structure
        Nodes are numbered as in XGBoost.

    Raises
    ------
    ValueError
        If the text is no such model.

    Examples
    --------
    >>> nodes = {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
    ...          "split_conditions": [0.5, 1, 2], "default_left": [1, 0, 0], "loss_changes": [3, 0, 0]}
    >>> (stump,) = from_xgboost(json.dumps({"learner": {
    ...     "learner_model_param": {"num_feature": "1", "num_class": "0"}, "objective": {"name": "reg:squarederror"},
    ...     "gradient_booster": {"name": "gbtree", "model": {"trees": [nodes]}}}}))
    >>> stump.rows([[0.25], [0.5], [float("nan")]])
    [array([0, 1, 2]), array([0, 2]), array([1])]
    """
    return [tree.structure for tree in xgboost_model(text).trees]


def xgboost_model(text: str | bytes) -> FittedModel:
    """Return a model of XGBoost's JSON format; see ``from_xgboost``."""
    try:
        learner = json.loads(text)["learner"]
        booster = learner["gradient_booster"]
        held = booster.get("gbtree", booster)["model"]
        size = int(learner["learner_model_param"]["num_feature"])
        trees = tuple(map(_tree, held["trees"]))
        within(trees, size)
        named, objective = learner.get("feature_names"), learner["objective"]["name"]
        classes = int(learner["learner_model_param"]["num_class"])
        categories = _categories(held.get("cats", {}), size)
    except (KeyError, ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
        rule, remedy = "an XGBoost model is JSON with trees", "save it by save_model('model.json')"
        raise ValueError(complaint(rule, f"a text without {type(error).__name__}: {error}", remedy)) from None
    features = tuple(named or (f"f{i}" for i in range(size)))

    def ends(data: Any) -> Any:
        x = matrix(data, features, categories, single=True)
        return (leaves(tree.structure, x) for tree in trees)

    kind = {"binary": 2, "multi": classes}.get(objective.partition(":")[0])
    return FittedModel("XGBoost", trees, features, ends, kind, boosted=_boosted(held))


def _boosted(held: dict[str, Any]) -> bool:
    """Return whether trees were grown on residuals: not in one round of a forest."""
    return len(held.get("iteration_indptr", [0, 1, 2])) > 2


def _tree(nodes: dict[str, Any]) -> FittedTree:
    """Return a tree; nodes that pruning has cut off are leaves that no row reaches."""
    left, right, feature = (np.array(nodes[name], dtype=np.intp)
                            for name in ("left_children", "right_children", "split_indices"))  # fmt: skip
    threshold = np.array(nodes["split_conditions"], dtype=np.float32)
    default = np.array(nodes["default_left"], dtype=bool)
    subsets = _subsets(nodes)
    turned = np.array(sorted(subsets), dtype=np.intp)
    left[turned], right[turned] = right[turned], left[turned].copy()
    default[turned] = ~default[turned]
    leaf = ~_reachable(left, right) | (left < 0)
    left, right, feature = (np.where(leaf, -1, x) for x in (left, right, feature))
    structure = Published(
        left, right, feature, np.where(leaf, np.nan, threshold), default & ~leaf, strict=True, single=True,
        subsets={node: codes for node, codes in subsets.items() if not leaf[node]},
    )  # fmt: skip
    return FittedTree(structure, np.where(leaf, 0.0, np.array(nodes["loss_changes"], dtype=float)))


def _reachable(left: Array, right: Array) -> Array:
    """Return which nodes lie below the root; a child stands after its parent."""
    found: Array = np.arange(len(left)) == 0
    for node in np.flatnonzero(left >= 0).tolist():
        if found[node]:
            if min(left[node], right[node]) <= node:
                raise ValueError("a child after its parent")
            found[[left[node], right[node]]] = True
    return found


def _subsets(nodes: dict[str, Any]) -> dict[int, frozenset[int]]:
    """Return the categories that nodes list, those that go right in XGBoost."""
    listed, starts, sizes = (nodes.get(f"categories{of}", ()) for of in ("", "_segments", "_sizes"))
    each = zip(nodes.get("categories_nodes", ()), starts, sizes, strict=True)
    return {node: frozenset(int(code) for code in listed[start : start + size]) for node, start, size in each}


def _categories(held: dict[str, Any], features: int) -> dict[int, list[Any]]:
    """Return the categories of the columns of a data frame, words or numbers."""
    found = {}
    for place, column in enumerate(held.get("enc", ())[:features]):
        if "offsets" in column and len(ends := column["offsets"]) > 1:
            text = bytes(x % 256 for x in column["values"])
            found[place] = [text[a:b].decode() for a, b in pairwise(ends)]
        elif column.get("type") is not None:
            found[place] = list(column["values"])
    return found
