"""Tables with exact results, to test code in any language by.

Main definitions: ``vectors``, ``Case``.
Source: splitcrit.nulls, in Fractions; wang2024, eqs. (8), (15)-(26).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, final

import numpy as np

from splitcrit.display import shortened
from splitcrit.nulls import formulas
from splitcrit.nulls.null import gini_null
from splitcrit.nulls.selected import selected_pvalue
from splitcrit.nulls.standardisation import exact_gain, sgini

Counts = tuple[tuple[int, ...], ...]
SCALES = (1, 2, 5, 30, 1000, 10**5, 10**7)
SEED = 1
MOST_ORDERS = 300  # observations up to which the orders of the labels are counted


@final
@dataclass(frozen=True, repr=False)
class Case:
    """A table and its exact results.

    Parameters
    ----------
    table
        Counts: rows are values of a feature in order, columns are classes.
    gain, mean, variance, third_moment
        The Gini gain of the table, and the moments of the gain over all permutations of the labels.
    signed_square
        The square of SGini with the sign of SGini, which is rational; 0 where the variance is 0.
    scan
        The same for each binary threshold: the rows up to the first, the second, ..., against the rest.
    sgini
        SGini as a float, within a unit of rounding.
    selected_pvalue
        The probability, in random order, that the best threshold has an SGini at least as high; of two rows, that the
        gain is at least as high. None of more than two classes or 300 observations.

    Examples
    --------
    >>> case = vectors()[35]
    >>> case.gain, case.as_json()["gain"]
    (Fraction(2, 25), '2/25')
    """

    table: Counts
    gain: Fraction
    mean: Fraction
    variance: Fraction
    third_moment: Fraction
    signed_square: Fraction
    scan: tuple[Fraction, ...]
    sgini: float
    selected_pvalue: Fraction | None

    __repr__ = shortened

    def as_json(self) -> dict[str, Any]:
        """The case as plain data, fractions as strings such as ``"4/75"``."""
        plain = {name: str(x) if isinstance(x, Fraction) else x for name, x in vars(self).items()}
        return {**plain, "scan": [str(x) for x in self.scan]}


def vectors() -> list[Case]:
    """A few hundred tables with exact results, the same in every run.

    They are all tables of two rows and two classes with counts up to 2; tables of up to eight rows and classes, some
    with over 10^8 observations; and features of two classes with up to twelve values. Ties, empty rows and classes,
    single observations, and scores near 0 are among them.

    Returns
    -------
    list of Case
        The cases, the smallest tables first.

    References
    ----------
    wang2024, eqs. (8), (15)-(26); strobl2007 (the best threshold).

    Examples
    --------
    >>> case = vectors()[30]
    >>> case.table, case.mean, case.variance
    (((1, 0), (1, 0)), Fraction(0, 1), Fraction(0, 1))
    """
    return [case_of(table) for table in (*_small(), *_drawn(random.Random(SEED)), *_features(random.Random(SEED)))]


def case_of(table: Counts) -> Case:
    """A table with its exact results."""
    counts = np.array(table, dtype=object)
    law = gini_null(counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist(), order=3, exact=True)
    below = (counts[:i].sum(axis=0) for i in range(1, len(counts)))
    cuts = tuple(_signed_square(np.array([left, counts.sum(axis=0) - left])) for left in below)
    moments = law.mean, law.variance, law.third
    signed, score, chance = _signed_square(counts), float(sgini(counts)), None
    if counts.shape[1] == 2 and counts.sum() <= MOST_ORDERS:
        chance = Fraction(selected_pvalue(counts, method="exact").value)
    return Case(table, exact_gain(counts), *moments, signed, cuts, score, chance)


def _signed_square(counts: Any) -> Fraction:
    law = gini_null(counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist(), exact=True)
    above = exact_gain(counts) - law.mean
    square = Fraction(formulas.signed_square(above, law.variance)) if law.variance else Fraction(0)
    return square if above >= 0 else -square


def _small() -> list[Counts]:
    """All tables of two rows and two classes with counts up to 2."""
    return [((a, b), (c, d)) for a, b, c, d in product(range(3), repeat=4)]


def _drawn(rng: random.Random) -> list[Counts]:
    """Tables of each scale and several shapes; some rows and classes are rare, some empty."""
    tables = []
    for scale, _ in product(SCALES, range(30)):
        r, k = rng.randint(1, 8), rng.randint(1, 8)
        row_scales, column_scales = ([rng.choice((0, 0.1, 1, 1, 1)) for _ in range(m)] for m in (r, k))
        tables.append(tuple(tuple(rng.randint(0, int(scale * x * y)) for y in column_scales) for x in row_scales))
    return tables


def _features(rng: random.Random) -> list[Counts]:
    """Tables of two classes and a few to many values, at which the classes are equally or less likely."""
    tables: list[Counts] = []
    for scale, rows in product((1, 2, 5, 20), (3, 4, 6, 8, 12)):
        for trend in (0, 1, 2):
            shares = [rng.random() * (1 - trend * i / (2 * rows)) for i in range(rows)]
            tables.append(tuple((rng.randint(0, int(2 * scale * x)), rng.randint(0, scale)) for x in shares))
    return tables
