"""Which feature a criterion picks: noise of many values beside two informative ones, by chance.

The label of a sample is 1 with probability ``1/2 + effect`` or ``1/2 - effect`` as its informative feature has one
value or the other; the values of the noise are equally likely and tell nothing. A criterion picks the noise if it
scores it more than the informative feature; a tie counts as half.

Main definitions: ``Picked``, ``selection_bias``.
Source: wang2024, Section 1; breiman1996, Section 2, for subsets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion, as_criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity
from splitcrit.trees.scan.subsets import class_scores, masks

Array = NDArray[Any]
BLOCK = 200  # samples drawn at once


@dataclass(frozen=True)
class Picked:
    """How often a criterion picked noise of ``condition`` values, in ``trials`` samples."""

    chooser: str
    split: str
    condition: int
    trials: int
    share: float

    @property
    def standard_error(self) -> float:
        """The standard error of the share."""
        return float(np.sqrt(self.share * (1 - self.share) / self.trials))


def selection_bias(
    criteria: Sequence[Criterion | Impurity], values: Sequence[int], *, split: str = "multiway", samples: int = 200,
    effect: float = 0.1, trials: int = 1000, rng: Any = 0,
) -> list[Picked]:  # fmt: skip
    """How often each criterion picks noise of each number of values over a two-valued informative feature.

    Parameters
    ----------
    criteria : sequence of Criterion or Impurity
    values : sequence of int
        The numbers of values of the noise, from 2.
    split : {"multiway", "subset"}
        Whether a feature is scored by its table with a row for each value, or by the best of its two-way subsets.
    samples : int
        The size of a sample.
    effect : float
        How far the informative feature moves the probability of the label from 1/2; 0 makes it noise too.
    trials : int
        How many samples are drawn for each number of values.
    rng : anything ``numpy.random.default_rng`` takes

    Raises
    ------
    ValueError
        If ``split`` is neither of the two.

    Examples
    --------
    >>> from splitcrit import gini, sgini
    >>> of_gini, of_sgini = selection_bias([gini, sgini], [20], trials=200)
    >>> of_gini.share > 0.75 > 0.2 > of_sgini.share
    True
    """
    if split not in ("multiway", "subset"):
        raise ValueError(complaint("a split is 'multiway' or 'subset'", repr(split), "pass one of the two"))
    scored: Callable[[Criterion, Array], Array] = _of_table if split == "multiway" else _of_best_subset
    rng, rows = np.random.default_rng(rng), []
    wanted = [as_criterion(one) for one in criteria]
    for many in values:
        picked = np.zeros(len(wanted))
        for first in range(0, trials, BLOCK):
            informative, noise = _tables(many, samples, effect, min(BLOCK, trials - first), rng)
            for i, criterion in enumerate(wanted):
                apart = scored(criterion, noise) - scored(criterion, informative)
                equal = np.abs(apart) <= 1e-9 * (1 + np.abs(scored(criterion, informative)))
                picked[i] += np.where(equal, 0.5, apart > 0).sum()
        rows += [
            Picked(_shown(one), split, many, trials, float(p / trials)) for one, p in zip(wanted, picked, strict=True)
        ]
    return rows


def _shown(criterion: Criterion) -> str:
    """The name of a criterion, of an impurity that of the impurity."""
    return criterion.name if criterion.impurity is None else criterion.impurity.name


def _tables(many: int, samples: int, effect: float, trials: int, rng: Any) -> tuple[Array, Array]:
    """The tables of the informative feature ``(trials, 2, 2)`` and of the noise ``(trials, many, 2)``."""
    side = rng.integers(0, 2, (trials, samples))
    value = rng.integers(0, many, (trials, samples))
    label = (rng.random((trials, samples)) < 0.5 + effect * (2 * side - 1)).astype(np.int64)
    row = np.arange(trials)[:, None]
    tables = []
    for feature, levels in ((side, 2), (value, many)):
        cells = (row * levels + feature) * 2 + label
        tables.append(np.bincount(cells.ravel(), minlength=trials * levels * 2).reshape(trials, levels, 2))
    return tables[0], tables[1]


def _of_table(criterion: Criterion, tables: Array) -> Array:
    return np.asarray(criterion(tables))


def _of_best_subset(criterion: Criterion, tables: Array) -> Array:
    """The best score of the two-way subsets of each table; values that do not occur change nothing."""
    ways, counts = masks(tables.shape[1]), tables.astype(float)
    left = np.einsum("sp,mpk->msk", ways, counts)
    right = counts.sum(axis=1)[:, None] - left
    allowed = np.minimum(left.sum(axis=2), right.sum(axis=2)) > 0
    return np.asarray(class_scores(criterion)(left, right, allowed).max(axis=1))
