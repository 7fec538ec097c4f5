"""The arithmetic that builds trees of formulas.

A family of any size is run as a list of a few generic members, whose indices differ in their primes. A list is a sum
or a largest member of a family where each of its items is the first one, of another member; that the number of members
is none that a formula could count is seen by running it with several numbers of them (``control_flow``).

Main definitions: ``TRACE`` (the arithmetic), ``variable``, ``follows``; of the indices of axes ``free_of``, ``moved``,
``first_member``, ``SIZES``, ``LETTERS``, ``BINDERS``.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

from splitcrit.arith.tracing import Node, TreeArithmetic
from splitcrit.frozen import complaint, shown
from splitcrit.proof.admitted import constant, decided_by
from splitcrit.proof.terms import Condition, Term, same
from splitcrit.proof.undecided import Undecided

BINDERS = ("sum", "max", "min", "of")  # operations whose first part is the index that they bind
SIZES = {"i": "r", "h": "r", "j": "K", "k": "K", "l": "K", "m": "K"}  # the size of an axis, by its index
LETTERS = {"r": "ih", "K": "jklm"}  # the indices of an axis, by its size; a prime marks another member of a family
_FREE: WeakKeyDictionary[Node, frozenset[str]] = WeakKeyDictionary()
MOST_ASKED = 10_000  # conditions of one run
MULTIPLE = Node("at", ("d",))  # a common multiple of a family of numbers, whichever


class Choice(Condition):
    """A comparison of traced values; control flow that asks for it is answered by the run's script."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(TRACE.way(self))


class Traced(Term):
    """A traced value; asked for as a ratio it is itself, over 1."""

    __slots__ = ()

    def _made(self, inner: Any, other: Any = None) -> Traced:
        return Traced(inner, self.home)

    def __radd__(self, other: Any) -> Term:
        return self._made(self.home.read(other) + self.inner)

    def __rmul__(self, other: Any) -> Term:
        return self._made(self.home.read(other) * self.inner)

    def __pow__(self, exponent: Any) -> Term:
        if isinstance(exponent, bool) or not isinstance(exponent, int) or int(exponent) < 0:
            got = f"{self} ** {exponent}"
            raise Undecided(complaint("a traced ** needs a whole exponent", got, "use m.power"))
        return super().__pow__(constant(exponent))

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __index__(self) -> int:
        if self.inner.op == "index" and TRACE.constant:  # the place of this member in a list of the same loop
            return self.inner.parts[0].count("'")  # type: ignore[no-any-return]
        return int(super().__index__())

    def __abs__(self) -> Any:
        return TRACE.abs(self)

    def __floordiv__(self, other: Any) -> Term:
        if TRACE.whole is not None:
            whole, TRACE.whole = TRACE.whole, None
            return whole
        if self.inner != MULTIPLE or first_member(self.home.read(other)) not in TRACE.divisors:
            rule = "// may only divide a common multiple by one of its divisors in a traced formula"
            raise Undecided(complaint(rule, f"{self} // {other}", "trace its parts"))
        ratio: Term = self / other
        return ratio

    @property
    def top(self) -> Traced:
        """The value: a traced ratio is not kept as two integers."""
        return self

    def fraction(self) -> Traced:
        """The value."""
        return self

    def as_integer_ratio(self) -> tuple[Traced, int]:
        """The value over 1."""
        return self, 1


