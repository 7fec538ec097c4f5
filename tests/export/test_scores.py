"""The loops around scores, run as they stand, against the definition of SGini."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import islice

import pytest

from c_library import Table, drawn
from oracles import gain, table_law
from oracles import moments as moments_of
from splitcrit.export import moments
from splitcrit.nulls.standardisation import sgini


def scored(table: Table) -> float:
    flat = [x for row in table for x in row]
    return moments.sgini(flat, len(table), len(table[0]), [7] * (len(table) + len(table[0])))


def test_sgini_is_the_gain_in_standard_deviations_above_its_mean() -> None:
    tables = [[3, 0], [1, 6]], [[4, 1, 0], [0, 2, 3]], [[2, 2], [1, 3], [0, 4]], [[1, 0, 2], [3, 1, 0], [0, 0, 2]]
    for table in tables:
        rows, columns = tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))
        mean, variance, _ = moments_of(table_law(rows, columns))
        above = gain(table) - mean
        assert scored(table) == pytest.approx(float(above) / math.sqrt(variance), rel=1e-14)


def test_it_is_that_of_the_library_at_every_scale() -> None:
    for table in islice(drawn(random.Random(6)), 300):
        assert scored(table) == pytest.approx(sgini(table), rel=1e-14, abs=0)


def test_the_scan_scores_two_rows_at_every_threshold() -> None:
    table = [[0, 0], [3, 1], [0, 0], [2, 2], [0, 5], [1, 0], [0, 0]]
    found = [math.nan] * 6
    assert moments.scan([x for row in table for x in row], 7, 2, found, [7] * 11) == 0
    for i, score in enumerate(found, 1):
        two = [[sum(cells) for cells in zip(*part, strict=True)] for part in (table[:i], table[i:])]
        assert score == pytest.approx(scored(two), rel=1e-15, abs=0)
    assert found[0] == found[5] == 0.0 and found[1] == found[2] != 0


@pytest.mark.parametrize(
    ("cells", "r", "k"), [([1, -1, 1, 1], 2, 2), ([2**31, 0], 1, 2), ([2**31 - 1, 1], 2, 1), ([], 0, 2), ([], 2, 0)]
)
def test_what_is_no_table_gives_nan_and_sets_no_score(cells: list[int], r: int, k: int) -> None:
    found = [5.0]
    assert math.isnan(moments.sgini(cells, r, k, [7] * 9)) and moments.scan(cells, r, k, found, [7] * 9) == -1
    assert found == [5.0]


def test_numbers_that_agree_in_28_digits_are_equal() -> None:
    one, more = Fraction(1), 1 + Fraction(1, 10**29)
    assert moments.standard(more, one, one) == 0.0 < moments.standard(1 + Fraction(1, 10**15), one, one)
    assert moments.standard(Fraction(2), one, Fraction(0)) == 0.0
