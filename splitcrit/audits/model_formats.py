"""A fitted model of any library becomes one that can be audited; none of the other libraries is imported.

Main definitions: ``read_model``, which tells what a model is and passes it on: to the readers of LightGBM, XGBoost and
CatBoost, or to those of scikit-learn's models and this library's, which are made like them, ``sklearn_model`` (trees,
forests, gradient boosting), ``ensemble_model`` (bagging and AdaBoost, whose trees may have columns of their own),
``binned_model`` (gradient boosting of binned columns) and ``pipeline_model``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import __version__, ensemble
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from splitcrit.arguments import Array
from splitcrit.audits.catboost_models import catboost_model
from splitcrit.audits.lightgbm_models import lightgbm_model
from splitcrit.audits.models import FittedModel, FittedTree, bits, leaves, readable, same_columns
from splitcrit.audits.node_moments import Moments
from splitcrit.audits.xgboost_models import xgboost_model
from splitcrit.data.csv_files import START, seems
from splitcrit.data.training_inputs import numbers
from splitcrit.frozen import complaint
from splitcrit.trees.tree_arrays import Structure

RULE = "an audit takes binary trees from scikit-learn, XGBoost, LightGBM, CatBoost or splitcrit"
FILE = "a model's file is JSON of XGBoost or CatBoost, or LightGBM's text"
SAVE = "save it by save_model, as JSON or text, not as binary"
BOOSTED = (ensemble.GradientBoostingClassifier, ensemble.GradientBoostingRegressor)
BAGGED = (ensemble.BaggingClassifier, ensemble.BaggingRegressor)
REWEIGHTED = (ensemble.AdaBoostClassifier, ensemble.AdaBoostRegressor)
BINNED = (ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor)
ALL_ROWS, NO_DRAWS = "each tree was grown on all rows", "a boosted tree keeps no draws of rows"
HONEST = "the rows that an honest tree was not grown on chose which of its splits are kept"
MEANS = ("squared_error", "friedman_mse")  # criteria whose impurity is the variance


def read_model(model: Any, *after: Any) -> FittedModel:
    """Read a fitted model.

    Parameters
    ----------
    model
        A tree, a forest, a boosted or bagged ensemble of trees of scikit-learn, or one of this library; a booster of
        XGBoost, LightGBM or CatBoost, or their estimator; a pipeline whose last step is one of these; the path of a
        file of XGBoost, LightGBM or CatBoost, or what their JSON holds.
    after
        The rows, given after it, among which it may stand by mistake.

    Raises
    ------
    TypeError
        If it is none of these.
    ValueError
        If it is not fitted, or the file cannot be read.
    """
    if isinstance(model, FittedModel):
        return model
    if isinstance(model, str | Path):
        return _of_file(Path(model))
    if isinstance(model, Mapping):
        return _of_json(model)
    homes = {kind.__module__.partition(".")[0] for kind in type(model).__mro__}
    if library := homes & {"xgboost", "lightgbm", "catboost", "_catboost"}:
        return _published(model, library.pop().strip("_"))
    if isinstance(model, Pipeline):
        if not model.steps or not hasattr(model.steps[-1][1], "fit"):
            raise TypeError(complaint(RULE, "a Pipeline whose last step is none", "pass one of these, fitted"))
        return pipeline_model(model)
    if not hasattr(model, "predict") and (late := [each for each in after if hasattr(each, "predict")]):
        got = f"a {type(model).__name__} before the {type(late[0]).__name__}, as if arguments were swapped"
        raise TypeError(complaint("the model comes first, then X and y", got, "pass them in this order"))
    meta = isinstance(model, BAGGED + BINNED + REWEIGHTED)
    applies = not isinstance(model, type) and hasattr(model, "apply") and hasattr(model, "predict")
    if not meta and not (applies and (is_classifier(model) or is_regressor(model))):
        got = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
        raise TypeError(complaint(RULE, got, "pass one of these, fitted"))
    _fitted(model)
    if meta:
        return binned_model(model) if isinstance(model, BINNED) else ensemble_model(model)
    trees = getattr(model, "estimators_", [model])
    if not all(hasattr(getattr(tree, "tree_", None), "children_left") for tree in getattr(trees, "flat", trees)):
        raise TypeError(complaint(RULE, type(model).__name__, "pass one whose trees have tree_"))
    return sklearn_model(model)


def _fitted(model: Any) -> None:
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):
        raise ValueError(complaint("the model must be fitted", f"a new {type(model).__name__}", "fit it")) from None


def _of_file(path: Path) -> FittedModel:
    """Read the model in a file; nothing in it is run."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        got = f"{str(path)!r:.80}: {getattr(error, 'strerror', None) or error}"
        raise ValueError(complaint("an audit takes a fitted model or its file", got, "pass a path")) from None
    if seeming := seems(data[:START]):
        raise ValueError(complaint(FILE, f"{path}, which seems to be {seeming.what}", SAVE))
    with readable(FILE, SAVE):
        text = data.decode().replace("\r\n", "\n")
        return lightgbm_model(text) if text.startswith("tree\n") else _of_json(json.loads(text))


