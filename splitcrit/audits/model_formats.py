"""A fitted model of any library becomes one that can be audited; none of the other libraries is imported.

Main definitions: ``read_model``, which tells what a model is and passes it on: to the readers of LightGBM, XGBoost and
CatBoost, or to those of models that keep scikit-learn's ``tree_``, ``sklearn_model`` (trees, forests, bagging,
boosting, of this library and of scikit-survival too), ``binned_model`` (gradient boosting of binned columns),
``pipeline_model`` and ``joined_model`` (votes, stacks, calibrated models, whose parts are read one by one).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import __version__, ensemble
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel, FittedTree, same_columns, walk
from splitcrit.audits.node_moments import Moments
from splitcrit.audits.published_models import FILE, SAVE, bits, published_model, readable, tree_of
from splitcrit.data.csv_files import START, seems
from splitcrit.data.training_inputs import numbers
from splitcrit.frozen import complaint
from splitcrit.trees.tree_arrays import nodes_of

RULE = "an audit takes binary trees from scikit-learn, XGBoost, LightGBM, CatBoost or splitcrit"
INSIDE = {  # where a model keeps the fitted models that it is made of, by the name of its class
    "CalibratedClassifierCV": "calibrated_classifiers_", "FrozenEstimator": "estimator",
    "FixedThresholdClassifier": "estimator_", "TunedThresholdClassifierCV": "estimator_",
    **dict.fromkeys(("VotingClassifier", "VotingRegressor", "StackingClassifier", "StackingRegressor"), "estimators_"),
}  # fmt: skip
TRANSFORMED = "a {} is audited on rows that have the columns it was fitted on"
WITHIN = ("best_estimator_", "estimator_", "estimators_", "regressor_", "calibrated_classifiers_")  # fitted parts
BAGGED = (ensemble.BaggingClassifier, ensemble.BaggingRegressor)
REWEIGHTED = (ensemble.AdaBoostClassifier, ensemble.AdaBoostRegressor)
BINNED = (ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor)
ALL_ROWS, NO_DRAWS = "each tree was grown on all rows", "a boosted tree keeps no draws of rows"
WEIGHTED = "each tree was grown on rows weighted by the errors of those before it"
SOME_DRAWS = "with warm_start only the draws of the last trees are kept"
ONE_BY_ONE = "its parts were fitted one by one, perhaps on other rows"
FINAL = "the final estimator of a stack is not audited: these are the trees whose predictions it takes"
HONEST = "the rows that an honest tree was not grown on chose which of its splits are kept"
TREES = "pass one whose trees have tree_"
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
        return published_model(model)
    if isinstance(model, type):
        raise TypeError(complaint(RULE, f"the class {model.__name__}", "pass one of these, fitted"))
    known = hasattr(model, "__sklearn_tags__")  # without which scikit-learn says nothing of a model
    if known and not isinstance(model, Pipeline):
        try:
            check_is_fitted(model)
        except (NotFittedError, TypeError):
            raise ValueError(complaint("the model must be fitted", f"a new {type(model).__name__}", "fit it")) from None
    kinds = [kind.__name__ for kind in type(model).__mro__]  # the nearest first
    homes = {kind.__module__.partition(".")[0].strip("_") for kind in type(model).__mro__}
    booster = getattr(model, "booster_", model)  # of LightGBM
    if (library := homes & {"xgboost", "lightgbm", "catboost"}) and hasattr(booster, "save_model"):
        return _of_library(model, booster, library.pop())
    if isinstance(model, Pipeline):
        if not model.steps or not hasattr(model.steps[-1][1], "fit"):
            raise TypeError(complaint(RULE, "a Pipeline whose last step is none", "pass one of these, fitted"))
        return pipeline_model(model)
    if not hasattr(model, "predict") and (late := [each for each in after if hasattr(each, "predict")]):
        got = f"a {type(model).__name__} before the {type(late[0]).__name__}, as if arguments were swapped"
        raise TypeError(complaint("the model comes first, then X and y", got, "pass them in this order"))
    if parts := _parts(model, kinds):
        return joined_model(model, parts)
    each = getattr(model, "estimators_", [getattr(model, "estimator_", model)])
    each, several = list(getattr(each, "flat", each)), isinstance(model, BAGGED + REWEIGHTED)
    survival = "SurvivalAnalysisMixin" in kinds  # of scikit-survival
    applies = known and hasattr(model, "apply") and (is_classifier(model) or is_regressor(model) or survival)
    if not (applies or several or isinstance(model, BINNED)):
        raise TypeError(complaint(RULE, type(model).__name__, _within(model) or "pass one of these, fitted"))
    if isinstance(model, BINNED):
        return binned_model(model)
    if odd := [tree for tree in each if not hasattr(nodes_of(tree), "children_left")]:
        raise _of_others(model, odd[0]) if several else TypeError(complaint(RULE, type(model).__name__, TREES))
    return sklearn_model(model, each, survival)


def _parts(model: Any, kinds: list[str]) -> list[Any]:
    """The fitted models inside a search, a vote, a stack or a calibrated model; none of others."""
    name = next((INSIDE[base] for base in kinds if base in INSIDE), "best_estimator_")
    if hasattr(model, "refit") and not hasattr(model, name):
        rule, remedy = "an audited search keeps its best_estimator_", "fit it with refit=True"
        raise ValueError(complaint(rule, type(model).__name__, remedy))
    inside: Any = getattr(model, name, ())
    parts = inside if name.endswith("s_") else [inside] * hasattr(model, name)
    return [part.estimator if name == "calibrated_classifiers_" else part for part in parts]


def _within(model: Any) -> str:
    """What of a model may be audited in its place."""
    return next((f"audit its {name}, if that is of trees" for name in WITHIN if hasattr(model, name)), "")


def _of_others(model: Any, part: Any) -> TypeError:
    rule = f"an audited {type(model).__name__} is of decision trees"
    return TypeError(complaint(rule, f"one of {type(part).__name__}", _within(model) or "audit its estimator"))


def joined_model(model: Any, parts: list[Any]) -> FittedModel:
    """Read the parts of a model: the trees of all, if they have the same columns.

    Raises
    ------
    TypeError
        If a part is no model of trees, or parts have different columns.
    """
    each: list[FittedModel] = []
    for part in parts:
        try:
            each.append(read_model(part))
        except TypeError:
            raise _of_others(model, part) from None
    first = each[0]
    # Classes of a vote and of a stack are codes.
    if first.n_classes is not None:
        first = replace(first, classes=np.asarray(getattr(model, "classes_", first.classes)))
    if len(each) == 1:
        return first
    if len({(one.features, one.columns, one.n_classes, one.survival, one.outputs) for one in each}) > 1:
        rule, got = f"the parts of an audited {type(model).__name__} have the same columns", "parts that differ"
        raise TypeError(complaint(rule, got, "audit its estimators_ one by one"))
    return replace(
        first, trees=tuple(tree for one in each for tree in one.trees), drawn=None, why_not=ONE_BY_ONE, boosting=None,
        ends=lambda data: chain.from_iterable(one.ends(data) for one in each), boosted=any(one.boosted for one in each),
        library=", ".join(dict.fromkeys(one.library for one in each)),
        notes=(FINAL,) * hasattr(model, "final_estimator_"),
    )  # fmt: skip


def _of_file(path: Path) -> FittedModel:
    """Read the model in a file; nothing in it is run."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        got = f"{str(path)!r:.80}: {getattr(error, 'strerror', None) or error}"
        raise ValueError(complaint("an audit takes a fitted model or its file", got, "pass a path")) from None
    if seeming := seems(data[:START]):
        raise ValueError(complaint(FILE, f"{path}, which seems to be {seeming.what}", SAVE))
    return published_model(data)


