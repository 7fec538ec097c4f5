"""Formulas as they are read: the SYMBOL arithmetic runs a formula on symbols of sympy, and the result prints as LaTeX.

Nothing is transcribed: what the documentation shows is what the function object said of symbols.

Main definitions: ``SYMBOL``; ``classes``, ``counts`` (symbols to run a formula on); ``latex``.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy

from splitcrit.proof.terms import Condition, Term

RELATIONS = {
    "==": sympy.Eq,
    "!=": sympy.Ne,
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
}
JOINED = {"and": sympy.And, "or": sympy.Or, "iff": sympy.Equivalent, "not": lambda a, _: sympy.Not(a)}


class _SymbolArithmetic:
    """The operations on expressions of sympy; a comparison that no assumption decides becomes a case."""

    name = "SYMBOL"

    def read(self, x: Any) -> Any:
        """Return the expression that a value is; a float is the fraction that its shortest text says."""
        if isinstance(x, Term):
            return x.inner
        if isinstance(x, float) and math.isfinite(x):
            x = Fraction(repr(x))
        if isinstance(x, Fraction):
            return sympy.Rational(x.numerator, x.denominator)
        return sympy.Integer(x) if isinstance(x, int) else sympy.Float(x) if isinstance(x, float) else x

    def term(self, x: Any) -> Term:
        return Term(self.read(x), self)

    def compared(self, relation: str, left: Term, right: Any) -> Any:
        said = RELATIONS[relation](left.inner - self.read(right), 0)
        return bool(said) if said in (sympy.true, sympy.false) else Condition(relation, said, self)

    def joined(self, word: str, one: Condition, other: Any) -> Condition:
        second = other.said if isinstance(other, Condition) else sympy.true if other else sympy.false
        return Condition(word, JOINED[word](one.said, second), self)

    def number(self, x: Any) -> Any:
        return self.term(x)

    def log(self, x: Any) -> Any:
        return self.term(sympy.log(self.read(x)))

    def xlogx(self, x: Any) -> Any:
        return self.where(self.term(x) == 0, 0, x * self.log(x)) if self.read(x) != 0 else self.term(0)

    def sqrt(self, x: Any) -> Any:
        return self.term(sympy.sqrt(self.read(x)))

    def power(self, x: Any, a: Any) -> Any:
        return self.term(self.read(x) ** self.read(a))

    def exp(self, x: Any) -> Any:
        return self.term(sympy.exp(self.read(x)))

    def max(self, items: Any) -> Any:
        return self.term(sympy.Max(*map(self.read, items)))

    def min(self, items: Any) -> Any:
        return self.term(sympy.Min(*map(self.read, items)))

    def abs(self, x: Any) -> Any:
        return self.term(sympy.Abs(self.read(x)))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if not isinstance(condition, Condition):
            return a if condition else b
        return self.term(sympy.Piecewise((self.read(a), condition.said), (self.read(b), True)))


SYMBOL = _SymbolArithmetic()


def symbol(name: str, **assumptions: bool) -> Term:
    """Return a symbol to run a formula on, with what sympy may assume of it."""
    return SYMBOL.term(sympy.Symbol(name, **assumptions))


def classes(count: int, letter: str = "p") -> tuple[Any, ...]:
    """Return positive symbols ``p_1, ..., p_K``; two classes are ``1 - p`` and ``p``, which solves no equation."""
    if count == 2 and letter == "p":
        p = symbol("p", positive=True, algebraic=False)
        return 1 - p, p
    return tuple(symbol(f"{letter}_{k}", positive=True) for k in range(1, count + 1))


def counts(letters: str = "ab cd") -> list[list[Any]]:
    """Return a table of positive integer symbols, one letter a cell, rows apart."""
    return [[symbol(name, positive=True, integer=True) for name in row] for row in letters.split()]


def latex(expression: Any) -> str:
    """Return an expression as LaTeX, logarithms written ``log``.

    Examples
    --------
    >>> from splitcrit import gini
    >>> latex(gini.of(classes(3), SYMBOL))
    '1 - p_{1}^{2} - p_{2}^{2} - p_{3}^{2}'
    """
    return str(sympy.latex(SYMBOL.read(expression), order="none"))
