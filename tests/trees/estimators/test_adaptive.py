"""Adaptive estimators choose a criterion on a hold-out of the training set by a stated rule; the curve is kept."""

import csv
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_digits

import splitcrit as sc
from scripts import script
from splitcrit import AdaptiveForestClassifier, AdaptiveTreeClassifier, ForestClassifier, TreeClassifier, decrease, ne
from splitcrit.trees import ValidationCurve
from splitcrit.trees.estimators.tuning import held_out

KINDS = {AdaptiveTreeClassifier: TreeClassifier, AdaptiveForestClassifier: partial(ForestClassifier, 5)}


@pytest.fixture(scope="module")
def noisy(cancer: tuple) -> tuple[np.ndarray, np.ndarray]:
    x, y = (part[::2] for part in cancer)
    return x, sc.symmetric(0.3).flip(y, rng=0)


def adaptive(kind: type, **parameters: object):  # type: ignore[no-untyped-def]
    trees = {} if kind is AdaptiveTreeClassifier else {"n_estimators": 5}
    return kind(random_state=3, **trees, **parameters)


# The choice.


@pytest.mark.each_value
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("rules", [{"max_features": 9, "draw": "varying"}, {"max_depth": 1, "min_samples_leaf": 20}])
def test_the_curve_is_of_plain_estimators_and_the_best_is_refitted(kind, rules, stratify, noisy):
    x, y = noisy
    found = adaptive(kind, stratify=stratify, **rules).fit(x, y)
    held = held_out(y, np.unique(y), 0.2, stratify, 3)
    assert held.mean() == pytest.approx(0.2, abs=2 / len(y))
    curve = found.validation_curve_
    assert curve.grid == (0, 0.25, 0.5, 0.75, 1)
    for lam, accuracy, leaves in zip(curve.grid, curve.accuracy, curve.leaves, strict=True):
        plain = KINDS[kind](criterion=ne(lam), random_state=3, **rules).fit(x[~held], y[~held])
        assert accuracy == plain.score(x[held], y[held])
        assert leaves == np.mean([tree.get_n_leaves() for tree in getattr(plain, "estimators_", [plain])])
    assert found.criterion_ == decrease(ne(found.best_parameter_))
    again = KINDS[kind](criterion=ne(found.best_parameter_), random_state=3, **rules).fit(x, y)
    assert_array_equal(found.predict_proba(x), again.predict_proba(x))
    kept = clone(found).set_params(refit=False).fit(x, y)
    assert kept.validation_curve_ == found.validation_curve_
    rest = KINDS[kind](criterion=ne(found.best_parameter_), random_state=3, **rules).fit(x[~held], y[~held])
    assert_array_equal(kept.predict_proba(x), rest.predict_proba(x))


def test_ties_go_to_the_fewest_leaves_then_to_the_first() -> None:
    grid = ("a", "b", "c", "d")
    assert ValidationCurve(grid, (0.5, 0.9, 0.9, 0.9), (1.0, 4.0, 3.0, 3.0)).best == 2
    assert ValidationCurve(grid, (0.5, 0.5, 0.5, 0.5), (3.0, 3.0, 3.0, 3.0)).best == 0
    assert ValidationCurve(grid, (0.5, 0.6, 0.5, 0.5), (3.0, 9.0, 3.0, 3.0)).best == 1


@pytest.mark.parametrize(
    ("family", "grid"),
    [
        (sc.gce, (0.1, 0.7)),
        (sc.imprecise_information_gain, (1, 2)),
        ({1: sc.gini, 2: sc.twoing}.get, [1, 2]),
        (str, ["gini", "sgini"]),
    ],
    ids=["gce", "credal", "table", "names"],
)
def test_any_family(family: object, grid: object, iris: tuple) -> None:
    for kind in KINDS:
        found = adaptive(kind, family=family, grid=grid).fit(*iris)
        assert found.best_parameter_ in grid
        assert isinstance(found.criterion_, sc.Criterion)
        assert found.score(*iris) > 0.9


