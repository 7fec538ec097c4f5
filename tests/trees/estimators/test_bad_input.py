"""Every bad input of the estimators is one sentence, before any work, and leaves them as they were."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from splitcrit import Criterion, TreeClassifier, TreeRegressor, pairwise_gain, replace, sum_minority, twoing

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0], [3.0, 4.0], [4.0, 2.0], [5.0, 3.0]])
Y2, Y3 = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 2, 2])


def changed(value: float) -> np.ndarray:
    x = X.copy()
    x[2, 1] = value
    return x


def raising(t, m):  # type: ignore[no-untyped-def]
    raise RuntimeError("no idea")


def nan(t, m):  # type: ignore[no-untyped-def]
    return t[0][0] * np.nan


def narrow(t, m):  # type: ignore[no-untyped-def]
    return 1.0


@dataclass(frozen=True)
class Late:
    """A score that raises at its fourth call: in growth, past every look ahead."""

    calls: list

    def __call__(self, t, m):  # type: ignore[no-untyped-def]
        self.calls.append(1)
        if len(self.calls) > 3:
            raise RuntimeError("no more")
        return twoing.score(t, m)


CASES = {
    "too large": (dict(), changed(1e300), Y2, ValueError, "float32 or NaN; got inf at row 2, column 1; drop"),
    "named column": (dict(), pd.DataFrame(changed(-1e300), columns=["a", "b"]), Y2, ValueError, "row 2, column b;"),
    "words": (dict(), pd.DataFrame({"a": list("uvwxyz")}), Y2, ValueError, "features are numbers; got 'u' in col"),
    "no rows": (dict(), X[:0], Y2[:0], ValueError, r"0 sample\(s\)"),
    "no columns": (dict(), X[:, :0], Y2, ValueError, r"0 feature\(s\)"),
    "real labels": (dict(), X, X[:, 0] + 0.5, ValueError, "Unknown label type"),
    "sparse": (dict(), csr_array(changed(np.inf)), Y2, ValueError, "sparse features are finite in float32; got inf"),
    "two outputs": (dict(), X, np.stack([Y2, Y3], axis=1), ValueError, r"one output; got shape \(6, 2\); fit one"),
    "monotonic": (dict(monotonic_cst=[1, 0]), X, Y2, ValueError, "monotonicity constraints are not supported"),
    "unknown name": (dict(criterion="ginny"), X, Y2, ValueError, "'criterion' parameter of TreeClassifier must be"),
    "a call as a text": (
        dict(criterion="ne(.5)"), X, Y2, ValueError,
        r"'criterion' parameter of TreeClassifier must be a name, an impurity or a criterion; got 'ne\(.5\)'; "
        r"pass criterion=ne\(.5\) itself, after `from splitcrit.impurities import ne`",
    ),
    "no criterion": (dict(criterion=3), X, Y2, ValueError, "'criterion' parameter of TreeClassifier must be"),
    "negative gain": (dict(min_gain=-1), X, Y2, ValueError, "'min_gain' parameter of TreeClassifier must be"),
    "classes": (dict(criterion=pairwise_gain), X, Y3, ValueError, "pairwise_gain is defined for tables of 2 classes"),
    "rows": (dict(criterion=replace(twoing, rows=3)), X, Y2, ValueError, "twoing is defined for tables of 3 rows"),
    "never positive": (dict(criterion=sum_minority), X, Y2, ValueError, "sum_minority are never positive"),
    "raises": (dict(criterion=Criterion("mine", raising)), X, Y2, ValueError, "of mine .*RuntimeError: no idea"),
    "nan": (dict(criterion=Criterion("mine", nan)), X, Y2, ValueError, "mine gives a number for any counts; got nan"),
    "shape": (dict(criterion=Criterion("mine", narrow)), X, Y2, ValueError, "mine gives a number .*; got .* of shape"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_one_sentence_and_unfitted(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters, x, y, error, said = CASES[case]
    monkeypatch.setattr("splitcrit.trees.estimators.growing.grow", None)  # no work is begun
    tree = TreeClassifier(**parameters)
    with pytest.raises(error) as info:
        tree.fit(x, y)
    assert re.search(said, str(info.value))
    assert "\n" not in str(info.value)
    assert vars(tree) == {**TreeClassifier().get_params(), **parameters}
    with pytest.raises(NotFittedError):
        check_is_fitted(tree)


@pytest.mark.parametrize("case", ["too large", "words", "no rows", "sparse", "two outputs", "monotonic"])
def test_the_regressor_validates_alike(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters, x, y, error, said = CASES[case]
    monkeypatch.setattr("splitcrit.trees.estimators.growing.grow_regression", None)
    tree = TreeRegressor(**parameters)
    with pytest.raises(error, match=said):
        tree.fit(x, y)
    assert vars(tree) == {**vars(TreeRegressor()), **parameters}


def test_responses_are_finite_numbers() -> None:
    for y, said in (([0, 1, 2, 3, 4, np.nan], "y contains NaN"), (list("abcdef"), "responses are numbers; got 'a'")):
        with pytest.raises(ValueError, match=said):
            TreeRegressor().fit(X, y)
    with pytest.raises(ValueError, match="'criterion' parameter of TreeRegressor must be"):
        TreeRegressor(criterion="gini").fit(X, Y2)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.zeros(6), "zero"),
        (-np.ones(6), "(?i)negative"),
        (np.full(6, np.nan), "nan"),
        (np.ones(5), "shape"),
        (np.full(6, 1e308), "sum"),
    ],
)
def test_bad_weights(weights: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TreeClassifier().fit(X, Y2, weights)


def test_class_weights_that_leave_nothing() -> None:
    with pytest.raises(ValueError, match="some weight must be positive"):
        TreeClassifier(class_weight={0: 0, 1: 0}).fit(X, Y2)


def test_a_criterion_that_raises_in_growth_is_named_and_nothing_is_left() -> None:
    tree = TreeClassifier(criterion=Criterion("late", Late([])))
    with pytest.raises(ValueError, match=r"the formula of late gives a number .*RuntimeError: no more"):
        tree.fit(np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 2)
    assert not [name for name in vars(tree) if name.endswith("_")]


def test_a_fit_that_fails_keeps_the_last_that_did_not() -> None:
    tree = TreeClassifier().fit(X, Y2)
    before = dict(vars(tree))
    with pytest.raises(ValueError, match="Unknown label type"):
        tree.fit(X[:, :1], Y2 + 0.5)
    assert vars(tree) == before
    assert tree.predict(X).tolist() == Y2.tolist()


def test_a_class_may_lose_all_its_weight() -> None:
    tree = TreeClassifier().fit(X, Y2, sample_weight=Y2)
    assert tree.predict_proba(X).tolist() == [[0.0, 1.0]] * 6


def test_missing_values_are_no_bad_input() -> None:
    x = changed(np.nan)
    assert TreeClassifier().fit(x, Y3).score(x, Y3) == 1
