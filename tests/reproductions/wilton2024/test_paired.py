"""Differences of paired runs against plain recomputations, and ties of the committed results in whole rows."""

from pathlib import Path

import numpy as np
import pytest

from reproductions.comparing import record
from reproductions.power import power
from reproductions.results import rows_of
from reproductions.wilton2024.paired import PLACE, differences, means_of, settled

RESULTS = Path(__file__).parents[3] / "docs" / "reproductions" / "wilton2024"


def made():
    """Two problems with two noises and three runs each, by two ways."""
    rng = np.random.default_rng(0)
    return [
        {"data": data, "task": "binary", "noise": noise, "run": run, "way": way, "accuracy": float(rng.normal(80, 5))}
        for data in "ab" for noise in (10, 20) for run in range(3) for way in ("u", "v")
    ]  # fmt: skip


def test_differences_are_of_runs_of_one_name():
    rows = made()
    at = {(r["data"], r["noise"], r["run"], r["way"]): r["accuracy"] for r in rows}
    found = differences(rows[1:], "way", "u", "v")  # one run has lost its partner
    assert len(found) == 11
    for row in found:
        key = row["data"], int(row["noise"]), row["run"]
        assert row["difference"] == at[(*key, "u")] - at[(*key, "v")]


def test_what_is_settled_is_what_a_plain_recomputation_gives():
    found = differences(made(), "way", "u", "v")
    table = np.array([row["difference"] for row in found]).reshape(2, 2, 3)
    said = settled(found)
    assert said["mean"] == pytest.approx(table.mean()) and (said["runs"], said["problems"]) == (3, 2)
    assert said["over_runs"] == pytest.approx(np.sqrt(table.var(axis=2, ddof=1).mean()))
    assert said["over_problems"] == pytest.approx(table.mean(axis=(1, 2)).std(ddof=1))
    for name in ("runs", "problems"):
        needed, deviation = said[f"{name}_needed"], said[f"over_{name}"]
        assert power(1.0, deviation, needed) >= 0.8 > power(1.0, deviation, needed - 1)


def test_runs_that_are_equal_need_no_number():
    rows = [row | {"difference": {"a": 1.0, "b": 3.0}[row["data"]]} for row in differences(made(), "way", "u", "v")]
    assert settled(rows)["runs_needed"] is None and settled(rows)["over_runs"] == 0
    assert settled(rows)["problems_needed"] is not None


@pytest.mark.parametrize("way", ["Gini, leaf size", "Gini, pruned"])
def test_ties_with_ane_are_those_of_whole_test_rows(way):
    test = {row["data"]: row["test"] for row in rows_of(RESULTS / "trees.csv")}
    rows = [row for row in rows_of(RESULTS / "budget.csv") if row["noise"] != 0]
    right = {}
    for row in rows:
        cell = row["data"], row["task"], row["noise"], row["way"]
        right[cell] = right.get(cell, 0) + round(row["accuracy"] * test[row["data"]] / 100)
    ahead = [right[(*cell[:3], way)] - count for cell, count in right.items() if cell[3] == "ANE"]
    wins, losses = sum(one > 0 for one in ahead), sum(one < 0 for one in ahead)
    means = np.array(means_of(differences(rows, "way", way, "ANE"), *PLACE))
    assert record(means, 0 * means) == (wins, len(ahead) - wins - losses, losses)
    assert wins + losses < len(ahead)  # there are ties, which floats alone break
