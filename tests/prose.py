"""The prose of README, guides and notebooks, without their code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RECORDS = {"changelog", "decisions", "mutants"}  # of the past
COMPUTED = {"properties", "coverage", "reproductions"}  # from theorems and results
PAGES = [
    "README.md",
    *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md")) if p.stem not in RECORDS | COMPUTED),
    *(f"notebooks/{p.name}" for p in sorted((ROOT / "notebooks").glob("*.ipynb"))),
]
FENCE = re.compile(r"^(`{3,})[^\n]*\n(.*?)^\1$", re.M | re.S)
PART = re.compile(r"\n\s*\n|\n(?=[-|#] ?)|(?<=\S) \| ")  # paragraphs, items, headings, cells of a table


def cells(page: str, kind: str) -> list[dict[str, Any]]:
    """Return the cells of a notebook of one kind."""
    found: list[dict[str, Any]] = json.loads((ROOT / page).read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


def prose(page: str) -> str:
    """Return the text of a page without its code, or the markdown of a notebook."""
    if page.endswith(".ipynb"):
        return "\n\n".join("".join(cell["source"]) for cell in cells(page, "markdown"))
    return FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
