"""Code objects run on families whose sizes are variables.

Iterating a family opens an axis and yields a few generic members; ``total`` and ``sum`` put what is added under a sum
over the axis. A retraced function is the same code object with these in the place of the library's own.

Main definitions: ``Family``, ``row``, ``rows``, ``retraced``, ``named``.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from splitcrit.frozen import complaint
from splitcrit.proof.members import free_of, moved
from splitcrit.proof.nodes import LETTERS, SIZES, Node
from splitcrit.proof.terms import Term
from splitcrit.proof.trees import MULTIPLE, TRACE, Traced
from splitcrit.proof.undecided import Undecided


class Family:
    """A sequence of any length, whose generic member at an index is ``member(index)``."""

    def __init__(self, axis: str, member: Callable[[Any], Any], name: str = "") -> None:
        self.axis, self.member, self.name = axis, member, name

    def __iter__(self) -> Iterator[Any]:
        letter = unused(self.axis)
        for copy in range(TRACE.copies):
            TRACE.open.append(letter + "'" * copy)
            yield self.member(TRACE.open[-1])
            TRACE.open.remove(letter + "'" * copy)

    def __bool__(self) -> bool:
        return bool(_size(self) != 0)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, Term) and index.inner.op == "index":
            return self.member(index.inner.parts[0])
        if index == 0:  # printed where the size of the family has a first member, else Rocq refuses the text
            return self.member("ord0")
        raise Undecided(complaint("a family has no numbered members", index, "trace a table of fixed size"))


def unused(axis: str) -> str:
    """Return the index of an axis, or another of its size where a loop over that one is under way."""
    taken = {x.rstrip("'") for x in TRACE.open}
    for letter in axis + LETTERS[SIZES[axis]]:
        if letter not in taken:
            return letter
    raise Undecided(complaint("few loops over an axis stand within each other", SIZES[axis], "trace its parts"))


def row(name: str, axis: str = "k") -> Family:
    """Return a family of numbers ``name k``."""
    return Family(axis, lambda k: TRACE.term(Node("at", (name, k))), name)


def rows(name: str) -> Family:
    """Return a family of families ``name i k``."""
    return Family("i", lambda i: Family("k", lambda k: TRACE.term(Node("at", (name, i, k)))), name)


def _total(items: Any, start: Any = None) -> Any:
    listed = list(items)
    if TRACE.is_family(listed):
        axis, member = TRACE.family(listed)
        found: Any = TRACE.term(Node("sum", (axis, TRACE.read(member))))
    else:
        found = listed[0] if listed else 0
        for x in listed[1:]:
            found = found + x
    return found if start is None else start + found


def _size(items: Any) -> Any:
    if isinstance(items, Family):
        return TRACE.term(Node("size", (SIZES[items.axis],)))
    listed = list(items)
    if TRACE.is_family(listed):
        return TRACE.term(Node("size", (SIZES[TRACE.family(listed)[0]],)))
    if free_of(listed) - set(TRACE.open):
        raise Undecided(complaint("a list has the size of one axis", listed, "trace its parts"))
    return len(listed)


def _indices(*bounds: Any) -> Any:
    size, *more = bounds
    if isinstance(size, Term) and size.inner.op == "size" and not more:
        axis = unused("j" if size.inner.parts[0] == "K" else "i")
        return Family(axis, lambda k: TRACE.term(Node("index", (k,))))
    return range(*bounds)


def _zipped(*items: Any, strict: bool = False) -> Any:
    """Return families and lists of one axis as a family of tuples, other lists as they are."""
    listed = [x if isinstance(x, Family) else list(x) for x in items]
    of_axis = [x for x in listed if not isinstance(x, Family) and TRACE.is_family(x)]
    families = [x for x in listed if isinstance(x, Family)]
    if not families and not of_axis:
        return zip(*listed, strict=strict)
    axes = {SIZES[x.axis] for x in families} | {SIZES[TRACE.family(x)[0]] for x in of_axis}
    if len(families) + len(of_axis) < len(items) or len(axes) > 1:
        raise Undecided(complaint("what is taken together is of one axis", sorted(axes), "trace its parts"))
    axis = TRACE.family(of_axis[0])[0] if of_axis else families[0].axis
    members = [x.member if isinstance(x, Family) else _member(x) for x in listed]
    return Family(axis, lambda k: tuple(member(k) for member in members))


def as_family(value: Any) -> Any:
    """Return a list of the members of a family as the family, whose loops have indices of their own."""
    if not isinstance(value, list) or not TRACE.is_family(value):
        return value
    return Family(TRACE.family(value)[0], _member(value))


def _member(items: list[Any]) -> Callable[[str], Any]:
    axis, first = TRACE.family(items)
    return lambda k: moved(first, axis, k)


def _ratio(top: Any, bottom: Any = 1) -> Any:
    return TRACE.number(top) if isinstance(bottom, int) and bottom == 1 else TRACE.number(top) / TRACE.number(bottom)


def _multiple(*numbers: Any) -> Term:
    TRACE.divisors |= {TRACE.read(x).plain for x in numbers}
    return TRACE.term(MULTIPLE)


def _falling(n: Any, number: int) -> Any:
    product: Any = 1
    for i in range(number):
        product = product * (n - i)
    return product


def _numbered(items: Any, start: int = 0) -> Any:
    if isinstance(items, Family):
        axis, member = items.axis, items.member
    elif TRACE.is_family(listed := list(items)):
        axis, member = TRACE.family(listed)[0], _member(listed)
    else:
        return enumerate(listed, start)
    if start:
        raise Undecided(complaint("the members of a family are numbered from 0", start, "trace its parts"))
    return Family(axis, lambda k: (TRACE.term(Node("index", (k,))), member(k)))


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
    "zip": _zipped,
}


# What a retraced function may use beside: nothing that counts, sorts or picks the members of a family.
PLAIN = {
    name: getattr(builtins, name)
    for name in ("abs", "list", "tuple", "map", "int", "float", "bool", "ValueError", "TypeError")
}


def named(name: str, *more: str) -> Callable[..., Traced]:
    """Return what stands for a function of numbers and families that is printed under a name of its own.

    ``more`` are names of numbers that the definition has as further arguments.
    """

    def call(*numbers: Any) -> Traced:
        given = [Node("at", (x.name,)) if isinstance(x, Family) and x.name else TRACE.read(x) for x in numbers]
        return TRACE.term(Node("call", (name, *given, *(Node("at", (x,)) for x in more))))

    return call


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


class Retraced:
    """An object of the library whose methods, and functions that it holds, are retraced."""

    def __init__(self, value: Any, known: dict[Any, Any] | None = None) -> None:
        self._value, self._known = value, {} if known is None else known

    def __getattr__(self, name: str) -> Any:
        if isinstance(method := getattr(type(self._value), name, None), types.FunctionType):
            run = retraced(method, self._known)
            return lambda *given: run(self, *map(as_family, given))
        return _replaced(getattr(self._value, name), self._known)


def _replaced(value: Any, known: dict[Any, Any]) -> Any:
    if isinstance(value, Hashable) and value in known:
        return known[value]
    ours = (value.__name__ if isinstance(value, types.ModuleType) else type(value).__module__).startswith("splitcrit")
    if isinstance(value, types.FunctionType) and value.__module__.startswith("splitcrit"):
        return retraced(value, known)
    if isinstance(value, types.ModuleType) and ours:
        return types.SimpleNamespace(**{n: _replaced(x, known) for n, x in vars(value).items() if callable(x)})
    return Retraced(value, known) if ours and not isinstance(value, type | Term | Family) else value
