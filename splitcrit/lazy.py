"""Public names that are imported on first use (PEP 562), from the modules that type checkers are told of.

A package states once, under ``if TYPE_CHECKING``, which module each of its names comes from; these lines are read when
the package is imported, and an import runs when a name is asked for.

Main definitions: ``homes``, ``on_first_use``; ``is_installed``, which imports nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def homes(file: str) -> dict[str, str]:
    """The module of each name that a package imports for type checkers alone, one import in a line."""
    with open(file, encoding="utf-8") as source:
        block = source.read().partition("\nif TYPE_CHECKING:\n")[2].partition("\n\n")[0]
    imports = (line.removeprefix("    from ").split(" import ") for line in block.splitlines())
    return {name.split()[0]: module for module, names in imports for name in names.split(", ")}


def is_installed(module: str) -> bool:
    """Whether a module can be imported; it is not."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def on_first_use(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package; it says which extra to install where one is missing."""
    module = sys.modules[package]
    known = homes(str(module.__file__))

    def get(name: str) -> Any:
        from splitcrit.frozen import extra

        if name not in known:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with extra(f"{package}.{name}"):
            value = getattr(import_module(known[name]), name)
        setattr(module, name, value)
        return value

    return get
