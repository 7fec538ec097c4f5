"""Which thresholds of a node at two classes deserve to be scored: bounds from a table of the impurity.

The minimised risk of a loss is concave in the class proportions (yang2019, eq. (1)), so that chords between tabulated
values lie below it: ``n_L chord(p_L) + n_R chord(p_R)`` bounds the decrease from above, whatever the formula. Only
thresholds whose bound reaches the best score are scored, by the formula itself.

Main definitions: ``Bounds``, ``bounds_of``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from splitcrit.arguments import Array
from splitcrit.impurities import Impurity

CELLS = 1 << 12
ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class Bounds:
    """Values of an impurity at ``b / CELLS``, and how far a sample's value may be off, so that bounds allow for it."""

    table: Array
    error: float


def bounds_of(impurity: Impurity) -> Bounds | None:
    """Return the bounds of an impurity that is a minimised risk, None where it is not or its values are not concave."""
    if impurity.loss is None:
        return None
    p = np.arange(CELLS + 1) / CELLS
    phi = np.asarray(impurity.of_floats([1 - p, p]), dtype=float)
    if not np.isfinite(phi).all():
        return None
    error = max(impurity.search.error, ROUNDING) * float(np.abs(phi).max())
    return Bounds(phi, error) if (np.diff(phi, 2) <= 4 * error).all() else None
