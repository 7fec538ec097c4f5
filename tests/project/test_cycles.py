"""No two modules lead to one another, within a subpackage, across them, or by the picture that a result draws."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter

import pytest

from layers import PICTURES, imports, sources

LOW, HIGH = "splitcrit.b.low", "splitcrit.b.high"
CHAIN = {LOW: "", HIGH: "from splitcrit.b.low import x", "splitcrit.b": ""}
PICTURE = "def plot(self):\n    return import_module('splitcrit.plots.low').draw(self)"
DRAWN = {LOW: PICTURE, "splitcrit.plots.low": "from splitcrit.b.low import Low"}


def circle(texts: dict[str, str]) -> set[str]:
    """Modules that lead to one another, of modules by their dotted names; the package's root apart."""
    packages = {name.rpartition(".")[0] for name in texts}
    graph: dict[str, set[str]] = {}
    for name, source in texts.items():
        inside = name in packages  # what a package imports on first use, and shows type checkers, counts
        package = tuple((name if inside else name.rpartition(".")[0]).split("."))
        seen = {item.name for item in imports(source, package) if inside or not item.typed}
        wanted = {part if part in texts else part.rpartition(".")[0] for part in seen}
        graph[name] = {part for part in wanted if part in texts and part != name}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return {*error.args[1]}
    return set()


def modules() -> dict[str, str]:
    """The source of every module by its dotted name; the proofs apart, which have an order of their own."""
    inside = {path.with_suffix("").parts: text for path, text in sources().items() if path.parts[0] != "proofs"}
    named = {("splitcrit", *(part for part in parts if part != "__init__")): text for parts, text in inside.items()}
    return {".".join(parts): text for parts, text in named.items() if len(parts) > 1}


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circle(modules()) == set()


@pytest.mark.parametrize(
    ("texts", "planted"),
    [
        (CHAIN, set()),
        (CHAIN | {LOW: "def f():\n    from splitcrit.b import high"}, {LOW, HIGH}),
        (CHAIN | {"splitcrit.b": "from .high import y", LOW: "from splitcrit.b import y"}, {"splitcrit.b", LOW, HIGH}),
        (DRAWN, {*DRAWN}),
        (CHAIN | {LOW: "if TYPE_CHECKING:\n    from splitcrit.b.high import y"}, set()),
    ],
)
def test_a_planted_circle_is_seen(texts: dict[str, str], planted: set[str]) -> None:
    assert circle(texts) == planted


def test_a_result_draws_itself_in_one_line() -> None:
    """The only import that goes up is that of a method, which returns what the function of its picture returns."""
    texts = "\n".join(text for name, text in modules().items() if not name.startswith("splitcrit.plots"))
    doors = [line for line in texts.splitlines() if f'import_module("{PICTURES}' in line]
    assert len(doors) >= 4
    drawn = re.compile(r'        return import_module\("splitcrit\.plots\.\w+"\)\.\w+\(self, ax=ax')
    assert [line for line in doors if not drawn.match(line)] == []
