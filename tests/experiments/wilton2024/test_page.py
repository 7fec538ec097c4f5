"""The page of wilton2024 is run with its results as they are, and with other ones: what it says follows the files."""

import csv
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("myst_nb", reason="the page is a document that myst-nb runs")
pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "reproductions" / "wilton2024.md"
RUN = "from myst_nb.docutils_ import cli_html5; cli_html5()"
OPTIONS = ("--nb-read-as-md=yes", "--nb-eval-name-regex=", "--report=4")


def copied(folder):
    shutil.copy(PAGE, folder)
    shutil.copytree(PAGE.with_suffix(""), folder / PAGE.stem)
    return folder


def built(folder):
    """What a reader sees of the page in a folder, without its code."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *OPTIONS, PAGE.name], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    shown = re.sub(r'<div class="cell_input.*?</pre>', "", done.stdout, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", shown)).split())


def changed(path, change):
    """Write the rows of a file anew, each changed in place."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        change(row)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def wrong(row):
    """Trees by Gini are always wrong."""
    if row["way"] != "ANE":
        row["accuracy"] = "0.0"


def exchanged(row):
    """Forests as released and usual ones change places."""
    first, second = "varying, all rows", "all, bootstrap"
    row["forest"] = {first: second, second: first}.get(row["forest"], row["forest"])


CLAIM = "ANE is more flexible than a smallest leaf (not tested there)"
NEAREST = "the nearest to the print of the four?"


def test_what_the_page_says_follows_its_results(tmp_path):
    for name in ("as it is", "changed"):
        (tmp_path / name).mkdir()
    before, folder = built(copied(tmp_path / "as it is")), copied(tmp_path / "changed")
    changed(folder / "wilton2024" / "budget.csv", wrong)
    changed(folder / "wilton2024" / "forests_printed.csv", exchanged)
    after = built(folder)
    for text, word, nearest in ((before, "does not hold", "Yes."), (after, "holds", "No.")):
        assert re.search(re.escape(CLAIM) + r".*?(holds|does not hold)", text)[1] == word
        assert re.search(re.escape(NEAREST) + r" (Yes\.|No\.)", text)[1] == nearest
    assert "47 3 11 10/0/1" in before and "0 0 61 0/0/11" in after  # pruning beside ANE: won, tied, lost


def test_every_picture_has_words_for_those_who_do_not_see_it():
    text = PAGE.read_text(encoding="utf-8")
    drawn = re.findall(r"^(?:plots\.\w+|accuracies|against_printed)\(.*\)\n```$", text, re.M)
    assert len(drawn) == len(re.findall(r"^    alt: \w+", text, re.M)) == 10


def test_a_page_without_its_results_is_an_error(tmp_path):
    (copied(tmp_path) / "wilton2024" / "trees.csv").unlink()
    with pytest.raises(AssertionError, match="ExecutionError"):
        built(tmp_path)
