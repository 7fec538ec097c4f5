"""Errors and remarks that name a remedy: the cause is named, and what the remedy says to do works.

Each row calls, reads what is said, does what it says, and calls again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse

import splitcrit
from splitcrit import (
    SplitSelector,
    Tables,
    TreeClassifier,
    TreeRegressor,
    rank_features,
)
from splitcrit.inference import (
    HonestTreeClassifier,
    InferenceTreeClassifier,
    selected_score,
    split_test,
)
from splitcrit.trees import ChiMerge, MultiwayTreeClassifier

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
