"""What the null law refuses names its place in the margins; what any parameter refuses is asked by `contract`."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from splitcrit import gini_null

totals = st.lists(st.integers(0, 10**6), min_size=1, max_size=5)
bad_entries = st.one_of(
    st.integers(-(10**20), -1).map(lambda x: (x, "non-negative")),
    st.floats(0.01, 0.99).map(lambda x: (x, "integers")),
    st.sampled_from([(math.nan, "finite"), (math.inf, "finite"), (-math.inf, "finite")]),
)


def sentence(error):
    """Return the text of an error, which has three parts and one line."""
    text = str(error.value)
    assert len(text.split("; ")) == 3, text
    assert "\n" not in text
    return text


@given(totals, bad_entries, st.booleans(), st.data())
def test_margins_hold_counts(good, entry, in_rows, data):
    value, rule = entry
    bad = [*good, value]
    rows, columns = (bad, [sum(good)]) if in_rows else ([sum(good)], bad)
    with pytest.raises(ValueError) as error:
        gini_null(rows, columns)
    assert rule in sentence(error)
    assert ("row" if in_rows else "column") in sentence(error)
    assert f"position {len(good)}" in sentence(error)


@given(totals, totals)
def test_margins_have_one_sum(rows, columns):
    if sum(rows) == sum(columns):
        columns = [*columns, 1]
    with pytest.raises(ValueError) as error:
        gini_null(rows, columns)
    assert "the same sum" in sentence(error)
    assert f"{sum(rows)} and {sum(columns)}" in sentence(error)


@pytest.mark.parametrize(
    ("rows", "columns", "rule"),
    [
        ([[1, 2], [3]], [3], "rectangle"),
        ([], [], "at least one entry"),
        (3, [3], "at least one entry"),
        ([[1, 2], [2, 1]], [[1, 2]] * 3, "broadcast"),
        ([[1, 2], [2, 2]], [2, 1], "4 and 3 at table (1,)"),
        ([[1, 2], [2, -2]], [2, 1], "-2 at position 1 of table 1"),
    ],
)
def test_margins_have_shapes_that_fit(rows, columns, rule):
    with pytest.raises(ValueError) as error:
        gini_null(rows, columns)
    assert rule in sentence(error)


def test_models_and_orders_are_those_known():
    for options, rule in [
        ({"model": "bootstrap"}, "a null model is one of 'permutation', 'multinomial'"),
        ({"order": 4}, "order is an integer from 2 to 3"),
        ({"order": 3, "model": "multinomial"}, "a mean and a variance only"),
    ]:
        with pytest.raises(ValueError) as error:
            gini_null([2, 2], [2, 2], **options)
        assert rule in sentence(error)
