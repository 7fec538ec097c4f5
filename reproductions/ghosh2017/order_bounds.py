"""Bounds on how often label noise reverses the order of two splits, as they are published, and a sharper one.

Main definitions: ``order_bounds``, ``OrderBounds``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion, as_criterion, decrease, twoing
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.impurities import gini, misclassification
from splitcrit.noise import Channel
from splitcrit.robustness.laws import channel_of, falling
from splitcrit.robustness.splits import SplitComparison, cells_of


@dataclass(frozen=True, repr=False)
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

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> order_bounds([[[40, 0], [0, 0]], [[30, 30], [0, 100]]], channel=symmetric(0.1)).lemma8 > 1  # too few rows
    True
    """

    lemma8: float | None
    sharp: float | None

    __repr__ = shortened


def order_bounds(first: Any, second: Any = None, *, channel: Channel, criterion: Any = gini) -> OrderBounds:
    """The published bound of ``order_failure``, and a sharper one; two classes.

    Parameters
    ----------
    first, second, channel, criterion
        As in `order_failure`.

    Raises
    ------
    ValueError
        As ``order_failure``; and for more than two classes, for which none is stated.

    Notes
    -----
    Proved: noise.order_of_two_splits_fails_rarely_of_class_conditional,
    noise.order_of_two_splits_fails_rarely_of_symmetric

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
    SplitComparison(chosen, cells)
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
    """The sharper bound; differences are taken of integers, which separate splits that are nearly alike."""
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
