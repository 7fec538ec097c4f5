"""The theorems that the kernel of Rocq checks, and what each says of the library's own functions.

They stand in ``rocq/theorems.toml``, each with the function that it is about and the keys of this ledger that it
settles; what it says is the comment above it. `splitcrit verify` does not run Rocq: ``make rocq`` does.

Main definitions: ``Checked``, ``checked`` (all of them), ``of`` (those of a key), ``settles`` (of a fact).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "rocq"
TRUSTED = "Rocq's kernel, the printer of definitions, and that the statement says what is meant"


@dataclass(frozen=True)
class Checked:
    """A theorem of Rocq: its name, file, what it says, the function it is about, and whether that was printed."""

    name: str
    file: str
    says: str
    function: str
    printed: bool
    instance: str = ""
    keys: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    def words(self) -> str:
        """Return what is checked, in a sentence."""
        by = "as its code prints it" if self.printed else "as a definition by hand says it"
        return f"{self.name} ({self.file}.v): {self.says}; about {self.function}, {by}"


@lru_cache(maxsize=1)
def checked() -> tuple[Checked, ...]:
    """Return every theorem that is listed, in the order of the list."""
    listed = tomllib.loads((FOLDER / "theorems.toml").read_text(encoding="utf-8")).get("theorem", [])
    return tuple(_read(entry) for entry in listed)


def _read(entry: dict[str, Any]) -> Checked:
    lists = {"keys": tuple(entry.get("keys", ())), "facts": tuple(map(tuple, entry.get("facts", ())))}
    return Checked(**{**entry, **lists}, says=_said(entry["name"], entry["file"]))


def of(key: str) -> tuple[Checked, ...]:
    """Return the theorems of Rocq that settle a theorem of the ledger, or a part of it."""
    return tuple(found for found in checked() if key in found.keys)


def settles(criterion: str, property: str) -> bool:
    """Return whether a theorem of Rocq says that a criterion has a property."""
    return any((criterion, property) in found.facts for found in checked())


def _said(name: str, file: str) -> str:
    """Return the comment that stands above a theorem."""
    text = (FOLDER / f"{file}.v").read_text(encoding="utf-8")
    found = re.search(rf"\(\*((?:(?!\*\)).)*)\*\)\s*(?:Theorem|Corollary) {re.escape(name)}\b", text, re.DOTALL)
    return " ".join(found[1].split()).rstrip(".") if found else ""
