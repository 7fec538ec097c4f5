"""The prose of README, guides and notebooks: its sentences, and what the code there prints.

Main definitions: ``PAGES``, ``words``, ``sentences``, ``code``, ``means``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from scripts import script

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
RECORDED = re.compile(r"^```\{study\} accuracies REPORT (\w+)$", re.M)
PAIR = re.compile(r"(-?\d*\.\d+) \+- (\d*\.\d+)")


def cells(page: str, kind: str) -> list[dict[str, Any]]:
    """Return the cells of a notebook of one kind."""
    found: list[dict[str, Any]] = json.loads((ROOT / page).read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


def prose(page: str) -> str:
    """Return the text of a page without its code, or the markdown of a notebook."""
    if page.endswith(".ipynb"):
        return "\n\n".join("".join(cell["source"]) for cell in cells(page, "markdown"))
    return FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))


def words(page: str) -> str:
    """Return the text of a page, or of the markdown of a notebook, in one line."""
    text = prose(page) if page.endswith(".ipynb") else (ROOT / page).read_text(encoding="utf-8")
    return " ".join(text.split())


def sentences(page: str) -> list[str]:
    """Return the sentences of a page, each in one line, cut at colons and semicolons too."""
    parts = (" ".join(part.split()) for part in PART.split(prose(page)))
    return [sentence for part in parts for sentence in re.split(r"(?<=[.:;?!])\s+", part) if sentence]


def code(page: str) -> list[str]:
    """Return the blocks of code of a page, or the cells of a notebook, with what they print."""
    if not page.endswith(".ipynb"):
        return [block for _, block in FENCE.findall((ROOT / page).read_text(encoding="utf-8"))]
    return [
        "\n".join(["".join(cell["source"]), *("".join(part.get("text", ())) for part in cell["outputs"])])
        for cell in cells(page, "code")
    ]


def means(page: str) -> dict[str, list[tuple[float, float]]]:
    """Return the means with their errors that a page prints, or takes from recorded accuracies, by name."""
    found: dict[str, list[tuple[float, float]]] = {}
    study = script("accuracies")
    tables = [getattr(study, name)(study.REPORT.rows()) for name in RECORDED.findall((ROOT / page).read_text())]
    shown = [*code(page), *(table.replace("| ", "").replace(" |", "  ") for table in tables)]
    for line in "\n".join(shown).splitlines():
        if (first := PAIR.search(line)) and not line.startswith((">>>", "...")):
            name = line[: first.start()].rpartition("  ")[0] or line[: first.start()]
            pairs = [(float(mean), float(error)) for mean, error in PAIR.findall(line)]
            found.setdefault(name.strip(" :"), []).extend(pairs)
    return found
