"""The experiments of yang2019 in quick mode; what they rest on; the committed results."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_rel

from executed_page import rows
from reproductions import Options
from reproductions.catalogue import experiments_of
from reproductions.datasets import load
from reproductions.plots.yang2019 import differences
from reproductions.yang2019.grids import LARGE, OFTEN, SAMPLE
from reproductions.yang2019.problems import BUNDLED, PROBLEMS, folds, head, samples
from reproductions.yang2019.shown import ratios
from reproductions.yang2019.stopping import CRITERIA, SIZES, agreement, chosen_size, forest, stages, tree
from reproductions.yang2019.structure import shape
from reproductions.yang2019.summary import compared, over_sets, ranges, summarised, table3, tally
from splitcrit.trees import ForestClassifier, TreeClassifier

RESULTS = Path(__file__).parents[3] / "docs" / "reproductions" / "yang2019"
EXPERIMENTS = {e.name: e for e in experiments_of("yang2019")}


@pytest.fixture(scope="module")
def noisy():
    """Training rows of one fold, half of them held out."""
    fold = next(folds("sklearn breast cancer", 0.2, 0.4, 0, Options(Path())))
    X, y = fold.trial.X, fold.trial.y
    return X[::2], y[::2], X[1::2], y[1::2]


def test_all_methods_see_the_same_rows_and_true_labels_are_kept_apart():
    X, y = samples("sklearn breast cancer", None)
    options = Options(Path())
    first, again = (list(folds("sklearn breast cancer", 0.2, 0.4, 0, options)) for _ in range(2))
    other = list(folds("sklearn breast cancer", 0.1, 0.3, 0, options))
    for one, same, less in zip(first, again, other, strict=True):
        assert (one.trial.y == same.trial.y).all() and (one.trial.test_X == less.trial.test_X).all()
        assert one.trial.flipped > 0 and len(one.trial.X) + len(one.trial.test_X) == len(y)
    tested = np.concatenate([fold.trial.test_X for fold in first])
    assert (np.sort(tested[:, 0]) == np.sort(X[:, 0])).all()


@pytest.mark.parametrize("method", CRITERIA)
def test_a_tree_stopped_is_the_tree_cut_where_nodes_are_small(noisy, method):
    X, y, held_X, held_y = noisy
    for grow in (lambda size: tree(method, size, 3), lambda size: forest(method, size, 3, 6)):
        by_cut = agreement(grow(2).fit(X, y), held_X, held_y)
        by_fit = [grow(size).fit(X, y).score(held_X, held_y) for size in SIZES]
        assert by_cut.tolist() == pytest.approx(by_fit, rel=1e-12)


def test_hard_votes_are_those_of_the_forest_and_copies_count(noisy):
    X, y, held_X, _ = noisy
    grown = ForestClassifier(9, max_depth=50, min_gain=None, voting="hard", random_state=1).fit(X, y)
    assert (stages(grown, held_X, (2,), hard=True)[0] == grown.predict(held_X)).all()
    size = len(X)  # a bootstrap sample has as many rows, and fewer different ones
    assert len(np.unique(stages(grown, held_X, (size,)))) == 1
    assert len(np.unique(stages(grown, held_X, (size,), copies=True))) == 2


def test_the_chosen_size_is_the_best_of_the_agreements():
    rng = np.random.default_rng(0)
    X = rng.random((900, 1))
    y = np.where(rng.random(900) < 0.4, 1 - (X[:, 0] > 0.5), X[:, 0] > 0.5).astype(int)
    sizes = [chosen_size(lambda: tree("Gini", 2, 0), X, labels, 0) for labels in (y, (X[:, 0] > 0.5).astype(int))]
    assert sizes[0] >= 150 and sizes[1] == 2  # noise wants large nodes; where all sizes agree, the smallest is taken


def test_gini_and_twoing_and_pairwise_gain_and_kolmogorov_smirnov_choose_alike():
    from splitcrit.criteria import Criterion

    def distance(t, m):
        """Kolmogorov-Smirnov's, of a feature that is cut in two: shares of either class that go left."""
        classes = [t[0][k] + t[1][k] for k in (0, 1)]
        return m.abs(t[0][0] * classes[1] - t[0][1] * classes[0]) / (classes[0] * classes[1])

    smirnov = Criterion("kolmogorov_smirnov", distance, rows=2, classes=2)
    X, y = samples("sklearn breast cancer", None)
    y = np.where(np.random.default_rng(1).random(len(y)) < 0.2, 1 - y, y)
    for one, other in (("gini", "twoing"), ("pairwise_gain", smirnov)):
        grown = [TreeClassifier(criterion=c, random_state=0, max_depth=4).fit(X, y).tree_ for c in (one, other)]
        assert (grown[0].feature == grown[1].feature).all() and (grown[0].threshold == grown[1].threshold).all()


