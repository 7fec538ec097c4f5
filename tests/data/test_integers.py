"""Integers of any size: what tells classes apart, thresholds, parts and signs; `tests/laws` has every entry."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit import Tables, rank_features
from splitcrit.data.values import as_numbers, joined, middle, values_of
from splitcrit.inference import split_test
from splitcrit.trees import clusterings

pl = pytest.importorskip("polars")


def objects(values: Sequence[Any]) -> Any:
    return np.fromiter(values, dtype=object, count=len(values))


def decimals(values: Sequence[Any]) -> list[Any]:
    return [None if x is None else Decimal(x) for x in values]


Y = [0, 1] * 20


@pytest.mark.parametrize("low", [2**53, 2**63, 10**40])
@pytest.mark.parametrize("column", [list, objects, decimals], ids=["list", "objects", "decimals"])
def test_what_tells_classes_apart_is_found_whatever_the_size(tmp_path: Path, low: int, column: Any) -> None:
    """An identity that is the class, and large: the score is that of 0 and 1."""
    values = column([low + y for y in Y])
    small, large = (rank_features({"x": list(x)}, Y).scores for x in (Y, values))
    assert large == small
    if column is not decimals:  # which have no distances
        assert clusterings(values, Y).scores == clusterings(Y, Y).scores
    path = tmp_path / "ids.csv"
    path.write_text(
        "x,y\n" + "".join(f"{x}{'.0' * (i == 7)},{y}\n" for i, (x, y) in enumerate(zip(values, Y, strict=True)))
    )
    assert rank_features(path, "y").scores == small


def test_thresholds_of_large_integers_lie_between_them() -> None:
    low = 2**63 + 1
    assert clusterings([low, low + 1, low + 4], [0, 1, 0]).thresholds(3).tolist() == [low, low + 1]
    assert (middle(low, low + 1), middle(1, 2), middle(10**400, 10**401)) == (low, 1.5, 10**400)
    found = split_test([[low + y] for y in Y], Y)
    assert found.threshold == low and found.best is not None and found.best.cut == f"x0 <= {low}"


def test_parts_and_vectors() -> None:
    assert joined([np.array([1, 2]), np.array([0.5])]).dtype == float
    assert joined([np.array([2**53]), np.array([2**63], dtype=np.uint64)]).tolist() == [2**53, 2**63]
    assert as_numbers([Decimal("-0.0"), Fraction(1, 2), np.float32(2)]).tolist() == [0.0, 0.5, 2.0]
    assert as_numbers([Decimal("Infinity"), 1e300, 2]).dtype == float
    assert values_of(pl.Series([2**100, 2**100 + 1], dtype=pl.Int128)).tolist() == [2**100, 2**100 + 1]


@pytest.mark.parametrize(
    "huge", [10**4300, Decimal("1e4300"), Decimal("-1e999999")], ids=["int", "decimal", "exponent"]
)
def test_an_integer_that_cannot_be_printed_is_refused(huge: Any) -> None:
    with pytest.raises(ValueError, match="an integer in a column has at most 4300 digits; got one with more"):
        rank_features({"x": [huge, 1]}, [0, 1])


def test_a_signalling_nan_is_missing() -> None:
    found = Tables.of({"x": [Decimal("sNaN"), Decimal(1), Decimal(2)]}, [0, 1, 0], missing="row")
    assert found.tables["x"].row_names == (1, 2, "(missing)")


def test_a_zero_has_no_sign() -> None:
    """However it is written, and whatever stands beside it."""
    for zero in (-0.0, Decimal("-0"), Decimal("-0.0"), np.float32(-0.0), np.longdouble("-0.0"), Fraction(0), 0):
        for others in ([], [0.5], [2**63], [0.5, 2**63]):
            found = as_numbers([*others, zero]).tolist()[-1]
            assert (found, str(found).lstrip("-")) == (0, str(found))
