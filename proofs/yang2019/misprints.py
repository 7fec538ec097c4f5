"""What is false as printed: each claim is refuted with a witness, its correction proved.

Source: yang2019.
"""

from __future__ import annotations

from fractions import Fraction

from splitcrit.criteria import pairwise_gain
from splitcrit.noise import class_conditional
from splitcrit.proof import Erratum, Exhaustive, Identity, Not
from splitcrit.proofs.impurity.labels import order_of
from splitcrit.proofs.impurity.responses import absolute_attained, mean
from splitcrit.proofs.yang2019.noise import (
    NOISY_SPLIT,
    as_printed,
    cells,
    gini_rescales,
    keeps_order,
    noisy_determinant,
    survives,
)
from splitcrit.proofs.yang2019.samples import choice_survives, one_flip_in_each_class

HALF = Fraction(1, 2)


ERRATA = [
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
    Erratum("Y-E4d", absolute_attained(mean), "criterion.mae_is_absolute_error_of_median"),
    Erratum("Y-E5", Not(gini_rescales), "noise.gini_order_survives_of_class_conditional"),
    Erratum("Y-E9", Exhaustive(lambda: cells(4), survives), "noise.pairwise_gain_loses_order_of_instance_dependent"),
]
