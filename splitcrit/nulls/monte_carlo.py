"""Random tables under a null model and random orders, p-values of these, and one for the best of several features.

Main definitions: ``exceedances``, ``permutation_pvalue``, ``estimated``; ``random_tables``, ``tables_drawn``,
``check_total``, ``statistics``; ``draws_for``, as many as comparing columns needs; ``random_orders``,
``PermutationTally``, ``tallied``, ``stopped_pvalue``; corrections for having looked at all features jointly:
``discrete_bonferroni``, ``westfall_young``.
Main results, tables: gains are compared as integers ``d n^2 gain``, so that ties count as they should.
Main results, permutations: with ``c`` of ``B`` random orders at least as extreme as the one observed,
``(1 + c)/(1 + B)`` is an exact p-value, since the observed order is one of ``B + 1`` that are equally likely under the
null. Drawing may stop at draw ``L``, the one that brings the ``h``-th exceedance; then ``h/L`` is one as well, and

    P(p <= t) <= t    for every t.

Draws that do not count, nan here, change nothing: given how many count, those that do are exchangeable with what was
observed.
Main results, corrections: with ``p`` the smallest of ``d`` p-values and ``F_j(t)`` the largest p-value of feature ``j``
that can occur and is at most ``t`` (0 without one), ::

    Bonferroni           d p
    discrete Bonferroni  sum_j F_j(p)            (F_j(p) <= p, so never more than d p)
    Westfall and Young   (1 + #{b : q_b <= q})/(1 + B)

with ``q_b`` the smallest p-value of any feature under the joint permutation ``b`` and ``q`` that of the observed order.
Bonferroni and Holm bound the probability of naming a feature that the labels do not depend on, whatever the others. The
other two test that the labels depend on no feature at all: ``F_j`` is made of how often the values of feature ``j``
occur, and where that depends on the labels (a feature that is the exclusive or of the labels and another), discrete
Bonferroni may name falsely with a probability above its level.
Source: scipy.stats.random_table draws tables with both margins fixed; besag1991; phipson2010 (why the observed order
counts); westfall1993; tarone1990 (features that cannot reach the level do not count); holm1979.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.counting import EXACT_INT
from splitcrit.frozen import complaint
from splitcrit.nulls.standardisation import SAFE_PRODUCT

CHUNK = 2**20  # cells drawn at a time
TIE = 1e-9  # of 1 + score: scores closer than this are equal
BEYOND = 20  # draws beyond which the tail is the smooth one's
FEWEST_DRAWS, MOST_DRAWS = 100, 2000
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # the step of counters that are mixed
MOST = 2**28  # observations of a random table; scipy keeps a number of 8 bytes for each


def draws_for(columns: int) -> int:
    """The number of draws that comparing some columns needs, at most 2000.

    Columns of d are decided near the quantile 1 - 1/d of their laws. Ranks shall speak there, not the shape of the
    tail, which speaks beyond the last 20 draws: half of these lie beyond 1 - 1/d.

    Examples
    --------
    >>> [draws_for(d) for d in (2, 10, 1000)]
    [100, 400, 2000]
    """
    return min(max(FEWEST_DRAWS, 2 * BEYOND * columns), MOST_DRAWS)


def mixed(z: Any) -> Any:
    """The finaliser of splitmix64 of unsigned 64-bit integers; compiled code runs the same lines."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def exceedances(counts: Array, samples: int, model: str, rng: np.random.Generator) -> int:
    """Count those of ``samples`` random tables with a gain at least that of a table without empty rows."""
    rows = counts.sum(axis=1)
    seen = statistics(counts, rows)
    return sum(int((statistics(drawn, rows) >= seen).sum()) for drawn in tables_drawn(counts, samples, model, rng))


