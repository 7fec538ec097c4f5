"""The theorems that the kernel of Rocq checks, and what each says of the library's own functions.

They stand in ``rocq/theorems.toml``, each with the function that it is about and the keys of this ledger that it
settles; what it says is the comment above it, which ``rocq/comments.json`` repeats for an installation without the
proofs. `splitcrit verify` does not run Rocq: ``make rocq`` does.

Main definitions: ``Checked``, ``checked`` (all of them), ``of`` (those of a key), ``settles`` (of a fact).
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from splitcrit.frozen import complaint
from splitcrit.proof import Extent
from splitcrit.proofs.rocq.hypotheses import hypotheses

FOLDER = Path(__file__).parent / "rocq"
COMMENTS = FOLDER / "comments.json"
TRUSTED = "Rocq's kernel, the printer of definitions, and that the statement says what is meant"


@dataclass(frozen=True)
class Checked:
    """A theorem of Rocq: where it stands, the function of the library that it is about, whether that is printed."""

    name: str
    file: str
    function: str
    printed: bool
    instance: str = ""
    keys: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    besides: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def source(self) -> Path:
        """The file that it stands in."""
        return FOLDER / f"{self.file}.v"

    @property
    def says(self) -> str:
        """What it states, nothing if there is no comment above it; kept apart, since a wheel holds no proofs."""
        return _kept_comments().get(self.name, "")

    @property
    def comment(self) -> str:
        """The comment above it in the file of proofs, nothing if there is none."""
        text = _text(self.source)
        match = re.search(rf"\(\*((?:(?!\*\)).)*)\*\)\s*Theorem {re.escape(self.name)}\b", text, re.DOTALL)
        return " ".join(match[1].split()).rstrip(".") if match else ""

    @property
    def states(self) -> str:
        """Its statement as it stands in the file, hypotheses and conclusion."""
        match = re.search(
            rf"^Theorem {re.escape(self.name)}\b(.*?)\nProof", _text(self.source), re.MULTILINE | re.DOTALL
        )
        return " ".join(match[1].split()) if match else ""

    def words(self) -> str:
        """What is checked, in a sentence."""
        by = "as its code prints it" if self.printed else "as a definition by hand says it"
        return f"{self.name} ({self.file}.v): {self.says}; about {self.function}, {by}"


@cache
def checked() -> tuple[Checked, ...]:
    """Every theorem that is listed, in the order of the list.

    Raises
    ------
    ValueError
        If an entry of the list has a field that is none.
    """
    known, theorems = {field.name for field in fields(Checked)}, []
    for entry in tomllib.loads((FOLDER / "theorems.toml").read_text(encoding="utf-8")).get("theorem", []):
        if unknown := sorted(set(entry) - known):
            rule = f"an entry of theorems.toml may have only the fields {', '.join(sorted(known))}"
            raise ValueError(complaint(rule, f"{unknown} of {entry.get('name')}", "correct the entry"))
        lists = {
            "keys": tuple(entry.get("keys", ())),
            "whole": tuple(entry.get("whole", ())),
            "besides": tuple(map(tuple, entry.get("besides", ()))),
            "facts": tuple(map(tuple, entry.get("facts", ()))),
        }
        theorems.append(Checked(**{**entry, **lists}))
    return tuple(theorems)


@cache
def _kept_comments() -> dict[str, str]:
    """The comments above the theorems, by their names."""
    return dict(json.loads(COMMENTS.read_text(encoding="utf-8")))


@cache
def meanings() -> dict[str, str]:
    """What names that statements of Rocq assume something of stand for, whatever the theorem is about."""
    return dict(tomllib.loads((FOLDER / "theorems.toml").read_text(encoding="utf-8")).get("meanings", {}))


def of(key: str) -> tuple[Checked, ...]:
    """The theorems of Rocq that settle a theorem of the ledger, or a part of it."""
    return tuple(theorem for theorem in checked() if key in theorem.keys)


def said(key: str) -> str:
    """In words whether Rocq's kernel checks a theorem of the ledger, wholly or in part; nothing if it does not.

    It is checked wholly where some theorem of Rocq is said to be all of it.
    """
    theorems = of(key)
    return (
        "" if not theorems else "kernel-checked" if any(key in x.whole for x in theorems) else "kernel-checked in part"
    )


def settles(criterion: str, property: str, classes: Extent) -> bool:
    """Whether a theorem of Rocq says that a criterion has a property, for these numbers of classes."""
    mine = [hypotheses()[theorem.name].classes for theorem in checked() if (criterion, property) in theorem.facts]
    return None in mine or (classes.values is not None and set(classes.values) <= set(mine))


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""
