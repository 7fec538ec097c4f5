"""Formulas as they are read: the SYMBOL arithmetic runs a formula on symbols of sympy, and the result prints as LaTeX.

Nothing is transcribed: what the documentation shows is what the function object said of symbols.

Main definitions: ``SYMBOL``; ``classes``, ``counts`` (symbols to run a formula on); ``latex``.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy


class _Symbol:
    """The operations on expressions of sympy; a comparison of symbols becomes a case."""

    name = "SYMBOL"

    def number(self, x: Any) -> Any:
        if isinstance(x, float) and math.isfinite(x):
            x = Fraction(repr(x))
        return sympy.Rational(x.numerator, x.denominator) if isinstance(x, Fraction) else sympy.sympify(x)

    def log(self, x: Any) -> Any:
        return sympy.log(self.number(x))

    def xlogx(self, x: Any) -> Any:
        return x * self.log(x) if x != 0 else sympy.Integer(0)

    def sqrt(self, x: Any) -> Any:
        return sympy.sqrt(self.number(x))

    def power(self, x: Any, a: Any) -> Any:
        return self.number(x) ** self.number(a)

    def exp(self, x: Any) -> Any:
        return sympy.exp(self.number(x))

    def max(self, items: Any) -> Any:
        return sympy.Max(*map(self.number, items))

    def min(self, items: Any) -> Any:
        return sympy.Min(*map(self.number, items))

    def abs(self, x: Any) -> Any:
        return sympy.Abs(self.number(x))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if condition in (True, False):
            return a if condition else b
        return sympy.Piecewise((self.number(a), condition), (self.number(b), True))


SYMBOL = _Symbol()


def classes(count: int, letter: str = "p") -> tuple[Any, ...]:
    """Return positive symbols ``p_1, ..., p_K``; two classes are ``1 - p`` and ``p``."""
    if count == 2 and letter == "p":
        p = sympy.Symbol("p", positive=True)
        return 1 - p, p
    found: tuple[Any, ...] = sympy.symbols(f"{letter}_1:{count + 1}", positive=True)
    return found


def counts(letters: str = "ab cd") -> list[list[Any]]:
    """Return a table of positive integer symbols, one letter a cell, rows apart."""
    return [list(sympy.symbols(" ".join(row), positive=True, integer=True, seq=True)) for row in letters.split()]


def latex(expression: Any) -> str:
    """Return an expression as LaTeX, logarithms written ``log``.

    Examples
    --------
    >>> from splitcrit import gini
    >>> latex(gini.of(classes(3), SYMBOL))
    '1 - p_{1}^{2} - p_{2}^{2} - p_{3}^{2}'
    """
    return str(sympy.latex(expression, order="none"))
