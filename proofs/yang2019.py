"""Statements of yang2019: a loss behind every criterion, and the pairwise gain under label noise.

Main results: the pairwise gain of the noisy expected table is ``|1 - tau_pos - tau_neg|`` times the clean one.
Source: yang2019.
"""

from __future__ import annotations

from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.noise import class_conditional
from splitcrit.proof import Identity, NearMiss, Smt, Theorem

NOISY_SPLIT = {"a": "count", "b": "count", "c": "count", "d": "count", "tau_pos": "rate", "tau_neg": "rate"}


def clean(v: Any) -> list[list[Any]]:
    """Return the split with ``a, c`` positives and ``b, d`` negatives; class 1 is the positive one."""
    return [[v.b, v.a], [v.d, v.c]]


def noisy(v: Any) -> list[list[Any]]:
    """Return the expected split after class-conditional noise."""
    channel = class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg)
    return [channel.on_distribution(row) for row in clean(v)]


def square_of_noisy(v: Any, m: Any) -> Any:
    return pairwise_gain.score(noisy(v), m) ** 2


def scaled_square(v: Any, m: Any) -> Any:
    return (1 - v.tau_pos - v.tau_neg) ** 2 * pairwise_gain.score(clean(v), m) ** 2


def other_scale(v: Any, m: Any) -> Any:
    return (1 - v.tau_pos * v.tau_neg) ** 2 * pairwise_gain.score(clean(v), m) ** 2


def keeps_order(v: Any, m: Any) -> Any:
    """State that a strictly better split stays strictly better under noise."""
    return pairwise_gain.score(noisy(v), m) > 0


THEOREMS = [
    Theorem(
        key="noise.pairwise_gain_rescales_of_class_conditional",
        statement="the pairwise gain of the expected noisy table is |1 - tau_pos - tau_neg| times that of the clean one"
        " (both sides are non-negative; their squares are equal as polynomials)",
        source="yang2019, Theorem 1",
        scope="two classes, all counts, all rates in [0, 1]",
        holds=Identity(NOISY_SPLIT, square_of_noisy, scaled_square),
        fails=(
            NearMiss("the factor is |1 - tau_pos tau_neg|", Identity(NOISY_SPLIT, square_of_noisy, other_scale)),
            NearMiss(
                "a positive gain stays positive whatever the rates (no word about tau_pos + tau_neg = 1)",
                Smt(NOISY_SPLIT, keeps_order, lambda v, m: [pairwise_gain.score(clean(v), m) > 0]),
                alters="hypothesis",
            ),
        ),
        latex=r"\tilde t(s) = |1 - \tau_+ - \tau_-|\, t(s)",
    ),
]
