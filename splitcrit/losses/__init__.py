"""Losses: the cost of an action ``w`` when the class is ``k``, written once for every arithmetic.

Every impurity of the library is the minimised risk ``inf_w sum_k p_k at(w, k)`` of one of these.

Main definitions: ``Loss``, ``risk``, ``scaled`` (``base``); losses of a class distribution, and of a number or a
yes-or-no per class (``simplex``); margin losses for two classes (``margin_losses``); regression (``response_losses``,
with ``ResponseLoss``, which a user writes).

Source: yang2019 Table I and eq. (1); wilton2024 Section 3, Lemmas 6-7, Theorem 8.
"""

from splitcrit.losses.base import Loss, majority, risk, scaled
from splitcrit.losses.margin_losses import (
    distribution_loss,
    exponential,
    exponential_cdf,
    hinge,
    logistic,
    logistic_cdf,
    margin_zero_one,
    negative_exponential,
    ramp,
    sigmoid,
    step_cdf,
    uniform_cdf,
)  # fmt: skip
from splitcrit.losses.response_losses import ResponseLoss, absolute_error, poisson, squared_error
from splitcrit.losses.simplex import (
    bayes_sum,
    cross_entropy,
    gce,
    infinity_norm,
    mae,
    matushita,
    ne,
    pairwise,
    sqrt_gini,
    square,
    zero_one,
)  # fmt: skip

__all__ = [
    "Loss", "ResponseLoss", "absolute_error", "bayes_sum", "cross_entropy", "exponential", "gce", "hinge",
    "infinity_norm", "logistic", "mae", "majority", "margin_zero_one", "matushita", "ne", "negative_exponential",
    "pairwise", "poisson", "ramp", "risk", "scaled", "sigmoid", "sqrt_gini", "square", "squared_error", "zero_one",
]  # fmt: skip
