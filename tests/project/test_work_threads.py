"""Samples on quiet cores win over fast ones on busy cores; what threads would save is told from what is shared."""

from __future__ import annotations

import importlib
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> Any:
    """The script that measures."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return importlib.import_module("work_threads")
    finally:
        sys.path.pop(0)


@pytest.mark.parametrize(("cores", "others"), [(2, 0.0), (2, 0.5), (16, 0.25)])
def test_what_other_processes_use_is_told_apart(cores: int, others: float, script: Any, monkeypatch: Any) -> None:
    clock = {"now": 5.0, "own": 1.0}

    def action() -> None:
        clock["now"] += 0.03
        clock["own"] += 0.02

    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(script, "used", lambda: clock["own"] + others * cores * clock["now"])
    fake = SimpleNamespace(perf_counter=lambda: clock["now"], process_time=lambda: clock["own"])
    monkeypatch.setattr(script, "time", fake)
    assert script.sampled(action) == pytest.approx((0.03, 0.02, others))


def test_the_system_counts_work(script: Any) -> None:
    before, start = script.used(), time.process_time()
    if np.isnan(before):
        pytest.skip("the system does not tell")
    while time.process_time() - start < 0.2:
        pass
    assert script.used() - before > 0.1


def test_quiet_samples_go_before_fast_ones(script: Any, monkeypatch: Any) -> None:
    made = {
        "one": iter([(1.0, 0.5), (3.0, 0.01), (2.0, 0.04), (1.5, 0.06), (2.5, 0.0), (2.2, 0.0), (1.0, 0.0)]),
        "two": iter([(1.0, 0.5), (0.9, 0.6), (0.8, 0.3)] + [(0.7, 0.4)] * 20),
    }
    turns: list[str] = []

    def sampled(action: Any) -> Any:
        name = action()
        turns.append(name)
        seconds, others = next(made[name], (9.0, 0.9))
        return script.Sample(seconds, seconds, others)

    monkeypatch.setattr(script, "sampled", sampled)
    one, two = script.quiet(lambda: "one", lambda: "two")
    assert (one.seconds, one.others) == (1.0, 0.0) and (two.seconds, two.others) == (0.8, 0.3)
    assert turns == ["one", "two"] * script.TURNS
    made["one"] = iter([(2.0, 0.0)] * 20)
    turns.clear()
    (one,) = script.quiet(lambda: "one")
    assert len(turns) == script.ENOUGH  # all quiet: no further turns


def test_actions_run_at_the_same_time(script: Any) -> None:
    import threading

    barrier = threading.Barrier(2, timeout=600)
    script.at_once(barrier.wait, barrier.wait)()


def test_threads_share_out_columns_then_nodes(script: Any) -> None:
    sizes = np.array([800_000, 500_000, 300_000])
    shape = script.Shape(sizes, np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([True, False, True]))
    found = script.phases(shape, (800_000, 3), 1.0, 0.2, 0.5)
    assert sum(phase.seconds for phase in found) == pytest.approx(1.0)
    moved = sum(phase.work.bytes for phase in found if phase.work)
    sort, grow = {1: 1, 2: 2 / 3, 3: 1 / 3, 9: 1 / 3}, {1: 1, 2: 8 / 11 * 2 / 3 + 3 / 11 / 2, 3: 1 / 3, 9: 1 / 3}
    for threads in sort:
        seconds, rate = script.forecast(found, threads)
        assert seconds == pytest.approx(0.3 + 0.2 * sort[threads] + 0.5 * grow[threads])
        assert rate == pytest.approx(moved / seconds / 1e9)
    small = script.Shape(sizes // 1000, *shape[1:])
    assert script.together(small, 3, 2) == 0


def test_a_tree_of_known_depth_has_its_searched_nodes(script: Any) -> None:
    tree = SimpleNamespace(
        children_left=np.array([1, 2, -1, -1, -1]), children_right=np.array([4, 3, -1, -1, -1]),
        n_node_samples=np.array([9, 6, 1, 5, 3]), impurity=np.array([0.5, 0.4, 0.0, 0.3, 0.2]),
    )  # fmt: skip
    assert script.Shape.of(tree, None).searched.tolist() == [True, True, False, True, True]
    assert script.Shape.of(tree, 2).searched.tolist() == [True, True, False, False, True]
    assert script.Shape.of(tree, 1).searched.tolist() == [True, False, False, False, False]


def test_a_busy_machine_is_said(script: Any) -> None:
    calm, loud = script.Sample(2.0, 2.0, 0.01), script.Sample(1.0, 1.0, 0.4)
    assert script.compared("x", calm, calm) == "| x | 2 | 2 | 1.00 | 1% |"
    assert script.compared("x", calm, loud) == "| x | 2 | 1 | 0.50 | 40% (not quiet) |"
