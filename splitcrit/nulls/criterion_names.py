"""The names of criteria where a string is taken: by estimators and by the command line.

Main definitions: ``CriterionName``, ``NAMES``, ``written`` (what to pass where a text reads like a call).
"""

from __future__ import annotations

from typing import Literal, get_args

from splitcrit import criteria, impurities, nulls
from splitcrit.criteria import Criterion
from splitcrit.impurities import Impurity
from splitcrit.nulls import chance_criteria

CriterionName = Literal[
    "gini", "entropy", "log_loss", "misclassification", "sqrt_gini", "matushita", "bayes_sum", "twoing",
    "pairwise_gain", "one_vs_rest_pairwise_gain", "sum_minority", "hellinger", "dkm", "gain_ratio", "credal",
    "credal_ratio", "sgini", "agini", "significance",
]  # fmt: skip
BITS = impurities.shannon_entropy(2)  # scikit-learn measures entropy in bits
OF_THE_FIELD: dict[str, Criterion | Impurity] = {  # names that the library itself does not use
    "entropy": BITS,
    "log_loss": BITS,
    "gain_ratio": criteria.normalised(impurities.entropy),
    "credal": criteria.imprecise_information_gain(1),
    "credal_ratio": criteria.imprecise_gain_ratio(1),
}
ROOMS = {**vars(impurities), **vars(criteria), **vars(chance_criteria)}
NAMES: dict[str, Criterion | Impurity] = {n: OF_THE_FIELD.get(n) or ROOMS[n] for n in get_args(CriterionName)}


def written(text: str) -> str | None:
    """The value to pass in place of a text that reads like a call; None if it does not.

    Parameters of a criterion are arguments of a call, which Python reads; no text is.

    Examples
    --------
    >>> written("ne(.5)")
    'pass criterion=ne(.5) itself, after `from splitcrit.impurities import ne`'
    """
    maker = text.partition("(")[0].strip()
    home = next((part.__name__ for part in (impurities, criteria, nulls) if maker in part.__all__), None)
    if home is None or maker in NAMES:
        return None
    call = text.strip() if "(" in text else f"{maker}(...)"
    return f"pass criterion={call} itself, after `from {home} import {maker}`"
