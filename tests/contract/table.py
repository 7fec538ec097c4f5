"""The table of the contract: what makes arguments, by the name of a parameter; more only where a name is not enough.

`ROLES` is asked in this order: ``module.function.parameter``, ``function.parameter``, ``Regressor.parameter`` of any
class of that kind, ``module.parameter``, ``parameter``; then the annotation and the default say it. ``/`` sets a second
role of one parameter apart. `CALLS` are names that are called in another way than with their own parameters, `METHODS`
are those of examples, `OPTIONS` what is allowed of answers, `APART` what is not called here, and why.

What the contract is about comes first: every public name, how it is called with keywords, and how its results are read.
"""

from __future__ import annotations

import contextlib
import inspect
import io
from collections.abc import Callable
from functools import cache, partial, wraps
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import growing
import layers
import splitcrit
from contract import roles
from contract.inputs import ANSWER
from contract.roles import choice, counts, formula, given, integer, lazy, number, observations, rng, size, thing, vector
from splitcrit import columns, criteria, impurities, inference, losses, nulls, proof, trees
from splitcrit.arith import FLOAT
from splitcrit.columns import MEASURES
from splitcrit.criteria import Criterion
from splitcrit.criteria.facts import Facts
from splitcrit.data.formats import FileOptions
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss, ResponseLoss
from splitcrit.noise import Channel, symmetric
from splitcrit.proof import Exhaustive, Identity, NearMiss, Not, Smt, Theorem
from splitcrit.table import Table, Tables

N = 24
ROWS = np.random.default_rng(5).integers(0, 40, (N, 2))
CLASSES = (ROWS[:, 0] + ROWS[:, 1] > 40).astype(int) + (ROWS[:, 0] > 30)
REAL = ROWS @ [2, 1] - 60
NEW = ROWS[::3] + 1
COUNTS, CLASS = [[7, 2], [3, 9]], np.array([5, 3, 2])


@cache
def public() -> dict[str, Any]:
    """Every name of an ``__all__`` inside the package, and what it is."""
    listing = [path.with_suffix("") for path, text in layers.sources().items() if "\n__all__ = " in text]
    homes = [".".join(path.parts).removesuffix(".__init__") for path in listing]
    modules = {home: import_module(f"splitcrit.{home}") for home in homes}
    return {f"{home}.{name}": getattr(module, name) for home, module in modules.items() for name in module.__all__}


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
    from matplotlib.figure import Figure

    @wraps(function)
    def called(**given: Any) -> Any:
        return function(ax=Figure().add_subplot(), **given)

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


APART = {
    # no data to answer about: numbers, protocols, errors, declarations; and a record that what is called makes
    "ManyLevelsWarning", "header", "vectors", "Search", "by_sums", "Claim", "Certificate", "ValidationCurve",
    # takes rows one by one; tests/inference/test_streams.py has late classes, gaps and rows that are refused
    "AnytimeTreeClassifier",
    # needs the project in bindings/sklearn; tests/trees/estimators/test_peer_criterion.py has what it refuses
    "sklearn_criterion",
    # takes functions, terms and extents of a proof; tests/proof plants lies
    "Each", "NearMiss", "Not", "Theorem", "only", "properties", "same",
    # strategies and checks of a user's tests; tests/test_testing.py plants slips and bad arguments
    "channels", "check_criterion", "check_impurity", "check_tree", "class_counts", "margins", "probability_vectors",
    "tables", "tied_features",
}  # fmt: skip
UNVARIED = {  # parameters that have no odd values: axes, words that are only shown, functions called with progress
    "ax", "watch", "resume", "title", "check_input", "monotonic_cst", "flips", "sizes", "options", "parameters",
}  # fmt: skip
RATIONAL = ("gini", "misclassification", "bayes_sum")  # of Fractions others would leave the rationals


def apart(name: str) -> bool:
    """Whether a public name is not called here."""
    return name.startswith("proofs.") or name.rpartition(".")[2] in APART


# Examples.

