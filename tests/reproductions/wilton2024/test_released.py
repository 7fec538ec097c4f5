"""The forests that stand beside the printed ones: what their kinds are, what is said of their trees, and the print."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from reproductions import Options, run
from reproductions.printed import printed
from reproductions.results import rows_of
from reproductions.wilton2024 import released
from reproductions.wilton2024.nodes import varying
from reproductions.wilton2024.problems import trial
from splitcrit import ForestClassifier

QUICK = Options(Path(), quick=True)


def test_the_kinds_are_every_combination_and_one_more():
    made = {kind: ForestClassifier(**given) for kind, given in released.KINDS.items()}
    plain = {(m.draw, m.bootstrap) for kind, m in made.items() if released.UP not in kind}
    assert plain == {(draw, sample) for draw in ("all", "varying") for sample in (True, False)}
    for kind, model in made.items():
        assert kind.startswith(model.draw) and model.bootstrap == ("bootstrap" in kind)
    assert (made[released.PRINTED].draw, made[released.PRINTED].bootstrap) == ("varying", False)


def test_the_square_root_is_rounded_up():
    assert [released.up(features) for features in range(1, 200)] == np.ceil(np.sqrt(np.arange(1, 200))).tolist()


def test_no_task_is_listed_twice_and_squared_loss_is_in_every_kind():
    tasks = released.forest_tasks(Options(Path()))
    names = [tuple(task[key] for key in released.KEYS) for task in tasks]
    assert len(set(names)) == len(names)
    assert {t["forest"] for t in tasks if t["method"] == "MSE"} == set(released.KINDS)
    assert "Twoing" not in {t["method"] for t in tasks}


def test_what_is_said_of_the_trees_is_counted_anew():
    one = trial("digits", "binary", "20", 0, QUICK)
    forest = ForestClassifier(12, bootstrap=False, draw="varying", random_state=0).fit(one.X, one.y)
    said, some = released.inside(forest, one), forest.estimators_[:10]
    assert said["tree_accuracy"] == pytest.approx(np.mean([100 * one.accuracy(tree.predict) for tree in some]))
    pairs = [np.mean(a.predict(one.test_X) != b.predict(one.test_X)) for a, b in pairwise(some)]
    assert said["differ"] == pytest.approx(100 * np.mean(pairs))
    assert said["fitted"] == pytest.approx(np.mean([100 * np.mean(tree.predict(one.X) == one.y) for tree in some]))
    paths = some[0].decision_path(one.X).toarray()
    inner = np.flatnonzero(some[0].tree_.children_left >= 0)
    counted = [len([f for f in one.X[paths[:, node] == 1].T if len(set(f)) > 1]) for node in inner]
    assert np.array_equal(varying(some[0], one.X) * 64, counted)
    assert said["varying"] == np.median(counted)


@pytest.mark.slow
def test_a_quick_run_has_every_kind_and_both_models_of_twoing(tmp_path):
    options = Options(tmp_path, quick=True)
    told = run(released.FORESTS_PRINTED, options, show=False), run(released.TWOING, options, show=False)
    forests, twoing = (rows_of(tmp_path / f"{name}.csv") for name in ("forests_printed", "twoing"))
    assert {row["forest"] for row in forests} == {kind for kind in released.KINDS if released.UP not in kind}
    assert {(row["model"], row["noise"]) for row in twoing} == {(m, n) for m in ("tree", "forest") for n in (0, 40)}
    assert min(row["seconds"] for row in forests + twoing) >= 0
    assert "| digits | MSE | all, bootstrap | 1 |" in told[0] and "| digits | forest | 1 |" in told[1]


def test_means_stand_beside_the_printed_cell_of_their_table():
    rows = [{"data": "mushrooms", "task": "binary", "model": model, "noise": "10/30", "run": i, "accuracy": 80.0 + i,
             "leaves": 1.0} for model in ("tree", "forest") for i in range(3)]  # fmt: skip
    known = {r["model"]: r for r in printed("wilton2024_tables")
             if (r["dataset"], r["criterion"], r["noise"]) == ("Mushrooms", "Twoing", "cc (0.1,0.3)")}  # fmt: skip
    for cell, table in zip(released.twoing_means(rows), ("DT", "RF"), strict=True):
        assert (cell["accuracy"], cell["two_sd"]) == (81.0, 2.0)
        assert cell["printed"] == float(known[table]["mean_acc_pct"])
