"""What the code of a claim may not do: what an arithmetic cannot see while it runs the code.

Arithmetics refuse most of what would tell a term from a number. Here the byte code of a claim's own functions is read
for the rest: they catch nothing, ask neither for a type nor for an identity nor which arithmetic they run in, and where
they say what is compared exactly they have no float, no tolerance and no inside of an enclosure. Functions of the
library are what claims are about and are not read.

Main definitions: ``allowed``, ``uses`` (whether a function reads its argument).
"""

from __future__ import annotations

import builtins
import contextlib
import dis
import functools
import math
import sys
import types
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from splitcrit.arguments import of_kind
from splitcrit.proof.undecided import Undecided

TELLING = {"type", "id", "callable", "vars", "dir", "locals", "globals", "eval", "exec", "__class__", "__dict__"}
ROUNDING = {"float", "round", "isclose", "allclose", "approx", "arb", "contains", "overlaps", "mid", "rad"}
WHOLE = {"comb", "perm", "factorial", "gcd", "lcm", "isqrt", "prod", "inf", "ceil", "floor"}  # of math: exact
FLOATING = set(vars(math)) - WHOLE - set(vars(builtins))
CHANGING = {"append", "extend", "insert", "pop", "popitem", "remove", "clear", "update", "add", "discard", "setdefault"}
INEXACT = {"decimal", "statistics", "cmath", "random", "complex", "truediv"}  # modules and functions
NARROW = {"e", "f", "d", "g", "f2", "f4", "f8", "float16", "float32", "float64", "half", "single", "double"}
NARROW |= {"i1", "i2", "i4", "int8", "int16", "int32", "mean", "average"}  # of numpy, as the others
WRAPPING = {"i8", "int64", "uint64", "intp", "sum", "cumsum", "cumprod", "dot", "inner", "outer", "matmul"}
CONSTANTS = ("None", "True", "False", "Ellipsis", "NotImplemented")
STATEMENTS = "splitcrit.proofs."


def allowed(*functions: Any, rounded: bool = False, telling: bool = True) -> None:
    """Refuse the code of a claim if it does what it may not; of the functions all but the first may be None.

    Raises
    ------
    Undecided
        With the first thing that it does and may not.
    TypeError
        If the claim is made of something else than functions.
    """
    rule = "a claim is made of functions: formulas, or what holds of a case"
    remedy = "pass lambda v, m: v.x * v.x > 0"
    for function in (*functions[:1], *(each for each in functions[1:] if each is not None)):
        of_kind(function, Callable, rule, remedy)
    for function in reached(functions):
        own = "" if rounded else _rounds(function)
        if fault := _fault(function.__code__, rounded, telling) or own or _remembers(function):
            raise Undecided(f"{function.__qualname__} {fault}")


def _remembers(function: types.FunctionType) -> str:
    """The memory of a function from one call to the next, in words: its answers then depend on their order."""
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    if any(isinstance(x, list | dict | set) for x in defaults):
        return "has a default that can change: use a tuple"
    if any(hasattr(x, "__next__") for x in (*_closed(function).values(), *defaults)):
        return "reads an iterator that its calls share: make it anew in each"
    return _changes(function.__code__)


@functools.cache
def _changes(code: types.CodeType) -> str:
    outside, name = {*code.co_freevars, *code.co_names}, ""
    for before, step in pairwise(dis.get_instructions(code)):
        method = step.argval in CHANGING and step.opname.startswith(("LOAD_ATTR", "LOAD_METHOD"))
        if method and before.opname in ("LOAD_DEREF", "LOAD_GLOBAL") and before.argval in outside:
            name = before.argval
        elif step.opname == "STORE_GLOBAL" or (step.opname == "STORE_DEREF" and step.argval in code.co_freevars):
            name = step.argval
    return f"changes {name}, which is not its own: its calls share it" if name else ""


