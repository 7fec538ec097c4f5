"""The checks for users' own objects pass what is right, and catch planted slips with a readable case."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from objects import CLASS_IMPURITIES, CRITERIA
from splitcrit import Impurity, TreeClassifier, TreeRegressor, gini, gini_null, losses, sgini, testing, twoing
from splitcrit.criteria import Criterion
from splitcrit.noise import Channel, transition_matrix
from splitcrit.testing import check_criterion, check_impurity, check_tree


def broken(check: Any, value: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(value, **options)
    said = str(caught.value)
    assert said.count("; ") == 2 and "\n" not in said and len(said) < 300
    return said


# Strategies.


@settings(max_examples=15)
@given(testing.tables(rows=3), testing.margins(classes=2), testing.probability_vectors(), testing.channels(3),
       testing.tied_features(rows=9, features=2, values=3, classes=2), testing.class_counts(3, largest=4))  # fmt: skip
def test_strategies_draw_what_they_say(table: Any, pair: Any, p: Any, t: Any, data: Any, counts: Any) -> None:
    assert len(table) == 3 and len({*map(len, table)}) == 1 and any(map(any, table))
    assert sum(pair[0]) == sum(pair[1]) and len(pair[1]) == 2
    assert gini_null(*pair).mean >= 0
    assert sum(p) == 1 and all(isinstance(x, Fraction) and x >= 0 for x in p) and 2 <= len(p) <= 4
    assert [sum(row) for row in t] == [1, 1, 1]
    assert isinstance(transition_matrix(t), Channel)
    x, y = np.array(data[0]), np.array(data[1])
    assert x.shape == (9, 2) and x.max() < 3 and y.shape == (9,) and y.max() < 2
    assert len(counts) == 3 and 0 < sum(counts) <= 12


# Impurities.


@pytest.mark.parametrize("impurity", CLASS_IMPURITIES[::6], ids=repr)
def test_the_impurities_of_the_library_pass(impurity: Impurity) -> None:
    check_impurity(impurity, examples=8)


def test_a_loss_and_a_function_are_checked() -> None:
    check_impurity(losses.square, examples=8)
    check_impurity(lambda p, m: 1 - m.max(p), examples=8)


def cubic(p: Any, m: Any) -> Any:
    """Concave but near the vertices of two classes."""
    x = p[0] * p[1]
    return x * x + x / 100


def narrow(p: Any, m: Any) -> Any:
    """Gini's impurity, raised where the first class has more than 9/10."""
    return gini.of(p, m) + m.where(p[0] > Fraction(9, 10), 4 * (1 - p[0]), 0)


def with_a_constant(p: Any, m: Any) -> Any:
    return gini.of(p, m) + m.number(Fraction(1, 10))


def of_a_batch(p: Any, m: Any) -> Any:
    return gini.of(p, m) / (1 + (np.max(p) if isinstance(p, np.ndarray) and p.ndim > 1 else 0))


def rounded(p: Any, m: Any) -> Any:
    return gini.of(p, m) * (1001 if m.name == "FLOAT" else 1000) / 1000


def raising(p: Any, m: Any) -> Any:
    return 1 / m.max(p) - 1 if m.max(p) * 3 > 1 else [][0]


@pytest.mark.parametrize(
    ("of", "options", "said"),
    [
        (cubic, {"classes": 2, "examples": 200}, "no split raises the impurity; got a decrease of -0.0"),
        (narrow, {"examples": 200}, "no split raises the impurity; got a decrease of -"),
        (with_a_constant, {}, "the impurity of one class is 0; got 0.1 for the class counts [0, 1]"),
        (lambda p, m: p[0] * (1 - p[0]), {}, "the order of the classes does not change the impurity; got 0"),
        (lambda p, m: -gini.of(p, m), {"concave": False}, "an impurity is not negative; got -0.5 for the class counts"),
        (of_a_batch, {"classes": 2}, "a batch has the values of its distributions; got ["),
        (rounded, {"classes": 2}, "floats agree with Fractions; got 0.5"),
        (raising, {"classes": 4}, "got ValueError (the formula of decrease(raising) gives a number for any counts"),
    ],
    ids=["cubic", "narrow", "constant", "one class", "negative", "batch", "floats", "raising"],
)
def test_a_planted_slip_of_an_impurity_is_caught(of: Any, options: dict[str, Any], said: str) -> None:
    assert said in broken(check_impurity, of, **{"examples": 50} | options)


