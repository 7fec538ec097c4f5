"""Small trees are grown without a compiler, and nobody sees which builder grew a tree."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from refusals import refused
from splitcrit import TreeClassifier, decrease, entropy, gini, sgini
from splitcrit.compiling import compiled_before
from splitcrit.criteria import as_criterion, normalised
from splitcrit.losses import ResponseLoss
from splitcrit.nulls import calibrated
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees import NAMES
from splitcrit.trees.growth import GrowthOptions, Stopping, by_reference
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.source_choice import SampleLayout, source_of
from splitcrit.trees.growth.training import Sparse, Training

DATA = {load.__name__: load(return_X_y=True) for load in (load_iris, load_wine)}
DATA["load_breast_cancer"] = tuple(part[::6] for part in load_breast_cancer(return_X_y=True))
OPTIONS: list[dict[str, Any]] = [
    {},
    {"splitter": "random", "random_state": 4},
    {"max_features": 2, "random_state": 1},
    {"max_features": 2, "draw": "varying", "random_state": 1},
    {"max_depth": 4, "min_samples_leaf": 3, "min_samples_split": 7},
    {"max_leaf_nodes": 6},
    {"min_gain": None},
    {"ccp_alpha": 0.01, "min_impurity_decrease": 0.001},
]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A process that has spent nothing, and has loaded no loops."""
    monkeypatch.setattr(by_reference, "_spent", [0.0])
    monkeypatch.setattr(by_reference, "LOOP", "no such module")
    monkeypatch.setattr(by_reference, "compiled_before", lambda: False)
    return monkeypatch


def both_agree(fresh: pytest.MonkeyPatch, tree: Any, x: Any, y: Any, weights: Any = None) -> None:
    """The reference builder and compiled loops grow a tree of the same bytes."""
    one = tree.fit(x, y, weights).tree_.__getstate__()
    assert by_reference._spent[0] > 0
    fresh.setattr(by_reference, "budget", lambda: 0.0)
    other = tree.fit(x, y, weights).tree_.__getstate__()
    assert one["nodes"].tobytes() == other["nodes"].tobytes() and one["values"].tobytes() == other["values"].tobytes()


@pytest.mark.parametrize("criterion", sorted({*NAMES} - {"calibrated", "sum_minority"}))
def test_both_builders_grow_the_same_tree(fresh: pytest.MonkeyPatch, criterion: str) -> None:
    x, y = DATA["load_breast_cancer" if as_criterion(NAMES[criterion]).classes == 2 else "load_iris"]
    both_agree(fresh, TreeClassifier(criterion=criterion), 1 + 2.0**-23 * np.rint(10 * x), y)  # of float32, too


@pytest.mark.each_value
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "sgini", "gain_ratio"])
def test_with_every_option_they_grow_the_same_tree(
    fresh: pytest.MonkeyPatch, criterion: str, options: dict[str, Any]
) -> None:
    """With weights and missing values, too."""
    x, y = (part[::2] for part in DATA["load_wine"])
    rng = np.random.default_rng(0)
    weights, lost = rng.integers(0, 3, len(y)), rng.random(x.shape) < (0.2 if criterion == "gini" else 0)
    both_agree(fresh, TreeClassifier(criterion=criterion, **options), np.where(lost, np.nan, x), y, weights)


def test_compiling_begins_when_the_work_has_added_up(fresh: pytest.MonkeyPatch) -> None:
    fresh.setattr(by_reference, "COMPILING", 800_000)
    x, y = DATA["load_wine"]
    spent = []
    while not spent or by_reference._spent[0] > spent[-1]:
        spent.append(by_reference._spent[0])
        TreeClassifier().fit(x, y)
    quarter = by_reference.COMPILING / 4
    assert len(spent) > 4 and quarter - 2 * spent[1] < by_reference._spent[0] <= quarter + spent[1]


def test_loops_that_lie_on_disk_are_waited_for_less(fresh: pytest.MonkeyPatch) -> None:
    assert by_reference.budget() == by_reference.COMPILING / 4
    fresh.setattr(by_reference, "compiled_before", lambda: True)
    assert by_reference.budget() == by_reference.LOADING / 4
    fresh.setattr(by_reference, "LOOP", "sys")
    assert by_reference.budget() == 0.0


def test_other_trees_are_left_to_the_loops(fresh: pytest.MonkeyPatch) -> None:
    for criterion, weights in (("calibrated", None), ("gini", np.linspace(0.5, 1.5, 178))):
        TreeClassifier(criterion=criterion).fit(*DATA["load_wine"], weights)
        assert by_reference._spent[0] == 0.0


def test_a_tree_that_turns_out_to_be_too_much_work_is_given_up(fresh: pytest.MonkeyPatch) -> None:
    x, y = DATA["load_wine"]
    fresh.setattr(by_reference, "expected_steps", lambda *_: 0.0)
    fresh.setattr(by_reference, "budget", lambda: 5_000.0)
    found = by_reference.grown_small(x.astype(np.float32), y, 3, decrease(gini), GrowthOptions(Stopping()), None)
    assert found is None and 5_000 < by_reference._spent[0] < 10_000


