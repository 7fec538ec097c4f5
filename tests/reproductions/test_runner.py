"""The runner: every task once, whatever happens; and the tests that compare methods."""

import csv
import gzip
import json
import time
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_1samp, ttest_rel

from refusals import refused
from reproductions import Experiment, Options, run
from reproductions.comparing import average_ranks, corrected_t, critical_difference, paired_t, record, sign_test
from reproductions.power import power, runs_needed
from reproductions.results import Results, rows_of
from reproductions.runner import seed_of
from reproductions.trials import Trial
from splitcrit.noise import symmetric

CALLS = []


def tasks(options):
    return [{"n": n, "kind": kind} for n in range(options.repeats or 3) for kind in ("a", "b")]


def work(task, options, rng):
    CALLS.append((task["n"], task["kind"]))
    if task["n"] == 2 and options.quick:
        raise KeyboardInterrupt
    return [{"draw": float(rng.random()), "empty": None}]


def say(rows, options):
    return f"{len(rows)} rows, mean {np.mean([row['draw'] for row in rows]):.6f}"


TOY = Experiment("toy", "draws", ("n", "kind"), tasks, work, say)


def draws(folder):
    with (folder / "toy.csv").open() as file:
        return {(r["n"], r["kind"]): r["draw"] for r in csv.DictReader(file)}


def test_an_interrupted_run_keeps_what_is_done_and_goes_on(tmp_path):
    CALLS.clear()
    run(TOY, Options(tmp_path / "whole"), show=False)
    whole = draws(tmp_path / "whole")
    options = Options(tmp_path / "broken", quick=True)
    with pytest.raises(KeyboardInterrupt):
        run(TOY, options, show=False)
    kept = draws(tmp_path / "broken")
    assert set(kept) == {(str(n), k) for n in (0, 1) for k in "ab"}
    assert all(whole[key] == value for key, value in kept.items())
    CALLS.clear()
    with pytest.raises(KeyboardInterrupt):
        run(TOY, options, show=False)
    assert CALLS == [(2, "a")]  # nothing done twice


def test_more_repeats_extend_and_the_text_counts_only_what_was_asked(tmp_path):
    CALLS.clear()
    first = run(TOY, Options(tmp_path, repeats=2), show=False)
    run(TOY, Options(tmp_path, repeats=4), show=False)
    assert len(CALLS) == 8
    assert run(TOY, Options(tmp_path, repeats=2), show=False) == first
    assert len(CALLS) == 8
    manifest = json.loads((tmp_path / "toy.manifest.json").read_text())
    assert manifest["rows"] == 8 and manifest["protocol"]["experiment"] == "toy"
    assert not list(tmp_path.glob("*.part"))


def spin(task, options, rng):
    """A task that takes at least a given time of the processor."""
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
    return work(task, options, rng)


def manifest_of(folder):
    return json.loads((folder / "toy.manifest.json").read_text())


def test_the_manifest_sums_up_the_seconds_of_all_calls_and_workers(tmp_path):
    slow, seen = replace(TOY, work=spin), []
    for repeats in (1, 2, 2):
        run(slow, Options(tmp_path, repeats=repeats), show=False)
        seen.append(manifest_of(tmp_path))
    assert 0.1 <= seen[0]["seconds"] < seen[1]["seconds"] >= 0.2
    assert [found["timed_rows"] for found in seen] == [2, 4, 4] and seen[2] == seen[1]
    run(slow, Options(tmp_path / "two", repeats=2, jobs=2), show=False)
    assert manifest_of(tmp_path / "two")["seconds"] >= 0.2 and manifest_of(tmp_path / "two")["timed_rows"] == 4
    assert draws(tmp_path) == draws(tmp_path / "two") and len(set(draws(tmp_path).values())) == 4  # whoever works
    run(slow, Options(tmp_path, repeats=1, fresh=True), show=False)
    assert manifest_of(tmp_path)["timed_rows"] == 2


def test_a_manifest_that_says_nothing_of_seconds_is_gone_on_with(tmp_path):
    slow, path = replace(TOY, work=spin), tmp_path / "toy.manifest.json"
    run(slow, Options(tmp_path, repeats=1), show=False)
    early = {name: value for name, value in manifest_of(tmp_path).items() if name not in ("seconds", "timed_rows")}
    path.write_text(json.dumps(early))
    run(slow, Options(tmp_path, repeats=1), show=False)
    assert manifest_of(tmp_path) == early  # nothing was left to do: versions and all stay those of the rows
    run(slow, Options(tmp_path, repeats=3), show=False)
    assert {"rows": 6, "timed_rows": 4}.items() <= manifest_of(tmp_path).items()
    assert manifest_of(tmp_path)["seconds"] >= 0.2


def test_another_protocol_is_not_mixed_in(tmp_path):
    run(TOY, Options(tmp_path), show=False)
    refused(r"one protocol are kept in one file.*another seed", run, TOY, Options(tmp_path, seed=1), show=False)
    run(TOY, Options(tmp_path, seed=1, fresh=True), show=False)
    (tmp_path / "toy.manifest.json").unlink()
    refused("gone on with from their manifest", run, TOY, Options(tmp_path, seed=1), show=False)


def test_cells_read_back_as_they_were(tmp_path):
    results = Results(tmp_path, "x", ("k",), {})
    rows = [{"k": 1, "a": 0.1 + 0.2, "b": "text", "c": None, "d": 10**20}]
    results.rows = list(rows)
    results.save()
    again = Results(tmp_path, "x", ("k",), {})
    assert again.resume() == {("1",)} and again.rows == rows


