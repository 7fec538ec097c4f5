"""A criterion's formula as machine code, which the one scan of formulas calls.

A formula is run once on expressions (``arith.tracing``), and each operation of the tree that they leave behind becomes
one instruction of LLVM, in the order in which the formula asks for them: numba is asked to compile a function of one
line, whatever the formula. So it takes hundredths of a second, where numba would read a thousand lines of Python in
ten seconds, and nothing need be kept on disk. Equal formulas are one tree and share their code.

What looks at a number, or asks numpy, cannot be traced: such formulas are scored in batches, or called back.

Main definitions: ``formula_code``, ``FormulaCode``; ``formula_address``, ``callback`` (of a Python function);
``traced``, ``compiled`` and ``within_kernels`` (one formula).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, total
from splitcrit.arith.tracing import Node, Tracer, operands_first
from splitcrit.compiling import IN_PYTHON, compiles
from splitcrit.criteria import Criterion
from splitcrit.impurities.numeric import CELLS, LOG_ODDS, tabulated
from splitcrit.losses import Loss

LONGEST = 30_000  # operations: the largest entropy of some 40 classes; code of more would take seconds
COMPARED = "==", "!=", "<", "<="
CLOSE = 1e-9  # of the largest number, by which code and formula may differ

Formula = Callable[[Any, Any], Any]


class FormulaCode(NamedTuple):
    """Addresses of a formula's code: what a side contributes, if it is a ``decrease``, or the score of both sides.

    A side contributes its size times its impurity. ``scale`` is the size of scores at a node, 0 where that is 1.
    """

    score: int
    scale: int
    decrease: bool


def formula_code(criterion: Criterion, classes: int) -> FormulaCode | None:
    """The machine code of a criterion's formula for tables of two rows, None if it cannot be traced.

    Examples
    --------
    >>> from splitcrit import decrease, gini
    >>> formula_code(decrease(gini), 2).decrease, formula_code(decrease(gini), 2).scale
    (True, 0)
    """
    impurity = criterion.impurity
    of, loss = (None, None) if impurity is None else (impurity.of, impurity.loss)
    if loss is not None and loss.act is None and classes == 2 and compiles():
        return FormulaCode(_tabulated(loss).address, 0, True)

    def both(x: Any, m: Any) -> Any:
        return criterion.score((x[:classes], x[classes:]), m)

    def part(x: Any, m: Any) -> Any:
        n = total(x)
        return n * of([y / n for y in x], m)  # type: ignore[misc]

    score = formula_address(both, 2 * classes) if of is None else formula_address(part, classes)
    scale = 0 if of is not None or criterion.scale is None else formula_address(criterion.scale, classes)
    return None if score is None or scale is None else FormulaCode(score, scale, of is not None)


def traced(formula: Callable[[Tracer], Any]) -> Node:
    """What a formula of expressions does.

    Raises
    ------
    TypeError
        If truth values are computed with, which numpy adds and multiplies as such, or there are too many operations.
    """
    tracer = Tracer()
    steps = operands_first(node := tracer.read(formula(tracer)))
    for step in steps:
        operands = step.parts[1:] if step.op == "if" else step.parts
        if len(steps) > LONGEST or any(isinstance(x, Node) and x.op in COMPARED for x in operands):
            raise TypeError("no formula of numbers")
    return node


def formula_address(formula: Formula, inputs: int) -> int | None:
    """The address of the code of ``formula(numbers, m)``; None if it has none that says the same."""
    trial = np.array([[1 + (7 * i + 3 * k * i * i) % (5 + k) for i in range(16)] for k in range(inputs)], dtype=float)
    trial[:, 8:] *= trial[:, 8:] % 3 > 0  # classes that are absent, but for the first
    trial[0] += trial.sum(axis=0) == 0
    try:
        with np.errstate(all="ignore"):
            code = compiled(traced(lambda m: formula([m.variable("count", k) for k in range(inputs)], m)))
            own = np.broadcast_to(formula(list(trial), FLOAT), trial.shape[1:])
            ours = [code.of(column) for column in trial.T]
    except Exception:  # whatever a formula does that an expression cannot; the formula itself will be asked
        return None
    return code.address if np.allclose(ours, own, CLOSE, CLOSE, equal_nan=True) else None


def callback(function: Callable[[Array], float], inputs: int) -> CompiledFormula:
    """What lets compiled code call a Python function of so many numbers; ``code`` keeps it in memory."""
    if not compiles():
        IN_PYTHON[id(function)] = function
        return CompiledFormula(id(function), function, function)
    import ctypes

    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))
    code = kind(lambda numbers: function(np.ctypeslib.as_array(numbers, (inputs,))))
    return CompiledFormula(int(ctypes.cast(code, ctypes.c_void_p).value or 0), function, code)


class CompiledFormula(NamedTuple):
    """The address of the code of a formula, and a function of its numbers that runs it; ``code`` keeps it in memory."""

    address: int
    of: Callable[[Array], float]
    code: Any


@cache
def compiled(node: Node) -> CompiledFormula:
    """The code of a traced formula, whose variables are the places of an array of float64."""
    steps = operands_first(node)
    if not compiles():
        return callback(lambda numbers: float(_in_python(steps, numbers)), 0)
    from numba import cfunc, types

    value, pointer = within_kernels(node), types.CPointer(types.float64)  # type: ignore[no-untyped-call]
    code: Any = cfunc(types.float64(pointer))(lambda numbers: value(numbers))
    return CompiledFormula(code.address, lambda numbers: _called(code, numbers), code)


def within_kernels(node: Node, names: tuple[str, ...] = ("count",)) -> Any:
    """What compiled code calls for the value of a traced formula, with a pointer to float64 for each name.

    ``("at", (name, place))`` is what stands at a place of the pointer of this name.
    """
    from numba import extending, types

    steps = operands_first(node)
    pointers: Any = [types.CPointer(types.float64)] * len(names)  # type: ignore[no-untyped-call]

    def write(context: Any, builder: Any, _: Any, args: Any) -> Any:
        return _instructions(steps, context, builder, dict(zip(names, args, strict=True)))

    stub = {1: lambda context, one: (types.float64(*pointers), write),
            2: lambda context, one, two: (types.float64(*pointers), write)}[len(names)]  # fmt: skip
    return extending.intrinsic(stub)


@cache
def _tabulated(loss: Loss) -> Any:
    """The code of two classes' least risk, times their number, from its table."""
    from numba import cfunc, types

    costs, values, slopes, kinked, ends = tabulated(loss)
    rise = np.diff(values)
    # By cell the coefficients of the cubic; where the lower of two lines is taken instead, the first is nan.
    cubic = np.stack([
        np.where(kinked, np.nan, values[:-1]), slopes[:-1], 3 * rise - 2 * slopes[:-1] - slopes[1:],
        slopes[:-1] + slopes[1:] - 2 * rise,
    ], axis=1)  # fmt: skip

    def in_table(counts: Any) -> Any:
        zeros, ones = counts[0], counts[1]
        if zeros == 0.0 or ones == 0.0:
            return zeros * ends[0] + ones * ends[1]
        odds = math.log(ones / zeros)
        place = (odds + LOG_ODDS) * (CELLS / (2 * LOG_ODDS))
        place = 0.0 if place < 0.0 else 0.0 + CELLS if place > CELLS else place
        j = min(int(place), CELLS - 1)
        if cubic[j, 0] != cubic[j, 0] or not -LOG_ODDS <= odds <= LOG_ODDS:
            low, high = zeros * costs[0, j] + ones * costs[1, j], zeros * costs[0, j + 1] + ones * costs[1, j + 1]
            return low if low <= high else high
        x = place - j
        return (zeros + ones) * (cubic[j, 0] + x * (cubic[j, 1] + x * (cubic[j, 2] + x * cubic[j, 3])))

    pointer: Any = types.CPointer(types.float64)  # type: ignore[no-untyped-call]
    return cfunc(types.float64(pointer), error_model="numpy")(in_table)


