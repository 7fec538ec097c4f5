"""The reference of every public name, one page a subpackage, lower layers first, from what each of them exports.

Main definitions: ``subpackages``, ``pages``.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from layers import LAYERS

MODULES = {"export": ("export.compiled",)}  # public modules that their subpackage leaves to whoever has numba
OF_LEARN = "sklearn."  # what scikit-learn documents itself is not repeated


def subpackages() -> Iterator[tuple[int, str, ModuleType]]:
    """Yield layer, name and module of each subpackage, or public module, that exports names or public functions."""
    for layer, names in enumerate(LAYERS):
        for name in names:
            if name in ("__main__", "arguments", "cli", "files", "limits", "names", "proofs", "values"):
                continue
            for public in (name, *MODULES.get(name, ())):
                yield layer, public, import_module(f"splitcrit.{public}")


def exported(module: ModuleType) -> list[str]:
    """Return the names a subpackage exports: those of ``__all__``, else its own public functions and classes."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    own = [
        n
        for n, v in vars(module).items()
        if getattr(v, "__module__", None) == module.__name__ and not n.startswith("_")
    ]
    return [n for n in own if inspect.isfunction(getattr(module, n)) or inspect.isclass(getattr(module, n))]


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    listed = []
    for layer, name, module in subpackages():
        listed.append(name)
        parts = [name, "=" * len(name), "", f"Layer {layer}. A subpackage imports strictly lower layers only.", ""]
        parts += [
            f".. automodule:: splitcrit.{name}",
            "   :no-members:",
            "",
            f".. currentmodule:: splitcrit.{name}",
            "",
        ]
        for one in exported(module):
            parts += [*directive(name, one, getattr(module, one)), ""]
        yield f"api/{name}.rst", "\n".join(parts)
    names = "\n   ".join(listed)
    title = "API reference"
    head = f"{title}\n{'=' * len(title)}\n\nEvery public name, by subpackage, lower layers first.\n"
    yield "api/index.rst", f"{head}\n.. toctree::\n   :maxdepth: 1\n\n   {names}\n"


def directive(subpackage: str, name: str, value: Any) -> list[str]:
    """Return the directive that documents a name: a function, a class, or a value with what it prints as."""
    if inspect.isfunction(value):
        return [f".. autofunction:: {name}"]
    if inspect.isclass(value):
        return [f".. autoclass:: {name}", *_members(value)]
    shown = repr(value)
    lines = [f".. py:data:: {name}", f"   :module: splitcrit.{subpackage}", ""]
    kind = type(value)
    told = f"A value of type ``{kind.__name__}``" + (f", prints as ``{shown}``" if len(shown) < 100 else "") + "."
    return [*lines, f"   {told}"]


def _members(value: type) -> list[str]:
    """Return the option that lists the methods a class defines itself and documents."""
    fields = {f.name for f in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else set()
    own = [n for n, v in vars(value).items() if not n.startswith("_") and n not in fields and _told(v)]
    return [f"   :members: {', '.join(own)}"] if own else []


def _told(member: Any) -> bool:
    inner = member.__func__ if isinstance(member, staticmethod | classmethod) else member
    return (inspect.isfunction(inner) or isinstance(inner, property)) and bool(inspect.getdoc(inner))
