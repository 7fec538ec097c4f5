"""Studies: tables show what was measured, and what is said of the numbers follows from them."""

import sys
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

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


@pytest.mark.slow
def test_recorded_levels_and_powers_are_those_of_the_code_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    again, columns, selections = script("blocks").made_again, script("column_power"), script("selection_levels")
    assert again("selection_levels", ("scenario",), selections.level_block, 6) == []
    for study in map(script, ("group_levels", "group_selections", "best_cut_in_strata", "effect_coverage")):
        assert again(study.NAME, study.KEYS, vars(study).get("make") or study.cell, 2) == []
    assert again("column_power", ("study", "design"), columns.power_block, 6) == []
    monkeypatch.setattr(columns, "ALPHA", 0.06)  # another test
    assert again("column_power", ("study", "design"), columns.power_block, 6)


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
    assert (errors["sets"] >= 2000).all()
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


# The tests of columns that a study compares `split_test` with, against all orders and against published relations.

RIVALS = script("column_rivals")
NUMBERS = np.array([0.3, -1.0, 2.5, 2.5, 0.0, 7.0])
WORDS = np.array(["a", "b", "a", "c", "b", "a"])


@pytest.mark.parametrize("x", [NUMBERS, WORDS], ids=["numbers", "categories"])
@pytest.mark.parametrize("y", [NUMBERS[::-1] ** 2, WORDS[::-1]], ids=["numbers", "classes"])
def test_mean_and_covariance_are_those_over_all_orders(x: Any, y: Any) -> None:
    g, h = RIVALS.scored(x), RIVALS.scored(y)
    _, mean, covariance = RIVALS.linear_statistic(g, h)
    every = np.array([(g.T @ h[list(order)]).ravel("F") for order in permutations(range(6))])
    assert mean == pytest.approx(every.mean(axis=0), abs=1e-9)
    assert covariance == pytest.approx(np.cov(every.T, bias=True).reshape(covariance.shape), rel=1e-9, abs=1e-9)
    assert covariance * 5 / 6 != pytest.approx(np.cov(every.T, bias=True).reshape(covariance.shape), rel=1e-3)


def test_of_two_classes_or_numbers_it_is_the_squared_correlation() -> None:
    rng = np.random.default_rng(0)
    x, y, ones = rng.normal(size=40), rng.normal(size=40), rng.integers(0, 2, 40)
    for response in (y, ones):
        form, freedom = RIVALS.quadratic(x[:, None], RIVALS.scored(response))
        assert freedom == 1 and form == pytest.approx(39 * np.corrcoef(x, response)[0, 1] ** 2, rel=1e-9)


def test_of_categories_and_classes_it_is_pearsons_statistic() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 4, 90), rng.integers(0, 3, 90)
    table = np.bincount(3 * x + y, minlength=12).reshape(4, 3)
    form, freedom = RIVALS.quadratic(RIVALS.scored(x), RIVALS.scored(y))
    assert freedom == 6 and form == pytest.approx(chi2_contingency(table).statistic * 89 / 90, rel=1e-9)
    lone = RIVALS.ctree(x[:, None].astype(float), y)
    assert lone == pytest.approx(chi2.sf(RIVALS.quadratic(x[:, None] * 1.0, RIVALS.scored(y))[0], 2), rel=1e-9)


def test_rows_without_a_value_are_left_out() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(60, 1)), rng.integers(0, 3, 60)
    gone = np.where(np.arange(60)[:, None] < 20, np.nan, x)
    assert RIVALS.ctree(gone, y) == pytest.approx(RIVALS.ctree(x[20:], y[20:]), rel=1e-12)
    assert RIVALS.ctree(np.ones((60, 1)), y) == 1


@pytest.mark.parametrize("classes", [2, 3, None])
def test_orders_reject_in_about_their_level_and_find_what_is_there(classes: int | None) -> None:
    rejected, found = 0, 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x, noise = rng.normal(size=(40, 1)), rng.normal(size=40)
        for signal in (0.0, 2.0):
            z = signal * x[:, 0] + noise
            y = z if classes is None else np.searchsorted(np.quantile(z, np.arange(1, classes) / classes), z)
            small = RIVALS.joint_orders(x, y, 99, rng, [1.0] if classes == 2 else None) <= 0.1
            rejected, found = rejected + (small and not signal), found + (small and signal > 0)
    assert rejected <= 13 and found > 50  # P(binomial(60, .1) > 13) = .001


def test_the_study_says_where_split_test_finds_less() -> None:
    study = script("column_power")
    assert study.far_below() == {"better of ctree and best cut": [], "joint orders": ["ten classes, shift"]}


# The study beside other libraries runs with any of them absent, and says why.

MODULES = {"YDF": "ydf", "LightGBM": "lightgbm", "XGBoost hist": "xgboost", "treeple": "treeple"}


@pytest.fixture(scope="module")
def scripts() -> Any:
    """The script that measures, and how it asks each library."""
    run = script("peers")
    return run, sys.modules["peers_fits"]


@pytest.fixture
def peers(scripts: Any) -> dict[str, Any]:
    """The libraries by name."""
    return {peer.name: peer for peer in scripts[1].PEERS}


@pytest.mark.parametrize(("name", "module"), MODULES.items())
def test_a_library_that_is_absent_is_skipped(name: str, module: str, peers: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert peers[name].absent() == f"skipped: {module} is not installed (pip install {module})"


@pytest.mark.parametrize("forest", [False, True])
def test_both_libraries_that_are_always_there_grow_the_same(forest: bool, peers: Any, scripts: Any) -> None:
    run, fits = scripts
    task = fits.Task(20, 5, 4) if forest else fits.Task(1, 5)
    cells = run.measured([peers["splitcrit"], peers["scikit-learn"]], task, 500, 10)
    ours, theirs = cells["splitcrit"], cells["scikit-learn"]
    assert ours.accuracy == pytest.approx(theirs.accuracy, abs=0.02 if forest else 0.005) and ours.accuracy > 0.6
    assert ours.leaves == pytest.approx(theirs.leaves, rel=0.1 if forest else 0.02)
    assert 16 < ours.leaves <= 32
    assert (ours.spread > 0) == forest  # every run has a seed of its own
