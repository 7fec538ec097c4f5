"""Plain arrays of numbers are read as scikit-learn reads them, at once; whatever else, and what is wrong, by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.validation import check_X_y

from splitcrit import ForestRegressor, TreeClassifier, TreeRegressor
from splitcrit.trees.estimators import reading

ROWS = np.random.default_rng(0).normal(size=(40, 3))
LABELS = (ROWS[:, 0] > 0).astype(int)
PLAIN = {
    "float32": (ROWS.astype(np.float32), LABELS),
    "float64": (ROWS, LABELS.astype(float)),
    "by column": (np.asfortranarray(ROWS), LABELS.astype(np.uint8)),
    "a view": (ROWS[::2], LABELS[::2]),
    "a missing value": (np.where(ROWS > 2, np.nan, ROWS), LABELS),
}
OTHERS: dict[str, Any] = {
    "a list": (ROWS.tolist(), LABELS),
    "integers": (np.arange(40)[:, None], LABELS),
    "objects": (ROWS.astype(object), LABELS),
    "big-endian": (ROWS.astype(">f8"), LABELS),
    "words": (ROWS, np.where(LABELS, "yes", "no")),
    "truth": (ROWS, LABELS.astype(bool)),
    "a column of labels": (ROWS, LABELS[:, None]),
    "masked": (np.ma.MaskedArray(ROWS), LABELS),
}


class Asked(Exception):
    """The checks of scikit-learn were asked for."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def validate_data(*_: Any, **__: Any) -> Any:
        raise Asked

    monkeypatch.setattr(reading, "validate_data", validate_data)


@pytest.mark.parametrize("given", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor()], ids=repr)
def test_plain_arrays_are_what_scikit_learn_makes_of_them(model: Any, given: Any, asked: None) -> None:
    x, y = model._read(*given, numeric=isinstance(model, TreeRegressor))
    expected, labels = check_X_y(*given, dtype=[np.float64, np.float32], ensure_all_finite=False, y_numeric=True)
    assert x.dtype == expected.dtype and model.n_features_in_ == 3
    np.testing.assert_array_equal(x, expected)
    np.testing.assert_array_equal(y, labels)


@pytest.mark.parametrize("given", OTHERS.values(), ids=OTHERS)
def test_the_rest_is_left_to_scikit_learn(given: Any, asked: None) -> None:
    with pytest.raises(Asked):
        TreeClassifier()._read(*given)


@pytest.mark.parametrize(
    "x, y",
    [(ROWS, LABELS[:-1]), (ROWS[:0], LABELS[:0]), (ROWS[:, :0], LABELS)],
    ids=["lengths", "no rows", "no columns"],
)
def test_shapes_that_do_not_fit_are_left_to_scikit_learn(x: np.ndarray, y: np.ndarray, asked: None) -> None:
    with pytest.raises(Asked):
        TreeClassifier()._read(x, y)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e308])
def test_responses_whose_sum_is_not_finite_are_left_to_scikit_learn(bad: float, asked: None) -> None:
    with pytest.raises(Asked):
        TreeRegressor()._read(ROWS, np.where(np.arange(40) < 2, bad, 0.0), numeric=True)


def test_names_of_features_are_forgotten_with_an_array() -> None:
    tree = TreeClassifier().fit(pd.DataFrame(ROWS, columns=["a", "b", "c"]), LABELS)
    assert tree.feature_names_in_.tolist() == ["a", "b", "c"]
    assert not hasattr(tree.fit(ROWS, LABELS), "feature_names_in_")


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_responses_whose_squares_vanish_are_refused_as_those_that_overflow(criterion: str) -> None:
    x, y = np.arange(20.0)[:, None], np.repeat([1.0, 3.0], 10)
    for kind in (TreeRegressor, ForestRegressor):
        for unit in (1e-170, 1e-320, 1e160):
            with pytest.raises(ValueError, match="divide them by a constant"):
                kind(criterion=criterion).fit(x, y * unit)
        for unit in (1e-149, -1e-149, 1e149):
            model = kind(criterion=criterion, **({} if kind is TreeRegressor else {"bootstrap": False}))
            np.testing.assert_allclose(model.fit(x, y * unit).predict(x), y * unit)
        assert not kind(criterion=criterion).fit(x, 0 * y).predict(x).any()
