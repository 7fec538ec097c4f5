"""Columns of a node compared by how likely their best gain is by chance, and audits that name what many values won."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from splitcrit import TreeClassifier, TreeRegressor
from splitcrit.audits import audit
from splitcrit.audits.column_comparison import column_surprise
from splitcrit.columns.features import of_codes

N = 600


def data(seed: int = 0) -> tuple[pd.DataFrame, Any]:
    """Return a flag that tells, a word of sixty values and numbers that do not."""
    rng = np.random.default_rng(seed)
    x = pd.DataFrame({
        "word": rng.integers(0, 60, N).astype(str), "flag": rng.integers(0, 2, N), "x": rng.normal(size=N),
    })  # fmt: skip
    return x, (rng.random(N) < np.where(x["flag"] > 0, 0.64, 0.36)).astype(int)


def won(report: Any) -> list[str]:
    return [sentence for sentence in report.remarks if "having many values alone" in sentence]


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_an_audit_names_a_split_whose_column_won_by_its_many_values(kind: str) -> None:
    x, y = data()
    if kind == "numbers":
        y = y + np.random.default_rng(1).normal(size=N)
    model = TreeClassifier if kind == "classes" else TreeRegressor
    tree = model(max_depth=1, categorical_features="from_dtype").fit(x, y)
    report = audit(tree, x, y, "training")
    assert report.splits.feature.tolist() == [0] and report.splits.calibrated.tolist() == [1]
    (sentence,) = won(report)
    assert sentence.startswith("1 of 1 splits") and sentence.endswith("word at node 0, where flag is ahead")
    if kind == "classes":
        assert not won(audit(tree, *data(5)))  # rows that chose nothing
    x, y = x[["x", "flag", "word"]].iloc[::-1], y[::-1]
    again = audit(model(max_depth=1, categorical_features="from_dtype").fit(x, y), x, y, "training")
    assert won(again) == won(report)


def test_a_column_that_tells_is_not_named_however_many_values_it_has() -> None:
    x, _ = data()
    y = (x["word"].astype(int) % 2).to_numpy()
    tree = TreeClassifier(max_depth=1, categorical_features="from_dtype").fit(x, y)
    report = audit(tree, x, y, "training")
    assert report.splits.calibrated.tolist() == report.splits.feature.tolist() == [0] and not won(report)


def test_a_forest_is_compared_with_its_rows_as_often_as_they_were_drawn() -> None:
    x, y = data(2)
    numbers = x.assign(word=x["word"].astype(int))
    forest = RandomForestClassifier(8, max_depth=2, max_features=None, random_state=0).fit(numbers, y)
    found = audit(forest, numbers, y, "training").splits
    assert (found.calibrated[found.node == 0] >= 0).all()  # the root of a full search has the largest gain of its rows
    piped = make_pipeline(FunctionTransformer(), forest)
    assert audit(piped, numbers, y, "training").splits.calibrated.tolist() == found.calibrated.tolist()
    rows = numbers.to_numpy(float)
    tree = DecisionTreeClassifier(max_depth=2).fit(rows, y)
    dense, report = (audit(tree, each, y, "training").splits.calibrated for each in (rows, sparse.csr_array(rows)))
    assert report.tolist() == dense.tolist() and dense.max() >= 0


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["numeric", "categories"])
@pytest.mark.parametrize("classes", [2, 3, None])
def test_a_surprise_is_that_of_all_orders(kind: str, classes: int | None) -> None:
    codes = np.array([0, 0, 1, 2, 2, -1, -1]) if kind == "numeric" else np.array([0, 0, 1, 2, 2, 3, 3])
    y = {2: [0, 0, 1, 1, 1, 0, 1], 3: [0, 0, 1, 1, 2, 2, 1], None: [0.3, 0.1, 4, 2, 2, 1, 5]}[classes]
    feature = of_codes("x", kind, np.arange(4), codes)
    score, surprise = column_surprise(feature, np.array(y), classes, draws=20_000)
    orders = np.array(sorted(set(permutations(y))))
    every = np.array([column_surprise(feature, order, classes, draws=99)[0] for order in orders])
    more, reached = ((every > score + sign * 1e-9).mean() for sign in (1, -1))
    assert np.exp(-surprise) == pytest.approx((more + reached) / 2, abs=0.02)
