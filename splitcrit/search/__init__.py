"""The best split of a node, or of every open node of a level: sorted columns, class counts, scores and ties.

Main definitions: ``Columns`` (a training set sorted by column), ``Level``, ``Limits``, ``best_splits`` and its
``Splits``, ``engine`` (the compiled loops, or the same loops in numpy).
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from splitcrit.search import plain
from splitcrit.search.columns import Columns, midpoint
from splitcrit.search.thresholds import Level, Limits, Splits, best_splits, usable_form

__all__ = ["Columns", "Level", "Limits", "Splits", "best_splits", "engine", "midpoint", "usable_form"]


def engine(compiled: bool | None = None) -> Any:
    """Return the module of the loops: compiled where numba is installed, or as asked.

    Raises
    ------
    ModuleNotFoundError
        If compiled loops are asked for and numba is not installed.
    """
    if compiled is False:
        return plain
    try:
        from splitcrit.search import compiled as loops
    except ModuleNotFoundError as error:
        if compiled or error.name != "numba":
            raise
        _say_slow()
        return plain
    return loops


@cache
def _say_slow() -> None:
    """Say once that the search will be slow, and what makes it fast."""
    said = "splitcrit: numba is not installed; trees are grown by numpy, at several times the time of compiled loops"
    print(f"{said}; pip install numba", file=sys.stderr)
