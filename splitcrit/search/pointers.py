"""Functions that loops call by address: a compiled loop that calls one of many is compiled once for all.

The types of what is passed stand in one place, so that a function of other types is refused when it is compiled. Where
nothing is compiled, the Python function is kept beside its address, and called.

Main definitions: ``address``; ``call_numbers``, ``call_prepared``, ``call_scan`` (within compiled code).
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from splitcrit.jit import COMPILES
from splitcrit.search.records import CONSTANTS, Data, Scratch, Segment, Totals

RETURNED = {"numbers": (0, *[0.0] * 4), "prepared": None, "scan": 0.0}  # values of the types that are returned
FLOATS, COUNTS = np.empty(CONSTANTS), np.empty(1, np.int64)
PYTHON: dict[int, Callable[..., Any]] = {}  # by address, where nothing is compiled
DATA = Data(0, 0.0, 0.0, 0.0, FLOATS, FLOATS, FLOATS, np.empty((1, 1)))


def passed(name: str, order: DTypeLike = np.uint32, column: DTypeLike = np.float32) -> tuple[Any, ...]:
    """Return values of the types that a function of a criterion takes, for orders and columns of these types."""
    if name == "numbers":
        return DATA, COUNTS, FLOATS
    if name == "prepared":
        return DATA, 0, 0, FLOATS, FLOATS
    segment = Segment(np.empty(1, order), np.empty(1, column), 0, 0, 0, 0)
    return segment, Totals(COUNTS, 0.0, FLOATS), DATA, 0.0, Scratch(COUNTS, FLOATS)


@cache
def address(function: Any, name: str, order: DTypeLike = np.uint32, column: DTypeLike = np.float32) -> int:
    """Return the address of the compiled function for orders and columns of these types, compiled if need be.

    Raises
    ------
    TypeError
        If it does not return the type that its callers take.
    """
    if not COMPILES:
        PYTHON[id(function)] = function
        return id(function)
    import numba

    kinds = tuple(numba.typeof(value) for value in passed(name, order, column))
    function.compile(kinds)
    made = function.overloads[kinds]
    if made.signature.return_type != numba.typeof(RETURNED[name]):
        raise TypeError(f"{function} returns {numba.typeof(RETURNED[name])}; got {made.signature.return_type}")
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def _caller(name: str) -> Any:
    """Return an intrinsic that calls the function at an address in compiled code."""
    if not COMPILES:
        return lambda address, *arguments: PYTHON[address](*arguments)
    import numba
    from numba import types
    from numba.core.errors import TypingError
    from numba.extending import intrinsic

    @intrinsic
    def call(context: Any, address: Any, *arguments: Any) -> tuple[Any, Callable[..., Any]]:
        """Call the function at an address."""
        kinds, result = arguments, numba.typeof(RETURNED[name])
        columns = [as_dtype(kinds[0].types[i]) for i in (0, 1)] if name == "scan" else []
        wanted = tuple(numba.typeof(value) for value in passed(name, *columns))
        if tuple(kinds) != wanted:
            raise TypingError(f"{name} takes {wanted}; got {tuple(kinds)}")

        def made(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = context.call_conv.get_function_type(result, wanted).as_pointer()
            parts = [builder.extract_value(values[1], i) for i in range(len(wanted))]
            function = builder.inttoptr(values[0], kind)
            return context.call_conv.call_function(builder, function, result, wanted, parts)[1]

        return result(address, types.StarArgTuple.from_types(wanted)), made

    return call


def as_dtype(array: Any) -> np.dtype[Any]:
    """Return the type of the entries of an array type."""
    from numba.np import numpy_support

    return numpy_support.as_dtype(array.dtype)


call_numbers, call_prepared, call_scan = (_caller(name) for name in RETURNED)
