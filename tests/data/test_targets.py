"""What a target is: one rule for vectors of any type and for counted values."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit.data.targets import MeasuredTarget, read_target, response_of


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (["a", "b"], "classes"), ([0, 1], "classes"), ([True, False], "classes"), ([0.5, 1.0], "numbers"),
        (list(range(20)), "classes"), (list(range(21)), "numbers"), ([*map(str, range(30))], "classes"),
        ([float(i) for i in range(20)] * 2, "classes"), ([1.0, np.inf], "numbers"), ([Decimal("0.5"), 1], "numbers"),
        ([Fraction(1, 2), 1], "numbers"), ([*range(30), None], "numbers"), ([*"ab", None], "classes"),
        (["2024-01-01", "2024-01-02"], "classes"), ([2**70, *range(25)], "numbers"),
    ],
)  # fmt: skip
def test_auto(y: list[Any], kind: str) -> None:
    found = read_target(y)
    assert found.kind == kind == read_target(np.array(y, dtype=object)).kind
    assert found.present.tolist() == [x is not None for x in y]
    if kind == "numbers":
        assert [float(x) for x in found.values] == [float(x) for x in y if x is not None]
    else:
        names = [found.classes[code] for code in found.values]
        assert list(map(str, names)) == [str(x) for x in y if x is not None] or "2024" in str(names)


def test_response_insists() -> None:
    assert read_target([0, 1], "numbers").kind == "numbers" and read_target(range(300), "classes").kind == "classes"
    with pytest.raises(MeasuredTarget, match=r"a label is a class; got numbers such as 0.5 in 'price'"):
        read_target([0.5, 1], "classes", "price")
    with pytest.raises(ValueError, match="a numeric target must hold only numbers; got other values in 'sold'"):
        read_target(["a", 1], "numbers", "sold")
    with pytest.raises(ValueError, match="a class has a name of at most 10000 characters"):
        read_target(["a", "b" * 10001])


def test_remarks() -> None:
    assert read_target([0, 1] * 5).remarks == read_target(["a", "b"] * 5).remarks == read_target([0.5, 1]).remarks == ()
    assert read_target([1, 2, 3] * 5, label="age").remarks == (
        "3 whole numbers in 'age' are taken for classes; response='numbers' measures them.",
    )
    assert read_target(["a", "a", "b"]).remarks == ("classes of 'y' with one row: 'b'.",)
    spelt = "classes of 'y' that differ only by case or blanks: 'JA ', 'Ja', 'ja'."
    told = (spelt, "classes of 'y' with one row: 'x'.")
    rows = [*("ja", "Ja", "JA ", "nein") * 2, "x"]
    assert {read_target([rows[i] for i in np.random.default_rng(k).permutation(9)]).remarks for k in range(9)} == {told}
    assert "and 3 more" in response_of([*map(chr, range(97, 104))], [1] * 7, "auto", "y")[1][0]


def test_what_is_no_target_is_refused() -> None:
    fields = np.zeros(3, dtype=[("event", bool), ("time", float)])
    with pytest.raises(ValueError, match="of times and events, by response_scores=log_rank"):
        read_target(fields)
    with pytest.raises(ValueError, match=r"y has one output; got shape \(3, 2\)"):
        read_target(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="a label has at most 1000 values; got more in 'name'"):
        read_target([*map(str, range(1001))], label="name")


def test_responses_are_floats_from_the_least_where_these_would_merge_integers() -> None:
    assert read_target([2**60 + 1, 2**60, None], "numbers").responses.tolist() == [1, 0]
    assert read_target(pd.DataFrame({"y": [3, 5]}), "numbers").responses.tolist() == [3, 5]
    with pytest.raises(ValueError, match="a numeric target must be finite; got inf in 'y'"):
        _ = read_target([0.5, np.inf]).responses
    with pytest.raises(ValueError, match="a numeric target must fit a float; got larger ones in 'y'"):
        _ = read_target([10**400, 0], "numbers").responses
