"""Machines read four ways: what they learn from, and how far each reading is from the print."""

from __future__ import annotations

import os

import numpy as np
import pytest

from reproductions import Options, run
from reproductions.ghosh2017 import learners, machines
from reproductions.ghosh2017.problems import noisy_split
from reproductions.results import rows_of

WITH_DATA = pytest.mark.skipif("SPLITCRIT_DATA" not in os.environ, reason="the variable SPLITCRIT_DATA names no folder")


def machine(scaled: bool, most: int = 100):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)) * [1000.0, 1.0]  # only the second feature tells, and it is small beside the first
    y = (X[:, 1] > 0).astype(int)
    return learners.tuned_machine(X, y, 200, "gaussian", most=most, scaled=scaled), X, y


def test_raw_features_are_learnt_from_as_they_are() -> None:
    (scaled, X, y), (raw, _, _) = machine(True), machine(False)
    assert raw[0] == "passthrough" and (raw[-1].support_vectors_[:, 0] ** 2).mean() > 1e5
    assert scaled.score(X, y) > 0.9 > 0.7 > raw.score(X, y)


@pytest.mark.parametrize("most", [50, 200, 1000])
def test_no_more_rows_are_seen_than_asked_for(most: int) -> None:
    found, _, _ = machine(True, most)
    assert found[-1].shape_fit_[0] == min(most, 200)


@WITH_DATA
@pytest.mark.parametrize("name", machines.SETS)
def test_large_sets_are_those_of_which_a_part_is_seen(name: str, tmp_path) -> None:
    _, train = noisy_split(name, "0", 0, Options(tmp_path))
    assert (train > learners.ROWS) == (name in machines.LARGE)


def cell(data: str, features: str, rows: str, noise: str, difference: float) -> dict:
    return {"data": data, "features": features, "rows": rows, "noise": noise, "difference": difference}


def test_distances_are_means_over_the_noises_that_all_readings_have() -> None:
    cells = [cell("german", f, "all", n, d) for f, d in (("raw", -2.0), ("standardised", 1.0)) for n in ("0", "40")]
    cells += [cell("magic", f, machines.SOME, n, 4.0) for f in machines.FEATURES for n in ("0", "20", "40")]
    cells += [cell("spam", f, machines.SOME, n, 4.0) for f in machines.FEATURES for n in ("0", "20", "40")]
    cells += [cell("spam", f, "all", n, -3.0 if n == "0" else 5.0) for f in machines.FEATURES for n in ("0", "40")]
    found = machines.distances(cells)
    assert found["german", "raw", "all"] == found["german", "raw", machines.SOME] == 2
    assert found["german", "standardised", "all"] == 1
    assert found["magic", "raw", machines.SOME] == 4 and ("magic", "raw", "all") not in found
    assert found["spam", "raw", "all"] == 4 == found["spam", "raw", machines.SOME]
    assert machines.distances(cells[:-1])["spam", "raw", "all"] == 3  # 40 % is lacking in one reading


@WITH_DATA
def test_quick(tmp_path) -> None:
    said = run(machines.MACHINES, Options(tmp_path, quick=True), show=False)
    rows = rows_of(tmp_path / "machines.csv")
    assert {(row["features"], row["noise"]) for row in rows} == {(f, n) for f in machines.FEATURES for n in (0, 40)}
    assert "| breast cancer | standardised | all | 1 |" in said
