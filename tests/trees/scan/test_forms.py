"""What criteria declare of themselves: forms that say what formulas say, and wrong ones that are refused."""

from __future__ import annotations

import numpy as np
import pytest

import splitcrit
from growing import by_reference, trees
from splitcrit import Impurity, decrease, gini, scaled
from splitcrit.arith import total
from splitcrit.impurities import by_sums
from splitcrit.trees.growth import Stopping, Training, grow
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.scan.prepared_criterion import form_of


def cubes(p, m):  # type: ignore[no-untyped-def]
    return 1 - total([x * x * x for x in p])


CUBES = Impurity("cubes", cubes, search=by_sums(lambda n: n**3, times=lambda n: n**-2.0))


def test_a_user_declares_a_sum_over_classes() -> None:
    criterion, rng = decrease(CUBES), np.random.default_rng(0)
    x, y = rng.random((400, 3)), rng.integers(0, 3, 400)
    plain = by_reference(Training(x, y, 3), decrease(Impurity("cubes", cubes)), GrowthOptions())
    np.testing.assert_array_equal(grow(Training(x, y, 3), criterion).threshold, plain.threshold)
    assert form_of(decrease(scaled(CUBES, 3)), 10, 3).unit == 3  # type: ignore[union-attr]


def steep(p, m):  # type: ignore[no-untyped-def]
    return 1 - 3 * total([x * x for x in p])


@pytest.mark.parametrize("classes", [2, 3])
def test_a_declared_impurity_may_be_negative(classes: int) -> None:
    """It falls three times as fast as Gini's, so that the trees are the same."""
    criterion = decrease(Impurity("steep", steep, search=by_sums(np.square, times=lambda n: 3 / n)))
    rng = np.random.default_rng(0)
    x = rng.integers(0, 30, (200, 3)).astype(np.float32)
    y = np.clip(x[:, 0] / 30 * classes + rng.normal(size=200) / 2, 0, classes - 1).astype(int)
    found, gini_s = (trees(x, y, classes, c, Stopping(max_depth=4)) for c in (criterion, decrease(gini)))
    assert len(gini_s[0].left) > 7
    for tree in found:
        np.testing.assert_array_equal(tree.feature, gini_s[0].feature)
        np.testing.assert_array_equal(tree.threshold, gini_s[0].threshold)


def test_difference_forms_are_declared_by_less() -> None:
    def entropy(p, m):  # type: ignore[no-untyped-def]
        return -total([m.xlogx(x) for x in p])

    def table(n):  # type: ignore[no-untyped-def]
        return n * np.log(np.maximum(n, 1))

    assert form_of(decrease(Impurity("mine", entropy, search=by_sums(table, less=table))), 50, 3) is not None


@pytest.mark.parametrize(
    "wrong",
    [
        by_sums(lambda n: n**2, times=lambda n: n**-2.0),
        by_sums(lambda n: n**3, times=lambda n: 1 / n),
        by_sums(lambda n: n**3, times=lambda n: n**-2.0, unit=2.0),
        by_sums(lambda n: n**3 + 1, times=lambda n: n**-2.0),
        by_sums(lambda n: n**3, less=lambda n: n),
    ],
)
def test_a_form_that_says_something_else_is_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"the form that decrease.* declares gives the scores of its formula; got"):
        form_of(decrease(Impurity("cubes", cubes, search=wrong)), 50, 3)
    with pytest.raises(ValueError, match="declares gives the scores"):
        splitcrit.TreeClassifier(criterion=Impurity("cubes", cubes, search=wrong)).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
