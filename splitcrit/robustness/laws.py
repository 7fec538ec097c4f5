"""Exact laws of noisy class counts: independent flips turn fixed counts into sums of binomials or of multinomials.

Rates that are Fractions give Fractions; anything else is float64. All terms are positive, so that small probabilities
keep their relative precision.

Main definitions: ``counts_of``, ``transition_of``, ``binomial``, ``noisy_positives``, ``lattice``, ``extended``.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.noise import Channel
from splitcrit.table import Table
from splitcrit.values import complaint

Array = NDArray[Any]
STATES = 1 << 24  # cells of a lattice that is kept
WORK = 3_000_000_000  # cells written in all


def counts_of(counts: Any) -> NDArray[np.int64]:
    """Return the class counts of a leaf as integers; weights and negative numbers are refused."""
    if np.ndim(counts) != 1:
        rule = "a leaf is a vector of class counts"
        raise ValueError(complaint(rule, f"{np.ndim(counts)} dimensions", "pass [n_0, n_1, ...]"))
    return np.asarray(Table.of([counts]).integers()[0])


def transition_of(channel: Channel, classes: int) -> tuple[tuple[Any, ...], ...]:
    """Return the transition matrix of a channel with numbers in it: all Fractions, or all floats."""
    rows = channel.transition(classes)
    exact = any(isinstance(x, Fraction) for row in rows for x in row)
    exact = exact and all(isinstance(x, Fraction | int) for row in rows for x in row)
    kind = Fraction if exact else float
    return tuple(tuple(kind(x) for x in row) for row in rows)


def binomial(n: int, rate: Any) -> Array:
    """Return the probabilities of 0 to ``n`` successes; Fractions where the rate is one."""
    if isinstance(rate, Fraction):
        return np.array([comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(n + 1)], dtype=object)
    from scipy.stats import binom

    return np.asarray(binom.pmf(np.arange(n + 1), n, rate))


def noisy_positives(negatives: int, positives: int, transition: tuple[tuple[Any, ...], ...]) -> Array:
    """Return the law of the number of positive labels after noise of two classes."""
    return np.convolve(binomial(positives, transition[1][1]), binomial(negatives, transition[0][1]))


def lattice(laws: list[tuple[Any, ...]]) -> Array:
    """Return the joint law of the noisy counts of all classes but the last, one observation after another.

    Parameters
    ----------
    laws : list of tuples
        The law of the noisy label of each observation.

    Returns
    -------
    array (n + 1, ..., n + 1) with one axis for each class but the last.

    Raises
    ------
    ValueError
        If there are too many states to go through.
    """
    fits(len(laws), len(laws[0]))
    return extended(None, laws)


def fits(n: int, classes: int) -> None:
    """Refuse a lattice of more states than are gone through."""
    if (n + 1) ** (classes - 1) > STATES or (n + 1) ** classes > WORK:
        rule = f"an exact law of {classes} noisy counts goes through at most {STATES} states"
        raise ValueError(complaint(rule, f"{n} observations", "merge classes, or count failures over channel.random"))


def extended(joint: Array | None, laws: list[tuple[Any, ...]]) -> Array:
    """Return the joint law of noisy counts, None for no observations, after some observations more."""
    axes, exact = len(laws[0]) - 1, isinstance(laws[0][0], Fraction)
    if joint is None:
        joint = np.full((1,) * axes, Fraction(1) if exact else 1.0, dtype=object if exact else float)
    here = tuple(slice(None, -1) for _ in range(axes))
    for law in laws:
        wider = np.zeros(tuple(s + 1 for s in joint.shape), dtype=joint.dtype)
        wider[here] = joint * law[-1]
        for k in range(axes):
            wider[(*here[:k], slice(1, None), *here[k + 1 :])] += joint * law[k]
        joint = wider
    return joint
