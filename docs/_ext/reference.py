"""The reference of every public name: one page a subpackage, from what each of them exports, and an index.

Main definitions: ``subpackages``, ``pages``, ``places`` (where a name is documented).
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import splitcrit
from layers import LAYERS

MODULES = {"export": ("export.compiled",)}  # public modules that their subpackage leaves to whoever has numba
GROUPS = {
    "Score tables": ("table", "criteria", "impurities", "losses", "noise"),
    "What chance alone would give": ("nulls", "importance", "inference", "selection"),
    "Grow trees": ("estimators", "trees", "multiway", "distributed", "discretize", "metrics"),
    "Look closer": ("robustness", "vertices", "plots"),
    "Theorems, tests, and code for elsewhere": ("proof", "testing", "export", "export.compiled"),
}
SHEET = "its formula is on the :doc:`formula sheet </generated/formulas>`."
REST = "Inside the library"  # what the others stand on


def subpackages() -> Iterator[tuple[int, str, ModuleType]]:
    """Yield layer, name and module of each subpackage, or public module, that exports names or public functions."""
    for layer, names in enumerate(LAYERS):
        for name in names:
            if name in ("__main__", "arguments", "atomic_files", "cli", "criterion_names", "files", "frozen", "proofs"):
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
    known = {name: module for _, name, module in subpackages()}
    for name, module in known.items():
        head = [name, "=" * len(name), "", f".. automodule:: splitcrit.{name}", "   :no-members:", ""]
        head += [f".. currentmodule:: splitcrit.{name}", ""]
        rows = [(one, f"splitcrit.{name}.{one}", sentence(getattr(module, one))) for one in exported(module)]
        body = [line for one in exported(module) for line in (*directive(name, one, getattr(module, one)), "")]
        yield f"api/{name}.rst", "\n".join([*head, *summary(rows), "", *body])
    yield "api/index.rst", index(known)


def index(known: dict[str, ModuleType]) -> str:
    """Return the page that lists the subpackages, group by group, with a line for each."""
    title, listed = "API reference", [name for names in GROUPS.values() for name in names]
    groups = GROUPS | {REST: tuple(name for name in known if name not in listed)}
    parts = [title, "=" * len(title), "", "Every public name, by subpackage.", ""]
    parts += ["What is used most can be imported from ``splitcrit`` itself.", ""]
    for group, names in groups.items():
        rows = [f"   * - :doc:`{name} <{name}>`\n     - {first(known[name])}" for name in names]
        parts += [group, "-" * len(group), "", *TABLE, *rows, ""]
    return "\n".join([*parts, ".. toctree::", "   :hidden:", "", *(f"   {x}" for v in groups.values() for x in v), ""])


TABLE = (".. list-table::", "   :class: summary", "   :widths: auto", "")


def summary(rows: list[tuple[str, str, str]]) -> list[str]:
    """Return a table of names, each a link to where it is documented, with a line on each."""
    return [*TABLE, *(f"   * - :py:obj:`{name} <{place}>`\n     - {told}" for name, place, told in rows)]


def first(value: Any) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())


def sentence(value: Any) -> str:
    """Describe a public name on one line; a value by its formula."""
    if inspect.isfunction(value) or inspect.isclass(value):
        told = first(value).removeprefix("Return ")
        return told[:1].upper() + told[1:]
    inner = next((getattr(value, name) for name in ("of", "score", "at", "transition") if hasattr(value, name)), None)
    told = (first(inner) if inner is not None else "") or expression(inner) or SHEET * (inner is not None)
    return f"{type(value).__name__}: {told}" if told else f"A value of type ``{type(value).__name__}``."


def expression(function: Any) -> str:
    """Return the expression that a function of one line returns, as code."""
    if not inspect.isfunction(function):
        return ""
    (read,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    one = read.body[0] if isinstance(read, ast.FunctionDef) and len(read.body) == 1 else None
    return f"``{ast.unparse(one.value)}``" if isinstance(one, ast.Return) and one.value else ""


def places() -> dict[str, str]:
    """Return the page of each name that means one thing: ``splitcrit``'s own, and those of one place alone."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for _, name, module in subpackages():
        for one in exported(module):
            found.setdefault(one, []).append((f"splitcrit.{name}.{one}", getattr(module, one)))
    top = {one: [p for p, value in found.get(one, []) if value is getattr(splitcrit, one)] for one in splitcrit.__all__}
    alone = {one: [place for place, _ in held] for one, held in found.items() if len(held) == 1 and told_apart(one)}
    return {one: held[0] for one, held in (alone | top).items() if held}


def told_apart(name: str) -> bool:
    """Tell whether a name is no word of English that stands as code for other things too."""
    return "_" in name or name != name.lower()


def directive(subpackage: str, name: str, value: Any) -> list[str]:
    """Return the directive that documents a name: a function, a class, or a value with what it prints as."""
    if inspect.isfunction(value):
        return [f".. autofunction:: {name}"]
    if inspect.isclass(value):
        return [f".. autoclass:: {name}", *_members(value)]
    shown = repr(value)
    printed = f" Prints as ``{shown}``." if len(shown) < 100 and " object at 0x" not in shown else ""
    return [f".. py:data:: {name}", f"   :module: splitcrit.{subpackage}", "", f"   {sentence(value)}{printed}"]


def _members(value: type) -> list[str]:
    """Return the option that lists the methods a class defines itself and documents."""
    fields = {f.name for f in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else set()
    own = [n for n, v in vars(value).items() if not n.startswith("_") and n not in fields and _told(v)]
    return [f"   :members: {', '.join(own)}"] if own else []


def _told(member: Any) -> bool:
    inner = member.__func__ if isinstance(member, staticmethod | classmethod) else member
    return (inspect.isfunction(inner) or isinstance(inner, property)) and bool(inspect.getdoc(inner))
