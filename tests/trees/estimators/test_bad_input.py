"""Every bad input of the estimators is one sentence, before any work, and leaves them as they were.

Whatever is passed to any parameter is asked by `tests/contract`.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier
from sklearn.metrics import accuracy_score, r2_score

import splitcrit as sc
from refusals import refused
from splitcrit import AdaptiveTreeClassifier, Criterion, ForestClassifier, TreeClassifier, TreeRegressor, twoing
from splitcrit.trees import MultiwayTreeClassifier

X = np.random.default_rng(0).normal(size=(30, 3))
Y, Y3 = np.arange(30) // 3 % 2, np.arange(30) % 3
FEW = {"n_estimators": 3, "random_state": 0}
PLAIN = [TreeClassifier(), ForestClassifier(**FEW)]
ADAPTIVE = [AdaptiveTreeClassifier(random_state=0), sc.AdaptiveForestClassifier(**FEW)]
CLASSIFIERS = [*PLAIN, *ADAPTIVE, MultiwayTreeClassifier()]
REGRESSORS = [TreeRegressor(), sc.ForestRegressor(**FEW)]
WEIGHTED = [*PLAIN, *ADAPTIVE, *REGRESSORS]


fails = partial(refused, error=(ValueError, TypeError))


def kind(model: Any) -> str:
    return type(model).__name__


def changed(value: float) -> np.ndarray:
    x = X.copy()
    x[2, 1] = value
    return x


def holes(values: Any) -> Any:
    return np.ma.array(values, mask=np.arange(np.size(values)).reshape(np.shape(values)) % 5 == 0)


def raising(t: Any, m: Any) -> Any:
    raise RuntimeError("no idea")


def nan(t: Any, m: Any) -> Any:
    return t[0][0] * np.nan


@dataclass(frozen=True)
class Late:
    """A score that raises at its fourth call: in growth, past every look ahead."""

    calls: list[int]

    def __call__(self, t: Any, m: Any) -> Any:
        self.calls.append(1)
        if len(self.calls) > 3:
            raise RuntimeError("no more")
        return twoing.score(t, m)


DATES = np.full((30, 1), "2020-01-01", dtype="M8[D]")
DATA = {  # of every estimator
    "words": (pd.DataFrame({"a": list("uvwxyz") * 5}), Y, "features are numbers; got 'u' in col"),
    "no rows": (X[:0], Y[:0], r"0 sample\(s\)"),
    "no columns": (X[:, :0], Y, r"0 feature\(s\)"),
    "masked features": (holes(X), Y, "no masked entries"),
    "ragged features": ([[1.0, 2.0], [3.0]] * 15, Y, "."),
    "complex features": (X + 1j, Y, r"features are real numbers; got dtype complex128 \(Complex data not supported\)"),
    "dates": (DATES, Y, r"features are numbers; got dtype datetime64\[D\]; encode them first"),
    "durations": (DATES - DATES, Y, "features are numbers; got dtype timedelta64"),
    "one label": (X, 3, "y has one entry for each row; got a single int; pass a list"),
    "complex labels": (X, Y + 1j, r"y holds words or real numbers; got dtype complex128 \(Complex data"),
    "too few labels": (X, Y[:-1], "."),
    "masked labels": (X, holes(Y), "no masked entries"),
    "missing labels": (X, np.where(Y == 1, np.nan, 0), "."),
    "infinite labels": (X, np.where(Y == 1, np.inf, 0), "infinity|inf"),
    "two outputs": (X, np.stack([Y, Y3], axis=1), r"one output; got shape \(30, 2\); fit one"),
    "sparse labels": (X, csr_array(np.stack([Y, Y], axis=1)), "."),
}
CLASSES = {"real labels": (X, X[:, 0] + 0.5, "Unknown label type")}
RESPONSES = {
    "words": (X, ["a", "b"] * 15, "responses are (real )?numbers; got ('a'|an array of <U1)"),
    "objects": (X, np.array(["a", 1] * 15, dtype=object), "responses are (real )?numbers; got 'a'"),
}
GIVEN = {  # parameters, by those whose they are
    "sparse": (WEIGHTED, {}, csr_array(changed(np.inf)), Y, "sparse features are finite in float64; got inf"),
    "monotonic": ([*PLAIN, *REGRESSORS], {"monotonic_cst": [1, 0, 0]}, X, Y, "monotonicity constraints are not supp"),
    "unknown name": (PLAIN, {"criterion": "ginny"}, X, Y, "'criterion' parameter of {} must be"),
    "a call as a text": (
        PLAIN, {"criterion": "ne(.5)"}, X, Y,
        r"'criterion' parameter of {} must be a name, an impurity or a criterion; got 'ne\(.5\)'; "
        r"pass criterion=ne\(.5\) itself, after `from splitcrit.impurities import ne`",
    ),
    "negative gain": (PLAIN, {"min_gain": -1}, X, Y, "'min_gain' parameter of {} must be"),
    "classes": (PLAIN, {"criterion": sc.pairwise_gain}, X, Y3, "pairwise_gain is defined for tables of 2 classes"),
    "rows": (PLAIN, {"criterion": sc.replace(twoing, rows=3)}, X, Y, "twoing is defined for tables of 3 rows"),
    "never positive": (PLAIN, {"criterion": sc.sum_minority}, X, Y, "sum_minority are never positive"),
    "raises": (PLAIN, {"criterion": Criterion("mine", raising)}, X, Y, "of mine .*RuntimeError: no idea"),
    "nan": (PLAIN, {"criterion": Criterion("mine", nan)}, X, Y, "mine gives a number for any counts; got nan"),
    "shape": (PLAIN, {"criterion": Criterion("mine", lambda *_: 1.0)}, X, Y, "mine gives a number .*; got .* of shape"),
    "voting": (PLAIN[1:], {"voting": "loud"}, X, Y, "'voting' parameter of {} must be a str among"),
    "no samples": (PLAIN[1:], {"bootstrap": False, "max_samples": 0.5}, X, Y, "cannot be set if `bootstrap=False`"),
    "no bags": (PLAIN[1:], {"bootstrap": False, "oob_score": True}, X, Y, "only available if bootstrap=True"),
    "empty grid": (ADAPTIVE, {"grid": ()}, X, Y, "grid has at least one .*; got an empty grid; pass values"),
    "lam below 0": (ADAPTIVE, {"grid": (-1,)}, X, Y, "lam of the NE loss is non-negative and finite; got -1"),
    "lam infinite": (ADAPTIVE, {"grid": (np.inf,)}, X, Y, "lam of the NE loss is non-negative and finite; got inf"),
    "lam a word": (ADAPTIVE, {"grid": ("a",)}, X, Y, "family makes .* of each value of the grid; got TypeError at 'a'"),
    "no criterion": (ADAPTIVE, {"family": lambda value: None}, X, Y, "family makes .* got TypeError at 0.0; correct"),
    "fraction": (ADAPTIVE, {"validation_fraction": 1.0}, X, Y, "'validation_fraction' parameter of {} must be a float"),
    "one row": (
        ADAPTIVE, {}, X, np.where(np.arange(30) > 28, "b", "a"), "got 30 samples with none of class 'b' in the .*; pass"
    ),
    "held out as a whole": (
        ADAPTIVE, {"stratify": False}, X, np.arange(30) > 28, "got .* with none of class True in the .*; pass"
    ),
    "a class that is not there": (WEIGHTED[:4], {"class_weight": {5: 2}}, X, Y, "not in class_weight"),
    "no class": (WEIGHTED[:4], {"class_weight": {0: 0, 1: 0}}, X, Y, "some weight must be positive"),
    "unknown weights": (WEIGHTED[:4], {"class_weight": "equal"}, X, Y, "'class_weight' parameter of"),
}  # fmt: skip
CASES = {
    f"{kind(model)}, {name}": (model, {}, *given)
    for models, cases in ((CLASSIFIERS + REGRESSORS, DATA), (CLASSIFIERS, CLASSES), (REGRESSORS, RESPONSES))
    for model in models
    for name, given in cases.items()
} | {f"{kind(model)}, {name}": (model, *given) for name, (models, *given) in GIVEN.items() for model in models}


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("splitcrit.trees.estimators.growing.grow", None)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("case", CASES)
def test_one_sentence_and_unfitted(case: str) -> None:
    plain, parameters, x, y, said = CASES[case]
    model = clone(plain).set_params(**parameters)
    before = dict(vars(model))
    fails(said.format(kind(model)), model.fit, x, y)
    assert vars(model) == before


@pytest.mark.filterwarnings("ignore:X has feature names")
@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS, ids=kind)
def test_a_fit_that_fails_keeps_the_last_that_did_not_which_refuses_the_same(model: Any) -> None:
    old = clone(model).fit(X, Y)
    before = dict(vars(old))
    for x, y, said in DATA.values():
        fails(said, old.fit, x, y)
        fails(".", *((old.predict, x) if y is Y else (old.score, x, y)))
    assert vars(old) == before
    for y, what in ((Y.astype(str), "words"), (Y.astype("M8[D]"), "dates")):
        said = f"labels are numbers, as in fit; got {what}; convert y first" if is_classifier(model) else "responses"
        fails(said, old.score, X, y)


@pytest.mark.parametrize("model", WEIGHTED, ids=kind)
def test_weights_are_one_for_each_row_and_not_all_zero(model: Any) -> None:
    old = clone(model).fit(X, Y)
    for bad in (np.nan, np.zeros(30), -np.ones(30), np.ones(29), np.ones((30, 1)), [], {0: 1}):
        new = clone(model)
        before = dict(vars(new))
        fails(".", new.fit, X, Y, sample_weight=bad)
        assert vars(new) == before
        fails(".", old.score, X, Y, bad)
    fails("sum", clone(model).fit, X, Y, np.full(30, 1e308))


def test_a_criterion_that_raises_in_growth_is_named_and_nothing_is_left() -> None:
    tree = TreeClassifier(criterion=Criterion("late", Late([])))
    fails(r"the formula of late gives a number .*RuntimeError: no more", tree.fit, X, Y)
    assert not [name for name in vars(tree) if name.endswith("_")]


# What is odd, and right.


def test_a_class_may_lose_all_its_weight_or_not_be_there() -> None:
    tree = TreeClassifier().fit(X, Y, sample_weight=Y)
    assert tree.predict_proba(X).tolist() == [[0.0, 1.0]] * 30
    more, same = (TreeClassifier(class_weight={0: 1, 1: 2, **one}).fit(X, Y) for one in ({5: 2}, {}))
    assert np.array_equal(more.tree_.threshold, same.tree_.threshold)
    forest = ForestClassifier(10, max_samples=3, random_state=0).fit(X[:6], [0, 0, 0, 0, 0, 1])
    assert min(tree.tree_.node_count for tree in forest) == 1
    assert forest.predict_proba(X).shape == (30, 2)


# Odd features, labels and parameters that are right: what is answered.

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(30, 3)).astype(np.float32).astype(float)
CLASSES_OF_ROWS = (ROWS[:, 0] + 0.3 * RNG.normal(size=30) > 0).astype(int)


@pytest.mark.parametrize("model", [*WEIGHTED, MultiwayTreeClassifier()], ids=kind)
def test_score_is_that_of_scikit_learn(model: Any) -> None:
    fitted, weights = clone(model).set_params(max_depth=1).fit(ROWS, CLASSES_OF_ROWS), RNG.random(30)
    theirs = accuracy_score if is_classifier(model) else r2_score
    for w in (None, weights, weights * 1e-300):
        expected = theirs(CLASSES_OF_ROWS, fitted.predict(ROWS), sample_weight=w)
        assert fitted.score(ROWS, CLASSES_OF_ROWS, w) == pytest.approx(expected, rel=1e-12)
    even = fitted.score(ROWS, CLASSES_OF_ROWS)
    assert fitted.score(ROWS, CLASSES_OF_ROWS, np.full(30, 1e308)) == pytest.approx(even, rel=1e-12)


def test_large_responses_have_a_score() -> None:
    tree, y = TreeRegressor(max_depth=1), RNG.normal(size=30)
    expected = tree.fit(ROWS, y).score(ROWS, y)
    assert tree.fit(ROWS, y * 2.0**400).score(ROWS, y * 2.0**400) == expected < 1
    assert tree.score(ROWS, y * 2.0**900) < 0.1


def test_a_thousand_classes() -> None:
    x, y = np.arange(2000.0)[:, None], np.repeat(np.arange(1000), 2)
    assert TreeClassifier(criterion="entropy").fit(x, y).score(x, y) == 1


LARGE = [2**31, 2**63, 2**70]


@pytest.mark.each_value
@pytest.mark.parametrize("large", LARGE)
@pytest.mark.parametrize("model", WEIGHTED, ids=kind)
def test_large_numbers_are_as_large_as_the_data(model: Any, large: int) -> None:
    for splitter in ("best", "random"):
        plain = clone(model).set_params(splitter=splitter, random_state=0)
        expected = plain.fit(ROWS, CLASSES_OF_ROWS).predict(ROWS)
        for parameter in ("max_depth", "max_leaf_nodes", "max_features"):
            other = clone(plain).set_params(max_features=None)
            same = clone(other).fit(ROWS, CLASSES_OF_ROWS).predict(ROWS) if parameter == "max_features" else expected
            chosen = other if parameter == "max_features" else clone(plain)
            found = chosen.set_params(**{parameter: large}).fit(ROWS, CLASSES_OF_ROWS).predict(ROWS)
            assert np.array_equal(found, same), parameter
        for parameter in ("min_samples_split", "min_samples_leaf"):
            fitted = clone(plain).set_params(**{parameter: large}).fit(ROWS, CLASSES_OF_ROWS)
            assert {tree.get_depth() for tree in getattr(fitted, "estimators_", [fitted])} == {0}, parameter
