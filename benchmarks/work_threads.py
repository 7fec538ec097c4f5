"""What a fit takes beside the work it has, and what threads save: python benchmarks/work_threads.py writes work.md.

Two threads are compared with one on cores that nobody else uses: every sample notes how much of all cores other
processes took meanwhile, as the system counts it, and samples above a twentieth give way to any below.

Main definitions: ``Sample``, ``quiet``, ``phases``, ``forecast``.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from trees import data
from work import Shape, Work, partitioning, scaled, scanning, sorting, together

from splitcrit import ForestClassifier, TreeClassifier, gini
from splitcrit.atomic_files import write_text
from splitcrit.criteria import decrease
from splitcrit.growth import GrowthOptions, Stopping, grow
from splitcrit.search import Columns
from splitcrit.search.column_loops import sort_columns

PAGE = Path(__file__).with_name("work.md")
TREES, DEPTH = ((1_000_000, 10), (100_000, 50), (1_000, 10)), 8
FORESTS = ((100_000, 20, 4), (100_000, 20, 16), (10_000, 20, 20), (1_000, 20, 20))
THREADS = (1, 2, 4, 8, 16)
LIMIT, TURNS, ENOUGH, LEAST = 0.05, 12, 4, 0.2
STAT = Path("/proc/stat")
Action = Callable[[], object]


class Sample(NamedTuple):
    """Of the fastest of some runs seconds and seconds of processor time; the share of all cores that others used."""

    seconds: float
    processor: float
    others: float

    @property
    def rank(self) -> tuple[float, float]:
        return (self.others if self.others > LIMIT else 0.0), self.seconds


def used() -> float:
    """Return the seconds that all cores have worked, not a number where the system does not tell."""
    if not STAT.exists():
        return float("nan")
    user, nice, system, _, _, *interrupts = map(int, STAT.read_text().split("\n", 1)[0].split()[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def sampled(action: Action) -> Sample:
    """Run an action for a while."""
    start, busy, own = time.perf_counter(), used(), time.process_time()
    runs: list[tuple[float, float]] = []
    while time.perf_counter() - start < LEAST:
        begun, worked = time.perf_counter(), time.process_time()
        action()
        runs.append((time.perf_counter() - begun, time.process_time() - worked))
    elapsed, own = time.perf_counter() - start, time.process_time() - own
    seconds, processor = map(min, zip(*runs, strict=True))
    return Sample(seconds, processor, max(used() - busy - own, 0.0) / elapsed / (os.cpu_count() or 1))


def quiet(*actions: Action) -> list[Sample]:
    """Sample actions in turn until all were quiet several times, and return the best of each: quiet before fast."""
    found: list[list[Sample]] = [[] for _ in actions]
    for action in actions:
        action()
    for _ in range(TURNS):
        for samples, action in zip(found, actions, strict=True):
            samples.append(sampled(action))
        if all(sum(sample.others <= LIMIT for sample in samples) >= ENOUGH for samples in found):
            break
    return [min(samples, key=lambda sample: sample.rank) for samples in found]


def at_once(*actions: Action) -> Action:
    """Return an action that runs others at the same time, a thread each."""

    def run() -> None:
        threads = [threading.Thread(target=action) for action in actions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return run


class Parts(NamedTuple):
    """Actions of a fit: all of it, the sort, the growth, and all of it on two threads."""

    fit: Action
    sort: Action
    grow: Action
    threads: Action


def parts(x: np.ndarray, y: np.ndarray) -> Parts:
    """Return the parts of fitting a Gini tree."""
    codes = y.astype(np.int64)
    columns = Columns.of(x, codes, 2)
    words, orders = columns.values.view(np.uint32), np.empty(x.T.shape, np.uint32)
    one, two = (TreeClassifier(max_depth=DEPTH, min_gain=None, n_jobs=jobs) for jobs in (1, 2))
    return Parts(
        lambda: one.fit(x, y),
        lambda: sort_columns(words, codes, 1, orders),
        lambda: grow(columns, decrease(gini), GrowthOptions(Stopping(DEPTH))),
        lambda: two.fit(x, y),
    )


class Phase(NamedTuple):
    """A part of a fit: its work, its seconds on one thread, and its ratio to that on a number of threads."""

    name: str
    work: Work | None
    seconds: float
    ratio: Callable[[int], float]


def phases(shape: Shape, size: tuple[int, int], fit: float, sort: float, growth: float) -> list[Phase]:
    """Return the parts of a fit; what remains of it is reading, checking and transposing, and Python."""
    (n, d), scans, splits = size, scanning(shape, size[1]), partitioning(shape, size[1])
    loops = Work(*(a + b for a, b in zip(scans, splits, strict=True)))

    def grown(threads: int) -> float:
        shared = together(shape, d, threads)
        return shared * scaled(1.0, d, threads) + (1.0 - shared) / threads

    return [
        Phase("sort", sorting(n, d), sort, lambda threads: scaled(1.0, d, threads)),
        Phase("scan and split", loops, growth, grown),
        Phase("the rest", None, max(fit - sort - growth, 0.0), lambda threads: 1.0),
    ]


def forecast(found: list[Phase], threads: int) -> tuple[float, float]:
    """Return the seconds on several threads, and gigabytes a second that memory must bear."""
    seconds = sum(phase.seconds * phase.ratio(threads) for phase in found)
    return seconds, sum(phase.work.bytes for phase in found if phase.work) / seconds / 1e9


def table(head: str, rows: Iterator[str]) -> str:
    return "\n".join([head, "|---" * (head.count("|") - 1) + "|", *rows]) + "\n"


def said(phase: Phase) -> str:
    if phase.work is None:
        return f"| {phase.name} | | | | {phase.seconds:.3g} | |"
    loops, values, size = phase.work
    return (
        f"| {phase.name} | {loops} | {values:.3g} | {size / 1e6:.4g} | {phase.seconds:.3g} | "
        f"{size / phase.seconds / 1e9:.1f} |"
    )


def compared(what: str, one: Sample, two: Sample) -> str:
    """Return the row that compares two threads with one."""
    print(f"{what}: {two.seconds / one.seconds:.2f}", flush=True)
    others = max(one.others, two.others)
    return (
        f"| {what} | {one.seconds:.3g} | {two.seconds:.3g} | {two.seconds / one.seconds:.2f} | {others:.0%}"
        f"{' (not quiet)' if others > LIMIT else ''} |"
    )


def trees() -> Iterator[tuple[str, str]]:
    """Yield of each training set what it takes, and the row that compares two threads with one."""
    for n, d in TREES:
        x, y = data(n, d, 2)
        fit, sort, growth, threads = quiet(*parts(x, y))
        shape = Shape.of(TreeClassifier(max_depth=DEPTH, min_gain=None).fit(x, y).tree_, DEPTH)
        found = phases(shape, (n, d), fit.processor, sort.processor, growth.processor)
        lines = [f"n = {n}, d = {d}: {int(shape.searched.sum())} nodes searched.\n"]
        lines.append(table("| part | loops | values passed | MB | seconds | GB/s |", map(said, found)))
        times = [(p, *forecast(found, p)) for p in THREADS]
        rows = (f"| {p} | {s:.3g} | {s / times[0][1]:.2f} | {rate:.1f} |" for p, s, rate in times)
        lines.append(table("| threads, on paper | seconds | ratio | GB/s |", rows))
        yield "\n".join(lines), compared(f"tree, n = {n}, d = {d}", fit, threads)


def forests() -> Iterator[str]:
    """Yield rows that compare a forest on two threads with one."""
    for n, d, many in FORESTS:
        x, y = data(n, d, 2)
        one, two = (
            lambda x=x, y=y, jobs=jobs, many=many: ForestClassifier(many, n_jobs=jobs, random_state=0).fit(x, y)
            for jobs in (1, 2)
        )
        yield compared(f"forest of {many} trees, n = {n}, d = {d}", *quiet(one, two))


def copies() -> str:
    """Return what copying takes, with one thread and with two."""
    arrays = [np.ones(10_000_000, np.float32) for _ in range(4)]
    one, two = (lambda a=arrays[i], b=arrays[i + 1]: np.copyto(a, b) for i in (0, 2))
    alone, both = quiet(one, at_once(one, two))
    moved = 2 * arrays[0].nbytes / 1e9
    return f"Copying 40 MB moves {moved / alone.seconds:.0f} GB/s in one thread, {2 * moved / both.seconds:.0f} in two."


def main() -> None:
    """Measure, and write the page."""
    found = list(trees())
    rows = [row for _, row in found] + list(forests())
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores"
    write_text(PAGE, page(copies(), "\n".join(text for text, _ in found), table(HEAD, iter(rows)), versions))


HEAD = "| two threads against one | one (s) | two (s) | ratio | others |"


def page(copying: str, of_trees: str, of_threads: str, versions: str) -> str:
    return f"""# The work of a fit, and threads

Written by `python benchmarks/work_threads.py` ({versions}).

{copying}

## Work

A Gini tree of depth {DEPTH}, one thread, in seconds of processor time. Loops are those over samples that are entered;
bytes are what they load and store, counted from the tree. On paper, threads share out the columns of the sort and of
the nodes at the top of the tree, then the other nodes evenly, and the rest stays as it is.

{of_trees}
## Threads

A tree of large data, and a forest that grows its trees at the same time. Samples of both sides alternate; "others" is
the share of all cores that other processes used meanwhile.

{of_threads}"""


if __name__ == "__main__":
    sys.exit(main())
