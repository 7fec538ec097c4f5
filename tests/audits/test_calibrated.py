"""Selective trees whose columns are compared by how unlikely their best splits are: their choices and level."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from splitcrit import TreeClassifier, rank_features
from splitcrit.audits import audit
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor

ROWS = 50


def columns(rng: Any) -> Any:
    """A flag, a category of ten levels, a number with missing values and ties, and a number."""
    gaps = np.where(rng.random(ROWS) < 0.3, np.nan, np.round(4 * rng.random(ROWS)))
    return np.column_stack([np.arange(ROWS) % 2, rng.integers(0, 10, ROWS), gaps, rng.normal(size=ROWS)])


def labels(kind: str, rng: Any, shift: Any) -> Any:
    noise = rng.normal(size=ROWS) + shift
    if kind == "numbers":
        return np.exp(noise)
    return np.digitize(noise, [0.5] if kind == "two" else [0.0, 1.0])


def fitted(kind: str, x: Any, y: Any, **how: Any) -> Any:
    tree = InferenceTreeRegressor if kind == "numbers" else InferenceTreeClassifier
    return tree(categorical_features=[1], n_permutations=99, alpha=0.1, **how).fit(x, y)


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
@pytest.mark.parametrize("told", [False, True])
def test_a_false_split_is_kept_as_rarely_as_promised(kind: str, told: bool) -> None:
    """With ``told`` the flag tells, and a split of rows that have one value of the flag is false."""
    sets, wrong, split = 60, 0, 0
    for i in range(sets):
        rng = np.random.default_rng([7, i])
        x = columns(rng)
        tree = fitted(kind, x, labels(kind, rng, 2.0 * x[:, 0] * told), random_state=i)
        ends = tree.decision_path(x).toarray().astype(bool)
        inner = np.flatnonzero(tree.tree_.children_left >= 0)
        wrong += any(not told or len(np.unique(x[ends[:, node], 0])) == 1 for node in inner)
        split += len(inner) > 0
    assert binom.sf(wrong - 1, sets, 0.1) > 0.001
    assert split > sets / 2 if told else split < sets / 2


def test_the_tree_the_audit_and_the_ranking_name_the_flag() -> None:
    rng = np.random.default_rng(3)
    n = 600
    x = pd.DataFrame({
        "id": rng.integers(0, 60, n).astype(str), "flag": rng.integers(0, 2, n), "size": rng.normal(size=n),
    })  # fmt: skip
    y = rng.random(n) < np.where(x["flag"] > 0, 0.61, 0.39)
    how: dict[str, Any] = {"categorical_features": "from_dtype", "max_depth": 1, "random_state": 0}
    fair, raw = InferenceTreeClassifier(**how).fit(x, y), TreeClassifier(**how).fit(x, y)
    assert fair.compare_ == "calibrated" and fair.tree_.feature[0] == 1 and fair.pvalues_[0] == 0.001
    assert raw.splits_[0].feature == 0
    assert not InferenceTreeClassifier(compare="gain", **how).fit(x, y).splits_  # a split of the id is no surprise
    own = {feature.name: feature.p for feature in rank_features(x, y).features}
    alone = [audit(tree, x, y, "training").alone for tree in (raw, fair)]  # of the column that splits
    assert [p[j] for p, j in zip(alone, (0, 1), strict=True)] == [own["id"], own["flag"]]
    assert own["flag"] < 0.001 < 0.05 < own["id"]


def test_a_flag_among_numbers_is_found_more_often_than_by_gains() -> None:
    found = {"calibrated": 0, "gain": 0}
    sets, n = 60, 200
    for i in range(sets):
        rng = np.random.default_rng(i)
        x = np.column_stack([rng.integers(0, 2, n), rng.normal(size=(n, 9))])
        y = rng.random(n) < np.where(x[:, 0] > 0, 0.62, 0.38)
        for compare in found:
            tree = InferenceTreeClassifier(compare=compare, max_depth=1, n_permutations=199, random_state=i).fit(x, y)
            found[compare] += tree.tree_.feature[0] == 0
    assert binom.cdf(found["calibrated"], sets, 0.65) > 0.001 and found["calibrated"] >= found["gain"] + 8


@pytest.mark.filterwarnings("ignore:a category should occur in several rows")
@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
def test_columns_that_cannot_be_split_are_passed_over(kind: str) -> None:
    rng = np.random.default_rng(0)
    y = labels(kind, rng, 3.0 * (np.arange(ROWS) % 2))
    x = np.column_stack([np.ones(ROWS), np.zeros(ROWS), np.full(ROWS, np.nan), np.arange(ROWS) % 2])
    tree = fitted(kind, x, y, random_state=0)
    assert tree.tree_.feature[0] == 3 and tree.tree_.node_count == 3
    single = np.column_stack([np.ones(ROWS), np.arange(ROWS)])
    assert fitted(kind, single, y, random_state=0).tree_.node_count == 1  # all levels single: no surprise


def test_a_criterion_without_a_law_compares_gains() -> None:
    rng = np.random.default_rng(0)
    x = columns(rng)
    y = labels("two", rng, 2.0 * x[:, 0])
    assert fitted("two", x, y, criterion="entropy", random_state=0).compare_ == "gain"
    assert fitted("two", x, y, test="node", random_state=0).compare_ == "gain"
    said = "compare='calibrated' needs Gini gains or squared errors; got criterion='entropy'; pass compare='gain'"
    with pytest.raises(ValueError) as error:
        fitted("two", x, y, criterion="entropy", compare="calibrated")
    assert str(error.value) == said
