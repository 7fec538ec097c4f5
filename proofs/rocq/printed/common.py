"""Arguments of printed definitions, and the members of families by their indices."""

from __future__ import annotations

from typing import Any

from splitcrit.proof.nodes import Node
from splitcrit.proof.trees import TRACE

P, W, T = "K (p : 'I_K -> R)", "K (w : 'I_K -> R) (k : 'I_K)", "r K (t : 'I_r -> 'I_K -> R)"
MARGINS = "r K (a : 'I_r -> R) (b : 'I_K -> R)"


def index(letter: str) -> Any:
    """Return an index that the formula is a function of: loops have others."""
    if letter not in TRACE.open:
        TRACE.open.append(letter)
    return TRACE.term(Node("index", (letter,)))


def size(letter: str) -> Any:
    return TRACE.term(Node("size", (letter,)))


def cells() -> list[list[Any]]:
    return [[TRACE.term(Node("at", ("t", str(i), str(k)))) for k in (0, 1)] for i in (0, 1)]


def entry(matrix: Any) -> Any:
    """Return the generic entry of a matrix of any size."""
    return next(iter(next(iter(matrix))))
