"""The experiments of ghosh2017 in quick mode; its committed summaries."""

from math import exp, inf, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from executed_page import rows
from reproductions import Options, run
from reproductions.ghosh2017 import agreement, learners, machines
from reproductions.ghosh2017.order_bounds import order_bounds
from reproductions.ghosh2017.problems import NOISES, REAL, channel, noisy_split, samples
from reproductions.ghosh2017.sizes import growth, needed
from reproductions.ghosh2017.summary import cells_of
from reproductions.results import rows_of
from splitcrit import gini, misclassification, symmetric, twoing
from splitcrit.noise import class_conditional

RESULTS = Path(__file__).parents[3] / "docs" / "reproductions" / "ghosh2017"


@pytest.mark.usefixtures("data")
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
    assert agreement.work(task, Options(tmp_path, quick=True), np.random.default_rng(1)) == found  # by their own seeds
    assert all(0 <= row["share"] <= 1 and row["root"] in (0, 1) for row in found)


# Machines read four ways: what they learn from, and how far each reading is from the print.


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


@pytest.mark.usefixtures("data")
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


@pytest.mark.usefixtures("data")
def test_quick(tmp_path) -> None:
    said = run(machines.MACHINES, Options(tmp_path, quick=True), show=False)
    rows = rows_of(tmp_path / "machines.csv")
    assert {(row["features"], row["noise"]) for row in rows} == {(f, n) for f in machines.FEATURES for n in (0, 40)}
    assert "| breast cancer | standardised | all | 1 |" in said


# The sharper bound on the order of two splits against its formula over samples, correlations and all.

CELLS = {
    "nested": [[[40, 0], [0, 0]], [[30, 30], [0, 100]]],
    "same direction": [[[30, 5], [8, 6]], [[9, 12], [4, 26]]],
    "opposite directions": [[[4, 6], [25, 3]], [[7, 30], [8, 5]]],
    "both against the label": [[[3, 28], [6, 7]], [[5, 6], [31, 2]]],
    "uncorrelated": [[[20, 5], [15, 10]], [[10, 15], [5, 20]]],
}


def by_samples(cells: Any, k: float) -> float:
    """The bound from two sides and a label for every sample."""
    rows = [(i, j, y) for i in (0, 1) for j in (0, 1) for y in (0, 1) for _ in range(cells[i][j][y])]
    one, other, label = np.array(rows, dtype=float).T
    with_label = [np.corrcoef(side, label)[0, 1] for side in (one, other)]
    strengths = [abs(c) * label.std() for c in with_label]
    r = np.corrcoef(one, other)[0, 1] * (1 if with_label[0] * with_label[1] >= 0 else -1)
    n, (s, t) = len(rows), strengths
    near = n * k * k * (s - t) ** 2 / (1 - r) if r < 1 else inf
    return exp(-near) + exp(-n * k * k * (s + t) ** 2 / (1 + r))


@pytest.mark.parametrize("criterion", [gini, twoing], ids=repr)
@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("rates", [(0.1, 0.1), (0.05, 0.2)])
def test_the_sharp_bound_is_its_formula(name: str, rates: tuple[float, float], criterion: Any) -> None:
    channel = symmetric(rates[0]) if rates[0] == rates[1] else class_conditional(tau_pos=rates[0], tau_neg=rates[1])
    found = order_bounds(CELLS[name], channel=channel, criterion=criterion)
    assert found.sharp == pytest.approx(by_samples(CELLS[name], 1 - sum(rates)), rel=1e-9)


@pytest.mark.parametrize("name", CELLS)
def test_the_names_of_sides_and_classes_change_nothing(name: str) -> None:
    """Which side of a split is called left has nothing to do with the order of the splits."""
    cells, channel = np.array(CELLS[name]), symmetric(0.1)
    whole = order_bounds(cells, channel=channel).sharp
    for other in (cells[::-1], cells[:, ::-1], cells[::-1, ::-1], cells[..., ::-1], cells.transpose(1, 0, 2)):
        assert order_bounds(other, channel=channel).sharp == pytest.approx(whole, rel=1e-9)


@pytest.mark.parametrize(("criterion", "factors"), [(gini, (12, 72)), (twoing, (8, 2)), (misclassification, (12, 18))])
def test_the_published_bound_is_its_formula(criterion: Any, factors: tuple[int, int]) -> None:
    from splitcrit.criteria import as_criterion

    cells = np.array(CELLS["same direction"])
    scores = [float(as_criterion(criterion)(cells.sum(axis=axis))) for axis in (1, 0)]
    n, k = cells.sum(), 0.8
    expected = factors[0] * exp(-n * (scores[0] - scores[1]) ** 2 * k * k / factors[1])
    assert order_bounds(cells, channel=symmetric(0.1), criterion=criterion).lemma8 == pytest.approx(expected, rel=1e-12)


def test_strengths_are_roots_of_twoing_scores() -> None:
    cells = np.array(CELLS["nested"])
    for table in (cells.sum(axis=1), cells.sum(axis=0)):
        sides, labels = np.repeat([0, 0, 1, 1], table.ravel()), np.repeat([0, 1, 0, 1], table.ravel())
        strength = abs(np.corrcoef(sides, labels)[0, 1]) * labels.std()
        assert sqrt(float(twoing(table))) == pytest.approx(strength, rel=1e-12)
