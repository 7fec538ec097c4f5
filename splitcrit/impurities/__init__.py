"""Impurities: each is the minimised risk of a loss, written once as ``of(p, m)``.

Main definitions: ``Impurity``, ``scaled`` (``base``); the impurities of the papers (``library``); the numerical
minimum risk of a loss without a known best action (``numeric``); what an impurity may declare for a search of splits
(``search_declaration``).
"""

from splitcrit.impurities.base import Impurity, Risk, scaled
from splitcrit.impurities.library import (
    absolute_deviation,
    bayes_sum,
    entropy,
    gce,
    gini,
    matushita,
    misclassification,
    ne,
    poisson,
    shannon_entropy,
    sqrt_gini,
    variance,
)  # fmt: skip
from splitcrit.impurities.numeric import NumericRisk
from splitcrit.impurities.search_declaration import Search, by_sums

__all__ = [
    "Impurity", "Search", "absolute_deviation", "bayes_sum", "by_sums", "entropy", "gce", "gini", "matushita",
    "misclassification", "ne", "poisson", "scaled", "shannon_entropy", "sqrt_gini", "variance",
]  # fmt: skip
