"""What a fitted model is, of whatever library; none of the other libraries is imported.

Main definitions: ``read_model``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from splitcrit.frozen import complaint
from splitcrit.inference.catboost_models import catboost_model
from splitcrit.inference.lightgbm_models import lightgbm_model
from splitcrit.inference.models import FittedModel, readable, with_classes
from splitcrit.inference.sklearn_models import (
    BAGGED,
    BINNED,
    REWEIGHTED,
    binned_model,
    ensemble_model,
    pipeline_model,
    sklearn_model,
)
from splitcrit.inference.xgboost_models import xgboost_model

RULE = "an audit is of binary trees by scikit-learn, XGBoost, LightGBM, CatBoost or splitcrit"
FILE = "a model's file is JSON of XGBoost or CatBoost, or LightGBM's text"
SAVE = "save it by save_model, as JSON or text"


def read_model(model: Any) -> FittedModel:
    """Return the trees of a fitted model.

    Parameters
    ----------
    model
        A tree, a forest, a boosted or bagged ensemble of trees of scikit-learn, or one of this library; a booster of
        XGBoost, LightGBM or CatBoost, or their estimator; a pipeline whose last step is one of these; the path of a
        file of XGBoost, LightGBM or CatBoost, or what their JSON holds.

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
    if found := homes & {"xgboost", "lightgbm", "catboost", "_catboost"}:
        return _published(model, found.pop().strip("_"))
    if isinstance(model, Pipeline):
        if not model.steps or not hasattr(model.steps[-1][1], "fit"):
            raise TypeError(complaint(RULE, "a Pipeline whose last step is none", "pass one of these, fitted"))
        return pipeline_model(model, read_model)
    meta = isinstance(model, BAGGED + BINNED + REWEIGHTED)
    applies = not isinstance(model, type) and hasattr(model, "apply")
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
        raise ValueError(complaint("an audited model is fitted", f"a new {type(model).__name__}", "fit it")) from None


def _of_file(path: Path) -> FittedModel:
    """Return the model in a file, of which nothing is run."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        got = f"{str(path)!r:.80}: {getattr(error, 'strerror', None) or error}"
        raise ValueError(complaint("a model, or a file that holds one, is audited", got, "pass a path")) from None
    with readable(FILE, SAVE):
        return lightgbm_model(data.decode()) if data.startswith(b"tree\n") else _of_json(json.loads(data))


def _of_json(held: Any) -> FittedModel:
    if isinstance(held, Mapping) and "learner" in held:
        return xgboost_model(held)
    if isinstance(held, Mapping) and "features_info" in held:
        return catboost_model(held)
    raise ValueError(complaint(FILE, f"a {type(held).__name__} without 'learner' and 'features_info'", SAVE))


def _published(model: Any, home: str) -> FittedModel:
    """Return a model of another library through the text that the library writes of it."""
    booster, missing = model, getattr(model, "missing", None)
    if missing is not None and missing == missing:
        remedy = "fit it with missing=nan, on features with nan in their place"
        raise ValueError(complaint("a missing value of an audited model is nan", f"missing={missing!r}", remedy))
    if home == "catboost" and hasattr(model, "is_fitted") and not isinstance(model, type):
        return _of_catboost(model)
    estimator = hasattr(type(model), {"xgboost": "get_booster", "lightgbm": "booster_"}.get(home, ""))
    if estimator:
        _fitted(model)
        booster = model.get_booster() if home == "xgboost" else model.booster_
    if home == "xgboost" and hasattr(booster, "save_raw"):
        found = xgboost_model(bytes(booster.save_raw("json")), best=estimator)
    elif home == "lightgbm" and hasattr(booster, "model_to_string"):
        found = lightgbm_model(booster.model_to_string())
    else:
        raise TypeError(complaint(RULE, type(model).__name__, "pass a booster or an estimator"))
    return with_classes(found, getattr(model, "classes_", None))


def _of_catboost(model: Any) -> FittedModel:
    if not model.is_fitted():
        raise ValueError(complaint("an audited model is fitted", f"a new {type(model).__name__}", "fit it"))
    with tempfile.TemporaryDirectory() as folder:
        model.save_model(str(Path(folder) / "model.json"), format="json")
        return catboost_model((Path(folder) / "model.json").read_bytes())
