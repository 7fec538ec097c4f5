"""Code objects run on families whose sizes are variables: what comes out is the formula as a tree, for any size.

A family has one generic member per axis. Iterating it opens the axis; ``total`` and ``sum`` close what is added under a
sum over the axis. A comparison that control flow asks for is answered both ways: the code is run once for each answer,
and the trees are merged into one with a case where they differ. Nothing is assumed, and what cannot be traced is an
error.

Main definitions: ``Node`` (trees), ``Family``, ``TRACE`` (the arithmetic), ``traced`` (a code object, run).
"""

from __future__ import annotations

import builtins
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit.proof.terms import Condition, Term
from splitcrit.proof.undecided import Undecided
from splitcrit.values import complaint

MOST_CASES = 8
SIZES = {"i": "r", "j": "K", "k": "K", "l": "K"}  # the size of an axis, by the letter of its index


@dataclass(frozen=True)
class Node:
    """An operation and what it is applied to; ``free`` are the indices of axes that occur and are not summed over."""

    op: str
    parts: tuple[Any, ...]

    @property
    def free(self) -> frozenset[str]:
        """The letters of the indices that are not bound."""
        if self.op == "at":
            return frozenset(x for x in self.parts[1:] if x in SIZES)
        if self.op == "index":
            return frozenset(self.parts)
        inner = frozenset().union(*(x.free for x in self.parts if isinstance(x, Node)))
        return inner - {self.parts[0]} if self.op in ("sum", "max", "min") else inner

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


MULTIPLE = Node("at", ("d",))  # a common multiple of a family of numbers, whichever