def _rounds(function: types.FunctionType) -> str:
    """The function of floats that a function takes from the module math by its own name."""
    used = [(name, function.__globals__.get(name)) for name in _named(function.__code__)]
    if any(name.startswith("surely_") and getattr(x, "__module__", "") == "splitcrit.proof.points" for name, x in used):
        return "uses `surely_equal`: enclosures that do not differ need not be equal"
    used += _closed(function).items()
    if names := [name for name, x in used if name in FLOATING and getattr(x, "__module__", "") == "math"]:
        return f"uses {names[0]}: an exact claim may not compare within a tolerance"
    if names := [
        x for x, value in used if {x, getattr(value, "__name__", ""), getattr(value, "__module__", "")} & INEXACT
    ]:
        return f"uses {names[0]}, which is rounded: write a Fraction"
    words = {x for x in function.__code__.co_consts if isinstance(x, str)} | set(_named(function.__code__))
    if any(getattr(x, "__name__", "") == "numpy" for _, x in used):
        if narrow := sorted(words & NARROW):
            return f"uses numbers of type {narrow[0]}, which are rounded: write Fractions"
        asked = {x.argval for x in _instructions(function.__code__) if x.opname in ("LOAD_ATTR", "LOAD_METHOD")}
        if "object" not in words and (wide := sorted(asked & WRAPPING)):
            return f"uses {wide[0]} of numpy, whose whole numbers wrap: write Python's"
    return ""


@functools.cache
def _fault(code: types.CodeType, rounded: bool, telling: bool) -> str:
    names = set(code.co_names)
    steps = list(dis.get_instructions(code))
    if any(x.opname == "PUSH_EXC_INFO" for x in steps):
        return "catches exceptions: a case that fails to compute settles nothing"
    if telling and (asked := sorted(names & TELLING)):
        return f"asks for {asked[0]}: a formula may not tell a term from a number"
    if telling and any(x.opname == "IS_OP" and y.argrepr not in CONSTANTS for y, x in pairwise(steps)):
        return "compares by `is`: a formula may not tell a term from a number"
    if not rounded and (asked := sorted(names & (ROUNDING | FLOATING if "math" in names else ROUNDING))):
        return f"uses {asked[0]}: an exact claim may not compare within a tolerance"
    if not rounded and any(isinstance(x, float) for x in code.co_consts):
        return "has a float as a constant: write it as a Fraction"
    inner = (x for x in code.co_consts if isinstance(x, types.CodeType))
    return next(filter(None, (_fault(x, rounded, telling) for x in inner)), "")


def uses(function: Any, place: int = 0) -> bool:
    """Whether a function reads its argument at a place; assume so of anything else."""
    code = getattr(function, "__code__", None)
    if code is None or place >= code.co_argcount:
        return code is None or bool(code.co_flags & 4)
    loads = (x.argval for x in _instructions(code) if x.opname.startswith("LOAD"))
    return any(code.co_varnames[place] in (x if isinstance(x, tuple) else (x,)) for x in loads)


def within(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and those inside it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from within(inner)


def _instructions(code: types.CodeType) -> Iterator[dis.Instruction]:
    return (step for each in within(code) for step in dis.get_instructions(each))


def reached(functions: Any) -> Iterator[types.FunctionType]:
    """Yield the functions that are given and those that they name, hold or close over, but for the library's own."""
    waiting, seen = list(functions), set()
    while waiting:
        item = waiting.pop()
        if isinstance(item, functools.partial):
            waiting += [item.func, *item.args, *item.keywords.values()]
        elif isinstance(item, types.MethodType):
            waiting.append(item.__func__)
        elif isinstance(item, list | tuple):
            waiting += item
        elif not isinstance(item, types.FunctionType) and callable(inner := getattr(item, "__wrapped__", None)):
            waiting.append(inner)
        elif isinstance(item, types.SimpleNamespace) or (callable(item) and own(type(item))):
            waiting += [*vars(item).values(), getattr(type(item), "__call__", None)]  # noqa: B004
        elif isinstance(item, types.FunctionType) and item not in seen and own(item):
            seen.add(item)
            yield item
            waiting += [*(item.__defaults__ or ()), *(item.__kwdefaults__ or {}).values(), *_closed(item).values()]
            waiting += [item.__globals__.get(name) for name in _named(item.__code__)]


def own(function: Any) -> bool:
    """True if a function is of a claim, and not of the library or of other projects."""
    return of_claims(str(function.__module__))


def of_claims(module: str) -> bool:
    """True if a module states claims, and is not of the library or of other projects."""
    if module.startswith("splitcrit."):
        return f"{module}.".startswith(STATEMENTS)
    return module.partition(".")[0] not in sys.stdlib_module_names | {"numpy", "sympy", "z3", "flint", "hypothesis"}


def _closed(function: types.FunctionType) -> dict[str, Any]:
    """What a function closes over, by its name, as far as it is there."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):
            cells[name] = cell.cell_contents
    return cells


@functools.cache
def _named(code: types.CodeType) -> tuple[str, ...]:
    return tuple(name for each in within(code) for name in each.co_names)
