"""What a fitted model is, of whatever library; none of the other libraries is imported.

Main definitions: ``read_model``.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from splitcrit.inference.lightgbm_models import lightgbm_model
from splitcrit.inference.models import FittedModel, with_classes
from splitcrit.inference.sklearn_models import sklearn_model
from splitcrit.inference.xgboost_models import xgboost_model
from splitcrit.values import complaint

RULE = "an audit is of binary trees by scikit-learn, XGBoost, LightGBM or splitcrit"


def read_model(model: Any) -> FittedModel:
    """Return the trees of a fitted model.

    Parameters
    ----------
    model
        A tree, a forest or a boosted ensemble of scikit-learn, or one of this library; a booster of XGBoost or
        LightGBM, or their estimator.

    Raises
    ------
    TypeError
        If it is none of these.
    ValueError
        If it is not fitted.
    """
    if isinstance(model, FittedModel):
        return model
    home = type(model).__module__.partition(".")[0]
    if home in ("xgboost", "lightgbm"):
        return _published(model, home)
    if isinstance(model, type) or not hasattr(model, "apply") or not (is_classifier(model) or is_regressor(model)):
        raise TypeError(complaint(RULE, type(model).__name__, "pass one of these, fitted"))
    _fitted(model)
    trees = getattr(model, "estimators_", [model])
    if not all(hasattr(getattr(tree, "tree_", None), "children_left") for tree in getattr(trees, "flat", trees)):
        raise TypeError(complaint(RULE, type(model).__name__, "pass one whose trees have tree_"))
    return sklearn_model(model)


def _fitted(model: Any) -> None:
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):
        raise ValueError(complaint("an audited model is fitted", f"a new {type(model).__name__}", "fit it")) from None


def _published(model: Any, home: str) -> FittedModel:
    """Return a model of another library through the text that the library writes of it."""
    name = "get_booster" if home == "xgboost" else "booster_"
    booster, missing = model, getattr(model, "missing", None)
    if missing is not None and missing == missing:
        remedy = "fit it with missing=nan, on features with nan in their place"
        raise ValueError(complaint("a missing value of an audited model is nan", f"missing={missing!r}", remedy))
    if hasattr(type(model), name):
        _fitted(model)
        booster = model.get_booster() if home == "xgboost" else model.booster_
    if home == "xgboost" and hasattr(booster, "save_raw"):
        found = xgboost_model(bytes(booster.save_raw("json")))
    elif home == "lightgbm" and hasattr(booster, "model_to_string"):
        found = lightgbm_model(booster.model_to_string())
    else:
        raise TypeError(complaint(RULE, type(model).__name__, "pass a booster or an estimator"))
    return with_classes(found, getattr(model, "classes_", None))
