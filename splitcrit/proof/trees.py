"""Formulas as trees, and the arithmetic that builds them.

Main definitions: ``Node`` (trees), ``TRACE`` (the arithmetic), ``variable``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit.proof.terms import Condition, Term
from splitcrit.proof.undecided import Undecided
from splitcrit.values import complaint

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
        if TRACE.whole is not None:
            whole, TRACE.whole = TRACE.whole, None
            return whole
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


def _bound(condition: Node, holds: bool) -> tuple[Node, bool, Fraction] | None:
    """Return a value, whether it is below a number or at least that number, and the number, where that is said."""
    if condition.op not in ("<", "<="):
        return None
    left, right = condition.parts
    if condition.op == "<" and right.op == "number":
        return left, holds, right.parts[0]
    if condition.op == "<=" and left.op == "number":
        return right, not holds, left.parts[0]
    return None


class _Trace:
    """The operations as nodes of a tree."""

    name = "TRACE"

    def __init__(self) -> None:
        self.open: list[str] = []
        self.whole: Term | None = None  # stands for the next quotient that is rounded down: any number
        self.script: tuple[bool, ...] = ()
        self.path: list[tuple[Node, bool]] = []

    def start(self, script: tuple[bool, ...]) -> None:
        """Begin a run whose first conditions are answered by the script."""
        self.open, self.script, self.path = [], script, []

    def rounds_to(self, whole: Term) -> None:
        """Let a variable stand for the next quotient that is rounded down."""
        self.whole = whole

    def way(self, condition: Choice) -> bool:
        for known, way in self.path:
            if known == condition.said:
                return way
        if (follows := self._implied(condition.said)) is not None:
            return follows
        place = len(self.path)
        way = self.script[place] if place < len(self.script) else False
        self.path.append((condition.said, way))
        return way

    def _implied(self, asked: Node) -> bool | None:
        """Return the answer that follows from those given: the same value compared with another number."""
        wanted = _bound(asked, True)
        if wanted is None:
            return None
        for known, way in self.path:
            bound = _bound(known, way)
            if bound is None or bound[0] != wanted[0]:
                continue
            (_, below, number), (_, sought, limit) = bound, wanted
            if below == sought and (number <= limit if below else number >= limit):
                return True
            if below != sought and (number <= limit if below else number >= limit):
                return False
        return None

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


def variable(name: str) -> Term:
    """Return a number by its name."""
    return TRACE.term(Node("at", (name,)))
