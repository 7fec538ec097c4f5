"""The catalogue: where the statements stand, and how one is found by its key, subject by subject.

Papers are indexes: a theorem names the paper it is stated in.

Main definitions: ``SUBJECTS``, ``PAPERS``; ``collect`` (theorems by key), ``errata`` (claims by id), ``homes`` (modules
by either), ``areas`` (keys by the first part), ``subjects`` (the words of a text), ``works`` (by what they
are stated in), ``authors``, ``find``, ``select``.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from splitcrit.frozen import complaint
from splitcrit.proof import Erratum, Theorem
from splitcrit.proofs.bibliography import entries
from splitcrit.proofs.errata import texts

PAPERS = ("yang2019", "ghosh2017", "wilton2024", "breiman1996", "wang2024", "beyond")
SUBJECTS = ("impurity", "gain", "noise", "order", "stopping", "vertex", "null", "inference", "field")
COMMON = re.compile(
    r"\b(the|and|for|are|with|that|this|those|which|from|not|all|any|some|most|least|has|have|one|two|three|its|into|than"
    r"|also|same|each|every|what|where|both|other|whose|only|values?|number|code|library|own|says|printed|theorem|their"
    r"|then|they|when|over|under|mean|splitcrit|after|before|several|section|lemma|remark|appendix|table|figure"
    r"|definition|eqs|proof)\b"
)


@lru_cache(maxsize=1)
def modules() -> tuple[ModuleType, ...]:
    """The modules of statements, subject by subject."""
    folder = Path(__file__).parent
    names = (f"{part}.{file.stem}" for part in SUBJECTS for file in sorted((folder / part).glob("[a-z]*.py")))
    return tuple(import_module(f"splitcrit.proofs.{name}") for name in names)


@lru_cache(maxsize=1)
def _theorems() -> dict[str, tuple[str, Theorem]]:
    """The subject and the theorem of every key."""
    theorems: dict[str, tuple[str, Theorem]] = {}
    for module in modules():
        for theorem in getattr(module, "THEOREMS", ()):
            if theorem.key in theorems and theorems[theorem.key][1] is not theorem:
                raise ValueError(complaint("two theorems may not share a key", theorem.key, "rename one of the two"))
            theorems[theorem.key] = module.__name__.split(".")[-2], theorem
    return theorems


@lru_cache(maxsize=1)
def homes() -> dict[str, str]:
    """The module in which each theorem stands, by its key, and each erratum, by its id."""
    module_of: dict[str, str] = {}
    for module in modules():
        names = [theorem.key for theorem in getattr(module, "THEOREMS", ())]
        names += [erratum.id for erratum in getattr(module, "ERRATA", ())]
        module_of = dict.fromkeys(names, module.__name__) | module_of
    return module_of


def collect() -> dict[str, Theorem]:
    """Every theorem by its key, in the order of the subjects.

    Raises
    ------
    ValueError
        If two theorems share a key.
    """
    return {key: theorem for key, (_, theorem) in _theorems().items()}


@lru_cache(maxsize=1)
def errata() -> dict[str, tuple[str, Erratum]]:
    """The paper and the claims of every erratum by its id.

    Raises
    ------
    ValueError
        If two errata share an id.
    """
    errata_of: dict[str, tuple[str, Erratum]] = {}
    for module in modules():
        for erratum in getattr(module, "ERRATA", ()):
            if erratum.id in errata_of and errata_of[erratum.id][1] is not erratum:
                raise ValueError(complaint("two errata may not share an id", erratum.id, "rename one of the two"))
            errata_of[erratum.id] = texts()[erratum.id].work if erratum.id in texts() else "beyond", erratum
    return errata_of


def paper(theorem: Theorem) -> str:
    """The paper that a theorem is stated in, ``beyond`` for what goes beyond them."""
    return theorem.paper if theorem.paper in PAPERS else "beyond"


def subject(theorem: Theorem) -> str:
    """What a theorem is about: the first part of its key."""
    return theorem.key.partition(".")[0]


def text_of(theorem: Theorem) -> str:
    """What a theorem says in words: its key, its statement, and the hypothesis that was added."""
    return f"{theorem.key.replace('.', ' ')} {theorem.statement} {theorem.added}"


def subjects(text: str) -> frozenset[str]:
    """The words of a text that are no commonplace, short of their endings.

    Examples
    --------
    >>> sorted(subjects("the p-values of splits are those of a split"))
    ['pvalue', 'split']
    """
    plain = text.lower().replace("p-value", "pvalue").replace("_", " ")
    return frozenset(word.rstrip("s")[:6] for word in re.findall(r"[a-z]{3,}", COMMON.sub("", plain)))


def areas() -> dict[str, list[str]]:
    """The keys by their first part, subjects first and in their order."""
    keys: dict[str, list[str]] = {}
    for key in collect():
        keys.setdefault(key.partition(".")[0], []).append(key)
    order = {name: place for place, name in enumerate(SUBJECTS)}
    return dict(sorted(keys.items(), key=lambda item: (order.get(item[0], len(order)), item[0])))


def works() -> dict[str, list[str]]:
    """The keys by the works that their sources name, as the bibliography calls them."""
    keys: dict[str, list[str]] = {}
    for key, theorem in collect().items():
        first, *rest = re.findall(r"\w+", theorem.source)
        for work in dict.fromkeys([first, *(x for x in rest if x in entries())]):
            keys.setdefault(work, []).append(key)
    return keys


def authors() -> dict[str, list[str]]:
    """The keys by the family names of the authors of these works, in lower case."""
    keys_of: dict[str, list[str]] = {}
    for work, keys in works().items():
        for name in entries().get(work, {"author": ""})["author"].split(" and "):
            mine = keys_of.setdefault(name.partition(",")[0].casefold(), [])
            mine += [key for key in keys if key not in mine]
    return keys_of


def find(key: str) -> Theorem:
    """The theorem of a key.

    Raises
    ------
    KeyError
        If there is none; close ones are named, those of the same area first.
    """
    known = collect()
    if key in known:
        return known[key]
    area, _, rest = key.partition(".")
    of = areas().get(area) or areas().get(next(iter(get_close_matches(area, areas(), 1, 0.7)), ""), [])
    mine = {x.partition(".")[2]: x for x in of}
    near = get_close_matches(key, works(), 3, 0.8) or [mine[x] for x in get_close_matches(rest, mine, 3, 0.3)]
    near += [x for x in get_close_matches(key, known, 3, 0.3) if x not in near]
    near = near or [x for x in known if key in x]
    remedy = f"did you mean {' or '.join(near[:3])}?" if near else "splitcrit verify --list lists the keys"
    raise KeyError(complaint("no theorem has this key", key, remedy))


def select(keys: list[str], of: str | None = None) -> list[str]:
    """The keys asked for, all of them when none is named; an area stands for its keys.

    Raises
    ------
    KeyError
        If a key is unknown; close ones are named.
    ValueError
        If a paper is unknown.
    """
    if of not in (None, *PAPERS):
        raise ValueError(complaint("no paper has this key", of, "use one of " + ", ".join(PAPERS)))
    known = collect()
    asked = [key for name in keys for key in areas().get(name) or [find(name).key]]
    return [key for key in dict.fromkeys(asked or known) if of in (None, paper(known[key]))]
