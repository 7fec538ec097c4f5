"""Indices of the axes that trees run over: those of a tree, of a value, and of a list of values.

Main definitions: ``free_of``, ``moved``, ``first_member``; ``SIZES``, ``LETTERS``, ``BINDERS``.
"""

from __future__ import annotations

import functools
from typing import Any
from weakref import WeakKeyDictionary

from splitcrit.arith.tracing import Node
from splitcrit.frozen import complaint
from splitcrit.proof.terms import Term
from splitcrit.proof.undecided import Undecided

BINDERS = ("sum", "max", "min", "of")  # operations whose first part is the index that they bind
SIZES = {"i": "r", "h": "r", "j": "K", "k": "K", "l": "K", "m": "K"}  # the size of an axis, by its index
LETTERS = {"r": "ih", "K": "jklm"}  # the indices of an axis, by its size; a prime marks another member of a family
_FREE: WeakKeyDictionary[Node, frozenset[str]] = WeakKeyDictionary()


def is_index(x: object) -> bool:
    """Tell whether a part is an index: a letter, and perhaps primes."""
    return isinstance(x, str) and x.rstrip("'") in SIZES


def free_of(value: Any) -> frozenset[str]:
    """Return the indices that occur in a tree, in a value, or in any of a list, and are not bound there."""
    if isinstance(value, Term):
        return free_of(value.inner)
    if isinstance(value, list | tuple):
        return frozenset().union(*map(free_of, value))
    if not isinstance(value, Node):
        return frozenset()
    if value not in _FREE:
        _FREE[value] = _free(value.op, value.parts)
    return _FREE[value]


def _free(op: str, parts: tuple[Any, ...]) -> frozenset[str]:
    if op == "at":
        return frozenset(filter(is_index, parts[1:]))
    if op == "index":
        return frozenset(parts)
    inner = frozenset().union(*(free_of(x) for x in parts if isinstance(x, Node)))
    return inner - {parts[0]} if op in BINDERS else inner


def moved(value: Any, old: str, new: str) -> Any:
    """Return a tree, a value, or a list of them, with another index in the place of one that is free."""
    if isinstance(value, Term):
        return value._made(moved(value.inner, old, new))
    if isinstance(value, list | tuple):
        return type(value)([moved(x, old, new) for x in value])
    return value if old not in free_of(value) else _moved(value, old, new)


@functools.lru_cache(2**14)
def _moved(value: Node, old: str, new: str) -> Node:
    op, parts = value.op, value.parts
    if op in ("at", "index"):
        head = parts[: op == "at"]
        return Node(op, (*head, *(new if x == old else x for x in parts[len(head) :])))
    if op in BINDERS and parts[0] == new:
        raise Undecided(complaint("an index may not be bound twice", f"{new} for {old} in {value}", "trace its parts"))
    return Node(op, tuple(moved(x, old, new) if isinstance(x, Node) else x for x in parts))


def first_member(tree: Node) -> Node:
    """Return the tree of the first member of each family: indices without primes."""
    for x in sorted(free_of(tree)):
        tree = moved(tree, x, x.rstrip("'"))
    return tree
