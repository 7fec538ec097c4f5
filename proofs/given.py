"""What statements about losses and impurities share: simplices, given values of logarithms and powers, least risks.

Main definitions: ``Given`` (an arithmetic in which chosen logarithms, exponentials, powers and the largest of a list
are variables); ``on_simplex``, ``simplex`` (hypotheses); ``costs`` (a loss whose action is the list of its costs);
``action``, ``best_risk``; ``slope`` (a derivative); ``tuned`` (a formula of the library at symbolic parameters);
``marked``, ``majority_set``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.arith import shares, total
from splitcrit.losses import Loss, risk
from splitcrit.proof import Induction, Premise, same
from splitcrit.proof.curvature import Jets, LineJet
from splitcrit.proofs.common import vector

BERNOULLI = Premise("Bernoulli's inequality: x^q <= 1 + q (x - 1) for x >= 0 and 0 < q < 1, with equality only at 1")
POWERS = Premise("the laws of powers: (xy)^a = x^a y^a, x^a x^b = x^(a+b), (x^a)^b = x^(ab) for positive x, y")
LOGARITHM = Premise("log x <= x - 1 for x > 0, with equality only at x = 1, and 0 log 0 = 0")
NOTHING: Mapping[str, str] = {}
Pairs = Sequence[tuple[Any, Any]]


class Given:
    """The arithmetic ``m``, where the values of some logarithms, exponentials, powers and maxima are given.

    A transcendental function is not in a field of rational functions; what a proof needs of it is a premise such as
    ``log x <= x - 1``. Each pair ``(argument, value)`` hands the formula a variable in its place: to that very
    argument, or else to the first that is equal to it. ``distinct`` tells whether no two arguments are equal.
    ``powers`` and ``logs`` are the values of powers and of logarithms in the order in which a formula asks for them.
    """

    def __init__(
        self, m: Any, *, log: Pairs = (), exp: Pairs = (), power: Pairs = (), powers: Any = (), logs: Any = (),
        top: Any = None,
    ) -> None:  # fmt: skip
        self._m, self._log, self._exp, self._power, self._top = m, list(log), list(exp), list(power), top
        self._powers, self._logs = list(powers), list(logs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._m, name)

    @staticmethod
    def _find(pairs: Pairs, key: Any) -> Any:
        parts = key if type(key) is tuple else (key,)
        for known, value in pairs:
            if (known if type(known) is tuple else (known,))[0] is parts[0]:
                return value
        for known, value in pairs:
            if same(known, key):
                return value
        raise KeyError("the formula asks for a quantity without a value")

    @property
    def distinct(self) -> bool:
        """Whether every argument has one value."""
        return not any(
            same(one, other)
            for pairs in (self._log, self._exp, self._power)
            for (one, _), (other, _) in combinations(pairs, 2)
        )

    def log(self, x: Any) -> Any:
        return self._logs.pop(0) if self._logs else self._find(self._log, x)

    def xlogx(self, x: Any) -> Any:
        return x * self.log(x)

    def exp(self, x: Any) -> Any:
        return self._find(self._exp, x)

    def power(self, x: Any, a: Any) -> Any:
        if self._powers:
            return self._powers.pop(0)
        return self._find(self._power, (x, a)) if self._power else self._m.power(x, a)

    def max(self, items: Any) -> Any:
        return self._m.max(items) if self._top is None else self._top


def _itself(w: Any, k: int, m: Any) -> Any:
    return w[k]


costs = Loss("costs", _itself, space="reals")  # an action is the list of its costs, class by class


def action(loss: Loss, p: Any, m: Any) -> Any:
    """The action that the loss names as its best."""
    assert loss.act is not None
    return loss.act(p, m)


def best_risk(loss: Loss, counts: Any, m: Any) -> Any:
    """The risk of a node, summed over its examples, at the action that the loss names as its best."""
    return risk(loss, action(loss, shares(counts, total(counts), m), m), counts, m)


def names(letters: str, classes: int, kind: str = "rate") -> dict[str, str]:
    """Variables ``p0, p1, ...`` for each of the letters."""
    return {f"{letter}{k}": kind for letter in letters for k in range(classes)}


def on_simplex(v: Any, classes: int, letters: str = "p") -> list[Any]:
    """The hypotheses that the named vectors of rates sum to 1."""
    return [sum(vector(v, letter, classes)) == 1 for letter in letters]


def simplex(classes: int, letters: str = "p") -> Any:
    """The hypotheses of a claim whose vectors ``letters`` are class distributions."""
    return lambda v, m: on_simplex(v, classes, letters)


def tuned(formula: Any, **parameters: Any) -> Any:
    """A formula of the library, a frozen value, at other parameters, also symbolic ones."""
    return replace(formula, **parameters)


def sum_of_parts(
    entry: Mapping[str, str], formula: Any, part: Any, shared: Mapping[str, str] = NOTHING, *rest: Any, **more: Any
) -> Induction:
    """Claim that a formula of the classes is the sum of what each adds, ``part(e, v, m)``, which is never negative."""
    return Induction(
        "K", entry, formula, lambda e, v, m: [part(e, v, m)], lambda sums, v, m: sums[0], ">=", shared, *rest, **more
    )


def slope(of: Any, x: Any, m: Any) -> Any:
    """The derivative of a function ``of(x, m)`` of one number, by a jet."""
    return of(LineJet(x, 1), Jets(m)).first


def marked(condition: Any, m: Any) -> Any:
    """1 if the condition holds, else 0."""
    return m.where(condition, 1, 0)


def majority_set(counts: Sequence[Any]) -> set[int]:
    """The classes whose count is largest."""
    return {k for k, n in enumerate(counts) if n == max(counts)}


def unit(k: int, classes: int) -> list[Fraction]:
    """The action that is sure of class ``k``."""
    return [Fraction(int(j == k)) for j in range(classes)]


def weighted(entries: Sequence[Any], letter: str = "n") -> list[Any]:
    """The shares proportional to a variable of the entries of an induction."""
    weights = [getattr(e, letter) for e in entries]
    return [x / sum(weights) for x in weights]
