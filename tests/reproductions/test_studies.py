"""Studies: tables show what was measured, and what is said of the numbers follows from them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scripts import script

Rows = list[dict[str, str]]
STUDIES: dict[str, Callable[[Rows], Rows]] = {  # by the script; and other rows, of which the table is another
    "adaptive": lambda rows: rows[::-1],
    "root_choice": lambda rows: [row | {"chosen": "999"} for row in rows],
    "mixture_error": lambda rows: rows[6:],
    "null_shares": lambda rows: rows[:-3],
    "calibrated_accuracy": lambda rows: rows[2:],
    "test_levels": lambda rows: rows[:-3],
    "many_levels": lambda rows: rows[:-20],
}


@pytest.mark.parametrize("name", STUDIES)
def test_the_table_is_of_what_was_measured(name: str) -> None:
    study = script(name)
    rows = study.REPORT.rows()
    assert study.table(rows) != study.table(STUDIES[name](rows))


def test_the_tables_of_accuracies_are_what_was_measured() -> None:
    study = script("accuracies")
    rows = study.REPORT.rows()
    assert {row["model"] for row in rows} == {*study.MODELS, *study.OF_NOISE}
    assert all(table(rows) != table(rows[15:-15]) for table in (study.criteria, study.noise))


def test_the_table_of_follow_up_is_what_was_measured() -> None:
    levels = script("test_levels")
    rows = levels.CENSORED.rows()
    assert levels.follow_up_table(rows) != levels.follow_up_table(rows[3:])
    assert len({row["column"] for row in rows}) == 4 == len(levels.FOLLOW_UP)


def test_no_test_rejects_too_often_in_any_design(capsys: pytest.CaptureFixture[str]) -> None:
    levels = script("test_levels")
    assert levels.summary(levels.FILE) == 0
    assert "0 reject too often" in capsys.readouterr().out


def test_a_calibrated_tree_is_no_worse_and_noise_categories_do_not_lead_it() -> None:
    for row in script("calibrated_accuracy").REPORT.rows():
        far = float(row["difference"]) / max(float(row["standard error"]), 1e-4)
        assert far < 2 if row["noise"] == "no" else far <= 0, row


def test_the_error_of_the_best_subset_is_what_the_page_and_the_docstring_say() -> None:
    mixture = script("mixture_error")
    rows = mixture.REPORT.rows()
    assert len(rows) == len(mixture.DESIGNS) * 2 * 2 * 3
    for row in rows:
        limit = {0.05: 0.13, 0.01: 0.16, 1e-4: 0.4}[float(row["p"])]
        if "even" in row["design"]:
            few, many = (0.10, 0.12, 0.17), (0.06, 0.11, 0.17)
            limit = (few if row["draws"] == "400" else many)[(0.05, 0.01, 1e-4).index(float(row["p"]))]
        if row["method"] == "mixture" and row["tail"] == "gamma":
            assert float(row["rms"]) <= limit, row
