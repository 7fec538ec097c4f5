"""The study of roots: its page shows what it measured, and a tool that is absent says why. The error of a law."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts import script


@pytest.fixture(scope="module")
def roots() -> Any:
    return script("root_choice")


def rows_of(report: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(report.results.read_text().splitlines()))


def test_the_page_shows_what_was_measured(roots: Any) -> None:
    rows, page = rows_of(roots.REPORT), roots.REPORT.page.read_text()
    assert list(rows[0]) == list(roots.FIELDS) and {row["tool"] for row in rows} == set(roots.TOOLS)
    other = [rows[0] | {"chosen": "999"}, *rows[1:]]
    assert roots.REPORT.paged(page, roots.table(rows)) == page != roots.REPORT.paged(page, roots.table(other))
    assert all(int(row["runs"]) >= 200 for row in rows if not row["absent"])


def test_data_sets_are_what_the_page_says(roots: Any) -> None:
    (one,), (same,) = (list(roots.data_sets("city", 1)) for _ in range(2))
    assert one.frame.equals(same.frame) and (one.y == same.y).all()
    assert one.frame.nunique().tolist() == [2, 4, 20, 30, *[300] * 6] and len(one.y) == 300
    first = [s.frame["city"] < "c10" for s in roots.data_sets("city", 40)]
    labels = [s.y for s in roots.data_sets("city", 40)]
    share = np.mean(np.concatenate([y[rows] for y, rows in zip(labels, first, strict=True)]))
    rest = np.mean(np.concatenate([y[~rows] for y, rows in zip(labels, first, strict=True)]))
    assert abs(share - 0.65) < 0.03 and abs(rest - 0.42) < 0.03


@pytest.mark.parametrize("tool", ["splitcrit, Gini", "scikit-learn, one-hot", "XGBoost", "LightGBM"])
def test_a_column_that_tells_all_is_at_the_root(roots: Any, tool: str) -> None:
    if roots.absent(tool):
        pytest.skip(roots.absent(tool))
    (one,) = roots.data_sets("flag", 1)
    sets = [one._replace(y=one.frame["flag"].to_numpy()), one._replace(y=(one.frame["city"] == "c07").to_numpy(int))]
    assert list(roots.TOOLS[tool].roots(iter(sets[:1]))) == ["flag"]
    if tool not in ("LightGBM",):  # ten rows are too few for a side there
        assert list(roots.TOOLS[tool].roots(iter(sets[1:]))) == ["city"]


def test_a_tool_that_is_absent_says_why(roots: Any, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert roots.absent("ctree") == "R is not installed"
    monkeypatch.setitem(sys.modules, "xgboost", None)
    (row,) = roots.measured("XGBoost", 1)
    assert row["runs"] == "0" and "xgboost" in row["absent"]
    assert "XGBoost is left out: " in roots.table([row])


def test_the_error_of_the_best_subset_is_what_the_page_and_the_docstring_say() -> None:
    mixture = script("mixture_error")
    rows, page = rows_of(mixture.REPORT), mixture.REPORT.page.read_text()
    assert (
        mixture.REPORT.paged(page, mixture.table(rows)) == page != mixture.REPORT.paged(page, mixture.table(rows[6:]))
    )
    assert len(rows) == len(mixture.DESIGNS) * 2 * 2 * 3
    for row in rows:
        limit = {0.05: 0.13, 0.01: 0.16, 1e-4: 0.4}[float(row["p"])]
        if "even" in row["design"]:
            few, many = (0.10, 0.12, 0.17), (0.06, 0.11, 0.17)
            limit = (few if row["draws"] == "400" else many)[(0.05, 0.01, 1e-4).index(float(row["p"]))]
        if row["method"] == "mixture" and row["tail"] == "gamma":
            assert float(row["rms"]) <= limit, row


@pytest.mark.parametrize("name", ["null_shares", "calibrated_accuracy", "test_levels"])
def test_tables_of_studies_are_those_of_their_rows(name: str) -> None:
    study = script(name)
    rows, page = rows_of(study.REPORT), study.REPORT.page.read_text()
    fewer = study.table(rows[2:] if name == "calibrated_accuracy" else rows[:-3])
    assert study.REPORT.paged(page, study.table(rows)) == page != study.REPORT.paged(page, fewer)


def test_no_test_rejects_too_often_in_any_design(capsys: pytest.CaptureFixture[str]) -> None:
    levels = script("test_levels")
    assert levels.summary(levels.FILE) == 0
    assert "0 reject too often" in capsys.readouterr().out


def test_a_calibrated_tree_is_no_worse_and_noise_categories_do_not_lead_it() -> None:
    for row in rows_of(script("calibrated_accuracy").REPORT):
        far = float(row["difference"]) / max(float(row["standard error"]), 1e-4)
        assert far < 2 if row["noise"] == "no" else far <= 0, row
