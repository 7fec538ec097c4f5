"""Traced formulas printed as terms of Rocq, over any ordered field.

Main definitions: ``printed`` (a tree as text), ``Definition`` (a printed definition and the function it is of).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from splitcrit.arith.tracing import Node
from splitcrit.proof.family_trees import BINDERS, SIZES, free_of

INFIX = {"+": "+", "-": "-", "*": "*", "/": "/", "==": "==", "<": "<", "<=": "<=", "and": "&&", "or": "||"}
CALLED = {"log": "log", "xlogx": "xlogx log", "sqrt": "sqrt", "exp": "exp"}


@dataclass(frozen=True)
class Definition:
    """A definition of Rocq that a function of the library printed, and what the function asks, else it raises."""

    name: str
    arguments: str
    tree: Node
    function: str
    hypotheses: tuple[Node, ...] = ()
    shared: bool = False  # what occurs more than once is printed once, as a let

    def text(self) -> str:
        """The definition as Rocq reads it."""
        term = with_lets(self.tree) if self.shared else printed(self.tree)
        for size in ("r", "K"):
            if f"'I_{size}.+1" in self.arguments:  # a family with a first member
                term = term.replace(f"< {size})", f"< {size}.+1)")
                term = re.sub(rf"(?<!\w){size}%:R", f"{size}.+1%:R", term)
        asked = " && ".join(map(printed, self.hypotheses))
        more = f"\nDefinition {self.name}_asks {self.arguments} : bool :=\n  {asked}.\n" if self.hypotheses else ""
        return f"(* {self.function} *)\nDefinition {self.name} {self.arguments} : R :=\n  {term}.\n{more}"


def printed(node: Node) -> str:
    """A tree as a term of Rocq in mathcomp's notations.

    Examples
    --------
    >>> from splitcrit.proof.families import retraced
    >>> from splitcrit.proof.family_trees import TRACE
    >>> from splitcrit.proofs.rocq.variables import row
    >>> from splitcrit.proof.control_flow import traced
    >>> from splitcrit.impurities.library import _gini
    >>> printed(traced(lambda: retraced(_gini)(row("p"), TRACE)).tree)
    '(1 - (\\\\sum_(k < K) ((p k) * (p k))))'
    """
    op, parts = node.op, node.parts
    if op == "number":
        return _number(parts[0])
    if op == "at":
        return parts[0] if len(parts) == 1 else "(" + " ".join(map(str, parts)) + ")"
    if op == "index":
        return str(parts[0])
    if op == "size":
        return f"{parts[0]}%:R"
    if op == "sum":
        return f"(\\sum_({parts[0]} < {SIZES[parts[0]]}) {printed(parts[1])})"
    if op == "of":
        return f"({parts[2]} (fun {parts[0]} => {printed(parts[1])}))"
    if op == "call":
        return "(" + " ".join([str(parts[0]), *map(printed, parts[1:])]) + ")"
    if op == "if":
        condition, a, b = map(printed, parts)
        return f"(if {condition} then {a} else {b})"
    return _operation(op, parts)


def with_lets(tree: Node) -> str:
    """A tree as a term in which every subterm without open indices that occurs twice is named."""
    seen: dict[Node, int] = {}

    def count(node: Node) -> None:
        seen[node] = seen.get(node, 0) + 1
        if seen[node] == 1:
            for part in node.parts:
                if isinstance(part, Node):
                    count(part)

    count(tree)
    names: dict[Node, Node] = {}
    bindings: list[str] = []

    def named(node: Node) -> Node:
        if node in names:
            return names[node]
        bound = Node(node.op, tuple(named(x) if isinstance(x, Node) else x for x in node.parts))
        if seen[node] > 1 and node.op not in ("at", "index", "number", "size") and not free_of(node):
            names[node] = Node("at", (f"x{len(names)}",))
            bindings.append(f"let x{len(bindings)} := {printed(bound)} in")
            return names[node]
        return bound

    term = printed(named(tree))
    return "\n  ".join([*bindings, term])


def _operation(op: str, parts: tuple[Node | int | str, ...]) -> str:
    operands = [printed(x) if isinstance(x, Node) else str(x) for x in parts]
    if op in ("==", "<", "<=") and {x.op for x in parts if isinstance(x, Node)} <= {"size", "number"}:
        operands[0] = f"({operands[0]} : R)"  # nothing else says which numbers are compared
    if op in INFIX:
        return f"({operands[0]} {INFIX[op]} {operands[1]})"
    if op == "^":
        return f"({operands[0]} ^+ {operands[1]})"
    if op == "neg":
        return f"(- {operands[0]})"
    if op == "not":
        return f"(~~ {operands[0]})"
    if op == "abs":
        return f"`|{operands[0]}|"
    if op in ("max", "min"):
        return f"(\\big[Num.{op}/{_first(parts)}]_({operands[0]} < {SIZES[operands[0]]}) {operands[1]})"
    if op in ("max2", "min2"):
        return f"(Num.{op[:3]} {operands[0]} {operands[1]})"
    return f"({CALLED[op]} {operands[0]})"


def _first(parts: tuple[Node | int | str, ...]) -> str:
    """The member that a fold of a family begins with: the one of index 0."""
    axis, body = parts
    assert isinstance(body, Node)
    return printed(_at_first(body, str(axis)))


def _at_first(node: Node, axis: str) -> Node:
    if node.op in ("at", "index"):
        return Node(node.op, tuple("ord0" if x == axis else x for x in node.parts))
    if node.op in BINDERS and node.parts[0] == axis:  # another index of the same letter
        return node
    return Node(node.op, tuple(_at_first(x, axis) if isinstance(x, Node) else x for x in node.parts))


def _number(x: Fraction) -> str:
    top = f"{abs(x.numerator)}%:R" if abs(x.numerator) > 1 else str(abs(x.numerator))
    top = f"(- {top})" if x < 0 else top
    return top if x.denominator == 1 else f"({top} / {x.denominator}%:R)"
