"""Compiled functions: by numba where it is installed, the Python functions themselves elsewhere; kept on disk.

numba's cache looks at the file of a function alone, so that an edited callee would go on running as it was, and a
second checkout would compile again. Here the key of a function is a digest of the files of all functions that it
reaches and of the constants these use. With ``NUMBA_DISABLE_JIT=1``, the way in for a debugger, or without numba, every
loop runs in Python and gives the same trees. Importing this module imports no numba; decorating a function does.

Main definitions: ``kernel`` (a loop that Python calls), ``addressed`` (one that loops call by its address: ``address``,
``caller``), ``called`` and ``inlined`` (a part of the loops that call it), ``by_type`` (one of many, by a type);
``plain`` (the Python function); ``digest``, ``Locator``, ``Files``, ``cache_folder``; ``reporting_compilation``.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import gc
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial, wraps
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from splitcrit.atomic_files import ready, writing

Function = Callable[..., Any]
OURS = "splitcrit.", "reproductions."  # packages whose functions are kept by their digest
OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
WITHIN = {"no_cpython_wrapper": True}  # of what only compiled code calls
# What numba knows by name or by type, not as a global of a caller.
KNOWN = "compiling", "export/overloads", "growth/records", "search/pointers", "search/records", "search/twofold_compiled"
# Settings of numba by which the same source gives other machine code.
SETTINGS = (
    "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "EXTEND_VARIABLE_LIFETIMES", "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE", "USING_SVML",
)  # fmt: skip


@cache
def numba_is_installed() -> bool:
    """Whether numba can be imported; it is not imported."""
    return find_spec("numba") is not None


@cache
def compiles() -> bool:
    """Whether functions are compiled; from now on, if they are, numba's compilations are heard of."""
    if not numba_is_installed():
        return False
    from numba.core import config, event

    class Heard(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            NOTICE.begin(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None:
            NOTICE.end()

    event.register("numba:compile", Heard())
    return not config.DISABLE_JIT


@cache
def say_uncompiled(installed: bool) -> None:
    """Say once, in one line, that loops run in Python, and what makes them fast."""
    said = "NUMBA_DISABLE_JIT is set; loops run in Python, many times slower than compiled; unset it"
    if not installed:
        said = "numba is not installed; trees of classes are grown in numpy, all else by loops in Python, many times "
        said += "slower than compiled; pip install numba"
    print(f"splitcrit: {said}", file=sys.stderr)


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
    import numba

    keeps = function.__module__.startswith(OURS) and _locate()
    made: Any = numba.njit(cache=keeps, **OPTIONS | options)(function)  # type: ignore[call-overload]
    if keeps:  # numba would unpickle a file whatever it holds, and numbers files, which two processes may do at once
        made._cache._cache_file = Files(f"{function.__name__}-{digest(function)}")
    return made


def addressed(function: Function) -> Any:
    """Compile a function that loops call by its address; Python calls the ``plain`` one."""
    return kernel(function, _nrt=False, **WITHIN) if compiles() else function


def called(function: Function | None = None, **options: Any) -> Any:
    """Compile a function with every kernel that calls it; Python calls the ``plain`` one. A decorator like ``kernel``.

    What LLVM has of it is not optimised, as it is once more with every caller, nor made machine code.
    """
    if function is None:
        return partial(called, **options)
    if not compiles():
        return function
    import numba

    return numba.njit(pipeline_class=_part(), **OPTIONS | WITHIN | options)(function)  # type: ignore[call-overload]


def inlined(function: Function) -> Any:
    """Put the text of a function in the place of every call by a kernel."""
    if not compiles():
        return function
    import numba

    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)  # type: ignore[call-overload]


def by_type(stub: Function) -> Any:
    """Make a stub an operation, whose code is chosen by the type of its first argument when its caller is compiled.

    ``operation.of(*kinds)`` decorates the code for some kinds of named tuples; ``operation.codes`` holds it, so that
    digests see it. With ``part=True`` it becomes a part of its caller, since passing a source of a few hundred numbers
    takes as long as much of a small node. Where nothing is compiled the code is looked up in every call.
    """
    codes: dict[type, Function] = {}
    operation: Any = stub if compiles() else wraps(stub)(lambda source, *given: codes[type(source)](source, *given))

    def of(*kinds: type, part: bool = False) -> Callable[[Function], Function]:
        def add(code: Function) -> Function:
            codes.update(dict.fromkeys(kinds, code))
            if compiles():
                from numba.extending import overload

                options: Any = OPTIONS | WITHIN | {"_nrt": False, "pipeline_class": _part(), "forceinline": part}
                choice = wraps(stub)(lambda source, *given: code if source.instance_class in kinds else None)
                overload(stub, jit_options=options)(choice)
            return code

        return add

    operation.of, operation.codes = of, codes
    return operation


def plain(made: Any) -> Any:
    """The Python function of a compiled one, and anything else as it is."""
    return getattr(made, "py_func", made)


def _in_python(function: Function) -> Function:
    """A kernel as Python runs it."""

    @wraps(function)
    def run(*given: Any) -> Any:
        say_uncompiled(numba_is_installed())
        with np.errstate(all="ignore"):
            return function(*given)

    return run


@cache
def _part() -> Any:
    """How numba compiles what is never run by itself: its own passes, but what they write is linked as it is.

    LLVM optimises it with every caller, so that doing so alone as well takes a fifth of a first selective tree.
    """
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

    class Linked(JITCodeLibrary):  # no documented way leaves these steps out
        codegen = type("", (), {"set_env": lambda *_: None})  # the slot for an environment, which machine code has

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalized = True

    class Part(Compiler):
        def define_pipelines(self) -> Any:
            self.state.library = Linked(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            return super().define_pipelines()

    return Part


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
    return next(cache_folder().glob(f"{loop}-*"), None) is not None


def _locate() -> bool:
    """Let numba ask our locator, then those of its own list or the user's; return whether files can be kept."""
    from numba.core import caching, config

    if not config.CACHE_LOCATOR_CLASSES.startswith(__name__):
        others = config.CACHE_LOCATOR_CLASSES.split(",") if config.CACHE_LOCATOR_CLASSES else [
            each.__name__ for each in caching.CacheImpl._locator_classes
        ]  # fmt: skip
        config.CACHE_LOCATOR_CLASSES = ",".join([f"{__name__}.Locator", *others])
    try:
        ready(cache_folder())
    except OSError:
        return False
    return True


class Locator:
    """Where numba keeps a function, as ``NUMBA_CACHE_LOCATOR_CLASSES`` asks; functions of others it leaves to others."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file, self.digest = file, digest(function)

    @classmethod
    def from_function(cls, function: Any, file: str) -> Locator | None:
        return cls(function, file) if function.__module__.startswith(OURS) else None

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def ensure_cache_path(self) -> None:
        ready(cache_folder())

    def get_source_stamp(self) -> str:
        return self.digest

    get_disambiguator = get_source_stamp


class Files:
    """What is kept of one function, by the types that it takes; a damaged or foreign file counts as absent.

    A file begins with a digest of its name and its content: one name, one content, whoever writes it.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def _path(self, key: Any) -> Path:
        return cache_folder() / f"{self.name}-{sha256(repr(key).encode()).hexdigest()[:16]}.nbc"

    def load(self, key: Any) -> Any:
        """The content for a key, or None."""
        with suppress(OSError):
            file = self._path(key).read_bytes()
            if file[:32] == sha256(self._path(key).name.encode() + file[32:]).digest():
                return pickle.loads(file[32:])
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep the content for a key, if it can be written."""
        from numba.core.serialize import dumps

        path, content = self._path(key), dumps(data)
        with suppress(OSError), writing(path) as part:
            part.write_bytes(sha256(path.name.encode() + content).digest() + content)


@cache
def digest(function: Any) -> str:
    """A text that changes with all that decides the machine code of a function, but for the processor.

    That is the files of the function and of all that it reaches, with the options of their decorators, the constants
    that these use, numba's settings, and the versions of Python, numpy, numba and LLVM.
    """
    import llvmlite
    import numba

    texts = {_text(f"{Path(__file__).parent / name}.py") for name in KNOWN}
    told = {sys.version, np.__version__, numba.__version__, llvmlite.__version__}
    told |= {repr((name, getattr(numba.config, name, None))) for name in SETTINGS}
    seen, waiting = set[Any](), [function]
    while waiting:
        if isinstance(value := plain(waiting.pop()), FunctionType) and value.__module__.startswith(OURS):
            if value in seen:
                continue
            seen.add(value)
            texts.add(_text(value.__code__.co_filename) or repr((value.__code__.co_code, value.__code__.co_consts)))
            reached = dict(_reached(value.__globals__, list(_names(value.__code__))))
            waiting += [each for held in reached.values() for each in (held, *getattr(held, "codes", {}).values())]
            told |= {f"{value.__name__}, {name}: {held!r}" for name, held in reached.items()
                     if isinstance(held, int | float | str | tuple | type | np.generic)}  # fmt: skip
    return sha256("\n".join(sorted(texts | told)).encode()).hexdigest()[:16]


@cache
def _text(path: str) -> str:
    """The text of a file, if there is one."""
    with suppress(OSError):
        return Path(path).read_text(encoding="utf-8")
    return ""


def _names(code: CodeType) -> Iterator[str]:
    """The global names and the attributes that code uses, with what is nested in it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _reached(held: dict[str, Any], names: list[str]) -> Iterator[tuple[str, Any]]:
    """The values of global names, those of the project's modules as well."""
    for name in names:
        value = held.get(name)
        if isinstance(value, ModuleType) and value.__name__.startswith(OURS):
            yield from ((f"{name}.{part}", getattr(value, part)) for part in names if hasattr(value, part))
        elif value is not None:
            yield name, value


# Functions that compiled loops call by address: one loop for all of them.

IN_PYTHON: dict[int, Function] = {}  # by address, where nothing is compiled


def address(function: Any, arguments: tuple[Any, ...], result: Any) -> int:
    """The address of a function compiled for values of the types of these arguments and this result.

    Raises
    ------
    TypeError
        If it returns another type.
    """
    if not compiles():
        IN_PYTHON[id(function)] = function
        return id(function)
    import numba

    kinds = tuple(map(numba.typeof, arguments))
    function.compile(kinds)
    made = function.overloads[kinds]
    if made.signature.return_type != numba.typeof(result):
        raise TypeError(f"{function} returns {numba.typeof(result)}; got {made.signature.return_type}")
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def caller(takes: Callable[..., tuple[Any, ...]], result: Any) -> Any:
    """What calls in compiled code the function at an address, with values of the types that ``takes(kinds)`` gives."""
    if not compiles():
        return lambda address, *arguments: IN_PYTHON[address](*arguments)
    import numba
    from numba.core.errors import TypingError
    from numba.extending import intrinsic

    @intrinsic
    def call(context: Any, address: Any, *arguments: Any) -> tuple[Any, Function]:
        kinds, returned = tuple(map(numba.typeof, takes(arguments))), numba.typeof(result)
        if tuple(arguments) != kinds:
            raise TypingError(f"a function at an address takes {kinds}; got {tuple(arguments)}")

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = context.call_conv.get_function_type(returned, kinds).as_pointer()
            parts = [builder.extract_value(values[1], i) for i in range(len(kinds))]
            function = builder.inttoptr(values[0], kind)
            return context.call_conv.call_function(builder, function, returned, kinds, parts)[1]

        return returned(address, numba.types.StarArgTuple.from_types(kinds)), write

    return call


# One line to the user while functions are compiled.


class Notice:
    """The line that names what is compiled. Garbage is collected after compiling, which takes a tenth less then."""

    def __init__(self) -> None:
        self.block, self.depth, self.since, self.seconds, self.collects = Lock(), 0, 0.0, 0.0, False

    def begin(self, name: str) -> None:
        """Name what is compiled now, unless it is a part of something that is."""
        if self.depth or not self.block.locked():
            self.depth += self.depth > 0
            return
        self.depth, self.since, self.collects = 1, time.perf_counter(), gc.isenabled()
        gc.disable()
        opened = "," if self.seconds else "splitcrit: compiling once, to be loaded from disk later:"
        print(f"{opened} {name}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Stop the clock after the outermost compilation."""
        self.depth -= self.depth > 0
        if not self.depth and self.since:
            self.seconds, self.since = self.seconds + time.perf_counter() - self.since, 0.0
            if self.collects:
                gc.enable()


NOTICE = Notice()


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
    if not NOTICE.block.acquire(blocking=False):
        yield
        return
    try:
        yield
    finally:
        NOTICE.block.release()
        if NOTICE.seconds:
            print(f" ... {NOTICE.seconds:.1f} s", file=sys.stderr)
            NOTICE.seconds = 0.0
