"""What a printed definition is of: families and functions that are known by their names.

Main definitions: ``row``, ``rows``, ``named``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from splitcrit.arith.tracing import Node
from splitcrit.proof.families import Family
from splitcrit.proof.family_trees import TRACE, Traced


def row(name: str, axis: str = "k") -> Family:
    """A family of numbers ``name k``."""
    return Family(axis, lambda k: TRACE.term(Node("at", (name, k))), name)


def rows(name: str) -> Family:
    """A family of families ``name i k``."""
    return Family("i", lambda i: Family("k", lambda k: TRACE.term(Node("at", (name, i, k)))), name)


def named(name: str, *more: str) -> Callable[..., Traced]:
    """The stand-in for a function of numbers and families that is printed under a name of its own.

    ``more`` are names of numbers that the definition has as further arguments.
    """

    def call(*numbers: Any) -> Traced:
        arguments = [Node("at", (x.name,)) if isinstance(x, Family) and x.name else TRACE.read(x) for x in numbers]
        return TRACE.term(Node("call", (name, *arguments, *(Node("at", (x,)) for x in more))))

    return call
