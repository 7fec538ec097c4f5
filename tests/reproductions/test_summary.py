"""The page that gathers verdicts: it runs the pages, and refuses a reason that is not needed or not so."""

import contextlib
import re
from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from executed_page import changed, copied, page_of
from refusals import refused
from reproductions.verdicts import CELLS

pytest.importorskip("matplotlib_inline", reason="the pages draw into a notebook")
Row = dict[str, str]
DOCS = Path(__file__).parents[2] / "docs"
CELL = re.compile(r"^```\{code-cell\}\n:tags: \[remove-cell\]\n([\s\S]*?)^```$", re.M)


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    known: dict[str, Any] = {}
    with contextlib.chdir(DOCS):
        exec(CELL.findall((DOCS / "reproductions.md").read_text())[0], known)
    return known


def plus(points: float, **of: str) -> Callable[[Row], None]:
    """A change of rows: accuracies of those with these entries rise, by a little that differs from row to row."""

    def change(row: Row) -> None:
        if all(row[name] == value for name, value in of.items()):
            row["accuracy"] = str(float(row["accuracy"]) + points * (1 + 0.01 * (int(row["seed"]) % 7)))

    return change


def times(factor: float, *names: str, **of: str) -> Callable[[Row], None]:
    """A change of rows: some numbers of those with these entries are multiplied."""

    def change(row: Row) -> None:
        if all(row[name] == value for name, value in of.items()):
            row.update({name: str(factor * float(row[name])) for name in names if row[name]})

    return change


def exchanged(row: Row) -> None:
    """SGini takes the other feature."""
    if row["chooser"] == "SGini":
        row["first"] = str(1 - float(row["first"]))


# What makes every reason of a paper false: its files, and how their rows change.
OTHERWISE: dict[str, dict[str, list[Callable[[Row], None]]]] = {
    "breiman1996": {"two_levels": [plus(9, tree="best")]},
    "ghosh2017": {
        "table1": [plus(9, method="RF", noise="40/20"), plus(50, method="Misclassification", noise="40/20")],
        "table2": [plus(-20, method="Gini tuned", noise="40")],
        "figure1": [plus(60, leaves="n/16", noise="40")],
    },
    "wang2024": {
        "table3": [times(2, "ours", reading="class by feature")],
        "figure3": [exchanged],
        "design": [times(100, "seconds", method="binary")],
        "variants": [
            times(2, "accuracy", method="SGini"),
            times(0, "nodes per layer", "all nodes per layer", "noise ratio", method="SGini"),
        ],
    },
    "wilton2024": {"trees": [plus(-9, method="Twoing")], "budget": [plus(9, way="ANE")]},
    "yang2019": {
        "table3": [plus(0.1, method="pairwise gain")],
        "symmetric": [plus(0.1, method="pairwise gain")],
        "figure1": [plus(-0.1, method="pairwise gain")],
        "figure2": [times(10, "seconds", method="information gain")],
    },
}  # fmt: skip


@pytest.mark.slow
def test_verdicts_are_those_of_the_pages(page: dict[str, Any]) -> None:
    words = {key: claim.verdict for key, claim in page["found"].items()}
    assert {paper for paper, _ in words} == set(page["PAPERS"]) == set(OTHERWISE)
    assert words["breiman1996", "gini"] == "holds"  # a theorem
    assert words["wilton2024", "twoing"] == "does not hold"  # by another: for two classes it is half of Gini
    assert words["ghosh2017", "law"] == words["ghosh2017", "uci"] == "holds in part"
    assert words["yang2019", "trees"] == words["yang2019", "symmetric"] == "holds in part"
    in_part = {paper for (paper, _), word in words.items() if word == "holds in part"}
    assert in_part == {"ghosh2017", "wang2024", "yang2019"}


def test_numbers_have_verdicts_by_one_grammar(page: dict[str, Any]) -> None:
    found = {paper: Counter(chain.from_iterable(numbers.values())) for paper, (*_, numbers) in page["stated"].items()}
    assert set(chain.from_iterable(found.values())) == set(CELLS)
    assert found["breiman1996"] == {"agrees": 2}
    assert found["yang2019"]["differs"] == 0 < found["ghosh2017"]["differs"]
    assert found["wilton2024"]["not run"] >= 784  # of data that are not at hand


def test_reasons_say_what_the_files_say(page: dict[str, Any]) -> None:
    why = page["why"]
    said = "more than forests on 6 of 6 data sets, and more than trees on 5, all but splice: -0.08"
    assert said in why["ghosh2017", "uci"]
    assert "It says 9 times and the paper prints 10" in why["ghosh2017", "law"]
    assert "4.0 (2.0 to" in why["ghosh2017", "law"] and "11.4 (8.0 to 11.4)" in why["ghosh2017", "law"]
    assert "transposed table, label and feature exchanged: 6 of 6" in why["wang2024", "cells of 3"]
    said = "On checkerboard 2x2 misclassification is 0.18 to 1.24 points above Gini"
    assert said in why["ghosh2017", "misclassification"]


@pytest.mark.slow
@pytest.mark.parametrize("paper", OTHERWISE)
def test_every_reason_fails_where_the_data_say_otherwise(paper: str, page: dict[str, Any], tmp_path: Path) -> None:
    copied(paper, tmp_path)
    for name, changes in OTHERWISE[paper].items():
        for change in changes:
            changed(tmp_path / paper / f"{name}.csv", change)
    _, reasons, _ = page["stated_by"](paper, tmp_path)
    assert reasons
    for reason in reasons.values():
        with pytest.raises(ValueError, match="a reason is given only while the data bear it out"):
            _ = reason.text


def test_every_claim_that_does_not_hold_has_a_reason_and_no_other(page: dict[str, Any]) -> None:
    explained, (claims, reasons, _) = page["explained"], page["stated"]["wilton2024"]
    assert set(explained({"wilton2024": (claims, reasons)})) == {("wilton2024", name) for name in reasons}
    without = {name: reason for name, reason in reasons.items() if name != "twoing"}
    for other in (without, reasons | {"top": reasons["twoing"]}):
        refused(r"reasons are lacking for .* and stale for", explained, {"wilton2024": (claims, other)})


def test_every_picture_has_words_for_those_who_do_not_see_it() -> None:
    drawn = re.compile(r"^(?:figure|(?:accuracies|plots\.\w+|drawn\.\w+|against_printed)\(.*\))\n```$", re.M)
    for paper, others in (("ghosh2017", 1), ("wilton2024", 0), ("yang2019", 0)):
        text = page_of(paper).read_text(encoding="utf-8")
        assert len(drawn.findall(text)) + others == len(re.findall(r"^    alt: \w+", text, re.M)) > 4


def test_a_page_without_reasons_is_an_error(page: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "breiman1996.md").write_text(page_of("breiman1996").read_text().partition("## What holds")[0])
    (tmp_path / "breiman1996").symlink_to(page_of("breiman1996").with_suffix(""))
    refused("states no claims and reasons", page["stated_by"], "breiman1996", tmp_path)
