"""Where the time goes in rows of ``make bench`` that miss a gate: ``python benchmarks/profiles.py`` writes profiles.md.

Own time by the profiler, which makes Python code look slower than it is and leaves compiled loops as they are.

Main definitions: ``shares``, ``worked``, ``replayed``, ``alone``, ``phases``, ``apart``, ``compiling``.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
from forests import fitted as forest
from joblib import Parallel, delayed
from numba import njit
from run import margins
from sklearn.base import clone
from sklearn.datasets import load_iris
from timing import duration
from trees import WITH_ACT, data, fitted, responses, theirs
from work_threads import at_once

from splitcrit import ForestClassifier, TreeClassifier, TreeRegressor, gini_null, ne
from splitcrit.growth import one_loop, threaded
from splitcrit.inference import split_test
from splitcrit.search import sorted_columns
from splitcrit.search import tapes_compiled as tapes
from splitcrit.search.prepared_criterion import data_of, taped

FOUND = Path(__file__).parent / "profiles.md"
Call = Callable[[], object]
KINDS = ("compiled loops", "numpy", "scikit-learn", "splitcrit", "rest")
NULL_VARIANCE = margins(10, 10, 1000)
TOLD = """# Where the time goes

Written by `python benchmarks/profiles.py`: rows of [results.md](results.md) that miss a gate or are near it.

