"""How to call the estimators: fits by their data and by their parameters, and what fitted ones are asked."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from contract.arguments import choice, integer, lazy, number, thing
from contract.entries import Entry
from contract.parameters import (
    CLASSES,
    CRITERION,
    FEATURES,
    LIMIT,
    NEW,
    PARAMETERS,
    READ,
    REAL,
    ROWS,
    WEIGHTS,
    N,
    quiet,
)
from contract.roles import Role, few_odd, observations, vector
from splitcrit import estimators, impurities, multiway
from splitcrit.distributed import DaskForestClassifier, DaskTreeClassifier, DaskTreeRegressor
from splitcrit.estimators import (
    AdaptiveForestClassifier,
    AdaptiveTreeClassifier,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
)
from splitcrit.multiway import MultiwayTreeClassifier


def fitted(kind: type, response: np.ndarray, *, host: bool = True, **defaults: Any) -> Entry:
    """An estimator: fitted, and read by what it predicts for new rows."""
    signature = inspect.signature(kind).parameters

    def function(X: Any = None, y: Any = None, sample_weight: Any = None, **parameters: Any) -> Any:
        estimator = kind(**defaults | parameters)
        more = () if sample_weight is None else (sample_weight,)
        found = estimator.fit(X, y, *more)
        return found.predict_proba(NEW) if hasattr(found, "predict_proba") else found.predict(NEW)

    label = (
        observations(N, fractions="either").free()
        if response is not REAL
        else vector(lambda rng: REAL.copy(), odd=few_odd, **dict.fromkeys(READ, "either"))
    )
    roles = {"X": FEATURES, "y": replace(label, plain=lambda rng: response.copy())}
    unvaried = set(signature) - set(PARAMETERS)
    if "sample_weight" in inspect.signature(kind.fit).parameters:
        roles["sample_weight"] = WEIGHTS
    else:
        unvaried.add("sample_weight")
    roles |= {name: quiet(name, PARAMETERS[name]) for name in signature if name in PARAMETERS}
    return Entry(
        function,
        roles,
        ("X", "y"),
        estimator=True,
        warm=True,
        rounds=1,
        tolerance=1e-7,
        every=3,
        unvaried=tuple(unvaried),
    )


def of_names(entry: Entry, *names: str) -> Entry:
    """The same with a criterion that is a name."""
    return replace(entry, roles=entry.roles | {"criterion": choice(*(names or ("squared_error", "absolute_error")))})


def in_parts(entry: Entry) -> Entry:
    """The same with features, labels and weights that numpy reads in arrays of Dask."""

    def lazily(value: Any) -> Any:
        import dask.array

        try:
            found = np.asarray(value)
        except ValueError:
            return value
        plain = found.ndim and found.dtype != object and not np.ma.isMaskedArray(value)
        return dask.array.from_array(found, chunks=(12, *found.shape[1:])) if plain else value

    def function(**given: Any) -> Any:
        whole = {name: lazily(value) if name in ("X", "y", "sample_weight") else value for name, value in given.items()}
        return entry.function(**whole)

    roles = {name: role.free() if name in ("X", "y") else role for name, role in entry.roles.items()}
    lists = ("objects", "Fractions", "list", "tuple", "nullable without holes", "masked without holes", "polars")
    for name in {"X", "y", "sample_weight"} & set(roles):
        roles[name] = without(roles[name], lists)
    return replace(entry, function=function, roles=roles)


def without(role: Role, kinds: tuple[str, ...]) -> Role:
    """A role without some kinds."""
    return replace(role, about=lambda base, rng: (case for case in role.about(base, rng) if case.kind not in kinds))


@cache
def known(kind: type, *parameters: tuple[str, Any]) -> Any:
    """A fitted estimator, made when it is first asked."""
    return kind(**dict(parameters)).fit(ROWS, REAL if kind is TreeRegressor else CLASSES)


def drawable() -> Any:
    """Axes that can be drawn on."""
    return FigureCanvasAgg(Figure()).figure.add_subplot()


def asked(kind: type, method: str, *parameters: tuple[str, Any], **roles: Role) -> Entry:
    """A method of a fitted estimator, by the rows it is asked about or other roles."""
    return Entry(
        lambda **given: getattr(known(kind, *parameters), method)(**given),
        roles or {"X": FEATURES},
        estimator=True,
        rounds=1,
        warm=not roles,
        needed=() if roles else ("X",),
    )


TWO = {"n_estimators": 2, "random_state": 0}


def in_sklearn(criterion: Any) -> str:
    """What a criterion is in scikit-learn's own trees, its own name where the project for them is not installed."""
    try:
        return repr(estimators.sklearn_criterion(criterion))
    except ModuleNotFoundError:
        return repr(criterion)


