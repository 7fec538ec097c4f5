"""Trees and forests of other libraries beside ours, with their accuracy: ``python reproductions/studies/peers.py``.

Libraries that are not installed are left out, with the reason. Writes peers.md, and peers.png: the time of a tree
against n for all, with the time to sort every column once. One thread each; the sides alternate run by run, and a
library has as many runs as fit in some seconds. Times are minima, for whatever else runs can only add to them.

Main definitions: ``Cell``, ``measured``, ``growing``, ``page``.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np
from peers_fits import FLOOR, PEERS, Data, Fit, Peer, Task
from peers_picture import draw

from splitcrit.atomic_files import write_text

PAGE = Path(__file__).with_name("peers.md")
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
HELD_OUT = 20_000
FEATURES, WIDE = 10, 20
FORESTS = ((10_000, Task(50, 10, 4)), (10_000, Task(20, None, 4)), (100_000, Task(5, 10, 4)))
RUNS, ENOUGH, LONGEST = 5, 5.0, 60.0
LINE = "\n\n"


class Cell(NamedTuple):
    """The fits of one library on one training set as a row shows them: minima of times, means of what is random."""

    seconds: float
    processor: float
    accuracy: float
    spread: float
    leaves: float

    @staticmethod
    def of(fits: Sequence[Fit]) -> Cell:
        right = [fit.accuracy for fit in fits]
        spread = stdev(right) if len(right) > 1 else 0.0
        fastest = min(fit.seconds for fit in fits), min(fit.processor for fit in fits)
        return Cell(*fastest, fmean(right), spread, fmean(fit.leaves for fit in fits))


def split(n: int, d: int) -> tuple[Data, Data]:
    """``n`` rows to learn from, and others of the same kind; two even classes depend on three features."""
    rng = np.random.default_rng(n + HELD_OUT + d + 2)
    x = rng.normal(size=(n + HELD_OUT, d)).astype(np.float32)
    score = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=len(x))
    y = np.searchsorted([np.median(score)], score)
    return (x[:n], y[:n]), (x[n:], y[n:])


def measured(peers: Sequence[Peer], task: Task, n: int, d: int) -> dict[str, Cell]:
    """Fit every library in turn, with another seed in each turn, until each has had its runs or its time."""
    train, test = split(n, d)
    fits_of: dict[str, list[Fit]] = {peer.name: [] for peer in peers}
    for seed in range(RUNS):
        for peer in peers:
            if sum(fit.processor for fit in fits_of[peer.name]) < ENOUGH:
                fits_of[peer.name].append(peer.fit(task._replace(seed=seed), train, test))
    return {name: Cell.of(fits) for name, fits in fits_of.items()}


def growing(peers: Sequence[Peer]) -> Iterator[tuple[int, dict[str, Cell]]]:
    """Yield a tree's fits by size; a library is left out where, by its last size, it would take too long."""
    last: dict[str, tuple[int, float]] = {}
    for n in SIZES:
        quick = [
            peer for peer in peers if peer.name not in last or last[peer.name][1] * n < LONGEST * last[peer.name][0]
        ]
        cells = measured(quick, Task(), n, FEATURES)
        last |= {name: (n, cell.processor) for name, cell in cells.items()}
        yield n, cells


def table(cells: dict[str, Cell], versions: dict[str, str]) -> str:
    """The rows of one training set as a Markdown table."""
    ours = cells[PEERS[0].name]
    lines = ["| library | version | seconds | processor seconds | ours / theirs | accuracy, % | leaves a tree |"]
    lines.append("|---|---|-:|-:|-:|-:|-:|")
    for name, cell in cells.items():
        right = f"{100 * cell.accuracy:.1f}" + (f" +- {100 * cell.spread:.1f}" if cell.spread else "")
        judged = f"{right} | {cell.leaves:.0f}" if cell.leaves else " | "
        times = f"{cell.seconds:.3g} | {cell.processor:.3g} | {ours.processor / cell.processor:.2f}"
        lines.append(f"| {name} | {versions[name]} | {times} | {judged} |")
    return "\n".join(lines)


def sections(peers: Sequence[Peer], versions: dict[str, str]) -> Iterator[str]:
    """Yield the parts of the page, measuring as it goes; draw the picture."""
    sizes = []
    for n, cells in growing((*peers, FLOOR)):
        sizes.append((n, cells))
        yield f"## One tree of depth 8, n = {n}, d = {FEATURES}{LINE}{table(cells, versions)}{LINE}"
    draw({name: [(n, cells[name].processor) for n, cells in sizes if name in cells] for name in versions}, FLOOR.name)
    for n, task in FORESTS:
        depth = "full depth" if task.depth is None else f"depth {task.depth}"
        what = f"{task.trees} trees of {depth}, {task.features} features a node, n = {n}, d = {WIDE}"
        yield f"## A forest of {what}\n\n{table(measured(peers, task, n, WIDE), versions)}{LINE}"


def page(parts: Sequence[str], skipped: dict[str, str]) -> str:
    """The page of results."""
    machine = f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores"
    absent = "".join(f"- {name}: {reason}.\n" for name, reason in skipped.items())
    return f"""# Beside other libraries

Written by `python reproductions/studies/peers.py` ({machine};
load average at the end {os.getloadavg()[0]:.1f}). One thread each, two classes, float32 features that are
continuous, of which three matter. Every library gets the same depth, number of trees and features a node, as many
leaves as the depth allows, and no penalty; LightGBM and XGBoost boost one tree at learning rate 1. Times are minima of
up to {RUNS} alternating runs (none after {ENOUGH:.0f} seconds), from arrays in memory to the model; the ratio is one of
processor time, which a busy machine disturbs least. Accuracy is that on {HELD_OUT} other rows, mean and standard
deviation over the runs, which have seeds of their own. A library that would take over {LONGEST:.0f} seconds is left out
from there on. The last row of a tree sorts every column once, values and order, and does no more.

![Time of a tree against n](peers.png)

{"".join(parts)}{absent and f"## Not measured{LINE}{absent}"}"""


def main() -> None:
    """Measure, and write the page and the picture."""
    skipped = {peer.name: reason for peer in PEERS if (reason := peer.absent())}
    peers = [peer for peer in PEERS if peer.name not in skipped]
    for name, reason in skipped.items():
        print(f"{name}: {reason}", flush=True)
    warm = split(20_000, FEATURES)  # of fewer rows the reference builder grows our tree, and nothing is compiled
    for peer in (*peers, FLOOR):
        for task in (Task(), Task(2, None, 3)):
            peer.fit(task, *warm)  # compiles, loads
    parts = []
    for part in sections(peers, {peer.name: peer.version() for peer in (*peers, FLOOR)}):
        print(part, end="", flush=True)
        parts.append(part)
    write_text(PAGE, page(parts, skipped))


if __name__ == "__main__":
    sys.exit(main())
