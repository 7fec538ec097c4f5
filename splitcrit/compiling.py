"""Compiled functions: by numba where it is installed, the Python functions themselves elsewhere; kept on disk.

numba's cache looks at the file of a function alone, so that an edited callee would go on running as it was, and a
second checkout would compile again. Here the key of a function is a digest of the files of all functions that it
reaches and of the constants that these use. With ``NUMBA_DISABLE_JIT=1``, the way in for a debugger, or without numba,
every loop runs in Python and gives the same trees. Importing this module imports no numba; a decorator of it does.

Main definitions: ``kernel`` (a loop that Python calls), ``addressed`` (one that loops call by its address: ``address``,
``caller``), ``called`` and ``inlined`` (a part of the loops that call it), ``by_type`` (one of many, by a type);
``plain`` (the Python function); ``digest``, ``CompiledFiles``, ``cache_folder``; ``reporting_compilation``.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import gc
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial, wraps
from hashlib import sha256
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

import numpy as np

from splitcrit.atomic_files import ready, writing
from splitcrit.lazy import is_installed as is_installed

Function = Callable[..., Any]
OURS = "splitcrit.", "reproductions."  # packages whose functions are kept by their digest
OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
WITHIN = OPTIONS | {"no_cpython_wrapper": True}  # of what only compiled code calls
# What numba knows by name or by type, not as a global of a caller.
KNOWN = (
    "compiling", "export/overloads", "trees/growth/records", "trees/scan/pointers", "trees/scan/records",
)  # fmt: skip
# Modules of codes of operations: who depends on them is decided by what they code, not by an import.
CODING = set[str]()
SCALARS = int, float, str, type, np.generic  # constants of compiled functions, and tuples of them
# Settings of numba by which the same source gives other machine code.
SETTINGS = (
    "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "EXTEND_VARIABLE_LIFETIMES", "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE", "USING_SVML",
)  # fmt: skip


@cache
def compiles() -> bool:
    """Whether functions are compiled; if so, numba is asked to tell of every compilation from now on."""
    if not is_installed("numba"):
        return False
    import numba
    from numba.core import event

    event.register("numba:compile", type("Heard", (Notice, event.Listener), {})())
    settings: Any = numba.config
    return not settings.DISABLE_JIT


@cache
def say_uncompiled() -> None:
    """Say once, in one line, that loops run in Python, and what makes them fast."""
    line = "NUMBA_DISABLE_JIT is set; loops run in Python, many times slower than compiled; unset it"
    if not is_installed("numba"):
        line = "numba is not installed; trees of classes are grown in numpy, all else by loops in Python, many times "
        line += "slower than compiled; pip install numba"
    print(f"splitcrit: {line}", file=sys.stderr)


# Decorators.


def kernel(function: Function | None = None, **options: Any) -> Any:
    """Compile a function that Python calls, and keep it on disk; a decorator, with numba's options or without.

    ``_nrt=False`` is for functions that only borrow arrays and make none: numba then counts no references to
    them, which in small nodes takes as long as the search. In Python, floats have the errors of compiled code: none.
    """
    if function is None:
        return partial(kernel, **options)
    if not compiles():
        return _in_python(function)
    dispatcher = _compiled(function, pipeline_class=_pipeline(False), **OPTIONS | options)
    if function.__module__.startswith(OURS) and not function.__closure__:
        dispatcher._cache = CompiledFiles(function)
    return dispatcher


def addressed(function: Function) -> Any:
    """Compile a function that loops call by its address; a call from Python runs the Python function."""
    return _within(kernel(function, _nrt=False, **WITHIN)) if compiles() else function


def called(function: Function | None = None, **options: Any) -> Any:
    """Compile a function with every kernel that calls it; a call from Python runs it; a decorator as above."""
    if function is None:
        return partial(called, **options)
    return _within(_compiled(function, pipeline_class=_pipeline(True), **WITHIN | options)) if compiles() else function


# LLVM puts it in the place of every call; it is typed and translated once, not at each of them.
inlined = called(_nrt=False, forceinline=True)


def by_type(stub: Function) -> Any:
    """Make a stub an operation, whose code is chosen by the type of its first argument when its caller is compiled.

    ``operation.of(*kinds)`` decorates the code for some kinds of named tuples, which loops take and never make, since
    the digest of a loop sees the codes for what it takes. With ``part=True`` the code becomes a part of its caller,
    since passing a source of a few hundred numbers takes as long as much of a small node; code that makes arrays says
    ``allocates=True``. Where nothing is compiled the code is looked up in every call.
    """
    codes: dict[type, Function] = {}
    operation: Any = stub if compiles() else wraps(stub)(lambda source, *rest: codes[type(source)](source, *rest))

    def of(*kinds: type, part: bool = False, allocates: bool = False) -> Callable[[Function], Function]:
        def add(code: Function) -> Function:
            codes.update(dict.fromkeys(kinds, code))
            CODING.add(code.__module__)
            if compiles():
                from numba.extending import overload

                options = WITHIN | {"_nrt": allocates, "pipeline_class": _pipeline(True), "forceinline": part}
                choice = wraps(stub)(lambda source, *rest: code if source.instance_class in kinds else None)
                overload(stub, jit_options=options)(choice)
            return code

        return add

    operation.of, operation.code_by_type = of, codes
    return operation


def plain(function: Any) -> Any:
    """The Python function of a compiled one, and anything else as it is."""
    return getattr(function, "py_func", function)


def _compiled(function: Function, **options: Any) -> Any:
    from numba import njit

    return njit(**options)(function)


def _in_python(function: Function) -> Function:
    """A kernel as Python runs it."""

    @wraps(function)
    def run(*arguments: Any) -> Any:
        say_uncompiled()
        with np.errstate(all="ignore"):
            return function(*arguments)

    return run


def _within(dispatcher: Any) -> Any:
    """Let calls from Python run the Python function: there is no other way in, and a call would end the interpreter.

    It is compiled for numbers, never for the number 0 alone: that is what numba first takes a count that begins at 0
    for, and a function that takes one, with all that it calls, would be compiled twice.
    """
    dispatcher.__class__ = _python_first(dispatcher.__class__)
    return dispatcher


@cache
def _python_first(kind: Any) -> Any:
    def call(self: Any, arguments: Any, named: Any) -> Any:
        return kind.get_call_template(self, [getattr(each, "literal_type", each) for each in arguments], named)

    return type("Within", (kind,), {"__call__": lambda self, *x: self.py_func(*x), "get_call_template": call})


@cache
def _pipeline(within: bool) -> Any:
    """How numba compiles our functions: as it does any, but what differs in options shares what it calls.

    numba compiles what a function calls anew for callers of other options, though few of these change it. ``within``:
    of what is never run by itself, what the passes write is linked as it is. LLVM optimises it with every caller; to
    do so alone as well takes a fifth of a first selective tree, and no documented option leaves it out.
    """
    from numba.core import codegen, compiler, targetconfig

    handed_on = "error_model", "fastmath", "nrt"
    values = {"__slots__": (), "values": lambda flags: {name: getattr(flags, name) for name in handed_on}}
    alike = type("Alike", (compiler.Flags,), values)

    class Linked(codegen.JITCodeLibrary):
        codegen = type("", (), {"set_env": lambda *_: None})  # no slot for an environment, which machine code has

        def _optimize_final_module(self) -> None: ...

        def _finalize_final_module(self) -> None:
            self._finalized = True

    class Pipeline(compiler.Compiler):
        def define_pipelines(self) -> Any:
            targetconfig.ConfigStack.top_or_none().__class__ = alike
            if within:
                self.state.library = Linked(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            return super().define_pipelines()

    return Pipeline


# What is kept on disk.


def cache_folder() -> Path:
    """The folder of compiled functions: in ``NUMBA_CACHE_DIR``, or else among the user's caches, never in the package.

    What lies among installed packages stays there when they are uninstalled, and looks like a package to Python.
    """
    chosen = (os.environ.get(name) for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"))
    return Path(next(filter(None, chosen), os.path.expanduser("~/.cache")), "splitcrit")


def compiled_before(loop: str = "grow_whole") -> bool:
    """Whether some version of a loop is kept; numba is not imported.

    A version of other code counts, too: whoever asks wants to know about how long a wait would be.
    """
    return any(cache_folder().glob(f"{loop}-*"))


class CompiledFiles:
    """What is kept of one function, in the place of numba's cache of it: a file for the types that it takes.

    numba itself would unpickle a file whatever it holds, and numbers files, so that two processes which compile at
    once can take each other's numbers. Here a file begins with a digest of its name and its content; a damaged or
    foreign one counts as absent, and where no folder can be written to nothing is kept.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.cache_path = str(cache_folder())

    def _sealed(self, signature: Any, context: Any, content: bytes = b"") -> tuple[Path, bytes]:
        records = records_of(getattr(signature, "args", signature))
        key = signature, context.codegen().magic_tuple(), digest(self.function, records)
        path = cache_folder() / f"{self.function.__name__}-{sha256(repr(key).encode()).hexdigest()[:32]}.nbc"
        return path, sha256(path.name.encode() + content).digest() + content

    def load_overload(self, signature: Any, context: Any) -> Any:
        from numba.core.compiler import CompileResult

        context.refresh()
        with suppress(OSError):
            content = (file := self._sealed(signature, context)[0].read_bytes())[32:]
            if file == self._sealed(signature, context, content)[1]:
                return CompileResult._rebuild(context, *pickle.loads(content))
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        from numba.core.serialize import dumps

        # Such globals are addresses of this process.
        if not result.library.has_dynamic_globals:
            path, file = self._sealed(signature, result.target_context, dumps(result._reduce()))
            with suppress(OSError), writing(ready(path.parent) / path.name) as new:
                new.write_bytes(file)


