"""What the routines and formulas are in compiled code, and how compiled code is given a function of Python.

There numbers have some 31 digits: a float64 and what is missing from it, a *double*. ``high`` is the sum of both,
rounded to a float64, so that ``low`` is at most half a unit in its last place. Each operation finds the rounding of its
float64 exactly and puts it into ``low``; what is lost is the rounding of that, some 2^-104 of the result. ``frame.h``
does the same in C.

Main definitions: ``offered`` (a decorator); ``pair`` makes a double. Importing this module tells numba
that ``real`` is one there, and that every routine and formula may be called.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc, call-arg, unreachable"
from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, register_jitable, register_model

from splitcrit.compiling import called
from splitcrit.export.c_header import ROUTINES
from splitcrit.export.moments import real, root, value, wide
from splitcrit.nulls import formulas


class DoubleType(types.Type):
    """The type of a double in compiled code."""


DOUBLE = DoubleType("Double")


@register_model(DoubleType)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("high", types.float64), ("low", types.float64)])


make_attribute_wrapper(DoubleType, "high", "high")
make_attribute_wrapper(DoubleType, "low", "low")


@intrinsic
def pair(context, high, low):
    """The double of two floats."""

    def build(context, builder, signature, arguments):
        double = cgutils.create_struct_proxy(DOUBLE)(context, builder)
        double.high, double.low = arguments
        return double._getvalue()

    return DOUBLE(types.float64, types.float64), build


@called
def _small(a, b):
    """``a + b`` where ``b`` is the smaller."""
    # Exact where b is the smaller: s - a is what of b came to stand in s, and the difference of both is what did not.
    s = a + b
    return pair(s, b - (s - a))


@intrinsic
def _fused(context, a, b, c):
    """``a b + c``, rounded once."""

    def build(context, builder, signature, arguments):
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), build


@called
def _add(a, b):
    # Knuth's sum, for either order of size: t is b as it stands in s, s - t is a, and both lack is what s has lost.
    s = a.high + b.high
    t = s - a.high
    return _small(s, (a.high - (s - t)) + (b.high - t) + (a.low + b.low))


@called
def _subtract(a, b):
    return _add(a, pair(-b.high, -b.low))


@called
def _multiply(a, b):
    # A fused product less p is what p has lost; the product of both low parts is below the last digit.
    p = a.high * b.high
    return _small(p, _fused(a.high, b.high, -p) + (a.high * b.low + a.low * b.high))


@called
def _divide(a, b):
    # A quotient of floats, and the remainder that it leaves, divided once more.
    q = a.high / b.high
    rest = _fused(-q, b.high, a.high) + (a.low - q * b.low)
    return _small(q, rest / b.high)


def _extend(operation, function):
    @overload(operation)
    def _(a, b):
        if isinstance(a, DoubleType) and isinstance(b, DoubleType):
            return lambda a, b: function(a, b)
        if isinstance(a, DoubleType) and isinstance(b, types.Number):
            return lambda a, b: function(a, pair(float(b), 0.0))
        if isinstance(b, DoubleType) and isinstance(a, types.Number):
            return lambda a, b: function(pair(float(a), 0.0), b)
        return None


for _operation, _function in (
    (operator.add, _add), (operator.sub, _subtract), (operator.mul, _multiply), (operator.truediv, _divide),
):  # fmt: skip
    _extend(_operation, _function)


@overload(operator.pow)
def _power(a, b):
    if not (isinstance(a, DoubleType) and isinstance(b, types.Integer)):
        return None

    def power(a, b):
        product = a
        for _ in range(b - 1):
            product = _multiply(product, a)
        return product

    return power


@overload(real)
def _real(x):
    if not isinstance(x, types.Integer):
        return None

    def build(x):
        high = float(x)
        return pair(high, float(x - np.int64(high)))

    return build


@overload(wide)
def _wide(x):
    return lambda x: pair(x, 0.0)


@overload(value)
def _value(x):
    return lambda x: x.high + x.low


@overload(root)
def _root(x):
    return lambda x: np.sqrt(x)


for _function in (*ROUTINES, *vars(formulas).values()):
    if getattr(_function, "__module__", "").startswith("splitcrit."):
        register_jitable(_function)


def offered(loop, axes):
    """A decorator: in compiled code the loop of a table, or of two margins, stands for the function."""

    def of(function):
        @overload(function, strict=False)  # numba would find the signatures of tables and of margins to differ
        def _(*kinds):
            if not all(isinstance(x, types.Array) and x.ndim == axes for x in kinds):
                return None
            if not all(isinstance(x.dtype, types.Integer) for x in kinds):
                return None
            if axes == 1:
                return lambda rows, columns: loop(rows.astype(np.int64), columns.astype(np.int64))
            return lambda table: loop(np.ascontiguousarray(table).astype(np.int64))

        return function

    return of