class Choice(Condition):
    """A comparison of traced values; control flow that asks for it is answered by the run's script."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(TRACE.way(self))


class Traced(Term):
    """A traced value; asked for as a ratio it is itself, over 1."""

    __slots__ = ()

    def _made(self, inner: Any) -> Traced:
        return Traced(inner, self.home)

    def __radd__(self, other: Any) -> Term:
        return self._made(self.home.read(other) + self.inner)

    def __rmul__(self, other: Any) -> Term:
        return self._made(self.home.read(other) * self.inner)

    def __floordiv__(self, other: Any) -> Term:
        if self.inner != MULTIPLE:
            raise Undecided(complaint("only a common multiple is divided without a rest", self, "trace its parts"))
        found: Term = self / other
        return found

    @property
    def top(self) -> Traced:
        """The value: a traced ratio is not kept as two integers."""
        return self

    def fraction(self) -> Traced:
        """Return the value."""
        return self

    def as_integer_ratio(self) -> tuple[Traced, int]:
        """Return the value over 1."""
        return self, 1


class _Trace:
    """The operations as nodes of a tree."""

    name = "TRACE"

    def __init__(self) -> None:
        self.open: list[str] = []
        self.script: tuple[bool, ...] = ()
        self.path: list[tuple[Node, bool]] = []

    def start(self, script: tuple[bool, ...]) -> None:
        """Begin a run whose first conditions are answered by the script."""
        self.open, self.script, self.path = [], script, []

    def way(self, condition: Choice) -> bool:
        for known, way in self.path:
            if known == condition.said:
                return way
        place = len(self.path)
        way = self.script[place] if place < len(self.script) else False
        self.path.append((condition.said, way))
        return way

    def read(self, x: Any) -> Node:
        if isinstance(x, Term):
            return x.inner  # type: ignore[no-any-return]
        if isinstance(x, bool) or not isinstance(x, int | Fraction):
            raise Undecided(complaint("a traced formula has exact numbers", repr(x), "use a Fraction"))
        return Node("number", (Fraction(x),))

    def term(self, node: Node) -> Traced:
        return Traced(node, self)

    def compared(self, relation: str, left: Term, right: Any) -> Any:
        turned = {">": "<", ">=": "<="}
        sides = (left.inner, self.read(right))
        if relation == "!=":
            return self.joined("not", self.compared("==", left, right), True)
        if relation in turned:
            relation, sides = turned[relation], sides[::-1]
        if all(x.op == "number" for x in sides):
            a, b = (x.parts[0] for x in sides)
            return {"==": a == b, "<": a < b, "<=": a <= b}[relation]
        if sides[0] == sides[1]:
            return relation != "<"
        return Choice(relation, Node(relation, sides), self)

    def joined(self, word: str, one: Any, other: Any) -> Any:
        if not isinstance(one, Condition):
            return not one if word == "not" else NotImplemented
        parts = (one.said,) if word == "not" else (one.said, other.said)
        return Choice(word, Node(word, parts), self)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if not isinstance(condition, Condition):
            return a if condition else b
        return self.term(Node("if", (condition.said, self.read(a), self.read(b))))

    def _called(self, name: str, x: Any) -> Term:
        return self.term(Node(name, (self.read(x),)))

    def number(self, x: Any) -> Term:
        return self.term(self.read(x))

    def log(self, x: Any) -> Term:
        return self._called("log", x)

    def xlogx(self, x: Any) -> Term:
        return self._called("xlogx", x)

    def sqrt(self, x: Any) -> Term:
        return self._called("sqrt", x)

    def abs(self, x: Any) -> Term:
        return self._called("abs", x)

    def max(self, items: Any) -> Term:
        return self._extreme("max", list(items))

    def min(self, items: Any) -> Term:
        return self._extreme("min", list(items))

    def _extreme(self, name: str, items: list[Any]) -> Term:
        nodes = [self.read(x) for x in items]
        if len(nodes) == 1:
            return self.term(Node(name, (self.axis_of(nodes[0]), nodes[0])))
        found = nodes[0]
        for node in nodes[1:]:
            found = Node(f"{name}2", (found, node))
        return self.term(found)

    def axis_of(self, node: Node) -> str:
        """Return the axis that a family of values runs over: the one index that is free and not open."""
        axes = node.free - set(self.open)
        if len(axes) != 1:
            rule = "what is added runs over one axis"
            raise Undecided(complaint(rule, f"{sorted(axes)} in {node}", "trace it with other families"))
        return next(iter(axes))


TRACE = _Trace()


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


def variable(name: str) -> Term:
    """Return a number by its name."""
    return TRACE.term(Node("at", (name,)))


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


def _indices(size: Any) -> Any:
    if isinstance(size, Term) and size.inner.op == "size":
        axis = next(letter for letter in "jkli" if SIZES[letter] == size.inner.parts[0] and letter not in TRACE.open)
        return Family(axis, lambda k: TRACE.term(Node("index", (k,))))
    return range(size)


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


@dataclass(frozen=True)
class Formula:
    """A traced formula, and what it asks of its arguments: conditions under which the code raises are excluded."""

    tree: Node
    hypotheses: tuple[Node, ...] = ()


def traced(run: Callable[[], Any], given: frozenset[str] = frozenset()) -> Formula:
    """Return the tree of what ``run`` gives, with a case for every comparison that control flow asks for.

    ``given`` are the indices that the formula is a function of.

    Raises
    ------
    Undecided
        If an operation cannot be traced.
    """
    found = _settled(run, (), given)
    if found is None:
        raise Undecided(complaint("a traced formula has a value", "an error in every case", "look at its arguments"))
    return found


def _settled(run: Callable[[], Any], script: tuple[bool, ...], given: frozenset[str]) -> Formula | None:
    if len(script) > MOST_CASES:
        raise Undecided(complaint("a traced formula has few cases", len(script), "trace its parts"))
    TRACE.start(script)
    try:
        found: Formula | None = Formula(TRACE.read(run()))
    except ValueError:
        found = None
    except (TypeError, AttributeError, NameError, IndexError, RuntimeError) as error:
        raise Undecided(_place(error)) from error
    if len(TRACE.path) == len(script):
        return found
    condition, _ = TRACE.path[len(script)]
    otherwise, holds = (_settled(run, (*script, way), given) for way in (False, True))
    if otherwise is None and holds is None:
        return None
    if holds is None or otherwise is None:
        kept = holds or otherwise
        assert kept is not None
        assumed = condition if otherwise is None else Node("not", (condition,))
        return Formula(kept.tree, (assumed, *kept.hypotheses))
    asked = tuple(dict.fromkeys((*holds.hypotheses, *otherwise.hypotheses)))
    return Formula(merged(condition, holds.tree, otherwise.tree, given), asked)


def _place(error: BaseException) -> str:
    """Return where the library does what cannot be traced: function, line and operation."""
    last = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__][-1]
    where = f"{last.name}, line {last.lineno}: {last.line}"
    return complaint(
        "a traced formula uses sums, sizes and the operations of numbers", f"{error} in {where}", "trace its parts"
    )


def merged(condition: Node, holds: Node, otherwise: Node, known: frozenset[str]) -> Node:
    """Return the tree that is the first where the condition holds and the second elsewhere.

    The case stands where the two differ, as far up as the indices that the condition speaks of are ``known``.
    """
    if holds == otherwise:
        return holds
    if condition.free <= known:
        return Node("if", (condition, holds, otherwise))
    if holds.op != otherwise.op or len(holds.parts) != len(otherwise.parts):
        raise Undecided(complaint("a case is about indices that are known there", condition, "trace its parts"))
    within = known | {holds.parts[0]} if holds.op in ("sum", "max", "min") else known
    parts = []
    for x, y in zip(holds.parts, otherwise.parts, strict=True):
        if isinstance(x, Node) and isinstance(y, Node):
            parts.append(merged(condition, x, y, within))
        elif x == y:
            parts.append(x)
        else:
            raise Undecided(complaint("a case leaves sizes and names as they are", f"{x} and {y}", "trace its parts"))
    return Node(holds.op, tuple(parts))
