"""Rational functions as an arithmetic: formulas are the library's own, run on elements of a field.

Main definitions: ``Field`` (rational functions over Q, with square roots and absolute values as algebraic elements).
"""

from __future__ import annotations

import builtins
from fractions import Fraction
from typing import Any

from sympy import QQ
from sympy.polys.fields import field

from splitcrit.proof.undecided import Undecided


class Element:
    """An element of a field of rational functions: ``+ - * /``, equality as functions, and no order."""

    __slots__ = ("function",)

    def __init__(self, function: Any) -> None:
        self.function = function

    def __add__(self, other: Any) -> Element:
        return Element(self.function + plain(other))

    def __mul__(self, other: Any) -> Element:
        return Element(self.function * plain(other))

    def __sub__(self, other: Any) -> Element:
        return Element(self.function - plain(other))

    def __rsub__(self, other: Any) -> Element:
        return Element(plain(other) - self.function)

    def __neg__(self) -> Element:
        return Element(-self.function)

    def __truediv__(self, other: Any) -> Element:
        return Element(self.function / plain(other))

    def __rtruediv__(self, other: Any) -> Element:
        return Element(plain(other) / self.function)

    def __pow__(self, exponent: int) -> Element:
        return Element(self.function**exponent)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return bool(self.function == plain(other))

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return str(self.function)

    def _no_order(self, other: Any) -> bool:
        raise Undecided(f"rational functions have no order; got a comparison of {self}; settle the claim another way")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order


def plain(x: Any) -> Any:
    """Return the rational function, or the number, that ``x`` is."""
    if isinstance(x, float):
        raise Undecided(f"a field holds exact numbers; got the float {x}; use a Fraction")
    return x.function if isinstance(x, Element) else x


class Field:
    """Rational functions over Q in named variables, some of them known to be non-negative.

    ``abs(x)`` and ``sqrt(x)`` are new elements ``y`` of which only ``y**2 = x**2``, or ``y**2 = x``, is known, and
    ``max`` and ``min`` new elements of which nothing is known: what is zero here is zero for either sign and whatever
    the largest is.
    """

    name = "FIELD"
    NEW = 8  # elements that may be adjoined

    def __init__(self, names: tuple[str, ...], nonnegative: frozenset[str] = frozenset()) -> None:
        self.field, *generators = field(names + tuple(f"new{i}" for i in range(self.NEW)), QQ)
        self.variables = {name: Element(x) for name, x in zip(names, generators, strict=False)}
        self._nonnegative = [name in nonnegative for name in names] + [False] * self.NEW
        self._free = generators[len(names) :]
        self._squares: list[tuple[Any, Any]] = []  # (y, y squared), in the order they were made
        self._extremes: dict[Any, Element] = {}

    def _fresh(self) -> Any:
        if not self._free:
            raise Undecided(f"a field has {self.NEW} new elements at most; one more was asked for; split the claim")
        return self._free.pop(0)

    def _adjoin(self, squared: Any) -> Any:
        for y, known in self._squares:
            if known == squared:
                return y
        self._squares.append((self._fresh(), squared))
        return self._squares[-1][0]

    def _extreme(self, kind: str, items: Any) -> Element:
        key = (kind, *items)
        if key not in self._extremes:
            self._extremes[key] = Element(self._fresh())
        return self._extremes[key]

    def max(self, items: Any) -> Element:
        return self._extreme("max", items)

    def min(self, items: Any) -> Element:
        return self._extreme("min", items)

    def _surely_nonnegative(self, poly: Any) -> bool:
        """Tell whether all coefficients are positive and all variables that occur are non-negative."""
        return all(
            coefficient > 0 and all(known for known, e in zip(self._nonnegative, exponents, strict=True) if e)
            for exponents, coefficient in poly.terms()
        )

    def abs(self, x: Any) -> Any:
        if not isinstance(x, Element):
            return builtins.abs(x)
        function = x.function
        if self._surely_nonnegative(function.numer) and self._surely_nonnegative(function.denom):
            return x
        return Element(self._adjoin(function * function))

    def _square_part(self, poly: Any) -> tuple[Any, Any]:
        """Return ``u`` surely non-negative and ``v`` with ``poly = u**2 v``."""
        coefficient, factors = poly.sqf_list()
        u, v = self.field(1), self.field(coefficient)
        for factor, times in factors:
            outside = times // 2 if self._surely_nonnegative(factor) else 0
            u, v = u * self.field(factor) ** outside, v * self.field(factor) ** (times - 2 * outside)
        return u, v

    def sqrt(self, x: Any) -> Element:
        function = self.field(plain(x))
        (above, p), (below, q) = self._square_part(function.numer), self._square_part(function.denom)
        rest = p / q
        return Element(above / below * (rest if rest == 1 else self._adjoin(rest)))

    def power(self, x: Any, a: Any) -> Any:
        a = Fraction(a)
        if a.denominator == 2:
            return self.sqrt(x) ** a.numerator
        return x**a.numerator if a.denominator == 1 else self._refuse(x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b

    def number(self, x: Any) -> Any:
        """Return a parameter as it is: fractions and elements of the field mix."""
        return x

    def _refuse(self, x: Any) -> Any:
        raise Undecided(f"a field knows + - * / and square roots; got more of {x}; settle the claim another way")

    log = xlogx = exp = _refuse

    def is_zero(self, x: Any) -> bool:
        """Decide whether ``x`` is zero whatever the signs of the roots it contains."""
        parts = [self.field(plain(x))]
        for y, squared in reversed(self._squares):
            parts = [half for part in parts for half in self._halves(part, y, squared)]
        return all(part == 0 for part in parts)

    def _halves(self, x: Any, y: Any, squared: Any) -> tuple[Any, Any]:
        """Split the numerator of ``x`` into its even and odd part in ``y``, with ``y**2`` replaced by ``squared``."""
        place = self.field.gens.index(y)
        halves = [self.field(0), self.field(0)]
        for exponents, coefficient in x.numer.terms():
            rest = tuple(0 if i == place else e for i, e in enumerate(exponents))
            monomial = self.field(self.field.ring.from_dict({rest: coefficient}))
            halves[exponents[place] % 2] += monomial * squared ** (exponents[place] // 2)
        return halves[0], halves[1]
