"""SGini, AGini and the significance of a Gini gain as criteria: chance-corrected gains, as values among the others.

Called on tables they score counts, in integers if need be; as formulas they score the rows of a batch of splits in
float64, or one table in Fractions.

Main definitions: ``sgini``, ``agini``, ``significance``.
Main results: ``significance`` is ``-log p`` in nats, with ``p`` the p-value of Dobra and Gehrke, which is
``gini_pvalue(table, method="gamma")``; it tells splits apart whose ``p`` is below the smallest float64, and is 0 for a
split that gains nothing.
Source: wang2024, eqs. (11), (12), (15), (29).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.arith import ARRAY, FLOAT, Arithmetic, Irrational
from splitcrit.arith.symbolic import OTHERS
from splitcrit.criteria import Criterion
from splitcrit.criteria.library import gini_of_node, size_of_node
from splitcrit.frozen import complaint
from splitcrit.impurities.search_declaration import AGINI, AGINI_PERMUTED, SGINI, TAIL, ChanceCorrected, Search
from splitcrit.nulls import standardisation
from splitcrit.nulls.batches import gain_of, gamma_of, margins_of, standard
from splitcrit.nulls.gamma_tails import gamma_law, surprise
from splitcrit.nulls.null import Model, check_model
from splitcrit.nulls.other_laws import gain_and_law
from splitcrit.nulls.permutation import exact_mean, exact_variance, mean_variance, multinomial_mean_variance
from splitcrit.table import Table


def _integers(t: Any) -> tuple[list[int], list[int], Fraction]:
    """The positive margins of one table of integers, and its exact gain."""
    if any(Fraction(x).denominator != 1 for row in t for x in row):
        rule = "a permutation null needs counts"
        raise ValueError(complaint(rule, "a fractional count", "pass integers, not weights or expected counts"))
    counts = np.array([[int(x) for x in row] for row in t], dtype=object)
    rows, columns = ([int(x) for x in side if x] for side in (counts.sum(axis=1), counts.sum(axis=0)))
    return rows, columns, standardisation.exact_gain(counts)


@dataclass(frozen=True)
class SGini:
    """``(gain - mean) / sqrt(variance)`` over all permutations of the labels; 0 where the variance is 0."""

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        if m is FLOAT or isinstance(m, ARRAY):
            rows, columns = margins_of(t)
            return standard(gain_of(t, rows, columns), *mean_variance(rows, columns))[()]
        if m.name in OTHERS:
            gain, mean, spread = gain_and_law(t, m, "permutation")
            return m.number(0) if m.name == "MPMATH" and spread == 0 else (gain - mean) / m.sqrt(spread)
        a, b, gain = _integers(t)
        exact = exact_variance(a, b).fraction()
        return m.number(gain - exact_mean(a, b).fraction()) / m.sqrt(exact) if exact else m.number(0)

    def of_table(self, table: Table) -> Any:
        """The score of counts, in integers where float64 would lose digits."""
        return standardisation.sgini(table)


@dataclass(frozen=True)
class AGini:
    """``gain - (mean + sqrt((1 - alpha) / alpha * variance))``, Cantelli's bound under a null model."""

    alpha: Any = 0.1
    model: Model = "multinomial"

    def __post_init__(self) -> None:
        check_model(self.model)

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        odds = (1 - self.alpha) / self.alpha
        if m is FLOAT or isinstance(m, ARRAY):
            rows, columns = margins_of(t)
            moments = mean_variance if self.model == "permutation" else multinomial_mean_variance
            mean, variance = moments(rows, columns)
            return (gain_of(t, rows, columns) - (mean + m.sqrt(float(odds) * variance)))[()]
        if m.name in OTHERS:
            gain, mean, variance = gain_and_law(t, m, self.model)
            return gain - mean - m.sqrt((1 - m.number(self.alpha)) / m.number(self.alpha) * variance)
        a, b, gain = _integers(t)
        if not a:
            return m.number(0)
        if self.model == "permutation":
            law: tuple[Any, ...] = exact_mean(a, b).fraction(), exact_variance(a, b).fraction()
        else:
            sides = [np.array([Fraction(x) for x in side], dtype=object) for side in (a, b)]
            law = tuple(np.asarray(x).item() for x in multinomial_mean_variance(*sides))
        return m.number(gain - law[0]) - m.sqrt(m.number(odds) * m.number(law[1]))

    def of_table(self, table: Table) -> Any:
        """The score of counts; refuses an alpha outside (0, 1)."""
        return standardisation.agini(table, self.alpha, model=self.model)


@dataclass(frozen=True)
class Significance:
    """``-log p``, ``p = Q(mean^2 / variance, gain mean / variance)`` with multinomial moments; 0 where that is 1."""

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        if m is not FLOAT:
            rule = f"{m.name} has no incomplete gamma function"
            raise Irrational(complaint(rule, "significance", "score it in FLOAT, or ask for agini"))
        rows, columns = margins_of(t)
        return surprise(*gamma_of(gain_of(t, rows, columns), *multinomial_mean_variance(rows, columns)))[()]

    def of_table(self, table: Table) -> Any:
        """The score of counts, gain, mean and variance of one table in integers."""
        counts = standardisation.counted(table)
        shape, reach, _ = gamma_law(counts, "multinomial")
        return surprise(shape, reach)[()]


def _agini(score: AGini) -> Criterion:
    search = Search(ChanceCorrected(AGINI_PERMUTED if score.model == "permutation" else AGINI, score.alpha))
    return Criterion("agini", score, scale=gini_of_node, search=search, of_table=AGini.of_table, any_library=True,
                     remake=_agini)  # fmt: skip


STANDARDISED, SURPRISING = Search(ChanceCorrected(SGINI)), Search(ChanceCorrected(TAIL))

#: SGini, ``(gain - mean) / sqrt(variance)`` over all orders of the labels; 0 where the variance is 0.
#:
#: The Gini gain in standard deviations above chance, which compares features with different numbers of values. A
#: p-value is `gini_pvalue`; the best of many cuts needs `selected_pvalue`. References: `wang2024`,
#: eq. (15).
sgini = Criterion("sgini", SGini(), scale=size_of_node, search=STANDARDISED, of_table=SGini.of_table, any_library=True)
#: AGini, ``gain - (mean + sqrt((1 - alpha) / alpha * variance))``: the Gini gain less Cantelli's bound.
#:
#: Positive scores are above chance at level ``alpha = 0.1``, by Cantelli's inequality. It stays in the units of the
#: gain, where `sgini` is in standard deviations. References: `wang2024`, eq. (29); `cantelli1928`.
agini = _agini(AGini())
#: Significance ``-log p`` of the Gini gain, with ``p`` from a gamma law with multinomial moments.
#:
#: It compares features by an approximate p-value and is fast. For exact p-values of one table use `gini_pvalue`;
#: `selected_pvalue` accounts for the choice of the cut. References: `dobra2001`.
significance = Criterion(
    "significance", Significance(), scale=size_of_node, search=SURPRISING, of_table=Significance.of_table
)
