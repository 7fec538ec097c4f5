"""The page of yang2019 is run with its results as they are, and with other ones: what it says follows the files."""

import re
from statistics import mean, median, stdev

import pytest

from executed_page import ROOT, built, changed, copied, page_of, rows
from reproductions.results import stored

pytest.importorskip("myst_nb", reason="the page is a document that myst-nb runs")
pytestmark = pytest.mark.slow
RESULTS = page_of("yang2019").with_suffix("")
CLAIMS = {
    "asymmetric": "Forests by pairwise gain are more accurate under asymmetric noise (Table III)",
    "marks": "It wins about half of these comparisons and loses none (Table III)",
    "seconds": "Information gain costs about ten times as much (Figure 2)",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return built(copied("yang2019", tmp_path_factory.mktemp("as it is")))


def said(text, claim):
    return re.search(re.escape(claim) + r".*?(holds in part|does not hold|holds)", text)[1]


def better(row):
    """Forests by pairwise gain are better than any other can be, by a little that differs from fold to fold."""
    if row["method"] == "pairwise gain":
        row["accuracy"] = str(1 + 0.001 * int(row["fold"]))


def slower(row):
    """Trees by information gain take ten times as long."""
    for name in ("seconds", "seconds_full"):
        row[name] = "0.01" if row["method"] == "information gain" else "0.001"


def test_what_the_page_says_follows_its_results(page, tmp_path):
    other = copied("yang2019", tmp_path)
    for name, change in (("table3", better), ("figure2", slower)):
        changed(tmp_path / "yang2019" / f"{name}.csv", change)
    text = built(other)
    assert {name: said(page, claim) for name, claim in CLAIMS.items()} == {
        "asymmetric": "does not hold", "marks": "does not hold", "seconds": "does not hold",
    }  # fmt: skip
    assert {name: said(text, claim) for name, claim in CLAIMS.items()} == dict.fromkeys(CLAIMS, "holds")
    assert "Is it ten on any? No." in page and "Is it ten on any? Yes." in text


def test_the_missing_data_sets_are_those_of_the_printed_table_that_no_problem_has(page):
    printed = {row["data"] for row in rows(ROOT / "docs" / "data" / "yang2019_table3.csv")}
    run = {row["data"] for name in ("table3", "sampled") for row in rows(RESULTS / f"{name}.csv")}
    count, names = re.search(r"(\d+) are not at hand: (.*?)\. ", page).groups()
    assert set(names.split(", ")) == printed - run and int(count) == len(printed - run) == 12


def test_what_wilton2024_prints_is_its_ranking_loss_less_its_squared_loss(page):
    found = rows(ROOT / "docs" / "data" / "wilton2024_tables.csv")
    at = {(r["dataset"], r["noise"], r["criterion"]): float(r["mean_acc_pct"])
          for r in found if r["table"] == "Table 4" and r["noise"][:2] == "cc"}  # fmt: skip
    apart = [value - at[data, noise, "MSE"] for (data, noise, name), value in at.items() if name == "Ranking"]
    sentence = re.search(r"its difference to Gini is ([+-][\d.]+) points in the median over (\d+) cells", page)
    assert sentence.groups() == (f"{median(apart):+.2f}", str(len(apart))) and len(apart) == 12


def test_deviations_are_those_of_differences_of_runs(page):
    ours, theirs = ({}, {})
    for row in rows(RESULTS / "table3.csv"):
        if (row["data"], row["tau_pos"], row["inner"]) == ("heart", "0.4", "20"):
            for method, kept in (("pairwise gain", ours), ("Gini", theirs)):
                if row["method"] == method:
                    kept.setdefault(row["run"], []).append(100 * float(row["accuracy"]))
    apart = [mean(ours[run]) - mean(theirs[run]) for run in ours]
    assert len(apart) > 1
    assert f"heart (0.2, 0.4) {len(apart)} {mean(apart):+.2f} ± {stdev(apart):.2f}" in page


def test_every_picture_has_words_for_those_who_do_not_see_it():
    text = page_of("yang2019").read_text(encoding="utf-8")
    drawn = re.findall(r"^(?:drawn\.\w+|against_printed)\(.*\)\n```$", text, re.M)
    assert len(drawn) == len(re.findall(r"^    alt: \w+", text, re.M)) == 7


def test_a_page_without_its_results_is_an_error(tmp_path):
    page = copied("yang2019", tmp_path)
    stored(tmp_path / "yang2019" / "figure1.csv").unlink()
    with pytest.raises(AssertionError, match="ExecutionError"):
        built(page)
