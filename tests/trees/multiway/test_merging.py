"""Merging neighbours of a row as plain Python; what is merged when, tests of trees and of ChiMerge say."""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import plain
from splitcrit.trees.multiway.merging import SINGLE, merge


def test_the_merging_runs_without_numba_too() -> None:
    number, counts = np.zeros(5, np.int64), [[0, 0], [1, 0], [1, 1], [0, 2], [1, 0]]
    values, running = np.array([0.0, 1, 3, 4]), np.cumsum(counts, axis=0)
    plain(merge)(values, running, SINGLE, number, np.zeros(4), np.zeros((4, 3), np.int64))
    assert number.tolist() == [0, 1, 2, 1, 0]
