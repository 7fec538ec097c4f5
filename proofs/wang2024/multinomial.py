"""Names of ``proofs/null/bounds.py``, until their readers have moved."""

from fractions import Fraction

from splitcrit.proof import BALL, Ball
from splitcrit.proofs.null.bounds import gamma_pvalue


def near(x: float, ball: Ball) -> bool:
    return bool(BALL.abs(Ball(Fraction(x)) - ball) < Fraction(1, 10**10))


__all__ = ["gamma_pvalue", "near"]
