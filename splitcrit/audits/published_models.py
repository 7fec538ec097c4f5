"""Models as other libraries publish them: LightGBM's text, XGBoost's and CatBoost's JSON; none of them is needed.

Each library's trees become one table of nodes (``tree_of``), and its features numbers (``matrix``).

*LightGBM*. A file is lines ``name=value``: a header, and a part for each tree. A tree of L leaves has nodes 0 to L - 2,
and ``~l`` is leaf l, here node L - 1 + l. ``decision_type`` is a sum of bits: 1 for a split by categories, 2 where
missing values go left, and 4 times what is missing: 0 nothing (nan is read as 0), 1 zero and nan, 2 nan. Categories
that go left are bits of ``cat_threshold``, from word ``cat_boundaries[i]`` on, i the node's threshold; others and nan
go right.

*XGBoost*. Rows below the threshold go left, both rounded to float32. The categories that a node lists go right, all
others left; here its children change places, so that those listed go left. After early stopping an estimator predicts
by the trees up to its best iteration, a ``Booster`` by all.

*CatBoost*. Rows above the border go right, both rounded to float32; each feature says where rows without a value go. An
oblivious tree asks the same question of all nodes of a level: question i is bit i of the number of a leaf. It is read
as a tree whose nodes hold their children, as the others are; nodes are numbered level by level. No gains are recorded.

Main definitions: ``published_model``, which tells the formats apart; ``tree_of``; ``readable`` (what a damaged file
raises, in one sentence), ``bits``, ``Published``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle, pairwise
from typing import Any

import numpy as np

from splitcrit.arguments import Array, real
from splitcrit.audits.models import Boosting, FittedModel, FittedTree, known_columns, same_names, walk
from splitcrit.audits.node_moments import below
from splitcrit.data.training_inputs import numbers
from splitcrit.frozen import complaint, is_ours, visible
from splitcrit.trees.tree_arrays import Structure, nodes_kept

DAMAGED = (KeyError, ValueError, IndexError, TypeError, AttributeError, RecursionError, OverflowError, MemoryError)
ZERO = 1e-35  # LightGBM takes numbers up to this for zero, where zero stands for a missing value
CATEGORICAL, LEFT, MISSING = 1, 2, 4
LIGHTGBM_NODES = {"left_child": "i", "right_child": "i", "split_feature": "i", "threshold": "f", "split_gain": "f",
                  "decision_type": "i", "internal_count": "i"}  # fmt: skip
XGBOOST_NODES = {"left_children": "i", "right_children": "i", "split_indices": "i", "split_conditions": "if",
                 "default_left": "ib", "loss_changes": "if", "sum_hessian": "if"}  # fmt: skip
ZERO_IS_MISSING, NAN_IS_MISSING = 1, 2
LEVELS = re.compile(r"-?\d+(:-?\d+)+")
MOST_FEATURES = 2**20  # a file may claim any number, and each has a name and a row in the report
FILE = "a model's file is JSON of XGBoost or CatBoost, or LightGBM's text"
SAVE = "save it by save_model, as JSON or text, not as binary"
SURVIVAL = {"survival:cox": 1, "survival:aft": -1, "Cox": 1, "SurvivalAft": -1}  # -1: higher scores mean later events


@dataclass(frozen=True, eq=False)
class Published(Structure):
    """A tree from a file: at the nodes in ``zeros`` a zero is a missing value."""

    zeros: frozenset[int] = frozenset()

    def goes_left(self, node: int, values: Array) -> Array:
        """Tell which values of a node's feature go left."""
        if node in self.zeros:
            values = np.where(np.abs(values) <= ZERO, np.nan, values)
        return super().goes_left(node, values)


@contextmanager
def readable(rule: str, remedy: str, text: bool = True) -> Iterator[None]:
    """Turn whatever a damaged ``text`` of a model, or a model that transforms rows, raises into one sentence."""
    try:
        with np.errstate(all="ignore"):
            yield
    except DAMAGED as error:
        if is_ours(error):
            raise
        words = visible(str(error).partition("\n")[0])[:100] or type(error).__name__
        got = "a text without " if isinstance(error, KeyError) else "a damaged text: "
        raise ValueError(complaint(rule, got * text + words, remedy)) from None


