"""Code objects run on families whose sizes are variables.

Iterating a family opens an axis and yields a few generic members; ``total`` and ``sum`` put what is added under a sum
over the axis. A retraced function is the same code object with these in the place of the library's own.

Main definitions: ``Family``, ``retraced``.
"""

from __future__ import annotations

import builtins
import dataclasses
import math
import types
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit import arith
from splitcrit.arguments import of_kind
from splitcrit.arith.exact_numbers import Ratio
from splitcrit.arith.tracing import Node
from splitcrit.frozen import complaint, shown
from splitcrit.noise.shares import shares_of
from splitcrit.proof.admitted import METHODS, Named, Unknown, admitted, counted, decided_by, plain, unread
from splitcrit.proof.family_trees import LETTERS, MULTIPLE, SIZES, TRACE, first_member, free_of, moved
from splitcrit.proof.linting import own
from splitcrit.proof.terms import Term, validating
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
        raise Undecided(
            complaint("the members of a family have no numbers", shown(index), "trace a table of fixed size")
        )


def unused(axis: str) -> str:
    """The index of an axis, or another of its size where a loop over that one is under way."""
    taken = {x.rstrip("'") for x in TRACE.open}
    for letter in axis + LETTERS[SIZES[axis]]:
        if letter not in taken:
            return letter
    raise Undecided(complaint("the traced formula nests too many loops over one axis", SIZES[axis], "trace its parts"))


def total(items: Any, start: Any = None) -> Any:
    sum_of: Any = None
    for x in _parted(unread(items)):
        if isinstance(x, list):
            axis, member = TRACE.family(x)
            x = TRACE.term(Node("sum", (axis, TRACE.read(member))))
        sum_of = x if sum_of is None else sum_of + x
    sum_of = 0 if sum_of is None else sum_of
    return sum_of if start is None else start + sum_of


def _parted(listed: list[Any]) -> list[Any]:
    """A list with the members of a family that follow each other as a list of their own, for links."""
    if not TRACE.constant:  # what is printed is a whole family, or a list of a fixed length
        return [listed] if TRACE.is_family(listed) else listed
    parts: list[Any] = []
    while listed:
        first = listed[: TRACE.copies]
        parts.append(first if TRACE.is_family(first) else listed[0])
        listed = listed[TRACE.copies :] if TRACE.is_family(first) else listed[1:]
    return parts


def _size(items: Any) -> Any:
    if isinstance(items, Family):
        return TRACE.term(Node("size", (SIZES[items.axis],)))
    listed = _parted(unread(items))
    of_families = [TRACE.term(Node("size", (SIZES[TRACE.family(x)[0]],))) for x in listed if isinstance(x, list)]
    if of_families:
        return total([*of_families, *([len(listed) - len(of_families)] if len(listed) > len(of_families) else [])])
    if free_of(listed) - set(TRACE.open):
        raise Undecided(complaint("the size of a list must be that of one axis", listed, "trace its parts"))
    return counted(len(listed))


def _indices(*bounds: Any) -> Any:
    size, *more = bounds
    if isinstance(size, Term) and size.inner.op == "size" and not more:
        axis = unused(TRACE.constant or "j" if size.inner.parts[0] == "K" else "i")
        return Family(axis, lambda k: TRACE.term(Node("index", (k,))))
    decided_by(*bounds)
    return range(*bounds)


def _zipped(*items: Any, strict: bool = False) -> Any:
    """Families and lists of one axis as a family of tuples, other lists as they are."""
    listed = [_of_one_axis(x) for x in items]
    families = [x for x in listed if isinstance(x, Family)]
    if not families:
        return zip(*listed, strict=strict)
    axes = {SIZES[x.axis] for x in families}
    if len(families) < len(items) or len(axes) > 1:
        raise Undecided(complaint("sequences that are zipped must run over one axis", sorted(axes), "trace its parts"))
    axis = next((x.axis for x, item in zip(families, items, strict=True) if x is not item), families[0].axis)
    return Family(axis, lambda k: tuple(x.member(k) for x in families))


