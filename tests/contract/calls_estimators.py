"""How to call the estimators: fits by their data and by their parameters, and what fitted ones are asked."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from contract.arguments import Role, choice, few_odd, given, integer, lazy, number, observations, thing, truth, vector
from contract.entries import Entry
from contract.inputs import EITHER, Case
from splitcrit import estimators, impurities, losses, multiway
from splitcrit.distributed import DaskTreeClassifier
from splitcrit.estimators import (
    AdaptiveForestClassifier,
    AdaptiveTreeClassifier,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
)
from splitcrit.multiway import MultiwayTreeClassifier

N = 24
ROWS = np.random.default_rng(5).integers(-20, 20, (N, 2))
CLASSES = (ROWS[:, 0] + ROWS[:, 1] > 0).astype(int) + (ROWS[:, 0] > 10)
REAL = ROWS @ [2, 1]
NEW = ROWS[::3] + 1
MISSING = {
    "nan": "either",
    "nan_in_float16": "either",
    "none_in_objects": "either",
    "none_in_a_list": "either",
    "na_in_objects": "either",
    "na_in_a_list": "either",
    "nat_in_objects": "either",
    "masked_with_a_hole": "either",
    "nullable_with_a_hole": "either",
}
READ = (
    "number_as_text_in_objects",
    "number_as_text_in_a_list",
    "bytes_in_objects",
    "all_text",
    "all_bytes",
    "dates",
    "spans_of_time",
    "records",
    "dict",
)
FEATURES = vector(lambda rng: ROWS.copy(), odd=few_odd, **MISSING | dict.fromkeys(READ, "either"))
WEIGHTS = vector(
    lambda rng: rng.integers(1, 5, N),
    negative=True,
    odd=few_odd,
    none="either",
    number_as_text_in_objects="either",
    number_as_text_in_a_list="either",
    bytes_in_objects="either",
    all_text="either",
    all_bytes="either",
    dict="either",
    dates="either",
    spans_of_time="either",
    set="either",
)

CRITERION = thing(impurities.gini, losses.square, text="refuse")
LIMIT = integer(3)
PARAMETERS: dict[str, Role] = {
    "n_estimators": integer(2),
    "criterion": CRITERION,
    "max_depth": LIMIT,
    "min_samples_split": integer(4),
    "min_samples_leaf": integer(2),
    "min_weight_fraction_leaf": number(0.125, fraction="either"),
    "max_features": integer(1),
    "max_leaf_nodes": integer(4),
    "bootstrap": truth(),
    "oob_score": truth(False, function="either", type="either"),
    "n_jobs": integer(1),
    "random_state": integer(3),
    "verbose": integer(0),
    "warm_start": truth(False),
    "ccp_alpha": number(0.125, fraction="either"),
    "max_samples": number(
        0.5, fraction="either", float16="either", float32="either", longdouble="either", bigminus_endian="either"
    ),
    "min_gain": number(0.125, fraction="either"),
    "min_impurity_decrease": number(0.125, fraction="either"),
    "max_pvalue": number(0.25, fraction="either"),
    "look_ahead": integer(2),
    "n_splits": integer(3),
    "min_difference": number(0.25, fraction="either"),
    "splitter": choice("best", "random"),
    "class_weight": choice("balanced", dict="either", empty_list="either", list="either", two_numbers="either"),
    "monotonic_cst": given(None),
    "categorical_features": vector(
        lambda rng: np.array([1]),
        odd=few_odd,
        float16="either",
        float32="either",
        float64="either",
        longdouble="either",
        fractions="either",
        **{">f4": "either", ">f8": "either"},
    ).free(),
    "max_exact_categories": integer(5),
    "family": thing(impurities.ne),
    "grid": vector(lambda rng: np.array([4, 8]) / 16, odd=few_odd, memory_view="either", set="either"),
    "validation_fraction": number(0.25, fraction="either"),
    "stratify": truth(),
    "refit": truth(),
    "voting": choice("soft", "hard"),
    "max_bins": integer(20),
    "minnum": integer(2),
    "d_num": integer(5),
    "count_values": choice("node", "root"),
    "linkage": choice("single", "complete", "average"),
    "clustering": choice("node", "root"),
    "max_clusters": integer(3),
    "gaps": choice("nearest", "parent"),
    "unseen": choice("nearest", "parent"),
    "ties": choice("first", "parent"),
}
JOBS = (
    "10**5",
    "2**31",
    "negative",
    "minus one",
    "two",
    "zero",
    "False",
    "10**30",
    "2**63",
    "2**64",
)  # of workers: the machine's affair
SIZES = {
    "oob_score": ("function", "type"),
    "random_state": ("None",),
    "max_samples": ("10**400", "2**62", "huge", "largest float", "truth value"),
    "n_estimators": ("10**5", "2**31", "2**63", "2**64", "10**30"),
    "n_jobs": JOBS,
    "verbose": ("one", "two", "truth value", "uint8", "uint64"),
}


def quiet(name: str, role: Role) -> Role:
    """A role without the kinds that ask for much work, for workers or for text on the terminal."""

    def about(base: Any, rng: np.random.Generator) -> Iterator[Case]:
        for case in role.about(base, rng):
            if case.kind not in SIZES.get(name, ()) and not (name == "verbose" and case.expect == EITHER):
                yield case

    return replace(role, about=about)


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
    for name in ("X", "y", "sample_weight"):
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
ENTRIES = {
    "estimators.TreeClassifier": fitted(TreeClassifier, CLASSES, random_state=0),
    "estimators.TreeRegressor": fitted(TreeRegressor, REAL, random_state=0),
    "estimators.ForestClassifier": fitted(ForestClassifier, CLASSES, **TWO),
    "estimators.ForestRegressor": fitted(ForestRegressor, REAL, **TWO),
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
    "multiway.MultiwayTreeClassifier.to_graphviz": asked(MultiwayTreeClassifier, "to_graphviz", digits=integer(2)),
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
        lambda X: vars(TreeClassifier(categorical_features=[0]).fit(np.asarray(X) % 3, CLASSES).splits_[0]),
        {"X": vector(lambda rng: ROWS % 3 + [[0, 3]]).trusted()},
        estimator=True,
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
    "multiway.Rules": Entry(
        lambda **options: (
            multiway.grow_multiway(
                ROWS.astype(float), CLASSES, 3, estimators.NAMES["sgini"], multiway.Rules(**options)
            ).size
        ),
        {
            "minnum": LIMIT.trusted(),
            "d_num": LIMIT.trusted(),
            "max_depth": LIMIT.trusted(),
            "max_clusters": LIMIT.trusted(),
            "min_gain": number().trusted(),
            "max_pvalue": number().trusted(),
        },
    ),
    "multiway.grow_multiway": Entry(
        lambda x: multiway.grow_multiway(np.array(x, dtype=float), CLASSES, 3, estimators.NAMES["sgini"]).size,
        {"x": FEATURES.trusted()},
        rounds=2,
    ),
    "distributed.DaskTreeClassifier": replace(
        in_parts(fitted(DaskTreeClassifier, CLASSES, random_state=0)), warm=False, every=12
    ),
}
