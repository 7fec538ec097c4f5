"""Scores that see no empty class: with one more class of which there are no examples a score is the same term.

So an example of few classes is one of more classes. Criteria that are not listed here may see empty classes: the
square root of Gini's impurity is scaled by the number of classes, and the imprecise gains spread their mass over them.

Source: breiman1996, for the criteria as sums over classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from splitcrit import criteria
from splitcrit.criteria.facts import speaks_of
from splitcrit.impurities import bayes_sum, entropy, gce, gini, matushita, misclassification, shannon_entropy, sqrt_gini
from splitcrit.proof import ALL, BALL, Cases, Exhaustive, NearMiss, Premise, Theorem, only, same
from splitcrit.proofs.symbols import SYMBOL, symbol

IMPURITIES = (gini, entropy, misclassification, matushita, bayes_sum, shannon_entropy(2))
CRITERIA: tuple[criteria.Criterion, ...] = (
    *map(criteria.decrease, IMPURITIES), *(criteria.decrease(gce(Fraction(i, 4))) for i in (1, 2, 3)),
    criteria.normalised(entropy), criteria.normalised(gini),
    criteria.twoing, criteria.one_vs_rest_pairwise_gain, criteria.sum_minority,
)  # fmt: skip

OF_ALL_CLASSES = (
    "gain_by_sums_and_largest_sees_no_empty_class",
    "py_twoing_and_one_vs_rest_see_no_empty_class",
    "py_sum_minority_sees_no_empty_class",
)


def padded(several: Iterable[criteria.Criterion], rows: int = 2) -> Cases:
    """Every criterion with each number of classes."""
    listed = tuple(several)
    return Cases(lambda classes: ((criterion, classes, rows) for criterion in listed), K=only(2, 3))


def unseen(case: tuple[criteria.Criterion, int, int]) -> bool:
    """Whether a score of positive counts is the same term with an empty class behind."""
    criterion, classes, rows = case
    table = [[symbol(f"n{i}{k}", positive=True, integer=True) for k in range(classes)] for i in range(rows)]
    more = [[*row, SYMBOL.term(0)] for row in table]
    return same(criterion.score(table, SYMBOL), criterion.score(more, SYMBOL))


def unseen_in_numbers(case: tuple[criteria.Criterion, int, int]) -> bool:
    """Whether a score of the counts 1, 2, 3, ... is the same with an empty class behind, by enclosures."""
    criterion, classes, rows = case
    table = [[Fraction(1 + i + k * k) for k in range(classes)] for i in range(rows)]
    more = [[*row, Fraction(0)] for row in table]
    return bool(criterion.score(table, BALL) == criterion.score(more, BALL))


THEOREMS = [
    Theorem(
        key="gain.score_sees_no_empty_class",
        statement="the decreases of Gini's, the entropy, Matushita's, misclassification, generalised cross entropy and"
        " Bayes-sum impurities, the normalised gains, twoing, one-vs-rest pairwise gain and sum-minority are the same"
        " of a table with one more class of which it has no examples",
        source="breiman1996, eq. (2)",
        holds=Exhaustive(padded(CRITERIA), unseen),
        fails=(
            NearMiss(
                "the decrease of sqrt_gini is the same",
                Exhaustive(padded([criteria.decrease(sqrt_gini)]), unseen_in_numbers),
            ),
            NearMiss(
                "the imprecise information gain is the same",
                Exhaustive(padded([criteria.imprecise_information_gain(1)]), unseen_in_numbers),
            ),
        ),
        premises=(
            *(Premise(name, "kernel", {"K": ALL}) for name in OF_ALL_CLASSES),
            Premise("py_impurities_are_of_sums_and_largest", "kernel"),
        ),
    )
]


def sees_no_empty_class(criterion: str) -> bool:
    """Whether the theorem is about the criterion of this name."""
    return any(speaks_of(repr(known), criterion) for known in CRITERIA)
