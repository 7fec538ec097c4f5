"""Products of binomial coefficients as factorials, and identities between them for all integers.

A binomial coefficient ``C(t, b)`` is 0 unless ``0 <= b <= t``. It is ``t!`` times the reciprocals of ``b!`` and of
``(t - b)!``, where the reciprocal of ``m!`` is read as 0 for ``m < 0``; then ``1/(m - 1)! = m/m!`` for every integer.
So terms that differ by shifts are polynomials times one common product of reciprocals, for all integers and not only
where no term is 0, and what is left to check is an identity of rational functions.

Main definitions: ``BinomialIdentity``; ``Ring``, ``Factorials``, ``term_of``, ``brought``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

from splitcrit.proof.fields import Field, needs_of
from splitcrit.proof.linting import allowed
from splitcrit.proof.points import shown
from splitcrit.proof.quotients import sign_of
from splitcrit.proof.scope import Scope
from splitcrit.proof.terms import written
from splitcrit.proof.undecided import Undecided
from splitcrit.proof.verdicts import OfVariables, Status, Verdict, settling

Linear = tuple[int, ...]  # the coefficients of the variables, and the constant last
Pairs = Callable[[Any], list[tuple[Any, Any]]]
Shares = Callable[[Any], Any]
SMALL = 3  # values of a parameter at which the claim is looked at in numbers first


class Ring:
    """Variables that are integers, none of them negative but those in ``free``, and linear forms in them."""

    def __init__(self, names: Sequence[str], free: Sequence[str] = ()) -> None:
        self.home = Field(dict.fromkeys(names, "real"))
        self.names, self.free = list(names), set(free)

    def at(self, **moved: int) -> SimpleNamespace:
        """The variables, those in ``moved`` with a number added."""
        return SimpleNamespace(**{x: self.home.variables[x] + moved.get(x, 0) for x in self.names})

    def element(self, x: Any) -> Any:
        return self.home.field(self.home.read(x))

    def linear(self, x: Any) -> Linear:
        """The linear form that a term is."""
        function = self.element(x)
        row = [0] * (len(self.names) + 1)
        for exponents, coefficient in function.numer.terms():
            places = [i for i, e in enumerate(exponents) if e]
            if function.denom != 1 or sum(exponents) > 1:
                raise Undecided(f"binomial coefficients take integer-linear arguments; got {written(x)}; rewrite it")
            row[places[0] if places else -1] = int(coefficient)
        return tuple(row)

    def polynomial(self, form: Linear) -> Any:
        """The linear form as an element of the field."""
        gens = [self.element(self.home.variables[x]) for x in self.names]
        return sum((c * x for c, x in zip(form, gens, strict=False)), self.home.field(form[-1]))

    def sure(self, form: Linear) -> bool:
        """Whether a form is not negative, by its coefficients alone."""
        return all(c >= 0 and not (c and x in self.free) for c, x in zip(form, self.names, strict=False)) and (
            form[-1] >= 0
        )

    def positive(self, poly: Any) -> bool:
        """Whether a polynomial is positive, by its coefficients alone: a constant, and nothing negative."""
        return sign_of(poly, [None if x in self.free else False for x in self.names]) == (1, True)

    def whole(self, share: Any) -> bool:
        """Whether the denominator of a share is surely not 0."""
        return self.positive(share.denom) or self.positive(-share.denom)


def less(one: Linear, other: Linear) -> Linear:
    return tuple(a - b for a, b in zip(one, other, strict=True))


@dataclass(frozen=True)
class Factorials:
    """A rational function times factorials, over factorials whose reciprocals are 0 below 0."""

    share: Any
    above: Counter[Linear]
    below: Counter[Linear]


def term_of(ring: Ring, shares: Shares, pairs: Pairs, v: Any) -> Factorials:
    """A product of binomial coefficients as factorials, equal to it for all integers; refuse where not sure."""
    share = shares(v)
    if needs_of(share):
        raise Undecided(f"no denominator of a share may be 0; got {written(share)}; multiply it out")
    above, below = Counter[Linear](), Counter[Linear]()
    tops = []
    for top, bottom in pairs(v):
        t, b = ring.linear(top), ring.linear(bottom)
        tops.append(t)
        above[t] += 1
        below.update((b, less(t, b)))
    both = above & below
    above, below = above - both, below - both
    for t in tops:
        if not ring.sure(t) and not any(ring.sure(less(t, u)) for u in below):
            raise Undecided(f"where a term is not 0, no top may be negative; got {ring.polynomial(t)}; rewrite it")
    if unsure := [t for t in above if not ring.sure(t)]:
        raise Undecided(f"factorials with negative arguments must cancel; got {ring.polynomial(unsure[0])}; rewrite it")
    return Factorials(ring.element(share), above, below)


def brought(ring: Ring, terms: Sequence[Factorials]) -> list[Any]:
    """Each term divided by the product of factorials that all share, for all integers."""
    shares = [t.share for t in terms]
    for side, extreme in (("above", min), ("below", max)):
        kinds = {form[:-1] for t in terms for form in getattr(t, side)}
        for kind in kinds:
            lists = [sorted(f[-1] for f in getattr(t, side).elements() if f[:-1] == kind) for t in terms]
            if not any(kind):
                values = [math.prod(math.factorial(x) if x >= 0 else 0 for x in each) for each in lists]
                times = [Fraction(1, x) if side == "below" and x else Fraction(x) for x in values]
                shares = [s * ring.element(x) for s, x in zip(shares, times, strict=True)]
                continue
            if len({len(each) for each in lists}) > 1:
                raise Undecided(f"every term needs a factorial of {ring.polynomial((*kind, 0))} + constant; rewrite it")
            for ranked in zip(*lists, strict=True):
                aim = extreme(ranked)
                for i, at in enumerate(ranked):
                    for step in range(min(at, aim) + 1, max(at, aim) + 1):
                        shares[i] = shares[i] * ring.polynomial((*kind, step))
    return shares


@dataclass(frozen=True, repr=False)
class BinomialIdentity(OfVariables):
    """``left = right`` for all integers that are not negative, each side a list of terms.

    A term is ``(share, pairs)``: ``share(v)`` times ``C(top, bottom)`` for each of ``pairs(v)``.
    """

    variables: tuple[str, ...]  # type: ignore[assignment]
    left: tuple[tuple[Shares, Pairs], ...]
    right: tuple[tuple[Shares, Pairs], ...]

    def scope(self) -> Scope:
        return Scope(variables=dict.fromkeys(self.variables, "count"))

    @settling("binomials", ZeroDivisionError)
    def settle(self) -> Verdict:
        allowed(*(f for term in (*self.left, *self.right) for f in term))
        return self._refuted() or self._algebra()

    def _refuted(self) -> Verdict | None:
        for v in small(self.variables):
            left, right = (sum((value(term, v) for term in side), Fraction(0)) for side in (self.left, self.right))
            if left != right:
                return Verdict(Status.REFUTED, "binomials", f"{left} is not {right}", shown(v))
        return None

    def _algebra(self) -> Verdict:
        ring = Ring(self.variables)
        v = ring.at()
        terms = [term_of(ring, *term, v) for term in (*self.left, *self.right)]
        if not all(ring.whole(term.share) for term in terms):
            raise Undecided("no denominator of a share may be 0; one may be; multiply it out")
        shares = brought(ring, terms)
        if sum(shares[: len(self.left)]) != sum(shares[len(self.left) :]):
            raise Undecided("the two sides differ as rational functions")
        words = f"a common product of factorials, and an identity over Q in {len(self.variables)} variables"
        return Verdict(Status.PROVED, "binomials", words)


def small(names: Sequence[str]) -> Iterator[SimpleNamespace]:
    """Yield small values of the variables."""
    for values in product(map(Fraction, range(SMALL)), repeat=len(names)):
        yield SimpleNamespace(**dict(zip(names, values, strict=True)))


def value(side: tuple[Shares, Pairs], v: Any) -> Fraction:
    share, pairs = side
    ways = math.prod(math.comb(int(t), int(b)) if 0 <= b <= t else 0 for t, b in pairs(v))
    return Fraction(ways * share(v)) if ways else Fraction(0)
