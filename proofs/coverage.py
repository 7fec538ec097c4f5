"""Coverage: every numbered statement of the five papers, with the theorems that settle it or the reason why none does.

The folder ``coverage`` holds one file for each paper, with entries ``[[item]]`` of ``place``, ``keys`` and ``reason``,
of ``printed``, the axes along which the paper says more than is settled, and of ``elsewhere``, those of the keys whose
theorems are stated at another place or in another work, which `misplaced` finds. For what a statement is settled is
read off its theorems: of several keys it is what all of them are settled for. What Rocq settles is read off its list.

Main definitions: ``Item``, ``items``, ``scope``, ``settled_for``, ``misplaced``, ``in_rocq``, ``page``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from splitcrit.frozen import complaint
from splitcrit.proof import Extent, Theorem
from splitcrit.proof.scope import ordered
from splitcrit.proofs import catalogue, kernel
from splitcrit.proofs.bibliography import cited

FOLDER = Path(__file__).parent / "coverage"
PLACE = re.compile(
    r"\b(Section|Theorem|eqs?\.|Lemma|Remark|Appendix|Table|Figure|Fig\.|Definition|Corollary|Proposition|Property)"
    r"((?:[ ,]|and\b|to\b|-|\([\w.]+\)|[IVX]+(?:-[A-Z])?\b|\b[A-Z]\b|\d+(?:\.\d+)*)+)"
)
NUMBERS = re.compile(r"\((\d+)\)(?:-| to )\((\d+)\)|\(?\b((?!and\b|to\b)[\w.]*\w(?:-[A-Z])?)\)?")
HEAD = """\
# Coverage

