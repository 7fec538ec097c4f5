"""Odd features, labels and weights in partitions: one sentence, and nothing left behind."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
import pytest

from splitcrit.trees import DaskTreeClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3))
Y = (X[:, 0] > 0).astype(int)
EVERY_FIFTH = np.arange(30) % 5 == 0


def parted(values: Any) -> Any:
    values = np.asanyarray(values)
    return da.from_array(values, chunks=(10, *values.shape[1:]), asarray=False)


def fails(act: Any, said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said) as info:
        act()
    assert "\n" not in str(info.value)


FEATURES = {"masked": (np.ma.array(X, mask=X > 1), "features have no masked entries")}
LABELS = {
    "masked": (np.ma.array(Y, mask=EVERY_FIFTH), "labels have no masked entries"),
    "halves": (Y / 2, "Unknown label type: .* got 2 different numbers such as 0.5; pass them to a regression tree"),
    "missing": (np.where(EVERY_FIFTH, np.nan, Y), "every row needs a label|such as nan"),
    "kinds": (np.array(["a", 1] * 15, dtype=object), "labels must be of one type|objects of type int, str"),
    "complex": (Y + 1j, "Unknown label type|Complex data not supported"),
}
WEIGHTS = {
    "masked": (np.ma.array(np.ones(30), mask=EVERY_FIFTH), "sample weights have no masked entries"),
    "nan": (np.where(EVERY_FIFTH, np.nan, 1), "weights are finite and not negative; got nan"),
    "negative": (np.where(EVERY_FIFTH, -1.0, 1), "weights are finite and not negative; got -1;"),
    "infinite": (np.where(EVERY_FIFTH, np.inf, 1), "weights are finite and not negative; got inf"),
    "zeros": (np.zeros(30), "must be positive; got only zeros|sum of the weights is positive and finite; got 0.0"),
    "words": (np.array(["a"] * 30), "sample weights are numbers; got 'a'; encode or drop them first"),
    "complex": (np.ones(30) + 1j, "sample weights are real numbers"),
    "too large": (np.full(30, 1e308), "the sum of the weights is .*finite"),
}


def left_behind(model: Any) -> list[str]:
    return [name for name in vars(model) if name.endswith("_") and not name.startswith("_")]


@pytest.mark.parametrize(
    ("place", "bad", "said"),
    [(place, *case) for place, cases in enumerate((FEATURES, LABELS, WEIGHTS)) for case in cases.values()],
    ids=[f"{what}: {name}" for what, cases in (("X", FEATURES), ("y", LABELS), ("w", WEIGHTS)) for name in cases],
)
def test_what_does_not_do(place: int, bad: Any, said: str) -> None:
    given = [parted(X), parted(Y), None]
    fitted = DaskTreeClassifier().fit(*given)
    given[place] = parted(bad)
    new = DaskTreeClassifier()
    fails(lambda: new.fit(*given), said)
    assert left_behind(new) == []
    fails(lambda: fitted.score(*given), said)


def test_scores_are_of_the_features_and_the_kind_of_labels_that_were_fitted() -> None:
    fitted = DaskTreeClassifier().fit(parted(X), parted(Y))
    assert fitted.score(parted(X), parted(Y), parted(RNG.random(30))) == 1
    fails(lambda: fitted.score(parted(X[:, :2]), parted(Y)), "X has 3 features, as in fit; got 2; pass")
    fails(lambda: fitted.score(parted(X), parted(Y.astype(str))), "labels are numbers, as in fit; got words")


@pytest.mark.parametrize("large", [2**64, 2**70])
def test_large_numbers_are_as_large_as_the_data(large: int) -> None:
    depth = {
        name: DaskTreeClassifier(**{name: large}).fit(parted(X), parted(Y)).get_depth()
        for name in ("max_depth", "max_leaf_nodes", "min_samples_split", "min_samples_leaf")
    }
    assert depth == {"max_depth": 1, "max_leaf_nodes": 1, "min_samples_split": 0, "min_samples_leaf": 0}
