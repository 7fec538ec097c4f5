"""Coverage: every numbered statement of the five papers, with the theorems that settle it or the reason why none does.

The folder ``coverage`` holds one file for each paper, with entries ``[[item]]`` of ``place``, ``keys`` and ``reason``.

Main definitions: ``Item``, ``items``, ``page``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from splitcrit.proofs import catalogue
from splitcrit.proofs.bibliography import cited
from splitcrit.values import complaint

FOLDER = Path(__file__).parent / "coverage"
HEAD = """\
# Coverage

Every numbered statement of the papers, with the keys of the theorems that settle it, or the reason why there is none.
`splitcrit explain KEY` shows a theorem.
"""


@dataclass(frozen=True)
class Item:
    """A statement of a paper: where it stands, the keys of the theorems and errata that settle it, and a remark."""

    place: str
    keys: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.place or not (self.keys or self.reason):
            rule = "an item of the coverage has keys or says why there are none"
            raise ValueError(complaint(rule, self.place or "no place", "add a key or a reason"))


def items(paper: str) -> tuple[Item, ...]:
    """Return the items of one paper in the paper's order; none where it has no file.

    Raises
    ------
    ValueError
        If an item has neither keys nor a reason, or a field of another name.
    """
    file = FOLDER / f"{paper}.toml"
    if not file.is_file():
        return ()
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8")).get("item", [])
        return tuple(Item(**{**entry, "keys": tuple(entry.get("keys", ()))}) for entry in entries)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ValueError(complaint(f"{file.name} holds items", error, "use place, keys and reason")) from None


def page() -> str:
    """Return the coverage of all papers as a page of Markdown."""
    parts = [HEAD]
    for paper in catalogue.PAPERS:
        if found := items(paper):
            title = f"## {paper}\n\n{cited(paper)}\n" if cited(paper) else f"## {paper}\n"
            parts.append(f"{title}\n| place | settled by | remark |\n|---|---|---|")
            parts += [f"| {_plain(i.place)} | {_keys(i.keys)} | {_plain(i.reason)} |" for i in found]
            parts.append("")
    return "\n".join(parts)


def _keys(keys: tuple[str, ...]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("$", "\\$")
