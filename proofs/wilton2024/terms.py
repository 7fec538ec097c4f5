"""What the statements share: simplices for the solver, losses as their costs, and values that a premise speaks about.

Main definitions: ``Given`` (an arithmetic in which chosen logarithms, exponentials and powers are variables);
``on_simplex``, ``simplex`` (hypotheses of the solver); ``costs`` (a loss that announces its own costs); ``tuned``
(a face of the library at symbolic parameters); ``marked`` (a condition as 0 or 1); ``majority_set``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit import losses
from splitcrit.proof import same
from splitcrit.proofs.common import vector

HALF = Fraction(1, 2)
BERNOULLI = "Bernoulli's inequality: x^q <= 1 + q (x - 1) for x >= 0 and 0 < q < 1, with equality only at x = 1"
POWERS = "the laws of powers: (xy)^a = x^a y^a, x^a x^b = x^(a+b), (x^a)^b = x^(ab) for positive x, y"
LOGARITHM = "log x <= x - 1 for x > 0, with equality only at x = 1"
Pairs = Sequence[tuple[Any, Any]]


class Given:
    """The arithmetic ``m``, where the values of some logarithms, exponentials, powers and maxima are given.

    A transcendental function is not in a field of rational functions; what a proof needs of it is a premise such as
    ``log x <= x - 1``. Each pair ``(argument, value)`` hands the formula a variable in its place. ``distinct`` tells
    whether no argument was given two values, as happens at single points; it belongs into the claim's domain.
    """

    def __init__(self, m: Any, *, log: Pairs = (), exp: Pairs = (), power: Pairs = (), top: Any = None) -> None:
        self._m, self._log, self._exp, self._power, self._top = m, list(log), list(exp), list(power), top

    def __getattr__(self, name: str) -> Any:
        return getattr(self._m, name)

    @staticmethod
    def _find(pairs: Pairs, key: Any) -> Any:
        for known, value in pairs:
            if same(known, key):
                return value
        raise KeyError(f"no value was given for {key}")

    @property
    def distinct(self) -> bool:
        """Whether every argument has one value."""
        return not any(
            same(one, other)
            for pairs in (self._log, self._exp, self._power)
            for (one, _), (other, _) in combinations(pairs, 2)
        )

    def log(self, x: Any) -> Any:
        return self._find(self._log, x)

    def xlogx(self, x: Any) -> Any:
        return x * self.log(x)

    def exp(self, x: Any) -> Any:
        return self._find(self._exp, x)

    def power(self, x: Any, a: Any) -> Any:
        return self._find(self._power, (x, a))

    def max(self, items: Any) -> Any:
        return self._m.max(items) if self._top is None else self._top


def _itself(w: Any, k: int, m: Any) -> Any:
    return w[k]


costs = losses.Loss("costs", _itself, space="reals")  # an announcement is the vector of its costs, class by class


def names(letters: str, classes: int, kind: str = "rate") -> dict[str, str]:
    """Return variables ``p0, p1, ...`` for each of the letters."""
    return {f"{letter}{k}": kind for letter in letters for k in range(classes)}


def on_simplex(v: Any, classes: int, letters: str = "p") -> list[Any]:
    """Return the hypotheses that the named vectors of rates sum to 1."""
    return [sum(vector(v, letter, classes)) == 1 for letter in letters]


def simplex(classes: int, letters: str = "p") -> Any:
    """Return the hypotheses of a claim whose vectors ``letters`` are class distributions."""
    return lambda v, m: on_simplex(v, classes, letters)


def tuned(face: Any, **parameters: Any) -> Any:
    """Return a formula of the library, a frozen value, at other parameters, also symbolic ones."""
    return replace(face, **parameters)


def marked(condition: Any, m: Any) -> Any:
    """Return 1 if the condition holds, else 0."""
    return m.where(condition, 1, 0)


def majority_set(counts: Sequence[Any]) -> set[int]:
    """Return the classes whose count is largest."""
    return {k for k, n in enumerate(counts) if n == max(counts)}


def unit(k: int, classes: int) -> list[Fraction]:
    """Return the announcement that is sure of class ``k``."""
    return [Fraction(int(j == k)) for j in range(classes)]
