"""The layers: which subpackage may import which, and which subpackage may import which third party.

Reads source with `ast` and the standard library only, so that it judges modules it cannot import.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "splitcrit"

BANDS = {  # each reads the bands above it in this table; a band is one layer or several
    "base": (
        ("frozen",),
        ("lazy", "arguments", "display", "atomic_files"),
        ("compiling",),
    ),
    "data": (("data",),),
    "theory": (
        ("arith",),
        ("losses", "table"),
        ("impurities", "noise"),
        ("criteria",),
        ("nulls", "vertices", "robustness"),
    ),
    "columns": (("columns",),),
    "trees": (
        ("trees",),
        ("trees.scan",),
        ("trees.growth",),
        ("trees.estimators",),
        ("trees.multiway",),
        ("trees.distributed",),
    ),
    "verdicts": (("audits",), ("inference",)),
    "tools": (
        ("plots", "proof", "export", "testing"),
        ("proofs",),
    ),
    "command line": (("cli",), ("__main__",)),  # __main__ of the package and of the proofs: nothing imports it
}
LAYERS = tuple(layer for band in BANDS.values() for layer in band)
LAYER = {name: layer for layer, names in enumerate(LAYERS) for name in names}
BAND = {name: band for band, layers in BANDS.items() for names in layers for name in names}
PICTURES = "splitcrit.plots."  # a method plot() loads its picture when it is called
OFFERED = {"trees/__init__.py": "splitcrit.trees."}  # names that a room offers on first use, of rooms inside it

CHECKERS = {"proof", "proofs"}
LEARNERS = {"columns", "trees", "trees.estimators", "trees.multiway", "trees.distributed", "audits", "inference"}
THIRD_PARTIES = {
    "numpy": set(LAYER),
    "scipy": {name for name, band in BAND.items() if band not in ("base", "data")} - {"arith", "losses", "table"},
    "sympy": CHECKERS,
    "mpmath": CHECKERS,
    "flint": CHECKERS,
    "z3": CHECKERS,
    "llvmlite": {"compiling", "trees.scan"},
    "numba": {"compiling", "nulls", "trees.scan", "trees.growth", "export"},
    "sklearn": LEARNERS,
    "joblib": {"cli", "trees.estimators", "inference", "audits"},
    "splitcrit_sklearn": {"trees.estimators"},  # of bindings/sklearn
    "dask": {"trees.distributed"},
    "distributed": {"trees.distributed"},
    "hypothesis": {"testing"},
    "river": {"inference"},
    "array_api_compat": {"arith"},
    "pyarrow": {"data"},
    "pandas": {"data", "inference", "audits"},
    "matplotlib": {"plots"},
    "rich": {"cli", "proofs"},
    "shtab": {"cli"},
}
LATE = {"scipy", "array_api_compat", "pandas", "pyarrow"}  # imported inside the function that needs them
SYMBOLS = ("arith/symbolic.py", "sympy")  # the one module below the checkers that imports sympy, in functions

PARTS = (ast.stmt, ast.excepthandler, ast.match_case)  # of a source, that hold statements


def room(parts: tuple[str, ...]) -> str:
    """The room of a module, by the parts of its path or name below the package: a folder inside one may be its own."""
    inside = ".".join(parts[:2])
    return inside if inside in LAYER else parts[0].removesuffix(".py")


@cache
def sources() -> dict[Path, str]:
    """The text of every module but the first by its path in the package; that of the proofs begins with `proofs`."""
    inside = {path.relative_to(PACKAGE): path for path in PACKAGE.rglob("*.py")}
    ours = {here: path for here, path in inside.items() if here.parts[0] not in ("proofs", "__init__.py")}  # a link
    theirs = {path.relative_to(ROOT): path for path in (ROOT / "proofs").rglob("*.py")}
    return {here: path.read_text(encoding="utf-8") for here, path in sorted((ours | theirs).items())}


@cache
def parsed(source: str) -> ast.Module:
    """The tree of a source."""
    return ast.parse(source)


@dataclass(frozen=True)
class Import:
    """One imported dotted name, its line, whether only a call of a function imports it, or only a type checker does."""

    name: str
    line: int
    late: bool
    typed: bool


@cache
def imports(source: str, package: tuple[str, ...]) -> tuple[Import, ...]:
    """Every import of a module that lies in `package`, relative ones resolved; `from a import b` reads `a.b`.

    `import_module("a.b")` is an import like any other; what only type checkers read counts as late.
    """
    found, ahead = list[Import](), [(parsed(source), False, False)]
    expressions = (ast.AST,) if "import_module" in source else ()  # else only statements are looked into
    while ahead:
        node, late, typed = ahead.pop()
        names = [".".join(name) for name in _names(node, package)]
        found += [Import(name, node.lineno, late or typed, typed) for name in names]
        late |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        test = getattr(node, "test", None)
        typed |= "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))
        inside = (child for child in ast.iter_child_nodes(node) if isinstance(child, (*PARTS, *expressions)))
        ahead += [(child, late, typed) for child in inside]
    return tuple(sorted(found, key=lambda item: item.line))


def _names(node: Any, package: tuple[str, ...]) -> Iterator[list[str]]:
    """What a single node imports."""
    if isinstance(node, ast.Import):
        yield from ([alias.name] for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else ()
        yield from ([*above, *filter(None, [node.module]), alias.name] for alias in node.names)
    elif isinstance(node, ast.Call) and "import_module" in (
        getattr(node.func, "id", ""),
        getattr(node.func, "attr", ""),
    ):
        yield from ([str(name.value)] for name in node.args[:1] if isinstance(name, ast.Constant))


def own_import(mine: str, name: str, home: dict[str, str]) -> str | None:
    """The complaint about an import of the package itself; `home` says in which subpackage a public name lives."""
    parts = ("__main__",) if "__main__" in name or "." not in name else tuple(name.split(".")[1:])
    theirs = home.get(parts[0], room(parts))
    if theirs == mine or theirs.startswith("__version"):
        return None
    if theirs not in LAYER:
        return f"{mine} imports {name}, which is no subpackage of splitcrit; give {theirs} a layer"
    if LAYER[theirs] < LAYER[mine]:
        return None
    return f"{mine} (layer {LAYER[mine]}) may not import {theirs} (layer {LAYER[theirs]})"


def third_party(mine: str, name: str, late: bool) -> str | None:
    """The complaint about an import of a third party."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names:
        return None
    if top == "proofs":
        return f"{mine} may not import proofs; the package of proofs is called splitcrit.proofs"
    if mine not in THIRD_PARTIES.get(top, ()):
        allowed = ", ".join(sorted(THIRD_PARTIES.get(top, ()), key=LAYER.__getitem__)) or "no subpackage"
        return f"{mine} (layer {LAYER[mine]}) may not import {top}; allowed in: {allowed}"
    if top in LATE and not late:
        return f"{mine} may import {top} only inside the function that needs it"
    return None


def complaints(source: str, path: Path, home: dict[str, str]) -> list[str]:
    """What one module of the package, at `path` relative to it, imports against the rules."""
    mine = "__main__" if path.name == "__main__.py" else room(path.parts)
    if mine not in LAYER:
        return [f"{path}: {mine} has no layer; add it to LAYERS"]
    found = []
    for item in imports(source, ("splitcrit", *path.parts[:-1])):
        inner = item.name.partition(".")[0] == "splitcrit"
        late = PICTURES, OFFERED.get(path.as_posix(), PICTURES)
        if inner and item.late and item.name.startswith(late):
            continue
        if item.late and (path.as_posix(), item.name) == SYMBOLS:
            continue
        complaint = own_import(mine, item.name, home) if inner else third_party(mine, item.name, item.late)
        if complaint:
            found.append(f"{path}:{item.line}: {complaint}")
    return found
