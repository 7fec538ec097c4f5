"""The p-values of fixed splits are shares of all orders of the labels or responses, listed here one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from nulls.test_table_pvalues import exact_tail, hypergeometric_tail
from splitcrit.columns.column_tests import ColumnTest, LabelledRows, column_test
from splitcrit.nulls.evidence import SHARE, log_of_cuts
from splitcrit.nulls.table_pvalues import enough


def of_rows(groups: np.ndarray, labels: np.ndarray, draws: int, seed: int = 0) -> ColumnTest:
    """The test of groups that were fixed beforehand, by classes or by responses as they are."""
    rows = LabelledRows(labels, plain=False)
    return column_test(rows.column(groups), rows.target, question="table", draws=draws, seed=seed)


def of_table(table: np.ndarray, draws: int, seed: int = 0) -> ColumnTest:
    groups, codes = np.indices(table.shape).reshape(2, -1)
    return of_rows(np.repeat(groups, table.ravel()), np.repeat(codes, table.ravel()), draws, seed)


@pytest.mark.parametrize(
    ("groups", "codes"),
    [
        ((0, 0, 0, 0, 1, 1, 1), (1, 1, 1, 0, 0, 0, 0)),
        ((0, 0, 1, 1, 1, 1, 1), (0, 0, 1, 1, 2, 2, 0)),
        ((0, 0, 0, 1, 1, 1, 1, 1), (2, 2, 0, 1, 1, 0, 0, 1)),
        ((0, 0, 1, 1, 2, 2, 2), (0, 0, 1, 1, 1, 0, 1)),
        ((0, 1, 1, 1, 1), (0, 0, 1, 1, 1)),
    ],
)
def test_a_table_has_the_p_value_of_all_orders(groups: tuple[int, ...], codes: tuple[int, ...]) -> None:
    pairs = list(zip(groups, codes, strict=True))
    counts = [[pairs.count((group, code)) for code in range(max(codes) + 1)] for group in range(max(groups) + 1)]
    found = of_rows(np.array(groups), np.array(codes), 19)
    assert (found.method, found.standard_error) == ("exact", None)
    assert found.p == pytest.approx(float(exact_tail(counts)), rel=1e-12)


def test_large_tables_of_two_classes_are_hypergeometric() -> None:
    for a, b, n, x in [(150, 90, 400, 50), (3000, 4000, 9000, 1400)]:
        found = of_table(np.array([[x, a - x], [b - x, n - a - b + x]]), 19)
        assert (found.method, found.standard_error) == ("exact", None)
        assert found.p == pytest.approx(hypergeometric_tail(n, a, b, x), rel=1e-8)  # scipy's own mass is good to 1e-10


def test_large_tables_of_many_classes_are_drawn_and_never_approximated() -> None:
    found = of_table(np.random.default_rng(4).integers(20, 60, (2, 12)), 399, 2)
    assert found.method == "permutations" and found.standard_error is not None
    drawn = found.p * (1 - SHARE)
    assert 1 / 400 < drawn < 1
    assert 20 / drawn == pytest.approx(round(20 / drawn)) or drawn * 400 == pytest.approx(round(drawn * 400))


def test_what_no_order_reaches_has_no_floor() -> None:
    """A table of 12 classes of which one is on one side only; sixty responses whose larger half is on the right."""
    table = np.array([[50, 0], *[[20, 30]] * 11]).T
    found = of_table(table, 19)
    assert found.log_p == pytest.approx(-np.log(SHARE) - log_of_cuts(table), rel=1e-12)
    assert found.p < 1e-7 and (found.method, found.standard_error) == ("evidence", None)
    found = of_rows(np.repeat([0, 1], 30), np.arange(60.0)[:, None], 19)
    assert found.p < 1e-8 and (found.method, found.standard_error) == ("evidence", None)


def between(groups: np.ndarray, order: tuple[float, ...]) -> Fraction:
    """The decrease in variance by two groups, but for constants, in Fractions."""
    values = [Fraction(x) for x in order]
    sums = [sum(v for v, g in zip(values, groups, strict=True) if g == side) for side in (0, 1)]
    return sum((s * s / int((groups == side).sum()) for side, s in enumerate(sums)), Fraction(0))


@pytest.mark.parametrize(
    "responses",
    [
        (1.0, 2.0, 4.0, 8.0, 16.0, 3.5),
        (0.0, 0.0, 1.0, 1.0, 1.0, 2.0),
        (0.1, 0.2, 0.3, 0.3, 0.2, 0.1),
        (1e9, 1e9 + 1, 0, 1, 2, 3),
    ],
)
def test_responses_are_permuted(responses: tuple[float, ...]) -> None:
    groups = np.array([1, 0, 0, 1, 0, 1])
    seen = between(groups, responses)
    ways = [between(groups, order) for order in permutations(responses)]
    exact = sum(way >= seen - abs(seen) / 10**12 for way in ways) / len(ways)
    each = [1 / of_rows(groups, np.array(responses)[:, None], 999, seed).p for seed in range(200)]
    # The number of orders until the 20th that scores as high has mean 20/p: 5 standard errors of their mean.
    expected = max(1.0, (1 - SHARE) / exact)
    assert np.mean(each) == pytest.approx(expected, abs=5 * np.std(each) / len(each) ** 0.5 + 1e-9)


def test_ties_count_as_reached() -> None:
    groups = np.repeat([0, 1], 10)
    same = np.tile([0.1, 0.7], 10)
    assert of_rows(groups, same[:, None], 99).p == 1.0


@pytest.mark.parametrize("permutations", [1, 19, 48, 49, 999])
def test_permutations_are_enough_if_their_least_p_value_is_the_level(permutations: int) -> None:
    enough(permutations, 1 / (1 + permutations))
    with pytest.raises(ValueError, match=f"pass permutations={permutations} or more"):
        enough(permutations - 1, 1 / (1 + permutations))
