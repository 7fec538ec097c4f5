"""Selected p-values where values are missing, of many features, and both ends: against every order of the labels."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from splitcrit import gini_gain, sgini
from splitcrit.nulls import selected_pvalue

STATISTICS = ("sgini", "gini", "pairwise_gain")


def test_missing_values_of_a_feature_and_a_label() -> None:
    x, y = [1.0, None, 2.0, 3.0, None, 4.0], [0, 1, 0, 1, 1, 1]
    table = [[1, 0], [1, 0], [0, 1], [0, 1], [0, 2]]
    for statistic in STATISTICS:
        vectors = selected_pvalue(x, y, statistic=statistic, missing="side")
        assert vectors == selected_pvalue(table, statistic=statistic, missing="side")
        assert (vectors.cut, vectors.missing_left) == (2, False)
    mirrored = selected_pvalue([None if v is None else -v for v in x], y, missing="side")
    assert (mirrored.cut, mirrored.missing_left) == (2, True)
    assert mirrored.value == pytest.approx(selected_pvalue(x, y, missing="side").value, rel=1e-12)


def test_without_missing_values_sides_change_nothing() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=80), rng.integers(0, 2, 80)
    assert selected_pvalue(x, y, missing="side") == selected_pvalue(x, y)
    table = rng.integers(0, 5, (6, 2))
    assert selected_pvalue([*table.tolist(), [0, 0]], missing="side") == selected_pvalue(table)


def test_one_side_alone_is_less_than_both() -> None:
    """With gaps on the right only, as ``missing='row'``, there are fewer cuts, and a smaller p-value of one score."""
    table = [[2, 9], [4, 7], [3, 8], [9, 3]]
    one, both = (selected_pvalue(table, missing=m) for m in ("row", "side"))
    assert one.score == both.score and one.value < both.value


def test_gaps_alone_are_one_cut() -> None:
    assert selected_pvalue([[3, 0], [0, 3]], missing="side", method="exact").value == Fraction(1, 10)
    assert selected_pvalue([[0, 0], [0, 3]], missing="side").value == 1
    assert selected_pvalue([[2, 1], [1, 3]], missing="side", min_leaf=4).cut == 0


def test_a_thousand_observations_with_gaps_as_in_integers() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=300), rng.permutation(np.repeat([0, 1], [180, 120]))
    x = np.where(rng.random(300) < 0.1, np.nan, x + 0.5 * y)
    fast, exact = (selected_pvalue(x, y, missing="side", method=m) for m in ("lattice", "exact"))
    assert abs(Fraction(fast.value) / exact.value - 1) < 1e-11


@pytest.mark.parametrize(
    ("counts", "labels", "sides"),
    [
        ([[2, 0, 0], [0, 1, 1], [1, 1, 1]], (0, 0, 1, 2, 0, 1, 2), [(0, 1), (0, 1, 2, 3), (0, 1, 4, 5, 6)]),
        ([[2, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]], (0, 0, 0, 1, 1, 2, 2),
         [range(2), range(3), range(4), range(6)]),
    ],
    ids=["with gaps", "without"],
)  # fmt: skip
@pytest.mark.parametrize(("statistic", "score"), [("sgini", sgini), ("gini", gini_gain)])
def test_three_classes_against_every_order(counts: Any, labels: Any, sides: Any, statistic: str, score: Any) -> None:
    def best(y: tuple[int, ...]) -> float:
        parts = [[[y[i] for i in range(7) if (i in side) is inside] for inside in (True, False)] for side in sides]
        return max(score([[part.count(k) for k in range(3)] for part in both]) for both in parts)

    every = Counter(round(best(y), 9) for y in set(permutations(labels)))
    seen = round(best(labels), 9)
    tail = sum(c for s, c in every.items() if s >= seen) / every.total()
    chosen = {"statistic": statistic, "samples": 3000, "rng": 1, "missing": "side"}
    found = selected_pvalue(counts, **chosen)
    assert found.method == "monte_carlo" and found.score == pytest.approx(seen, abs=1e-8)
    assert found == selected_pvalue(counts, **chosen)
    assert abs(found.value - tail) < 4 * found.standard_error + 1 / 3000


def test_what_has_no_law_is_refused() -> None:
    with pytest.raises(ValueError, match="missing is one of 'error', 'row', 'side'; got 'left'"):
        selected_pvalue([[1, 2], [2, 1]], missing="left")  # type: ignore[arg-type]
