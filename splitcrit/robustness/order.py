"""How often label noise reverses the order of two splits of a node: the exact probability, and the bounds beside it.

Two splits cut a node into four cells (both left; left and right; right and left; both right). For two classes the noisy
positives of the cells are independent, so the probability is a sum over four counts.

Main definitions: ``order_failure``, ``OrderFailure``, ``order_bounds``, ``OrderBounds``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import generator, one_of, whole
from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion, as_criterion, decrease, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.criteria.base import Decrease
from splitcrit.impurities import gini, misclassification
from splitcrit.limits import PATIENT
from splitcrit.noise import Channel
from splitcrit.robustness.laws import Rates, channel_of, falling, noisy_positives, pair_steps, transition_of
from splitcrit.robustness.majority import TIES, Ties
from splitcrit.table import Table
from splitcrit.values import complaint

Array = NDArray[Any]
BAND = 1e-11  # of the node's scale: scores nearer than this are equal, as in the trees
LARGEST = 2**62  # samples of a node, so that counts fit an int64 and so do their sums
CHUNK = 1 << 22  # cells of counts looked at together


@dataclass(frozen=True)
class OrderFailure:
    """The probability that the better split is not strictly better after noise; the error is 0 where it is exact."""

    probability: Any
    standard_error: float = 0.0
    draws: int = 0


def order_failure(
    first: Any, second: Any = None, *, channel: Channel, criterion: Any = gini, ties: Ties = "fail",
    draws: int = 100_000, rng: Any = None, limit: int = PATIENT,
) -> OrderFailure:  # fmt: skip
    """Return how often noise fails to keep the order of two splits of one node.

    Exact for two classes where the sum takes at most ``limit`` steps, about 200 samples; otherwise estimated from
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
    limit : int
        How many steps the exact sum may take; a step is about a microsecond.

    Raises
    ------
    ValueError
        If the tables are not nested, are not of one node, or the splits tie before noise.

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
    one_of(ties, TIES, "ties")
    whole(limit, "limit", 1)
    cells, chosen = cells_of(first, second), as_criterion(criterion)
    transition, scorer = transition_of(channel, cells.shape[-1]), _Scorer(chosen, cells)
    if cells.shape[-1] == 2 and _steps(cells, Rates.of(transition)) <= limit:
        return OrderFailure(_exact(cells, Rates.of(transition), scorer, ties))
    return _estimated(cells, channel, scorer, ties, whole(draws, "draws", 2, 2**31), generator(rng))


def cells_of(first: Any, second: Any = None) -> NDArray[np.int64]:
    """Return the cells ``(2, 2, K)`` of two splits, from themselves or from two nested tables."""
    if second is None:
        cells = np.asarray(Table.of(first).integers())
        if cells.ndim != 3 or cells.shape[:2] != (2, 2):
            rule = "the cells of two splits have shape (2, 2, K)"
            raise ValueError(
                complaint(rule, f"shape {cells.shape}", "pass two tables, or cells[side of one][of other]")
            )
    else:
        cells = _nested(*(np.asarray(Table.of(table).integers()) for table in (first, second)))
    if cells.sum(dtype=object) >= LARGEST:
        rule = "two splits are compared at nodes of fewer than 2**62 samples"
        raise ValueError(complaint(rule, cells.sum(dtype=object), "divide the counts by their common factor"))
    if not (cells.sum(axis=(1, 2)).all() and cells.sum(axis=(0, 2)).all()):
        raise ValueError(complaint("a split has samples on both sides", "an empty side", "pass proper splits"))
    return cells


def _nested(one: Array, two: Array) -> Array:
    if one.shape != two.shape or one.ndim != 2 or len(one) != 2:
        rule = "two splits are two tables of two rows and the same classes"
        raise ValueError(complaint(rule, f"shapes {one.shape} and {two.shape}", "pass (2, K) counts"))
    totals = [table.sum(axis=0, dtype=object).tolist() for table in (one, two)]
    if totals[0] != totals[1]:
        rule = "two splits of one node have the same class totals"
        got = f"{totals[0]} and {totals[1]}"
        raise ValueError(complaint(rule, got, "pass tables of one node"))
    nothing = np.zeros_like(one[0])
    if (one[0] <= two[0]).all():
        return np.array([[one[0], nothing], [two[0] - one[0], two[1]]])
    if (two[0] <= one[0]).all():
        return np.array([[two[0], one[0] - two[0]], [nothing, one[1]]])
    rule = "tables alone tell which samples two splits share only if one left side lies within the other"
    raise ValueError(complaint(rule, f"{one[0].tolist()} and {two[0].tolist()}", "pass the cells (2, 2, K)"))