def test_the_case_is_small_enough_to_read() -> None:
    assert broken(check_impurity, cubic, classes=2) == (
        "no split raises the impurity; got a decrease of -0.00167245 by the table [[0, 1], [1, 2]]; "
        "correct it, or do not ask for this law"
    )


def test_a_law_that_is_not_asked_for_is_not_tested() -> None:
    check_impurity(lambda p, m: p[0] * (1 - p[0]), symmetric=False, examples=8)
    check_impurity(with_a_constant, zero_at_vertices=False, examples=8)
    check_criterion(twoing, order_of_rows=False, examples=8)


# Criteria.


@pytest.mark.parametrize("criterion", CRITERIA[::8], ids=repr)
def test_the_criteria_of_the_library_pass(criterion: Criterion) -> None:
    check_criterion(criterion, examples=6)


def test_standardised_gains_pass_and_are_not_demanded_to_be_positive() -> None:
    check_criterion(sgini, examples=5)
    assert broken(check_criterion, sgini, nonnegative=True, examples=30).startswith("a score is not negative; got -")


@pytest.mark.parametrize(
    ("criterion", "options", "said"),
    [
        (Criterion("first", lambda t, m: t[0][0], degree=0), {}, "the order of the classes does not change the score"),
        (Criterion("first", lambda t, m: t[0][0] + t[0][1], degree=1, classes=2, rows=2), {}, "the order of the rows"),
        (Criterion("sum", lambda t, m: sum(map(sum, t)), degree=0), {}, "the score has degree 0; got 1"),
        (Criterion("minus", lambda t, m: -sum(map(sum, t)), degree=1), {"nonnegative": True}, "a score is not"),
        (Criterion("sum", lambda t, m: sum(map(sum, t))), {"zero_at_pure_nodes": True}, "a node of one class scores 0"),
        (Criterion("rows", lambda t, m: -len(t) + 0 * t[0][0]), {"refinement": True}, "a split of a row does not"),
        (Criterion("f", lambda t, m: 0 * t[0][0] + (m.name == "FLOAT")), {}, "floats agree with Fractions; got 1 for"),
        (Criterion("b", lambda t, m: 0 * t[0][0] + (np.ndim(t[0][0]) > 0)), {}, "a batch has the scores of its tables"),
    ],
    ids=range(8),
)  # fmt: skip
def test_a_planted_slip_of_a_criterion_is_caught(criterion: Criterion, options: dict[str, Any], said: str) -> None:
    assert said in broken(check_criterion, criterion, examples=12, **options)


# Trees.


@pytest.mark.parametrize("tree", [TreeClassifier(max_depth=3), TreeRegressor(max_depth=3),
                                  DecisionTreeClassifier(random_state=0, max_features=None),
                                  DecisionTreeRegressor(random_state=0)], ids=repr)  # fmt: skip
def test_trees_pass(tree: Any) -> None:
    exact = type(tree).__module__.startswith("splitcrit")
    check_tree(tree, examples=3, order_of_rows=exact, monotone=exact, weights=exact, features=2 if exact else 1)


