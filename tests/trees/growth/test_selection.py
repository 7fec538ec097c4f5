"""Trees whose features are compared by the p-value of their best threshold: builders, stopping, bias, refusals."""

from dataclasses import replace as changed
from math import log

import numpy as np
import pytest

from splitcrit import TreeClassifier, replace, sgini
from splitcrit.columns import rank_features
from splitcrit.nulls import max_selected, selected_pvalue
from splitcrit.trees.growth import GrowthOptions, Stopping, grow
from splitcrit.trees.growth.by_reference import reference_of
from splitcrit.trees.scan import Columns


def problem(seed: int, classes: int = 2, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = np.stack([rng.integers(0, v, n) for v in (2, 4, 9, 100)], axis=1).astype(float)
    return x, rng.integers(0, classes, n)


def test_a_node_is_split_by_the_feature_of_least_mid_pvalue_at_its_best_threshold() -> None:
    other, inner = 0, 0
    for seed in range(12):
        x, y = problem(seed)
        model = TreeClassifier(criterion="max_selected", min_gain=None).fit(x, y)
        tree, path = model.tree_, model.decision_path(x).toarray().astype(bool)
        for node in np.flatnonzero(tree.feature >= 0):
            here = path[:, node]
            tests = {f: selected_pvalue(x[here, f], y[here], mid=True) for f in range(4) if np.ptp(x[here, f])}
            least = min(map(float, tests.values()))
            first = next(f for f, test in tests.items() if float(test) <= least * (1 + 1e-9))
            assert tree.feature[node] == first
            sides = (path[:, side[node]] for side in (tree.children_left, tree.children_right))
            table = np.array([np.bincount(y[side], minlength=2) for side in sides])
            assert sgini(table) == pytest.approx(tests[first].score)
            inner += 1
        root = reference_of(x, y, 2, sgini, GrowthOptions(Stopping(max_depth=1, min_gain=None)))
        other += tree.feature[0] != root.feature
    assert other, "SGini itself takes another feature in some of them"
    assert inner > 60


def test_min_gain_is_the_surprise_of_the_best_threshold() -> None:
    decided = set()
    for seed in range(12):
        x, y = problem(seed)
        root = grow(Columns.of(x, y, 2), max_selected, GrowthOptions(Stopping(max_depth=1, min_gain=None)))
        mine = float(selected_pvalue(x[:, root.feature[0]], y))
        for limit in (mine * (1 - 1e-9), mine * (1 + 1e-9), 0.5):
            columns, stopping = Columns.of(x, y, 2), Stopping(max_depth=1, min_gain=-log(limit))
            assert (len(grow(columns, max_selected, GrowthOptions(stopping)).feature) > 1) == (mine <= limit)
        decided.add(mine <= 0.5)
    assert decided == {True, False}


def test_the_criterion_scores_a_cut_and_ranks_features() -> None:
    table = [[7, 3], [2, 9]]
    assert max_selected(table) == sgini(table)
    with pytest.raises(ValueError, match="max_selected is defined for tables of 2 rows"):
        max_selected([[1, 2], [3, 4], [5, 6]])
    x, y = problem(1)
    by_value = rank_features(x, y, measure=max_selected, bins=None)
    few = replace(max_selected, samples=999)  # two classes need no draws
    assert by_value.scores.tolist() == rank_features(x, y, measure=few, bins=None).scores.tolist()


def test_a_table_has_one_p_value() -> None:
    score = changed(max_selected.score, samples=99)
    tables = [[[3, 1, 0], [0, 2, 3], [1, 1, 4]], [[3, 1], [0, 2]]]
    for table in tables:
        assert score.tested(table) == score.tested(np.array(table))
    assert score.tested(tables[1]).value == selected_pvalue(tables[1], mid=True).value
    with pytest.raises(ValueError, match=r"integers|whole"):
        score.tested([[0.5, 1.0], [1.0, 2.0]])