FEATURE, LABEL, HALVES = np.arange(12) % 3, np.arange(12) // 2 % 2, np.arange(12) > 5
CURVE = trees.ValidationCurve((0.0, 0.5, 1.0), (0.5, 0.75, 0.5), (3.0, 4.0, 5.0))
THREE = {"first": np.array([[8, 1, 2], [2, 9, 1]]), "second": np.array([[5, 1, 2], [5, 9, 1]])}
RIGHT = Exhaustive(lambda: range(3), lambda x: x >= 0)
MISSES = (NearMiss("positive", WRONG := Exhaustive(lambda: range(3), lambda x: x > 0)), NearMiss("too", WRONG))
SIMPLE = Theorem("area.is", "It is.", "here, eq. (1)", RIGHT, MISSES)


@cache
def grown(kind: Any = trees.TreeClassifier, **options: Any) -> Any:
    """A fitted estimator, made when it is first asked."""
    options |= {"n_estimators": 2} if "Forest" in kind.__name__ else {}
    return kind(**options).fit(ROWS, REAL if "Regressor" in kind.__name__ else CLASSES)


@cache
def boosted() -> Any:
    """A model of LightGBM that splits by categories."""
    import lightgbm

    options = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 1, "min_data_per_group": 1}
    return lightgbm.train(options, lightgbm.Dataset(ROWS % 3, REAL, categorical_feature=[0]), 1)


@cache
def subtree() -> Any:
    """The significant part of a tree of two levels."""
    return inference.significant_subtree(grown(max_depth=2), NEW, CLASSES[::3])


@cache
def report() -> Any:
    return splitcrit.audit(grown(RandomForestClassifier, random_state=0), ROWS, CLASSES)


TIMES = np.column_stack([0.25 + np.arange(N) % 4, (np.arange(N) % 3 > 0) | (np.arange(N) % 4 < 1)])
OF_TIMES = RandomForestRegressor(3, random_state=0).fit(ROWS, columns.log_rank(TIMES))


def _first_cell(score: Any, table: Any) -> Any:
    return table.counts[..., 0, 0] / 100


def _holds(x: Any) -> bool:
    return bool(x >= 0)


def _three() -> range:
    return range(3)


def _half(v: Any, m: Any) -> Any:
    return v.a / 2


def _positive(v: Any, m: Any) -> Any:
    return v.a >= 0


# Roles that several parameters share.

MISSING = (
    "nan", "nan in float16", "None in objects", "None in a list", "NA in objects", "NA in a list", "NaT in objects",
    "NaT of pandas in objects",
    "masked with a hole", "nullable with a hole",
)  # fmt: skip
TEXTS = ("number as text in objects", "number as text in a list", "bytes in objects", "all text", "all bytes")
READ = (*TEXTS, "dates", "spans of time", "records", "dict")
INDICES = ("float16", "float32", "float64", "longdouble", "Fractions", "memory view", ">f4", ">f8")
WORDS = ("text", "number as text", "empty text")

