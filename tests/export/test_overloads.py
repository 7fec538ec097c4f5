"""In compiled code every formula and every routine may be called, and an integer becomes a pair of floats exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from splitcrit.export import overloads  # noqa: E402
from splitcrit.export.moments import real, root, value  # noqa: E402
from splitcrit.nulls import formulas  # noqa: E402


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
