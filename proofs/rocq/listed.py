"""The theorems that are listed, and whether each says what the list says: it stands there, and is about printed code.

Main definitions: ``mistakes`` (before anything is compiled), ``about_printed`` (of what Rocq
says that a theorem states).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from splitcrit.proofs.kernel import FOLDER, Checked, checked

IMPORTED = re.compile(r"^From splitcrit Require Import ([^.]+)\.", re.MULTILINE)
DEFINED = re.compile(r"^(?:Local )?(?:Definition|Fixpoint|Let|Notation) (?P<name>\w+)(?P<body>.*?)\.\s*$", re.M | re.S)


def mistakes(listed: Sequence[Checked] | None = None) -> Iterator[str]:
    """Yield what the list says that is not so, as far as it is seen without compiling."""
    names: set[str] = set()
    for theorem in checked() if listed is None else listed:
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
    files = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.v") if file.stem != "generated"}
    texts = {(file, found["name"]): found["body"] for file, text in files.items() for found in DEFINED.finditer(text)}
    seen = {file: [file, *reversed(" ".join(IMPORTED.findall(text)).split())] for file, text in files.items()}

    def meant(word: str, file: str) -> tuple[str, str] | None:
        """Return the definition that a word of a file is: its own, or that of the last file imported that has one."""
        return next(((other, word) for other in seen[file] if (other, word) in texts), None)

    called = {place: {meant(word, place[0]) for word in re.findall(r"\w+", body)} for place, body in texts.items()}
    known = {place for place, body in texts.items() if re.search(r"\bpy_\w+", body)}
    while more := {place for place, others in called.items() if others & known} - known:
        known |= more
    return frozenset(known)
