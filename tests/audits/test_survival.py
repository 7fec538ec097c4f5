"""Audits of survival: partial likelihood ratios against loops and enumerations, models that predict it, and errors."""

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
import xgboost
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import oracles
from nulls.test_evalues import looped as looped_pairs
from refusals import refused
from splitcrit import rank_features
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.node_moments import risk_tables
from splitcrit.columns import log_rank, ranks
from splitcrit.inference import InferenceTreeRegressor
from splitcrit.nulls.evalues import SIZES, log_ratios, mean_evalues
from splitcrit.trees.tree_arrays import Structure

WEIGHTS = np.array([1, 1, 12, 1, 1]) / 16


def people(seed: int, n: int = 200, effect: float = 1.0) -> tuple[Any, Any]:
    """Five columns, of which the first moves events and the second censoring; times are rounded, and tie."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5))
    x[:, :2] = x[:, :2] > 0
    time, until = rng.exponential(np.exp(-effect * x[:, 0])), rng.exponential(0.5 + 2 * x[:, 1])
    return x, np.column_stack([np.minimum(time, until).round(1), time <= until])


X, Y = people(0)
NEW, LATER = people(1)


def looped_splits(tree: Any, x: Any, y: Any, risk: Any) -> dict[int, Any]:
    """The logarithms of E of each split by loops over nodes and times; ``risk`` is how early events are at nodes."""
    path, t, logs = tree.decision_path(x).toarray() > 0, tree.tree_, {}
    for v in np.flatnonzero(t.children_left >= 0):
        left, right = t.children_left[v], t.children_right[v]
        sign, logs[v] = np.sign(risk[left] - risk[right]), np.zeros(len(SIZES))
        for time in np.unique(y[path[:, v] & (y[:, 1] > 0), 0]):
            at_risk = path[:, v] & (y[:, 0] >= time)
            died = at_risk & (y[:, 0] == time) & (y[:, 1] > 0)
            n, d, m = (int(some.sum()) for some in (at_risk, died, at_risk & path[:, left]))
            x = int((died & path[:, left]).sum())
            logs[v] += [oracles.log_tilted(x, n, d, m, sign * size) for size in SIZES]
    return logs


def looped(tree: Any, x: Any, y: Any, risk: Any) -> Any:
    """E of each feature."""
    logs = np.zeros((x.shape[1], len(SIZES)))
    for v, of_split in looped_splits(tree, x, y, risk).items():
        logs[tree.tree_.feature[v]] += of_split
    return np.exp(logs) @ WEIGHTS


class SurvivalAnalysisMixin:
    """The name by which scikit-survival's models are known."""


class SurvivalTree(SurvivalAnalysisMixin, BaseEstimator):
    """As scikit-survival's: at each node and time a cumulative hazard and a share of survivors; no impurity."""

    def __init__(self, tree: Any, memory: bool) -> None:
        self.tree, self.memory, self.tree_, self.n_features_in_ = tree, memory, self, tree.n_features_in_
        t = tree.tree_
        self.children_left, self.children_right, self.feature = t.children_left, t.children_right, t.feature
        self.threshold, self.n_node_samples = t.threshold, t.n_node_samples
        self.weighted_n_node_samples, self.impurity = t.weighted_n_node_samples, np.full(t.node_count, np.inf)
        hazard = t.value[:, 0, 0] - t.value.min()
        steps = np.stack([hazard / 3, 2 * hazard / 3], axis=1)
        self.value = np.stack([steps, np.exp(-steps)], axis=2) if memory else hazard[:, None, None]
        self.n_outputs_ = self.value.shape[1]

    def apply(self, x: Any) -> Any:
        if x.dtype != np.float32:
            raise ValueError("X.dtype should be np.float32")
        return self.tree.apply(x)

    def fit(self, x: Any, y: Any) -> Any:
        raise AssertionError("nobody asks a simulated model")

    predict = fit


class SurvivalForest(SurvivalAnalysisMixin, BaseEstimator):
    def __init__(self, trees: list[SurvivalTree]) -> None:
        self.trees = self.estimators_ = trees
        self.n_features_in_, self.n_outputs_ = trees[0].n_features_in_, trees[0].n_outputs_

    apply = fit = predict = SurvivalTree.fit


def grown(depth: int = 3, seed: int = 0) -> Any:
    return DecisionTreeRegressor(max_depth=depth, max_features=2, random_state=seed).fit(X, log_rank(Y))