def test_weights_count_on_the_hold_out_and_rows_without_weight_are_left_out(noisy: tuple) -> None:
    x, y = noisy
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    some = weights > 0
    first = AdaptiveTreeClassifier(random_state=0).fit(x, y, weights)
    second = AdaptiveTreeClassifier(random_state=0).fit(x[some], y[some], weights[some])
    assert first.validation_curve_ == second.validation_curve_
    assert_array_equal(first.predict(x), second.predict(x))
    held = held_out(y[some], np.unique(y), 0.2, True, 0)
    plain = TreeClassifier(criterion=ne(0), random_state=0).fit(x[some][~held], y[some][~held], weights[some][~held])
    assert first.validation_curve_.accuracy[0] == plain.score(x[some][held], y[some][held], weights[some][held])


def test_the_hold_out_has_its_share_of_every_class() -> None:
    codes = np.repeat([0, 1, 2], [100, 25, 2])
    held = held_out(codes, np.arange(3), 0.2, True, 0)
    assert np.bincount(codes[held]).tolist() == [20, 5, 1]
    assert np.bincount(codes[held_out(codes, np.arange(3), 0.9, True, 0)]).tolist() == [90, 22, 1]
    assert held_out(codes[:125], np.arange(2), 0.2, False, 0).sum() == 25
    assert (held_out(codes, np.arange(3), 0.2, True, 1) != held).any()


def test_a_random_state_that_is_drawn_from_goes_on(noisy: tuple) -> None:
    state = np.random.RandomState(0)
    curves = [AdaptiveTreeClassifier(random_state=state).fit(*noisy).validation_curve_ for _ in range(2)]
    assert curves[0] != curves[1]
    state = np.random.RandomState(0)
    assert AdaptiveTreeClassifier(random_state=state).fit(*noisy).validation_curve_ == curves[0]


# The interface.


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_parameters_and_repr(kind: type) -> None:
    found = adaptive(kind, grid=(0, 1))
    assert "grid=(0, 1)" in repr(found)
    added = {"family", "grid", "validation_fraction", "stratify", "refit"}
    assert set(found.get_params()) - set(KINDS[kind]().get_params()) == added
    assert not set(found.get_params()) & {"criterion", "warm_start"}


def test_a_second_fit_forgets_the_first(iris: tuple, noisy: tuple) -> None:
    found = AdaptiveTreeClassifier(random_state=0).fit(*noisy).fit(*iris)
    fresh = AdaptiveTreeClassifier(random_state=0).fit(*iris)
    assert set(vars(found)) == set(vars(fresh))
    assert_array_equal(found.predict(iris[0]), fresh.predict(iris[0]))


def test_a_measured_row_comes_out_again() -> None:
    report = script("adaptive")
    rows = csv.DictReader(report.REPORT.results.read_text(encoding="utf-8").splitlines())
    kept = next(r for r in rows if (r["data"], r["estimator"], r["rate"], r["seed"]) == ("digits", "tree", "0.4", "3"))
    found = report.judged("tree", report.TREES, *load_digits(return_X_y=True), rate=0.4, seed=3)
    assert {name: kept[name] for name in found} == {name: str(value) for name, value in found.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_groups_are_held_out_whole(kind: type) -> None:
    """Copies of a group on both sides of the hold-out would make trees that remember them look accurate."""
    rng = np.random.default_rng(0)
    groups = rng.permutation(np.repeat(np.arange(40), 5))
    x, y = rng.normal(size=(40, 3))[groups], rng.integers(0, 2, 40)[groups]
    names = np.array([f"patient {g}" for g in groups])
    by_rows, by_groups = adaptive(kind, grid=(0,)), adaptive(kind, grid=(0,))
    assert by_rows.fit(x, y).validation_curve_.accuracy[0] > 0.95
    assert by_groups.fit(x, y, groups=names).validation_curve_.accuracy[0] < 0.75
    with pytest.raises(ValueError, match="a group has one vote"):
        by_groups.fit(x, y, np.ones(200), groups=names)
    for seed in range(20):
        codes = rng.permutation(np.repeat([0, 1, 2], [100, 80, 20]))
        held = held_out(codes, np.arange(3), 0.2, True, seed, groups)
        assert not set(groups[held]) & set(groups[~held])
        assert held.sum() % 5 == 0 and 0 < held.sum() < 100
