"""Arithmetics that only proofs need; formulas are the library's own, run on other numbers.

Main definitions: ``Field`` (rational functions over Q, with square roots and absolute values as algebraic elements),
``SMT`` (terms of the solver z3 over the reals), ``BALL`` (rigorous enclosures in 300-bit interval arithmetic);
``exact``, which refuses what has been rounded.
"""

from __future__ import annotations

import builtins
import functools
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import z3
from sympy import QQ
from sympy.polys.fields import field

from splitcrit.values import complaint

PRECISION = 300  # bits of an enclosure


class Undecided(ArithmeticError):
    """An arithmetic cannot say which way a comparison goes."""


def exact(value: Any) -> Any:
    """Return a value of an exact check; raise TypeError if it is a float, which has been rounded."""
    if isinstance(value, float | np.floating):
        remedy = "write constants as Fractions, and quotients as those of Fractions"
        raise TypeError(complaint("an exact check has exact values", f"the float {value}", remedy))
    return value


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


class _SMT:
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


SMT = _SMT


class Ball:
    """A ball that surely contains one real number; a comparison that the ball leaves open is refused."""

    __slots__ = ("arb",)

    def __init__(self, x: Any) -> None:
        flint.ctx.prec = PRECISION
        self.arb: Any
        if isinstance(x, Ball | flint.arb):
            self.arb = x.arb if isinstance(x, Ball) else x
        else:
            ratio = Fraction(exact(x))
            self.arb = flint.arb(flint.fmpq(ratio.numerator, ratio.denominator))

    def __add__(self, other: Any) -> Ball:
        return Ball(self.arb + Ball(other).arb)

    def __mul__(self, other: Any) -> Ball:
        return Ball(self.arb * Ball(other).arb)

    def __neg__(self) -> Ball:
        return Ball(-self.arb)

    def __sub__(self, other: Any) -> Ball:
        return self + -Ball(other)

    def __rsub__(self, other: Any) -> Ball:
        return Ball(other) + -self

    def __truediv__(self, other: Any) -> Ball:
        below = Ball(other)
        if below.arb.contains(0):
            raise ZeroDivisionError("an enclosure that contains 0 divides")
        return Ball(self.arb / below.arb)

    def __rtruediv__(self, other: Any) -> Ball:
        return Ball(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: int) -> Ball:
        return Ball(self.arb**exponent)

    def sign(self) -> int:
        """Return -1, 0 or 1, the sign of the number; refuse if the ball does not tell."""
        if self.arb > 0 or self.arb < 0:
            return 1 if self.arb > 0 else -1
        if self.arb.is_zero():
            return 0
        raise Undecided("an enclosure contains 0 where a sign is needed; choose another point")

    def __lt__(self, other: Any) -> bool:
        return Ball(self - other).sign() < 0

    def __le__(self, other: Any) -> bool:
        return Ball(self - other).sign() <= 0

    def __gt__(self, other: Any) -> bool:
        return Ball(self - other).sign() > 0

    def __ge__(self, other: Any) -> bool:
        return Ball(self - other).sign() >= 0

    def __eq__(self, other: object) -> bool:
        return Ball(self - other).sign() == 0

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return str(self.arb.str(15, radius=False))


class _BallArithmetic:
    """The eight operations on balls."""

    name = "BALL"

    def number(self, x: Any) -> Ball:
        """Return the enclosure of a rational number; a binary float is taken at its exact value."""
        return Ball(x if isinstance(x, Ball) else Fraction(x))

    def log(self, x: Any) -> Ball:
        if Ball(x).sign() <= 0:
            raise Undecided(f"a logarithm needs a positive number; got {x}; choose another point")
        return Ball(Ball(x).arb.log())

    def xlogx(self, x: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else x * self.log(x)

    def sqrt(self, x: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else Ball(Ball(x).arb.sqrt())

    def power(self, x: Any, a: Any) -> Ball:
        return Ball(0) if Ball(x).sign() == 0 else self.exp(self.number(a) * self.log(x))

    def exp(self, x: Any) -> Ball:
        return Ball(Ball(x).arb.exp())

    def max(self, items: Any) -> Ball:
        return Ball(functools.reduce(lambda a, b: a.max(b), [Ball(x).arb for x in items]))

    def min(self, items: Any) -> Ball:
        return Ball(functools.reduce(lambda a, b: a.min(b), [Ball(x).arb for x in items]))

    def abs(self, x: Any) -> Ball:
        return Ball(builtins.abs(Ball(x).arb))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        chosen = a if condition else b
        return Fraction(chosen) if type(chosen) is int else chosen


BALL = _BallArithmetic()
