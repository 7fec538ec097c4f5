"""Formulas that users write: a number, or one sentence that names what to write instead, and never a warning."""

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from splitcrit import ForestClassifier, TreeClassifier
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity, entropy
from splitcrit.losses import Loss

X = np.random.default_rng(0).normal(size=(60, 2))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)
WEIGHTS = np.random.default_rng(1).random(60)


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def _itself(p: Any, m: Any) -> Any:
    return p


BY_NUMPY = Loss("mine", lambda w, k, m: -np.log(w[k]), _itself)
BY_MATH = Loss("mine", lambda w, k, m: -math.log(w[k]), _itself)
NAN = Loss("mine", lambda w, k, m: 0 * np.log(w[k]) / 0, _itself)
WRONG = {
    "numpy's log": decrease(Impurity("mine", lambda p, m: -sum(x * np.log(x) for x in p))),
    "math's log": decrease(Impurity("mine", lambda p, m: -sum(x * math.log(x) for x in p))),
    "loss by math's log": Criterion.from_loss(BY_MATH),
    "loss that is nan": Criterion.from_loss(NAN),
    "searched loss by math's log": Criterion.from_loss(Loss("mine", BY_MATH.at)),
    "nothing": decrease(Impurity("mine", lambda p, m: None)),
    "one argument": decrease(Impurity("mine", lambda p: 1)),  # type: ignore[arg-type, misc]
    "text": Criterion("mine", lambda t, m: "high"),
    "division by zero": Criterion("mine", lambda t, m: t[0][0] / t[0][0] - 1 / 0),
}


@pytest.mark.parametrize("criterion", WRONG.values(), ids=WRONG)
def test_a_formula_that_fails_is_named_with_what_to_write(criterion: Criterion) -> None:
    said = r"the formula of .*mine\)* gives a number for any counts; got .*; use .* m\.log, m\.xlogx, m\.sqrt, m\.where"
    for table in ([[2, 0], [0, 3]], [[[2, 1], [0, 3]], [[2, 0], [1, 1]]]):
        with pytest.raises(ValueError, match=said):
            criterion(table)
    if criterion.impurity is not None:
        with pytest.raises(ValueError, match=said):
            criterion.impurity([[1, 0], [2, 1]])
    for learner in (TreeClassifier(criterion=criterion), ForestClassifier(criterion=criterion, n_estimators=2)):
        with pytest.raises(ValueError, match=r"mine.*; got .*; (use|try)"):
            learner.fit(X, Y)


def test_a_formula_of_numpy_that_gives_numbers_is_used_without_warnings() -> None:
    """An infinite cost of a class that does not occur costs nothing."""
    criterion = Criterion.from_loss(BY_NUMPY)
    table = [[2, 0], [1, 3]]
    assert math.isclose(criterion(table), decrease(entropy)(table), rel_tol=1e-14)
    for weights in (None, WEIGHTS):
        trees = [
            TreeClassifier(criterion=c, max_depth=3).fit(X, Y, sample_weight=weights).tree_
            for c in (criterion, decrease(entropy))
        ]
        assert trees[0].feature.tolist() == trees[1].feature.tolist()
        assert trees[0].threshold.tolist() == trees[1].threshold.tolist()


def test_a_formula_gives_a_number_for_each_distribution() -> None:
    summed = Impurity("summed", lambda p, m: np.sum(p))
    with pytest.raises(ValueError, match=r"got float64 of shape \(\) for a batch of shape \(2,\)"):
        summed([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="formula of summed gives a number"):
        TreeClassifier(criterion=decrease(summed)).fit(X, Y)


def test_sentences_of_the_library_are_kept() -> None:
    def refusing(p: Any, m: Any) -> Any:
        from splitcrit.frozen import complaint

        raise ValueError(complaint("mine is for three classes", len(p), "pass three"))

    with pytest.raises(ValueError, match=r"^mine is for three classes; got 2; pass three$"):
        Impurity("mine", refusing)([1, 2])
