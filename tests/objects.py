"""The one table of objects over which the laws are tested."""

from __future__ import annotations

from fractions import Fraction

from splitcrit import criteria, impurities, losses

HALF = Fraction(1, 2)
RESPONSES = {2: (0, 5), 3: (-1, 2, 7), 4: (0, 1, 1, 10)}

CLASS_IMPURITIES = [
    impurities.gini,
    impurities.entropy,
    impurities.misclassification,
    impurities.sqrt_gini,
    impurities.matushita,
    impurities.bayes_sum,
    impurities.shannon_entropy(2),
    impurities.gce(0),
    impurities.gce(HALF),
    impurities.gce(0.7),
    impurities.gce(0.999),
    impurities.gce(1),
    impurities.gce(Fraction(3, 2)),
    impurities.ne(0),
    impurities.ne(Fraction(1, 4)),
    impurities.ne(0.5),
    impurities.ne(1),
    impurities.scaled(impurities.gini, 2),
]
MARGIN_LOSSES = {  # a margin loss and the two-class impurity it must have
    losses.exponential: impurities.scaled(impurities.sqrt_gini, 2),
    losses.logistic: impurities.entropy,
    losses.hinge: impurities.scaled(impurities.misclassification, 2),
    losses.sigmoid: impurities.misclassification,
    losses.ramp: impurities.misclassification,
    losses.margin_zero_one: impurities.misclassification,
    losses.negative_exponential(0.5): impurities.ne(0.5),
    losses.negative_exponential(2): impurities.misclassification,
}
CRITERIA = [
    *map(criteria.decrease, CLASS_IMPURITIES),
    criteria.twoing,
    criteria.pairwise_gain,
    criteria.one_vs_rest_pairwise_gain,
    criteria.sum_minority,
    criteria.hellinger,
    criteria.dkm,
    criteria.chi_square,
    criteria.g_statistic,
    criteria.normalised(impurities.entropy),
    criteria.imprecise_information_gain(1),
    criteria.imprecise_information_gain(Fraction(5, 2)),
    criteria.imprecise_gain_ratio(1),
]


def responses(classes: int) -> list[impurities.Impurity]:
    """The impurities of regression with one response per class."""
    return [impurities.variance(RESPONSES[classes]), impurities.absolute_deviation(RESPONSES[classes])]
