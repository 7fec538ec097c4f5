"""Docstrings of public names, what ruff does not check: they describe the parameters there are, and show an example."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from reference import exported, subpackages

import splitcrit

SECTION = re.compile(r"^(\w[\w ]+)\n-{3,}$", re.MULTILINE)
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : .*)?$", re.MULTILINE)


def described() -> dict[str, Any]:
    """Every exported function and class by its name."""
    named = {name: getattr(home, name) for _, _, home in subpackages() for name in exported(home)}
    return {name: value for name, value in named.items() if inspect.isfunction(value) or inspect.isclass(value)}


def wrong(value: Any, public: bool) -> list[str]:
    """What a docstring lacks, and the parameters that it describes and its object has not."""
    told = inspect.getdoc(value) or ""
    first, *rest = SECTION.split(told)
    parts = {"": first, **dict(zip(rest[::2], rest[1::2], strict=True))}
    found = [] if told and len(parts) == 1 + len(rest) // 2 else ["no text, or a section twice"]
    try:
        taken = inspect.signature(value).parameters.values()
    except ValueError:
        taken = {}.values()  # type: ignore[assignment]
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    described = [name.strip() for line in ENTRY.findall(parts.get("Parameters", "")) for name in line.split(",")]
    found += sorted({*described} - {stars.get(p.kind, "") + p.name for p in taken}) if taken else []
    wanted = ["Examples"] * public + ["Parameters"] * (public and len([p for p in taken if p.name != "self"]) > 1)
    wanted += ["Raises"] * (public and inspect.isfunction(value) and "raise " in inspect.getsource(value))
    return found + [f"no {title}" for title in wanted if title not in parts]


def test_docstrings_describe_what_there_is() -> None:
    found = {name: wrong(value, name in splitcrit.__all__) for name, value in described().items()}
    assert len(found) > 100 and {name: said for name, said in found.items() if said} == {}


def planted(a: int, *b: int) -> None:
    """Nothing.

    Parameters
    ----------
    a, c
        Numbers.
    *b : int
        More.
    """
    raise ValueError


@pytest.mark.parametrize(("public", "said"), [(False, ["c"]), (True, ["c", "no Examples", "no Raises"])])
def test_what_is_wrong_is_seen(public: bool, said: list[str]) -> None:
    assert wrong(planted, public) == said
