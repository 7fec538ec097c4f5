"""The catalogue: where the statements stand, and how one is found by its key.

Main definitions: ``PAPERS``, ``collect`` (theorems by key), ``errata`` (claims by id), ``paper``, ``select``.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module

from splitcrit.proof import Erratum, Theorem
from splitcrit.values import complaint

PAPERS = ("yang2019", "ghosh2017", "wilton2024", "breiman1996", "wang2024", "beyond")


@lru_cache(maxsize=1)
def _theorems() -> dict[str, tuple[str, Theorem]]:
    """Return the module and the theorem of every key."""
    found: dict[str, tuple[str, Theorem]] = {}
    for module in PAPERS:
        for theorem in import_module(f"splitcrit.proofs.{module}").THEOREMS:
            if theorem.key in found:
                raise ValueError(complaint("a theorem's key is its own", theorem.key, "rename one of the two"))
            found[theorem.key] = module, theorem
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
    """Return the module and the claims of every erratum by its id.

    Raises
    ------
    ValueError
        If two errata share an id.
    """
    found: dict[str, tuple[str, Erratum]] = {}
    for module in PAPERS:
        for erratum in getattr(import_module(f"splitcrit.proofs.{module}"), "ERRATA", ()):
            if erratum.id in found:
                raise ValueError(complaint("an erratum's id is its own", erratum.id, "rename one of the two"))
            found[erratum.id] = module, erratum
    return found


def paper(theorem: Theorem) -> str:
    """Return the paper a theorem is listed under: the module it stands in, ``beyond`` for what goes beyond them."""
    module, _ = _theorems().get(theorem.key, (theorem.paper, theorem))
    return module


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
