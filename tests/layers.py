"""The layers: which subpackage may import which, and which subpackage may import which third party.

Reads source with `ast` and the standard library only, so that it judges modules it cannot import.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LAYERS = (
    ("values", "jit", "display"),
    ("arith", "arguments", "compiling", "files", "frames"),
    ("losses", "table"),
    ("impurities", "noise", "limits"),
    ("criteria",),
    ("nulls", "vertices", "robustness"),
    ("search", "names", "inputs"),
    ("growth", "discretize", "metrics"),
    ("importance",),
    ("estimators",),
    ("inference", "multiway"),
    ("plots", "distributed", "proof", "export"),
    ("proofs",),
    ("cli",),
    ("__main__",),  # of the package and of the proofs: commands, which nothing imports
)
LAYER = {name: layer for layer, names in enumerate(LAYERS) for name in names}

CHECKERS = {"proof", "proofs"}
LEARNERS = {
    "discretize",
    "metrics",
    "multiway",
    "importance",
    "estimators",
    "distributed",
    "inference",
}
THIRD_PARTIES = {
    "numpy": set(LAYER),
    "scipy": {name for name, layer in LAYER.items() if layer >= 3},
    "sympy": CHECKERS,
    "mpmath": CHECKERS,
    "flint": CHECKERS,
    "z3": CHECKERS,
    "numba": {"jit", "compiling", "nulls", "search", "growth", "export"},
    "sklearn": LEARNERS,
    "joblib": {"cli", "estimators", "inference"},
    "dask": {"distributed"},
    "distributed": {"distributed"},
    "array_api_compat": {"arith"},
    "pyarrow": {"table"},
    "matplotlib": {"plots"},
    "rich": {"cli", "proofs"},
    "shtab": {"cli"},
}
LATE = {"scipy", "array_api_compat", "pyarrow"}  # imported inside the function that needs them


@dataclass(frozen=True)
class Import:
    """One imported dotted name, the line it stands on, and whether a function surrounds it."""

    name: str
    line: int
    late: bool


def imports(source: str, package: tuple[str, ...]) -> Iterator[Import]:
    """Every import of a module that lies in `package`, relative ones resolved; `from a import b` reads `a.b`."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        late = id(node) in inside
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, late) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = [*above, *filter(None, [node.module])]
            yield from (Import(".".join([*base, alias.name]), node.lineno, late) for alias in node.names)


def own_import(mine: str, name: str, home: dict[str, str]) -> str | None:
    """The complaint about an import of the package itself; `home` says in which subpackage a public name lives."""
    first = "__main__" if "__main__" in name or "." not in name else name.split(".")[1]
    theirs = home.get(first, first)
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
    mine = "__main__" if path.name == "__main__.py" else path.parts[0].removesuffix(".py")
    if mine not in LAYER:
        return [f"{path}: {mine} has no layer; add it to LAYERS"]
    found = []
    for item in imports(source, ("splitcrit", *path.parts[:-1])):
        inner = item.name.partition(".")[0] == "splitcrit"
        complaint = own_import(mine, item.name, home) if inner else third_party(mine, item.name, item.late)
        if complaint:
            found.append(f"{path}:{item.line}: {complaint}")
    return found
