"""Where the project breaks its own rules: counted from the sources and the benchmarks on every build.

Main definitions: ``long_modules``, ``long_functions``, ``missed_gates``, ``page``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from writing import code, table, text

ROOT = Path(__file__).parents[2]
MODULE, FUNCTION = 250, 40
HEAD = f"""\
# Our current violations

The project has rules: a module is one idea in at most {MODULE} lines, a function has at most {FUNCTION}, and every
benchmark meets the gate it was given. This page is written from the sources and from `benchmarks/results.md` on every
build, so that it can neither flatter nor forget.
"""


def sources() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every module of the package and of the proofs."""
    package = ROOT / "splitcrit"
    inside = (p for p in package.rglob("*.py") if p.relative_to(package).parts[0] != "proofs")  # a link
    for path in sorted([*inside, *(ROOT / "proofs").rglob("*.py")]):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def long_modules() -> list[tuple[str, int]]:
    """Return the modules that are too long, the longest first."""
    sizes = [(name, len(source.splitlines())) for name, source in sources()]
    return sorted((x for x in sizes if x[1] > MODULE), key=lambda x: -x[1])


@lru_cache(maxsize=1)
def long_functions() -> list[tuple[str, str, int]]:
    """Return the functions whose code without the docstring is too long, the longest first."""
    found = []
    for name, source in sources():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and (lines := _lines(node)) > FUNCTION:
                found.append((name, node.name, lines))
    return sorted(found, key=lambda x: -x[2])


def _lines(node: ast.FunctionDef) -> int:
    """Return the lines of a function, those of its docstring not counted."""
    first = node.body[0]
    told = first if ast.get_docstring(node) is not None else None
    return (node.end_lineno or 0) - node.lineno + 1 - (told.end_lineno - told.lineno + 1 if told else 0)


def missed_gates() -> list[list[str]]:
    """Return the lines of the benchmark results that missed their gate: what, ratio, gate."""
    lines = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8").splitlines()
    cells = [[x.strip() for x in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [[row[0], row[3], row[5]] for row in cells if len(row) == 7 and row[6] not in ("met", "", "---")]


def page() -> str:
    """Return the page."""
    modules, functions, gates = long_modules(), long_functions(), missed_gates()
    parts = [HEAD, f"## Modules of more than {MODULE} lines: {len(modules)}\n"]
    parts.append(
        table(["module", "lines"], [[code(name), str(size)] for name, size in modules]) if modules else "None."
    )
    parts.append(f"\n## Functions of more than {FUNCTION} lines: {len(functions)}\n\nDocstrings are not counted.\n")
    rows = [[code(f"{name}: {function}"), str(size)] for name, function, size in functions]
    parts.append(table(["function", "lines"], rows) if rows else "None.")
    parts.append(f"\n## Benchmarks that missed their gate: {len(gates)}\n")
    parts.append(table(["what", "ratio", "gate"], [[text(x) for x in row] for row in gates]) if gates else "None.")
    return "\n".join(parts) + "\n"
