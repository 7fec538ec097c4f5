"""Coverage: every numbered statement of the five papers, with the theorems that settle it or the reason why none does.

The folder ``coverage`` holds one file for each paper, with entries ``[[item]]`` of ``place``, ``keys`` and ``reason``.
For what a statement is settled is read off its theorems: of several keys it is what all of them are settled for.

Main definitions: ``Item``, ``items``, ``scope``, ``page``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from splitcrit.proof import Extent
from splitcrit.proof.scope import ordered
from splitcrit.proofs import catalogue
from splitcrit.proofs.bibliography import cited
from splitcrit.values import complaint

FOLDER = Path(__file__).parent / "coverage"
HEAD = """\
# Coverage

Every numbered statement of the papers, with the keys of the theorems that settle it, or the reason why there is none.
`splitcrit explain KEY` shows a theorem. The scope is what all keys of a line are settled for; where one of them is
settled for less than the others, it stands behind in parentheses. K is the number of classes, N of observations, J of
values of a feature, r of rows; other names are those of the theorem.
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
    """Return the coverage of all papers as a page of Markdown.

    Raises
    ------
    ValueError
        If a key is neither that of a theorem nor an erratum.
    """
    parts = [HEAD]
    for paper in catalogue.PAPERS:
        if found := items(paper):
            title = f"## {paper}\n\n{cited(paper)}\n" if cited(paper) else f"## {paper}\n"
            parts.append(f"{title}\n| place | settled by | for | remark |\n|---|---|---|---|")
            for i in found:
                parts.append(f"| {_plain(i.place)} | {_keys(i.keys)} | {_plain(scope(i.keys))} | {_plain(i.reason)} |")
            parts.append("")
    return "\n".join(parts)


def scope(keys: tuple[str, ...]) -> str:
    """Return for what the theorems of a statement are settled: the weakest of each axis, and the key that holds it.

    Raises
    ------
    ValueError
        If a key is neither that of a theorem nor an erratum.
    """
    known = catalogue.collect()
    for key in keys:
        if key not in known and key not in catalogue.errata():
            raise ValueError(complaint("a key of the coverage is that of a theorem or erratum", key, "correct it"))
    mine = [known[key] for key in keys if key in known]
    if len(mine) == 1:
        return mine[0].scope_words
    scopes = {theorem.key: theorem.settled_for for theorem in mine}
    axes = dict.fromkeys(axis for found in scopes.values() for axis in found.extents)
    said = [_weakest(axis, {k: e for k, x in scopes.items() if (e := x[axis]) is not None}) for axis in ordered(axes)]
    free = any(found.variables for found in scopes.values())
    return "; ".join([*said, *(["all values of the variables"] if free and not said else [])])


def _weakest(axis: str, extents: dict[str, Extent]) -> str:
    """Return what several theorems are settled for along one axis, and which of them limits it."""
    whole = reduce(Extent.meet, extents.values())
    if len(set(extents.values())) == 1:
        return whole.words(axis)
    if whole.values == ():  # statements about different sizes
        return ", ".join(f"{extent.words(axis)} ({key})" for key, extent in extents.items())
    holders = [key for key, extent in extents.items() if extent == whole] or list(extents)
    return f"{whole.words(axis)} ({', '.join(holders)})"


def _keys(keys: tuple[str, ...]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("$", "\\$")
