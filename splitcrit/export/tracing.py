"""A formula as a function of C, printed by running it: each operation that the formula does is a line.

Main definitions: ``traced``, which returns a ``Printed`` formula.
Main results: what is printed is what the formula does; a formula that looks at a number, or does more than
``+ - * /`` and whole powers, is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from splitcrit.frozen import complaint

PREFIX = "splitcrit_formula_"


@dataclass(frozen=True)
class Printed:
    """A formula in C: its name there, how many numbers it returns (0 for a single one), and its text."""

    name: str
    results: int
    text: str


class Symbol:
    """A number that writes down what is done with it."""

    __slots__ = ("lines", "text")

    def __init__(self, text: str, lines: list[str]) -> None:
        self.text, self.lines = text, lines

    def _written(self, operation: str, left: Any, right: Any) -> Symbol:
        operands = ", ".join(_read(side, self.lines).text for side in (left, right))
        found = Symbol(f"v{len(self.lines)}", self.lines)
        self.lines.append(f"    splitcrit_real {found.text} = splitcrit_{operation}({operands});")
        return found

    def __add__(self, other: Any) -> Symbol:
        return self._written("add", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return self._written("add", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return self._written("subtract", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return self._written("subtract", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return self._written("multiply", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return self._written("multiply", other, self)

    def __truediv__(self, other: Any) -> Symbol:
        return self._written("divide", self, other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return self._written("divide", other, self)

    def __pow__(self, power: Any) -> Symbol:
        if not isinstance(power, int) or power < 1:
            _refuse(f"the power {power}")
        found = self
        for _ in range(power - 1):
            found = found * self
        return found

    def __bool__(self) -> NoReturn:
        _refuse("a question about a number")


class Parameter(Symbol):
    """A parameter of a formula: a number, or as many as the formula takes out of it."""

    __slots__ = ("parts",)

    def __init__(self, text: str, lines: list[str]) -> None:
        super().__init__(text, lines)
        self.parts = 0

    def __getitem__(self, place: int) -> Symbol:
        self.parts = max(self.parts, place + 1)
        return Symbol(f"{self.text}{place}", self.lines)

    def names(self) -> list[str]:
        """Return the names in C of the numbers that are passed."""
        return [f"{self.text}{place}" for place in range(self.parts)] or [self.text]


def traced(formula: Callable[..., Any]) -> Printed:
    """Return a formula as a function of C.

    Raises
    ------
    TypeError
        If the formula does something else than add, subtract, multiply and divide numbers.

    Examples
    --------
    >>> print(traced(lambda n, r: (r - 1) / n**2).text.replace("<lambda>", "f"))
    static inline splitcrit_real splitcrit_formula_f(splitcrit_real n, splitcrit_real r) {
        splitcrit_real v0 = splitcrit_subtract(r, splitcrit_real_of(1));
        splitcrit_real v1 = splitcrit_multiply(n, n);
        splitcrit_real v2 = splitcrit_divide(v0, v1);
        return v2;
    }
    """
    lines: list[str] = []
    parameters = [Parameter(name, lines) for name in inspect.signature(formula).parameters]
    found = formula(*parameters)
    several = isinstance(found, tuple)
    if several:
        lines += ["    splitcrit_several found;"]
        lines += [f"    found.part[{i}] = {_read(x, lines).text};" for i, x in enumerate(found)]
        lines += ["    return found;"]
    else:
        lines += [f"    return {_read(found, lines).text};"]
    name, kind = PREFIX + formula.__name__, "splitcrit_several" if several else "splitcrit_real"
    given = ", ".join(f"splitcrit_real {each}" for parameter in parameters for each in parameter.names())
    text = "\n".join([f"static inline {kind} {name}({given}) {{", *lines, "}"])
    return Printed(name, len(found) if several else 0, text)


def _read(x: Any, lines: list[str]) -> Symbol:
    """Return an operand as a symbol: an integer is a constant."""
    if isinstance(x, Symbol):
        return x
    if isinstance(x, bool) or not isinstance(x, int):
        _refuse(repr(x))
    return Symbol(f"splitcrit_real_of({x})", lines)


def _refuse(got: str) -> NoReturn:
    rule = "a formula that is printed adds, subtracts, multiplies and divides numbers and integers"
    raise TypeError(complaint(rule, got, "do what is no such operation around it"))
