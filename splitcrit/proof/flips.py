"""Rates of noise at which the order of two splits flips, enclosed for certain.

Signs of differences of scores are those of balls that hold the number; where a ball holds 0 nothing is said.

Main definitions: ``enclosed_flips``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational
from typing import Any

from splitcrit.arguments import of_kind, reals
from splitcrit.criteria import as_criterion
from splitcrit.frozen import complaint
from splitcrit.noise import class_conditional
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.undecided import Undecided
from splitcrit.robustness import symmetric_flips
from splitcrit.table import Table

Interval = tuple[Fraction, Fraction]


def enclosed_flips(
    first: Any, second: Any, criterion: Any, *, direction: Sequence[Any] = (1, 1), cells: int = 256, bits: int = 40
) -> list[Interval]:
    """Intervals of noise rates that certainly hold a flip of the order of two splits, in expectation.

    The rates are ``tau_pos = eta a`` and ``tau_neg = eta b`` for ``0 <= eta < 1/2``: symmetric noise for ``(a, b)`` of
    1. At both ends of an interval the sign of the difference of scores is proved by enclosures of 300 bits, and the two
    differ.

    Parameters
    ----------
    first, second : integers (2, 2)
        Two splits of a two-class node, or of two nodes, negatives first.
    criterion : Criterion or Impurity
    direction : (a, b)
        Rational numbers from 0 to 2, not both 0.
    cells : int
        Signs are taken at this number of rates first; two flips between neighbours go unseen.
    bits : int
        Each interval is halved this number of times, or nearly where the flip is at the middle.

    Returns
    -------
    list of (low, high)
        Fractions: values of ``eta``.

    Raises
    ------
    ValueError
        If a table is not ``(2, 2)``, or the direction leaves the rates from 0 to 1.

    References
    ----------
    ghosh2017, Remark 4.

    Examples
    --------
    >>> from splitcrit import entropy, gini
    >>> one, two = [[90, 10], [50, 50]], [[2079, 21], [2821, 2079]]
    >>> [(round(float(low), 6), round(float(high), 6)) for low, high in enclosed_flips(one, two, entropy)]
    [(0.089395, 0.089395)]
    >>> enclosed_flips(one, two, gini)
    []
    """
    tables = _table(first), _table(second)
    rule = "a direction must be two numbers from 0 to 2"
    remedy = "pass (1, 1) for symmetric noise"
    parts = [Fraction(of_kind(part, Rational | float, rule, remedy)) for part in reals(direction, rule, remedy)]
    if len(parts) != 2 or not all(0 <= part <= 2 for part in parts) or not any(parts):
        rule = "both parts of a direction must be between 0 and 2 and not both 0"
        got = f"({', '.join(map(str, parts))})"
        raise ValueError(complaint(rule, got, "pass (1, 1) for symmetric noise, (2, 0) for positives only"))
    score = as_criterion(criterion).score

    def sign(eta: Fraction) -> int:
        """The certain sign of the first score less the second."""
        noise = class_conditional(tau_pos=eta * parts[0], tau_neg=eta * parts[1])
        noisy = ([map(BALL.number, noise.on_distribution(row)) for row in table] for table in tables)
        try:
            one, other = (Ball(score([[*row] for row in rows], BALL)) for rows in noisy)
            return (one - other).sign()
        except Undecided:
            return 0

    return symmetric_flips(sign, cells=cells, bits=bits)


def _table(table: Any) -> list[list[Fraction]]:
    counts = Table.of(table).integers()
    if counts.shape != (2, 2):
        rule = "flips need tables of two sides and two classes"
        raise ValueError(complaint(rule, f"shape {counts.shape}", "pass [[negatives, positives], ...]"))
    return [[Fraction(int(x)) for x in row] for row in counts.tolist()]
