"""Scores corrected for chance: in standard deviations above their mean, or as a share of what is above it.

Main definitions: ``standardised``, ``adjusted`` (makers of criteria); ``moments_by_chance``.
Main results: with mean and variance over all orders of the labels ::

    standardised = (score - mean) / sqrt(variance)        adjusted = (score - mean) / (top - mean)

where ``top`` is the score of a feature that tells the classes apart: of a gain the impurity of the node. The moments
are those of `splitcrit.nulls.null_moments` where the score is a sum over cells; of others, such as misclassification of
three classes, those of all tables with the same margins, or of random ones where they are many. Standardised Gini gain
is SGini, standardised information gain the standardised mutual information. Adjusted Gini gain is ``1 - (1 - gain/phi)
(n - 1)/(n - r)``, an adjusted coefficient of determination; adjusted information gain is adjusted mutual information
with the entropy of the class as its bound.
Source: wang2024, eqs. (11), (16), (18); romano2014 (mutual information).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from splitcrit.arguments import Array, whole
from splitcrit.arith import FLOAT, Arithmetic, Irrational
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.criteria.library import size_of_node
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, gini
from splitcrit.impurities.search_declaration import NOTHING, Search, Standardised
from splitcrit.nulls import gini_null, sgini
from splitcrit.nulls.best_split import all_tables
from splitcrit.nulls.monte_carlo import random_tables
from splitcrit.nulls.score_moments import BITS, cell_moments, threshold_moments
from splitcrit.table import Table
from splitcrit.table.array_counts import as_floats

SMALL = 1e-13  # of the largest score: what rounding may leave of 0
NOISE = 1e-10  # a variance that is less of the mean square is what rounding leaves of 0
STEPS = 2 * 10**8  # of sums over cells
LISTED = 200_000  # cells of tables that are listed at most; beyond that random ones are drawn
SAMPLES = 1000


@dataclass(frozen=True)
class AboveChance:
    """A score less its mean by chance, in a unit: its standard deviation, or ``top - mean`` if ``adjusted``.

    It is 0 where the unit is.
    """

    criterion: Criterion
    adjusted: bool
    samples: int
    seed: int

    @property
    def search(self) -> Search:
        """Its form: that of an impurity that is declared a sum over classes."""
        form = None if self.adjusted or self.criterion.impurity is None else self.criterion.search.form
        return NOTHING if form is None else Search(Standardised(form))

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        counts, shape = integer_tables(t, m, repr(self.criterion))
        if counts.shape[1:] == (2, 2) and counts.sum(axis=(1, 2)).max(initial=0) < 1 << BITS:
            n, ones, sizes = counts.sum(axis=(1, 2)), counts[:, :, 0].sum(axis=1), counts[:, 0].sum(axis=1)
            mean, unit = threshold_moments(self.criterion, n, ones, sizes)
        else:
            margins = ((tuple(t.sum(axis=1).tolist()), tuple(t.sum(axis=0).tolist())) for t in counts)
            how = self.samples, self.seed
            laws = np.array([moments_by_chance(self.criterion, *each, *how) for each in margins]).reshape(-1, 2)
            mean, unit = laws[:, 0], np.sqrt(laws[:, 1])
        free = unit > 0
        if self.adjusted:
            totals = counts.sum(axis=1)
            # The table of a feature that tells the classes apart has a row for each.
            top = scores_of(self.criterion, np.eye(totals.shape[1], dtype=np.int64) * totals[:, None])
            unit = top - mean
            free = unit > SMALL * np.abs(top)
        apart = scores_of(self.criterion, counts) - mean
        return np.where(free, apart / np.where(free, unit, 1), 0.0).reshape(shape)[()]

    def of_table(self, table: Table) -> Any:
        """The score of counts."""
        return self(as_floats(Table.of(table.integers()).cells), FLOAT)


def scores_of(criterion: Criterion, counts: Array) -> Array:
    """The scores of tables ``(b, r, k)``."""
    return np.asarray(criterion.of_floats(np.moveaxis(counts, 0, -1).astype(float)))


@lru_cache(4096)
def moments_by_chance(
    criterion: Criterion, rows: tuple[int, ...], columns: tuple[int, ...], samples: int = SAMPLES, seed: int = 0
) -> tuple[float, float]:
    """Mean and variance of a criterion over all orders of the labels of a table with these margins.

    Where it is no sum over cells all tables are listed, or as many random ones drawn as ``samples`` says.

    Examples
    --------
    >>> from splitcrit import decrease, entropy, misclassification
    >>> [round(x, 6) for x in moments_by_chance(decrease(entropy), (3, 7), (4, 6))]
    [0.066352, 0.008107]
    >>> [round(x, 6) for x in moments_by_chance(decrease(misclassification), (3, 4), (2, 2, 3))]
    [0.114286, 0.009096]
    """
    # To a decrease rows are alike, and empty ones add nothing.
    if criterion.impurity is not None:
        rows = tuple(sorted(total for total in rows if total))
    if not any(rows):
        return 0.0, 0.0
    law = gini_null(rows, columns) if criterion.impurity == gini else cell_moments(criterion, rows, columns, STEPS)
    if law is not None and law.variance is not None:
        return law.mean, law.variance
    listed = all_tables(list(rows), list(columns), LISTED)
    if listed is None:
        rng = np.random.default_rng([seed, *rows, 0, *columns])
        drawn = random_tables(np.array(rows), np.array(columns), samples, "permutation", rng)
        listed = drawn, np.full(samples, 1 / samples)
    scores, chances = scores_of(criterion, listed[0]), listed[1]
    mean, square = float(scores @ chances), float(scores * scores @ chances)
    variance = float((scores - mean) ** 2 @ chances)
    return mean if law is None else law.mean, variance if variance > NOISE * square else 0.0


def integer_tables(t: Any, m: Arithmetic, name: str) -> tuple[Array, tuple[int, ...]]:
    """A batch given class-first as int64 counts ``(b, r, k)``, and its shape.

    Raises
    ------
    splitcrit.arith.Irrational
        If the arithmetic is not that of floats.
    ValueError
        If a count is fractional or negative: labels that are permuted are counted. If a total is 2^53 or more, where
        floats are no counts any more and the score of a random order is lost in their rounding.
    """
    if m is not FLOAT:
        raise Irrational(complaint(f"{m.name} has no {name}", "a score of random orders", "score it in FLOAT"))
    cells = np.stack([np.asarray(row, dtype=float) for row in t])
    flat = np.moveaxis(cells.reshape(*cells.shape[:2], -1), -1, 0)
    if (most := flat.sum(axis=(1, 2)).max(initial=0.0)) >= EXACT_FLOAT:
        raise ValueError(complaint(f"{name} scores fewer than 2**53 observations", f"{most:.4g}", "take sgini, of any"))
    with np.errstate(invalid="ignore"):
        counts = np.floor(flat).astype(np.int64)
    if (counts != flat).any() or (counts < 0).any():
        bad = flat[(counts != flat) | (counts < 0)][0]
        raise ValueError(complaint(f"{name} permutes labels, which are counted", f"{bad:g}", "pass integer counts"))
    return counts, cells.shape[2:]


def standardised(impurity: Impurity | Criterion, *, samples: int = SAMPLES, seed: int = 0) -> Criterion:
    """A criterion in standard deviations above its mean by chance: ``(score - mean) / sd``.

    The equation is ``(score - mean) / sqrt(variance)`` over all orders of the labels, and 0 where the variance is 0.

    Parameters
    ----------
    impurity : Impurity or Criterion
        An impurity stands for its decrease. For Gini the score is SGini, by formulas; moments of sums over cells are
        exact, see `splitcrit.nulls.null_moments`, and so are those of others whose tables are few.
    samples, seed
        For scores that are no sums over cells, of margins with so many tables that random ones are drawn.

    Returns
    -------
    Criterion
        Of tables of counts; the same table has the same score.

    Raises
    ------
    TypeError, ValueError
        If it is neither, ``samples`` is no integer from 2, or ``seed`` none from 0.

    See Also
    --------
    adjusted : A share of what the score could be.
    sgini : The Gini gain, standardised.

    References
    ----------
    wang2024, eq. (11); romano2014.

    Examples
    --------
    >>> from splitcrit import entropy, gini, sgini
    >>> from splitcrit.criteria import chi_square
    >>> table = [[3, 0, 1], [0, 4, 1]]
    >>> standardised(gini)(table) == sgini(table)
    True
    >>> round(float(standardised(entropy)(table)), 4), round(float(standardised(chi_square)(table)), 4)
    (2.5831, 2.4...)
    """
    return _corrected("standardised", impurity, samples, seed)


def adjusted(impurity: Impurity | Criterion, *, samples: int = SAMPLES, seed: int = 0) -> Criterion:
    """A criterion corrected for chance, as a share of what it could gain: ``(score - mean) / (top - mean)``.

    It is 0 on average for labels in random order, 1 for a feature that separates the classes, whose score is ``top``,
    and 0 where ``top`` equals the mean.

    Parameters
    ----------
    impurity : Impurity or Criterion
        See `standardised`.
    samples, seed
        For scores that are no sums over cells, of margins with so many tables that random ones are drawn.

    Raises
    ------
    TypeError, ValueError
        If it is neither, ``samples`` is no integer from 2, or ``seed`` none from 0.

    See Also
    --------
    standardised : In standard deviations instead of a share.

    References
    ----------
    wang2024, eqs. (16), (18).

    Examples
    --------
    >>> from splitcrit import entropy, gini
    >>> float(adjusted(gini)([[5, 0], [0, 5]])), round(float(adjusted(entropy)([[3, 0], [1, 6]])), 4)
    (1.0, 0.5268)
    """
    return _corrected("adjusted", impurity, samples, seed)


def _corrected(maker: str, criterion: Any, samples: int, seed: int) -> Criterion:
    inner, samples, seed = as_criterion(criterion), whole(samples, "samples", 2), whole(seed, "seed", 0)
    return _criterion(AboveChance(inner, maker == "adjusted", samples, seed))


def _criterion(score: AboveChance) -> Criterion:
    inner = score.criterion
    samples = f", samples={score.samples}" * (score.samples != SAMPLES)
    seed = f", seed={score.seed}" * (score.seed != 0)
    of = inner.name if inner.impurity is None else inner.impurity.name
    name = f"{'adjusted' if score.adjusted else 'standardised'}({of}{samples}{seed})"
    if inner.impurity == gini and not score.adjusted:
        return replace(sgini, name=name)
    # The top of two rows is that of two classes.
    scale, classes = (None, inner.classes or inner.rows) if score.adjusted else (size_of_node, inner.classes)
    return Criterion(
        name, score, None, inner.rows, classes, scale, None, score.search, AboveChance.of_table, remake=_criterion
    )
