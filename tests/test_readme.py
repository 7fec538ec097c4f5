"""What the README shows is what happens: its examples run, its commands exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.name
)
def test_examples_give_the_output_shown(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
    if page.name == "README.md":
        assert result.attempted >= 6


def test_the_commands_shown_are_targets_of_the_makefile() -> None:
    shown = set(re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.M))
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M))
    assert {"verify", "test"} <= shown <= targets
