"""The experiments of wilton2024 in quick mode, and their parts against oracles."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from executed_page import rows
from refusals import refused
from reproductions import Options, run
from reproductions.catalogue import experiments_of
from reproductions.comparing import record
from reproductions.power import power
from reproductions.printed import printed
from reproductions.results import rows_of
from reproductions.tables import pivoted
from reproductions.trials import channel_of
from reproductions.wilton2024 import released
from reproductions.wilton2024.early_exit import EarlyExit, Tree, search
from reproductions.wilton2024.features import SETS, written
from reproductions.wilton2024.learners import learnt
from reproductions.wilton2024.nodes import nodes_of, varying
from reproductions.wilton2024.paired import PLACE, differences, means_of, settled
from reproductions.wilton2024.problems import DATA, NOISES, PAIRS, learner_seed, problems, samples, trial
from reproductions.wilton2024.summary import bold, in_order, printed_cells, printed_noise
from splitcrit import ForestClassifier, TreeClassifier, ne, twoing

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
    refused(said, written, str(tmp_path / "bad.npz"))
    refused(r"nothing\.npz", written, str(tmp_path / "nothing.npz"))


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
    mnist, digits = ({"task": "binary", "data": name, "noise": "0"} for name in ("mnist", "digits"))
    assert in_order(mnist) > in_order(digits)


def test_seeds_of_learners_are_those_that_scikit_learn_takes():
    seeds = {learner_seed(name, "binary", run, QUICK) for name in DATA for run in range(200)}
    assert len(seeds) == 200 * len(DATA) and min(seeds) >= 0 and max(seeds) < 2**31


# The printed tables of wilton2024 in docs/data: their bold rule, and twoing beside Gini.

ROWS = printed_cells()


def columns(*names):
    found = {}
    for row in ROWS:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def test_the_bold_rule_gives_back_all_marks_but_five():
    agree = 0
    for column in columns("model", "task", "dataset", "noise").values():
        marks = bold([r["mean"] for r in column], [r["two_sd"] for r in column], runs=5)
        agree += sum(mark == r["bold"] for mark, r in zip(marks, column, strict=True))
    assert agree == 1087


@pytest.mark.parametrize(("model", "beyond"), [("DT", 11), ("RF", 22)])
def test_printed_twoing_differs_from_gini_where_it_cannot(model, beyond):
    pairs = columns("model", "task", "dataset", "noise")
    found = 0
    for (m, task, *_), column in pairs.items():
        if (m, task) == (model, "binary"):
            twoing, gini = (next(r for r in column if r["criterion"] == name) for name in ("Twoing", "MSE"))
            found += abs(twoing["mean"] - gini["mean"]) > twoing["two_sd"] + gini["two_sd"]
    assert found == beyond


def test_bold_with_one_run_marks_the_best_alone():
    assert bold([80.0, 90.0, 89.9], [None, None, None], runs=1) == [False, True, False]


# The forests that stand beside the printed ones: what their kinds are, what is said of their trees, and the print.


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


# Differences of paired runs against plain recomputations, and ties of the committed results in whole rows.

RESULTS = Path(__file__).parents[3] / "docs" / "reproductions" / "wilton2024"


def made():
    """Two problems with two noises and three runs each, by two ways."""
    rng = np.random.default_rng(0)
    return [
        {"data": data, "task": "binary", "noise": noise, "run": run, "way": way, "accuracy": float(rng.normal(80, 5))}
        for data in "ab" for noise in (10, 20) for run in range(3) for way in ("u", "v")
    ]  # fmt: skip


def test_differences_are_of_runs_of_one_name():
    rows = made()
    at = {(r["data"], r["noise"], r["run"], r["way"]): r["accuracy"] for r in rows}
    found = differences(rows[1:], "way", "u", "v")  # one run has lost its partner
    assert len(found) == 11
    for row in found:
        key = row["data"], int(row["noise"]), row["run"]
        assert row["difference"] == at[(*key, "u")] - at[(*key, "v")]


def test_what_is_settled_is_what_a_plain_recomputation_gives():
    found = differences(made(), "way", "u", "v")
    table = np.array([row["difference"] for row in found]).reshape(2, 2, 3)
    said = settled(found)
    assert said["mean"] == pytest.approx(table.mean()) and (said["runs"], said["problems"]) == (3, 2)
    assert said["over_runs"] == pytest.approx(np.sqrt(table.var(axis=2, ddof=1).mean()))
    assert said["over_problems"] == pytest.approx(table.mean(axis=(1, 2)).std(ddof=1))
    for name in ("runs", "problems"):
        needed, deviation = said[f"{name}_needed"], said[f"over_{name}"]
        assert power(1.0, deviation, needed) >= 0.8 > power(1.0, deviation, needed - 1)


def test_runs_that_are_equal_need_no_number():
    rows = [row | {"difference": {"a": 1.0, "b": 3.0}[row["data"]]} for row in differences(made(), "way", "u", "v")]
    assert settled(rows)["runs_needed"] is None and settled(rows)["over_runs"] == 0
    assert settled(rows)["problems_needed"] is not None


@pytest.mark.parametrize("way", ["Gini, leaf size", "Gini, pruned"])
def test_ties_with_ane_are_those_of_whole_test_rows(way):
    test = {row["data"]: row["test"] for row in rows_of(RESULTS / "trees.csv")}
    rows = [row for row in rows_of(RESULTS / "budget.csv") if row["noise"] != 0]
    right = {}
    for row in rows:
        cell = row["data"], row["task"], row["noise"], row["way"]
        right[cell] = right.get(cell, 0) + round(row["accuracy"] * test[row["data"]] / 100)
    ahead = [right[(*cell[:3], way)] - count for cell, count in right.items() if cell[3] == "ANE"]
    wins, losses = sum(one > 0 for one in ahead), sum(one < 0 for one in ahead)
    means = np.array(means_of(differences(rows, "way", way, "ANE"), *PLACE))
    assert record(means, 0 * means) == (wins, len(ahead) - wins - losses, losses)
    assert wins + losses < len(ahead)  # there are ties, which floats alone break


# The search for twoing that ends early, against exact fractions, and the library where it does not end early.


def exact(X, y, rows, order, features, enough):
    """The split that a search in this order makes, in fractions: its gain, feature and threshold."""
    best, found, tried = Fraction(0), (-1, None), 0
    n, share = len(rows), Fraction(sum(int(y[i]) for i in rows), len(rows))
    for f in order:
        values = sorted({int(X[i, f]) for i in rows})
        if len(values) == 1 or tried == features:
            continue
        tried += 1
        for low, high in pairwise(values):
            left = [int(y[i]) for i in rows if X[i, f] <= low]
            part = Fraction(len(left), n)
            # twoing of two classes is the variance that the split takes from the share of class 1
            gain = part / (1 - part) * (Fraction(sum(left), len(left)) - share) ** 2
            if gain > best:
                best, found = gain, (int(f), Fraction(low + high, 2))
            if enough is not None and best >= enough:
                return best, *found
    return best, *found


def gain_of(X, y, rows, f, cut):
    """The twoing gain of a split, in fractions."""
    if f < 0:
        return Fraction(0)
    sides = [[int(y[i]) for i in rows if (X[i, f] <= cut) == side] for side in (True, False)]
    left, right = (Fraction(sum(side), len(side)) for side in sides)
    return Fraction(len(sides[0]) * len(sides[1]), len(rows) ** 2) * (left - right) ** 2


@pytest.mark.parametrize("early", [True, False])
def test_the_search_is_the_one_in_fractions(early):
    rng, ended = np.random.default_rng(0), 0
    for _ in range(100):
        n, d = int(rng.integers(2, 12)), int(rng.integers(1, 6))
        X, y = rng.integers(0, 4, (n, d)), rng.integers(0, 2, n)
        rows, order, features = np.flatnonzero(rng.random(n) < 0.8), rng.permutation(d), int(rng.integers(1, d + 1))
        if not 0 < y[rows].sum() < len(rows):
            continue
        errors = int(min(y[rows].sum(), (1 - y[rows]).sum()))
        enough = Fraction(2 * errors, 10 * n)  # there are ten times as many rows in all
        levels = [np.unique(column, return_inverse=True) for column in X.T]
        many = np.array([len(values) for values, _ in levels])
        places = np.stack([place for _, place in levels])
        f, low, high = search(places, many, y, rows, order, features, float(enough) if early else np.inf)
        cut = Fraction(int(levels[f][0][low] + levels[f][0][high]), 2)
        gain, *split = exact(X, y, rows, order, features, enough if early else None)
        assert gain_of(X, y, rows, f, cut) == gain
        assert gain < enough or not early or [f, cut] == split  # where the search ended there is no tie
        ended += gain < exact(X, y, rows, order, features, None)[0]
    assert (ended > 10) == early  # it does end early, and only if asked to


@pytest.mark.slow
def test_without_the_early_end_every_split_is_the_best_by_the_criterion_of_the_library():
    rng = np.random.default_rng(1)
    X, y = rng.random((80, 3)), rng.integers(0, 2, 80)
    (tree,) = EarlyExit(early=False).fit(X, y).estimators_
    rows = {0: np.arange(80)}
    for node, f in enumerate(tree.feature):
        mine = rows.pop(node)
        tables = [
            [np.bincount(y[mine][side], minlength=2) for side in (X[mine, g] <= cut, X[mine, g] > cut)]
            for g in range(3)
            for cut in np.sort(X[mine, g])[:-1]
        ]
        if f < 0:
            assert len(set(y[mine])) == 1 and tree.share[node] == y[mine[0]]
            continue
        goes = X[mine, f] <= tree.threshold[node]
        made = [np.bincount(y[mine][side], minlength=2) for side in (goes, ~goes)]
        assert float(twoing(made)) == pytest.approx(twoing(np.array(tables)).max(), rel=1e-12)
        rows |= dict(zip(tree.children[node].tolist(), (mine[goes], mine[~goes]), strict=True))
    assert not rows


def test_in_a_node_of_few_rows_the_first_gain_ends_the_search():
    X, y = np.zeros((100, 3)), np.zeros(100, dtype=int)
    X[:4, 0], y[:3] = 1, 1  # feature 0 makes a node of four rows, three of class 1: a risk of 2/100
    X[:3, 1], X[:2, 2], X[4:52, 1], X[52:, 2] = 1, 1, 1, 1  # there, feature 1 parts the classes and feature 2 does not
    second = {early: set() for early in (True, False)}
    for early, found in second.items():
        for seed in range(20):
            (tree,) = EarlyExit(early=early, random_state=seed).fit(X, y).estimators_
            assert tree.feature[0] == 0
            found.add(int(tree.feature[tree.children[0, 1]]))
    assert second == {True: {1, 2}, False: {1}}


def test_a_forest_averages_the_leaves_of_its_trees():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (60, 6)).astype(float), rng.integers(0, 2, 60)
    model = EarlyExit(trees=7, features=2, random_state=3).fit(X, y)
    mean = sum(tree.shares(X) for tree in model.estimators_) / 7
    assert np.array_equal(model.predict(X), mean > 0.5) and len({t.get_n_leaves() for t in model.estimators_}) > 1
    again = EarlyExit(trees=7, features=2, random_state=3).fit(X, y)
    assert np.array_equal(model.predict(X), again.predict(X))


def test_depth_and_leaves_of_a_tree_by_hand():
    children = np.array([[1, 2], [0, 0], [3, 4], [0, 0], [0, 0]])
    tree = Tree(
        np.array([0, -1, 1, -1, -1]), np.array([0.5, 0, 0.5, 0, 0]), children, np.array([0.5, 0.1, 0.6, 0.2, 0.9])
    )
    assert (tree.get_n_leaves(), tree.get_depth()) == (3, 2)
    assert tree.shares(np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])).tolist() == [0.1, 0.2, 0.9]
