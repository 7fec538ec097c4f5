"""The catalogue: where the statements stand, and how one is found by its key.

Main definitions: ``SUBJECTS``, ``PAPERS``; ``collect`` (theorems by key), ``errata`` (claims by id), ``select``.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from splitcrit.proof import Erratum, Theorem
from splitcrit.proofs.errata import texts
from splitcrit.values import complaint

PAPERS = ("yang2019", "ghosh2017", "wilton2024", "breiman1996", "wang2024", "beyond")


SUBJECTS = ("impurity", "gain", "noise", "order", "stopping", "vertex", "null")


@lru_cache(maxsize=1)
def modules() -> tuple[ModuleType, ...]:
    """Return the modules of statements, subject by subject."""
    folder = Path(__file__).parent
    names = (
        f"{part}.{file.stem}" for part in (*SUBJECTS, *PAPERS) for file in sorted((folder / part).glob("[a-z]*.py"))
    )
    return tuple(import_module(f"splitcrit.proofs.{name}") for name in names)


@lru_cache(maxsize=1)
def _theorems() -> dict[str, tuple[str, Theorem]]:
    """Return the subject and the theorem of every key."""
    found: dict[str, tuple[str, Theorem]] = {}
    for module in modules():
        for theorem in getattr(module, "THEOREMS", ()):
            if theorem.key in found and found[theorem.key][1] is not theorem:
                raise ValueError(complaint("a theorem's key is its own", theorem.key, "rename one of the two"))
            found[theorem.key] = module.__name__.split(".")[-2], theorem
    return found


def collect() -> dict[str, Theorem]:
    """Return every theorem of the wing by its key, in the order of the papers.

    Raises
    ------
    ValueError
        If two theorems share a key.
    """
    return {key: theorem for key, (_, theorem) in _theorems().items()}


@lru_cache(maxsize=1)
def errata() -> dict[str, tuple[str, Erratum]]:
    """Return the paper and the claims of every erratum by its id.

    Raises
    ------
    ValueError
        If two errata share an id.
    """
    found: dict[str, tuple[str, Erratum]] = {}
    for module in modules():
        for erratum in getattr(module, "ERRATA", ()):
            if erratum.id in found and found[erratum.id][1] is not erratum:
                raise ValueError(complaint("an erratum's id is its own", erratum.id, "rename one of the two"))
            found[erratum.id] = texts()[erratum.id].work if erratum.id in texts() else "beyond", erratum
    return found


def paper(theorem: Theorem) -> str:
    """Return the paper that a theorem is stated in, ``beyond`` for what goes beyond them."""
    return theorem.paper if theorem.paper in PAPERS else "beyond"


def subject(theorem: Theorem) -> str:
    """Return what a theorem is about: the folder it stands in."""
    return _theorems()[theorem.key][0]


def select(keys: list[str], of: str | None = None) -> list[str]:
    """Return the keys asked for, all of them when none is named.

    Raises
    ------
    KeyError
        If a key is unknown; close ones are named.
    ValueError
        If a paper is unknown.
    """
    if of not in (None, *PAPERS):
        raise ValueError(complaint("a paper is named by its key", of, "use one of " + ", ".join(PAPERS)))
    known = collect()
    for key in keys:
        if key not in known:
            near = get_close_matches(key, known, 3, 0.3) or list(known)[:3]
            raise KeyError(complaint("a theorem is named by its key", key, "did you mean " + " or ".join(near) + "?"))
    return [key for key in keys or known if of in (None, paper(known[key]))]