class _Trace(TreeArithmetic):
    """The operations as nodes of a tree, with families of numbers and a script for control flow."""

    name = "TRACE"

    def __init__(self) -> None:
        self.open: list[str] = []
        self.whole: Term | None = None  # stands for the next quotient that is rounded down: any number
        self.script: tuple[bool, ...] = ()
        self.path: list[tuple[Node, bool]] = []
        self.copies = 2
        self.divisors: set[Node] = set()
        self.asked = 0
        self.constant = ""  # the index of lists of one constant for each member of the only family; none otherwise

    def start(self, script: tuple[bool, ...], copies: int) -> None:
        """Begin a run whose first conditions are answered by the script; a family has that many members in it."""
        self.open, self.script, self.path, self.copies = [], script, [], copies
        self.divisors, self.asked = set(), 0

    def rounds_to(self, whole: Term) -> None:
        """Let a variable stand for the next quotient that is rounded down."""
        self.whole = whole

    def way(self, condition: Choice) -> bool:
        """The answer to a condition that control flow asks for: known, implied by others, or by the script."""
        asks, self.asked = first_member(condition.term), self.asked + 1
        if self.asked > MOST_ASKED:
            raise Undecided(complaint("a traced loop must end", f"{asks} asked forever", "trace its parts"))
        for known, way in self.path:
            if known == asks:
                return way
        implied = follows(asks, self.path)
        if implied is not None:
            return implied
        place = len(self.path)
        way = self.script[place] if place < len(self.script) else False
        self.path.append((asks, way))
        return way

    def read(self, x: Any) -> Node:
        if isinstance(x, Term):
            return x.inner  # type: ignore[no-any-return]
        if isinstance(x, float) and x.is_integer():  # compiled loops write 2.0: exact, and no other float is
            return Node("number", (Fraction(x),))
        if isinstance(x, bool) or not isinstance(x, int | Fraction):
            raise Undecided(complaint("numbers in a traced formula must be exact", shown(x), "use a Fraction"))
        return Node("number", (Fraction(constant(x)),))

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
            decided_by(*(Fraction(part) for x in (a, b) for part in (x.numerator, x.denominator)))
            return {"==": a == b, "<": a < b, "<=": a <= b}[relation]
        if sides[0] == sides[1]:
            return relation != "<"
        return Choice(relation, Node(relation, sides), self)

    def joined(self, word: str, one: Any, other: Any) -> Any:
        if not isinstance(one, Condition):
            return not one if word == "not" else NotImplemented
        parts = (one.term,) if word == "not" else (one.term, other.term)
        return Choice(word, Node(word, parts), self)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if not isinstance(condition, Condition):
            return a if condition else b
        return self.term(Node("if", (condition.term, self.read(a), self.read(b))))

    def number(self, x: Any) -> Term:
        return self.term(self.read(x))

    def power(self, x: Any, a: Any) -> Any:
        """A whole power, one whose exponent is a size, or a root."""
        exponent = self.read(a)
        if exponent.op == "size":
            return self.term(Node("^", (self.read(x), exponent.parts[0])))
        if exponent.op == "number" and exponent.parts[0] == Fraction(1, 2):
            return self.sqrt(x)
        if exponent.op == "number" and exponent.parts[0].denominator == 1 and exponent.parts[0] >= 0:
            return self.term(Node("^", (self.read(x), int(exponent.parts[0]))))
        raise Undecided(complaint("a traced exponent must be whole or 1/2", exponent, "choose another one"))

    def max(self, items: Any) -> Any:
        return self.folded("max", listed) if self.is_family(listed := list(items)) else super().max(listed)

    def min(self, items: Any) -> Any:
        return self.folded("min", listed) if self.is_family(listed := list(items)) else super().min(listed)

    def folded(self, op: str, members: list[Any], *name: str) -> Term:
        """The largest or the smallest member of a family, or what a function of families, by its name, gives."""
        axis, member = self.family(members)
        return self.term(Node(op, (axis, self.read(member), *name)))

    def is_family(self, items: list[Any]) -> bool:
        """Whether a list holds the members of a family, one for each copy of its index."""
        return len(items) == self.copies and (len(self._axes(items)) == 1 or self._constant(items))

    def _constant(self, items: list[Any]) -> bool:
        return bool(self.constant) and not free_of(items) and all(same(items[0], x) for x in items)

    def family(self, items: list[Any]) -> tuple[str, Any]:
        """The index that a list runs over, and its generic member."""
        axes = self._axes(items)
        if len(items) == self.copies and self._constant(items):
            return self.constant, items[0]
        if len(items) != self.copies or len(axes) != 1:
            rule = "a sum must run over one axis"
            raise Undecided(complaint(rule, f"{sorted(axes)} in {items[:1]}", "trace it with other families"))
        return axes[0], items[0]

    def _axes(self, items: list[Any]) -> list[str]:
        """The indices in which each item is the first, of another member."""
        first = set(free_of(items[0])) - set(self.open) if items else set()
        return [
            x
            for x in sorted(first)
            if all(same(moved(items[0], x, x + "'" * copy), item) for copy, item in enumerate(items) if copy)
        ]


TRACE = _Trace()


def variable(name: str) -> Term:
    """A number by its name."""
    return TRACE.term(Node("at", (name,)))


def follows(node: Node, path: list[tuple[Node, bool]]) -> bool | None:
    """The answer that earlier comparisons of a tree with numbers force in any ordered field, or None."""
    asked = _bound(node, True)
    if asked is None:
        return None
    tree, above, least, strict = asked
    for known, way in path:
        bound = _bound(known, way)
        if bound is None or bound[0] != tree:
            continue
        _, known_above, number, known_strict = bound
        beyond = number - least if above else least - number
        if known_above == above and (beyond > 0 or (beyond == 0 and known_strict >= strict)):
            return True
        if known_above != above and (beyond < 0 or (beyond == 0 and (known_strict or strict))):
            return False
    return None


def _bound(node: Node, way: bool) -> tuple[Node, bool, Fraction, bool] | None:
    """A comparison with a number as tree, whether it lies above, number, whether strictly."""
    if node.op not in ("<", "<="):
        return None
    left, right = node.parts
    if (left.op == "number") == (right.op == "number"):
        return None
    above, strict = left.op == "number", node.op == "<"
    tree, number = (right, left.parts[0]) if above else (left, right.parts[0])
    return (tree, above, number, strict) if way else (tree, not above, number, not strict)


def free_of(value: Any) -> frozenset[str]:
    """The indices that occur in a tree, in a value, or in any of a list, and are not bound there."""
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
        return frozenset(x for x in parts[1:] if isinstance(x, str) and x.rstrip("'") in SIZES)
    if op == "index":
        return frozenset(parts)
    inner = frozenset().union(*(free_of(x) for x in parts if isinstance(x, Node)))
    return inner - {parts[0]} if op in BINDERS else inner


def moved(value: Any, old: str, new: str) -> Any:
    """A tree, a value, or a list of them, with another index in the place of one that is free."""
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
    if parts[0] == new:
        raise Undecided(complaint("an index may not be bound twice", f"{new} for {old} in {value}", "trace its parts"))
    return Node(op, tuple(moved(x, old, new) if isinstance(x, Node) else x for x in parts))


def first_member(tree: Node) -> Node:
    """The tree of the first member of each family: indices without primes."""
    for x in sorted(free_of(tree)):
        tree = moved(tree, x, x.rstrip("'"))
    return tree
