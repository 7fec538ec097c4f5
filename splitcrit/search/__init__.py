"""The best split of a node, or of every open node of a level: sorted columns, class counts, scores and ties.

Main definitions: ``Columns`` (a training set sorted by column), ``Level``, ``Limits``, ``best_splits`` and its
``Splits``.
"""

from __future__ import annotations

from typing import Any

from splitcrit.search.columns import Columns, midpoint, retired
from splitcrit.search.thresholds import Level, Limits, Splits, best_splits, usable_form

__all__ = ["Columns", "Level", "Limits", "Splits", "best_splits", "midpoint", "usable_form"]


def __getattr__(name: str) -> Any:
    """Offer ``engine``, which chose between compiled loops and the same in numpy, until version 0.5."""
    if name == "engine":
        return lambda compiled=None: retired("search.engine")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
