"""What a split saves of Poisson deviance: by sums over its sides alone, at most what it saves of the variance.

Source: banerjee2005, Proposition 1; the rest beyond the papers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.arith import total
from splitcrit.criteria import decrease
from splitcrit.impurities import poisson, variance
from splitcrit.proof import Each, Identity, Law, NearMiss, Sign, Theorem
from splitcrit.proofs.common import kinds, rows_of, vector
from splitcrit.proofs.given import LOGARITHM, Given

KINDS = ("positive", "l", "r", "y")


def known(v: Any, m: Any, classes: int, unit: Any = 1) -> tuple[Any, tuple[Any, ...], list[Any], Given]:
    """Rows, responses, means of sides and node, and the arithmetic with logarithms of ratios of these.

    Those of responses are g, those of the means b0, b1, b2.
    """
    t, y = rows_of(v, classes), tuple(vector(v, "y", classes))
    nodes = [*t, [a + b for a, b in zip(*t, strict=True)]]
    means = [total([n * r for n, r in zip(node, y, strict=True)]) / total(node) for node in nodes]
    logs = [g - b for b in vector(v, "b", 3) for g in vector(v, "g", classes)]
    return t, tuple(unit * r for r in y), means, Given(m, logs=logs)


def variables(classes: int) -> dict[str, str]:
    return kinds(*KINDS, classes=classes) | kinds("real", "g", classes=classes) | kinds("real", "b", classes=3)


def saved(v: Any, m: Any, classes: int, unit: Any = 1) -> Any:
    """What a split saves, times the weight of the node."""
    t, y, _, arithmetic = known(v, m, classes, unit)
    return total([total(row) for row in t]) * decrease(poisson(y)).score(t, arithmetic)


def by_sums(classes: int, weighted: bool = True, own: bool = True) -> Identity:
    """Claim that a split saves the sum over its sides of weight times mean times log(mean / mean of the node)."""

    def sums(v: Any, m: Any) -> Any:
        t, _, (*sides, mean), _ = known(v, m, classes)
        sides = sides if own else [mean, mean]
        weights = [total(row) if weighted else total([total(row) for row in t]) / 2 for row in t]
        return total([n * a * (b - v.b2) for n, a, b in zip(weights, sides, (v.b0, v.b1), strict=True)])

    return Identity(variables(classes), lambda v, m: saved(v, m, classes), sums)


def below_variance(classes: int) -> Identity:
    """Claim what is left to the variance's gain over the mean: n_s a_s (a_s/a - 1 - log(a_s/a)), over both sides."""

    def left(v: Any, m: Any) -> Any:
        t, y, (*_, mean), _ = known(v, m, classes)
        return total([total(row) for row in t]) * decrease(variance(y)).score(t, m) / mean - saved(v, m, classes)

    def slack(v: Any, m: Any) -> Any:
        t, _, (*sides, mean), _ = known(v, m, classes)
        logs = zip(t, sides, (v.b0, v.b1), strict=True)
        return total([total(row) * a * (a / mean - 1 - (b - v.b2)) for row, a, b in logs])

    return Identity(variables(classes), left, slack)


def scaled(classes: int, power: int = 1) -> Identity:
    """Claim that responses times c save c to a power times as much."""
    return Identity(
        variables(classes) | {"c": "positive"},
        lambda v, m: saved(v, m, classes, v.c),
        lambda v, m: v.c**power * saved(v, m, classes),
    )


def below(unit: Fraction, share: Fraction) -> Sign:
    """Claim that a share of the variance's gain is above the gain, of .01 apart from nine ones, times a unit."""
    y = (unit / 100, unit)

    def left(m: Any) -> list[Any]:
        counts = [[m.number(n) for n in row] for row in ([1, 0], [0, 9])]
        return [m.number(share) * decrease(variance(y)).score(counts, m) - decrease(poisson(y)).score(counts, m)]

    return Sign(left)


SUMS, SCALED = Law(by_sums, classes=2), Law(scaled, classes=2)
MEAN = Fraction(901, 1000)

THEOREMS = [
    Theorem(
        key="gain.poisson_follows_from_sums_of_sides",
        statement="a split saves of half the Poisson deviance, times the weight of the node, sum_s n_s a_s log(a_s / a)"
        " with n_s and a_s weight and mean of a side, a that of the node: sums of weights and of weighted responses are"
        " all that it asks for (two sides, up to four responses above 0)",
        source="beyond the papers",
        holds=Each("K", (2, 3, 4), by_sums),
        fails=(
            SUMS.but("the same with both sides counted alike", weighted=False),
            SUMS.but("the logarithms count by the mean of the node, n_s a log(a_s / a)", own=False),
        ),
    ),
    Theorem(
        key="gain.poisson_is_at_most_variance_gain_over_mean",
        statement="a split saves of half the Poisson deviance at most what it saves of the variance over the mean a of"
        " the node: what is left is sum_s n_s a_s (a_s/a - 1 - log(a_s/a)), in which no term is negative",
        source="beyond the papers",
        holds=Each("K", (2, 3, 4), below_variance),
        fails=(
            NearMiss("it saves at most half of that", below(Fraction(1), 1 / MEAN / 2)),
            NearMiss("it saves at most what it saves of the variance itself", below(Fraction(1, 10), Fraction(1))),
        ),
        premises=(LOGARITHM,),
    ),
    Theorem(
        key="gain.poisson_rescales_with_responses",
        statement="responses times c > 0 save c times as much of the Poisson deviance, so that no unit of the responses"
        " changes a tree",
        source="beyond the papers",
        holds=Each("K", (2, 3, 4), scaled),
        fails=(SCALED.but("they save as much", power=0), SCALED.but("they save c^2 times as much", power=2)),
    ),
]