Every numbered statement of the papers, with the keys of the theorems that settle it, or the reason why none does.
`splitcrit explain KEY` shows a theorem. The scope is what all keys of a line are settled for; where one of them is
settled for less than the others, it stands behind in parentheses; where the paper prints a statement for more, the
line says so. K is the number of classes, N of observations, J of values of a feature, r of rows; other names are those
of the theorem. The column Rocq names the keys that [Rocq's kernel](kernel-checked.md) settles for all sizes, wholly or
in part, whatever the scope beside it. Of {lines} lines with keys it settles all keys on {whole} and some on {some}.
"""


@dataclass(frozen=True)
class Item:
    """A statement of a paper: where it stands, what settles it, a remark, and the axes of which all is printed.

    ``elsewhere`` are those of the keys that are stated at another place.
    """

    place: str
    keys: tuple[str, ...] = ()
    reason: str = ""
    printed: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.place or not (self.keys or self.reason):
            rule = "an item of the coverage must have keys or a reason"
            raise ValueError(complaint(rule, self.place or "no place", "add a key or a reason"))


def items(paper: str) -> tuple[Item, ...]:
    """The items of one paper in the paper's order; none where it has no file.

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
        lists = [{name: tuple(entry.get(name, ())) for name in ("keys", "printed", "elsewhere")} for entry in entries]
        return tuple(Item(**{**entry, **of}) for entry, of in zip(entries, lists, strict=True))
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ValueError(
            complaint(f"{file.name} must hold items", error, "use place, keys, reason, printed and elsewhere")
        ) from None


def page() -> str:
    """The coverage of all papers as a page of Markdown.

    Raises
    ------
    ValueError
        If a key is neither that of a theorem nor an erratum, or one of another place, or a line that is settled for all
        is said to be weaker.
    """
    by_paper = {paper: items(paper) for paper in catalogue.PAPERS}
    for place, key in (
        (i.place, key) for paper, statements in by_paper.items() for i in statements for key in misplaced(paper, i)
    ):
        rule = "a key must be stated at its place in the paper, or be listed in elsewhere"
        raise ValueError(complaint(rule, f"{key} in {place}", "correct the key, or list it in elsewhere"))
    with_keys = [i.keys for statements in by_paper.values() for i in statements if i.keys]
    whole = sum(in_rocq(keys) == keys for keys in with_keys)
    some = sum(bool(in_rocq(keys)) for keys in with_keys) - whole
    parts = [HEAD.format(lines=len(with_keys), whole=whole, some=some)]
    for paper, statements in by_paper.items():
        if statements:
            title = f"## {paper}\n\n{cited(paper)}\n" if cited(paper) else f"## {paper}\n"
            parts.append(f"{title}\n| place | settled by | for | Rocq | remark |\n|---|---|---|---|---|")
            for i in statements:
                rocq = "all" if i.keys and in_rocq(i.keys) == i.keys else _keys(in_rocq(i.keys))
                cells = _plain(i.place), _keys(i.keys), _plain(settled_for(i)), rocq, _plain(i.reason)
                parts.append(f"| {' | '.join(cells)} |")
            parts.append("")
    return "\n".join(parts)


def misplaced(paper: str, item: Item) -> list[str]:
    """The keys that stand wrongly in ``elsewhere``, or should stand there.

    A theorem belongs to a statement whose paper its source names, and whose place or one of whose subjects it shares.
    """
    known = catalogue.collect()
    mine = [key for key in item.keys if key in known and belongs(known[key], paper, item.place)]
    return sorted(set(item.elsewhere) ^ (set(item.keys) & known.keys() - set(mine)))


def belongs(theorem: Theorem, paper: str, place: str) -> bool:
    """Return whether a theorem is stated at a place of a paper, or says something of what stands there."""
    if paper == "beyond":
        return catalogue.paper(theorem) == "beyond" and bool(catalogue.subjects(place) & _subjects(theorem))
    source = " ".join(part for part in theorem.source.split(";") if paper in part)
    shared = places(source) & places(place) or catalogue.subjects(place) & _subjects(theorem)
    return bool(source and shared)


def _subjects(theorem: Theorem) -> frozenset[str]:
    return catalogue.subjects(f"{catalogue.text_of(theorem)} {theorem.source}")


def places(text: str) -> set[tuple[str, str]]:
    """The numbered places that a text names.

    Examples
    --------
    >>> sorted(places("Lemma 1 with eqs. (2)-(4), and Appendix A"))
    [('Appendix', 'A'), ('Lemma', '1'), ('eq.', '2'), ('eq.', '3'), ('eq.', '4')]
    """
    numbered = set[tuple[str, str]]()
    for kind, rest in PLACE.findall(text):
        name = {"eqs.": "eq.", "Fig.": "Figure"}.get(kind, kind)
        for first, last, alone in NUMBERS.findall(rest):
            numbered |= {(name, str(n)) for n in range(int(first), int(last) + 1)} if first else {(name, alone)}
    return numbered


def in_rocq(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some keys that a theorem of Rocq settles for all sizes, wholly or in part."""
    return tuple(key for key in keys if kernel.of(key))


def settled_for(item: Item) -> str:
    """For what a statement is settled, and along which axes the paper says more.

    Raises
    ------
    ValueError
        If a key is neither that of a theorem nor an erratum, or all keys are settled for all of such an axis.
    """
    words, known = scope(item.keys), catalogue.collect()
    for axis in item.printed:
        extents = [known[key].settled_for[axis] for key in item.keys if key in known]
        if all(extent is None or extent.everything for extent in extents):
            rule = "printed may list only axes along which the theorems are weaker than the paper"
            raise ValueError(complaint(rule, f"all {axis} settled in {item.place}", f"take {axis} out"))
    return f"{words}; printed for all {', '.join(item.printed)}" if item.printed else words


def scope(keys: tuple[str, ...]) -> str:
    """For what the theorems of a statement are settled: the weakest of each axis, and the key that holds it.

    Raises
    ------
    ValueError
        If a key is neither that of a theorem nor an erratum.
    """
    known = catalogue.collect()
    for key in keys:
        if key not in known and key not in catalogue.errata():
            raise ValueError(complaint("the coverage may name only theorems and errata", key, "correct it"))
    mine = [known[key] for key in keys if key in known]
    if len(mine) == 1:
        return mine[0].scope_words
    scopes = {theorem.key: theorem.settled_for for theorem in mine}
    axes = dict.fromkeys(axis for one in scopes.values() for axis in one.extents)
    weakest = [
        _weakest(axis, {k: e for k, x in scopes.items() if (e := x[axis]) is not None}) for axis in ordered(axes)
    ]
    free = any(one.variables for one in scopes.values())
    return "; ".join([*weakest, *(["all values of the variables"] if free and not weakest else [])])


def _weakest(axis: str, extents: dict[str, Extent]) -> str:
    """What several theorems are settled for along one axis, and which of them limits it."""
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