def listed(data: Mapping[str, Any], name: str, kinds: str, size: int | None = None) -> Array:
    """A list of JSON, or numbers of a line of text, as a vector, whose entries have a dtype of these kinds.

    A list of no entries may be absent.

    Examples
    --------
    >>> listed({"feature": "0 3"}, "feature", "i").tolist()
    [0, 3]
    >>> listed({"feature": [0, 0.9]}, "feature", "i")
    Traceback (most recent call last):
    ...
    ValueError: feature is not a list of integers
    """
    entries, cast = data[name] if size != 0 else "", float if "f" in kinds else int
    vector = np.array([*map(cast, entries.split())], cast) if isinstance(entries, str) else np.array(entries)
    if vector.ndim != 1 or (vector.size and vector.dtype.kind not in kinds):
        raise ValueError(f"{name} is not a list of {'numbers' if cast is float else 'integers'}")
    if size is not None and len(vector) != size:
        raise ValueError(f"{name} has {len(vector)} entries in place of {size}")
    return vector


def segments(entries: Any, bounds: Iterable[int], what: str) -> list[Any]:
    """The parts of a sequence, which stand one after another, given where each begins and the last one ends.

    Examples
    --------
    >>> segments("abcd", [0, 1, 1, 4], "letters")
    ['a', '', 'bcd']
    >>> segments("abcd", [0, 2, 1, 4], "letters")
    Traceback (most recent call last):
    ...
    ValueError: letters that do not end at 4, or before they begin
    """
    ends = [*bounds]
    if ends[:1] != [0] or ends != sorted(ends) or ends[-1] != len(entries):
        raise ValueError(f"{what} that do not end at {len(entries)}, or before they begin")
    return [entries[a:b] for a, b in pairwise(ends)]


def tree_of(columns: Iterable[Any], value: Any, weight: Any, counts: str = "", **more: Any) -> FittedTree:
    """A tree, given the table of its nodes; of leaves, ``left < 0``, only values and weights are looked at.

    ``columns`` are ``left``, ``right``, ``feature``, ``threshold``, ``missing_left`` and the recorded gain.
    ``counts`` says what the weights ``(nodes,)`` are: the number of the "rows" that grew the node, their "shares" but
    for a factor, or neither. ``more`` is that of ``Published``.
    """
    left, right, feature, threshold, missing_left, gain = columns
    leaf = left < 0
    left, right, feature = (np.where(leaf, -1, column) for column in (left, right, feature))
    goes = np.asarray(missing_left).astype(bool) & ~leaf
    structure = Published(left, right, feature, np.where(leaf, np.nan, threshold), goes, **more)
    rows = weight.astype(np.int64) if counts == "rows" else None
    shares = weight / max(weight[0], 1e-300) if counts == "shares" and weight is not None else None
    return FittedTree(structure, np.where(leaf, 0.0, gain), None, rows, value, shares, weight)


def model_of(
    library: str, trees: Sequence[FittedTree], features: tuple[str, ...], categories: Mapping[int, Any],
    n_classes: int | None, *, single: bool, absent: float = 0.0, **more: Any,
) -> FittedModel:  # fmt: skip
    """A model that was read from a file; see ``matrix`` for ``categories``, ``single`` and ``absent``.

    A tree whose leaves hold a number of each output stands once for each.

    Raises
    ------
    ValueError
        If a tree is not ``sound``, or a category no word or number.
    """
    sound(trees, len(features))
    if not all(0 < level < 1 for level in more.get("quantiles", ())):
        raise ValueError("the level of a quantile lies between 0 and 1")
    outputs = more.get("outputs", 1)
    if trees and np.asarray(trees[0].values).shape[1:] == (outputs,):
        pairs = ((tree, i) for tree in trees for i in range(outputs))
        trees = [tree._replace(values=np.asarray(tree.values)[:, i], scored=i) for tree, i in pairs]
    categories = {place: category_names(names) for place, names in categories.items()}
    read = partial(matrix, features=features, categories=categories, single=single, absent=absent)
    return FittedModel(library, tuple(trees), features, walk(trees, read), n_classes, numbers=read, **more)


def sound(trees: Iterable[FittedTree], features: int) -> None:
    """Raise ValueError unless a child has one parent, which stands before it, and a split a feature and a threshold."""
    for s in (tree.structure for tree in trees):
        nodes = np.flatnonzero(s.left >= 0)
        child, by = np.concatenate([s.left[nodes], s.right[nodes]]), s.feature[nodes]
        faults = {
            "a tree without nodes": not len(s.left),
            "a child does not stand after its parent": ((child <= np.tile(nodes, 2)) | (child >= len(s.left))).any(),
            "a node is a child twice": len(np.unique(child)) < len(child),
            f"a split by a feature that is none of {features}": ((by < 0) | (by >= features)).any(),
            "a threshold is nan": np.isnan(s.threshold[np.setdiff1d(nodes, [*s.subsets])]).any(),
        }
        for words in (words for words, at_fault in faults.items() if at_fault):
            raise ValueError(words)


