"""The split kernel: every threshold of a column, against tables counted one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from splitcrit import decrease, entropy, gini, sgini, twoing
from splitcrit.trees import split_scores


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
    with pytest.raises((ValueError, TypeError)) as error:
        split_scores(*arguments[:2], gini, *arguments[2:])
    assert said in str(error.value)
