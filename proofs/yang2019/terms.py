"""What the statements share: splits of two classes, and values of logarithms that a premise speaks about.

Class 1 is the positive one: a split has ``a, c`` positives and ``b, d`` negatives, ``a, b`` of them on the left.

Main definitions: ``SPLIT``, ``ROWS``, ``clean``, ``noisy_split``, ``determinant`` (splits); ``Known`` (an arithmetic in
which chosen logarithms and exponentials are variables); ``priced`` (a loss that announces its own costs);
``announced``, ``best_risk``; ``node_splits``, ``agree`` (orders of splits).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from splitcrit.arith import shares, total
from splitcrit.losses import Loss, risk
from splitcrit.noise import class_conditional
from splitcrit.proof import same
from splitcrit.proofs.common import lefts, noisy, split

SPLIT = dict.fromkeys("abcd", "count")
ROWS = dict.fromkeys("abcd", "positive")
RATES = {"tau_pos": "rate", "tau_neg": "rate"}
Pairs = Sequence[tuple[Any, Any]]
Split = tuple[tuple[int, ...], tuple[int, ...]]


def clean(v: Any) -> list[list[Any]]:
    """Return the table of a split, negatives before positives."""
    return [[v.b, v.a], [v.d, v.c]]


def noisy_split(v: Any) -> list[list[Any]]:
    """Return the expected table after class-conditional noise."""
    return noisy(clean(v), class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg))


def determinant(t: Any) -> Any:
    """Return ``ad - bc``, positive when the left child is the more positive one."""
    (b, a), (d, c) = t
    return a * d - b * c


class Known:
    """The arithmetic ``m``, in which the values of some logarithms and exponentials are given as variables.

    No field of rational functions holds them; what a proof needs of them is a premise, such as ``log x <= x - 1``.
    An argument listed twice has the first of its values, everywhere.
    """

    def __init__(self, m: Any, log: Pairs = (), exp: Pairs = ()) -> None:
        self._m, self._log, self._exp = m, log, exp

    def __getattr__(self, name: str) -> Any:
        return getattr(self._m, name)

    def log(self, x: Any) -> Any:
        return next(value for known, value in self._log if same(known, x))

    def xlogx(self, x: Any) -> Any:
        return x * self.log(x)

    def exp(self, x: Any) -> Any:
        return next(value for known, value in self._exp if same(known, x))


def _coordinate(w: Any, k: int, m: Any) -> Any:
    return w[k]


priced = Loss("priced", _coordinate, space="reals")  # an announcement is the list of its costs, class by class


def announced(loss: Loss, p: Any, m: Any) -> Any:
    """Return the announcement that the loss names as its best."""
    assert loss.act is not None
    return loss.act(p, m)


def best_risk(loss: Loss, counts: Any, m: Any) -> Any:
    """Return the least risk of a node, summed over its examples, at the announcement the loss names."""
    return risk(loss, announced(loss, shares(counts, total(counts), m), m), counts, m)


def node_splits(nodes: Iterable[tuple[int, ...]]) -> Iterator[tuple[Split, Split]]:
    """Yield every ordered pair of splits of every node, both children non-empty."""
    for counts in nodes:
        here = [split(counts, left) for left in lefts(counts)]
        yield from ((s, u) for s in here for u in here)


def agree(first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Callable[[tuple[Split, Split]], bool]:
    """Return the statement that two scores do not order a pair of splits oppositely."""
    return lambda pair: not (first(pair[0]) > first(pair[1]) and second(pair[0]) < second(pair[1]))