def _of_json(data: Any) -> FittedModel:
    if isinstance(data, Mapping) and "learner" in data:
        return xgboost_model(data)
    if isinstance(data, Mapping) and "features_info" in data:
        return catboost_model(data)
    raise ValueError(complaint(FILE, f"a {type(data).__name__} without 'learner' and 'features_info'", SAVE))


def _published(model: Any, home: str) -> FittedModel:
    """Read a model of another library through the text that the library writes of it."""
    booster, missing = model, getattr(model, "missing", None)
    if missing is not None and missing == missing:
        remedy = "refit it with missing=nan, on features that hold nan"
        raise ValueError(complaint("an audited model's missing value must be nan", f"missing={missing!r}", remedy))
    if home == "catboost" and hasattr(model, "is_fitted") and not isinstance(model, type):
        if not model.is_fitted():
            raise ValueError(complaint("the model must be fitted", f"a new {type(model).__name__}", "fit it"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.json"
            model.save_model(str(path), format="json")
            return catboost_model(path.read_bytes())
    estimator = hasattr(type(model), {"xgboost": "get_booster", "lightgbm": "booster_"}.get(home, ""))
    if estimator:
        _fitted(model)
        booster = model.get_booster() if home == "xgboost" else model.booster_
    if home == "xgboost" and hasattr(booster, "save_raw"):
        growing = json.loads(booster.save_config())["learner"]["gradient_booster"].get("tree_train_param", {})
        fitted = xgboost_model(bytes(booster.save_raw("json")), best=estimator, parameters=growing)
    elif home == "lightgbm" and hasattr(booster, "model_to_string"):
        fitted = lightgbm_model(booster.model_to_string())
    else:
        raise TypeError(complaint(RULE, type(model).__name__, "pass a booster or an estimator"))
    classes = getattr(model, "classes_", None)
    if classes is None or fitted.n_classes is None:
        return fitted
    return replace(fitted, classes=np.asarray(classes), n_classes=len(classes))


def sklearn_model(model: Any) -> FittedModel:
    """Read a tree, a forest or a boosted ensemble, which has ``tree_`` or ``estimators_`` and ``apply``.

    Raises
    ------
    ValueError
        If the model has several outputs.
    """
    boosted, honest = isinstance(model, BOOSTED), hasattr(model, "estimator_") and hasattr(model, "result_")
    each = [model.estimator_] if honest else np.ravel(getattr(model, "estimators_", [model])).tolist()
    _one_output(model)
    drawn = tuple(model.estimators_samples_) if not boosted and getattr(model, "bootstrap", False) else None
    whole = not honest and (not boosted or model.subsample == 1.0)
    known = not boosted and (is_classifier(model) or each[0].criterion in MEANS)

    def ends(data: Any) -> Iterator[Array]:
        same_columns(model, data)
        with numbers(data):  # the trees of a boosted model know no names, and would warn of those in a frame
            leaf = np.asarray(model.apply(np.asarray(data) if boosted else data))
        return (column.astype(np.intp) for column in leaf.reshape(len(leaf), -1).T)

    return _fitted_model(
        model, [_tree(tree, known, whole) for tree in each], ends, boosted=boosted, drawn=drawn,
        why_not=HONEST if honest else NO_DRAWS if boosted else ALL_ROWS,
    )  # fmt: skip


def ensemble_model(model: Any) -> FittedModel:
    """Read a bagging or AdaBoost ensemble of trees.

    Raises
    ------
    TypeError
        If its estimators are no single trees.
    ValueError
        If the model has several outputs.
    """
    each, bagged = list(model.estimators_), isinstance(model, BAGGED)
    if odd := [tree for tree in each if not hasattr(getattr(tree, "tree_", None), "children_left")]:
        rule = f"an audited {type(model).__name__} is of decision trees"
        raise TypeError(complaint(rule, f"one of {type(odd[0]).__name__}", "audit its estimators_ one by one"))
    _one_output(each[0])
    columns = [np.asarray(chosen) for chosen in model.estimators_features_] if bagged else [None] * len(each)
    drawn, why_not = None, "each tree was grown on rows weighted by the errors of those before it"
    if bagged:
        drawn, why_not = tuple(map(np.asarray, model.estimators_samples_)), ALL_ROWS
        if len(drawn) != len(each):
            drawn, why_not = None, "with warm_start only the draws of the last trees are kept"
        elif not model.bootstrap and all(np.array_equal(np.sort(rows), np.arange(len(rows))) for rows in drawn):
            drawn = None
    classes = is_classifier(model)

    def tree_of(tree: Any, chosen: Array | None) -> FittedTree:
        known = len(tree.classes_) == len(model.classes_) if classes else tree.criterion in MEANS
        fitted = _tree(tree, known, bagged or classes)
        if chosen is None:
            return fitted
        feature = fitted.structure.feature
        feature = np.where(feature >= 0, chosen[np.maximum(feature, 0)], -1)
        return fitted._replace(structure=replace(fitted.structure, feature=feature))

    def ends(data: Any) -> Iterator[Array]:
        same_columns(model, data)
        x = data.tocsr() if hasattr(data, "tocsr") else np.asarray(data)
        with numbers(data):
            for tree, chosen in zip(each, columns, strict=True):
                yield np.asarray(tree.apply(x if chosen is None else x[:, chosen])).astype(np.intp)

    return _fitted_model(model, map(tree_of, each, columns), ends, drawn=drawn, why_not=why_not)


def binned_model(model: Any) -> FittedModel:
    """Read a histogram gradient boosting model.

    Raises
    ------
    TypeError
        If this version of scikit-learn keeps such models in another way.
    """
    try:
        order = np.arange(model.n_features_in_)
        if model.is_categorical_ is not None:  # it moves categories to the front
            order = np.argsort(~model.is_categorical_, kind="stable")
        whole = not model.do_early_stopping_ or model.validation_fraction is None
        trees = tuple(_binned_tree(tree, order, whole) for together in model._predictors for tree in together)
        prepare = model._preprocess_X
    except (AttributeError, ValueError, IndexError) as error:
        rule = f"a {type(model).__name__} keeps its trees as in scikit-learn 1.9"
        got = f"{error} of scikit-learn {__version__}"
        raise TypeError(complaint(rule, got, "fit it with scikit-learn 1.9")) from None

    def ends(data: Any) -> Iterator[Array]:
        same_columns(model, data)
        with _prepared(model):
            x = prepare(data, reset=False)[:, np.argsort(order)]
        return (leaves(tree.structure, x) for tree in trees)

    return _fitted_model(model, trees, ends, boosted=True, why_not=NO_DRAWS)


def _binned_tree(tree: Any, order: Array, whole: bool) -> FittedTree:
    nodes, sets = tree.nodes, tree.raw_left_cat_bitsets
    leaf, kinds = nodes["is_leaf"].astype(bool), nodes["is_categorical"].astype(bool)
    left, right = (np.where(leaf, -1, nodes[side].astype(np.intp)) for side in ("left", "right"))
    subsets = {node: bits(sets[nodes["bitset_idx"][node]].tolist()) for node in np.flatnonzero(kinds & ~leaf).tolist()}
    structure = Structure(
        left, right, np.where(leaf, -1, order[np.where(leaf, 0, nodes["feature_idx"])]),
        np.where(leaf | kinds, np.nan, nodes["num_threshold"]), nodes["missing_go_to_left"].astype(bool) & ~leaf,
        single=False, subsets=subsets,
    )  # fmt: skip
    count = nodes["count"].astype(np.int64) if whole else None
    return FittedTree(structure, np.where(leaf, 0.0, nodes["gain"]), None, count, nodes["value"], None, nodes["count"])


def pipeline_model(model: Any) -> FittedModel:
    """Read the last step of a fitted pipeline, on the columns that the steps before it make."""
    last, before = read_model(model.steps[-1][1]), model[:-1]
    if not len(before):
        return last
    try:
        features = tuple(map(str, before.get_feature_names_out()))
    except (AttributeError, ValueError, TypeError):  # a step that names no columns
        features = last.features

    def ends(data: Any) -> Any:
        with _prepared(model):
            made = before.transform(data)
        return last.ends(made)

    named = getattr(model, "feature_names_in_", None)
    if named is None and hasattr(model, "n_features_in_"):
        named = [f"x{i}" for i in range(model.n_features_in_)]
    fitted = replace(
        last, ends=ends, features=features if len(features) == len(last.features) else last.features,
        columns=None if named is None else tuple(map(str, named)),
    )  # fmt: skip
    if any(hasattr(step, "fit_resample") for _, step in before.steps):
        trees = tuple(tree._replace(rows=None) for tree in fitted.trees)
        fitted = replace(fitted, trees=trees, drawn=None, why_not="a step drew other rows before the model was fitted")
    return fitted


@contextmanager
def _prepared(model: Any) -> Iterator[None]:
    """Turn what a model raises inside, as it transforms rows, into one sentence."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        rule = f"a {type(model).__name__} is audited on rows that have the columns it was fitted on"
        raise ValueError(complaint(rule, f"{error}".partition("\n")[0], "pass such rows")) from error


def _fitted_model(model: Any, trees: Iterable[FittedTree], ends: Callable[[Any], Any], **more: Any) -> FittedModel:
    """Return a model of scikit-learn, given its trees; the names of its features are made up where it has none."""
    names = getattr(model, "feature_names_in_", [f"x{i}" for i in range(model.n_features_in_)])
    classes = np.asarray(model.classes_) if is_classifier(model) else None
    n_classes = None if classes is None else len(classes)
    return FittedModel("scikit-learn", tuple(trees), tuple(map(str, names)), ends, n_classes, classes, **more)


def _one_output(model: Any) -> None:
    if getattr(model, "n_outputs_", 1) > 1:
        remedy = "fit one model for each output"
        raise ValueError(complaint("an audited model must have one output", f"{model.n_outputs_}", remedy))


def _tree(tree: Any, known: bool, whole: bool) -> FittedTree:
    """Read a tree, with moments of the rows that grew it if they are ``known``, and their numbers if it grew on all."""
    grown, structure = tree.tree_, Structure.of(tree)
    if splits := getattr(tree, "splits_", {}):  # by categories: the column of a subset stands for its feature
        nodes, feature, threshold = list(splits), structure.feature.copy(), structure.threshold.copy()
        feature[nodes], threshold[nodes] = [split.feature for split in splits.values()], np.nan
        structure = replace(structure, feature=feature, threshold=threshold)
    weight = grown.weighted_n_node_samples
    parts, inside = weight / weight[0] * grown.impurity, structure.left >= 0
    recorded = np.where(inside, parts - parts[structure.left] - parts[structure.right], 0.0)
    mean = grown.value[:, 0, :]
    spread = (mean * (1 - mean)).sum(axis=1) if is_classifier(tree) else grown.impurity
    moments = Moments(weight, mean, spread) if known else None
    values = mean if known or mean.shape[1] == 1 else None
    return FittedTree(structure, recorded, moments, grown.n_node_samples if whole else None, values, weights=weight)
