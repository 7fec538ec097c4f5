"""The pages that are written by hand, their fenced blocks, and whether what they name is there."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tools.readme import FENCE as FENCE  # a directive, {toctree}, is one too

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
MADE = {"_build", "_ext", "generated"}  # written by the build, not by hand
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if path.relative_to(DOCS).parts[0] not in MADE]


def ids(path: Path) -> str:
    """The name of a file in the project."""
    return path.relative_to(ROOT).as_posix()


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of one kind."""
    return [text for language, text in FENCE.findall(page.read_text(encoding="utf-8")) if language == kind]


def exists(name: str) -> bool:
    """Whether a dotted name is in a module, or one; what needs an absent package of others counts as there."""
    home, _, last = name.rpartition(".")
    try:
        return last == "*" or hasattr(import_module(home), last) or find_spec(name) is not None
    except ModuleNotFoundError as error:
        return not str(error.name).startswith("splitcrit")
