"""Exact laws of noisy class counts: independent flips turn fixed counts into sums of binomials or of multinomials.

Rates that are Fractions are written as integers in a common unit, and so is every law of them: of ``n`` labels it is
in units of ``unit**n``, and nothing is reduced before the end. Anything else is float64. All terms are positive, so
that small probabilities keep their relative precision.

Main definitions: ``counts_of``, ``transition_of``, ``Rates``, ``binomial``, ``binomial_weights``, ``noisy_positives``,
``extended`` (a lattice); ``terms_steps``, ``pair_steps``, ``lattice_steps`` (what they cost); ``falling``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import exp, isqrt, lcm, ulp
from typing import Any

import numpy as np

from splitcrit.arguments import Array, affordable, of_kind
from splitcrit.data.counting import as_array, position, real_array
from splitcrit.frozen import complaint
from splitcrit.noise import Channel
from splitcrit.table import Table

Rows = tuple[tuple[Any, ...], ...]
STATES = 1 << 26  # numbers of a lattice that is kept, whatever the limit


def counts_of(counts: Any) -> list[int]:
    """The class counts of a leaf as integers; weights and negative numbers are refused."""
    axes = as_array(counts, "class counts").ndim
    if axes != 1:
        raise ValueError(complaint("a leaf is a vector of class counts", f"{axes} dimensions", "pass [n_0, n_1, ...]"))
    leaf: list[int] = Table.of(real_array(counts, "class counts", position)[None]).integers()[0].tolist()
    if len(leaf) < 2:
        raise ValueError(complaint("a leaf has counts of two classes or more", leaf, "write absent classes as 0"))
    return leaf


def channel_of(channel: Any) -> Channel:
    """Return a channel, or say that it is none."""
    noise: Channel = of_kind(channel, Channel, "noise is a Channel", "pass symmetric(0.2) for instance")
    return noise


def transition_of(channel: Any, classes: int) -> Rows:
    """The transition matrix of a channel with numbers in it: all Fractions, or all floats."""
    rows = channel_of(channel).transition(classes)
    exact = any(isinstance(x, Fraction) for row in rows for x in row)
    exact = exact and all(isinstance(x, Fraction | int) for row in rows for x in row)
    kind = Fraction if exact else float
    try:
        return tuple(tuple(kind(x) for x in row) for row in rows)
    except TypeError:
        rule = "probabilities are found for noise whose rates are numbers"
        raise TypeError(complaint(rule, channel.name, "put numbers for its symbols")) from None


@dataclass(frozen=True)
class Rates:
    """A transition matrix in units: integers in a common ``unit`` where it is exact, else floats and no unit."""

    rows: Rows
    unit: int | None

    @staticmethod
    def of(transition: Rows, exact: bool | None = None) -> Rates:
        """The rates of a matrix; in integers where it holds Fractions, or as told (a float is a Fraction)."""
        if not (isinstance(transition[0][0], Fraction) if exact is None else exact):
            return Rates(transition, None)
        fractions = {x: Fraction(x) for row in transition for x in row}
        unit = lcm(*{x.denominator for x in fractions.values()})
        places = {x: int(value * unit) for x, value in fractions.items()}
        return Rates(tuple(tuple(places[x] for x in row) for row in transition), unit)

    def chance(self, weight: Any, labels: int) -> Any:
        """The probability with this weight in the law of this number of labels."""
        return float(weight) if self.unit is None else Fraction(weight) / self.unit**labels

    def words(self, labels: int) -> int:
        """The number of 64-bit words of a weight in the law of this number of labels; 0 for floats."""
        return 0 if self.unit is None else 1 + labels * (self.unit**16).bit_length() // 1024


def binomial(n: int, rate: Any, unit: int | None) -> Array:
    """The law of the number of successes, 0 to ``n``, in units of ``unit**n``."""
    if unit is None:
        from scipy.stats import binom

        return np.asarray(binom.pmf(np.arange(n + 1), n, rate))
    return np.array(binomial_weights(n, rate, unit), dtype=object)


def binomial_weights(n: int, rate: int, unit: int) -> list[int]:
    """The law of the number of successes, in integers: ``C(n, k) rate**k (unit - rate)**(n - k)``.

    Examples
    --------
    >>> binomial_weights(2, 1, 10)
    [81, 18, 1]
    """
    weights, ways, failing = [1], 1, [1]
    for _ in range(n):
        weights.append(weights[-1] * rate)
        failing.append(failing[-1] * (unit - rate))
    for k in range(n + 1):
        weights[k] *= ways * failing[n - k]
        ways = ways * (n - k) // (k + 1)
    return weights


def noisy_positives(counts: list[int], rates: Rates) -> Array:
    """The law of the number of positive labels that noise makes of counts of two classes."""
    stay, come = (binomial(n, rates.rows[k][1], rates.unit) for k, n in ((1, counts[1]), (0, counts[0])))
    return np.asarray(np.convolve(stay, come))


def falling(exponent: Any) -> float:
    """``exp(-exponent)``, and never 0: what is rounded to 0 would bound nothing from above."""
    return max(exp(-float(min(exponent, 1000))), ulp(0.0))


def terms_steps(terms: int, words: int) -> int:
    """The steps of a binomial law of this number of terms, and of a sum over it."""
    return 150 + terms * 3 // 10 + terms * words * isqrt(words) // 120


def pair_steps(cells: list[list[int]], words: int) -> int:
    """The steps of the laws of noisy positives of cells of two classes, each a convolution of two binomials."""
    terms = sum(terms_steps(n, words) for cell in cells for n in cell)
    return terms + sum(a * b for a, b in cells) * ((10 + words) * 20 if words else 1) // 500


def lattice_steps(n: int, classes: int, words: int = 0) -> int:
    """The steps of a lattice of ``n`` observations; it is refused if it does not fit into memory."""
    states: int = (n + 1) ** min(classes - 1, 64) * classes  # of more classes than that there are too many anyway
    if states > STATES:
        rule = f"an exact law of {classes} noisy counts holds at most {STATES} numbers"
        raise ValueError(complaint(rule, f"{n} observations", "merge classes, or count failures over channel.random"))
    cells: int = (n + 1) ** classes
    return 5 * n * classes + states // 50 + cells // 500 + (cells * (20 + words) // 600 if words else 0)


def too_many(steps: int, limit: float, classes: int) -> None:
    """Refuse an exact law of too many steps."""
    work = f"an exact law of {classes} noisy counts"
    affordable(steps, limit, work, "take majority_bounds, floats for Fractions, or failures over channel.random")


def extended(joint: Array | None, laws: Iterable[tuple[Any, ...]], rates: Rates) -> Array:
    """The joint law of noisy counts, None for no observations, after some observations more.

    It has one axis for each class but the last, and is a lattice that grows by one observation after another.
    """
    axes, kind = len(rates.rows) - 1, float if rates.unit is None else object
    if joint is None:
        joint = np.full((1,) * axes, 1, dtype=kind)
    here = tuple(slice(None, -1) for _ in range(axes))
    for law in laws:
        wider = np.zeros(tuple(s + 1 for s in joint.shape), dtype=kind)
        wider[here] = joint * law[-1]
        for k in range(axes):
            wider[(*here[:k], slice(1, None), *here[k + 1 :])] += joint * law[k]
        joint = wider
    return joint
