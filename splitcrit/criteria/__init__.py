"""Criteria: scores of contingency tables, larger is better; one formula for floats, fractions and symbols.

Main definitions: ``Criterion``, ``decrease``, ``as_criterion``, ``replace`` (``base``); criteria that are no
decrease of an impurity (``library``).
"""

from splitcrit.criteria.base import Criterion, as_criterion, decrease, replace
from splitcrit.criteria.library import (
    chi_square,
    dkm,
    g_statistic,
    hellinger,
    imprecise_gain_ratio,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    pairwise_gain,
    sum_minority,
    twoing,
    twoing_superclasses,
)  # fmt: skip

__all__ = [
    "Criterion", "chi_square", "decrease", "dkm", "g_statistic", "hellinger", "imprecise_gain_ratio",
    "imprecise_information_gain", "normalised", "one_vs_rest_pairwise_gain", "pairwise_gain", "replace", "sum_minority",
    "twoing", "twoing_superclasses",
]  # fmt: skip
