"""The results of all experiments of ghosh2017, as the findings ask for them.

Main definitions: ``Found``, ``MAIN``, ``DISTINCT``, ``PLANE``, ``UCI``.
"""

from __future__ import annotations

from dataclasses import dataclass

from splitcrit.experiments.ghosh2017.problems import REAL, SYNTHETIC, VARIANTS
from splitcrit.experiments.results import Row

MAIN = ("Gini", "Gini tuned", "RF", "SVM")
PLANE = [name for name in SYNTHETIC if name != "checkerboard 4x4"]  # of its sizes the one that fits the printed numbers
UCI = [name for name in REAL if name not in VARIANTS]
DISTINCT = (*PLANE, *UCI)


@dataclass(frozen=True)
class Found:
    """The results: rows of both tables run by run, means of all cells, means of the figure and the sizes it needs."""

    runs: list[Row]
    means: list[Row]
    curves: list[Row]
    sizes: list[Row]

    def mean(self, data: str, method: str, noise: str) -> float:
        """Return our mean accuracy of a cell, in percent."""
        cells = {(r["data"], r["method"], r["noise"]): r["accuracy"] for r in self.means}
        return float(cells[data, method, noise])

    def lost(self, data: str, method: str, noise: str) -> float:
        """Return the points of accuracy that noise costs."""
        return self.mean(data, method, "0") - self.mean(data, method, noise)

    def most_lost(self, method: str, noise: str) -> float:
        """Return the points that noise costs on that synthetic problem where it costs most."""
        return max(self.lost(data, method, noise) for data in PLANE)
