"""Docstrings of public names: what ruff does not check.

The sections stand in one order, each at most once; the parameters that are described are those of the signature; what
a function takes, returns and raises is said, and shown by an example.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import splitcrit
from layers import LAYERS

ORDER = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns", "See Also", "Notes", "References",
         "Examples")  # fmt: skip
SECTION = re.compile(r"^(\w[\w ]+)\n-{3,}$", re.MULTILINE)
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : .*)?$", re.MULTILINE)
SILENT = {"__main__", "arguments", "cli", "limits", "names", "proofs", "values"}  # without names for users


def subpackages() -> list[str]:
    """The subpackages that export names."""
    return [name for layer in LAYERS for name in layer if name not in SILENT]


def exported() -> Iterator[tuple[str, str, Any]]:
    """Every exported function and class: its subpackage, name and object, once."""
    seen = set()
    for home in subpackages():
        module = import_module(f"splitcrit.{home}")
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if (inspect.isfunction(value) or inspect.isclass(value)) and id(value) not in seen:
                seen.add(id(value))
                yield home, name, value


CASES = list(exported())
IDS = [f"{home}.{name}" for home, name, _ in CASES]
PUBLIC = [(home, name, value) for home, name, value in CASES if name in splitcrit.__all__]


def sections(told: str) -> dict[str, str]:
    """The text of each section by its title, in order; what stands before the first has the title ''."""
    parts = SECTION.split(told)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def described(text: str) -> list[str]:
    """The names of the parameters that a section describes."""
    return [name.strip() for line in ENTRY.findall(text) for name in line.split(",")]


@pytest.mark.parametrize(("home", "name", "value"), CASES, ids=IDS)
def test_sections_keep_the_order_and_describe_parameters_of_the_signature(home: str, name: str, value: Any) -> None:
    told = inspect.getdoc(value)
    assert told
    titles = SECTION.findall(told)
    assert len(titles) == len(set(titles))
    assert (known := [ORDER.index(title) for title in titles]) == sorted(known), titles
    if (taken := sections(told).get("Parameters", "")) and _has_signature(value):
        stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
        assert set(described(taken)) <= {stars.get(p.kind, "") + p.name for p in _parameters(value)}


@pytest.mark.parametrize(("home", "name", "value"), PUBLIC, ids=[f"{r}.{n}" for r, n, _ in PUBLIC])
def test_public_names_show_an_example_and_say_what_they_take(home: str, name: str, value: Any) -> None:
    found = sections(inspect.getdoc(value) or "")
    assert ">>> " in found.get("Examples", ""), "no example"
    wanted = [p for p in _parameters(value) if p.name != "self"]
    if len(wanted) > 1:
        assert "Parameters" in found, "no Parameters"
    if inspect.isfunction(value) and not found[""].startswith(("Return ", "Make ", "Yield ")):
        assert "Returns" in found, "does not say what it returns"
    if inspect.isfunction(value) and "raise " in inspect.getsource(value):
        assert "Raises" in found, "no Raises"


def neighbours(value: Any) -> list[str]:
    """The names in a section See Also."""
    return re.findall(r"^(\w+) : \S", sections(inspect.getdoc(value) or "").get("See Also", ""), re.M)


def test_public_functions_and_estimators_are_told_from_their_neighbours() -> None:
    known = {name for home in subpackages() for name in getattr(import_module(f"splitcrit.{home}"), "__all__", ())}
    known |= {"SplitSelector", "selected_score"}  # of a module without a list
    assert {name for _, _, value in CASES for name in neighbours(value)} <= known
    own = [(name, value) for _, name, value in PUBLIC if value is getattr(splitcrit, name)]
    told = {name: neighbours(value) for name, value in own if inspect.isfunction(value) or hasattr(value, "fit")}
    assert len(told) > 40
    alone = {name for name, others in told.items() if not others}
    assert alone == {"replace", "scaled"}


def _has_signature(value: Any) -> bool:
    try:
        inspect.signature(value)
    except ValueError:
        return False
    return True


def _parameters(value: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(value).parameters.values()) if _has_signature(value) else []


@pytest.mark.parametrize(
    ("told", "names"),
    [("a : int\n    One.\nb, c\n    Two.\n", ["a", "b", "c"]), ("**changes\n    More : or less.\n", ["**changes"])],
)
def test_the_parts_are_read(told: str, names: list[str]) -> None:
    assert described(told) == names
    assert list(sections(f"One.\n\nParameters\n----------\n{told}\n\nExamples\n--------\n>>> 1\n")) == [
        "", "Parameters", "Examples",
    ]  # fmt: skip
