"""Formulas as trees, and the indices of the axes that they run over.

Main definitions: ``Node``; ``SIZES``, ``LETTERS``, ``BINDERS``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from splitcrit.frozen import complaint
from splitcrit.proof.undecided import Undecided

BINDERS = ("sum", "max", "min", "of")  # operations whose first part is the index that they bind
SIZES = {"i": "r", "h": "r", "j": "K", "k": "K", "l": "K", "m": "K"}  # the size of an axis, by its index
LETTERS = {"r": "ih", "K": "jklm"}  # the indices of an axis, by its size; a prime marks another member of a family


def is_index(x: object) -> bool:
    """Return whether a part is an index: a letter, and perhaps primes."""
    return isinstance(x, str) and x.rstrip("'") in SIZES


@dataclass(frozen=True)
class Node:
    """An operation and what it is applied to; ``free`` are the indices of axes that occur and are not summed over."""

    op: str
    parts: tuple[Any, ...]

    @property
    def free(self) -> frozenset[str]:
        """The letters of the indices that are not bound."""
        if self.op == "at":
            return frozenset(filter(is_index, self.parts[1:]))
        if self.op == "index":
            return frozenset(self.parts)
        inner = frozenset().union(*(x.free for x in self.parts if isinstance(x, Node)))
        return inner - {self.parts[0]} if self.op in BINDERS else inner

    def has(self, op: str) -> bool:
        """Return whether an operation occurs."""
        return self.op == op or any(x.has(op) for x in self.parts if isinstance(x, Node))

    def at(self, old: str, new: str) -> Node:
        """Return the tree with another index in the place of one that is free in it."""
        if old not in self.free:
            return self
        if self.op in ("at", "index"):
            head = self.parts[: self.op == "at"]
            return Node(self.op, (*head, *(new if x == old else x for x in self.parts[len(head) :])))
        if self.op in BINDERS and self.parts[0] == new:
            raise Undecided(complaint("an index has one meaning", f"{new} for {old} in {self}", "trace its parts"))
        return Node(self.op, tuple(x.at(old, new) if isinstance(x, Node) else x for x in self.parts))

    @property
    def plain(self) -> Node:
        """The tree of the first member of each family: indices without primes."""
        found = self
        for x in sorted(self.free):
            found = found.at(x, x.rstrip("'"))
        return found

    def __add__(self, other: Node) -> Node:
        return Node("+", (self, other))

    def __sub__(self, other: Node) -> Node:
        return Node("-", (self, other))

    def __mul__(self, other: Node) -> Node:
        return Node("*", (self, other))

    def __truediv__(self, other: Node) -> Node:
        return Node("/", (self, other))

    def __neg__(self) -> Node:
        return Node("neg", (self,))

    def __pow__(self, exponent: int) -> Node:
        return Node("^", (self, exponent))
