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

from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion, as_criterion, decrease, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.criteria.base import Decrease
from splitcrit.impurities import gini, misclassification
from splitcrit.noise import Channel
from splitcrit.robustness.laws import noisy_positives, transition_of
from splitcrit.robustness.majority import Ties, tie_rule
from splitcrit.table import Table
from splitcrit.values import complaint

Array = NDArray[Any]
BAND = 1e-11  # of the node's scale: scores nearer than this are equal, as in the trees
MOST = 200  # samples of a node whose failure is summed exactly
CHUNK = 1 << 22  # cells of counts looked at together


@dataclass(frozen=True)
class OrderFailure:
    """The probability that the better split is not strictly better after noise; the error is 0 where it is exact."""

    probability: Any
    standard_error: float = 0.0
    draws: int = 0


def order_failure(
    first: Any, second: Any = None, *, channel: Channel, criterion: Any = gini, ties: Ties = "fail",
    draws: int = 100_000, rng: Any = None,
) -> OrderFailure:  # fmt: skip
    """Return how often noise fails to keep the order of two splits of one node.

    Exact for two classes and up to 200 samples; otherwise estimated from random noise, with its standard error. Scores
    are compared in integers for Gini, twoing and pairwise gain, and else within 1e-11 of the node's scale.

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
    tie_rule(ties)
    cells = cells_of(first, second)
    scorer = _Scorer(as_criterion(criterion), cells)
    if cells.shape[-1] == 2 and cells.sum() <= MOST:
        return OrderFailure(_exact(cells, channel, scorer, ties))
    return _estimated(cells, channel, scorer, ties, draws, np.random.default_rng(rng))


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
    if not (cells.sum(axis=(1, 2)).all() and cells.sum(axis=(0, 2)).all()):
        raise ValueError(complaint("a split has samples on both sides", "an empty side", "pass proper splits"))
    return cells


def _nested(one: Array, two: Array) -> Array:
    if one.shape != two.shape or one.ndim != 2 or len(one) != 2:
        rule = "two splits are two tables of two rows and the same classes"
        raise ValueError(complaint(rule, f"shapes {one.shape} and {two.shape}", "pass (2, K) counts"))
    if not np.array_equal(one.sum(axis=0), two.sum(axis=0)):
        rule = "two splits of one node have the same class totals"
        got = f"{one.sum(axis=0).tolist()} and {two.sum(axis=0).tolist()}"
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
        kind = object if squared and int(self.sizes[0].sum()) ** 6 >= 2**69 else np.int64  # D^2 N_L N_R <= N^6/64
        worth = []
        for table, size, other in zip(tables, self.sizes, (two, one), strict=True):
            d = np.abs(table[0, 1] * int(size[1]) - table[1, 1] * int(size[0])).astype(kind)
            worth.append(d * d * other if squared else d)
        return np.asarray((worth[0] > worth[1]).astype(np.int64) - (worth[0] < worth[1]))


def _lost(order: Array, clean: int, ties: str) -> Array:
    """Return how much each order counts as a failure, in halves."""
    tie = {"fail": 2, "keep": 0, "split": 1}[ties]
    return np.where(order == clean, 0, np.where(order == 0, tie, 2))


def _exact(cells: Array, channel: Channel, scorer: _Scorer, ties: str) -> Any:
    transition, sizes = transition_of(channel, 2), cells.sum(axis=-1)
    laws = [noisy_positives(int(cell[0]), int(cell[1]), transition) for cell in cells.reshape(4, 2)]
    exact = isinstance(transition[0][0], Fraction)
    failed: Any = Fraction(0) if exact else 0.0
    inner = [np.arange(len(law)) for law in laws[1:]]
    b, c, d = (grid.ravel() for grid in np.meshgrid(*inner, indexing="ij"))
    rest = np.multiply.outer(np.multiply.outer(laws[1], laws[2]), laws[3]).ravel()
    step = max(1, CHUNK // len(rest))
    for start in range(0, len(laws[0]), step):
        a = np.arange(start, min(start + step, len(laws[0])))
        positive = np.array([np.repeat(a, len(b)), *(np.tile(x, len(a)) for x in (b, c, d))]).reshape(2, 2, -1)
        noisy = np.stack([sizes[..., None] - positive, positive], axis=2)
        lost = _lost(scorer(noisy), scorer.clean, ties).reshape(len(a), -1)
        for i, x in enumerate(a):
            weighed = lost[i] * rest if exact else lost[i].astype(float) * rest
            failed = failed + laws[0][x] * weighed.sum() / 2
    return failed if exact else float(min(failed, 1.0))


def _estimated(
    cells: Array, channel: Channel, scorer: _Scorer, ties: str, draws: int, rng: np.random.Generator
) -> OrderFailure:
    if draws < 2:
        raise ValueError(complaint("an estimate needs at least two draws", f"draws={draws}", "pass more"))
    noisy = channel.random(np.broadcast_to(cells, (draws, *cells.shape)), rng=rng)
    lost = _lost(scorer(np.moveaxis(noisy, 0, -1)), scorer.clean, ties) / 2
    return OrderFailure(float(lost.mean()), float(lost.std(ddof=1) / math.sqrt(draws)), draws)


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
    (_, comes), (lost, _) = channel.matrix(2)
    n, k = int(cells.sum()), 1.0 - lost - comes
    tables = [cells.sum(axis=1), cells.sum(axis=0)]
    rho = abs(float(chosen(tables[0])) - float(chosen(tables[1])))
    published: dict[Criterion, tuple[int, int]] = {decrease(gini): (12, 72), twoing: (8, 2)}
    if lost == comes:
        published[decrease(misclassification)] = (12, 18)
    factor = published.get(chosen)
    lemma8 = None if factor is None else factor[0] * math.exp(-n * rho * rho * k * k / factor[1])
    return OrderBounds(lemma8, _sharp(cells, tables, n, k) if chosen in (twoing, decrease(gini)) else None)


def _sharp(cells: Array, tables: list[Array], n: int, k: float) -> float:
    sizes = cells.sum(axis=-1).astype(float)
    aligned, roots, spread = 1.0, [], 1.0
    for table in tables:
        left, right = table.sum(axis=1)
        d = int(table[0, 1] * right - table[1, 1] * left)
        aligned *= -1 if d < 0 else 1
        spread *= float(left * right)
        roots.append(abs(d) / (n * math.sqrt(float(left * right))))
    r = aligned * (sizes[0, 0] * sizes[1, 1] - sizes[0, 1] * sizes[1, 0]) / math.sqrt(spread)
    near, far = (roots[0] - roots[1]) ** 2, (roots[0] + roots[1]) ** 2
    terms = (near / (1 - r) if r < 1 else math.inf, far / (1 + r) if r > -1 else math.inf)
    return sum(math.exp(-n * k * k * term) for term in terms)