def bits(words: Iterable[int]) -> frozenset[int]:
    """The places of the ones in words of 32 bits.

    Examples
    --------
    >>> sorted(bits([9, 1]))
    [0, 3, 32]
    """
    return frozenset(32 * i + bit for i, word in enumerate(words) for bit in range(32) if word >> bit & 1)


def category_names(names: Any) -> list[Any]:
    """The categories of a column; raise ValueError unless they are words or numbers."""
    if not isinstance(names, list) or not all(isinstance(name, str | int | float) for name in names):
        raise ValueError("a category is no word or number")
    return names


def matrix(
    data: Any, features: Sequence[str], categories: Mapping[int, Sequence[Any]], single: bool, absent: float = 0.0
) -> Array:
    """Features as numbers ``(n, d)``, column by column in memory; of a frame or mapping, categories as codes.

    ``categories`` are those of some columns, by place. A category that the model does not know is a missing value;
    what a sparse matrix does not store is ``absent``. ``single`` rounds to float32.

    Raises
    ------
    ValueError, TypeError
        If the columns are others than the model's, or hold no numbers.
    """
    names = list(data) if isinstance(data, Mapping) else getattr(data, "columns", None)
    kind = np.float32 if single else np.float64
    if hasattr(data, "tocoo"):
        entries = data.tocoo()
        data = np.full(entries.shape, absent, kind)
        data[entries.coords] = entries.data
    with numbers(data if names is None else None):
        if names is None:
            x = np.asarray(data, dtype=kind, order="F")
            known_columns(len(features), x.shape)
            return x
        same_names(names, features)
        each = (_codes(data[n], categories[i]) if i in categories else data[n] for i, n in enumerate(names))
        return np.asfortranarray(np.column_stack([np.asarray(column, dtype=kind) for column in each]))


def _codes(values: Any, categories: Sequence[Any]) -> Array:
    """The code of each value, nan for others; a number may be written as a text."""
    place = {key: code for code, value in enumerate(categories) for key in (value, str(value))}
    return np.array([place.get(value, math.nan) for value in np.asarray(values, dtype=object).tolist()])


def published_model(data: bytes | bytearray | str | Mapping[str, Any]) -> FittedModel:
    """Read a model as its library publishes it: LightGBM's text, JSON of XGBoost or CatBoost, or what such JSON holds.

    A tree of LightGBM with L leaves has inner nodes 0 to L - 2, and LightGBM's leaf l is node L - 1 + l. Nodes of
    XGBoost keep their numbers.

    Raises
    ------
    ValueError
        If it is none of these, damaged, or a CatBoost model that splits by a categorical, text or embedding feature.

    Examples
    --------
    >>> header = "tree\\nversion=v4\\nnum_class=1\\nmax_feature_idx=0\\nobjective=binary\\nfeature_names=x\\n"
    >>> tree = "Tree=0\\nnum_leaves=2\\nsplit_feature=0\\nsplit_gain=1\\nthreshold=0.5\\ndecision_type=2\\n"
    >>> sides = "left_child=-1\\nright_child=-2\\nleaf_value=1 -1\\nleaf_count=3 4\\ninternal_count=7\\n"
    >>> (stump,) = published_model(f"{header}\\n{tree}{sides}").trees
    >>> stump.structure.rows([[0.25], [0.75], [float("nan")]])
    [array([0, 1, 2]), array([0, 2]), array([1])]
    >>> nodes = {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
    ...          "split_conditions": [0.5, 1, 2], "default_left": [1, 0, 0], "loss_changes": [3, 0, 0],
    ...          "sum_hessian": [3, 1, 2]}
    >>> (stump,) = published_model({"learner": {
    ...     "learner_model_param": {"num_feature": "1", "num_class": "0"}, "objective": {"name": "reg:squarederror"},
    ...     "gradient_booster": {"name": "gbtree", "model": {"trees": [nodes]}}}}).trees
    >>> stump.structure.rows([[0.25], [0.5], [float("nan")]])
    [array([0, 1, 2]), array([0, 2]), array([1])]
    """
    with readable(FILE, SAVE):
        text = data.decode().replace("\r\n", "\n") if isinstance(data, bytes | bytearray) else data
        if isinstance(text, str) and text.startswith("tree\n"):
            return _lightgbm_model(text)
        model = json.loads(text) if isinstance(text, str) else text
        for mark, read in (("learner", _xgboost_model), ("features_info", _catboost_model)):
            if mark in model:
                return read(model)
        raise ValueError(complaint(FILE, f"a {type(model).__name__} without 'learner' and 'features_info'", SAVE))


