"""Errata: printed claims that the checker refutes, each with a witness recomputed on every run.

The texts stand in ``errata/*.toml`` as entries ``[[erratum]]``, the claims beside the theorems, in lists ``ERRATA``;
the id joins the two. An erratum is confirmed when the printed claim comes out REFUTED with the witness that the text
records, and the correction settled.

Main definitions: ``Text``, ``texts``, ``Outcome``, ``outcome``, ``strays``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from pathlib import Path

from splitcrit.frozen import complaint
from splitcrit.proof import Status, Verdict

FOLDER = Path(__file__).parent / "errata"
KINDS = ("error", "criticism")


@dataclass(frozen=True)
class Text:
    """What an erratum says: the place, the printed claim, the correction, the witness against what is printed.

    ``printed`` says the claim in our words, ``quoted`` a few words of the work as they stand there. A criticism is what
    no reader would call an error: a claim that is hedged, or a convention. ``at_hand`` says whether the formula that it
    is about stands in the text that we could read.
    """

    id: str
    work: str
    place: str
    printed: str
    correction: str
    witness: str
    theorem: str = ""
    kind: str = "error"
    quoted: str = ""
    at_hand: bool = True

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            rule = f"erratum {self.id or '?'} must be an error or a criticism"
            raise ValueError(complaint(rule, self.kind, f"use {' or '.join(KINDS)}"))
        needed = [field.name for field in fields(self) if field.default is MISSING]
        empty = [name for name in needed if not getattr(self, name)]
        if empty:
            rule = f"erratum {self.id or '?'} must have a place, a printed text, a correction and a witness"
            raise ValueError(complaint(rule, f"no {empty[0]}", "fill it in"))


@dataclass(frozen=True)
class Outcome:
    """What became of an erratum; ``faults`` says in words what is wrong with it, if anything."""

    text: Text
    printed: Verdict
    corrected: Verdict
    seconds: float
    faults: tuple[str, ...]
    cached: bool = False

    @property
    def confirmed(self) -> bool:
        """Whether the printed claim is refuted by the recorded witness and the correction settled."""
        return not self.faults


def parsed(file: Path) -> list[Text]:
    """The texts of one file.

    Raises
    ------
    ValueError
        If the file is no TOML, or an entry lacks a field or has one too many.
    """
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8")).get("erratum", [])
        return [Text(**entry) for entry in entries]
    except (tomllib.TOMLDecodeError, TypeError) as error:
        known = ", ".join(field.name for field in fields(Text))
        raise ValueError(complaint(f"{file.name} must hold errata", error, f"use the fields {known}")) from None


@lru_cache(maxsize=1)
def texts() -> dict[str, Text]:
    """The text of every erratum by its id, paper by paper in the order of the files.

    Raises
    ------
    ValueError
        If two texts share an id.
    """
    by_id: dict[str, Text] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        for text in parsed(file):
            if text.id in by_id:
                raise ValueError(complaint("two errata may not share an id", text.id, "rename one of the two"))
            by_id[text.id] = text
    return by_id


def strays(texts: Iterable[str], claims: Iterable[str]) -> list[str]:
    """In words which texts have no claims and which claims have no text."""
    written, stated = set(texts), set(claims)
    alone = [f"erratum {name} has a text but no claims in ERRATA" for name in sorted(written - stated)]
    return alone + [f"erratum {name} has claims but no text in errata/*.toml" for name in sorted(stated - written)]


def outcome(text: Text, printed: Verdict, corrected: Verdict, seconds: float, cached: bool = False) -> Outcome:
    """What became of an erratum whose two claims have been settled."""
    faults = []
    if printed.status is not Status.REFUTED:
        faults.append(f"the printed claim is not refuted: {printed.status.value}; {printed.evidence}")
    elif printed.witness != text.witness:
        faults.append(f"the witness is {printed.witness!r}, not {text.witness!r} as recorded")
    if corrected.status is not Status.PROVED:
        faults.append(f"the correction is not settled: {corrected.status.value}; {corrected.evidence}")
    return Outcome(text, printed, corrected, seconds, tuple(faults), cached)
