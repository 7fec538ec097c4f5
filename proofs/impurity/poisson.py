"""Poisson deviance: the mean is its best action, and its impurity the least risk.

Source: banerjee2005, Proposition 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.impurities import poisson as impurity
from splitcrit.losses import poisson as loss
from splitcrit.losses import risk
from splitcrit.proof import All, Induction, NearMiss, Not, Sign, Theorem
from splitcrit.proofs.given import LOGARITHM, Given, action, weighted

THIRDS = (Fraction(1, 3),) * 3
SKEWED = (Fraction(2, 3), Fraction(1, 3))


def excess(action_is_mean: bool) -> Induction:
    """Claim that an action w, or the mean that the library names, risks the impurity and a times a slack s.

    ``l = log y``, ``b = log a``, and ``log w = b + w/a - 1 - s``.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, values = weighted(entries), tuple(e.y for e in entries)
        mean = action(loss(values), p, m)
        w, log_w = (mean, v.b) if action_is_mean else (v.w, v.b + v.w / mean - 1 - v.s)
        of_loss = Given(m, logs=[x for e in entries for x in (e.l, log_w)])
        of_ratios = Given(m, logs=[e.l - v.b for e in entries])
        return risk(loss(values), w, p, of_loss) - impurity(values).of(p, of_ratios)

    return Induction(
        "K",
        {"n": "positive", "y": "positive", "l": "real"},
        formula,
        lambda e, v, m: [e.n, e.n * e.y],
        lambda s, v, m: 0 * s[0] if action_is_mean else s[1] / s[0] * v.s,
        "==" if action_is_mean else ">=",
        shared={"w": "positive", "b": "real", "s": "count"},
        keeps=lambda s, v, m: [s[0] > 0, s[1] > 0],
    )


def costs_less(values: tuple[int, ...], p: Any, w: Any, share: Fraction = Fraction(1)) -> Sign:
    """Claim that an action risks less than a share of the impurity."""

    def saved(m: Any) -> list[Any]:
        shares = [m.number(x) for x in p]
        return [m.number(share) * impurity(values).of(shares, m) - risk(loss(values), m.number(Fraction(w)), shares, m)]

    return Sign(saved)


THEOREMS = [
    Theorem(
        key="impurity.poisson_is_least_deviance",
        statement="half the Poisson deviance y log(y/w) - (y - w) of responses above 0 risks the impurity, sum_k p_k"
        " y_k log(y_k/a) with a their mean, and a times w/a - 1 - log(w/a): the best action is the mean alone, the"
        " least risk the impurity, for any number of responses",
        source="banerjee2005, Proposition 1",
        holds=All(excess=excess(False), library=excess(True)),
        fails=(
            NearMiss("the median costs no more", costs_less((1, 2, 9), THIRDS, 2, Fraction(1001, 1000))),
            NearMiss("the geometric mean costs no more", costs_less((1, 8), SKEWED, 2, Fraction(1001, 1000))),
            NearMiss("the least risk is twice the impurity", Not(costs_less((1, 4), SKEWED, 2, Fraction(2)))),
        ),
        premises=(LOGARITHM,),
    ),
]
