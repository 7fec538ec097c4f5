"""The printed tables of wilton2024 in docs/data: their bold rule, and twoing beside Gini."""

import pytest

from reproductions.wilton2024.summary import bold, printed_cells

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
