"""A training set as the kernel wants it: columns side by side, each with its samples in sorted order.

Main definitions: ``Columns``, ``midpoint``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.kernel import plain
from splitcrit.values import complaint

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Columns:
    """Values ``(d, n)`` by column, packed orders ``(d, n)``, class codes, weights (empty: all 1).

    An entry of an order is ``index << bits | code``. ``engine`` is the module whose loops run over them.
    """

    values: Array
    orders: Array
    codes: Array
    classes: int
    weights: Array
    bits: int
    engine: Any

    @staticmethod
    def of(x: Array, codes: Array, classes: int, weights: Array | None = None, engine: Any = plain) -> Columns:
        """Return the columns of ``x (n, d)``, float32 or float64 without missing values, each sorted once.

        Raises
        ------
        TypeError
            If ``x`` is not float32 or float64.
        """
        if x.dtype not in (np.float32, np.float64):
            raise TypeError(complaint("the kernel sorts float32 or float64", x.dtype, "convert the features first"))
        values = np.ascontiguousarray(x.T) + x.dtype.type(0)  # -0.0 becomes 0.0
        bits = max(1, int(classes - 1).bit_length())
        packed = np.uint32 if len(codes) << bits < 2**32 else np.int64
        orders = np.empty(values.shape, packed)
        if values.dtype == np.float32 and engine is not plain:
            engine.sort_columns(_keys(values), codes, bits, orders)
        else:
            plain.sort_columns(values, codes.astype(np.int64), bits, orders)
        kept = np.empty(0) if weights is None else np.ascontiguousarray(weights, dtype=float)
        return Columns(values, orders, codes, classes, kept, bits, engine)

    def index(self, feature: Array, place: Array) -> Array:
        """Return the sample at a place of a feature's order."""
        return self.orders[feature, place].astype(np.int64) >> self.bits


def _keys(values: Array) -> Array:
    """Return unsigned integers in the order of float32 values."""
    bits = values.view(np.uint32)
    return np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))


def midpoint(low: Array, high: Array) -> Array:
    """Return float64 thresholds ``t`` with ``low <= t < high`` halfway between, for float32 or float64 ``low < high``.

    Where no number lies between, or the halves overflow or vanish, it is ``low`` itself.
    """
    half = low.astype(np.float64) / 2 + high.astype(np.float64) / 2
    return np.where((half >= low) & (half < high), half, low.astype(np.float64))
