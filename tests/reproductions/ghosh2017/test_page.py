"""The page of ghosh2017 is run with its results as they are, and with other ones: what it says follows the files."""

import re

import pytest

from executed_page import built, changed, copied, page_of
from reproductions.results import stored

pytest.importorskip("myst_nb", reason="the page is a document that myst-nb runs")
pytestmark = pytest.mark.slow


def other(row):
    """Forests are perfect under class-conditional noise, and in one trial twoing is not as accurate as Gini."""
    if (row["method"], row["noise"]) == ("RF", "40/20"):
        row["accuracy"] = "100.0"
    if (row["method"], row["noise"], row["run"], row["data"]) == ("Twoing", "0", "3", "dataset 3"):
        row["accuracy"] = "12.5"


CLAIM = "Noise that depends on the class hurts trees and forests little (Table 1)"


def test_what_the_page_says_follows_its_results(tmp_path):
    before, page = built(copied("ghosh2017", tmp_path / "as it is")), copied("ghosh2017", tmp_path / "changed")
    changed(page.with_suffix("") / "table1.csv", other)
    after = built(page)
    for text, word, equal, forests in ((before, "holds in part", "Yes.", "8.30"), (after, "holds", "No.", "0.00")):
        verdict = re.search(re.escape(CLAIM) + r".*?machines more (holds in part|holds|does not hold)", text)[1]
        assert verdict == word
        assert re.search(r"Noise that depends on the class\. ([A-Z][a-z ]+)\.", text)[1].lower() == word
        assert re.search(r"forests ([\d.]+), machines", text)[1] == forests
        assert re.search(r"equal in every trial of both tables\? (Yes\.|No\.)", text)[1] == equal
    assert "They are in 650 of 650." in before and "They are in 649 of 650." in after


def test_every_picture_has_words_for_those_who_do_not_see_it():
    text = page_of("ghosh2017").read_text(encoding="utf-8")
    drawn = re.findall(r"^(?:figure|accuracies\(.*\))\n```$", text, re.M)
    assert len(drawn) == 4
    assert len(drawn) + text.count("\nagainst_printed(") == len(re.findall(r"^    alt: \w+", text, re.M)) == 5


def test_a_page_without_its_results_is_an_error(tmp_path):
    page = copied("ghosh2017", tmp_path)
    stored(page.with_suffix("") / "table2.csv").unlink()
    with pytest.raises(AssertionError, match="ExecutionError"):
        built(page)
