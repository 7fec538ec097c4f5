"""The null distribution of the Gini gain itself: every value and its probability, or many random values.

Main definitions: ``NullDistribution``, ``null_distribution``.
Main results: gains are compared as integers ``d n^2 gain``, with ``d`` a common multiple of the row totals.
Source: wang2024, Lemma 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Literal, final

import numpy as np

from splitcrit.arguments import PATIENT, Array, generator, microseconds, one_of, whole
from splitcrit.data.crossing import Missing
from splitcrit.display import described, shortened
from splitcrit.frozen import complaint
from splitcrit.nulls.exact import TooLarge, arrangements
from splitcrit.nulls.margin_totals import compact
from splitcrit.nulls.monte_carlo import statistics, tables_drawn
from splitcrit.nulls.null import same_parts
from splitcrit.nulls.pvalue import QUICK
from splitcrit.nulls.standardisation import SAFE_PRODUCT, counted

LawMethod = Literal["auto", "exact", "monte_carlo"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class NullDistribution:
    """The values of the Gini gain under permutations, in increasing order, with their probabilities.

    Parameters
    ----------
    gain, probability
        Arrays of one length; the probabilities sum to 1.
    method
        ``"exact"``, or ``"monte_carlo"`` where they are shares of random tables.

    Examples
    --------
    >>> law = null_distribution([[2, 0], [0, 2]])
    >>> law.gain.tolist(), law.probability.round(3).tolist()
    ([0.0, 0.5], [0.667, 0.333])
    """

    gain: Array
    probability: Array
    method: str

    __repr__ = shortened
    _repr_html_ = described

    def _parts(self) -> tuple[Any, ...]:
        return self.gain, self.probability, self.method

    def __eq__(self, other: object) -> bool:
        return same_parts(self._parts(), other._parts()) if isinstance(other, NullDistribution) else NotImplemented

    def __hash__(self) -> int:
        return hash((tuple(self.gain.tolist()), tuple(self.probability.tolist()), self.method))


def null_distribution(
    table: Any,
    label: Any = None,
    *,
    method: LawMethod = "auto",
    samples: int = 9999,
    rng: Any = None,
    limit: float = PATIENT,
    missing: Missing = "error",
) -> NullDistribution:
    """The law of the Gini gain when the labels of a table are in random order, both margins fixed.

    Parameters
    ----------
    table
        Integer counts ``(r, k)``, or a `Table`; only its margins matter.
    label
        With it, the first argument is a feature, and both are vectors; see `Table.of`.
    method
        ``"exact"``: all tables with these margins, by dynamic programming. ``"monte_carlo"``: random tables.
        ``"auto"``: exact where that is quick.
    samples, rng
        How many random tables to draw, and what ``numpy.random.default_rng`` takes.
    limit
        How many seconds the exact law may take, as counted for one processor.
    missing
        ``"row"`` gives missing feature values a last row; ``"error"`` refuses them.

    Returns
    -------
    NullDistribution

    Raises
    ------
    ValueError
        If the method is unknown, the counts are not those of one table with observations, or the exact law would
        take more than ``limit`` seconds.

    See Also
    --------
    gini_null : Only the moments, for tables of any size.
    gini_pvalue : Only the p-value.

    References
    ----------
    wang2024, Lemma 1.

    Examples
    --------
    >>> len(null_distribution([[3, 0, 1], [0, 4, 1]]).gain)
    11
    """
    chosen = one_of(method, LawMethod, "a method")
    most = microseconds(limit)
    counts = counted(table, label, missing)
    if counts.ndim != 2 or not 0 < counts.sum(dtype=object) < SAFE_PRODUCT:
        rule, got = "a null distribution is that of one table of 1 to 2**31 observations", f"shape {counts.shape}"
        raise ValueError(complaint(rule, f"{got} and total {counts.sum(dtype=object)}", "pass the counts of one table"))
    present = compact(counts)
    if chosen != "monte_carlo":
        try:
            return _exact(present, QUICK if chosen == "auto" else most)
        except TooLarge:
            if chosen == "exact":
                remedy = "pass method='monte_carlo', or a larger limit"
                raise ValueError(
                    complaint("the exact law is for small tables", f"a table beyond limit={limit}", remedy)
                ) from None
    return _sampled(present, whole(samples, "samples", 1, 2**31), generator(rng))


def _exact(counts: Array, limit: int) -> NullDistribution:
    rows, columns = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    n, d, squares = sum(rows), lcm(*rows), sum(b * b for b in columns)
    law = sorted(arrangements(sorted(rows, reverse=True), tuple(sorted(columns)), d, limit).items())
    whole = sum(weight for _, weight in law)
    gains = np.array([float(Fraction(n * value - d * squares, d * n * n)) for value, _ in law])
    return NullDistribution(gains, np.array([float(Fraction(weight, whole)) for _, weight in law]), "exact")


def _sampled(counts: Array, samples: int, rng: np.random.Generator) -> NullDistribution:
    rows = counts.sum(axis=1)
    drawn = [statistics(part, rows) for part in tables_drawn(counts, samples, "permutation", rng)]
    values, times = np.unique(np.concatenate(drawn), return_counts=True)
    scale = lcm(*rows.tolist()) * int(rows.sum()) ** 2
    gains = np.array([float(Fraction(int(value), scale)) for value in values])
    return NullDistribution(gains, times / samples, "monte_carlo")
