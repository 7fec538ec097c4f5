"""What is said of the claims of a paper.

Main definitions: ``verdict``, ``paragraphs``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeVar

Found = TypeVar("Found")


def verdict(holds: bool) -> str:
    """Return what a claim does, in words."""
    return "It reproduces" if holds else "It does not reproduce"


def paragraphs(sentences: Iterable[Callable[[Found], str]], found: Found) -> list[str]:
    """Return what each sentence says of the results; one that rests on cells that were not run is left out."""
    said = []
    for sentence in sentences:
        with suppress(KeyError):
            said.append(sentence(found))
    return said