def records_of(kinds: Iterable[Any]) -> frozenset[type]:
    """The named tuples among the types that a function takes, and within these."""
    tuples = [kind for kind in kinds if hasattr(kind, "types")]
    named = {kind.instance_class for kind in tuples if hasattr(kind, "instance_class")}
    return frozenset(named).union(*(records_of(kind.types) for kind in tuples))


@cache
def digest(function: Any, records: frozenset[type] = frozenset()) -> str:
    """A text that changes with all that decides the machine code of a function, but for the processor.

    That is the files and names of its module and of all modules whose compiled functions that one uses (what is kept
    of a function imports its module by name), the numbers and texts that these take from elsewhere, numba's settings,
    and the versions of Python, numpy, numba and LLVM. Of an operation, the codes for the ``records`` that the function
    takes: an edit of another source is none of its.
    """
    import llvmlite
    import numba

    decisive = {sys.version, np.__version__, numba.__version__, llvmlite.__version__}
    decisive |= {f"{name} {getattr(numba.config, name, None)}" for name in SETTINGS}
    decisive |= {_text(f"{Path(__file__).parent / name}.py") for name in KNOWN}
    modules = [sys.modules[function.__module__]]
    for module in modules:
        decisive.add(f"{module.__name__}\n{_text(str(module.__file__))}")
        for label, value in list(vars(module).items()):
            scalars = all(isinstance(each, SCALARS) for each in (value if isinstance(value, tuple) else (value,)))
            if scalars and not label.startswith("__"):
                decisive.add(f"{label} {value!r}")
            codes = getattr(value, "code_by_type", {})
            used = [plain(value)] if hasattr(value, "py_func") or codes else []
            used += [code for record, code in codes.items() if record in records]
            reached = [sys.modules[each.__module__] for each in used]
            if isinstance(value, ModuleType) and value.__name__ not in CODING:
                reached.append(value)
            for each in reached:
                if each.__name__.startswith(OURS) and each not in modules:
                    modules.append(each)
    return sha256("\n".join(sorted(decisive)).encode()).hexdigest()[:16]


