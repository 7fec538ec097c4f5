"""Numbers of some 31 digits in compiled code: a float64 and what is missing from it, on which formulas run as well.

Main definitions: ``pair`` (makes one), ``value``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc, call-arg, unreachable"
from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, register_model

from splitcrit.compiling import called


class DoubleType(types.Type):
    """The type of a double in compiled code."""

    def __init__(self) -> None:
        super().__init__(name="Double")


DOUBLE = DoubleType()


@register_model(DoubleType)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("high", types.float64), ("low", types.float64)])


make_attribute_wrapper(DoubleType, "high", "high")
make_attribute_wrapper(DoubleType, "low", "low")


@intrinsic
def pair(context, high, low):
    """Return the double of two floats."""

    def made(context, builder, signature, arguments):
        found = cgutils.create_struct_proxy(DOUBLE)(context, builder)
        found.high, found.low = arguments
        return found._getvalue()

    return DOUBLE(types.float64, types.float64), made


@called
def value(x):
    """Return a double as a float."""
    return x.high + x.low


@called
def _sum(a, b):
    s = a + b
    t = s - a
    return pair(s, (a - (s - t)) + (b - t))


@called
def _small(a, b):
    """Return ``a + b`` where ``b`` is the smaller."""
    s = a + b
    return pair(s, b - (s - a))


@intrinsic
def _fused(context, a, b, c):
    """Return ``a b + c``, rounded once."""

    def made(context, builder, signature, arguments):
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), made


@called
def product(a, b):
    """Return the product of two floats, exactly."""
    p = a * b
    return pair(p, _fused(a, b, -p))


@called
def _add(a, b):
    s = _sum(a.high, b.high)
    return _small(s.high, s.low + (a.low + b.low))


@called
def _subtract(a, b):
    return _add(a, pair(-b.high, -b.low))


@called
def _multiply(a, b):
    p = product(a.high, b.high)
    return _small(p.high, p.low + (a.high * b.low + a.low * b.high))


@called
def _divide(a, b):
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
        found = a
        for _ in range(b - 1):
            found = _multiply(found, a)
        return found

    return power
