"""The theorems that are listed, and whether each says what the list says: it stands there, and is about printed code.

Main definitions: ``Listed``, ``theorems``, ``mistakes`` (before anything is compiled), ``about_printed`` (of what Rocq
says that a theorem states).
"""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ENTRIES = {"name", "file", "function", "printed", "instance", "keys"}
DEFINED = re.compile(r"^(?:Local )?(?:Definition|Fixpoint|Let|Notation) (?P<name>\w+)(?P<body>.*?)\.\s*$", re.M | re.S)


@dataclass(frozen=True)
class Listed:
    """A theorem of the list: where it stands, the function of the library that it is about, whether that is printed."""

    name: str
    file: str
    function: str
    printed: bool
    instance: str | None = None
    keys: tuple[str, ...] = ()

    @property
    def source(self) -> Path:
        """The file that it stands in."""
        return FOLDER / f"{self.file}.v"


def theorems() -> list[Listed]:
    """Return the theorems that are listed."""
    found = tomllib.loads((FOLDER / "theorems.toml").read_text(encoding="utf-8"))["theorem"]
    for entry in found:
        if unknown := set(entry) - ENTRIES:
            raise ValueError(f"theorems.toml: {entry.get('name')} has {sorted(unknown)}; it may have {sorted(ENTRIES)}")
    return [Listed(**{**entry, "keys": tuple(entry.get("keys", ()))}) for entry in found]


def mistakes(listed: list[Listed] | None = None) -> Iterator[str]:
    """Yield what the list says that is not so, as far as it is seen without compiling."""
    names: set[str] = set()
    for theorem in theorems() if listed is None else listed:
        if theorem.name in names:
            yield f"theorems.toml lists {theorem.name} twice"
        names.add(theorem.name)
        said = theorem.source.read_text(encoding="utf-8") if theorem.source.is_file() else ""
        if not re.search(rf"^Theorem {theorem.name}\b", said, re.MULTILINE):
            yield f"theorems.toml lists what stands nowhere: {theorem.name} in {theorem.file}.v"
        if theorem.instance and not re.search(rf"^Example {theorem.instance}\b", said, re.MULTILINE):
            yield f"theorems.toml lists an instance that stands nowhere: {theorem.instance} in {theorem.file}.v"
        if not exists(theorem.function):
            yield f"theorems.toml names no function of the library: {theorem.function}, of {theorem.name}"


def exists(dotted: str) -> bool:
    """Return whether a dotted name is that of something in the library."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def about_printed(statement: str) -> bool:
    """Return whether a statement speaks of a printed definition, by name or by way of a definition that does.

    ``statement`` is what ``Check`` prints where no notation is known: every name with the file that it stands in.
    """
    names = set(re.findall(r"\b(\w+)\.(\w+)", statement))
    return any(file == "generated" and name.startswith("py_") for file, name in names) or bool(names & by_way())


@cache
def by_way() -> frozenset[tuple[str, str]]:
    """Return the definitions of the proofs, as (file, name), in whose text a printed definition occurs."""
    texts = {
        (file.stem, found["name"]): found["body"]
        for file in FOLDER.glob("*.v")
        if file.stem != "generated"
        for found in DEFINED.finditer(file.read_text(encoding="utf-8"))
    }
    known = {place for place, body in texts.items() if re.search(r"\bpy_\w+", body)}
    while True:
        names = {name for _, name in known}
        more = {place for place, body in texts.items() if names & set(re.findall(r"\w+", body))} - known
        if not more:
            return frozenset(known)
        known |= more
