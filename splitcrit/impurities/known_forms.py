"""The forms of the library's own impurities and criteria: how their scores follow from class counts.

Main definitions: ``squares``, ``logarithms``, ``roots``, ``Errors``, ``Powers`` (impurities); ``Crossings``,
``twoing_form``, ``CredalEntropy``, ``ChanceCorrected``, ``Standardised`` (criteria).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arith import FLOAT
from splitcrit.impurities import search_declaration as kinds
from splitcrit.impurities.search_declaration import Form, MakeForm, counts_to

LARGEST_POWER = 1e300


def squares(size: int, classes: int) -> Form:
    """Return the form of Gini's impurity: ``S/n`` with ``S`` the sum of squares, of the sides more than of the node."""
    n = counts_to(size)
    return Form(kinds.RATIO, n * n, 1 / np.maximum(n, 1))


def logarithms(size: int, classes: int) -> Form:
    """Return the form of the entropy: ``sum n_k log n_k - n log n``."""
    table = FLOAT.xlogx(counts_to(size))
    return Form(kinds.DIFFERENCE, table, table)


def roots(size: int, classes: int) -> Form:
    """Return the form of the square root of Gini's impurity: ``-sqrt(n^2 - S)``."""
    n = counts_to(size)
    return Form(kinds.ROOT, n * n, n * n, float(np.sqrt((classes - 1) / classes)))


@dataclass(frozen=True)
class Errors:
    """``-min(n - max n_k, lam c sqrt(n^2 - S))`` with ``c^2 = (K - 1)/K``; without ``lam`` the errors alone."""

    lam: Any = None

    def __call__(self, size: int, classes: int) -> Form:
        n = counts_to(size)
        power = len(n) if self.lam is None else float(self.lam) * float(np.sqrt((classes - 1) / classes))
        return Form(kinds.ERRORS, n * n, n * n, power=float(power))


@dataclass(frozen=True)
class Powers:
    """``S^(1 - q) / q`` with ``S = sum n_k^(1/(1 - q))``, as long as that is finite."""

    q: Any

    def __call__(self, size: int, classes: int) -> Form | None:
        n, q = counts_to(size), float(self.q)
        if np.log(n[-1]) / (1 - q) + np.log(classes) >= np.log(LARGEST_POWER):
            return None
        return Form(kinds.POWER, n ** (1 / (1 - q)), 1 / np.maximum(n, 1), 1 / q, 1 - q)


@dataclass(frozen=True)
class Crossings:
    """``(sum_k |N l_k - n_L t_k|)^power``, over ``4 N^2 n_L n_R`` for the power 2 and over 4 for 1."""

    power: float

    def __call__(self, size: int, classes: int) -> Form:
        n = counts_to(size)
        return Form(kinds.CROSSINGS, n * n, 1 / np.maximum(n, 1), power=self.power)


def twoing_form(size: int, classes: int) -> Form:
    """Return the form of twoing, which is half of Gini's gain for two classes; its ties are on Gini's scale."""
    return replace(squares(size, classes), unit=0.5, tie=2.0) if classes == 2 else Crossings(2.0)(size, classes)


@dataclass(frozen=True)
class CredalEntropy:
    """The largest entropy when ``s <= 1`` samples may fall anywhere; tables of ``n log n`` and of ``n + s``."""

    s: Any

    def __call__(self, size: int, classes: int) -> Form | None:
        n, s = counts_to(size), float(self.s)
        if s > 1:
            return None
        table = np.concatenate([FLOAT.xlogx(n), FLOAT.log(n + s), FLOAT.xlogx(n + s)])
        return Form(kinds.LEVEL, FLOAT.xlogx(n), table, power=s)


@dataclass(frozen=True)
class Standardised:
    """A decrease in standard deviations above chance, of two classes and an impurity that is a sum over classes."""

    form: MakeForm

    def __call__(self, size: int, classes: int) -> Form | None:
        inner = self.form(size, classes) if classes == 2 else None
        if inner is None or inner.kind not in (kinds.RATIO, kinds.DIFFERENCE):
            return None
        return replace(inner, kind=kinds.STANDARDISED, power=float(inner.kind), unit=1.0)


@dataclass(frozen=True)
class ChanceCorrected:
    """A Gini gain corrected for chance: the kind, and the probability by whose odds the variance is divided."""

    kind: int
    alpha: Any = 0.5

    def __call__(self, size: int, classes: int) -> Form:
        return replace(squares(size, classes), kind=self.kind, power=float((1 - self.alpha) / self.alpha))