def _lightgbm_model(text: str) -> FittedModel:
    each = (part.splitlines() for part in text.partition("end of trees")[0].split("\nTree="))
    header, *parts = [dict(line.split("=", 1) for line in lines if "=" in line) for lines in each]
    all_rows = "[bagging_freq: 0]" in text and "[data_sample_strategy: bagging]" in text  # grew every tree
    objective, classes = header.get("objective", "regression").split()[0], int(header["num_class"])
    trees = [_lightgbm_tree(part, all_rows)._replace(scored=i % classes) for i, part in enumerate(parts)]
    infos = header.get("feature_infos", "").split()
    levels = {i: frozenset(map(int, info.split(":"))) for i, info in enumerate(infos) if LEVELS.fullmatch(info)}
    parameters = dict(re.findall(r"^\[(\w+): (.*)\]$", text, re.M))
    kind = {"binary": 2, "multiclass": classes, "multiclassova": classes}.get(objective)
    start = None if parameters.get("boost_from_average") == "1" else 0.5 if kind else 0.0
    return model_of(
        "LightGBM", trees, tuple(header["feature_names"].split()), _lightgbm_categories(text, infos), kind,
        single=False, boosting=Boosting(objective, parameters, start, levels),
        boosted="[boosting: rf]" not in text,  # a random forest grows no tree on residuals
        quantiles=(float(parameters["alpha"]),) if objective == "quantile" else (),
    )  # fmt: skip


def _lightgbm_tree(part: Mapping[str, str], counted: bool) -> FittedTree:
    """A tree, its leaves after its nodes; with its counts of rows if they are those of all rows."""
    size = int(part["num_leaves"])
    split = size - 1  # a tree of one leaf has no nodes, and may name none
    table = (listed(part, name, kind, split) for name, kind in LIGHTGBM_NODES.items())
    left, right, feature, threshold, gain, kind, count = table
    missing, numeric = kind // MISSING, kind & CATEGORICAL == 0
    if not np.isin(missing, (0, ZERO_IS_MISSING, NAN_IS_MISSING)).all():
        raise ValueError(f"decision_type {kind.max()}")
    # where nan is not missing it is read as 0
    goes = np.where(missing > 0, kind & LEFT > 0, threshold >= 0) & numeric
    zeros, nodes = (np.flatnonzero(at).tolist() for at in ((missing == ZERO_IS_MISSING) & numeric, ~numeric))
    names = ("cat_threshold", "cat_boundaries") if nodes else ()
    words, ends = [listed(part, name, "i") for name in names] or ([], [0])
    each = dict(enumerate(segments(words, ends, "categories")))
    subsets = {node: bits(each[int(threshold[node])]) for node in nodes}
    children = (np.where(child >= 0, child, split + ~child) for child in (left, right))
    threshold = np.where(numeric, threshold, np.nan)
    columns = (np.append(column, np.full(size, -1)) for column in (*children, feature, threshold, goes, gain))
    values = np.append(np.zeros(split), listed(part, "leaf_value", "f", size))
    weights = np.append(count, listed(part, "leaf_count", "i", size))
    return tree_of(columns, values, weights, "rows" * counted, single=False, zeros=frozenset(zeros), subsets=subsets)


def _lightgbm_categories(text: str, infos: list[str]) -> dict[int, Any]:
    """The categories of the columns of a data frame, which the last line holds in their order."""
    each = json.loads((re.findall("^pandas_categorical:(.+)$", text, re.M) or ["null"])[-1])
    places = [i for i, info in enumerate(infos) if not info.startswith("[") and info != "none"]
    return dict(zip(places, each, strict=True)) if each and len(each) == len(places) else {}