def _of_library(model: Any, booster: Any, library: str) -> FittedModel:
    """Read a model of another library from the file that its booster saves."""
    missing = getattr(model, "missing", None)
    if missing is not None and missing == missing:
        remedy = "refit it with missing=nan, on features that hold nan"
        raise ValueError(complaint("an audited model's missing value must be nan", f"missing={missing!r}", remedy))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        booster.save_model(str(path), **({"format": "json"} if library == "catboost" else {}))
        fitted = _of_file(path)
    if library == "xgboost" and fitted.boosting:  # whose file does not hold how trees grow
        booster = model.get_booster() if hasattr(model, "get_booster") else model
        config = json.loads(booster.save_config())["learner"]["gradient_booster"]
        fitted = replace(fitted, boosting=fitted.boosting._replace(parameters=config.get("tree_train_param", {})))
    if fitted.n_classes and fitted.classes is None and hasattr(model, "classes_"):
        fitted = replace(fitted, classes=np.asarray(model.classes_), n_classes=len(model.classes_))
    return fitted


def sklearn_model(model: Any, trees: list[Any], survival: bool) -> FittedModel:
    """Read a tree or an ensemble of trees, which keep ``nodes_`` or scikit-learn's ``tree_``.

    A tree of scikit-survival keeps the cumulative hazard at each time where it splits; what counts is its sum over the
    times of events, by which it predicts. Its boosted trees add up to a log hazard, or to a log time.

    Raises
    ------
    ValueError
        If a model of classes has several outputs.
    """
    honest, bagged, reweighted = hasattr(model, "result_"), isinstance(model, BAGGED), isinstance(model, REWEIGHTED)
    classes, boosted = is_classifier(model), hasattr(model, "learning_rate") and not reweighted
    outputs = 1 if survival else int(getattr(trees[0], "n_outputs_", 1))
    if classes and outputs > 1:
        remedy = "fit one model for each output"
        raise ValueError(complaint("an audited model of classes must have one output", f"{outputs}", remedy))
    columns = [np.asarray(chosen) for chosen in model.estimators_features_] if bagged else [None] * len(trees)
    drawn, why_not = None, WEIGHTED if reweighted else NO_DRAWS if boosted else HONEST if honest else ALL_ROWS
    if bagged or getattr(model, "bootstrap", False):
        drawn = cache(lambda: [np.asarray(rows) for rows in model.estimators_samples_ for _ in range(outputs)])
        if bagged and len(drawn()) != len(trees) * outputs:
            drawn, why_not = None, SOME_DRAWS
        elif not model.bootstrap and all(np.array_equal(np.sort(rows), np.arange(len(rows))) for rows in drawn()):
            drawn = None
    whole = not honest and getattr(model, "subsample", 1.0) == 1.0 and (classes or not reweighted)
    risk = 0 if not survival else -1 if getattr(model, "loss", "coxph") != "coxph" else 1

    def known(tree: Any) -> bool:
        """Whether its means are those of the responses."""
        if boosted or survival or outputs > 1:
            return False
        return len(tree.classes_) == len(model.classes_) if classes else tree.criterion in MEANS

    def ends(data: Any) -> Iterator[Array]:
        same_columns(model, data)
        with numbers(data):
            if hasattr(model, "apply") and not boosted and not survival:
                leaf = np.asarray(model.apply(data))
                each: Any = leaf.reshape(len(leaf), -1).T
            else:  # single trees know no names, and would warn of those in a frame
                x = data.tocsr() if hasattr(data, "tocsr") else np.asarray(data, dtype=np.float32 if survival else None)
                each = (tree.apply(x if at is None else x[:, at]) for tree, at in zip(trees, columns, strict=True))
            yield from (np.asarray(end).astype(np.intp) for end in each for _ in range(outputs))

    per = outputs if not (classes and boosted) else max(1, model.estimators_.shape[1])  # scores of a round
    pairs = zip(trees, columns, strict=True)
    each = [_tree(tree, at, known(tree), whole, o, risk) for tree, at in pairs for o in range(outputs)]
    each = [tree._replace(scored=i % per) for i, tree in enumerate(each)]
    return _fitted_model(
        model, each, ends, boosted=boosted, drawn=drawn, why_not=why_not, survival=survival, outputs=outputs,
        library="scikit-survival" if survival else "scikit-learn", scores=getattr(model, "response_scores", None),
    )  # fmt: skip


