"""What the routines and formulas are in compiled code, and how compiled code is given a function of Python.

Main definitions: ``of_margins``, ``of_table`` (decorators). Importing this module tells numba that ``real`` is a pair
of floats there, and that every routine and formula may be called.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from splitcrit.export.c_header import ROUTINES
from splitcrit.export.float_pairs import pair
from splitcrit.export.float_pairs import value as rounded
from splitcrit.export.moments import real, root, value, wide
from splitcrit.nulls import formulas


@overload(real)
def _real(x):
    if not isinstance(x, types.Integer):
        return None

    def made(x):
        high = float(x)
        return pair(high, float(x - np.int64(high)))  # type: ignore[call-arg]  # numba passes the context

    return made


@overload(wide)
def _wide(x):
    return lambda x: pair(x, 0.0)  # type: ignore[call-arg]  # as above


@overload(value)
def _value(x):
    return lambda x: rounded(x)


@overload(root)
def _root(x):
    return lambda x: np.sqrt(x)


for _function in (*ROUTINES, *vars(formulas).values()):
    if getattr(_function, "__module__", "").startswith("splitcrit."):
        register_jitable(_function)


def of_margins(loop):
    """Return a decorator: inside compiled code the loop of two margins stands for the function."""

    def offered(function):
        @overload(function)
        def _(rows, columns):
            if _counts(rows, 1) and _counts(columns, 1):
                return lambda rows, columns: loop(rows.astype(np.int64), columns.astype(np.int64))
            return None

        return function

    return offered


def of_table(loop):
    """Return a decorator: inside compiled code the loop of a table stands for the function."""

    def offered(function):
        @overload(function)
        def _(table):
            if _counts(table, 2):
                return lambda table: loop(np.ascontiguousarray(table).astype(np.int64))
            return None

        return function

    return offered


def _counts(kind, axes):
    """Tell whether compiled code takes a type for an array of counts."""
    return isinstance(kind, types.Array) and kind.ndim == axes and isinstance(kind.dtype, types.Integer)