class _Scorer:
    """Compares the scores of two splits of one node: -1, 0 or 1 in order of the second's and the first's."""

    def __init__(self, criterion: Criterion, cells: Array) -> None:
        self.criterion = criterion
        self.sizes = tuple(cells.sum(axis=axis).sum(axis=-1) for axis in (1, 0))  # sides of the first, of the second
        self.two = cells.shape[-1] == 2
        self.clean = int(self(cells.astype(np.int64)[..., None])[0])
        if self.clean == 0:
            raise ValueError(complaint("the order of two splits is kept or lost", "a tie", "pass splits that differ"))

    def __call__(self, cells: Array) -> Array:
        """Return the order of batches of cells ``(2, 2, K, M)``."""
        tables = [cells.sum(axis=1), cells.sum(axis=0)]  # (2, K, M) of the first and of the second
        if self.two and (squared := self._squared()) is not None:
            return self._integers(tables, squared)
        scores = [np.asarray(self.criterion.score(table.astype(float), FLOAT)) for table in tables]
        scale = np.maximum(np.abs(scores[0]), np.abs(scores[1]))
        if isinstance(self.criterion.score, Decrease):
            total = tables[0].sum(axis=0).astype(float)
            scale = np.asarray(self.criterion.score.impurity.of(total / total.sum(axis=0), FLOAT))
        apart = scores[0] - scores[1]
        return np.where(np.abs(apart) <= BAND * scale, 0, np.sign(apart)).astype(np.int64)

    def _squared(self) -> bool | None:
        """Return whether scores go by D^2/(N_L N_R), by |D| alone, or None where only the face will do."""
        if self.criterion in (twoing, decrease(gini)):
            return True
        return False if self.criterion in (pairwise_gain, one_vs_rest_pairwise_gain) else None

    def _integers(self, tables: list[Array], squared: bool) -> Array:
        one, two = (int(size[0]) * int(size[1]) for size in self.sizes)
        n = int(self.sizes[0].sum())
        kind = np.int64 if (n**6 < 2**69 if squared else n**2 < 2**64) else object  # D^2 N_L N_R <= N^6/64, D <= N^2/4
        worth = []
        for table, size, other in zip(tables, self.sizes, (two, one), strict=True):
            positive = table[:, 1].astype(kind)
            d = np.abs(positive[0] * int(size[1]) - positive[1] * int(size[0]))
            worth.append(d * d * other if squared else d)
        return np.asarray((worth[0] > worth[1]).astype(np.int64) - (worth[0] < worth[1]))


def _lost(order: Array, clean: int, ties: str) -> Array:
    """Return how much each order counts as a failure, in halves."""
    tie = {"fail": 2, "keep": 0, "split": 1}[ties]
    return np.where(order == clean, 0, np.where(order == 0, tie, 2))


def _steps(cells: Array, rates: Rates) -> int:
    """Return the steps of the exact sum, over all counts of noisy positives of the four cells."""
    listed, words = cells.reshape(4, 2).tolist(), rates.words(int(cells.sum()))
    totals = list(map(sum, listed))
    slow = 12 if sum(totals) ** 6 >= 2**69 else 2  # where D^2 needs integers of Python
    return pair_steps(listed, words) + math.prod(n + 1 for n in totals) * (slow * 12 + words) // 100


