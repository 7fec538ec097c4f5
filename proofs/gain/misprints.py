"""What is false as printed: each claim is refuted with a witness, its correction proved.

Source: yang2019.
"""

from __future__ import annotations

from splitcrit.proof import Erratum, Exhaustive
from splitcrit.proofs.impurity.labels import order_of
from splitcrit.proofs.impurity.responses import absolute_attained, mean
from splitcrit.proofs.noise.realised_flips import choice_survives, one_flip_in_each_class

ERRATA = [
    Erratum("Y-E3", order_of((1, 2, 3), 4), "impurity.gini_is_not_squared_error_of_class_numbers"),
    Erratum(
        "Y-E4b",
        Exhaustive(lambda: one_flip_in_each_class(4), choice_survives),
        "noise.equal_proportions_flip_whole_classes_of_thresholds",
    ),
    Erratum("Y-E4d", absolute_attained(mean), "impurity.median_has_least_absolute_error"),
]