@pytest.mark.parametrize("memory", [True, False])
def test_trees_of_scikit_survival_have_the_e_values_of_a_loop(memory: bool) -> None:
    trees = [grown(seed=seed) for seed in range(3)]
    single, forest = SurvivalTree(trees[0], memory), SurvivalForest([SurvivalTree(tree, memory) for tree in trees])
    each = [looped(tree, NEW, LATER, tree.tree_.value[:, 0, 0]) for tree in trees]
    assert audit(single, NEW, LATER).evalues == pytest.approx(each[0], rel=1e-8)
    report = audit(forest, NEW, LATER)
    assert report.evalues == pytest.approx(np.mean(each, axis=0), rel=1e-8)
    assert report.library == "scikit-survival" and report.importances.mdi is None and report.verdicts["x0"]
    assert [tree.rows is not None for tree in read_model(forest).trees] == [True] * 3
    assert (report.most >= report.evalues * (1 - 1e-9)).all()


def test_other_models_of_survival_are_audited_by_the_same_ratios() -> None:
    forest = RandomForestRegressor(5, max_depth=3, random_state=0).fit(X, log_rank(Y))
    report = audit(forest, NEW, LATER, response_scores=log_rank)
    each = [looped(tree, NEW, LATER, tree.tree_.value[:, 0, 0]) for tree in forest.estimators_]
    weights = [tree.tree_.compute_feature_importances(normalize=False) for tree in forest.estimators_]
    assert report.evalues == pytest.approx(np.average(each, axis=0, weights=weights), rel=1e-8)
    alone = rank_features(NEW[:, :1], log_rank(LATER), response="numbers").features[0].p
    assert report.alone is not None and report.alone[0] == alone
    fields = np.array([(event > 0, time) for time, event in LATER], dtype=[("event", bool), ("time", float)])
    assert audit(forest, NEW, fields, response_scores=log_rank).evalues.tolist() == report.evalues.tolist()
    tested = InferenceTreeRegressor(response_scores=log_rank, random_state=0).fit(X, Y)  # which says by which scores
    assert audit(tested, NEW, LATER).evalues == pytest.approx(looped(tested, NEW, LATER, tested.tree_.value[:, 0, 0]))
    signed = np.where(Y[:, 1] > 0, Y[:, 0] + 0.01, -Y[:, 0] - 0.01)
    cox = xgboost.XGBRegressor(n_estimators=5, max_depth=2, objective="survival:cox").fit(X, signed)
    later = xgboost.DMatrix(X)
    later.set_float_info("label_lower_bound", Y[:, 0] + 0.01)
    later.set_float_info("label_upper_bound", np.where(Y[:, 1] > 0, Y[:, 0] + 0.01, np.inf))
    times = xgboost.train({"objective": "survival:aft", "max_depth": 2}, later, 5)
    for model in (cox, times):  # the second predicts times, which are late where the first predicts a low hazard
        assert audit(model, NEW, LATER).features_passed.tolist() == [True, False, False, False, False]


def test_p_values_of_splits_are_one_over_their_e_values() -> None:
    splits = audit(grown(), NEW, LATER, response_scores=log_rank).splits
    logs = looped_splits(grown(), NEW, LATER, grown().tree_.value[:, 0, 0])
    each = [np.exp(logs[node]) @ WEIGHTS for node in splits.node]
    assert splits.pvalue == pytest.approx([min(1.0, 1 / e) for e in each], rel=1e-8)
    assert set(splits.method) <= {"partial likelihood", "cannot reject"} and np.isnan(splits.sgini).all()
    ends = grown().decision_path(NEW).toarray() > 0
    left = grown().tree_.children_left[splits.node[0]]
    assert splits.tables[0, 0].tolist() == np.bincount(LATER[ends[:, left], 1].astype(int), minlength=2).tolist()


STUMP = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
NESTED = Structure(*map(np.array, ([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], [0, 0, -1, -1, -1],
                                   [0.5, 0.2, 0, 0, 0], [False] * 5)))  # fmt: skip


def mean_e(structure: Structure, cells: Any, hazard: Any, until: Any, rows: int) -> float:
    """The mean of E over everything that may happen to independent rows at times 1, 2 and 3, by its probability.

    A row falls in one of the leaves by ``cells``; ``hazard`` and ``until`` are by cell the chances of an event at each
    time, among those at risk, and of being censored after each.
    """
    fates = []
    for cell, chance in cells.items():
        alive, leaf = chance, int(np.ravel(cell)[0])
        for time in (1, 2, 3):
            h, c = hazard[cell][time - 1], until[cell][time - 1]
            fates.append((leaf, time, 1, alive * h))
            fates.append((leaf, time, 0, alive * (1 - h) * (c if time < 3 else 1)))
            alive *= (1 - h) * (1 - c)
    total = 0.0
    for outcome in combinations_with_replacement([fate for fate in fates if fate[3]], rows):
        latest_first = sorted(outcome, key=lambda fate: -fate[1])
        ends, times, events, p = (np.array(part) for part in zip(*latest_first, strict=True))
        orders = factorial(rows) / prod(map(factorial, Counter(outcome).values()))
        tables, _ = risk_tables(structure, ends, times.astype(float), events)
        logs = log_ratios(tables, np.ones((len(tables), 1)))[0]
        e = mean_evalues([(logs, np.zeros(len(tables), int))], 1)[0] if len(tables) else 1.0
        total += orders * float(np.prod(p)) * e
    return total


