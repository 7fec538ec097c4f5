"""Formulas as trees: a formula that is run on expressions leaves behind what it does to them.

A node is an operation and its operands. Equal operations on equal operands are one node: a formula of K classes that
asks K times for the same sum holds it once, and two trees are equal if they are one object. Tapes
(``trees.scan.tapes``), C (``export.printed_formulas``) and Rocq (``proofs.rocq.definitions``) walk the same nodes;
families of any size, their indices, and control flow that forks are built on them in ``proof``.

Main definitions: ``Node``, ``operands_first``; ``TreeArithmetic``, ``Tracer`` and its ``Expression``; ``FLOATS``.
"""

from __future__ import annotations

import functools
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from threading import RLock
from typing import Any, NoReturn, final
from weakref import WeakValueDictionary

import numpy as np

from splitcrit.arith.floats import FLOAT
from splitcrit.frozen import complaint, shown

FLOATS: dict[str, Callable[..., Any]] = {  # what each operation on numbers is in float64; ``^`` has an integer in it
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "neg": operator.neg,
    "abs": operator.abs, "^": operator.pow, "**": operator.pow, "power": FLOAT.power, "sqrt": FLOAT.sqrt,
    "exp": FLOAT.exp, "log": FLOAT.log, "xlogx": FLOAT.xlogx, "max2": np.maximum, "min2": np.minimum,
    "if": FLOAT.where, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
_LOCK = RLock()
_KNOWN: WeakValueDictionary[Any, Node] = WeakValueDictionary()


def _joined(op: str) -> Callable[[Node, Any], Node]:
    return lambda self, other: Node(op, (self, other))


@final
@dataclass(frozen=True, eq=False, init=False, slots=True, weakref_slot=True)
class Node:
    """An operation and what it is applied to: nodes, numbers and names.

    A leaf is ``number`` (an exact Fraction, a float or a truth value) or ``at`` (a variable's name, and its places).

    Examples
    --------
    >>> x = Node("at", ("x",))
    >>> x * x is Node("*", (x, x)), x * x is x**2
    (True, False)
    """

    op: str
    parts: tuple[Any, ...]

    def __new__(cls, op: str, parts: tuple[Any, ...]) -> Node:
        key = (
            op,
            *(x if isinstance(x, Node) else (type(x), repr(x)) for x in parts),
        )  # 1, True, 1.0 and -0.0, 0.0 differ
        with _LOCK:
            node = _KNOWN.get(key)
            if node is None:
                node = object.__new__(cls)
                object.__setattr__(node, "op", op)
                object.__setattr__(node, "parts", parts)
                _KNOWN[key] = node
        return node

    def __reduce__(self) -> Any:
        return Node, (self.op, self.parts)

    def __neg__(self) -> Node:
        return Node("neg", (self,))

    __add__, __sub__, __mul__, __truediv__ = _joined("+"), _joined("-"), _joined("*"), _joined("/")
    __pow__ = _joined("^")  # by an integer


def operands_first(*roots: Node) -> list[Node]:
    """Every node of some trees once, operands before what is made of them.

    Examples
    --------
    >>> x = Node("at", ("x",))
    >>> [node.op for node in operands_first((x + x) * (x + x))]
    ['at', '+', '*']
    """
    ordered: dict[Node, None] = {}
    waiting = [*reversed(roots)]
    while waiting:  # no recursion: a sum over many classes is as deep as it is long
        node = waiting[-1]
        new = [] if node in ordered else [x for x in node.parts if isinstance(x, Node) and x not in ordered]
        if new:
            waiting += reversed(new)
        else:
            ordered[waiting.pop()] = None
    return [*ordered]


class TreeArithmetic(ABC):
    """The operations of an arithmetic as nodes; what is a number, and what wraps a node, each tracer says itself."""

    @abstractmethod
    def read(self, x: Any) -> Node:
        """A number, or what wraps a node, as a node."""

    @abstractmethod
    def term(self, node: Node) -> Any:
        """The value that stands for a node in a formula."""

    def called(self, op: str, *operands: Any) -> Any:
        """An operation on operands."""
        return self.term(Node(op, tuple(map(self.read, operands))))

    def log(self, x: Any) -> Any:
        return self.called("log", x)

    def xlogx(self, x: Any) -> Any:
        return self.called("xlogx", x)

    def sqrt(self, x: Any) -> Any:
        return self.called("sqrt", x)

    def exp(self, x: Any) -> Any:
        return self.called("exp", x)

    def abs(self, x: Any) -> Any:
        return self.called("abs", x)

    def max(self, items: Any) -> Any:
        return functools.reduce(functools.partial(self.called, "max2"), items)

    def min(self, items: Any) -> Any:
        return functools.reduce(functools.partial(self.called, "min2"), items)


@final
class Tracer(TreeArithmetic):
    """The arithmetic of one run of a formula of float64; ``asked`` counts operations, those done before too.

    Examples
    --------
    >>> m = Tracer()
    >>> x = m.variable("x")
    >>> found = m.sqrt(x + 1) + m.sqrt(x + 1)
    >>> m.asked, [node.op for node in operands_first(found.node)]
    (5, ['at', 'number', '+', 'sqrt', '+'])
    """

    name = "FLOAT"

    def __init__(self) -> None:
        self.asked = 0

    def variable(self, *name: Any) -> Expression:
        """A number by its name, or by its name and places."""
        return Expression(Node("at", name), self)

    def read(self, x: Any) -> Node:
        """An operand as a node: an integer is exact, what Python or numpy takes for a number is kept."""
        if isinstance(x, Expression):
            return x.node
        if isinstance(x, np.number | np.bool_):
            x = x.item()
        if not isinstance(x, int | float):
            rule = "a traced formula computes with numbers"
            raise TypeError(complaint(rule, shown(x), "write constants as integers or floats"))
        return Node("number", (x if isinstance(x, bool | float) else Fraction(x),))

    def term(self, node: Node) -> Expression:
        return Expression(node, self)

    def called(self, op: str, *operands: Any) -> Any:
        """An operation on operands; what depends on no variable is computed."""
        if not any(isinstance(x, Expression) for x in operands):
            return FLOATS[op](*operands)
        self.asked += 1
        if op == "**" and isinstance(operands[1], int) and not isinstance(operands[1], bool):
            return self.term(self.read(operands[0]) ** operands[1])
        return super().called(op, *operands)

    def number(self, x: Any) -> Any:
        return FLOAT.number(x)

    def power(self, x: Any, a: Any) -> Any:
        return self.called("power", x, a)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return self.called("if", condition, a, b)


class Expression:
    """A number to be, of which a tracer knows the node: it adds, compares and so on, and has no value to look at."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, node: Node, tracer: Tracer) -> None:
        self.node, self.tracer = node, tracer

    def __bool__(self) -> NoReturn:
        rule = "a traced formula does not look at its numbers"
        raise TypeError(complaint(rule, "a question whether one is true", "decide by m.where"))


def _method(op: str, reflected: bool) -> Callable[..., Any]:
    def method(self: Expression, *others: Any) -> Any:
        return self.tracer.called(op, *(*others, self) if reflected else (self, *others))

    return method


for _name, _op in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}.items():
    setattr(Expression, f"__{_name}__", _method(_op, False))
    setattr(Expression, f"__r{_name}__", _method(_op, True))
for _name, _op in {"neg": "neg", "abs": "abs", "eq": "==", "ne": "!=", "lt": "<", "le": "<="}.items():
    setattr(Expression, f"__{_name}__", _method(_op, False))
for _name, _op in {"gt": "<", "ge": "<="}.items():  # one node for x > y and y < x
    setattr(Expression, f"__{_name}__", _method(_op, True))