def as_family(value: Any) -> Any:
    """A list of the members of a family as the family, whose loops have indices of their own."""
    if not isinstance(value, list):
        return value
    one = _of_one_axis(value)
    return one if isinstance(one, Family) else [as_family(x) for x in one]


def _of_one_axis(items: Any) -> Any:
    """A family, or the members of one, as the family; any other items as a list."""
    if isinstance(items, Family) or not TRACE.is_family(listed := unread(items)):
        return items if isinstance(items, Family) else listed
    axis, first = TRACE.family(listed)
    return Family(axis, lambda k: moved(first, axis, k))


def _ratio(top: Any, bottom: Any = 1) -> Any:
    return TRACE.number(top) if isinstance(bottom, int) and bottom == 1 else TRACE.number(top) / TRACE.number(bottom)


def _distinct(items: Any) -> list[Any]:
    """The members of a set, which only a common multiple takes: a sum would count equal ones once."""
    return [TRACE.term(Node("distinct", (TRACE.read(x),))) for x in unread(items)]


def _multiple(*numbers: Any) -> Term:
    parts = [x.parts[0] if x.op == "distinct" else x for x in map(TRACE.read, numbers)]
    TRACE.divisors |= set(map(first_member, parts))
    return TRACE.term(MULTIPLE)


def _falling(n: Any, number: int) -> Any:
    product: Any = 1
    for i in range(number):
        product = product * (n - i)
    return product


def _numbered(items: Any, start: int = 0) -> Any:
    one = _of_one_axis(items)
    if not isinstance(one, Family):
        return enumerate(one, start)
    if start:
        raise Undecided(complaint("enumerate must start at 0", start, "trace its parts"))
    return Family(one.axis, lambda k: (TRACE.term(Node("index", (k,))), one.member(k)))


def as_it_is(value: Any, *_: Any) -> Any:
    """What validation reads is a family here, and stays what it is."""
    return value


