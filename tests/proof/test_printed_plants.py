"""Changes of the library's source that a printer could not see, each of which it refuses or prints."""

from __future__ import annotations

import inspect
import re
import textwrap
from types import ModuleType
from typing import Any

import pytest

from splitcrit.nulls import formulas, permutation
from splitcrit.proof.undecided import Undecided
from splitcrit.proofs.rocq.printed import null_law

PIECES = {  # what stands in the place of the totals of columns, and the reason for which it is refused
    "set(columns)": "a set in",
    "sorted(columns)": "sorted",
    "{b: b for b in columns}": "a dictionary by members",
    "{*columns}": "a set by members",
    "dict.fromkeys(columns)": "fromkeys",
}
GUARDS = {  # a function, a line of it, and a condition on which something else is returned before; and the reason
    ("exact_mean", "unlike = ", "isinstance(n, int) and n == 41"): "isinstance of a term",
    ("exact_variance", "n, r, d =", "isinstance(sum(rows), int) and sum(rows) > 200"): "isinstance of a term",
    ("uneven_row", "return ", "isinstance(n, float)"): "its class",
    ("exact_mean", "unlike = ", "type(n) is int and n == 41"): "got type in",
    ("exact_mean", "unlike = ", "n.__class__ is int and n == 41"): "its class",
    ("exact_mean", "unlike = ", "f'{n}' == '41'"): "its text",
    ("exact_mean", "unlike = ", "n.bit_length() > 8"): "bit_length|its class",
    ("exact_mean", "unlike = ", "isinstance(rows, list) and rows[0] == 41"): "isinstance of a term or a family",
}
PLANTS = [("exact_mean", "for b in columns", f"for b in {new}", reason) for new, reason in PIECES.items()]
PLANTS += [
    (name, f"    {line}", f"    if {condition}:\n        return n\n    {line}", reason)
    for (name, line, condition), reason in GUARDS.items()
]


def planted(module: ModuleType, name: str, old: str, new: str) -> Any:
    """Return a function of a module with one piece of its source changed."""
    source = textwrap.dedent(inspect.getsource(getattr(module, name)))
    assert old in source, f"{name} holds no {old!r}"
    scope = dict(vars(module))
    exec(compile(source.replace(old, new, 1), str(module.__file__), "exec"), scope)
    return scope[name]


@pytest.mark.parametrize(("name", "old", "new", "reason"), PLANTS)
def test_the_printer_notices(name: str, old: str, new: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = permutation if hasattr(permutation, name) else formulas
    monkeypatch.setattr(module, name, planted(module, name, old, new))
    with pytest.raises(Undecided) as caught:
        list(null_law.definitions())
    assert re.search(reason, str(caught.value)), caught.value


def test_the_functions_as_they_are_print() -> None:
    assert {"py_exact_mean", "py_exact_variance"} <= {d.name for d in null_law.definitions()}