_text = cache(lambda path: Path(path).read_text(encoding="utf-8"))


# Functions that compiled loops call by address: one loop for all of them.

IN_PYTHON: dict[int, Function] = {}  # by address, where nothing is compiled


def address(function: Any, arguments: tuple[Any, ...], result: Any) -> int:
    """The address of a function compiled for values of the types of these arguments and of this result."""
    if not compiles():
        IN_PYTHON[id(function)] = function
        return id(function)
    from numba import typeof

    kinds = tuple(map(typeof, arguments))
    function.compile(typeof(result)(*kinds))
    compiled = function.overloads[kinds]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def caller(takes: Callable[..., tuple[Any, ...]], result: Any) -> Any:
    """What calls in compiled code the function at an address, with values of the types of those in ``takes(kinds)``."""
    if not compiles():
        return lambda address, *arguments: IN_PYTHON[address](*arguments)
    from numba import errors, extending, typeof, types

    def call(context: Any, address: Any, *arguments: Any) -> tuple[Any, Function]:
        kinds, returned = tuple(map(typeof, takes(arguments))), typeof(result)
        if tuple(arguments) != kinds:
            raise errors.TypingError(f"a function at an address takes {kinds}; got {tuple(arguments)}")

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = context.call_conv.get_function_type(returned, kinds).as_pointer()
            parts = [builder.extract_value(values[1], i) for i in range(len(kinds))]
            function = builder.inttoptr(values[0], pointer)
            return context.call_conv.call_function(builder, function, returned, kinds, parts)[1]

        return returned(address, types.StarArgTuple.from_types(kinds)), write

    return extending.intrinsic(call)


# One line to the user while functions are compiled.


class Notice:
    """The line that names what is compiled in an open block, heard of from numba.

    Garbage is collected after compiling, not in its course, which takes a tenth of the time.
    """

    block = Lock()
    depth, since, seconds, collects = 0, 0.0, 0.0, False

    def on_start(self, event: Any) -> None:
        if Notice.depth == 0 and Notice.block.locked():
            Notice.since = time.perf_counter()
            Notice.collects = gc.isenabled()
            gc.disable()
            opened = "," if Notice.seconds else "splitcrit: compiling once, to be loaded from disk later:"
            print(opened, event.data["dispatcher"].py_func.__name__, end="", file=sys.stderr, flush=True)
        Notice.depth += 1

    def on_end(self, event: Any) -> None:
        Notice.depth = max(Notice.depth - 1, 0)
        if Notice.depth == 0 and Notice.since:
            Notice.seconds += time.perf_counter() - Notice.since
            Notice.since = 0.0
            if Notice.collects:
                gc.enable()


@contextmanager
def reporting_compilation() -> Iterator[None]:
    """Say on standard error, in one line, what is compiled and how long it took; nothing where nothing is compiled.

    Inside another such block, in any thread, it says nothing of its own.

    Examples
    --------
    >>> with reporting_compilation():
    ...     print("nothing was compiled here")
    nothing was compiled here
    """
    if not Notice.block.acquire(blocking=False):
        yield
        return
    try:
        yield
    finally:
        Notice.block.release()
        if Notice.seconds:
            print(f" ... {Notice.seconds:.1f} s", file=sys.stderr)
            Notice.seconds = 0.0
