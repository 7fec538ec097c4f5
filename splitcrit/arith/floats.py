"""float64 by numpy: ``FLOAT``."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


class _Float:
    """float64 by numpy; infinities are values, never warnings."""

    name = "FLOAT"

    def number(self, x: Any) -> Any:
        return float(x)

    def log(self, x: Any) -> Any:
        with np.errstate(divide="ignore"):
            return np.log(np.asarray(x, dtype=float))[()]

    def xlogx(self, x: Any) -> Any:
        x = np.asarray(x, dtype=float)
        return (x * np.log(np.where(x > 0, x, 1.0)))[()]

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(np.maximum(x, 0.0))

    def power(self, x: Any, a: Any) -> Any:
        return np.power(np.asarray(x, dtype=float), float(a))[()]

    def exp(self, x: Any) -> Any:
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(x, dtype=float))[()]

    def max(self, items: Any) -> Any:
        return items.max(axis=0) if isinstance(items, np.ndarray) else functools.reduce(np.maximum, items)

    def min(self, items: Any) -> Any:
        return items.min(axis=0) if isinstance(items, np.ndarray) else functools.reduce(np.minimum, items)

    def abs(self, x: Any) -> Any:
        return np.abs(x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(b, np.ndarray) and np.shape(condition) == b.shape and not condition.any():
            return b  # the rare case that a formula guards against does not occur in this batch
        return np.where(condition, a, b)[()]


FLOAT = _Float()
