"""A tree of tested splits as text."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor

X = np.arange(40.0)[:, None]
WORDS = np.repeat(["no", "yes"], 20)
CALIBRATED = (
    "Columns are compared by how unlikely their best splits are; p is from up to 999 random orders, so 0.001 or more."
)
SELECTIVE = (
    "In at most 5 % of data sets such a tree splits where y is unrelated to the features jointly. p: is any split real?"
)
EACH_NODE = "In at most 5 % of data sets such a tree splits its root where y is unrelated to the {}; "
OTHERS = "its other splits have no such bound. p: "


def test_a_line_for_each_branch() -> None:
    fitted = InferenceTreeClassifier(random_state=0).fit(X, WORDS)
    assert fitted.export_text(feature_names=["dose"]).splitlines() == [
        SELECTIVE,
        CALIBRATED,
        "|--- dose <= 19.5  (p = 0.001)",
        "|   |--- class: no (20 rows)",
        "|--- dose >  19.5",
        "|   |--- class: yes (20 rows)",
    ]


def test_what_was_tested_and_not_kept_is_said() -> None:
    labels = np.tile(["no", "yes"], 20)
    text = InferenceTreeClassifier(random_state=0).fit(X, labels).export_text()
    assert text.splitlines()[1:] == [CALIBRATED, "|--- class: no (40 rows; p = 1, not significant at 0.05)"]
    few = InferenceTreeClassifier(n_permutations=9, test="node", correction="permutation")
    assert few.fit(X, WORDS).export_text().splitlines() == [
        EACH_NODE.format("features jointly") + OTHERS + "is any split real?",
        "Columns are compared by their best gains; p is from up to 9 random orders, so 0.1 or more.",
        "|--- class: no (40 rows; p = 0.1, not testable at 0.05)",
    ]


def test_a_correction_that_names_the_feature_says_so() -> None:
    text = InferenceTreeClassifier(test="node", min_samples_leaf=20).fit(X, WORDS).export_text()
    assert text.splitlines()[:2] == [
        EACH_NODE.format("feature of that split") + OTHERS + "does y depend on this feature?",
        "|--- x0 <= 19.5  (p = 1.45e-11)",  # two of C(40, 20)
    ]
    other = InferenceTreeClassifier(test="node", correction="discrete").fit(X, WORDS).export_text()
    assert other.splitlines()[0] == EACH_NODE.format("features jointly") + OTHERS + "is any split real?"


def test_numbers_have_as_many_digits_as_asked() -> None:
    fitted = InferenceTreeRegressor(random_state=0, max_depth=1).fit(X / 1000, np.repeat([0.0, 12345.678], 20))
    assert fitted.export_text(digits=2).splitlines()[1:] == [
        CALIBRATED,
        "|--- x0 <= 0.019  (p = 0.001)",
        "|   |--- value: 0 (20 rows)",
        "|--- x0 >  0.019",
        "|   |--- value: 12346 (20 rows)",
    ]


def test_errors() -> None:
    with pytest.raises(NotFittedError):
        InferenceTreeClassifier().export_text()
    with pytest.raises(ValueError, match="digits is an integer from 1; got 0"):
        InferenceTreeClassifier().fit(X, WORDS).export_text(digits=0)
