"""Parameters of frozen values that `replace` changes, and what a criterion declares of its scores."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from splitcrit.criteria import Criterion, as_criterion, replace
from splitcrit.nulls.criterion_names import NAMES


@dataclass(frozen=True)
class Point:
    """A value with one field."""

    x: int


def test_all_fields_of_a_value_may_change_at_once() -> None:
    assert replace(Point(1), x=2) == Point(2)
    with pytest.raises(TypeError, match="parameters none; got y"):
        replace(Point(1), y=2)


CRITERIA = {name: as_criterion(value) for name, value in NAMES.items()}


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_scores_above_zero_are_declared(criterion: Criterion) -> None:
    if criterion.classes not in (None, 2):
        return
    tables = [*itertools.product(range(1, 4), repeat=4), (30, 0, 0, 30)]
    scores = [float(criterion(np.reshape(cells, (2, 2)))) for cells in tables]
    assert criterion.search.negative == (max(scores) <= 0)
