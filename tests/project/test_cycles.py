"""No two modules lead to one another, within a subpackage, across them, or by the picture that a result draws."""

from __future__ import annotations

import ast
from pathlib import Path

from layers import PICTURES, imports

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "splitcrit"


def _running(source: str) -> str:
    """A source without what only a type checker reads."""
    tree = ast.parse(source)
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
    ]
    return ast.unparse(tree)


def _reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    """The modules that one leads to."""
    found: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += graph[name]
    return found


def cycles(sources: dict[str, str]) -> set[frozenset[str]]:
    """The sets of modules that lead to one another, of modules by their dotted names; the package's root apart."""
    packages = {name.rpartition(".")[0] for name in sources}
    graph: dict[str, set[str]] = {}
    for name, source in sources.items():
        package = tuple((name if name in packages else name.rpartition(".")[0]).split("."))
        read = source if name in packages else _running(source)  # what a package imports on first use counts
        seen = {item.name for item in imports(read, package)}
        wanted = {part if part in sources else part.rpartition(".")[0] for part in seen}
        graph[name] = {part for part in wanted if part in sources and part != name}
    reached = {name: _reached(name, graph) for name in graph}
    return {frozenset(other for other in reached[name] if name in reached[other])
            for name in graph if name in reached[name]}  # fmt: skip


def modules() -> dict[str, str]:
    """The source of every module by its dotted name; the proofs apart, which have an order of their own."""
    found = {path.relative_to(ROOT).with_suffix("").parts: path for path in PACKAGE.rglob("*.py")}
    inside = {parts: path for parts, path in found.items() if parts[1] not in ("__init__", "proofs")}
    return {".".join(x for x in parts if x != "__init__"): path.read_text() for parts, path in inside.items()}


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert cycles(modules()) == set()


def drawing(source: str) -> list[tuple[str, str]]:
    """The statements that load a picture, each with the function in which it stands."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    lines = [(node.name, ast.unparse(line)) for node in functions for line in node.body]
    return [(name, line) for name, line in lines if any(x.name.startswith(PICTURES) for x in imports(line, ()))]


def test_a_result_draws_itself_in_one_line() -> None:
    """The only import that goes up: ``plot()`` returns what the function of its picture returns."""
    lines = [drawing(source) for name, source in modules().items() if not name.startswith("splitcrit.plots")]
    found = [each for of_module in lines for each in of_module]
    assert len(found) >= 4
    for name, line in found:
        assert name == "plot" and line.startswith(f"return import_module('{PICTURES}"), line
        assert "(self, ax=ax" in line


def test_a_planted_circle_is_seen() -> None:
    """Also where the import stands inside a function, and through the package's own ``__init__``."""
    chain = {"splitcrit.b.low": "", "splitcrit.b.high": "from splitcrit.b.low import x", "splitcrit.b": ""}
    assert cycles(chain) == set()
    late = chain | {"splitcrit.b.low": "def f():\n    from splitcrit.b import high"}
    assert cycles(late) == {frozenset({"splitcrit.b.low", "splitcrit.b.high"})}
    through = chain | {"splitcrit.b": "from .high import y", "splitcrit.b.low": "from splitcrit.b import y"}
    assert cycles(through) == {frozenset({"splitcrit.b", "splitcrit.b.low", "splitcrit.b.high"})}
    picture = {"splitcrit.b.low": "def plot(self):\n    return import_module('splitcrit.plots.low').draw(self)"}
    drawn = picture | {"splitcrit.plots.low": "from splitcrit.b.low import Low"}
    assert cycles(drawn) == {frozenset({"splitcrit.b.low", "splitcrit.plots.low"})}
    typed = chain | {"splitcrit.b.low": "if TYPE_CHECKING:\n    from splitcrit.b.high import y"}
    assert cycles(typed) == set()
