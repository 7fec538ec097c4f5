"""Compiling with a cache that sees every edit: the name of a cached kernel holds a digest of all the code it reaches.

numba keys its cache by the caller's own code and file, so that an edited callee would go on running as it was, and a
second checkout of the same code would compile again; and it numbers what it keeps, so that two processes that compile
at once can take each other's numbers. Here the digest decides alone, wherever the source lies and whenever it was
written.

Main definitions: ``kernel``, ``addressed``, ``inlined``, ``called`` and ``chosen_by_type``, which ``jit`` offers where
numba compiles; ``digest``, ``parts`` (what is compiled with a function), ``plain`` (its Python function).
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import functools
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, InTreeCacheLocator
from numba.core.codegen import JITCodeLibrary, ll  # type: ignore[attr-defined]
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.extending import overload

Function = Callable[..., Any]
CONFIG: Any = numba.config
Chosen: Any
Chosen, *OTHERS = CompileResultCacheImpl._locator_classes  # ways to find a folder: the user chose it, or others
PACKAGE = Path(__file__).parent
OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
DIGEST = hashlib.sha256().digest_size
WITHIN = {"no_cpython_wrapper": True}  # of what only compiled code calls
TOLD = (
    "compiler",
    "export/overloads",
    "growth/records",
    "search/records",
    "export/float_pairs",
    "search/pointers",
)  # what numba knows by name or by type, not as a global of a caller
# Settings of numba by which the same source gives other machine code.
SETTINGS = (
    "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "EXTEND_VARIABLE_LIFETIMES", "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE", "USING_SVML",
)  # fmt: skip


def kernel(function: Function, **options: Any) -> Any:
    """Return a function compiled by numba and kept in its cache, unless no folder can be written to."""
    compiling: Any = numba.njit
    made = compiling(**OPTIONS | options)(function)
    function.__qualname__ = f"{function.__qualname__}-{digest(made)}"
    with suppress(RuntimeError):  # no folder can be written to
        made._cache = Cache(function)
    return made


def addressed(function: Function) -> Any:
    """Return a kernel that compiled loops call by its address."""
    return _within(kernel(function, _nrt=False, **WITHIN))


class Located(Chosen):  # type: ignore[misc]
    """A folder inside the one that the user chose: the same one for every module of every checkout."""

    def __init__(self, function: Function, file: str) -> None:
        super().__init__(function, file)
        self._cache_path = os.path.join(CONFIG.CACHE_DIR, "splitcrit")


class Implementation(CompileResultCacheImpl):
    """How numba finds the folder of a function: a cache folder of the user, never one beside the module.

    What lies among installed packages stays there when they are uninstalled, and looks like a package to Python.
    """

    _locator_classes = [Located, *(each for each in OTHERS if not issubclass(each, InTreeCacheLocator))]  # noqa: RUF012


class Cache(FunctionCache):
    """What numba keeps of one function, by the digest in its name and the types that it takes."""

    _impl_class = Implementation

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._cache_file = Keyed(self._cache_path, f"{function.__module__}.{function.__qualname__}", None)


class Keyed(IndexDataCacheFile):
    """What numba keeps of one function, in files named by the types that it takes: one name, one content.

    The name holds the digest, so that no time or place of a source matters, and a process that overwrites the
    index of another makes it compile again, never run what was made for other types. A file begins with the digest of
    the rest, which numba would unpickle whatever it holds; one that is damaged counts as absent, and stands in
    ``damaged``.
    """

    damaged: ClassVar[dict[str, None]] = {}

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled, then tell the index."""
        name = self._data_name_pattern.replace("{number:d}", hashlib.sha256(repr(key).encode()).hexdigest()[:16])
        self._save_data(name, data)
        self._save_index(self._load_index() | {key: name})

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        with super()._open_for_write(filepath) as file:
            yield (content := io.BytesIO())
            file.write(hashlib.sha256(content.getvalue()).digest() + content.getvalue())

    def _content(self, path: str) -> io.BytesIO:
        """Return the content of a file after its digest; raise FileNotFoundError if it is absent or damaged."""
        held = Path(path).read_bytes()
        if hashlib.sha256(held[DIGEST:]).digest() != held[:DIGEST]:
            self.damaged[path] = None
            raise FileNotFoundError(path)
        return io.BytesIO(held[DIGEST:])

    def _load_index(self) -> dict[Any, str]:
        try:
            content = self._content(self._index_path)
        except FileNotFoundError:
            return {}
        if pickle.load(content) != self._version:
            return {}
        stamp, names = pickle.load(content)
        return names if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        return pickle.load(self._content(self._data_path(name)))


