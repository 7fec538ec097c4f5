"""What a plan allows, and what the tests of a tree are by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import hypergeom
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit.inference.held_out import held_out
from splitcrit.inference.testing import TreeTestPlan, node_tests

RNG = np.random.default_rng(1)
X, NEW = RNG.normal(size=(2, 120, 2))
Y, TRUE = (RNG.random(120) < np.where(x[:, 0] > 0, 0.85, 0.15) for x in (X, NEW))
GROWN = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)


def by_hand(alpha: float) -> dict[int, tuple[float, float]]:
    """Level and p-value of each node that is tested, from the root down, with halves of the level."""
    tree, path, found = GROWN.tree_, GROWN.decision_path(NEW).toarray().astype(bool), {}
    waiting = [(0, alpha)]
    while waiting:
        node, level = waiting.pop()
        left, right = tree.children_left[node], tree.children_right[node]
        if left < 0:
            continue
        n, a, b = path[:, node].sum(), path[:, left].sum(), TRUE[path[:, node]].sum()
        law, x = hypergeom(n, b, a), TRUE[path[:, left]].sum()
        ways = np.arange(n + 1)
        far = np.abs(n * ways - a * b) >= abs(n * x - a * b)
        found[node] = level, 1.0 if 0 in (a, n - a, b, n - b) else law.pmf(ways[far]).sum()
        if found[node][1] <= level:
            waiting += [(left, level / 2), (right, level / 2)]
    return found


@pytest.mark.parametrize("alpha", [0.05, 0.6])
def test_levels_and_p_values_are_those_of_a_plain_loop(alpha: float) -> None:
    tests, expected = node_tests(held_out(GROWN, NEW, TRUE), TreeTestPlan(alpha)), by_hand(alpha)
    assert np.flatnonzero(~np.isnan(tests.p)).tolist() == sorted(expected)
    for node, (level, p) in expected.items():
        assert tests.level[node] == level
        assert tests.p[node] == pytest.approx(p, rel=1e-8)
        assert tests.rejected[node] == (p <= level)
    assert tests.rejected[0] and tests.rejected.sum() >= (2 if alpha > 0.5 else 1)


def test_the_same_seed_draws_the_same_orders() -> None:
    held = held_out(DecisionTreeRegressor(max_depth=2).fit(X, X[:, 1]), NEW, NEW[:, 0])
    found = [node_tests(held, TreeTestPlan(0.9, permutations=99, rng=seed)).p for seed in (0, 0, 1)]
    assert np.array_equal(found[0], found[1], equal_nan=True)
    assert not np.array_equal(found[0], found[2], equal_nan=True)
    assert float(found[0][0] * 95) == pytest.approx(round(found[0][0] * 95))


def test_a_share_of_nothing_is_not_rejected() -> None:
    shares = np.where(GROWN.tree_.children_left == 1, 1.0, 0.0)  # nothing goes to the root's children
    tests = node_tests(held_out(GROWN, NEW, TRUE), TreeTestPlan(0.05, shares))
    assert tests.rejected.tolist() == [True] + [False] * (len(shares) - 1)


def test_a_p_value_that_is_its_level_but_for_rounding_is_rejected() -> None:
    """A third of a little less than .15 is less than 1/20, the p of one row of twenty that has the other class."""
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    x, y = np.repeat(corners, [5, 5, 5, 1], axis=0), [0] * 10 + [1] * 5 + [0]
    grown = DecisionTreeClassifier(random_state=0).fit(x, y)
    assert grown.tree_.feature.tolist() == [0, -2, 1, -2, -2]
    third = np.array([1, 2, 1, 1, 1]) / [1, 3, 3, 2, 2]
    new = np.repeat(corners, [10, 10, 19, 1], axis=0)
    tests = node_tests(held_out(grown, new, [0] * 20 + [1] * 19 + [0]), TreeTestPlan(0.15 * (1 - 1e-14), third))
    assert (
        tests.level[2] < tests.p[2] == pytest.approx(0.05, rel=1e-12) and tests.rejected[2] and tests.why[2] == "kept"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alpha": 0}, "alpha is a number strictly between 0 and 1"),
        ({"alpha": "0.05"}, "alpha is a number strictly between 0 and 1"),
        ({"nested": "yes"}, "nested is True or False"),
        ({"permutations": 0}, "permutations is an integer from 1"),
        ({"permutations": 2**31 + 1}, "permutations is an integer from 1"),
    ],
)
def test_no_other_plans(options: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        TreeTestPlan(**options)
