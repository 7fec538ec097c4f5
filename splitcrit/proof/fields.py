"""Rational functions as an arithmetic: formulas are the library's own, run on elements of a field.

A comparison is decided where the kinds of the variables decide it. Elsewhere ``where`` takes one of the two ways, and
remembers which: `branches.ways` runs a formula once for every way through its conditions.

Main definitions: ``Field`` (rational functions over Q, with square roots and absolute values as algebraic elements).
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from splitcrit.arguments import of_kind
from splitcrit.arith import EXACT
from splitcrit.display import summary
from splitcrit.proof.quotients import Quotients
from splitcrit.proof.terms import Condition, Term
from splitcrit.proof.undecided import Undecided

TURNED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Field:
    """Rational functions over Q in named variables, whose kinds say which are positive or not negative.

    ``abs(x)`` and ``sqrt(x)`` are new elements ``y`` of which only ``y**2 = x**2``, or ``y**2 = x``, is known, and
    ``max`` and ``min`` new elements of which nothing is known: what is zero here is zero for either sign and whatever
    the largest is. ``script`` says which way each condition goes that `where` meets; beyond it equations fail. The
    variables in ``zeros`` are 0.
    """

    name = "FIELD"
    NEW = 12  # elements that may be adjoined

    def __init__(
        self, kinds: Mapping[str, str], script: tuple[bool, ...] = (), zeros: frozenset[str] = frozenset()
    ) -> None:
        of_kind(kinds, Mapping, "a field has kinds of variables by their names", "pass {'x': 'positive'}, say")
        names = tuple(of_kind(name, str, "a variable has a name", "pass a text") for name in kinds)
        self.field = Quotients(names + tuple(f"new{i}" for i in range(self.NEW)))
        generators = list(self.field.gens)
        self.zeros = zeros
        known = zip(names, generators, strict=False)
        self.variables = {name: Term(self.field(0) if name in zeros else x, self) for name, x in known}
        self._nonnegative = [kinds[name] != "real" for name in names] + [False] * self.NEW
        self._positive = [kinds[name] == "positive" for name in names] + [False] * self.NEW
        self._free = generators[len(names) :]
        self._squares: list[tuple[Any, Any]] = []  # (y, y squared), in the order they were made
        self._extremes: list[tuple[Any, Term]] = []
        self._script = script
        self.path: list[tuple[Condition, bool]] = []
        self._bases: dict[int, list[Any]] = {0: []}  # what vanishes, by the length of the path

    def __repr__(self) -> str:
        return summary(self, variables=list(self.variables))

    def read(self, x: Any) -> Any:
        """Return the rational function, or the number, that ``x`` is."""
        if isinstance(x, float):
            raise Undecided(f"a field holds exact numbers; got the float {x}; use a Fraction")
        return x.inner if isinstance(x, Term) else x

    def _element(self, function: Any) -> Term:
        return Term(function, self)

    def compared(self, relation: str, left: Term, right: Any) -> Any:
        gap = self._reduced(self.field(left.inner - self.read(right)))
        sign, strict = self._sign(gap)
        if strict:
            return {"==": False, "!=": True, "<": sign < 0, "<=": sign < 0, ">": sign > 0, ">=": sign > 0}[relation]
        if gap == 0 or (sign and relation in ((">=", "<") if sign > 0 else ("<=", ">"))):
            return relation in ("==", ">=", "<=") if gap == 0 else relation in (">=", "<=")
        return Condition(relation, gap, self)

    def joined(self, word: str, one: Condition, other: Any) -> Any:
        raise Undecided(f"a field settles one comparison at a time; got {one} joined by {word}; write two m.where")

    def _reduced(self, gap: Any) -> Any:
        """Return a function that is the same on the path taken, as far as its equations tell."""
        basis = self._vanishing()
        if not basis or (below := self.field.rest(gap.denom, basis)) == 0:
            return gap
        return self.field.rest(gap.numer, basis) / below

    def _sign(self, gap: Any) -> tuple[int, bool]:
        """Return a sign that the function has wherever it is defined, 0 if none is known, and whether it is strict."""
        above, below = (self._sign_of(part) for part in (gap.numer, gap.denom))
        return above[0] * below[0], above[1]

    def _sign_of(self, poly: Any) -> tuple[int, bool]:
        for sign in (1, -1):
            if poly and self._surely_nonnegative(sign * poly):
                return sign, any(
                    all(sure for sure, e in zip(self._positive, exponents, strict=True) if e)
                    for exponents, _ in poly.terms()
                )
        return 0, False

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if not isinstance(condition, Condition):
            return EXACT.where(condition, a, b)
        return self._element(self.field(self.read(a if self._way(condition) else b)))

    def _way(self, condition: Condition) -> bool:
        for known, way in self.path:
            if known.said == condition.said and condition.relation in (known.relation, TURNED[known.relation]):
                return way == (condition.relation == known.relation)
        place = len(self.path)
        way = self._script[place] if place < len(self._script) else condition.relation == "!="
        self.path.append((condition, way))
        return way

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

    def _extreme(self, kind: str, items: Any) -> Term:
        key = (kind, *(self.field(self.read(x)) for x in items))
        for known, found in self._extremes:
            if known == key:
                return found
        self._extremes.append((key, self._element(self._fresh())))
        return self._extremes[-1][1]

    def max(self, items: Any) -> Term:
        return self._extreme("max", items)

    def min(self, items: Any) -> Term:
        return self._extreme("min", items)

    def _surely_nonnegative(self, poly: Any) -> bool:
        """Tell whether all coefficients are positive and all variables that occur are non-negative."""
        return all(
            coefficient > 0 and all(known for known, e in zip(self._nonnegative, exponents, strict=True) if e)
            for exponents, coefficient in poly.terms()
        )

    def abs(self, x: Any) -> Any:
        if not isinstance(x, Term):
            return builtins.abs(x)
        function = x.inner
        if self._surely_nonnegative(function.numer) and self._surely_nonnegative(function.denom):
            return x
        return self._element(self._adjoin(function * function))

    def _square_part(self, poly: Any) -> tuple[Any, Any]:
        """Return ``u`` surely non-negative and ``v`` with ``poly = u**2 v``."""
        coefficient, factors = poly.factor_squarefree()
        u, v = self.field(1), self.field(coefficient)
        for factor, times in factors:
            outside = times // 2 if self._surely_nonnegative(factor) else 0
            u, v = u * self.field(factor) ** outside, v * self.field(factor) ** (times - 2 * outside)
        return u, v

    def sqrt(self, x: Any) -> Term:
        function = self.field(self.read(x))
        (above, p), (below, q) = self._square_part(function.numer), self._square_part(function.denom)
        rest = p / q
        return self._element(above / below * (rest if rest == 1 else self._adjoin(rest)))

    def power(self, x: Any, a: Any) -> Any:
        a = Fraction(a)
        if a.denominator == 2:
            return self.sqrt(x) ** a.numerator
        return x**a.numerator if a.denominator == 1 else self._refuse(x)

    def number(self, x: Any) -> Any:
        """Return a parameter as it is: fractions and elements of the field mix."""
        return x

    def _refuse(self, x: Any) -> Any:
        raise Undecided(f"a field knows + - * / and square roots; got more of {x}; settle the claim another way")

    log = xlogx = exp = _refuse

    def is_zero(self, x: Any) -> bool:
        """Decide whether ``x`` is zero on the path taken, whatever the signs of the roots it contains."""
        parts = [self.field(self.read(x))]
        for y, squared in reversed(self._squares):
            parts = [half for part in parts for half in self._halves(part, y, squared)]
        basis = self._vanishing()
        return all(self._is_zero_modulo(part, basis) for part in parts)

    def _vanishing(self) -> list[Any]:
        """Return a basis of the polynomials that are 0 on the path; the path only grows, so each is made once."""
        if len(self.path) not in self._bases:
            self._bases[len(self.path)] = self._basis()
        return self._bases[len(self.path)]

    def _basis(self) -> list[Any]:
        """Return a basis of the numerators of the path's equations, split where signs allow."""
        found: list[Any] = []
        for condition, way in self.path:
            if way != (condition.relation == "==") or condition.relation not in ("==", "!="):
                continue
            poly = condition.said.numer
            if any(any(exponents[-self.NEW :]) for exponents, _ in poly.terms()):
                raise Undecided(f"a branch needs an equation without roots; got {condition}; settle it another way")
            split = self._sign_of(poly)[0] != 0  # terms of one sign that sum to 0 are each 0
            terms = [self.field.monomial(tuple(int(e > 0) for e in exponents)).numer for exponents, _ in poly.terms()]
            found += terms if split else [poly]
        return self.field.basis(found)

    def zeros_of(self, condition: Condition) -> list[frozenset[str]]:
        """Return sets of variables of which one is 0 just where an equation holds; none if it says something else."""
        poly = condition.said.numer
        if condition.relation not in ("==", "!=") or not self._sign_of(poly)[0]:
            return []
        names = self.field.names
        found = []
        for factor, _ in poly.factor()[1]:
            places = [[i for i, e in enumerate(exponents) if e] for exponents, _ in factor.terms()]
            if not self._sign_of(factor)[0] or any(len(x) != 1 for x in places):
                return []
            found.append(frozenset(names[x[0]] for x in places))
        return found

    def _is_zero_modulo(self, part: Any, basis: list[Any]) -> bool:
        if not basis:
            return bool(part == 0)
        if self.field.rest(part.denom, basis) == 0:
            raise Undecided(f"a branch divides by what is 0 there: {part.denom}")
        return self.field.rest(part.numer, basis) == 0

    def _halves(self, x: Any, y: Any, squared: Any) -> tuple[Any, Any]:
        """Split the numerator of ``x`` into its even and odd part in ``y``, with ``y**2`` replaced by ``squared``."""
        place = self.field.place(y)
        halves = [self.field(0), self.field(0)]
        for exponents, coefficient in x.numer.terms():
            rest = tuple(0 if i == place else e for i, e in enumerate(exponents))
            halves[exponents[place] % 2] += self.field.monomial(rest, coefficient) * squared ** (exponents[place] // 2)
        return halves[0], halves[1]
