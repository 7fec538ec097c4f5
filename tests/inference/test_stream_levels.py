"""The evidence that the study of levels adds up label by label is the estimator's, at every row."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("river", reason="trees on streams are river's")

from reproductions.studies.stream_levels import ALPHA, LEVELS, WARM_UP, crossing, parts, rates, split_at
from splitcrit.inference import AnytimeTreeClassifier


@pytest.mark.parametrize("name", LEVELS)
def test_evidence_of_the_study_is_that_of_the_estimator(name: str) -> None:
    shares, columns = LEVELS[name]
    rng, n = np.random.default_rng(5), 220
    x, y = columns(rng, n), rng.choice(len(shares), n, p=shares)
    tree = AnytimeTreeClassifier(grace_period=10_000, leaf_prediction="mc")
    for i in range(n):
        tree.learn_one(dict(enumerate(x[i].tolist())), int(y[i]))
        if i >= WARM_UP:
            part, label, *more = parts(x[: i + 1], y[: i + 1])
            assert crossing(part, label, *more, np.inf)[2] == pytest.approx(tree._root.evidence.best(False).log_e)


@pytest.mark.parametrize("seed", range(3))
def test_the_study_splits_when_and_by_what_the_estimator_does(seed: int) -> None:
    x, y = rates(np.random.default_rng(seed), 0.3, 600)
    tree = AnytimeTreeClassifier(grace_period=1, leaf_prediction="mc", alpha=ALPHA)
    for i in range(len(x)):
        tree.learn_one(dict(enumerate(x[i].tolist())), int(y[i]))
        if tree.n_leaves > 1:
            break
    assert (i + 1, tree._root.feature) == split_at(x, y)
