"""What functions of the trees take has names: none takes nested tuples of its parameters apart in its first line."""

from __future__ import annotations

import ast
from pathlib import Path

import splitcrit

PACKAGE = Path(splitcrit.__file__).parent
# The list of exceptions only shrinks.
EXCEPTED = {"scan_sgini.py", "scan_standardised.py", "scan_tapes.py", "tapes_compiled.py"}


def nested(source: str) -> list[str]:
    """The functions whose first statement takes a parameter apart together with something else."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            given = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
            lines = [line for line in function.body if not isinstance(line, ast.Expr | ast.ImportFrom)]
            first = lines[0] if lines else None
            if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Tuple):
                value, target = first.value, first.targets[0]
                pairs = zip(target.elts, value.elts, strict=False) if isinstance(value, ast.Tuple) else ()
                taken = [v for t, v in pairs if isinstance(t, ast.Tuple) and isinstance(v, ast.Name) and v.id in given]
                found += [function.name] * bool(taken)
    return found


def test_a_parameter_that_is_taken_apart_is_seen() -> None:
    assert nested("def f(a, b):\n    (x, y), z = a, b\n    return x") == ["f"]
    assert nested("def f(a, b):\n    x, y = a\n    return x") == []


def test_no_function_takes_nested_tuples_apart_in_its_first_line() -> None:
    paths = [path for folder in ("trees/scan", "trees/growth", "trees") for path in (PACKAGE / folder).glob("*.py")]
    assert [f"{p.name}: {n}" for p in paths if p.name not in EXCEPTED for n in nested(p.read_text())] == []