def test_shape_of_a_tree():
    X = np.arange(8.0)[:, None]
    grown = TreeClassifier(random_state=0).fit(X, [0, 1, 1, 1, 1, 1, 1, 0]).tree_
    assert shape(grown) == {"leaves": 3, "depth": 2, "scanned": 15, "balance": pytest.approx(2 / 15, rel=1e-12)}


def made(accuracies):
    """Rows of two runs of five folds, from accuracies by method."""
    return [
        {"data": "sonar", "tau_neg": 0.1, "tau_pos": 0.3, "run": i // 5, "inner": 20, "fold": i % 5, "method": method}
        | {"accuracy": value, "accuracy_shifted": value}
        for method, values in accuracies.items()
        for i, value in enumerate(values)
    ]


def test_means_and_marks_by_every_rule():
    rng = np.random.default_rng(5)
    values = {method: 0.7 + 0.01 * rng.standard_normal(10) for method in CRITERIA}
    values["pairwise gain"] = values["Gini"] + 0.01 + 0.003 * rng.standard_normal(10)
    gini, other = compared(made(values), known=table3())
    ours, theirs = 100 * values["pairwise gain"], 100 * values["Gini"]
    assert gini["apart"] == pytest.approx(np.mean(ours - theirs), rel=1e-12)
    assert gini["p over folds"] == pytest.approx(ttest_rel(ours, theirs).pvalue, rel=1e-9)
    means = [part.reshape(2, 5).mean(axis=1) for part in (ours, theirs)]
    assert gini["p over runs"] == pytest.approx(ttest_rel(*means).pvalue, rel=1e-9)
    assert gini["p corrected"] > gini["p over folds"]
    assert gini["mark over folds"] == "win" and gini["printed mark"] == "tie"
    assert tally([gini, other], "printed mark") == "0/2/0"
    (row,) = [r for r in summarised(made(values), known=table3()) if r["method"] == "Gini"]
    assert row["accuracy"] == pytest.approx(theirs.mean(), rel=1e-12) and row["printed"] == pytest.approx(72.14)


@pytest.mark.parametrize(("step", "expected"), [(1, 90), (2, 50)])
def test_forests_judged_by_more_trees_replace_those_judged_by_fewer_if_they_have_as_many_rows(step, expected):
    few = made({method: [0.5] * 10 for method in CRITERIA})
    found = summarised(few + [row | {"inner": 100, "accuracy": 0.9} for row in few[::step]], known={})
    assert all(row["accuracy"] == pytest.approx(expected) and row["runs"] == 2 for row in found)


def test_a_difference_has_its_deviation_over_runs_and_the_runs_that_it_takes():
    rng = np.random.default_rng(3)
    values = {method: 0.7 + 0.02 * rng.standard_normal(10) for method in CRITERIA}
    row, _ = compared(made(values), known={})
    apart = 100 * (values["pairwise gain"] - values["Gini"]).reshape(2, 5).mean(axis=1)
    assert row["runs"] == 2 and row["deviation"] == pytest.approx(np.std(apart, ddof=1), rel=1e-12)
    need, seen = row["runs for one point"], []
    for runs in (need, need - 1):  # drawn, not computed: how often a t test of these runs finds one point
        drawn = 1 + row["deviation"] * rng.standard_normal((20_000, runs))
        seen.append(np.mean(ttest_1samp(drawn, 0, axis=1).pvalue < 0.05))
    assert seen[1] < 0.81 and 0.79 < seen[0] < 0.9
    (alone, _) = compared([r for r in made(values) if r["run"] == 0], known={})
    assert alone["deviation"] is None and alone["runs for one point"] is None


def test_a_line_of_the_picture_spans_the_deviation_over_runs_where_there_are_several():
    about = {"tau_neg": 0.1, "tau_pos": 0.3, "rival": "Gini", "p corrected": 0.5, "printed apart": None}
    tests = [
        about | {"data": data, "apart": apart, "deviation": deviation}
        for data, apart, deviation in (("sonar", 1.0, 0.25), ("heart", 2.0, None), ("dna", -1.0, 3.0))
    ]
    spans = [[x for x, _ in lines.get_segments()[0]] for lines in differences(tests).axes[0].collections]
    assert spans == [[0.75, 1.25], [-4.0, 2.0]]


def test_the_range_of_criteria_is_the_mean_over_problems_of_largest_less_smallest():
    means = [
        {"data": data, "tau_neg": 0.1, "tau_pos": 0.3, "accuracy": value}
        for data, values in (("sonar", (1.0, 3.0, 2.0)), ("heart", (5.0, 5.0, 1.0)))
        for value in values
    ]
    assert ranges(means) == {(0.1, 0.3): 3.0}


def test_large_problems_are_run_on_some_of_their_rows_and_no_others(tmp_path):
    tasks = EXPERIMENTS["sampled"].tasks(Options(tmp_path))
    assert {task["data"] for task in tasks} == {name for name, about in PROBLEMS.items() if about.rows >= LARGE}
    assert {task["rows"] for task in tasks} == {SAMPLE} and SAMPLE < LARGE
    whole = EXPERIMENTS["table3"].tasks(Options(tmp_path))
    assert {task["data"] for task in whole} | {task["data"] for task in tasks} == set(PROBLEMS)
    assert {task["run"] for task in whole} == set(range(OFTEN)) and not any("rows" in task for task in whole)


def test_rows_are_drawn_anew_for_every_run():
    drawn = []
    for run_number in (0, 0, 1):
        found = list(folds("sklearn digits", 0.1, 0.3, run_number, Options(Path()), 200))
        tested = np.concatenate([fold.trial.test_X for fold in found])
        assert len(tested) == 200 and all(len(fold.trial.X) == 160 for fold in found)
        drawn.append({tuple(row) for row in tested})
    assert drawn[0] == drawn[1] != drawn[2]


def test_tests_over_one_data_set_say_nothing():
    means = [
        {"data": "sonar", "tau_neg": 0.1, "tau_pos": 0.3, "method": m, "accuracy": i} for i, m in enumerate(CRITERIA)
    ]
    test = over_sets(means, (0.1, 0.3))
    assert test.sets == 1 and test.ranks.pvalue == 1 and test.ranks.distance == np.inf


def test_a_ratio_of_seconds_is_that_of_splits_times_that_of_seconds_a_split():
    found = rows(RESULTS / "figure2.csv")
    names = ("seconds", "seconds_full", "splits_full", "scanned_full")
    for row in ratios([r | {name: float(r[name]) for name in names} for r in found]):
        assert row["seconds_full"] == pytest.approx(row["splits_full"] * row["seconds_a_split"], rel=1e-12)


def test_every_problem_of_the_paper_that_is_run_is_table3():
    assert {key[0] for key in table3()} >= set(PROBLEMS) and not set(PROBLEMS) & set(BUNDLED)
    assert [one.rows for one in PROBLEMS.values()][:19] == sorted(one.rows for one in PROBLEMS.values())[:19]


def test_an_unknown_problem_is_named():
    with pytest.raises(ValueError, match="a problem of yang2019 is named as in Table II; got 'heart_statlog'"):
        samples("heart_statlog", None)


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("name", [name for name, about in PROBLEMS.items() if about.rows < 7000])
def test_groups_are_those_of_the_rule_and_sizes_those_of_table_2(name):
    about = PROBLEMS[name]
    y = np.concatenate([load(file).y for file in about.files])
    first, order = head(y, about.order), about.order or tuple(np.unique(y))
    assert set(order) == set(y) and set(about.positive) in (set(first), set(order) - set(first))
    assert len(y) == about.rows
    sizes = [abs(2 * np.isin(y, order[:cut]).sum() - len(y)) for cut in range(1, len(order))]
    assert abs(2 * np.isin(y, about.positive).sum() - len(y)) == min(sizes)
