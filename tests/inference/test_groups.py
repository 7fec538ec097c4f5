"""Selective trees of rows that come in groups: levels, refusals, leaves; selections with groups in a pipeline."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn import config_context
from sklearn.pipeline import make_pipeline

from splitcrit import TreeClassifier
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, SplitSelector

PATIENT = np.repeat(np.arange(60), 5)


def patients(seed: int, effect: float = 0.0) -> dict[str, Any]:
    """Sixty patients of five rows: columns, labels constant in groups, flipped, of three classes, and numbers."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=(60, 3))
    label = (rng.normal(size=60) + effect * u[:, 0] > 0).astype(int)[PATIENT]
    flipped = np.where(rng.random(300) < 0.1, 1 - label, label)
    three = np.where(rng.random(300) < 0.2, 2, flipped)
    numbers = (rng.normal(size=60) + effect * u[:, 0])[PATIENT] + rng.normal(size=300)
    return {"x": u[PATIENT], "label": label, "flipped": flipped, "three": three, "numbers": numbers}


TREES = {
    "label": InferenceTreeClassifier(random_state=0, n_permutations=199),
    "flipped": InferenceTreeClassifier(random_state=0, n_permutations=199),
    "three": InferenceTreeClassifier(random_state=0, n_permutations=99, max_depth=2),
    "numbers": InferenceTreeRegressor(random_state=0, n_permutations=199),
}


@pytest.mark.parametrize("labels", list(TREES))
def test_trees_hold_their_level_under_groups_and_find_what_is_there(labels: str) -> None:
    def grows(data: dict[str, Any]) -> bool:
        return bool(TREES[labels].fit(data["x"], data[labels], groups=PATIENT).get_depth() > 0)

    rejected = sum(grows(patients(seed)) for seed in range(30))
    assert binom.sf(rejected - 1, 30, 0.05) > 1e-3
    assert sum(grows(patients(seed, 3.0)) for seed in range(4)) >= 3


def test_without_groups_they_do_not() -> None:
    each = [(patients(seed)["x"], patients(seed)["flipped"]) for seed in range(20)]
    rejected = sum(TREES["flipped"].fit(x, y).get_depth() > 0 for x, y in each)
    assert binom.sf(rejected - 1, 20, 0.05) < 1e-3


def test_a_tree_of_groups_is_the_tree_of_one_row_a_group() -> None:
    data = patients(1, 2.0)
    by_groups = InferenceTreeClassifier(random_state=0).fit(data["x"], data["label"], groups=PATIENT)
    alone = InferenceTreeClassifier(random_state=0).fit(data["x"][::5], data["label"][::5])
    np.testing.assert_array_equal(by_groups.tree_.threshold, alone.tree_.threshold)
    np.testing.assert_array_equal(by_groups.pvalues_, alone.pvalues_)
    shares = InferenceTreeClassifier(random_state=0).fit(data["x"], data["flipped"], groups=PATIENT)
    leaf = shares.apply(data["x"])
    seen = [data["flipped"][leaf == at].mean() for at in leaf]  # equal sizes: votes are rows
    np.testing.assert_allclose(shares.predict_proba(data["x"])[:, 1], seen)
    assert "Rows come in 60 groups" in shares.export_text()


def test_refusals_name_the_column_and_the_remedy() -> None:
    data = patients(0)
    frame = pd.DataFrame(data["x"], columns=["a", "b", "c"]).assign(c=np.arange(300.0))
    with pytest.raises(ValueError, match="got c, which is not; leave it out, or pass one row a group"):
        InferenceTreeRegressor().fit(frame, data["numbers"], groups=PATIENT)
    with pytest.raises(ValueError, match="a group has one vote"):
        InferenceTreeClassifier().fit(data["x"], data["label"], np.ones(300), groups=PATIENT)


def test_groups_are_routed_as_scikit_learn_does() -> None:
    data = patients(0, 2.0)
    with config_context(enable_metadata_routing=True):
        selector = SplitSelector(alpha=0.2).set_fit_request(groups=True)
        found = make_pipeline(selector, TreeClassifier()).fit(data["x"], data["label"], groups=PATIENT)
    alone = SplitSelector(alpha=0.2).fit(data["x"], data["label"], groups=PATIENT)
    assert found[0].pvalues_.tolist() == alone.pvalues_.tolist()
