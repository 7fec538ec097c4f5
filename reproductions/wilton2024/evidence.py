"""The results of all experiments of wilton2024, as its page asks for them.

Main definitions: ``Found``, ``gathered``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..results import Row, rows_of, stored
from . import finishing, released
from .summary import ranked, summarised

Cell = tuple[str, str, str, str]


@dataclass(frozen=True)
class Found:
    """The rows of each experiment by its name."""

    rows: dict[str, list[Row]]

    @cached_property
    def cells(self) -> dict[str, list[Row]]:
        """The means of ``trees`` and ``forests``."""
        return {name: summarised(self.rows[name], name) for name in ("trees", "forests")}

    @cached_property
    def means(self) -> dict[str, dict[Cell, float]]:
        """Mean accuracy of ``trees`` and ``forests`` by data set, task, noise and method."""
        return {
            name: {(c["data"], c["task"], c["noise"], c["method"]): c["accuracy"] for c in cells}
            for name, cells in self.cells.items()
        }

    @cached_property
    def ranks(self) -> dict[str, list[Row]]:
        """Average ranks of ``trees`` and ``forests``."""
        return {name: ranked(cells) for name, cells in self.cells.items()}

    @cached_property
    def kinds(self) -> list[Row]:
        """Means of each kind of forest beside the printed ones."""
        return released.forest_means(self.rows["forests_printed"])

    @cached_property
    def twoing(self) -> list[Row]:
        """Means of trees and forests by the released search for twoing."""
        return released.twoing_means(self.rows["twoing"])

    @cached_property
    def lams(self) -> list[Row]:
        """Means of Figure 6."""
        return finishing.curves(self.rows["figure6"])

    @cached_property
    def sizes(self) -> list[Row]:
        """Where the smallest and the best tree of Figure 6 are."""
        return finishing.smallest(self.lams)

    @cached_property
    def shares(self) -> list[Row]:
        """How many impure nodes are halted."""
        return finishing.shares(self.rows["halted"])

    @cached_property
    def budget(self) -> list[Row]:
        """The three ways of tuning."""
        return finishing.ahead(self.rows["budget"])

    @cached_property
    def over_q(self) -> list[Row]:
        """Means for each q."""
        return finishing.over_q(self.rows["gce"])

    @cached_property
    def features(self) -> list[Row]:
        """Means on learnt features."""
        return finishing.on_features(self.rows["features"])

    def apart(self, name: str, first: str, second: str, noises: Any = None) -> np.ndarray:
        """Mean accuracies of a method less those of another, cell by cell."""
        at = self.means[name]
        return np.array(
            [at[key] - at[(*key[:3], second)]
             for key in at if key[3] == first and (*key[:3], second) in at and (noises is None or key[2] in noises)]
        )  # fmt: skip


NAMES = ("trees", "forests", "forests_printed", "twoing", "figure6", "halted", "budget", "gce", "features")


def gathered(folder: Path) -> Found:
    """Read the results of a folder; an experiment that was not run has no rows."""
    paths = {name: folder / f"{name}.csv" for name in NAMES}
    return Found({name: rows_of(path) if stored(path).exists() else [] for name, path in paths.items()})
