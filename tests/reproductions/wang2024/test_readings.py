"""What is read off results of wang2024, recomputed plainly."""

import numpy as np
import pytest
from scipy.stats import t as student

from reproductions.wang2024 import readings


def cell(measure, mean, printed, error=0.01):
    apart = None if mean is None else mean - printed
    return {"measure": measure, "noise": "none", "set": "zoo", "method": "Gini", "mean": mean, "printed": printed,
            "difference": apart, "standard error": error}  # fmt: skip


def test_near_cells_are_counted_by_hand():
    cells = [
        cell("accuracy", 0.5, 0.52),
        cell("accuracy", 0.5, 0.53),
        cell("accuracy", 0.5, 0.49),
        cell("accuracy", None, 1),
    ]
    (found,) = readings.nearness(cells)
    assert (found["cells"], found["within .02"], found["within two errors"]) == (3, 2, 2)
    assert found["median difference"] == pytest.approx(-0.02)


def test_ratios_of_both_definitions():
    cells = [
        cell(m, mean, 4.0)
        for m, means in (("nodes per layer", (1, 2, 9)), ("all nodes per layer", (4, 5, 6)))
        for mean in means
    ]
    assert readings.ratios(cells) == {"nodes per layer": (0.5, 3), "all nodes per layer": (1.25, 3)}
    assert readings.ratios([])["nodes per layer"][1] == 0


@pytest.mark.parametrize(("guesses", "truth"), [("aab", "abb"), ("aaaa", "abac"), ("bbaa", "aaab")])
def test_implied_chance_is_what_pure_accuracy_takes_off(guesses, truth):
    right = np.mean([g == t for g, t in zip(guesses, truth, strict=True)])
    chance = sum(guesses.count(k) * truth.count(k) for k in "abc") / len(truth) ** 2
    pure = (right - chance) / (1 - chance)
    (found,) = readings.implied([cell("accuracy", 0, right), cell("pure accuracy", 0, pure)])
    assert found["least"] < chance < found["least"] + 0.05 and found["largest"] == 0.4
    exact = [cell("accuracy", 0, right + 0.005), cell("pure accuracy", 0, pure - 0.005)]
    assert readings.implied(exact)[0]["least"] == pytest.approx(chance)


def test_the_error_of_a_share_is_that_of_draws():
    (found,) = readings.implied([cell("accuracy", 0, 0.5), cell("pure accuracy", 0, 0.2)])  # of zoo: 40 of 100 rows
    rng = np.random.default_rng(5)
    drawn = [np.mean([rng.permutation(100)[:30] < 40 for _ in range(50)]) for _ in range(400)]
    assert found["error"] == pytest.approx(np.std(drawn), rel=0.15)


def made(levels, splits=4, **about):
    rng = np.random.default_rng(3)
    return [
        {"set": "zoo", "noise": "none", "split": s, "method": m, "accuracy": level + 0.05 * rng.random()} | about
        for s in range(splits)
        for m, level in levels.items()
    ]


def test_what_a_choice_moves_is_paired_by_split_and_method():
    main, varied = made({"Gini": 0.8, "SGini": 0.9}, 6), made({"Gini": 0.7, "SGini": 0.75}, choice="x")
    known = [cell("accuracy", 0, 0.6) | {"method": m} for m in ("Gini", "SGini")]
    (found,) = readings.moved(varied, main, known)
    changes = []
    for s in range(4):
        now, before = ([r["accuracy"] for r in rows if r["split"] == s] for rows in (varied, main))
        changes.append(100 * (sum(now) - sum(before)) / 2)
    ours = 100 * sum(r["accuracy"] for r in main if r["split"] < 4) / 8
    assert found["runs"] == 4 and found["ours"] == pytest.approx(ours) and found["printed"] == pytest.approx(60)
    assert found["change"] == pytest.approx(sum(changes) / 4)
    assert found["standard error"] == pytest.approx(np.std(changes, ddof=1) / 2)
    assert found["share"] == pytest.approx(sum(changes) / 4 / (60 - ours))


def test_runs_needed_find_a_point_as_often_as_they_should():
    rows = made({"SGini": 0.9, "Gini": 0.88, "AIR": 0.5}, 10)
    found = {f["rival"]: f for f in readings.against(rows)}
    assert set(found) == {"Gini", "AIR"}
    apart = [100 * (a["accuracy"] - b["accuracy"]) for a, b in zip(rows[0::3], rows[1::3], strict=True)]
    gini = found["Gini"]
    assert gini["mean"] == pytest.approx(np.mean(apart)) and gini["deviation"] == pytest.approx(np.std(apart, ddof=1))
    drawn = np.random.default_rng(4).normal(1.0, gini["deviation"], (20000, gini["runs needed"]))
    statistic = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(drawn.shape[1]))
    assert 0.78 < np.mean(np.abs(statistic) > student.isf(0.025, drawn.shape[1] - 1)) < 0.87


def test_points_behind_another_method():
    groups = {"a": {"x": 0.5, "y": 0.75}, "b": {"x": 0.5, "y": 0.25}}
    assert readings.behind(groups, "x", "y") == {"a": 25.0, "b": -25.0}
