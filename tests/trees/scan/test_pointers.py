"""Addresses of compiled functions: what is called by one has the types that its callers pass, or is refused."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from splitcrit.trees.scan import pointers
from splitcrit.trees.scan.records import Data


@numba.njit
def _size(data, start, stop, constants, behind):  # type: ignore[no-untyped-def]
    return 3.0 * (stop - start)


@numba.njit
def _numbers(data, totals, constants):  # type: ignore[no-untyped-def]
    return totals[0], data.power, data.unit, data.tie, constants[1]


@numba.njit
def _called(at, data, totals, constants):  # type: ignore[no-untyped-def]
    return pointers.call_numbers(at, data, totals, constants)


def test_a_function_is_called_by_its_address() -> None:
    data, totals, constants = pointers.DATA._replace(power=0.5, tie=2.0), np.array([7, 1]), np.array([0.0, 9.0])
    assert _called(pointers.address(_numbers, "numbers"), data, totals, constants) == (7, 0.5, 0.0, 2.0, 9.0)


def test_a_function_that_returns_something_else_is_refused() -> None:
    with pytest.raises(numba.TypingError, match="No conversion from float64 to none"):
        pointers.address(_size, "prepared")


def test_a_call_with_other_types_is_refused_when_it_is_compiled() -> None:
    narrow = Data(0, 0.0, 0.0, 0.0, *[np.empty(1, np.float32)] * 3, 0, 0)
    with pytest.raises(numba.TypingError, match="a function at an address takes"):
        _called(0, narrow, np.array([1]), np.array([1.0]))
    with pytest.raises(numba.TypingError, match="a function at an address takes"):
        _called(0, pointers.DATA, np.array([1.0]), np.array([1.0]))
