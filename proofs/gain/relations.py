"""What pairwise gain is among the known criteria of two classes.

Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from splitcrit.criteria import pairwise_gain, twoing
from splitcrit.proof import Exhaustive, Identity, Law, NearMiss, Not, Smt, Theorem
from splitcrit.proofs.common import binary_splits, count_vectors, gini_decrease, kinds, score
from splitcrit.proofs.gain.pairwise import gain
from splitcrit.proofs.two_class import Split, agree, clean, node_splits, two_classes

REALS = kinds("real", "a", "b", "c", "d")


def whole(v: Any) -> Any:
    return v.a + v.b + v.c + v.d


def sizes(v: Any) -> Any:
    return (v.a + v.b) * (v.c + v.d)


def classes(v: Any) -> Any:
    return (v.a + v.c) * (v.b + v.d)


def gini_gain(v: Any, m: Any) -> Any:
    return gini_decrease.score(clean(v), m)


def chi_square(v: Any, m: Any) -> Any:
    """Pearson's statistic, ``sum (observed - expected)^2 / expected``."""
    rows, total = clean(v), whole(v)
    columns = [v.b + v.d, v.a + v.c]
    cells = [(x, sum(row) * n / total) for row in rows for x, n in zip(row, columns, strict=True)]
    return sum((x - e) ** 2 / e for x, e in cells)


def present(v: Any, m: Any) -> list[Any]:
    """Both children and both classes are present."""
    return [v.a >= 0, v.b >= 0, v.c >= 0, v.d >= 0, v.a + v.b > 0, v.c + v.d > 0, v.a + v.c > 0, v.b + v.d > 0]


def squared_gain(criterion: Any, factor: int, over: Callable[[Any], Any]) -> Identity:
    """The criterion is a factor times the squared pairwise gain over a function of the margins."""
    return Identity(REALS, criterion, lambda v, m: factor * gain(v, m) ** 2 / over(v), present)


def over_sizes(v: Any) -> Any:
    return whole(v) ** 2 * sizes(v)


def by_shares(factor: int) -> Identity:
    """Gini gain by the difference of the children's shares of positives."""

    def squared(v: Any, m: Any) -> Any:
        return factor * sizes(v) / whole(v) ** 2 * (v.a / (v.a + v.b) - v.c / (v.c + v.d)) ** 2

    return Identity(REALS, gini_gain, squared, present)


def rescaled_gini(over: Callable[[Any], Any]) -> Identity:
    return Identity(REALS, chi_square, lambda v, m: whole(v) * gini_gain(v, m) / over(v), present)


def opposite(most: int, least: int = 2) -> Exhaustive:
    """Pairwise gain and Gini never order two splits of a node oppositely."""
    same = agree(lambda t: score(pairwise_gain, t), lambda t: score(gini_decrease, t))
    return Exhaustive(lambda: node_splits(count_vectors(most, 2, least)), same)


def rank_alike(one_size: bool = True) -> Smt:
    """Claim that 8 t^2 / (N^2 N_L N_R) ranks as t does, here of two splits whose children have the same sizes."""

    def gini(t: Any, left: Any, right: Any) -> Any:
        return 8 * t**2 / ((left + right) ** 2 * left * right)

    def alike(v: Any, m: Any) -> Any:
        return (v.t > v.u) == (gini(v.t, v.l, v.r) > gini(v.u, v.L, v.R))

    def hypotheses(v: Any, m: Any) -> list[Any]:
        return [v.t >= 0, v.u >= 0, v.l + v.r == v.L + v.R, *([v.l == v.L] if one_size else [])]

    return Smt(kinds("real", "t", "u") | kinds("positive", *"lrLR"), alike, hypotheses)


def same_weak_order(pair: tuple[Split, Split]) -> bool:
    first, second = ([score(criterion, t) for t in pair] for criterion in (pairwise_gain, gini_decrease))
    return bool((first[0] > first[1]) == (second[0] > second[1]))


gini_law = Law(squared_gain, criterion=gini_gain, factor=8, over=over_sizes)
half_law = Law(squared_gain, criterion=lambda v, m: twoing.score(clean(v), m), factor=4, over=over_sizes)
chi_law = Law(squared_gain, criterion=chi_square, factor=4, over=lambda v: sizes(v) * classes(v) / whole(v))
chi_gini = Law(rescaled_gini, over=lambda v: 2 * classes(v) / whole(v) ** 2)

THEOREMS = [
    Theorem(
        key="gain.gini_gain_is_squared_pairwise_gain_over_sizes",
        statement="for two classes Gini gain = 8 t^2 / (N^2 N_L N_R) = 2 (N_L N_R / N^2) (p_L - p_R)^2, t being"
        " pairwise gain: both are functions of the same ad - bc",
        source="yang2019, Section V",
        holds=two_classes(gini_law, by_shares(2)),
        fails=(
            gini_law.but(factor=4),
            gini_law.but(
                "Gini gain is the square of 2 t / N^2, whatever the sizes of the children",
                factor=4,
                over=lambda v: whole(v) ** 4,
            ),
        ),
    ),
    Theorem(
        key="gain.twoing_is_half_gini_gain_of_two_classes",
        statement="for two classes twoing is half the Gini gain, 4 t^2 / (N^2 N_L N_R)",
        source="yang2019, Section V",
        holds=two_classes(half_law),
        fails=(
            half_law.but("twoing is the Gini gain", factor=8),
            NearMiss(
                "the same for three classes",
                Exhaustive(lambda: binary_splits(4, 3), lambda t: 2 * score(twoing, t) == score(gini_decrease, t)),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="gain.chi_square_is_rescaled_gini_gain_of_two_classes",
        statement="for two classes chi-square is N Gini gain / (2 p q) = 4 N t^2 / (N_L N_R N_pos N_neg): at a node it"
        " orders splits as Gini does",
        source="yang2019, Section V",
        holds=two_classes(chi_gini, chi_law),
        fails=(
            chi_gini.but("chi-square is N times the Gini gain", over=lambda v: 1),
            chi_law.but("chi-square is 4 t^2 / (N_L N_R N_pos N_neg)", over=lambda v: sizes(v) * classes(v)),
        ),
    ),
    Theorem(
        key="gain.pairwise_gain_orders_unlike_gini_from_seven_examples",
        statement="of two splits of a node pairwise gain and Gini can prefer different ones; the smallest node has 7"
        " examples; they agree on all splits whose children have the same sizes",
        source="yang2019, Section V",
        holds=two_classes(opposite(6), Not(opposite(7, 7)), gini_law, rank_alike()),
        fails=(
            NearMiss("they rank alike by 8 t^2 / (N^2 N_L N_R) if the sizes differ", rank_alike(False), "hypothesis"),
            NearMiss("they agree on every node of up to 7 examples", opposite(7)),
            NearMiss("they disagree already on 6 examples", Not(opposite(6, 6))),
            NearMiss(
                "they rank alike, ties included, whatever the sizes of the children",
                Exhaustive(lambda: node_splits(count_vectors(6, 2, 2)), same_weak_order),
                alters="hypothesis",
            ),
        ),
    ),
]
