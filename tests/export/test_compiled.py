"""What compiled code calls gives the numbers of the header, to the last digit, and what Python calls is checked."""

import math
import random
from collections.abc import Callable
from itertools import islice
from typing import Any

import numba
import numpy as np
import pytest

from c_library import Library, drawn
from splitcrit.export import compiled, overloads
from splitcrit.export.moments import real, root, value
from splitcrit.nulls import formulas


@numba.njit  # type: ignore[untyped-decorator]
def called(table: Any, rows: Any, columns: Any) -> Any:
    """What a loop of another project would call."""
    margins = compiled.mean(rows, columns), compiled.variance(rows, columns), compiled.third_moment(rows, columns)
    return margins, compiled.sgini(table), compiled.scan(table)


def all_of(table: Any) -> Any:
    return called(table, table.sum(axis=1), table.sum(axis=0))


def test_compiled_code_gives_the_numbers_of_the_header(in_c: Library) -> None:
    for table in islice(drawn(random.Random(7)), 600):
        counts = np.array(table)
        margins, score, scan = all_of(counts)
        rows, columns = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
        assert margins == tuple(in_c.of_margins(name, rows, columns) for name in ("mean", "variance", "third"))
        assert score == in_c.sgini(table) and scan.tolist() == in_c.scan(table)


def test_python_gets_the_same_numbers() -> None:
    table = [[3, 0, 2], [1, 6, 1], [0, 2, 2]]
    margins, score, scan = all_of(np.array(table))
    rows, columns = np.sum(table, axis=1).tolist(), np.sum(table, axis=0).tolist()
    assert (compiled.mean(rows, columns), compiled.variance(rows, columns)) == margins[:2]
    assert compiled.third_moment(rows, columns) == margins[2]
    assert compiled.sgini(table) == score and compiled.scan(table).tolist() == scan.tolist()


@numba.njit  # type: ignore[untyped-decorator]
def scored(table: Any) -> Any:
    return compiled.sgini(table)


def test_counts_of_any_integers_in_any_order_of_memory_are_taken() -> None:
    counts = np.array([[100, 2, 90], [3, 40, 0]])
    wide, narrow = np.asfortranarray(counts.astype(np.uint64)), np.repeat(counts.astype(np.int8), 2, axis=1)[:, ::2]
    assert scored(wide) == scored(narrow) == compiled.sgini(counts) > 5
    wide[0, 0] = 2**64 - 1
    assert math.isnan(scored(wide))


def test_what_is_no_table_gives_nan_in_compiled_code() -> None:
    _, score, scan = all_of(np.array([[1, -1], [2, 2]]))
    assert math.isnan(score) and np.isnan(scan).all() and len(scan) == 1
    assert all(map(math.isnan, all_of(np.array([[2**31, 0], [0, 1]]))[0]))
    assert all_of(np.zeros((2, 2), np.int64))[1] == 0.0


def test_floats_are_refused_in_compiled_code() -> None:
    with pytest.raises(numba.TypingError):
        scored(np.ones((2, 2)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: compiled.mean([3, 7], [4, 5]), lambda: compiled.variance([-1, 2], [1]),
        lambda: compiled.third_moment([1.5], [1.5]), lambda: compiled.sgini([1, 2]),
        lambda: compiled.scan([[1, 2], [3]]),
        lambda: compiled.mean([2**31], [2**31]), lambda: compiled.sgini([[2**40, 1], [1, 1]]),
        lambda: compiled.mean([[1, 2]], [[2, 1]]), lambda: compiled.scan(np.zeros((0, 2), int)),
    ],
    ids=["sums", "negative", "fractions", "vector", "ragged", "large margin", "large table", "batch", "no rows"],
)  # fmt: skip
def test_python_is_told_in_a_sentence(call: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r".*; got .*; .+"):
        call()


# In compiled code every formula and every routine may be called, and an integer becomes a pair of floats exactly.


@numba.njit  # type: ignore[untyped-decorator]
def parts(x: Any) -> Any:
    number = real(x)
    return number.high, number.low


@numba.njit  # type: ignore[untyped-decorator]
def third(n: Any) -> Any:
    return value(3 * (real(n) / real(3)) - real(n)), root(value(real(n)))


@numba.njit  # type: ignore[untyped-decorator]
def mean(n: Any) -> Any:
    return value(formulas.mean(real(n), real(2), real(n)))


@pytest.mark.parametrize("x", [0, -1, 2**53 + 1, 2**62 - 1, -(2**61) - 3])
def test_an_integer_is_kept_exactly(x: int) -> None:
    high, low = parts(x)
    assert int(high) + int(low) == x


def test_numbers_have_31_digits() -> None:
    rest, size = third(7)
    assert abs(rest) < 1e-30 and size == np.sqrt(7.0)


def test_a_formula_may_be_called() -> None:
    assert mean(4) == formulas.mean(4, 2, 4)


def test_what_is_not_offered_is_refused() -> None:
    assert overloads.offered(None, axes=2)(len) is len
    with pytest.raises(numba.TypingError):
        parts(1.5)
