"""Models of quantiles: a response counts as above the quantile at its node, so that what moves the spread is shown."""

import json
from fractions import Fraction
from itertools import pairwise
from statistics import pvariance
from typing import Any

import lightgbm
import numpy as np
import pytest
import xgboost
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.node_moments import NodeLabels, inner, levels, moments, node_sums
from splitcrit.audits.passing_compiled import pass_rows
from splitcrit.audits.published_models import published_model
from splitcrit.trees.tree_arrays import Structure

RNG = np.random.default_rng(0)
X = RNG.normal(size=(1200, 4))
X[:, 0] = X[:, 0] > 0
Y = RNG.normal(size=1200) * (0.3 + 2 * X[:, 0])  # whose mean, and median, is 0 whatever the columns
MODELS: dict[str, tuple[Any, int]] = {
    "boosting": (GradientBoostingRegressor(loss="quantile", alpha=0.9, n_estimators=15), 1),
    "histograms": (HistGradientBoostingRegressor(loss="quantile", quantile=0.1, max_iter=15), 1),
    "LightGBM": (lightgbm.LGBMRegressor(objective="quantile", alpha=0.9, n_estimators=15, verbose=-1, n_jobs=1), 1),
    "XGBoost": (xgboost.XGBRegressor(objective="reg:quantileerror", quantile_alpha=0.9, n_estimators=15, n_jobs=1), 1),
    "two quantiles": (
        xgboost.XGBRegressor(objective="reg:quantileerror", quantile_alpha=[0.2, 0.9], n_estimators=15, n_jobs=1), 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_a_column_that_moves_the_spread_is_shown(name: str) -> None:
    model, outputs = MODELS[name]
    model.fit(X[:600], Y[:600])
    report = audit(model, X[600:], Y[600:])
    assert list(report.verdicts.values()) == [True, False, False, False]
    assert any("or the quantile predicted" in said for said in report.remarks)
    fitted = read_model(model)
    assert fitted.outputs == len(fitted.quantiles) == outputs
    counted = 0
    for number, tree, ends in zip(range(10), fitted.trees, fitted.ends(X[600:]), strict=False):
        s, below = tree.structure, np.eye(len(tree.structure.left), dtype=bool)
        for node in np.flatnonzero(s.left >= 0)[::-1]:
            below[node] |= below[s.left[node]] | below[s.right[node]]
        for node in np.flatnonzero(s.left >= 0):
            here = Y[600:][below[node, ends]]
            level = fitted.quantiles[tree.scored if outputs > 1 else 0]
            cut = np.quantile(here, level, method="inverted_cdf") if len(here) else 0.0
            sides = [Y[600:][below[side, ends]] for side in (s.left[node], s.right[node])]
            table = [[int((side <= cut).sum()), int((side > cut).sum())] for side in sides]
            mask = (report.splits.tree == number // outputs) & (report.splits.node == node)
            assert table in report.splits.tables[mask].tolist()
            counted += 1
    assert counted > 20


@pytest.mark.parametrize("level", [0.001, 0.25, 0.5, 0.9, 0.999])
def test_quantiles_at_nodes_are_those_of_numpy(level: float) -> None:
    left = np.array([1, -1, 3, -1, -1])
    ends = RNG.choice([1, 3, 4], 31)
    values = np.sort(RNG.integers(0, 9, 31)).astype(float)
    below = np.quantile(values[ends > 1], level, method="inverted_cdf")
    whole = np.quantile(values, level, method="inverted_cdf")
    places = np.ceil(level * np.array([31, 0, (ends > 1).sum(), 0, 0])).astype(int)
    cuts = np.where(places > 0, np.inf, 0)
    _, _, above = pass_rows(np.array([0, 0, 0, 2, 2]), left, ends, values, cuts, places)
    assert cuts.tolist() == [whole, 0, below, 0, 0]
    for child, cut in ((1, whole), (2, whole), (3, below), (4, below)):
        here = values[ends > 1] if child == 2 else values[ends == child]
        assert above[child].tolist() == [(here <= cut).sum(), (here > cut).sum()]


@pytest.mark.parametrize("alpha", ["[2E0]", "[0E0]", "[NaN]", "5", "[", '["a"]'])
def test_levels_that_are_none_are_refused(alpha: str) -> None:
    model = MODELS["XGBoost"][0].fit(X[:600], Y[:600])
    held = json.loads(bytes(model.get_booster().save_raw("json")))
    held["learner"]["objective"]["quantile_loss_param"]["quantile_alpha"] = alpha
    refused("or LightGBM's text; got a damaged text: ", published_model, held)


# Sums at nodes are those of a plain loop over the rows of scikit-learn's own paths.

ROWS = RNG.normal(size=(150, 3)).round(1)
CLASSES = (ROWS[:, 0] > 0) + RNG.integers(0, 2, 150)
TREE = DecisionTreeClassifier(max_depth=5, random_state=0).fit(ROWS, CLASSES)
NEW = RNG.normal(size=(80, 3)).round(1)
LABEL = RNG.integers(0, 3, 80)
PATH = TREE.decision_path(NEW).toarray().astype(bool)
STRUCTURE = Structure.of(TREE)


@pytest.mark.parametrize("times", [None, RNG.integers(0, 4, 80)])
def test_counts_are_those_of_a_loop_over_rows(times: np.ndarray | None) -> None:
    found = node_sums(STRUCTURE, TREE.apply(NEW), NodeLabels(LABEL, 3), times)
    for node in range(len(found)):
        counts = [0, 0, 0]
        for row in range(len(NEW)):
            if PATH[row, node]:
                counts[LABEL[row]] += 1 if times is None else int(times[row])
        assert found[node].tolist() == counts
    each = moments(found, NodeLabels(LABEL, 3))
    for node, counts in enumerate(found.round().astype(int).tolist()):
        shares = [Fraction(c, max(sum(counts), 1)) for c in counts]
        gini = sum(p * (1 - p) for p in shares)
        assert each.n[node] == sum(counts) and each.impurity[node] == pytest.approx(float(gini), rel=1e-13)


@pytest.mark.parametrize("centre", [0.0, 7.0])
def test_moments_of_numbers_are_those_of_a_loop_over_rows(centre: float) -> None:
    response = np.random.default_rng(1).integers(-9, 9, 80).astype(float)
    labels = NodeLabels(response - centre, None, centre)
    found = moments(node_sums(STRUCTURE, TREE.apply(NEW), labels), labels)
    for node in range(len(found.n)):
        mine = [Fraction(response[row]) for row in range(len(NEW)) if PATH[row, node]]
        assert found.n[node] == len(mine)
        if mine:
            assert found.mean[node, 0] == pytest.approx(float(sum(mine) / len(mine)), rel=1e-13, abs=1e-15)
            assert found.impurity[node] == pytest.approx(float(pvariance(mine)), rel=1e-12, abs=1e-12)


def test_levels_hold_every_split_once_below_its_parent() -> None:
    found = levels(STRUCTURE)
    assert sorted(np.concatenate(found).tolist()) == inner(STRUCTURE)[0].tolist()
    for above, below in pairwise(found):
        assert set(below.tolist()) <= {*STRUCTURE.left[above].tolist(), *STRUCTURE.right[above].tolist()}
