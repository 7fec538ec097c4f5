"""The loads and stores that the benchmark counts from a tree are those of the loops, run with arrays that count."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CASES = [(900, 3, 3, 0), (300, 3, 12, 1), (200, 1, 4, 2)]  # rows, columns, depth, seed

# The loops run without a compiler, on arrays that add up the bytes of each element that is loaded or stored.
COUNTED = """
import collections, json, sys, warnings
import numpy as np
warnings.simplefilter("ignore")
from splitcrit.criteria import decrease
from splitcrit import gini
from splitcrit.growth import class_sources_compiled as sources
from splitcrit.growth.grow_compiled import grow_whole
from splitcrit.growth.records import PresortedSource, StoppingRules, Workspace
from splitcrit.growth.growth_options import Stopping
from splitcrit.growth.source_choice import criterion_data
from splitcrit.growth.grown_tree import filled, root_rows
from splitcrit.search import column_loops as compiled, scan_node, scan_sums
from splitcrit.search.records import Orders, CompiledCriterion, Scratch

spent = {"bytes": 0}

class Counting(np.ndarray):
    def __getitem__(self, at):
        found = super().__getitem__(at)
        if np.ndim(found) == 0:
            spent["bytes"] += self.itemsize
        return found
    def __setitem__(self, at, value):
        spent["bytes"] += self.itemsize
        super().__setitem__(at, value)

def counting(array):
    return array.view(Counting)

class Numpy:  # the loops make arrays of pairs, and histograms, which are not counted
    def __getattr__(self, name):
        return getattr(np, name)
    def empty(self, shape, kind):
        made = np.empty(shape, kind)
        return made if made.shape == (3, 2048) else counting(made)

def apart(found, name, function):
    def run(*given):
        before = spent["bytes"]
        result = function(*given)
        found[name] += spent["bytes"] - before
        found[name + " loops"] += 1
        return result
    return run

compiled.np = Numpy()
scan_sums.parted = lambda *_: True  # asked only where a score leads
scan_node.call_numbers = lambda _, *given: scan_sums.numbers_of_sums(*given)  # by name, not by address
sums, steps = lambda _, *given: scan_sums.by_sums(*given), (sources.marked, sources.shared_out)

def seen(n, d, depth, seed):
    rng, found = np.random.default_rng(seed), collections.Counter()
    x = rng.permuted(np.tile(np.arange(n, dtype=np.float32), (d, 1)), axis=1)
    codes = (rng.random(n) < np.where(x[0] > n / 3, 0.2, 0.7)).astype(np.int64)
    orders, before = np.empty((d, n), np.uint32), spent["bytes"]
    compiled.sort_columns(counting(x.view(np.uint32)), counting(codes), 1, counting(orders))
    found["sorting"] = spent["bytes"] - before
    assert (np.diff(np.take_along_axis(x, (orders >> 1).astype(int), 1)) > 0).all()
    sources.call_scan = apart(found, "scanning", sums)
    sources.marked, sources.shared_out = (apart(found, "partitioning", step) for step in steps)
    data, rules = criterion_data(decrease(gini), n, 2), StoppingRules.of(Stopping(depth), decrease(gini))
    data = data._replace(steps=counting(data.steps), table=counting(data.table))
    scratch = Workspace.of(Scratch(np.empty(2, np.int64), np.empty(n)), d, orders[0])
    scratch = scratch._replace(spare=counting(scratch.spare), side=counting(scratch.side))
    source = PresortedSource(Orders(counting(orders), x, 1), CompiledCriterion(data, 0, 0, 0), scratch)
    root = root_rows(np.bincount(codes).astype(float), n, np.uint64(0))
    links, reals, _ = filled(root, lambda tree, at, made: grow_whole(source, tree, at, made, rules))
    return found | {"links": links[:, :6].T.tolist(), "pure": (reals[:, 1:].min(axis=1) == 0).tolist()}

print(json.dumps([seen(*case) for case in json.loads(sys.argv[1])]))
"""


@pytest.fixture(scope="module")
def work() -> Any:
    """The module that counts."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return importlib.import_module("work")
    finally:
        sys.path.pop(0)


class Tree:
    """What the module reads of scikit-learn's structure."""

    def __init__(self, links: list[list[int]], pure: list[bool]) -> None:
        import numpy as np

        _, self.children_left, self.children_right, _, _, self.n_node_samples = map(np.array, links)
        self.impurity = np.where(pure, 0.0, 1.0)


@pytest.fixture(scope="module")
def counted() -> dict[tuple[int, ...], Any]:
    """What the loops do in each case."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", COUNTED, json.dumps(CASES)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert not answer.returncode, answer.stderr
    return dict(zip(CASES, json.loads(answer.stdout), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_the_bytes_are_those_of_the_loops(case: tuple[int, ...], counted: Any, work: Any) -> None:
    (n, d, depth, _), seen = case, counted[case]
    shape = work.Shape.of(Tree(seen["links"], seen["pure"]), depth)
    assert len(shape.split) > 3
    assert seen["sorting"] == work.sorting(n, d).bytes
    assert seen["scanning"] == work.scanning(shape, d).bytes
    assert seen["scanning loops"] == work.scanning(shape, d).loops
    again = shape.sizes[shape.left[shape.split]] + 2  # loaded twice in a row, and two entries for the threshold
    assert seen["partitioning"] == work.partitioning(shape, d).bytes + work.ENTRY * again.sum()
