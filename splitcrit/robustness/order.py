"""How often label noise reverses the order of two splits of a node: the exact probability, or an estimate.

For two classes the noisy positives of the four cells of two splits are independent, so the probability is a sum over
four counts.

Main definitions: ``order_failure``, ``OrderFailure``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, Array, generator, microseconds, one_of, whole
from splitcrit.criteria import as_criterion
from splitcrit.impurities import gini
from splitcrit.noise import Channel
from splitcrit.robustness.laws import Rates, noisy_positives, pair_steps, transition_of
from splitcrit.robustness.majority import Ties
from splitcrit.robustness.splits import SplitComparison, cells_of

CHUNK = 1 << 22  # cells of counts looked at together


@dataclass(frozen=True)
class OrderFailure:
    """The probability that the better split is not strictly better after noise.

    Parameters
    ----------
    probability : Fraction or float
    standard_error : float
        Of a Monte Carlo probability; 0 if it is exact.
    draws : int
        How many noisy tables were drawn; 0 if it is exact.

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> order_failure([[[4, 1], [3, 2]], [[2, 3], [1, 4]]], channel=symmetric(0.2)).standard_error
    0.0
    """

    probability: Any
    standard_error: float = 0.0
    draws: int = 0


def order_failure(
    first: Any, second: Any = None, *, channel: Channel, criterion: Any = gini, ties: Ties = "fail",
    draws: int = 100_000, rng: Any = None, limit: float = PATIENT,
) -> OrderFailure:  # fmt: skip
    """The probability that noise fails to keep the order of two splits of one node.

    Exact for two classes where the sum takes at most ``limit`` seconds, a few hundred samples; otherwise estimated from
    random noise, with its standard error. Scores are compared in integers for Gini, twoing and pairwise gain, and else
    within 1e-11 of the node's scale.

    Parameters
    ----------
    first, second : integers (2, K)
        Tables of two thresholds on one feature: one left side lies within the other. Two splits of other kinds share
        their samples in ways that tables do not tell; give their cells instead.
    first : integers (2, 2, K), with ``second`` left out
        The cells: samples of each class by side of the first split, then side of the second.
    channel : Channel
    criterion : Criterion or Impurity
    ties : {"fail", "keep", "split"}
        Equal noisy scores count as a failure, as none, or by half.
    draws : int
        Random tables where no exact sum is made.
    rng
        Anything ``numpy.random.default_rng`` takes.
    limit : float
        How many seconds the exact sum may take, counted for one processor.

    Raises
    ------
    ValueError
        If the tables are not nested, are not of one node, or the splits tie before noise.

    See Also
    --------
    tolerance : Whether the order holds in expectation.
    majority_failure : The label of a leaf instead of two splits.

    Notes
    -----
    Proved: noise.order_failure_is_exact_of_four_cells

    References
    ----------
    ghosh2017, Lemma 8.

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> cells = [[[4, 1], [3, 2]], [[2, 3], [1, 4]]]
    >>> round(order_failure(cells, channel=symmetric(0.2)).probability, 4)
    0.532
    """
    one_of(ties, Ties, "ties")
    most = microseconds(limit)
    cells, chosen = cells_of(first, second), as_criterion(criterion)
    transition = transition_of(channel, cells.shape[-1])
    if cells.shape[-1] == 2 and _steps(cells, Rates.of(transition)) <= most:
        return OrderFailure(_exact(cells, Rates.of(transition), SplitComparison(chosen, cells), ties))
    draws = whole(draws, "draws", 2, 2**31)
    return _estimated(cells, channel, SplitComparison(chosen, cells), ties, draws, generator(rng))


def _lost(order: Array, clean: int, ties: str) -> Array:
    """The weight of each order as a failure, in halves."""
    tie = {"fail": 2, "keep": 0, "split": 1}[ties]
    return np.where(order == clean, 0, np.where(order == 0, tie, 2))


def _steps(cells: Array, rates: Rates) -> int:
    """The steps of the exact sum, over all counts of noisy positives of the four cells."""
    listed, words = cells.reshape(4, 2).tolist(), rates.words(int(cells.sum()))
    totals = list(map(sum, listed))
    slow = 12 if sum(totals) ** 6 >= 2**69 else 2  # where D^2 needs integers of Python
    return pair_steps(listed, words) + math.prod(n + 1 for n in totals) * (slow * 12 + words) // 100


def _exact(cells: Array, rates: Rates, scorer: SplitComparison, ties: str) -> Any:
    sizes = cells.sum(axis=-1)
    laws = [noisy_positives(cell, rates) for cell in cells.reshape(4, 2).tolist()]
    own, *others = sorted(range(4), key=lambda i: -len(laws[i]))  # the largest cell is gone through in parts
    grids = np.meshgrid(*(np.arange(len(laws[i])) for i in others), indexing="ij")
    rest = np.multiply.outer(np.multiply.outer(laws[others[0]], laws[others[1]]), laws[others[2]]).ravel()
    step = max(1, CHUNK // len(rest))
    failed = 0
    for start in range(0, len(laws[own]), step):
        here = np.arange(start, min(start + step, len(laws[own])))
        positive = np.empty((4, len(here) * len(rest)), np.int64)
        positive[own] = np.repeat(here, len(rest))
        for i, grid in zip(others, grids, strict=True):
            positive[i] = np.tile(grid.ravel(), len(here))
        seen = positive.reshape(2, 2, -1)
        noisy = np.stack([sizes[..., None] - seen, seen], axis=2)
        lost = _lost(scorer(noisy), scorer.clean, ties).reshape(len(here), -1)
        for i, x in enumerate(here):
            failed = failed + laws[own][x] * (rest[lost[i] > 0].sum() + rest[lost[i] > 1].sum())
    chance = rates.chance(failed, int(sizes.sum())) / 2
    return chance if rates.unit else min(chance, 1.0)


def _estimated(
    cells: Array, channel: Channel, scorer: SplitComparison, ties: str, draws: int, rng: np.random.Generator
) -> OrderFailure:
    size, seen = max(1, CHUNK // cells.size), np.zeros(3, np.int64)  # how often 0, 1 and 2 halves are lost
    for start in range(0, draws, size):
        noisy = channel.random(np.broadcast_to(cells, (min(size, draws - start), *cells.shape)), rng=rng)
        seen += np.bincount(_lost(scorer(np.moveaxis(noisy, 0, -1)), scorer.clean, ties), minlength=3)
    mean = float(seen[1] / 2 + seen[2]) / draws
    spread = float(seen @ (np.array([0, 0.5, 1]) - mean) ** 2) / (draws - 1)
    return OrderFailure(mean, math.sqrt(spread / draws), draws)