"""


def kind(place: tuple[str, int, str]) -> str:
    """Return whose code a function is, by its file and name."""
    file, _, name = place
    if "splitcrit" in file:
        return "compiled loops" if file.endswith("compiled.py") else "splitcrit"
    if "sklearn" in file or "joblib" in file:
        return "scikit-learn"
    return "numpy" if "numpy" in file + name else "rest"


def shares(call: Call, times: int) -> str:
    """Return the shares of own time by whose code it is, and the three functions with most of it."""
    call()
    profile = cProfile.Profile()
    profile.runcall(lambda: [call() for _ in range(times)])
    spent = {place: row[2] for place, row in pstats.Stats(profile).stats.items()}  # type: ignore[attr-defined]
    total, by_kind = sum(spent.values()), Counter[str]()
    for place, own in spent.items():
        by_kind[kind(place)] += own
    first = sorted(spent, key=lambda place: -spent[place])[:3]
    told = "; ".join(
        f"`{name.split('-')[0].strip('<>')}` {spent[file, line, name] / total:.0%}" for file, line, name in first
    )
    return " | ".join([f"{by_kind[each] / total:.0%}" for each in KINDS] + [told])


def profiled() -> Iterator[str]:
    """Yield the rows of the table of shares."""
    small, classes = data(1000, 10, 2), data(1000, 10, 10)
    iris, many, forest_of = load_iris(return_X_y=True), data(10_000, 10, 10), {"criterion": ne(0.5)}
    absolute = TreeRegressor(criterion="absolute_error", max_depth=8, min_gain=None)
    calls: list[tuple[str, Call, int]] = [
        ("Gini tree, n = 1000, K = 2, depth 8", fitted(small, "gini", 8), 300),
        ("Gini tree, n = 1000, K = 10, full depth", fitted(classes, "gini", None), 300),
        ("Gini tree, iris", fitted(iris, "gini", None), 500),
        ("from_loss with act, K = 10", fitted(many, WITH_ACT, 8), 10),
        ("NE(.5) forest, K = 10", forest(ForestClassifier, many, 10, **forest_of), 3),
        ("Gini forest, K = 10", forest(ForestClassifier, many, 10, criterion="gini"), 3),
        ("Gini forest with max_pvalue, K = 10", forest(ForestClassifier, many, 10, max_pvalue=0.01), 3),
        ("absolute error, n = 5000", partial(absolute.fit, *responses(5000, 10)), 20),
        ("split_test at a root of 200 x 10", partial(split_test, *data(200, 10, 2)), 200),
        ("null variance, 10 x 10", lambda: gini_null(*NULL_VARIANCE), 2000),
    ]
    yield f"| what | {' | '.join(KINDS)} | most |\n|---{'|---' * len(KINDS)}|---|"
    for what, call, times in calls:
        yield f"| {what} | {shares(call, times)} |"


def median(call: Call, before: Call, times: int) -> float:
    """Return the median time of a call that another precedes each time."""
    found = []
    for _ in range(times):
        before()
        found.append(duration(call))
    return statistics.median(found)


def alone() -> Iterator[str]:
    """Yield ratios of small fits: one kind after itself, and both kinds in turns, which find caches cold."""
    yield "| small data | ours / theirs, each after itself | in turns |\n|---|---|---|"
    for what, xy, depth in (
        ("n = 1000, K = 2", data(1000, 10, 2), 8),
        ("n = 1000, K = 10", data(1000, 10, 10), 8),
        ("n = 1000, K = 10, full depth", data(1000, 10, 10), None),
        ("iris", load_iris(return_X_y=True), None),
    ):
        ours, peer = fitted(xy, "gini", depth), theirs(xy, depth)
        after_itself = median(ours, ours, 300) / median(peer, peer, 100)
        in_turns = median(ours, peer, 200) / median(peer, ours, 200)
        yield f"| {what} | {after_itself:.2f} | {in_turns:.2f} |"


def phases() -> Iterator[str]:
    """Yield how the phases of a tree of large data scale from one thread to two, by the clock and in processor time.

    What two threads take more of the processor, they wait for memory; what they take less of two of it, for each other.
    """
    yield "| tree of depth 8 | phase | 1 thread (s) | 2 threads (s) | ratio | processor, 2 / 1 | busy of 2 |"
    yield "|---|---|---|---|---|---|---|"
    for n, d in ((1_000_000, 10), (100_000, 50)):
        xy = data(n, d, 2)
        one, two = (_phases(xy, jobs) for jobs in (1, 2))
        for phase, (seconds, work) in one.items():
            both, worked = two[phase]
            shown = f"{seconds:.3f} | {both:.3f} | {both / seconds:.2f} | {worked / work:.2f} | {worked / both:.2f}"
            yield f"| {n} x {d} | {phase} | {shown} |"


def _phases(xy: tuple[np.ndarray, np.ndarray], jobs: int) -> dict[str, tuple[float, float]]:
    """Return medians of nine times of sorting, of growing, and of the rest of a fit: by the clock, of the processor."""
    found: list[np.ndarray] = []
    for _ in range(9):
        spent = {"sort": np.zeros(2), "grow": np.zeros(2)}

        def timed(
            name: str, function: Callable[..., object], spent: dict[str, np.ndarray] = spent
        ) -> Callable[..., object]:
            def call(*given: object, **named: object) -> object:
                start = _clocks()
                result = function(*given, **named)
                spent[name] += _clocks() - start
                return result

            return call

        growing = threaded.grown_by_threads if jobs > 1 else one_loop.filled
        with (
            patch.object(sorted_columns, "by_shares", timed("sort", sorted_columns.by_shares)),
            patch.object(one_loop, "grown_by_threads" if jobs > 1 else "filled", timed("grow", growing)),
        ):
            start = _clocks()
            TreeClassifier(max_depth=8, n_jobs=jobs).fit(*xy)
            total = _clocks() - start
        found.append(np.array([spent["sort"], spent["grow"], total - spent["sort"] - spent["grow"]]))
    return dict(zip(("sort", "grow", "rest"), map(tuple, np.median(found, axis=0)), strict=True))


def _clocks() -> np.ndarray:
    """Return the time by the clock, and that of the processor, of all threads."""
    return np.array([time.perf_counter(), time.process_time()])


def apart() -> Iterator[str]:
    """Yield what two threads save, and what they save where each has a fit of its own and shares nothing.

    Trees of a forest are tasks of joblib, which looks every hundredth of a second whether they are done: beside it
    stands what two threads save of as many tasks that do nothing but sleep as long.
    """
    yield "| fit | one thread (s) | two threads / one | two fits at once / one after the other | tasks that sleep |"
    yield "|---|---|---|---|---|"
    for what, estimator, n, d in (
        ("Gini tree, 1000000 x 10, depth 8", TreeClassifier(max_depth=8), 1_000_000, 10),
        ("Gini tree, 100000 x 50, depth 8", TreeClassifier(max_depth=8), 100_000, 50),
        ("forest of 16 trees, 100000 x 20", ForestClassifier(16, random_state=0), 100_000, 20),
        ("forest of 20 trees, 10000 x 20", ForestClassifier(20, random_state=0), 10_000, 20),
    ):
        sets = [data(n, d, 2), data(n, d, 2)]
        fits = [[partial(clone(estimator).set_params(n_jobs=jobs).fit, *xy) for xy in sets] for jobs in (1, 2)]
        calls = fits[0][0], fits[1][0], at_once(*fits[0])
        turns = [[duration(call) for call in calls] for _ in range(11)]
        one, two, both = map(statistics.median, zip(*turns[2:], strict=True))
        slept = _slept(one, estimator.n_estimators) if isinstance(estimator, ForestClassifier) else ""
        yield f"| {what} | {one:.3f} | {two / one:.2f} | {both / one / 2:.2f} | {slept} |"


def _slept(seconds: float, tasks: int) -> str:
    """Return what part of some seconds two threads take to sleep through as many, in equal tasks."""
    jobs = [delayed(time.sleep)(seconds / tasks)] * tasks
    taken = [duration(partial(Parallel(n_jobs=2, prefer="threads"), jobs)) for _ in range(7)]
    return f"{statistics.median(taken) / seconds:.2f}"


# A process with an empty cache: what numba does in ``splitcrit doctor --compile``, in seconds of processor time.
CHILD = """
import time
from collections import Counter

