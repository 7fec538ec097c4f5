"""Every function of one table takes ``(table)`` or ``(feature, label)``, and never a tuple of two vectors."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import splitcrit
from splitcrit import Table, criteria, nulls, robustness
from splitcrit.criteria import Criterion, as_criterion, twoing_superclasses
from splitcrit.nulls import criterion_names

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


def test_a_parameter_in_the_place_of_the_label_is_named() -> None:
    with pytest.raises(ValueError, match=r"'label' must be a vector, .*; got 'exact'; .*parameters by keyword"):
        splitcrit.gini_pvalue(COUNTS, "exact")


def test_text_has_no_order_of_its_own() -> None:
    words, label = ["low", "high", "mid", "low", "high", "mid"], [0, 1, 1, 0, 1, 0]
    with pytest.raises(ValueError, match=r"the order of its values; got text, 'high'; .*declared order"):
        splitcrit.selected_pvalue(words, label)
    ordered = pd.Categorical(words, categories=["low", "mid", "high"], ordered=True)
    assert splitcrit.selected_pvalue(ordered, label, method="exact").value == splitcrit.selected_pvalue(
        [0, 2, 1, 0, 2, 1], label, method="exact"
    ).value  # fmt: skip
