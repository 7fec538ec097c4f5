"""The open nodes of a level of a tree, and their splits.

Main definitions: ``Limits`` (of the sides of a split), ``LevelSplits`` (one split a node), ``joined``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from splitcrit.arguments import Array
from splitcrit.display import shortened

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Limits:
    """The fewest samples, and the least weight, that a threshold must leave on each side."""

    least: int = 1
    lightest: float = 0.0

    __repr__ = shortened


def joined(records: Sequence[T]) -> T:
    """Records of arrays, one after another, as one record."""
    names = records[0].__dataclass_fields__  # type: ignore[attr-defined]
    return type(records[0])(*(np.concatenate([getattr(record, name) for record in records]) for name in names))


@dataclass(frozen=True, eq=False, repr=False)
class LevelSplits:
    """One split a node: feature (-1: none), threshold, where missing values go, best score, tie band, and left side.

    ``left (m, ...)`` are the sums of the left sides, ``left_sizes (m,)`` their rows; ``place`` is the last bin of the
    feature on the left (-1: no split).
    """

    feature: Array
    threshold: Array
    missing_left: Array
    score: Array
    band: Array
    left: Array
    left_sizes: Array
    place: Array

    __repr__ = shortened
