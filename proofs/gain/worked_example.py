"""The worked example of two splits: its four risk reductions, and the ``lam`` at which the better split changes.

A risk reduction is the share of the node times the drop of the impurity; the factor is omitted where it is printed.
Source: wilton2024, eq. (1) and Appendix M.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import decrease
from splitcrit.proof import All, Erratum, Exhaustive, Law, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, error_decrease, score
from splitcrit.proofs.given import tuned

# A balanced node of 20; one split with a pure child, one with shares 1/5 and 4/5.
PURE = ((5, 0), (5, 10))
EVEN = ((8, 2), (2, 8))
ROUNDED = ((34, 0), (33, 67))  # the share 2/3 of PURE as 0.67, in a balanced node of 134


def on(table: Any, m: Any) -> list[list[Any]]:
    return [[m.number(Fraction(x)) for x in row] for row in table]


def changes_at(square: Fraction) -> Smt:
    """The split with a pure child is better exactly if lam^2 is below the given number (0 < lam <= 1)."""

    def conclusion(v: Any, m: Any) -> Any:
        gain = decrease(impurities.Impurity("ne", tuned(impurities.ne(Fraction(1, 2)).of, lam=v.lam))).score
        return (gain(on(PURE, m), m) > gain(on(EVEN, m), m)) == (v.lam * v.lam < square)

    return Smt({"lam": "rate"}, conclusion, lambda v, m: [v.lam > 0])


def printed_values(pure: Any) -> Sign:
    """The four reductions, with impurities of maximum 1, agree with their four printed digits."""
    wanted = [
        (impurities.sqrt_gini, pure, 2982),
        (impurities.sqrt_gini, EVEN, 2000),
        (impurities.misclassification, pure, 5075),
        (impurities.misclassification, EVEN, 6000),
    ]
    digits = [(decrease(of), t, Fraction(x, 10**4)) for of, t, x in wanted]
    return Sign(lambda m: [Fraction(51, 10**6) - m.abs(2 * c.score(on(t, m), m) - x) for c, t, x in digits])


def leads(root: int, error: int, by: Fraction = Fraction(0)) -> Sign:
    """By how much the split with the pure child leads, times a sign, under the root of Gini and misclassification."""

    def lead(m: Any, impurity: Any) -> Any:
        gain = decrease(impurity).score
        return 2 * (gain(on(ROUNDED, m), m) - gain(on(EVEN, m), m))

    return Sign(
        lambda m: [root * lead(m, impurities.sqrt_gini) - by, error * lead(m, impurities.misclassification) - by]
    )


# A risk reduction on a node of n of the N training examples.
def reduction(table: Any, whole: int) -> Fraction:
    """The risk reduction of the 0-1 loss: what the split saves, over the number of all training examples."""
    node = [a + b for a, b in zip(*table, strict=True)]
    lost = [sum(row) - max(row) for row in (node, *table)]
    return Fraction(lost[0] - lost[1] - lost[2], whole)


def is_drop(times: Callable[[int, int], Fraction]) -> Exhaustive:
    """The risk reduction of the 0-1 loss is ``times(n, N)`` times the decrease of the impurity; it is so for n / N."""

    def holds(case: tuple[Any, int]) -> bool:
        table, outside = case
        n = sum(map(sum, table))
        gain = score(error_decrease, table)
        return bool(reduction(table, n + outside) == times(n, n + outside) * gain)

    return Exhaustive(lambda: ((t, k) for t in binary_splits(5, 3) for k in range(3)), holds)


change, digits, order = (
    Law(changes_at, square=Fraction(8, 25)),
    Law(printed_values, pure=ROUNDED),
    Law(leads, root=1, error=-1),
)

THEOREMS = [
    Theorem(
        key="gain.better_split_changes_once_with_lam_in_example",
        statement="for a balanced node and the splits into shares 0, 2/3 and into 1/5, 4/5, the split with the pure "
        "child is better by the NE impurity exactly if lam < 2 sqrt(2) / 5, 0 < lam <= 1",
        source="wilton2024, Appendix M",
        holds=change,
        fails=(
            change.but("it changes at lam = 1/2", square=Fraction(1, 4)),
            change.but("the split with the pure child is better for every lam < 1", square=Fraction(1)),
        ),
    ),
    Theorem(
        key="gain.example_reductions_rank_splits_oppositely",
        statement="with 0.67 for the larger share and impurities of maximum 1, the reductions are 0.2982 and 0.2000 "
        "for the square root of Gini, 0.5075 and 0.6000 for misclassification, to four digits: the rankings differ",
        source="wilton2024, Appendix M",
        holds=All(digits, Law(leads, root=1, error=-1, by=Fraction(1, 20))),
        fails=(
            digits.but("0.67 stands for 2/3: the digits agree", pure=PURE),
            order.but("both impurities prefer the split with the pure child", error=1),
        ),
    ),
]

ERRATA = [Erratum("R-E16", is_drop(lambda n, whole: Fraction(1)), "gain.of_loss_is_n_times_decrease_of_its_impurity")]
