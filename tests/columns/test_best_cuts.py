"""The best cut in words: the rows that it names are those that make its score, by a plain loop."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from node_oracle import score
from splitcrit.columns.best_cuts import NodeCut, best_cut, read_response
from splitcrit.columns.features import Feature, read_features
from splitcrit.nulls.best_cut import best
from splitcrit.nulls.extremes import EXTREMES
from splitcrit.nulls.feature_counts import feature_counts

RNG = np.random.default_rng(7)
N = 14
COLUMNS: dict[str, Any] = {
    "numeric": RNG.normal(size=N).round(1),
    "gaps": np.where(RNG.random(N) < 0.3, np.nan, RNG.integers(0, 4, N)),
    "ordered": pd.Categorical(RNG.choice(["low", "middle", "high"], N), ["low", "middle", "high"], ordered=True),
    "categories": pd.Categorical(RNG.choice(list("abcd"), N)),
    "categories with gaps": pd.Categorical(np.where(RNG.random(N) < 0.3, None, RNG.choice(list("abcd"), N))),
}


def goes_left(found: NodeCut, value: Any, order: list[Any]) -> bool:
    """Tell the side of a value by what the result says alone."""
    if found.left:
        return str(value) in map(str, found.left)
    if value is None or value != value:
        return found.missing_left
    return bool(order.index(value) <= order.index(found.threshold) if order else value <= found.threshold)


@pytest.mark.parametrize("missing", ["side", "row"])
@pytest.mark.parametrize("name", COLUMNS)
def test_the_rows_that_a_cut_names_make_its_score(name: str, missing: str) -> None:
    column = pd.Series(COLUMNS[name])
    feature = read_features(pd.DataFrame({name: column}), None, missing)[0]
    order = [*column.cat.categories, *feature.levels[-1:]] if feature.kind == "ordered" else []
    values = [feature.levels[code] if code >= 0 else None for code in feature.codes]
    for _ in range(10):
        y = RNG.integers(0, 2, N)
        found = best_cut(feature, read_response(y, "classes", "gini", 1, N))
        left = tuple(i for i, value in enumerate(values) if goes_left(found, value, order))
        assert 0 < len(left) < N
        assert found.score == pytest.approx(float(score(y.tolist(), left, "gini")), rel=1e-9)


def cut_of(values: list[Any], y: list[int]) -> NodeCut:
    feature: Feature = read_features(np.array(values, dtype=float)[:, None], None, "side")[0]
    return best_cut(feature, read_response(y, "classes", "gini", 1, len(y)))


def test_a_cut_in_words() -> None:
    assert cut_of([1, 2, None, 3], [0, 0, 0, 1]).cut == "x0 <= 2.5 or missing"
    assert cut_of([1, 2, 3, None], [0, 0, 0, 1])[1:] == ("x0 is present", float("inf"), (), False)
    assert cut_of([1, 1, 1], [0, 0, 1]) == NodeCut(-np.inf)
    many = read_features(np.array([f"{i:02}" for i in range(12)], dtype=object)[:, None], [0], "side")[0]
    found = best_cut(many, read_response([0] * 9 + [1] * 3, "classes", "gini", 1, 12))
    assert found.cut in ("x0 in {'00', '01', '02', '03', '04', '05', ...}", "x0 in {'09', '10', '11'}")
    assert len(found.left) in (3, 9)


def test_a_cut_that_the_law_knows_is_the_one_that_is_found_anew() -> None:
    rng, met = np.random.default_rng(3), set()
    for _ in range(40):
        x, y = rng.integers(0, 5, 20).astype(float), rng.integers(0, 2, 20)
        x[rng.random(20) < 0.2 * rng.integers(0, 2)] = np.nan
        feature, response = read_features(x[:, None], None, "side")[0], read_response(y, "classes", "gini", 1, 20)
        known = best(feature_counts(x, y, "side"), 1, EXTREMES["gini"], 10**6)
        found, anew = best_cut(feature, response, known), best_cut(feature, response)
        assert known is not None
        assert found.score == pytest.approx(anew.score, rel=1e-12)
        assert found[1:] == anew[1:]
        met.add((known.missing_left, found.threshold))
    assert len(met) > 4


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
    with pytest.raises(ValueError, match="a numeric target must hold only numbers"):
        read(["a", "b"], "numbers")
    with pytest.raises(ValueError, match=r"a label is a class; got numbers such as 0\.5"):
        read([0.5, 1], "classes")
