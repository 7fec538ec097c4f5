"""Which cases `make test` keeps of a grid."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from tiers import mark_slow, representatives


@pytest.mark.parametrize("sizes", [(4,), (3, 3), (2, 5, 3), (7, 1, 2)])
def test_every_value_of_every_parameter_stays(sizes: tuple[int, ...]) -> None:
    cases = [dict(zip("xyz", case, strict=False)) for case in itertools.product(*map(range, sizes))]
    kept = [cases[i] for i in representatives(cases)]
    assert {pair for case in kept for pair in case.items()} == {pair for case in cases for pair in case.items()}
    assert len(kept) == max(sizes)


def test_cases_that_are_no_grid_are_covered_as_well() -> None:
    assert representatives([{"x": 0, "y": 0}, {"x": 0, "y": 1}, {"x": 1, "y": 1}]) == [0, 2]
    assert representatives([]) == []


@pytest.mark.each_value
@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize("y", [0, 1])
def test_of_a_marked_test_the_other_cases_are_slow(x: int, y: int, request: pytest.FixtureRequest) -> None:
    assert ("slow" in request.keywords) == (x != y)


def test_what_is_not_marked_stays() -> None:
    mark_slow([SimpleNamespace(nodeid=f"a[{i}]", get_closest_marker=lambda name: None) for i in (0, 1)])  # type: ignore[misc]
