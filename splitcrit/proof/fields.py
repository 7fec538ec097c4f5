"""Rational functions as an arithmetic: formulas are the library's own, run on elements of a field.

A comparison is decided where the kinds of the variables decide it. Elsewhere ``where`` takes one of the two ways, and
remembers which: `ways` runs a formula once for every way through its conditions. What is divided by must not
be 0, what a root is of not negative, what a logarithm is of positive: a value carries these needs, and a claim shows
them on its domain.

Main definitions: ``Field`` (rational functions over Q, with roots, absolute values, logarithms and powers as new
elements); ``ways`` (every way through the conditions that a formula meets).
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from sympy import factorint

from splitcrit.arguments import of_kind
from splitcrit.arith import EXACT
from splitcrit.display import summary
from splitcrit.proof.quotients import Quotients, sign_of
from splitcrit.proof.scope import of_kinds
from splitcrit.proof.terms import Condition, Term, written
from splitcrit.proof.undecided import Undecided, truth

TURNED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
NONE: frozenset[int] = frozenset()
MOST_WAYS = 256


def needs_of(x: Any) -> frozenset[int]:
    """The conditions under which a value is defined, as places among the needs of its field."""
    return x.needs if isinstance(x, Element | Condition) else NONE


class Element(Term):
    """An element of a field, and what must hold for it to be defined."""

    __slots__ = ("needs",)

    def __init__(self, inner: Any, home: Field, needs: frozenset[int] = NONE) -> None:
        super().__init__(inner, home)
        self.needs = needs

    def _made(self, inner: Any, other: Any = None) -> Element:
        return Element(inner, self.home, self.needs | needs_of(other))  # type: ignore[arg-type]

    def __truediv__(self, other: Any) -> Element:
        ratio = super().__truediv__(other)
        return Element(ratio.inner, self.home, needs_of(ratio) | self.home.need("!=", other))  # type: ignore[arg-type, attr-defined]

    def __rtruediv__(self, other: Any) -> Element:
        ratio = super().__rtruediv__(other)
        return Element(ratio.inner, self.home, needs_of(ratio) | self.home.need("!=", self))  # type: ignore[arg-type, attr-defined]

    def __pow__(self, exponent: int) -> Element:
        power = super().__pow__(exponent)
        needs = self.home.need("!=", self) if exponent < 0 else NONE  # type: ignore[attr-defined]
        return Element(power.inner, self.home, self.needs | needs)  # type: ignore[arg-type]


class Field:
    """Rational functions over Q in named variables, whose kinds say which are positive or not negative.

    A square root of an irreducible factor that is not negative, and of a prime, is a new element ``y`` of which
    ``y**2`` is known, and so is the absolute value of an irreducible factor: ``sqrt(ab)`` is ``sqrt(a) sqrt(b)``, and
    ``abs(ab)`` is ``abs(a) abs(b)``. Of a logarithm of such a factor, of its power with a variable as exponent, and of
    ``max`` and ``min``, nothing is known but that ``log(ab)`` is ``log(a) + log(b)``, and ``(ab)**q`` is ``a**q b**q``.
    What is zero here is zero for either sign of a root and whatever the others are. ``script`` says which way each
    condition goes that `where` meets; beyond it equations fail. The variables in ``zeros`` are 0.
    """

    name = "FIELD"
    NEW = 24  # elements that may be adjoined

    def __init__(
        self, kinds: Mapping[str, str], script: tuple[bool, ...] = (), zeros: frozenset[str] = frozenset()
    ) -> None:
        of_kind(kinds, Mapping, "a field must map names to kinds", "pass {'x': 'positive'}")
        names = tuple(of_kind(name, str, "the name of a variable must be a string", "pass 'x'") for name in kinds)
        of_kinds(kinds)
        self.field = Quotients(names + tuple(f"new{i}" for i in range(self.NEW)))
        generators = list(self.field.gens)
        self.zeros = zeros
        known = zip(names, generators, strict=False)
        self.variables = {name: Element(self.field(0) if name in zeros else x, self) for name, x in known}
        signs: list[bool | None] = [None if kinds[x] == "real" else kinds[x] == "positive" for x in names]
        self._known = signs + [None] * self.NEW  # what `sign_of` takes
        self._free = list(range(len(names), len(generators)))
        self._adjoined: dict[Any, Any] = {}  # new elements by what they are
        self._roots: list[tuple[Any, int, Any]] = []  # (y, degree, the power of y with that degree), as they were made
        self.needs: list[tuple[str, Any]] = []  # relations to 0 that values rest on
        self._extremes: dict[str, tuple[str, list[Any]]] = {}
        self._script = script
        self.path: list[tuple[Condition, bool]] = []
        self._bases: dict[int, list[Any]] = {0: []}  # what vanishes, by the length of the path

    def __repr__(self) -> str:
        return summary(self, variables=list(self.variables))

    def read(self, x: Any) -> Any:
        """The rational function, or the number, that ``x`` is."""
        if isinstance(x, float):
            raise Undecided(f"numbers in a field must be exact; got the float {x}; use a Fraction")
        if isinstance(x, Condition | list | tuple):
            raise Undecided(f"a field computes with numbers only; got {written(x)}; write a condition as m.where")
        return x.inner if isinstance(x, Term) else x

    def _element(self, function: Any, needs: frozenset[int] = NONE) -> Element:
        return Element(function, self, needs)

    def need(self, relation: str, x: Any) -> frozenset[int]:
        """The place of the need that a value has this relation to 0; none where the kinds say that it has."""
        function = self.field(self.read(x))
        sign, strict = self._sign(function)
        if (sign and strict if relation == "!=" else sign > 0 and (strict or relation == ">=")) and function != 0:
            return NONE
        if relation == ">=" and function == 0:
            return NONE
        if (relation, function) not in self.needs:
            self.needs.append((relation, function))
        return frozenset([self.needs.index((relation, function))])

    def compared(self, relation: str, left: Term, right: Any) -> Any:
        needs = needs_of(left) | needs_of(right)
        gap = self._reduced(self.field(left.inner - self.read(right)))
        decided = self._decided(relation, gap)
        return Condition(relation, gap, self, needs) if decided is None or needs else decided

    def _decided(self, relation: str, gap: Any) -> bool | None:
        """The sign that the kinds of the variables give a function, wherever it is defined; else None."""
        sign, strict = self._sign(gap)
        if strict and (sign or relation in ("==", "!=")):
            return {"==": False, "!=": True, "<": sign < 0, "<=": sign < 0, ">": sign > 0, ">=": sign > 0}[relation]
        if gap == 0 or (sign and relation in ((">=", "<") if sign > 0 else ("<=", ">"))):
            return relation in ("==", ">=", "<=") if gap == 0 else relation in (">=", "<=")
        return None

    def joined(self, word: str, one: Condition, other: Any) -> Any:
        raise Undecided(f"a field takes one comparison at a time; got {one} joined by {word}; nest two m.where")

    def _reduced(self, gap: Any) -> Any:
        """A function that is the same on the path taken, by its equations."""
        basis = self._vanishing()
        if not basis or (below := self.field.rest(gap.denom, basis)) == 0:
            return gap
        return self.field.rest(gap.numer, basis) / below

    def _sign(self, gap: Any) -> tuple[int, bool]:
        """A sign that the function has wherever it is defined, 0 if none is known, and whether it is never 0."""
        above, below = (sign_of(part, self._known) for part in (gap.numer, gap.denom))
        return above[0] * below[0], above[1]

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if not isinstance(condition, Condition):
            return EXACT.where(truth(condition, "a condition"), a, b)
        chosen = a if self._way(condition) else b
        return self._element(self.field(self.read(chosen)), needs_of(chosen) | condition.needs)

    def _way(self, condition: Condition) -> bool:
        if condition.needs and (decided := self._decided(condition.relation, condition.term)) is not None:
            return decided
        for known, way in self.path:
            if known.term == condition.term and condition.relation in (known.relation, TURNED[known.relation]):
                return way == (condition.relation == known.relation)
        place = len(self.path)
        way = self._script[place] if place < len(self._script) else condition.relation == "!="
        self.path.append((condition, way))
        return way

    def _new(self, key: Any, degree: int = 0, power: Any = None) -> Any:
        """The new element that stands for ``key``; its power with a degree may be known.

        Roots, absolute values and powers are not negative, and positive where what they are of is never 0.
        """
        if key not in self._adjoined:
            if not self._free:
                got = f"one more, {self._text(key)}"
                raise Undecided(f"a field may hold at most {self.NEW} new elements; got {got}; split the claim")
            place = self._free.pop(0)
            self._adjoined[key] = y = self.field.gens[place]
            self._known[place] = self._sign(key[1])[1] if key[0] in ("sqrt", "abs", "power") else None
            if degree:
                self._roots.append((y, degree, power))
        return self._adjoined[key]

    def _text(self, key: Any) -> str:
        return f"{key[0]}({', '.join(str(x).replace('^', '**') for x in key[1:])})"

    def text(self, x: Any) -> str:
        """A function as text, new elements by what they are."""
        names = {str(y): self._text(key) for key, y in self._adjoined.items()}
        return re.sub(r"\bnew\d+", lambda m: names.get(m.group(), m.group()), str(x))

    def stuck(self, x: Any) -> str:
        """The new elements that a value contains, as text."""
        used = re.findall(r"\bnew\d+", str(self.field(self.read(x))))
        return ", ".join(self._text(key) for key, y in self._adjoined.items() if str(y) in used)

    def _factors(self, function: Any) -> tuple[list[tuple[Any, int]], int, dict[Any, int]]:
        """Primes and factors that are not negative with their exponents, a sign, and the factors of any sign."""
        constant, known, unknown = Fraction(1), dict[Any, int](), dict[Any, int]()
        for poly, side in ((function.numer, 1), (function.denom, -1)):
            whole, factors = poly.factor()
            constant *= Fraction(int(whole)) ** side
            for factor, times in factors:
                sign = sign_of(factor, self._known)[0]
                key = self.field(-factor if sign < 0 else factor)
                constant *= (-1) ** times if sign < 0 else 1
                into = known if sign else unknown
                into[key] = into.get(key, 0) + side * times
        parts = [(self.field(p), e) for p, e in _primes(constant)] + list(known.items())
        return parts, -1 if constant < 0 else 1, unknown

    def _split(self, function: Any) -> tuple[list[tuple[Any, int]], Any]:
        """Primes and factors that are not negative with their exponents, and what is left, of any sign."""
        parts, sign, unknown = self._factors(function)
        return parts, prod((f**e for f, e in unknown.items()), start=self.field(sign))

    def _extreme(self, kind: str, items: Any) -> Element:
        items = list(items)
        functions = [self.field(self.read(x)) for x in items]
        new, some = self._new((kind, *functions)), any if kind == "max" else all
        place, signs = self.field.place(new), [self._sign(x) for x in functions]
        above = some(sign > 0 for sign, _ in signs)
        self._known[place] = some(sign > 0 and strict for sign, strict in signs) if above else None
        self._extremes[str(new)] = kind, functions
        return self._element(new, NONE.union(*map(needs_of, items)))

    def max(self, items: Any) -> Term:
        return self._extreme("max", items)

    def min(self, items: Any) -> Term:
        return self._extreme("min", items)

    def abs(self, x: Any) -> Any:
        if not isinstance(x, Term):
            return builtins.abs(x)
        parts, _, unknown = self._factors(x.inner)
        size = prod((f**e for f, e in parts), start=self.field(1))
        for f, e in unknown.items():
            size = size * f ** (e - e % 2) * (self._new(("abs", f), 2, f * f) if e % 2 else 1)
        return self._element(size, needs_of(x))

    def sqrt(self, x: Any) -> Element:
        function, needs = self.field(self.read(x)), needs_of(x) | self.need(">=", x)
        if not function:
            return self._element(function, needs)
        parts, sign, unknown = self._factors(function)
        rest, root = self.field(sign), self.field(1)
        for f, e in parts:
            root = root * f ** (e // 2) * (self._new(("sqrt", f), 2, f) if e % 2 else 1)
        for f, e in unknown.items():
            root, rest = root * self.abs(self._element(f) ** (e // 2)).inner, rest * f ** (e % 2)
        return self._element(root if rest == 1 else root * self._new(("sqrt", rest), 2, rest), needs)

    def log(self, x: Any) -> Element:
        function, needs = self.field(self.read(x)), needs_of(x) | self.need(">", x)
        if not function:
            return self._element(function, needs)
        parts, rest = self._split(function)
        log = sum((self._new(("log", f)) * e for f, e in parts), self.field(0))
        return self._element(log if rest == 1 else log + self._new(("log", rest)), needs)

    def xlogx(self, x: Any) -> Any:
        return self.where(self._element(self.field(self.read(x)), needs_of(x)) == 0, 0, x * self.log(x))

    def power(self, x: Any, a: Any) -> Any:
        """A power: whole, a root, or one whose exponent is a sum of variables and a number."""
        exponent = self.field(self.read(a))
        whole, parts = _linear(exponent, self.field.names, written(a))
        if not parts:
            return x**whole
        x = self._element(self.field(self.read(x)), needs_of(x))
        if set(parts) == {Fraction(1, 2)}:
            return x**whole * self.sqrt(x) ** parts[Fraction(1, 2)]
        power = x.inner**whole if x.inner else self.field(0)
        for key, times in parts.items() if x.inner else ():
            bases, rest = self._split(x.inner)
            for f, e in (*bases, *([] if rest == 1 else [(rest, 1)])):
                degree = key.denominator if isinstance(key, Fraction) else 0
                power = power * self._new(("power", f, key), degree, f) ** (e * times)
        zero = self._element(self.field(0), needs_of(x) | self.need(">", a))
        return self.where(x == 0, zero, self._element(power, needs_of(x) | needs_of(a) | self.need(">", x)))

    def number(self, x: Any) -> Any:
        """A parameter as it is: fractions and elements of the field mix."""
        return x

    def exp(self, x: Any) -> Any:
        raise Undecided(f"a field has no exponential function; got exp({written(x)}); replace its value by a variable")

    def is_zero(self, x: Any) -> bool:
        """Decide whether ``x`` is zero on the path taken, whatever the signs of the roots it contains."""
        basis = self._vanishing()
        return all(self._is_zero_modulo(part, basis) for part in self._without_roots(self.field(self.read(x))))

    def _without_roots(self, x: Any) -> list[Any]:
        """Functions without powers of roots that are all 0 where one is, whatever the signs of the roots."""
        parts = [x]
        for y, degree, power in reversed(self._roots):
            place = self.field.place(y)
            parts = [piece for part in parts for piece in self.field.pieces(part, place, degree, power)]
        return parts

    def _vanishing(self) -> list[Any]:
        """A basis of the polynomials that are 0 on the path; the path only grows, so each is made once."""
        if len(self.path) not in self._bases:
            self._bases[len(self.path)] = self._basis()
        return self._bases[len(self.path)]

    def _basis(self) -> list[Any]:
        """A basis of the numerators of the path's equations, split where signs allow."""
        polys: list[Any] = []
        for condition, way in self.path:
            if way != (condition.relation == "==") or condition.relation not in ("==", "!="):
                continue
            poly = condition.term.numer
            if any(any(exponents[-self.NEW :]) for exponents, _ in poly.terms()):
                raise Undecided(f"a branch needs an equation without roots; got {condition}; settle it another way")
            split = sign_of(poly, self._known)[0] != 0  # terms of one sign that sum to 0 are each 0
            terms = [self.field.monomial(tuple(int(e > 0) for e in exponents)).numer for exponents, _ in poly.terms()]
            polys += terms if split else [poly]
        return self.field.basis(polys)

    def zeros_of(self, condition: Condition) -> list[frozenset[str]]:
        """Sets of variables of which one is 0 just where an equation holds; none if it says something else."""
        poly = condition.term.numer
        if condition.relation not in ("==", "!=") or not sign_of(poly, self._known)[0]:
            return []
        names = self.field.names
        zeros = []
        for factor, _ in poly.factor()[1]:
            places = [[i for i, e in enumerate(exponents) if e] for exponents, _ in factor.terms()]
            if not sign_of(factor, self._known)[0] or any(len(x) != 1 for x in places):
                return []
            zeros.append(frozenset(names[x[0]] for x in places))
        return zeros

    def _is_zero_modulo(self, part: Any, basis: list[Any]) -> bool:
        if not basis:
            return bool(part == 0)
        if self.field.rest(part.denom, basis) == 0:
            raise Undecided(f"a branch divides by {part.denom}, which is 0 there")
        return self.field.rest(part.numer, basis) == 0

    def shown_to(self, smt: Any, v: Any) -> list[Any]:
        """As constraints of z3 what is known of the new elements, which become variables of their own."""
        facts = []
        for y in self._adjoined.values():
            smt.adjoin(v, str(y))
        for y, degree, power in self._roots:
            root, of = getattr(v, str(y)), smt.term_of(power, v)
            facts.append(
                smt.implied(of >= 0, [root**degree == of, root >= 0])
            )  # else the root would restrict what it is of
        for name, (kind, functions) in self._extremes.items():
            facts.append(smt.said(getattr(v, name) == getattr(smt, kind)([smt.term_of(x, v) for x in functions])))
        return facts


