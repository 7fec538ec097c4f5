"""Every function of one table takes ``(table)`` or ``(feature, label)``, and never a tuple of two vectors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sparse

import splitcrit
from splitcrit import (
    SplitSelector,
    Table,
    Tables,
    TreeClassifier,
    TreeRegressor,
    criteria,
    nulls,
    rank_features,
    robustness,
)
from splitcrit.criteria import Criterion, as_criterion, twoing_superclasses
from splitcrit.inference import (
    HonestTreeClassifier,
    InferenceTreeClassifier,
    selected_score,
    split_test,
)
from splitcrit.nulls import criterion_names
from splitcrit.trees import ChiMerge, MultiwayTreeClassifier

FEATURE, LABEL = [3, 1, 1, 3, 3, 1, 3], ["a", "b", "b", "a", "b", "a", "a"]
COUNTS = [[1, 2], [3, 1]]  # counted by hand from the two lists above
CRITERIA = {criterion.name: criterion for criterion in map(as_criterion, criterion_names.NAMES.values())}
CRITERIA |= {criterion.name: criterion for criterion in (criteria.chi_square, criteria.g_statistic)}
ONE_TABLE: dict[str, Callable[..., Any]] = {
    **CRITERIA,
    "Table.of": Table.of,
    "gini_gain": splitcrit.gini_gain,
    "gini_pvalue": splitcrit.gini_pvalue,
    "null_distribution": nulls.null_distribution,
    "selected_pvalue": splitcrit.selected_pvalue,
    "twoing.exact": splitcrit.twoing.exact,
    "decrease(gini).exact": splitcrit.decrease(splitcrit.gini).exact,
    "twoing_superclasses": twoing_superclasses,
    "expected_gain": partial(robustness.expected_gain, channel=splitcrit.symmetric(0.2)),
}


def plain(found: Any) -> Any:
    """What a call gave, without the names of rows and classes."""
    if isinstance(found, Table):
        return found.counts.tolist()
    return tuple(tuple("ab"[i] if isinstance(i, int) else i for i in x) for x in found) if _groups(found) else found


def _groups(found: Any) -> bool:
    return isinstance(found, tuple) and all(isinstance(x, tuple) for x in found)


@pytest.mark.parametrize("name", ONE_TABLE)
@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series], ids=["list", "numpy", "pandas", "polars"])
def test_a_table_and_its_two_vectors_give_the_same(name: str, kind: Any) -> None:
    function = ONE_TABLE[name]
    assert plain(function(kind(FEATURE), kind(LABEL))) == plain(function(COUNTS))


@pytest.mark.parametrize("name", ONE_TABLE)
@pytest.mark.parametrize("kind", [np.array, pd.Series, pl.Series], ids=["numpy", "pandas", "polars"])
def test_a_tuple_of_two_vectors_is_no_table(name: str, kind: Any) -> None:
    with pytest.raises(TypeError, match=r"a feature and its label are two arguments; .*pass f\(feature, label\)"):
        ONE_TABLE[name]((kind(FEATURE), kind([0, 1, 1, 0, 1, 0, 0])))


@pytest.mark.parametrize("name", ONE_TABLE)
def test_missing_values_of_a_feature_are_refused_or_a_row(name: str) -> None:
    function = ONE_TABLE[name]
    gaps = [None if x == 3 else x for x in FEATURE]
    with pytest.raises(ValueError, match=r"feature values must be present; .*missing='row'"):
        function(gaps, LABEL)
    assert plain(function(gaps, LABEL, missing="row")) == plain(function(COUNTS))
    with pytest.raises(ValueError, match=r"missing is one of 'error', 'row'(, 'side')?; got 'zero'"):
        function(FEATURE, LABEL, missing="zero")


@pytest.mark.parametrize("name", [name for name in ONE_TABLE if not isinstance(ONE_TABLE[name], Criterion)])
def test_other_parameters_are_passed_by_keyword(name: str) -> None:
    _, second, *rest = inspect.signature(ONE_TABLE[name]).parameters.values()
    assert second.name == "label" and second.default is None
    assert {p.kind for p in rest} == {inspect.Parameter.KEYWORD_ONLY}


def test_the_table_of_functions_misses_none() -> None:
    public = {n: getattr(module, n) for module in (splitcrit, criteria, nulls, robustness) for n in module.__all__}
    takes = {n for n, f in public.items() if callable(f) and _first(f) in {"table", "data", "counts"}}
    known = {*ONE_TABLE, *(c.impurity.name for c in CRITERIA.values() if c.impurity)}
    nodes = {"majority_failure", "majority_bounds", "leaf_labels"}  # of the class counts of nodes, which are no tables
    several = {"Table", "rank_features"}  # trusts its counts, of many tables
    assert takes - known - nodes - several == set()


def _first(function: Any) -> str:
    try:
        return next(iter(inspect.signature(function).parameters), "")
    except (TypeError, ValueError):
        return ""


def test_text_has_no_order_of_its_own() -> None:
    words, label = ["low", "high", "mid", "low", "high", "mid"], [0, 1, 1, 0, 1, 0]
    with pytest.raises(ValueError, match=r"the order of its values; got text, 'high'; .*declared order"):
        splitcrit.selected_pvalue(words, label)
    ordered = pd.Categorical(words, categories=["low", "mid", "high"], ordered=True)
    assert splitcrit.selected_pvalue(ordered, label, method="exact").value == splitcrit.selected_pvalue(
        [0, 2, 1, 0, 2, 1], label, method="exact"
    ).value  # fmt: skip


# Errors and remarks that name a remedy: the cause is named, and what the remedy says to do works.

N = 60
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.normal(size=(N, 2)), columns=["a", "b"])
Y = pd.Series((FRAME["a"] > 0).astype(int))
CELLS = sparse.random(N, 4, 0.3, format="csr", random_state=0)
OF_CELLS = pd.DataFrame.sparse.from_spmatrix(CELLS, columns=list("abcd"))
HOURS = pd.Series(pd.date_range("2024-01-01", periods=N, freq="h"))
TIMES = {"hours": HOURS, "a zone": HOURS.dt.tz_localize("UTC"), "durations": HOURS - HOURS[0],
         "periods": HOURS.dt.to_period("h"), "days": pd.Series(pd.date_range("1950-01-01", periods=N)).dt.date,
         }  # fmt: skip
Fit = Callable[[Any, Any], Any]
ENTRIES: dict[str, Fit] = {
    "rank_features": rank_features,
    "rank_features by a measure": lambda X, y: rank_features(X, y, measure="sgini"),
    "Tables.of": lambda X, y: Tables.of(X, y, bins=4),
    "split_test": split_test,
    "SplitSelector": lambda X, y: SplitSelector(random_state=0).fit(X, y),
    "selected_score": selected_score,
    "TreeClassifier": lambda X, y: TreeClassifier(max_depth=2).fit(X, y),
    "TreeRegressor": lambda X, y: TreeRegressor(max_depth=2).fit(X, y),
    "InferenceTreeClassifier": lambda X, y: InferenceTreeClassifier(random_state=0).fit(X, y),
    "HonestTreeClassifier": lambda X, y: HonestTreeClassifier(random_state=0).fit(X, y),
    "MultiwayTreeClassifier": lambda X, y: MultiwayTreeClassifier(max_depth=1).fit(X, y),
    "ChiMerge": lambda X, y: ChiMerge().fit(X, y),
}
FACTORS = [*ENTRIES][:6]  # take dates and frames of sparse columns as they are
UNFIT = {"X.to_frame()": lambda X: X.to_frame(), "X.reshape(-1, 1)": lambda X: X.reshape(-1, 1),
         "numpy.reshape(X, (-1, 1))": lambda X: np.reshape(X, (-1, 1)), "X.toarray()": lambda X: X.toarray(),
         "X.sparse.to_dense()": lambda X: X.sparse.to_dense()}  # fmt: skip
ONE_COLUMN = {"a column of a frame": FRAME["a"], "a vector": FRAME["a"].to_numpy(), "a list": FRAME["a"].tolist()}


def said(fit: Fit, X: Any, y: Any) -> str:
    """The sentence by which a call is refused."""
    with pytest.raises((ValueError, TypeError)) as error:
        fit(X, y)
    assert len(str(error.value)) < 400 and "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("kind", ONE_COLUMN)
def test_one_column_becomes_a_table_as_the_error_says(entry: str, kind: str) -> None:
    X, fit = ONE_COLUMN[kind], ENTRIES[entry]
    words = said(fit, X, Y)
    (remedy,) = [change for name, change in UNFIT.items() if f" {name} is one feature" in words]
    fit(remedy(X), Y)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("kind", ["frames", "arrays", "words"])
def test_swapped_arguments_are_named(entry: str, kind: str) -> None:
    swapped = {"frames": (Y, FRAME), "arrays": (Y.to_numpy(), FRAME.to_numpy()), "words": (["no", "yes"] * 30, FRAME)}
    words = said(ENTRIES[entry], *swapped[kind])
    assert any(part in words for part in ("labels are the second argument", "pass X before y", "the features first"))
    ENTRIES[entry](FRAME, Y)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("X", [CELLS, CELLS.tocoo(), OF_CELLS], ids=["csr", "coo", "frame"])
def test_sparse_features_are_taken_or_become_dense_as_the_error_says(entry: str, X: Any) -> None:
    try:
        ENTRIES[entry](X, Y)
    except (TypeError, ValueError) as error:
        if "Use '.toarray()'" in str(error):  # scikit-learn's, of a matrix
            assert hasattr(X, "toarray")
            return
        assert "features are dense; got a" in str(error)
        (remedy,) = [change for name, change in UNFIT.items() if str(error).endswith(f"pass {name}")]
        ENTRIES[entry](remedy(X), Y)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry not in (*FACTORS, "ChiMerge")])
@pytest.mark.parametrize("kind", TIMES)
def test_dates_become_days_as_the_error_says(entry: str, kind: str) -> None:
    frame, y = pd.DataFrame({"t": TIMES[kind]}), np.arange(N) % 24 > 11
    words = said(ENTRIES[entry], frame, y)
    remedy = "(t - t.min()) / numpy.timedelta64(1, 'D'), periods by t.dt.to_timestamp()"
    assert words.endswith(f"turn them into days since the first, {remedy}")
    t = frame["t"].dt.to_timestamp() if kind == "periods" else frame["t"]
    days = ((t - t.min()) / np.timedelta64(1, "D")).to_frame()
    ENTRIES[entry](days, y)
    assert len(np.unique(days.to_numpy().astype(np.float32))) == N
    tree = TreeClassifier().fit(days, y)
    assert (tree.predict(days) == y).all()


# Names that are looked for at the top.


@pytest.mark.parametrize("name", ["category_gains", "significant_subtree", "HonestTreeClassifier", "ChiMerge",
                                  "MultiwayTreeClassifier", "accuracy", "plot_ranking", "reference_tree"])  # fmt: skip
def test_a_name_of_a_submodule_is_told_with_the_import_that_works(name: str) -> None:
    with pytest.raises(AttributeError) as error:
        getattr(splitcrit, name)
    (line,) = [part for part in str(error.value).split("; ") if part.startswith("write ")]
    scope: dict[str, Any] = {}
    exec(line.removeprefix("write "), scope)
    assert callable(scope[name])
    with pytest.raises(ImportError, match=f"write from splitcrit.* import {name}"):
        exec(f"from splitcrit import {name}", {})


def test_a_name_of_nothing_is_told_plainly() -> None:
    for name in ("Foo", "a b", "(", "_absent_", "__path_of__"):
        assert not hasattr(splitcrit, name)
        with pytest.raises(AttributeError, match=r"dir\(splitcrit\) lists the public names"):
            getattr(splitcrit, name)
