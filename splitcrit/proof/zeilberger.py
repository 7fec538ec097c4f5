"""Sums of binomial coefficients in closed form, for every value of their parameters, by Zeilberger's certificates.

Main definitions: ``Zeilberger``.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from splitcrit.proof.binomials import Factorials, Linear, Pairs, Ring, Shares, brought, less, small, term_of, value
from splitcrit.proof.linting import allowed
from splitcrit.proof.points import shown
from splitcrit.proof.scope import ALL, Scope
from splitcrit.proof.undecided import Undecided
from splitcrit.proof.verdicts import OfVariables, Status, Verdict, settling


def _one(v: Any) -> Any:
    return 1


@dataclass(frozen=True, repr=False)
class Zeilberger(OfVariables):
    """``sum_k F = right`` for all ``n >= 0`` and all parameters, which are integers that are not negative.

    ``F`` is ``share(v)`` times the binomial coefficients ``pairs(v)``, the right side likewise without ``k``. Where
    ``right(n + 1)/right(n) = a/b`` in lowest terms, what is checked is

    - ``b F(n + 1, k) - a F(n, k) = G(n, k + 1) - G(n, k)`` with ``G = certificate F``, as an identity of rational
      functions; the checker forms the quotients of the terms itself;
    - that ``G`` is defined for all ``k``: what divides in the certificate is taken up by reciprocals of factorials;
    - that ``F`` and ``G`` are 0 for all large and all small ``k``, by such a reciprocal each, so that the sum over all
      ``k`` of the right side is 0;
    - that ``b`` is positive, so that the recurrence gives the sum at ``n + 1``;
    - that ``F(0, k)`` is 0 but for one ``k``, where it is ``right(0)`` for all parameters.
    """

    n: str
    k: str
    parameters: tuple[str, ...]
    pairs: Pairs
    right: Pairs
    certificate: Shares
    share: Shares = _one
    right_share: Shares = _one

    def scope(self) -> Scope:
        return Scope({self.n: ALL}, dict.fromkeys(self.parameters, "count"))

    @settling("zeilberger", ZeroDivisionError)
    def settle(self) -> Verdict:
        allowed(self.pairs, self.right, self.certificate, self.share, self.right_share)
        ring = Ring((self.n, self.k, *self.parameters), (self.k,))
        f = self._f(ring)
        self._right(ring)
        low, high = self._support(ring, f)
        if case := self._refuted(ring, low, high):
            return case
        self._recurrence(ring)
        self._base(ring)
        ends = f"terms are 0 unless {ring.polynomial(low)} >= 0 and {ring.polynomial(high)} >= 0"
        words = f"recurrence in {self.n}, an identity over Q in {len(ring.names)} variables; {ends}; base {self.n} = 0"
        return Verdict(Status.PROVED, "zeilberger", words)

    def _f(self, ring: Ring, **moved: int) -> Factorials:
        value = term_of(ring, self.share, self.pairs, ring.at(**moved))
        if not ring.whole(value.share):
            raise Undecided(f"no denominator of a share may be 0; got {value.share}; multiply it out")
        return value

    def _right(self, ring: Ring, **moved: int) -> Factorials:
        right = term_of(ring, self.right_share, self.right, ring.at(**moved))
        knows = right.share.numer.degrees()[ring.names.index(self.k)] > 0
        if knows or not ring.whole(right.share) or any(form[1] for form in (*right.above, *right.below)):
            raise Undecided(f"the right side may not depend on {self.k} or divide by 0; it does; rewrite it")
        return right

    def _support(self, ring: Ring, f: Factorials) -> tuple[Linear, Linear]:
        """Two reciprocals of factorials that make the term 0 for small and for large ``k``."""
        low = [form for form in f.below if form[1] > 0]
        high = [form for form in f.below if form[1] < 0]
        if not low or not high:
            raise Undecided(f"the terms must be 0 for all large and all small {self.k}; add factors")
        return low[0], high[0]

    def _refuted(self, ring: Ring, low: Linear, high: Linear) -> Verdict | None:
        """A refutation at small values, where the sum runs over the whole support."""
        for v in small((self.n, *self.parameters)):
            values = [0 if x == self.k else int(getattr(v, x)) for x in ring.names]
            below, above = (sum(c * x for c, x in zip(form, (*values, 1), strict=True)) for form in (low, high))
            places = range(math.ceil(Fraction(-below, low[1])), math.floor(Fraction(above, -high[1])) + 1)
            points = [SimpleNamespace(**vars(v), **{self.k: Fraction(k)}) for k in places]
            left = sum((value((self.share, self.pairs), x) for x in points), Fraction(0))
            right = value((self.right_share, self.right), v)
            if left != right:
                return Verdict(Status.REFUTED, "zeilberger", f"the sum is {left}, not {right}", shown(v))
        return None

    def _recurrence(self, ring: Ring) -> None:
        before, after = brought(ring, [self._right(ring), self._right(ring, **{self.n: 1})])
        quotient = after / before
        a, b = ring.home.field(quotient.numer), ring.home.field(quotient.denom)
        if ring.positive(-quotient.denom):
            a, b = -a, -b
        if not ring.positive(b.numer):
            raise Undecided(
                f"the recurrence must give the sum at {self.n} + 1; {b} may be 0; choose another certificate"
            )
        f, later = self._f(ring), self._f(ring, **{self.n: 1})
        g, along = self._g(ring), self._g(ring, **{self.k: 1})
        terms = [
            Factorials(b * later.share, later.above, later.below),
            Factorials(-a * f.share, f.above, f.below),
            Factorials(-along.share, along.above, along.below),
            g,
        ]
        if sum(brought(ring, terms)) != 0:
            raise Undecided("the certificate is wrong: the two sides of the recurrence differ as rational functions")

    def _g(self, ring: Ring, **moved: int) -> Factorials:
        """``certificate F``, what divides taken up by reciprocals of factorials."""
        f = self._f(ring, **moved)
        share = ring.element(self.certificate(ring.at(**moved))) * f.share
        below = Counter[Linear]()
        for form in f.below.elements():
            while True:
                more = (*form[:-1], form[-1] + 1)
                taken = share * ring.polynomial(more)
                if not form[1] or taken.denom.total_degree() == share.denom.total_degree():
                    break
                share, form = taken, more
            below[form] += 1
        if not ring.whole(share):
            raise Undecided(f"no denominator of a certificate may be 0; got {share.denom}; choose another certificate")
        return Factorials(share, f.above, below)

    def _base(self, ring: Ring) -> None:
        """Refuse unless ``F(0, k)`` has one term, which is ``right(0)``."""
        v = ring.at()
        setattr(v, self.n, ring.home.variables[self.n] * 0)
        first = term_of(ring, self.share, self.pairs, v)
        ends = [less(tuple([0] * len(f)), (*f[:1], 0, *f[2:])) for f in first.below if f[1] == 1]
        others = [(*f[:1], 0, *f[2:]) for f in first.below if f[1] == -1]
        alone = [form for form in ends if form in others]
        if not alone:
            raise Undecided(f"at {self.n} = 0 only one term may be left; there may be more; rewrite the terms")
        setattr(v, self.k, ring.home._element(ring.polynomial(alone[0])))
        terms = [term_of(ring, self.share, self.pairs, v), term_of(ring, self.right_share, self.right, v)]
        left, right = brought(ring, terms)
        if left != right:
            raise Undecided(f"at {self.n} = 0 the sum is not the right side")
