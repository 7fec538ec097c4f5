"""What the code of a claim may not do: what an arithmetic cannot see while it runs the code.

Arithmetics refuse most of what would tell a term from a number. Here the byte code of a claim's own functions is read
for the rest: they catch nothing, ask neither for a type nor for an identity nor which arithmetic they run in, and where
they say what is compared exactly they have no float, no tolerance and no inside of an enclosure. Functions of the
library are what claims are about and are not read.

Main definitions: ``fault``, ``uses`` (whether a function reads its argument).
"""

from __future__ import annotations

import builtins
import dis
import functools
import math
import sys
import types
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from splitcrit.arguments import of_kind

TELLING = {"type", "id", "callable", "vars", "dir", "locals", "globals", "eval", "exec", "__class__", "__dict__"}
ROUNDING = {"float", "round", "isclose", "allclose", "approx", "arb", "contains", "overlaps", "mid", "rad"}
WHOLE = {"comb", "perm", "factorial", "gcd", "lcm", "isqrt", "prod", "inf", "ceil", "floor"}  # of math: exact
FLOATING = {name for name in vars(math) if name[0] != "_"} - WHOLE - set(vars(builtins))
CONSTANTS = ("None", "True", "False", "Ellipsis", "NotImplemented")
STATEMENTS = "splitcrit.proofs."


def fault(*functions: Any, rounded: bool = False, telling: bool = True) -> str:
    """Name the first thing that the code of a claim does and may not; nothing if all is allowed.

    Of the functions all but the first may be None.

    Raises
    ------
    TypeError
        If the claim is made of something else than functions.
    """
    rule, remedy = "a claim is made of functions: formulas, or what holds of a case", "pass lambda v, m: v.x * v.x > 0"
    for function in (*functions[:1], *(each for each in functions[1:] if each is not None)):
        of_kind(function, Callable, rule, remedy)
    for function in _reached(functions):
        own = "" if rounded else _not_apart(function) or _rounds(function)
        if found := _fault(function.__code__, rounded, telling) or own:
            return f"{function.__qualname__} {found}"
    return ""


def _not_apart(function: types.FunctionType) -> str:
    used = [function.__globals__.get(name) for name in _named(function.__code__) if name == "differ"]
    ours = any(str(getattr(x, "__module__", "")).startswith("splitcrit.proof.") for x in used)
    return "uses `differ`: enclosures that do not differ need not be equal" if ours else ""


def _rounds(function: types.FunctionType) -> str:
    """Return the function of floats that a function takes from the module math by its own name."""
    used = ((name, function.__globals__.get(name)) for name in _named(function.__code__) if name in FLOATING)
    found = [name for name, x in used if getattr(x, "__module__", "") == "math"]
    return f"uses {found[0]}: an exact claim may not compare within a tolerance" if found else ""


@functools.cache
def _fault(code: types.CodeType, rounded: bool, telling: bool) -> str:
    names = set(code.co_names)
    found = list(dis.get_instructions(code))
    if any(x.opname == "PUSH_EXC_INFO" for x in found):
        return "catches exceptions: a case that fails to compute settles nothing"
    if telling and (asked := sorted(names & TELLING)):
        return f"asks for {asked[0]}: a formula may not tell a term from a number"
    if telling and any(x.opname == "IS_OP" and y.argrepr not in CONSTANTS for y, x in pairwise(found)):
        return "compares by `is`: a formula may not tell a term from a number"
    if telling and "name" in names and "name" not in code.co_varnames and _of_arithmetic(found):
        return "reads m.name: a formula may not depend on the arithmetic"
    if not rounded and (asked := sorted(names & (ROUNDING | FLOATING if "math" in names else ROUNDING))):
        return f"uses {asked[0]}: an exact claim may not compare within a tolerance"
    if not rounded and any(isinstance(x, float) for x in code.co_consts):
        return "has a float as a constant: write it as a Fraction"
    inner = (x for x in code.co_consts if isinstance(x, types.CodeType))
    return next(filter(None, (_fault(x, rounded, telling) for x in inner)), "")


def _of_arithmetic(found: list[dis.Instruction]) -> bool:
    """Tell whether an attribute ``name`` is taken of a variable ``m``, as arithmetics are called."""
    pairs = pairwise(found)
    return any(x.argval == "m" and y.opname.startswith("LOAD_ATTR") and "name" in y.argrepr for x, y in pairs)


def uses(function: Any, place: int = 0) -> bool:
    """Tell whether a function reads its argument at a place; assume so of anything else."""
    code = getattr(function, "__code__", None)
    if code is None or place >= code.co_argcount:
        return code is None or bool(code.co_flags & 4)
    names = {code.co_varnames[place]}
    loads = (x.argval for x in _instructions(code) if x.opname.startswith("LOAD"))
    return any(
        names & set(x if isinstance(x, tuple) else [x])
        for x in loads
        if not isinstance(x, types.CodeType | dict | list)
    )


def _instructions(code: types.CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _instructions(inner)


def _reached(functions: Any) -> Iterator[types.FunctionType]:
    """Yield the functions that are given and those that they name, hold or close over, but for the library's own."""
    waiting, seen = list(functions), set()
    while waiting:
        given = waiting.pop()
        if isinstance(given, functools.partial):
            waiting += [given.func, *given.args, *given.keywords.values()]
        elif isinstance(given, types.MethodType):
            waiting.append(given.__func__)
        elif isinstance(given, list | tuple):
            waiting += given
        elif not isinstance(given, types.FunctionType) and callable(inner := getattr(given, "__wrapped__", None)):
            waiting.append(inner)
        elif isinstance(given, types.FunctionType) and given not in seen and own(given):
            seen.add(given)
            yield given
            waiting += [*(given.__defaults__ or ()), *(given.__kwdefaults__ or {}).values(), *_closed(given)]
            waiting += [given.__globals__.get(name) for name in _named(given.__code__)]


def own(function: Any) -> bool:
    """Tell whether a function is of a claim, and not of the library or of other projects."""
    module = str(function.__module__)
    if module.startswith("splitcrit."):
        return f"{module}.".startswith(STATEMENTS)
    return module.partition(".")[0] not in sys.stdlib_module_names | {"numpy", "sympy", "z3", "flint", "hypothesis"}


def _closed(function: types.FunctionType) -> list[Any]:
    return [cell.cell_contents for cell in function.__closure__ or () if _filled(cell)]


def _filled(cell: types.CellType) -> bool:
    try:
        return bool(callable(cell.cell_contents) or isinstance(cell.cell_contents, list | tuple))
    except ValueError:
        return False


@functools.cache
def _named(code: types.CodeType) -> tuple[str, ...]:
    inner = [name for x in code.co_consts if isinstance(x, types.CodeType) for name in _named(x)]
    return (*code.co_names, *inner)


def counted(function: Callable[[Any], Any]) -> tuple[Callable[[Any], Any], list[int]]:
    """Return a function whose own ``all`` and ``any`` count what they are given, and the list of the two numbers.

    A condition on every member of nothing holds, whatever it says.
    """
    calls = [0, 0]
    if not isinstance(function, types.FunctionType) or not {"all", "any"} & set(_named(function.__code__)):
        return function, calls

    def counting(builtin: Any) -> Any:
        def asked(items: Any) -> bool:
            calls[0] += 1

            def each() -> Iterator[Any]:
                for item in items:
                    calls[1] += 1
                    yield item

            return bool(builtin(each()))

        return asked

    names = {**function.__globals__, "all": counting(all), "any": counting(any)}
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy, calls
