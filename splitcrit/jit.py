"""Compiled functions: compiled by numba where it is installed, the Python functions themselves elsewhere.

The mode without compilation is the way in for a debugger: with ``NUMBA_DISABLE_JIT=1`` every loop runs in Python, can
be stepped through, and grows the same trees. The same mode serves where numba is absent.

Main definitions: ``kernel`` (a loop that Python calls), ``addressed`` (one that loops call by its address), ``called``
and ``inlined`` (a part of the loops that call it), ``by_type`` (one of many, chosen by a type); ``INSTALLED``,
``COMPILES``; ``kept`` (where a kernel is kept), ``plain`` (its Python function).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from splitcrit.compile_notice import numba_is_here, say_uncompiled

compiler: Any
try:
    from splitcrit import compiler
except ModuleNotFoundError as error:
    if error.name != "numba":
        raise
    compiler = None
else:
    numba_is_here(compiler.parts, compiler.Keyed.damaged)

Function = Callable[..., Any]
INSTALLED = compiler is not None
COMPILES = INSTALLED and not compiler.CONFIG.DISABLE_JIT
plain: Any = compiler.plain if INSTALLED else lambda function: function  # the Python function of a compiled one


def kernel(function: Function | None = None, **options: Any) -> Any:
    """Return a function that Python calls, compiled and kept on disk; a decorator, with numba's options or without.

    ``_nrt=False`` is for functions that only borrow arrays and make none: numba then counts no references to
    them, which in small nodes takes as long as the search. In Python, floats have the errors of compiled code: none.
    """
    if function is None:
        return functools.partial(kernel, **options)
    return compiler.kernel(function, **options) if COMPILES else _in_python(function)


def addressed(function: Function) -> Any:
    """Return a function that compiled loops call by its address; a call from Python runs the Python function."""
    return compiler.addressed(function) if COMPILES else function


def called(function: Function | None = None, **options: Any) -> Any:
    """Return a function that is compiled with every kernel that calls it; a call from Python runs the Python function.

    It is a decorator like ``kernel``.
    """
    if function is None:
        return functools.partial(called, **options)
    return compiler.called(function, **options) if COMPILES else function


def inlined(function: Function) -> Any:
    """Return a function whose text stands in place of every call by a kernel."""
    return compiler.inlined(function) if COMPILES else function


def by_type(stub: Function) -> Any:
    """Return an operation, whose code is chosen by the type of its first argument when its caller is compiled.

    ``operation.of(*kinds)`` decorates the code for some kinds of named tuples; ``operation.codes`` holds it, so that
    digests see it. With ``part=True`` it becomes a part of its caller, since passing a source of a few hundred numbers
    takes as long as much of a small node. Where nothing is compiled the code is looked up in every call.
    """
    codes: dict[type, Function] = {}
    parts: set[type] = set()
    operation: Any = stub
    if COMPILES:
        compiler.chosen_by_type(stub, codes, parts)
    else:
        operation = functools.wraps(stub)(lambda source, *given: codes[type(source)](source, *given))

    def of(*kinds: type, part: bool = False) -> Callable[[Function], Function]:
        def add(code: Function) -> Function:
            codes.update(dict.fromkeys(kinds, code))
            parts.update(kinds if part else ())
            return code

        return add

    operation.of, operation.codes, operation.parts = of, codes, parts
    return operation


def kept(made: Any) -> Path | None:
    """Return the file that tells numba what is kept of a kernel, whether it is there or not; None if nothing is."""
    file = getattr(getattr(made, "_cache", None), "_cache_file", None)
    return None if file is None else Path(file._index_path)


def _in_python(function: Function) -> Function:
    """Return a kernel as Python runs it."""

    @functools.wraps(function)
    def run(*given: Any) -> Any:
        say_uncompiled(INSTALLED)
        with np.errstate(all="ignore"):
            return function(*given)

    return run
