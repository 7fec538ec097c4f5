"""XGBoost's models as their JSON files hold them; XGBoost itself is not needed.

Rows below the threshold go left, both rounded to float32. The categories that a node lists go right, all others left;
here its children change places, so that those listed go left. After early stopping an estimator predicts by the trees
up to its best iteration, a ``Booster`` by all.

Main definitions: ``from_xgboost``, ``xgboost_model``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel, FittedTree, Published, listed, published_model, readable
from splitcrit.frozen import complaint, visible
from splitcrit.trees.tree_arrays import Structure, nodes_kept

MOST_FEATURES = 2**20  # a file may claim any number, and each has a name and a row in the report


def from_xgboost(text: str | bytes) -> list[Structure]:
    """Read the trees of XGBoost's JSON format, which ``save_model("model.json")`` writes.

    Parameters
    ----------
    text : str or bytes

    Returns
    -------
    list of Structure
        All trees of the file, also those after the best iteration of early stopping; nodes are numbered as in XGBoost.

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
    return [tree.structure for tree in xgboost_model(text, best=False).trees]


def xgboost_model(
    text: str | bytes | Mapping[str, Any], best: bool | None = None, parameters: Mapping[str, str] | None = None
) -> FittedModel:
    """Read a model in XGBoost's JSON format, with the trees that predict; see ``from_xgboost``.

    ``best`` tells whether it predicts by its best iteration; by default, as a file that an estimator has saved does.
    ``parameters`` are those of its trees, which the file does not hold.
    """
    rule, remedy = "an XGBoost model is JSON with trees", "save it by save_model('model.json')"
    with readable(rule, remedy):
        learner = (text if isinstance(text, Mapping) else json.loads(text))["learner"]
        booster = learner["gradient_booster"]
        model = booster.get("gbtree", booster)["model"]
        size = int(learner["learner_model_param"]["num_feature"])
        if not 0 <= size <= MOST_FEATURES:
            limit = f"an audited model has at most {MOST_FEATURES:,} features"
            raise ValueError(complaint(limit, f"num_feature {size:.6g}", "fit it on fewer columns"))
        classes = int(learner["learner_model_param"]["num_class"])
        attributes = learner.get("attributes") or {}
        rounds = _ends_of_rounds(model, max(classes, 1))
        if best or (best is None and "scikit_learn" in attributes):
            rounds = rounds[: _best_round(attributes.get("best_iteration"), len(rounds))]
        first = rounds[0] if rounds else 0  # trees whose rows all have one second derivative: the first prediction's
        each = enumerate(model["trees"][: rounds[-1] if rounds else 0])
        about, outputs = model.get("tree_info", [0]), int(learner["learner_model_param"].get("num_target", 1))
        trees = tuple(_tree(nodes, i < first)._replace(scored=int(about[i % len(about)])) for i, nodes in each)
        named, objective = learner.get("feature_names") or [f"f{i}" for i in range(size)], learner["objective"]["name"]
        if len(named) != size or not all(isinstance(name, str) for name in [objective, *named]):
            raise ValueError(f"names of {size} features, and of an objective, are words")
        categories = _categories(model.get("cats", {}), size)
        start = float(str(learner["learner_model_param"].get("base_score", "nan")).strip("[]").partition(",")[0])
        kind, boosted = {"binary": 2, "multi": classes}.get(objective.partition(":")[0]), len(rounds) > 1
        return published_model(
            "XGBoost", trees, tuple(named), categories, kind, single=True, boosted=boosted, absent=np.nan,
            objective=objective, parameters=parameters, start=start, outputs=max(outputs, 1),
        )  # fmt: skip


def _ends_of_rounds(model: dict[str, Any], classes: int) -> list[int]:
    """Return the number of trees after each round; a forest is grown in one."""
    count = len(model["trees"])
    if "iteration_indptr" in model:
        ends: list[int] = listed(model, "iteration_indptr", "i").tolist()
        if not ends or ends != sorted(ends) or ends[0] != 0 or ends[-1] != count:
            raise ValueError(f"iteration_indptr ends at {count} trees")
        return ends[1:]
    together = int(model.get("gbtree_model_param", {}).get("num_parallel_tree", 1)) * classes
    if together < 1 or count % together:
        raise ValueError(f"{count} trees in rounds of {together}")
    return list(range(together, count + 1, together))


