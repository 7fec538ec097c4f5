"""The best tree of depth 2, against all trees of depth 2 in exact arithmetic."""

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from refusals import refused
from splitcrit import best_depth_two, decrease, entropy, gini, misclassification, sgini, twoing
from splitcrit.impurities import Impurity
from splitcrit.trees import split_scores

NAMED = {"gini": gini, "misclassification": misclassification}


def exact_loss(counts: list[int], name: str) -> Fraction:
    """Rows times impurity of a node, as a Fraction."""
    n = sum(counts)
    if name == "gini":
        return n - Fraction(sum(c * c for c in counts), n) if n else Fraction(0)
    return Fraction(n - max(counts))


def enumerated(X: Any, y: Any, name: str, least: int) -> Fraction:
    """The least loss of all trees of depth at most 2, tree by tree."""
    classes = sorted(set(y))

    def counts(rows: list[int]) -> list[int]:
        return [sum(y[r] == k for r in rows) for k in classes]

    def divisions(rows: list[int]) -> list[tuple[list[int], list[int]]]:
        found = []
        for j, t in product(range(len(X[0])), sorted({value for row in X for value in row})):
            left = [r for r in rows if X[r][j] <= t]
            right = [r for r in rows if X[r][j] > t]
            if len(left) >= least and len(right) >= least:
                found.append((left, right))
        return found

    def stump(rows: list[int]) -> Fraction:
        splits = [sum((exact_loss(counts(side), name) for side in pair), Fraction(0)) for pair in divisions(rows)]
        return min([exact_loss(counts(rows), name), *splits])

    every = list(range(len(X)))
    trees = [stump(left) + stump(right) for left, right in divisions(every)]
    return min([exact_loss(counts(every), name), *trees]) / len(X)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("least", [1, 3])
def test_no_tree_is_better(name: str, least: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(12):
        n, d, k = rng.integers(5, 14), rng.integers(1, 4), rng.integers(2, 4)
        X, y = rng.integers(0, 4, size=(n, d)), rng.integers(0, k, size=n)
        tree = best_depth_two(X, y, NAMED[name], min_samples_leaf=least)
        assert tree.exact
        assert tree.loss == pytest.approx(float(enumerated(X.tolist(), y.tolist(), name, least)), rel=1e-12, abs=1e-15)
        leaves = [y[tree.apply(X) == leaf] for leaf in range(4)]
        own = sum(float(exact_loss(np.bincount(rows).tolist(), name)) for rows in leaves if len(rows)) / n
        assert own == pytest.approx(tree.loss, rel=1e-12, abs=1e-15)
        assert min(len(rows) for rows in leaves if len(rows)) >= min(least, n)


def test_any_impurity_is_minimised() -> None:
    """One's own formula: twice Gini has the tree of Gini."""
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 3, size=200)
    twice = Impurity("twice", lambda p, m: 2 * (1 - sum(x * x for x in p)))
    mine, tree = best_depth_two(X, y, twice), best_depth_two(X, y, gini)
    assert (mine.root, mine.left, mine.right) == (tree.root, tree.left, tree.right)
    assert mine.loss == pytest.approx(2 * tree.loss)


def test_bins_say_that_not_all_thresholds_were_tried() -> None:
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, size=300)
    rough, fine = best_depth_two(X, y, gini, bins=8), best_depth_two(X, y, gini, bins=300)
    assert not rough.exact and fine.exact and fine.loss < rough.loss


def test_labels_are_predicted_as_they_were() -> None:
    tree = best_depth_two([[1.0], [2.0], [3.0]], ["no", "yes", "no"], gini)
    assert tree.predict([[1.0], [2.0], [9.0]]).tolist() == ["no", "yes", "no"]
    alone = best_depth_two([[1.0], [1.0]], ["no", "yes"], gini)
    assert (alone.root, alone.loss) == (None, 0.5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"bins": 1}, "bins"),
        ({"bins": 10_000}, "pass bins="),
        ({"X": [[np.nan], [1.0]]}, "drop or fill what is missing"),
        ({"y": [0, 1, 1]}, "2"),
        ({"min_samples_leaf": 0}, "min_samples_leaf"),
    ],
)
def test_bad_input_is_one_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        best_depth_two(**{"X": [[0.0], [1.0]], "y": [0, 1], "impurity": gini, **given})


# The split kernel: every threshold of a column, against tables counted one by one.


def by_hand(values: Any, codes: Any, weights: Any, criterion: Any) -> list[tuple[float, bool, float]]:
    """Every split of a column and its score, in Python: threshold, side of the missing values, score."""
    known = sorted({v for v in values if v == v})
    lost = any(v != v for v in values)
    cuts = [(a / 2 + b / 2, False) for a, b in pairwise(known)]
    if lost:
        cuts += [(float("inf"), False)] * bool(known) + [(cut, True) for cut, _ in cuts]
    found = []
    for cut, goes in cuts:
        table = [[Fraction(0)] * (max(codes) + 1) for _ in range(2)]
        for v, k, w in zip(values, codes, weights, strict=True):
            table[0 if (v <= cut if v == v else goes) else 1][k] += Fraction(w)
        found.append((cut, goes, float(criterion.exact(table)) if criterion is not sgini else float(criterion(table))))
    return found


@pytest.mark.parametrize("criterion", [decrease(gini), twoing, sgini], ids=repr)
@pytest.mark.parametrize("lost", [0.0, 0.3])
def test_every_threshold_is_scored_as_its_table(criterion: Any, lost: float) -> None:
    rng = np.random.default_rng(3)
    for n in (2, 5, 12, 30):
        values = rng.integers(0, 6, n) / 2
        values[rng.random(n) < lost] = np.nan
        codes, weights = rng.integers(0, 3, n), rng.integers(1, 4, n).astype(float)
        codes[:3] = range(min(n, 3))
        found = split_scores(values, codes, criterion, weights)
        wanted = by_hand(values.tolist(), codes.tolist(), weights.tolist(), criterion)
        assert list(zip(found.threshold.tolist(), found.missing_left.tolist(), strict=True)) == [w[:2] for w in wanted]
        np.testing.assert_allclose(found.score, [w[2] for w in wanted], rtol=1e-12, atol=1e-14)


def test_an_impurity_means_its_decrease_and_sides_add_up() -> None:
    values, codes = [0.0, 1.0, 1.0, 2.0, np.nan], [0, 1, 0, 1, 1]
    found = split_scores(values, codes, entropy)
    assert found.score.tolist() == split_scores(values, codes, decrease(entropy)).score.tolist()
    assert (found.left + found.right).tolist() == [[2.0, 3.0]] * 5
    assert found.threshold.tolist() == [0.5, 1.5, np.inf, 0.5, 1.5]


def test_a_column_of_one_value_has_no_split() -> None:
    assert split_scores([1.0, 1.0], [0, 1], gini).score.shape == (0,)
    assert split_scores([np.nan, np.nan], [0, 1], gini).score.shape == (0,)
    assert split_scores([], [], gini).left.shape == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([1.0, 2.0], [0]), "of one length; got 2, 1, 1"),
        (([1.0, np.inf], [0, 1]), "finite or missing; got inf"),
        (([1.0, 2.0], [0, 10**6]), "fewer than 10000 classes; got code 1000000"),
        (([1.0, 2.0], [0, -1]), "class codes are integers from 0; got -1"),
        (([1.0, 2.0], [0, 1], [1.0, 0.0]), "weights are positive and have a finite sum; got 0"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: tuple[Any, ...], said: str) -> None:
    assert said in str(refused(".", split_scores, *arguments[:2], gini, *arguments[2:], error=(ValueError, TypeError)))
