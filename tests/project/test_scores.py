"""Nobody asks what kind of score a criterion has, or what an impurity's function can do: criteria declare it."""

from __future__ import annotations

import ast

import pytest

from layers import parsed, sources

PRIVATE = {"Decrease", "Normalised", "ImpreciseGain", "NE", "GCE", "Scaled", "Risk", "SGini", "AGini", "Significance"}
OWNERS = {"criteria", "impurities", "nulls"}  # they define scores: of private classes and of what they compare
NAMED = {*OWNERS, "columns", "trees"}  # where a local name `score` or `of` is a function, no number
ASKING = {"isinstance", "hasattr", "getattr", "type", "vars", "dir", "callable", "issubclass"}
NUMBERS = {"Rational", "Real", "Fraction", "float", "int"}  # what a score of a table may be asked for


def asked(source: str, home: str) -> list[str]:
    """The questions to a score of a criterion or the function of an impurity in a module of a room."""

    def is_score(node: ast.AST, named: bool = home in NAMED) -> bool:
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) and named else ""
        return name in ("score", "of")

    found = []
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING and node.args:
            number = len(node.args) > 1 and ast.unparse(node.args[1]) in NUMBERS
            found += [ast.unparse(node)] * (is_score(node.args[0]) and not number)
        elif isinstance(node, ast.Compare) and home not in OWNERS:
            same = isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In)
            found += [ast.unparse(node)] * (same and any(is_score(x, False) for x in (node.left, *node.comparators)))
        elif isinstance(node, ast.ImportFrom) and home not in OWNERS:
            owned = (node.module or "").startswith(tuple(f"splitcrit.{name}" for name in OWNERS))
            found += [ast.unparse(node)] * (owned and any(alias.name in PRIVATE for alias in node.names))
    return found


@pytest.mark.parametrize(
    ("planted", "home", "seen"),
    [
        ("def f(c):\n    return isinstance(c.score, Permuted)", "plots", 1),
        ("def f(c):\n    return (of := c.score) and hasattr(of, 'of_table')", "trees", 1),
        ("def f(score):\n    return type(score) is Permuted", "columns", 1),
        ("f = lambda impurity: getattr(impurity.of, 'error', 0)", "plots", 1),
        ("from splitcrit.criteria.gain import Decrease\nif c.score == x or y.of is z: 0", "plots", 3),
        ("from splitcrit.criteria.gain import Decrease\nif c.score == x or y.of is z: 0", "nulls", 0),
        ("def f(score: float):\n    return isinstance(score, Rational)", "trees", 0),
        ("def f(score: float):\n    return isinstance(score, Permuted)", "plots", 0),
        ("def f(c):\n    return isinstance(c, Criterion) and hasattr(c, 'name')", "trees", 0),
    ],
)
def test_questions_are_seen(planted: str, home: str, seen: int) -> None:
    assert len(asked(planted, home)) == seen


def test_nobody_asks_a_score_what_it_is() -> None:
    ours = {path: text for path, text in sources().items() if path.parts[0] != "proofs"}
    found = {str(path): asked(text, path.parts[0]) for path, text in ours.items()}
    assert len(found) > 300 and {path: calls for path, calls in found.items() if calls} == {}
