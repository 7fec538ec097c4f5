"""The vectors hold what they say, for the definition; they are the same in every run and of every kind."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import accumulate, permutations
from math import isqrt

import pytest

from oracles import gain, moments, table_law
from splitcrit.export import vector_cases, vectors
from splitcrit.nulls import gini_pvalue

ALL = vectors()


def margins(table: vector_cases.Counts) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))


def test_small_cases_are_those_of_the_definition() -> None:
    small = [case for case in ALL if 0 < sum(map(sum, case.table)) <= 9]
    assert len(small) > 90
    for case in small:
        rows, columns = margins(case.table)
        law = table_law(tuple(filter(None, rows)), tuple(filter(None, columns)))
        assert (case.mean, case.variance, case.third_moment) == moments(law)
        assert case.gain == gain([list(row) for row in case.table])


def test_a_score_is_the_root_of_its_signed_square() -> None:
    for case in ALL:
        square = case.signed_square
        above = case.gain - case.mean
        assert square == (above * abs(above) / case.variance if case.variance else 0)
        scale = 2**200
        root = Fraction(isqrt(abs(square).numerator * scale**2 // abs(square).denominator), scale)
        assert case.sgini == pytest.approx(float(root if square >= 0 else -root), rel=1e-15, abs=0)


def test_a_scan_is_the_score_of_two_rows() -> None:
    for case in ALL:
        assert len(case.scan) == len(case.table) - 1
        for i, found in enumerate(case.scan, 1):
            two = tuple(tuple(map(sum, zip(*part, strict=True))) for part in (case.table[:i], case.table[i:]))
            assert found == vector_cases.case_of(two).signed_square


def test_the_chance_of_the_best_threshold_is_its_share_of_all_orders() -> None:
    def best(sizes: tuple[int, ...], order: tuple[int, ...]) -> Fraction:
        ends, ones, n = list(accumulate(sizes)), sum(order), len(order)
        tables = [((x := sum(order[:m]), m - x), (ones - x, n - m - ones + x)) for m in ends[:-1] if 0 < m < n]
        return max(vector_cases.case_of(table).signed_square for table in tables)

    found = [case for case in ALL if case.selected_pvalue is not None and sum(map(sum, case.table)) <= 7][::3]
    for case in found:
        sizes, (ones, others) = margins(case.table)
        orders = {order for order in permutations([1] * ones + [0] * others)}
        score = max(
            (x for x, m in zip(case.scan, accumulate(sizes), strict=False) if 0 < m < ones + others), default=None
        )
        wanted = 1 if score is None else Fraction(sum(best(sizes, order) >= score for order in orders), len(orders))
        assert case.selected_pvalue == wanted, case
    assert len(found) > 20 and max(len(case.table) for case in found) > 3


def test_the_chance_of_two_rows_is_that_of_the_gain() -> None:
    found = [case for case in ALL if case.selected_pvalue is not None and len(case.table) == 2]
    assert len(found) > 81
    for case in found:
        assert float(case.selected_pvalue or 0) == pytest.approx(float(gini_pvalue(case.table)), rel=1e-15)


def test_the_tables_are_of_every_kind() -> None:
    shapes = {(len(case.table), len(case.table[0])) for case in ALL}
    sizes = [sum(map(sum, case.table)) for case in ALL]
    assert 200 < len(ALL) < 500 and len(shapes) > 40 and {0, 1, 2, 3, 4} <= set(sizes) and max(sizes) > 10**8
    assert any(0 in margins(case.table)[0] and sum(margins(case.table)[0]) > 100 for case in ALL)
    assert sum(case.variance == 0 for case in ALL) > 20 < sum(case.signed_square < 0 for case in ALL)


def test_they_are_plain_data_and_the_same_again() -> None:
    data = [case.as_json() for case in ALL]
    assert json.loads(json.dumps(data)) == json.loads(json.dumps([case.as_json() for case in vectors()]))
    assert data[40]["table"] == ((1, 1), (1, 1)) and data[40]["mean"] == str(ALL[40].mean) == "1/6"
    moments = {"mean", "variance", "third_moment"}
    assert set(data[0]) == {"table", "gain", *moments, "signed_square", "scan", "sgini", "selected_pvalue"}
    assert data[40]["selected_pvalue"] == "1" and data[-200]["selected_pvalue"] is None
