"""What loops call by address, one of the functions of a criterion: the types that these take and return.

Main definitions: ``address``; ``call_numbers``, ``call_prepared``, ``call_scan``, ``call_formula`` (within compiled
code).
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from splitcrit import compiling
from splitcrit.trees.scan.records import CONSTANTS, UNWEIGHTED, Data, Scratch, Segment, Totals

RETURNED = {"numbers": (0, *[0.0] * 4), "prepared": None, "scan": 0.0}  # values of the types that are returned
FLOATS, COUNTS = np.empty(CONSTANTS), np.empty(1, np.int64)
DATA = Data(0, 0.0, 0.0, 0.0, FLOATS, FLOATS, 0, 0, False)


def passed(name: str, order: DTypeLike = np.uint32, column: DTypeLike = np.float32) -> tuple[Any, ...]:
    """Values of the types that a function of a criterion takes, for orders and columns of these types."""
    if name == "numbers":
        return DATA, COUNTS, FLOATS
    if name == "prepared":
        return DATA, 0, 0, FLOATS, FLOATS
    segment = Segment(np.empty(1, order), np.empty(1, column), 0, 0, 0, 0, UNWEIGHTED)
    return segment, Totals(COUNTS, 0.0, FLOATS), DATA, 0.0, Scratch(COUNTS, FLOATS)


@cache
def address(function: Any, name: str, order: DTypeLike = np.uint32, column: DTypeLike = np.float32) -> int:
    """The address of a function for orders and columns of these types, compiled if need be."""
    return compiling.address(function, passed(name, order, column), RETURNED[name])


def _scanned(kinds: Any) -> tuple[Any, ...]:
    """Values of the types that a scan takes whose first argument has the type of a segment."""
    from numba.np.numpy_support import as_dtype

    return passed("scan", *(as_dtype(kinds[0].types[i].dtype) for i in (0, 1)))


call_numbers = compiling.caller(lambda kinds: passed("numbers"), RETURNED["numbers"])
call_prepared = compiling.caller(lambda kinds: passed("prepared"), RETURNED["prepared"])
call_scan = compiling.caller(_scanned, RETURNED["scan"])


def _formula_caller() -> Any:
    """What calls in compiled code the formula at an address, a C function of a pointer to float64."""
    if not compiling.compiles():
        return lambda address, numbers: compiling.IN_PYTHON[address](numbers)
    from llvmlite import ir
    from numba import extending, types
    from numba.np.arrayobj import make_array

    def call(context: Any, address: Any, numbers: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array, double = make_array(numbers)(context, builder, values[1]), ir.DoubleType()
            kind = ir.FunctionType(double, [double.as_pointer()])
            return builder.call(builder.inttoptr(values[0], kind.as_pointer()), [array.data])

        return types.float64(types.int64, numbers), write

    return extending.intrinsic(call)


call_formula = _formula_caller()