ENTRIES = {
    "estimators.sklearn_criterion": Entry(in_sklearn, {"criterion": CRITERION.free()}, estimator=True, rounds=1),
    "estimators.TreeClassifier": fitted(TreeClassifier, CLASSES, random_state=0),
    "estimators.TreeRegressor": of_names(fitted(TreeRegressor, REAL, random_state=0)),
    "estimators.ForestClassifier": fitted(ForestClassifier, CLASSES, **TWO),
    "estimators.ForestRegressor": of_names(fitted(ForestRegressor, REAL, **TWO)),
    "estimators.AdaptiveTreeClassifier": fitted(AdaptiveTreeClassifier, CLASSES, random_state=0, grid=(0.0, 0.5)),
    "estimators.AdaptiveForestClassifier": fitted(AdaptiveForestClassifier, CLASSES, grid=(0.0, 0.5), **TWO),
    "multiway.MultiwayTreeClassifier": fitted(MultiwayTreeClassifier, CLASSES),
    "estimators.TreeClassifier.predict": asked(TreeClassifier, "predict"),
    "estimators.TreeClassifier.apply": asked(TreeClassifier, "apply"),
    "estimators.TreeRegressor.predict": asked(TreeRegressor, "predict"),
    "estimators.ForestClassifier.predict_proba": asked(ForestClassifier, "predict_proba", *TWO.items()),
    "multiway.MultiwayTreeClassifier.apply": asked(MultiwayTreeClassifier, "apply"),
    "multiway.MultiwayTreeClassifier.truncated": Entry(
        lambda minnum: known(MultiwayTreeClassifier).truncated(minnum).predict(NEW),
        {"minnum": integer(3)},
        estimator=True,
        rounds=1,
    ),
    "multiway.MultiwayTreeClassifier.to_text": asked(
        MultiwayTreeClassifier, "to_text", digits=integer(2), max_depth=integer(2, none="either")
    ),
    "estimators.export_text": Entry(
        lambda **given: estimators.export_text(**{"fitted": known(TreeClassifier)} | given),
        {
            "fitted": lazy(lambda: known(TreeClassifier), impurities.gini),
            "feature_names": choice(["a", "b"], ("a", "b")).free(),
        },
        rounds=1,
        estimator=True,
    ),
    "estimators.export_graphviz": Entry(
        lambda **given: estimators.export_graphviz(**{"fitted": known(TreeClassifier)} | given),
        {
            "fitted": lazy(lambda: known(TreeClassifier), impurities.gini),
            "feature_names": choice(["a", "b"], ("a", "b")).free(),
        },
        rounds=1,
        estimator=True,
    ),
    "estimators.plot_tree": Entry(
        lambda **given: len(estimators.plot_tree(**{"fitted": known(TreeClassifier), "ax": drawable()} | given)),
        {
            "fitted": lazy(lambda: known(TreeClassifier), impurities.gini),
            "feature_names": choice(["a", "b"], ("a", "b")).free(),
        },
        rounds=1,
        estimator=True,
        every=2,
    ),
    "estimators.NAMES": Entry(
        lambda name: TreeClassifier(criterion=name).fit(ROWS, CLASSES).predict(NEW),
        {"name": choice(*estimators.NAMES)},
        estimator=True,
        rounds=1,
    ),
    "estimators.CategorySplit": Entry(
        lambda X: [
            vars(x) | {"name": ""} for x in TreeClassifier(categorical_features=[0]).fit(X, CLASSES).splits_.values()
        ],
        {"X": replace(FEATURES, plain=lambda rng: ROWS % 3 + [[0, 3]]).free()},
        estimator=True,
        tolerance=1e-7,
    ),
    "estimators.ValidationCurve": Entry(
        lambda grid: vars(AdaptiveTreeClassifier(grid=grid, random_state=0).fit(ROWS, CLASSES).validation_curve_),
        {"grid": PARAMETERS["grid"]},
        estimator=True,
        rounds=1,
    ),
    "multiway.MultiwayTree": Entry(
        lambda minnum: known(MultiwayTreeClassifier).truncated(minnum).tree_.children(0),
        {"minnum": integer(3)},
        estimator=True,
        rounds=1,
    ),
    "multiway.MultiwayRules": Entry(
        lambda **options: (
            multiway.grow_multiway(
                ROWS.astype(float), CLASSES, 3, estimators.NAMES["sgini"], multiway.MultiwayRules(**options)
            ).size
        ),
        {
            "minnum": LIMIT,
            "d_num": LIMIT,
            "max_depth": LIMIT,
            "max_clusters": LIMIT,
            "min_gain": number(),
        },
    ),
    "multiway.grow_multiway": Entry(
        lambda **options: (
            multiway.grow_multiway(
                **{"x": ROWS, "codes": CLASSES, "classes": 3, "criterion": estimators.NAMES["sgini"]} | options
            ).size
        ),
        {
            "x": FEATURES,
            "codes": observations(N).free(),
            "classes": integer(3),
            "criterion": CRITERION,
            "rules": thing(multiway.MultiwayRules(minnum=3), impurities.gini),
            "categorical": PARAMETERS["categorical_features"],
        },
        rounds=2,
    ),
    "distributed.DaskTreeClassifier": replace(
        in_parts(fitted(DaskTreeClassifier, CLASSES, random_state=0)), warm=False, every=12
    ),
    "distributed.DaskTreeRegressor": replace(
        in_parts(of_names(fitted(DaskTreeRegressor, REAL, random_state=0), "squared_error")), warm=False, every=12
    ),
    "distributed.DaskForestClassifier": replace(
        in_parts(fitted(DaskForestClassifier, CLASSES, n_estimators=2, random_state=0)), warm=False, every=20
    ),
}
