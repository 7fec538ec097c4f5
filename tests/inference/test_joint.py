"""Scores of cuts and best scores of features against definitions in Fractions, of classes and of numbers."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from node_oracle import best, cuts
from splitcrit.columns.best_cuts import best_scores, joint_scores, levels_of, read_response
from splitcrit.columns.features import of_codes, read_features

N = 9
RNG = np.random.default_rng(12)
LABELS: dict[str, list[Any]] = {
    "two": RNG.permutation([0, 1, 1, 0, 1, 0, 0, 1, 1]).tolist(),
    "three": RNG.permutation([0, 1, 2] * 3).tolist(),
    "numbers": [x / 4 for x in RNG.integers(-9, 40, N).tolist()],
}
VALUES: dict[str, list[Any]] = {
    "apart": RNG.permutation(N).tolist(),
    "tied": RNG.integers(0, 3, N).tolist(),
    "gaps": [None, 2, 1, None, 3, 3, 1, 2, 4],
}


def squared(found: float, statistic: str) -> float:
    return found * abs(found) if statistic == "sgini" else found


@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("statistic", ["sgini", "gini"])
@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("labels", LABELS)
def test_the_best_score_of_ordered_values(labels: str, values: str, statistic: str, least: int) -> None:
    y, x = LABELS[labels], [[v] for v in VALUES[values]]
    feature = read_features(x, None, "side")[0]
    response = read_response(np.array(y), "auto", statistic, least, N)
    exact = [Fraction(v) for v in y]
    kind = "variance" if labels == "numbers" else statistic
    expected = best(exact, cuts(VALUES[values], "numeric"), kind, least)  # type: ignore[arg-type]
    found = best_scores(feature, response, response.columns[None])
    assert squared(float(found[0]), kind) == pytest.approx(float(expected), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("labels", ["two", "numbers"])
def test_the_best_of_all_subsets_is_a_cut_of_the_order_by_mean(labels: str) -> None:
    y, categories = LABELS[labels], ["a", "b", "c", "d", "a", "b", "c", "d", "e"]
    feature = read_features(np.array(categories, dtype=object)[:, None], [0], "side")[0]
    response = read_response(np.array(y), "auto", "gini", 1, N)
    rng = np.random.default_rng(0)
    for _ in range(20):
        order = rng.permutation(N)
        exact = [Fraction(y[i]) for i in order]
        kind = "variance" if labels == "numbers" else "gini"
        expected = best(exact, cuts(categories, "categories"), kind)  # type: ignore[arg-type]
        found = best_scores(feature, response, response.columns[order][None])
        assert float(found[0]) == pytest.approx(float(expected), rel=1e-9)


def test_of_several_classes_categories_are_cut_in_the_order_of_every_share() -> None:
    by_first = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        names, y = rng.permutation(list("aaabbbccccddeef")), rng.integers(0, 3, 15).tolist()
        feature = read_features(names.astype(object)[:, None], [0], "side")[0]
        response = read_response(np.array(y), "auto", "gini", 1, 15)
        best_of = []
        for k in sorted(set(y)):
            share = {name: np.mean(np.array(y)[names == name] == k) for name in set(names)}
            order = sorted(share, key=lambda name, share=share: (share[name], name))  # type: ignore[misc]
            sides = [tuple(np.flatnonzero(np.isin(names, order[:i])).tolist()) for i in range(1, len(order))]
            best_of.append(best(y, sides, "gini"))
        found = best_scores(feature, response, response.columns[None])
        assert float(found[0]) == pytest.approx(float(max(best_of)), rel=1e-9)
        by_first += best_of[0] == max(best_of)
    assert 0 < by_first < 12


def test_all_features_see_the_same_permutations() -> None:
    feature = of_codes("x", "numeric", np.arange(4.0), np.array([0, 1, 2, 3, 3, 2]))
    response = read_response([0, 1, 2, 0, 1, 2], "auto", "sgini", 1, 6)
    scores = joint_scores([feature, feature], response, 500, np.random.default_rng(1), 501)
    assert scores.shape == (501, 2)
    assert np.array_equal(scores[:, 0], scores[:, 1])
    assert scores[0, 0] == best_scores(feature, response, response.columns[None])[0]
    assert len(np.unique(np.round(scores[:, 0], 9))) > 1


def test_permutations_are_uniform() -> None:
    feature = of_codes("x", "numeric", np.arange(3.0), np.array([0, 1, 2]))
    response = read_response([0.0, 1.5, 4.0], "numbers", "sgini", 1, 3)
    every = [best_scores(feature, response, response.columns[list(p)][None])[0] for p in permutations(range(3))]
    scores = joint_scores([feature], response, 6000, np.random.default_rng(2), 6001)[1:, 0]
    for value in set(np.round(every, 9)):
        share = np.mean(np.round(every, 9) == value)
        assert abs(np.mean(np.round(scores, 9) == value) - share) < 4 * np.sqrt(share / 6000)


def test_scores_that_differ_by_rounding_are_one_level() -> None:
    assert levels_of(np.array([0.3, 0.1 + 0.2, 1.0, -1.0, 1.0 + 1e-13])).tolist() == [1, 1, 2, 0, 2]
