"""Labels as classes or numbers."""

from typing import Any

import numpy as np
import pytest

from splitcrit.columns.best_cuts import read_response


def read(y: Any, kind: str = "auto") -> tuple[str, np.ndarray]:
    found = read_response(y, kind, "gini", 1, len(y))
    return found.statistic, found.columns


def test_classes_are_columns() -> None:
    statistic, columns = read(["b", "a", "b"])
    assert statistic == "gini"
    assert columns.tolist() == [[0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("y", "kind", "statistic"),
    [
        ([0, 1, 2], "auto", "gini"),
        ([0.0, 1.0], "auto", "gini"),
        ([True, False], "auto", "gini"),
        ([0.5, 1.0], "auto", "variance"),
        (list(range(20)), "auto", "gini"),
        (list(range(21)), "auto", "variance"),
        (list(range(21)), "classes", "gini"),
        ([0, 1, 2], "numbers", "variance"),
    ],
)
def test_what_is_measured_and_what_is_a_class(y: Any, kind: str, statistic: str) -> None:
    assert read(y, kind)[0] == statistic


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200, -1e307])
def test_numbers_are_standardised(scale: float) -> None:
    columns = read(np.array([1.5, 2.0, 8.0, 3.0]) * scale, "numbers")[1]
    assert columns.mean() == pytest.approx(0, abs=1e-15)
    assert (columns**2).mean() == pytest.approx(1)
    assert read([7.5] * 3, "numbers")[1].tolist() == [[0.0]] * 3


def test_too_few_labels_and_words_as_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry for each of 3 rows"):
        read_response([1, 2], "auto", "gini", 1, 3)
    with pytest.raises(TypeError, match="responses are real numbers"):
        read(["a", "b"], "numbers")
    with pytest.raises(ValueError, match="a class is a word or an integer"):
        read([0.5, 1], "classes")
