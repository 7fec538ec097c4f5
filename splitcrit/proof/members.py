"""Indices of values and of lists of values.

Main definitions: ``free_of``, ``moved``.
"""

from __future__ import annotations

from typing import Any

from splitcrit.proof.terms import Term


def free_of(value: Any) -> frozenset[str]:
    """Return the indices that are free in a value, or in any of a list."""
    if isinstance(value, Term):
        return value.inner.free  # type: ignore[no-any-return]
    if isinstance(value, list | tuple):
        return frozenset().union(*map(free_of, value))
    return frozenset()


def moved(value: Any, old: str, new: str) -> Any:
    """Return a value, or a list of them, with another index in the place of one."""
    if isinstance(value, Term):
        return value._made(value.inner.at(old, new))
    if isinstance(value, list | tuple):
        return type(value)([moved(x, old, new) for x in value])
    return value
