"""Nobody asks what kind of score a criterion has, or what an impurity's function can do: criteria declare it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import splitcrit

PACKAGE = Path(splitcrit.__file__).parent
PRIVATE = {"Decrease", "Normalised", "ImpreciseGain", "NE", "GCE", "Scaled", "Risk", "SGini", "AGini", "Significance"}
SAME = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In)
OWNED = ("splitcrit.criteria", "splitcrit.impurities", "splitcrit.nulls")
OWNERS = {"criteria", "impurities", "nulls"}  # they define scores: of private classes and of what they compare
ASKING = {"isinstance", "hasattr", "getattr", "type", "vars", "dir", "callable", "issubclass"}
DECLARING = {"criteria", "impurities", "nulls", "columns", "trees"}
NUMBERS = {"Rational", "Real", "Fraction", "float", "int"}  # what a score of a table may be asked for


def is_score(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is the score of a criterion or the function of an impurity, by its name."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("score", "of")
    return isinstance(node, ast.Name) and node.id in names


def score_names(function: ast.AST) -> set[str]:
    """The local names of scores: `of`, `score`, and what an attribute `.score` or `.of` is assigned to."""
    names = {"of", "score"}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.NamedExpr):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = zip(target.elts, node.value.elts, strict=False) if both else [(target, node.value)]  # type: ignore[attr-defined]
                names |= {t.id for t, v in pairs if isinstance(t, ast.Name) and is_score(v, set())}
    return names


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Every function with its name, and what is outside of them."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            inside |= {id(child) for child in ast.walk(node)} - {id(node)}
            yield getattr(node, "name", "<lambda>"), node
    outside = ast.Module([node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)], [])
    yield "", outside


def asked_of_scores(source: str) -> list[tuple[str, str]]:
    """The functions and the calls in them that ask a score what it is or has; a call stands in one of them at least."""
    return [
        (name, ast.unparse(call))
        for name, function in functions(ast.parse(source))
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ASKING
        if call.args and is_score(call.args[0], score_names(function))
        if len(call.args) < 2 or ast.unparse(call.args[1]) not in NUMBERS
    ]


def kinds_asked(source: str) -> list[str]:
    """The places where code asks what kind of score or formula it has, by class or by comparison."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(OWNED):
            found += [f"line {node.lineno}: imports {a.name}" for a in node.names if a.name in PRIVATE]
        same = isinstance(node, ast.Compare) and isinstance(node.ops[0], SAME)
        parts = [node.left, *node.comparators] if same else []  # type: ignore[attr-defined]
        asked = [p for p in parts if is_score(p, set())]
        found += [f"line {node.lineno}: compares {ast.unparse(p)}" for p in asked]  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(
    "planted",
    [
        "def f(c):\n    return isinstance(c.score, Permuted)",
        "def f(c):\n    score, tested = c.score, c.search.tested\n    return isinstance(score, Permuted)",
        "def f(c):\n    return (formula := c.score) and hasattr(formula, 'of_table')",
        "def f(score: Any):\n    return getattr(score, 'search', None)",
        "def f(score):\n    return type(score) is Permuted",
        "def f(loss):\n    of = Risk(loss)\n    return getattr(of, 'error', 0.0)",
        "class C:\n    def f(self):\n        return hasattr(self.score, 'of_table')",
        "f = lambda impurity: getattr(impurity.of, 'error', 0)",
        "flag = hasattr(twoing.score, 'of_table')",
    ],
)
def test_a_question_to_a_score_is_seen(planted: str) -> None:
    assert asked_of_scores(planted)


@pytest.mark.parametrize(
    "passing",
    [
        "def f(score: float):\n    return isinstance(score, Rational)",
        "def f(c):\n    return isinstance(c, Criterion) and hasattr(c, 'name')",
        "def f(c):\n    return c.score(t, m) if c.of_table is None else c.of_table(c.score, table)",
    ],
)
def test_other_questions_pass(passing: str) -> None:
    assert asked_of_scores(passing) == []


def test_nobody_asks_a_score_what_it_declares() -> None:
    files = [path for name in sorted(DECLARING) for path in sorted((PACKAGE / name).rglob("*.py"))]
    found = {
        (path.relative_to(PACKAGE).as_posix(), name): call
        for path in files
        for name, call in asked_of_scores(path.read_text())
    }
    assert len(files) > 150 and found == {}


def test_a_kind_that_is_asked_is_seen() -> None:
    assert len(kinds_asked("from splitcrit.criteria.gain import Decrease\nif c.score == x or y.of is z: 0")) == 3


def test_nobody_asks_what_kind_of_score_a_criterion_has() -> None:
    found = {
        str(path.relative_to(PACKAGE)): asked
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in {*OWNERS, "proofs"}
        if (asked := kinds_asked(path.read_text())) or (asked := [c for _, c in asked_of_attributes(path)])
    }
    assert found == {}


def asked_of_attributes(path: Path) -> list[tuple[str, str]]:
    """Questions to `x.score` or `x.of`, which are scores wherever they stand; local names may be numbers elsewhere."""
    return [(name, call) for name, call in asked_of_scores(path.read_text()) if ".score" in call or ".of" in call]
