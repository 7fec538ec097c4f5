"""Rational functions over Q, in lowest terms, on the polynomials of FLINT.

Main definitions: ``Quotients`` (the field in named variables), ``Quotient`` (an element); ``sign_of``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint
from sympy import QQ
from sympy.polys.groebnertools import groebner
from sympy.polys.rings import ring


class Quotient:
    """A rational function: integer polynomials without a common factor, the leading coefficient below positive."""

    __slots__ = ("denom", "numer")

    def __init__(self, numer: Any, denom: Any) -> None:
        common = numer.gcd(denom)
        if denom.leading_coefficient() < 0:
            common = -common
        self.numer, self.denom = (numer, denom) if common == 1 else (numer // common, denom // common)

    def _read(self, x: Any) -> Quotient:
        return x if isinstance(x, Quotient) else _number(self.numer.context(), x)

    def __add__(self, other: Any) -> Quotient:
        y = self._read(other)
        if self.denom == y.denom:
            return Quotient(self.numer + y.numer, self.denom)
        return Quotient(self.numer * y.denom + y.numer * self.denom, self.denom * y.denom)

    def __mul__(self, other: Any) -> Quotient:
        y = self._read(other)
        return Quotient(self.numer * y.numer, self.denom * y.denom)

    def __neg__(self) -> Quotient:
        return Quotient(-self.numer, self.denom)

    def __sub__(self, other: Any) -> Quotient:
        return self + -self._read(other)

    def __rsub__(self, other: Any) -> Quotient:
        return self._read(other) + -self

    def __truediv__(self, other: Any) -> Quotient:
        y = self._read(other)
        if not y.numer:
            raise ZeroDivisionError("division of a rational function by 0")
        return Quotient(self.numer * y.denom, self.denom * y.numer)

    def __rtruediv__(self, other: Any) -> Quotient:
        return self._read(other) / self

    def __pow__(self, exponent: int) -> Quotient:
        if exponent < 0:
            return 1 / self**-exponent
        return Quotient(self.numer**exponent, self.denom**exponent)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        y = self._read(other)
        return bool(self.numer == y.numer and self.denom == y.denom)

    def __bool__(self) -> bool:
        return bool(self.numer)

    def __hash__(self) -> int:
        return hash((str(self.numer), str(self.denom)))

    def __repr__(self) -> str:
        above, below = (str(x).replace("^", "**") for x in (self.numer, self.denom))
        return above if below == "1" else f"({above})/({below})"


def _number(context: Any, x: Any) -> Quotient:
    ratio = Fraction(x)
    return Quotient(context.constant(ratio.numerator), context.constant(ratio.denominator))


class Quotients:
    """The field of rational functions in named variables; called, it reads a number, a polynomial or an element."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.context = flint.fmpz_mpoly_ctx.get(self.names, "lex")
        self.gens = [Quotient(x, self.context.constant(1)) for x in self.context.gens()]

    def __call__(self, x: Any) -> Quotient:
        if isinstance(x, Quotient):
            return x
        if isinstance(x, flint.fmpz_mpoly):
            return Quotient(x, self.context.constant(1))
        return _number(self.context, int(x) if isinstance(x, flint.fmpz) else x)

    def place(self, variable: Quotient) -> int:
        """The place of a variable."""
        return self.gens.index(variable)

    def monomial(self, exponents: tuple[int, ...], coefficient: Any = 1) -> Quotient:
        """A coefficient times powers of the variables."""
        return self(self.context.from_dict({exponents: coefficient}))

    def pieces(self, x: Quotient, place: int, degree: int, power: Any) -> list[Quotient]:
        """Split the numerator of ``x`` by powers of a variable, those from a degree on replaced by what they are."""
        parts = [self(0)] * degree
        for exponents, coefficient in x.numer.terms():
            rest = tuple(0 if i == place else e for i, e in enumerate(exponents))
            times, left = divmod(exponents[place], degree)
            parts[left] = parts[left] + self.monomial(rest, coefficient) * power**times
        return parts

    def basis(self, polynomials: Sequence[Any]) -> list[Any]:
        """A Groebner basis of polynomials, none for none."""
        over = ring(self.names, QQ)[0]
        return groebner([over.from_dict(_rational(x)) for x in polynomials], over) if polynomials else []

    def rest(self, polynomial: Any, basis: Sequence[Any]) -> Quotient:
        """A polynomial less what a basis generates."""
        left = basis[0].ring.from_dict(_rational(polynomial)).rem(list(basis))
        terms = (self.monomial(e) * Fraction(int(c.numerator), int(c.denominator)) for e, c in left.terms())
        return sum(terms, self(0))


def sign_of(polynomial: Any, known: Sequence[bool | None]) -> tuple[int, bool]:
    """The sign that a polynomial has by its coefficients, 0 if none is known, and whether it is strict.

    Of each variable is known that it is positive (True), only that it is not negative (False), or nothing (None).
    """
    used = [[sure for sure, e in zip(known, exponents, strict=False) if e] for exponents, _ in polynomial.terms()]
    signs = {1 if coefficient > 0 else -1 for _, coefficient in polynomial.terms()}
    if len(signs) != 1 or any(None in term for term in used):
        return 0, False
    return signs.pop(), any(map(all, used))


def _rational(polynomial: Any) -> dict[tuple[int, ...], Any]:
    """The coefficients over Q of an integer polynomial, by the powers of its variables."""
    return {exponents: QQ(int(coefficient)) for exponents, coefficient in polynomial.terms()}