def _raised(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _is_instance(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind; a term or a family is only told apart from numbers and lists."""
    kinds = kind if builtins.isinstance(kind, tuple) else (kind,)
    kind = tuple(Fraction if x is _ratio else x._value if isinstance(x, Unknown | Retraced) else x for x in kinds)
    if isinstance(value, Family | Term):
        plain: tuple[Any, ...] = (1, 1.0, Fraction(1), [], ())
        if validating() or not any(builtins.isinstance(x, kind) for x in plain):
            return False
        got = "isinstance of a term or a family"
        raise Undecided(complaint("a printed formula may not tell terms from numbers", got, "trace its parts"))
    return builtins.isinstance(value, kind)


def _attribute(value: Any, name: str) -> Any:
    return Unknown(f"getattr of {name}") if name in METHODS else getattr(value, name)


class _FloatKind(Unknown):
    """``float``, which only an exact parameter is turned into, to see whether it is 0 there."""

    def __call__(self, x: Any) -> Any:
        value = float(plain(x)) if isinstance(x, Fraction) else self._refuse()
        return counted(value) if value.is_integer() else x


# What traced code may call beside what is traced with it: nothing that picks, sorts or counts the members of a family.
OURS: dict[Any, Any] = {
    arith.total: total, arith.of_other_library: lambda _: False, math.perm: _falling, math.lcm: _multiple,
    Fraction: _ratio, Ratio: _ratio, shares_of: as_it_is, of_kind: as_it_is, np.errstate: lambda **_: nullcontext(),
    complaint: lambda *_: "", shown: lambda *_: "",
}  # fmt: skip
BUILTINS = {  # others are unknown
    name: value if name in ("abs", "list", "tuple") or _raised(value) else Unknown(name, value)
    for name, value in vars(builtins).items()
} | {
    "sum": total, "len": _size, "range": _indices, "enumerate": _numbered, "zip": _zipped, "set": _distinct,
    "isinstance": _is_instance, "float": _FloatKind("float", float), "getattr": _attribute,
}  # fmt: skip
STEPWISE = BUILTINS | {"iter": iter, "next": next}  # what the ledger uses besides


def retraced(function: Any, known: dict[Any, Any] | None = None) -> Any:
    """The same code object with sums and sizes of families; functions that it calls and closes over likewise.

    ``known`` holds what stands for functions that are not run. What traced code may not do is an error when it is run.
    """
    known = {} if known is None else known
    if function in known:
        return known[function]
    if any(function.__globals__.get("__builtins__") is x for x in (BUILTINS, STEPWISE)):  # made by traced code
        return function
    code, fault, asked = admitted(function.__code__, own(function))
    if fault:
        return Unknown(fault)
    builtin = STEPWISE if function.__module__.startswith("splitcrit.proofs.") else BUILTINS
    names: dict[str, Any] = {"__builtins__": builtin, "__name__": function.__module__}
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    copy = types.FunctionType(code, names, function.__name__, None, cells)
    known[function] = copy
    copy.__defaults__ = tuple(replaced(x, known) for x in function.__defaults__ or ())
    copy.__kwdefaults__ = {x: replaced(value, known) for x, value in (function.__kwdefaults__ or {}).items()}
    for cell, held_in in zip(cells, function.__closure__ or (), strict=True):
        value = held_in.cell_contents
        cell.cell_contents = retraced(value, known) if _is_traced(value) else replaced(value, known)
    for name in function.__globals__.keys() & set(asked):
        names[name] = replaced(function.__globals__[name], known)
    return copy


def _is_traced(value: Any) -> bool:
    """True of functions of the library and of claims."""
    return isinstance(value, types.FunctionType) and (value.__module__.startswith("splitcrit") or own(value))


class Retraced:
    """An object or a module of the library whose methods, and functions that it holds, are retraced."""

    def __init__(self, value: Any, known: dict[Any, Any] | None = None) -> None:
        self._value, self._known = value, {} if known is None else known

    def __eq__(self, other: object) -> bool:
        return self._value is (other._value if isinstance(other, Retraced) else other)

    __hash__ = object.__hash__

    def __call__(self, *args: Any, **named: Any) -> Any:
        if isinstance(self._value, type):  # its own code is not traced
            return self._value(*map(plain, args), **{name: plain(x) for name, x in named.items()})
        return retraced(type(self._value).__call__, self._known)(self, *map(as_family, args))

    def __getattr__(self, name: str) -> Any:
        if isinstance(method := getattr(type(self._value), name, None), types.FunctionType):
            run = retraced(method, self._known)
            return lambda *args: _made(run(self, *map(as_family, args)), self._known)
        return replaced(getattr(self._value, name), self._known)


def changed(value: Any, **parameters: Any) -> Retraced:
    """An object of the library with other parameters, retraced."""
    value, known = (value._value, value._known) if isinstance(value, Retraced) else (value, None)
    return Retraced(dataclasses.replace(value, **parameters), known)


def replaced(value: Any, known: dict[Any, Any]) -> Any:
    """The stand-in of a value that traced code names; a value without one is unknown."""
    if isinstance(value, Term | Family | Retraced | Unknown | Named | bool | None):
        return value
    for key, stands in (*known.items(), *OURS.items()):
        if key is value:
            return stands
    if _is_traced(value):
        run = retraced(value, known)
        return lambda *args, **named: _made(run(*map(as_family, args), **named), known)
    if isinstance(value, list | tuple) and any(isinstance(x, Term) for x in value):  # made by traced code
        return value
    if isinstance(value, int | float | str | Fraction | list | tuple):
        return counted(value, lambda x: replaced(x, known))
    if isinstance(value, dict):
        return types.MappingProxyType({key: replaced(x, known) for key, x in value.items()})
    kind = value if isinstance(value, type) else type(value)
    if _raised(value):
        return value
    ours = kind.__module__.startswith("splitcrit.") or isinstance(value, types.ModuleType)
    return Retraced(value, known) if ours else Unknown(getattr(value, "__qualname__", kind.__qualname__), value)


def _made(value: Any, known: dict[Any, Any]) -> Any:
    """The value of a retraced function, retraced itself where it is an object of the library."""
    home = type(value).__module__
    ours = home.startswith("splitcrit.") and not home.startswith(__package__) and not isinstance(value, type)
    return Retraced(value, known) if ours else value
