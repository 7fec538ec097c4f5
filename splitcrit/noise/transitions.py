"""Transition matrices as frozen functions of the number of classes: row j is ``P(noisy = k | true = j)``.

Main definitions: ``NoNoise``, ``Symmetric``, ``ClassConditional``, ``PairFlip``, ``Given``, ``Composed``; ``rate``,
``stochastic`` (the checks of their makers). Entries may be floats, Fractions or symbols: only ``+ - * /`` are used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, final

import numpy as np

from splitcrit.arguments import masked, of_kind, real
from splitcrit.arith import total
from splitcrit.frozen import complaint, shown

Rows = tuple[tuple[Any, ...], ...]
Transition = Callable[[int], Rows]
TOLERANCE = 1e-12


@final
@dataclass(frozen=True)
class NoNoise:
    """Every label stays what it is."""

    def __call__(self, K: int) -> Rows:
        return tuple(tuple(int(j == k) for k in range(K)) for j in range(K))


@final
@dataclass(frozen=True)
class Symmetric:
    """A label changes with probability ``eta``, to each of the ``K - 1`` others alike."""

    eta: Any

    def __call__(self, K: int) -> Rows:
        _at_least_two(K, "symmetric noise")
        stays, moves = 1 - self.eta, self.eta / (K - 1)
        return tuple(tuple(stays if j == k else moves for k in range(K)) for j in range(K))


@final
@dataclass(frozen=True)
class ClassConditional:
    """Two classes: class 1 (positive) flips with probability ``tau_pos``, class 0 with ``tau_neg``."""

    tau_pos: Any
    tau_neg: Any

    def __call__(self, K: int) -> Rows:
        if K != 2:
            rule = "class_conditional noise is for two classes"
            raise ValueError(complaint(rule, f"{K} classes", "use transition_matrix(rows)"))
        return (1 - self.tau_neg, self.tau_neg), (self.tau_pos, 1 - self.tau_pos)


@final
@dataclass(frozen=True)
class PairFlip:
    """Class ``k`` becomes class ``k + 1`` (modulo ``K``) with probability ``eta``."""

    eta: Any

    def __call__(self, K: int) -> Rows:
        _at_least_two(K, "pair_flip noise")
        row = (1 - self.eta, self.eta) + (0 * self.eta,) * (K - 2)
        return tuple(tuple(row[(k - j) % K] for k in range(K)) for j in range(K))


@final
@dataclass(frozen=True)
class Given:
    """The matrix as it was given."""

    rows: Rows

    def __call__(self, K: int) -> Rows:
        if len(self.rows) != K:
            rule = f"this transition matrix is for {len(self.rows)} classes"
            raise ValueError(complaint(rule, f"{K} classes", f"pass a {K} x {K} matrix"))
        return self.rows


@final
@dataclass(frozen=True)
class Composed:
    """One transition after another: the matrix product, in reading order."""

    first: Transition
    second: Transition

    def __call__(self, K: int) -> Rows:
        a, b = self.first(K), self.second(K)
        return tuple(tuple(total([a[j][i] * b[i][k] for i in range(K)]) for k in range(K)) for j in range(K))


def rate(value: Any, name: str) -> Any:
    """A probability as a Fraction if it is an integer, else as it is; real numbers outside [0, 1] are refused.

    Symbols are trusted.
    """
    rule = f"the noise rate {name} must lie between 0 and 1"
    p = real(value, rule, "pass a probability", lambda x: 0 <= x <= 1)
    return Fraction(p) if isinstance(p, int) else p


def stochastic(rows: Any) -> Rows:
    """A transition matrix as a tuple of rows, after checking its shape, its entries and its row sums."""
    if masked(rows):
        raise ValueError(complaint("a transition matrix has no gaps", "a masked entry", "fill it"))
    framed = isinstance(rows, memoryview) or (hasattr(rows, "__array__") and not isinstance(rows, type))
    whole = np.asarray(rows).tolist() if framed else rows
    of_kind(whole, list | tuple, "a transition matrix must be square", "pass K rows of K entries")
    listed = [row.tolist() if hasattr(row, "tolist") else row for row in whole]
    if not listed or any(not isinstance(row, list | tuple) or len(row) != len(listed) for row in listed):
        lengths = [len(row) if hasattr(row, "__len__") else 0 for row in listed]
        got = f"{len(listed)} rows of lengths {shown(lengths)}"
        raise ValueError(complaint("a transition matrix must be square", got, "pass K rows of K entries"))
    checked = tuple(
        tuple(rate(x, f"at row {j}, column {k}") for k, x in enumerate(row)) for j, row in enumerate(listed)
    )
    for j, row in enumerate(checked):
        if not _sums_to_one(row):
            got, remedy = f"{sum(row)} in row {j}", "let row j hold P(noisy = k | true = j)"
            raise ValueError(complaint("each row of a transition matrix must sum to 1", got, remedy))
    return checked


def _sums_to_one(row: tuple[Any, ...]) -> bool:
    """Decide exactly for rationals, to a relative 1e-12 for other real numbers; a row with a symbol is trusted."""
    if all(isinstance(x, Rational) for x in row):
        return bool(sum(row) == 1)
    return not all(isinstance(x, Real) for x in row) or math.isclose(math.fsum(row), 1, rel_tol=TOLERANCE)


def _at_least_two(K: int, noun: str) -> None:
    if K < 2:
        raise ValueError(complaint(f"{noun} needs at least two classes", f"{K}", "pass the classes that could occur"))