def test_a_deep_chain_needs_no_deep_recursion(fresh: pytest.MonkeyPatch) -> None:
    n = 1500
    x, y = np.arange(n, dtype=np.float32)[:, None], np.arange(n) % 2
    fresh.setattr(by_reference, "expected_steps", lambda *_: 0.0)
    fresh.setattr(by_reference, "budget", lambda: 1e9)
    tree = by_reference.grown_small(x, y, 2, decrease(gini), GrowthOptions(Stopping()), None)
    assert tree is not None and tree.depth.max() > 500


def test_a_cache_is_found_without_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not compiled_before()
    (tmp_path / "splitcrit").mkdir()
    (tmp_path / "splitcrit" / "grow_whole-12ab-34cd.nbc").touch()
    assert compiled_before()


# Which source grows a tree is decided in one place, and what none serves is refused there in one sentence.

GINI, OWN = decrease(gini), ResponseLoss("apart", lambda w, y, m: abs(w - y))
GUARDED = normalised(entropy, guarded=True)
COUNTS, PARTS, MANY = np.array([2.0, 1.0]), np.array([0.5, 1.0]), np.array([99.0, 1.0])
RANDOM = GrowthOptions(splitter="random")


def of_shape(n: int, d: int, classes: int, weights: Any = None, sparse: bool = False) -> Training:
    x = csr_array((n, d), dtype=np.float32) if sparse else np.zeros((n, d))
    return Training(Sparse.of(x) if sparse else x, np.zeros(n, np.int64), classes, weights)


def coded() -> GrowthOptions:
    return GrowthOptions(recoding=Recoding(np.array([3]), 4))


CASES: list[tuple[str, Training, Any, GrowthOptions]] = [
    ("PRESORTED", of_shape(2, 3, 2), GINI, GrowthOptions()),
    ("PRESORTED", of_shape(2, 3, 2), GINI, GrowthOptions(max_features=1)),
    ("LISTED", of_shape(2, 3, 2, COUNTS), GINI, GrowthOptions()),
    ("LISTED", of_shape(2, 3, 2), GINI, GrowthOptions(Stopping(min_weight_leaf=1.0))),
    ("LISTED", of_shape(2, 3, 2), GINI, RANDOM),
    ("LISTED", of_shape(2, 1, 3), GINI, coded()),
    ("CELLS", of_shape(2, 3, 2, sparse=True), GINI, RANDOM),
    ("LISTED", of_shape(2, 4, 0), "poisson", GrowthOptions(max_features=2)),
    ("CELLS", of_shape(2, 4, 0, sparse=True), "absolute_error", GrowthOptions()),
    ("PRESORTED", of_shape(2, 3, 2), normalised(entropy), GrowthOptions()),
    ("REFERENCE", of_shape(2, 3, 2), GUARDED, GrowthOptions()),
    ("LISTED", of_shape(2, 3, 2), calibrated(), GrowthOptions(max_features=1)),
    ("LISTED", of_shape(2, 3, 2, MANY), calibrated(entropy), GrowthOptions()),
    ("PRESORTED", of_shape(2, 3, 2, PARTS), GINI, GrowthOptions(Stopping(min_weight_leaf=0.5))),
    ("PRESORTED", of_shape(2, 3, 2, MANY), GINI, GrowthOptions(max_features=1)),
    ("CELLS", of_shape(2, 3, 2, PARTS, sparse=True), GINI, GrowthOptions()),
    ("REFERENCE", of_shape(2, 3, 2, MANY), sgini, GrowthOptions()),
    ("REFERENCE", of_shape(2, 3, 2, MANY), sgini, RANDOM),
    ("LISTED", of_shape(2, 1, 3, PARTS), GINI, coded()),
    ("PRESORTED", of_shape(5000, 4, 0), "squared_error", GrowthOptions(max_features=3)),
    ("LISTED", of_shape(5000, 10, 0), "squared_error", RANDOM),
    ("PRESORTED", of_shape(2, 4, 0), "poisson", GrowthOptions()),
    ("PRESORTED", of_shape(2, 4, 0), OWN, GrowthOptions()),
    ("LISTED", of_shape(2, 1, 0), "absolute_error", coded()),
    ("LISTED", of_shape(2, 4, 0), Calibrated("poisson"), GrowthOptions()),
]


@pytest.mark.parametrize(("kind", "training", "criterion", "growing"), CASES)
def test_each_training_set_has_one_source(kind, training, criterion, growing):
    layout, data = source_of(training, criterion, growing)
    assert layout is SampleLayout[kind]
    assert data is None or (training.classes > 0 and kind != "REFERENCE")


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
def test_what_no_source_serves_is_refused(training, criterion, growing, said):
    assert str(refused("; ", source_of, training, criterion, growing)) == said
