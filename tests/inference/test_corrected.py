"""The p-value of the feature that a node is split by, against all orders of the labels and the test of a node."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from node_oracle import best, column_pvalues, cuts
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, split_test

N, ONES = 9, 4
ORDERS = [tuple(int(i in ones) for i in range(N)) for ones in combinations(range(N), ONES)]
COLUMNS = {
    "no ties": tuple(range(N)),
    "three values": (0, 2, 1, 0, 2, 1, 0, 2, 1),
    "two values": (0, 1, 1, 0, 1, 1, 1, 0, 1),
    "gaps": (3, None, 1, None, 5, 4, 0, 2, 1),
}
DATA = [("no ties", "three values"), ("three values", "two values"), ("gaps", "two values", "no ties")]


def node(correction: str, **parameters: Any) -> InferenceTreeClassifier:
    return InferenceTreeClassifier(test="node", correction=correction, max_depth=1, random_state=0, **parameters)


def laws(names: tuple[str, ...]) -> list[dict[tuple[int, ...], tuple[Fraction, Fraction]]]:
    """The best gain of each feature and its p-value, for every order of the labels."""
    found = []
    for name in names:
        sides = cuts(COLUMNS[name], "numeric")
        p = column_pvalues(ORDERS[0], COLUMNS[name], "numeric", "gini")
        found.append({y: (best(y, sides, "gini"), p[y]) for y in ORDERS})
    return found


def matrix(names: tuple[str, ...]) -> np.ndarray:
    return np.array([COLUMNS[name] for name in names], dtype=float).T


@pytest.mark.parametrize("names", DATA)
def test_bonferroni_over_all_orders_is_the_law_of_the_feature_that_splits(names: tuple[str, ...]) -> None:
    x, known, found = matrix(names), laws(names), []
    for y in ORDERS[:: 6 if len(names) == 3 else 1]:
        fitted = node("bonferroni", alpha=0.999999).fit(x, y)
        p, feature = fitted.verdicts_[0].pvalue, int(fitted.tree_.feature[0])
        tops = [law[y][0] for law in known]
        if feature >= 0:  # the split was kept
            assert tops[feature] == max(tops)
            assert p == pytest.approx(min(1.0, float(len(names) * known[feature][y][1])), rel=1e-11)
        found.append(p)
    assert np.mean(np.array(found) < 0.999999) > 0.2
    for a in np.unique(found)[:-1] if len(names) < 3 else ():
        assert np.mean(np.array(found) <= a * (1 + 1e-9)) <= a * (1 + 1e-9)


@pytest.mark.parametrize("correction", ["discrete", "westfall-young"])
def test_other_corrections_are_p_values_over_all_orders(correction: str) -> None:
    names = ("three values", "two values")
    x = matrix(names)
    found = np.array([node(correction, n_permutations=99).fit(x, y).verdicts_[0].pvalue for y in ORDERS])
    for a in np.unique(found):
        assert np.mean(found <= a * (1 + 1e-9)) <= a * (1 + 1e-9) + (0 if correction == "discrete" else 0.06)
    if correction == "discrete":
        plain = np.array([node("bonferroni").fit(x, y).verdicts_[0].pvalue for y in ORDERS])
        assert (found <= plain * (1 + 1e-9)).all()
        assert (found < 0.9 * plain).any()


def test_without_the_number_of_features_it_is_no_p_value() -> None:
    names = DATA[0]
    x = matrix(names)
    found = np.array([node("bonferroni").fit(x, y).verdicts_[0].pvalue for y in ORDERS]) / len(names)
    assert any(np.mean(found <= a) > a + 1e-9 for a in found)


@pytest.mark.parametrize("correction", ["bonferroni", "discrete", "westfall-young"])
@pytest.mark.parametrize("criterion", ["gini", "sgini"])
def test_the_root_has_the_p_value_of_the_test_of_a_node(correction: Any, criterion: Any) -> None:
    x = np.random.default_rng(1).random((70, 4)).astype(np.float32)
    x[:, 1], x[:, 2] = np.round(3 * x[:, 1]), x[:, 2] > 0.3
    x[::9, 3] = np.nan
    y = (x[:, 0] > 0.5) ^ (np.random.default_rng(2).random(70) < 0.15)  # where the fewest rows of a side matter
    fitted = node(correction, criterion=criterion, min_samples_leaf=0.4, n_permutations=199).fit(x, y)
    asked = split_test(
        x, y, correction=correction, statistic=criterion, min_samples_leaf=28, n_permutations=199,
    )  # fmt: skip
    root = fitted.verdicts_[0]
    assert root.pvalue == pytest.approx(asked.features[fitted.tree_.feature[0]].adjusted, rel=1e-12)
    assert root.verdict == "split"
    assert root.drawn == (0 if correction != "westfall-young" else 199)


@pytest.mark.parametrize("correction", ["bonferroni", "discrete", "westfall-young"])
def test_several_classes_and_numbers_are_by_permutations(correction: Any) -> None:
    for kind, (x, y), response in (
        (InferenceTreeClassifier, load_iris(return_X_y=True), "classes"),
        (InferenceTreeRegressor, load_diabetes(return_X_y=True), "numbers"),
    ):
        x, y = x[::3], y[::3]
        fitted = kind(test="node", correction=correction, max_depth=1, n_permutations=299, random_state=0).fit(x, y)
        asked = split_test(
            x.astype(np.float32), y, correction=correction, statistic="gini", n_permutations=299, response=response,
        )  # fmt: skip
        root = fitted.verdicts_[0]
        assert fitted.correction_ == correction
        assert root.pvalue == asked.features[fitted.tree_.feature[0]].adjusted < 0.05
        assert root.drawn == asked.permutations
        assert asked.permutations > 0 or correction != "westfall-young"


def test_the_default_correction() -> None:
    x, y = np.random.default_rng(0).random((40, 2)), np.arange(40) % 2
    two, three = InferenceTreeClassifier(test="node"), InferenceTreeClassifier(test="node", n_permutations=19)
    assert two.fit(x, y).correction_ == "bonferroni"
    assert two.set_params(criterion="entropy", n_permutations=19).fit(x, y).correction_ == "permutation"
    assert three.fit(x, np.arange(40) % 3).correction_ == "permutation"
    assert InferenceTreeRegressor(test="node", n_permutations=19).fit(x, y).correction_ == "permutation"
    assert InferenceTreeClassifier(n_permutations=19).fit(x, y).correction_ is None
