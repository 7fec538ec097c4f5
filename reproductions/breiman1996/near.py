"""How many vertices are nearly balanced: the simulation of breiman1996 at several sizes.

The paper prints two averages and no number of nodes. A thousand nodes are read as its "little simulation", and ten
and a hundred times as many stand beside them, as do other numbers of classes.

Main definitions: ``NEAR_TIES``, ``printed_counts``.
Source: breiman1996, Section 4.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from splitcrit.vertices import near_ties

from ..printed import printed
from ..results import Row
from ..runner import Experiment, Options, Task
from ..tables import table

NODES = (1000, 10_000, 100_000)
OTHERS = ((6, 10_000), (8, 10_000), (12, 10_000), (14, 2000))  # classes and nodes
WIDTHS = (0.01, 0.001)
KEYS = ("classes", "nodes", "width", "run")


def _tasks(options: Options) -> list[Task]:
    """List the simulations."""
    sizes = ((10, 200),) if options.quick else (*((10, nodes) for nodes in NODES), *OTHERS)
    return [
        {"classes": classes, "nodes": nodes, "width": width, "run": run}
        for classes, nodes in sizes
        for width in WIDTHS
        for run in range(options.runs(1))
    ]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    ties = asdict(near_ties(task["classes"], task["nodes"], width=task["width"], rng=rng))
    return [{name: value for name, value in ties.items() if name not in KEYS}]


def printed_counts() -> dict[tuple[int, float], float]:
    """The printed averages by classes and width."""
    rows = printed("breiman1996_near_ties")
    return {(int(r["classes"]), round(float(r["high"]) - 0.5, 6)): float(r["count"]) for r in rows}


def shown(rows: list[Row], options: Options | None = None) -> str:
    """The simulations as Markdown, with the printed averages."""
    known = printed_counts()
    lines: list[Any] = []
    for row in sorted(rows, key=lambda r: (r["classes"], -r["width"], r["nodes"])):
        low, high = 0.5 - row["width"], 0.5 + row["width"]
        beside = f"about {known[key]:g}" if (key := (row["classes"], row["width"])) in known else ""
        measured = [f"{row[name]:.3f} ± {row[f'{name}_error']:.3f}" for name in ("count", "largest", "smallest")]
        lines.append((row["classes"], f"{low:g} to {high:g}", row["nodes"], beside, *measured))
    heads = ("classes", "P_L", "nodes", "printed", "such vertices", "largest three apart", "smallest three apart")
    return table(heads, lines)


NEAR_TIES = Experiment(
    "near_ties", "vertices of random nodes that are nearly balanced", KEYS, _tasks, _work, shown, (("seeded", "task"),)
)