def ways(kinds: Mapping[str, str], run: Callable[[Field], Any]) -> Iterator[tuple[Field, Any]]:
    """Yield a field and what ``run`` gives in it, or that it divides by 0, for every way through its conditions.

    Where an equation says that some variables are 0 the run starts anew with these at 0, which covers that way.
    """
    cases: list[tuple[frozenset[str], tuple[bool, ...]]] = [(frozenset(), ())]
    met = set(cases)
    while cases:
        if len(met) > MOST_WAYS:
            raise Undecided(f"a claim may branch at most {MOST_WAYS} ways; got more; split the claim")
        zeros, script = cases.pop()
        ring = Field(kinds, script, zeros)
        try:
            value = run(ring)
        except ZeroDivisionError as error:  # of no account where no point takes this way
            value = error
        for case in _others(ring, len(script)):
            if case not in met:
                met.add(case)
                cases.append(case)
        yield ring, value


def _others(ring: Field, fixed: int) -> Iterator[tuple[frozenset[str], tuple[bool, ...]]]:
    """Yield the ways that turn off the path taken, beyond the part that was fixed."""
    taken = tuple(way for _, way in ring.path)
    for place in range(fixed, len(taken)):
        condition = ring.path[place][0]
        choices = ring.zeros_of(condition)
        for zeros in choices:
            yield ring.zeros | zeros, ()
        if not choices:
            yield ring.zeros, (*taken[:place], not taken[place])


def _primes(x: Fraction) -> Iterator[tuple[int, int]]:
    """Yield the primes of a rational number with their exponents."""
    yield from ((int(p), int(e)) for p, e in factorint(builtins.abs(x.numerator)).items())
    yield from ((int(p), -int(e)) for p, e in factorint(x.denominator).items())


def _linear(exponent: Any, names: tuple[str, ...], text: str) -> tuple[int, dict[Any, int]]:
    """An exponent as a whole number and how often each variable, or a root, is in it."""
    whole, parts = 0, dict[Any, int]()
    for powers, coefficient in exponent.numer.terms():
        share = Fraction(int(coefficient), int(str(exponent.denom))) if str(exponent.denom).isdigit() else None
        if share is None or sum(powers) > 1 or (sum(powers) and share.denominator > 1):
            raise Undecided(f"exponents in a field must add variables and integers; got {text}; rewrite it")
        if sum(powers):
            parts[names[next(i for i, e in enumerate(powers) if e)]] = int(share)
            continue
        whole = share.numerator // share.denominator
        if left := share - whole:
            parts[Fraction(1, left.denominator)] = left.numerator
    return whole, parts
