"""How a formula of class shares bends along a line: its second derivative, exactly, in any arithmetic.

A formula ``of(p, m)`` is run on jets: the value at a point, with its first and second derivative in one direction. A
formula that decides by cases has corners, where it has no derivative, and is refused; the one case allowed is
``m.where(p[k] == 0, ...)`` about a share itself, which is positive inside the simplex. The values of logarithms,
exponentials and powers are given from outside, as `Atoms`: the sign of a curvature seldom depends on them.

Main definitions: ``LineJet``, ``bend`` (the second derivative), ``Atoms``, ``atoms_of`` (how many a formula asks for),
``Filled`` (the formula as it is inside the simplex, asked at its boundary too).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partialmethod, reduce
from operator import mul
from typing import Any, NoReturn

from splitcrit.proof.balls import BALL
from splitcrit.proof.terms import Condition
from splitcrit.proof.undecided import Undecided

Formula = Callable[[Any, Any], Any]
CORNERS = "a formula with cases may have corners, where it has no curvature; settle the claim another way"


@dataclass(frozen=True)
class Inside:
    """The comparison of a share with 0, which is false inside the simplex."""


class LineJet:
    """A value with its first and second derivative along a line."""

    __slots__ = ("first", "second", "share", "value")

    def __init__(self, value: Any, first: Any = 0, second: Any = 0, share: bool = False) -> None:
        self.value, self.first, self.second, self.share = value, first, second, share

    def __add__(self, other: Any) -> LineJet:
        o = _jet(other)
        return LineJet(self.value + o.value, self.first + o.first, self.second + o.second)

    def __mul__(self, other: Any) -> LineJet:
        o = _jet(other)
        bent = times(self.second, o.value) + times(2 * times(self.first, o.first), 1) + times(self.value, o.second)
        return LineJet(self.value * o.value, times(self.first, o.value) + times(self.value, o.first), bent)

    def __truediv__(self, other: Any) -> LineJet:
        o = _jet(other)
        one = 1 / (Fraction(o.value) if type(o.value) is int else o.value)
        return self * o.through(one, lambda: (-(one**2), 2 * one**3))

    def through(self, value: Any, slopes: Callable[[], tuple[Any, Any]]) -> LineJet:
        """A function of this, of which the value is given, and two derivatives if this moves."""
        if nothing(self.first) and nothing(self.second):
            return LineJet(value)
        slope, bend = slopes()
        bent = times(bend, times(self.first, self.first)) + times(slope, self.second)
        return LineJet(value, times(slope, self.first), bent)

    def __pow__(self, exponent: int) -> LineJet:
        power: LineJet = reduce(mul, [self] * abs(exponent), LineJet(1))
        return power if exponent >= 0 else 1 / power

    def __neg__(self) -> LineJet:
        return self * -1

    def __pos__(self) -> LineJet:
        return self

    def __sub__(self, other: Any) -> LineJet:
        return self + -_jet(other)

    def __rsub__(self, other: Any) -> LineJet:
        return _jet(other) + -self

    def __rtruediv__(self, other: Any) -> LineJet:
        return _jet(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> Any:
        if self.share and other == 0:
            return Inside()
        raise Undecided(CORNERS)

    def _refuse(self, *_: Any) -> NoReturn:
        raise Undecided(CORNERS)

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _refuse
    __abs__ = __float__ = __int__ = __index__ = __len__ = __iter__ = _refuse
    __hash__ = None  # type: ignore[assignment]


def _jet(x: Any) -> LineJet:
    return x if type(x) is LineJet else LineJet(x)


def nothing(x: Any) -> bool:
    """Whether a derivative is the number 0, as that of what does not move."""
    return type(x) is int and x == 0


def times(x: Any, y: Any) -> Any:
    """A product, 0 where a factor is the number 0: what does not move has no derivative, whatever it is."""
    return 0 if nothing(x) or nothing(y) else x * y


class Jets:
    """The operations of a formula on jets, above an arithmetic for their parts."""

    name = "JETS"

    def __init__(self, m: Any) -> None:
        self.m = m

    def number(self, x: Any) -> Any:
        return x if type(x) is LineJet else LineJet(self.m.number(x))

    def log(self, x: Any) -> LineJet:
        jet = _jet(x)
        return jet.through(self.m.log(jet.value), lambda: (1 / jet.value, -1 / jet.value**2))

    def xlogx(self, x: Any) -> LineJet:
        jet = _jet(x)
        return jet.through(self.m.xlogx(jet.value), lambda: (self.m.log(jet.value) + 1, 1 / jet.value))

    def sqrt(self, x: Any) -> LineJet:
        jet = _jet(x)
        root = self.m.sqrt(jet.value)
        return jet.through(root, lambda: (1 / (2 * root), -1 / (4 * root * jet.value)))

    def power(self, x: Any, a: Any) -> LineJet:
        jet, a = _jet(x), Fraction(a)
        if a.denominator == 1:
            return jet ** int(a)
        power = self.m.power(jet.value, a)
        return jet.through(power, lambda: (a * power / jet.value, a * (a - 1) * power / jet.value**2))

    def exp(self, x: Any) -> LineJet:
        jet = _jet(x)
        value = self.m.exp(jet.value)
        return jet.through(value, lambda: (value, value))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(condition, Inside):
            return b
        if type(condition) is bool:
            return a if condition else b
        raise Undecided(CORNERS)

    def abs(self, x: Any) -> NoReturn:
        raise Undecided(CORNERS)

    max = min = abs


class Atoms:
    """The arithmetic ``m``, in which the values of transcendental functions are given, in the order of asking.

    ``log`` may be any real number; powers and exponentials are positive. What logarithms and powers are of must be
    positive, which is noted in ``of`` for a claim to show.
    """

    def __init__(self, m: Any, values: Sequence[Any]) -> None:
        self._m, self._values = m, list(values)
        self.of: list[Any] = []
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._m, name)

    def _next(self, kind: str, x: Any, *_: Any) -> Any:
        self.asked.append(kind)
        if kind != "exp":
            self.of.append(x)
        return self._values.pop(0)

    log, xlogx = partialmethod(_next, "log"), partialmethod(_next, "xlogx")
    exp, power = partialmethod(_next, "exp"), partialmethod(_next, "power")


def atoms_of(run: Callable[[Any], Any]) -> list[str]:
    """The transcendental functions that a formula calls, by a run on enclosures."""
    m = Atoms(BALL, [BALL.number(1)] * 500)
    try:
        run(m)
    except IndexError:
        raise Undecided("a formula may call at most 500 logarithms and powers; got more; write it with fewer") from None
    return m.asked


def bend(of: Formula, p: Sequence[Any], d: Sequence[Any], m: Any) -> Any:
    """The second derivative of a formula of shares ``p`` in the direction ``d``."""
    return _jet(of([LineJet(x, y, 0, share=True) for x, y in zip(p, d, strict=True)], Jets(m))).second


class Filled:
    """The arithmetic ``m``, in which no share counts as 0: the formula of the inside, asked at the boundary."""

    def __init__(self, m: Any, p: Sequence[Any]) -> None:
        self._m, self._zeros, self.used = m, [x == 0 for x in p], False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._m, name)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(condition, Condition) and condition.relation == "==":
            for zero in self._zeros:
                if isinstance(zero, Condition) and condition.term.eq(zero.term):
                    self.used = True
                    return b
        return self._m.where(condition, a, b)
