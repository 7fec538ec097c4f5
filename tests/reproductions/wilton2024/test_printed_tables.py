"""The printed tables of wilton2024 in docs/data against what the paper says of them, and its bold rule."""

from collections import Counter

import pytest

from reproductions.wilton2024.learners import METHODS
from reproductions.wilton2024.summary import bold, printed_cells, printed_noise

ROWS = printed_cells()
DATASETS = {"MNIST", "20News", "UNSW-NB15", "Mushrooms", "Covertype", "CIFAR-10"}
UNIFORM = tuple(printed_noise(noise) for noise in ("0", "10", "20", "30", "40"))
PAIRS, NEAR = (printed_noise("10/30"), printed_noise("20/40")), printed_noise("nearness")
TABLES = {
    ("DT", "binary"): "Table 2",
    ("DT", "multiclass"): "Table 3",
    ("RF", "binary"): "Table 4",
    ("RF", "multiclass"): "Table 5",
}


def columns(*names):
    found = {}
    for row in ROWS:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def test_every_cell_of_tables_2_to_5_is_there_once():
    wanted = set()
    for model, task in TABLES:
        binary = task == "binary"
        methods = METHODS if binary else METHODS[:-1]  # "ranking loss only defined for binary classification"
        for data in DATASETS if binary else DATASETS - {"Mushrooms"}:
            for noise in (*UNIFORM, *PAIRS) if binary else (*UNIFORM, NEAR):
                wanted |= {(TABLES[model, task], model, task, data, method, noise) for method in methods}
    keys = [tuple(r[k] for k in ("table", "model", "task", "dataset", "criterion", "noise")) for r in ROWS]
    assert set(keys) == wanted and len(keys) == len(wanted) == 1092


def test_numbers_are_percentages_to_two_places_and_marks_are_sparing():
    for row in ROWS:
        assert 0 < row["mean"] <= 100 and 0 <= row["two_sd"] < 25
        assert row["mean_acc_pct"].partition(".")[2].isdigit() and len(row["mean_acc_pct"].partition(".")[2]) == 2
    for column in columns("model", "task", "dataset", "noise").values():
        best = max(column, key=lambda r: r["mean"])
        assert best["bold"]


def test_the_bold_rule_gives_back_all_marks_but_five():
    agree = 0
    for column in columns("model", "task", "dataset", "noise").values():
        marks = bold([r["mean"] for r in column], [r["two_sd"] for r in column], runs=5)
        agree += sum(mark == r["bold"] for mark, r in zip(marks, column, strict=True))
    assert agree == 1087


def test_ane_is_almost_always_a_top_performer_among_trees():  # "almost always a top performer"
    marked = Counter((r["task"], r["bold"]) for r in ROWS if r["model"] == "DT" and r["criterion"] == "ANE")
    assert marked["binary", True] == 40 and marked["binary", False] == 2
    assert marked["multiclass", True] == 25 and marked["multiclass", False] == 5


def test_forests_boost_what_is_not_conservative_more():  # "this boost is less for conservative losses"
    at = {tuple(r[k] for k in ("model", "task", "dataset", "noise", "criterion")): r["mean"] for r in ROWS}
    noisy = {key[1:4] for key in at if key[3] != UNIFORM[0]}
    boost = {m: sum(at["RF", *key, m] - at["DT", *key, m] for key in noisy) / len(noisy) for m in ("CL", "MSE", "CE")}
    assert 0 < boost["CL"] < min(boost["MSE"], boost["CE"])


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