def _best_round(best: str | None, rounds: int) -> int:
    """Return the number of rounds that predict: up to the best iteration, all without one."""
    if best is None:
        return rounds
    if not str(best).isdecimal() or len(str(best)) > 9 or int(best) >= rounds:
        rule = f"the best iteration of early stopping is one of the {rounds} that the model holds"
        raise ValueError(complaint(rule, visible(best)[:40], "save the whole model, or fit it again"))
    return int(best) + 1


def _tree(nodes: dict[str, Any], alike: bool) -> FittedTree:
    """Return a tree; nodes that pruning has cut off are leaves that no row reaches. ``alike``: rows weigh the same."""
    left = listed(nodes, "left_children", "i").astype(np.intp)
    right, feature = (listed(nodes, name, "i", len(left)) for name in ("right_children", "split_indices"))
    default = listed(nodes, "default_left", "ib", len(left)).astype(bool)
    conditions, gains = (listed(nodes, name, "if", len(left)) for name in ("split_conditions", "loss_changes"))
    subsets = _subsets(nodes, left)
    turned = np.array(sorted(subsets), dtype=np.intp)
    left[turned], right[turned] = right[turned], left[turned].copy()
    default[turned] = ~default[turned]
    reached = np.isin(np.arange(len(left)), nodes_kept(Structure(left, right, feature, conditions, default), left >= 0))
    leaf = ~reached | (left < 0)
    left, right, feature = (np.where(leaf, -1, x) for x in (left, right, feature))
    threshold = np.where(leaf, np.nan, conditions.astype(np.float32))
    structure = Published(
        left, right, feature, threshold, default & ~leaf, strict=True, single=True,
        subsets={node: codes for node, codes in subsets.items() if not leaf[node]},
    )  # fmt: skip
    weights = listed(nodes, "sum_hessian", "if", len(left)) if "sum_hessian" in nodes else None
    shares = np.where(reached, weights, 0.0) / max(weights[0], 1e-300) if alike and weights is not None else None
    gains, values = np.where(leaf, 0.0, gains), np.where(leaf, conditions, 0.0)
    return FittedTree(structure, gains, None, None, values, shares, weights)


def _subsets(nodes: dict[str, Any], left: Array) -> dict[int, frozenset[int]]:
    """Return the categories that nodes list, those that go right in XGBoost."""
    names = ("categories", "categories_nodes", "categories_segments", "categories_sizes")
    codes, at, starts, sizes = (listed(nodes, name, "i").tolist() if name in nodes else [] for name in names)
    each = list(zip(at, starts, sizes, strict=True))
    if any(not (0 <= node < len(left) and 0 <= n <= len(codes) - max(a, 0)) or a < 0 for node, a, n in each):
        raise ValueError("categories that lie outside of their list")
    by_category = np.isin(np.arange(len(left)), at)
    kinds = listed(nodes, "split_type", "i", len(left)) if "split_type" in nodes else by_category
    if not np.array_equal((kinds == 1)[left >= 0], by_category[left >= 0]):
        raise ValueError("a split by categories without its list")
    return {node: frozenset(codes[a : a + n]) for node, a, n in each}


def _categories(encoder: dict[str, Any], features: int) -> dict[int, list[Any]]:
    """Return the categories of the columns of a data frame, words or numbers."""
    categories = {}
    for place, column in enumerate(encoder.get("enc", ())[:features]):
        if "offsets" in column and len(ends := column["offsets"]) > 1:
            text = bytes(x % 256 for x in column["values"])
            categories[place] = [text[a:b].decode() for a, b in pairwise(ends)]
        elif column.get("type") is not None:
            categories[place] = column["values"]
    return categories