def _exact(cells: Array, rates: Rates, scorer: _Scorer, ties: str) -> Any:
    sizes = cells.sum(axis=-1)
    laws = [noisy_positives(cell, rates) for cell in cells.reshape(4, 2).tolist()]
    own, *others = sorted(range(4), key=lambda i: -len(laws[i]))  # the largest cell is gone through in parts
    grids = np.meshgrid(*(np.arange(len(laws[i])) for i in others), indexing="ij")
    rest = np.multiply.outer(np.multiply.outer(laws[others[0]], laws[others[1]]), laws[others[2]]).ravel()
    step, failed = max(1, CHUNK // len(rest)), 0
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
    cells: Array, channel: Channel, scorer: _Scorer, ties: str, draws: int, rng: np.random.Generator
) -> OrderFailure:
    size, seen = max(1, CHUNK // cells.size), np.zeros(3, np.int64)  # how often 0, 1 and 2 halves are lost
    for start in range(0, draws, size):
        noisy = channel.random(np.broadcast_to(cells, (min(size, draws - start), *cells.shape)), rng=rng)
        seen += np.bincount(_lost(scorer(np.moveaxis(noisy, 0, -1)), scorer.clean, ties), minlength=3)
    mean = float(seen[1] / 2 + seen[2]) / draws
    spread = float(seen @ (np.array([0, 0.5, 1]) - mean) ** 2) / (draws - 1)
    return OrderFailure(mean, math.sqrt(spread / draws), draws)


@dataclass(frozen=True)
class OrderBounds:
    """Upper bounds on the probability that the order of two splits is not strictly kept; None where none is stated.

    Parameters
    ----------
    lemma8 : float or None
        The published constants with ``k = 1 - tau_pos - tau_neg`` and ``rho`` the gap of the scores:
        ``12 exp(-n rho^2 k^2/72)`` (Gini), ``12 exp(-n rho^2 k^2/18)`` (misclassification, symmetric noise),
        ``8 exp(-n rho^2 k^2/2)`` (twoing).
    sharp : float or None
        ``exp(-n k^2 (S_1 - S_2)^2/(1 - r)) + exp(-n k^2 (S_1 + S_2)^2/(1 + r))`` for Gini and twoing, with ``S`` the
        roots of the twoing scores and ``r`` the correlation of the splits, aligned with both.
    """

    lemma8: float | None
    sharp: float | None


def order_bounds(first: Any, second: Any = None, *, channel: Channel, criterion: Any = gini) -> OrderBounds:
    """Return the published bound of ``order_failure``, and a sharper one; two classes.

    Raises
    ------
    ValueError
        As ``order_failure``; and for more than two classes, for which none is stated.

    References
    ----------
    ghosh2017, Lemma 8 and Appendix A.

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> bounds = order_bounds([[[40, 0], [0, 0]], [[30, 30], [0, 100]]], channel=symmetric(0.1))
    >>> bounds.lemma8 > bounds.sharp
    True
    """
    cells, chosen = cells_of(first, second), as_criterion(criterion)
    if cells.shape[-1] != 2:
        rule = "the bounds on the order of splits are stated for two classes"
        raise ValueError(complaint(rule, f"{cells.shape[-1]} classes", "see order_failure for an estimate"))
    _Scorer(chosen, cells)
    (_, comes), (lost, _) = channel_of(channel).matrix(2)
    n, k = int(cells.sum()), 1.0 - lost - comes
    tables = [cells.sum(axis=1).tolist(), cells.sum(axis=0).tolist()]
    published: dict[Criterion, tuple[int, int]] = {decrease(gini): (12, 72), twoing: (8, 2)}
    if lost == comes:
        published[decrease(misclassification)] = (12, 18)
    factor, lemma8 = published.get(chosen), None
    if factor is not None:
        rho = float(abs(chosen.exact(tables[0]) - chosen.exact(tables[1])))
        lemma8 = factor[0] * falling(n * (rho * k) ** 2 / factor[1])
    return OrderBounds(lemma8, _sharp(cells, tables, n, k) if chosen in (twoing, decrease(gini)) else None)


def _sharp(cells: Array, tables: list[Any], n: int, k: float) -> float:
    """Return the sharper bound; differences are taken of integers, so that splits nearly alike are told apart."""
    sizes, spreads, apart = cells.sum(axis=-1).tolist(), [], []
    for table in tables:
        left, right = map(sum, table)
        apart.append(table[0][1] * right - table[1][1] * left)
        spreads.append(left * right)
    aligned = -1 if apart[0] * apart[1] < 0 else 1
    overlap = aligned * (sizes[0][0] * sizes[1][1] - sizes[0][1] * sizes[1][0])
    spread = spreads[0] * spreads[1]
    one, other = (Fraction(d * d, s * n * n) for d, s in zip(apart, spreads, strict=True))  # squares of the roots
    far = (math.sqrt(one) + math.sqrt(other)) ** 2
    near = float((one - other) ** 2) / far
    r = overlap / math.sqrt(spread)
    most = float(Fraction(spread - overlap**2, spread))  # 1 - r^2, of which r = 1 and r = -1 leave nothing
    ends = (most / (1 + r), 1 + r) if r > 0 else (1 - r, most / (1 - r))
    terms = (part / end if end else math.inf for part, end in zip((near, far), ends, strict=True))
    return sum(falling(n * k * k * term) for term in terms)
