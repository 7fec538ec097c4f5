"""What is false as printed: each claim is refuted with a witness, its correction proved.

Source: yang2019.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.losses import exponential, risk
from splitcrit.noise import class_conditional
from splitcrit.proof import Erratum, Exhaustive, Identity, Not, Sign
from splitcrit.proofs.noise.realised_flips import choice_survives, one_flip_in_each_class
from splitcrit.proofs.yang2019.experiments import cells as table_three
from splitcrit.proofs.yang2019.experiments import marked
from splitcrit.proofs.yang2019.framework import PURE
from splitcrit.proofs.yang2019.losses import order_of
from splitcrit.proofs.yang2019.noise import (
    NOISY_SPLIT,
    as_printed,
    cells,
    gini_rescales,
    keeps_order,
    noisy_determinant,
    survives,
)
from splitcrit.proofs.yang2019.pairwise import saved, scored_splits
from splitcrit.proofs.yang2019.regression import absolute_attained, mean
from splitcrit.proofs.yang2019.relations import of_absolute, rates

HALF = Fraction(1, 2)


def signs_as_printed(case: Any) -> bool:
    """State the two cases of unequal scores with the signs that are printed."""
    leaves, (left, right) = case
    (a, b), (c, d) = leaves
    return bool(left == right or saved(leaves, (left, right)) == HALF * (a * d - b * c) * (1 if left < right else -1))


def attained_by_eight(m: Any) -> list[Any]:
    """Return, as a value to be positive, how much worse the step after announcement 8 is."""
    return [risk(exponential, m.number(9), PURE, m) - risk(exponential, m.number(8), PURE, m)]


ERRATA = [
    Erratum("Y-E1", Exhaustive(lambda: scored_splits(3), signs_as_printed), "pairwise.saving_of_scored_children"),
    Erratum(
        "Y-E2", Identity(NOISY_SPLIT, noisy_determinant, as_printed), "noise.determinant_expands_of_class_conditional"
    ),
    Erratum("Y-E3", order_of((1, 2, 3), 4), "criterion.gini_is_not_square_loss_of_class_numbers"),
    Erratum(
        "Y-E4a",
        keeps_order(pairwise_gain, class_conditional(tau_pos=HALF, tau_neg=HALF), 4),
        "noise.pairwise_gain_keeps_order_of_class_conditional",
    ),
    Erratum(
        "Y-E4b",
        Exhaustive(lambda: one_flip_in_each_class(4), choice_survives),
        "noise.equal_proportions_flip_whole_classes_of_thresholds",
    ),
    Erratum("Y-E4c", Sign(attained_by_eight), "framework.minimum_is_not_attained_of_pure_node"),
    Erratum("Y-E4d", absolute_attained(mean), "criterion.mae_is_absolute_error_of_median"),
    Erratum("Y-E5", Not(gini_rescales), "noise.gini_order_survives_of_class_conditional"),
    Erratum("Y-E6", Exhaustive(table_three, marked), "experiments.unmarked_cells_are_significant_over_fifty_runs"),
    Erratum("Y-E8", Not(of_absolute(rates, HALF)), "relations.pairwise_gain_is_kolmogorov_smirnov_distance"),
    Erratum("Y-E9", Exhaustive(lambda: cells(4), survives), "noise.pairwise_gain_loses_order_of_instance_dependent"),
]