def _called(code: Any, numbers: Array) -> float:
    import ctypes

    row = np.ascontiguousarray(numbers, dtype=float)
    return float(code.ctypes(row.ctypes.data_as(ctypes.POINTER(ctypes.c_double))))


def _in_python(steps: list[Node], numbers: Array) -> Any:
    """The value of the last step, by numpy."""
    from splitcrit.arith.tracing import FLOATS

    values: dict[Any, Any] = {}
    with np.errstate(all="ignore"):
        for step in steps:
            if step.op == "at":
                values[step] = numbers[step.parts[1]]
            elif step.op == "number":
                values[step] = np.float64(step.parts[0])
            else:
                values[step] = FLOATS[step.op](*(values[x] if isinstance(x, Node) else x for x in step.parts))
    return values[steps[-1]]


def _instructions(steps: list[Node], context: Any, builder: Any, numbers: Any) -> Any:
    """Write an instruction for each step, of doubles that stand at a pointer; return the value of the last one."""
    from llvmlite import ir
    from numba import types

    double = ir.DoubleType()
    zero, one, values = ir.Constant(double, 0.0), ir.Constant(double, 1.0), dict[Any, Any]()

    def called(function: Any, *operands: Any) -> Any:
        signature = types.float64(*[types.float64] * len(operands))
        return context.get_function(function, signature)(builder, operands)

    def chosen(test: str, x: Any, y: Any) -> Any:
        """The operand that numpy's maximum or minimum does: the first of two equal ones, and nan if one is."""
        first = builder.or_(builder.fcmp_ordered(test, x, y), builder.fcmp_unordered("uno", x, x))
        return builder.select(first, x, y)

    def above(x: Any, least: Any, other: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", x, least), x, other)

    def power(x: Any, n: Any) -> Any:
        value = x
        for _ in range(int(n) - 1):
            value = builder.fmul(value, x)
        return value if n > 0 else builder.fdiv(one, power(x, -n)) if n < 0 else one

    write: dict[str, Callable[..., Any]] = {
        "at": lambda name, place: builder.load(builder.gep(numbers[name], [ir.Constant(ir.IntType(64), place)])),
        "number": lambda x: ir.Constant(double, float(x)),
        "+": builder.fadd, "-": builder.fsub, "*": builder.fmul, "/": builder.fdiv, "neg": builder.fneg,
        "abs": lambda x: called(math.fabs, x), "exp": lambda x: called(math.exp, x),
        "log": lambda x: called(math.log, x), "^": power,
        "power": lambda x, a: called(math.pow, x, a), "**": lambda x, a: called(math.pow, x, a),
        "sqrt": lambda x: called(math.sqrt, builder.select(builder.fcmp_ordered("<", x, zero), zero, x)),
        "xlogx": lambda x: builder.fmul(x, called(math.log, above(x, zero, one))),
        "max2": lambda x, y: chosen(">=", x, y), "min2": lambda x, y: chosen("<=", x, y),
        "if": builder.select, "!=": lambda x, y: builder.fcmp_unordered("!=", x, y),
    }  # fmt: skip
    for op in ("==", "<", "<="):
        write[op] = lambda x, y, op=op: builder.fcmp_ordered(op, x, y)
    for step in steps:
        values[step] = write[step.op](*(values[x] if isinstance(x, Node) else x for x in step.parts))
    return values[steps[-1]]
