"""From a criterion's form to what compiled loops take of it.

Main definitions: ``data_of``, ``scratch_for``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.search.forms import CAPPED, POWER, Form, Sides
from splitcrit.search.records import LOOKED_UP, Data, Scratch

NOTHING, NO_SIDES = np.zeros(1), np.zeros((1, 1))


def data_of(form: Form | Sides, tie: float = 1.0) -> Data:
    """Return what compiled loops take of a form, or of sides that are looked up; ``tie`` widens the ties of a node."""
    if isinstance(form, Sides):
        return Data(LOOKED_UP, 0.0, 1.0, tie, NOTHING, NOTHING, NOTHING, form.table)
    return Data(form.kind, float(form.power), float(form.unit), tie, form.phi, form.steps, form.table, NO_SIDES)


def scratch_for(data: Data, classes: int, size: int) -> Scratch:
    """Return space to scan nodes of up to ``size`` samples."""
    return Scratch(np.empty(classes, np.int64), np.empty(size if data.kind in (CAPPED, POWER) else 0))
