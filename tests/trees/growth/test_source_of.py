"""Which source grows a tree is decided in one place, and what none serves is refused there in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from splitcrit import decrease, entropy, gini, sgini
from splitcrit.criteria import normalised
from splitcrit.losses import ResponseLoss
from splitcrit.nulls import calibrated
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.growth import GrowthOptions, Stopping
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.source_choice import SampleLayout, source_of
from splitcrit.trees.growth.training import Sparse, Training

GINI, OWN = decrease(gini), ResponseLoss("apart", lambda w, y, m: abs(w - y))
GUARDED = normalised(entropy, guarded=True)
COUNTS, PARTS, MANY = np.array([2.0, 1.0]), np.array([0.5, 1.0]), np.array([99.0, 1.0])
RANDOM = GrowthOptions(splitter="random")


def of_shape(n: int, d: int, classes: int, weights: Any = None, sparse: bool = False) -> Training:
    x = csr_array((n, d), dtype=np.float32) if sparse else np.zeros((n, d))
    return Training(Sparse.of(x) if sparse else x, np.zeros(n, np.int64), classes, weights)


def coded(levels: int = 3, **options: Any) -> GrowthOptions:
    return GrowthOptions(recoding=Recoding(np.zeros((2, 1)), np.array([levels]), 4), **options)


CASES: list[tuple[str, Training, Any, GrowthOptions]] = [
    ("PRESORTED", of_shape(2, 3, 2), GINI, GrowthOptions()),
    ("PRESORTED", of_shape(2, 3, 2), sgini, GrowthOptions(max_features=1)),
    ("PRESORTED", of_shape(2, 3, 2), GINI, GrowthOptions(max_features=1)),
    ("LISTED", of_shape(2, 3, 2, COUNTS), GINI, GrowthOptions()),
    ("LISTED", of_shape(2, 3, 2), GINI, GrowthOptions(Stopping(min_weight_leaf=1.0))),
    ("LISTED", of_shape(2, 3, 2, COUNTS), GINI, RANDOM),
    ("LISTED", of_shape(2, 3, 2), GINI, RANDOM),
    ("LISTED", of_shape(2, 1, 3), GINI, coded()),
    ("CELLS", of_shape(2, 3, 2, sparse=True), GINI, RANDOM),
    ("LISTED", of_shape(2, 4, 0), "poisson", GrowthOptions(max_features=2)),
    ("LISTED", of_shape(150, 10, 0), "poisson", GrowthOptions(max_features=3)),
    ("CELLS", of_shape(2, 4, 0, sparse=True), "absolute_error", GrowthOptions()),
    ("PRESORTED", of_shape(2, 3, 2), normalised(entropy), GrowthOptions()),
    ("REFERENCE", of_shape(2, 3, 2), GUARDED, GrowthOptions()),
    ("LISTED", of_shape(2, 3, 2), calibrated(), GrowthOptions(max_features=1)),
    ("LISTED", of_shape(2, 1, 3, COUNTS), calibrated(sgini), coded()),
    ("LISTED", of_shape(2, 3, 2, MANY), calibrated(entropy), GrowthOptions()),
    ("PRESORTED", of_shape(2, 3, 2, PARTS), GINI, GrowthOptions(Stopping(min_weight_leaf=0.5))),
    ("PRESORTED", of_shape(2, 3, 2, MANY), GINI, GrowthOptions(max_features=1)),
    ("LISTED", of_shape(2, 3, 2, PARTS), GINI, RANDOM),
    ("CELLS", of_shape(2, 3, 2, PARTS, sparse=True), GINI, GrowthOptions()),
    ("REFERENCE", of_shape(2, 3, 2, MANY), sgini, GrowthOptions()),
    ("LISTED", of_shape(2, 1, 3), GINI, coded(max_features=1)),
    ("LISTED", of_shape(2, 1, 3), sgini, coded()),
    ("LISTED", of_shape(2, 1, 3), GINI, coded(stopping=Stopping(min_samples_leaf=2))),
    ("LISTED", of_shape(2, 1, 3), GINI, coded(stopping=Stopping(min_weight_leaf=2.0))),
    ("LISTED", of_shape(2, 1, 3, PARTS), GINI, coded()),
    ("LISTED", of_shape(2, 1, 3, COUNTS), GINI, coded()),
    ("LISTED", of_shape(2, 1, 3), GINI, coded(levels=5, splitter="random")),
    ("CELLS", of_shape(2, 3, 2, sparse=True), sgini, GrowthOptions()),
    ("PRESORTED", of_shape(4097, 4, 0), "squared_error", GrowthOptions()),
    ("PRESORTED", of_shape(5000, 4, 0), "squared_error", GrowthOptions(max_features=3)),
    ("LISTED", of_shape(5000, 10, 0), "squared_error", GrowthOptions(max_features=3)),
    ("LISTED", of_shape(5000, 10, 0), "squared_error", RANDOM),
    ("LISTED", of_shape(150, 10, 0), "absolute_error", GrowthOptions(max_features=3)),
    ("PRESORTED", of_shape(2, 4, 0), "poisson", GrowthOptions()),
    ("LISTED", of_shape(2, 4, 0), OWN, RANDOM),
    ("PRESORTED", of_shape(2, 4, 0), OWN, GrowthOptions()),
    ("LISTED", of_shape(2, 1, 0), "absolute_error", coded()),
    ("LISTED", of_shape(2, 1, 0), OWN, coded(splitter="random")),
    ("LISTED", of_shape(2, 4, 0), Calibrated("poisson"), GrowthOptions()),
    ("LISTED", of_shape(2, 1, 0), Calibrated("absolute_error"), coded()),
]


@pytest.mark.parametrize(("kind", "training", "criterion", "growing"), CASES)
def test_each_training_set_has_one_source(
    kind: str, training: Training, criterion: Any, growing: GrowthOptions
) -> None:
    found, data = source_of(training, criterion, growing)
    assert found is SampleLayout[kind]
    assert (data is not None) == (training.classes > 0 and kind != "REFERENCE")


KNOWN = "calibrated compares all splits of dense features in memory; got {}; pass another criterion"
REFUSED: list[tuple[Training, Any, GrowthOptions, str]] = [
    (of_shape(2, 3, 2), calibrated(), RANDOM, KNOWN.format("random thresholds")),
    (of_shape(2, 3, 2, sparse=True), calibrated(), GrowthOptions(), KNOWN.format("sparse features")),
    (
        of_shape(2, 3, 2), GUARDED, RANDOM,
        f"{GUARDED!r} compares all thresholds of a node; got splitter='random'; pass splitter='best', or leave the "
        "guard out",
    ),
    (
        of_shape(2, 3, 2, sparse=True), GUARDED, GrowthOptions(),
        f"{GUARDED!r}, which compiled loops do not score, is searched in dense features; got sparse features; pass "
        "X.toarray()",
    ),
    (
        of_shape(2, 3, 2), calibrated(GUARDED), GrowthOptions(),
        f"calibrated compares columns where splits are scored by machine code; got {GUARDED!r}; pass it alone, or one "
        "of + - * /, powers and functions of m, without a guard",
    ),
    (
        of_shape(2, 3, 2, PARTS), calibrated(), GrowthOptions(),
        "calibrated() permutes samples and needs weights that are counts; got 0.5; pass integers, or another criterion",
    ),
    (
        of_shape(2, 3, 0, sparse=True), OWN, GrowthOptions(),
        "a loss of responses is searched in dense features; got sparse features; pass X.toarray()",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("training", "criterion", "growing", "said"), REFUSED)
def test_what_no_source_serves_is_refused(
    training: Training, criterion: Any, growing: GrowthOptions, said: str
) -> None:
    with pytest.raises(ValueError) as refused:
        source_of(training, criterion, growing)
    assert str(refused.value) == said