from llvmlite import binding
from numba.core import codegen, compiler_machinery

spent = Counter()


def counted(owner, name, label):
    inner = getattr(owner, name)

    def call(*given, **named):
        start, before = time.process_time(), sum(spent.values())
        try:
            return inner(*given, **named)
        finally:
            within = sum(spent.values()) - before
            spent[label(given)] += time.process_time() - start - within

    setattr(owner, name, call)


machinery = compiler_machinery.PassManager
counted(machinery, "_runPass", lambda given: given[2].name())
counted(codegen.CPUCodeLibrary, "_optimize_functions", lambda given: "LLVM, functions")
counted(codegen.CPUCodeLibrary, "_optimize_final_module", lambda given: "LLVM, modules")
counted(binding.ExecutionEngine, "finalize_object", lambda given: "LLVM, machine code")
from splitcrit.cli import main

start = time.process_time()
main(["doctor", "--compile"])
spent["the rest"] = time.process_time() - start - sum(spent.values())
names = {"nopython_type_inference": "types", "native_lowering": "writing LLVM's input"}
found = Counter()
for name, seconds in spent.items():
    found[names.get(name, name if name.startswith("LLVM") or name == "the rest" else "other passes")] += seconds
for name, seconds in found.most_common():
    print(f"| {name} | {seconds:.1f} |")
"""


def worked() -> Iterator[str]:
    """Yield how much there is to search in forests by Gini and by NE(.5), whose cuts are nearer to the ends."""
    yield "| forest of 10 trees, n = 10000, K = 10 | samples of nodes that are split | of Gini's |\n|---|---|---|"
    xy, found = data(10_000, 10, 10), list[int]()
    for name, criterion in (("gini", "gini"), ("NE(.5)", ne(0.5))):
        trees = [each.tree_ for each in ForestClassifier(10, criterion=criterion, random_state=0).fit(*xy).estimators_]
        found.append(sum(int(tree.n_node_samples[tree.children_left >= 0].sum()) for tree in trees))
        yield f"| {name} | {found[-1]} | {found[-1] / found[0]:.2f} |"


def replayed() -> Iterator[str]:
    """Yield what the formula of a loss takes, replayed for one side of each of 128 thresholds, by operation."""
    yield "| the formula of from_loss with act, K = 10 | steps | ns a threshold and side | share |\n|---|---|---|---|"
    sides = taped(WITH_ACT, 10, True)
    assert sides is not None
    told = data_of(sides)
    flat = np.random.default_rng(0).uniform(1, 2, len(told.table))
    names = {tapes.ADD: "sums", tapes.MUL: "products", tapes.DIV: "quotients"}
    kinds = [names.get(int(op), "differences, cases") for op in told.sides[:, 0]]
    spent = {name: _replayed(told.sides[[kind == name for kind in kinds]], flat) for name in sorted(set(kinds))}
    for name, seconds in spent.items():
        yield f"| {name} | {kinds.count(name)} | {seconds * 1e9:.1f} | {seconds / sum(spent.values()):.0%} |"


@njit  # type: ignore[untyped-decorator]
def _steps(steps: np.ndarray, flat: np.ndarray, times: int) -> None:
    for _ in range(times):
        tapes.all_steps(steps, flat, 128)


def _replayed(steps: np.ndarray, flat: np.ndarray, times: int = 2000) -> float:
    """Return the least of nine times of some steps, in seconds a threshold."""
    steps, found = np.ascontiguousarray(steps), []
    for _ in range(10):
        start = time.perf_counter()
        _steps(steps, flat, times)
        found.append((time.perf_counter() - start) / times / 128)
    return min(found[1:])


def compiling() -> Iterator[str]:
    """Yield where the processor time of compiling everything goes, in a process of its own with an empty cache."""
    yield "| compiling everything | CPU seconds |"
    yield "|---|---|"
    with TemporaryDirectory() as folder:
        about = os.environ | {"NUMBA_CACHE_DIR": folder}
        done = subprocess.run([sys.executable, "-c", CHILD], env=about, capture_output=True, text=True, check=True)
    yield from (line for line in done.stdout.splitlines() if line.startswith("| "))


if __name__ == "__main__":
    parts = profiled, worked, replayed, alone, phases, apart, compiling
    text = TOLD + "\n\n".join("\n".join(part()) for part in parts) + "\n"
    FOUND.write_text(text)
    print(text)
