"""The experiments of ghosh2017 in quick mode; its committed summaries."""

import os
from pathlib import Path

import numpy as np
import pytest

from executed_page import rows
from reproductions import Options
from reproductions.ghosh2017 import agreement
from reproductions.ghosh2017.problems import NOISES, REAL, channel, noisy_split, samples
from reproductions.ghosh2017.sizes import growth, needed
from reproductions.ghosh2017.summary import cells_of

RESULTS = Path(__file__).parents[3] / "docs" / "reproductions" / "ghosh2017"
WITH_DATA = pytest.mark.skipif("SPLITCRIT_DATA" not in os.environ, reason="the variable SPLITCRIT_DATA names no folder")


@WITH_DATA
@pytest.mark.parametrize("name", REAL)
def test_positive_classes_give_the_printed_counts(name):
    X, y = samples(name, Options(Path()), np.random.default_rng(0))
    about = rows(RESULTS.parents[1] / "data" / "ghosh2017_table2.csv")
    one = next(r for r in about if r["data"] == name.removesuffix(" without id"))
    assert (int(y.sum()), int((1 - y).sum())) == (int(one["positive"]), int(one["negative"]))
    assert X.shape[1] == int(one["d"]) - name.endswith("without id")


def test_methods_see_the_same_rows_and_noise_moves_no_test_row(tmp_path):
    options = Options(tmp_path, quick=True)
    (one, train), (same, _), (other, _) = (noisy_split("dataset 3", n, 0, options) for n in ("40", "40", "0"))
    assert (one.X == same.X).all() and (one.y == same.y).all() and (one.test_X == other.test_X).all()
    assert train == len(one.X) * 3 // 4 and other.flipped == 0
    assert (noisy_split("dataset 3", "40", 1, options)[0].test_X != one.test_X).any()


def test_every_noise_of_the_paper_is_a_channel():
    for noise in NOISES[:-1]:
        flip = int(noise) / 100
        assert np.allclose(channel(noise).matrix(2), [[1 - flip, flip], [flip, 1 - flip]], rtol=1e-15)
    assert channel(NOISES[-1]).transition(2) == ((0.8, 0.2), (0.4, 0.6))  # negatives, positives


def test_growth_is_of_the_rules_that_reach_the_target_at_both_noises_over_runs_drawn_anew():
    def curves(rule, noise, *reached):
        return [
            {"panel": "b", "leaves": rule, "noise": noise, "run": run, "n": n, "accuracy": 96.0 if n >= first else 90.0}
            for run, first in enumerate(reached)
            for n in (100, 200, 400, 800, 1600)
        ]

    fixed = curves(10, 20, 100, 100) + curves(10, 40, 9999, 9999)  # never reached at 40 %
    found = growth(fixed + curves("n/16", 20, 200, 200) + curves("n/16", 40, 400, 1600))
    assert list(found) == ["n/16"]
    assert (found["n/16"].low, found["n/16"].estimate, found["n/16"].high) == (2, 8, 8)


def test_sizes_that_are_needed_are_the_first_that_reach_the_target():
    def point(n, noise, accuracy):
        return {"panel": "b", "leaves": "n/16", "noise": noise, "n": n, "accuracy": accuracy}

    found = needed([point(100, "20", 90.0), point(200, "20", 95.0), point(400, "20", 94.0), point(400, "40", 80.0)])
    assert [(r["noise"], r["n"]) for r in found] == [("20", 200), ("40", None)]
    assert found[1]["by_law"] == pytest.approx(1800, rel=1e-12)


def test_printed_numbers_stand_beside_ours():
    assert cells_of("table1")["dataset 3", "SVM", "40"] == {"accuracy": 90.02, "std": 0.3}
    assert len(cells_of("table1")) == 72 and len(cells_of("table2")) == 90


@pytest.mark.parametrize("name", ["table1", "table2"])
def test_committed_summaries_are_those_of_the_committed_runs(name):
    kept = {(r["data"], r["method"], r["noise"]): r for r in rows(RESULTS / f"{name}_summary.csv")}
    runs = {}
    for r in rows(RESULTS / f"{name}.csv"):
        runs.setdefault((r["data"], r["method"], r["noise"]), []).append(float(r["accuracy"]))
    assert runs.keys() == kept.keys()
    assert {key: f"{np.mean(runs[key]):.4f}" for key in runs} == {key: row["accuracy"] for key, row in kept.items()}
    assert {k: f"{np.std(runs[k], ddof=1):.4f}" for k in runs} == {k: row["std"] for k, row in kept.items()}


def test_agreement_measures_every_size_rule_and_noise(tmp_path, monkeypatch):
    monkeypatch.setattr(agreement, "SIZES", (20, 20, 30, 30, 40, 40))
    task = {"criterion": "gini", "run": 0}
    found = agreement.work(task, Options(tmp_path, quick=True), np.random.default_rng(0))
    wanted = {(n, rule, noise) for n in (20, 30, 40) for rule in agreement.RULES for noise in agreement.NOISES[::3]}
    assert {(row["n"], row["rule"], row["noise"]) for row in found} == wanted and len(found) == len(wanted)
    assert all(0 <= row["share"] <= 1 and row["root"] in (0, 1) for row in found)
