"""Traced formulas printed a second time, as data of Rocq that the kernel evaluates on lists of rational numbers.

``proofs/rocq/rational.v`` holds the type ``term`` and its two values: ``value`` over any ordered field, with ``\\sum``,
and ``qvalue`` over rationals, with lists; a theorem says that they agree. ``mirror`` prints a definition as a ``term``
and a lemma that says: if ``qvalue`` of the term on lists of rationals is ``v``, the definition itself has the value
``v`` there, in every ordered field. Its proof is that theorem; that the printed definition *is* the ``value`` of the
term is left to conversion, so that a term that says something else is refused by the kernel.

``log`` and ``sqrt``, parameters of the definitions, stand for two rational functions there; a parameter ``phi`` for the
sum of cubes.

Main definitions: ``mirror``, ``arguments_of``, ``applied`` (a definition at lists of rationals, as text).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from splitcrit.arith.tracing import Node
from splitcrit.proof.family_trees import SIZES
from splitcrit.proofs.rocq.definitions import Definition

LOOPS = {letter: number for number, letter in enumerate([*SIZES, "top"])}  # top: an index that is an argument
AXES = {"r": 0, "K": 1, "q": 2}
BINARY = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "max2": "Max", "min2": "Min"}
BINARY |= {"<": "Lt", "<=": "Le", "==": "Eq", "and": "And", "or": "Or"}
UNARY = {"neg": "Opp", "abs": "Abs", "log": "Log", "xlogx": "XlogX", "sqrt": "Root", "not": "Not"}
FOLDS = {"sum": "Sum", "max": "Largest", "min": "Smallest"}
CUBES = "(fun p : 'I_K -> R => \\sum_(k < K) p k ^+ 3)"


@dataclass(frozen=True)
class Argument:
    """An argument of a definition: its name, its type, and the bounds of the indices that it is a function of."""

    name: str
    kind: str  # "nat", "number", "index", "family" or "phi"
    bounds: tuple[str, ...] = ()


def arguments_of(definition: Definition) -> list[Argument]:
    """The arguments of a definition in their order, sizes too."""
    arguments = []
    for group in re.findall(r"\((?:[^()]|\([^()]*\))*\)|[^\s()]+", definition.arguments):
        if not group.startswith("("):
            arguments.append(Argument(group, "nat"))
            continue
        names, kind = (part.strip() for part in group[1:-1].split(":", 1))
        bounds = tuple(re.findall(r"'I_([\w.+]+)", kind))
        if kind in ("R", "nat"):
            kind_of_argument = "number" if kind == "R" else "nat"
        elif kind.startswith("("):
            kind_of_argument = "phi"
        else:
            kind_of_argument = "family" if "->" in kind else "index"
        arguments += [Argument(name, kind_of_argument, bounds) for name in names.split()]
    return arguments


def mirror(definition: Definition, known: Mapping[str, Definition]) -> str:
    """A definition as data, and the lemma that carries what is computed over to the definition itself."""
    arguments = arguments_of(definition)
    numbers = {a.name: n for n, a in enumerate(x for x in arguments if x.kind in ("number", "family"))}
    name = definition.name.removeprefix("py_")
    term = _term(definition.tree, numbers, known, len(numbers))
    cases = "".join(f" | {n}%N => {_entry(a)}" for a in arguments if (n := numbers.get(a.name)) is not None)
    sizes = " | ".join(f"{AXES[a.name]} => {_size(a.name, definition)}" for a in arguments if a.kind == "nat")
    places = "(fun _ => 0%N)"
    for a in arguments:
        places = f"(put {places} {LOOPS[a.name]} {a.name})" if a.kind == "index" else places
    binders = " ".join(_binder(a) for a in arguments if a.kind != "phi")
    at = (
        f"(fun x_ : nat => (match x_ with {sizes + ' | ' if sizes else ''}_ => 0 end)%N) "
        f"d_{name} (fun x_ i_ j_ => match x_ with {cases.removeprefix(' | ')}{' | ' if cases else ''}_ => qnat 0 end) "
        f"{places}"
    )
    application = applied(definition, {a.name: _as_argument(a, a.name) for a in arguments}, known)
    return (
        f"Definition d_{name} : term :=\n  {term}.\n"
        f"Lemma e_{name} (R : realFieldType) {binders} v_ :\n"
        f"  qvalue {_turned(at)} = v_ -> {application} = qr R v_.\n"
        f"Proof. exact: (@evaluated R {at} v_). Qed.\n"
    )


def applied(definition: Definition, values: Mapping[str, str], known: Mapping[str, Definition]) -> str:
    """A definition applied to arguments, as text."""
    called = {op for op in ("log", "sqrt") if _uses(definition.tree, op, known)}
    functions = [f"(@r{'root' if op == 'sqrt' else op} R)" for op in sorted(called)]
    return " ".join([f"@{definition.name} R", *functions, *(values[a.name] for a in arguments_of(definition))])


def as_family(argument: Argument, listed: str) -> str:
    """A list of rationals as the family of numbers of a field that a definition takes."""
    if len(argument.bounds) == 1:
        return f"(fun k_ : 'I_{argument.bounds[0]} => qr R (nth (qnat 0) {listed} k_))"
    i, k = argument.bounds
    return f"(fun (i_ : 'I_{i}) (k_ : 'I_{k}) => qr R (nth (qnat 0) (nth [::] {listed} i_) k_))"


def _as_argument(a: Argument, text: str) -> str:
    return {"nat": text, "index": text, "number": f"(qr R {text})", "phi": CUBES}.get(a.kind) or as_family(a, text)


def _turned(at: str) -> str:
    """The arguments of ``qvalue`` from those of ``evaluated``: data and places stand before the term."""
    sizes, term, rest = re.split(r" (d_\w+) ", at, maxsplit=1)
    return f"{sizes} {rest} {term}"


def _binder(a: Argument) -> str:
    kinds = {"nat": "nat", "number": "Q", "index": f"'I_{a.bounds[0] if a.bounds else ''}"}
    return f"({a.name} : {kinds.get(a.kind) or ('seq Q' if len(a.bounds) == 1 else 'seq (seq Q)')})"


def _entry(a: Argument) -> str:
    if a.kind == "number":
        return a.name
    return f"nth (qnat 0) {a.name} i_" if len(a.bounds) == 1 else f"nth (qnat 0) (nth [::] {a.name} i_) j_"


def _size(name: str, definition: Definition) -> str:
    return f"{name}.+1" if f"'I_{name}.+1" in definition.arguments else name


def _uses(node: Node, op: str, known: Mapping[str, Definition]) -> bool:
    if node.op in (op, f"x{op}x"):
        return True
    if node.op == "call" and _uses(known[node.parts[0]].tree, op, known):
        return True
    return any(_uses(x, op, known) for x in node.parts if isinstance(x, Node))


def _index(x: str) -> str:
    return f"(Loop {LOOPS[x]})" if x in LOOPS else f"(Place {0 if x == 'ord0' else x})"


def _term(node: Node, names: Mapping[str, int], known: Mapping[str, Definition], fresh: int) -> str:
    """A tree as data; ``names`` numbers the arguments, and numbers from ``fresh`` are free for calls."""
    op, parts = node.op, node.parts
    operands = [_term(x, names, known, fresh) if isinstance(x, Node) and x.op != "index" else "" for x in parts]
    if op == "number":
        return _number(parts[0])
    if op == "size":
        return f"(Size {AXES[parts[0]]})"
    if op == "at":
        places = [_index(x) for x in parts[1:]] + ["(Place 0)"] * (3 - len(parts))
        return f"(Data {names[parts[0]]} {' '.join(places)})"
    if op == "==" and "index" in (x.op for x in parts):
        return f"(Same {' '.join(_compared(x) for x in parts)})"
    if op in FOLDS:
        return f"({FOLDS[op]} {LOOPS[parts[0]]} {AXES[SIZES[parts[0]]]} {operands[1]})"
    if op == "of":
        return f"(Sum {LOOPS[parts[0]]} {AXES[SIZES[parts[0]]]} (Pow {operands[1]} 3))"
    if op == "^":
        return (
            f"(Pow {operands[0]} {parts[1]})"
            if isinstance(parts[1], int)
            else f"(PowSize {operands[0]} {AXES[parts[1]]})"
        )
    if op == "call":
        return _call(node, names, known, fresh)
    if op == "if":
        return f"(If {' '.join(operands)})"
    return f"({BINARY.get(op) or UNARY[op]} {' '.join(operands)})"


def _compared(node: Node) -> str:
    return _index(node.parts[0]) if node.op == "index" else f"(Place {node.parts[0]})"


def _call(node: Node, names: Mapping[str, int], known: Mapping[str, Definition], fresh: int) -> str:
    """A call as the tree of what is called, its numbers bound to values and its families to those given."""
    called = known[node.parts[0]]
    inner, bound = {}, []
    arguments = [a for a in arguments_of(called) if a.kind in ("number", "family")]
    for a, argument in zip(arguments, node.parts[1:], strict=True):
        if a.kind == "family":
            inner[a.name] = names[argument.parts[0]]
        else:
            inner[a.name] = fresh
            bound.append((fresh, _term(argument, names, known, fresh)))
            fresh += 1
    body = _term(called.tree, inner, known, fresh)
    for number, value in reversed(bound):
        body = f"(Let {number} {value} {body})"
    return body


def _number(x: Fraction) -> str:
    whole = f"(Nat {abs(x.numerator)})"
    whole = f"(Opp {whole})" if x < 0 else whole
    return whole if x.denominator == 1 else f"(Div {whole} (Nat {x.denominator}))"
