"""The split kernel: all candidate tables of a node, or of a level, at once.

Main definitions: ``Columns`` (a training set sorted by column), ``Level``, ``Limits``, ``best_splits`` and its
``Splits``, ``Stopping`` (when a node stays a leaf), ``LookAhead`` (how a split is chosen by
those of the children), ``engine`` (the compiled loops, or their numpy twins).
"""

from __future__ import annotations

from typing import Any

from splitcrit.kernel import plain
from splitcrit.kernel.columns import Columns, midpoint
from splitcrit.kernel.look_ahead import LookAhead
from splitcrit.kernel.search import Level, Limits, Splits, best_splits, usable_form
from splitcrit.kernel.stopping import Stopping

__all__ = [
    "Columns", "Level", "Limits", "LookAhead", "Splits", "Stopping", "best_splits", "engine", "midpoint", "usable_form",
]  # fmt: skip


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
        from splitcrit.kernel import compiled as loops
    except ModuleNotFoundError:
        if compiled:
            raise
        return plain
    return loops
