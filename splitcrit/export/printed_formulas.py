"""A formula as a function of C or JavaScript, printed by running it: each operation that the formula does is a line.

Main definitions: ``printed_formula``, which returns a ``PrintedFormula``; ``Language``, ``C``, ``JAVASCRIPT``.
Main results: what is printed is what the formula does; a formula that looks at a number, or does more than
``+ - * /`` and whole powers, is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, final

from splitcrit.arith.tracing import Expression, Node, Tracer, operands_first
from splitcrit.frozen import complaint

PREFIX = "splitcrit_formula_"
OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
TYPES = {
    "Counts": "const int64_t *",
    "Room": "int64_t *",
    "Scores": "double *",
    "Values": "const double *",
    "Real": "splitcrit_real ",
    "Several": "splitcrit_several ",
    "int": "int64_t ",
    "float": "double ",
    "bool": "int ",
}


@final
@dataclass(frozen=True)
class Language:
    """How a language says what differs.

    Parameters
    ----------
    function
        What stands before a function and the type of its result.
    types, variables
        What stands before a parameter or a result, and before a variable, by the kind of its values.
    integer
        What stands after the digits of an integer.
    tail
        An array from an index on.
    several
        What a variable for several results begins as.
    """

    function: str
    types: Mapping[str, str]
    variables: Mapping[str, str]
    integer: str
    tail: str
    several: str


C = Language("static inline ", TYPES, TYPES, "", "({array} + {start})", "")
JAVASCRIPT = Language(
    "function ", dict.fromkeys(TYPES, ""), dict.fromkeys(TYPES, "let "), "n", "splitcrit_tail({array}, {start})",
    " = {part: []}",
)  # fmt: skip


@dataclass(frozen=True)
class PrintedFormula:
    """A formula in a language: its name there, how many numbers it returns (0 for a single one), and its text."""

    name: str
    results: int
    text: str


class _Parameter(Expression):
    """A parameter of a formula: a number, or as many as the formula takes out of it."""

    __iter__ = None  # by places it would have no end

    def __init__(self, name: str, tracer: Tracer) -> None:
        super().__init__(Node("at", (name,)), tracer)
        self.name, self.parts = name, 0

    def __getitem__(self, place: int) -> Expression:
        self.parts = max(self.parts, place + 1)
        return self.tracer.variable(self.name, place)

    def names(self) -> list[str]:
        """The names in C of the numbers that are passed."""
        return [f"{self.name}{place}" for place in range(self.parts)] or [self.name]


def printed_formula(formula: Callable[..., Any], language: Language = C) -> PrintedFormula:
    """A formula as a function of C, or of another language.

    Raises
    ------
    TypeError
        If the formula does something else than add, subtract, multiply and divide numbers.

    Examples
    --------
    >>> print(printed_formula(lambda n, r: (r - 1) / n**2).text.replace("<lambda>", "f"))
    static inline splitcrit_real splitcrit_formula_f(splitcrit_real n, splitcrit_real r) {
        splitcrit_real v0 = splitcrit_subtract(r, splitcrit_real_of(1));
        splitcrit_real v1 = splitcrit_multiply(n, n);
        splitcrit_real v2 = splitcrit_divide(v0, v1);
        return v2;
    }
    """
    tracer = Tracer()
    parameters = [_Parameter(name, tracer) for name in inspect.signature(formula).parameters]
    result = formula(*parameters)
    several = isinstance(result, tuple)
    roots = [tracer.read(x) for x in (result if several else (result,))]
    values: dict[str, str] = {}  # the name of each line, by what it computes
    names: dict[Node, str] = {}
    for node in operands_first(*roots):
        names[node] = _written(node, names, values, language)
    lines = [f"    {language.variables['Real']}{name} = {text};" for text, name in values.items()]
    if several:
        lines += [f"    {language.variables['Several']}results{language.several};"]
        lines += [f"    results.part[{i}] = {names[node]};" for i, node in enumerate(roots)]
        lines += ["    return results;"]
    else:
        lines += [f"    return {names[roots[0]]};"]
    name, kind = PREFIX + formula.__name__, "Several" if several else "Real"
    arguments = ", ".join(f"{language.types['Real']}{each}" for parameter in parameters for each in parameter.names())
    text = "\n".join([f"{language.function}{language.types[kind]}{name}({arguments}) {{", *lines, "}"])
    return PrintedFormula(name, len(roots) if several else 0, text)


def _written(node: Node, names: dict[Node, str], values: dict[str, str], language: Language) -> str:
    """A node: a name, a constant, or the name of a line, which is added; a power is repeated products."""
    op, parts = node.op, node.parts
    if op == "at":
        return "".join(map(str, parts))
    if op == "number" and isinstance(parts[0], Fraction):
        return f"splitcrit_real_of({parts[0]}{language.integer})"
    if op == "^" and parts[1] >= 1:
        base = product = names[parts[0]]
        for _ in range(parts[1] - 1):
            product = _line("multiply", product, base, values)
        return product
    if op in OPERATIONS:
        return _line(OPERATIONS[op], *(names[x] for x in parts), values)  # type: ignore[call-arg, arg-type]
    _refuse(str(parts[0]) if op == "number" else f"the operation {op}")


def _line(operation: str, left: str, right: str, values: dict[str, str]) -> str:
    return values.setdefault(f"splitcrit_{operation}({left}, {right})", f"v{len(values)}")


def _refuse(got: str) -> NoReturn:
    rule = "a formula that is printed adds, subtracts, multiplies and divides numbers and integers"
    raise TypeError(complaint(rule, got, "do other operations around it"))