def tables_drawn(counts: Array, samples: int, model: str, rng: np.random.Generator) -> Iterator[Array]:
    """Yield ``samples`` random tables with the margins of a table, as many at a time as fit."""
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    size = max(1, CHUNK // counts.size)
    for start in range(0, samples, size):
        yield random_tables(rows, columns, min(size, samples - start), model, rng)


def check_total(counts: Array, remedy: str) -> None:
    """Raise ValueError if a table has too many observations for random tables with its margins."""
    if counts.size and counts.sum(axis=(-2, -1), dtype=np.float64).max() >= SAFE_PRODUCT:
        raise ValueError(complaint("random tables are drawn for totals below 2**31", "a larger table", remedy))


def permutation_pvalue(reached: Any, samples: int) -> Any:
    """``(1 + c) / (1 + samples)`` for ``c`` of the random tables, or orders, that reach the score observed.

    Examples
    --------
    >>> permutation_pvalue(0, 999)
    0.001
    """
    return (1 + reached) / (1 + samples)


def estimated(reached: Any, samples: int) -> tuple[Any, Any]:
    """The p-value of random tables, some of which reach a score, and its standard error."""
    value = permutation_pvalue(reached, samples)
    return value, np.sqrt(value * (1 - value) / (1 + samples))


def random_tables(rows: Array, columns: Array, size: int, model: str, rng: np.random.Generator) -> Array:
    """Random tables of shape ``(size, r, k)``."""
    if model == "multinomial":
        return np.stack([rng.multinomial(a, columns / columns.sum(), size=size) for a in rows], axis=1)
    if int(rows.sum(dtype=object)) > MOST:
        rule, got = f"random tables are drawn for totals up to {MOST}", f"{rows.sum(dtype=object)}"
        raise ValueError(complaint(rule, got, "take a law of the margins, or fewer observations"))
    from scipy.stats import random_table

    return np.asarray(random_table(rows, columns).rvs(size, random_state=rng)).astype(np.int64)


def statistics(counts: Array, rows: Array) -> Array:
    """The integers ``d (n sum_ij n_ij^2 / a_i - sum_j b_j^2)``, with ``d`` a common multiple of the ``a_i``."""
    n, d = int(rows.sum()), lcm(*rows.tolist())
    kind = np.int64 if d * n * n < EXACT_INT else object
    inverses = np.array([d // a for a in rows.tolist()], dtype=kind)
    squares = (counts * counts).sum(axis=-1).astype(kind)
    columns = counts.sum(axis=-2)
    return np.asarray(n * (squares * inverses).sum(axis=-1) - d * (columns * columns).sum(axis=-1).astype(kind))


def stopped_pvalue(exceedances: int, draws: int) -> float:
    """``h/L`` where the ``h``-th exceedance came with draw ``L``.

    Examples
    --------
    >>> stopped_pvalue(10, 40)
    0.25
    """
    return exceedances / draws


@dataclass(frozen=True)
class PermutationTally:
    """Draws made, those that count, those of these that reach the observed value, and whether drawing stopped."""

    drawn: int = 0
    kept: int = 0
    exceeding: int = 0
    stopped: bool = False

    @property
    def pvalue(self) -> float:
        """The p-value.

        Examples
        --------
        >>> PermutationTally(drawn=99, kept=39, exceeding=1).pvalue
        0.05
        >>> PermutationTally(drawn=9, kept=8, exceeding=4, stopped=True).pvalue
        0.5
        """
        return (stopped_pvalue if self.stopped else permutation_pvalue)(self.exceeding, self.kept)

    @property
    def standard_error(self) -> float:
        """The Monte Carlo standard error of the p-value.

        Examples
        --------
        >>> round(PermutationTally(drawn=199, kept=99, exceeding=9).standard_error, 12)
        0.03
        """
        p = float(self.pvalue)
        return float(p * ((1 - p) / self.exceeding) ** 0.5 if self.stopped else (p * (1 - p) / (1 + self.kept)) ** 0.5)

    def can_reach(self, level: float) -> bool:
        """Whether the draws were enough for a p-value of at most a level."""
        return self.stopped or permutation_pvalue(0, self.kept) <= level


def tallied(values: Iterable[Array], reached: float, enough: int | None = None) -> PermutationTally:
    """Count draws, which come in blocks; nan does not count, and drawing stops at ``enough`` exceedances.

    Examples
    --------
    >>> tallied([np.array([1.0, np.nan, 3.0]), np.array([0.5, 2.0])], 2.0)
    PermutationTally(drawn=5, kept=4, exceeding=2, stopped=False)
    >>> tallied([np.array([1.0, np.nan, 3.0]), np.array([0.5, 2.0])], 2.0, 1)
    PermutationTally(drawn=3, kept=2, exceeding=1, stopped=True)
    """
    drawn = kept = exceeding = 0
    stopped = False
    for block in values:
        hits = np.flatnonzero(block >= reached)
        stopped = enough is not None and exceeding + len(hits) >= enough
        last = int(hits[enough - exceeding - 1]) + 1 if enough is not None and stopped else len(block)
        drawn, kept = drawn + last, kept + int((~np.isnan(block[:last])).sum())
        exceeding += int((hits < last).sum())
        if stopped:
            break
    return PermutationTally(drawn, kept, exceeding, stopped)


def random_orders(labels: Array, permutations: int, rng: np.random.Generator, block: int) -> Iterator[Array]:
    """Yield random orders of labels ``(n,)``, a block ``(block, n)`` of them at a time.

    Examples
    --------
    >>> [rows.shape for rows in random_orders(np.arange(3), 5, np.random.default_rng(0), 2)]
    [(2, 3), (2, 3), (1, 3)]
    """
    for start in range(0, permutations, block):
        yield rng.permuted(np.broadcast_to(labels, (min(block, permutations - start), len(labels))), axis=1)


Attained = Callable[[float], float]


def discrete_bonferroni(attained: Iterable[Attained], p: float) -> float:
    """``min(1, sum_j F_j(p))`` for the functions ``F_j``.

    Examples
    --------
    >>> discrete_bonferroni([lambda t: t, lambda t: 0.0], 0.04)  # the second has no p-value as small as 0.04
    0.04
    """
    return min(1.0, sum(function(p) for function in attained))


def westfall_young(minima: Sequence[float], smallest: float) -> float:
    """``(1 + #{q_b <= q})/(1 + B)`` for the smallest p-values ``q_b`` of ``B`` joint permutations.

    Examples
    --------
    >>> westfall_young([0.5, 0.25, 0.75], 0.25)
    0.5
    """
    return float(permutation_pvalue(sum(q <= smallest for q in minima), len(minima)))
