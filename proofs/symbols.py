"""Formulas as they are read: the SYMBOL arithmetic runs a formula on symbols of sympy, and the result prints as LaTeX.

Nothing is transcribed: what the documentation shows is what the function object said of symbols.

Main definitions: ``SYMBOL``; ``classes``, ``counts`` (symbols to run a formula on); ``latex``.
"""

from __future__ import annotations

from typing import Any

import sympy

from splitcrit.arith.symbolic import SymbolArithmetic
from splitcrit.proof.terms import Condition, Term

SYMBOL = SymbolArithmetic(Term, Condition, "SYMBOL")


def symbol(name: str, **assumptions: bool) -> Term:
    """A symbol to run a formula on, with what sympy may assume of it."""
    term: Term = SYMBOL.term(sympy.Symbol(name, **assumptions))
    return term


def classes(count: int, letter: str = "p") -> tuple[Any, ...]:
    """Positive symbols ``p_1, ..., p_K``; two classes are ``1 - p`` and ``p``, which solves no equation."""
    if count == 2 and letter == "p":
        p = symbol("p", positive=True, algebraic=False)
        return 1 - p, p
    return tuple(symbol(f"{letter}_{k}", positive=True) for k in range(1, count + 1))


def counts(letters: str = "ab cd") -> list[list[Any]]:
    """A table of positive integer symbols, one letter a cell, rows apart."""
    return [[symbol(name, positive=True, integer=True) for name in row] for row in letters.split()]


def latex(expression: Any) -> str:
    """An expression as LaTeX, logarithms written ``log``.

    Examples
    --------
    >>> from splitcrit import gini
    >>> latex(gini.of(classes(3), SYMBOL))
    '1 - p_{1}^{2} - p_{2}^{2} - p_{3}^{2}'
    """
    return str(sympy.latex(SYMBOL.read(expression), order="none"))
