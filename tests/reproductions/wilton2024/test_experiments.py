"""The experiments of wilton2024 in quick mode, and their parts against oracles."""

from pathlib import Path

import numpy as np
import pytest

from executed_page import rows
from reproductions import Options, run
from reproductions.catalogue import experiments_of
from reproductions.tables import pivoted
from reproductions.trials import channel_of
from reproductions.wilton2024.features import SETS, written
from reproductions.wilton2024.learners import learnt
from reproductions.wilton2024.nodes import nodes_of
from reproductions.wilton2024.problems import DATA, NOISES, PAIRS, learner_seed, problems, samples, trial
from reproductions.wilton2024.summary import in_order, printed_noise
from splitcrit import TreeClassifier, ne

EXPERIMENTS = {experiment.name: experiment for experiment in experiments_of("wilton2024")}
QUICK = Options(Path(), quick=True)


@pytest.mark.parametrize("model", ["tree", "forest"])
def test_twoing_and_gini_split_alike_node_by_node(model):
    one = trial("digits", "binary", "20", 0, QUICK)
    twoing, gini = (learnt(method, model, one, seed=1, trees=3).model for method in ("Twoing", "MSE"))
    pairs = zip(*([*getattr(m, "estimators_", [m])] for m in (twoing, gini)), strict=True)
    for a, b in pairs:
        assert a.tree_.node_count > 50
        assert np.array_equal(a.tree_.feature, b.tree_.feature) and np.array_equal(a.tree_.threshold, b.tree_.threshold)


def test_nodes_against_a_count_by_hand():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [2.0], [2.0], [3.0]])
    y = np.array([0, 1, 0, 1, 0, 0, 1])
    for lam in (0.0, 0.5, 1.0):
        tree = TreeClassifier(criterion=ne(lam)).fit(X, y)
        found, leaves = nodes_of(tree, X), tree.apply(X)
        for node in np.flatnonzero(found.leaf):
            mine = leaves == node
            assert found.open[node] == (len(set(y[mine])) > 1 and len(set(X[mine, 0])) > 1)
        assert np.array_equal(found.halted, found.leaf & found.open)
        assert found.depth.max() == tree.get_depth() and (found.leaf == (tree.tree_.children_left < 0)).all()


def test_a_halted_node_outside_the_zone_has_no_split_that_moves_its_proportions():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (400, 6)).astype(float), rng.integers(0, 2, 400)
    tree = TreeClassifier(criterion=ne(0.25)).fit(X, y)
    found, leaves = nodes_of(tree, X), tree.apply(X)
    checked = np.flatnonzero(found.halted & found.outside(0.25))
    for node in checked:
        mine = leaves == node
        for f in range(6):
            for side in (0, 1):
                part = y[mine & (X[:, f] == side)]
                assert part.size == 0 or np.mean(part) == pytest.approx(np.mean(y[mine]), rel=1e-12)
    X[:200], y[:100], y[100:200] = X[0], 0, 1  # copies with opposite labels beside others of the same proportions
    X[200:], y[200:300], y[300:] = 1 - X[0], 0, 1
    tree = TreeClassifier(criterion=ne(0.25)).fit(X, y)
    assert nodes_of(tree, X).halted.sum() == nodes_of(tree, X).outside(0.25).sum() == 1


def test_learnt_features_of_a_file_are_run(tmp_path):
    X, y = written(SETS[2])
    assert X.shape == (1198, 32) and (X >= 0).all()
    np.savez(tmp_path / "mine.npz", X=X[:300, :8], y=y[:300])
    where = str(tmp_path / "mine.npz")
    said = run(EXPERIMENTS["features"], Options(tmp_path, quick=True, sets=(where,)), show=False)
    found = rows(tmp_path / "features.csv")
    assert {r["data"] for r in found} == {where} and {r["model"] for r in found} == {"tree", "forest"}
    assert "mine.npz | ANE | 1 |" in said


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"X": np.zeros((2, 1))}, "arrays"),
        ({"X": np.zeros((2, 1)), "y": np.array([0, 2])}, "2 values"),
        ({"X": np.zeros(2), "y": np.array([0, 1])}, "shape"),
        ({"X": np.zeros((2, 1)), "y": np.array([0.0, 1.0])}, "type"),
    ],
)
def test_other_files_of_features_are_refused(tmp_path, held, said):
    np.savez(tmp_path / "bad.npz", **held)
    with pytest.raises(ValueError, match=said):
        written(str(tmp_path / "bad.npz"))
    with pytest.raises(ValueError, match=r"nothing\.npz"):
        written(str(tmp_path / "nothing.npz"))


def test_methods_see_the_same_rows_and_noise_moves_no_test_row():
    one, same, other = (trial("digits", "multiclass", n, 0, QUICK) for n in ("40", "40", "nearness"))
    assert (one.y == same.y).all() and (one.X == other.X).all() and (one.test_X == other.test_X).all()
    assert len(one.X) == 1437 and len(one.test_X) == 360 and 0 < other.flipped < 0.5
    assert (trial("digits", "multiclass", "40", 1, QUICK).y != one.y).any()
    assert len({row.tobytes() for row in one.test_X} - {row.tobytes() for row in one.X}) == 360


def test_binary_digits_are_odd_against_even():
    (X, y), (_, binary) = (samples("digits", task, QUICK) for task in ("multiclass", "binary"))
    assert np.array_equal(binary, y % 2) and X.shape == (1797, 64)


def test_every_noise_has_a_channel_and_both_orders_are_there():
    assert {tuple(sorted(pair.split("/"))) for pair in PAIRS} == {("10", "30"), ("20", "40")} and len(set(PAIRS)) == 4
    assert channel_of("40/20").transition(2) == ((0.6, 0.4), (0.2, 0.8))  # class 0, class 1
    assert printed_noise("40/20") == printed_noise("20/40") == "cc (0.2,0.4)"
    assert all(np.allclose(channel_of(n).matrix(3).sum(axis=1), 1) for n in NOISES["multiclass"][:-1])


def test_problems_are_all_tasks_of_all_data_but_mushrooms_in_two_classes():
    found = problems(Options(Path()))
    assert len(found) == 2 * len(DATA) - 1 and ("mushrooms", "binary") in found
    assert problems(QUICK) == [("digits", "binary"), ("digits", "multiclass")]


def test_a_table_says_over_how_many_runs_its_lines_are():
    found = pivoted(
        [{"a": "x", "n": 1, "runs": 3, "v": 1.0}, {"a": "x", "n": 2, "runs": 2, "v": 2.0}], ("a",), "n",
        lambda row: f"{row['v']:.1f}",
    )  # fmt: skip
    assert found.splitlines()[-1] == "| x | 2 to 3 | 1.0 | 2.0 |"
    assert in_order({"task": "binary", "data": "mnist", "noise": "0"}) > in_order(
        {"task": "binary", "data": "digits", "noise": "0"}
    )


def test_seeds_of_learners_are_those_that_scikit_learn_takes():
    seeds = {learner_seed(name, "binary", run, QUICK) for name in DATA for run in range(200)}
    assert len(seeds) == 200 * len(DATA) and min(seeds) >= 0 and max(seeds) < 2**31
