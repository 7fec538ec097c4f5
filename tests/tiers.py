"""Which cases of a grid `make test` runs: as few as hold every value of every parameter; the others are slow.

Main definitions: ``representatives``, ``mark_slow``, ``fewer`` (examples of a property).
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby

import pytest
from hypothesis import settings


def representatives(cases: Sequence[Mapping[str, int]]) -> list[int]:
    """Places of cases that hold every value of every parameter; a case says of each parameter which value it has.

    >>> representatives([{"x": x, "y": y} for x in range(2) for y in range(3)])
    [0, 4, 2]
    """
    missing, found = {pair for case in cases for pair in case.items()}, list[int]()
    while missing:
        best = max(range(len(cases)), key=lambda i: len(missing & cases[i].items()))
        missing -= cases[best].items()
        found.append(best)
    return found


def fewer(part: int = 2) -> settings:
    """Half the examples of the profile, or a smaller part, for a test of which each takes long."""
    return settings(max_examples=settings().max_examples // part)


def bare(value: object) -> object:
    """The function of a partial one, such as a check of scikit-learn that knows its estimator; else the value."""
    return value.func if isinstance(value, partial) else value


def mark_slow(items: list[pytest.Item]) -> None:
    """Mark the cases of tests marked ``each_value`` that `make test` leaves out."""
    marked = [item for item in items if isinstance(item, pytest.Function) and item.get_closest_marker("each_value")]
    for _, group in groupby(marked, key=lambda item: item.nodeid.partition("[")[0]):
        grid = [item for item in group if hasattr(item, "callspec")]
        cases = [{name: id(bare(value)) for name, value in item.callspec.params.items()} for item in grid]
        kept = representatives(cases)
        for i in set(range(len(grid))).difference(kept):
            grid[i].add_marker(pytest.mark.slow)
