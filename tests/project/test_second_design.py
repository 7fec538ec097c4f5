"""The map of the second design names what is there: modules, functions and layers."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from layers import LAYER, LAYERS

pytest.importorskip("numba")  # compiled modules are imported
PAGE = (Path(__file__).parents[2] / "docs" / "second-design.md").read_text(encoding="utf-8")
MAP = PAGE.partition("## From the first design")[2].partition("## Three paths")[0]
ROW = re.compile(r"^\| (.*) \| (.*) \|$", re.MULTILINE)
MOVED = [cells for cells in ROW.findall(MAP) if cells != ("yesterday", "today")]
CODE = re.compile(r"`([a-z_]\w*(?:\.\w+)*)`")


def found(name: str) -> bool:
    """Whether a dotted name is a module of the package or something in one."""
    above, _, last = f"splitcrit.{name}".rpartition(".")
    try:
        return hasattr(module := import_module(above), last) or find_spec(f"{module.__name__}.{last}") is not None
    except ModuleNotFoundError:
        return False


def missing(text: str) -> list[str]:
    """The dotted names of the package in a text that lead nowhere."""
    names = {name for name in CODE.findall(text) if name.split(".")[0] in LAYER and "." in name}
    return sorted(name for name in names if not found(name))


def test_a_name_that_leads_nowhere_is_seen() -> None:
    text = "`search.levels`, `search.attic`, `growth.driver.levels`, `growth.driver.attic`, `attic.name`, `search`"
    assert missing(text) == ["growth.driver.attic", "search.attic"]


def test_what_the_page_names_is_there() -> None:
    today = "\n".join(new for _, new in MOVED)
    assert len(MOVED) > 25 and missing(today) == [] == missing(ROW.sub("", PAGE))


def test_what_kept_its_name_is_there() -> None:
    kept = [(old, CODE.findall(new)[0]) for old, new in MOVED if new.startswith("the same names in")]
    assert len(kept) == 2
    for old, home in kept:
        assert [n for name in CODE.findall(old) if not found(n := f"{home}.{name.removeprefix('kernel.')}")] == []


def test_what_died_is_gone() -> None:
    gone = ("kernel", "moments", "tree", "grow", "grow_regression", "partitions")
    assert [name for name in gone if find_spec(f"splitcrit.{name}")] == []
    assert set(gone) <= {name.split(".")[0] for old, _ in MOVED for name in CODE.findall(old)}


def test_every_subpackage_is_on_the_map() -> None:
    today = [new if new != "the same" else old for old, new in MOVED]
    named = {name.split(".")[0] for cell in today for name in CODE.findall(cell)}
    assert set(LAYER) - {"__main__"} - named == set()


def test_the_layers_are_those_of_the_test() -> None:
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", PAGE, re.MULTILINE)
    shown = {int(layer): tuple(name.strip("` ") for name in names.split(",")) for layer, names in rows}
    assert shown == dict(enumerate(LAYERS))
