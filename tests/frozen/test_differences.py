"""The table of differences: what an entry is, and what it explains."""

from __future__ import annotations

from math import inf

import pytest

from frozen.store import Difference, explains, known, unknown


def test_every_difference_says_what_where_and_why() -> None:
    for entry in known():
        assert entry.keys() - {"within"} == {"what", "where", "why"}, entry
        assert entry["where"] and all(isinstance(pattern, str) for pattern in entry["where"]), entry
        assert all(len(entry[part].split()) > 3 for part in ("what", "why")), entry


@pytest.mark.parametrize(
    ("entry", "explained"),
    [
        ({"where": ["glass, RI: p"]}, True),
        ({"where": ["zoo, *", "glass, *: p"]}, True),
        ({"where": ["glass, *: kind"]}, False),
        ({"where": ["glass, *"], "within": 0.4}, False),
        ({"where": ["glass, *"], "within": 0.6}, True),
    ],
)
def test_an_entry_explains_what_it_names(entry: dict[str, object], explained: bool) -> None:
    difference = Difference("glass, RI: p", 0.1, 0.2)
    assert explains(entry, difference) is explained
    assert unknown([difference], [entry]) == ([] if explained else [difference])


def test_texts_and_missing_answers_differ_by_any_size() -> None:
    assert Difference("", "number", "category").size == Difference("", float("nan"), 1.0).size == inf
    assert Difference("", 2.0, 1.0).size == 0.5
