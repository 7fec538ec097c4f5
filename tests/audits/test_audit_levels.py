"""If no split tells anything, an audit lets one pass in at most alpha of all data sets, whatever the trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scripts import script

RUNS, LEAST = 4000, 0.001


@pytest.fixture(scope="module")
def designs() -> Any:
    """The script that counts how often some split passes."""
    return script("audit_levels")


@pytest.mark.parametrize("place", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_designs_that_lead_a_smaller_correction_astray_keep_the_level(designs: Any, place: int) -> None:
    """Which splits have rows of both classes depends on the labels: where the others are left out, too much passes."""
    design = list(designs.DESIGNS)[place]
    now, left_out = designs.counts(design, RUNS)
    assert designs.surprise(now, RUNS) > LEAST > designs.surprise(left_out, RUNS)


@pytest.mark.parametrize("place", [3, 4])
def test_other_designs_keep_the_level(designs: Any, place: int) -> None:
    design, runs = list(designs.DESIGNS)[place], 40
    assert designs.surprise(designs.counts(design, runs)[0], runs) > LEAST


def test_joined_p_values_are_small_no_more_often_than_they_say() -> None:
    """Splits that were fixed beforehand and tell nothing, of three classes and of responses."""
    levels = script("fixed_split_levels")
    left = np.arange(30) < 12
    for name, test in levels.TESTS.items():
        counts, least = levels.surprise(test(left, 600, np.random.default_rng(0)))
        assert least > LEAST and counts[-1] > 20, name
