"""Which cases `make test` keeps of a grid."""

from __future__ import annotations

import itertools

import pytest

from tiers import representatives


@pytest.mark.parametrize("sizes", [(4,), (3, 3), (2, 5, 3), (7, 1, 2)])
def test_every_value_of_every_parameter_stays(sizes: tuple[int, ...]) -> None:
    cases = [dict(zip("xyz", case, strict=False)) for case in itertools.product(*map(range, sizes))]
    kept = [cases[i] for i in representatives(cases)]
    assert {pair for case in kept for pair in case.items()} == {pair for case in cases for pair in case.items()}
    assert len(kept) == max(sizes)


@pytest.mark.each_value
@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize("y", [0, 1])
def test_of_a_marked_test_the_other_cases_are_slow(x: int, y: int, request: pytest.FixtureRequest) -> None:
    assert ("slow" in request.keywords) == (x != y)