def inlined(function: Function) -> Any:
    """Return a function whose text stands in place of every call by a kernel."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)


def called(function: Function, **options: Any) -> Any:
    """Return a function that is compiled with every kernel that calls it; what Python needs to call it is not."""
    compiling: Any = numba.njit
    return _within(compiling(pipeline_class=Part, **OPTIONS | WITHIN | options)(function))


def chosen_by_type(stub: Function, codes: dict[type, Function], parts: set[type]) -> None:
    """Let compiled code call a stub: the code for the type of its first argument, a named tuple.

    For the types in ``parts`` the code becomes a part of its caller, and is called elsewhere.
    """

    def choice(part: bool) -> Function:
        def chosen(*given: Any) -> Function | None:
            kind = given[0].instance_class
            return codes.get(kind) if (kind in parts) == part else None

        return functools.wraps(stub)(chosen)

    for part in (False, True):
        options: Any = OPTIONS | WITHIN | {"_nrt": False, "pipeline_class": Part, "forceinline": part}
        overload(stub, jit_options=options)(choice(part))


def _within(made: Any) -> Any:
    """Let calls from Python run the Python function."""
    made.__class__ = Within
    return made


class Part(Compiler):
    """How numba compiles what is never run by itself."""

    def define_pipelines(self) -> Any:
        """Return numba's own passes; what they write is linked into the callers as it is."""
        state = self.state
        state.library = Linked(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


class Linked(JITCodeLibrary):
    """What LLVM has of such a function: not optimised, as it is once more with every caller, nor made machine code."""

    @property
    def codegen(self) -> Any:
        """Return the slot for an environment, which only machine code has."""
        return SimpleNamespace(set_env=lambda name, env: None)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class Within(CPUDispatcher):
    """What numba compiles of a function that only compiled code calls."""

    def __call__(self, *given: Any) -> Any:
        """Run the Python function."""
        return self.py_func(*given)


def digest(function: Function) -> str:
    """Return a text that changes with all that decides the machine code of a function, but for the processor.

    That is the code of the function and of every function it calls, their constants and the options they are compiled
    with, numba's settings, and the versions of Python, numpy, numba and LLVM.
    """
    versions = [sys.version, np.__version__, numba.__version__, str(ll.llvm_version_info)]
    texts = [_told_text(), repr([*versions, *(getattr(CONFIG, name, None) for name in SETTINGS)])]
    for each in _reachable(function):
        found, options = plain(each), getattr(each, "targetoptions", {})
        told = [found.__module__, found.__name__, found.__defaults__, sorted(options.items()), *_told(found.__code__)]
        values = ((name, plain(value)) for name, value in _reached(found))
        told += [each for each in values if isinstance(each[1], int | float | str | tuple | type | np.generic)]
        operations = [value for _, value in _reached(found) if hasattr(value, "codes")]
        told += [(kind.__name__, code.__qualname__, kind in each.parts) for each in operations
                 for kind, code in each.codes.items()]  # fmt: skip
        texts.append(repr(told))  # of one function, so that constants of two cannot be exchanged unseen
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]


def parts(function: Function) -> int:
    """Count the functions that compiling one compiles, if nothing of it is compiled yet."""
    return sum(getattr(each, "targetoptions", {}).get("inline") != "always" for each in _reachable(function))


def _reachable(function: Function) -> Iterator[Any]:
    """Yield a function and every function of the project that it calls, however deep."""
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        found = waiting.pop()
        bare = plain(found)
        if id(bare) not in seen:
            seen.add(id(bare))
            yield found
            ours = [value for _, value in _reached(bare) if _is_ours(plain(value))]
            waiting += ours + [code for value in ours for code in getattr(value, "codes", {}).values()]


def _is_ours(value: Any) -> bool:
    return isinstance(value, FunctionType) and value.__module__.startswith("splitcrit.")


@functools.cache
def _told_text() -> str:
    """Return the text of the modules that kernels depend on without calling them."""
    return "\n".join((PACKAGE / f"{name}.py").read_text() for name in TOLD)


def plain(value: Any) -> Any:
    """Return the Python function of a compiled one, and anything else as it is."""
    return getattr(value, "py_func", value)


def _told(code: CodeType) -> Iterator[Any]:
    """Yield the instructions, names and constants of code, of what is nested in it as well, without line numbers."""
    yield from (code.co_code, code.co_names, code.co_varnames)
    for constant in code.co_consts:
        yield from _told(constant) if isinstance(constant, CodeType) else [constant]


def _reached(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the global names that a function uses with their values, those of the project's modules as well."""
    held = function.__globals__
    names = [name for told in _names(function.__code__) for name in told]
    for name in names:
        value = held.get(name)
        if isinstance(value, ModuleType) and value.__name__.startswith("splitcrit."):
            yield from ((f"{name}.{part}", getattr(value, part)) for part in names if hasattr(value, part))
        elif value is not None:
            yield name, value


def _names(code: CodeType) -> Iterator[tuple[str, ...]]:
    yield code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
