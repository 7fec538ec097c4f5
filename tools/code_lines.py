"""Count the code lines of each room: lines that hold code, docstrings and comments aside.

``python tools/code_lines.py`` prints counts beside the ceilings of `tests/project/code_lines.toml`; ``--write`` lowers
the numbers of rooms that still wait for the step that brings them under their ceiling. It raises none.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE, KEPT = ROOT / "splitcrit", ROOT / "tests" / "project" / "code_lines.toml"
DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
TEXTS = ast.Constant, ast.JoinedStr
TOGETHER = {  # folders that are one room
    "losses": "criteria", "impurities": "criteria", "noise": "robustness",
}  # fmt: skip
APART = {"trees/multiway", "trees/distributed"}  # rooms inside a room


@cache
def parsed(source: str) -> ast.Module:
    """The tree of a module."""
    return ast.parse(source)


@cache
def code_rows(source: str) -> frozenset[int]:
    """The numbers of the lines of a module that hold code.

    Examples
    --------
    >>> sorted(code_rows('\"\"\"Words.\"\"\"\\n\\nx = [  # a list\\n    1,\\n]\\n'))
    [3, 4, 5]
    """
    lines = enumerate(source.splitlines(), 1)
    rows = {row for row, line in lines if (text := line.strip()) and not text.startswith("#")}
    for node in ast.walk(parsed(source)):
        if isinstance(node, TEXTS):  # of one with several lines, empty ones too
            rows.update(range(node.lineno, (node.end_lineno or 0) + 1))
    for node in ast.walk(parsed(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            rows.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return frozenset(rows)


def code_lines(source: str) -> int:
    """How many lines of a module hold code.

    Examples
    --------
    >>> code_lines("# a comment\\nx = (\\n    1  # one\\n)\\n")
    3
    >>> code_lines("def f():\\n    '''Words\\n    of two lines.'''\\n    return '''a\\n    text'''\\n")
    3
    >>> code_lines("class A:\\n    '''Words.'''\\n")
    1
    """
    return len(code_rows(source))


def room(path: Path) -> str:
    """The room of a module, by its path relative to the package.

    Examples
    --------
    >>> room(Path("losses/base.py")), room(Path("trees/multiway/tree.py")), room(Path("trees/scan/scan_sums.py"))
    ('criteria', 'trees/multiway', 'trees')
    >>> room(Path("frozen.py")), room(Path("testing.py")), room(Path("noise/channel.py"))
    ('base', 'testing', 'robustness')
    >>> room(Path("nulls/exact.py"))
    'nulls'
    """
    if len(path.parts) == 1:
        return "testing" if path.name == "testing.py" else "base"
    inside = "/".join(path.parts[:2])
    return inside if inside in APART else TOGETHER.get(path.parts[0], path.parts[0])


def modules(package: Path = PACKAGE) -> dict[Path, str]:
    """The source of each module, by its path relative to the package; links to folders of the root are left out."""
    paths = [path.relative_to(package) for path in sorted(package.rglob("*.py"))]
    return {path: (package / path).read_text(encoding="utf-8") for path in paths if not _linked(package, path)}


def _linked(package: Path, path: Path) -> bool:
    return (package / path.parts[0]).is_symlink()


def counted(package: Path = PACKAGE) -> dict[str, int]:
    """The code lines of each room."""
    lines: Counter[str] = Counter()
    for path, source in modules(package).items():
        lines[room(path)] += code_lines(source)
    return dict(sorted(lines.items()))


def packing(package: Path = PACKAGE) -> dict[str, float]:
    """How full the code lines are: statements and characters, without indentation, of the mean line."""
    lines = statements = characters = 0
    for source in modules(package).values():
        rows, text = code_rows(source), source.splitlines()
        lines += len(rows)
        characters += sum(len(text[row - 1].strip()) for row in rows)
        nodes = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.stmt)]
        statements += sum(node.lineno in rows for node in nodes)
    return {"statements": statements / lines, "characters": characters / lines}


def kept() -> dict[str, Any]:
    """The tables of `code_lines.toml`: the ceilings, the rooms that wait, and the mean line."""
    return tomllib.loads(KEPT.read_text(encoding="utf-8"))


def main() -> None:
    """Print the counts; lower what waits where counts have fallen."""
    today, tables = counted(), kept()
    ceilings, waiting = tables["ceilings"], tables["waiting"]
    for name in sorted(today, key=lambda name: -today[name]):
        step = f"  {waiting[name]['lines']} until: {waiting[name]['until']}" if name in waiting else ""
        print(f"{name:18}{today[name]:7}{ceilings.get(name, 0):7}{today[name] - ceilings.get(name, 0):+7}{step}")
    print(f"{'in all':18}{sum(today.values()):7}{sum(ceilings.values()):7}")
    print("  ".join(f"{name} per line {value:.3f}" for name, value in packing().items()))
    if "--write" in sys.argv:
        text = KEPT.read_text(encoding="utf-8")
        for name, step in waiting.items():
            old = f'lines = {step["lines"]}, until = "{step["until"]}"'
            lines = min(step["lines"], today[name])
            row = f'"{name}" = {{ {old} }}\n'
            new = row.replace(f"lines = {step['lines']}", f"lines = {lines}") if lines > ceilings[name] else ""
            text = text.replace(row, new)
        KEPT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