def test_seeds_depend_on_every_name():
    seeds = {seed_of(s, name, n) for s in range(3) for name in ("a", "b") for n in range(50)}
    assert len(seeds) == 300


def test_a_trial_flips_training_labels_and_leaves_test_labels_alone():
    rng = np.random.default_rng(0)
    X, codes = rng.random((400, 2)), rng.integers(3, size=400)
    train, test = np.arange(300), np.arange(300, 400)
    trial = Trial(X, codes, (train, test), channel=symmetric(0.5), rng=1)
    assert trial.flipped == np.mean(trial.y != codes[:300]) and 0.35 < trial.flipped < 0.65
    truth = {tuple(x): c for x, c in zip(X, codes, strict=True)}
    assert trial.accuracy(lambda A: np.array([truth[tuple(a)] for a in A])) == 1.0
    assert not any(name in vars(trial) for name in ("truth", "test_y", "_truth"))
    refused("row 3 in both", Trial, X, codes, ([1, 3], [3, 5]))


def test_sign_test_is_the_binomial_tail():
    ours, theirs = np.array([3, 1, 2, 5, 5]), np.array([1, 2, 1, 5, 4])
    assert sign_test(ours, theirs) == pytest.approx(5 / 16, rel=1e-12)  # three of four, ties left out: (4 + 1) / 16
    assert sign_test(ours, ours) == 1.0


def test_the_correction_only_widens():
    rng = np.random.default_rng(2)
    ours, theirs = rng.normal(0.3, 1, 20), rng.normal(0, 1, 20)
    assert paired_t(ours, theirs) == pytest.approx(ttest_rel(ours, theirs).pvalue, rel=1e-10)
    assert corrected_t(ours, theirs, test_share=0.25) > paired_t(ours, theirs)
    apart = ours - theirs
    expected = 2 * student.sf(abs(apart.mean()) / np.sqrt((1 / 20 + 0.25) * apart.var(ddof=1)), 19)
    assert corrected_t(ours, theirs, test_share=0.25) == pytest.approx(expected, rel=1e-12)


def test_critical_difference_of_demsar_table():
    """At alpha = .05 Nemenyi's q is 1.960, 2.343, 2.569 for 2, 3 and 4 methods."""
    scores = np.random.default_rng(0).random((14, 4))
    found = critical_difference(scores, "abcd")
    assert found.distance == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), rel=2e-4)
    np.testing.assert_allclose(found.ranks, average_ranks(scores))
    assert sum(found.ranks) == pytest.approx(10)


def test_compressed_results_are_gone_on_with_and_stay_compressed(tmp_path):
    first = Results(tmp_path, "x", ("k",), {})
    first.add([{"k": 1, "y": 0.5}], 1.0)
    first.save()
    plain, packed = tmp_path / "x.csv", tmp_path / "x.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    again = Results(tmp_path, "x", ("k",), {})
    assert again.resume() == {("1",)} and rows_of(plain) == [{"k": 1, "y": 0.5}]
    again.add([{"k": 2, "y": 0.25}], 1.0)
    again.save()
    assert not plain.exists() and [row["k"] for row in rows_of(plain)] == [1, 2]
    packed.write_bytes(packed.read_bytes()[:-9])
    refused(r"a file of results is CSV with one cell for each column; got .*x\.csv\.gz with", rows_of, plain)


# Comparisons of methods: ties of floats, ranks, and how many runs a difference takes.


def test_what_rounding_sets_apart_is_tied() -> None:
    ours, theirs = np.array([0.1 + 0.2, 90.0 + 2.8e-14, 80.0, 70.0]), np.array([0.3, 90.0, 79.98, 71.0])
    assert record(ours, theirs) == (1, 2, 1) and record(theirs, ours) == (1, 2, 1)
    assert sign_test(ours, theirs) == 0.75  # of one win and one loss
    grid = np.column_stack([ours, theirs])
    assert (average_ranks(grid) == [1.5, 1.5]).all() and (average_ranks(grid, largest_first=False) == [1.5, 1.5]).all()


@pytest.mark.parametrize("difference, deviation, runs", [(1.0, 1.3, 10), (0.5, 1.0, 25), (2.0, 1.0, 3)])
def test_power_is_how_often_the_test_says_so(difference: float, deviation: float, runs: int) -> None:
    drawn = np.random.default_rng(0).normal(difference, deviation, (40_000, runs))
    often = float(np.mean(ttest_1samp(drawn, 0, axis=1).pvalue < 0.05))
    assert abs(power(difference, deviation, runs) - often) < 4 * 0.5 / 200


@pytest.mark.parametrize("deviation", [0.5, 0.2, 0.1, 0.03, 1e-3, 1e-6])
def test_power_of_a_sure_difference_is_one(deviation: float) -> None:
    for runs in (20, 50, 1000):
        assert 0.999 < power(1.0, deviation, runs) <= 1.0 + 1e-12


def test_runs_needed_are_the_first_that_suffice() -> None:
    for deviation in (0.7, 1.3, 3.0, 20.0):
        runs = runs_needed(deviation)
        assert runs is not None and power(1.0, deviation, runs) >= 0.8 > power(1.0, deviation, runs - 1)
    assert runs_needed(0.05) == 2
    assert runs_needed(3.0, test_share=0.25) is None  # every run knows the same sample
    few = runs_needed(1.0, test_share=0.02)
    assert few is not None and few > (runs_needed(1.0) or 0)


@pytest.mark.parametrize("runs, deviation", [(1, 1.0), (5, 0.0)])
def test_power_of_nothing_that_varies(runs: int, deviation: float) -> None:
    refused("power is that of two runs or more whose differences vary; got", power, 1.0, deviation, runs)
