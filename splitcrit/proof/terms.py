"""Terms of the solver z3 over the reals as an arithmetic of formulas.

Main definitions: ``SMT``.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

import z3

from splitcrit.proof.undecided import Undecided


class SMT:
    """Terms of z3 over the reals; a square root is a new variable with its defining constraints.

    Every claim gets a context of its own, so that what the solver finds does not depend on what it did before.
    """

    name = "SMT"

    def __init__(self) -> None:
        self.context = z3.Context()
        self.constraints: list[Any] = []
        self._count = 0

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(condition, bool):
            return a if condition else b
        return z3.If(condition, self.number(a), self.number(b))

    def abs(self, x: Any) -> Any:
        return self.where(x >= 0, x, -x)

    def max(self, items: Any) -> Any:
        return functools.reduce(lambda a, b: self.where(a >= b, a, b), items)

    def min(self, items: Any) -> Any:
        return functools.reduce(lambda a, b: self.where(a <= b, a, b), items)

    def sqrt(self, x: Any) -> Any:
        self._count += 1
        root = z3.Real(f"_root{self._count}", self.context)
        self.constraints += [root >= 0, root * root == x]
        return root

    def power(self, x: Any, a: Any) -> Any:
        a = Fraction(a)
        base = self.sqrt(x) if a.denominator == 2 else x
        if a.denominator > 2 or a < 0:
            raise Undecided(f"z3 decides polynomials; got the power {a}; settle the claim another way")
        return functools.reduce(lambda product, _: product * base, range(a.numerator), self.number(1))

    def number(self, x: Any) -> Any:
        return z3.RealVal(str(x), self.context) if isinstance(x, int | Fraction) else x

    def log(self, x: Any) -> Any:
        raise Undecided("z3 decides polynomials; got a logarithm or exponential; settle the claim another way")

    xlogx = exp = log
