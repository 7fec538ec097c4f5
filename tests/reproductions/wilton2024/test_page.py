"""The page of wilton2024 is run with its results as they are, and with other ones: what it says follows the files."""

import re

import pytest

from executed_page import built, changed, copied, page_of

pytest.importorskip("myst_nb", reason="the page is a document that myst-nb runs")
pytestmark = pytest.mark.slow


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
    before, page = built(copied("wilton2024", tmp_path / "as it is")), copied("wilton2024", tmp_path / "changed")
    changed(page.with_suffix("") / "budget.csv", wrong)
    changed(page.with_suffix("") / "forests_printed.csv", exchanged)
    after = built(page)
    for text, word, nearest in ((before, "does not hold", "Yes."), (after, "holds", "No.")):
        assert re.search(re.escape(CLAIM) + r".*?(holds|does not hold)", text)[1] == word
        assert re.search(re.escape(NEAREST) + r" (Yes\.|No\.)", text)[1] == nearest
    assert "47 3 11 10/0/1" in before and "0 0 61 0/0/11" in after  # pruning beside ANE: won, tied, lost


def test_every_picture_has_words_for_those_who_do_not_see_it():
    text = page_of("wilton2024").read_text(encoding="utf-8")
    drawn = re.findall(r"^(?:plots\.\w+|accuracies|against_printed)\(.*\)\n```$", text, re.M)
    assert len(drawn) == len(re.findall(r"^    alt: \w+", text, re.M)) == 10


def test_a_page_without_its_results_is_an_error(tmp_path):
    page = copied("wilton2024", tmp_path)
    (page.with_suffix("") / "trees.csv").unlink()
    with pytest.raises(AssertionError, match="ExecutionError"):
        built(page)
