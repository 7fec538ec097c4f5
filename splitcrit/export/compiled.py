"""The exact statistics for loops that numba compiles, in pairs of floats: what the header offers, of arrays.

Main definitions: ``mean``, ``variance``, ``third_moment`` (of two arrays of totals), ``sgini``, ``scan`` (of a table).
They are called from functions that numba compiles, and from Python as well.
Main results: formulas and loops are those of ``splitcrit.nulls.formulas`` and ``splitcrit.export.routines``.
Source: wang2024, eqs. (15)-(26).
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from splitcrit.export import routines
from splitcrit.jit import kernel
from splitcrit.nulls import formulas
from splitcrit.search.double_compiled import pair
from splitcrit.search.double_compiled import value as rounded

__all__ = ["mean", "scan", "sgini", "third_moment", "variance"]


@overload(routines.real)
def _real(x):
    if not isinstance(x, types.Integer):
        return None

    def real(x):
        high = float(x)
        return pair(high, float(x - np.int64(high)))

    return real


@overload(routines.value)
def _value(x):
    return lambda x: rounded(x)


@overload(routines.root)
def _root(x):
    return lambda x: np.sqrt(x)


for _module in (formulas, routines):
    for _name, _function in inspect.getmembers(_module, inspect.isfunction):
        if _function.__module__ == _module.__name__ and _name not in ("real", "value", "root"):
            register_jitable(_function)


@kernel
def mean(rows, columns):
    return routines.mean(rows, len(rows), columns, len(columns))


@kernel
def variance(rows, columns):
    return routines.variance(rows, len(rows), columns, len(columns))


@kernel
def third_moment(rows, columns):
    return routines.third_moment(rows, len(rows), columns, len(columns))


@kernel
def sgini(table):
    r, k = table.shape
    return routines.sgini(table.ravel(), r, k, np.empty(r + k, np.int64))


@kernel
def scan(table):
    r, k = table.shape
    scores = np.empty(max(r - 1, 0))
    routines.scan(table.ravel(), r, k, scores, np.empty(r + 2 * k, np.int64))
    return scores
