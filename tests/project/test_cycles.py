"""No two modules lead to one another, within a subpackage, across them, or by the picture that a result draws."""

from __future__ import annotations

import re

import pytest

from layers import PICTURES, imports, sources

LOW, HIGH = "splitcrit.b.low", "splitcrit.b.high"
CHAIN = {LOW: "", HIGH: "from splitcrit.b.low import x", "splitcrit.b": ""}
PICTURE = "def plot(self):\n    return import_module('splitcrit.plots.low').draw(self)"
DRAWN = {LOW: PICTURE, "splitcrit.plots.low": "from splitcrit.b.low import Low"}


def _reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    """The modules that one leads to."""
    found, ahead = set[str](), list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += graph[name]
    return found


def cycles(texts: dict[str, str]) -> set[frozenset[str]]:
    """The sets of modules that lead to one another, of modules by their dotted names; the package's root apart."""
    packages = {name.rpartition(".")[0] for name in texts}
    graph: dict[str, set[str]] = {}
    for name, source in texts.items():
        inside = name in packages  # what a package imports on first use, and shows type checkers, counts
        package = tuple((name if inside else name.rpartition(".")[0]).split("."))
        seen = {item.name for item in imports(source, package) if inside or not item.typed}
        wanted = {part if part in texts else part.rpartition(".")[0] for part in seen}
        graph[name] = {part for part in wanted if part in texts and part != name}
    reached = {name: _reached(name, graph) for name in graph}
    return {
        frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]
    }


def modules() -> dict[str, str]:
    """The source of every module by its dotted name; the proofs apart, which have an order of their own."""
    inside = {path.with_suffix("").parts: text for path, text in sources().items() if path.parts[0] != "proofs"}
    named = {("splitcrit", *(part for part in parts if part != "__init__")): text for parts, text in inside.items()}
    return {".".join(parts): text for parts, text in named.items() if len(parts) > 1}


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert cycles(modules()) == set()


@pytest.mark.parametrize(
    ("texts", "circle"),
    [
        (CHAIN, set()),
        (CHAIN | {LOW: "def f():\n    from splitcrit.b import high"}, {LOW, HIGH}),
        (CHAIN | {"splitcrit.b": "from .high import y", LOW: "from splitcrit.b import y"}, {"splitcrit.b", LOW, HIGH}),
        (DRAWN, {*DRAWN}),
        (CHAIN | {LOW: "if TYPE_CHECKING:\n    from splitcrit.b.high import y"}, set()),
    ],
)
def test_a_planted_circle_is_seen(texts: dict[str, str], circle: set[str]) -> None:
    assert cycles(texts) == ({frozenset(circle)} if circle else set())


def test_a_result_draws_itself_in_one_line() -> None:
    """The only import that goes up: ``plot()`` returns what the function of its picture returns."""
    found = list[tuple[str, str]]()
    for name, text in modules().items():
        lines = text.splitlines()
        for item in imports(text, ()) if not name.startswith("splitcrit.plots") else ():
            if item.name.startswith(PICTURES):
                found.append(
                    (re.findall(r"def (\w+)", "\n".join(lines[: item.line]))[-1], lines[item.line - 1].strip())
                )
    assert len(found) >= 4
    drawn = re.compile(r'return import_module\("splitcrit\.plots\.\w+"\)\.\w+\(self, ax=ax')
    assert [each for each in found if each[0] != "plot" or not drawn.match(each[1])] == []
