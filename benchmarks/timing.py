"""Ratios of two timings taken side by side in one process, alternating A B A B.

Main definitions: ``Row``, ``compare``, ``duration``, ``fresh_process``.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the results: medians of both sides in seconds, the ratio of medians and its range, the gate."""

    what: str
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float
    gate: float | None

    @property
    def verdict(self) -> str:
        return "" if self.gate is None else ("met" if self.ratio <= self.gate else "MISSED")


def duration(action: Callable[[], object]) -> float:
    """How long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def compare(
    what: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    gate: float | None = None,
    *,
    runs: int = 7,
    scale: float = 1.0,
) -> Row:
    """Time both sides alternately after one warm-up each; ``scale`` multiplies our side (work per unit)."""
    ours(), theirs()
    gc.collect()
    pairs = [(duration(ours) * scale, duration(theirs)) for _ in range(runs)]
    a, b = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratios = [x / y for x, y in pairs]
    return Row(what, a, b, a / b, min(ratios), max(ratios), gate)


def fresh_process(code: str) -> Callable[[], object]:
    """An action that runs Python code in a new process."""
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)
