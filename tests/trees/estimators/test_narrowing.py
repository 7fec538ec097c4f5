"""Values that float32 makes equal are refused where a tree could want them apart, by every learner, with a remedy."""

from __future__ import annotations

import re
from typing import Any

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csr_array
from scipy.stats import rankdata
from sklearn.tree import DecisionTreeClassifier

from splitcrit import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, trees
from splitcrit.columns import ranks
from splitcrit.inference import (
    HonestTreeClassifier,
    HonestTreeRegressor,
    InferenceTreeClassifier,
    InferenceTreeRegressor,
)
from splitcrit.trees import AdaptiveForestClassifier, AdaptiveTreeClassifier, MultiwayTreeClassifier
from splitcrit.trees.estimators.narrowing import _doubtful, refuse_merged, refuse_merged_cells

RNG = np.random.default_rng(0)
NOW = 1_700_000_000
SAID = "trees compare features in float32"
LEARNERS = [
    TreeClassifier(), TreeClassifier(criterion="calibrated"), TreeClassifier(splitter="random"), TreeRegressor(),
    ForestClassifier(3), ForestRegressor(3), AdaptiveTreeClassifier(), AdaptiveForestClassifier(3),
    InferenceTreeClassifier(), InferenceTreeRegressor(), InferenceTreeRegressor(response_scores=ranks),
    HonestTreeClassifier(), HonestTreeRegressor(), HonestTreeClassifier(DecisionTreeClassifier()),
]  # fmt: skip
REFUSED = {
    "40 seconds": NOW + np.arange(40),
    "40 seconds, not in order": NOW + RNG.permutation(np.arange(40.0)),
    "a year of seconds": NOW + RNG.integers(0, 365 * 86_400, 30_000),
    "a day of seconds with fractions": NOW + 86_400 * RNG.random(30_000),
    "ten digits": RNG.integers(10**9, 10**10, 30_000),
    "ten digits, one missing": np.append(RNG.integers(10**9, 10**10, 30_000).astype(float), np.nan),
    "nanoseconds": (NOW + np.arange(40)) * 10**9,
    "a small difference of a large number": 1e6 + RNG.random(50) / 100,
    "what vanishes": 1e-60 * RNG.random(50),
}


def remedied(column: np.ndarray, said: str) -> np.ndarray:
    """Do as a message says."""
    if low := re.search(r"; subtract (-?\d+) from it, in new rows too$", said):
        return np.asarray(column - int(low[1]))
    assert "pass its ranks (scipy.stats.rankdata(x, 'dense', nan_policy='omit')), and code new rows" in said
    return np.asarray(rankdata(column, "dense", nan_policy="omit"))


