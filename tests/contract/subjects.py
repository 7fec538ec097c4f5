"""What the contract is about: every public name, how it is called with keywords, and how its results are read.

Main definitions: ``public``, ``read``; ``fitted`` and ``drawn`` call estimators and pictures.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any

import matplotlib
import numpy as np

import splitcrit
from splitcrit import losses, nulls
from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss, ResponseLoss
from splitcrit.noise import Channel

matplotlib.use("Agg")
N = 24
ROWS = np.random.default_rng(5).integers(-20, 20, (N, 2))
CLASSES = (ROWS[:, 0] + ROWS[:, 1] > 0).astype(int) + (ROWS[:, 0] > 10)
REAL = ROWS @ [2, 1]
NEW = ROWS[::3] + 1
COUNTS, CLASS = [[7, 2], [3, 9]], np.array([5, 3, 2])


@cache
def public() -> dict[str, Any]:
    """Every name of an ``__all__``, or defined without underscore in a public module without one, and what it is."""
    found: dict[str, Any] = {}
    for info in pkgutil.walk_packages(splitcrit.__path__, "splitcrit.", lambda name: None):
        home = info.name.partition(".")[2]
        if home.endswith("__main__"):
            continue
        module = import_module(info.name)
        names = getattr(module, "__all__", None)
        if names is None and home in splitcrit._SUBPACKAGES:
            kinds = {name: getattr(value, "__module__", "") for name, value in vars(module).items()}
            names = [name for name, kind in kinds.items() if kind == info.name and not name.startswith("_")]
        found |= {f"{home}.{name}": getattr(module, name) for name in names or ()}
    return found


def read(found: Any) -> Any:
    """What of a result is compared: of a function its value somewhere, of an estimator what it predicts."""
    if isinstance(found, Criterion):
        return float(found(COUNTS))
    if isinstance(found, Impurity):
        return float(found(CLASS))
    if isinstance(found, Channel):
        return found.matrix(2)
    if isinstance(found, ResponseLoss):
        return float(found.at(0.25, 2.0, FLOAT))
    if isinstance(found, Loss):
        return found.space, float(_risk(found))
    if isinstance(found, nulls.BestSplitLaw):
        return found.mean, float(found.pvalue(2.0))
    if inspect.isfunction(found) or isinstance(found, losses.exponential_cdf):
        return float(found(0.5, FLOAT))
    if hasattr(found, "get_xydata") or hasattr(found, "get_lines"):
        return _picture(found)
    if hasattr(found, "settle"):
        return str(found.settle().status)
    if hasattr(found, "fit"):
        found = found if hasattr(found, "n_features_in_") else found.fit(ROWS, CLASSES)
        asked = next(name for name in ("predict_proba", "predict", "transform") if hasattr(found, name))
        answer = getattr(found, asked)(ROWS if asked == "transform" else NEW)
        return answer.toarray() if hasattr(answer, "toarray") else np.asarray(answer)
    return found


def _risk(loss: Loss) -> Any:
    if loss.act is None:
        return loss.at(0.5 if loss.space == "line" else (0.25, 0.75), 1, FLOAT)
    p = np.arange(1.0, 1 + len(getattr(loss.act, "values", (0, 1))))
    return losses.risk(loss, loss.act(p / p.sum(), FLOAT), p / p.sum(), FLOAT)


def _picture(ax: Any) -> Any:
    lines = [np.asarray(line.get_xydata(), dtype=float) for line in ax.lines]
    words = sorted(text.get_text() for text in ax.texts)
    return [line[np.isfinite(line).all(axis=1)] for line in lines], words, len(ax.patches), len(ax.collections)


def drawn(function: Callable[..., Any]) -> Callable[..., Any]:
    """A picture on axes of its own."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    @wraps(function)
    def called(**given: Any) -> Any:
        return function(ax=FigureCanvasAgg(Figure()).figure.add_subplot(), **given)

    return called


def fitted(kind: Callable[..., Any], fit: Any) -> Callable[..., Any]:
    """An estimator as a function of its data and parameters, which are those of both signatures."""

    def called(X: Any = ROWS, y: Any = CLASSES, sample_weight: Any = None, **given: Any) -> Any:
        model = kind(**given)
        before = dict(vars(model))
        try:
            return model.fit(X, y, *(() if sample_weight is None else (sample_weight,)))
        except Exception:
            assert vars(model) == before, "a fit that fails leaves the estimator as it was"
            raise

    data = [p for name, p in inspect.signature(fit).parameters.items() if name in ("X", "y", "sample_weight")]
    parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in inspect.signature(kind).parameters.values()]
    called.__signature__ = inspect.Signature([p.replace(kind=p.KEYWORD_ONLY) for p in data] + parameters)  # type: ignore
    called.__module__ = kind.__module__
    return called


WHOLE = ("objects", "Fractions", "list", "tuple", "nullable without holes", "masked without holes", "polars")


def in_parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same with features, labels and weights that numpy reads in arrays of Dask."""

    def lazily(value: Any) -> Any:
        import dask.array

        try:
            found = np.asarray(value)
        except ValueError:
            return value
        plain = found.ndim and found.dtype != object and not np.ma.isMaskedArray(value)
        return dask.array.from_array(found, chunks=(12, *found.shape[1:])) if plain else value

    @wraps(function)
    def called(**given: Any) -> Any:
        data = {name: lazily(value) for name, value in given.items() if name in ("X", "y", "sample_weight")}
        return function(**given | data)

    return called
