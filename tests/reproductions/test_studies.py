"""Studies: tables show what was measured, and what is said of the numbers follows from them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import numpy as np
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


def test_nothing_that_is_told_of_groups_errs_too_often_in_2000_data_sets_and_power_is_that_of_the_prototype() -> None:
    levels, selections = script("group_levels"), script("group_selections")
    rates, errors = levels.rates(levels.REPORT.rows()), selections.rates(selections.REPORT.rows())
    assert (rates["sets"].xs("0", level="effect") >= 2000).all() and len(rates) > 100
    assert (errors["sets"].drop(index=selections.AUDIT, level="procedure") >= 2000).all()
    assert len(levels.too_many(rates)) == len(levels.too_few(rates)) == len(selections.too_many(errors)) == 0
    more = rates.assign(rejected=rates["rejected"] + 60)
    assert len(levels.too_many(more)) > 10 and len(levels.too_few(rates.assign(rejected=rates["sets"] // 2))) > 5
    keys = ["groups", "constant", "effect", "block"]
    assert len({tuple(row[key] for key in keys) for row in levels.REPORT.rows()}) == len(levels.REPORT.rows())


def test_the_law_of_the_best_cut_within_strata_is_that_of_all_orders_and_finds_no_more() -> None:
    study = script("best_cut_in_strata")
    rng = np.random.default_rng(0)
    for _ in range(12):
        block = np.unique(rng.integers(0, 3, 7), return_inverse=True)[1]
        labels, places = rng.integers(-1, 2, (7, 2)) * 1.0, np.sort(rng.choice(np.arange(1, 7), 3, replace=False))
        bars, strata = 0.1 + 4 * rng.random(3), [np.flatnonzero(block == s) for s in range(block.max() + 1)]
        reached = []
        for orders in product(*map(permutations, strata)):
            moved = np.empty_like(labels)
            for rows, order in zip(strata, orders, strict=True):
                moved[rows] = labels[list(order)]
            reached.append(((moved.cumsum(axis=0)[places - 1] ** 2).sum(axis=1) >= bars).any())
        chance = np.exp(-study.surprise_of_best(block, labels, places, bars))
        assert chance == pytest.approx(np.mean(reached), abs=1e-12)
    power = [row for row in study.REPORT.rows() if row["effect"] != "none"]
    moves, exact = (sum(int(row[test]) for row in power) for test in study.TESTS)
    assert moves > exact