def binned_model(model: Any) -> FittedModel:
    """Read a histogram gradient boosting model.

    Raises
    ------
    ValueError
        If this version of scikit-learn keeps such models in another way.
    """
    rule, remedy = f"scikit-learn {__version__} keeps trees of histograms as 1.9 does", "fit it with scikit-learn 1.9"
    with readable(rule, remedy, text=False):
        # Scikit-learn moves categories to the front.
        numeric = np.ones(model.n_features_in_) if model.is_categorical_ is None else ~model.is_categorical_
        order = np.argsort(numeric, kind="stable")
        whole = not model.do_early_stopping_ or model.validation_fraction is None
        numbered = (pair for together in model._predictors for pair in enumerate(together))
        trees = [_binned_tree(tree, order, whole)._replace(scored=k) for k, tree in numbered]
        prepare = model._preprocess_X

    def read(data: Any) -> Array:
        same_columns(model, data)
        with readable(TRANSFORMED.format(type(model).__name__), "pass such rows", text=False):
            return np.asarray(prepare(data, reset=False)[:, np.argsort(order)])

    return _fitted_model(model, trees, walk(trees, read), boosted=True, why_not=NO_DRAWS)


def _binned_tree(tree: Any, order: Array, whole: bool) -> FittedTree:
    nodes, sets = tree.nodes, tree.raw_left_cat_bitsets
    leaf, kinds = nodes["is_leaf"].astype(bool), nodes["is_categorical"].astype(bool)
    left, right = (np.where(leaf, -1, nodes[side].astype(np.intp)) for side in ("left", "right"))
    subsets = {node: bits(sets[nodes["bitset_idx"][node]].tolist()) for node in np.flatnonzero(kinds & ~leaf).tolist()}
    feature, threshold = order[np.where(leaf, 0, nodes["feature_idx"])], np.where(kinds, np.nan, nodes["num_threshold"])
    columns = left, right, feature, threshold, nodes["missing_go_to_left"], nodes["gain"]
    return tree_of(columns, nodes["value"], nodes["count"], "rows" * whole, single=False, subsets=subsets)


