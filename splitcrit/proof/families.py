"""Code objects run on families whose sizes are variables.

A family has one generic member per axis. Iterating it opens the axis; ``total`` and ``sum`` close what is added under a
sum over the axis. A retraced function is the same code object with these in the place of the library's own.

Main definitions: ``Family``, ``row``, ``rows``, ``retraced``, ``named``.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterator
from typing import Any

from splitcrit.proof.terms import Term
from splitcrit.proof.trees import MULTIPLE, SIZES, TRACE, Node, Traced
from splitcrit.proof.undecided import Undecided
from splitcrit.values import complaint


class Family:
    """A sequence of any length, whose generic member at an index is ``member(index)``."""

    def __init__(self, axis: str, member: Callable[[Any], Any]) -> None:
        self.axis, self.member = axis, member

    def __iter__(self) -> Iterator[Any]:
        TRACE.open.append(self.axis)
        yield self.member(self.axis)
        TRACE.open.remove(self.axis)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, Term) and index.inner.op == "index":
            return self.member(index.inner.parts[0])
        if index == 0:  # the first of a family stands for any: only its size is asked for
            return self.member(self.axis)
        raise Undecided(complaint("a family has no numbered members", index, "trace a table of fixed size"))


def row(name: str, axis: str = "k") -> Family:
    """Return a family of numbers ``name k``."""
    return Family(axis, lambda k: TRACE.term(Node("at", (name, k))))


def rows(name: str) -> Family:
    """Return a family of families ``name i k``."""
    return Family("i", lambda i: Family("k", lambda k: TRACE.term(Node("at", (name, i, k)))))


def _total(items: Any, start: Any = None) -> Any:
    listed = list(items)
    if len(listed) == 1 and isinstance(listed[0], Term) and listed[0].inner.free - set(TRACE.open):
        node = listed[0].inner
        found: Any = TRACE.term(Node("sum", (TRACE.axis_of(node), node)))
    else:
        found = listed[0] if listed else 0
        for x in listed[1:]:
            found = found + x
    return found if start is None else start + found


def _size(items: Any) -> Any:
    if isinstance(items, Family):
        return TRACE.term(Node("size", (SIZES[items.axis],)))
    listed = list(items)
    free = listed[0].inner.free - set(TRACE.open) if len(listed) == 1 and isinstance(listed[0], Term) else ()
    return TRACE.term(Node("size", (SIZES[next(iter(free))],))) if free else len(listed)


def _indices(size: Any, *more: int) -> Any:
    if isinstance(size, Term) and size.inner.op == "size":
        axis = next(letter for letter in "jkli" if SIZES[letter] == size.inner.parts[0] and letter not in TRACE.open)
        return Family(axis, lambda k: TRACE.term(Node("index", (k,))))
    return range(size, *more)


def _ratio(top: Any, bottom: Any = 1) -> Any:
    return TRACE.number(top) if isinstance(bottom, int) and bottom == 1 else TRACE.number(top) / TRACE.number(bottom)


def _multiple(*numbers: Any) -> Term:
    return TRACE.term(MULTIPLE)


def _falling(n: Any, number: int) -> Any:
    product: Any = 1
    for i in range(number):
        product = product * (n - i)
    return product


def _numbered(items: Any, start: int = 0) -> Any:
    if not isinstance(items, Family):
        return enumerate(items, start)
    return Family(items.axis, lambda k: (TRACE.term(Node("index", (k,))), items.member(k)))


def _unread(value: Any, *_: Any) -> Any:
    """What validation reads is a family here, and stays what it is."""
    return value


OURS: dict[str, Any] = {
    "perm": _falling,
    "enumerate": _numbered,
    "shares_of": _unread,
    "of_kind": _unread,
    "of_other_library": lambda _: False,
    "isinstance": lambda value, kind: False if isinstance(value, Family | Term) else builtins.isinstance(value, kind),
    "total": _total,
    "sum": _total,
    "len": _size,
    "range": _indices,
    "Fraction": _ratio,
    "Ratio": _ratio,
    "lcm": _multiple,
    "set": list,
}


# What a retraced function may use beside: nothing that counts, sorts or picks the members of a family.
PLAIN = {
    name: getattr(builtins, name) for name in ("zip", "list", "tuple", "map", "int", "bool", "ValueError", "TypeError")
}


def named(name: str) -> Callable[..., Traced]:
    """Return what stands for a function of numbers that is printed under a name of its own."""
    return lambda *numbers: TRACE.term(Node("call", (name, *map(TRACE.read, numbers))))


def retraced(function: Any, known: dict[Any, Any] | None = None) -> Any:
    """Return the same code object with sums and sizes of families; functions of the library that it calls likewise.

    ``known`` holds what stands for functions that are not run.
    """
    known = {} if known is None else known
    if function in known:
        return known[function]
    names: dict[str, Any] = {**OURS, "__builtins__": PLAIN}  # a function takes its builtins when it is made
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    known[function] = copy
    for name, value in function.__globals__.items():
        if name in OURS or name not in function.__code__.co_names + _inner_names(function.__code__):
            continue
        names[name] = _replaced(value, known)
    return copy


def _inner_names(code: types.CodeType) -> tuple[str, ...]:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return tuple(name for c in inner for name in (*c.co_names, *_inner_names(c)))


def _replaced(value: Any, known: dict[Any, Any]) -> Any:
    if isinstance(value, types.FunctionType) and value.__module__.startswith("splitcrit"):
        return retraced(value, known)
    if isinstance(value, types.ModuleType) and value.__name__.startswith("splitcrit"):
        return types.SimpleNamespace(**{n: _replaced(x, known) for n, x in vars(value).items() if callable(x)})
    return value