def should_refuse(column: np.ndarray) -> bool:
    """Return what the rule says, pair by pair."""
    values = sorted(value for value in column.tolist() if value == value)
    whole = all(value == int(value) and (isinstance(value, int) or abs(value) <= 2**53) for value in values)
    low, high = (values[-(-len(values) * share // 100) - 1] for share in (5, 95))
    reach = 0 if whole else 1e-4 * (high - low or values[-1] - values[0])
    pairs = ((a, b) for i, b in enumerate(values) for a in values[:i])
    return any(b - a > reach for a, b in pairs if np.float32(a) == np.float32(b))


def refuses(column: np.ndarray) -> bool:
    try:
        refuse_merged(column[:, None], column[:, None].astype(np.float32))
    except ValueError as error:
        assert SAID in str(error)
        return True
    return False


@pytest.mark.parametrize("model", LEARNERS, ids=lambda model: str(model).partition("<")[0])
@pytest.mark.parametrize(
    "make",
    [lambda x: x, lambda x: x.tolist(), lambda x: pd.DataFrame(x, columns=["t"])],
    ids=["array", "lists", "frame"],
)
def test_every_learner_refuses_seconds_since_1970_and_takes_the_remedy(model: Any, make: Any) -> None:
    x, y = np.repeat(REFUSED["40 seconds"], 5)[:, None], np.repeat(np.arange(2), 100)
    with pytest.raises(ValueError, match=SAID) as error:
        model.fit(make(x), y)
    remedy = remedied(x, str(error.value))
    if type(model) is TreeClassifier and model.splitter == "best":
        assert model.fit(make(remedy), y).score(make(remedy), y) == 1
        assert len(model.predict(make(x))) == 200  # what is predicted is narrowed, not refused


@pytest.mark.parametrize("column", REFUSED.values(), ids=list(REFUSED))
def test_a_remedy_that_is_named_works(column: np.ndarray) -> None:
    y = np.arange(len(column)) % 2
    with pytest.raises(ValueError, match=SAID) as error:
        TreeClassifier(max_depth=1).fit(column[:, None], y)
    fixed = remedied(column, str(error.value))
    assert TreeClassifier(max_depth=1).fit(fixed[:, None], y).tree_.node_count == 3
    few = np.unique(column[column == column])[:2000]
    assert_array_equal(np.argsort(remedied(few, str(error.value))), np.arange(len(few)))


def test_columns_of_many_numbers_are_accepted() -> None:
    n, rng = 10**5, np.random.default_rng(1)
    x = np.stack([rng.normal(size=n), rng.normal(1000, 1, n), rng.random(n), rng.lognormal(size=n),
                  rng.standard_cauchy(n), NOW + 365 * 86_400 * rng.random(n)], axis=1)  # fmt: skip
    x[::10, 0] = np.nan
    tree = TreeClassifier(max_depth=1).fit(x, x[:, 2] > 0.5)
    assert tree.tree_.feature[0] == 2


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_columns_that_lack_values_are_not_looked_at_more_closely(share: float) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(1000, 3)).astype(np.float32)
    x[rng.random(1000) < share, :2] = np.nan
    x[:, 1] += 1e5  # whose digits float32 may lack
    assert _doubtful(x, False).tolist() == [False, True, False]


def test_the_rule_is_that_of_all_pairs_and_forgets_the_order_of_rows() -> None:
    rng, found = np.random.default_rng(2), set()
    for _ in range(400):
        n, scale = int(rng.integers(2, 60)), 10.0 ** rng.integers(-50, 12)
        column = rng.normal(size=n) * scale + 10.0 ** rng.integers(-50, 12)
        column = rng.choice([column, column, np.round(column), np.where(rng.random(n) < 0.95, column[0], column)])
        column = column.astype(np.int64) if rng.random() < 0.2 and abs(column).max() < 1e15 else column
        if rng.random() < 0.2:
            column = np.append(column.astype(float), [np.nan] * int(rng.choice([1, 4, n, 9 * n])))
        expected = should_refuse(column)
        assert refuses(column) == refuses(rng.permutation(column)) == expected
        found.add(expected)
    assert found == {True, False}


def test_only_numbers_are_looked_at_and_float32_is_taken_as_it_is() -> None:
    y = np.arange(40) % 2
    frame = pd.DataFrame({"t": NOW + np.arange(40) % 8, "code": list("ab") * 20})
    with pytest.raises(ValueError, match=rf"got {NOW} and {NOW + 7} in column t; subtract {NOW}"):
        TreeClassifier(categorical_features=["code"]).fit(frame, y)
    TreeClassifier(categorical_features=["t", "code"]).fit(frame, y)
    TreeClassifier().fit(frame[["t"]].to_numpy(np.float32), y)
    MultiwayTreeClassifier().fit(frame[["t"]], y)  # which holds float64
    nullable = pd.DataFrame({"t": pd.array([None, *range(NOW, NOW + 39)], dtype="Int64")})
    with pytest.raises(ValueError, match=SAID):
        TreeClassifier().fit(nullable, y)


def test_what_a_sparse_matrix_does_not_store_is_a_value() -> None:
    rng = np.random.default_rng(3)
    for share in (0.01, 0.2, 1):
        for column in (NOW + np.arange(300), rng.normal(size=300), 1e6 + rng.random(300), 1e-60 * rng.random(300)):
            dense = np.where(rng.random(300) < share, column, 0)
            dense[:2] = column[:2]
            try:
                refuse_merged_cells(csr_array(dense[:, None]))
                said = False
            except ValueError:
                said = True
            assert said == refuses(dense)
    twice = coo_array(([NOW, NOW, 1.0], ([0, 1, 1], [0, 0, 0])), shape=(3, 1))  # a cell that is stored in parts
    with pytest.raises(ValueError, match=SAID):
        TreeClassifier().fit(twice, [0, 1, 0])


def test_partitions_are_looked_at_together() -> None:
    order = np.append(np.arange(0, 40, 2), np.arange(1, 40, 2)) * 64  # neighbours lie in two partitions
    x, y = NOW + order[:, None], order >= 20 * 64
    for kind in (trees.DaskTreeClassifier, trees.DaskForestClassifier, trees.DaskTreeRegressor):
        for each in (x, x.astype(float), x * 10**9):
            with pytest.raises(ValueError, match=SAID):
                kind().fit(da.from_array(each, chunks=(20, 1)), da.from_array(y * 1, chunks=20))
    near, labels = da.from_array(x - NOW, chunks=(20, 1)), da.from_array(y, chunks=20)
    assert trees.DaskTreeClassifier().fit(near, labels).score(near, labels) == 1