def _xgboost_model(data: Mapping[str, Any]) -> FittedModel:
    learner = data["learner"]
    booster, about = learner["gradient_booster"], learner["learner_model_param"]
    model, attributes = booster.get("gbtree", booster)["model"], learner.get("attributes") or {}
    rule, classes = f"an audited model has at most {MOST_FEATURES:,} features", int(about["num_class"])
    size = real(int(about["num_feature"]), rule, "fit it on fewer columns", lambda n: 0 <= n <= MOST_FEATURES)
    named, objective = learner.get("feature_names") or [f"f{i}" for i in range(size)], learner["objective"]["name"]
    if len(named) != size or not all(isinstance(name, str) for name in [objective, *named]):
        raise ValueError(f"names of {size} features, and of an objective, are words")
    grown = list(zip(model["trees"], cycle(model.get("tree_info", [0])), strict=False))
    # Before XGBoost 2 a file does not say where rounds end.
    size_of_round = int(model.get("gbtree_model_param", {}).get("num_parallel_tree", 1)) * max(classes, 1)
    rounds = segments(grown, model.get("iteration_indptr", range(0, len(grown) + 1, max(size_of_round, 1))), "rounds")
    if "scikit_learn" in attributes:  # an estimator has saved it
        last = str(attributes.get("best_iteration") or len(rounds) - 1)
        if rounds and last not in map(str, range(len(rounds))):
            raise ValueError(f"a best iteration of early stopping that is none of its {len(rounds)}")
        rounds = rounds[: int(last) + 1]
    # In the first round all rows have one second derivative: the first prediction's.
    sign, each = SURVIVAL.get(objective, 1), ((tree, i == 0) for i, together in enumerate(rounds) for tree in together)
    trees = [_xgboost_tree(nodes, alike, sign)._replace(scored=int(k)) for (nodes, k), alike in each]
    start = float(str(about.get("base_score", "nan")).strip("[]").partition(",")[0])
    levels = learner["objective"].get("quantile_loss_param", {}).get("quantile_alpha", "[]")
    return model_of(
        "XGBoost", trees, tuple(named), _xgboost_categories(model.get("cats", {}), size),
        {"binary": 2, "multi": classes}.get(objective.partition(":")[0]), single=True, absent=np.nan,
        boosted=len(rounds) > 1, boosting=Boosting(objective, {}, start, {}), survival=objective in SURVIVAL,
        outputs=max(int(about.get("num_target", 1)), 1), quantiles=tuple(map(float, json.loads(levels))),
    )  # fmt: skip


def _xgboost_tree(nodes: Mapping[str, Any], alike: bool, sign: int) -> FittedTree:
    """A tree; nodes that pruning has cut off are leaves that no row reaches. ``alike``: rows weigh the same."""
    size = len(listed(nodes, "left_children", "i"))
    table = (listed(nodes, name, kind, size) for name, kind in XGBOOST_NODES.items())
    left, right, feature, conditions, default, gain, weights = table
    # The categories that a node lists go right; here they go left.
    names = ("categories", "categories_nodes", "categories_segments")
    codes, at, starts = (listed(nodes, name, "i").tolist() if name in nodes else [] for name in names)
    listing = map(frozenset, segments(codes, [*starts, len(codes)], "categories"))
    subsets, turned = dict(zip(at, listing, strict=True)), np.isin(np.arange(size), at)
    by_categories = listed(nodes, "split_type", "i", size) == 1 if "split_type" in nodes else turned
    left, right, default = np.where(turned, right, left), np.where(turned, left, right), default.astype(bool) ^ turned
    reached = np.isin(np.arange(size), nodes_kept(Structure(left, right, feature, conditions, default), left >= 0))
    left = np.where(reached, left, -1)
    columns = left, right, feature, np.where(by_categories, np.nan, conditions.astype(np.float32)), default, gain
    if (width := int(nodes.get("tree_param", {}).get("size_leaf_vector", 1))) > 1:  # a leaf's place is its right child
        conditions = listed(nodes, "leaf_weights", "if").reshape(-1, width)[np.where(left < 0, right, 0)]
    values, weights = np.where(left < 0, sign * conditions.T, 0.0).T, np.where(reached, weights, 0.0)
    return tree_of(columns, values, weights, "shares" * alike, strict=True, single=True, subsets=subsets)


def _xgboost_categories(encoder: Mapping[str, Any], features: int) -> dict[int, Any]:
    """The categories of the columns of a data frame, words or numbers."""
    categories = {}
    for place, column in enumerate(encoder.get("enc", ())[:features]):
        if len(ends := column.get("offsets", ())) > 1:
            words = segments(bytes(x % 256 for x in column["values"]), ends, "categories")
            categories[place] = [word.decode() for word in words]
        elif column.get("type") is not None:
            categories[place] = column["values"]
    return categories


