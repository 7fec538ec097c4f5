"""Every bad input of the estimators is one sentence, before any work, and leaves them as they were.

Whatever is passed to any parameter is asked by `tests/contract`.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from splitcrit import (
    Criterion,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
    pairwise_gain,
    replace,
    sum_minority,
    twoing,
)

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0], [3.0, 4.0], [4.0, 2.0], [5.0, 3.0]])
Y2, Y3 = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 2, 2])


def changed(value: float) -> np.ndarray:
    x = X.copy()
    x[2, 1] = value
    return x


def raising(t: Any, m: Any) -> Any:
    raise RuntimeError("no idea")


def nan(t: Any, m: Any) -> Any:
    return t[0][0] * np.nan


def narrow(t: Any, m: Any) -> Any:
    return 1.0


@dataclass(frozen=True)
class Late:
    """A score that raises at its fourth call: in growth, past every look ahead."""

    calls: list[int]

    def __call__(self, t: Any, m: Any) -> Any:
        self.calls.append(1)
        if len(self.calls) > 3:
            raise RuntimeError("no more")
        return twoing.score(t, m)


FEATURES = {
    "too large": (dict(), changed(1e300), Y2, "float32 or NaN; got inf at row 2, column 1; drop"),
    "named column": (dict(), pd.DataFrame(changed(-1e300), columns=["a", "b"]), Y2, "row 2, column b;"),
    "words": (dict(), pd.DataFrame({"a": list("uvwxyz")}), Y2, "features are numbers; got 'u' in col"),
    "no rows": (dict(), X[:0], Y2[:0], r"0 sample\(s\)"),
    "sparse": (dict(), csr_array(changed(np.inf)), Y2, "sparse features are finite in float32; got inf"),
    "two outputs": (dict(), X, np.stack([Y2, Y3], axis=1), r"one output; got shape \(6, 2\); fit one"),
    "monotonic": (dict(monotonic_cst=[1, 0]), X, Y2, "monotonicity constraints are not supported"),
}  # fmt: skip
CASES = FEATURES | {
    "no columns": (dict(), X[:, :0], Y2, r"0 feature\(s\)"),
    "real labels": (dict(), X, X[:, 0] + 0.5, "Unknown label type"),
    "unknown name": (dict(criterion="ginny"), X, Y2, "'criterion' parameter of {} must be"),
    "a call as a text": (
        dict(criterion="ne(.5)"), X, Y2,
        r"'criterion' parameter of {} must be a name, an impurity or a criterion; got 'ne\(.5\)'; "
        r"pass criterion=ne\(.5\) itself, after `from splitcrit.impurities import ne`",
    ),
    "negative gain": (dict(min_gain=-1), X, Y2, "'min_gain' parameter of {} must be"),
    "classes": (dict(criterion=pairwise_gain), X, Y3, "pairwise_gain is defined for tables of 2 classes"),
    "rows": (dict(criterion=replace(twoing, rows=3)), X, Y2, "twoing is defined for tables of 3 rows"),
    "never positive": (dict(criterion=sum_minority), X, Y2, "sum_minority are never positive"),
    "raises": (dict(criterion=Criterion("mine", raising)), X, Y2, "of mine .*RuntimeError: no idea"),
    "nan": (dict(criterion=Criterion("mine", nan)), X, Y2, "mine gives a number for any counts; got nan"),
    "shape": (dict(criterion=Criterion("mine", narrow)), X, Y2, "mine gives a number .*; got .* of shape"),
}  # fmt: skip
FORESTS = {
    "voting": (dict(voting="loud"), X, Y2, "'voting' parameter of {} must be a str among"),
    "no samples": (dict(bootstrap=False, max_samples=0.5), X, Y2, "cannot be set if `bootstrap=False`"),
    "no bags": (dict(bootstrap=False, oob_score=True), X, Y2, "only available if bootstrap=True"),
}
ALL = {TreeClassifier: CASES, TreeRegressor: FEATURES, ForestClassifier: CASES | FORESTS, ForestRegressor: FEATURES}
TRIED = [(kind, name) for kind, cases in ALL.items() for name in cases]


@pytest.mark.parametrize(("kind", "name"), TRIED, ids=lambda x: getattr(x, "__name__", x))
def test_one_sentence_and_unfitted(kind: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for grown in ("grow", "grow_regression"):
        monkeypatch.setattr(f"splitcrit.trees.estimators.growing.{grown}", None)  # no work is begun
    parameters, x, y, said = (CASES | FORESTS)[name]
    model = kind(**parameters)
    before = dict(vars(model))
    with pytest.raises(ValueError) as info:
        model.fit(x, y)
    assert re.search(said.format(kind.__name__), str(info.value))
    assert "\n" not in str(info.value)
    assert vars(model) == before
    with pytest.raises(NotFittedError):
        check_is_fitted(model)


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


def test_a_sample_may_miss_a_class() -> None:
    y = np.array([0, 0, 0, 0, 0, 1])
    forest = ForestClassifier(10, max_samples=3, random_state=0).fit(X, y)
    assert min(tree.tree_.node_count for tree in forest) == 1
    assert forest.predict_proba(X).shape == (6, 2)
