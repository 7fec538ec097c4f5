"""Logarithms of products as sums of free elements: identities between entropies as rational functions.

Main definitions: ``formal``.
"""

from __future__ import annotations

from typing import Any

from splitcrit.proof import Field, Term


class FormalLogs:
    """A field in which the logarithm of a product is the sum of the logarithms of its irreducible factors.

    The logarithm of each irreducible factor is an element of which nothing is known; factors are positive by the
    reader's word, so that a sign in front of a factor is dropped and any other constant refused.
    """

    name = "FIELD"

    def __init__(self, ring: Field) -> None:
        self.ring = ring
        self._known: dict[Any, Any] = {}

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return self.ring.where(condition, a, b)

    def _log_of_polynomial(self, poly: Any) -> Any:
        constant, found = poly.factor()
        factors = [(self.ring.field(factor), times) for factor, times in found]
        if constant not in (1, -1):
            factors.append((self.ring.field(abs(constant)), 1))
        for factor, _ in factors:
            if factor not in self._known:
                self._known[factor] = self.ring.max([Term(factor, self.ring)])
        return sum((times * self._known[factor] for factor, times in factors), Term(self.ring.field(0), self.ring))

    def log(self, x: Any) -> Any:
        function = self.ring.field(self.ring.read(x))
        return self._log_of_polynomial(function.numer) - self._log_of_polynomial(function.denom)

    def xlogx(self, x: Any) -> Any:
        return self.where(x == 0, 0, x * self.log(x))


def formal(m: Any) -> Any:
    """Return the arithmetic itself, but a field with formal logarithms."""
    return FormalLogs(m) if isinstance(m, Field) else m
