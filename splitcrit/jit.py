"""Compiling with a cache that sees every edit: the name of a cached kernel holds a digest of all the code it reaches.

numba keys its cache by the caller's own code and file, so that an edited callee would go on running as it was.

Main definitions: ``kernel`` (a compiled loop, kept on disk), ``inlined`` and ``called`` (compiled
with its callers), ``digest``.
"""

from __future__ import annotations

import builtins
import dis
import functools
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

Function = Callable[..., Any]
PACKAGE = Path(__file__).parent


def kernel(function: Function | None = None, **options: Any) -> Any:
    """Return a function compiled by numba and kept in its cache; a decorator, with numba's options or without.

    ``_nrt=False`` is for functions that only borrow arrays and make none: numba then counts no references to
    them, which in small nodes takes as long as the search.
    """
    if function is None:
        return functools.partial(kernel, **options)
    function.__qualname__ = f"{function.__qualname__}-{digest(function)}"
    return numba.njit(cache=True, nogil=True, **({"error_model": "numpy"} | options))(function)


def inlined(function: Function) -> Any:
    """Return a function whose text stands in place of every call by a kernel."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)


def called(function: Function | None = None, **options: Any) -> Any:
    """Return a function that is compiled with every kernel that calls it; a decorator like ``kernel``."""
    if function is None:
        return functools.partial(called, **options)
    return numba.njit(nogil=True, **({"error_model": "numpy"} | options))(function)


def digest(function: Function) -> str:
    """Return a text that changes with the code of a function, of every function it calls, and with their constants."""
    seen: set[int] = set()
    parts = [_records()]
    waiting: list[Any] = [function]
    while waiting:
        found = _plain(waiting.pop())
        if id(found) in seen:
            continue
        seen.add(id(found))
        told = [found.__module__, found.__name__, found.__defaults__, *_told(found.__code__)]
        for name, value in _reached(found):
            value = _plain(value)
            if isinstance(value, FunctionType) and value.__module__.startswith("splitcrit."):
                waiting.append(value)
            elif isinstance(value, int | float | str | tuple | np.generic):
                told.append((name, value))
        parts.append(repr(told))  # of one function, so that constants of two cannot be exchanged unseen
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


@functools.cache
def _records() -> str:
    """Return the modules of named tuples that kernels take, which an index of cached kernels knows by name."""
    return "\n".join(path.read_text() for path in sorted(PACKAGE.rglob("*records.py")))


def _plain(value: Any) -> Any:
    """Return the Python function of a compiled one, and anything else as it is."""
    return getattr(value, "py_func", value)


def _told(code: CodeType) -> Iterator[Any]:
    """Yield the instructions, names and constants of code, of what is nested in it as well, without line numbers."""
    yield from (code.co_code, code.co_names, code.co_varnames)
    for constant in code.co_consts:
        yield from _told(constant) if isinstance(constant, CodeType) else [constant]


def _reached(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the global names that a function uses with their values, those of the project's modules as well.

    Raises
    ------
    NameError
        If one is not defined yet: a digest of the function would be blind to it.
    """
    held = function.__globals__
    names = [name for told in _names(function.__code__) for name in told]
    for name in names:
        value = held.get(name)
        if isinstance(value, ModuleType) and value.__name__.startswith("splitcrit."):
            yield from ((f"{name}.{part}", getattr(value, part)) for part in names if hasattr(value, part))
        elif value is not None:
            yield name, value
    known = {function.__name__, *held, *vars(builtins)}
    if unknown := sorted({i.argval for i in _instructions(function.__code__) if i.opname == "LOAD_GLOBAL"} - known):
        rule = f"a compiled function stands below what it uses; {function.__name__} uses"
        raise NameError(f"{rule} {unknown[0]}; move that above it")


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """Yield the instructions of code, and of what is nested in it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _instructions(constant)


def _names(code: CodeType) -> Iterator[tuple[str, ...]]:
    yield code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
