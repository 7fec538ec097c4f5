"""The page about the design names what is there: modules, functions, bands and layers."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from layers import BANDS, LAYER

pytest.importorskip("numba")  # compiled modules are imported
DOCS = Path(__file__).parents[2] / "docs"
PAGES = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("design", "reading-the-theory")}
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
    text = (
        "`trees.scan.open_nodes`, `trees.scan.attic`, `trees.growth.driver.levels`, `nulls.attic`, `attic.name`, `data`"
    )
    assert missing(text) == ["nulls.attic", "trees.scan.attic"]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    assert missing(PAGES[page]) == []


def test_the_bands_are_those_of_the_test() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \| (.*) \|$", PAGES["design"], re.MULTILINE)
    shown = [(band, int(layer), tuple(CODE.findall(names))) for band, layer, names in reversed(rows)]
    layers = [(band, names) for band, layers in BANDS.items() for names in layers]
    assert shown == [(band, layer, names) for layer, (band, names) in enumerate(layers)]


def test_the_theory_is_walked_through_in_ten_files() -> None:
    headings = re.findall(r"^## \d+\. `splitcrit/([\w/]+\.py)`", PAGES["reading-the-theory"], re.MULTILINE)
    package = DOCS.parent / "splitcrit"
    assert len(set(headings)) == 10 and [name for name in headings if not (package / name).is_file()] == []