FEATURES = vector(lambda rng: ROWS.copy()).either(*MISSING, *READ, "inf", "-inf", "inf in a list")
LABELS = observations(N).either("Fractions").around(CLASSES).free()
NUMBERS = vector(lambda rng: REAL.copy()).either(*READ)
WEIGHTS = vector(lambda r: r.integers(1, 5, N), True).either(*TEXTS, "dict", "dates", "spans of time", "set")
SEVERAL = vector(lambda rng: rng.integers(1, 9, (3, 2, 2)), True, False).either("empty list", "no entries")
LEAF = vector(lambda rng: rng.permutation(np.array([0, 3]) + rng.integers(1, 4)), True, False)
IMPURITY = thing(impurities.gini, losses.square)
ANY = thing(impurities.gini, losses.square, symmetric(0.2))
PAIRED, PAIRS = np.repeat(ROWS[: N // 2], 2, axis=0), observations(N).either(*MISSING).around(np.arange(N) // 2).free()
TURNED = roles.rows_reversed, roles.classes_reversed
MONTE_CARLO = {"method": "monte_carlo", "rng": 0, "samples": 20}


def each(names: str, role: roles.Role) -> dict[str, roles.Role]:
    """One role of several parameters."""
    return dict.fromkeys(names.split(), role)


ROLES: dict[str, roles.Role] = {
    # tables and their margins
    "table": counts(2, 3).obeys(*TURNED),
    "twoing_superclasses.table": counts(2, 3),
    "MEASURES.table": counts(2, 2, True),
    "scan.table": counts().obeys(roles.classes_reversed),
    **each("null_distribution.table plot_null.table", counts(2, 2, True).obeys(*TURNED)),
    "selected_pvalue.table": counts(4, 2, True).obeys(*TURNED),
    "counts": counts(),
    "leaf_labels.counts": counts(3, 3, True).either("no entries"),
    "leaves": counts(3, 2).obeys(roles.rows_reversed),
    **each("majority_failure.counts proportions", LEAF),
    "first": vector(lambda rng: np.array([[8, 1], [2, 9]]), True),
    "second": vector(lambda rng: np.array([[5, 1], [5, 9]]), True).needed(),
    "label": observations(values=2),
    **each("row_totals value_sizes level_sizes", roles.totals()),
    "column_totals": roles.totals(2), "class_totals": roles.totals(2).needed(),
    "best_cut_law.class_totals": roles.totals().needed(),
    "compiled.rows": roles.totals().obeys(roles.classes_reversed),
    "compiled.columns": roles.totals(2).obeys(roles.classes_reversed),
    "Table.of.data": counts(3, 3).obeys(*TURNED),
    "Table.of.data/feature": observations().given(label=LABEL),
    "Table.of.label": observations(values=2).given(data=FEATURE),
    "Table.of.weights": vector(lambda rng: rng.integers(1, 9, 12), True).given(data=FEATURE, label=LABEL),
    **each("Table.of.row_names Table.of.class_names", vector(lambda rng: np.arange(3)).free()),
    **each("Table.of.feature selected_pvalue.feature", given(None)),
    "other": thing(impurities.gini, losses.square),
    "Table.merged.other": thing(Table.of([[5, 6], [7, 8]]), impurities.gini),
    "Tables.of.data": given(pd.DataFrame({"a": FEATURE, "b": FEATURE // 2, "y": LABEL})),
    **each("Tables.of.features Tables.of.drop", choice(["a"], ("a", "b")).free()),
    "na_values": choice(["a"], ("a", 1)).free(),
    "Tables.of.label": choice("y", "a"), "Tables.of.files": given(FileOptions()),
    "Tables.values": observations().either("text"),
    # distributions, weights, responses
    "pvalues": roles.shares().either("empty list", "no entries").obeys(roles.order_kept),
    **each("optimal_vertex.p/shares vertex_landscape.p/shares", roles.shares()),
    "vertices.p": roles.weights(4),
    **each("landscape.p plot_ternary.node", roles.weights(3, True)),
    "Channel.on_distribution.p": roles.shares(few=True).without(
        "batch of two", "batch of batches", "a pair of vectors", "negative", "a little negative"),
    "impurities.values": vector(lambda rng: np.sort(rng.choice(40, 3, replace=False)), few=False),
    "responses": vector(lambda rng: rng.integers(-20, 20, 24), few=False),
    **each("best_cut_law.responses best_subset_law.responses",
           vector(lambda rng: rng.integers(-20, 20, 24), few=False).given(class_totals=None)),
    **each("losses.p risk.w", roles.shares(3).terms()),
    **each("shares.counts total.items", roles.weights().terms()),
    "shares.n": number(8.0).terms(),
    **each("pairwise.score_pos pairwise.score_neg", number().terms()),
    "arith.x": vector(lambda rng: rng.integers(1, 9, 4), few=False).free(),
    "m": given(FLOAT),
    # numbers
    **each("q lam eta tau_pos tau_neg factor alpha", number()),
    "score": number(1.5),
    **each("best_cut_law.limit best_subset_law.limit", integer(10**5)),
    "expected_excess_gain.grad_sums": given([1.0, 30.0]),
    "expected_excess_gain.hess_sums": given([200.0, 2000.0, 3.0]),
    "expected_excess_gain.rows": given(None),
    "max_samples": number(0.5).either("float16", "float32", "longdouble", "big-endian").without(
        "10**400", "10**5000", "2**62", "huge", "largest float", "truth value"),
    # how much work
    **each("gini_pvalue.samples null_distribution.samples selected_pvalue.samples",
           size(20).given(**MONTE_CARLO).needed()),
    **each("gini_pvalue.rng null_distribution.rng selected_pvalue.rng", rng().given(**MONTE_CARLO).needed()),
    "rng": rng().needed(),
    "order_failure.draws": size(50).given(**THREE, rng=0).needed(),
    "order_failure.rng": rng().given(**THREE, draws=50).needed(),
    **each("bits cells levels most n_permutations nodes points resolution steps", size(20).needed()),
    "draws": size(99).needed(), "plot_null.bins": size(4), "near_ties.classes": integer(4).needed(),
    "selected_tail.n": integer(12),
    "selected_pvalue.bins": integer(2).given(table={"x": FEATURE, "y": LABEL}, label="y", feature="x"),
    "max_intervals": integer().either("list", "two numbers", "vector"),
    "best_cut_law.missing": integer(0),
    # values of the library
    "criterion": ANY,
    "replace.value": thing(nulls.agini, 3),
    "null_moments.criterion": thing(criteria.chi_square, losses.square),
    "impurity": IMPURITY,
    "calibrated.impurity": IMPURITY.either("None"),
    "family": thing(impurities.ne),
    "channel": thing(symmetric(0.25), impurities.gini),
    **each("compose.first compose.second", thing(symmetric(0.25), impurities.gini, 0.2)),
    "loss": thing(losses.square, impurities.gini),
    "Criterion.from_loss.loss/of responses": thing(growing.SQUARED, impurities.gini),
    "tolerance.criterion": IMPURITY.either(*WORDS),
    "facts": thing(Facts((("vertex-optimal split", "all", "holds"),))).either("None", expect=ANSWER),
    "trees.rules": thing(trees.LeafRules(), impurities.gini), "trees.categories": given(()), "trees.draws": given(None),
    "reference_tree.classes": integer(3).needed(),
    "reference_regression.y": vector(lambda rng: rng.integers(0, 9, 14)).free(),
    "reference_regression.impurity": given(impurities.variance),
    "measure": thing(MEASURES["gini"], losses.square).either("None").given(data=ROWS, label=CLASSES),
    # values and functions that make values of the library
    "name": given("mine"), "NAMES.name": choice(*trees.NAMES),
    "Loss.space": choice("simplex", "reals", "bits"),  # the next formula has no value for an action on the line
    "Loss.at": formula(growing.missed), "Loss.act": formula(growing.dearest),
    "ResponseLoss.at": formula(growing.squared), "ResponseLoss.statistics": formula(growing.squares).needed(),
    "ResponseLoss.act": formula(growing.mean).needed(), "ResponseLoss.risk": formula(growing.variance).needed(),
    "Impurity.of": formula(impurities.gini.of),
    "Impurity.search": thing(impurities.gini.search, losses.square),
    "Criterion.score": formula(criteria.twoing.score),
    "Criterion.scale": formula(criteria.twoing.scale),
    "Criterion.search": thing(criteria.twoing.search, losses.square),
    "Criterion.of_table": formula(_first_cell),
    "Criterion.response_loss": thing(growing.SQUARED, impurities.gini),
    "Criterion.remake": formula(nulls.agini.remake),
    **each("Criterion.rows Criterion.classes Criterion.check.rows", integer(2)),
    # noise
    "rows": vector(lambda rng: np.array([[16 - (a := rng.integers(1, 15)), a], [a, 16 - a]]) / 16, True, False),
    "flipped.codes": vector(lambda rng: rng.permutation(np.arange(5) % 3), True),
    "labels": vector(lambda rng: rng.permutation(np.array([0, 1, 1, 1, 0])), True),
    "rates": vector(lambda rng: rng.integers(0, 16, 5) / 16, True),
    "Channel.flip.labels": observations(),
    "Channel.flip.classes": vector(lambda rng: np.arange(3)).given(labels=FEATURE).free(),
    # one node, one column
    "values": vector(lambda rng: np.arange(14.0)).either("nan", "nan in float16", "nullable with a hole"),
    "sgini_scan.values": vector(lambda rng: np.arange(14)).given(codes=np.arange(14) % 3).either(
        "dates", "spans of time", "-inf", "inf"),  # infinite ones in their place in the order are values like others
    "codes": vector(lambda rng: rng.permutation(np.arange(14) % 3), True),
    "trees.x": vector(lambda r: r.integers(-20, 20, (14, 1))).either("nan", "nan in float16", "nullable with a hole"),
    "trees.weights": vector(lambda rng: 1.0 + np.arange(14)),
    "cuts": vector(lambda rng: np.array([3, 5, 8])),
    # many columns
    "X": FEATURES, "y": LABELS, "y_true": LABELS, "y_pred": LABELS,
    "rank_features.data": FEATURES.free().given(label=CLASSES),
    "rank_features.data/tables": SEVERAL.given(label=None),
    "rank_features.label": observations(N).either(*MISSING).around(CLASSES).needed(),
    "clusterings.label": observations(N).either("Fractions"),
    **each("split_test.X selected_score.X SplitSelector.X treatment_test.X", FEATURES.free()),
    "treated": LABELS.around(np.arange(N) // 2 % 2),
    "treatment_test.y": LABELS.around((np.arange(N) % 4 > 0).astype(int)),
    "rank_features.bins": integer().given(measure="sgini"),
    **each("rank_features.categorical rank_features.drop", choice([0], (1,)).free()),
    "feature": vector(lambda rng: rng.permutation(np.arange(24))),
    "sample_weight": WEIGHTS,
    "rank_features.groups": PAIRS.given(data=PAIRED, label=np.arange(N) // 2 % 2),
    **each("split_test.groups selected_score.groups", PAIRS.given(X=PAIRED, y=np.arange(N) // 2 % 2)),
    "groups": PAIRS,
    "audit.training_groups": PAIRS.around(np.arange(N) // 2 + 99).given(groups=np.arange(N) // 2),
    "split_test.follow_up": vector(lambda rng: 9.0 + np.arange(N)).given(y=TIMES, response_scores=columns.log_rank),
    "strata": PAIRS.around(np.arange(N) % 3),
    "categorical_features": vector(lambda rng: np.array([1])).either(*INDICES).free(),
    **each("audit.model optimality_gaps.model",
           lazy(lambda: grown(RandomForestClassifier, random_state=0), impurities.gini)),
    "category_gains.X": given(ROWS % 3), "category_gains.y": given(REAL),
    "category_gains.model": lazy(boosted),
    "tree": lazy(lambda: grown(max_depth=2), impurities.gini),
    "clean": lazy(lambda: grown(max_depth=2), impurities.gini),
    "noisy": lazy(lambda: grown(max_depth=1), impurities.gini),
    "tree_agreement.y": observations(N).around(CLASSES).free(),
    **each("log_rank.y kaplan_meier.y",
           vector(lambda r: np.column_stack([r.integers(1, 9, 12), r.integers(0, 2, 12)])).free()),
    "t": NUMBERS.free(),
    "ordinal.levels": vector(lambda rng: np.arange(5)).free(),
    "response_scores": formula(columns.ranks).either("None"),
    "optimality_gaps.index": integer(0),
    "audit.rows": choice("held-out", "training"),
    "audit.training": thing((ROWS, CLASSES), impurities.gini).either("None"),
    "audit.response_scores": formula(columns.ranks).either("None").given(model=OF_TIMES, y=REAL),
    "audit.follow_up": number(0.5).given(model=OF_TIMES, y=TIMES, response_scores=columns.log_rank),
    # parameters of estimators
    "Regressor.y": NUMBERS, "Regressor.criterion": choice("squared_error", "absolute_error"),
    "DaskTreeRegressor.criterion": choice("squared_error"),
    "DaskTreeRegressor.sample_weight": WEIGHTS.without("the largest floats"),
    "estimator": given(None),
    "random_state": integer().without("None").needed(),
    **each("split_test.random_state SplitSelector.random_state", integer().without("None").free().needed()),
    "treatment_test.random_state": rng().free().needed(),
    "n_estimators": integer(2).without("10**5", "2**31", "2**63", "2**64", "10**30", "10**5000").needed(),
    "n_jobs": integer(1).without(
        "10**5", "2**31", "negative", "minus one", "two", "zero", "False", "10**30", "2**63", "2**64", "10**5000",
        "-10**5000"),  # of workers: the machine's affair
    "verbose": integer(0).without("uint8", "uint64").judged(lambda x: None if x.expect == "either" else x),
    "oob_score": roles.truth().without("function", "type"),
    "max_features": integer(1),
    "class_weight": choice("balanced").either("dict", "empty list", "list", "two numbers"),
    "grid": vector(lambda rng: np.array([4, 8]) / 16).either("memory view", "set").needed(),
    **each("InferenceTreeClassifier.correction InferenceTreeRegressor.correction",
           choice("permutation", "bonferroni", "discrete", "westfall-young", None).given(test="node")),
    **each("InferenceTreeClassifier.max_depth InferenceTreeRegressor.max_depth", integer(2).needed()),
    "shares": choice("halves", "testable", "rows"),
    "permutations": size(400), "repeats": integer(1),
    "noise": choice("uniform", "class_conditional"),
    # reading and drawing what is fitted
    "fitted": lazy(grown, impurities.gini),
    "plot_inference_tree.fitted": lazy(lambda: grown(inference.InferenceTreeClassifier, **FEWER), impurities.gini),
    "feature_names": choice(["a", "b"], ("a", "b")).free(),
    "result": lazy(subtree, impurities.gini), "report": lazy(report, impurities.gini),
    "ranking": lazy(lambda: splitcrit.rank_features({"x": np.arange(12), "word": list("ab") * 6}, HALVES),
                    impurities.gini),
    "selector": lazy(lambda: splitcrit.SplitSelector().fit(np.arange(24).reshape(12, 2) % 7, HALVES), impurities.gini),
    "curve": thing(CURVE, impurities.gini), "curves": thing({"a": CURVE}),
    "average_ranks": thing({"a": 1.25, "b": 2.0, "c": 2.75}),
    "search_loss.rows": thing([{"method": "one", "classes": 3, "categories": c, "loss": 0.25} for c in (2, 4)]),
    "choice_shares.shares": given([SimpleNamespace(condition=2, chooser="gini", share=0.25, standard_error=0.125)]),
    "choices": given([
        SimpleNamespace(criterion="gini", values=r, chosen=0.5, chosen_error=0.1, score=1, score_error=0.1, score_sd=1)
        for r in (2, 3)]),
    **each("condition plot_noise.parameter", choice("number of values").either(*WORDS)),
    **each("criteria impurities", IMPURITY), "plot_losses.losses": thing(losses.hinge, ANY),
    "plot_impurity.splits": counts(2, 2, True).either("empty list", "no entries"),
    "plot_scaling.tables": vector(lambda rng: rng.integers(1, 9, (4, 2, 2)), True),
    "plot_ternary.share": number(0.5).given(node=(3, 4, 5)),
    "plot_ternary.value": IMPURITY,
    "smaller_sides.classes": vector(lambda rng: np.array([2, 3]), True).needed(),
    "plot_null.samples": size(20), "plot_null.rng": rng().given(samples=20),
    # proofs, papers, the command line
    "direction": vector(lambda rng: np.array([1, 1]), True),
    "proof.values": vector(lambda rng: rng.integers(0, 9, 5)).terms(),
    "theorem": thing(True, RIGHT).either("truth value"),
    "Exhaustive.cases": formula(_three).needed(), "Exhaustive.holds": formula(_holds).needed(),
    **each("Identity.left Identity.right", formula(_half)),
    "Smt.conclusion": formula(_positive),
    "hypotheses": formula(_positive),
    "Smt.at": given(None), "Smt.work": given(40_000_000),
    "width": number(), "of": choice("features", "splits"),
    "word": choice(
        "gini", "", "criteria", "--help", "nan", "gini(", "gce(q=nan)", "gce(q=2**9999999)", "__import__('os')", "é",
        "-1", "ne(0.5)", "\x00", "a;b", "decrease(gini)", "decrease(", "1e400", "..", "sgini", "--json", "twoing",
        "x" * 500, "gce(q='a')", "None", "[]", "agini(alpha=nan)", "gce(q=0.5)(1)", "shannon_entropy(base=10)",
        "shannon_entropy(base=1)", "variance((0, 1))", "lambda: 0",
    ).free(),
}  # fmt: skip
FEWER = {"n_permutations": 19, "max_depth": 2, "random_state": 0}


def rule(module: str, function: str, parameter: str) -> str:
    """The first key of `ROLES` that says what a parameter is, empty if none does."""
    kind = "Regressor" if function.endswith("Regressor") else function
    keys = (*(f"{home}.{parameter}" for home in (f"{module}.{function}", function, kind, module)), parameter)
    return next((key for key in keys if key in ROLES), "")


# Names that are called in another way than with their own parameters.


def claims(values: Any) -> Any:
    """The verdicts on claims about a few numbers."""
    cases = Exhaustive(lambda: [int(x) for x in np.asarray(values)], lambda x: x >= 0)
    theorem = Theorem("area.is", "It is.", "here, eq. (1)", cases, MISSES)
    printed = proof.Erratum("one", Not(cases), "two").printed
    made = (proof.All(cases, RIGHT), printed, NearMiss("it", cases).claim, Not(cases))
    return [read(claim) for claim in made], proof.settle(theorem).settled


def framed(values: Any) -> Any:
    """A column of a data frame beside a label."""
    try:
        frame = pd.DataFrame({"a": values, "y": LABEL})
    except (ValueError, TypeError):
        raise TypeError(complaint("a column", "what pandas makes none of", "not the library's affair")) from None
    found = Tables.of(frame, "y")
    return found.tables["a"].counts, vars(found.columns["a"])


def commanded(word: Any) -> Any:
    """The exit status of the command line; what is wrong it says in one sentence."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            found = splitcrit.cli.main(["criteria", str(word)])
        except SystemExit as stopped:
            found = stopped.code
    assert "Traceback" not in said.getvalue()
    return found


CALLS: dict[str, Callable[..., Any]] = {
    "settle": lambda theorem: proof.settle(SIMPLE if theorem is True else theorem).settled,
    "proof.claims": claims,
    "Exhaustive": lambda cases=_three, holds=_holds: Exhaustive(cases, holds),
    "Identity": lambda left=_half, right=_half: Identity({"a": "real"}, left, right),
    "Smt": partial(Smt, {"a": "rate"}),
    "cli.main": commanded,
    "criteria.replace": lambda alpha=0.25, value=nulls.agini: criteria.replace(value, alpha=alpha),
    "NullMoments": lambda row_totals: nulls.NullMoments(
        2.0, (law := nulls.gini_null(row_totals, row_totals, order=3)).variance, law.third),
    "Channel": lambda channel: splitcrit.noise.compose(symmetric(0.25), channel),
    "MEASURES": lambda table: [measure(table) for measure in MEASURES.values()],
    "trees.NAMES": lambda name: trees.TreeClassifier(criterion=name).fit(ROWS, CLASSES),
    "trees.TreeClassifier.splits_": lambda X: [
        vars(x) | {"name": ""} for x in
        trees.TreeClassifier(categorical_features=[0]).fit(X, CLASSES).splits_.values()],
    "trees.AdaptiveTreeClassifier.validation_curve_": lambda grid: vars(
        trees.AdaptiveTreeClassifier(grid=grid, random_state=0).fit(ROWS, CLASSES).validation_curve_),
    "Table": lambda counts: Table(Table.of(counts).counts, ("a", "b"), (0, 1, 2)).T.T,
    "table.Table.views": lambda counts: [
        (x := Table.of(counts)).exact(), x.integers(), x.dropped().counts, x.row_totals, x.column_totals],
    "Tables": framed,
    "inference.InferenceTreeClassifier.verdicts_": lambda alpha: vars(
        inference.InferenceTreeClassifier(**FEWER | {"alpha": alpha}).fit(ROWS, CLASSES).verdicts_[0]),
    "inference.HonestTreeClassifier.stability_": lambda repeats: vars(
        inference.HonestTreeClassifier(repeats=repeats, random_state=0).fit(ROWS, CLASSES).stability_),
    "inference.SurvivalCurve.at": lambda t: inference.kaplan_meier([(1, 1), (2, 0), (3, 1)])(t),
    "audits.AuditReport.columns": lambda of: list(report().columns(of)),
    "vertices.Landscape.within": lambda width: splitcrit.vertex_landscape([5, 3, 2], impurities.gini).within(width),
}  # fmt: skip


EXAMPLES: list[tuple[str, Callable[[], Any], str]] = [  # whose methods are tried; each is made when it is first asked
    ("criteria.Criterion", lambda: Criterion, "from_loss"),
    ("criteria.Criterion", lambda: criteria.twoing, "check"),
    ("criteria.Criterion", lambda: criteria.decrease(impurities.gini), "exact"),
    ("impurities.Impurity", lambda: Impurity, "from_loss"),
    ("losses.ResponseLoss", lambda: growing.SQUARED, "of"),
    ("noise.Channel", lambda: symmetric(0.25), "matrix on_distribution expected random flip"),
    ("table.Table", lambda: Table, "of"),
    ("table.Table", lambda: Table.of([[1, 2], [3, 4]]), "merged"),
    ("table.Tables", lambda: Tables, "of"),
    ("trees.TreeClassifier", grown, "predict apply score"),
    ("trees.TreeRegressor", lambda: grown(trees.TreeRegressor), "predict score"),
    ("trees.ForestClassifier", lambda: grown(trees.ForestClassifier), "predict_proba"),
    ("trees.MultiwayTreeClassifier", lambda: grown(trees.MultiwayTreeClassifier), "apply truncated to_text"),
    ("inference.InferenceTreeClassifier", lambda: grown(inference.InferenceTreeClassifier, **FEWER),
     "predict export_text"),
    ("inference.SignificantSubtree", subtree, "intervals to_text"),
]  # fmt: skip
METHODS = {f"{owner}.{name}": (example, name) for owner, example, names in EXAMPLES for name in names.split()}

# What is allowed of answers, and what of them is compared.


NAN, ESTIMATOR, COSTLY = {"nan": True}, {"estimator": True}, {"every": 20}
OPTIONS: dict[str, dict[str, Any]] = {
    **{key: {"tolerance": 1e-7} for key in ("losses", "impurities", "criteria", "fractional_optimum")},
    "plots": {"every": 4},
    **dict.fromkeys(("reference_tree", "reference_regression", "near_ties"), NAN),
    **dict.fromkeys(("tree_agreement", "optimality_gaps", "NAMES", "TreeClassifier.splits_"), ESTIMATOR),
    **dict.fromkeys(("AdaptiveTreeClassifier.validation_curve_", "InferenceTreeClassifier.verdicts_"), ESTIMATOR),
    **dict.fromkeys(("DaskTreeClassifier", "DaskTreeRegressor", "DaskForestClassifier"), COSTLY),
    "significant_subtree": {**ESTIMATOR, **NAN},
    "audit": {**ESTIMATOR, "read": lambda found: [found.splits.tables, found.splits.gain, found.splits.chance]},
    "selected_pvalue": {"read": lambda found: (float(found.value), found.surprise, found.score)},
    "rank_features": {"read": lambda found: (found.scores, [f.plain()["p"] for f in found.features])},
    "split_test": {
        "read": lambda found: ([found.pvalue, found.rejected], [(f.p, f.adjusted, f.score) for f in found.features])
    },
    "treatment_test": {"read": lambda found: (found.pvalue, [effect[1:] for effect in found.effects])},
    "SplitSelector": NAN,  # which it hands on, as words that stand for nothing
    "Table.of": {"read": lambda table: (sorted(np.ravel(table.counts).tolist()), np.sum(table.total))},
    "Channel.on_distribution": {"read": partial(np.asarray, dtype=float)},
}
