"""The theorems that are listed, and whether each says what the list says: it stands there, and is about printed code.

A key of the ledger stands with a theorem whose statement is of the sizes that the key is settled for: where the key is
of all classes the statement has a size that is a variable, and a premise that widens a theorem is listed for it.

Main definitions: ``mistakes`` (before anything is compiled), ``about_printed`` and ``sizes_of`` (of what Rocq says that
a theorem states), ``sizes`` (as they were written down).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from splitcrit.proofs import catalogue
from splitcrit.proofs.kernel import FOLDER, Checked, checked

SIZES = FOLDER / "sizes.txt"
SIZE = re.compile(r"(?:\(|forall )([\w ]+?) : (?:nat|fintype\.Finite\.type)[),]")
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
        yield from of_keys(theorem)
        if not exists(theorem.function):
            yield f"theorems.toml names no function of the library: {theorem.function}, of {theorem.name}"
    if listed is None:
        yield from unlisted()


def of_keys(theorem: Checked) -> Iterator[str]:
    """Yield the keys of a listed theorem whose sizes its statement does not have."""
    known, variables = catalogue.collect(), sizes().get(theorem.name, ())
    for key in (key for key in theorem.keys if key in known and not variables):
        classes = known[key].settled_for["K"]
        if classes is not None and classes.everything:
            yield f"{theorem.name} is of fixed sizes, and its key {key} of {classes.words('K')}"
    if strange := sorted(set(theorem.whole) - set(theorem.keys)):
        yield f"{theorem.name} is said to be the whole of {strange[0]}, which is none of its keys"
    for key in theorem.keys:
        for premise in known[key].premises if key in known else ():
            if premise.text == theorem.name and premise.widens and not variables:
                yield f"{theorem.name} widens {key}, and its statement has no size that is a variable"


def unlisted() -> Iterator[str]:
    """Yield the theorems that a premise of Rocq widens without being listed for them."""
    listed = {(theorem.name, key) for theorem in checked() for key in theorem.keys}
    for key, theorem in catalogue.collect().items():
        for premise in theorem.premises:
            if premise.kind == "kernel" and premise.widens and (premise.text, key) not in listed:
                yield f"{premise.text} widens {key}, which theorems.toml does not list for it"


@cache
def sizes() -> dict[str, tuple[str, ...]]:
    """Return the sizes that are variables of each theorem, as they were written down when Rocq last said them."""
    lines = SIZES.read_text(encoding="utf-8").splitlines() if SIZES.is_file() else []
    return {name: tuple(found.split()) for name, _, found in (line.partition(": ") for line in lines)}


def sizes_of(statement: str) -> tuple[str, ...]:
    """Return the names of the numbers and finite types that a statement is for all of.

    Examples
    --------
    >>> sizes_of("forall (R : Type) (r K : nat) (T : fintype.Finite.type) (eta : R), True")
    ('r', 'K', 'T')
    """
    return tuple(dict.fromkeys(name for found in SIZE.findall(statement) for name in found.split()))


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