def _catboost_model(model: Mapping[str, Any]) -> FittedModel:
    columns, about = model["features_info"], model["model_info"]
    every = {column["flat_feature_index"]: column for kind in columns if kind.endswith("_features")
             for column in columns[kind]}  # fmt: skip
    features = tuple(str(every[i].get("feature_id") or f"x{i}") for i in range(len(every)))
    numeric = {column["feature_index"]: column for column in columns.get("float_features", ())}
    grown = model["oblivious_trees"] if "oblivious_trees" in model else model["trees"]
    names = category_names(about.get("class_params", {}).get("class_names", []))
    if len(names) == 1 or len({isinstance(name, str) for name in names}) > 1:
        raise ValueError("class_names are words or numbers")
    loss = about.get("params", {}).get("loss_function", {})
    kind, alpha = loss.get("type", ""), loss.get("params", {}).get("alpha", "0.5")
    trees: list[Any] = [_catboost_tree(tree, numeric) for tree in grown]
    # A leaf has a score of each class as they are named, of two perhaps that of the second alone; or a number of each
    # output, and where the spread is predicted too, its logarithm.
    width, order = np.shape(trees[0].values)[1] if trees else 1, np.argsort(names)
    outputs = 1 if names or kind == "RMSEWithUncertainty" else width
    sign = -1 if width == 1 and order.tolist() == [1, 0] else SURVIVAL.get(kind, 1)
    places = order if names and width > 1 else slice(outputs)
    trees = [tree._replace(values=sign * tree.values[:, places]) for tree in trees]
    unread: dict[int, Any] = {i: [] for i, column in every.items() if "borders" not in column}  # which split nothing
    return model_of(
        "CatBoost", trees, features, unread, len(names) or None, single=True, boosted=len(grown) > 1, outputs=outputs,
        classes=np.unique(np.array(names)) if names else None, survival=kind in SURVIVAL,
        quantiles=tuple(map(float, alpha.split(","))) if kind.endswith("Quantile") else (),
    )  # fmt: skip


def _catboost_tree(tree: Mapping[str, Any], numeric: Mapping[int, Any]) -> FittedTree:
    """A tree, its nodes level by level: children of the next that splits are the next two.

    All nodes of a level of an oblivious tree have one split; the root's is the lowest bit of a leaf's number.
    """
    if "splits" in tree:
        splits, values = tree["splits"] or [], listed(tree, "leaf_values", "if")
        if not len(values) or len(values) % (leaves := 2 ** len(splits)):
            raise ValueError(f"{len(values)} leaf_values at depth {len(splits)}")
        weights = tree.get("leaf_weights") or [math.nan] * leaves
        level: list[Any] = [{"value": v, "weight": w} for v, w in zip(values.reshape(leaves, -1), weights, strict=True)]
        for split in reversed(splits):
            pairs = zip(level[: len(level) // 2], level[len(level) // 2 :], strict=True)
            level = [{"split": split, "left": left, "right": right} for left, right in pairs]
        (tree,) = level
    nodes = [tree]
    for node in nodes:  # which grows
        nodes += [node["left"], node["right"]] if "split" in node else []
    leaf = np.array(["split" not in node for node in nodes])
    left = np.where(leaf, -1, 2 * np.cumsum(~leaf) - 1)
    asked = [_catboost_split(node["split"], numeric) if "split" in node else (-1, math.nan, False) for node in nodes]
    feature, border, missing_left = map(np.array, zip(*asked, strict=True))
    columns = left, left + 1, feature, border.astype(np.float32), missing_left, np.nan
    values, weights = (np.array([node[name] for node in nodes if name in node], float) for name in ("value", "weight"))
    values, weights = (each.reshape(leaf.sum(), -1)[np.cumsum(leaf) - 1] * leaf[:, None] for each in (values, weights))
    # A file may have no weights of leaves.
    weights = None if np.isnan(weights).any() else below(Structure(*columns[:5]), weights[:, 0])
    return tree_of(columns, values, weights, "shares")


def _catboost_split(split: Mapping[str, Any], numeric: Mapping[int, Any]) -> tuple[int, float, bool]:
    """The feature of a split, its border, and whether rows without a value go left."""
    if split["split_type"] != "FloatFeature":
        rule, got = "an audited CatBoost model must split by numbers only", visible(split["split_type"])[:40]
        raise ValueError(complaint(rule, got, "encode categories as numbers, and fit it again"))
    column = numeric[split["float_feature_index"]]
    return column["flat_feature_index"], float(split["border"]), column["nan_value_treatment"] != "AsTrue"