class Wrong:
    """A tree with one slip."""

    def __init__(self, slip: str) -> None:
        self.slip = slip

    def fit(self, x: Any, y: Any, sample_weight: Any = None) -> Wrong:
        if self.slip == "order":
            x, y = x[: len(x) // 2 + 1], y[: len(y) // 2 + 1]
        if self.slip in ("weights", "order"):
            sample_weight = None
        self.scale = x.mean() if self.slip == "values" else None
        self.tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(self._seen(x), y, sample_weight)
        self.classes_ = self.tree.classes_
        self.shift = np.random.default_rng().random() / 100 if self.slip == "chance" else 0.0
        return self

    def _seen(self, x: Any) -> Any:
        return x if self.scale is None else np.where(x > self.scale, 1.0, 0.0)

    def predict_proba(self, x: Any) -> Any:
        p = self.tree.predict_proba(self._seen(x))
        if self.slip == "smooth":
            return (p + 0.1) / (1 + 0.1 * p.shape[1])
        return p * 1.01 if self.slip == "sum" else (p + self.shift) / (1 + self.shift * p.shape[1])

    def predict(self, x: Any) -> Any:
        least = self.predict_proba(x).argmin(axis=1)
        return self.classes_[least] if self.slip == "least" else self.tree.predict(self._seen(x))

    def apply(self, x: Any) -> Any:
        return self.tree.apply(self._seen(x))


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        pytest.param("sum", "probabilities add up to 1", marks=pytest.mark.slow),
        pytest.param("least", "the most probable class is predicted", marks=pytest.mark.slow),
        pytest.param("chance", "two fits to the same data agree", marks=pytest.mark.slow),
        pytest.param("order", "the order of the rows does not change the tree", marks=pytest.mark.slow),
        pytest.param("values", "an increasing function of a column does not change the tree", marks=pytest.mark.slow),
        pytest.param("smooth", "a leaf predicts the shares of its rows", marks=pytest.mark.slow),
        ("weights", "a row of weight 2 counts as two rows"),
    ],
)
def test_a_planted_slip_of_a_tree_is_caught(slip: str, said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_tree(Wrong(slip), examples=12, features=1)
    assert said in str(caught.value) and "x=[[" in str(caught.value) and len(str(caught.value)) < 600


class _Constant:
    """A tree that predicts one number, which may be nan or tossed, of ``shares`` classes if there are any."""

    def __init__(self, number: Any, shares: bool = False) -> None:
        self.number = number
        if shares:
            self.predict_proba = lambda x: np.full((len(x), len(self.classes_)), np.nan)

    def fit(self, x: Any, y: Any, sample_weight: Any = None) -> Any:
        self.classes_ = np.unique(y)
        return self

    def predict(self, x: Any) -> Any:
        return np.full(len(x), self.number())


def test_trees_that_predict_nan_or_toss_a_coin_are_caught() -> None:
    assert "probabilities add up to 1" in broken(check_tree, _Constant(lambda: 0, shares=True), examples=5)
    options = {"order_of_rows": False, "monotone": False, "weights": False}
    for coin in map(np.random.default_rng, range(4)):
        said = broken(check_tree, _Constant(lambda: coin.integers(2)), examples=20, **options)  # noqa: B023
        assert said.startswith("two fits to the same data agree; got ")
    assert "data agree; got nan and nan for" in broken(check_tree, _Constant(lambda: np.nan), examples=5)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: check_impurity(3), "an impurity, a loss or a function of(p, m) is checked; got 3; pass one"),
        (lambda: check_impurity(gini, examples=0), "examples is an integer from 1; got 0"),
        (lambda: check_impurity(gini, concave="yes"), "concave is True or False; got 'yes'"),
        (lambda: check_criterion(3), "a criterion"),
        (lambda: check_tree(gini), "a tree has a method fit; got None; pass an estimator"),
        (lambda: testing.class_counts(0), "the number of classes is an integer from 1; got 0"),
        (lambda: testing.tables(largest=-1), "the largest count is an integer from 1; got -1"),
    ],
    ids=range(7),
)
def test_bad_arguments_are_refused(call: Any, said: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert said in str(caught.value)
