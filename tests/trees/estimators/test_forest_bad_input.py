"""Every bad input of a forest is one sentence, before any tree is grown, and leaves the forest as it was."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from splitcrit import Criterion, ForestClassifier, ForestRegressor, pairwise_gain, sum_minority

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0], [3.0, 4.0], [4.0, 2.0], [5.0, 3.0]])
Y2, Y3 = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 2, 2])
INF = np.where(X == 5, np.inf, X)


def raising(t, m):  # type: ignore[no-untyped-def]
    raise RuntimeError("no idea")


CASES = {
    "too large": (dict(), 1e300 * X, Y2, ValueError, "float32 or NaN; got inf at row 0, column 1; drop"),
    "words": (dict(), pd.DataFrame({"a": list("uvwxyz")}), Y2, ValueError, "features are numbers; got 'u' in col"),
    "real labels": (dict(), X, X[:, 0] + 0.5, ValueError, "Unknown label type"),
    "sparse": (dict(), csr_array(INF), Y2, ValueError, "sparse features are finite in float32; got inf at row 2"),
    "two outputs": (dict(), X, np.stack([Y2, Y3], axis=1), ValueError, r"one output; got shape \(6, 2\); fit one"),
    "monotonic": (dict(monotonic_cst=[1, 0]), X, Y2, ValueError, "monotonicity constraints are not supported"),
    "voting": (dict(voting="loud"), X, Y2, ValueError, "'voting' parameter of ForestClassifier must be a str among"),
    "unknown name": (dict(criterion="ginny"), X, Y2, ValueError, "'criterion' parameter of ForestClassifier must be"),
    "negative gain": (dict(min_gain=-1), X, Y2, ValueError, "'min_gain' parameter of ForestClassifier must be"),
    "no trees": (dict(n_estimators=0), X, Y2, ValueError, "'n_estimators' parameter of ForestClassifier must be"),
    "classes": (dict(criterion=pairwise_gain), X, Y3, ValueError, "pairwise_gain is defined for tables of 2 classes"),
    "never positive": (dict(criterion=sum_minority), X, Y2, ValueError, "sum_minority are never positive"),
    "raises": (dict(criterion=Criterion("mine", raising)), X, Y2, ValueError, "of mine .*RuntimeError: no idea"),
    "no samples": (dict(bootstrap=False, max_samples=0.5), X, Y2, ValueError, "cannot be set if `bootstrap=False`"),
    "no bags": (dict(bootstrap=False, oob_score=True), X, Y2, ValueError, "only available if bootstrap=True"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_one_sentence_and_unfitted(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters, x, y, error, said = CASES[case]
    monkeypatch.setattr("splitcrit.trees.estimators.growing.grow", None)  # no tree is begun
    forest = ForestClassifier(**parameters)
    before = dict(vars(forest))
    with pytest.raises(error) as info:
        forest.fit(x, y)
    assert re.search(said, str(info.value))
    assert "\n" not in str(info.value)
    assert vars(forest) == before


@pytest.mark.parametrize("case", ["too large", "words", "sparse", "two outputs", "monotonic"])
def test_the_regressor_validates_alike(case: str) -> None:
    parameters, x, y, error, said = CASES[case]
    forest = ForestRegressor(**parameters)
    before = dict(vars(forest))
    with pytest.raises(error, match=said):
        forest.fit(x, y)
    assert vars(forest) == before


@pytest.mark.parametrize("weights", [np.zeros(6), -np.ones(6), np.full(6, np.nan), np.ones(5), np.full(6, 1e308)])
@pytest.mark.parametrize("kind", [ForestClassifier, ForestRegressor])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_bad_weights(kind: type, weights: np.ndarray, bootstrap: bool) -> None:
    with pytest.raises(ValueError, match=r"(?i)zero|negative|NaN|shape|sum of the weights"):
        kind(3, bootstrap=bootstrap).fit(X, Y2, weights)


def test_a_sample_may_miss_a_class() -> None:
    y = np.array([0, 0, 0, 0, 0, 1])
    forest = ForestClassifier(10, max_samples=3, random_state=0).fit(X, y)
    assert min(tree.tree_.node_count for tree in forest) == 1
    assert forest.predict_proba(X).shape == (6, 2)