def pipeline_model(model: Any) -> FittedModel:
    """Read the last step of a fitted pipeline, on the columns that the steps before it make."""
    last, before = read_model(model.steps[-1][1]), model[:-1]
    if not len(before):
        return last
    try:
        features = tuple(map(str, before.get_feature_names_out()))
    # A step that names no columns.
    except (AttributeError, ValueError, TypeError):
        features = last.features

    def transformed(data: Any) -> Any:
        with readable(TRANSFORMED.format(type(model).__name__), "pass such rows", text=False):
            return before.transform(data)

    named = getattr(model, "feature_names_in_", [f"x{i}" for i in range(getattr(model, "n_features_in_", 0))])
    fitted = replace(
        last, features=features if len(features) == len(last.features) else last.features,
        columns=tuple(map(str, named)) or None,
        ends=lambda data: last.ends(transformed(data)), prepare=lambda data: last.prepare(transformed(data)),
    )  # fmt: skip
    if any(hasattr(step, "fit_resample") for _, step in before.steps):
        trees = tuple(tree._replace(rows=None) for tree in fitted.trees)
        fitted = replace(fitted, trees=trees, drawn=None, why_not="a step drew other rows before the model was fitted")
    return fitted


def _fitted_model(model: Any, trees: Iterable[FittedTree], ends: Callable[[Any], Any], **more: Any) -> FittedModel:
    """A model of scikit-learn, given its trees; the names of its features are made up where it has none."""
    names = getattr(model, "feature_names_in_", [f"x{i}" for i in range(model.n_features_in_)])
    classes = np.asarray(model.classes_) if is_classifier(model) else None
    n_classes = None if classes is None else len(classes)
    library, loss = more.pop("library", "scikit-learn"), getattr(model, "loss", None)
    level = (getattr(model, "quantile", None) or model.alpha,) if isinstance(loss, str) and loss == "quantile" else ()
    return FittedModel(library, tuple(trees), tuple(map(str, names)), ends, n_classes, classes, quantiles=level, **more)


def _tree(tree: Any, chosen: Array | None, known: bool, whole: bool, output: int, risk: int) -> FittedTree:
    """Read a tree, with moments of the rows that grew it if they are ``known``, and their numbers if it grew on all.

    ``chosen`` are the columns that it was grown on, None of all; ``risk`` is 1 where a higher value means earlier
    events, -1 where it means later ones, 0 without events.
    """
    grown, splits = nodes_of(tree), getattr(tree, "splits_", {})
    weight, left, right = grown.weighted_n_node_samples, grown.children_left, grown.children_right
    feature = np.maximum(grown.feature, 0)
    # Splits by categories: the column of a subset stands for its feature. Scikit-learn 1.10 tells how many categories
    # a column has, -1 of numbers; ``apply`` alone sends its rows.
    by, nodes = grown.__reduce__()[1][-1], [*splits]
    threshold = np.where(by[feature] > 0, np.nan, grown.threshold) if np.ndim(by) else np.copy(grown.threshold)
    feature[nodes], threshold[nodes] = [split.feature for split in splits.values()], np.nan
    feature = feature if chosen is None else chosen[feature]
    # Trees by log-rank statistics record no impurities.
    with np.errstate(invalid="ignore"):
        parts = weight / weight[0] * grown.impurity
        recorded = parts - parts[left] - parts[right]
    mean = risk * grown.value[:, :, 0].sum(axis=1)[:, None] if risk else grown.value[:, output]
    spread = (mean * (1 - mean)).sum(axis=1) if is_classifier(tree) else grown.impurity
    columns = left, right, feature, threshold, getattr(grown, "missing_go_to_left", np.zeros(len(left))), recorded
    fitted = tree_of(columns, mean if known or mean.shape[1] == 1 else None, weight)
    rows, moments = grown.n_node_samples if whole else None, Moments(weight, mean, spread) if known else None
    return fitted._replace(grown=moments, rows=rows)
