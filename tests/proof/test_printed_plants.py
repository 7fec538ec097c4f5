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

PLANTS: dict[str, tuple[ModuleType, str, str, str, str]] = {
    "a set of the totals": (
        permutation,
        "exact_mean",
        "sum(b * b for b in columns)",
        "sum(b * b for b in set(columns))",
        "a set in",
    ),
    "the totals sorted": (permutation, "exact_mean", "for b in columns", "for b in sorted(columns)", "sorted"),
    "the totals as keys": (
        permutation,
        "exact_mean",
        "sum(b * b for b in columns)",
        "sum(b * b for b in {b: b for b in columns})",
        "a dictionary by members",
    ),
    "the totals as a set display": (
        permutation,
        "exact_mean",
        "sum(b * b for b in columns)",
        "sum(b * b for b in {*columns})",
        "a set by members",
    ),
    "the totals once each, by dict": (
        permutation,
        "exact_mean",
        "for b in columns",
        "for b in dict.fromkeys(columns)",
        "fromkeys",
    ),
    "one whole number": (
        permutation,
        "exact_mean",
        "    unlike = ",
        "    if isinstance(n, int) and n == 41:\n        return Ratio(1)\n    unlike = ",
        "isinstance of a term",
    ),
    "large whole numbers": (
        permutation,
        "exact_variance",
        "    n, r, d =",
        "    if isinstance(sum(rows), int) and sum(rows) > 200:\n        return Ratio(1)\n    n, r, d =",
        "isinstance of a term",
    ),
    "floats": (
        formulas,
        "uneven_row",
        "    return ",
        "    if isinstance(n, float):\n        return n\n    return ",
        "its class",
    ),
    "the type of a number": (
        permutation,
        "exact_mean",
        "    unlike = ",
        "    if type(n) is int and n == 41:\n        return Ratio(1)\n    unlike = ",
        "got type in",
    ),
    "the class of a number": (
        permutation,
        "exact_mean",
        "    unlike = ",
        "    if n.__class__ is int and n == 41:\n        return Ratio(1)\n    unlike = ",
        "its class",
    ),
    "the text of a number": (
        permutation,
        "exact_mean",
        "    unlike = ",
        "    if f'{n}' == '41':\n        return Ratio(1)\n    unlike = ",
        "its text",
    ),
    "what only integers have": (
        permutation,
        "exact_mean",
        "    unlike = ",
        "    if n.bit_length() > 8:\n        return Ratio(1)\n    unlike = ",
        "bit_length|its class",
    ),
    "a list of numbers": (
        permutation,
        "exact_mean",
        "    unlike = ",
        "    if isinstance(rows, list) and rows[0] == 41:\n        return Ratio(1)\n    unlike = ",
        "isinstance of a term or a family",
    ),
}


def planted(module: ModuleType, name: str, old: str, new: str) -> Any:
    """Return a function of a module with one piece of its source changed."""
    source = textwrap.dedent(inspect.getsource(getattr(module, name)))
    assert old in source, f"{name} holds no {old!r}"
    scope = dict(vars(module))
    exec(compile(source.replace(old, new, 1), str(module.__file__), "exec"), scope)
    return scope[name]


@pytest.mark.parametrize("name", PLANTS)
def test_the_printer_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, old, new, reason = PLANTS[name]
    monkeypatch.setattr(module, function, planted(module, function, old, new))
    with pytest.raises(Undecided) as caught:
        list(null_law.definitions())
    assert re.search(reason, str(caught.value)), caught.value


def test_the_functions_as_they_are_print() -> None:
    assert {"py_exact_mean", "py_exact_variance"} <= {d.name for d in null_law.definitions()}