ONE = (0.3, 0.5, 0.4)


def test_the_mean_is_one_where_one_hazard_holds_and_censoring_depends_on_the_side() -> None:
    early, late = (0.7, 0.2, 0.0), (0.0, 0.1, 0.0)
    assert mean_e(STUMP, {1: 0.4, 2: 0.6}, {1: ONE, 2: ONE}, {1: early, 2: late}, 3) == pytest.approx(1, abs=1e-12)
    cells = {3: 0.3, 4: 0.3, 2: 0.4}  # a node below another, both by the feature
    until = {3: early, 4: late, 2: late}
    assert mean_e(NESTED, cells, dict.fromkeys(cells, ONE), until, 3) == pytest.approx(1, abs=1e-12)


def test_it_is_not_where_another_column_moves_hazard_and_censoring() -> None:
    """On the left rows of the low hazard are censored early, so that those at risk are of the high one."""
    cells = {(1, 0): 0.25, (1, 1): 0.25, (2, 0): 0.25, (2, 1): 0.25}  # the side, and a column that is not split
    hazard = {cell: (0.1, 0.1, 0.1) if cell[1] else (0.7, 0.7, 0.7) for cell in cells}
    none, early = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    assert mean_e(STUMP, cells, hazard, {cell: early if cell == (1, 1) else none for cell in cells}, 3) > 1.01
    cut = {cell: early for cell in cells}  # follow-up that is the same for all
    assert mean_e(STUMP, cells, hazard, cut, 3) == pytest.approx(1, abs=1e-12)


def test_follow_up_cuts_times_where_nobody_is_censored_yet() -> None:
    forest = RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, log_rank(Y))
    y = LATER.copy()
    y[:, 0] += 0.5
    early = y.copy()
    early[y[:, 0] > 0.5, 1], early[:, 0] = 0, np.minimum(early[:, 0], 0.5)
    early[0] = y[0] = (0.2, 1)
    report, cut = (audit(forest, NEW, y, response_scores=log_rank, follow_up=0.5),
                   audit(forest, NEW, early, response_scores=log_rank))  # fmt: skip
    assert report.evalues.tolist() == cut.evalues.tolist()
    assert any("times are cut where every row is still followed" in said for said in report.remarks)
    assert any("follow_up= is the remedy" in said for said in cut.remarks)


def test_what_is_no_survival_is_said_in_a_sentence() -> None:
    forest = RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, log_rank(Y))
    nothing = np.column_stack([LATER[:, 0], np.zeros(200)])
    classes = DecisionTreeClassifier(max_depth=2).fit(X, Y[:, 1])
    one, how = SurvivalTree(grown(), True), {"response_scores": log_rank}
    calls: list[tuple[Any, Any, dict[str, Any], str]] = [
        (forest, nothing, how, "an audit of survival needs events; got none; pass rows that were followed longer"),
        (forest, LATER, how | {"follow_up": 0.3}, "every row is followed up to follow_up=0.3, or to its event; got"),
        (forest, LATER[:, 0], {"follow_up": 1.0}, "follow_up= is of survival; got a model of scikit-learn of other"),
        (classes, LATER[:, 1], {"response_scores": ranks}, "response_scores are for models of numbers or of survival"),
        (one, LATER, {"response_scores": ranks}, "a model of survival is audited by log_rank; got other scores"),
        (forest, LATER[:, 0], how, "responses are times and events; got shape"),
        (one, LATER[:9], {}, "one label for each row of X; got 9 labels of 200 rows"),
    ]
    for model, y, options, said in calls:
        refused(said, audit, model, NEW, y, **options)
    refused(r"rows read in parts are held out.*; got survival, scores or several", audit, one, ["rows.csv"], "time")


def test_scores_of_numbers_and_several_outputs_are_means_over_them() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(600, 4))
    y = np.column_stack([x[:, 0], x[:, 1] ** 3]) + rng.normal(size=(600, 2))
    forest = RandomForestRegressor(6, max_depth=3, max_features=2, random_state=0).fit(x[:300], y[:300])
    both = audit(forest, x[300:], y[300:])
    each = [looped_pairs(forest, x[300:], y[300:, k], numbers=True, output=k) for k in (0, 1)]
    assert both.evalues == pytest.approx(np.mean(each, axis=0), rel=1e-8)
    assert both.features_passed.tolist() == [True, True, False, False]
    order = RandomForestRegressor(6, max_depth=3, random_state=0).fit(x[:300], ranks(y[:300, 1]))
    found = audit(order, x[300:], y[300:, 1], response_scores=ranks)
    assert found.evalues == pytest.approx(audit(order, x[300:], np.exp(y[300:, 1]), response_scores=ranks).evalues)
    assert found.verdicts["x1"]
